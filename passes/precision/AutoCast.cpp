// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Dialect.h"
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "passes/precision/MinimumCut.h"
#include "passes/precision/Overrides.h"
#include "passes/precision/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::raf {
#define GEN_PASS_DEF_AUTOCASTPASS
#include "passes/precision/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

static bool isF32Tensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getElementType().isF32();
}

// Whether the op has tensors of other floating-point types: such ops say themselves what they convert.
static bool hasOtherFloats(Operation *op) {
  auto isOther = [](Type type) { return isa<FloatType>(getElementTypeOrSelf(type)) && !isF32Tensor(type); };
  return llvm::any_of(op->getOperandTypes(), isOther) || llvm::any_of(op->getResultTypes(), isOther);
}

// Whether an operand is a statistic of a normalization, which keeps f32, spread out or not: what is computed from it is part of the normalization's gradient. Ops that
// keep that operand in f32 themselves take care of it.
static bool readsStatistic(Operation *op) {
  auto interface = dyn_cast<CastPolicyOpInterface>(op);
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    if (interface && interface.keepsOperand(operand.getOperandNumber()))
      return false;
    Value value = operand.get();
    while (isa_and_nonnull<BroadcastOp, ReshapeOp, TransposeOp>(value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0);
    auto policy = dyn_cast_or_null<CastPolicyOpInterface>(value.getDefiningOp());
    return policy && policy.keepsResult(cast<OpResult>(value).getResultNumber());
  });
}

static bool isSum(Operation *op) {
  auto reduce = dyn_cast<ReduceOp>(op);
  return reduce && reduce.getKind() == ReduceKind::sum;
}

// Whether the op is a product that only sums read: the terms of a sum that is computed in f32. A term of 16 bits would save no memory, as the kernel of the sum makes it, and round each.
static bool isSummed(Operation *op) {
  return isa<MulOp>(op) && !op->use_empty() && llvm::all_of(op->getUsers(), isSum);
}

static bool isExact(APFloat value, FloatType type) {
  bool loses = false;
  value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
  return !loses;
}

// A constant of equal elements exists in every type for free.
static SplatElementsAttr splatOf(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : SplatElementsAttr();
}

namespace {
/// The choice of types for the f32 values of one function, as a cut between f32 (the source) and the narrow type (the sink).
class Assignment {
public:
  Assignment(FloatType narrow, Overrides &overrides) : narrow(narrow), overrides(overrides), wide(cut.addNode()), low(cut.addNode()) {}

  void build(Operation *function);
  void solve() { isWide = cut.solve(wide, low); }
  /// The type in which a value is made, and in which a use needs it.
  bool isMadeWide(Value value) const { return isWide[nodeOf(value)]; }
  bool isReadWide(OpOperand &use) const { return isWide[nodeOf(use)]; }

private:
  struct Nodes {
    unsigned operands, results;
    CastPolicyOpInterface policy;
  };
  static constexpr int64_t kWeight = 64; // of a converted element; of one stored in f32 rather than in 16 bits: 1

  Nodes classify(Operation *op);
  std::optional<std::string> findInexact(Operation *op);
  unsigned nodeOf(Value value) const;
  unsigned nodeOf(OpOperand &use) const;
  void addValue(Value value);

  FloatType narrow;
  Overrides &overrides;
  MinimumCut cut;
  unsigned wide, low;
  DenseMap<Operation *, Nodes> nodes;
  std::vector<bool> isWide;
};
} // namespace

// A number of the op that the narrow type cannot hold.
std::optional<std::string> Assignment::findInexact(Operation *op) {
  auto describe = [](const APFloat &value) {
    SmallString<16> text;
    value.toString(text, 6);
    return text.str().str();
  };
  for (Value operand : op->getOperands())
    if (SplatElementsAttr splat = isF32Tensor(operand.getType()) ? splatOf(operand) : SplatElementsAttr())
      if (auto value = splat.getSplatValue<APFloat>(); !isExact(value, narrow))
        return describe(value);
  if (auto pad = dyn_cast<PadOp>(op); pad && !isExact(pad.getValue(), narrow))
    return describe(pad.getValue());
  return std::nullopt;
}

Assignment::Nodes Assignment::classify(Operation *op) {
  auto interface = dyn_cast<CastPolicyOpInterface>(op);
  Nodes kept{wide, wide, {}};
  if (!isa_and_nonnull<RAFDialect>(op->getDialect()) || isa<ConstantOp>(op) || op->getNumRegions() > 0 || hasOtherFloats(op) || op->getNumOperands() == 0)
    return kept;
  CastPolicy policy = overrides.find(op).value_or(interface ? interface.getCastPolicy() : CastPolicy::keep);
  if (policy == CastPolicy::keep)
    return kept;
  if (policy == CastPolicy::compute) {
    bool widens = interface && interface.mayWiden() && op->getNumResults() == 1;
    return {low, widens ? cut.addNode() : low, interface};
  }
  if (readsStatistic(op) || isSummed(op))
    return kept;
  if (std::optional<std::string> value = findInexact(op)) {
    remark::missed(op->getLoc(), remark::RemarkOpts::name(op->getName().getStringRef()).category("raf-auto-cast"))
        << remark::reason("keeps f32: {0} is no number of the 16-bit type", *value);
    return kept;
  }
  unsigned node = cut.addNode();
  return {node, node, interface};
}

unsigned Assignment::nodeOf(Value value) const {
  auto found = value.getDefiningOp() ? nodes.find(value.getDefiningOp()) : nodes.end();
  if (found == nodes.end())
    return wide;
  Nodes op = found->second;
  return op.policy && op.policy.keepsResult(cast<OpResult>(value).getResultNumber()) ? wide : op.results;
}

unsigned Assignment::nodeOf(OpOperand &use) const {
  auto found = nodes.find(use.getOwner());
  if (found == nodes.end())
    return wide;
  Nodes op = found->second;
  return op.policy && op.policy.keepsOperand(use.getOperandNumber()) ? wide : op.operands;
}

// Conversions are paid once a value, whatever the number of uses. With one auxiliary node for each direction that is a cut. A sum takes what is stored for other readers as it is: its
// kernel widens each element in passing.
void Assignment::addValue(Value value) {
  if (!isF32Tensor(value.getType()) || splatOf(value))
    return;
  unsigned made = nodeOf(value);
  bool onlySummed = llvm::all_of(value.getUsers(), isSum);
  llvm::SmallSetVector<unsigned, 4> readers;
  for (OpOperand &use : value.getUses())
    if (unsigned reader = nodeOf(use); reader != made && (onlySummed || !isSum(use.getOwner())))
      readers.insert(reader);
  int64_t elements = cast<RankedTensorType>(value.getType()).getNumElements();
  int64_t cost = std::min(elements, MinimumCut::infinity / (1 << 20)) * kWeight;
  if (readers.size() == 1) {
    cut.addEdge(made, readers.front(), cost);
    cut.addEdge(readers.front(), made, cost);
  } else if (!readers.empty()) {
    unsigned toLow = cut.addNode(), toWide = cut.addNode();
    cut.addEdge(made, toLow, cost);
    cut.addEdge(toWide, made, cost);
    for (unsigned reader : readers) {
      cut.addEdge(toLow, reader, MinimumCut::infinity);
      cut.addEdge(reader, toWide, MinimumCut::infinity);
    }
  }
  // Between equal choices: activations take less memory in 16 bits, but a normalization had better see all bits of its operand.
  if (made == wide || made == low)
    return;
  auto policy = nodes.lookup(value.getDefiningOp()).policy;
  bool prefersWide = policy && policy.getCastPolicy() == CastPolicy::follow && policy.keepsResult(1);
  prefersWide ? cut.addEdge(wide, made, cost / kWeight) : cut.addEdge(made, low, cost / kWeight);
}

void Assignment::build(Operation *function) {
  function->walk([&](Operation *op) {
    if (op != function && (llvm::any_of(op->getOperandTypes(), isF32Tensor) || llvm::any_of(op->getResultTypes(), isF32Tensor)))
      nodes[op] = classify(op);
  });
  function->walk([&](Operation *op) {
    for (Value result : op->getResults())
      addValue(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          addValue(argument);
  });
}

namespace {
struct AutoCastPass : raf::impl::AutoCastPassBase<AutoCastPass> {
  using AutoCastPassBase::AutoCastPassBase;
  void runOnOperation() override;

private:
  void rewrite(func::FuncOp func, const Assignment &assignment, FloatType narrow);
};
} // namespace

// Where a value is converted: before the first of the ops that need it, in the block where it is made. If other blocks need it, at once.
static void setInsertionPoint(OpBuilder &builder, Value value, ArrayRef<OpOperand *> uses) {
  Block *block = value.getParentBlock();
  Operation *first = nullptr;
  for (OpOperand *use : uses) {
    Operation *user = block->findAncestorOpInBlock(*use->getOwner());
    if (!user)
      return builder.setInsertionPointAfterValue(value);
    if (!first || user->isBeforeInBlock(first))
      first = user;
  }
  builder.setInsertionPoint(first);
}

void AutoCastPass::rewrite(func::FuncOp func, const Assignment &assignment, FloatType narrow) {
  SmallVector<Value> values;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::append_range(values, op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::append_range(values, block.getArguments());
  });
  llvm::SmallSetVector<Operation *, 32> narrowed;
  for (Value value : values) {
    if (!isF32Tensor(value.getType()))
      continue;
    auto type = cast<RankedTensorType>(value.getType());
    RankedTensorType narrowType = type.clone(narrow);
    SplatElementsAttr splat = splatOf(value);
    bool madeWide = splat || assignment.isMadeWide(value);
    SmallVector<OpOperand *> converted;
    for (OpOperand &use : value.getUses()) {
      if (!assignment.isReadWide(use))
        narrowed.insert(use.getOwner());
      if (assignment.isReadWide(use) != madeWide)
        converted.push_back(&use);
    }
    if (!madeWide) {
      value.setType(narrowType);
      narrowed.insert(value.getDefiningOp());
    }
    if (converted.empty())
      continue;
    Value other;
    if (splat) {
      OpBuilder builder(value.getDefiningOp());
      other = ConstantOp::create(builder, value.getLoc(), splat.mapValues(narrow, [&](const APFloat &number) {
        APFloat rounded = number;
        bool loses;
        rounded.convert(narrow.getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
        return rounded.bitcastToAPInt();
      }));
    } else {
      OpBuilder builder(&getContext());
      setInsertionPoint(builder, value, converted);
      other = CastOp::create(builder, value.getLoc(), madeWide ? narrowType : type, value);
      ++numCasts;
    }
    for (OpOperand *use : converted)
      use->set(other);
  }
  numNarrow += narrowed.size();
}

void AutoCastPass::runOnOperation() {
  Location loc = getOperation().getLoc();
  Builder builder(&getContext());
  auto narrow = llvm::StringSwitch<FloatType>(StringRef(type)).Case("bf16", builder.getBF16Type()).Case("f16", builder.getF16Type()).Default({});
  if (!narrow) {
    emitError(loc) << "raf-auto-cast: type must be bf16 or f16, got '" << StringRef(type) << "'";
    return signalPassFailure();
  }
  Overrides overrides;
  if (failed(overrides.parse(override, loc)))
    return signalPassFailure();
  for (auto func : getOperation().getOps<func::FuncOp>()) {
    Assignment assignment(narrow, overrides);
    assignment.build(func);
    assignment.solve();
    rewrite(func, assignment, narrow);
  }
  if (checkOverrides && failed(overrides.checkUsed(loc)))
    signalPassFailure();
}
