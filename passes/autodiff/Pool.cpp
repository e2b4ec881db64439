// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/infer/Shapes.h"
#include "passes/autodiff/Rules.h"

using namespace mlir;
using namespace mlir::raf;

static void maxPool(MaxPoolOp op, VJP &g) {
  if (g.dy())
    g.give(0, g.create<MaxPoolGradOp>(op.getX().getType(), g.dy(), op.getIndices(), op.getKernel(), op.getStrides(), op.getPadLow(), op.getPadHigh(),
                                      op.getDilations(), op.getLayout()));
}

// The transpose of a scatter to `indices` is a gather from them, in the plane of all spatial dimensions.
static void maxPoolGrad(MaxPoolGradOp op, VJP &g) {
  RankedTensorType x = op.getDx().getType();
  LayoutDims dims(op.getLayout(), x.getRank());
  auto plane = [&](Value value) {
    ArrayRef<int64_t> shape = TensorBuilder::typeOf(value).getShape();
    int64_t elements = 1;
    for (int64_t size : shape.slice(dims.firstSpatial, dims.spatialRank))
      elements *= size;
    SmallVector<int64_t> flat(shape.take_front(dims.firstSpatial));
    flat.push_back(elements);
    llvm::append_range(flat, shape.drop_front(dims.firstSpatial + dims.spatialRank));
    return g.reshape(value, flat);
  };
  Value taken = g.create<TakeAlongAxisOp>(plane(g.dy()), plane(op.getIndices()), dims.firstSpatial);
  g.give(0, g.reshapeLike(taken, op.getDy()));
}

static void avgPool(AvgPoolOp op, VJP &g) {
  g.give(0, g.create<AvgPoolGradOp>(op.getX().getType(), g.dy(), op.getKernel(), op.getStrides(), op.getPadLow(), op.getPadHigh(), op.getDilations(),
                                    op.getLayout(), op.getCountIncludePad()));
}

static void avgPoolGrad(AvgPoolGradOp op, VJP &g) {
  g.give(0, g.create<AvgPoolOp>(g.dy(), op.getKernel(), op.getStrides(), op.getPadLow(), op.getPadHigh(), op.getDilations(), op.getLayout(),
                                op.getCountIncludePad()));
}

void mlir::raf::attachPoolRules(MLIRContext *context) {
  attachRule<MaxPoolOp, maxPool>(context);
  attachRule<MaxPoolGradOp, maxPoolGrad>(context);
  attachRule<AvgPoolOp, avgPool>(context);
  attachRule<AvgPoolGradOp, avgPoolGrad>(context);
}
