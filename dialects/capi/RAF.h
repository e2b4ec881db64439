// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C API of the compiler, beside MLIR's own (mlir-c/IR.h, mlir-c/Pass.h): what the Python module is built on.

#ifndef DIALECTS_CAPI_RAF_H
#define DIALECTS_CAPI_RAF_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(RAF, raf);

/// Adds every dialect that RAF uses, with its interface models, to the registry.
MLIR_CAPI_EXPORTED void rafRegisterAllDialects(MlirDialectRegistry registry);

/// Registers every pass and pipeline under its textual name.
MLIR_CAPI_EXPORTED void rafRegisterAllPasses(void);

#ifdef __cplusplus
}
#endif

#endif // DIALECTS_CAPI_RAF_H
