// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/raise/Match.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::raise;

std::optional<double> raise::splatOf(Value value) {
  while (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getX();
  DenseElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat() || !isa<FloatType>(constant.getElementType()))
    return std::nullopt;
  APFloat number = constant.getSplatValue<APFloat>();
  bool inexact;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return number.convertToDouble();
}

bool raise::isClose(double a, double b) { return a == b || std::fabs(a - b) <= 1e-5 * std::max(std::fabs(a), std::fabs(b)); }

bool raise::isSplatClose(Value value, double number) {
  std::optional<double> splat = splatOf(value);
  return splat && isClose(*splat, number);
}

bool Product::take(Value value) {
  auto found = llvm::find(factors, value);
  if (found == factors.end())
    return false;
  factors.erase(found);
  return true;
}

static void multiply(Value value, Product &product) {
  if (std::optional<double> number = splatOf(value)) {
    product.constant *= *number;
  } else if (auto mul = value.getDefiningOp<MulOp>()) {
    multiply(mul.getLhs(), product);
    multiply(mul.getRhs(), product);
  } else if (auto neg = value.getDefiningOp<NegOp>()) {
    product.constant = -product.constant;
    multiply(neg.getX(), product);
  } else if (auto div = value.getDefiningOp<DivOp>(); div && splatOf(div.getRhs())) {
    product.constant /= *splatOf(div.getRhs());
    multiply(div.getLhs(), product);
  } else {
    product.factors.push_back(value);
  }
}

Product raise::productOf(Value value) {
  Product product;
  multiply(value, product);
  return product;
}

std::optional<std::pair<Value, double>> raise::plusConstant(Value value) {
  if (auto add = value.getDefiningOp<AddOp>()) {
    if (std::optional<double> number = splatOf(add.getRhs()))
      return std::pair(add.getLhs(), *number);
    if (std::optional<double> number = splatOf(add.getLhs()))
      return std::pair(add.getRhs(), *number);
  }
  if (auto sub = value.getDefiningOp<SubOp>())
    if (std::optional<double> number = splatOf(sub.getRhs()))
      return std::pair(sub.getLhs(), -*number);
  return std::nullopt;
}

Value raise::replicated(Value value, ArrayRef<int64_t> dims) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return {};
  // Size-1 dimensions of the operand may stand where it is replicated.
  RankedTensorType x = broadcast.getX().getType(), y = broadcast.getType();
  SmallVector<int64_t> kept, shape;
  for (auto [dim, size] : llvm::zip(broadcast.getDims(), x.getShape())) {
    bool isReplicated = llvm::is_contained(dims, dim);
    if (isReplicated ? size != 1 : size != y.getDimSize(dim))
      return {};
    if (!isReplicated)
      kept.push_back(dim);
  }
  for (int64_t dim = 0; dim < y.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim) && !llvm::is_contained(kept, dim))
      return {};
  if (static_cast<int64_t>(kept.size()) == x.getRank())
    return broadcast.getX();
  // The value without its size-1 dimensions, if it was made by giving them to one.
  auto reshape = broadcast.getX().getDefiningOp<ReshapeOp>();
  for (int64_t dim : kept)
    shape.push_back(y.getDimSize(dim));
  return reshape && llvm::equal(reshape.getX().getType().getShape(), shape) ? reshape.getX() : Value();
}

Value raise::replicatedBefore(Value value, int64_t axis) {
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, axis));
  return replicated(value, dims);
}

Value raise::meanOf(Value value, SmallVectorImpl<int64_t> &dims) {
  Product product = productOf(value);
  if (product.factors.size() != 1)
    return {};
  auto sum = product.factors.front().getDefiningOp<ReduceOp>();
  if (!sum || sum.getKind() != ReduceKind::sum)
    return {};
  dims.assign(sum.getDims().begin(), sum.getDims().end());
  double count = 1.0;
  for (int64_t dim : dims)
    count *= sum.getX().getType().getDimSize(dim);
  return isClose(product.constant * count, 1.0) ? sum.getX() : Value();
}

Value raise::squareOf(Value value) {
  auto mul = value.getDefiningOp<MulOp>();
  return mul && mul.getLhs() == mul.getRhs() ? mul.getLhs() : Value();
}
