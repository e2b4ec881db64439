// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/frontend/Losses.h"

using namespace mlir;
using namespace mlir::raf;

static Value meanOfAll(TensorBuilder &b, Value x) { return b.mean(x, dimRange(0, TensorBuilder::typeOf(x).getRank())); }

Value mlir::raf::crossEntropyLoss(TensorBuilder &b, Value logits, Value labels, int64_t classAxis, int64_t ignoreIndex, double labelSmoothing) {
  RankedTensorType type = TensorBuilder::typeOf(logits);
  SmallVector<int64_t> permutation = otherDims(type.getRank(), {classAxis});
  permutation.push_back(classAxis);
  int64_t rows = TensorBuilder::typeOf(labels).getNumElements();
  Value flat = b.reshape(b.transpose(logits, permutation), {rows, type.getDimSize(classAxis)});
  return b.create<CrossEntropyOp>(flat, b.reshape(labels, {rows}), ignoreIndex, APFloat(labelSmoothing)).getLoss();
}

Value mlir::raf::denseCrossEntropyLoss(TensorBuilder &b, Value logits, Value target, int64_t classAxis, double labelSmoothing) {
  RankedTensorType type = TensorBuilder::typeOf(logits);
  int64_t classes = type.getDimSize(classAxis);
  if (labelSmoothing > 0.0)
    target = b.add(b.mul(target, 1.0 - labelSmoothing), labelSmoothing / static_cast<double>(classes));
  Value likelihood = b.mul(target, b.create<LogSoftmaxOp>(logits, classAxis));
  double rows = static_cast<double>(type.getNumElements()) / static_cast<double>(classes);
  return b.mul(b.sum(likelihood, dimRange(0, type.getRank())), -1.0 / rows);
}

Value mlir::raf::meanSquaredLoss(TensorBuilder &b, Value output, Value target) { return meanOfAll(b, b.square(b.sub(output, target))); }

Value mlir::raf::meanAbsoluteLoss(TensorBuilder &b, Value output, Value target) { return meanOfAll(b, b.abs(b.sub(output, target))); }

Value mlir::raf::huberLoss(TensorBuilder &b, Value output, Value target, double delta) {
  Value difference = b.sub(output, target), distance = b.abs(difference);
  Value quadratic = b.mul(b.square(difference), 0.5), linear = b.mul(b.sub(distance, 0.5 * delta), delta);
  return meanOfAll(b, b.select(b.compare(CompareKind::le, distance, delta), quadratic, linear));
}

// max(x, 0) - x t + ln(1 + e^-|x|) never overflows. At x = 0 the halves that `maximum` gives to a tie make the gradient exact, where relu's would not be.
Value mlir::raf::binaryCrossEntropyLoss(TensorBuilder &b, Value logits, Value target) {
  Value positive = b.maximum(logits, b.zeros(logits.getType()));
  Value tail = b.log1p(b.exp(b.neg(b.abs(logits))));
  return meanOfAll(b, b.add(b.sub(positive, b.mul(logits, target)), tail));
}
