// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Family.h"
#include "dialects/raf/infer/Shapes.h"

using namespace mlir;
using namespace mlir::raf;

#define GET_OP_CLASSES
#include "dialects/raf/Pool.cpp.inc"

void mlir::raf::addPoolOps(RAFDialect &dialect) {
  addOps<
#define GET_OP_LIST
#include "dialects/raf/Pool.cpp.inc"
      >(dialect);
}

template <typename Op>
static Window windowOf(Op op) {
  return {op.getKernel(), op.getStrides(), op.getPadLow(), op.getPadHigh(), op.getDilations()};
}

LogicalResult MaxPoolOp::inferReturnTypes(MLIRContext *context, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  MaybeType type = inferPool(loc, "max_pool", cast<RankedTensorType>(adaptor.getX().getType()), windowOf(adaptor), adaptor.getLayout());
  if (failed(type))
    return failure();
  types.push_back(*type);
  types.push_back(type->clone(IntegerType::get(context, 32)));
  return success();
}

LogicalResult AvgPoolOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  MaybeType type = inferPool(loc, "avg_pool", cast<RankedTensorType>(adaptor.getX().getType()), windowOf(adaptor), adaptor.getLayout());
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

template <typename Op>
static LogicalResult verifyGradient(Op op, StringRef name) {
  MaybeType expected = inferPool(op.getLoc(), name, op.getDx().getType(), windowOf(op), op.getLayout());
  if (failed(expected))
    return failure();
  if (*expected == op.getDy().getType())
    return success();
  return op.emitOpError() << "dy must have the type of the pool's result, expected " << *expected << ", got " << op.getDy().getType();
}

LogicalResult AvgPoolGradOp::verify() { return verifyGradient(*this, "avg_pool_grad"); }

LogicalResult MaxPoolGradOp::verify() {
  if (getIndices().getType().getShape() != getDy().getType().getShape())
    return emitOpError() << "indices must have the shape of dy, got " << getIndices().getType() << " and " << getDy().getType();
  return verifyGradient(*this, "max_pool_grad");
}
