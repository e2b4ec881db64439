/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Modules compiled to what an executable consists of. No function here aborts on account of what it is given. */

#ifndef DIALECTS_CAPI_COMPILE_H
#define DIALECTS_CAPI_COMPILE_H

#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called once for each error, or once with a result's text. */
typedef MlirStringCallback RafText;

typedef enum RafPartKind {
  RafManifest, /* a JSON object */
  RafObject,   /* an ELF object for the host */
  RafKernels,  /* kernels of a device; `about` is "kind target" */
} RafPartKind;

/* Called once for each part of an executable, the manifest first. */
typedef void (*RafPart)(RafPartKind kind, MlirStringRef about, MlirStringRef bytes, void *user);

/* `module` is MLIR as text or bytecode; `options` a JSON object (passes/host/jit/Options.h). False after errors. */
MLIR_CAPI_EXPORTED bool rafCompile(MlirStringRef module, MlirStringRef options, RafPart onPart, RafText onError, void *user);

/* Runs the pipeline of `options` and gives the images of the module's kernels for a device: each its kind and its bytes. */
typedef void (*RafImage)(MlirStringRef kind, MlirStringRef bytes, void *user);
MLIR_CAPI_EXPORTED bool rafCompileImages(MlirStringRef module, MlirStringRef options, RafImage onImage, RafText onError, void *user);

/* Runs a pass pipeline and gives the module back as text. */
MLIR_CAPI_EXPORTED bool rafRunPipeline(MlirStringRef module, MlirStringRef pipeline, RafText onResult, RafText onError, void *user);

/* What the passes of rafCompile say about their choices: a JSON object (passes/host/jit/Explain.h). */
MLIR_CAPI_EXPORTED bool rafExplain(MlirStringRef module, MlirStringRef options, RafText onResult, RafText onError, void *user);

/* What this build is: a JSON object with the versions and the CPU as LLVM sees it. */
MLIR_CAPI_EXPORTED void rafBuildInfo(RafText onResult, void *user);

#ifdef __cplusplus
}
#endif

#endif /* DIALECTS_CAPI_COMPILE_H */
