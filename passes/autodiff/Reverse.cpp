// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/autodiff/Reverse.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/autodiff/Activity.h"
#include "passes/autodiff/Rules.h"

using namespace mlir;
using namespace mlir::raf;

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
  auto lacksRule = [](Operation *op) { return !isa<DifferentiableOpInterface>(op) && !hasRegionRule(op); };
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
      }
      if (failed(values)) {
        missing = true;
        if (isa<scf::WhileOp>(op))
          emitError(op->getLoc()) << "'scf.while' runs for a number of iterations that is not known, so there is nothing to keep their values in, and the result '" << of
                                  << "' depends on a differentiated argument through it; a loop of constant length can be differentiated";
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
