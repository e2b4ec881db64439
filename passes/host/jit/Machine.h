// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU that code is generated for: the one of this process.

#ifndef PASSES_HOST_JIT_MACHINE_H
#define PASSES_HOST_JIT_MACHINE_H

#include "passes/host/jit/Options.h"

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::raf {

std::string getHostTriple();
std::string getHostCPU();
/// The names of LLVM features that this CPU has.
std::vector<std::string> getHostFeatures();

/// Bits of a vector, where LLVM's own choice for this CPU is not the best; otherwise 0.
int64_t getPreferredVectorWidth();

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createHostMachine(const ExecutableOptions &options);

} // namespace mlir::raf

#endif // PASSES_HOST_JIT_MACHINE_H
