// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/autodiff/Reverse.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/autodiff/Activity.h"
#include "passes/autodiff/Rules.h"

using namespace mlir;
using namespace mlir::raf;

// The function that a call's callee names as its gradient, if any.
static FlatSymbolRefAttr gradientOf(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  auto callee = call ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr()) : func::FuncOp();
  return callee ? callee->getAttrOfType<FlatSymbolRefAttr>(kGradientAttribute) : FlatSymbolRefAttr();
}

static bool hasRule(Operation *op) { return isa<DifferentiableOpInterface>(op) || gradientOf(op); }

LogicalResult Reverse::run(Block &block, ArrayRef<Value> sources, MutableArrayRef<Value> targets, ArrayRef<Value> seeds, OpBuilder &builder, Cotangents &cotangents) {
  if (failed(decompose(block, sources, targets)))
    return failure();
  Activity activity(block, sources, targets);
  for (auto [target, seed] : llvm::zip_equal(targets, seeds)) {
    if (!seed)
      continue;
    Value &sum = cotangents[target];
    sum = sum ? builder.createOrFold<AddOp>(seed.getLoc(), sum, seed) : seed;
  }
  size_t firstReplaced = replaced.size();
  LogicalResult done = propagate(activity, builder, cotangents);
  while (replaced.size() > firstReplaced)
    replaced.pop_back_val()->erase();
  return done;
}

LogicalResult Reverse::decompose(Block &block, ArrayRef<Value> sources, MutableArrayRef<Value> targets) {
  // A decomposition may hold ops that have to be decomposed in turn; a target may be a result of one.
  auto lacksRule = [](Operation *op) { return !hasRule(op) && !hasRegionRule(op); };
  while (true) {
    Activity activity(block, sources, targets);
    SmallVector<Operation *> lacking = llvm::filter_to_vector(activity.getOps(), lacksRule);
    if (lacking.empty())
      return success();
    bool missing = false;
    for (Operation *op : lacking) {
      FailureOr<SmallVector<Value>> values = failure();
      if (auto decomposable = dyn_cast<DecomposableOpInterface>(op)) {
        OpBuilder builder(op);
        values = decomposable.decompose(builder);
      } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
        values = boundLoop(loop);
      }
      if (failed(values)) {
        missing = true;
        if (isa<scf::WhileOp>(op))
          emitError(op->getLoc()) << "'scf.while' runs for a number of iterations that is not known, so there is nothing to keep their values in, and the result '" << of
                                  << "' depends on a differentiated argument through it; a loop of constant length can be differentiated, and one with a counter that is compared with a constant or with the attribute "
                                  << kBoundAttribute << ", the most iterations that it takes";
        else
          emitError(op->getLoc()) << "'" << op->getName() << "' has no gradient rule and no decomposition, and the result '" << of
                                  << "' depends on a differentiated argument through it";
        continue;
      }
      for (Value &target : targets)
        if (auto result = dyn_cast<OpResult>(target); result && result.getOwner() == op)
          target = (*values)[result.getResultNumber()];
      op->replaceAllUsesWith(*values);
      op->erase();
      ++numDecomposed;
    }
    if (missing)
      return failure();
  }
}

LogicalResult Reverse::propagate(const Activity &activity, OpBuilder &builder, Cotangents &cotangents) {
  for (Operation *op : llvm::reverse(activity.getOps())) {
    Site site{op, {}, {}, {}, {}};
    for (Value result : op->getResults())
      site.dys.push_back(cotangents.lookup(result));
    if (llvm::none_of(site.dys, [](Value dy) { return static_cast<bool>(dy); }))
      continue;
    llvm::append_range(site.inputs, op->getOperands());
    if (op->getNumRegions()) {
      llvm::SetVector<Value> captured;
      getUsedValuesDefinedAbove(op->getRegions(), captured);
      llvm::append_range(site.inputs, captured);
    }
    for (Value input : site.inputs)
      site.wanted.push_back(activity.isVaried(input));
    site.grads.resize(site.inputs.size());
    if (hasRegionRule(op)) { // its errors are those of the ops inside
      if (failed(differentiateRegions(site, builder)))
        return failure();
    } else if (gradientOf(op)) {
      if (failed(differentiateCall(site, builder)))
        return failure();
    } else if (failed(cast<DifferentiableOpInterface>(op).buildVJP(builder, site.dys, site.wanted, site.grads))) {
      return emitError(op->getLoc()) << "the gradient rule of '" << op->getName() << "' failed";
    }
    ++numDifferentiated;
    for (auto [input, grad] : llvm::zip(site.inputs, site.grads)) {
      if (!grad)
        continue;
      if (grad.getType() != input.getType())
        return emitError(op->getLoc()) << "the gradient rule of '" << op->getName() << "' gives type " << grad.getType() << " for an operand of type " << input.getType();
      Value &sum = cotangents[input];
      if (sum) {
        grad = builder.createOrFold<AddOp>(gradientLoc(input.getLoc()), sum, grad);
        ++numAccumulations;
      }
      sum = grad;
    }
  }
  return success();
}

LogicalResult Reverse::differentiateCall(Site &site, OpBuilder &builder) {
  FlatSymbolRefAttr name = gradientOf(site.op);
  auto gradient = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(site.op, name);
  if (!gradient)
    return site.op->emitOpError() << "has " << kGradientAttribute << " = " << name << " on its callee, and there is no such function";
  Location loc = gradientLoc(site.op->getLoc());
  TensorBuilder g(builder, loc);
  SmallVector<Value> operands(site.inputs);
  SmallVector<unsigned> differentiable;
  for (auto [result, dy] : llvm::zip(site.op->getResults(), site.dys))
    if (isDifferentiableType(result.getType()))
      operands.push_back(dy ? dy : g.zeros(result.getType()));
  SmallVector<Type> types;
  for (auto [k, input] : llvm::enumerate(site.inputs))
    if (isDifferentiableType(input.getType())) {
      differentiable.push_back(k);
      types.push_back(input.getType());
    }
  auto expected = builder.getFunctionType(TypeRange(ValueRange(operands)), types);
  if (gradient.getFunctionType() != expected)
    return site.op->emitOpError() << "needs its gradient " << name << " to have type " << expected << " (arguments, then cotangents of the results; cotangents of the arguments), got "
                                  << gradient.getFunctionType();
  auto call = func::CallOp::create(builder, loc, gradient, operands);
  for (auto [k, grad] : llvm::zip(differentiable, call.getResults()))
    site.grads[k] = site.wanted[k] ? grad : Value();
  return success();
}
