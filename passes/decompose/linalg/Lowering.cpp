// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/linalg/Lowering.h"

#include <cmath>

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::lower;

RankedTensorType lower::storageType(RankedTensorType type) {
  return type.getElementType().isInteger(1) ? type.clone(IntegerType::get(type.getContext(), 8)) : type;
}

TypedAttr lower::splatOf(Value tensor) {
  auto constant = tensor.getDefiningOp<ConstantOp>();
  auto splat = constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : SplatElementsAttr();
  return splat ? cast<TypedAttr>(splat.getSplatValue<Attribute>()) : TypedAttr();
}

Value lower::empty(OpBuilder &b, Location loc, RankedTensorType type) { return tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType()); }

Value lower::filled(OpBuilder &b, Location loc, RankedTensorType type, TypedAttr scalar) {
  if (type.getNumElements() == 0)
    return empty(b, loc, type);
  Value value = arith::ConstantOp::create(b, loc, scalar);
  return linalg::FillOp::create(b, loc, value, empty(b, loc, type)).getResult(0);
}

Value lower::filled(OpBuilder &b, Location loc, RankedTensorType type, double scalar) { return filled(b, loc, type, scalarAttr(type.getElementType(), scalar)); }

Value lower::mapElements(OpBuilder &b, Location loc, RankedTensorType type, ArrayRef<Access> reads, ScalarBody body) {
  if (type.getNumElements() == 0)
    return empty(b, loc, type);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<TypedAttr> splats;
  for (const Access &read : reads) {
    splats.push_back(splatOf(read.tensor));
    if (splats.back())
      continue;
    inputs.push_back(read.tensor);
    maps.push_back(read.map);
  }
  maps.push_back(b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(), utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(b, loc, TypeRange{type}, inputs, ValueRange{empty(b, loc, type)}, maps, iterators,
                                      [&](OpBuilder &nested, Location nestedLoc, ValueRange args) {
                                        ImplicitLocOpBuilder ib(nestedLoc, nested);
                                        SmallVector<Value> scalars;
                                        for (TypedAttr splat : splats)
                                          if (splat) {
                                            scalars.push_back(arith::ConstantOp::create(ib, splat));
                                          } else {
                                            scalars.push_back(args.front());
                                            args = args.drop_front();
                                          }
                                        linalg::YieldOp::create(ib, body(ib, scalars));
                                      });
  return op.getResult(0);
}

SmallVector<Value> lower::accumulate(OpBuilder &b, Location loc, ArrayRef<Access> reads, ArrayRef<Access> inits, ArrayRef<utils::IteratorType> iterators,
                                     ScalarsBody body) {
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> maps;
  auto isEmpty = [](const Access &access) { return tensorType(access.tensor).getNumElements() == 0; };
  if (llvm::any_of(reads, isEmpty) || llvm::any_of(inits, isEmpty))
    return llvm::map_to_vector(inits, [](const Access &init) { return init.tensor; });
  for (const Access &read : reads) {
    inputs.push_back(read.tensor);
    maps.push_back(read.map);
  }
  for (const Access &init : inits) {
    outputs.push_back(init.tensor);
    maps.push_back(init.map);
  }
  auto op = linalg::GenericOp::create(b, loc, TypeRange(ValueRange(outputs)), inputs, outputs, maps, iterators, [&](OpBuilder &nested, Location nestedLoc, ValueRange args) {
    ImplicitLocOpBuilder ib(nestedLoc, nested);
    linalg::YieldOp::create(ib, body(ib, args));
  });
  return llvm::to_vector_of<Value>(op.getResults());
}

Type lower::computeType(Type element) { return element.isBF16() || element.isF16() ? Float32Type::get(element.getContext()) : element; }

Value lower::widen(ImplicitLocOpBuilder &b, Value value) {
  Type type = computeType(value.getType());
  return type == value.getType() ? value : arith::ExtFOp::create(b, type, value).getResult();
}

Value lower::narrow(ImplicitLocOpBuilder &b, Value value, Type element) {
  return element == value.getType() ? value : arith::TruncFOp::create(b, element, value).getResult();
}

Value lower::convertTensor(OpBuilder &b, Location loc, Value tensor, Type element) {
  RankedTensorType type = tensorType(tensor);
  if (type.getElementType() == element)
    return tensor;
  return mapElements(b, loc, type.clone(element), {{tensor, b.getMultiDimIdentityMap(type.getRank())}},
                     [&](ImplicitLocOpBuilder &ib, ValueRange args) { return castScalar(ib, args[0], element); });
}

TypedAttr lower::scalarAttr(Type type, double value) {
  if (isa<FloatType>(type))
    return FloatAttr::get(type, value);
  return IntegerAttr::get(type, APInt(type.getIntOrFloatBitWidth(), static_cast<uint64_t>(static_cast<int64_t>(value)), /*isSigned=*/false, /*implicitTrunc=*/true));
}

Value lower::scalar(ImplicitLocOpBuilder &b, Type type, double value) { return arith::ConstantOp::create(b, scalarAttr(type, value)); }

// Truncation toward zero. What is outside the range becomes the nearest end of it and NaN becomes 0: the instruction itself leaves them undefined.
static Value floatToInt(ImplicitLocOpBuilder &b, Value x, Type to, bool isUnsigned) {
  unsigned width = to.getIntOrFloatBitWidth();
  Type from = x.getType();
  APInt least = isUnsigned ? APInt::getZero(width) : APInt::getSignedMinValue(width), most = isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  auto number = [&](const APInt &value) -> Value { return arith::ConstantOp::create(b, IntegerAttr::get(to, value)); };
  // Both limits are powers of two, or 0: exact in every float type that is computed in.
  Value low = scalar(b, from, isUnsigned ? 0.0 : -std::ldexp(1.0, width - 1)), high = scalar(b, from, std::ldexp(1.0, isUnsigned ? width : width - 1));
  Value above = arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, x, low), below = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, high);
  Value inside = arith::SelectOp::create(b, arith::AndIOp::create(b, above, below), x, scalar(b, from, 0.0));
  Value y = isUnsigned ? arith::FPToUIOp::create(b, to, inside).getResult() : arith::FPToSIOp::create(b, to, inside).getResult();
  y = arith::SelectOp::create(b, arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, x, high), number(most), y);
  return isUnsigned ? y : arith::SelectOp::create(b, arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, low), number(least), y).getResult();
}

Value lower::castScalar(ImplicitLocOpBuilder &b, Value x, Type to, bool isUnsigned) {
  Type from = x.getType();
  if (from == to)
    return x;
  if (auto fromFloat = dyn_cast<FloatType>(from)) {
    if (to.isInteger(1))
      return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, x, scalar(b, from, 0.0));
    if (isa<IntegerType>(to))
      return floatToInt(b, widen(b, x), to, isUnsigned);
    // Between the two 16-bit formats the way is through f32.
    Value wide = widen(b, x);
    unsigned width = cast<FloatType>(wide.getType()).getWidth(), toWidth = cast<FloatType>(to).getWidth();
    return toWidth > width ? arith::ExtFOp::create(b, to, wide).getResult() : narrow(b, wide, to);
  }
  bool zeroExtend = isUnsigned || from.isInteger(1);
  if (isa<FloatType>(to)) {
    Type compute = computeType(to);
    Value y = zeroExtend ? arith::UIToFPOp::create(b, compute, x).getResult() : arith::SIToFPOp::create(b, compute, x).getResult();
    return narrow(b, y, to);
  }
  if (to.isInteger(1))
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, x, scalar(b, from, 0.0));
  if (to.getIntOrFloatBitWidth() < from.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(b, to, x);
  return zeroExtend ? arith::ExtUIOp::create(b, to, x).getResult() : arith::ExtSIOp::create(b, to, x).getResult();
}

TypedAttr lower::neutral(ReduceKind kind, Type type) {
  if (kind == ReduceKind::sum || kind == ReduceKind::prod)
    return scalarAttr(type, kind == ReduceKind::sum ? 0.0 : 1.0);
  bool isMax = kind == ReduceKind::max;
  if (auto floatType = dyn_cast<FloatType>(type))
    return FloatAttr::get(type, APFloat::getInf(floatType.getFloatSemantics(), /*Negative=*/isMax));
  unsigned width = type.getIntOrFloatBitWidth();
  return IntegerAttr::get(type, isMax ? APInt::getSignedMinValue(width) : APInt::getSignedMaxValue(width));
}

template <typename FloatOp, typename IntOp>
static Value floatOrInt(ImplicitLocOpBuilder &b, Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return FloatOp::create(b, x, y);
  return IntOp::create(b, x, y);
}

Value lower::combine(ImplicitLocOpBuilder &b, ReduceKind kind, Value acc, Value x) {
  switch (kind) {
  case ReduceKind::sum:
    return floatOrInt<arith::AddFOp, arith::AddIOp>(b, acc, x);
  case ReduceKind::prod:
    return floatOrInt<arith::MulFOp, arith::MulIOp>(b, acc, x);
  case ReduceKind::max:
    return floatOrInt<arith::MaximumFOp, arith::MaxSIOp>(b, acc, x);
  case ReduceKind::min:
    return floatOrInt<arith::MinimumFOp, arith::MinSIOp>(b, acc, x);
  }
  llvm_unreachable("kind of reduction");
}

Value lower::index(ImplicitLocOpBuilder &b, int64_t value) { return arith::ConstantIndexOp::create(b, value); }

Value lower::loopIndex(ImplicitLocOpBuilder &b, int64_t dim) { return linalg::IndexOp::create(b, dim); }

SmallVector<Value> lower::loopIndices(ImplicitLocOpBuilder &b, int64_t rank) {
  SmallVector<Value> indices;
  for (int64_t dim = 0; dim < rank; ++dim)
    indices.push_back(loopIndex(b, dim));
  return indices;
}

Value lower::clampIndex(ImplicitLocOpBuilder &b, Value integer, int64_t size) {
  Value position = arith::IndexCastOp::create(b, b.getIndexType(), integer);
  position = arith::MaxSIOp::create(b, position, index(b, 0));
  return arith::MinSIOp::create(b, position, index(b, size - 1));
}

Value lower::inBounds(ImplicitLocOpBuilder &b, Value position, int64_t size) {
  // A negative position is a large one when read as unsigned.
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, position, index(b, size));
}

Value lower::conjunction(ImplicitLocOpBuilder &b, Value p, Value q) {
  if (!p || !q)
    return p ? p : q;
  return arith::AndIOp::create(b, p, q);
}

Value lower::guarded(ImplicitLocOpBuilder &b, Value condition, Value otherwise, function_ref<Value(ImplicitLocOpBuilder &)> body) {
  if (!condition)
    return body(b);
  auto branch = scf::IfOp::create(b, TypeRange{otherwise.getType()}, condition, /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, body(b));
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, otherwise);
  }
  return branch.getResult(0);
}
