// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/Decompositions.h"
#include "passes/decompose/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::raf {
#define GEN_PASS_DEF_DECOMPOSEOPS
#include "passes/decompose/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {

struct DecomposeOps : raf::impl::DecomposeOpsBase<DecomposeOps> {
  using DecomposeOpsBase::DecomposeOpsBase;

  // A misspelt name would silently do nothing.
  LogicalResult checkNames(ArrayRef<std::string> names, StringRef option) {
    for (const std::string &name : names) {
      auto info = RegisteredOperationName::lookup(name, &getContext());
      if (!info || !info->hasInterface<DecomposableOpInterface>())
        return getOperation()->emitError() << "raf-decompose-ops: option '" << option << "' names '" << name << "', which is no op with a decomposition";
    }
    return success();
  }

  void runOnOperation() override {
    if (failed(checkNames(keep, "keep")) || failed(checkNames(only, "only")))
      return signalPassFailure();
    llvm::StringSet<> kept, chosen;
    for (const std::string &name : keep)
      kept.insert(name);
    for (const std::string &name : only)
      chosen.insert(name);
    auto wanted = [&](Operation *op) {
      StringRef name = op->getName().getStringRef();
      return isa<DecomposableOpInterface>(op) && !kept.contains(name) && (chosen.empty() || chosen.contains(name));
    };

    SmallVector<Operation *> worklist;
    getOperation()->walk([&](Operation *op) {
      if (wanted(op))
        worklist.push_back(op);
    });
    struct Collector : OpBuilder::Listener {
      SmallVector<Operation *> inserted;
      void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override { inserted.push_back(op); }
    } collector;
    while (!worklist.empty()) {
      Operation *op = worklist.pop_back_val();
      OpBuilder builder(op, &collector);
      collector.inserted.clear();
      FailureOr<SmallVector<Value>> values = cast<DecomposableOpInterface>(op).decompose(builder);
      if (failed(values))
        return signalPassFailure();
      // The choice of a library holds for what the op becomes.
      if (Attribute libraries = op->getDiscardableAttr("raf.dispatch"))
        for (Operation *part : collector.inserted)
          part->setDiscardableAttr("raf.dispatch", libraries);
      op->replaceAllUsesWith(*values);
      op->erase();
      ++numDecomposed;
      llvm::copy_if(collector.inserted, std::back_inserter(worklist), wanted);
    }
  }
};

} // namespace

void mlir::raf::registerDecomposeExtensions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, RAFDialect *) {
    attachContractionDecompositions(context);
    attachElementwiseDecompositions(context);
    attachLossDecompositions(context);
    attachNormDecompositions(context);
    attachOptimizerDecompositions(context);
    attachRandomDecompositions(context);
  });
}
