// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/Decompositions.h"

using namespace mlir;
using namespace mlir::raf;

static SmallVector<Value> dropout(DropoutOp op, TensorBuilder &b) {
  double ratio = op.getRatio().convertToDouble();
  Value x = b.widen(op.getX());
  // The numbers are drawn in f32 whatever x is, so that a mask does not depend on the precision of the data.
  auto drawn = RankedTensorType::get(TensorBuilder::typeOf(x).getShape(), b.getBuilder().getF32Type());
  Value u = b.create<RandomUniformOp>(drawn, op.getSeed(), op.getStep(), op.getOpId());
  Value y = b.select(b.compare(CompareKind::ge, u, ratio), b.mul(x, 1.0 / (1.0 - ratio)), b.splatLike(x, 0.0));
  return {b.cast(y, op.getType().getElementType())};
}

void mlir::raf::attachRandomDecompositions(MLIRContext *context) { DropoutOp::attachInterface<Decomposition<DropoutOp, dropout>>(*context); }
