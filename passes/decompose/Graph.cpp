// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/decompose/Graph.h"

using namespace mlir;
using namespace mlir::raf;

Type Graph::computeType(Type element) { return element.isBF16() || element.isF16() ? Float32Type::get(element.getContext()) : element; }

Value Graph::constant(double value, RankedTensorType type) {
  Attribute element = isa<FloatType>(type.getElementType()) ? Attribute(builder.getFloatAttr(type.getElementType(), value))
                                                            : Attribute(builder.getIntegerAttr(type.getElementType(), static_cast<int64_t>(value)));
  return ConstantOp::create(builder, loc, SplatElementsAttr::get(type, element));
}

Value Graph::cast(Value x, Type element) { return type(x).getElementType() == element ? x : CastOp::create(builder, loc, typeAs(x, element), x).getY(); }

Value Graph::broadcast(Value x, ArrayRef<int64_t> dims, ArrayRef<int64_t> shape) {
  auto result = RankedTensorType::get(shape, type(x).getElementType());
  return result == x.getType() ? x : BroadcastOp::create(builder, loc, result, x, dims).getY();
}

Value Graph::reshape(Value x, ArrayRef<int64_t> shape) {
  auto result = RankedTensorType::get(shape, type(x).getElementType());
  return result == x.getType() ? x : ReshapeOp::create(builder, loc, result, x).getY();
}

SmallVector<int64_t> mlir::raf::dimRange(int64_t begin, int64_t end) {
  SmallVector<int64_t> dims;
  for (int64_t dim = begin; dim < end; ++dim)
    dims.push_back(dim);
  return dims;
}

SmallVector<int64_t> mlir::raf::dimsWithout(int64_t axis, int64_t rank) {
  SmallVector<int64_t> dims = dimRange(0, axis);
  llvm::append_range(dims, dimRange(axis + 1, rank));
  return dims;
}
