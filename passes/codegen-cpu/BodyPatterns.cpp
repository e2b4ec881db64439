// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/BodyPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "passes/decompose/Random.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

namespace {
// A value of the body for all counters of some blocks, in vectors of i64. Of one of 32 bits only the lower half of an element counts.
class CounterVectors {
public:
  CounterVectors(const Draw &draw, int64_t blocks) : draw(draw), count(blocks * kVectors) {}

  static constexpr int64_t kLanes = 8, kVectors = kRandomLanes / kLanes; // of a block
  using Vectors = SmallVector<Value, 2 * kVectors>;

  // Whether the value is computed from the counter, and from it alone but for what is the same for all counters, by ops that `of` knows.
  bool canCompute(Value value) {
    if (!changes(value) || value == draw.counter->getResult(0))
      return true;
    Operation *op = value.getDefiningOp();
    if (auto narrow = dyn_cast<arith::TruncIOp>(op))
      if (!narrow.getType().isInteger(32) || !narrow.getIn().getType().isInteger(64))
        return false;
    if (auto wide = dyn_cast<arith::ExtUIOp>(op))
      if (!wide.getType().isInteger(64) || !wide.getIn().getType().isInteger(32))
        return false;
    if (isa<arith::ShRUIOp>(op) && !isHigh(op))
      return false;
    bool isKnown = isa<arith::TruncIOp, arith::ExtUIOp, arith::ShRUIOp, arith::AddIOp, arith::MulIOp, arith::XOrIOp>(op) &&
                   llvm::all_of(op->getOperands(), [&](Value operand) { return known.contains(operand) || canCompute(operand); });
    if (isKnown)
      known.insert(value);
    return isKnown;
  }

  Vectors of(ImplicitLocOpBuilder &b, Value first, function_ref<Value(Value)> scalar, Value value) {
    if (auto found = made.find(value); found != made.end())
      return found->second;
    auto type = VectorType::get(kLanes, b.getI64Type());
    auto halves = VectorType::get(2 * kLanes, b.getI32Type());
    auto constant = [&](int64_t number) { return arith::ConstantOp::create(b, DenseElementsAttr::get(type, Attribute(b.getI64IntegerAttr(number)))).getResult(); };
    Vectors result;
    Operation *op = value.getDefiningOp();
    if (value == draw.counter->getResult(0)) {
      for (int64_t i = 0; i < count; ++i) {
        Value numbers = arith::ConstantOp::create(b, DenseIntElementsAttr::get(type, llvm::to_vector(llvm::seq<int64_t>(i * kLanes, (i + 1) * kLanes))));
        result.push_back(arith::AddIOp::create(b, vector::BroadcastOp::create(b, type, first), numbers));
      }
    } else if (!changes(value)) {
      Value one = scalar(value);
      if (!one.getType().isInteger(64))
        one = arith::ExtUIOp::create(b, b.getI64Type(), one);
      result.assign(count, vector::BroadcastOp::create(b, type, one));
    } else if (isa<arith::ShRUIOp>(op)) {
      // An exchange of halves instead of a shift: processors do these elsewhere than products, which are as many. What stays in the upper half counts for nothing, since
      // only a truncation reads it.
      SmallVector<int64_t> upper;
      for (int64_t lane = 0; lane < kLanes; ++lane)
        upper.append({2 * lane + 1, 2 * lane + 1});
      for (Value wide : of(b, first, scalar, op->getOperand(0))) {
        Value parts = vector::BitCastOp::create(b, halves, wide);
        result.push_back(vector::BitCastOp::create(b, type, vector::ShuffleOp::create(b, parts, parts, upper)));
      }
    } else if (isa<arith::TruncIOp>(op)) {
      result = of(b, first, scalar, op->getOperand(0));
    } else if (isa<arith::ExtUIOp>(op)) {
      for (Value wide : of(b, first, scalar, op->getOperand(0)))
        result.push_back(arith::AndIOp::create(b, wide, constant(0xffffffff)));
    } else {
      Vectors lhs = of(b, first, scalar, op->getOperand(0)), rhs = of(b, first, scalar, op->getOperand(1));
      for (auto [x, y] : llvm::zip(lhs, rhs))
        result.push_back(isa<arith::AddIOp>(op)   ? arith::AddIOp::create(b, x, y).getResult()
                         : isa<arith::MulIOp>(op) ? arith::MulIOp::create(b, x, y).getResult()
                                                  : arith::XOrIOp::create(b, x, y).getResult());
    }
    made[value] = result;
    return result;
  }

private:
  // Whether the value changes from counter to counter.
  bool changes(Value value) {
    auto [found, isNew] = changing.try_emplace(value, false);
    if (!isNew)
      return found->second;
    Operation *op = value.getDefiningOp();
    bool result = op && op->getBlock() == draw.counter->getBlock() && (op == draw.counter || llvm::any_of(op->getOperands(), [&](Value operand) { return changes(operand); }));
    return changing[value] = result;
  }
  // The upper half of 64 bits, of which the lower one is taken.
  static bool isHigh(Operation *op) {
    APInt amount;
    return op->getResult(0).getType().isInteger(64) && matchPattern(op->getOperand(1), m_ConstantInt(&amount)) && amount == 32 &&
           llvm::all_of(op->getUsers(), [](Operation *user) { return isa<arith::TruncIOp>(user); });
  }

  const Draw &draw;
  int64_t count; // of vectors
  llvm::DenseMap<Value, bool> changing;
  llvm::DenseSet<Value> known;
  llvm::DenseMap<Value, Vectors> made;
};

// The words among which selects choose by their number; none where `bits` is something else.
SmallVector<Value, 4> wordsOf(const Draw &draw, Value bits) {
  SmallVector<Value, 4> words(kRandomWords);
  while (auto select = bits.getDefiningOp<arith::SelectOp>()) {
    auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
    APInt number;
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq || compare.getLhs() != draw.word->getResult(0) || !matchPattern(compare.getRhs(), m_ConstantInt(&number)) ||
        number.uge(kRandomWords) || words[number.getZExtValue()])
      return {};
    words[number.getZExtValue()] = select.getTrueValue();
    bits = select.getFalseValue();
  }
  if (words[0] || !llvm::all_of(ArrayRef<Value>(words).drop_front(), [](Value word) { return !!word; }))
    return {};
  words[0] = bits;
  return words;
}
} // namespace

SmallVector<Value> mlir::raf::drawWords(ImplicitLocOpBuilder &b, const Draw &draw, Value first, int64_t blocks, function_ref<Value(Value)> scalar) {
  CounterVectors vectors(draw, blocks);
  auto halves = VectorType::get(2 * CounterVectors::kLanes, b.getI32Type());
  SmallVector<int64_t> lower;
  for (int64_t lane = 0; lane < kRandomLanes; ++lane)
    lower.push_back(2 * lane);
  SmallVector<Value> words(blocks * kRandomWords);
  for (auto [number, word] : llvm::enumerate(draw.words)) {
    CounterVectors::Vectors wide = vectors.of(b, first, scalar, word);
    for (int64_t block = 0; block < blocks; ++block) {
      Value lowerPart = vector::BitCastOp::create(b, halves, wide[2 * block]), upperPart = vector::BitCastOp::create(b, halves, wide[2 * block + 1]);
      words[block * kRandomWords + number] = vector::ShuffleOp::create(b, lowerPart, upperPart, lower);
    }
  }
  return words;
}

std::optional<Draw> mlir::raf::drawOf(GenericOp op) {
  Draw draw;
  for (Operation &inner : op.getBody()->without_terminator()) {
    auto mark = inner.getAttrOfType<StringAttr>(kRandomAttr);
    if (!mark)
      continue;
    Operation *&part = mark == "element" ? draw.element : mark == "counter" ? draw.counter : mark == "bits" ? draw.bits : draw.word;
    if (part)
      return std::nullopt;
    part = &inner;
  }
  if (!draw.element || !draw.counter || !draw.word)
    return std::nullopt;
  CounterVectors vectors(draw, /*blocks=*/1);
  if (draw.bits)
    draw.words = wordsOf(draw, draw.bits->getResult(0));
  if (draw.words.empty() || !llvm::all_of(draw.words, [&](Value word) { return word.getType().isInteger(32) && vectors.canCompute(word); }))
    draw.bits = nullptr;
  return draw;
}

std::optional<int64_t> mlir::raf::growthOf(Value value, int64_t loop, GenericOp op) {
  if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == op.getBody()) {
    // A number of a whole tensor stays the same.
    if (argument.getArgNumber() < op.getNumDpsInputs() && op.getIndexingMapsArray()[argument.getArgNumber()].getNumResults() == 0)
      return 0;
    return std::nullopt;
  }
  Operation *inner = value.getDefiningOp();
  if (!inner || inner->getBlock() != op.getBody() || inner->hasTrait<OpTrait::ConstantLike>())
    return 0;
  if (auto index = dyn_cast<linalg::IndexOp>(inner))
    return static_cast<int64_t>(index.getDim()) == loop;
  if (isa<arith::IndexCastOp>(inner))
    return growthOf(inner->getOperand(0), loop, op);
  if (!isa<arith::AddIOp, arith::MulIOp>(inner))
    return std::nullopt;
  std::optional<int64_t> lhs = growthOf(inner->getOperand(0), loop, op), rhs = growthOf(inner->getOperand(1), loop, op);
  if (!lhs || !rhs)
    return std::nullopt;
  if (isa<arith::AddIOp>(inner))
    return *lhs + *rhs;
  APInt factor;
  if (matchPattern(inner->getOperand(1), m_ConstantInt(&factor)))
    return *lhs * factor.getSExtValue();
  return *lhs == 0 && *rhs == 0 ? std::optional<int64_t>(0) : std::nullopt;
}

// Whether the value of the body is computed from one that `decides` says yes of; it may say neither yes nor no, then the operands do.
static bool isComputedFrom(Value value, Block &body, function_ref<std::optional<bool>(Value)> decides) {
  SmallVector<Value> todo{value};
  llvm::SmallDenseSet<Value> seen;
  while (!todo.empty()) {
    Value at = todo.pop_back_val();
    if (!seen.insert(at).second)
      continue;
    if (std::optional<bool> decided = decides(at)) {
      if (*decided)
        return true;
      continue;
    }
    if (Operation *made = at.getDefiningOp(); made && made->getBlock() == &body)
      llvm::append_range(todo, made->getOperands());
  }
  return false;
}

// Whether the value of the body changes with the loop.
static bool changesWith(Value value, int64_t loop, GenericOp op) {
  return isComputedFrom(value, *op.getBody(), [&](Value at) -> std::optional<bool> {
    if (auto argument = dyn_cast<BlockArgument>(at); argument && argument.getOwner() == op.getBody())
      return argument.getArgNumber() >= op.getNumDpsInputs() || op.getIndexingMapsArray()[argument.getArgNumber()].isFunctionOfDim(loop);
    Operation *inner = at.getDefiningOp();
    if (!inner || inner->getBlock() != op.getBody())
      return false;
    if (auto index = dyn_cast<linalg::IndexOp>(inner))
      return static_cast<int64_t>(index.getDim()) == loop;
    return inner->getNumRegions() > 0 || !isPure(inner) ? std::optional<bool>(true) : std::nullopt;
  });
}

Value mlir::raf::onlyIteration(GenericOp op, int64_t loop) {
  Value wanted;
  for (auto [number, result] : llvm::enumerate(op.getBody()->getTerminator()->getOperands())) {
    auto sum = result.getDefiningOp<arith::AddFOp>();
    BlockArgument y = op.getBody()->getArgument(op.getNumDpsInputs() + number);
    Value added = !sum ? Value() : sum.getLhs() == y ? sum.getRhs() : sum.getRhs() == y ? sum.getLhs() : Value();
    auto select = added ? added.getDefiningOp<arith::SelectOp>() : nullptr;
    auto compare = select ? select.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq || !matchPattern(select.getFalseValue(), m_AnyZeroFloat()))
      return Value();
    Value lhs = compare.getLhs(), rhs = compare.getRhs();
    if (changesWith(rhs, loop, op))
      std::swap(lhs, rhs);
    auto cast = lhs.getDefiningOp<arith::IndexCastOp>();
    auto index = cast ? cast.getIn().getDefiningOp<linalg::IndexOp>() : nullptr;
    // An index that its type does not hold would equal another one.
    if (!index || static_cast<int64_t>(index.getDim()) != loop || changesWith(rhs, loop, op) || (wanted && wanted != rhs) ||
        !llvm::isIntN(cast.getType().getIntOrFloatBitWidth(), op.getStaticLoopRanges()[loop]))
      return Value();
    wanted = rhs;
  }
  return wanted;
}

// The number c where the branch is on [index < c].
static std::optional<int64_t> cutOf(scf::IfOp branch, function_ref<bool(Value)> isIndex) {
  auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult || !isIndex(compare.getLhs()))
    return std::nullopt;
  return getConstantIntValue(compare.getRhs());
}

SmallVector<int64_t> mlir::raf::branchCuts(GenericOp op, int64_t loop) {
  constexpr size_t kMost = 7;
  SmallVector<int64_t> cuts;
  op.getBody()->walk([&](scf::IfOp branch) {
    auto isIndex = [&](Value value) {
      auto index = value.getDefiningOp<linalg::IndexOp>();
      return index && index.getDim() == static_cast<uint64_t>(loop);
    };
    if (std::optional<int64_t> cut = cutOf(branch, isIndex))
      cuts.push_back(*cut);
  });
  llvm::sort(cuts);
  cuts.erase(llvm::unique(cuts), cuts.end());
  return cuts.size() > kMost ? SmallVector<int64_t>() : cuts;
}

bool mlir::raf::contractsAlike(GenericOp op, ArrayRef<int64_t> loops) {
  auto changes = [&](Value value) {
    return isComputedFrom(value, *op.getBody(), [&](Value at) -> std::optional<bool> {
      auto argument = dyn_cast<BlockArgument>(at);
      if (!argument || argument.getOwner() != op.getBody())
        return std::nullopt;
      AffineMap map = op.getMatchingIndexingMap(op.getMatchingOpOperand(argument));
      return llvm::any_of(loops, [&](int64_t loop) { return map.isFunctionOfDim(loop); });
    });
  };
  return llvm::all_of(op.getBody()->without_terminator(), [&](Operation &inner) {
    if (isa<math::MathDialect>(inner.getDialect()) || inner.getNumRegions() > 0)
      return false;
    if (!isa<arith::AddFOp, arith::SubFOp>(inner))
      return true;
    SmallVector<Value> products = llvm::filter_to_vector(inner.getOperands(), [](Value operand) { return operand.getDefiningOp<arith::MulFOp>() != nullptr; });
    return products.empty() || (products.size() == 1 && products[0].hasOneUse() && changes(products[0]));
  });
}

void mlir::raf::takeBranches(OpBuilder &builder, Value index, int64_t below) {
  builder.getInsertionBlock()->walk([&](scf::IfOp branch) {
    std::optional<int64_t> cut = cutOf(branch, [&](Value value) { return value == index; });
    if (!cut)
      return;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(branch);
    bool taken = below != ShapedType::kDynamic && below <= *cut;
    branch.getConditionMutable().assign(arith::ConstantIntOp::create(builder, branch.getLoc(), taken, 1));
  });
}
