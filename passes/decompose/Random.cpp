// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/Graph.h"

using namespace mlir;
using namespace mlir::raf;

static SmallVector<Value> dropout(DropoutOp op, Graph &g) {
  double ratio = op.getRatio().convertToDouble();
  Value x = g.widen(op.getX());
  // The numbers are drawn in f32 whatever x is, so that a mask does not depend on the precision of the data.
  auto drawn = RankedTensorType::get(Graph::type(x).getShape(), g.builder.getF32Type());
  Value u = RandomUniformOp::create(g.builder, g.loc, drawn, op.getSeed(), op.getStep(), op.getOpId());
  Value y = g.select(g.compare(CompareKind::ge, u, ratio), g.mul(x, 1.0 / (1.0 - ratio)), g.like(x, 0.0));
  return {g.cast(y, op.getType().getElementType())};
}

void mlir::raf::attachRandomDecompositions(MLIRContext *context) { DropoutOp::attachInterface<Decomposition<DropoutOp, dropout>>(*context); }
