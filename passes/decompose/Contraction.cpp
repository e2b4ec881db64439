// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention by tiles of the scores: a loop over batches (and heads, where those of one batch are too many), in which blocks of rows follow one another. A causal block
// computes the scores of the keys that one of its rows sees.
#include "passes/decompose/Decompositions.h"
#include "passes/decompose/RowLoop.h"

using namespace mlir;
using namespace mlir::raf;

namespace {

/// How the scores [b, h, t, s] are cut.
struct Tiling {
  int64_t trips, batch, heads, groups; ///< iterations; batches, query heads and key heads of one
  int64_t rows;                        ///< of a block, at most
  bool byHead;                         ///< an iteration has some heads of one batch
};

int64_t largestDivisor(int64_t n, int64_t limit) {
  for (int64_t divisor = std::min(n, limit); divisor > 1; --divisor)
    if (n % divisor == 0)
      return divisor;
  return 1;
}

Tiling tile(RankedTensorType q, RankedTensorType k, bool causal) {
  int64_t batch = q.getDimSize(0), heads = q.getDimSize(1), t = q.getDimSize(2), groups = k.getDimSize(1), s = k.getDimSize(2), share = heads / groups;
  int64_t bytes = TensorBuilder::computeType(q.getElementType()).getIntOrFloatBitWidth() / 8;
  int64_t room = std::max<int64_t>(1, kBlockBytes / bytes); // scores of a tile
  Tiling result{1, batch, heads, groups, t, false};
  if (batch * heads * t * s <= room)
    return result;
  // Shorter blocks waste fewer scores that causal attention does not see, longer ones make better products.
  constexpr int64_t kCausalBlocks = 8, kShortest = 64;
  if (causal)
    result.rows = std::min(t, std::max<int64_t>(kShortest, llvm::divideCeil(t, kCausalBlocks)));
  int64_t ofHead = result.rows * s;
  if (heads * ofHead <= room) {
    result.batch = largestDivisor(batch, room / (heads * ofHead));
  } else {
    result.batch = 1;
    result.groups = largestDivisor(groups, std::max<int64_t>(1, room / (share * ofHead)));
    result.byHead = result.groups != groups;
    // Blocks are written out one after the other, so very long sequences get longer ones.
    constexpr int64_t kMostBlocks = 16;
    int64_t shortest = std::max<int64_t>(kShortest, llvm::divideCeil(t, kMostBlocks));
    result.rows = std::min(result.rows, std::max(shortest, room / (result.groups * share * s)));
  }
  result.heads = result.groups * share;
  result.trips = batch / result.batch * (groups / result.groups);
  return result;
}

/// The operands of one iteration, and the ops on a block of rows [first, first + rows) of its scores. The query heads that share a key head are stacked along t, so that one
/// batched product serves the group, and products with the shared k and v sum over it by themselves.
template <typename Op>
class Tile {
public:
  Tile(Op op, TensorBuilder &b, const Tiling &tiling, Value position)
      : b(b), op(op), tiling(tiling), position(position), t(TensorBuilder::typeOf(op.getQ()).getDimSize(2)), s(TensorBuilder::typeOf(op.getK()).getDimSize(2)) {
    element = TensorBuilder::typeOf(op.getQ()).getElementType();
    q = cut(op.getQ(), tiling.heads), k = cut(op.getK(), tiling.groups), v = cut(op.getV(), tiling.groups);
  }

  /// The part of the iteration of x [b, heads of all, ...], which has `heads` of them there.
  Value cut(Value x, int64_t heads) {
    if (tiling.trips == 1)
      return x;
    SmallVector<int64_t> shape(TensorBuilder::typeOf(x).getShape());
    if (tiling.byHead) {
      shape[0] = shape[0] * shape[1] / heads, shape[1] = heads;
      x = b.reshape(x, shape);
    }
    return rowsOf(b, x, position, tiling.batch);
  }

  /// Makes [first, first + rows) the present block.
  void setBlock(int64_t start, int64_t count) {
    first = start, rows = count;
    // Where some rows see no key at all they are NaN, and the scores stay whole.
    keys = op.getCausal() && s >= t ? std::min(s, first + rows + s - t) : s;
    kept = {};
  }
  Value ofRows(Value x) { return along(x, 2, first, rows); }
  Value ofKeys(Value x) { return along(x, 2, 0, keys); }
  Value stacked(Value x) { return b.reshape(x, {tiling.batch, tiling.groups, tiling.heads / tiling.groups * rows, TensorBuilder::typeOf(x).getDimSize(3)}); }
  Value unstacked(Value x) { return b.reshape(x, {tiling.batch, tiling.heads, rows, TensorBuilder::typeOf(x).getDimSize(3)}); }

  /// scale * q k^T + bias, masked, of the block.
  Value scores() {
    Value result = unstacked(b.wideMatmul(stacked(ofRows(q)), ofKeys(k), false, true));
    result = b.mul(result, op.getScale().convertToDouble());
    if (op.getBias())
      result = b.add(result, b.broadcastLike(b.widen(bias()), result, {0, 1, 2, 3}));
    if (op.getCausal() && (s < t || keys > first + 1 + s - t)) {
      auto plane = RankedTensorType::get({rows, keys}, b.getBuilder().getI64Type());
      Value last = b.add(b.iota(plane, 0), static_cast<double>(first + s - t));
      Value visible = b.broadcastLike(b.compare(CompareKind::le, b.iota(plane, 1), last), result, {2, 3});
      result = b.select(visible, result, b.splatLike(result, -std::numeric_limits<double>::infinity()));
    }
    return result;
  }

  /// What dropout keeps of the weights, scaled, and 0 elsewhere. The numbers are those of the whole [b, h, t, s], however that is cut.
  Value dropped(Value x) {
    double ratio = op.getRatio().convertToDouble();
    if (ratio == 0.0)
      return x;
    if (!kept) {
      auto drawn = RankedTensorType::get(TensorBuilder::typeOf(x).getShape(), b.getBuilder().getF32Type());
      int64_t allHeads = TensorBuilder::typeOf(op.getQ()).getDimSize(1);
      Value start = b.add(b.mul(position, static_cast<double>(tiling.batch * tiling.heads * t * s)), static_cast<double>(first * s));
      Value u = b.create<RandomUniformOp>(drawn, op.getSeed(), op.getStep(), op.getOpId(), start, ArrayRef<int64_t>{allHeads * t * s, t * s, s, 1});
      kept = b.compare(CompareKind::ge, u, ratio);
    }
    return b.select(kept, b.mul(x, 1.0 / (1.0 - ratio)), b.splatLike(x, 0.0));
  }

  Value spread(Value row, Value like) { return b.unreduce(row, like.getType(), {3}); }

  /// Whether each iteration has a part of its own of something of the bias' shape, and that part is a block of its rows.
  bool hasOwnRows(RankedTensorType bias) const { return bias.getDimSize(0) != 1 && !tiling.byHead; }
  /// The part of x [1|b, 1|h, 1|t, s] that the iteration adds to its scores.
  Value ofIteration(Value x) {
    RankedTensorType type = TensorBuilder::typeOf(x), part = partOf(type);
    if (hasOwnRows(type))
      return rowsOf(b, x, position, tiling.batch);
    return part == type ? x : b.create<DynamicSliceOp>(part, x, startOf(type)).getResult();
  }
  /// x with that part replaced.
  Value withPart(Value x, Value part) {
    return part.getType() == x.getType() ? part : b.create<DynamicUpdateSliceOp>(x.getType(), x, part, startOf(TensorBuilder::typeOf(x))).getResult();
  }
  RankedTensorType partOf(RankedTensorType bias) const {
    SmallVector<int64_t> shape(bias.getShape());
    shape[0] = shape[0] == 1 ? 1 : tiling.batch;
    shape[1] = shape[1] == 1 ? 1 : tiling.heads;
    return bias.clone(shape);
  }

  TensorBuilder &b;
  Op op;
  const Tiling &tiling;
  Value position, q, k, v;
  int64_t t, s, first = 0, rows = 0, keys = 0;
  Type element;

private:
  /// Batch and head of an iteration that has some heads of one batch.
  SmallVector<Value> startOf(RankedTensorType bias) {
    auto parts = static_cast<double>(TensorBuilder::typeOf(op.getQ()).getDimSize(1) / tiling.heads);
    SmallVector<Value> starts(4, b.zeros(position.getType()));
    if (bias.getDimSize(0) != 1)
      starts[0] = b.div(position, parts);
    if (bias.getDimSize(1) != 1)
      starts[1] = b.mul(b.fold<RemOp>(position, b.splatLike(position, parts)), static_cast<double>(tiling.heads));
    return starts;
  }

  Value along(Value x, int64_t dim, int64_t start, int64_t count) {
    SmallVector<int64_t> limits(TensorBuilder::typeOf(x).getShape()), starts(limits.size(), 0), strides(limits.size(), 1);
    if (limits[dim] == count)
      return x;
    starts[dim] = start, limits[dim] = start + count;
    return b.slice(x, starts, limits, strides);
  }

  /// The bias of the block: [1|batch, 1|heads, 1|rows, keys].
  Value bias() {
    if (!wholeBias)
      wholeBias = ofIteration(op.getBias());
    bool isShared = TensorBuilder::typeOf(wholeBias).getDimSize(2) != t; // by all rows
    return along(isShared ? wholeBias : along(wholeBias, 2, first, rows), 3, 0, keys);
  }

  Value kept, wholeBias;
};

Value joined(TensorBuilder &b, ArrayRef<Value> blocks) { return blocks.size() == 1 ? blocks.front() : b.create<ConcatOp>(blocks, 2).getResult(); }

/// The sum of what blocks say of their keys, the first ones.
Value summed(TensorBuilder &b, ArrayRef<Value> parts, int64_t keys) {
  Value sum;
  for (Value part : llvm::reverse(parts)) {
    int64_t missing = keys - TensorBuilder::typeOf(part).getDimSize(2);
    Value whole = missing ? b.pad(part, {0, 0, 0, 0}, {0, 0, missing, 0}, {0, 0, 0, 0}) : part;
    sum = sum ? b.add(sum, whole) : whole;
  }
  return sum;
}

template <typename Op>
Tiling tile(Op op) {
  return tile(op.getQ().getType(), op.getK().getType(), op.getCausal());
}

/// What the scores' gradients of a block say of the bias: summed where it is 1, 0 at the keys that the block leaves out.
Value shareOfBias(TensorBuilder &b, Value ds, RankedTensorType bias, int64_t keys) {
  RankedTensorType type = TensorBuilder::typeOf(ds);
  SmallVector<int64_t> over, shape(type.getShape());
  for (int64_t d : {0, 1})
    if (bias.getDimSize(d) == 1 && shape[d] != 1)
      over.push_back(d), shape[d] = 1;
  if (!over.empty())
    ds = b.reshape(b.sum(ds, over), shape);
  int64_t missing = keys - type.getDimSize(3);
  return missing ? b.pad(ds, {0, 0, 0, 0}, {0, 0, 0, missing}, {0, 0, 0, 0}) : ds;
}

/// Builds the loop around `body`, which gets the tile of an iteration and what is carried, and returns its part of each result [b, heads, t, ...], then what is carried on. The first
/// `activations` results are made as [b, t, h, ...], which is how models join heads, when an iteration has all heads.
template <typename Op>
SmallVector<Value> overTiles(Op op, TensorBuilder &b, const Tiling &tiling, ArrayRef<RankedTensorType> types, size_t activations, ValueRange carried,
                             function_ref<SmallVector<Value>(Tile<Op> &, ValueRange)> body) {
  if (tiling.trips == 1) {
    Tile<Op> whole(op, b, tiling, b.zeros(RankedTensorType::get({}, b.getBuilder().getI64Type())));
    return body(whole, carried);
  }
  const int64_t swap[] = {0, 2, 1, 3};
  size_t swapped = tiling.byHead ? 0 : activations;
  SmallVector<RankedTensorType> made;
  for (auto [k, type] : llvm::enumerate(types)) {
    SmallVector<int64_t> shape(type.getShape());
    if (k < swapped)
      std::swap(shape[1], shape[2]);
    else if (tiling.byHead) // key heads and query heads are cut into as many parts
      shape[1] = shape[0] * shape[1] / tiling.trips, shape[0] = tiling.trips;
    made.push_back(type.clone(shape));
  }
  SmallVector<int64_t> rows(types.size(), tiling.batch);
  SmallVector<Value> results = buildRowLoop(b, tiling.trips, made, rows, carried, [&](TensorBuilder &inner, Value position, ValueRange sums) {
    Tile<Op> part(op, inner, tiling, position);
    SmallVector<Value> values = body(part, sums);
    for (size_t k = 0; k < swapped; ++k)
      values[k] = inner.transpose(values[k], swap);
    return values;
  });
  for (auto [k, type] : llvm::enumerate(types))
    results[k] = k < swapped ? b.transpose(results[k], swap) : b.reshape(results[k], type.getShape());
  return results;
}

template <typename Op>
void forBlocks(Tile<Op> &tile, function_ref<void()> body) {
  for (int64_t first = 0; first < tile.t; first += tile.tiling.rows) {
    tile.setBlock(first, std::min(tile.tiling.rows, tile.t - first));
    body();
  }
}

} // namespace

static SmallVector<Value> attention(AttentionOp op, TensorBuilder &builder) {
  auto body = [](Tile<AttentionOp> &tile, ValueRange) -> SmallVector<Value> {
    TensorBuilder &b = tile.b;
    SmallVector<Value> ys, lses;
    forBlocks(tile, [&] {
      Value scores = tile.scores(), max = b.reduce(ReduceKind::max, scores, {3});
      Value weights = b.exp(b.sub(scores, tile.spread(max, scores)));
      Value sum = b.sum(weights, {3});
      weights = b.cast(tile.dropped(b.mul(weights, tile.spread(b.div(1.0, sum), scores))), tile.element);
      ys.push_back(tile.unstacked(b.matmul(tile.stacked(weights), tile.ofKeys(tile.v))));
      lses.push_back(b.add(b.log(sum), max));
    });
    return {joined(b, ys), joined(b, lses)};
  };
  return overTiles<AttentionOp>(op, builder, tile(op), {op.getY().getType(), op.getLse().getType()}, 1, {}, body);
}

static SmallVector<Value> attentionGrad(AttentionGradOp op, TensorBuilder &builder) {
  Tiling tiling = tile(op);
  SmallVector<RankedTensorType> types = {op.getDq().getType(), op.getDk().getType(), op.getDv().getType()};
  // The gradient of a bias that iterations share is a sum that they carry.
  bool biasGrad = op.getBiasGrad(), ownRows = false;
  SmallVector<Value> carried;
  RankedTensorType biasType;
  if (biasGrad) {
    biasType = op.getBias().getType().clone(TensorBuilder::computeType(op.getBias().getType().getElementType()));
    ownRows = tiling.trips == 1 || (biasType.getDimSize(0) != 1 && !tiling.byHead);
    if (ownRows)
      types.push_back(biasType);
    else
      carried.push_back(builder.zeros(biasType));
  }
  auto body = [&](Tile<AttentionGradOp> &tile, ValueRange sums) -> SmallVector<Value> {
    TensorBuilder &b = tile.b;
    Value dyOfTile = tile.cut(op.getDy(), tiling.heads), lse = tile.cut(op.getLse(), tiling.heads), delta = tile.cut(op.getDelta(), tiling.heads);
    SmallVector<Value> dqs, dks, dvs, dss;
    forBlocks(tile, [&] {
      Value dy = tile.stacked(tile.ofRows(dyOfTile)), q = tile.stacked(tile.ofRows(tile.q));
      Value scores = tile.scores(), p = b.exp(b.sub(scores, tile.spread(tile.ofRows(lse), scores)));
      dvs.push_back(b.matmul(tile.stacked(b.cast(tile.dropped(p), tile.element)), dy, true, false));
      Value dp = tile.dropped(tile.unstacked(b.wideMatmul(dy, tile.ofKeys(tile.v), false, true)));
      Value ds = b.mul(p, b.sub(dp, tile.spread(tile.ofRows(delta), scores)));
      Value scaled = tile.stacked(b.cast(b.mul(ds, op.getScale().convertToDouble()), tile.element));
      dqs.push_back(tile.unstacked(b.matmul(scaled, tile.ofKeys(tile.k))));
      dks.push_back(b.matmul(scaled, q, true, false));
      if (biasGrad)
        dss.push_back(shareOfBias(b, ds, biasType, tile.s));
    });
    SmallVector<Value> values = {joined(b, dqs), summed(b, dks, tile.s), summed(b, dvs, tile.s)};
    if (biasGrad) {
      Value ds = joined(b, dss);
      values.push_back(ownRows ? ds : tile.withPart(sums[0], b.add(tile.ofIteration(sums[0]), ds)));
    }
    return values;
  };
  SmallVector<Value> results = overTiles<AttentionGradOp>(op, builder, tiling, types, 3, carried, body);
  if (biasGrad)
    results.back() = builder.cast(results.back(), op.getBias().getType().getElementType());
  return results;
}

void mlir::raf::attachContractionDecompositions(MLIRContext *context) {
  AttentionOp::attachInterface<Decomposition<AttentionOp, attention>>(*context);
  AttentionGradOp::attachInterface<Decomposition<AttentionGradOp, attentionGrad>>(*context);
}
