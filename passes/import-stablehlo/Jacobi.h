// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Jacobi rotations of all pairs at once. In a round, member k of the upper half of a dimension is paired with member k of the lower half; then the members move on as
// in a round-robin tournament, so that a sweep of n - 1 rounds meets every pair and ends in the first order.
#ifndef RAF_PASSES_IMPORT_STABLEHLO_JACOBI_H
#define RAF_PASSES_IMPORT_STABLEHLO_JACOBI_H

#include "passes/import-stablehlo/Importer.h"

namespace mlir::raf::stablehlo {

// Matrices [count, ., order] of even order.
struct Jacobi {
  TensorBuilder &b;
  int64_t count, order, half;

  Parts upper(Parts x, int64_t dim) const;
  Parts lower(Parts x, int64_t dim) const;
  /// Cosine and sine that make [[p, off], [off, q]] diagonal, all [count, half].
  std::pair<Value, Value> rotation(Value p, Value q, Value off) const;
  /// |off| and the factor of magnitude 1 that makes off that.
  std::pair<Value, Parts> turn(Parts off) const;
  /// Multiplies the lower half of a dimension by the factors, [count, half].
  Parts scaleLower(Parts x, int64_t dim, Parts factor) const;
  /// Rotates the halves of a dimension, and moves their members on.
  Parts rotate(Parts x, int64_t dim, Value cosine, Value sine) const;
  /// Runs `round` over all sweeps.
  SmallVector<Parts> sweep(SmallVector<Parts> carried, llvm::function_ref<SmallVector<Parts>(ArrayRef<Parts>)> round) const;
};

/// Above this many rows rounds would take minutes.
inline constexpr int64_t kMaxJacobiOrder = 512;

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_JACOBI_H
