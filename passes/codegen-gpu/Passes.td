// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_PASSES_CODEGEN_GPU_PASSES_TD
#define RAF_PASSES_CODEGEN_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def SplitReductionsPass : Pass<"raf-split-reductions", "func::FuncOp"> {
  let summary = "Make two of a reduction that has too few results to keep a device busy";
  let description = [{
    A block makes one result of a reduction along rows, or 128 neighbouring ones of columns. Where that gives fewer blocks than the device has multiprocessors, the outermost reduction
    loops are cut, so that there are up to two blocks for each, of at least 16 KiB. The parts are summed up by a second op. What no part takes, since the length has a remainder, is where
    that starts from. The result depends on nothing but the shape.

    It is done when what it saves is more than a launch: the time of a reduction is its bytes by what its blocks can read. A reduction whose result goes back to what was reduced
    (softmax, layer norm) would have been one kernel with that: it has to save three. Runs before raf-fuse, which merges parts (`raf.partial`) with nothing that leaves them fewer threads;
    what is computed for the reduction alone becomes part of it here.

    ```mlir
    %s = linalg.generic {... ["reduction"]} ins(%x : tensor<1048576xf32>) outs(%zero : tensor<f32>)
    ```
    becomes
    ```mlir
    %p = linalg.generic {... (d0 + d1 * 4096) -> (d1) ["reduction", "parallel"]} ins(%x : tensor<1048576xf32>, ...) outs(%zeros : tensor<256xf32>)
    %s = linalg.generic {... ["reduction"]} ins(%p : tensor<256xf32>) outs(%zero : tensor<f32>)
    ```
  }];
  let options = [
    Option<"units", "units", "int64_t", /*default=*/"132", "Multiprocessors of the device">,
    Option<"bytesPerNs", "bytes-per-ns", "int64_t", /*default=*/"24", "Bytes that one multiprocessor reads in a nanosecond">,
    Option<"launchNs", "launch-ns", "int64_t", /*default=*/"2000", "Nanoseconds of a launch">,
  ];
  let statistics = [Statistic<"numSplit", "split", "Number of reductions that became two">];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect", "::mlir::arith::ArithDialect"];
}

def MapToGpuPass : Pass<"raf-map-to-gpu", "ModuleOp"> {
  let summary = "Turn kernels on tensors into GPU kernels: blocks and threads on buffers";
  let description = [{
    Each stage of a `func.func @kernel(tensors) -> tensors attributes {raf.kernel}` becomes a `gpu.func` of the module `@raf_kernels`, and each `raf.launch` of it becomes the
    `gpu.launch_func` of its stages, in order. Inside are only ops of gpu, memref, vector, arith, math, scf, and those of nvgpu and nvvm that tensor cores need.

    A point of the kernel's tile space (see passes/fusion) is the work of one thread, or of several lanes, which share its loops and combine what they have summed by
    shuffles and in shared memory. StagePlan.h has the choice, StageEmitter.h the code. Neither depends on the device.

    Matrix products have tiles in shared memory. Those of bf16 and f16 use tensor cores; those of f32 only with `tf32`, which rounds their operands to 10 bits behind the leading one.
    With `wgmma` they are instructions of warpgroups.

    ```mlir
    raf.launch @kernel_0 ins(%x : memref<1024xf32>) outs(%y : memref<1024xf32>)
    ```
    becomes
    ```mlir
    gpu.launch_func @raf_kernels::@kernel_0 blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : memref<1024xf32>, %y : memref<1024xf32>)
    ```
  }];
  let options = [
    Option<"tf32", "tf32", "bool", /*default=*/"false", "Products of f32 may use tensor cores, which round their operands to TF32">,
    Option<"wgmma", "wgmma", "bool", /*default=*/"false", "Products on tensor cores may be instructions of warpgroups, which sm_90a has">,
  ];
  let statistics = [
    Statistic<"mapped", "mapped", "Number of kernels spread over threads">,
    Statistic<"sequential", "sequential", "Number of kernels that run on one thread">,
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::gpu::GPUDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect", "::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect", "::mlir::affine::AffineDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect", "::mlir::nvgpu::NVGPUDialect", "::mlir::NVVM::NVVMDialect"];
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
