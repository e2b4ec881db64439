// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Dialect.h"
#include "dialects/raf/Ops.h"
#include "dialects/raf/TensorBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/optimizer/Passes.h"
#include <cmath>

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

  /// Arguments and results are collected here and given to the function at once: each change of its attributes costs as much as all of them.
  struct Signature {
    SmallVector<Type> argumentTypes;
    SmallVector<DictionaryAttr> argumentAttributes, resultAttributes;
    SmallVector<Value> results;
    unsigned firstArgument;

    unsigned add(Type type, const Twine &name, StringRef role);
  };

  LogicalResult checkOptions(func::FuncOp func);
  FailureOr<SmallVector<Update>> findUpdates(func::FuncOp func);
  void addResult(func::FuncOp func, Value value, Value overwritten);
  void setUpdated(func::FuncOp func, const Update &update, Value value);
  void applySgd(func::FuncOp func, ArrayRef<Update> updates, ValueRange states, Value lr);
  void applyAdam(func::FuncOp func, ArrayRef<Update> updates, ValueRange states, Value lr, Value step);
  Value sumOfSquares(func::FuncOp func, ArrayRef<Update> updates, RankedTensorType type);
  void clipGradients(func::FuncOp func, ArrayRef<Update> updates, Value squares);
  LogicalResult guardUpdates(func::FuncOp func, Value squares, Value lr);
  Signature signature;
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
  check(clipNorm >= 0.0 && std::isfinite(clipNorm), "clip-norm must be finite and not negative, got ", double(clipNorm));
  check(epsilon >= 0.0, "epsilon must not be negative, got ", double(epsilon));
  check(guard == "none" || guard == "loss" || guard == "gradients", "guard must be none, loss or gradients, got '", StringRef(guard), "'");
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

unsigned ApplyOptimizerPass::Signature::add(Type type, const Twine &name, StringRef role) {
  Builder builder(type.getContext());
  NamedAttribute attributes[] = {builder.getNamedAttr("raf.name", builder.getStringAttr(name)), builder.getNamedAttr("raf.role", builder.getStringAttr(role))};
  argumentTypes.push_back(type);
  argumentAttributes.push_back(builder.getDictionaryAttr(attributes));
  return firstArgument + argumentTypes.size() - 1;
}

static std::optional<unsigned> findStep(func::FuncOp func) {
  for (unsigned index = 0; index < func.getNumArguments(); ++index)
    if (auto role = func.getArgAttrOfType<StringAttr>(index, "raf.role"); role && role.getValue() == "step")
      return index;
  return std::nullopt;
}

// The attributes of a result that overwrites an argument.
static DictionaryAttr describe(func::FuncOp func, Value overwritten) {
  Builder builder(func.getContext());
  unsigned argument = cast<BlockArgument>(overwritten).getArgNumber();
  auto name = func.getArgAttrOfType<StringAttr>(argument, "raf.name");
  NamedAttribute attributes[] = {builder.getNamedAttr("raf.alias", builder.getI64IntegerAttr(argument)),
                                 builder.getNamedAttr("raf.name", builder.getStringAttr("new:" + (name ? name.getValue() : StringRef("?"))))};
  return builder.getDictionaryAttr(attributes);
}

void ApplyOptimizerPass::addResult(func::FuncOp func, Value value, Value overwritten) {
  signature.results.push_back(value);
  signature.resultAttributes.push_back(describe(func, overwritten));
}

void ApplyOptimizerPass::setUpdated(func::FuncOp func, const Update &update, Value value) {
  signature.results[update.result] = value;
  signature.resultAttributes[update.result] = describe(func, func.getArgument(update.param));
}

// An update is of its parameter, as profiles and messages should say.
static Location updateLoc(Value param) { return FusedLoc::get(param.getContext(), {param.getLoc()}, StringAttr::get(param.getContext(), "update")); }

void ApplyOptimizerPass::applySgd(func::FuncOp func, ArrayRef<Update> updates, ValueRange states, Value lr) {
  Operation *terminator = func.getBody().front().getTerminator();
  OpBuilder builder(terminator);
  for (auto [index, update] : llvm::enumerate(updates)) {
    Value param = func.getArgument(update.param), grad = terminator->getOperand(update.result), velocity = states.empty() ? Value() : states[index];
    auto op = SgdUpdateOp::create(builder, updateLoc(param), param, grad, lr, velocity, builder.getF64FloatAttr(momentum), builder.getF64FloatAttr(decayOf(update)),
                                  nesterov ? builder.getUnitAttr() : UnitAttr());
    setUpdated(func, update, op.getNewParam());
    if (velocity)
      addResult(func, op.getNewVelocity(), velocity);
  }
}

void ApplyOptimizerPass::applyAdam(func::FuncOp func, ArrayRef<Update> updates, ValueRange states, Value lr, Value step) {
  Operation *terminator = func.getBody().front().getTerminator();
  OpBuilder builder(terminator);
  for (auto [index, update] : llvm::enumerate(updates)) {
    Value m = states[2 * index], v = states[2 * index + 1];
    Value param = func.getArgument(update.param), grad = terminator->getOperand(update.result);
    auto op = AdamUpdateOp::create(builder, updateLoc(param), param, grad, m, v, lr, step, builder.getF64FloatAttr(beta1), builder.getF64FloatAttr(beta2),
                                   builder.getF64FloatAttr(epsilon), builder.getF64FloatAttr(decayOf(update)), optimizer == "adamw" ? builder.getUnitAttr() : UnitAttr());
    setUpdated(func, update, op.getNewParam());
    addResult(func, op.getNewM(), m);
    addResult(func, op.getNewV(), v);
  }
}

// In the type of the learning rate: 16 bits would overflow.
Value ApplyOptimizerPass::sumOfSquares(func::FuncOp func, ArrayRef<Update> updates, RankedTensorType type) {
  Operation *terminator = func.getBody().front().getTerminator();
  OpBuilder builder(terminator);
  Value sum;
  for (const Update &update : updates) {
    Value grad = terminator->getOperand(update.result);
    TensorBuilder b(builder, grad.getLoc());
    grad = b.cast(grad, type.getElementType());
    Value square = b.mul(grad, grad);
    auto dims = llvm::to_vector(llvm::seq<int64_t>(0, cast<RankedTensorType>(grad.getType()).getRank()));
    if (!dims.empty())
      square = ReduceOp::create(builder, grad.getLoc(), type, ReduceKind::sum, square, builder.getDenseI64ArrayAttr(dims));
    sum = sum ? b.add(sum, square) : square;
  }
  return sum;
}

// g * min(1, clip / |all gradients|): a quotient of infinity, where all are zero, is no factor either.
void ApplyOptimizerPass::clipGradients(func::FuncOp func, ArrayRef<Update> updates, Value squares) {
  Operation *terminator = func.getBody().front().getTerminator();
  OpBuilder builder(terminator);
  TensorBuilder b(builder, func.getLoc());
  Value factor = b.minimum(b.div(b.splatLike(squares, clipNorm), b.sqrt(squares)), b.splatLike(squares, 1.0));
  for (const Update &update : updates) {
    Value grad = terminator->getOperand(update.result);
    TensorBuilder at(builder, grad.getLoc());
    Type element = TensorBuilder::typeOf(grad).getElementType();
    Value wide = at.cast(grad, TensorBuilder::typeOf(squares).getElementType());
    terminator->setOperand(update.result, at.cast(at.mul(wide, at.broadcastLike(factor, wide, {})), element));
  }
}

// A step is good if its loss, its learning rate and, if asked, the sum of squares of all gradients are finite: then so are the updates. If it is not, everything that
// the step overwrites keeps its old value.
LogicalResult ApplyOptimizerPass::guardUpdates(func::FuncOp func, Value squares, Value lr) {
  auto isLoss = [](DictionaryAttr attributes) {
    auto name = attributes.getAs<StringAttr>("raf.name");
    return name && name.getValue() == "loss";
  };
  auto found = llvm::find_if(signature.resultAttributes, isLoss);
  Value loss = found == signature.resultAttributes.end() ? Value() : signature.results[found - signature.resultAttributes.begin()];
  auto lossType = loss ? dyn_cast<RankedTensorType>(loss.getType()) : RankedTensorType();
  if (!lossType || lossType.getRank() != 0 || !isa<FloatType>(lossType.getElementType()))
    return emitError(func.getLoc()) << "raf-apply-optimizer: guard needs a result 'loss' that is a floating-point scalar";

  Operation *terminator = func.getBody().front().getTerminator();
  OpBuilder builder(terminator);
  auto type = cast<RankedTensorType>(lr.getType());
  auto cast = [&](Value value) -> Value {
    auto from = mlir::cast<RankedTensorType>(value.getType());
    return from.getElementType() == type.getElementType() ? value : CastOp::create(builder, value.getLoc(), from.clone(type.getElementType()), value);
  };
  Value sum = AddOp::create(builder, loss.getLoc(), AbsOp::create(builder, loss.getLoc(), cast(loss)), AbsOp::create(builder, loss.getLoc(), lr));
  if (guard == "gradients")
    sum = AddOp::create(builder, loss.getLoc(), sum, squares);
  auto infinity = APFloat::getInf(mlir::cast<FloatType>(type.getElementType()).getFloatSemantics());
  Value finite = CompareOp::create(builder, loss.getLoc(), CompareKind::lt, sum, ConstantOp::create(builder, loss.getLoc(), DenseElementsAttr::get(type, infinity)));
  for (auto [value, attributes] : llvm::zip_equal(signature.results, signature.resultAttributes)) {
    auto alias = attributes.getAs<IntegerAttr>("raf.alias");
    if (!alias)
      continue;
    auto flags = mlir::cast<RankedTensorType>(value.getType()).clone(builder.getI1Type());
    Value condition = flags.getRank() == 0 ? finite : BroadcastOp::create(builder, value.getLoc(), flags, finite, builder.getDenseI64ArrayAttr({})).getResult();
    value = SelectOp::create(builder, value.getLoc(), condition, value, func.getArgument(alias.getInt()));
  }
  signature.results.push_back(finite);
  signature.resultAttributes.push_back(builder.getDictionaryAttr(builder.getNamedAttr("raf.name", builder.getStringAttr("finite"))));
  return success();
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
  signature = Signature();
  signature.firstArgument = func.getNumArguments();
  for (const Update &update : *updates) {
    Type type = func.getArgumentTypes()[update.param];
    if (adaptive) {
      signature.add(type, "m:" + update.name, "state");
      signature.add(type, "v:" + update.name, "state");
    } else if (momentum > 0.0) {
      signature.add(type, "velocity:" + update.name, "state");
    }
  }
  unsigned numStates = signature.argumentTypes.size();
  bool isDouble = llvm::any_of(*updates, [&](const Update &update) { return getElementTypeOrSelf(func.getArgumentTypes()[update.param]).isF64(); });
  Builder builder(&getContext());
  unsigned lr = signature.add(RankedTensorType::get({}, isDouble ? builder.getF64Type() : builder.getF32Type()), "lr", "lr");
  std::optional<unsigned> step = adaptive ? findStep(func) : std::nullopt;
  if (adaptive && !step)
    step = signature.add(RankedTensorType::get({}, builder.getI64Type()), "step", "step");
  unsigned numAdded = signature.argumentTypes.size();
  (void)func.insertArguments(SmallVector<unsigned>(numAdded, signature.firstArgument), signature.argumentTypes, signature.argumentAttributes,
                             SmallVector<Location>(numAdded, func.getLoc()));

  Operation *terminator = func.getBody().front().getTerminator();
  signature.results.assign(terminator->operand_begin(), terminator->operand_end());
  for (unsigned result = 0; result < func.getNumResults(); ++result) {
    DictionaryAttr attributes = func.getResultAttrDict(result);
    signature.resultAttributes.push_back(attributes ? attributes : builder.getDictionaryAttr({}));
  }
  Value squares; // of the gradients as they are before clipping
  if (clipNorm > 0.0 || guard == "gradients")
    squares = sumOfSquares(func, *updates, cast<RankedTensorType>(func.getArgument(lr).getType()));
  if (clipNorm > 0.0)
    clipGradients(func, *updates, squares);
  ValueRange states = func.getArguments().slice(signature.firstArgument, numStates);
  if (adaptive)
    applyAdam(func, *updates, states, func.getArgument(lr), func.getArgument(*step));
  else
    applySgd(func, *updates, states, func.getArgument(lr));
  if (guard != "none" && failed(guardUpdates(func, squares, func.getArgument(lr))))
    return signalPassFailure();
  terminator->setOperands(signature.results);
  func.setFunctionType(builder.getFunctionType(func.getArgumentTypes(), ValueRange(signature.results).getTypes()));
  func.setAllResultAttrs(signature.resultAttributes);
}
