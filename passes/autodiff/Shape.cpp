// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "passes/autodiff/Rules.h"

using namespace mlir;
using namespace mlir::raf;

static void broadcast(BroadcastOp op, VJP &g) {
  RankedTensorType x = op.getX().getType(), y = op.getType();
  // Summed over the dimensions that are new or were of size 1.
  SmallVector<int64_t> kept;
  for (auto [dim, size] : llvm::zip(op.getDims(), x.getShape()))
    if (size == y.getDimSize(dim))
      kept.push_back(dim);
  g.give(0, g.reshapeLike(g.sum(g.dy(), otherDims(y.getRank(), kept)), op.getX()));
}

static void reshape(ReshapeOp op, VJP &g) { g.give(0, g.reshapeLike(g.dy(), op.getX())); }

static void transpose(TransposeOp op, VJP &g) { g.give(0, g.transpose(g.dy(), invertPermutationVector(op.getPermutation()))); }

static void slice(SliceOp op, VJP &g) {
  RankedTensorType x = op.getX().getType(), y = op.getType();
  SmallVector<int64_t> high, interior;
  for (int64_t d = 0; d < x.getRank(); ++d) {
    int64_t size = y.getDimSize(d), extent = size == 0 ? 0 : (size - 1) * op.getStrides()[d] + 1;
    high.push_back(x.getDimSize(d) - op.getStarts()[d] - extent);
    interior.push_back(op.getStrides()[d] - 1);
  }
  g.give(0, g.pad(g.dy(), op.getStarts(), high, interior));
}

static void pad(PadOp op, VJP &g) {
  RankedTensorType x = op.getX().getType();
  int64_t rank = x.getRank();
  // What was cropped comes back as 0; then the padding is cut off.
  SmallVector<int64_t> restoreLow, restoreHigh, none(rank, 0), starts, limits, strides;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t low = op.getLow()[d], stride = op.getInterior()[d] + 1, size = x.getDimSize(d);
    restoreLow.push_back(std::max<int64_t>(0, -low));
    restoreHigh.push_back(std::max<int64_t>(0, -op.getHigh()[d]));
    starts.push_back(std::max<int64_t>(0, low));
    limits.push_back(starts.back() + (size == 0 ? 0 : (size - 1) * stride + 1));
    strides.push_back(stride);
  }
  g.give(0, g.slice(g.pad(g.dy(), restoreLow, restoreHigh, none), starts, limits, strides));
}

static void concat(ConcatOp op, VJP &g) {
  int64_t axis = op.getAxis(), rank = op.getType().getRank(), offset = 0;
  SmallVector<int64_t> starts(rank, 0), limits(op.getType().getShape()), strides(rank, 1);
  for (auto [k, input] : llvm::enumerate(op.getInputs())) {
    starts[axis] = offset;
    limits[axis] = offset += TensorBuilder::typeOf(input).getDimSize(axis);
    if (g.wants(k))
      g.give(k, g.slice(g.dy(), starts, limits, strides));
  }
}

static void reverse(ReverseOp op, VJP &g) { g.give(0, g.fold<ReverseOp>(g.dy(), op.getDims())); }

// The cotangents go behind a barrier of their own: what is computed again for them is computed there.
static void barrier(BarrierOp op, VJP &g) {
  SmallVector<Value> dys;
  SmallVector<unsigned> from;
  for (unsigned k = 0; k < op.getNumOperands(); ++k)
    if (g.dy(k) && g.wants(k)) {
      dys.push_back(g.dy(k));
      from.push_back(k);
    }
  if (dys.empty())
    return;
  auto passed = g.create<BarrierOp>(TypeRange(ValueRange(dys)), dys);
  for (auto [k, dy] : llvm::zip(from, passed.getOutputs()))
    g.give(k, dy);
}

void mlir::raf::attachShapeRules(MLIRContext *context) {
  attachRule<BroadcastOp, broadcast>(context);
  attachRule<ReshapeOp, reshape>(context);
  attachRule<TransposeOp, transpose>(context);
  attachRule<SliceOp, slice>(context);
  attachRule<PadOp, pad>(context);
  attachRule<ConcatOp, concat>(context);
  attachRule<ReverseOp, reverse>(context);
  attachRule<BarrierOp, barrier>(context);
}
