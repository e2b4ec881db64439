// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointwise functions by their values: what a framework writes in many ways, with polynomials and branches for accuracy, is recognized by what it computes.
#ifndef RAF_PASSES_RAISE_EVALUATE_H
#define RAF_PASSES_RAISE_EVALUATE_H

#include "dialects/raf/Ops.h"

namespace mlir::raf::raise {

/// A value as a function of one variable, element by element, and of at most one other value that does not depend on it.
class PointwiseFunction {
public:
  /// Null if `value` is no such function, or one of more ops than are looked at.
  static std::optional<PointwiseFunction> of(Value value, Value variable);

  /// The other value that occurs, if any.
  Value getOther() const { return other; }
  size_t getNumOps() const { return ops.size(); }
  /// The result for numbers in place of the variable and of the other value; NaN where that is not known.
  double operator()(double variable, double other = 0.0) const;
  /// Whether the results are those of `expected` for numbers from -8 to 8, but for rounding in single precision.
  bool equals(function_ref<double(double)> expected, double other = 0.0) const;

private:
  bool collect(Value value);
  bool depends(Value value) const { return value == variable || llvm::is_contained(dependent, value.getDefiningOp()); }

  Value result, variable, other;
  /// The ops between, in an order in which they can be computed.
  SmallVector<Operation *> ops;
  llvm::SmallPtrSet<Operation *, 16> dependent;
  llvm::SmallPtrSet<Operation *, 16> seen;
};

} // namespace mlir::raf::raise

#endif // RAF_PASSES_RAISE_EVALUATE_H
