// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Dialect.h"
#include "passes/frontend/Losses.h"
#include "passes/frontend/Passes.h"
#include "passes/frontend/Signature.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::raf {
#define GEN_PASS_DEF_ATTACHLOSSPASS
#include "passes/frontend/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
enum class LossKind { crossEntropy, mse, l1, huber, bceWithLogits, output };

struct AttachLossPass : raf::impl::AttachLossPassBase<AttachLossPass> {
  using AttachLossPassBase::AttachLossPassBase;
  void runOnOperation() override;

private:
  std::optional<LossKind> kind;
  int64_t axis = 0;

  bool hasLabels() const { return *kind == LossKind::crossEntropy && !denseTarget; }
  LogicalResult checkOptions(func::FuncOp func);
  FailureOr<ModelResult> findOutput(func::FuncOp func, ArrayRef<ModelResult> results);
  FailureOr<RankedTensorType> findTargetType(func::FuncOp func, RankedTensorType output);
  FailureOr<Value> attach(func::FuncOp func, const ModelResult &output);
  Value buildLoss(TensorBuilder &b, Value output, Value target);
};
} // namespace

static Type parseElementType(MLIRContext *context, StringRef name) {
  Builder builder(context);
  return llvm::StringSwitch<Type>(name)
      .Case("f64", builder.getF64Type())
      .Case("f32", builder.getF32Type())
      .Case("f16", builder.getF16Type())
      .Case("bf16", builder.getBF16Type())
      .Case("i64", builder.getI64Type())
      .Case("i32", builder.getI32Type())
      .Case("i1", builder.getI1Type())
      .Default(Type());
}

LogicalResult AttachLossPass::checkOptions(func::FuncOp func) {
  kind = llvm::StringSwitch<std::optional<LossKind>>(loss)
             .Case("cross_entropy", LossKind::crossEntropy)
             .Case("mse", LossKind::mse)
             .Case("l1", LossKind::l1)
             .Case("huber", LossKind::huber)
             .Case("bce_with_logits", LossKind::bceWithLogits)
             .Case("output", LossKind::output)
             .Default(std::nullopt);
  bool valid = true;
  auto check = [&](bool condition, auto... message) {
    if (!condition)
      valid = false, (emitError(func.getLoc()) << "raf-attach-loss: " << ... << message);
  };
  check(kind.has_value(), "loss must be cross_entropy, mse, l1, huber, bce_with_logits or output, got '", StringRef(loss), "'");
  check(labelSmoothing >= 0.0 && labelSmoothing <= 1.0, "label-smoothing must be in [0, 1], got ", double(labelSmoothing));
  check(delta > 0.0, "delta must be positive, got ", double(delta));
  check(targetType.empty() || parseElementType(&getContext(), targetType), "target-type must be f64, f32, f16, bf16, i64, i32 or i1, got '", StringRef(targetType), "'");
  return success(valid);
}

FailureOr<ModelResult> AttachLossPass::findOutput(func::FuncOp func, ArrayRef<ModelResult> results) {
  SmallVector<ModelResult> outputs = llvm::filter_to_vector(results, [](const ModelResult &result) { return !result.isAliased(); });
  for (const ModelResult &result : outputs)
    if (result.getName() == output)
      return result;
  unsigned index;
  if (!StringRef(output).getAsInteger(10, index) && index < outputs.size())
    return outputs[index];
  auto diagnostic = emitError(func.getLoc()) << "raf-attach-loss: @main has no output '" << output << "'; its outputs are [";
  llvm::interleaveComma(outputs, diagnostic, [&](const ModelResult &result) { diagnostic << result.getName(); });
  diagnostic << "]";
  return failure();
}

FailureOr<RankedTensorType> AttachLossPass::findTargetType(func::FuncOp func, RankedTensorType type) {
  Type element = targetType.empty() ? Type() : parseElementType(&getContext(), targetType);
  if (*kind == LossKind::crossEntropy) {
    axis = classAxis < 0 ? classAxis + type.getRank() : static_cast<int64_t>(classAxis);
    if (type.getRank() < 2 || axis < 0 || axis >= type.getRank())
      return emitError(func.getLoc()) << "raf-attach-loss: cross_entropy needs logits of rank 2 or more with the class axis among their dimensions, got " << type
                                      << " and class-axis " << int64_t(classAxis);
  }
  if (!hasLabels())
    return type.clone(element ? element : type.getElementType());
  if (!element)
    element = IntegerType::get(&getContext(), 64);
  if (!element.isInteger(64) && !element.isInteger(32))
    return emitError(func.getLoc()) << "raf-attach-loss: labels must be i64 or i32, got target-type " << targetType << "; probabilities need dense-target";
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  return RankedTensorType::get(shape, element);
}

Value AttachLossPass::buildLoss(TensorBuilder &b, Value output, Value target) {
  switch (*kind) {
  case LossKind::crossEntropy:
    if (denseTarget)
      return denseCrossEntropyLoss(b, output, target, axis, labelSmoothing);
    return crossEntropyLoss(b, output, target, axis, ignoreIndex, labelSmoothing);
  case LossKind::mse:
    return meanSquaredLoss(b, output, target);
  case LossKind::l1:
    return meanAbsoluteLoss(b, output, target);
  case LossKind::huber:
    return huberLoss(b, output, target, delta);
  case LossKind::bceWithLogits:
    return binaryCrossEntropyLoss(b, output, target);
  case LossKind::output:
    return b.reshape(output, {});
  }
  llvm_unreachable("unknown loss");
}

FailureOr<Value> AttachLossPass::attach(func::FuncOp func, const ModelResult &chosen) {
  Value value = chosen.value;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || !isa<FloatType>(type.getElementType()))
    return emitError(func.getLoc()) << "raf-attach-loss: output '" << chosen.getName() << "' must be a floating-point tensor of static shape, got " << value.getType();
  if (type.getNumElements() == 0 || (*kind == LossKind::output && type.getNumElements() != 1))
    return emitError(func.getLoc()) << "raf-attach-loss: output '" << chosen.getName() << "' must have " << (*kind == LossKind::output ? "one element" : "elements")
                                    << ", got " << type;

  OpBuilder builder(func.getBody().front().getTerminator());
  TensorBuilder b(builder, NameLoc::get(builder.getStringAttr("loss"), value.getLoc()));
  Value target;
  if (*kind != LossKind::output) {
    FailureOr<RankedTensorType> expected = findTargetType(func, type);
    if (failed(expected))
      return failure();
    target = appendArgument(func, *expected, "target", "target");
  }
  // A mean in 16 bits would lose most of its digits.
  if (type.getElementType().getIntOrFloatBitWidth() < 32)
    value = b.cast(value, builder.getF32Type());
  if (target && !hasLabels())
    target = b.cast(target, TensorBuilder::typeOf(value).getElementType());
  return buildLoss(b, value, target);
}

void AttachLossPass::runOnOperation() {
  func::FuncOp func = findMain(getOperation(), "raf-attach-loss");
  if (!func || failed(checkOptions(func)))
    return signalPassFailure();
  SmallVector<ModelResult> results = getModelResults(func);
  FailureOr<ModelResult> chosen = findOutput(func, results);
  if (failed(chosen))
    return signalPassFailure();
  FailureOr<Value> value = attach(func, *chosen);
  if (failed(value))
    return signalPassFailure();

  Builder builder(&getContext());
  SmallVector<ModelResult> kept = {{*value, builder.getDictionaryAttr(builder.getNamedAttr("raf.name", builder.getStringAttr("loss")))}};
  for (const ModelResult &result : results)
    if (result.isAliased() || (keepOutputs && !(*kind == LossKind::output && result.value == chosen->value)))
      kept.push_back(result);
  setModelResults(func, kept);
}
