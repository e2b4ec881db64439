// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/jit/Object.h"

#include "passes/host/jit/Machine.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::raf;

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
  const llvm::OptimizationLevel levels[] = {llvm::OptimizationLevel::O1, llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  builder.buildPerModuleDefaultPipeline(levels[level]).run(module, modules);
}

llvm::Expected<std::string> mlir::raf::emitObject(ModuleOp module, const ExecutableOptions &options) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine = createHostMachine(options);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code = translateModuleToLLVMIR(module, context, "raf");
  if (!code)
    return llvm::createStringError("the module could not be translated to LLVM IR");
  code->setTargetTriple((*machine)->getTargetTriple());
  code->setDataLayout((*machine)->createDataLayout());
  for (llvm::Function &function : *code) {
    if (function.isDeclaration())
      continue;
    if (options.vectorWidth)
      function.addFnAttr("prefer-vector-width", std::to_string(options.vectorWidth));
    // Generated code neither throws nor is unwound through.
    function.setDoesNotThrow();
    function.setUWTableKind(llvm::UWTableKind::None);
  }
  optimize(*code, **machine, options.optLevel);

  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager emit;
  if ((*machine)->addPassesToEmitFile(emit, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("LLVM cannot write object files for " + (*machine)->getTargetTriple().str());
  emit.run(*code);
  return std::string(bytes.begin(), bytes.end());
}
