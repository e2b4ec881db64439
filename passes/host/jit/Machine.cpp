// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/jit/Machine.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir::raf;

std::string mlir::raf::getHostTriple() { return llvm::Triple::normalize(llvm::sys::getProcessTriple()); }

std::string mlir::raf::getHostCPU() { return llvm::sys::getHostCPUName().str(); }

std::vector<std::string> mlir::raf::getHostFeatures() {
  std::vector<std::string> features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (feature.second)
      features.push_back(feature.first().str());
  llvm::sort(features);
  return features;
}

int64_t mlir::raf::getPreferredVectorWidth() {
  // LLVM prefers 256 bits on Intel's servers, because the first ones with AVX-512 ran slower in it. Those that came with VBMI2 (Ice Lake, and Zen 4 of AMD) do not:
  // exp, erf and softmax take a third less time with 512, sums of columns a sixth (measured on Emerald Rapids).
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  return features.lookup("avx512vl") && features.lookup("avx512vbmi2") ? 512 : 0;
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> mlir::raf::createHostMachine(const ExecutableOptions &options) {
  static bool initialized = !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter();
  std::string message;
  llvm::Triple triple(getHostTriple());
  const llvm::Target *target = initialized ? llvm::TargetRegistry::lookupTarget(triple, message) : nullptr;
  if (!target)
    return llvm::createStringError("this build cannot generate code for " + triple.str() + (message.empty() ? "" : ": " + message));
  std::string features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features += (features.empty() ? "" : ",") + std::string(feature.second ? "+" : "-") + feature.first().str();
  llvm::TargetOptions targetOptions;
  // a * b + c may be one operation: the design allows contraction, and nothing else that changes results.
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  constexpr llvm::CodeGenOptLevel levels[] = {llvm::CodeGenOptLevel::Less, llvm::CodeGenOptLevel::Default, llvm::CodeGenOptLevel::Default};
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(triple, getHostCPU(), features, targetOptions, llvm::Reloc::PIC_, llvm::CodeModel::Small,
                                                                           levels[options.optLevel], /*JIT=*/true));
  if (!machine)
    return llvm::createStringError("LLVM has no target machine for " + triple.str());
  return machine;
}
