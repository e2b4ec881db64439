// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting gives the permutation, through which values are taken and gradients go back. Short rows are sorted by counting: the rank of an element is the number of
// those that come before it, and all pairs are compared at once. Long rows go through Batcher's bitonic network, log2(n)^2 / 2 steps of n comparisons.
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

static constexpr int64_t kMaxCounted = 256;

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

namespace {
// Whether each element of the first tensors comes before that of the second ones by itself; null where the comparator cannot be imported.
using Before = function_ref<FailureOr<Value>(ArrayRef<Parts>, ArrayRef<Parts>)>;

// One step: each element is compared with the one whose position differs in one bit, and keeps its place or changes it.
struct Network {
  TensorBuilder &b;
  int64_t count, size;
  RankedTensorType positions;

  Network(TensorBuilder &b, int64_t count)
      : b(b), count(count), size(llvm::PowerOf2Ceil(count)), positions(RankedTensorType::get({size}, b.getBuilder().getI32Type())) {}

  // Whether the bit that `mask`, a scalar, has is 0 in each position.
  Value isClear(Value mask) { return b.compare(CompareKind::eq, b.fold<AndOp>(b.iota(positions, 0), b.broadcast(mask, positions, {})), 0.0); }
  FailureOr<SmallVector<Parts>> step(ArrayRef<Parts> keys, Value distance, Value block, Before before);
};
} // namespace

// The last of the keys is the index of the element, which decides where the others do not, and tells the elements that fill the row up to a power of two.
FailureOr<SmallVector<Parts>> Network::step(ArrayRef<Parts> keys, Value distance, Value block, Before before) {
  int64_t last = TensorBuilder::typeOf(keys.front().real).getRank() - 1;
  Value partner = b.fold<XorOp>(b.iota(positions, 0), b.broadcast(distance, positions, {}));
  SmallVector<Parts> others = llvm::map_to_vector(keys, [&](Parts key) { return mapParts(key, [&](Value x) { return b.fold<GatherOp>(x, partner, last); }); });
  auto comes = before(keys.drop_back(), ArrayRef(others).drop_back()), yields = failed(comes) ? comes : before(ArrayRef(others).drop_back(), keys.drop_back());
  if (failed(comes) || failed(yields))
    return failure();
  if (!*comes || !*yields)
    return SmallVector<Parts>(keys);
  Value index = keys.back().real, otherIndex = others.back().real;
  Value first = b.select(b.fold<XorOp>(*comes, *yields), *comes, b.compare(CompareKind::lt, index, otherIndex));
  Value isElement = b.compare(CompareKind::lt, index, static_cast<double>(count)), otherIsElement = b.compare(CompareKind::lt, otherIndex, static_cast<double>(count));
  first = b.select(b.fold<XorOp>(isElement, otherIsElement), isElement, first);
  // Every other block is sorted downwards, and of a pair the lower position wants what comes first in its block.
  Value wantsLast = b.fold<XorOp>(isClear(distance), isClear(block));
  Value keeps = b.fold<XorOp>(first, b.broadcast(wantsLast, first.getType(), {last}));
  SmallVector<Parts> next;
  for (auto [key, other] : llvm::zip(keys, others))
    next.push_back({b.select(keeps, key.real, other.real), key.imag ? b.select(keeps, key.imag, other.imag) : Value()});
  return next;
}

// The positions in the last dimension in sorted order, in i32; null where the comparator cannot be imported.
static FailureOr<Value> networkOrder(TensorBuilder &b, ArrayRef<Parts> rows, Before before) {
  OpBuilder &builder = b.getBuilder();
  RankedTensorType type = TensorBuilder::typeOf(rows.front().real);
  int64_t last = type.getRank() - 1, count = type.getDimSize(last);
  Network network(b, count);
  SmallVector<int64_t> low(type.getRank(), 0), high(low);
  high[last] = network.size - count;
  SmallVector<Value> carried;
  for (Parts row : rows)
    for (Value part : {row.real, row.imag})
      if (part)
        carried.push_back(b.pad(part, low, high, low));
  carried.push_back(b.iota(TensorBuilder::typeOf(carried.front()).clone(builder.getI32Type()), last));
  SmallVector<int32_t> distances, blocks;
  for (int64_t block = 2; block <= network.size; block *= 2)
    for (int64_t distance = block / 2; distance >= 1; distance /= 2) {
      distances.push_back(distance);
      blocks.push_back(block);
    }
  auto table = RankedTensorType::get({static_cast<int64_t>(distances.size())}, builder.getI32Type());
  Value distanceTable = b.create<ConstantOp>(DenseElementsAttr::get(table, ArrayRef(distances))), blockTable = b.create<ConstantOp>(DenseElementsAttr::get(table, ArrayRef(blocks)));
  auto number = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, b.getLoc(), value); };
  auto loop = b.create<scf::ForOp>(number(0), number(distances.size()), number(1), carried);
  bool isKnown = true;
  {
    OpBuilder::InsertionGuard guard(builder);
    if (!loop.getBody()->empty())
      loop.getBody()->getTerminator()->erase();
    builder.setInsertionPointToStart(loop.getBody());
    auto scalar = RankedTensorType::get({}, builder.getI32Type());
    Value trip = tensor::FromElementsOp::create(builder, b.getLoc(), scalar, Value(arith::IndexCastOp::create(builder, b.getLoc(), scalar.getElementType(), loop.getInductionVar())));
    auto entry = [&](Value of) { return b.reshape(b.fold<DynamicSliceOp>(table.clone({1}), of, ValueRange(trip)), {}); };
    SmallVector<Parts> keys;
    unsigned next = 0;
    for (Parts row : rows) {
      Value real = loop.getRegionIterArg(next++);
      keys.push_back({real, row.imag ? Value(loop.getRegionIterArg(next++)) : Value()});
    }
    keys.push_back({loop.getRegionIterArg(next), {}});
    auto sorted = network.step(keys, entry(distanceTable), entry(blockTable), [&](ArrayRef<Parts> lhs, ArrayRef<Parts> rhs) {
      FailureOr<Value> result = before(lhs, rhs);
      isKnown &= succeeded(result) && *result;
      return result;
    });
    SmallVector<Value> yielded;
    if (succeeded(sorted))
      for (Parts key : *sorted)
        for (Value part : {key.real, key.imag})
          if (part)
            yielded.push_back(part);
    scf::YieldOp::create(builder, b.getLoc(), yielded);
    if (failed(sorted))
      return failure();
  }
  return isKnown ? sliceDim(b, loop.getResults().back(), last, 0, count) : Value();
}

// The first `count` of the positions in sorted order.
static FailureOr<Value> sortedOrder(TensorBuilder &b, ArrayRef<Parts> rows, int64_t count, Before before) {
  int64_t last = TensorBuilder::typeOf(rows.front().real).getRank() - 1;
  if (TensorBuilder::typeOf(rows.front().real).getDimSize(last) > kMaxCounted) {
    FailureOr<Value> sorted = networkOrder(b, rows, before);
    return succeeded(sorted) && *sorted ? sliceDim(b, *sorted, last, 0, count) : sorted;
  }
  auto replicate = [&](bool right) {
    return llvm::map_to_vector(rows, [&](Parts row) { return mapParts(row, [&](Value x) { return replicatePairs(b, x, right); }); });
  };
  SmallVector<Parts> left = replicate(false), right = replicate(true);
  FailureOr<Value> isBefore = before(right, left), isAfter = failed(isBefore) ? isBefore : before(left, right);
  if (failed(isBefore) || failed(isAfter))
    return failure();
  return *isBefore && *isAfter ? order(b, *isBefore, *isAfter, count) : Value();
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
  if (size > (int64_t(1) << 30))
    return importer.unsupported(op, "of more than 2^30 elements");
  SmallVector<int64_t> last = dimsLast(rank, {*dim});
  SmallVector<Parts> operands;
  for (unsigned i = 0; i < op.getNumOperands(); ++i)
    operands.push_back(mapParts(importer.operandParts(op, i), [&](Value x) { return b.transpose(x, last); }));
  auto before = [&](ArrayRef<Parts> lhs, ArrayRef<Parts> rhs) -> FailureOr<Value> {
    SmallVector<Parts> arguments;
    for (auto [left, right] : llvm::zip(lhs, rhs))
      arguments.append({left, right});
    auto result = importer.applyPointwise(op, 0, arguments, TensorBuilder::typeOf(lhs.front().real).getShape());
    if (failed(result))
      return failure();
    if (result->size() != 1 || (result->front() && !isBool(result->front().real)))
      return op.emitOpError() << "needs a comparator that returns one i1", failure();
    return result->front().real;
  };
  FailureOr<Value> found = sortedOrder(b, operands, size, before);
  if (failed(found))
    return failure();
  if (!*found)
    return success();
  Value places = *found;
  for (auto [index, operand] : llvm::enumerate(operands))
    importer.setParts(op, index, mapParts(operand, [&](Value x) { return b.transpose(b.fold<TakeAlongAxisOp>(x, places, rank - 1), inversePermutation(last)); }));
  return success();
}

// The places in the last dimension of its k largest (or smallest) elements. NaN counts as the largest.
static Value topKPlaces(TensorBuilder &b, Value x, int64_t k, bool isLargest, bool isUnsigned) {
  auto before = [&](ArrayRef<Parts> lhs, ArrayRef<Parts> rhs) -> FailureOr<Value> {
    Value a = (isLargest ? lhs : rhs).front().real, c = (isLargest ? rhs : lhs).front().real, greater = compareValues(b, CompareKind::gt, a, c, isUnsigned);
    return isFloat(a) ? b.fold<OrOp>(greater, b.fold<AndOp>(b.fold<IsNanOp>(a), b.fold<NotOp>(b.fold<IsNanOp>(c)))) : greater;
  };
  return *sortedOrder(b, {Parts{x, {}}}, k, before);
}

// The k largest (or smallest) elements of the last dimension, equal ones in their order.
static LogicalResult importTopK(Importer &importer, Operation &op, TensorBuilder &b, int64_t k, bool isLargest) {
  Value x = importer.operand(op, 0);
  RankedTensorType type = TensorBuilder::typeOf(x);
  if (type.getRank() == 0 || k < 0 || k > type.getShape().back() || isBool(x))
    return op.emitOpError() << "needs numbers with at least k = " << k << " of them in the last dimension, got " << op.getOperand(0).getType();
  RankedTensorType indexType = importer.resultType(op, 1);
  if (k == 0 || type.getNumElements() == 0) {
    importer.setResult(op, 0, b.zeros(importer.resultType(op, 0)));
    return importer.setResult(op, 1, b.zeros(indexType)), success();
  }
  Value places = topKPlaces(b, x, k, isLargest, isUnsigned(op.getOperand(0).getType()));
  importer.setResult(op, 0, b.fold<TakeAlongAxisOp>(x, places, type.getRank() - 1));
  importer.setResult(op, 1, convertValue(b, places, false, indexType.getElementType(), false));
  return success();
}

static LogicalResult topK(Importer &importer, Operation &op, TensorBuilder &b) {
  auto k = readInt(op, "k");
  return failed(k) ? failure() : importTopK(importer, op, b, *k, true);
}

// As JAX exports it for old readers: mhlo.attributes = {k = 3 : i64, largest = true}.
static LogicalResult topKCall(Importer &importer, Operation &op, TensorBuilder &b) {
  auto attributes = op.getAttrOfType<DictionaryAttr>("mhlo.attributes");
  auto k = attributes ? attributes.getAs<IntegerAttr>("k") : IntegerAttr();
  if (!k || k.getValue().getBitWidth() > 64)
    return op.emitOpError() << "to @mhlo.topk needs an attribute 'mhlo.attributes' with an integer k, got " << op.getAttr("mhlo.attributes");
  auto largest = attributes.getAs<BoolAttr>("largest");
  return importTopK(importer, op, b, k.getValue().getSExtValue(), !largest || largest.getValue());
}

// Whether a comparator of two pairs says that the first of the first is greater (or less) than that of the second.
static std::optional<bool> comparesGreater(func::FuncOp comparator) {
  if (!comparator || !comparator.getBody().hasOneBlock() || comparator.getNumArguments() < 2)
    return std::nullopt;
  Block &body = comparator.getBody().front();
  Operation *compare = body.back().getNumOperands() == 1 ? body.back().getOperand(0).getDefiningOp() : nullptr;
  if (!compare || compare->getName().getStringRef() != "stablehlo.compare" || compare->getNumOperands() != 2 || compare->getOperand(0) != body.getArgument(0) ||
      compare->getOperand(1) != body.getArgument(1))
    return std::nullopt;
  StringRef direction = readEnum(*compare, "comparison_direction");
  return direction == "GT" ? std::optional(true) : direction == "LT" ? std::optional(false) : std::nullopt;
}

// jax.lax.approx_max_k and approx_min_k: on the CPU they are exact. Operands are the numbers, what goes along with them, and what stands for none of either.
static LogicalResult approximateTopK(Importer &importer, Operation &op, TensorBuilder &b) {
  auto config = op.getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  auto number = [&](StringRef name) {
    auto value = config ? config.getAs<IntegerAttr>(name) : IntegerAttr();
    return value ? value.getValue().getSExtValue() : -1;
  };
  auto aggregates = config ? config.getAs<BoolAttr>("aggregate_to_topk") : BoolAttr();
  auto computations = op.getAttrOfType<ArrayAttr>("called_computations");
  auto symbol = computations && computations.size() == 1 ? dyn_cast<FlatSymbolRefAttr>(computations[0]) : FlatSymbolRefAttr();
  std::optional<bool> isLargest = symbol ? comparesGreater(importer.findFunction(symbol.getValue())) : std::nullopt;
  if (!isLargest || !aggregates || !aggregates.getValue())
    return importer.unsupported(op, "@ApproxTopK by another comparison than of the first operand, or of more than the k elements");
  Value x = importer.operand(op, 0), other = importer.operand(op, 1);
  RankedTensorType type = TensorBuilder::typeOf(x);
  int64_t dim = number("reduction_dim"), k = number("top_k"), rank = type.getRank();
  if (dim < 0 || dim >= rank || k < 1 || k > type.getDimSize(dim) || TensorBuilder::typeOf(other).getShape() != type.getShape() || isBool(x))
    return op.emitOpError() << "to @ApproxTopK needs a reduction_dim of numbers with at least top_k = " << k << " of them, got " << op.getOperandTypes();
  SmallVector<int64_t> last = dimsLast(rank, {dim}), back = inversePermutation(last);
  Value places = topKPlaces(b, b.transpose(x, last), k, *isLargest, isUnsigned(op.getOperand(0).getType()));
  auto take = [&](Value value) { return b.transpose(b.fold<TakeAlongAxisOp>(b.transpose(value, last), places, rank - 1), back); };
  importer.setResult(op, 0, take(x));
  importer.setResult(op, 1, take(other));
  return success();
}

void mlir::raf::stablehlo::addSortHandlers(HandlerTable &table) {
  table.add("stablehlo.sort", {sort, -1, -1, 1, Complex::handled});
  table.add("chlo.top_k", {topK, 1, 2, 0});
  table.add("custom_call.mhlo.topk", {topKCall, 1, 2, 0});
  table.add("custom_call.ApproxTopK", {approximateTopK, 4, 2, 0});
}
