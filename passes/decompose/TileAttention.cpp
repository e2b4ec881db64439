// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention as programs on tiles: each block of a parallel loop has a tile of results and walks over the tiles of scores that they need, which live only there.
#include "passes/decompose/Passes.h"
#include "passes/decompose/TileKernel.h"
#include "passes/decompose/linalg/Lowering.h"

namespace mlir::raf {
#define GEN_PASS_DEF_TILEATTENTION
#include "passes/decompose/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {

/// Rows and columns of a tile of the scores.
struct TileSize {
  int64_t rows, keys;
};

/// The largest tile whose operands fit into `room` bytes: of each row of the scores `perRow` bytes, of each column `perKey`, and `matrices` times the scores.
std::optional<TileSize> chooseTile(int64_t t, int64_t s, int64_t perRow, int64_t perKey, int64_t matrices, int64_t elementBytes, int64_t room) {
  static constexpr TileSize kSizes[] = {{64, 32}, {32, 32}, {32, 16}, {16, 16}, {8, 16}, {8, 8}, {4, 8}, {4, 4}, {2, 2}, {1, 1}};
  for (TileSize size : kSizes) {
    int64_t rows = std::min(size.rows, t), keys = std::min(size.keys, s), heldRows = TileKernel::rowsOf(rows), heldKeys = TileKernel::rowsOf(keys);
    if (heldRows * perRow + heldKeys * perKey + matrices * heldRows * TileKernel::rowBytes(keys, elementBytes) <= room)
      return TileSize{rows, keys};
  }
  return std::nullopt;
}

/// The tile `number` of a dimension. The last one ends where the dimension does, so that all have one size: its first elements are those of the tile before.
struct Span {
  Value first, start; ///< of what is its own, and of all of it
  int64_t count;
  bool ragged; ///< some tile shares elements with the one before
};

template <typename Op>
class Program {
public:
  Program(Op op, OpBuilder &builder, int64_t room) : op(op), builder(builder), room(room) {
    RankedTensorType q = op.getQ().getType(), k = op.getK().getType();
    batches = q.getDimSize(0), heads = q.getDimSize(1), t = q.getDimSize(2), d = q.getDimSize(3);
    groups = k.getDimSize(1), s = k.getDimSize(2), e = cast<RankedTensorType>(op.getV().getType()).getDimSize(3);
    element = q.getElementType(), compute = TensorBuilder::computeType(element);
    elementBytes = element.getIntOrFloatBitWidth() / 8;
    causal = op.getCausal();
    // Where some rows see no key at all they are NaN, and no tile is left out.
    skips = causal && s >= t;
  }

  bool choose(int64_t ofRow, int64_t ofKey, int64_t matrices) {
    if (std::min({batches, heads, t, d, s, e}) == 0)
      return false;
    std::optional<TileSize> chosen = chooseTile(t, s, ofRow, ofKey, matrices, elementBytes, room);
    if (chosen)
      tile = *chosen;
    return chosen.has_value();
  }
  int64_t rowBytes(int64_t columns) const { return TileKernel::rowBytes(columns, elementBytes); }
  int64_t tilesOfRows() const { return llvm::divideCeil(t, tile.rows); }
  int64_t tilesOfKeys() const { return llvm::divideCeil(s, tile.keys); }

  /// A kernel of `blocks` blocks that makes results of the op; returns what replaces them.
  SmallVector<Value> kernel(StringRef label, ValueRange of, int64_t blocks, function_ref<void(TileKernel &, Value)> body) {
    SmallVector<RankedTensorType> types = llvm::map_to_vector(of, [](Value value) { return TensorBuilder::typeOf(value); });
    TileKernel made(builder, op.getLoc(), label, types, blocks);
    for (Value operand : op->getOperands())
      made.addInput(operand);
    return made.build([&](Value block) {
      at = &made;
      drawn = {};
      body(made, block);
    }, of);
  }

  Span span(Value number, int64_t size, int64_t count) {
    Value first = at->mul(number, count);
    bool ragged = size % count != 0;
    return {first, ragged ? at->minimum(first, size - count) : first, count, ragged};
  }
  Span rowsAt(Value number) { return span(number, t, tile.rows); }
  Span keysAt(Value number) { return span(number, s, tile.keys); }

  /// Rows of x [b, h, t, d], or of x [b, h, t].
  Value load(Value x, Value batch, Value head, Value start, int64_t count) {
    SmallVector<Value> offsets = {batch, head, start};
    SmallVector<int64_t> sizes = {1, 1, count};
    if (TensorBuilder::typeOf(x).getRank() == 4)
      offsets.push_back(at->index(0)), sizes.push_back(TensorBuilder::typeOf(x).getDimSize(3));
    return at->load(x, offsets, sizes, {2, 3});
  }
  Value ofRows(Value x, Value batch, Value head, const Span &rows) { return load(x, batch, head, rows.start, rows.count); }
  Value ofKeys(Value x, Value batch, Value head, const Span &keys) { return load(x, batch, at->div(head, heads / groups), keys.start, keys.count); }

  /// scale * q k^T + bias of a tile, masked: also at what it shares with the tile before, of keys, and of rows if `ownRows`.
  Value scores(Value q, Value k, Value batch, Value head, const Span &rows, const Span &keys, bool ownRows) {
    TensorBuilder &b = at->tensors();
    Value result = b.mul(b.wideMatmul(q, k, false, true), op.getScale().convertToDouble());
    if (Value bias = op.getBias()) {
      RankedTensorType type = TensorBuilder::typeOf(bias);
      Value first = type.getDimSize(0) == 1 ? at->index(0) : batch, second = type.getDimSize(1) == 1 ? at->index(0) : head;
      if (type.getDimSize(2) == t) {
        result = b.add(result, b.widen(at->load(bias, {first, second, rows.start, keys.start}, {1, 1, rows.count, keys.count}, {2, 3})));
      } else { // one row for all queries
        Value row = at->load(bias, {first, second, at->index(0), keys.start}, {1, 1, 1, keys.count}, {3});
        result = b.add(result, b.widen(b.unreduce(row, RankedTensorType::get({rows.count, keys.count}, type.getElementType()), {0})));
      }
    }
    bool cutsKeys = keys.ragged, cutsRows = ownRows && rows.ragged;
    if (!causal && !cutsKeys && !cutsRows)
      return result;
    RankedTensorType type = TensorBuilder::typeOf(result);
    AffineMap identity = builder.getMultiDimIdentityMap(2);
    auto body = [&](ImplicitLocOpBuilder &ib, ValueRange args) -> Value {
      Value row = arith::AddIOp::create(ib, rows.start, lower::loopIndex(ib, 0)), key = arith::AddIOp::create(ib, keys.start, lower::loopIndex(ib, 1)), seen;
      auto need = [&](arith::CmpIPredicate predicate, Value a, Value c) { seen = lower::conjunction(ib, seen, arith::CmpIOp::create(ib, predicate, a, c)); };
      if (causal)
        need(arith::CmpIPredicate::sle, key, arith::AddIOp::create(ib, row, lower::index(ib, s - t)));
      if (cutsKeys)
        need(arith::CmpIPredicate::sge, key, keys.first);
      if (cutsRows)
        need(arith::CmpIPredicate::sge, row, rows.first);
      return arith::SelectOp::create(ib, seen, args[0], lower::scalar(ib, compute, -std::numeric_limits<double>::infinity()));
    };
    return lower::mapElements(b.getBuilder(), b.getLoc(), type, {{result, identity}}, body);
  }

  /// What dropout keeps of the weights, scaled, and 0 elsewhere: the numbers of the whole [b, h, t, s].
  Value dropped(Value x, Value batch, Value head, const Span &rows, const Span &keys) {
    double ratio = op.getRatio().convertToDouble();
    if (ratio == 0.0)
      return x;
    TensorBuilder &b = at->tensors();
    if (!drawn) {
      auto wide = [&](Value index) { return arith::IndexCastOp::create(b.getBuilder(), b.getLoc(), b.getBuilder().getI64Type(), index).getResult(); };
      auto times = [&](Value value, int64_t factor, Value plus) {
        Value constant = arith::ConstantIntOp::create(b.getBuilder(), b.getLoc(), factor, 64);
        return arith::AddIOp::create(b.getBuilder(), b.getLoc(), arith::MulIOp::create(b.getBuilder(), b.getLoc(), value, constant), plus).getResult();
      };
      Value position = times(times(times(wide(batch), heads, wide(head)), t, wide(rows.start)), s, wide(keys.start));
      Value offset = tensor::FromElementsOp::create(b.getBuilder(), b.getLoc(), RankedTensorType::get({}, position.getType()), position);
      auto type = RankedTensorType::get(TensorBuilder::typeOf(x).getShape(), builder.getF32Type());
      Value u = b.create<RandomUniformOp>(type, at->inside(op.getSeed()), at->inside(op.getStep()), op.getOpId(), offset, ArrayRef<int64_t>{s, 1});
      drawn = b.compare(CompareKind::ge, u, ratio);
    }
    return b.select(drawn, b.mul(x, 1.0 / (1.0 - ratio)), b.splatLike(x, 0.0));
  }

  /// The tiles of keys that a tile of rows sees.
  Value endOfKeys(const Span &rows) {
    if (!skips)
      return at->index(tilesOfKeys());
    Value seen = at->add(rows.start, rows.count + s - t);
    return at->div(at->add(seen, tile.keys - 1), tile.keys);
  }
  /// The first tile of rows that sees a tile of keys.
  Value firstRows(const Span &keys) {
    if (!skips)
      return at->index(0);
    Value row = at->add(keys.start, -(s - t));
    return at->div(at->maximum(row, 0), tile.rows);
  }

  Value spread(Value row, Value like) { return at->tensors().unreduce(row, like.getType(), {1}); }

  /// The factors that are the gradients of scores, and the weights, of a tile.
  struct Weights {
    Value kept, ds; ///< m p and ds, in the type of arithmetic
  };
  Weights weights(Value q, Value k, Value v, Value dy, Value lse, Value delta, Value batch, Value head, const Span &rows, const Span &keys, bool ownRows) {
    TensorBuilder &b = at->tensors();
    drawn = {};
    Value masked = scores(q, k, batch, head, rows, keys, ownRows);
    Value p = b.exp(b.sub(masked, spread(lse, masked)));
    Value dp = dropped(b.wideMatmul(dy, v, false, true), batch, head, rows, keys);
    return {dropped(p, batch, head, rows, keys), b.mul(p, b.sub(dp, spread(delta, dp)))};
  }
  /// scale * ds as the products take it.
  Value scaled(Value ds) { return at->tensors().cast(at->tensors().mul(ds, op.getScale().convertToDouble()), element); }

  /// Writes rows of a tile into result `number`, a tensor [b, h, t, ...].
  void store(unsigned number, Value x, Value batch, Value head, const Span &rows) {
    SmallVector<Value> offsets = {batch, head, rows.first};
    if (TensorBuilder::typeOf(x).getRank() == 2)
      offsets.push_back(at->index(0));
    at->store(number, x, offsets, {2, 3}, {rows.ragged ? at->sub(rows.first, rows.start) : Value()});
  }

  RankedTensorType wide(ArrayRef<int64_t> shape) const { return RankedTensorType::get(shape, compute); }

  Op op;
  OpBuilder &builder;
  int64_t room, batches, heads, groups, t, s, d, e, elementBytes;
  Type element, compute;
  bool causal, skips;
  TileSize tile{1, 1};
  TileKernel *at = nullptr;
  Value drawn;
};

bool tileForward(AttentionOp op, OpBuilder &builder, int64_t room) {
  Program<AttentionOp> p(op, builder, room);
  // Warps that share rows tell each other their largest score and their sum.
  constexpr int64_t kBytesOfParts = 2 * 4 * sizeof(float);
  if (!p.choose(p.rowBytes(p.d) + kBytesOfParts, p.rowBytes(p.d) + p.rowBytes(p.e), 1))
    return false;
  int64_t tiles = p.tilesOfRows();
  SmallVector<Value> results = p.kernel("attention", {op.getY(), op.getLse()}, p.batches * p.heads * tiles, [&](TileKernel &at, Value block) {
    TensorBuilder &b = at.tensors();
    Value number = at.rem(block, tiles), above = at.div(block, tiles), head = at.rem(above, p.heads), batch = at.div(above, p.heads);
    Span rows = p.rowsAt(number);
    Value q = p.ofRows(op.getQ(), batch, head, rows);
    RankedTensorType row = p.wide({rows.count});
    SmallVector<Value> start = {b.zeros(p.wide({rows.count, p.e})), b.splat(row, -std::numeric_limits<double>::infinity()), b.zeros(row)};
    SmallVector<Value> found = at.loop(at.index(0), p.endOfKeys(rows), start, [&](Value number, ValueRange carried) -> SmallVector<Value> {
      Span keys = p.keysAt(number);
      Value k = p.ofKeys(op.getK(), batch, head, keys), v = p.ofKeys(op.getV(), batch, head, keys);
      p.drawn = {};
      Value scores = p.scores(q, k, batch, head, rows, keys, /*ownRows=*/false);
      Value max = b.maximum(carried[1], b.reduce(ReduceKind::max, scores, {1}));
      // Of a row that has seen no key so far all weights are 0, not NaN.
      Value base = b.select(b.compare(CompareKind::eq, max, -std::numeric_limits<double>::infinity()), b.splatLike(max, 0.0), max);
      Value weights = b.exp(b.sub(scores, p.spread(base, scores))), shrink = b.exp(b.sub(carried[1], base));
      Value sum = b.add(b.mul(carried[2], shrink), b.sum(weights, {1}));
      Value kept = b.cast(p.dropped(weights, batch, head, rows, keys), p.element);
      return {b.add(b.mul(carried[0], p.spread(shrink, carried[0])), b.wideMatmul(kept, v)), max, sum};
    });
    Value y = b.cast(b.mul(found[0], p.spread(b.div(1.0, found[2]), found[0])), p.element);
    p.store(0, y, batch, head, rows);
    // A row that sees no key is NaN, in y and lse.
    Value none = b.compare(CompareKind::eq, found[2], 0.0), lse = b.add(b.log(found[2]), found[1]);
    p.store(1, b.select(none, b.splatLike(lse, std::numeric_limits<double>::quiet_NaN()), lse), batch, head, rows);
  });
  op->replaceAllUsesWith(results);
  op->erase();
  return true;
}

/// dq: a block has some rows and walks over their keys.
Value tileQueryGrad(Program<AttentionGradOp> &p) {
  AttentionGradOp op = p.op;
  int64_t tiles = p.tilesOfRows();
  return p.kernel("attention_query_grad", {op.getDq()}, p.batches * p.heads * tiles, [&](TileKernel &at, Value block) {
    TensorBuilder &b = at.tensors();
    Value number = at.rem(block, tiles), above = at.div(block, tiles), head = at.rem(above, p.heads), batch = at.div(above, p.heads);
    Span rows = p.rowsAt(number);
    Value q = p.ofRows(op.getQ(), batch, head, rows), dy = p.ofRows(op.getDy(), batch, head, rows);
    Value lse = p.ofRows(op.getLse(), batch, head, rows), delta = p.ofRows(op.getDelta(), batch, head, rows);
    Value sum = at.loop(at.index(0), p.endOfKeys(rows), {b.zeros(p.wide({rows.count, p.d}))}, [&](Value number, ValueRange carried) -> SmallVector<Value> {
      Span keys = p.keysAt(number);
      Value k = p.ofKeys(op.getK(), batch, head, keys), v = p.ofKeys(op.getV(), batch, head, keys);
      auto weights = p.weights(q, k, v, dy, lse, delta, batch, head, rows, keys, /*ownRows=*/false);
      return {b.add(carried[0], b.wideMatmul(p.scaled(weights.ds), k))};
    })[0];
    p.store(0, b.cast(sum, p.element), batch, head, rows);
  })[0];
}

/// dk and dv: a block has some keys of a key head and walks over the rows of the query heads that see them.
SmallVector<Value> tileKeyGrads(Program<AttentionGradOp> &p) {
  AttentionGradOp op = p.op;
  int64_t tiles = p.tilesOfKeys(), share = p.heads / p.groups;
  return p.kernel("attention_key_grad", {op.getDk(), op.getDv()}, p.batches * p.groups * tiles, [&](TileKernel &at, Value block) {
    TensorBuilder &b = at.tensors();
    Value number = at.rem(block, tiles), above = at.div(block, tiles), group = at.rem(above, p.groups), batch = at.div(above, p.groups);
    Span keys = p.keysAt(number);
    Value k = p.load(op.getK(), batch, group, keys.start, keys.count), v = p.load(op.getV(), batch, group, keys.start, keys.count);
    SmallVector<Value> zeros = {b.zeros(p.wide({keys.count, p.d})), b.zeros(p.wide({keys.count, p.e}))};
    Value first = p.firstRows(keys);
    SmallVector<Value> sums = at.loop(at.index(0), at.index(share), zeros, [&](Value member, ValueRange ofHeads) {
      Value head = at.add(at.mul(group, share), member);
      return at.loop(first, at.index(p.tilesOfRows()), ofHeads, [&](Value number, ValueRange carried) -> SmallVector<Value> {
        Span rows = p.rowsAt(number);
        Value q = p.ofRows(op.getQ(), batch, head, rows), dy = p.ofRows(op.getDy(), batch, head, rows);
        Value lse = p.ofRows(op.getLse(), batch, head, rows), delta = p.ofRows(op.getDelta(), batch, head, rows);
        auto weights = p.weights(q, k, v, dy, lse, delta, batch, head, rows, keys, /*ownRows=*/true);
        Value dv = b.add(carried[1], b.wideMatmul(b.cast(weights.kept, p.element), dy, true, false));
        return {b.add(carried[0], b.wideMatmul(p.scaled(weights.ds), q, true, false)), dv};
      });
    });
    for (unsigned i : {0, 1})
      p.store(i, b.cast(sums[i], p.element), batch, group, keys);
  });
}

/// dbias: a block has a tile of it and sums over what shares it.
Value tileBiasGrad(Program<AttentionGradOp> &p) {
  AttentionGradOp op = p.op;
  RankedTensorType type = TensorBuilder::typeOf(op.getBias());
  int64_t ofBatch = type.getDimSize(0), ofHead = type.getDimSize(1), tilesOfKeys = p.tilesOfKeys(), tiles = p.tilesOfRows() * tilesOfKeys;
  return p.kernel("attention_bias_grad", {op.getDbias()}, ofBatch * ofHead * tiles, [&](TileKernel &at, Value block) {
    TensorBuilder &b = at.tensors();
    Value number = at.rem(block, tiles), above = at.div(block, tiles);
    Value firstHead = at.rem(above, ofHead), firstBatch = at.div(above, ofHead);
    Span keys = p.keysAt(at.rem(number, tilesOfKeys)), rows = p.rowsAt(at.div(number, tilesOfKeys));
    SmallVector<Value> zero = {b.zeros(p.wide({rows.count, keys.count}))};
    Value sum = at.loop(at.index(0), at.index(p.batches / ofBatch), zero, [&](Value i, ValueRange ofBatches) {
      return at.loop(at.index(0), at.index(p.heads / ofHead), ofBatches, [&](Value j, ValueRange carried) -> SmallVector<Value> {
        Value batch = at.add(firstBatch, i), head = at.add(firstHead, j);
        Value q = p.ofRows(op.getQ(), batch, head, rows), dy = p.ofRows(op.getDy(), batch, head, rows);
        Value lse = p.ofRows(op.getLse(), batch, head, rows), delta = p.ofRows(op.getDelta(), batch, head, rows);
        Value k = p.ofKeys(op.getK(), batch, head, keys), v = p.ofKeys(op.getV(), batch, head, keys);
        // Only what is the tile's own is written, so nothing else has to be masked.
        auto weights = p.weights(q, k, v, dy, lse, delta, batch, head, rows, keys, /*ownRows=*/false);
        return {b.add(carried[0], weights.ds)};
      });
    })[0];
    auto skip = [&](const Span &span) { return span.ragged ? at.sub(span.first, span.start) : Value(); };
    at.store(0, b.cast(sum, type.getElementType()), {firstBatch, firstHead, rows.first, keys.first}, {2, 3}, {skip(rows), skip(keys)});
  })[0];
}

bool tileBackward(AttentionGradOp op, OpBuilder &builder, int64_t room) {
  Program<AttentionGradOp> p(op, builder, room);
  if (!p.choose(p.rowBytes(p.d) + p.rowBytes(p.e), p.rowBytes(p.d) + p.rowBytes(p.e), 2))
    return false;
  SmallVector<Value> results = {tileQueryGrad(p)};
  llvm::append_range(results, tileKeyGrads(p));
  if (op.getBiasGrad())
    results.push_back(tileBiasGrad(p));
  op->replaceAllUsesWith(results);
  op->erase();
  return true;
}

struct TileAttentionPass : raf::impl::TileAttentionBase<TileAttentionPass> {
  using TileAttentionBase::TileAttentionBase;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<AttentionOp, AttentionGradOp>(op))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      OpBuilder builder(op);
      if (auto forward = dyn_cast<AttentionOp>(op))
        numTiled += tileForward(forward, builder, bytes);
      else
        numTiled += tileBackward(cast<AttentionGradOp>(op), builder, bytes);
    }
  }
};

} // namespace
