// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/jit/Diagnostics.h"

#include "mlir/IR/Location.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::raf;

static std::string print(Location location) {
  if (isa<UnknownLoc>(location))
    return "";
  std::string text;
  llvm::raw_string_ostream(text) << location;
  StringRef inner = text;
  if (inner.consume_front("loc(") && inner.consume_back(")"))
    return (inner + ": ").str();
  return text + ": ";
}

void Diagnostics::add(Diagnostic &diagnostic) {
  std::string text = print(diagnostic.getLocation()) + "error: " + diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes())
    text += "\n" + print(note.getLocation()) + "note: " + note.str();
  errors.push_back(std::move(text));
}

CollectDiagnostics::CollectDiagnostics(MLIRContext *context, Diagnostics &diagnostics)
    : handler(context, [&diagnostics](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        diagnostics.add(diagnostic);
        return success();
      }) {}
