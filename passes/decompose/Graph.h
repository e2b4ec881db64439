// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Short names for building the simple raf ops that decompositions are made of.
#ifndef PASSES_DECOMPOSE_GRAPH_H
#define PASSES_DECOMPOSE_GRAPH_H

#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"

namespace mlir::raf {

class Graph {
public:
  Graph(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  static RankedTensorType type(Value x) { return llvm::cast<RankedTensorType>(x.getType()); }
  /// The type of x with another element type.
  static RankedTensorType typeAs(Value x, Type element) { return type(x).clone(element); }
  /// The element type in which decompositions compute: f32 for 16-bit floats.
  static Type computeType(Type element);

  Value constant(double value, RankedTensorType type);
  /// A constant of the type of x.
  Value like(Value x, double value) { return constant(value, type(x)); }

  template <typename Op>
  Value unary(Value x) {
    return Op::create(builder, loc, x);
  }
  template <typename Op>
  Value binary(Value a, Value b) {
    return Op::create(builder, loc, a, b);
  }
  Value neg(Value x) { return unary<NegOp>(x); }
  Value exp(Value x) { return unary<ExpOp>(x); }
  Value log(Value x) { return unary<LogOp>(x); }
  Value sqrt(Value x) { return unary<SqrtOp>(x); }
  Value add(Value a, Value b) { return binary<AddOp>(a, b); }
  Value sub(Value a, Value b) { return binary<SubOp>(a, b); }
  Value mul(Value a, Value b) { return binary<MulOp>(a, b); }
  Value div(Value a, Value b) { return binary<DivOp>(a, b); }
  Value logicalAnd(Value a, Value b) { return binary<AndOp>(a, b); }
  Value add(Value a, double b) { return add(a, like(a, b)); }
  Value mul(Value a, double b) { return mul(a, like(a, b)); }
  Value div(Value a, double b) { return div(a, like(a, b)); }
  /// value - x.
  Value rsub(double value, Value x) { return sub(like(x, value), x); }

  Value compare(CompareKind kind, Value a, Value b) { return CompareOp::create(builder, loc, kind, a, b); }
  Value compare(CompareKind kind, Value a, double b) { return compare(kind, a, like(a, b)); }
  Value select(Value p, Value a, Value b) { return SelectOp::create(builder, loc, p, a, b); }
  /// x itself where it has the element type already.
  Value cast(Value x, Type element);
  /// x in the type in which decompositions compute.
  Value widen(Value x) { return cast(x, computeType(type(x).getElementType())); }

  Value reduce(ReduceKind kind, Value x, ArrayRef<int64_t> dims) { return ReduceOp::create(builder, loc, kind, x, dims); }
  Value sum(Value x, ArrayRef<int64_t> dims) { return reduce(ReduceKind::sum, x, dims); }
  /// Dimension k of x becomes dimension dims[k] of `shape`.
  Value broadcast(Value x, ArrayRef<int64_t> dims, ArrayRef<int64_t> shape);
  /// A 0-d tensor replicated to the shape of `target`.
  Value splat(Value scalar, Value target) { return broadcast(scalar, {}, type(target).getShape()); }
  Value reshape(Value x, ArrayRef<int64_t> shape);
  Value iota(int64_t dim, RankedTensorType type) { return IotaOp::create(builder, loc, type, dim); }
  Value matmul(Value a, Value b, bool transposeRhs = false) { return MatmulOp::create(builder, loc, a, b, /*transpose_lhs=*/false, transposeRhs); }

  OpBuilder &builder;
  Location loc;
};

/// The dimensions 0 .. rank - 1 without `axis`.
SmallVector<int64_t> dimsWithout(int64_t axis, int64_t rank);
/// The dimensions begin .. end - 1.
SmallVector<int64_t> dimRange(int64_t begin, int64_t end);

// One function a family, called by registerDecomposeExtensions.
void attachContractionDecompositions(MLIRContext *context);
void attachElementwiseDecompositions(MLIRContext *context);
void attachLossDecompositions(MLIRContext *context);
void attachNormDecompositions(MLIRContext *context);
void attachOptimizerDecompositions(MLIRContext *context);
void attachRandomDecompositions(MLIRContext *context);

/// An external model whose rule is a function `SmallVector<Value> rule(Op, Graph &)`.
template <typename Op, SmallVector<Value> (*rule)(Op, Graph &)>
struct Decomposition : DecomposableOpInterface::ExternalModel<Decomposition<Op, rule>, Op> {
  FailureOr<SmallVector<Value>> decompose(Operation *op, OpBuilder &builder) const {
    Graph graph(builder, op->getLoc());
    return rule(llvm::cast<Op>(op), graph);
  }
};

} // namespace mlir::raf

#endif // PASSES_DECOMPOSE_GRAPH_H
