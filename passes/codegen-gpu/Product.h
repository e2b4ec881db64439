// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products, and convolutions as products, by tiles in shared memory.
#ifndef RAF_PASSES_CODEGEN_GPU_PRODUCT_H
#define RAF_PASSES_CODEGEN_GPU_PRODUCT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "passes/codegen-gpu/StagePlan.h"

namespace mlir::raf {

/// sum over the depth of a[row, depth] * b[column, depth], for each of a batch. Rows, columns and the depth may each be several loops, and loops of the depth may move along with rows
/// in a (the window of a convolution).
struct Product {
  const OpPlan *op = nullptr;
  unsigned a = 0, b = 1; // numbers of the inputs
  Value start;   // scalar
  SmallVector<Axis> batch, rows, columns, depth;
  int64_t numBatch = 1, numRows = 1, numColumns = 1, numDepth = 1;
  SmallVector<const OpPlan *> epilogue; // pointwise ops of the same stage, in order
  bool tensorCores = false;
  bool warpgroups = false; // by wgmma.mma_async
  // Results and threads of a block.
  int64_t tileRows = 0, tileColumns = 0, threads = 0;
  int64_t dynamicShared = 0; // bytes of shared memory that its launch has to ask for

  int64_t across() const { return llvm::divideCeil(numColumns, tileColumns); }
  int64_t down() const { return llvm::divideCeil(numRows, tileRows); }
  int64_t blocks() const { return numBatch * across() * down(); }
  /// Loops with an index.
  SmallVector<int64_t> movingLoops() const;
};

/// What kernels may use of a chip.
struct ProductFeatures {
  bool tf32 = false;  // products of f32 may round their operands to what tensor cores take
  bool wgmma = false; // instructions of warpgroups
};

/// The stage as a product that is large enough for tiles.
std::optional<Product> matchProduct(const StagePlan &plan, const ProductFeatures &features);

/// Fills the body of `func`, whose arguments are the buffers of the tensor function `kernel`.
void emitProduct(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const Product &product);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_GPU_PRODUCT_H
