// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole programs as JAX 0.12 prints them, with result_accuracy and sdy: a transformer train step (dropout, GELU, layer norm, tied embedding, AdamW with clipping), a residual
// network with batch norm and pools and SGD, and many idioms. They compile from end to end.
// RUN: raf-opt %S/Inputs/jax-0.12-tf_step.mlir --allow-unregistered-dialect --import-stablehlo --canonicalize --cse --raf-constant-fold --raf-simplify --raf-constant-fold --canonicalize --cse --raf-raise --canonicalize --cse | FileCheck %s --check-prefix=TRANSFORMER
// RUN: raf-opt %S/Inputs/jax-0.12-rn_step.mlir --allow-unregistered-dialect --import-stablehlo --canonicalize --cse --raf-simplify | FileCheck %s --check-prefix=RESNET
// RUN: raf-opt %S/Inputs/jax-0.12-tf_step.mlir --allow-unregistered-dialect --import-stablehlo --raf-cpu=libraries=dnnl -o /dev/null
// RUN: raf-opt %S/Inputs/jax-0.12-rn_step.mlir --allow-unregistered-dialect --import-stablehlo --raf-cpu=libraries=dnnl -o /dev/null
// RUN: raf-opt %S/Inputs/jax-0.12-misc.mlir --allow-unregistered-dialect --import-stablehlo --raf-cpu=libraries=dnnl -o /dev/null

// The backward pass uses the operators of the forward pass: their statistics and weights, not what they were computed from.
// TRANSFORMER-LABEL: func.func @main
// TRANSFORMER-NOT: stablehlo
// TRANSFORMER-NOT: raf.rsqrt
// TRANSFORMER: raf.layer_norm
// TRANSFORMER: %[[WEIGHTS:.+]] = raf.softmax %{{.+}} axis = 3
// TRANSFORMER: raf.layer_norm
// TRANSFORMER: %[[X:.+]] = raf.add %{{.+}} : tensor<2x16x128xf32>
// TRANSFORMER: raf.gelu erf %[[X]]
// TRANSFORMER: raf.layer_norm
// TRANSFORMER: raf.softmax
// TRANSFORMER: raf.layer_norm
// TRANSFORMER: raf.gelu
// TRANSFORMER-NOT: raf.rsqrt
// TRANSFORMER: raf.erf
// TRANSFORMER: raf.mul %{{.+}}, %[[WEIGHTS]]
// TRANSFORMER-NOT: raf.rsqrt
// TRANSFORMER: return

// RESNET-LABEL: func.func @main
// RESNET-NOT: stablehlo
// RESNET: raf.conv
// RESNET: raf.max_pool
// RESNET: return
