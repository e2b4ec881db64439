// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lowerings share: generics over the elements of a result, scalars in the type of arithmetic, bounds.
#ifndef PASSES_DECOMPOSE_LINALG_LOWERING_H
#define PASSES_DECOMPOSE_LINALG_LOWERING_H

#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::raf::lower {

using Ints = ArrayRef<int64_t>;
/// Builds the scalars of a body; its arguments are those of the generic.
using ScalarBody = function_ref<Value(ImplicitLocOpBuilder &, ValueRange)>;
using ScalarsBody = function_ref<SmallVector<Value>(ImplicitLocOpBuilder &, ValueRange)>;

/// The type that a tensor has after the lowering: i1 is stored as i8 (0 or 1), since loops over bits are not vectorized, and LLVM's lowering of memref.store refuses them.
RankedTensorType storageType(RankedTensorType type);
inline RankedTensorType storageType(Value x) { return storageType(cast<RankedTensorType>(x.getType())); }
inline RankedTensorType tensorType(Value x) { return cast<RankedTensorType>(x.getType()); }

/// A tensor and the element of it that an iteration reads or writes.
struct Access {
  Value tensor;
  AffineMap map;
};

/// The scalar that all elements of a constant tensor equal, or null.
TypedAttr splatOf(Value tensor);

/// A tensor.empty of the type.
Value empty(OpBuilder &b, Location loc, RankedTensorType type);
/// A tensor with all elements equal to the scalar.
Value filled(OpBuilder &b, Location loc, RankedTensorType type, TypedAttr scalar);
/// filled() with a number converted to the element type.
Value filled(OpBuilder &b, Location loc, RankedTensorType type, double scalar);

/// A generic with one parallel loop a dimension of `type`; the body gives the element at the indices of the loops. Splat constants among the reads become
/// constants of the body.
Value mapElements(OpBuilder &b, Location loc, RankedTensorType type, ArrayRef<Access> reads, ScalarBody body);

/// A generic that accumulates into `inits` (their maps say over which dimensions). The body's arguments are the reads, then the accumulators.
SmallVector<Value> accumulate(OpBuilder &b, Location loc, ArrayRef<Access> reads, ArrayRef<Access> inits, ArrayRef<utils::IteratorType> iterators, ScalarsBody body);

/// sum of lhs * rhs over the reduction loops, a tensor of the given type, in place of `op`, whose choice of blocks it keeps. 16-bit floats accumulate in f32.
Value multiplyAdd(OpBuilder &b, Operation *op, Access lhs, Access rhs, AffineMap result, RankedTensorType type, ArrayRef<utils::IteratorType> iterators);

/// The type of arithmetic on an element type: f32 for 16-bit floats.
Type computeType(Type element);
/// The scalar in the type of arithmetic, and back in a storage type.
Value widen(ImplicitLocOpBuilder &b, Value scalar);
Value narrow(ImplicitLocOpBuilder &b, Value scalar, Type element);
/// The tensor converted to another float type; itself if it has that type.
Value convertTensor(OpBuilder &b, Location loc, Value tensor, Type element);

/// The scalar conversion of raf.cast; integers of more than one bit are unsigned on request.
Value castScalar(ImplicitLocOpBuilder &b, Value scalar, Type to, bool isUnsigned = false);
/// A scalar constant of a float or integer type.
Value scalar(ImplicitLocOpBuilder &b, Type type, double value);
TypedAttr scalarAttr(Type type, double value);
/// The value at which a reduction starts.
TypedAttr neutral(ReduceKind kind, Type type);
/// One step of a reduction in the type of arithmetic.
Value combine(ImplicitLocOpBuilder &b, ReduceKind kind, Value acc, Value x);

/// Index arithmetic.
Value index(ImplicitLocOpBuilder &b, int64_t value);
Value loopIndex(ImplicitLocOpBuilder &b, int64_t dim);
SmallVector<Value> loopIndices(ImplicitLocOpBuilder &b, int64_t rank);
/// The signed integer as an index clamped into [0, size).
Value clampIndex(ImplicitLocOpBuilder &b, Value integer, int64_t size);
/// 0 <= position < size.
Value inBounds(ImplicitLocOpBuilder &b, Value position, int64_t size);
/// condition ? body : otherwise, the body being evaluated only where the condition holds; a null condition always holds.
Value guarded(ImplicitLocOpBuilder &b, Value condition, Value otherwise, function_ref<Value(ImplicitLocOpBuilder &)> body);
Value conjunction(ImplicitLocOpBuilder &b, Value p, Value q);

// One function a family, called by raf-convert-to-linalg.
void populateContraction(const TypeConverter &types, RewritePatternSet &patterns, bool views);
void populateConv(const TypeConverter &types, RewritePatternSet &patterns);
void populateElementwise(const TypeConverter &types, RewritePatternSet &patterns);
void populateIndexing(const TypeConverter &types, RewritePatternSet &patterns);
void populatePool(const TypeConverter &types, RewritePatternSet &patterns);
void populateRandom(const TypeConverter &types, RewritePatternSet &patterns);
void populateReduction(const TypeConverter &types, RewritePatternSet &patterns);
void populateShape(const TypeConverter &types, RewritePatternSet &patterns);

} // namespace mlir::raf::lower

#endif // PASSES_DECOMPOSE_LINALG_LOWERING_H
