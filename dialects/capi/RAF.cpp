// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/capi/RAF.h"

#include "dialects/raf/Dialect.h"
#include "passes/registerAll.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(RAF, raf, mlir::raf::RAFDialect)

void rafRegisterAllDialects(MlirDialectRegistry registry) { mlir::raf::registerAllDialects(*unwrap(registry)); }

void rafRegisterAllPasses(void) { mlir::raf::registerAllPasses(); }
