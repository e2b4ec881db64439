// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Dialect.h"
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/optimizer/Passes.h"

namespace mlir::raf {
#define GEN_PASS_DEF_APPLYOPTIMIZERPASS
#include "passes/optimizer/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
struct ApplyOptimizerPass : raf::impl::ApplyOptimizerPassBase<ApplyOptimizerPass> {
  using ApplyOptimizerPassBase::ApplyOptimizerPassBase;
  void runOnOperation() override;

private:
  /// A gradient result and the parameter that it belongs to.
  struct Update {
    unsigned result, param;
    std::string name;
  };

  LogicalResult checkOptions(func::FuncOp func);
  FailureOr<SmallVector<Update>> findUpdates(func::FuncOp func);
  Value addArgument(func::FuncOp func, Type type, const Twine &name, StringRef role);
  Value findOrAddStep(func::FuncOp func);
  void addResult(func::FuncOp func, Value value, BlockArgument overwritten);
  void setUpdated(func::FuncOp func, const Update &update, Value value);
  void applySgd(func::FuncOp func, ArrayRef<Update> updates, ValueRange states, Value lr);
  void applyAdam(func::FuncOp func, ArrayRef<Update> updates, ValueRange states, Value lr, Value step);
  double decayOf(const Update &update) { return llvm::is_contained(noDecay, update.name) ? 0.0 : static_cast<double>(weightDecay); }
};
} // namespace

LogicalResult ApplyOptimizerPass::checkOptions(func::FuncOp func) {
  bool valid = true;
  auto check = [&](bool condition, auto... message) {
    if (!condition)
      valid = false, (emitError(func.getLoc()) << "raf-apply-optimizer: " << ... << message);
  };
  auto isFraction = [](double value) { return value >= 0.0 && value < 1.0; };
  check(optimizer == "sgd" || optimizer == "adam" || optimizer == "adamw", "optimizer must be sgd, adam or adamw, got '", StringRef(optimizer), "'");
  check(isFraction(momentum), "momentum must be in [0, 1), got ", double(momentum));
  check(!nesterov || momentum > 0.0, "nesterov needs a momentum above 0");
  check(weightDecay >= 0.0, "weight-decay must not be negative, got ", double(weightDecay));
  check(isFraction(beta1), "beta1 must be in [0, 1), got ", double(beta1));
  check(isFraction(beta2), "beta2 must be in [0, 1), got ", double(beta2));
  check(epsilon >= 0.0, "epsilon must not be negative, got ", double(epsilon));
  return success(valid);
}

FailureOr<SmallVector<ApplyOptimizerPass::Update>> ApplyOptimizerPass::findUpdates(func::FuncOp func) {
  SmallVector<Update> updates;
  for (unsigned result = 0; result < func.getNumResults(); ++result) {
    auto index = func.getResultAttrOfType<IntegerAttr>(result, "raf.grad_of");
    if (!index)
      continue;
    int64_t param = index.getInt();
    if (param < 0 || param >= static_cast<int64_t>(func.getNumArguments()) || func.getArgumentTypes()[param] != func.getResultTypes()[result])
      return emitError(func.getLoc()) << "result " << result << ": raf.grad_of must be the index of an argument of type " << func.getResultTypes()[result] << ", got " << param;
    auto name = func.getArgAttrOfType<StringAttr>(param, "raf.name");
    updates.push_back({result, static_cast<unsigned>(param), name ? name.str() : ("arg" + Twine(param)).str()});
  }
  if (updates.empty())
    return emitError(func.getLoc()) << "@main has no gradient results (raf.grad_of) to apply: run raf-autodiff first";
  for (StringRef name : noDecay)
    if (llvm::none_of(updates, [&](const Update &update) { return update.name == name; }))
      return emitError(func.getLoc()) << "raf-apply-optimizer: no-decay names '" << name << "', which is no parameter with a gradient";
  return updates;
}

Value ApplyOptimizerPass::addArgument(func::FuncOp func, Type type, const Twine &name, StringRef role) {
  Builder builder(&getContext());
  NamedAttribute attributes[] = {builder.getNamedAttr("raf.name", builder.getStringAttr(name)), builder.getNamedAttr("raf.role", builder.getStringAttr(role))};
  unsigned index = func.getNumArguments();
  (void)func.insertArgument(index, type, builder.getDictionaryAttr(attributes), func.getLoc());
  return func.getArgument(index);
}

Value ApplyOptimizerPass::findOrAddStep(func::FuncOp func) {
  for (unsigned index = 0; index < func.getNumArguments(); ++index)
    if (auto role = func.getArgAttrOfType<StringAttr>(index, "raf.role"); role && role.getValue() == "step")
      return func.getArgument(index);
  return addArgument(func, RankedTensorType::get({}, IntegerType::get(&getContext(), 64)), "step", "step");
}

static void describe(func::FuncOp func, unsigned result, BlockArgument overwritten) {
  Builder builder(func.getContext());
  auto name = func.getArgAttrOfType<StringAttr>(overwritten.getArgNumber(), "raf.name");
  func.setResultAttr(result, "raf.name", builder.getStringAttr("new:" + (name ? name.getValue() : StringRef("?"))));
  func.setResultAttr(result, "raf.alias", builder.getI64IntegerAttr(overwritten.getArgNumber()));
}

void ApplyOptimizerPass::addResult(func::FuncOp func, Value value, BlockArgument overwritten) {
  unsigned index = func.getNumResults();
  (void)func.insertResult(index, value.getType(), DictionaryAttr::get(&getContext()));
  Operation *terminator = func.getBody().front().getTerminator();
  terminator->insertOperands(terminator->getNumOperands(), value);
  describe(func, index, overwritten);
}

void ApplyOptimizerPass::setUpdated(func::FuncOp func, const Update &update, Value value) {
  func.getBody().front().getTerminator()->setOperand(update.result, value);
  func.removeResultAttr(update.result, StringAttr::get(&getContext(), "raf.grad_of"));
  describe(func, update.result, func.getArgument(update.param));
}

void ApplyOptimizerPass::applySgd(func::FuncOp func, ArrayRef<Update> updates, ValueRange states, Value lr) {
  Operation *terminator = func.getBody().front().getTerminator();
  OpBuilder builder(terminator);
  for (auto [index, update] : llvm::enumerate(updates)) {
    Value param = func.getArgument(update.param), grad = terminator->getOperand(update.result), velocity = states.empty() ? Value() : states[index];
    auto op = SgdUpdateOp::create(builder, grad.getLoc(), param, grad, lr, velocity, builder.getF64FloatAttr(momentum), builder.getF64FloatAttr(decayOf(update)),
                                  nesterov ? builder.getUnitAttr() : UnitAttr());
    setUpdated(func, update, op.getNewParam());
    if (velocity)
      addResult(func, op.getNewVelocity(), cast<BlockArgument>(velocity));
  }
}

void ApplyOptimizerPass::applyAdam(func::FuncOp func, ArrayRef<Update> updates, ValueRange states, Value lr, Value step) {
  Operation *terminator = func.getBody().front().getTerminator();
  OpBuilder builder(terminator);
  for (auto [index, update] : llvm::enumerate(updates)) {
    Value m = states[2 * index], v = states[2 * index + 1];
    Value param = func.getArgument(update.param), grad = terminator->getOperand(update.result);
    auto op = AdamUpdateOp::create(builder, grad.getLoc(), param, grad, m, v, lr, step, builder.getF64FloatAttr(beta1), builder.getF64FloatAttr(beta2),
                                   builder.getF64FloatAttr(epsilon), builder.getF64FloatAttr(decayOf(update)), optimizer == "adamw" ? builder.getUnitAttr() : UnitAttr());
    setUpdated(func, update, op.getNewParam());
    addResult(func, op.getNewM(), cast<BlockArgument>(m));
    addResult(func, op.getNewV(), cast<BlockArgument>(v));
  }
}

void ApplyOptimizerPass::runOnOperation() {
  auto func = getOperation().lookupSymbol<func::FuncOp>("main");
  if (!func || !func.getBody().hasOneBlock()) {
    emitError(getOperation().getLoc()) << "raf-apply-optimizer needs a function @main of one block";
    return signalPassFailure();
  }
  if (failed(checkOptions(func)))
    return signalPassFailure();
  FailureOr<SmallVector<Update>> updates = findUpdates(func);
  if (failed(updates))
    return signalPassFailure();

  // The states come first, so that lr and step are the last arguments.
  bool adaptive = optimizer != "sgd";
  SmallVector<Value> states;
  for (const Update &update : *updates) {
    Type type = func.getArgumentTypes()[update.param];
    if (adaptive)
      states.append({addArgument(func, type, "m:" + update.name, "state"), addArgument(func, type, "v:" + update.name, "state")});
    else if (momentum > 0.0)
      states.push_back(addArgument(func, type, "velocity:" + update.name, "state"));
  }
  bool isDouble = llvm::any_of(*updates, [&](const Update &update) { return getElementTypeOrSelf(func.getArgumentTypes()[update.param]).isF64(); });
  Builder builder(&getContext());
  Value lr = addArgument(func, RankedTensorType::get({}, isDouble ? builder.getF64Type() : builder.getF32Type()), "lr", "lr");
  if (adaptive)
    applyAdam(func, *updates, states, lr, findOrAddStep(func));
  else
    applySgd(func, *updates, states, lr);
}
