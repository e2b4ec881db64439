// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/autodiff/Activity.h"
#include "dialects/raf/Ops.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::raf;

bool mlir::raf::isDifferentiableType(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return isa<FloatType>(getElementTypeOrSelf(type)) && (!shaped || shaped.hasStaticShape());
}

// Whether any operand of the op, or of the ops inside it, satisfies the predicate: an op with regions depends on what they capture.
static bool anyOperand(Operation *op, llvm::function_ref<bool(Value)> predicate) {
  return op->walk([&](Operation *inner) { return llvm::any_of(inner->getOperands(), predicate) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

Activity::Activity(Block &block, ArrayRef<Value> sources, ArrayRef<Value> targets) {
  varied.insert(sources.begin(), sources.end());
  auto isVaried = [&](Value value) { return varied.contains(value); };
  for (Operation &op : block)
    if (!isa<StopGradientOp>(op) && anyOperand(&op, isVaried))
      for (Value result : op.getResults())
        if (isDifferentiableType(result.getType()))
          varied.insert(result);

  llvm::DenseSet<Value> useful(targets.begin(), targets.end());
  for (Operation &op : llvm::reverse(block)) {
    if (llvm::none_of(op.getResults(), [&](Value result) { return useful.contains(result) && varied.contains(result); }))
      continue;
    ops.push_back(&op);
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (varied.contains(operand))
          useful.insert(operand);
    });
  }
  std::reverse(ops.begin(), ops.end());
}
