// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dispatch/View.h"
#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

View View::dense(ArrayRef<int64_t> shape) {
  View result{SmallVector<int64_t>(shape), SmallVector<int64_t>(shape.size(), 1)};
  for (size_t i = shape.size(); i-- > 1;)
    result.strides[i - 1] = result.strides[i] * shape[i];
  return result;
}

View View::transposed(ArrayRef<int64_t> permutation) const {
  View result{{}, {}, offset};
  for (int64_t from : permutation) {
    result.dims.push_back(dims[from]);
    result.strides.push_back(strides[from]);
  }
  return result;
}

std::optional<View> View::reshaped(ArrayRef<int64_t> shape) const {
  // Dimensions of 1 say nothing about the order of elements.
  View old;
  for (auto [dim, stride] : llvm::zip(dims, strides))
    if (dim != 1) {
      old.dims.push_back(dim);
      old.strides.push_back(stride);
    }
  View result{SmallVector<int64_t>(shape), SmallVector<int64_t>(shape.size(), 1), offset};
  size_t from = 0, to = 0;
  while (to < shape.size()) {
    if (shape[to] == 1) {
      ++to;
      continue;
    }
    // The smallest groups of old and new dimensions with as many elements.
    if (from == old.dims.size())
      return std::nullopt;
    size_t fromEnd = from + 1, toEnd = to + 1;
    int64_t fromSize = old.dims[from], toSize = shape[to];
    while (fromSize != toSize) {
      if (fromSize < toSize) {
        if (fromEnd == old.dims.size())
          return std::nullopt;
        fromSize *= old.dims[fromEnd++];
      } else {
        if (toEnd == shape.size())
          return std::nullopt;
        toSize *= shape[toEnd++];
      }
    }
    for (size_t i = from; i + 1 < fromEnd; ++i)
      if (old.strides[i] != old.strides[i + 1] * old.dims[i + 1])
        return std::nullopt;
    int64_t stride = old.strides[fromEnd - 1];
    for (size_t i = toEnd; i-- > to;) {
      result.strides[i] = stride;
      stride *= shape[i];
    }
    from = fromEnd;
    to = toEnd;
  }
  return result;
}

View View::sliced(ArrayRef<int64_t> starts, ArrayRef<int64_t> shape) const {
  View result{SmallVector<int64_t>(shape), strides, offset};
  for (auto [start, stride] : llvm::zip(starts, strides))
    result.offset += start * stride;
  return result;
}

View View::broadcast(ArrayRef<int64_t> map, ArrayRef<int64_t> shape) const {
  View result{SmallVector<int64_t>(shape), SmallVector<int64_t>(shape.size(), 0), offset};
  for (auto [index, dim] : llvm::enumerate(map))
    if (dims[index] == shape[dim])
      result.strides[dim] = strides[index];
  return result;
}

void View::swapLastTwo() {
  size_t last = dims.size() - 1;
  std::swap(dims[last - 1], dims[last]);
  std::swap(strides[last - 1], strides[last]);
}

bool View::hasBroadcast() const {
  return llvm::any_of(llvm::zip(dims, strides), [](auto pair) { return std::get<0>(pair) != 1 && std::get<1>(pair) == 0; });
}

View View::normalized() const {
  View result = *this;
  for (size_t i = dims.size(); i-- > 0;) {
    if (result.strides[i] == 0)
      result.dims[i] = 1;
    if (result.dims[i] == 1)
      result.strides[i] = i + 1 < dims.size() ? result.strides[i + 1] * result.dims[i + 1] : 1;
  }
  return result;
}

// A slice of neighbours.
static bool isPart(Operation *op) {
  auto slice = dyn_cast<SliceOp>(op);
  return slice && llvm::all_of(slice.getStrides(), [](int64_t step) { return step == 1; });
}

TracedView mlir::raf::dispatch::trace(Value value, Through through) {
  SmallVector<Operation *> moves; // from the value backwards
  for (Value at = value;;) {
    Operation *op = at.getDefiningOp();
    if (!op || !(isa<TransposeOp, ReshapeOp>(op) || (through.broadcasts && isa<BroadcastOp>(op)) || (through.slices && isPart(op))))
      break;
    moves.push_back(op);
    at = op->getOperand(0);
  }
  for (;; moves.pop_back()) {
    Value base = moves.empty() ? value : moves.back()->getOperand(0);
    std::optional<View> view = View::dense(cast<RankedTensorType>(base.getType()).getShape());
    for (Operation *op : llvm::reverse(moves)) {
      ArrayRef<int64_t> shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
      if (auto transpose = dyn_cast<TransposeOp>(op))
        view = view->transposed(transpose.getPermutation());
      else if (auto broadcast = dyn_cast<BroadcastOp>(op))
        view = view->broadcast(broadcast.getDims(), shape);
      else if (auto slice = dyn_cast<SliceOp>(op))
        view = view->sliced(slice.getStarts(), shape);
      else
        view = view->reshaped(shape);
      if (!view)
        break;
    }
    if (view)
      return {base, *view};
  }
}

bool mlir::raf::dispatch::isStored(Value value) {
  return isa<BlockArgument>(value) || isa<PlanOpInterface, RegionCallOpInterface, KernelOp, MatmulOp, ConvOp, ConvInputGradOp, ConvWeightGradOp>(value.getDefiningOp());
}

// The base under a shape in which each dimension of the view is a dimension, walked as a whole if that can be, or from some element on.
static std::optional<Read> readOf(const TracedView &traced, ArrayRef<int64_t> loops, int64_t numLoops) {
  const View &view = traced.view;
  MLIRContext *context = traced.base.getContext();
  SmallVector<size_t> order; // dimensions with more than one element, the outermost first
  for (size_t dim = 0; dim < view.dims.size(); ++dim)
    if (view.dims[dim] != 1)
      order.push_back(dim);
  llvm::stable_sort(order, [&](size_t a, size_t b) { return view.strides[a] > view.strides[b]; });
  // One of the two dimensions of the matrix lies along memory, or packing would go element by element.
  if (order.empty() || order.back() + 2 < view.dims.size() || view.strides[order.back()] != 1)
    return std::nullopt;
  Read read{traced.base, {}, {}};
  SmallVector<AffineExpr> indices;
  auto add = [&](int64_t size, AffineExpr index) {
    read.shape.push_back(size);
    indices.push_back(index);
  };
  int64_t above = cast<RankedTensorType>(traced.base.getType()).getNumElements(), offset = view.offset;
  for (size_t dim : order) {
    int64_t stride = view.strides[dim], size = view.dims[dim];
    if (above % stride != 0)
      return std::nullopt;
    int64_t held = above / stride, first = offset / stride;
    AffineExpr index = getAffineDimExpr(loops[dim], context);
    if (held % size == 0 && first % size == 0) {
      if (held != size)
        add(held / size, getAffineConstantExpr(first / size, context));
      add(size, index);
    } else if (first > 0 && first + size <= held) {
      add(held, index + first);
    } else {
      return std::nullopt; // linalg takes a plain index for one of the whole dimension
    }
    offset %= stride;
    above = stride;
  }
  read.map = AffineMap::get(numLoops, 0, indices, context);
  return read;
}

std::optional<Read> mlir::raf::dispatch::readWhereItLies(Value operand, ArrayRef<int64_t> loops, int64_t numLoops) {
  if (cast<RankedTensorType>(operand.getType()).getNumElements() == 0)
    return std::nullopt;
  for (bool slices : {true, false}) {
    TracedView traced = trace(operand, {/*broadcasts=*/false, slices});
    if (traced.base == operand || (slices && !isStored(traced.base)))
      continue;
    if (std::optional<Read> read = readOf(traced, loops, numLoops))
      return read;
  }
  return std::nullopt;
}

std::optional<View> mlir::raf::dispatch::pullBack(View view, ArrayRef<Operation *> moves) {
  std::optional<View> result = std::move(view);
  for (Operation *op : llvm::reverse(moves)) {
    if (auto transpose = dyn_cast<TransposeOp>(op))
      result = result->transposed(invertPermutationVector(transpose.getPermutation()));
    else
      result = result->reshaped(cast<RankedTensorType>(op->getOperand(0).getType()).getShape());
    if (!result)
      return std::nullopt;
  }
  return result;
}
