// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Family.h"
#include "dialects/raf/infer/Shapes.h"

using namespace mlir;
using namespace mlir::raf;

#define GET_OP_CLASSES
#include "dialects/raf/Conv.cpp.inc"

void mlir::raf::addConvOps(RAFDialect &dialect) {
  addOps<
#define GET_OP_LIST
#include "dialects/raf/Conv.cpp.inc"
      >(dialect);
}

LogicalResult ConvOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  MaybeType type = inferConv(loc, "conv", cast<RankedTensorType>(adaptor.getX().getType()), cast<RankedTensorType>(adaptor.getW().getType()), adaptor.getStrides(),
                             adaptor.getPadLow(), adaptor.getPadHigh(), adaptor.getDilations(), adaptor.getGroups(), adaptor.getLayout());
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

bool ConvOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange actual) { return isProductType(inferred.front(), actual.front()); }

// A gradient op is well formed when the convolution that it transposes is, and when the cotangent has the type of that convolution's result.
template <typename Op>
static LogicalResult verifyGradient(Op op, StringRef name, RankedTensorType x, RankedTensorType w, RankedTensorType dy) {
  MaybeType expected = inferConv(op.getLoc(), name, x, w, op.getStrides(), op.getPadLow(), op.getPadHigh(), op.getDilations(), op.getGroups(), op.getLayout());
  if (failed(expected))
    return failure();
  if (*expected == dy)
    return success();
  return op.emitOpError() << "dy must have the type of the convolution's result, expected " << *expected << ", got " << dy;
}

// The result's element type may be wider than that of the operands, in which the convolution is stated.
static RankedTensorType narrowed(RankedTensorType result, RankedTensorType operand) {
  RankedTensorType narrow = result.clone(operand.getElementType());
  return isProductType(narrow, result) ? narrow : result;
}

LogicalResult ConvInputGradOp::verify() {
  return verifyGradient(*this, "conv_input_grad", narrowed(getType(), getDy().getType()), getW().getType(), getDy().getType());
}
LogicalResult ConvWeightGradOp::verify() {
  return verifyGradient(*this, "conv_weight_grad", getX().getType(), narrowed(getType(), getX().getType()), getDy().getType());
}
