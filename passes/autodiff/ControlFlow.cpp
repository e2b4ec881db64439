// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops keep what they carried at the start of each iteration; the reverse loop computes an iteration again from that and differentiates it. Branches are computed again
// from what they use.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/autodiff/Activity.h"
#include "passes/autodiff/Reverse.h"
#include "passes/autodiff/Rules.h"

using namespace mlir;
using namespace mlir::raf;

bool Reverse::hasRegionRule(Operation *op) { return isa<scf::ForOp, scf::IfOp, scf::IndexSwitchOp>(op); }

LogicalResult Reverse::differentiateRegions(Site &site, OpBuilder &builder) {
  return isa<scf::ForOp>(site.op) ? differentiateFor(site, builder) : differentiateBranches(site, builder);
}

static void eraseDeadOps(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

//===-- loops ----------------------------------------------------------------------------------------------------===//

namespace {

struct Bounds {
  int64_t lower, step, trips;
};

std::optional<Bounds> boundsOf(scf::ForOp loop) {
  APInt lower, upper, step;
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!trips || trips->getActiveBits() > 63 || !matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) || !matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive())
    return std::nullopt;
  if (loop.getUnsignedCmp() && (lower.isNegative() || upper.isNegative())) // the place of an iteration is computed with a sign
    return std::nullopt;
  return Bounds{lower.getSExtValue(), step.getSExtValue(), trips->getSExtValue()};
}

/// An induction variable, an index or an integer, as a 0-d i64 tensor, and back.
Value indexToTensor(OpBuilder &builder, Location loc, Value index) {
  auto type = RankedTensorType::get({}, index.getType().isIndex() ? builder.getI64Type() : index.getType());
  Value number = type.getElementType() == index.getType() ? index : arith::IndexCastOp::create(builder, loc, type.getElementType(), index).getResult();
  Value tensor = tensor::FromElementsOp::create(builder, loc, type, number);
  return builder.createOrFold<CastOp>(loc, type.clone(builder.getI64Type()), tensor);
}
Value tensorToIndex(OpBuilder &builder, Location loc, Value tensor, Type type) {
  auto element = type.isIndex() ? TensorBuilder::typeOf(tensor) : RankedTensorType::get({}, type);
  Value number = tensor::ExtractOp::create(builder, loc, builder.createOrFold<CastOp>(loc, element, tensor), ValueRange());
  return type.isIndex() ? arith::IndexCastOp::create(builder, loc, type, number).getResult() : number;
}

RankedTensorType stackType(RankedTensorType type, int64_t trips) {
  SmallVector<int64_t> shape = {trips};
  llvm::append_range(shape, type.getShape());
  return type.clone(shape);
}

/// The start of slice `position` of a stack.
SmallVector<Value> sliceStart(TensorBuilder &g, Value position, int64_t rank) {
  SmallVector<Value> starts(rank + 1, rank ? g.zeros(position.getType()) : Value());
  starts[0] = position;
  return starts;
}

Value readStack(TensorBuilder &g, Value stack, Value position, RankedTensorType type) {
  return g.reshape(g.create<DynamicSliceOp>(stackType(type, 1), stack, sliceStart(g, position, type.getRank())), type.getShape());
}

Value writeStack(TensorBuilder &g, Value stack, Value position, Value value) {
  RankedTensorType type = TensorBuilder::typeOf(value);
  return g.create<DynamicUpdateSliceOp>(stack.getType(), stack, g.reshape(value, stackType(type, 1).getShape()), sliceStart(g, position, type.getRank()));
}

/// The loop with a stack more for each of `kept` (indices of carried values), which takes the value at the start of each iteration.
scf::ForOp keepCarried(scf::ForOp loop, const Bounds &bounds, ArrayRef<unsigned> kept) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  TensorBuilder outside(builder, loc);
  SmallVector<Value> inits(loop.getInitArgs());
  for (unsigned j : kept)
    inits.push_back(outside.zeros(stackType(TensorBuilder::typeOf(loop.getRegionIterArg(j)), bounds.trips)));
  auto longer = scf::ForOp::create(builder, loc, loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), inits);
  builder.setInsertionPointToStart(longer.getBody());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), longer.getInductionVar());
  unsigned count = loop.getNumRegionIterArgs();
  for (unsigned j = 0; j < count; ++j)
    mapping.map(loop.getRegionIterArg(j), longer.getRegionIterArg(j));
  TensorBuilder g(builder, loc);
  Value position = indexToTensor(builder, loc, longer.getInductionVar());
  if (bounds.lower != 0)
    position = g.sub(position, static_cast<double>(bounds.lower));
  if (bounds.step != 1)
    position = g.div(position, static_cast<double>(bounds.step));
  SmallVector<Value> stacks;
  for (auto [s, j] : llvm::enumerate(kept))
    stacks.push_back(writeStack(g, longer.getRegionIterArg(count + s), position, longer.getRegionIterArg(j)));
  for (Operation &op : loop.getBody()->without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> yielded;
  for (Value value : loop.getYieldedValues())
    yielded.push_back(mapping.lookupOrDefault(value));
  llvm::append_range(yielded, stacks);
  scf::YieldOp::create(builder, loc, yielded);
  return longer;
}

} // namespace

LogicalResult Reverse::differentiateFor(Site &site, OpBuilder &builder) {
  auto loop = cast<scf::ForOp>(site.op);
  std::optional<Bounds> bounds = boundsOf(loop);
  if (!bounds)
    return loop.emitOpError() << "needs constant bounds to be differentiated";
  for (Type type : loop.getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type); !tensor || !tensor.hasStaticShape())
      return loop.emitOpError() << "must carry tensors of static shape only to be differentiated, got " << type;
  unsigned controls = loop.getNumControlOperands(), count = loop.getNumRegionIterArgs();
  if (bounds->trips == 0) {
    for (unsigned j = 0; j < count; ++j)
      site.grads[controls + j] = site.wanted[controls + j] ? site.dys[j] : Value();
    return success();
  }
  SmallVector<unsigned> carried, captured; // those with a cotangent: carried values, inputs
  for (unsigned j = 0; j < count; ++j)
    if (isDifferentiableType(loop.getRegionIterArg(j).getType()))
      carried.push_back(j);
  for (unsigned k = controls + count; k < site.inputs.size(); ++k)
    if (site.wanted[k])
      captured.push_back(k);

  Location loc = gradientLoc(loop.getLoc());
  TensorBuilder outside(builder, loc);
  SmallVector<Value> stacks, inits; // the stacks stand for those of the longer loop, which are known when it is known what is read
  for (Value argument : loop.getRegionIterArgs())
    stacks.push_back(UnrealizedConversionCastOp::create(builder, loc, stackType(TensorBuilder::typeOf(argument), bounds->trips), ValueRange()).getResult(0));
  for (unsigned j : carried)
    inits.push_back(site.dys[j] ? site.dys[j] : outside.zeros(loop.getRegionIterArg(j).getType()));
  for (unsigned k : captured)
    inits.push_back(outside.zeros(site.inputs[k].getType()));
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto reverse = scf::ForOp::create(builder, loc, index(0), index(bounds->trips), index(1), inits);
  if (inits.empty())
    reverse.getBody()->getTerminator()->erase();

  OpBuilder inside = OpBuilder::atBlockEnd(reverse.getBody());
  TensorBuilder g(inside, loc);
  Value position = g.sub(static_cast<double>(bounds->trips - 1), indexToTensor(inside, loc, reverse.getInductionVar()));
  IRMapping mapping;
  for (auto [argument, stack] : llvm::zip(loop.getRegionIterArgs(), stacks))
    mapping.map(argument, readStack(g, stack, position, TensorBuilder::typeOf(argument)));
  mapping.map(loop.getInductionVar(), tensorToIndex(inside, loc, g.add(g.mul(position, static_cast<double>(bounds->step)), static_cast<double>(bounds->lower)),
                                                        loop.getInductionVar().getType()));
  for (Operation &op : loop.getBody()->without_terminator())
    inside.clone(op, mapping);
  SmallVector<Value> sources, targets, seeds, results;
  for (auto [position, j] : llvm::enumerate(carried)) {
    sources.push_back(mapping.lookup(loop.getRegionIterArg(j)));
    targets.push_back(mapping.lookupOrDefault(loop.getYieldedValues()[j]));
    seeds.push_back(reverse.getRegionIterArg(position));
  }
  for (unsigned k : captured)
    sources.push_back(site.inputs[k]);
  Cotangents cotangents;
  if (failed(run(*reverse.getBody(), sources, targets, seeds, inside, cotangents)))
    return failure();
  for (auto [position, source] : llvm::enumerate(sources)) {
    Value grad = cotangents.lookup(source);
    if (position < carried.size())
      results.push_back(grad ? grad : g.zeros(source.getType()));
    else
      results.push_back(grad ? g.add(reverse.getRegionIterArg(position), grad) : reverse.getRegionIterArg(position));
  }
  scf::YieldOp::create(inside, loc, results);
  eraseDeadOps(*reverse.getBody());

  SmallVector<unsigned> kept;
  for (unsigned j = 0; j < count; ++j)
    if (!stacks[j].use_empty())
      kept.push_back(j);
  if (!kept.empty()) {
    scf::ForOp longer = keepCarried(loop, *bounds, kept);
    for (auto [s, j] : llvm::enumerate(kept))
      stacks[j].replaceAllUsesWith(longer.getResult(count + s));
    for (unsigned j = 0; j < count; ++j)
      loop.getResult(j).replaceAllUsesWith(longer.getResult(j));
    replaced.push_back(loop);
  }
  for (Value stack : stacks)
    stack.getDefiningOp()->erase();
  for (auto [position, j] : llvm::enumerate(carried))
    if (site.wanted[controls + j])
      site.grads[controls + j] = reverse.getResult(position);
  for (auto [position, k] : llvm::enumerate(captured))
    site.grads[k] = reverse.getResult(carried.size() + position);
  return success();
}

//===-- loops that end by themselves -------------------------------------------------------------------------------===//

// The most iterations that a loop takes: what it says, or what a counter allows that goes up by a constant and is compared with one, whatever else ends the loop.
static std::optional<int64_t> boundOf(scf::WhileOp loop) {
  if (auto said = loop->getAttrOfType<IntegerAttr>(kBoundAttribute))
    return said.getValue().isNonNegative() && said.getValue().getActiveBits() < 63 ? std::optional(said.getInt()) : std::nullopt;
  scf::ConditionOp condition = loop.getConditionOp();
  auto extract = condition.getCondition().getDefiningOp<tensor::ExtractOp>();
  SmallVector<Value> conjuncts;
  if (extract)
    conjuncts.push_back(extract.getTensor());
  auto constant = [](Value value) -> std::optional<int64_t> {
    DenseIntElementsAttr number;
    if (!matchPattern(value, m_Constant(&number)) || !number.isSplat() || number.getElementType().getIntOrFloatBitWidth() > 32)
      return std::nullopt;
    return number.getSplatValue<APInt>().getSExtValue();
  };
  std::optional<int64_t> bound;
  while (!conjuncts.empty()) {
    Value value = conjuncts.pop_back_val();
    if (auto both = value.getDefiningOp<AndOp>()) {
      llvm::append_range(conjuncts, both->getOperands());
      continue;
    }
    auto compare = value.getDefiningOp<CompareOp>();
    // A truth value as a number that is not 0.
    auto cast = compare && compare.getKind() == CompareKind::ne && constant(compare.getRhs()) == 0 ? compare.getLhs().getDefiningOp<CastOp>() : CastOp();
    if (cast && TensorBuilder::typeOf(cast.getX()).getElementType().isInteger(1)) {
      conjuncts.push_back(cast.getX());
      continue;
    }
    auto counter = compare ? dyn_cast<BlockArgument>(compare.getLhs()) : BlockArgument();
    std::optional<int64_t> limit = counter && counter.getOwner() == loop.getBeforeBody() ? constant(compare.getRhs()) : std::nullopt;
    if (!limit || (compare.getKind() != CompareKind::lt && compare.getKind() != CompareKind::le))
      continue;
    unsigned index = counter.getArgNumber();
    auto next = loop.getYieldOp().getOperand(index).getDefiningOp<AddOp>();
    bool passes = index < condition.getArgs().size() && condition.getArgs()[index] == counter && next && next.getLhs() == loop.getAfterArguments()[index];
    std::optional<int64_t> start = constant(loop.getInits()[index]), step = passes ? constant(next.getRhs()) : std::nullopt;
    if (!start || !step || *step <= 0)
      continue;
    int64_t distance = *limit - *start + (compare.getKind() == CompareKind::le ? 1 : 0), trips = distance <= 0 ? 0 : (distance + *step - 1) / *step;
    // A counter that wraps around before it passes the limit bounds nothing.
    if (!llvm::isIntN(TensorBuilder::typeOf(counter).getElementTypeBitWidth(), *start + trips * *step))
      continue;
    bound = bound ? std::min(*bound, trips) : trips;
  }
  return bound;
}

// The loop as one of constant length, whose iterations do nothing once the condition fails: it cannot hold again.
FailureOr<SmallVector<Value>> Reverse::boundLoop(scf::WhileOp loop) {
  std::optional<int64_t> bound = boundOf(loop);
  if (!bound)
    return failure();
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto counted = scf::ForOp::create(builder, loc, index(0), index(*bound), index(1), loop.getInits());
  auto test = [&](OpBuilder &at, ValueRange carried, IRMapping &mapping) {
    mapping.map(loop.getBeforeArguments(), carried);
    for (Operation &op : loop.getBeforeBody()->without_terminator())
      at.clone(op, mapping);
    return llvm::map_to_vector(loop.getConditionOp().getArgs(), [&](Value value) { return mapping.lookupOrDefault(value); });
  };
  IRMapping mapping;
  if (counted.getNumRegionIterArgs() == 0)
    counted.getBody()->getTerminator()->erase();
  OpBuilder inside = OpBuilder::atBlockEnd(counted.getBody());
  SmallVector<Value> passed = test(inside, counted.getRegionIterArgs(), mapping);
  auto step = scf::IfOp::create(inside, loc, loop.getInits().getTypes(), mapping.lookupOrDefault(loop.getConditionOp().getCondition()), /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (Block *block : {step.thenBlock(), step.elseBlock()})
    if (!block->empty())
      block->back().erase();
  OpBuilder then = OpBuilder::atBlockEnd(step.thenBlock()), otherwise = OpBuilder::atBlockEnd(step.elseBlock());
  mapping.map(loop.getAfterArguments(), passed);
  for (Operation &op : loop.getAfterBody()->without_terminator())
    then.clone(op, mapping);
  scf::YieldOp::create(then, loc, llvm::map_to_vector(loop.getYieldOp().getOperands(), [&](Value value) { return mapping.lookupOrDefault(value); }));
  scf::YieldOp::create(otherwise, loc, counted.getRegionIterArgs());
  scf::YieldOp::create(inside, loc, step.getResults());
  IRMapping last;
  return test(builder, counted.getResults(), last);
}

//===-- branches -------------------------------------------------------------------------------------------------===//

LogicalResult Reverse::differentiateBranches(Site &site, OpBuilder &builder) {
  SmallVector<Value> sources;
  SmallVector<unsigned> captured;
  for (auto [k, input] : llvm::enumerate(site.inputs))
    if (site.wanted[k]) {
      sources.push_back(input);
      captured.push_back(k);
    }
  Location loc = gradientLoc(site.op->getLoc());
  SmallVector<Type> types(ValueRange(sources).getTypes());
  // The same choice with other regions.
  OperationState state(loc, site.op->getName(), site.op->getOperands(), types, site.op->getAttrs());
  for (unsigned region = 0; region < site.op->getNumRegions(); ++region)
    state.addRegion();
  if (auto choice = dyn_cast<scf::IndexSwitchOp>(site.op))
    state.propertiesAttr = choice->getPropertiesAsAttribute();
  Operation *reverse = builder.create(state);
  for (auto [region, original] : llvm::zip(reverse->getRegions(), site.op->getRegions())) {
    OpBuilder inside = OpBuilder::atBlockEnd(&region.emplaceBlock());
    IRMapping mapping;
    for (Operation &op : original.front().without_terminator())
      inside.clone(op, mapping);
    SmallVector<Value> targets, seeds, results;
    for (auto [value, dy] : llvm::zip(original.front().getTerminator()->getOperands(), site.dys)) {
      targets.push_back(mapping.lookupOrDefault(value));
      seeds.push_back(dy);
    }
    Cotangents cotangents;
    if (failed(run(region.front(), sources, targets, seeds, inside, cotangents)))
      return failure();
    TensorBuilder g(inside, loc);
    for (Value source : sources) {
      Value grad = cotangents.lookup(source);
      results.push_back(grad ? grad : g.zeros(source.getType()));
    }
    scf::YieldOp::create(inside, loc, results);
    eraseDeadOps(region.front());
  }
  for (auto [result, k] : llvm::zip(reverse->getResults(), captured))
    site.grads[k] = result;
  return success();
}

// A choice between tensors, which canonicalization makes of a branch without work.
static void select(arith::SelectOp op, VJP &g) {
  auto choose = [&](Value onTrue, Value onFalse) { return g.fold<arith::SelectOp>(op.getCondition(), onTrue, onFalse); };
  g.giveLazy(1, [&] { return choose(g.dy(), g.zeros(op.getType())); });
  g.giveLazy(2, [&] { return choose(g.zeros(op.getType()), g.dy()); });
}

void mlir::raf::attachControlFlowRules(MLIRContext *context) { attachRule<arith::SelectOp, select>(context); }
