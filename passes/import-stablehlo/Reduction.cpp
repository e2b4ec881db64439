// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/import-stablehlo/Reduction.h"
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Shape.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

//===-- combiners ------------------------------------------------------------------------------------------------===//

StringRef mlir::raf::stablehlo::matchCombiner(Region &region, unsigned index) {
  if (!region.hasOneBlock() || region.front().empty())
    return {};
  Block &block = region.front();
  unsigned count = block.getNumArguments() / 2;
  if (block.getNumArguments() != 2 * count || block.back().getNumOperands() != count || index >= count)
    return {};
  Operation *body = block.back().getOperand(index).getDefiningOp();
  if (!body || body->getName().getDialectNamespace() != "stablehlo" || body->getNumOperands() != 2)
    return {};
  Value first = block.getArgument(index), second = block.getArgument(count + index);
  bool direct = body->getOperand(0) == first && body->getOperand(1) == second, swapped = body->getOperand(0) == second && body->getOperand(1) == first;
  StringRef name = body->getName().stripDialect();
  bool known = llvm::is_contained({"add", "multiply", "maximum", "minimum", "and", "or"}, name);
  return known && (direct || swapped) ? name : StringRef();
}

bool mlir::raf::stablehlo::isIdentity(StringRef combiner, Value init, bool isUnsigned) {
  if (isFloat(init)) {
    double infinity = std::numeric_limits<double>::infinity();
    return isConstantSplat(init, combiner == "add" ? 0.0 : combiner == "multiply" ? 1.0 : combiner == "maximum" ? -infinity : infinity);
  }
  std::optional<APInt> value = constantInt(init);
  if (!value)
    return false;
  bool orders = !isUnsigned && !isBool(init);
  if (combiner == "maximum" && orders)
    return value->isMinSignedValue();
  if (combiner == "minimum" && orders)
    return value->isMaxSignedValue();
  if (combiner == "multiply")
    return value->isOne();
  return combiner == "and" || combiner == "minimum" ? value->isAllOnes() : value->isZero();
}

Value mlir::raf::stablehlo::combine(TensorBuilder &b, StringRef combiner, Value lhs, Value rhs, bool isUnsigned) {
  if (combiner == "add")
    return addValues(b, lhs, rhs);
  if (combiner == "multiply")
    return multiplyValues(b, lhs, rhs);
  if (combiner == "and")
    return b.fold<AndOp>(lhs, rhs);
  if (combiner == "or")
    return b.fold<OrOp>(lhs, rhs);
  return extremum(b, combiner == "maximum", lhs, rhs, isUnsigned);
}

Value mlir::raf::stablehlo::flipSign(TensorBuilder &b, Value x) {
  return b.fold<XorOp>(x, intSplat(b, x.getType(), APInt::getSignMask(TensorBuilder::typeOf(x).getElementTypeBitWidth())));
}

FailureOr<Reduced> mlir::raf::stablehlo::readReduced(Importer &importer, Operation &op, TensorBuilder &b) {
  unsigned count = op.getNumOperands() / 2;
  if (count == 0 || op.getNumOperands() != 2 * count || op.getNumResults() != count)
    return op.emitOpError() << "needs n operands, n initial values and n results, got " << op.getNumOperands() << " and " << op.getNumResults(), failure();
  Reduced reduced;
  reduced.shape.assign(TensorBuilder::typeOf(importer.operand(op, 0)).getShape().begin(), TensorBuilder::typeOf(importer.operand(op, 0)).getShape().end());
  for (unsigned i = 0; i < count; ++i) {
    Parts x = importer.operandParts(op, i), init = importer.operandParts(op, count + i);
    if (TensorBuilder::typeOf(x.real).getShape() != ArrayRef(reduced.shape) || TensorBuilder::typeOf(init.real).getRank() != 0 ||
        static_cast<bool>(x.imag) != static_cast<bool>(init.imag))
      return op.emitOpError() << "needs operands of one shape and initial values that are scalars, got " << op.getOperandTypes(), failure();
    bool from = isUnsigned(op.getOperand(i).getType()), to = isUnsigned(op.getOperand(count + i).getType());
    Type element = TensorBuilder::typeOf(init.real).getElementType();
    reduced.inputs.push_back(mapParts(x, [&](Value part) { return convertValue(b, part, from, element, to); }));
    reduced.inits.push_back(init);
  }
  return reduced;
}

//===-- reductions that raf has ----------------------------------------------------------------------------------===//

static Value reduceKnown(TensorBuilder &b, StringRef combiner, Value x, ArrayRef<int64_t> dims, bool isUnsigned) {
  if (isBool(x)) {
    bool isAny = combiner == "or" || combiner == "add" || combiner == "maximum";
    Value bytes = b.cast(x, b.getBuilder().getI8Type());
    return b.cast(b.reduce(isAny ? ReduceKind::max : ReduceKind::min, bytes, dims), b.getBuilder().getI1Type());
  }
  if (combiner == "and" || combiner == "or")
    return {};
  bool isExtremum = combiner == "maximum" || combiner == "minimum", flip = isUnsigned && isExtremum;
  ReduceKind kind = combiner == "add" ? ReduceKind::sum : combiner == "multiply" ? ReduceKind::prod : combiner == "maximum" ? ReduceKind::max : ReduceKind::min;
  Value result = b.reduce(kind, flip ? flipSign(b, x) : x, dims);
  return flip ? flipSign(b, result) : result;
}

static Value reduceWithInit(TensorBuilder &b, StringRef combiner, Value x, Value init, ArrayRef<int64_t> dims, bool isUnsigned) {
  Value result = reduceKnown(b, combiner, x, dims, isUnsigned);
  if (!result || isIdentity(combiner, init, isUnsigned))
    return result;
  return combine(b, combiner, result, b.broadcast(init, result.getType(), {}), isUnsigned);
}

//===-- argmax and argmin ----------------------------------------------------------------------------------------===//

static Operation *definedBy(Value value, StringRef name) {
  Operation *op = value.getDefiningOp();
  return op && op->getName().getStringRef() == name ? op : nullptr;
}

static bool isCompare(Value value, ArrayRef<StringRef> directions, Value lhs, Value rhs) {
  Operation *op = definedBy(value, "stablehlo.compare");
  return op && op->getNumOperands() == 2 && op->getOperand(0) == lhs && op->getOperand(1) == rhs && llvm::is_contained(directions, readEnum(*op, "comparison_direction"));
}

template <typename Left, typename Right>
static bool isEither(Value value, StringRef name, Left left, Right right) {
  Operation *op = definedBy(value, name);
  if (!op || op->getNumOperands() != 2)
    return false;
  Value first = op->getOperand(0), second = op->getOperand(1);
  return (left(first) && right(second)) || (left(second) && right(first));
}

// Whether a region on (value, index, value, index) keeps the larger (smaller) value, NaN before all, and the lower index at a tie: how JAX writes argmax (argmin).
static bool isArgReduce(Region &region, bool isMax) {
  if (!region.hasOneBlock() || region.front().getNumArguments() != 4 || region.front().empty() || region.front().back().getNumOperands() != 2)
    return false;
  Block &block = region.front();
  Value value = block.getArgument(0), index = block.getArgument(1), otherValue = block.getArgument(2), otherIndex = block.getArgument(3);
  Operation *chosenIndex = definedBy(block.back().getOperand(1), "stablehlo.select"), *chosenValue = block.back().getOperand(0).getDefiningOp();
  if (!chosenIndex || chosenIndex->getNumOperands() != 3 || chosenIndex->getOperand(1) != index || chosenIndex->getOperand(2) != otherIndex || !chosenValue)
    return false;
  auto wins = [&](Value pred) { return isCompare(pred, {isMax ? "GT" : "LT"}, value, otherValue); };
  auto isNan = [&](Value pred) { return isCompare(pred, {"NE"}, value, value); };
  auto first = [&](Value pred) { return wins(pred) || isEither(pred, "stablehlo.or", wins, isNan); };
  auto equal = [&](Value pred) { return isCompare(pred, {"EQ"}, value, otherValue); };
  auto lower = [&](Value pred) { return isCompare(pred, {"LT"}, index, otherIndex); };
  auto tie = [&](Value pred) { return isEither(pred, "stablehlo.and", equal, lower); };
  if (!isEither(chosenIndex->getOperand(0), "stablehlo.or", first, tie))
    return false;
  return chosenValue->getName().getStringRef() == "stablehlo.select" && chosenValue->getNumOperands() == 3 && first(chosenValue->getOperand(0)) &&
         chosenValue->getOperand(1) == value && chosenValue->getOperand(2) == otherValue;
}

static LogicalResult importArgReduce(Importer &importer, Operation &op, TensorBuilder &b, const Reduced &reduced, ArrayRef<int64_t> dims) {
  if (reduced.inputs.size() != 2 || dims.size() != 1 || reduced.inputs[0].imag || reduced.shape[dims[0]] == 0)
    return failure();
  bool isMax = isArgReduce(op.getRegion(0), true);
  auto positions = reduced.inputs[1].real.getDefiningOp<IotaOp>();
  bool isUnsigned = stablehlo::isUnsigned(op.getOperand(0).getType());
  if ((!isMax && !isArgReduce(op.getRegion(0), false)) || !positions || static_cast<int64_t>(positions.getDim()) != dims[0] || isFloat(positions) ||
      !isIdentity(isMax ? "maximum" : "minimum", reduced.inits[0].real, isUnsigned))
    return failure();
  Value x = reduced.inputs[0].real, compared = x;
  if (isBool(x))
    compared = b.cast(x, b.getBuilder().getI8Type());
  else if (isUnsigned)
    compared = flipSign(b, x);
  RankedTensorType type = importer.resultType(op, 1), kept = *inferReduce(std::nullopt, "reduce", TensorBuilder::typeOf(x), dims);
  unsigned width = type.getElementTypeBitWidth() == 64 ? 64 : 32;
  Value index = b.fold<ArgReduceOp>(kept.clone(b.getBuilder().getIntegerType(width)), isMax ? ReduceKind::max : ReduceKind::min, compared, dims[0]);
  importer.setResult(op, 1, convertValue(b, index, false, type.getElementType(), false));
  SmallVector<int64_t> column(reduced.shape);
  column[dims[0]] = 1;
  Value element = op.getResult(0).use_empty() ? b.zeros(kept) : b.reshape(b.fold<TakeAlongAxisOp>(x, b.reshape(index, column), dims[0]), kept.getShape());
  importer.setResult(op, 0, element);
  return success();
}

//===-- any other body -------------------------------------------------------------------------------------------===//

// Neighbours are combined, so that n elements take log2 n steps and stay in order. An odd last element waits for the next step.
static LogicalResult importTree(Importer &importer, Operation &op, TensorBuilder &b, const Reduced &reduced, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> permutation = dimsLast(reduced.shape.size(), dims), kept, reducedSizes;
  for (int64_t dim : otherDims(reduced.shape.size(), dims))
    kept.push_back(reduced.shape[dim]);
  for (int64_t dim : dims)
    reducedSizes.push_back(reduced.shape[dim]);
  int64_t count = product(reducedSizes), last = kept.size();
  SmallVector<int64_t> shape(kept);
  shape.push_back(count);
  SmallVector<Parts> current = llvm::map_to_vector(reduced.inputs, [&](Parts x) {
    return mapParts(x, [&](Value part) { return b.reshape(b.transpose(part, permutation), shape); });
  });
  auto each = [&](ArrayRef<Parts> all, auto function) {
    return llvm::map_to_vector(all, [&](Parts x) { return mapParts(x, function); });
  };
  auto apply = [&](SmallVector<Parts> lhs, ArrayRef<Parts> rhs) {
    llvm::append_range(lhs, rhs);
    return importer.applyPointwise(op, 0, lhs, TensorBuilder::typeOf(lhs.front().real).getShape());
  };
  SmallVector<Parts> inits = each(reduced.inits, [&](Value init) { return b.broadcast(init, TensorBuilder::typeOf(init).clone(kept), {}); });
  for (int64_t size = count; size > 1; size = (size + 1) / 2) {
    int64_t even = size / 2 * 2;
    auto combined = apply(each(current, [&](Value x) { return sliceDim(b, x, last, 0, even, 2); }), each(current, [&](Value x) { return sliceDim(b, x, last, 1, even, 2); }));
    if (failed(combined) || combined->size() != current.size())
      return failed(combined) ? failure() : op.emitOpError("has a body that must return one value for each operand");
    if (!llvm::all_of(*combined, [](Parts parts) { return static_cast<bool>(parts); }))
      return success(); // something in the body is not supported
    if (even != size)
      for (auto [done, before] : llvm::zip(*combined, current)) {
        auto append = [&](Value x, Value y) { return x ? concatenate(b, {x, sliceDim(b, y, last, size - 1, size)}, last) : Value(); };
        done = {append(done.real, before.real), append(done.imag, before.imag)};
      }
    current = *combined;
  }
  auto results = count == 0 ? FailureOr<SmallVector<Parts>>(inits) : apply(inits, each(current, [&](Value x) { return b.reshape(x, kept); }));
  if (failed(results) || results->size() != current.size())
    return failed(results) ? failure() : op.emitOpError("has a body that must return one value for each operand");
  importer.setParts(op, *results);
  return success();
}

static LogicalResult reduce(Importer &importer, Operation &op, TensorBuilder &b) {
  auto reduced = readReduced(importer, op, b);
  if (failed(reduced))
    return failure();
  auto dims = readInts(op, "dimensions", -1);
  if (failed(dims) || failed(checkDimensions(op, "dimensions", *dims, reduced->shape.size())))
    return failure();
  llvm::sort(*dims);
  SmallVector<Parts> results;
  for (auto [index, input] : llvm::enumerate(reduced->inputs)) {
    StringRef combiner = matchCombiner(op.getRegion(0), index);
    bool isUnsigned = stablehlo::isUnsigned(op.getOperand(index).getType());
    Parts init = reduced->inits[index], result;
    if (combiner.empty() || (input.imag && combiner != "add"))
      break;
    result.real = reduceWithInit(b, combiner, input.real, init.real, *dims, isUnsigned);
    if (input.imag)
      result.imag = reduceWithInit(b, combiner, input.imag, init.imag, *dims, isUnsigned);
    if (!result)
      break;
    results.push_back(result);
  }
  if (results.size() != reduced->inputs.size())
    return success(succeeded(importArgReduce(importer, op, b, *reduced, *dims)) || succeeded(importTree(importer, op, b, *reduced, *dims)));
  importer.setParts(op, results);
  return success();
}

// A function of scalars at every element.
static LogicalResult map(Importer &importer, Operation &op, TensorBuilder &) {
  if (op.getNumOperands() == 0 || failed(checkSameShapes(op)))
    return op.getNumOperands() == 0 ? op.emitOpError("needs an operand") : failure();
  SmallVector<Parts> arguments;
  for (unsigned i = 0; i < op.getNumOperands(); ++i)
    arguments.push_back(importer.operandParts(op, i));
  auto results = importer.applyPointwise(op, 0, arguments, cast<RankedTensorType>(op.getOperand(0).getType()).getShape());
  if (failed(results) || results->size() != 1)
    return failed(results) ? failure() : op.emitOpError("has a body that must return one value");
  importer.setParts(op, 0, results->front());
  return success();
}

void mlir::raf::stablehlo::addReductionHandlers(HandlerTable &table) {
  table.add("stablehlo.reduce", {reduce, -1, -1, 1, Complex::handled});
  table.add("stablehlo.map", {map, -1, 1, 1, Complex::handled});
}
