// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/jit/Explain.h"

#include "passes/host/Host.h"
#include "passes/host/jit/Compile.h"
#include "passes/host/jit/Guard.h"
#include "passes/host/jit/Options.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::raf;

namespace {

/// Keeps remarks as JSON objects.
class Collector : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit Collector(llvm::json::Array &records) : records(records) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::string message, reason;
    for (const remark::detail::Remark::Arg &argument : remark.getArgs())
      (argument.key == "Reason" ? reason : message) += argument.val;
    llvm::json::Array nodes;
    for (auto [name, phase] : getNodes(remark.getLocation()))
      nodes.push_back(llvm::json::Array{name.str(), phase.str()});
    // Owned: what a remark refers to lives no longer than the remark.
    records.push_back(llvm::json::Object{{"pass", remark.getCategoryName().str()},
                                         {"kind", remark.getRemarkTypeString().lower()},
                                         {"name", remark.getRemarkName().str()},
                                         {"function", remark.getFunction().str()},
                                         {"message", message},
                                         {"reason", reason},
                                         {"nodes", std::move(nodes)}});
  }

private:
  llvm::json::Array &records;
};

} // namespace

std::optional<std::string> mlir::raf::explain(StringRef source, StringRef optionsText, Diagnostics &diagnostics) {
  std::optional<std::string> text;
  llvm::Error error = runGuarded([&] {
    llvm::Expected<ExecutableOptions> options = ExecutableOptions::parse(optionsText);
    if (!options)
      return diagnostics.error(options.takeError());
    UseThreads threads(options->numThreads);
    llvm::json::Array records; // outlives the context, whose collector writes to it
    std::unique_ptr<MLIRContext> context = createContext();
    context->disableMultithreading(); // in the order of the program
    remark::RemarkCategories everything; // `all` alone enables no kind
    everything.passed = everything.missed = everything.analysis = everything.failed = ".*";
    if (failed(remark::enableOptimizationRemarks(*context, std::make_unique<Collector>(records), std::make_unique<remark::RemarkEmittingPolicyAll>(), everything)))
      return diagnostics.error("the remarks of the passes cannot be collected");
    OwningOpRef<ModuleOp> module = runPipeline(source, options->pipeline, *context, diagnostics);
    if (!module)
      return;
    auto manifest = (*module)->getAttrOfType<StringAttr>("raf.manifest");
    llvm::Expected<llvm::json::Value> description = llvm::json::parse(manifest ? manifest.getValue() : StringRef("null"));
    if (!description)
      return diagnostics.error(description.takeError());
    text = llvm::formatv("{0}", llvm::json::Value(llvm::json::Object{{"remarks", std::move(records)}, {"manifest", std::move(*description)}})).str();
  });
  if (error) {
    diagnostics.error(std::move(error));
    text.reset();
  }
  return text;
}
