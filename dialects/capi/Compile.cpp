// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/capi/Compile.h"

#include "passes/host/jit/Compile.h"
#include "passes/host/jit/Explain.h"
#include "passes/host/jit/Guard.h"
#include "passes/host/jit/Image.h"
#include "passes/host/jit/Machine.h"

#include "mlir/CAPI/Support.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::raf;

static void tell(RafText callback, void *user, llvm::StringRef text) { callback(wrap(text), user); }

bool rafCompile(MlirStringRef module, MlirStringRef options, RafPart onPart, RafText onError, void *user) {
  Diagnostics diagnostics;
  std::optional<CompiledStep> step = compile(unwrap(module), unwrap(options), diagnostics);
  if (!step) {
    for (const std::string &message : diagnostics.all())
      tell(onError, user, message);
    return false;
  }
  onPart(RafManifest, wrap(llvm::StringRef()), wrap(llvm::StringRef(step->manifest)), user);
  for (const std::string &object : step->objects)
    onPart(RafObject, wrap(llvm::StringRef()), wrap(llvm::StringRef(object)), user);
  for (const CompiledImage &image : step->images)
    onPart(RafKernels, wrap(llvm::StringRef(image.kind + " " + image.target)), wrap(llvm::StringRef(image.bytes)), user);
  return true;
}

bool rafCompileImages(MlirStringRef module, MlirStringRef options, RafImage onImage, RafText onError, void *user) {
  Diagnostics diagnostics;
  std::optional<std::vector<CompiledImage>> images = compileImages(unwrap(module), unwrap(options), diagnostics);
  for (const std::string &message : diagnostics.all())
    if (!images)
      tell(onError, user, message);
  for (const CompiledImage &image : images ? *images : std::vector<CompiledImage>())
    onImage(wrap(llvm::StringRef(image.kind)), wrap(llvm::StringRef(image.bytes)), user);
  return images.has_value();
}

bool rafExplain(MlirStringRef module, MlirStringRef options, RafText onResult, RafText onError, void *user) {
  Diagnostics diagnostics;
  std::optional<std::string> text = explain(unwrap(module), unwrap(options), diagnostics);
  if (text)
    tell(onResult, user, *text);
  else
    for (const std::string &message : diagnostics.all())
      tell(onError, user, message);
  return text.has_value();
}

bool rafRunPipeline(MlirStringRef module, MlirStringRef pipeline, RafText onResult, RafText onError, void *user) {
  Diagnostics diagnostics;
  std::optional<std::string> text;
  llvm::Error error = runGuarded([&] {
    std::unique_ptr<MLIRContext> context = createContext();
    context->allowUnregisteredDialects(); // StableHLO, which import-stablehlo takes
    OwningOpRef<ModuleOp> result = runPipeline(unwrap(module), unwrap(pipeline), *context, diagnostics);
    if (!result)
      return;
    llvm::raw_string_ostream stream(text.emplace());
    result->print(stream, OpPrintingFlags().enableDebugInfo());
  });
  if (error) {
    diagnostics.error(std::move(error));
    text.reset();
  }
  if (text) {
    tell(onResult, user, *text);
    return true;
  }
  for (const std::string &message : diagnostics.all())
    tell(onError, user, message);
  return false;
}

void rafBuildInfo(RafText onResult, void *user) {
  llvm::json::Object info{{"raf_version", RAF_VERSION},
                          {"llvm_version", LLVM_VERSION_STRING},
                          {"triple", getHostTriple()},
                          {"cpu", getHostCPU()},
                          {"features", llvm::json::Array(getHostFeatures())},
                          {"runtime_abi", raf_rt_abi_version()}};
  tell(onResult, user, llvm::formatv("{0}", llvm::json::Value(std::move(info))).str());
}
