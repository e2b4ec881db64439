/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Executables: modules compiled to a step that can be run. No function here aborts on account of what it is given. */

#ifndef DIALECTS_CAPI_COMPILE_H
#define DIALECTS_CAPI_COMPILE_H

#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RafExecutable RafExecutable;

/* Called once for each error, or once with a result's text. */
typedef MlirStringCallback RafText;

/* `module` is MLIR as text or bytecode; `options` a JSON object (passes/host/jit/Options.h). NULL after errors. */
MLIR_CAPI_EXPORTED RafExecutable *rafExecutableCompile(MlirStringRef module, MlirStringRef options, RafText onError, void *user);
MLIR_CAPI_EXPORTED RafExecutable *rafExecutableDeserialize(MlirStringRef bytes, RafText onError, void *user);
MLIR_CAPI_EXPORTED void rafExecutableDestroy(RafExecutable *executable);
MLIR_CAPI_EXPORTED void rafExecutableSerialize(const RafExecutable *executable, RafText onResult, void *user);
/* A JSON object; valid as long as the executable. */
MLIR_CAPI_EXPORTED MlirStringRef rafExecutableManifest(const RafExecutable *executable);
/* Arguments of @main, then results that are not aliased. */
MLIR_CAPI_EXPORTED bool rafExecutableBind(RafExecutable *executable, int64_t index, uintptr_t address, RafText onError, void *user);
MLIR_CAPI_EXPORTED bool rafExecutableRun(RafExecutable *executable, RafText onError, void *user);
MLIR_CAPI_EXPORTED uintptr_t rafExecutableArenaAddress(const RafExecutable *executable);
MLIR_CAPI_EXPORTED int64_t rafExecutableArenaBytes(const RafExecutable *executable);
/* The runtime's context of the executable, for raf_runtime.h. */
MLIR_CAPI_EXPORTED void *rafExecutableContext(RafExecutable *executable);

/* Runs a pass pipeline and gives the module back as text. */
MLIR_CAPI_EXPORTED bool rafRunPipeline(MlirStringRef module, MlirStringRef pipeline, RafText onResult, RafText onError, void *user);

/* What the passes of rafExecutableCompile say about their choices: a JSON object (passes/host/jit/Explain.h). */
MLIR_CAPI_EXPORTED bool rafExplain(MlirStringRef module, MlirStringRef options, RafText onResult, RafText onError, void *user);

/* What this build is: a JSON object with the versions and the CPU as LLVM sees it. */
MLIR_CAPI_EXPORTED void rafBuildInfo(RafText onResult, void *user);

#ifdef __cplusplus
}
#endif

#endif /* DIALECTS_CAPI_COMPILE_H */
