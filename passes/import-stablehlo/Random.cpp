// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// rng_bit_generator with the bits that XLA gives: Threefry2x32-20 and Philox4x32-10 (Salmon et al., SC'11) in integer arithmetic on counters. rng, which has no
// state in the program, takes raf's numbers from the seed and the step of the model.
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Shape.h"
#include "passes/import-stablehlo/SpecialFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

namespace {
// Two words of 32 bits, the lower first.
struct Words {
  Value low, high;
};

struct Generator {
  TensorBuilder &b;
  Type i32, i64;

  explicit Generator(TensorBuilder &b) : b(b), i32(b.getBuilder().getI32Type()), i64(b.getBuilder().getI64Type()) {}

  Value word(Value like, uint32_t value) { return intSplat(b, like.getType(), APInt(32, value)); }
  Value exclusiveOr(Value x, Value y) { return b.fold<XorOp>(x, y); }
  Value shiftRight(Value x, unsigned bits) { return b.fold<ShiftRightLogicalOp>(x, b.splatLike(x, bits)); }
  Value rotate(Value x, unsigned bits) { return b.fold<OrOp>(b.fold<ShiftLeftOp>(x, b.splatLike(x, bits)), shiftRight(x, 32 - bits)); }
  Value replicate(Value scalar, ArrayRef<int64_t> shape) { return b.broadcast(scalar, TensorBuilder::typeOf(scalar).clone(shape), {}); }
  Words split(Value x) { return {convertValue(b, x, true, i32, true), convertValue(b, shiftRight(x, 32), true, i32, true)}; }
  Value join(Words words) {
    Value high = convertValue(b, words.high, true, i64, true);
    return b.fold<OrOp>(convertValue(b, words.low, true, i64, true), b.fold<ShiftLeftOp>(high, b.splatLike(high, 32)));
  }
  Value element(Value state, int64_t index) { return b.reshape(sliceDim(b, state, 0, index, index + 1), {}); }
  // The row-major index of each element.
  Value indices(ArrayRef<int64_t> shape) {
    int64_t count = product(shape);
    return b.reshape(b.iota(RankedTensorType::get({count}, i64), 0), shape);
  }

  Words threefry(Words x, Words key);
  SmallVector<Value, 4> philox(SmallVector<Value, 4> x, Words key);
  Value threefry32(Value state, ArrayRef<int64_t> shape, int64_t &used);
  Value philoxWords(Value state, int64_t count, Value &next);
};
} // namespace

Words Generator::threefry(Words x, Words key) {
  auto word = [&](int64_t which) -> Value { return b.create<ThreefryOp>(x.low.getType(), key.low, key.high, x.low, x.high, which); };
  return {word(0), word(1)};
}

SmallVector<Value, 4> Generator::philox(SmallVector<Value, 4> x, Words key) {
  auto multiply = [&](Value value, uint32_t factor) {
    Value wide = convertValue(b, value, true, i64, true);
    return split(b.mul(wide, intSplat(b, wide.getType(), APInt(64, factor))));
  };
  for (unsigned round = 0; round < 10; ++round) {
    Words first = multiply(x[0], 0xD2511F53), second = multiply(x[2], 0xCD9E8D57);
    x = {exclusiveOr(exclusiveOr(second.high, x[1]), key.low), second.low, exclusiveOr(exclusiveOr(first.high, x[3]), key.high), first.low};
    key = {b.add(key.low, word(key.low, 0x9E3779B9)), b.add(key.high, word(key.high, 0xBB67AE85))};
  }
  return x;
}

// The two words of a counter go to neighbours in the first dimension of even size, or else the largest.
Value Generator::threefry32(Value state, ArrayRef<int64_t> shape, int64_t &used) {
  SmallVector<int64_t> half(shape);
  int64_t dim = -1;
  for (int64_t d = 0; d < static_cast<int64_t>(shape.size()) && dim < 0; ++d)
    if (shape[d] % 2 == 0)
      dim = d;
  if (dim < 0 && !shape.empty())
    dim = llvm::max_element(shape) - shape.begin();
  if (dim >= 0)
    half[dim] = (half[dim] + 1) / 2;
  used = product(half);
  Value counter = b.add(replicate(element(state, 1), half), indices(half));
  Words key = split(replicate(element(state, 0), half)), bits = threefry(split(counter), key);
  if (dim < 0)
    return bits.low;
  SmallVector<int64_t> column(half), whole(half);
  column.insert(column.begin() + dim + 1, 1);
  whole[dim] *= 2;
  Value both = b.reshape(concatenate(b, {b.reshape(bits.low, column), b.reshape(bits.high, column)}, dim + 1), whole);
  return sliceDim(b, both, dim, 0, shape[dim]);
}

// `count` words in a row: four for each counter of 128 bits.
Value Generator::philoxWords(Value state, int64_t count, Value &next) {
  int64_t blocks = (count + 3) / 4;
  // A state of two words has the key for the upper half of the counter too.
  Value low = element(state, 1), high = element(state, TensorBuilder::typeOf(state).getDimSize(0) > 2 ? 2 : 0);
  auto advance = [&](Value lower, Value upper, Value by) {
    Value sum = b.add(lower, by);
    Value carry = b.compare(CompareKind::ult, sum, lower);
    return std::pair(sum, b.select(carry, b.add(upper, b.splatLike(upper, 1)), upper));
  };
  auto [sum, carried] = advance(replicate(low, {blocks}), replicate(high, {blocks}), indices({blocks}));
  Words lower = split(sum), upper = split(carried), key = split(replicate(element(state, 0), {blocks}));
  SmallVector<Value> columns;
  for (Value bits : philox({lower.low, lower.high, upper.low, upper.high}, key))
    columns.push_back(b.reshape(bits, {blocks, 1}));
  auto [nextLow, nextHigh] = advance(low, high, b.splatLike(low, static_cast<double>(blocks)));
  SmallVector<Value> parts = {b.reshape(element(state, 0), {1}), b.reshape(nextLow, {1})};
  if (TensorBuilder::typeOf(state).getDimSize(0) > 2)
    parts.push_back(b.reshape(nextHigh, {1}));
  next = concatenate(b, parts, 0);
  return sliceDim(b, b.reshape(concatenate(b, columns, 1), {4 * blocks}), 0, 0, count);
}

static LogicalResult rngBitGenerator(Importer &importer, Operation &op, TensorBuilder &b) {
  Value state = importer.operand(op, 0);
  RankedTensorType stateType = TensorBuilder::typeOf(state), type = importer.resultType(op, 1);
  StringRef algorithm = readEnum(op, "rng_algorithm");
  bool isThreefry = algorithm == "THREE_FRY";
  if (!isThreefry && algorithm != "PHILOX" && algorithm != "DEFAULT")
    return op.emitOpError() << "needs an rng_algorithm of THREE_FRY, PHILOX or DEFAULT, got " << op.getAttr("rng_algorithm");
  bool hasState = stateType.getRank() == 1 && stateType.getElementType().isInteger(64) && (stateType.getDimSize(0) == 2 || (!isThreefry && stateType.getDimSize(0) == 3));
  if (!hasState)
    return op.emitOpError() << "needs a state of " << (isThreefry ? "2" : "2 or 3") << " 64-bit integers, got " << op.getOperand(0).getType();
  unsigned width = type.getElementTypeBitWidth();
  if (width < 8 || type.getNumElements() == 0)
    return op.emitOpError() << "needs a result of numbers with at least one element, got " << op.getResult(1).getType();
  Generator generator(b);
  Value bits, next;
  RankedTensorType integers = type.clone(b.getBuilder().getIntegerType(width));
  if (isThreefry) {
    int64_t used = type.getNumElements();
    if (width == 64) {
      Value counter = b.add(generator.replicate(generator.element(state, 1), type.getShape()), generator.indices(type.getShape()));
      bits = generator.join(generator.threefry(generator.split(counter), generator.split(generator.replicate(generator.element(state, 0), type.getShape()))));
    } else {
      bits = generator.threefry32(state, type.getShape(), used);
    }
    Value counter = generator.element(state, 1);
    next = concatenate(b, {sliceDim(b, state, 0, 0, 1), b.reshape(b.add(counter, b.splatLike(counter, static_cast<double>(used))), {1})}, 0);
  } else if (width == 64) {
    Value words = b.reshape(generator.philoxWords(state, 2 * type.getNumElements(), next), {type.getNumElements(), 2});
    auto column = [&](int64_t index) { return b.reshape(sliceDim(b, words, 1, index, index + 1), type.getShape()); };
    bits = generator.join({column(0), column(1)});
  } else {
    bits = b.reshape(generator.philoxWords(state, type.getNumElements(), next), type.getShape());
  }
  bits = convertValue(b, bits, true, integers.getElementType(), true);
  importer.setResult(op, 0, next);
  importer.setResult(op, 1, integers == type ? bits : b.fold<BitcastOp>(type, bits));
  return success();
}

//===-- rng ------------------------------------------------------------------------------------------------------===//

// Numbers of [0, 1) in 24 bits. In a loop each iteration takes a box of its own out of a larger tensor of numbers. Null where there is no seed or no known iteration.
static Value drawUniform(Importer &importer, TensorBuilder &b, RankedTensorType type) {
  OpBuilder &builder = b.getBuilder();
  auto state = importer.randomState();
  if (!state)
    return {};
  Value box;
  for (auto [iteration, trips] : importer.getLoops()) {
    if (!iteration)
      return {};
    Value number = arith::IndexCastOp::create(builder, b.getLoc(), builder.getI64Type(), iteration);
    number = tensor::FromElementsOp::create(builder, b.getLoc(), RankedTensorType::get({}, builder.getI64Type()), number);
    box = box ? b.add(b.mul(box, static_cast<double>(trips)), number) : number;
  }
  if (!box)
    return b.create<RandomUniformOp>(type, state->first, state->second, importer.nextRandomOp());
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (int64_t dim = type.getRank() - 1; dim > 0; --dim)
    strides[dim - 1] = strides[dim] * type.getDimSize(dim);
  Value offset = b.mul(box, static_cast<double>(type.getNumElements()));
  return b.create<RandomUniformOp>(type, state->first, state->second, importer.nextRandomOp(), offset, strides);
}

// Numbers of [0, 1) with as many bits as the type has room for; 48 for f64.
static Value drawFine(Importer &importer, TensorBuilder &b, RankedTensorType type) {
  Value x = drawUniform(importer, b, type);
  if (!x || !type.getElementType().isF64())
    return x;
  return b.add(x, b.mul(drawUniform(importer, b, type), 0x1p-24));
}

static LogicalResult rng(Importer &importer, Operation &op, TensorBuilder &b) {
  RankedTensorType type = importer.resultType(op);
  Value low = importer.operand(op, 0), high = importer.operand(op, 1);
  StringRef distribution = readEnum(op, "rng_distribution");
  bool isUniform = distribution == "UNIFORM";
  if (!isUniform && distribution != "NORMAL")
    return op.emitOpError() << "needs an rng_distribution of UNIFORM or NORMAL, got " << op.getAttr("rng_distribution");
  if (low.getType() != high.getType() || TensorBuilder::typeOf(low).getRank() != 0 || getElementTypeOrSelf(low.getType()) != type.getElementType())
    return op.emitOpError() << "needs two scalars of the element type of the result, got " << op.getOperandTypes();
  if (isBool(low) || (!isUniform && !isFloat(low)))
    return importer.unsupported(op, isUniform ? "of booleans" : "normal numbers that are not floating-point");
  if (type.getNumElements() == 0)
    return importer.setResult(op, b.zeros(type)), success();
  // Integers are drawn in f64: all of a range up to 2^48 are met.
  bool fromUnsigned = isUnsigned(op.getOperand(0).getType());
  Type computed = isFloat(low) ? TensorBuilder::computeType(type.getElementType()) : Type(b.getBuilder().getF64Type());
  RankedTensorType wide = type.clone(computed);
  Value x = drawFine(importer, b, wide);
  if (!x)
    return importer.unsupported(op, "in a loop whose iterations are not counted, or in a function with a gradient of its own");
  auto everywhere = [&](Value scalar) { return b.broadcast(convertValue(b, scalar, fromUnsigned, computed, false), wide, {}); };
  if (!isUniform) {
    // The middle of a step of 2^-24, so that neither end is met.
    Value centred = b.add(b.sub(b.mul(x, 2.0), 1.0), 0x1p-24);
    Value normal = b.mul(inverseErf(b, centred), 1.41421356237309515);
    importer.setResult(op, b.cast(b.add(everywhere(low), b.mul(everywhere(high), normal)), type.getElementType()));
    return success();
  }
  Value span = b.mul(x, b.sub(everywhere(high), everywhere(low)));
  if (!isFloat(low)) {
    Value steps = convertValue(b, b.fold<FloorOp>(span), false, b.getBuilder().getI64Type(), false);
    Value number = b.add(b.broadcast(convertValue(b, low, fromUnsigned, b.getBuilder().getI64Type(), fromUnsigned), steps.getType(), {}), steps);
    return importer.setResult(op, convertValue(b, number, false, type.getElementType(), false)), success();
  }
  // Rounding may give the upper bound, which is none of the numbers.
  Value number = b.cast(b.add(everywhere(low), span), type.getElementType());
  Value first = b.broadcast(low, type, {}), last = b.broadcast(high, type, {});
  importer.setResult(op, b.select(b.compare(CompareKind::ge, number, last), first, number));
  return success();
}

void mlir::raf::stablehlo::addRandomHandlers(HandlerTable &table) {
  table.add("stablehlo.rng_bit_generator", {rngBitGenerator, 1, 2, 0});
  table.add("stablehlo.rng", {rng, 3, 1, 0});
}
