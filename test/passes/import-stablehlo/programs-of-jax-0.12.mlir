// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole programs as JAX 0.12 prints them, with result_accuracy and sdy: a transformer train step (dropout, GELU, layer norm, tied embedding, AdamW with clipping), a residual
// network with batch norm and pools and SGD, and many idioms. They compile from end to end.
// RUN: raf-opt %S/Inputs/jax-0.12-tf_step.mlir --allow-unregistered-dialect --import-stablehlo --canonicalize --cse --raf-simplify --raf-constant-fold --canonicalize --cse --raf-raise | FileCheck %s --check-prefix=TRANSFORMER
// RUN: raf-opt %S/Inputs/jax-0.12-rn_step.mlir --allow-unregistered-dialect --import-stablehlo --canonicalize --cse --raf-simplify | FileCheck %s --check-prefix=RESNET
// RUN: raf-opt %S/Inputs/jax-0.12-tf_step.mlir --allow-unregistered-dialect --import-stablehlo --raf-cpu=libraries=dnnl -o /dev/null
// RUN: raf-opt %S/Inputs/jax-0.12-rn_step.mlir --allow-unregistered-dialect --import-stablehlo --raf-cpu=libraries=dnnl -o /dev/null
// RUN: raf-opt %S/Inputs/jax-0.12-misc.mlir --allow-unregistered-dialect --import-stablehlo --raf-cpu=libraries=dnnl -o /dev/null

// TRANSFORMER-LABEL: func.func @main
// TRANSFORMER-NOT: stablehlo
// TRANSFORMER: raf.attention
// TRANSFORMER: return

// RESNET-LABEL: func.func @main
// RESNET-NOT: stablehlo
// RESNET: raf.conv
// RESNET: raf.max_pool
// RESNET: return
