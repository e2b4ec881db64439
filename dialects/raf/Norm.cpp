// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Family.h"
#include "dialects/raf/infer/Shapes.h"

using namespace mlir;
using namespace mlir::raf;

#define GET_OP_CLASSES
#include "dialects/raf/Norm.cpp.inc"

void mlir::raf::addNormOps(RAFDialect &dialect) {
  addOps<
#define GET_OP_LIST
#include "dialects/raf/Norm.cpp.inc"
      >(dialect);
}

LogicalResult SoftmaxOp::verify() { return checkAxis(getLoc(), "softmax", getAxis(), getType().getRank()); }
LogicalResult LogSoftmaxOp::verify() { return checkAxis(getLoc(), "log_softmax", getAxis(), getType().getRank()); }

// Parameters and statistics have one element type: x's, or f32 beside 16-bit floats, since the op computes in f32 anyway.
static Type statisticElement(RankedTensorType x, Value scale) {
  Type element = x.getElementType(), given = cast<RankedTensorType>(scale.getType()).getElementType();
  return given.isF32() && (element.isBF16() || element.isF16()) ? given : element;
}

// The parameter of a normalization has the element type of its statistics and the given shape.
static LogicalResult checkParameter(MaybeLoc loc, StringRef op, StringRef name, Value value, Type element, Ints shape) {
  auto expected = RankedTensorType::get(shape, element);
  if (value.getType() == expected)
    return success();
  return emitOptionalError(loc, "'raf.", op, "' op ", name, " must have type ", expected, ", got ", value.getType());
}

LogicalResult LayerNormOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto x = cast<RankedTensorType>(adaptor.getX().getType());
  if (failed(checkAxis(loc, "layer_norm", adaptor.getAxis(), x.getRank())))
    return failure();
  Ints inner = x.getShape().drop_front(adaptor.getAxis());
  Type element = statisticElement(x, adaptor.getScale());
  if (failed(checkParameter(loc, "layer_norm", "scale", adaptor.getScale(), element, inner)) ||
      failed(checkParameter(loc, "layer_norm", "bias", adaptor.getBias(), element, inner)))
    return failure();
  auto statistics = RankedTensorType::get(x.getShape().take_front(adaptor.getAxis()), element);
  types.append({x, statistics, statistics});
  return success();
}

LogicalResult RmsNormOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto x = cast<RankedTensorType>(adaptor.getX().getType());
  Type element = statisticElement(x, adaptor.getScale());
  if (failed(checkAxis(loc, "rms_norm", adaptor.getAxis(), x.getRank())) ||
      failed(checkParameter(loc, "rms_norm", "scale", adaptor.getScale(), element, x.getShape().drop_front(adaptor.getAxis()))))
    return failure();
  types.append({x, RankedTensorType::get(x.getShape().take_front(adaptor.getAxis()), element)});
  return success();
}

LogicalResult BatchNormOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto x = cast<RankedTensorType>(adaptor.getX().getType());
  if (failed(checkAxis(loc, "batch_norm", adaptor.getAxis(), x.getRank())))
    return failure();
  int64_t features = x.getDimSize(adaptor.getAxis());
  Type element = statisticElement(x, adaptor.getScale());
  for (auto [name, value] : {std::pair<StringRef, Value>{"scale", adaptor.getScale()}, {"bias", adaptor.getBias()}, {"running_mean", adaptor.getRunningMean()},
                             {"running_var", adaptor.getRunningVar()}})
    if (failed(checkParameter(loc, "batch_norm", name, value, element, {features})))
      return failure();
  auto statistics = RankedTensorType::get({features}, element);
  types.append({x, statistics, statistics, statistics, statistics});
  return success();
}

LogicalResult BatchNormGradOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto x = cast<RankedTensorType>(adaptor.getX().getType());
  if (failed(checkAxis(loc, "batch_norm_grad", adaptor.getAxis(), x.getRank())))
    return failure();
  int64_t features = x.getDimSize(adaptor.getAxis());
  Type element = statisticElement(x, adaptor.getScale());
  for (auto [name, value] : {std::pair<StringRef, Value>{"scale", adaptor.getScale()}, {"mean", adaptor.getMean()}, {"rstd", adaptor.getRstd()}})
    if (failed(checkParameter(loc, "batch_norm_grad", name, value, element, {features})))
      return failure();
  if (failed(checkParameter(loc, "batch_norm_grad", "dy", adaptor.getDy(), x.getElementType(), x.getShape())))
    return failure();
  auto statistics = RankedTensorType::get({features}, element);
  types.append({x, statistics, statistics});
  return success();
}
