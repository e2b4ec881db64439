// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products inside a generic: which loops are rows, columns and depth, and the blocks in which they are computed.
#ifndef RAF_PASSES_CODEGEN_CPU_CONTRACTION_H
#define RAF_PASSES_CODEGEN_CPU_CONTRACTION_H

#include "passes/codegen-cpu/TilePlan.h"

namespace mlir::raf {

/// How products of bf16 are summed: widened to f32 and one by one; by the instruction that adds the products of two pairs (AVX-512 BF16); or by the arithmetic
/// that this instruction stands for, so that its code runs anywhere.
enum class PairedDot { none, native, emulated };

/// What blocks are chosen for. The choice of blocks never changes a result: each element is summed in the order of its depth, whatever the blocks are.
struct CpuModel {
  int64_t vectorBits, registers, l1Bytes, l2Bytes, threads;
  PairedDot pairedDot = PairedDot::none;
  /// The blocks (Blocks.h) of products that do not name theirs.
  StringRef blocks = {};
  /// Results that are as large are written past the caches.
  int64_t streamBytes = 0;
  /// The CPU of this process; fields that are not 0 in `given` stay.
  static CpuModel host(CpuModel given);
  /// Whether the CPU of this process has the instruction that adds products of pairs.
  static bool hostHasPairedDot();
  /// Whether it multiplies tiles of bf16 (AMX), for which there is no generated code.
  static bool hostHasTiles();
};

/// An op that computes y[.., m, n] += a[.., m, k] * b[.., k, n] for one loop each of m, n and k. Its other loops run around that product.
struct Contraction {
  linalg::GenericOp op;
  int64_t m, n, k;        // loops of the op
  unsigned lhs, rhs;      // numbers of the inputs
  FloatType accumulator;  // inputs may be narrower
  std::optional<Value> start; // the scalar that y is filled with, where a fill of the same kernel does so
};

/// None where the op is no such product of floats, or too thin for it to pay.
std::optional<Contraction> matchContraction(linalg::GenericOp op, const TileSpace &space);

struct ContractionPlan {
  int64_t lanes;              // of a vector
  int64_t rows, columns;      // of the block of y that is summed in registers
  int64_t tileRows, tileColumns; // of a tile
  int64_t depth;              // of the packed parts of a and b
  PairedDot dot;              // unless none, packed elements are pairs of bf16 that follow each other along the depth
};

/// The multiplications that blocks of an m x n product do, over those that it has: rows and columns that fill up the last ones are computed too.
double fillOfBlocks(int64_t m, int64_t n, int64_t bytes, const CpuModel &cpu);

ContractionPlan planContraction(Contraction product, const CpuModel &cpu);

/// Tiles of the space of a kernel with that product: `tileRows` by `tileColumns`, one by one along all other dimensions.
TilePlan planTiles(const TileSpace &space, Contraction product, const ContractionPlan &plan, const CpuModel &cpu);

/// Whether element index + 1 along the loop is the next one in memory.
bool isContiguous(AffineMap map, int64_t loop);

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_CONTRACTION_H
