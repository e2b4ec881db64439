// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and rewriting the arguments and results of a model's @main.
#ifndef RAF_PASSES_FRONTEND_SIGNATURE_H
#define RAF_PASSES_FRONTEND_SIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::raf {

/// A result of @main: its value and its attributes.
struct ModelResult {
  Value value;
  DictionaryAttr attributes;

  StringRef getName() const;
  bool isAliased() const { return attributes.contains("raf.alias"); }
};

/// The function @main of one block, or null after an error that names the pass.
func::FuncOp findMain(ModuleOp module, StringRef pass);

StringRef argumentName(func::FuncOp func, unsigned index);
StringRef argumentRole(func::FuncOp func, unsigned index);

SmallVector<ModelResult> getModelResults(func::FuncOp func);
void setModelResults(func::FuncOp func, ArrayRef<ModelResult> results);

/// Appends an argument; a name that is taken gets underscores.
Value appendArgument(func::FuncOp func, Type type, StringRef name, StringRef role);

} // namespace mlir::raf

#endif // RAF_PASSES_FRONTEND_SIGNATURE_H
