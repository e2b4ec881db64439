// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/TensorBuilder.h"
#include "dialects/raf/infer/Shapes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::raf;

SmallVector<int64_t> mlir::raf::otherDims(int64_t rank, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> others;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(dims, d))
      others.push_back(d);
  return others;
}

SmallVector<int64_t> mlir::raf::dimRange(int64_t first, int64_t last) { return llvm::to_vector(llvm::seq<int64_t>(first, last)); }

Value TensorBuilder::splat(Type type, double value) {
  auto tensor = llvm::cast<RankedTensorType>(type);
  Type element = tensor.getElementType();
  Attribute scalar;
  if (auto floating = dyn_cast<FloatType>(element))
    scalar = builder.getFloatAttr(floating, value);
  else
    scalar = builder.getIntegerAttr(element, static_cast<int64_t>(value));
  return create<ConstantOp>(DenseElementsAttr::get(tensor, scalar));
}

Value TensorBuilder::mean(Value x, ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims)
    count *= typeOf(x).getDimSize(dim);
  return mul(sum(x, dims), 1.0 / static_cast<double>(count));
}

Value TensorBuilder::unreduce(Value x, Type type, ArrayRef<int64_t> dims) {
  return broadcast(x, type, otherDims(llvm::cast<RankedTensorType>(type).getRank(), dims));
}

Value TensorBuilder::wideMatmul(Value a, Value b, bool transposeA, bool transposeB) {
  MaybeType type = inferMatmul(loc, typeOf(a), typeOf(b), transposeA, transposeB);
  return create<MatmulOp>(type->clone(computeType(type->getElementType())), a, b, transposeA, transposeB);
}
