// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the patterns of raf-raise are written in.
#ifndef RAF_PASSES_RAISE_MATCH_H
#define RAF_PASSES_RAISE_MATCH_H

#include "dialects/raf/Ops.h"

namespace mlir::raf::raise {

/// The number that all elements of a constant equal, through broadcasts.
std::optional<double> splatOf(Value value);
/// Equal but for rounding to a narrower type.
bool isClose(double a, double b);
bool isSplatClose(Value value, double number);

/// A product: its constant times its factors, with signs, divisions by constants and nested products resolved.
struct Product {
  double constant = 1.0;
  SmallVector<Value> factors;
  /// Takes `value` out once; false if it is no factor.
  bool take(Value value);
};
Product productOf(Value value);

/// The operands of a sum when one of them is a constant: the other and the number.
std::optional<std::pair<Value, double>> plusConstant(Value value);

/// x if the value is x replicated along `dims` of its own shape (the other dimensions are those of x, in order), or null.
Value replicated(Value value, ArrayRef<int64_t> dims);
/// x if the value is x, with the shape of the dimensions from `axis` on, replicated along those before it.
Value replicatedBefore(Value value, int64_t axis);

/// x if the value is its mean over dims, which are set; or null.
Value meanOf(Value value, SmallVectorImpl<int64_t> &dims);
/// x if the value is the square of x.
Value squareOf(Value value);

/// x if the value is log(sum(exp(x))) along `axis`, which is set, without the dimension or with size 1 in it; or null.
Value logSumExpOf(Value value, int64_t &axis);

inline RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

} // namespace mlir::raf::raise

#endif // RAF_PASSES_RAISE_MATCH_H
