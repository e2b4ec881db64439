// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/jit/Object.h"

#include "passes/host/jit/Guard.h"
#include "passes/host/jit/Machine.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/SplitModule.h"

#include <mutex>

using namespace mlir;
using namespace mlir::raf;

/// LLVM's own handler ends the process after an error.
namespace {
struct CollectErrors : llvm::DiagnosticHandler {
  explicit CollectErrors(std::string &errors) : errors(errors) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return false;
    llvm::raw_string_ostream stream(errors);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    stream << (errors.empty() ? "" : "; ");
    info.print(printer);
    return true;
  }
  std::string &errors;
};
} // namespace

static void optimize(llvm::Module &module, llvm::TargetMachine &machine, int64_t level) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = level > 0;
  tuning.LoopInterleaving = tuning.LoopUnrolling = level > 0;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager calls;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  // Kernels have few calls and plain loops: O3 makes none of them faster, and takes a quarter more time.
  const llvm::OptimizationLevel levels[] = {llvm::OptimizationLevel::O1, llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O2};
  builder.buildPerModuleDefaultPipeline(levels[level]).run(module, modules);
}

static llvm::Expected<std::string> compile(llvm::Module &code, const ExecutableOptions &options) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine = createHostMachine(options);
  if (!machine)
    return machine.takeError();
  std::string errors;
  code.getContext().setDiagnosticHandler(std::make_unique<CollectErrors>(errors));
  code.setTargetTriple((*machine)->getTargetTriple());
  code.setDataLayout((*machine)->createDataLayout());
  optimize(code, **machine, options.optLevel);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager emit;
  if ((*machine)->addPassesToEmitFile(emit, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("LLVM cannot write object files for " + (*machine)->getTargetTriple().str());
  emit.run(code);
  if (!errors.empty())
    return llvm::createStringError("LLVM cannot compile this module: " + llvm::StringRef(errors).trim());
  return std::string(bytes.begin(), bytes.end());
}

/// Modules of different contexts can be compiled at the same time; bitcode takes a part from one to the other. Nothing is guarded yet in the thread that does this.
static llvm::Expected<std::string> compileBitcode(llvm::StringRef bitcode, const ExecutableOptions &options) {
  std::optional<llvm::Expected<std::string>> object;
  llvm::Error error = runGuarded([&] {
    llvm::LLVMContext context;
    llvm::Expected<std::unique_ptr<llvm::Module>> code = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "raf"), context);
    if (code)
      object.emplace(compile(**code, options));
    else
      object.emplace(code.takeError());
  });
  if (error)
    return error;
  return std::move(*object);
}

/// `functions`: how many it defines. Null if it cannot be translated.
static std::unique_ptr<llvm::Module> translate(ModuleOp module, llvm::LLVMContext &context, const ExecutableOptions &options, size_t &functions) {
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(module, context, "raf");
  functions = 0;
  if (!code)
    return nullptr;
  int64_t vectorWidth = options.vectorWidth ? options.vectorWidth : getPreferredVectorWidth();
  for (llvm::Function &function : *code) {
    if (function.isDeclaration())
      continue;
    ++functions;
    if (vectorWidth)
      function.addFnAttr("prefer-vector-width", std::to_string(vectorWidth));
    // Generated code neither throws nor is unwound through.
    function.setDoesNotThrow();
    function.setUWTableKind(llvm::UWTableKind::None);
  }
  return code;
}

static llvm::Error untranslatable() { return llvm::createStringError("the module could not be translated to LLVM IR"); }

llvm::Expected<std::string> mlir::raf::emitObject(ModuleOp module, const ExecutableOptions &options) {
  llvm::LLVMContext context;
  size_t functions;
  std::unique_ptr<llvm::Module> code = translate(module, context, options, functions);
  if (!code)
    return untranslatable();
  return compile(*code, options);
}

llvm::Expected<std::vector<std::string>> mlir::raf::emitObjects(ModuleOp module, const ExecutableOptions &options) {
  llvm::LLVMContext context;
  size_t functions;
  std::unique_ptr<llvm::Module> code = translate(module, context, options, functions);
  if (!code)
    return untranslatable();
  constexpr size_t kFunctionsPerPart = 12, kMostParts = 16;
  size_t parts = std::clamp<size_t>(functions / kFunctionsPerPart, 1, kMostParts);
  if (parts == 1) {
    llvm::Expected<std::string> object = compile(*code, options);
    if (!object)
      return object.takeError();
    return std::vector<std::string>{std::move(*object)};
  }
  std::vector<std::string> bitcode;
  llvm::SplitModule(*code, parts, [&](std::unique_ptr<llvm::Module> part) {
    llvm::raw_string_ostream stream(bitcode.emplace_back());
    llvm::WriteBitcodeToFile(*part, stream);
  });
  std::vector<std::string> objects(bitcode.size());
  std::mutex mutex;
  llvm::Error failed = llvm::Error::success();
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(std::min<unsigned>(bitcode.size(), llvm::hardware_concurrency().compute_thread_count())));
  for (size_t i = 0; i < bitcode.size(); ++i)
    pool.async([&, i] {
      llvm::Expected<std::string> object = compileBitcode(bitcode[i], options);
      std::lock_guard<std::mutex> lock(mutex);
      if (object)
        objects[i] = std::move(*object);
      else
        failed = llvm::joinErrors(std::move(failed), object.takeError());
    });
  pool.wait();
  if (failed)
    return failed;
  return objects;
}
