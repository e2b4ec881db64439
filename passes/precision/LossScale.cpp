// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic loss scaling: the gradients of a loss times a power of two, so that small ones are not lost in f16.
#include "dialects/raf/Dialect.h"
#include "dialects/raf/TensorBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/precision/Passes.h"

namespace mlir::raf {
#define GEN_PASS_DEF_SCALELOSSPASS
#define GEN_PASS_DEF_UNSCALEGRADIENTSPASS
#define GEN_PASS_DEF_UPDATELOSSSCALEPASS
#include "passes/precision/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

static constexpr StringLiteral kScale = "loss_scale", kGoodSteps = "good_steps", kScaledLoss = "scaled_loss";

static StringRef nameIn(DictionaryAttr attributes) {
  auto name = attributes ? attributes.getAs<StringAttr>("raf.name") : StringAttr();
  return name ? name.getValue() : StringRef();
}
static std::optional<unsigned> findArgument(func::FuncOp func, StringRef name) {
  for (unsigned index = 0; index < func.getNumArguments(); ++index)
    if (nameIn(func.getArgAttrDict(index)) == name)
      return index;
  return std::nullopt;
}
static std::optional<unsigned> findResult(func::FuncOp func, StringRef name) {
  for (unsigned index = 0; index < func.getNumResults(); ++index)
    if (nameIn(func.getResultAttrDict(index)) == name)
      return index;
  return std::nullopt;
}
static Value resultOf(func::FuncOp func, unsigned index) { return func.getBody().front().getTerminator()->getOperand(index); }

static void addResult(func::FuncOp func, Value value, ArrayRef<NamedAttribute> attributes) {
  (void)func.insertResult(func.getNumResults(), value.getType(), DictionaryAttr::get(func.getContext(), attributes));
  Operation *terminator = func.getBody().front().getTerminator();
  terminator->insertOperands(terminator->getNumOperands(), value);
}

static func::FuncOp mainOf(ModuleOp module, StringRef pass) {
  auto func = module.lookupSymbol<func::FuncOp>("main");
  if (func && func.getBody().hasOneBlock())
    return func;
  emitError(module.getLoc()) << pass << " needs a function @main of one block";
  return {};
}

// The two states, which raf-scale-loss adds.
static FailureOr<std::pair<unsigned, unsigned>> findStates(func::FuncOp func, StringRef pass) {
  std::optional<unsigned> scale = findArgument(func, kScale), steps = findArgument(func, kGoodSteps);
  Builder b(func.getContext());
  if (!scale || !steps || func.getArgumentTypes()[*scale] != RankedTensorType::get({}, b.getF32Type()) ||
      func.getArgumentTypes()[*steps] != RankedTensorType::get({}, b.getI64Type()))
    return emitError(func.getLoc()) << pass << ": @main has no states '" << kScale << "' (tensor<f32>) and '" << kGoodSteps << "' (tensor<i64>): run raf-scale-loss first";
  return std::pair(*scale, *steps);
}

namespace {
struct ScaleLossPass : raf::impl::ScaleLossPassBase<ScaleLossPass> {
  using ScaleLossPassBase::ScaleLossPassBase;
  void runOnOperation() override {
    func::FuncOp func = mainOf(getOperation(), "raf-scale-loss");
    if (!func)
      return signalPassFailure();
    std::optional<unsigned> index = findResult(func, "loss");
    Builder builder(&getContext());
    auto scalar = RankedTensorType::get({}, builder.getF32Type());
    if (!index || func.getResultTypes()[*index] != scalar) {
      auto error = emitError(func.getLoc()) << "raf-scale-loss: @main must have a result 'loss' of type " << scalar;
      if (index)
        error << ", got " << func.getResultTypes()[*index];
      return signalPassFailure();
    }
    for (StringRef name : {kScale, kGoodSteps})
      if (findArgument(func, name)) {
        emitError(func.getLoc()) << "raf-scale-loss: @main has an argument '" << name << "' already";
        return signalPassFailure();
      }
    Value loss = resultOf(func, *index);
    auto addState = [&](Type type, StringRef name) {
      NamedAttribute attributes[] = {builder.getNamedAttr("raf.name", builder.getStringAttr(name)), builder.getNamedAttr("raf.role", builder.getStringAttr("state"))};
      unsigned at = func.getNumArguments();
      (void)func.insertArgument(at, type, builder.getDictionaryAttr(attributes), func.getLoc());
      return func.getArgument(at);
    };
    Value scale = addState(scalar, kScale);
    addState(RankedTensorType::get({}, builder.getI64Type()), kGoodSteps);
    OpBuilder at(func.getBody().front().getTerminator());
    Value scaled = MulOp::create(at, loss.getLoc(), loss, scale);
    addResult(func, scaled, builder.getNamedAttr("raf.name", builder.getStringAttr(kScaledLoss)));
  }
};

struct UnscaleGradientsPass : raf::impl::UnscaleGradientsPassBase<UnscaleGradientsPass> {
  using UnscaleGradientsPassBase::UnscaleGradientsPassBase;
  void runOnOperation() override {
    func::FuncOp func = mainOf(getOperation(), "raf-unscale-gradients");
    auto states = func ? findStates(func, "raf-unscale-gradients") : FailureOr<std::pair<unsigned, unsigned>>();
    if (failed(states))
      return signalPassFailure();
    Operation *terminator = func.getBody().front().getTerminator();
    OpBuilder builder(terminator);
    TensorBuilder b(builder, func.getLoc());
    // The scale is a power of two, so that this is exact unless it underflows.
    Value inverse = b.div(1.0, func.getArgument(states->first));
    for (unsigned index = 0; index < func.getNumResults(); ++index)
      if (func.getResultAttr(index, "raf.grad_of")) {
        Value grad = terminator->getOperand(index);
        terminator->setOperand(index, b.mul(grad, b.broadcastLike(b.cast(inverse, TensorBuilder::typeOf(grad).getElementType()), grad, {})));
      }
    if (std::optional<unsigned> scaled = findResult(func, kScaledLoss)) {
      terminator->eraseOperand(*scaled);
      (void)func.eraseResult(*scaled);
    }
  }
};

struct UpdateLossScalePass : raf::impl::UpdateLossScalePassBase<UpdateLossScalePass> {
  using UpdateLossScalePassBase::UpdateLossScalePassBase;
  void runOnOperation() override {
    func::FuncOp func = mainOf(getOperation(), "raf-update-loss-scale");
    auto states = func ? findStates(func, "raf-update-loss-scale") : FailureOr<std::pair<unsigned, unsigned>>();
    if (failed(states))
      return signalPassFailure();
    if (growthInterval < 1) {
      emitError(func.getLoc()) << "raf-update-loss-scale: growth-interval must be at least 1, got " << static_cast<int64_t>(growthInterval);
      return signalPassFailure();
    }
    std::optional<unsigned> finiteIndex = findResult(func, "finite"), lossIndex = findResult(func, "loss");
    if (!finiteIndex || !lossIndex) {
      emitError(func.getLoc()) << "raf-update-loss-scale: @main must have the results 'loss' and 'finite': run raf-apply-optimizer with guard=gradients first";
      return signalPassFailure();
    }
    OpBuilder builder(func.getBody().front().getTerminator());
    TensorBuilder b(builder, func.getLoc());
    Value scale = func.getArgument(states->first), steps = func.getArgument(states->second);
    Value finite = resultOf(func, *finiteIndex), loss = resultOf(func, *lossIndex);

    Value more = b.add(steps, 1.0);
    Value grows = b.compare(CompareKind::ge, more, static_cast<double>(growthInterval));
    Value grown = b.select(grows, b.minimum(b.mul(scale, 2.0), b.splatLike(scale, 0x1p24)), scale);
    // A gradient that overflowed asks for a smaller scale; a loss that is not finite has nothing to do with it.
    Value lossIsFinite = b.compare(CompareKind::lt, b.abs(loss), std::numeric_limits<double>::infinity());
    Value shrunk = b.select(lossIsFinite, b.maximum(b.mul(scale, 0.5), b.splatLike(scale, 1.0)), scale);
    Value zero = b.splatLike(steps, 0.0);
    auto give = [&](Value value, unsigned argument, StringRef name) {
      addResult(func, value, {builder.getNamedAttr("raf.alias", builder.getI64IntegerAttr(argument)), builder.getNamedAttr("raf.name", builder.getStringAttr("new:" + name))});
    };
    give(b.select(finite, grown, shrunk), states->first, kScale);
    give(b.select(finite, b.select(grows, zero, more), b.select(lossIsFinite, zero, steps)), states->second, kGoodSteps);
  }
};
} // namespace
