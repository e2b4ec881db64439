// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_PASSES_CODEGEN_GPU_PASSES_TD
#define RAF_PASSES_CODEGEN_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

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

#endif // RAF_PASSES_CODEGEN_GPU_PASSES_TD
