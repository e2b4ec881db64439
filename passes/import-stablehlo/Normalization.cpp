// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The batch normalization operators, by their definition.
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Shape.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

namespace {
struct BatchNorm {
  Value x;
  RankedTensorType type;
  int64_t feature;
  double epsilon;
  SmallVector<int64_t> others;

  static FailureOr<BatchNorm> read(Importer &importer, Operation &op, unsigned vectors);
  Value replicate(TensorBuilder &b, Value vector) const { return b.broadcast(vector, type, {feature}); }
  Value standardDeviation(TensorBuilder &b, Value variance) const { return b.sqrt(b.add(variance, epsilon)); }
};
} // namespace

// Operands 1 to `vectors` have one element for each feature.
FailureOr<BatchNorm> BatchNorm::read(Importer &importer, Operation &op, unsigned vectors) {
  BatchNorm norm;
  norm.x = importer.operand(op, 0);
  norm.type = TensorBuilder::typeOf(norm.x);
  auto feature = readInt(op, "feature_index");
  auto epsilon = dyn_cast_or_null<FloatAttr>(op.getAttr("epsilon"));
  if (failed(feature) || failed(checkDimensions(op, "feature_index", {*feature}, norm.type.getRank())))
    return failure();
  norm.feature = *feature;
  norm.others = otherDims(norm.type.getRank(), {norm.feature});
  RankedTensorType vector = RankedTensorType::get({norm.type.getDimSize(norm.feature)}, norm.type.getElementType());
  bool valid = epsilon && isFloat(norm.x) && norm.type.getNumElements() > 0;
  for (unsigned i = 1; i <= vectors; ++i)
    valid &= importer.operand(op, i).getType() == vector;
  if (!valid)
    return op.emitOpError() << "needs a floating-point tensor, vectors of type " << vector << " and an epsilon, got " << op.getOperandTypes(), failure();
  norm.epsilon = epsilon.getValueAsDouble();
  return norm;
}

static LogicalResult inference(Importer &importer, Operation &op, TensorBuilder &b) {
  auto norm = BatchNorm::read(importer, op, 4);
  if (failed(norm))
    return failure();
  Value scale = importer.operand(op, 1), offset = importer.operand(op, 2), mean = importer.operand(op, 3), variance = importer.operand(op, 4);
  Value normal = b.div(b.sub(norm->x, norm->replicate(b, mean)), norm->replicate(b, norm->standardDeviation(b, variance)));
  importer.setResult(op, b.add(b.mul(normal, norm->replicate(b, scale)), norm->replicate(b, offset)));
  return success();
}

static LogicalResult training(Importer &importer, Operation &op, TensorBuilder &b) {
  auto norm = BatchNorm::read(importer, op, 2);
  if (failed(norm))
    return failure();
  Value scale = importer.operand(op, 1), offset = importer.operand(op, 2), mean = b.mean(norm->x, norm->others);
  Value centred = b.sub(norm->x, norm->replicate(b, mean)), variance = b.mean(b.square(centred), norm->others);
  Value normal = b.div(centred, norm->replicate(b, norm->standardDeviation(b, variance)));
  importer.setResult(op, 0, b.add(b.mul(normal, norm->replicate(b, scale)), norm->replicate(b, offset)));
  importer.setResult(op, 1, mean);
  importer.setResult(op, 2, variance);
  return success();
}

static LogicalResult gradient(Importer &importer, Operation &op, TensorBuilder &b) {
  auto norm = BatchNorm::read(importer, op, 3);
  if (failed(norm))
    return failure();
  Value scale = importer.operand(op, 1), mean = importer.operand(op, 2), variance = importer.operand(op, 3), dy = importer.operand(op, 4);
  if (dy.getType() != norm->type)
    return op.emitOpError() << "needs a gradient of the type of the operand, got " << op.getOperand(4).getType();
  Value deviation = norm->standardDeviation(b, variance);
  Value normal = b.div(b.sub(norm->x, norm->replicate(b, mean)), norm->replicate(b, deviation));
  Value dScale = b.sum(b.mul(dy, normal), norm->others), dOffset = b.sum(dy, norm->others);
  double count = static_cast<double>(norm->type.getNumElements() / norm->type.getDimSize(norm->feature));
  Value shared = b.add(norm->replicate(b, b.div(dOffset, count)), b.mul(normal, norm->replicate(b, b.div(dScale, count))));
  importer.setResult(op, 0, b.mul(norm->replicate(b, b.div(scale, deviation)), b.sub(dy, shared)));
  importer.setResult(op, 1, dScale);
  importer.setResult(op, 2, dOffset);
  return success();
}

void mlir::raf::stablehlo::addNormalizationHandlers(HandlerTable &table) {
  table.add("stablehlo.batch_norm_inference", {inference, 5, 1, 0});
  table.add("stablehlo.batch_norm_training", {training, 3, 3, 0});
  table.add("stablehlo.batch_norm_grad", {gradient, 5, 3, 0});
}
