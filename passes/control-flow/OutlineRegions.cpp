// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/control-flow/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::raf {
#define GEN_PASS_DEF_OUTLINEREGIONSPASS
#include "passes/control-flow/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {

RankedTensorType scalarType(Type element) { return RankedTensorType::get({}, element); }

/// The 0-d tensor that a scalar was taken from, through casts to index; null if it is something else.
Value tensorOf(Value scalar) {
  while (auto cast = scalar.getDefiningOp<arith::IndexCastOp>())
    scalar = cast.getIn();
  while (auto cast = scalar.getDefiningOp<arith::IndexCastUIOp>())
    scalar = cast.getIn();
  auto extract = scalar.getDefiningOp<tensor::ExtractOp>();
  return extract && extract.getIndices().empty() ? extract.getTensor() : Value();
}

/// A scalar as a 0-d tensor: the one that it was taken from, or a constant. Null if it is neither.
Value asTensor(OpBuilder &builder, Value scalar) {
  if (Value tensor = tensorOf(scalar))
    return tensor;
  IntegerAttr constant;
  if (!matchPattern(scalar, m_Constant(&constant)))
    return {};
  Type element = scalar.getType().isIndex() ? builder.getI64Type() : scalar.getType();
  return ConstantOp::create(builder, scalar.getLoc(), DenseElementsAttr::get(scalarType(element), constant.getValue()));
}

/// A region on its way to a function.
struct Outliner {
  ModuleOp module;
  SymbolTable symbols;
  int64_t count = 0;

  explicit Outliner(ModuleOp module) : module(module), symbols(module) {}

  /// A constant, positions, or a smaller tensor repeated: each function makes its own, which costs less than memory that outlives a call.
  static bool isMadeAnew(Value value) {
    Operation *op = value.getDefiningOp();
    return op && (op->hasTrait<OpTrait::ConstantLike>() || isa<IotaOp, BroadcastOp>(op));
  }

  /// What the regions use from outside, in order; of what they make anew, what that is made of. Fails where a value is no tensor.
  FailureOr<SmallVector<Value>> captures(ArrayRef<Region *> regions) {
    llvm::SetVector<Value> used;
    for (Region *region : regions)
      getUsedValuesDefinedAbove(*region, used);
    SmallVector<Value> result;
    for (size_t i = 0; i < used.size(); ++i) {
      Value value = used[i];
      if (isMadeAnew(value)) {
        used.insert_range(value.getDefiningOp()->getOperands());
        continue;
      }
      if (!isa<RankedTensorType>(value.getType()))
        return emitError(value.getLoc()) << "a region uses this value of type " << value.getType() << " from outside: only tensors can be passed to it";
      result.push_back(value);
    }
    return result;
  }

  /// A private function of the given name, to be filled.
  func::FuncOp create(Location loc, StringRef label, TypeRange arguments, TypeRange results) {
    OpBuilder builder(module.getContext());
    auto func = func::FuncOp::create(builder, loc, ("region_" + Twine(count++) + "_" + label).str(), builder.getFunctionType(arguments, results));
    func.setPrivate();
    symbols.insert(func);
    func.addEntryBlock();
    return func;
  }

  /// Clones the ops of the block, but for its terminator, to the end of the function, with what it makes anew of what is outside.
  void fill(func::FuncOp func, Block &block, IRMapping &mapping) {
    auto builder = OpBuilder::atBlockEnd(&func.getBody().back());
    auto bring = [&](Value value, auto &&bring) -> void {
      if (mapping.contains(value) || block.getParent()->isAncestor(value.getParentRegion()) || !isMadeAnew(value))
        return;
      for (Value operand : value.getDefiningOp()->getOperands())
        bring(operand, bring);
      builder.clone(*value.getDefiningOp(), mapping);
    };
    for (Operation &op : block) {
      op.walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          bring(operand, bring);
      });
      if (&op != block.getTerminator())
        builder.clone(op, mapping);
    }
  }

  /// Ends the function with what the values are there. Carried ones overwrite the arguments from `firstAlias` on.
  void finish(func::FuncOp func, ValueRange values, IRMapping &mapping, int64_t firstAlias = -1) {
    auto builder = OpBuilder::atBlockEnd(&func.getBody().back());
    SmallVector<Value> results;
    for (Value value : values)
      results.push_back(mapping.lookupOrDefault(value));
    func::ReturnOp::create(builder, func.getLoc(), results);
    if (firstAlias >= 0)
      for (unsigned i = 0; i < results.size(); ++i)
        func.setResultAttr(i, "raf.alias", builder.getI64IntegerAttr(firstAlias + i));
  }
};

void mapAll(IRMapping &mapping, ValueRange from, ValueRange to) {
  for (auto [old, replacement] : llvm::zip_equal(from, to))
    mapping.map(old, replacement);
}

SmallVector<Type> concatTypes(TypeRange first, TypeRange second) {
  SmallVector<Type> types(first);
  llvm::append_range(types, second);
  return types;
}

bool allTensors(TypeRange types) { return llvm::all_of(types, llvm::IsaPred<RankedTensorType>); }

FlatSymbolRefAttr nameOf(func::FuncOp func) { return FlatSymbolRefAttr::get(func); }

SmallVector<Value> empties(OpBuilder &builder, Location loc, TypeRange types) {
  SmallVector<Value> values;
  for (Type type : types)
    values.push_back(tensor::EmptyOp::create(builder, loc, cast<RankedTensorType>(type).getShape(), cast<RankedTensorType>(type).getElementType()));
  return values;
}

//===-- loops ----------------------------------------------------------------------------------------------------===//

/// The induction variable becomes lower + i * step of the counter i that the function gets.
void bindInductionVariable(Outliner &outliner, scf::ForOp loop, func::FuncOp func, IRMapping &mapping, int64_t lower, int64_t step) {
  auto builder = OpBuilder::atBlockEnd(&func.getBody().back());
  Location loc = loop.getLoc();
  Value counter = func.getArgument(0);
  auto number = [&](int64_t value) { return ConstantOp::create(builder, loc, DenseElementsAttr::get(cast<RankedTensorType>(counter.getType()), value)); };
  if (step != 1)
    counter = MulOp::create(builder, loc, counter, number(step));
  if (lower != 0)
    counter = AddOp::create(builder, loc, counter, number(lower));
  Type type = loop.getInductionVar().getType();
  if (!type.isIndex())
    counter = builder.createOrFold<CastOp>(loc, scalarType(type), counter);
  Value scalar = tensor::ExtractOp::create(builder, loc, counter, ValueRange());
  if (type.isIndex())
    scalar = arith::IndexCastOp::create(builder, loc, type, scalar);
  mapping.map(loop.getInductionVar(), scalar);
}

LogicalResult outline(Outliner &outliner, scf::ForOp loop) {
  APInt lower, step;
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!trips || trips->getActiveBits() > 63 || !matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) || !step.isStrictlyPositive())
    return loop.emitOpError() << "needs constant bounds and a positive constant step here; a loop that ends by a computed value is an scf.while";
  if (!allTensors(loop.getResultTypes()))
    return loop.emitOpError() << "carries a value that is no tensor";
  FailureOr<SmallVector<Value>> inputs = outliner.captures({&loop.getRegion()});
  if (failed(inputs))
    return failure();
  OpBuilder builder(loop);
  SmallVector<Type> types = {scalarType(builder.getI64Type())};
  llvm::append_range(types, ValueRange(*inputs).getTypes());
  int64_t firstCarried = types.size();
  llvm::append_range(types, loop.getResultTypes());
  func::FuncOp body = outliner.create(loop.getLoc(), "body", types, loop.getResultTypes());
  IRMapping mapping;
  mapAll(mapping, *inputs, body.getArguments().slice(1, inputs->size()));
  mapAll(mapping, loop.getRegionIterArgs(), body.getArguments().drop_front(firstCarried));
  bindInductionVariable(outliner, loop, body, mapping, lower.getSExtValue(), step.getSExtValue());
  outliner.fill(body, *loop.getBody(), mapping);
  outliner.finish(body, loop.getBody()->getTerminator()->getOperands(), mapping, firstCarried);
  auto call = ForOp::create(builder, loop.getLoc(), loop.getResultTypes(), nameOf(body), builder.getI64IntegerAttr(trips->getSExtValue()), builder.getDenseI64ArrayAttr({}), *inputs, loop.getInitArgs(), Value());
  loop.replaceAllUsesWith(call.getOutputs());
  loop.erase();
  return success();
}

// The first region computes the condition and what the second one, and the results, are made of. It is pure, so each of them computes it for itself:
//   condition(x) = p(x),  body(x) = after(forwarded(x)),  results = forwarded(x at the end).
LogicalResult outline(Outliner &outliner, scf::WhileOp loop) {
  auto carriedTypes = loop.getInits().getTypes();
  scf::ConditionOp condition = loop.getConditionOp();
  if (!allTensors(carriedTypes) || !allTensors(loop.getResultTypes()))
    return loop.emitOpError() << "carries a value that is no tensor";
  OpBuilder builder(condition);
  Value predicate = asTensor(builder, condition.getCondition());
  if (!predicate)
    return loop.emitOpError() << "needs a condition that is an element of a 0-d tensor";
  FailureOr<SmallVector<Value>> inputs = outliner.captures({&loop.getBefore(), &loop.getAfter()});
  if (failed(inputs))
    return failure();
  SmallVector<Type> types = concatTypes(ValueRange(*inputs).getTypes(), carriedTypes);
  auto bind = [&](func::FuncOp func, IRMapping &mapping) {
    mapAll(mapping, *inputs, func.getArguments().take_front(inputs->size()));
    mapAll(mapping, loop.getBeforeArguments(), func.getArguments().drop_front(inputs->size()));
    outliner.fill(func, *loop.getBeforeBody(), mapping);
  };
  func::FuncOp test = outliner.create(loop.getLoc(), "condition", types, predicate.getType());
  IRMapping testMapping;
  bind(test, testMapping);
  outliner.finish(test, predicate, testMapping);
  func::FuncOp body = outliner.create(loop.getLoc(), "body", types, carriedTypes);
  IRMapping mapping;
  bind(body, mapping);
  for (auto [argument, value] : llvm::zip_equal(loop.getAfterArguments(), condition.getArgs()))
    mapping.map(argument, mapping.lookupOrDefault(value));
  outliner.fill(body, *loop.getAfterBody(), mapping);
  outliner.finish(body, loop.getYieldOp().getOperands(), mapping, inputs->size());
  builder.setInsertionPoint(loop);
  auto call = WhileOp::create(builder, loop.getLoc(), carriedTypes, nameOf(test), nameOf(body), *inputs, loop.getInits(), Value());
  IRMapping atEnd;
  mapAll(atEnd, loop.getBeforeArguments(), call.getOutputs());
  for (Operation &op : loop.getBeforeBody()->without_terminator())
    builder.clone(op, atEnd);
  SmallVector<Value> results;
  for (Value value : condition.getArgs())
    results.push_back(atEnd.lookupOrDefault(value));
  loop.replaceAllUsesWith(results);
  loop.erase();
  return success();
}

//===-- branches -------------------------------------------------------------------------------------------------===//

// `index` chooses among the regions; what is outside of them takes the last.
LogicalResult outlineBranches(Outliner &outliner, Operation *op, Value index, ArrayRef<Region *> regions) {
  if (!allTensors(op->getResultTypes()))
    return op->emitOpError() << "has a result that is no tensor";
  FailureOr<SmallVector<Value>> inputs = outliner.captures(regions);
  if (failed(inputs))
    return failure();
  SmallVector<Attribute> branches;
  for (Region *region : regions) {
    func::FuncOp branch = outliner.create(op->getLoc(), "branch", ValueRange(*inputs).getTypes(), op->getResultTypes());
    IRMapping mapping;
    mapAll(mapping, *inputs, branch.getArguments());
    outliner.fill(branch, region->front(), mapping);
    outliner.finish(branch, region->front().getTerminator()->getOperands(), mapping);
    branches.push_back(nameOf(branch));
  }
  OpBuilder builder(op);
  inputs->insert(inputs->begin(), index);
  auto call = CaseOp::create(builder, op->getLoc(), op->getResultTypes(), builder.getArrayAttr(branches), *inputs,
                             empties(builder, op->getLoc(), op->getResultTypes()), Value());
  op->replaceAllUsesWith(call.getOutputs());
  op->erase();
  return success();
}

LogicalResult outline(Outliner &outliner, scf::IfOp op) {
  if (op->getNumResults() == 0)
    return op.erase(), success();
  OpBuilder builder(op);
  Value predicate = asTensor(builder, op.getCondition());
  if (!predicate)
    return op.emitOpError() << "needs a condition that is an element of a 0-d tensor";
  Value index = CastOp::create(builder, op.getLoc(), scalarType(builder.getI32Type()), predicate);
  return outlineBranches(outliner, op, index, {&op.getElseRegion(), &op.getThenRegion()});
}

LogicalResult outline(Outliner &outliner, scf::IndexSwitchOp op) {
  if (op->getNumResults() == 0)
    return op.erase(), success();
  OpBuilder builder(op);
  Value index = asTensor(builder, op.getArg());
  if (!index)
    return op.emitOpError() << "needs an argument that is an element of a 0-d integer tensor";
  SmallVector<Region *> regions;
  for (auto [position, value] : llvm::enumerate(op.getCases())) {
    if (value != static_cast<int64_t>(position))
      return op.emitOpError() << "needs the cases 0, 1, ... in order, got " << value << " at position " << position;
    regions.push_back(&op.getCaseRegions()[position]);
  }
  regions.push_back(&op.getDefaultRegion());
  return outlineBranches(outliner, op, index, regions);
}

//===-- scalars --------------------------------------------------------------------------------------------------===//

// What went from a tensor to a scalar and back: raf.cast does it without leaving the tensors.
struct ScalarRoundTrip : OpRewritePattern<tensor::FromElementsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::FromElementsOp op, PatternRewriter &rewriter) const override {
    if (op.getType().getRank() != 0)
      return rewriter.notifyMatchFailure(op, "not a scalar");
    Value tensor = tensorOf(op.getElements().front());
    if (!tensor)
      return rewriter.notifyMatchFailure(op, "not an element of a 0-d tensor");
    rewriter.replaceOpWithNewOp<CastOp>(op, op.getType(), tensor);
    return success();
  }
};

// What canonicalization makes of a branch that only chooses between values.
struct TensorSelect : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SelectOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    Value predicate = type && op.getCondition().getType().isInteger(1) ? tensorOf(op.getCondition()) : Value();
    if (!predicate)
      return rewriter.notifyMatchFailure(op, "no choice between tensors by an element of a 0-d tensor");
    Value everywhere = BroadcastOp::create(rewriter, op.getLoc(), type.clone(rewriter.getI1Type()), predicate, ArrayRef<int64_t>());
    rewriter.replaceOpWithNewOp<SelectOp>(op, type, everywhere, op.getTrueValue(), op.getFalseValue());
    return success();
  }
};

// What canonicalization makes of the position of a loop of one iteration.
struct TensorConstant : OpRewritePattern<arith::ConstantOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ConstantOp op, PatternRewriter &rewriter) const override {
    if (!isa<RankedTensorType>(op.getType()))
      return rewriter.notifyMatchFailure(op, "not a tensor");
    rewriter.replaceOpWithNewOp<ConstantOp>(op, cast<ElementsAttr>(op.getValue()));
    return success();
  }
};

struct OutlineRegions : mlir::raf::impl::OutlineRegionsPassBase<OutlineRegions> {
  using OutlineRegionsPassBase::OutlineRegionsPassBase;

  void runOnOperation() override {
    if (align < 1) {
      getOperation().emitError() << "raf-outline-regions: align must be positive, got " << align.getValue();
      return signalPassFailure();
    }
    ModuleOp module = getOperation();
    SmallVector<Operation *> ops;
    for (auto func : module.getOps<func::FuncOp>())
      if (!func->hasAttr("raf.kernel"))
        func.walk([&](Operation *op) {
          if (isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp>(op) && !op->getParentOfType<KernelOp>())
            ops.push_back(op);
        });
    Outliner outliner(module);
    // Post-order: what is inside is a call already when its region becomes a function.
    for (Operation *op : ops) {
      LogicalResult done = llvm::TypeSwitch<Operation *, LogicalResult>(op).Case<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp>([&](auto region) {
        return outline(outliner, region);
      });
      if (failed(done))
        return signalPassFailure();
    }
    outlined += outliner.count;
    RewritePatternSet patterns(&getContext());
    patterns.add<ScalarRoundTrip, TensorConstant, TensorSelect>(&getContext());
    if (failed(applyPatternsGreedily(module, std::move(patterns))))
      return signalPassFailure();
    sliceLoopOperands(module, align);
  }
};

} // namespace
