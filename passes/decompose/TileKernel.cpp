// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/TileKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::raf;

static std::optional<SmallVector<ReassociationIndices>> expansion(ReshapeOp reshape) {
  RankedTensorType from = TensorBuilder::typeOf(reshape.getX()), to = TensorBuilder::typeOf(reshape.getY());
  return from.getRank() < to.getRank() ? getReassociationIndicesForReshape(to, from) : std::nullopt;
}

namespace {
// How a box of a tensor extends along one of its dimensions.
enum class Extent { one, part, whole };

// Boxes of x that are boxes of what x is made from: the ops in between, last one first.
class View {
public:
  View(Value x, SmallVector<Extent> box, SmallVector<int64_t> kept) : base(x) {
    while (Operation *op = base.getDefiningOp()) {
      if (auto transpose = dyn_cast<TransposeOp>(op)) {
        SmallVector<Extent> before(box.size());
        for (auto [i, from] : llvm::enumerate(transpose.getPermutation()))
          before[from] = box[i];
        SmallVector<int64_t> moved = llvm::map_to_vector(kept, [&](int64_t dim) { return transpose.getPermutation()[dim]; });
        if (!llvm::is_sorted(moved))
          return;
        box = before, kept = moved;
      } else if (auto slice = dyn_cast<SliceOp>(op)) {
        if (llvm::any_of(slice.getStrides(), [](int64_t stride) { return stride != 1; }))
          return;
        for (auto [extent, from, to] : llvm::zip(box, TensorBuilder::typeOf(slice.getX()).getShape(), TensorBuilder::typeOf(slice.getY()).getShape()))
          if (extent == Extent::whole && from != to)
            extent = Extent::part;
      } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
        auto groups = expansion(reshape);
        // Alone, a reshape costs nothing: it is looked through for what is before it.
        if (!groups || !reshape.getX().getDefiningOp<SliceOp>() || !joins(box, kept, *groups))
          return;
      } else {
        return;
      }
      ops.push_back(op);
      base = op->getOperand(0);
    }
  }

  Value base;
  SmallVector<Operation *> ops;

private:
  // Whether the box is one of the joined dimensions too.
  static bool joins(SmallVector<Extent> &box, SmallVector<int64_t> &kept, ArrayRef<ReassociationIndices> groups) {
    SmallVector<Extent> joined;
    SmallVector<int64_t> moved;
    for (auto [number, group] : llvm::enumerate(groups)) {
      Extent extent = Extent::whole;
      for (int64_t dim : llvm::reverse(group)) {
        if (extent != Extent::whole && box[dim] != Extent::one)
          return false;
        if (box[dim] != Extent::whole)
          extent = dim == group.back() ? box[dim] : Extent::part;
      }
      int64_t keptHere = llvm::count_if(group, [&](int64_t dim) { return llvm::is_contained(kept, dim); });
      if (keptHere > 1)
        return false;
      if (keptHere == 1)
        moved.push_back(number);
      joined.push_back(extent);
    }
    box = joined, kept = moved;
    return true;
  }
};
} // namespace

// A program reads [b, h, t, d] in rows of one head, and a bias [b, h, t, s] in parts of both.
static View viewOf(Value x) {
  int64_t rank = TensorBuilder::typeOf(x).getRank();
  if (rank < 3)
    return View(x, SmallVector<Extent>(rank, Extent::whole), {});
  SmallVector<Extent> box(rank, Extent::part);
  box[0] = box[1] = Extent::one;
  return View(x, box, rank == 3 ? SmallVector<int64_t>{2} : SmallVector<int64_t>{2, 3});
}

void TileKernel::addInput(Value x) { inputs.insert({viewOf(x).base, Value()}); }

static bool swapsHeads(ArrayRef<int64_t> permutation) { return permutation == ArrayRef<int64_t>{0, 2, 1, 3}; }

SmallVector<Value> TileKernel::build(function_ref<void(Value)> body, ValueRange of) {
  MLIRContext *context = outer.getContext();
  Location loc = b.getLoc();
  // Models join heads after attention: what is transposed for that is written transposed.
  SmallVector<RankedTensorType> made(results);
  for (auto [number, result] : llvm::enumerate(results)) {
    auto isSwap = [](Operation *user) {
      auto transpose = dyn_cast<TransposeOp>(user);
      return transpose && swapsHeads(transpose.getPermutation());
    };
    bool swap = llvm::any_of(of[number].getUsers(), isSwap);
    swapped.push_back(swap);
    if (swap)
      made[number] = result.clone({result.getDimSize(0), result.getDimSize(2), result.getDimSize(1), result.getDimSize(3)});
  }
  SmallVector<Value> operands, inits;
  for (auto &entry : inputs)
    operands.push_back(entry.first);
  for (RankedTensorType type : made)
    inits.push_back(tensor::EmptyOp::create(outer, loc, type.getShape(), type.getElementType()));
  auto kernel = KernelOp::create(outer, loc, TypeRange(ValueRange(inits)), operands, inits, StringAttr::get(context, label));
  {
    OpBuilder::InsertionGuard guard(outer);
    Block *block = outer.createBlock(&kernel.getBody());
    for (Value operand : kernel->getOperands())
      block->addArgument(operand.getType(), loc);
    for (auto [entry, argument] : llvm::zip(inputs, block->getArguments()))
      entry.second = argument;
    ValueRange destinations = block->getArguments().drop_front(operands.size());
    auto forall = scf::ForallOp::create(outer, loc, ArrayRef<OpFoldResult>{outer.getIndexAttr(blocks)}, destinations, std::nullopt);
    YieldOp::create(outer, loc, forall.getResults());
    outer.setInsertionPoint(forall.getTerminator());
    body(forall.getInductionVar(0));
    outer.setInsertionPointToEnd(forall.getTerminator().getBody());
    for (const Written &part : written) {
      SmallVector<OpFoldResult> strides(part.offsets.size(), outer.getIndexAttr(1));
      tensor::ParallelInsertSliceOp::create(outer, loc, part.tile, forall.getRegionIterArgs()[part.number], part.offsets, part.sizes, strides);
    }
  }
  SmallVector<Value> values(kernel.getResults());
  for (auto [value, swap] : llvm::zip(values, swapped))
    if (swap)
      value = b.transpose(value, {0, 2, 1, 3});
  return values;
}

static SmallVector<OpFoldResult> sizesOf(OpBuilder &builder, ArrayRef<int64_t> sizes) {
  return llvm::map_to_vector(sizes, [&](int64_t size) -> OpFoldResult { return builder.getIndexAttr(size); });
}

Value TileKernel::load(Value x, ArrayRef<Value> givenOffsets, ArrayRef<int64_t> givenSizes, ArrayRef<int64_t> kept) {
  SmallVector<int64_t> shape;
  for (int64_t dim : kept)
    if (dim < static_cast<int64_t>(givenSizes.size()))
      shape.push_back(givenSizes[dim]);
  SmallVector<Value> offsets(givenOffsets);
  SmallVector<int64_t> sizes(givenSizes);
  View view = viewOf(x);
  for (Operation *op : view.ops) {
    SmallVector<Value> oldOffsets = offsets;
    SmallVector<int64_t> oldSizes = sizes;
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      for (auto [i, from] : llvm::enumerate(transpose.getPermutation()))
        offsets[from] = oldOffsets[i], sizes[from] = oldSizes[i];
    } else if (auto slice = dyn_cast<SliceOp>(op)) {
      for (auto [offset, start] : llvm::zip(offsets, slice.getStarts()))
        offset = add(offset, start);
    } else {
      auto reshape = cast<ReshapeOp>(op);
      ArrayRef<int64_t> dims = TensorBuilder::typeOf(reshape.getY()).getShape();
      offsets.clear(), sizes.clear();
      SmallVector<ReassociationIndices> groups = *expansion(reshape);
      for (const ReassociationIndices &group : groups) {
        Value offset = index(0);
        int64_t size = 1;
        for (int64_t dim : group)
          offset = add(mul(offset, dims[dim]), oldOffsets[dim]), size *= oldSizes[dim];
        offsets.push_back(offset), sizes.push_back(size);
      }
    }
  }
  RankedTensorType base = TensorBuilder::typeOf(view.base);
  SmallVector<OpFoldResult> strides(base.getRank(), outer.getIndexAttr(1));
  return b.create<tensor::ExtractSliceOp>(RankedTensorType::get(shape, base.getElementType()), inside(view.base), getAsOpFoldResult(offsets), sizesOf(outer, sizes), strides);
}

void TileKernel::store(unsigned number, Value tile, ArrayRef<Value> offsets, ArrayRef<int64_t> kept, ArrayRef<Value> skip) {
  RankedTensorType type = TensorBuilder::typeOf(tile);
  SmallVector<OpFoldResult> sizes(offsets.size(), outer.getIndexAttr(1)), ofTile, first, strides(type.getRank(), outer.getIndexAttr(1));
  SmallVector<int64_t> shape(type.getShape());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value skipped = dim < static_cast<int64_t>(skip.size()) ? skip[dim] : Value();
    first.push_back(skipped ? OpFoldResult(skipped) : outer.getIndexAttr(0));
    ofTile.push_back(skipped ? OpFoldResult(sub(index(shape[dim]), skipped)) : outer.getIndexAttr(shape[dim]));
    if (skipped)
      shape[dim] = ShapedType::kDynamic;
    sizes[kept[dim]] = ofTile.back();
  }
  if (shape != type.getShape())
    tile = b.create<tensor::ExtractSliceOp>(RankedTensorType::get(shape, type.getElementType()), tile, first, ofTile, strides);
  SmallVector<OpFoldResult> at = getAsOpFoldResult(offsets);
  if (swapped[number])
    std::swap(at[1], at[2]), std::swap(sizes[1], sizes[2]);
  written.push_back({number, tile, at, sizes});
}

SmallVector<Value> TileKernel::loop(Value from, Value to, ValueRange carried, function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = b.create<scf::ForOp>(from, to, index(1), carried);
  OpBuilder::InsertionGuard guard(outer);
  outer.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> values = body(loop.getInductionVar(), loop.getRegionIterArgs());
  b.create<scf::YieldOp>(values);
  return SmallVector<Value>(loop.getResults());
}

Value TileKernel::index(int64_t value) { return b.create<arith::ConstantIndexOp>(value); }
Value TileKernel::add(Value a, Value c) { return b.fold<arith::AddIOp>(a, c); }
Value TileKernel::sub(Value a, Value c) { return b.fold<arith::SubIOp>(a, c); }
Value TileKernel::mul(Value a, int64_t factor) { return b.fold<arith::MulIOp>(a, index(factor)); }
Value TileKernel::div(Value a, int64_t divisor) { return b.fold<arith::DivUIOp>(a, index(divisor)); }
Value TileKernel::rem(Value a, int64_t divisor) { return b.fold<arith::RemUIOp>(a, index(divisor)); }
Value TileKernel::minimum(Value a, int64_t c) { return b.fold<arith::MinSIOp>(a, index(c)); }
Value TileKernel::maximum(Value a, int64_t c) { return b.fold<arith::MaxSIOp>(a, index(c)); }
