// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything that can go wrong between a module's text and a running step ends up as one of these, never as an abort.

#ifndef PASSES_HOST_JIT_DIAGNOSTICS_H
#define PASSES_HOST_JIT_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir::raf {

/// Messages as one prints them: "<location>: error: <text>", notes after what they belong to.
class Diagnostics {
public:
  void error(llvm::StringRef message) { errors.push_back(("error: " + message).str()); }
  void error(llvm::Error error) { this->error(llvm::toString(std::move(error))); }
  void add(Diagnostic &diagnostic);

  bool hasErrors() const { return !errors.empty(); }
  const std::vector<std::string> &all() const { return errors; }

private:
  std::vector<std::string> errors;
};

/// Collects the errors of a context while in scope; warnings and remarks go where they would have gone.
class CollectDiagnostics {
public:
  CollectDiagnostics(MLIRContext *context, Diagnostics &diagnostics);

private:
  ScopedDiagnosticHandler handler;
};

} // namespace mlir::raf

#endif // PASSES_HOST_JIT_DIAGNOSTICS_H
