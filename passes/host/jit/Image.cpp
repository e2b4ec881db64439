// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/jit/Image.h"

#include "passes/host/jit/Guard.h"
#include "passes/host/jit/Object.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace mlir::raf;

static constexpr llvm::StringLiteral kImage = "raf.image";

llvm::Expected<std::vector<CompiledImage>> mlir::raf::takeImages(ModuleOp module, const ExecutableOptions &options) {
  std::vector<CompiledImage> images;
  for (Operation &kernels : llvm::make_early_inc_range(*module.getBody())) {
    auto kind = kernels.getAttrOfType<StringAttr>(kImage);
    if (!kind || kernels.getNumRegions() != 1 || !llvm::hasSingleElement(kernels.getRegion(0)))
      continue;
    if (kind.getValue() != "sim")
      return llvm::createStringError("kernels of the image kind '" + kind.getValue() + "' cannot be compiled; expected sim");
    OwningOpRef<ModuleOp> code = ModuleOp::create(kernels.getLoc());
    code->getBody()->getOperations().splice(code->getBody()->end(), kernels.getRegion(0).front().getOperations());
    // Marks for launches of another dialect, which LLVM does not know.
    code->walk([](Operation *op) {
      for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
        if (attribute.getName().getValue().starts_with("gpu."))
          op->removeDiscardableAttr(attribute.getName());
    });
    llvm::Expected<std::string> object = emitObject(*code, options);
    if (!object)
      return object.takeError();
    images.push_back({kind.getValue().str(), kind.getValue().str(), std::move(*object)});
    kernels.erase();
  }
  for (auto kernels : llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>())) {
    if (!kernels.getOps<gpu::GPUFuncOp>().empty())
      return llvm::createStringError("the kernels of @" + kernels.getName() + " were not compiled: run raf-gpu-to-sim or raf-gpu-to-ptx");
    kernels.erase();
  }
  for (auto binary : llvm::make_early_inc_range(module.getOps<gpu::BinaryOp>())) {
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
      std::string target;
      llvm::raw_string_ostream(target) << object.getTarget();
      StringRef chip = StringRef(target).split("chip = \"").second.split('"').first;
      bool isText = object.getFormat() == gpu::CompilationTarget::Assembly;
      images.push_back({isText ? "ptx" : "cubin", chip.str(), object.getObject().getValue().str()});
    }
    binary.erase();
  }
  return images;
}

std::optional<std::vector<CompiledImage>> mlir::raf::compileImages(StringRef source, StringRef optionsText, Diagnostics &diagnostics) {
  std::optional<std::vector<CompiledImage>> result;
  llvm::Error error = runGuarded([&] {
    llvm::Expected<ExecutableOptions> options = ExecutableOptions::parse(optionsText);
    if (!options)
      return diagnostics.error(options.takeError());
    UseThreads threads(options->numThreads);
    std::unique_ptr<MLIRContext> context = createContext();
    OwningOpRef<ModuleOp> module = runPipeline(source, options->pipeline, *context, diagnostics);
    if (!module)
      return;
    CollectDiagnostics collect(context.get(), diagnostics);
    llvm::Expected<std::vector<CompiledImage>> images = takeImages(*module, *options);
    if (images)
      result = std::move(*images);
    else
      diagnostics.error(images.takeError());
  });
  if (error) {
    diagnostics.error(std::move(error));
    result.reset();
  }
  return result;
}
