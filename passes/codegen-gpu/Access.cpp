// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/Access.h"

using namespace mlir;
using namespace mlir::raf;

static void collect(Access &access, AffineExpr expr, int64_t factor) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    access.offset += factor * constant.getValue();
    return;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    access.strides[dim.getPosition()] += factor;
    return;
  }
  auto binary = cast<AffineBinaryOpExpr>(expr);
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Add) {
    collect(access, binary.getLHS(), factor);
    collect(access, binary.getRHS(), factor);
  } else if (expr.getKind() == AffineExprKind::Mul && scale) {
    collect(access, binary.getLHS(), factor * scale.getValue());
  } else {
    access.rest.push_back({expr, factor});
  }
}

Access mlir::raf::accessOf(Value tensor, AffineMap map, ArrayRef<int64_t> strides) {
  Access access;
  access.tensor = tensor;
  access.strides.assign(map.getNumDims(), 0);
  for (auto [expr, stride] : llvm::zip(map.getResults(), strides))
    if (stride != 0)
      collect(access, expr, stride);
  return access;
}

SmallVector<int64_t> mlir::raf::contiguousStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

SmallVector<Axis> mlir::raf::joinLoops(ArrayRef<int64_t> order, ArrayRef<int64_t> sizes, function_ref<bool(int64_t, int64_t)> continues) {
  SmallVector<Axis> axes;
  for (int64_t loop : order) {
    if (sizes[loop] == 1)
      continue;
    if (axes.empty() || !continues(axes.back().carrier(), loop))
      axes.emplace_back();
    axes.back().loops.push_back(loop);
    axes.back().size *= sizes[loop];
  }
  return axes;
}

bool mlir::raf::continues(const Access &access, int64_t outer, int64_t inner, int64_t innerSize) {
  return !access.tensor || (access.isLinearIn(outer) && access.isLinearIn(inner) && access.strides[outer] == access.strides[inner] * innerSize);
}
