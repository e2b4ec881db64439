// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes raf ops as formulas: builds them at one location and folds what folds at once, so that rules emit no identities.
#ifndef RAF_DIALECTS_RAF_TENSORBUILDER_H
#define RAF_DIALECTS_RAF_TENSORBUILDER_H

#include "dialects/raf/Ops.h"
#include "mlir/IR/Builders.h"

namespace mlir::raf {

class TensorBuilder {
public:
  TensorBuilder(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  OpBuilder &getBuilder() { return builder; }
  Location getLoc() const { return loc; }
  static RankedTensorType typeOf(Value value) { return llvm::cast<RankedTensorType>(value.getType()); }

  /// The op, or what it folds to.
  template <typename Op, typename... Args>
  Value fold(Args &&...args) {
    return builder.createOrFold<Op>(loc, std::forward<Args>(args)...);
  }
  template <typename Op, typename... Args>
  Op create(Args &&...args) {
    return Op::create(builder, loc, std::forward<Args>(args)...);
  }

  //===-- constants ----------------------------------------------------------------------------------------------===//

  /// A tensor with all elements equal to value, rounded to the element type.
  Value splat(Type type, double value);
  Value splatLike(Value like, double value) { return splat(like.getType(), value); }
  Value zeros(Type type) { return splat(type, 0.0); }
  Value iota(RankedTensorType type, int64_t dim) { return create<IotaOp>(type, dim); }

  //===-- pointwise ----------------------------------------------------------------------------------------------===//

  Value add(Value a, Value b) { return fold<AddOp>(a, b); }
  Value sub(Value a, Value b) { return fold<SubOp>(a, b); }
  Value mul(Value a, Value b) { return fold<MulOp>(a, b); }
  Value div(Value a, Value b) { return fold<DivOp>(a, b); }
  Value maximum(Value a, Value b) { return fold<MaximumOp>(a, b); }
  Value minimum(Value a, Value b) { return fold<MinimumOp>(a, b); }
  Value add(Value a, double b) { return add(a, splatLike(a, b)); }
  Value sub(Value a, double b) { return sub(a, splatLike(a, b)); }
  Value sub(double a, Value b) { return sub(splatLike(b, a), b); }
  Value mul(Value a, double b) { return mul(a, splatLike(a, b)); }
  Value div(Value a, double b) { return div(a, splatLike(a, b)); }
  Value div(double a, Value b) { return div(splatLike(b, a), b); }
  Value neg(Value x) { return fold<NegOp>(x); }
  Value abs(Value x) { return fold<AbsOp>(x); }
  Value exp(Value x) { return fold<ExpOp>(x); }
  Value log(Value x) { return fold<LogOp>(x); }
  Value log1p(Value x) { return fold<Log1pOp>(x); }
  Value sqrt(Value x) { return fold<SqrtOp>(x); }
  Value rsqrt(Value x) { return fold<RsqrtOp>(x); }
  Value tanh(Value x) { return fold<TanhOp>(x); }
  Value erf(Value x) { return fold<ErfOp>(x); }
  Value square(Value x) { return mul(x, x); }
  Value pow(Value a, Value b) { return fold<PowOp>(a, b); }
  Value logicalAnd(Value a, Value b) { return fold<AndOp>(a, b); }
  Value compare(CompareKind kind, Value a, Value b) { return fold<CompareOp>(kind, a, b); }
  Value compare(CompareKind kind, Value a, double b) { return compare(kind, a, splatLike(a, b)); }
  Value select(Value pred, Value onTrue, Value onFalse) { return fold<SelectOp>(onTrue.getType(), pred, onTrue, onFalse); }
  /// The same shape with another element type.
  Value cast(Value x, Type element) { return fold<CastOp>(typeOf(x).clone(element), x); }
  /// The element type in which formulas of several steps are computed: f32 for 16-bit floats.
  static Type computeType(Type element) { return element.isBF16() || element.isF16() ? Float32Type::get(element.getContext()) : element; }
  /// x in the type in which formulas are computed.
  Value widen(Value x) { return cast(x, computeType(typeOf(x).getElementType())); }

  //===-- shape --------------------------------------------------------------------------------------------------===//

  Value broadcast(Value x, Type type, ArrayRef<int64_t> dims) { return fold<BroadcastOp>(type, x, dims); }
  /// x, whose dimension k becomes dimension dims[k], replicated to the shape of `like`.
  Value broadcastLike(Value x, Value like, ArrayRef<int64_t> dims) { return broadcast(x, typeOf(x).clone(typeOf(like).getShape()), dims); }
  Value reshape(Value x, ArrayRef<int64_t> shape) { return fold<ReshapeOp>(RankedTensorType::get(shape, typeOf(x).getElementType()), x); }
  Value reshapeLike(Value x, Value like) { return reshape(x, typeOf(like).getShape()); }
  Value transpose(Value x, ArrayRef<int64_t> permutation) { return fold<TransposeOp>(x, permutation); }
  Value slice(Value x, ArrayRef<int64_t> starts, ArrayRef<int64_t> limits, ArrayRef<int64_t> strides) { return fold<SliceOp>(x, starts, limits, strides); }
  Value pad(Value x, ArrayRef<int64_t> low, ArrayRef<int64_t> high, ArrayRef<int64_t> interior, double value = 0.0) {
    return fold<PadOp>(x, low, high, interior, APFloat(value));
  }

  //===-- reductions and products --------------------------------------------------------------------------------===//

  Value reduce(ReduceKind kind, Value x, ArrayRef<int64_t> dims) { return fold<ReduceOp>(kind, x, dims); }
  Value sum(Value x, ArrayRef<int64_t> dims) { return reduce(ReduceKind::sum, x, dims); }
  /// Sum over dims divided by the number of elements that each sum has.
  Value mean(Value x, ArrayRef<int64_t> dims);
  /// x, the shape of a reduction of `type` over dims, replicated along dims.
  Value unreduce(Value x, Type type, ArrayRef<int64_t> dims);
  Value matmul(Value a, Value b, bool transposeA = false, bool transposeB = false) { return fold<MatmulOp>(a, b, transposeA, transposeB); }
  /// The product in the type of its sums: f32 of 16-bit floats.
  Value wideMatmul(Value a, Value b, bool transposeA = false, bool transposeB = false);

private:
  OpBuilder &builder;
  Location loc;
};

/// The dimensions of [0, rank) that dims does not name.
SmallVector<int64_t> otherDims(int64_t rank, ArrayRef<int64_t> dims);
/// [first, last).
SmallVector<int64_t> dimRange(int64_t first, int64_t last);

} // namespace mlir::raf

#endif // RAF_DIALECTS_RAF_TENSORBUILDER_H
