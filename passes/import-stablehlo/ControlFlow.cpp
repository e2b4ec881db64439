// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls, conditionals and loops.
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

// A loop with fewer operators than this after unrolling is unrolled.
static constexpr int64_t kMaxUnrolledOps = 512;

//===-- values across regions ------------------------------------------------------------------------------------===//

static SmallVector<Parts> operandParts(Importer &importer, Operation &op, unsigned first = 0) {
  SmallVector<Parts> parts;
  for (unsigned i = first; i < op.getNumOperands(); ++i)
    parts.push_back(importer.operandParts(op, i));
  return parts;
}

// A complex tensor crosses the boundary of an scf region as two.
template <typename Range>
static SmallVector<Parts> unflatten(Range &&values, TypeRange sources) {
  SmallVector<Parts> all;
  auto it = values.begin();
  for (Type source : sources) {
    Parts parts{*it++, {}};
    if (isComplex(source))
      parts.imag = *it++;
    all.push_back(parts);
  }
  return all;
}

static LogicalResult bindResults(Importer &importer, Operation &op, ArrayRef<Parts> results) {
  if (results.size() != op.getNumResults())
    return op.emitOpError() << "needs " << op.getNumResults() << " values for its results, got " << results.size();
  importer.setParts(op, results);
  return success();
}

static Value extract(TensorBuilder &b, Value scalar) { return tensor::ExtractOp::create(b.getBuilder(), b.getLoc(), scalar, ValueRange()); }

//===-- calls ----------------------------------------------------------------------------------------------------===//

static LogicalResult call(Importer &importer, Operation &op, TensorBuilder &) {
  auto results = importer.importCall(op, readSymbol(op, "callee"), operandParts(importer, op));
  return failed(results) ? failure() : bindResults(importer, op, *results);
}

static LogicalResult composite(Importer &importer, Operation &op, TensorBuilder &) {
  auto results = importer.importCall(op, readSymbol(op, "decomposition"), operandParts(importer, op));
  return failed(results) ? failure() : bindResults(importer, op, *results);
}

static LogicalResult barrier(Importer &importer, Operation &op, TensorBuilder &b) {
  if (op.getNumOperands() == 0)
    return bindResults(importer, op, {});
  auto kept = b.create<BarrierOp>(flattenParts(operandParts(importer, op)));
  return bindResults(importer, op, unflatten(kept->getResults(), op.getOperandTypes()));
}

//===-- conditionals ---------------------------------------------------------------------------------------------===//

// Imports region `index` of a conditional into the builder's block, which it ends.
static LogicalResult importBranch(Importer &importer, Operation &op, TensorBuilder &b, unsigned index, TypeRange types) {
  auto results = importer.importRegion(op, index, {});
  if (failed(results))
    return failure();
  if (!llvm::all_of(*results, [](Parts parts) { return static_cast<bool>(parts); }))
    return scf::YieldOp::create(b.getBuilder(), b.getLoc(), ValueRange()), success();
  SmallVector<Value> values = flattenParts(*results);
  if (TypeRange(ValueRange(values)) != types)
    return op.emitOpError() << "region " << index << " must return values of the types of the results";
  scf::YieldOp::create(b.getBuilder(), b.getLoc(), values);
  return success();
}

static SmallVector<Type> resultTypes(Importer &importer, Operation &op) {
  SmallVector<Type> types;
  for (Type type : op.getResultTypes())
    types.append(isComplex(type) ? 2 : 1, importer.storedType(type));
  return types;
}

static LogicalResult inlineBranch(Importer &importer, Operation &op, unsigned index) {
  auto results = importer.importRegion(op, index, {});
  return failed(results) ? failure() : bindResults(importer, op, *results);
}

static LogicalResult ifOp(Importer &importer, Operation &op, TensorBuilder &b) {
  Value pred = importer.operand(op, 0);
  if (!isBool(pred) || TensorBuilder::typeOf(pred).getRank() != 0)
    return op.emitOpError() << "needs a predicate of type tensor<i1>, got " << op.getOperand(0).getType();
  if (std::optional<APInt> known = constantInt(pred))
    return inlineBranch(importer, op, known->isZero() ? 1 : 0);
  SmallVector<Type> types = resultTypes(importer, op);
  auto conditional = b.create<scf::IfOp>(types, extract(b, pred), /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b.getBuilder());
  for (unsigned index = 0; index < 2; ++index) {
    b.getBuilder().setInsertionPointToStart(&conditional->getRegion(index).front());
    if (failed(importBranch(importer, op, b, index, types)))
      return failure();
  }
  return bindResults(importer, op, unflatten(conditional->getResults(), op.getResultTypes()));
}

// An index outside takes the last branch.
static LogicalResult caseOp(Importer &importer, Operation &op, TensorBuilder &b) {
  Value index = importer.operand(op, 0);
  unsigned branches = op.getNumRegions();
  if (TensorBuilder::typeOf(index).getRank() != 0 || isFloat(index) || branches == 0)
    return op.emitOpError() << "needs an integer scalar and at least one branch, got " << op.getOperand(0).getType();
  if (std::optional<APInt> known = constantInt(index); known || branches == 1)
    return inlineBranch(importer, op, known && known->ult(branches) ? known->getZExtValue() : branches - 1);
  SmallVector<Type> types = resultTypes(importer, op);
  SmallVector<int64_t> cases = dimRange(0, branches - 1);
  Value selector = arith::IndexCastOp::create(b.getBuilder(), b.getLoc(), b.getBuilder().getIndexType(), extract(b, index));
  auto conditional = b.create<scf::IndexSwitchOp>(types, selector, cases, branches - 1);
  OpBuilder::InsertionGuard guard(b.getBuilder());
  for (unsigned branch = 0; branch < branches; ++branch) {
    Region &region = branch + 1 == branches ? conditional.getDefaultRegion() : conditional.getCaseRegions()[branch];
    b.getBuilder().createBlock(&region);
    if (failed(importBranch(importer, op, b, branch, types)))
      return failure();
  }
  return bindResults(importer, op, unflatten(conditional->getResults(), op.getResultTypes()));
}

//===-- loops ----------------------------------------------------------------------------------------------------===//

namespace {
// A loop whose argument `counter` goes from a constant by a constant step while it compares with a constant.
struct Counted {
  unsigned counter;
  int64_t start, step, trips;
};
} // namespace

static Operation *definedBy(Value value, StringRef name) {
  Operation *op = value.getDefiningOp();
  return op && op->getName().getStringRef() == name ? op : nullptr;
}

// An integer that the loop does not change: a constant in the region, or a value from outside or an argument that is handed on, if it is known.
static std::optional<APInt> invariantInt(Importer &importer, Operation &op, Block &block, Value value) {
  if (Operation *constant = definedBy(value, "stablehlo.constant")) {
    auto elements = dyn_cast_or_null<DenseIntElementsAttr>(constant->getAttr("value"));
    return elements && elements.isSplat() ? std::optional(elements.getSplatValue<APInt>()) : std::nullopt;
  }
  if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == &block) {
    unsigned index = argument.getArgNumber();
    Block &body = op.getRegion(1).front();
    return body.back().getOperand(index) == body.getArgument(index) ? constantInt(importer.operand(op, index)) : std::nullopt;
  }
  return constantInt(importer.valueOf(value).real);
}

static std::optional<int64_t> countTrips(StringRef direction, int64_t start, int64_t limit, int64_t step) {
  if (direction == "LE" || direction == "GE")
    limit += direction == "LE" ? 1 : -1;
  bool up = direction == "LT" || direction == "LE" || (direction == "NE" && step > 0);
  bool down = direction == "GT" || direction == "GE" || (direction == "NE" && step < 0);
  if ((up && step <= 0) || (down && step >= 0) || (!up && !down))
    return std::nullopt;
  int64_t distance = up ? limit - start : start - limit, size = std::abs(step);
  if (direction == "NE" && (distance < 0 || distance % size != 0))
    return std::nullopt;
  return distance <= 0 ? 0 : (distance + size - 1) / size;
}

static std::optional<Counted> matchCounted(Importer &importer, Operation &op) {
  Block &cond = op.getRegion(0).front(), &body = op.getRegion(1).front();
  if (cond.empty() || body.empty() || cond.back().getNumOperands() != 1 || body.back().getNumOperands() != op.getNumOperands() ||
      cond.getNumArguments() != op.getNumOperands() || body.getNumArguments() != op.getNumOperands())
    return std::nullopt;
  Operation *compare = definedBy(cond.back().getOperand(0), "stablehlo.compare");
  auto counter = compare && compare->getNumOperands() == 2 ? dyn_cast<BlockArgument>(compare->getOperand(0)) : BlockArgument();
  if (!counter || counter.getOwner() != &cond)
    return std::nullopt;
  unsigned index = counter.getArgNumber();
  Operation *next = definedBy(body.back().getOperand(index), "stablehlo.add");
  if (!next || next->getNumOperands() != 2)
    return std::nullopt;
  Value self = body.getArgument(index), by = next->getOperand(0) == self ? next->getOperand(1) : next->getOperand(0);
  if (next->getOperand(0) != self && next->getOperand(1) != self)
    return std::nullopt;
  std::optional<APInt> start = constantInt(importer.operand(op, index)), step = invariantInt(importer, op, body, by),
                       limit = invariantInt(importer, op, cond, compare->getOperand(1));
  if (!start || !step || !limit || start->getBitWidth() == 1)
    return std::nullopt;
  // Small numbers only: then nothing overflows and the sign of the type does not matter.
  for (const APInt &value : {*start, *step, *limit})
    if (value.getSignificantBits() > 31 || (isUnsigned(op.getOperand(index).getType()) && value.isNegative()))
      return std::nullopt;
  auto trips = countTrips(readEnum(*compare, "comparison_direction"), start->getSExtValue(), limit->getSExtValue(), step->getSExtValue());
  return trips ? std::optional(Counted{index, start->getSExtValue(), step->getSExtValue(), *trips}) : std::nullopt;
}

// MLIR does not take func.call in an op that it does not know and that has one region, such as stablehlo.reduce; there it has another name.
static bool isCall(Operation *op) { return op->getName().getStringRef() == "func.call" || op->getName().getStringRef() == "stablehlo.call"; }

// The number of ops of a region with those of the functions that it calls.
static int64_t countOps(Importer &importer, Region &region, unsigned depth = 0) {
  int64_t count = 0;
  region.walk([&](Operation *op) {
    ++count;
    func::FuncOp callee = isCall(op) && depth < 16 ? importer.findFunction(readSymbol(*op, "callee")) : func::FuncOp();
    if (callee && count < kMaxUnrolledOps)
      count += countOps(importer, callee.getBody(), depth + 1);
    return count < kMaxUnrolledOps ? WalkResult::advance() : WalkResult::interrupt();
  });
  return count;
}

static bool allKnown(ArrayRef<Parts> all) {
  return llvm::all_of(all, [](Parts parts) { return static_cast<bool>(parts); });
}

static LogicalResult checkCarried(Operation &op, ArrayRef<Parts> carried, ArrayRef<Parts> next) {
  if (carried.size() != next.size())
    return op.emitOpError() << "needs a body that returns " << carried.size() << " values, got " << next.size();
  for (auto [before, after] : llvm::zip(carried, next))
    if (after && (before.real.getType() != after.real.getType() || static_cast<bool>(before.imag) != static_cast<bool>(after.imag)))
      return op.emitOpError() << "needs a body that returns values of the types of its arguments, expected " << before.real.getType() << ", got " << after.real.getType();
  return success();
}

static LogicalResult unroll(Importer &importer, Operation &op, const Counted &counted) {
  SmallVector<Parts> carried = operandParts(importer, op);
  for (int64_t trip = 0; trip < counted.trips && allKnown(carried); ++trip) {
    auto next = importer.importRegion(op, 1, carried);
    if (failed(next) || failed(checkCarried(op, carried, *next)))
      return failure();
    carried = *next;
  }
  return bindResults(importer, op, carried);
}

// The counter is a function of the trip, so that nothing in the loop depends on it from trip to trip.
static LogicalResult importFor(Importer &importer, Operation &op, TensorBuilder &b, const Counted &counted) {
  OpBuilder &builder = b.getBuilder();
  SmallVector<Parts> initial = operandParts(importer, op), carried = initial;
  RankedTensorType counterType = TensorBuilder::typeOf(initial[counted.counter].real);
  carried.erase(carried.begin() + counted.counter);
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, b.getLoc(), value); };
  auto loop = b.create<scf::ForOp>(index(0), index(counted.trips), index(1), flattenParts(carried));
  SmallVector<Type> sources(op.getOperandTypes());
  sources.erase(sources.begin() + counted.counter);
  {
    OpBuilder::InsertionGuard guard(builder);
    if (!loop.getBody()->empty())
      loop.getBody()->getTerminator()->erase();
    builder.setInsertionPointToStart(loop.getBody());
    Value trip = arith::IndexCastOp::create(builder, b.getLoc(), counterType.getElementType(), loop.getInductionVar());
    Value counter = tensor::FromElementsOp::create(builder, b.getLoc(), counterType, trip);
    counter = b.add(b.mul(counter, static_cast<double>(counted.step)), static_cast<double>(counted.start));
    SmallVector<Parts> arguments = unflatten(loop.getRegionIterArgs(), sources);
    arguments.insert(arguments.begin() + counted.counter, Parts{counter, {}});
    auto next = importer.importLoopBody(op, 1, arguments, loop.getInductionVar(), counted.trips);
    if (failed(next) || failed(checkCarried(op, arguments, *next)))
      return failure();
    next->erase(next->begin() + counted.counter);
    scf::YieldOp::create(builder, b.getLoc(), allKnown(*next) ? flattenParts(*next) : flattenParts(carried));
  }
  SmallVector<Parts> results = unflatten(loop.getResults(), sources);
  Value last = intSplat(b, counterType, APInt(64, counted.start + counted.step * counted.trips, true));
  results.insert(results.begin() + counted.counter, Parts{last, {}});
  return bindResults(importer, op, results);
}

static LogicalResult importWhile(Importer &importer, Operation &op, TensorBuilder &b) {
  OpBuilder &builder = b.getBuilder();
  SmallVector<Parts> carried = operandParts(importer, op);
  SmallVector<Value> initial = flattenParts(carried);
  TypeRange types{ValueRange(initial)};
  auto loop = b.create<scf::WhileOp>(types, initial);
  SmallVector<Location> locations(initial.size(), b.getLoc());
  OpBuilder::InsertionGuard guard(builder);
  Block *before = builder.createBlock(&loop.getBefore(), {}, types, locations);
  auto condition = importer.importLoopBody(op, 0, unflatten(before->getArguments(), op.getOperandTypes()), {}, 0);
  if (failed(condition))
    return failure();
  if (condition->size() != 1 || (condition->front() && (!isBool(condition->front().real) || TensorBuilder::typeOf(condition->front().real).getRank() != 0)))
    return op.emitOpError() << "needs a condition that returns one tensor<i1>";
  Value pred = condition->front() ? condition->front().real : b.splat(RankedTensorType::get({}, builder.getI1Type()), 0);
  scf::ConditionOp::create(builder, b.getLoc(), extract(b, pred), before->getArguments());
  Block *after = builder.createBlock(&loop.getAfter(), {}, types, locations);
  auto next = importer.importLoopBody(op, 1, unflatten(after->getArguments(), op.getOperandTypes()), {}, 0);
  if (failed(next) || failed(checkCarried(op, carried, *next)))
    return failure();
  scf::YieldOp::create(builder, b.getLoc(), allKnown(*next) ? flattenParts(*next) : initial);
  return bindResults(importer, op, unflatten(loop.getResults(), op.getOperandTypes()));
}

static LogicalResult whileOp(Importer &importer, Operation &op, TensorBuilder &b) {
  if (!op.getRegion(0).hasOneBlock() || !op.getRegion(1).hasOneBlock() || op.getNumOperands() == 0)
    return op.emitOpError() << "needs operands and two regions of one block";
  std::optional<Counted> counted = matchCounted(importer, op);
  if (!counted)
    return importWhile(importer, op, b);
  if (counted->trips <= 1 || counted->trips * countOps(importer, op.getRegion(1)) <= kMaxUnrolledOps)
    return unroll(importer, op, *counted);
  return importFor(importer, op, b, *counted);
}

// Tuples were taken apart before, but those that are malformed.
static LogicalResult malformedTuple(Importer &, Operation &op, TensorBuilder &) { return op.emitOpError() << "is not of a tuple, got " << op.getOperandTypes(); }

//===-- scans ----------------------------------------------------------------------------------------------------===//

namespace {
// chlo.scan: the body gets a slice of each input and what is carried, and returns a slice of each output and what is carried on.
struct Scan {
  Importer &importer;
  Operation &op;
  TensorBuilder &b;
  int64_t inputs, outputs, dimension, trips;
  bool isReverse;

  static FailureOr<Scan> read(Importer &importer, Operation &op, TensorBuilder &b);
  Parts sliceAt(Parts x, Value trip) const;
  SmallVector<Parts> arguments(ArrayRef<Parts> carried, Value trip) const;
  LogicalResult check(ArrayRef<Parts> carried, ArrayRef<Parts> returned) const;
  // One element of the scanned dimension.
  Value withDimension(Value x) const {
    SmallVector<int64_t> shape(TensorBuilder::typeOf(x).getShape());
    shape.insert(shape.begin() + dimension, 1);
    return b.reshape(x, shape);
  }
  SmallVector<Value> startsAt(int64_t rank, Value trip) const {
    SmallVector<Value> starts(rank, b.zeros(RankedTensorType::get({}, b.getBuilder().getI32Type())));
    starts[dimension] = trip;
    return starts;
  }
  LogicalResult unroll() const;
  LogicalResult loop() const;
};
} // namespace

static std::optional<int64_t> firstSegment(Operation &op, StringRef name, int64_t count) {
  auto sizes = dyn_cast_or_null<DenseI32ArrayAttr>(op.getAttr(name));
  bool valid = sizes && sizes.size() == 2 && sizes[0] >= 0 && sizes[1] >= 0 && int64_t(sizes[0]) + sizes[1] == count;
  return valid ? std::optional<int64_t>(sizes[0]) : std::nullopt;
}

FailureOr<Scan> Scan::read(Importer &importer, Operation &op, TensorBuilder &b) {
  auto inputs = firstSegment(op, "operandSegmentSizes", op.getNumOperands()), outputs = firstSegment(op, "resultSegmentSizes", op.getNumResults());
  if (!inputs || !outputs || op.getNumOperands() - *inputs != op.getNumResults() - *outputs)
    return op.emitOpError() << "needs operandSegmentSizes and resultSegmentSizes that say how many operands and results are scanned and how many carried", failure();
  auto dimension = readInt(op, "dimension"), trips = readInt(op, "scan_dim_size", 0);
  if (failed(dimension) || failed(trips))
    return failure();
  auto reverse = dyn_cast_or_null<BoolAttr>(op.getAttr("is_reverse"));
  Scan scan{importer, op, b, *inputs, *outputs, *dimension, *trips, reverse && reverse.getValue()};
  auto check = [&](Type type) -> LogicalResult {
    auto tensor = cast<RankedTensorType>(type);
    if (failed(checkDimensions(op, "dimension", {scan.dimension}, tensor.getRank())))
      return failure();
    if (scan.trips != 0 && tensor.getDimSize(scan.dimension) != scan.trips)
      return op.emitOpError() << "needs one size of the scanned dimension, got " << scan.trips << " and " << tensor.getDimSize(scan.dimension);
    scan.trips = tensor.getDimSize(scan.dimension);
    return success();
  };
  for (Value operand : op.getOperands().take_front(*inputs))
    if (failed(check(operand.getType())))
      return failure();
  for (Value result : op.getResults().take_front(*outputs))
    if (failed(check(result.getType())))
      return failure();
  if (scan.trips < 1)
    return op.emitOpError() << "needs a scanned dimension that is not empty", failure();
  return scan;
}

Parts Scan::sliceAt(Parts x, Value trip) const {
  return mapParts(x, [&](Value part) {
    SmallVector<int64_t> box(TensorBuilder::typeOf(part).getShape());
    std::optional<APInt> known = constantInt(trip);
    box[dimension] = 1;
    Value slice = known ? sliceDim(b, part, dimension, known->getSExtValue(), known->getSExtValue() + 1)
                        : b.fold<DynamicSliceOp>(TensorBuilder::typeOf(part).clone(box), part, startsAt(box.size(), trip));
    box.erase(box.begin() + dimension);
    return b.reshape(slice, box);
  });
}

SmallVector<Parts> Scan::arguments(ArrayRef<Parts> carried, Value trip) const {
  SmallVector<Parts> all;
  for (int64_t i = 0; i < inputs; ++i)
    all.push_back(sliceAt(importer.operandParts(op, i), trip));
  llvm::append_range(all, carried);
  return all;
}

LogicalResult Scan::check(ArrayRef<Parts> carried, ArrayRef<Parts> returned) const {
  if (static_cast<int64_t>(returned.size()) != outputs + static_cast<int64_t>(carried.size()))
    return op.emitOpError() << "needs a body that returns " << outputs + carried.size() << " values, got " << returned.size();
  for (int64_t i = 0; i < outputs; ++i) {
    RankedTensorType type = importer.resultType(op, i);
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + dimension);
    Parts slice = returned[i];
    if (slice && (slice.real.getType() != type.clone(shape) || static_cast<bool>(slice.imag) != isComplex(op.getResult(i).getType())))
      return op.emitOpError() << "needs a body that returns slices of result " << i << ", got " << slice.real.getType();
  }
  return checkCarried(op, carried, returned.drop_front(outputs));
}

LogicalResult Scan::unroll() const {
  SmallVector<Parts> carried = operandParts(importer, op, inputs);
  SmallVector<SmallVector<Parts>> pieces(outputs, SmallVector<Parts>(trips));
  auto scalar = RankedTensorType::get({}, b.getBuilder().getI32Type());
  for (int64_t trip = 0; trip < trips; ++trip) {
    int64_t place = isReverse ? trips - 1 - trip : trip;
    auto returned = importer.importRegion(op, 0, arguments(carried, b.splat(scalar, static_cast<double>(place))));
    if (failed(returned) || failed(check(carried, *returned)))
      return failure();
    if (!allKnown(*returned))
      return bindResults(importer, op, SmallVector<Parts>(op.getNumResults()));
    for (int64_t i = 0; i < outputs; ++i)
      pieces[i][place] = mapParts((*returned)[i], [&](Value part) { return withDimension(part); });
    carried.assign(returned->begin() + outputs, returned->end());
  }
  SmallVector<Parts> results;
  for (ArrayRef<Parts> all : pieces) {
    auto join = [&](auto part) { return concatenate(b, llvm::map_to_vector(all, part), dimension); };
    Value imag = all.front().imag ? join([](Parts parts) { return parts.imag; }) : Value();
    results.push_back({join([](Parts parts) { return parts.real; }), imag});
  }
  llvm::append_range(results, carried);
  return bindResults(importer, op, results);
}

LogicalResult Scan::loop() const {
  OpBuilder &builder = b.getBuilder();
  SmallVector<Parts> state;
  SmallVector<Type> sources(op.getResultTypes());
  for (int64_t i = 0; i < outputs; ++i) {
    Value empty = b.zeros(importer.resultType(op, i));
    state.push_back({empty, isComplex(sources[i]) ? empty : Value()});
  }
  llvm::append_range(state, operandParts(importer, op, inputs));
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, b.getLoc(), value); };
  auto loop = b.create<scf::ForOp>(index(0), index(trips), index(1), flattenParts(state));
  {
    OpBuilder::InsertionGuard guard(builder);
    if (!loop.getBody()->empty())
      loop.getBody()->getTerminator()->erase();
    builder.setInsertionPointToStart(loop.getBody());
    auto scalar = RankedTensorType::get({}, builder.getI32Type());
    Value number = arith::IndexCastOp::create(builder, b.getLoc(), builder.getI32Type(), loop.getInductionVar());
    Value trip = tensor::FromElementsOp::create(builder, b.getLoc(), scalar, number);
    if (isReverse)
      trip = b.sub(static_cast<double>(trips - 1), trip);
    SmallVector<Parts> current = unflatten(loop.getRegionIterArgs(), sources), carried(current.begin() + outputs, current.end());
    auto returned = importer.importLoopBody(op, 0, arguments(carried, trip), loop.getInductionVar(), trips);
    if (failed(returned) || failed(check(carried, *returned)))
      return failure();
    if (allKnown(*returned)) {
      auto update = [&](Value whole, Value slice) {
        return b.fold<DynamicUpdateSliceOp>(whole, withDimension(slice), startsAt(TensorBuilder::typeOf(whole).getRank(), trip));
      };
      for (int64_t i = 0; i < outputs; ++i) {
        Parts slice = (*returned)[i];
        (*returned)[i] = {update(current[i].real, slice.real), slice.imag ? update(current[i].imag, slice.imag) : Value()};
      }
      current = *returned;
    }
    scf::YieldOp::create(builder, b.getLoc(), flattenParts(current));
  }
  return bindResults(importer, op, unflatten(loop.getResults(), sources));
}

static LogicalResult scanOp(Importer &importer, Operation &op, TensorBuilder &b) {
  auto scan = Scan::read(importer, op, b);
  if (failed(scan) || !op.getRegion(0).hasOneBlock())
    return failed(scan) ? failure() : op.emitOpError("needs a region of one block");
  for (unsigned i = scan->inputs; i < op.getNumOperands(); ++i)
    if (op.getOperand(i).getType() != op.getResult(scan->outputs + i - scan->inputs).getType())
      return op.emitOpError() << "needs carried results of the types of the operands, got " << op.getOperandTypes() << " and " << op.getResultTypes();
  return scan->trips * countOps(importer, op.getRegion(0)) <= kMaxUnrolledOps ? scan->unroll() : scan->loop();
}

void mlir::raf::stablehlo::addControlFlowHandlers(HandlerTable &table) {
  table.add("func.call", {call, -1, -1, 0, Complex::handled, /*pointwise=*/true});
  table.add("stablehlo.call", {call, -1, -1, 0, Complex::handled, /*pointwise=*/true});
  table.add("stablehlo.composite", {composite, -1, -1, -1, Complex::handled});
  table.add("stablehlo.optimization_barrier", {barrier, -1, -1, 0, Complex::handled});
  table.add("stablehlo.if", {ifOp, 1, -1, 2, Complex::handled});
  table.add("stablehlo.case", {caseOp, 1, -1, -1, Complex::handled});
  table.add("stablehlo.while", {whileOp, -1, -1, 2, Complex::handled});
  table.add("stablehlo.tuple", {malformedTuple, -1, 1, 0, Complex::handled});
  table.add("stablehlo.get_tuple_element", {malformedTuple, 1, 1, 0, Complex::handled});
  table.add("chlo.scan", {scanOp, -1, -1, 1, Complex::handled});
}
