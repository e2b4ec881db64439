// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threefry2x32-20 as JAX writes it out: five groups of four rounds, a part of the key after each.
#include "dialects/raf/TensorBuilder.h"
#include "mlir/IR/Matchers.h"
#include "passes/raise/Match.h"
#include "passes/raise/Passes.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::raise;

static constexpr unsigned kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
static constexpr uint32_t kParity = 0x1BD11BDA;

// How deep sums and products of constants and keys are looked into: as deep as JAX nests them.
static constexpr unsigned kMaxDepth = 4;

// The number that all words of the value equal: a constant, or a sum or difference of constants.
static std::optional<uint32_t> wordOf(Value value, unsigned depth = kMaxDepth) {
  while (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getX();
  DenseIntElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)) && constant.isSplat() && constant.getElementType().isInteger(32))
    return static_cast<uint32_t>(constant.getSplatValue<APInt>().getZExtValue());
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<AddOp, SubOp>(op) || depth == 0)
    return std::nullopt;
  std::optional<uint32_t> lhs = wordOf(op->getOperand(0), depth - 1), rhs = lhs ? wordOf(op->getOperand(1), depth - 1) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  return isa<AddOp>(op) ? *lhs + *rhs : *lhs - *rhs;
}

namespace {
/// A part of the key: a value, or a number that was folded into others.
struct Key {
  Value value;
  uint32_t number = 0;

  bool operator==(const Key &other) const { return value == other.value && (value || number == other.number); }
};

/// The words of a group of rounds.
struct Words {
  Value x, y;
};

struct Threefry {
  Words counter;
  Key keys[3];
};
} // namespace

static Key keyOf(Value value) {
  std::optional<uint32_t> number = wordOf(value);
  return number ? Key{{}, *number} : Key{value, 0};
}

// The value whose bits are rotated up, or null.
static Value rotated(Value value, unsigned amount) {
  auto both = value.getDefiningOp<OrOp>();
  if (!both)
    return {};
  for (auto [one, other] : {std::pair(both.getLhs(), both.getRhs()), std::pair(both.getRhs(), both.getLhs())}) {
    auto up = one.getDefiningOp<ShiftLeftOp>();
    auto down = other.getDefiningOp<ShiftRightLogicalOp>();
    if (up && down && up.getLhs() == down.getLhs() && wordOf(up.getRhs()) == amount && wordOf(down.getRhs()) == 32 - amount)
      return up.getLhs();
  }
  return {};
}

// The words before a round that ends with y = x ^ rotate(y'), x = x' + y'. A null x stands for whatever y was made with, and is set.
static bool undoRound(Words &words, unsigned rotation) {
  auto mixed = words.y.getDefiningOp<XorOp>();
  if (!mixed)
    return false;
  for (auto [x, turned] : {std::pair(mixed.getLhs(), mixed.getRhs()), std::pair(mixed.getRhs(), mixed.getLhs())}) {
    Value y = (!words.x || words.x == x) ? rotated(turned, rotation) : Value();
    auto sum = y ? x.getDefiningOp<AddOp>() : AddOp();
    if (!sum || (sum.getLhs() != y && sum.getRhs() != y))
      continue;
    words = {sum.getLhs() == y ? sum.getRhs() : sum.getLhs(), y};
    return true;
  }
  return false;
}

static void collectTerms(Value value, SmallVectorImpl<Value> &terms, uint32_t &constant, unsigned depth = kMaxDepth) {
  if (std::optional<uint32_t> number = wordOf(value))
    constant += *number;
  else if (auto add = value.getDefiningOp<AddOp>(); add && depth > 0 && terms.size() < 4)
    for (Value operand : add->getOperands())
      collectTerms(operand, terms, constant, depth - 1);
  else
    terms.push_back(value);
}

// The part of the key that is added, with the number of the group, to what a round gave; that is set.
static std::optional<Key> takeKey(Value &y, unsigned group) {
  SmallVector<Value> terms;
  uint32_t constant = 0;
  collectTerms(y, terms, constant);
  unsigned rotation = kRotations[group % 2][3];
  for (Value term : terms) {
    Words before{{}, term};
    if (!undoRound(before, rotation))
      continue;
    y = term;
    if (terms.size() == 1)
      return Key{{}, constant - group - 1};
    if (terms.size() == 2 && constant == group + 1)
      return Key{terms.front() == term ? terms.back() : terms.front(), 0};
    return std::nullopt;
  }
  return std::nullopt;
}

// x without the part of the key that is added to it.
static std::optional<Key> takeKey(Value &x, Value rest) {
  Value sum = std::exchange(x, rest);
  if (sum == rest)
    return Key();
  auto add = sum.getDefiningOp<AddOp>();
  if (!add || (add.getLhs() != rest && add.getRhs() != rest))
    return std::nullopt;
  return keyOf(add.getLhs() == rest ? add.getRhs() : add.getLhs());
}

static void collectFactors(Value value, SmallVectorImpl<Value> &factors, uint32_t &constant, unsigned depth = kMaxDepth) {
  if (std::optional<uint32_t> number = wordOf(value)) {
    constant ^= *number;
  } else if (auto broadcast = value.getDefiningOp<BroadcastOp>()) {
    collectFactors(broadcast.getX(), factors, constant, depth);
  } else if (auto mixed = value.getDefiningOp<XorOp>(); mixed && depth > 0) {
    collectFactors(mixed.getLhs(), factors, constant, depth - 1);
    collectFactors(mixed.getRhs(), factors, constant, depth - 1);
  } else if (auto *found = llvm::find(factors, value); found != factors.end()) {
    factors.erase(found); // x ^ x = 0
  } else {
    factors.push_back(value);
  }
}

// Whether the third part of the key is the exclusive or of the other two and a constant.
static bool isSchedule(const Key (&keys)[3]) {
  SmallVector<Value> factors;
  uint32_t constant = kParity;
  for (const Key &key : keys)
    if (key.value)
      collectFactors(key.value, factors, constant);
    else
      constant ^= key.number;
  return factors.empty() && constant == 0;
}

// The generator whose second word is y; x is set to its first word before the last part of the key.
static std::optional<Threefry> threefryOf(Value y, Value &x) {
  Threefry found;
  bool known[3] = {};
  auto learn = [&](unsigned part, std::optional<Key> key) {
    if (!key || (known[part] && !(found.keys[part] == *key)))
      return false;
    known[part] = true;
    found.keys[part] = *key;
    return true;
  };
  Words words{{}, y};
  for (int group = 4; group >= 0; --group) {
    if (!learn((group + 2) % 3, takeKey(words.y, group)))
      return std::nullopt;
    // The first word after the rounds is what the second was mixed with last.
    Words before{{}, words.y};
    (void)undoRound(before, kRotations[group % 2][3]);
    auto mixed = words.y.getDefiningOp<XorOp>();
    Value rest = rotated(mixed.getRhs(), kRotations[group % 2][3]) == before.y ? mixed.getLhs() : mixed.getRhs();
    if (group == 4)
      x = words.x = rest;
    else if (!learn((group + 1) % 3, takeKey(words.x, rest)))
      return std::nullopt;
    for (int round = 3; round >= 0; --round)
      if (!undoRound(words, kRotations[group % 2][round]))
        return std::nullopt;
  }
  if (!isSchedule(found.keys))
    return std::nullopt;
  found.counter = words;
  return found;
}

namespace {
struct RaiseThreefry : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    Value last;
    std::optional<Threefry> found = type.getElementType().isInteger(32) ? threefryOf(op, last) : std::nullopt;
    if (!found)
      return rewriter.notifyMatchFailure(op, "not the second word of Threefry2x32-20");
    // Behind all parts of the key and before both words.
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfterValue(last);
    TensorBuilder b(rewriter, op.getLoc());
    auto valueOf = [&](const Key &key) -> Value { return key.value ? key.value : b.fold<ConstantOp>(type, DenseElementsAttr::get(type, APInt(32, key.number))); };
    Value keys[] = {valueOf(found->keys[0]), valueOf(found->keys[1])};
    // What the key was added to is the counter.
    auto counterOf = [&](Value word, Value key) -> Value {
      if (word == key)
        return b.splatLike(key, 0.0);
      if (auto sum = word.getDefiningOp<AddOp>(); sum && (sum.getLhs() == key || sum.getRhs() == key))
        return sum.getLhs() == key ? sum.getRhs() : sum.getLhs();
      return b.sub(word, key);
    };
    Value counter[] = {counterOf(found->counter.x, keys[0]), counterOf(found->counter.y, keys[1])};
    for (Operation *user : llvm::to_vector(last.getUsers())) {
      auto sum = dyn_cast<AddOp>(user);
      if (sum && keyOf(sum.getLhs() == last ? sum.getRhs() : sum.getLhs()) == found->keys[2])
        rewriter.replaceOp(sum, b.create<ThreefryOp>(type, keys[0], keys[1], counter[0], counter[1], 0));
    }
    rewriter.replaceOp(op, b.create<ThreefryOp>(type, keys[0], keys[1], counter[0], counter[1], 1));
    return success();
  }
};
} // namespace

void mlir::raf::populateRaiseRandom(RewritePatternSet &patterns) { patterns.add<RaiseThreefry>(patterns.getContext()); }
