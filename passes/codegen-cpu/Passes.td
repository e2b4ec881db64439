// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef RAF_PASSES_CODEGEN_CPU_PASSES_TD
#define RAF_PASSES_CODEGEN_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def SpecializeKernelsPass : Pass<"raf-specialize-kernels", "ModuleOp"> {
  let summary = "Give launches that work in place a kernel that says so";
  let description = [{
    A launch on buffers whose input and destination are one buffer calls a copy of the kernel in which the input is the destination. Thus the arguments of
    a kernel never overlap, which is what lets loops be vectorized without run-time checks.

    ```mlir
    raf.launch @kernel_0 ins(%p, %g : memref<8xf32>, memref<8xf32>) outs(%p : memref<8xf32>) may_alias = [0, 0]
    ```
    becomes
    ```mlir
    raf.launch @kernel_0_inplace_0_0 ins(%g : memref<8xf32>) outs(%p : memref<8xf32>)
    ```
  }];
  let statistics = [Statistic<"specialized", "specialized", "Number of kernels specialized">];
  let dependentDialects = ["::mlir::raf::RAFDialect"];
}

def TileKernelsPass : Pass<"raf-tile-kernels", "ModuleOp"> {
  let summary = "Turn kernels on tensors into loops over tiles on buffers";
  let description = [{
    Each `func.func @kernel(tensors) -> tensors attributes {raf.kernel}` becomes a function on buffers that runs `@kernel_tiles(begin, end, buffers)` for all tiles through
    `raf.parallel_for`. Values that only one tile uses live in temporaries of the tile's size. See TilePlan.h for the choice of tiles and LoopNest.h for the loops.

    Matrix products, with the pointwise ops that follow them in their kernel, are computed from packed operands in vector registers (Contraction.h, ContractionNest.h). The
    options say for what machine; they change how fast a kernel is, not what it computes. Only bf16-dot decides how sums of bf16 are rounded: the instruction rounds after
    each product of a pair too, the second of the pair first.
    The attribute `raf.blocks` of a product (`narrow`, `wide`, `deep`: Blocks.h), which `raf-dispatch` gives it where other blocks than those of the model were measured to be
    faster, changes how fast it is, too, and no bit.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", "0", "Bits of a vector register (512, 256, 128); 0: of this CPU">,
    Option<"l1Bytes", "l1-bytes", "int64_t", "0", "Bytes of the first data cache; 0: of this CPU">,
    Option<"l2Bytes", "l2-bytes", "int64_t", "0", "Bytes of the second cache; 0: of this CPU">,
    Option<"bf16Dot", "bf16-dot", "std::string", "\"auto\"",
           "How products of bf16 are summed: native (an instruction of AVX-512 BF16 adds those of two pairs), emulated (by what that instruction stands for), none (widened and "
           "one by one), or auto: native where this CPU can">,
    Option<"threads", "threads", "int64_t", "0", "Threads to share the tiles of a product; 0: those of the runtime">,
    Option<"streamBytes", "stream-bytes", "int64_t", "0",
           "Results of at least as many bytes that the kernel does not read are written past the caches (x86); 0: eight times the second cache">,
    Option<"blocks", "blocks", "std::string", "", "Blocks of products without raf.blocks: narrow, wide, deep; default: those that fit the CPU">,
  ];
  let statistics = [
    Statistic<"tiled", "tiled", "Number of tiled kernels">,
    Statistic<"sequential", "sequential", "Number of kernels that run as one sequential loop nest">,
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect", "::mlir::affine::AffineDialect", "::mlir::tensor::TensorDialect",
                           "::mlir::vector::VectorDialect", "::mlir::LLVM::LLVMDialect"];
}

def ApproximateMathPass : Pass<"raf-approximate-math"> {
  let summary = "Expand f32 transcendental functions into polynomials that vectorize";
  let description = [{
    exp, expm1, log, log1p, tanh and erf of f32 become arithmetic (a few ULP; test/execute states the bounds). f64 keeps the library functions, and so do sine and cosine, which need a
    reduction of their argument that keeps the angle of large ones.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

def LowerKernelsPass : Pass<"raf-lower-kernels", "ModuleOp"> {
  let summary = "Lower kernel functions to the LLVM dialect with bare pointers";
  let description = [{
    `@kernel(memref<..>, ...)` becomes `llvm.func @kernel(!llvm.ptr, ...)`; `raf.parallel_for` becomes a direct call when it has too few tiles to share, and
    otherwise a call of `raf_rt_parallel_for` with a trampoline that unpacks the arguments.

    f32 becomes bf16 by the CPU's instruction for it (AVX-512 BF16, AVX-NE-CONVERT), for which LLVM finds a conversion of a whole vector, or by integer arithmetic. Both
    round to nearest even; the instruction of AVX-512 takes subnormal numbers for zeros.
  }];
  let options = [Option<"bf16", "bf16", "std::string", "\"auto\"", "How f32 is rounded to bf16: native (an instruction), arithmetic, or auto: as this CPU can">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def OptimizeLoopsPass : Pass<"raf-optimize-loops", "ModuleOp"> {
  let summary = "Have LLVM optimize only functions that have loops";
  let description = [{
    What runs through once (the step itself, launches, trampolines) takes half of the instructions of a module, and no time that could be saved. Such functions of the LLVM
    dialect are marked `optimize_none`, which takes LLVM the shortest way to code; those with loops go through its whole pipeline.
  }];
  let statistics = [Statistic<"straight", "straight", "Number of functions that are not optimized">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // RAF_PASSES_CODEGEN_CPU_PASSES_TD
