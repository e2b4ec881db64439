// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions over sliding windows.
#include "passes/import-stablehlo/Window.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Reduction.h"
#include "passes/import-stablehlo/Shape.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

FailureOr<SlidingWindow> SlidingWindow::read(Operation &op, ArrayRef<int64_t> shape) {
  int64_t rank = shape.size();
  auto sizes = readInts(op, "window_dimensions", rank, 1), strides = readInts(op, "window_strides", rank, 1), spread = readInts(op, "base_dilations", rank, 1),
       dilations = readInts(op, "window_dilations", rank, 1);
  auto padding = readPadding(op, rank);
  if (failed(sizes) || failed(strides) || failed(spread) || failed(dilations) || failed(padding))
    return failure();
  SlidingWindow window{*sizes, *strides, padding->low, padding->high, *spread, *dilations, {}};
  auto tooLarge = [](int64_t value) { return value < 1 || value >= (int64_t(1) << 31); };
  for (int64_t d = 0; d < rank; ++d) {
    if (tooLarge(window.sizes[d]) || tooLarge(window.strides[d]) || tooLarge(window.spread[d]) || tooLarge(window.dilations[d]) ||
        std::max(std::abs(window.low[d]), std::abs(window.high[d])) >= (int64_t(1) << 31))
      return op.emitOpError() << "needs positive window dimensions, strides and dilations, and padding below 2^31", failure();
    int64_t padded = (shape[d] == 0 ? 0 : (shape[d] - 1) * window.spread[d] + 1) + window.low[d] + window.high[d];
    if (padded < 0)
      return op.emitOpError() << "padding leaves dimension " << d << " with a negative size", failure();
    int64_t extent = (window.sizes[d] - 1) * window.dilations[d] + 1;
    window.resultShape.push_back(padded < extent ? 0 : (padded - extent) / window.strides[d] + 1);
  }
  return window;
}

bool SlidingWindow::moves(size_t d) const { return sizes[d] != 1 || strides[d] != 1 || low[d] != 0 || high[d] != 0 || spread[d] != 1; }

std::optional<PoolView> mlir::raf::stablehlo::viewAsPool(TensorBuilder &b, const SlidingWindow &window, RankedTensorType type) {
  if (type.getNumElements() == 0 || llvm::is_contained(window.resultShape, 0))
    return std::nullopt;
  int64_t rank = type.getRank();
  PoolView view;
  SmallVector<int64_t> moving;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t reach = (window.sizes[d] - 1) * window.dilations[d];
    if (window.spread[d] != 1 || window.low[d] < 0 || window.high[d] < 0 || window.low[d] > reach || window.high[d] > reach)
      return std::nullopt;
    if (window.moves(d))
      moving.push_back(d);
  }
  if (moving.empty() || moving.size() > 3)
    return std::nullopt;
  auto within = [&](int64_t first, int64_t last) { return rank >= 3 && rank <= 5 && moving.front() >= first && moving.back() < last; };
  if (within(2, rank) || within(1, rank - 1)) {
    view.layout = within(2, rank) ? Layout::channels_first : Layout::channels_last;
    moving = within(2, rank) ? dimRange(2, rank) : dimRange(1, rank - 1);
    view.order = dimRange(0, rank);
    llvm::append_range(view.shape, type.getShape());
  } else {
    view.layout = Layout::channels_first;
    view.order = dimsLast(rank, moving);
    SmallVector<int64_t> others = llvm::map_to_vector(otherDims(rank, moving), [&](int64_t d) { return type.getDimSize(d); });
    view.shape = {product(others), 1};
    for (int64_t d : moving)
      view.shape.push_back(type.getDimSize(d));
  }
  for (int64_t d : moving) {
    view.kernel.push_back(window.sizes[d]);
    view.strides.push_back(window.strides[d]);
    view.low.push_back(window.low[d]);
    view.high.push_back(window.high[d]);
    view.dilations.push_back(window.dilations[d]);
  }
  // The result in the order of the view, before its dimensions are merged and after.
  for (int64_t d : view.order)
    view.orderedResult.push_back(window.resultShape[d]);
  if (view.shape.size() == view.orderedResult.size() && llvm::is_sorted(view.order)) {
    view.result = view.orderedResult;
  } else {
    view.result = {view.shape[0], 1};
    for (int64_t d : moving)
      view.result.push_back(window.resultShape[d]);
  }
  for (int64_t d : view.order)
    view.orderedInput.push_back(type.getDimSize(d));
  return view;
}

Value PoolView::enter(TensorBuilder &b, Value x) const { return b.reshape(b.transpose(x, order), shape); }
Value PoolView::enterResult(TensorBuilder &b, Value y) const { return b.reshape(b.transpose(y, order), result); }
Value PoolView::leave(TensorBuilder &b, Value y) const { return b.transpose(b.reshape(y, orderedResult), inversePermutation(order)); }
Value PoolView::leaveInput(TensorBuilder &b, Value dx) const { return b.transpose(b.reshape(dx, orderedInput), inversePermutation(order)); }

//===-- windows that raf has -------------------------------------------------------------------------------------===//

// A running sum is a window as long as its dimension, padded by all but one element on one side.
static Value runningSum(TensorBuilder &b, Value x, const SlidingWindow &window) {
  RankedTensorType type = TensorBuilder::typeOf(x);
  int64_t axis = -1;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (window.moves(d)) {
      if (axis >= 0)
        return {};
      axis = d;
    }
  if (axis < 0 || window.sizes[axis] != type.getDimSize(axis) || window.strides[axis] != 1 || window.spread[axis] != 1 || window.dilations[axis] != 1)
    return {};
  int64_t rest = window.sizes[axis] - 1;
  bool forward = window.low[axis] == rest && window.high[axis] == 0, backward = window.low[axis] == 0 && window.high[axis] == rest;
  return forward || backward ? b.fold<CumsumOp>(x, axis, /*exclusive=*/false, /*reverse=*/!forward) : Value();
}

static Value reducePool(TensorBuilder &b, StringRef combiner, Value x, const SlidingWindow &window) {
  std::optional<PoolView> view = viewAsPool(b, window, TensorBuilder::typeOf(x));
  if (!view || !isFloat(x) || combiner == "multiply")
    return {};
  Value input = view->enter(b, combiner == "minimum" ? b.neg(x) : x);
  if (combiner == "add") {
    Value mean = b.fold<AvgPoolOp>(input, view->kernel, view->strides, view->low, view->high, view->dilations, view->layout, /*count_include_pad=*/true);
    return b.mul(view->leave(b, mean), static_cast<double>(product(view->kernel)));
  }
  Value largest = b.create<MaxPoolOp>(input, view->kernel, view->strides, view->low, view->high, view->dilations, view->layout)->getResult(0);
  return view->leave(b, combiner == "minimum" ? b.neg(largest) : largest);
}

//===-- any other window -----------------------------------------------------------------------------------------===//

// Windows are taken dimension by dimension, the last first, which keeps the order of the elements. In a dimension, windows of 1, 2, 4 ... elements are made of
// two of half the size, and one of k elements of those for the ones in the binary form of k.
static LogicalResult reduceGeneral(Importer &importer, Operation &op, TensorBuilder &b, const Reduced &reduced, const SlidingWindow &window) {
  SmallVector<Parts> current = reduced.inputs;
  auto each = [&](ArrayRef<Parts> all, auto function) {
    return llvm::map_to_vector(all, [&](Parts x) { return mapParts(x, function); });
  };
  auto apply = [&](SmallVector<Parts> lhs, ArrayRef<Parts> rhs) -> FailureOr<SmallVector<Parts>> {
    llvm::append_range(lhs, rhs);
    auto results = importer.applyPointwise(op, 0, lhs, TensorBuilder::typeOf(lhs.front().real).getShape());
    if (succeeded(results) && results->size() != current.size())
      return op.emitOpError() << "has a body that must return one value for each operand", failure();
    return results;
  };
  IntList interior = llvm::map_to_vector(window.spread, [](int64_t size) { return size - 1; });
  for (auto [x, init] : llvm::zip(current, reduced.inits)) {
    x.real = padWith(b, x.real, init.real, window.low, window.high, interior);
    if (x.imag)
      x.imag = padWith(b, x.imag, init.imag, window.low, window.high, interior);
  }
  auto known = [](ArrayRef<Parts> all) { return llvm::all_of(all, [](Parts parts) { return static_cast<bool>(parts); }); };
  for (int64_t d = window.sizes.size() - 1; d >= 0; --d) {
    int64_t size = window.sizes[d], step = window.dilations[d], length = TensorBuilder::typeOf(current[0].real).getDimSize(d), result = length - (size - 1) * step;
    SmallVector<Parts> done, power = current;
    for (int64_t covered = 0, width = 1; width <= size; width *= 2) {
      auto part = [&](ArrayRef<Parts> all, int64_t start, int64_t count) { return each(all, [&](Value x) { return sliceDim(b, x, d, start, start + count); }); };
      if (size & width) {
        auto joined = done.empty() ? FailureOr<SmallVector<Parts>>(part(power, 0, result)) : apply(done, part(power, covered * step, result));
        if (failed(joined))
          return failure();
        done = *joined;
        covered += width;
      }
      if (width * 2 <= size) {
        int64_t count = length - (2 * width - 1) * step;
        auto doubled = apply(part(power, 0, count), part(power, width * step, count));
        if (failed(doubled))
          return failure();
        power = *doubled;
      }
      if (!known(power) || !known(done))
        return success();
    }
    current = each(done, [&](Value x) { return sliceDim(b, x, d, 0, (window.resultShape[d] - 1) * window.strides[d] + 1, window.strides[d]); });
  }
  auto inits = each(reduced.inits, [&](Value init) { return b.broadcast(init, TensorBuilder::typeOf(init).clone(window.resultShape), {}); });
  auto results = apply(inits, current);
  if (failed(results))
    return failure();
  importer.setParts(op, *results);
  return success();
}

static LogicalResult reduceWindow(Importer &importer, Operation &op, TensorBuilder &b) {
  auto reduced = readReduced(importer, op, b);
  if (failed(reduced))
    return failure();
  auto window = SlidingWindow::read(op, reduced->shape);
  if (failed(window))
    return failure();
  if (llvm::is_contained(window->resultShape, 0)) {
    for (unsigned i = 0; i < op.getNumResults(); ++i)
      importer.setParts(op, i, mapParts(reduced->inits[i], [&](Value init) { return b.zeros(TensorBuilder::typeOf(init).clone(window->resultShape)); }));
    return success();
  }
  StringRef combiner = matchCombiner(op.getRegion(0), 0);
  Parts x = reduced->inputs[0], init = reduced->inits[0];
  bool isSingle = reduced->inputs.size() == 1 && !x.imag && !isBool(x.real), isUnsigned = stablehlo::isUnsigned(op.getOperand(0).getType());
  if (isSingle && !combiner.empty() && isIdentity(combiner, init.real, isUnsigned)) {
    Value result = combiner == "add" ? runningSum(b, x.real, *window) : Value();
    if (!result)
      result = reducePool(b, combiner, x.real, *window);
    if (result)
      return importer.setParts(op, 0, {result, {}}), success();
  }
  return reduceGeneral(importer, op, b, *reduced, *window);
}

void mlir::raf::stablehlo::addWindowHandlers(HandlerTable &table) {
  table.add("stablehlo.reduce_window", {reduceWindow, -1, -1, 1, Complex::handled});
  addSelectAndScatterHandler(table);
}
