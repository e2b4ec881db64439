// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/jit/Compile.h"

#include "passes/host/jit/Guard.h"
#include "passes/host/jit/Image.h"
#include "passes/host/jit/Machine.h"
#include "passes/host/jit/Object.h"
#include "passes/host/jit/Options.h"
#include "passes/registerAll.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::raf;

std::unique_ptr<MLIRContext> mlir::raf::createContext() {
  static const DialectRegistry &registry = [] {
    static DialectRegistry made;
    registerAllDialects(made);
    registerAllPasses();
    return std::ref(made);
  }();
  auto context = std::make_unique<MLIRContext>(registry);
  // A message names the source; the op, which may be a whole function, is what the replay shows.
  context->printOpOnDiagnostic(false);
  return context;
}

OwningOpRef<ModuleOp> mlir::raf::runPipeline(StringRef source, StringRef pipeline, MLIRContext &context, Diagnostics &diagnostics) {
  CollectDiagnostics collect(&context, diagnostics);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(source, "module"), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!module) {
    if (!diagnostics.hasErrors())
      diagnostics.error("the module could not be parsed");
    return nullptr;
  }
  std::string message;
  llvm::raw_string_ostream stream(message);
  FailureOr<OpPassManager> passes = parsePassPipeline(pipeline, stream);
  if (failed(passes) || passes->getOpAnchorName() != ModuleOp::getOperationName()) {
    diagnostics.error("pass pipeline '" + pipeline.str() + "': " + (message.empty() ? "must start with builtin.module(" : StringRef(message).trim().str()));
    return nullptr;
  }
  PassManager manager(&context, ModuleOp::getOperationName());
  static_cast<OpPassManager &>(manager) = std::move(*passes);
  if (failed(manager.run(*module))) {
    if (!diagnostics.hasErrors())
      diagnostics.error("a pass of '" + pipeline.str() + "' failed without saying why");
    return nullptr;
  }
  return module;
}

static std::optional<CompiledStep> compileHere(StringRef source, StringRef optionsText, Diagnostics &diagnostics) {
  llvm::Expected<ExecutableOptions> options = ExecutableOptions::parse(optionsText);
  if (!options) {
    diagnostics.error(options.takeError());
    return std::nullopt;
  }
  UseThreads threads(options->numThreads);
  std::unique_ptr<MLIRContext> context = createContext();
  OwningOpRef<ModuleOp> module = runPipeline(source, options->pipeline, *context, diagnostics);
  if (!module)
    return std::nullopt;
  auto manifest = (*module)->getAttrOfType<StringAttr>("raf.manifest");
  if (!manifest) {
    diagnostics.error("the module has no step: after '" + options->pipeline + "' there is no raf.manifest, which raf-lower-host makes from @main");
    return std::nullopt;
  }
  llvm::Expected<llvm::json::Value> description = llvm::json::parse(manifest.getValue());
  if (!description || !description->getAsObject()) {
    llvm::consumeError(description.takeError());
    diagnostics.error("raf.manifest is not a JSON object");
    return std::nullopt;
  }
  CollectDiagnostics collect(context.get(), diagnostics);
  llvm::Expected<std::vector<CompiledImage>> images = takeImages(*module, *options);
  if (!images) {
    diagnostics.error(images.takeError());
    return std::nullopt;
  }
  llvm::json::Object &object = *description->getAsObject();
  llvm::json::Object target{{"triple", getHostTriple()}, {"cpu", getHostCPU()}, {"features", llvm::json::Array(getHostFeatures())}};
  // A program for a device may be without kernels.
  if (std::optional<StringRef> device = object.getString("device"))
    target["device"] = device->str();
  object.erase("device");
  if (!images->empty())
    target["chip"] = images->front().target;
  object["target"] = std::move(target);
  object["runtime_abi"] = raf_rt_abi_version();
  object["raf_version"] = RAF_VERSION;
  object["num_threads"] = options->numThreads;

  llvm::Expected<std::vector<std::string>> code = emitObjects(*module, *options);
  if (!code) {
    diagnostics.error(code.takeError());
    return std::nullopt;
  }
  return CompiledStep{llvm::formatv("{0}", *description).str(), std::move(*code), std::move(*images)};
}

std::optional<CompiledStep> mlir::raf::compile(StringRef source, StringRef options, Diagnostics &diagnostics) {
  std::optional<CompiledStep> step;
  if (llvm::Error error = runGuarded([&] { step = compileHere(source, options, diagnostics); })) {
    diagnostics.error(std::move(error));
    return std::nullopt;
  }
  return step;
}
