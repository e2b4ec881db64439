// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_PASSES_CODEGEN_GPU_PASSES_TD
#define RAF_PASSES_CODEGEN_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def MapToGpuPass : Pass<"raf-map-to-gpu", "ModuleOp"> {
  let summary = "Turn kernels on tensors into GPU kernels: blocks and threads on buffers";
  let description = [{
    Each stage of a `func.func @kernel(tensors) -> tensors attributes {raf.kernel}` becomes a `gpu.func` of the module `@raf_kernels`, and each `raf.launch` of it becomes the
    `gpu.launch_func` of its stages, in order. Inside are only ops of gpu, memref, vector, arith, math, scf.

    A point of the kernel's tile space (see passes/fusion) is the work of one thread, or of several lanes, which share its loops and combine what they have summed by
    shuffles and in shared memory. StagePlan.h has the choice, StageEmitter.h the code. Neither depends on the device.

    ```mlir
    raf.launch @kernel_0 ins(%x : memref<1024xf32>) outs(%y : memref<1024xf32>)
    ```
    becomes
    ```mlir
    gpu.launch_func @raf_kernels::@kernel_0 blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : memref<1024xf32>, %y : memref<1024xf32>)
    ```
  }];
  let statistics = [
    Statistic<"mapped", "mapped", "Number of kernels spread over threads">,
    Statistic<"sequential", "sequential", "Number of kernels that run on one thread">,
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect", "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"];
}

def GpuToSimPass : Pass<"raf-gpu-to-sim", "ModuleOp"> {
  let summary = "Lower GPU kernels to host code for the simulated GPU";
  let description = [{
    The kernels of each `gpu.module` become functions of the LLVM dialect that runtime/cuda_sim runs thread by thread (raf_cuda_sim.h): positions are read from the thread's
    structure, barriers and shuffles are calls, workgroup memory lies in the block's shared memory. The global `raf_sim_kernels` describes the kernels; with it the module, compiled
    to an object, is an image for the simulator, which its attribute `raf.image = "sim"` says.

    `check` puts checks before each access: `bounds` compares indices with the shape of the memref, `memory` reports addresses outside allocations, misaligned ones and loads of
    what nothing has written, `races` conflicts between accesses without order. Reports name the op and its source.
  }];
  let options = [
    ListOption<"check", "check", "std::string", "Checks of accesses: bounds, memory, races, or none; without it all">,
  ];
  let statistics = [Statistic<"lowered", "lowered", "Number of kernels lowered">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect", "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def GpuToPtxPass : Pass<"raf-gpu-to-ptx", "ModuleOp"> {
  let summary = "Compile the GPU kernels of a module to PTX";
  let description = [{
    `gpu.module @raf_kernels` becomes `gpu.binary @raf_kernels` with the PTX of its kernels for one chip, by way of NVVM and LLVM; functions of libdevice are linked in. Neither CUDA nor a
    device is needed. The kernels take one pointer for each buffer.

    Indices are of 32 bits where all buffers of the module are small enough for that.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_80\"", "The chip to compile for: sm_80, sm_90, sm_90a, sm_100, sm_120 ...">,
    Option<"optLevel", "opt-level", "unsigned", "3", "LLVM's level of optimization: 0 to 3">,
  ];
  let statistics = [Statistic<"compiled", "compiled", "Number of kernels compiled">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect", "::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect", "::mlir::affine::AffineDialect"];
}

#endif // RAF_PASSES_CODEGEN_GPU_PASSES_TD
