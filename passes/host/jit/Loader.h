// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_HOST_JIT_LOADER_H
#define PASSES_HOST_JIT_LOADER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace mlir::raf {

/// What generated code may call: the runtime, the C library's maths and memory functions, and conversions of small floats. Nothing else is resolved, so an
/// executable cannot depend on what else happens to be in the process.
const llvm::StringMap<void *> &getKnownSymbols();

/// Object files in memory, linked and ready to run.
class LoadedObject {
public:
  static llvm::Expected<std::unique_ptr<LoadedObject>> load(llvm::ArrayRef<std::string> objects);
  ~LoadedObject();

  llvm::Expected<void *> find(llvm::StringRef symbol);

private:
  LoadedObject();
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::raf

#endif // PASSES_HOST_JIT_LOADER_H
