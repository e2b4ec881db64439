// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Dialect.h"
#include "dialects/raf/TensorBuilder.h"
#include "passes/frontend/Passes.h"
#include "passes/frontend/Signature.h"

namespace mlir::raf {
#define GEN_PASS_DEF_INFERENCEPASS
#include "passes/frontend/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

// y = x a + c with a = scale / sqrt(running_var + epsilon) and c = bias - running_mean a. The running statistics stand for those of the batch.
static void freeze(BatchNormOp op) {
  OpBuilder builder(op);
  TensorBuilder b(builder, op.getLoc());
  Value rstd = b.rsqrt(b.add(op.getRunningVar(), op.getEpsilon().convertToDouble()));
  Value factor = b.mul(op.getScale(), rstd), offset = b.sub(op.getBias(), b.mul(op.getRunningMean(), factor));
  RankedTensorType type = op.getX().getType();
  auto spread = [&](Value feature) { return b.broadcast(feature, type, {static_cast<int64_t>(op.getAxis())}); };
  Value y = b.add(b.mul(op.getX(), spread(factor)), spread(offset));
  op->replaceAllUsesWith(ValueRange{y, op.getRunningMean(), op.getRunningVar(), op.getRunningMean(), rstd});
  op.erase();
}

namespace {
struct InferencePass : raf::impl::InferencePassBase<InferencePass> {
  using InferencePassBase::InferencePassBase;
  void runOnOperation() override {
    func::FuncOp func = findMain(getOperation(), "raf-inference");
    if (!func)
      return signalPassFailure();
    getOperation().walk([](Operation *op) {
      if (auto norm = dyn_cast<BatchNormOp>(op))
        return freeze(norm);
      if (auto dropout = dyn_cast<DropoutOp>(op)) {
        dropout.replaceAllUsesWith(dropout.getX());
        dropout.erase();
      }
    });
    SmallVector<ModelResult> results = getModelResults(func);
    llvm::erase_if(results, [&](const ModelResult &result) {
      auto alias = result.attributes.getAs<IntegerAttr>("raf.alias");
      return alias && argumentRole(func, alias.getInt()) == "buffer";
    });
    SmallVector<ModelResult> chosen;
    for (int64_t output : outputs) {
      if (output < 0 || output >= int64_t(results.size())) {
        func.emitError() << "raf-inference: outputs: expected numbers from 0 to " << int64_t(results.size()) - 1 << ", got " << output;
        return signalPassFailure();
      }
      chosen.push_back(results[output]);
    }
    setModelResults(func, chosen.empty() ? results : chosen);

    llvm::BitVector unused(func.getNumArguments());
    for (BlockArgument argument : func.getArguments()) {
      StringRef role = argumentRole(func, argument.getArgNumber());
      if ((role == "seed" || role == "step") && argument.use_empty())
        unused.set(argument.getArgNumber());
    }
    (void)func.eraseArguments(unused);
  }
};
} // namespace
