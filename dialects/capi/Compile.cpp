// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/capi/Compile.h"

#include "passes/host/jit/Executable.h"
#include "passes/host/jit/Explain.h"
#include "passes/host/jit/Guard.h"
#include "passes/host/jit/Machine.h"

#include "mlir/CAPI/Support.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace mlir::raf;

static void tell(RafText callback, void *user, llvm::StringRef text) { callback(wrap(text), user); }

static RafExecutable *finish(std::unique_ptr<Executable> executable, const Diagnostics &diagnostics, RafText onError, void *user) {
  for (const std::string &message : diagnostics.all())
    if (!executable)
      tell(onError, user, message);
  return reinterpret_cast<RafExecutable *>(executable.release());
}

static Executable *unwrap(RafExecutable *executable) { return reinterpret_cast<Executable *>(executable); }
static const Executable *unwrap(const RafExecutable *executable) { return reinterpret_cast<const Executable *>(executable); }

static bool succeeded(llvm::Error error, RafText onError, void *user) {
  if (!error)
    return true;
  tell(onError, user, llvm::toString(std::move(error)));
  return false;
}

RafExecutable *rafExecutableCompile(MlirStringRef module, MlirStringRef options, RafText onError, void *user) {
  Diagnostics diagnostics;
  std::unique_ptr<Executable> executable = Executable::compile(unwrap(module), unwrap(options), diagnostics);
  return finish(std::move(executable), diagnostics, onError, user);
}

RafExecutable *rafExecutableDeserialize(MlirStringRef bytes, RafText onError, void *user) {
  Diagnostics diagnostics;
  std::unique_ptr<Executable> executable = Executable::deserialize(unwrap(bytes), diagnostics);
  return finish(std::move(executable), diagnostics, onError, user);
}

void rafExecutableDestroy(RafExecutable *executable) { delete unwrap(executable); }

void rafExecutableSerialize(const RafExecutable *executable, RafText onResult, void *user) { tell(onResult, user, unwrap(executable)->serialize()); }

MlirStringRef rafExecutableManifest(const RafExecutable *executable) { return wrap(llvm::StringRef(unwrap(executable)->manifest())); }

bool rafExecutableBind(RafExecutable *executable, int64_t index, uintptr_t address, RafText onError, void *user) {
  return succeeded(unwrap(executable)->bind(index, address), onError, user);
}

bool rafExecutableRun(RafExecutable *executable, RafText onError, void *user) { return succeeded(unwrap(executable)->run(), onError, user); }

uintptr_t rafExecutableArenaAddress(const RafExecutable *executable) { return reinterpret_cast<uintptr_t>(unwrap(executable)->arenaAddress()); }

int64_t rafExecutableArenaBytes(const RafExecutable *executable) { return unwrap(executable)->arenaBytes(); }

void *rafExecutableContext(RafExecutable *executable) { return unwrap(executable)->context(); }

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
