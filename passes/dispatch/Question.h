// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is measured to choose between a library and code generation: an op with what a kernel of it may cover, as a program of its own.
#ifndef RAF_PASSES_DISPATCH_QUESTION_H
#define RAF_PASSES_DISPATCH_QUESTION_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace mlir::raf::dispatch {

/// `@main` that computes the op, the views that it reads through and the chain of pointwise ops that follows it. Equal ops (shapes, types, attributes, chain) make equal
/// programs. Its symbol name is the key of the question. To be destroyed by the caller.
ModuleOp makeQuestion(Operation *op);

/// Seconds by candidate, by key.
using Measurements = llvm::StringMap<llvm::StringMap<double>>;

/// Reads {"version": 1, "seconds": {KEY: {CANDIDATE: NUMBER or null}}}; a candidate with null cannot compute it.
llvm::Expected<Measurements> readMeasurements(StringRef path);

} // namespace mlir::raf::dispatch

#endif // RAF_PASSES_DISPATCH_QUESTION_H
