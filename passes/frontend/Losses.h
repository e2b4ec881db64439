// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The losses that raf-attach-loss makes of raf ops. Output and target have one floating-point element type unless stated otherwise.
#ifndef RAF_PASSES_FRONTEND_LOSSES_H
#define RAF_PASSES_FRONTEND_LOSSES_H

#include "dialects/raf/TensorBuilder.h"

namespace mlir::raf {

/// Mean softmax cross entropy with integer labels, which have the logits' shape without the class axis.
Value crossEntropyLoss(TensorBuilder &b, Value logits, Value labels, int64_t classAxis, int64_t ignoreIndex, double labelSmoothing);
/// Mean softmax cross entropy with a probability for each class.
Value denseCrossEntropyLoss(TensorBuilder &b, Value logits, Value target, int64_t classAxis, double labelSmoothing);
Value meanSquaredLoss(TensorBuilder &b, Value output, Value target);
Value meanAbsoluteLoss(TensorBuilder &b, Value output, Value target);
Value huberLoss(TensorBuilder &b, Value output, Value target, double delta);
/// Mean binary cross entropy of sigmoid(logits).
Value binaryCrossEntropyLoss(TensorBuilder &b, Value logits, Value target);

} // namespace mlir::raf

#endif // RAF_PASSES_FRONTEND_LOSSES_H
