// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting by counting: the rank of an element is the number of those that come before it. All pairs are compared at once.
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Shape.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

// [..., n] to [..., n, n], along the last dimension (`right`) or the one before it.
static Value replicatePairs(TensorBuilder &b, Value x, bool right) {
  SmallVector<int64_t> shape(TensorBuilder::typeOf(x).getShape()), dims = dimRange(0, shape.size());
  shape.push_back(shape.back());
  if (right)
    ++dims.back();
  return b.broadcast(x, TensorBuilder::typeOf(x).clone(shape), dims);
}

// The position that takes each place, from i1 [..., i, j]: whether element j comes strictly before i by itself, and whether i comes before j. The order in which
// they stand decides when neither does. Only the first `count` places are given.
static Value order(TensorBuilder &b, Value before, Value after, int64_t count) {
  RankedTensorType pairs = TensorBuilder::typeOf(before);
  int64_t rank = pairs.getRank();
  Type index = b.getBuilder().getI32Type();
  Value isEarlier = b.compare(CompareKind::lt, b.iota(pairs.clone(index), rank - 1), b.iota(pairs.clone(index), rank - 2));
  Value precedes = b.fold<OrOp>(before, b.fold<AndOp>(b.fold<NotOp>(after), isEarlier));
  Value ranks = b.sum(b.cast(precedes, index), {rank - 1});
  SmallVector<int64_t> places(TensorBuilder::typeOf(ranks).getShape());
  places.back() = count;
  Value positions = b.iota(TensorBuilder::typeOf(ranks), rank - 2);
  return b.fold<AddAlongAxisOp>(b.zeros(RankedTensorType::get(places, index)), ranks, positions, rank - 2);
}

Value mlir::raf::stablehlo::ascendingOrder(TensorBuilder &b, Value keys) {
  Value left = replicatePairs(b, keys, false), right = replicatePairs(b, keys, true);
  return order(b, b.compare(CompareKind::lt, right, left), b.compare(CompareKind::lt, left, right), TensorBuilder::typeOf(keys).getShape().back());
}

static LogicalResult sort(Importer &importer, Operation &op, TensorBuilder &b) {
  if (op.getNumOperands() == 0 || op.getNumResults() != op.getNumOperands())
    return op.emitOpError() << "needs as many results as operands, and at least one";
  RankedTensorType type = TensorBuilder::typeOf(importer.operandParts(op, 0).real);
  int64_t rank = type.getRank();
  auto dim = readInt(op, "dimension", rank - 1);
  if (failed(dim) || failed(checkSameShapes(op)))
    return failure();
  if (*dim < -rank || *dim >= rank)
    return op.emitOpError() << "dimension must be in [" << -rank << ", " << rank << "), got " << *dim;
  *dim += *dim < 0 ? rank : 0;
  int64_t size = type.getDimSize(*dim);
  if (type.getNumElements() == 0 || size == 1) {
    for (unsigned i = 0; i < op.getNumOperands(); ++i)
      importer.setParts(op, i, importer.operandParts(op, i));
    return success();
  }
  if (size > (1 << 15))
    return importer.unsupported(op, "of more than 32768 elements");
  SmallVector<int64_t> last = dimsLast(rank, {*dim});
  SmallVector<Parts> operands, forward, backward;
  for (unsigned i = 0; i < op.getNumOperands(); ++i) {
    operands.push_back(mapParts(importer.operandParts(op, i), [&](Value x) { return b.transpose(x, last); }));
    Parts left = mapParts(operands[i], [&](Value x) { return replicatePairs(b, x, false); });
    Parts right = mapParts(operands[i], [&](Value x) { return replicatePairs(b, x, true); });
    forward.append({right, left});
    backward.append({left, right});
  }
  ArrayRef<int64_t> pairs = TensorBuilder::typeOf(forward[0].real).getShape();
  auto before = importer.applyPointwise(op, 0, forward, pairs);
  auto after = failed(before) ? before : importer.applyPointwise(op, 0, backward, pairs);
  if (failed(before) || failed(after))
    return failure();
  if (before->size() != 1 || (before->front() && !isBool(before->front().real)))
    return op.emitOpError() << "needs a comparator that returns one i1";
  if (!before->front() || !after->front())
    return success();
  Value places = order(b, before->front().real, after->front().real, size);
  for (auto [index, operand] : llvm::enumerate(operands))
    importer.setParts(op, index, mapParts(operand, [&](Value x) { return b.transpose(b.fold<TakeAlongAxisOp>(x, places, rank - 1), inversePermutation(last)); }));
  return success();
}

// The k largest elements of the last dimension, equal ones in their order. NaN counts as the largest.
static LogicalResult topK(Importer &importer, Operation &op, TensorBuilder &b) {
  Value x = importer.operand(op, 0);
  RankedTensorType type = TensorBuilder::typeOf(x);
  auto k = readInt(op, "k");
  if (failed(k))
    return failure();
  if (type.getRank() == 0 || *k < 0 || *k > type.getShape().back() || isBool(x))
    return op.emitOpError() << "needs numbers with at least k = " << *k << " of them in the last dimension, got " << op.getOperand(0).getType();
  RankedTensorType indexType = importer.resultType(op, 1);
  if (*k == 0 || type.getNumElements() == 0) {
    importer.setResult(op, 0, b.zeros(importer.resultType(op, 0)));
    return importer.setResult(op, 1, b.zeros(indexType)), success();
  }
  Value left = replicatePairs(b, x, false), right = replicatePairs(b, x, true);
  bool isUnsigned = stablehlo::isUnsigned(op.getOperand(0).getType());
  auto larger = [&](Value a, Value c) {
    Value greater = compareValues(b, CompareKind::gt, a, c, isUnsigned);
    return isFloat(a) ? b.fold<OrOp>(greater, b.fold<AndOp>(b.fold<IsNanOp>(a), b.fold<NotOp>(b.fold<IsNanOp>(c)))) : greater;
  };
  Value places = order(b, larger(right, left), larger(left, right), *k);
  importer.setResult(op, 0, b.fold<TakeAlongAxisOp>(x, places, type.getRank() - 1));
  importer.setResult(op, 1, convertValue(b, places, false, indexType.getElementType(), false));
  return success();
}

void mlir::raf::stablehlo::addSortHandlers(HandlerTable &table) {
  table.add("stablehlo.sort", {sort, -1, -1, 1, Complex::handled});
  table.add("chlo.top_k", {topK, 1, 2, 0});
}
