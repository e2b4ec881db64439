// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/import-stablehlo/Contraction.h"
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Shape.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

namespace {
// One operand of a contraction brought to the form that raf.matmul reads: batch dimensions, then a free and a contracted one in either order.
struct MatmulSide {
  Value value;
  bool contractedFirst;
};
} // namespace

// The dimensions that keep their order need no transpose: of the two orders that raf.matmul reads the one that moves fewer is taken.
static MatmulSide arrange(TensorBuilder &b, Value x, ArrayRef<int64_t> batch, ArrayRef<int64_t> contracted, ArrayRef<int64_t> free, bool preferContractedFirst) {
  RankedTensorType type = TensorBuilder::typeOf(x);
  auto order = [&](bool contractedFirst) {
    SmallVector<int64_t> permutation(batch);
    llvm::append_range(permutation, contractedFirst ? contracted : free);
    llvm::append_range(permutation, contractedFirst ? free : contracted);
    return permutation;
  };
  auto isIdentity = [](ArrayRef<int64_t> permutation) { return llvm::is_sorted(permutation); };
  bool contractedFirst = isIdentity(order(preferContractedFirst)) || !isIdentity(order(!preferContractedFirst)) ? preferContractedFirst : !preferContractedFirst;
  SmallVector<int64_t> shape;
  auto sizes = [&](ArrayRef<int64_t> dims) { return llvm::map_to_vector(dims, [&](int64_t dim) { return type.getDimSize(dim); }); };
  llvm::append_range(shape, sizes(batch));
  int64_t inner = product(sizes(contracted)), outer = product(sizes(free));
  shape.push_back(contractedFirst ? inner : outer);
  shape.push_back(contractedFirst ? outer : inner);
  return {b.reshape(b.transpose(x, order(contractedFirst)), shape), contractedFirst};
}

Value mlir::raf::stablehlo::contract(TensorBuilder &b, Value lhs, Value rhs, const ContractionDims &dims) {
  RankedTensorType left = TensorBuilder::typeOf(lhs), right = TensorBuilder::typeOf(rhs);
  auto freeDims = [](int64_t rank, ArrayRef<int64_t> batch, ArrayRef<int64_t> contracted) {
    SmallVector<int64_t> used(batch);
    llvm::append_range(used, contracted);
    return otherDims(rank, used);
  };
  SmallVector<int64_t> lhsFree = freeDims(left.getRank(), dims.lhsBatch, dims.lhsContracting), rhsFree = freeDims(right.getRank(), dims.rhsBatch, dims.rhsContracting);
  MatmulSide leftSide = arrange(b, lhs, dims.lhsBatch, dims.lhsContracting, lhsFree, false), rightSide = arrange(b, rhs, dims.rhsBatch, dims.rhsContracting, rhsFree, true);
  SmallVector<int64_t> shape;
  for (int64_t dim : dims.lhsBatch)
    shape.push_back(left.getDimSize(dim));
  for (int64_t dim : lhsFree)
    shape.push_back(left.getDimSize(dim));
  for (int64_t dim : rhsFree)
    shape.push_back(right.getDimSize(dim));
  return b.reshape(b.matmul(leftSide.value, rightSide.value, leftSide.contractedFirst, !rightSide.contractedFirst), shape);
}

static LogicalResult checkDims(Operation &op, const ContractionDims &dims, RankedTensorType lhs, RankedTensorType rhs) {
  auto all = [](ArrayRef<int64_t> batch, ArrayRef<int64_t> contracting) {
    SmallVector<int64_t> both(batch);
    llvm::append_range(both, contracting);
    return both;
  };
  SmallVector<int64_t> left = all(dims.lhsBatch, dims.lhsContracting), right = all(dims.rhsBatch, dims.rhsContracting);
  if (failed(checkDimensions(op, "lhs dimensions", left, lhs.getRank())) || failed(checkDimensions(op, "rhs dimensions", right, rhs.getRank())))
    return failure();
  if (dims.lhsBatch.size() != dims.rhsBatch.size() || left.size() != right.size())
    return op.emitOpError() << "needs as many batching and contracting dimensions of lhs as of rhs";
  for (auto [l, r] : llvm::zip(left, right))
    if (lhs.getDimSize(l) != rhs.getDimSize(r))
      return op.emitOpError() << "needs equal sizes of lhs dimension " << l << " and rhs dimension " << r << ", got " << lhs.getDimSize(l) << " and " << rhs.getDimSize(r);
  return success();
}

Parts mlir::raf::stablehlo::contractParts(TensorBuilder &b, Parts lhs, Parts rhs, const ContractionDims &dims) {
  auto multiply = [&](Value left, Value right) { return contract(b, left, right, dims); };
  if (!lhs.imag && !rhs.imag)
    return {multiply(lhs.real, rhs.real), {}};
  if (!lhs.imag)
    return {multiply(lhs.real, rhs.real), multiply(lhs.real, rhs.imag)};
  if (!rhs.imag)
    return {multiply(lhs.real, rhs.real), multiply(lhs.imag, rhs.real)};
  return {b.sub(multiply(lhs.real, rhs.real), multiply(lhs.imag, rhs.imag)), b.add(multiply(lhs.real, rhs.imag), multiply(lhs.imag, rhs.real))};
}

static LogicalResult importContraction(Importer &importer, Operation &op, TensorBuilder &b, const ContractionDims &dims) {
  RankedTensorType type = importer.resultType(op);
  Parts lhs = importer.operandParts(op, 0), rhs = importer.operandParts(op, 1);
  if (failed(checkDims(op, dims, TensorBuilder::typeOf(lhs.real), TensorBuilder::typeOf(rhs.real))))
    return failure();
  // A wider result is that of operands converted to it; products of i1 are logical.
  bool isLogical = type.getElementType().isInteger(1);
  Type element = isLogical ? b.getBuilder().getI32Type() : type.getElementType();
  auto widen = [&](unsigned index, Parts x) {
    bool from = isUnsigned(op.getOperand(index).getType());
    return mapParts(x, [&](Value part) { return convertValue(b, part, from, element, from); });
  };
  Parts result = contractParts(b, widen(0, lhs), widen(1, rhs), dims);
  if (isLogical)
    result.real = b.compare(CompareKind::ne, result.real, 0.0);
  importer.setParts(op, 0, result);
  return success();
}

static LogicalResult dotGeneral(Importer &importer, Operation &op, TensorBuilder &b) {
  auto fields = Fields::read(op, "dot_dimension_numbers");
  if (failed(fields))
    return failure();
  return importContraction(importer, op, b,
                           {fields->list("lhs_batching_dimensions"), fields->list("rhs_batching_dimensions"), fields->list("lhs_contracting_dimensions"),
                            fields->list("rhs_contracting_dimensions")});
}

static LogicalResult dot(Importer &importer, Operation &op, TensorBuilder &b) {
  int64_t left = TensorBuilder::typeOf(importer.operand(op, 0)).getRank(), right = TensorBuilder::typeOf(importer.operand(op, 1)).getRank();
  if (left < 1 || left > 2 || right < 1 || right > 2)
    return op.emitOpError() << "needs vectors or matrices, got " << op.getOperandTypes();
  return importContraction(importer, op, b, {{}, {}, {left - 1}, {0}});
}

//===-- ragged products ------------------------------------------------------------------------------------------===//

namespace {
// lhs has a dimension in groups of sizes that are operands: [..., g] sizes, for each element of the dimensions before it.
struct Ragged {
  Operation &op;
  TensorBuilder &b;
  ContractionDims dims;
  int64_t dim;

  // x with a new first dimension, one for each group, zero outside of the group.
  Parts expand(Parts x, Value sizes, int64_t along, ArrayRef<int64_t> before) const;
  LogicalResult checkSizes(RankedTensorType sizes, RankedTensorType x, ArrayRef<int64_t> before) const;
};
} // namespace

static SmallVector<int64_t> behindFirst(ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [](int64_t dim) { return dim + 1; });
}

LogicalResult Ragged::checkSizes(RankedTensorType sizes, RankedTensorType x, ArrayRef<int64_t> before) const {
  bool valid = sizes.getElementType().isSignlessInteger() && sizes.getRank() >= 1 && !sizes.getElementType().isInteger(1);
  if (valid && sizes.getRank() != 1)
    valid = llvm::equal(sizes.getShape().drop_back(), llvm::map_range(before, [&](int64_t dim) { return x.getDimSize(dim); }));
  return valid ? success() : op.emitOpError() << "needs sizes of groups as integers, for all or for each element of the dimensions before the ragged one, got " << sizes;
}

Parts Ragged::expand(Parts x, Value sizes, int64_t along, ArrayRef<int64_t> before) const {
  RankedTensorType type = TensorBuilder::typeOf(x.real);
  Value ends = b.fold<CumsumOp>(sizes, TensorBuilder::typeOf(sizes).getRank() - 1, false, false), starts = b.sub(ends, sizes);
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.begin(), TensorBuilder::typeOf(sizes).getShape().back());
  RankedTensorType places = RankedTensorType::get(shape, getElementTypeOrSelf(sizes.getType()));
  // The dimension of each dimension of the sizes; raf.broadcast has them increasing.
  SmallVector<int64_t> target;
  if (TensorBuilder::typeOf(sizes).getRank() > 1)
    target = behindFirst(before);
  target.push_back(0);
  SmallVector<int64_t> order = dimRange(0, target.size());
  llvm::sort(order, [&](int64_t a, int64_t c) { return target[a] < target[c]; });
  llvm::sort(target);
  auto everywhere = [&](Value value) { return b.broadcast(b.transpose(value, order), places, target); };
  Value place = b.iota(places, along + 1);
  Value isInside = b.fold<AndOp>(b.compare(CompareKind::le, everywhere(starts), place), b.compare(CompareKind::lt, place, everywhere(ends)));
  return mapParts(x, [&](Value part) {
    RankedTensorType whole = TensorBuilder::typeOf(part).clone(shape);
    return b.select(isInside, b.broadcast(part, whole, dimRange(1, whole.getRank())), b.zeros(whole));
  });
}

static LogicalResult raggedDot(Importer &importer, Operation &op, TensorBuilder &b) {
  auto fields = Fields::read(op, "ragged_dot_dimension_numbers");
  if (failed(fields))
    return failure();
  ContractionDims dims{fields->list("lhs_batching_dimensions"), fields->list("rhs_batching_dimensions"), fields->list("lhs_contracting_dimensions"),
                       fields->list("rhs_contracting_dimensions")};
  SmallVector<int64_t> ragged = fields->list("lhs_ragged_dimensions"), group = fields->list("rhs_group_dimensions");
  Type element = importer.resultType(op).getElementType();
  auto widen = [&](unsigned index) {
    bool from = isUnsigned(op.getOperand(index).getType());
    return mapParts(importer.operandParts(op, index), [&](Value part) { return convertValue(b, part, from, element, from); });
  };
  Parts lhs = widen(0), rhs = widen(1);
  Value sizes = importer.operand(op, 2);
  RankedTensorType left = TensorBuilder::typeOf(lhs.real), right = TensorBuilder::typeOf(rhs.real);
  if (failed(checkDims(op, dims, left, right)) || failed(checkDimensions(op, "lhs_ragged_dimensions", ragged, left.getRank())) ||
      failed(checkDimensions(op, "rhs_group_dimensions", group, right.getRank())))
    return failure();
  if (ragged.size() != 1)
    return op.emitOpError() << "needs one ragged dimension of lhs, got " << ragged.size();
  auto before = [&](ArrayRef<int64_t> batch, ArrayRef<int64_t> others, int64_t dim) {
    SmallVector<int64_t> all(batch);
    llvm::append_range(all, others.take_front(llvm::find(others, dim) - others.begin()));
    return all;
  };
  Ragged form{op, b, dims, ragged.front()};
  ContractionDims expanded{behindFirst(dims.lhsBatch), dims.rhsBatch, behindFirst(dims.lhsContracting), dims.rhsContracting};
  const auto *contracted = llvm::find(dims.lhsContracting, form.dim);
  if (llvm::is_contained(dims.lhsBatch, form.dim)) {
    importer.setParts(op, 0, contractParts(b, lhs, rhs, dims));
    return success();
  }
  if (contracted != dims.lhsContracting.end()) {
    // A product for each group.
    int64_t other = dims.rhsContracting[contracted - dims.lhsContracting.begin()];
    SmallVector<int64_t> lhsBefore = before(dims.lhsBatch, dims.lhsContracting, form.dim), rhsBefore = before(dims.rhsBatch, dims.rhsContracting, other);
    if (failed(form.checkSizes(TensorBuilder::typeOf(sizes), left, lhsBefore)))
      return failure();
    expanded.rhsBatch = behindFirst(dims.rhsBatch);
    expanded.rhsContracting = behindFirst(dims.rhsContracting);
    expanded.lhsBatch.insert(expanded.lhsBatch.begin(), 0);
    expanded.rhsBatch.insert(expanded.rhsBatch.begin(), 0);
    importer.setParts(op, 0, contractParts(b, form.expand(lhs, sizes, form.dim, lhsBefore), form.expand(rhs, sizes, other, rhsBefore), expanded));
    return success();
  }
  // Each group of rows is multiplied by a matrix of its own: a sum over the groups, in all but one of which a row is zero.
  SmallVector<int64_t> used(dims.lhsBatch);
  llvm::append_range(used, dims.lhsContracting);
  SmallVector<int64_t> lhsBefore = before(dims.lhsBatch, otherDims(left.getRank(), used), form.dim);
  if (failed(form.checkSizes(TensorBuilder::typeOf(sizes), left, lhsBefore)))
    return failure();
  int64_t groups = TensorBuilder::typeOf(sizes).getShape().back();
  if (group.size() != 1 || right.getDimSize(group.front()) != groups || llvm::is_contained(dims.rhsBatch, group.front()) || llvm::is_contained(dims.rhsContracting, group.front()))
    return op.emitOpError() << "needs one rhs_group_dimension of its own, of the " << groups << " groups";
  expanded.lhsContracting.push_back(0);
  expanded.rhsContracting.push_back(group.front());
  importer.setParts(op, 0, contractParts(b, form.expand(lhs, sizes, form.dim, lhsBefore), rhs, expanded));
  return success();
}

void mlir::raf::stablehlo::addContractionHandlers(HandlerTable &table) {
  table.add("stablehlo.dot_general", {dotGeneral, 2, 1, 0, Complex::handled});
  table.add("stablehlo.dot", {dot, 2, 1, 0, Complex::handled});
  table.add("chlo.ragged_dot", {raggedDot, 3, 1, 0, Complex::handled});
}
