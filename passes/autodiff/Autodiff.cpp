// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "passes/autodiff/Activity.h"
#include "passes/autodiff/Passes.h"
#include "passes/autodiff/Reverse.h"
#include "passes/autodiff/Rules.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::raf {
#define GEN_PASS_DEF_AUTODIFFPASS
#include "passes/autodiff/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

Location mlir::raf::gradientLoc(Location primal) {
  MLIRContext *context = primal.getContext();
  return FusedLoc::get(context, {primal}, StringAttr::get(context, "grad"));
}

void mlir::raf::registerAutodiffExtensions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, RAFDialect *) {
    attachElementwiseRules(context);
    attachShapeRules(context);
    attachReductionRules(context);
    attachContractionRules(context);
    attachConvRules(context);
    attachPoolRules(context);
    attachNormRules(context);
    attachIndexingRules(context);
    attachRandomRules(context);
    attachLossRules(context);
    attachCollectiveRules(context);
  });
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) { attachControlFlowRules(context); });
}

static StringRef nameOf(func::FuncOp func, unsigned index) {
  auto name = func.getArgAttrOfType<StringAttr>(index, "raf.name");
  return name ? name.getValue() : StringRef();
}

namespace {
struct AutodiffPass : raf::impl::AutodiffPassBase<AutodiffPass> {
  using AutodiffPassBase::AutodiffPassBase;
  void runOnOperation() override;

private:
  LogicalResult differentiate(func::FuncOp func);
  LogicalResult inlineCalls(func::FuncOp func);
  FailureOr<unsigned> findResult(func::FuncOp func);
  FailureOr<SmallVector<unsigned>> findArguments(func::FuncOp func);
  Value seed(func::FuncOp func, OpBuilder &builder, Value target);
};
} // namespace

void AutodiffPass::runOnOperation() {
  auto func = getOperation().lookupSymbol<func::FuncOp>("main");
  if (!func || !func.getBody().hasOneBlock()) {
    emitError(getOperation().getLoc()) << "raf-autodiff needs a function @main of one block";
    return signalPassFailure();
  }
  if (failed(inlineCalls(func)) || failed(differentiate(func)))
    signalPassFailure();
}

LogicalResult AutodiffPass::inlineCalls(func::FuncOp func) {
  if (func.getBody().getOps<func::CallOp>().empty())
    return success();
  // A function with a gradient of its own stays a call until that is built.
  SmallVector<func::FuncOp> kept;
  for (auto callee : getOperation().getOps<func::FuncOp>())
    if (callee->hasAttr(kGradientAttribute) && !callee.getNoInline()) {
      callee.setNoInline(true);
      kept.push_back(callee);
    }
  // Without the inliner's own simplifications: what to simplify is for the graph passes to say.
  OpPassManager inliner(ModuleOp::getOperationName());
  inliner.addPass(createInlinerPass({}, nullptr));
  LogicalResult inlined = runPipeline(inliner, getOperation());
  for (func::FuncOp callee : kept)
    callee.setNoInline(false);
  return inlined;
}

FailureOr<unsigned> AutodiffPass::findResult(func::FuncOp func) {
  SmallVector<StringRef> names;
  for (unsigned index = 0; index < func.getNumResults(); ++index) {
    auto name = func.getResultAttrOfType<StringAttr>(index, "raf.name");
    names.push_back(name ? name.getValue() : StringRef("?"));
    if (name && name.getValue() == of)
      return index;
  }
  auto diagnostic = emitError(func.getLoc()) << "@main has no result named '" << of << "' to differentiate; its results are ";
  llvm::interleaveComma(names, diagnostic);
  return failure();
}

FailureOr<SmallVector<unsigned>> AutodiffPass::findArguments(func::FuncOp func) {
  SmallVector<unsigned> found;
  if (wrt.empty()) {
    for (unsigned index = 0; index < func.getNumArguments(); ++index) {
      auto role = func.getArgAttrOfType<StringAttr>(index, "raf.role");
      if (role && role.getValue() == "param" && !func.getArgAttr(index, "raf.frozen") && isDifferentiableType(func.getArgumentTypes()[index]))
        found.push_back(index);
    }
    if (found.empty())
      return emitError(func.getLoc()) << "@main has no parameter to differentiate with respect to: no argument of role 'param' that is of floating point and not frozen";
    return found;
  }
  bool valid = true;
  for (StringRef name : wrt) {
    auto indices = llvm::seq<unsigned>(0, func.getNumArguments());
    auto index = llvm::find_if(indices, [&](unsigned k) { return nameOf(func, k) == name; });
    if (index == indices.end())
      valid = false, emitError(func.getLoc()) << "@main has no argument named '" << name << "' to differentiate with respect to";
    else if (!isDifferentiableType(func.getArgumentTypes()[*index]))
      valid = false, emitError(func.getLoc()) << "argument '" << name << "' has type " << func.getArgumentTypes()[*index] << " and so no derivative";
    else if (llvm::is_contained(found, *index))
      valid = false, emitError(func.getLoc()) << "argument '" << name << "' is named twice in wrt";
    else
      found.push_back(*index);
  }
  if (!valid)
    return failure();
  return found;
}

Value AutodiffPass::seed(func::FuncOp func, OpBuilder &builder, Value target) {
  Location loc = gradientLoc(target.getLoc());
  auto type = cast<RankedTensorType>(target.getType());
  if (type.getNumElements() == 1)
    return TensorBuilder(builder, loc).splat(type, 1.0);
  NamedAttribute attributes[] = {builder.getNamedAttr("raf.name", builder.getStringAttr("cotangent:" + of)),
                                 builder.getNamedAttr("raf.role", builder.getStringAttr("input"))};
  unsigned index = func.getNumArguments();
  (void)func.insertArgument(index, type, builder.getDictionaryAttr(attributes), loc);
  return func.getArgument(index);
}

LogicalResult AutodiffPass::differentiate(func::FuncOp func) {
  FailureOr<unsigned> result = findResult(func);
  FailureOr<SmallVector<unsigned>> arguments = findArguments(func);
  if (failed(result) || failed(arguments))
    return failure();
  Type type = func.getResultTypes()[*result];
  if (!isDifferentiableType(type) || !isa<RankedTensorType>(type))
    return emitError(func.getLoc()) << "result '" << of << "' has type " << type << " and so no derivative";
  auto gradientName = [&](unsigned index) {
    std::string name = nameOf(func, index).empty() ? ("arg" + Twine(index)).str() : nameOf(func, index).str();
    return of == "loss" ? "grad:" + name : "grad:" + of + ":" + name;
  };
  llvm::StringSet<> taken;
  for (unsigned index = 0; index < func.getNumResults(); ++index)
    if (auto name = func.getResultAttrOfType<StringAttr>(index, "raf.name"))
      taken.insert(name.getValue());
  for (unsigned argument : *arguments)
    if (taken.contains(gradientName(argument)))
      return emitError(func.getLoc()) << "@main has a result '" << gradientName(argument) << "' already";

  Block &block = func.getBody().front();
  Operation *terminator = block.getTerminator();
  SmallVector<Value> sources = llvm::map_to_vector(*arguments, [&](unsigned index) -> Value { return func.getArgument(index); });
  Value target = terminator->getOperand(*result);
  OpBuilder builder(terminator);
  Value start = seed(func, builder, target);
  Reverse reverse(of);
  Cotangents cotangents;
  if (failed(reverse.run(block, sources, target, start, builder, cotangents)))
    return failure();
  numDecomposed += reverse.numDecomposed;
  numDifferentiated += reverse.numDifferentiated;
  numAccumulations += reverse.numAccumulations;

  SmallVector<Value> grads;
  SmallVector<DictionaryAttr> attributes;
  for (auto [index, source] : llvm::zip(*arguments, sources)) {
    Value grad = cotangents.lookup(source);
    if (!grad) {
      emitWarning(func.getLoc()) << "the gradient of '" << of << "' with respect to argument '" << nameOf(func, index) << "' is zero: no op with a derivative connects them";
      grad = TensorBuilder(builder, gradientLoc(source.getLoc())).zeros(source.getType());
    }
    grads.push_back(grad);
    NamedAttribute described[] = {builder.getNamedAttr("raf.grad_of", builder.getI64IntegerAttr(index)),
                                  builder.getNamedAttr("raf.name", builder.getStringAttr(gradientName(index)))};
    attributes.push_back(builder.getDictionaryAttr(described));
  }
  // All at once: each change of a function's attributes costs as much as all of them.
  SmallVector<Type> types(ValueRange(grads).getTypes());
  (void)func.insertResults(SmallVector<unsigned>(grads.size(), func.getNumResults()), types, attributes);
  terminator->insertOperands(terminator->getNumOperands(), grads);
  return success();
}
