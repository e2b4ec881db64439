// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/TensorBuilder.h"
#include "mlir/IR/Matchers.h"
#include "passes/raise/Match.h"
#include "passes/raise/Passes.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::raise;

namespace {

/// softmax(scale * q k^T + bias), causal or not; the operands as they are multiplied.
struct Scores {
  MatmulOp product;
  double scale = 1.0;
  Value bias;
  /// What is true where a score counts, and the number in place of the others.
  Value mask;
  double low = 0.0;
  bool causal = false;
};

bool isPointwise(Operation *op) { return isa_and_nonnull<AddOp, MulOp, DivOp, SelectOp>(op); }

// Whether the value is made of a product of matrices, pointwise or in another shape or order; of a few ops.
bool isOfProduct(Value value) {
  llvm::SetVector<Operation *> seen;
  seen.insert(value.getDefiningOp());
  for (unsigned i = 0; i < seen.size() && i < 32; ++i) {
    Operation *op = seen[i];
    if (isa_and_nonnull<MatmulOp>(op))
      return true;
    if (isPointwise(op) || isa_and_nonnull<ReshapeOp, TransposeOp>(op))
      for (Value operand : op->getOperands())
        seen.insert(operand.getDefiningOp());
  }
  return false;
}

// The one value of those that the given one is a pointwise function of that is made of a product, or null. What else there is, like a bias, can be brought into any shape and order:
// with two products, each into that of the other without end.
Value productIn(Value value) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  Value product;
  for (unsigned i = 0; i < seen.size(); ++i) {
    if (i == 32)
      return {};
    Operation *op = seen[i].getDefiningOp();
    if (isPointwise(op)) {
      seen.insert(op->operand_begin(), op->operand_end());
    } else if (isOfProduct(seen[i])) {
      if (product)
        return {};
      product = seen[i];
    }
  }
  // What is brought into another shape or order ends after so many ops: a longer chain would come back to the first one.
  llvm::DenseMap<Value, unsigned> depths;
  auto depthOf = [&](Value of, auto &&self) -> unsigned {
    Operation *op = of.getDefiningOp();
    if (!isPointwise(op))
      return 0;
    if (auto known = depths.find(of); known != depths.end())
      return known->second;
    unsigned deepest = 0;
    for (Value operand : op->getOperands())
      deepest = std::max(deepest, self(operand, self));
    return depths[of] = deepest + 1;
  };
  return depthOf(value, depthOf) <= 8 ? product : Value();
}

// The softmax that the value is, or that it was narrowed from.
SoftmaxOp softmaxOf(Value value) {
  auto cast = value.getDefiningOp<CastOp>();
  return (cast && cast->hasOneUse() ? cast.getX() : value).getDefiningOp<SoftmaxOp>();
}

// The value in that shape, computed there where it is pointwise.
Value inShape(TensorBuilder &b, Value value, ArrayRef<int64_t> shape, unsigned depth = 8) {
  Operation *op = depth ? value.getDefiningOp() : nullptr;
  RankedTensorType type = typeOf(value).clone(shape);
  if (isPointwise(op)) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(inShape(b, operand, shape, depth - 1));
    OperationState state(op->getLoc(), op->getName(), operands, TypeRange(type), op->getAttrs());
    return b.getBuilder().create(state)->getResult(0);
  }
  if (auto reshape = dyn_cast_or_null<ReshapeOp>(op))
    return inShape(b, reshape.getX(), shape, depth - 1);
  SplatElementsAttr splat;
  if (matchPattern(value, m_Constant(&splat)))
    return b.create<ConstantOp>(splat.resizeSplat(type));
  // What is replicated for the leading dimensions is so for any.
  if (auto broadcast = dyn_cast_or_null<BroadcastOp>(op)) {
    int64_t rank = broadcast.getType().getRank(), kept = broadcast.getDims().size(), target = shape.size();
    bool isTrailing = kept <= target && broadcast.getType().getShape().take_back(kept) == shape.take_back(kept) &&
                      llvm::equal(broadcast.getDims(), llvm::seq<int64_t>(rank - kept, rank));
    if (isTrailing)
      return b.broadcast(broadcast.getX(), type, dimRange(target - kept, target));
    int64_t lead = broadcast.getDims().empty() ? 0 : broadcast.getDims().front();
    if (lead && lead < target && broadcast.getType().getShape().take_front(lead) == shape.take_front(lead)) {
      SmallVector<int64_t> dims;
      for (int64_t dim : broadcast.getDims())
        dims.push_back(dim - lead);
      Value inner = b.broadcast(broadcast.getX(), typeOf(value).clone(broadcast.getType().getShape().drop_front(lead)), dims);
      return b.broadcast(b.reshape(inner, shape.drop_front(lead)), type, dimRange(lead, target));
    }
  }
  return b.reshape(value, shape);
}

// softmax of rows, in the shape in which the rows were made: dimensions of size 1 and batches in parts are of no interest to it.
struct SoftmaxBeforeReshape : OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SoftmaxOp op, PatternRewriter &rewriter) const override {
    Value product = static_cast<int64_t>(op.getAxis()) + 1 == op.getType().getRank() ? productIn(op.getX()) : Value();
    auto reshape = product ? product.getDefiningOp<ReshapeOp>() : ReshapeOp();
    ArrayRef<int64_t> shape = reshape ? reshape.getX().getType().getShape() : ArrayRef<int64_t>();
    if (shape.size() < 2 || shape.back() != op.getType().getShape().back())
      return rewriter.notifyMatchFailure(op, "not of rows in another shape");
    TensorBuilder b(rewriter, op.getLoc());
    Value rows = inShape(b, op.getX(), shape);
    rewriter.replaceOp(op, b.reshape(b.create<SoftmaxOp>(rows.getType(), rows, shape.size() - 1), op.getType().getShape()));
    return success();
  }
};

// The value of which the given one is the transpose, computed in that order where it is pointwise.
Value untransposed(TensorBuilder &b, Value value, ArrayRef<int64_t> permutation, unsigned depth = 8) {
  Operation *op = depth ? value.getDefiningOp() : nullptr;
  SmallVector<int64_t> inverse(permutation.size()), shape(permutation.size());
  for (auto [to, from] : llvm::enumerate(permutation)) {
    inverse[from] = to;
    shape[from] = typeOf(value).getDimSize(to);
  }
  if (auto transpose = dyn_cast_or_null<TransposeOp>(op); transpose && transpose.getPermutation() == permutation)
    return transpose.getX();
  if (isPointwise(op)) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(untransposed(b, operand, permutation, depth - 1));
    OperationState state(op->getLoc(), op->getName(), operands, TypeRange(typeOf(value).clone(shape)), op->getAttrs());
    return b.getBuilder().create(state)->getResult(0);
  }
  SplatElementsAttr splat;
  if (matchPattern(value, m_Constant(&splat)))
    return b.create<ConstantOp>(splat.resizeSplat(typeOf(value).clone(shape)));
  if (auto broadcast = value.getDefiningOp<BroadcastOp>()) {
    SmallVector<int64_t> dims;
    for (int64_t dim : broadcast.getDims())
      dims.push_back(permutation[dim]);
    if (llvm::is_sorted(dims))
      return b.broadcast(broadcast.getX(), typeOf(value).clone(shape), dims);
  }
  return b.transpose(value, inverse);
}

// softmax of rows, in the order in which the rows were made: groups of heads that share a key have another one.
struct SoftmaxBeforeTranspose : OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SoftmaxOp op, PatternRewriter &rewriter) const override {
    int64_t last = op.getType().getRank() - 1;
    Value product = static_cast<int64_t>(op.getAxis()) == last ? productIn(op.getX()) : Value();
    auto transpose = product ? product.getDefiningOp<TransposeOp>() : TransposeOp();
    if (!transpose || transpose.getPermutation().back() != last)
      return rewriter.notifyMatchFailure(op, "not of rows in another order");
    SmallVector<int64_t> permutation(transpose.getPermutation());
    TensorBuilder b(rewriter, op.getLoc());
    Value rows = untransposed(b, op.getX(), permutation);
    rewriter.replaceOp(op, b.transpose(b.create<SoftmaxOp>(rows.getType(), rows, op.getAxis()), permutation));
    return success();
  }
};

// A product with weights whose rows, as columns, are in another order: the product with the weights as they are, in that order. v^T reshape(transpose(reshape(softmax))).
struct ProductOfReorderedWeights : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    auto merged = op.getTransposeRhs() ? ReshapeOp() : op.getRhs().getDefiningOp<ReshapeOp>();
    auto transpose = merged ? merged.getX().getDefiningOp<TransposeOp>() : TransposeOp();
    auto split = transpose ? transpose.getX().getDefiningOp<ReshapeOp>() : ReshapeOp();
    auto weights = split ? softmaxOf(split.getX()) : SoftmaxOp();
    int64_t batch = op.getType().getRank() - 2;
    if (!weights || weights.getType().getRank() != batch + 2 || static_cast<int64_t>(weights.getAxis()) != batch + 1)
      return rewriter.notifyMatchFailure(op, "the second factor is no softmax in another order");
    // The batch, of which dimensions of size 1 may be missing, stays, then the columns, then the parts of the rows.
    ArrayRef<int64_t> permutation = transpose.getPermutation(), parts = split.getType().getShape(), whole = weights.getType().getShape();
    SmallVector<int64_t> kept = llvm::filter_to_vector(whole.take_front(batch), [](int64_t size) { return size != 1; });
    ArrayRef<int64_t> sizes = transpose.getType().getShape(), outer = merged.getType().getShape();
    int64_t rank = parts.size(), first = batch;
    if (rank > batch && parts.take_front(batch) == whole.take_front(batch))
      kept.assign(whole.begin(), whole.begin() + batch);
    else
      first = kept.size();
    bool fits = rank > first + 1 && parts.take_front(first) == ArrayRef(kept) && parts.back() == whole.back() && permutation[first] == rank - 1 &&
                llvm::equal(permutation.take_front(first), llvm::seq<int64_t>(0, first)) && sizes[first] == outer[batch] && outer.take_front(batch) == whole.take_front(batch);
    if (!fits)
      return rewriter.notifyMatchFailure(op, "not the rows are in another order");
    TensorBuilder b(rewriter, op.getLoc());
    Value product = b.matmul(op.getLhs(), split.getX(), op.getTransposeLhs(), /*transposeB=*/true);
    SmallVector<int64_t> shape(typeOf(product).getShape().drop_back()), order = dimRange(0, batch + 1);
    llvm::append_range(shape, parts.drop_back().drop_front(first));
    for (int64_t dim : permutation.drop_front(first + 1))
      order.push_back(dim - first + batch + 1);
    Value parted = b.reshape(product, shape);
    rewriter.replaceOp(op, b.reshape(llvm::is_sorted(order) ? parted : b.transpose(parted, order), op.getType().getShape()));
    return success();
  }
};

// Softmax in f32 of 16-bit floats, narrowed again in the shape and order in which it was computed.
struct NarrowedBeforeShape : OpRewritePattern<CastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(CastOp op, PatternRewriter &rewriter) const override {
    Operation *moved = op.getX().getDefiningOp();
    Value inner = op.getX();
    while (isa_and_nonnull<ReshapeOp, TransposeOp>(inner.getDefiningOp()))
      inner = inner.getDefiningOp()->getOperand(0);
    if (inner == op.getX() || !inner.getDefiningOp<SoftmaxOp>())
      return rewriter.notifyMatchFailure(op, "not of a softmax in another shape or order");
    Value narrow = CastOp::create(rewriter, op.getLoc(), typeOf(moved->getOperand(0)).clone(op.getType().getElementType()), moved->getOperand(0));
    OperationState state(moved->getLoc(), moved->getName(), narrow, TypeRange(op.getType()), moved->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};

// Whether the value is of the type, or was widened from it and then given another shape or order.
bool isOrWas(Value value, Type element) {
  Operation *op = value.getDefiningOp();
  return typeOf(value).getElementType() == element ||
         (isa_and_nonnull<CastOp>(op) ? typeOf(op->getOperand(0)).getElementType() == element
                                      : isa_and_nonnull<ReshapeOp, TransposeOp, BroadcastOp>(op) && isOrWas(op->getOperand(0), element));
}

// The value in the type that it is of or was widened from.
Value narrowed(TensorBuilder &b, Value value, Type element) {
  if (typeOf(value).getElementType() == element)
    return value;
  Operation *op = value.getDefiningOp();
  if (isa<CastOp>(op))
    return op->getOperand(0);
  Value inner = narrowed(b, op->getOperand(0), element);
  OperationState state(op->getLoc(), op->getName(), inner, TypeRange(typeOf(value).clone(element)), op->getAttrs());
  return b.getBuilder().create(state)->getResult(0);
}

// A transpose between reshapes, without its dimensions of size 1, whose place is of no interest.
struct TransposeWithoutUnits : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = op.getX().getType().getShape();
    if (!op.getX().getDefiningOp<ReshapeOp>() || !llvm::is_contained(shape, 1))
      return rewriter.notifyMatchFailure(op, "not of a reshape with dimensions of size 1");
    SmallVector<int64_t> kept, place(shape.size(), -1), permutation;
    for (auto [dim, size] : llvm::enumerate(shape))
      if (size != 1) {
        place[dim] = kept.size();
        kept.push_back(size);
      }
    for (int64_t dim : op.getPermutation())
      if (place[dim] >= 0)
        permutation.push_back(place[dim]);
    TensorBuilder b(rewriter, op.getLoc());
    Value x = b.reshape(op.getX(), kept);
    rewriter.replaceOp(op, b.reshape(llvm::is_sorted(permutation) ? x : b.transpose(x, permutation), op.getType().getShape()));
    return success();
  }
};

// The dimension along which each element of the value is its place, or -1.
int64_t placeIn(Value value) {
  if (auto broadcast = value.getDefiningOp<BroadcastOp>()) {
    int64_t inner = placeIn(broadcast.getX());
    if (inner < 0 || broadcast.getX().getType().getDimSize(inner) != broadcast.getType().getDimSize(broadcast.getDims()[inner]))
      return -1;
    return broadcast.getDims()[inner];
  }
  auto iota = value.getDefiningOp<IotaOp>();
  return iota ? iota.getDim() : -1;
}

bool isSplatOf(Value value, bool which) {
  SplatElementsAttr all;
  return matchPattern(value, m_Constant(&all)) && all.getElementType().isInteger(1) && all.getSplatValue<bool>() == which;
}

// Whether the value is true where the place along the row dimension is at least that along the column dimension.
bool isCausalMask(Value mask, int64_t row, int64_t column) {
  if (auto broadcast = mask.getDefiningOp<BroadcastOp>()) {
    auto before = [&](int64_t dim) {
      auto found = llvm::find(broadcast.getDims(), dim);
      int64_t inner = found - broadcast.getDims().begin();
      return found != broadcast.getDims().end() && broadcast.getX().getType().getDimSize(inner) == broadcast.getType().getDimSize(dim) ? inner : -1;
    };
    return before(row) >= 0 && before(column) >= 0 && isCausalMask(broadcast.getX(), before(row), before(column));
  }
  if (auto both = mask.getDefiningOp<AndOp>()) // with a mask of nothing
    return (isSplatOf(both.getLhs(), true) && isCausalMask(both.getRhs(), row, column)) || (isSplatOf(both.getRhs(), true) && isCausalMask(both.getLhs(), row, column));
  if (auto select = mask.getDefiningOp<SelectOp>()) // a mask of ones and zeros
    return isSplatOf(select.getOnTrue(), true) && isSplatOf(select.getOnFalse(), false) && isCausalMask(select.getPred(), row, column);
  auto compare = mask.getDefiningOp<CompareOp>();
  if (!compare)
    return false;
  // As numbers, which are compared with zero: flax.linen.make_causal_mask.
  if (auto cast = compare.getLhs().getDefiningOp<CastOp>(); cast && typeOf(cast.getX()).getElementType().isInteger(1))
    return compare.getKind() == CompareKind::ne && isSplatClose(compare.getRhs(), 0.0) && isCausalMask(cast.getX(), row, column);
  int64_t left = placeIn(compare.getLhs()), right = placeIn(compare.getRhs());
  return (compare.getKind() == CompareKind::ge && left == row && right == column) || (compare.getKind() == CompareKind::le && left == column && right == row);
}

// The same of the last two dimensions.
bool isCausalMask(Value mask) {
  int64_t rank = typeOf(mask).getRank();
  return isCausalMask(mask, rank - 2, rank - 1);
}

std::optional<Scores> scoresOf(Value value) {
  Scores scores;
  // With a square of scores each row keeps one at least, next to which a number this low has no weight.
  if (auto select = value.getDefiningOp<SelectOp>()) {
    std::optional<double> low = splatOf(select.getOnFalse());
    ArrayRef<int64_t> shape = typeOf(value).getShape();
    if (!low || !(*low <= -1e9) || shape.size() < 2)
      return std::nullopt;
    scores.causal = shape[shape.size() - 1] == shape[shape.size() - 2] && isCausalMask(select.getPred());
    // A number next to which all scores vanish can as well be added to them: a row of nothing else stays uniform.
    if (!scores.causal && (std::isinf(*low) || !(*low <= -1e30)))
      return std::nullopt;
    if (!scores.causal) {
      scores.mask = select.getPred();
      scores.low = *low;
    }
    value = select.getOnTrue();
  }
  auto multiple = [&](Value of) {
    Product product = productOf(of);
    scores.product = product.factors.size() == 1 ? product.factors.front().getDefiningOp<MatmulOp>() : MatmulOp();
    scores.scale = product.constant;
    return static_cast<bool>(scores.product);
  };
  if (multiple(value))
    return scores;
  if (auto add = value.getDefiningOp<AddOp>())
    for (auto [left, right] : {std::pair(add.getLhs(), add.getRhs()), std::pair(add.getRhs(), add.getLhs())})
      if (multiple(left)) {
        scores.bias = right;
        return scores;
      }
  return std::nullopt;
}

// softmax(scores) v, or its transpose v^T softmax(scores)^T, which einsum writes.
struct RaiseAttention : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    int64_t rank = op.getType().getRank();
    bool turnLeft = op.getTransposeLhs(), turnRight = op.getTransposeRhs();
    auto left = weightsOf(op.getLhs(), turnLeft), right = weightsOf(op.getRhs(), turnRight);
    bool straight = left && !turnLeft, transposed = !straight && right && turnRight;
    SoftmaxOp weights = straight ? left : right;
    if (!(straight || transposed) || static_cast<int64_t>(weights.getAxis()) != rank - 1 || !isa<FloatType>(op.getType().getElementType()))
      return rewriter.notifyMatchFailure(op, "no factor is a softmax along the dimension that is summed");
    // A backward pass that uses the weights has them computed: attention would compute them again.
    if (!weights->hasOneUse())
      return rewriter.notifyMatchFailure(op, "the weights are used by more than the product");
    std::optional<Scores> scores = scoresOf(weights.getX());
    if (!scores)
      return rewriter.notifyMatchFailure(op, "the softmax is not of scaled products of queries and keys");
    MatmulOp product = scores->product;
    Value bias = scores->bias, mask = scores->mask;
    Type element = op.getType().getElementType();
    // The number in place of what is masked has to be one of the type.
    bool fits = typeOf(straight ? op.getRhs() : op.getLhs()).getElementType() == element && isOrWas(product.getLhs(), element) && isOrWas(product.getRhs(), element) &&
                (!bias || isOrWas(bias, element)) && !(mask && element.isF16());
    if (!fits)
      return rewriter.notifyMatchFailure(op, "queries, keys, values and bias are not of one type");
    TensorBuilder b(rewriter, op.getLoc());
    Value q = oriented(b, narrowed(b, product.getLhs(), element), product.getTransposeLhs()), k = oriented(b, narrowed(b, product.getRhs(), element), !product.getTransposeRhs());
    Value v = straight ? oriented(b, op.getRhs(), op.getTransposeRhs()) : oriented(b, op.getLhs(), !op.getTransposeLhs());
    bias = bias ? narrowed(b, bias, element) : bias;
    SmallVector<int64_t> shape(typeOf(q).getShape().drop_back());
    shape.push_back(typeOf(v).getShape().back());
    q = heads(b, q);
    // A mask or bias that was brought from heads that share a key to their common rows is smaller by heads.
    // Not below a causal mask, which is of the rows as they are.
    auto groups = rank == 4 && !scores->causal ? groupsOf(mask ? mask : bias) : std::nullopt;
    bool causal = scores->causal;
    if (groups) {
      q = swapGroups(b, q, groups->first, groups->second);
      mask = mask ? byHeads(b, mask, groups->first, groups->second) : mask;
      bias = bias ? byHeads(b, bias, groups->first, groups->second) : bias;
      if (mask && typeOf(mask).getDimSize(2) == typeOf(mask).getDimSize(3) && isCausalMask(mask)) {
        causal = true;
        mask = Value();
      }
    }
    bias = bias ? biasOf(b, bias) : bias;
    if (mask) {
      mask = biasOf(b, mask);
      // An infinite number would make NaN of a row of nothing else.
      double low = std::max(scores->low, -APFloat::getLargest(cast<FloatType>(element).getFloatSemantics()).convertToDouble());
      Value zero = b.zeros(typeOf(mask).clone(element)), added = b.select(mask, zero, b.splatLike(zero, low));
      bias = bias ? sum(b, bias, added) : added;
    }
    auto attention = b.create<AttentionOp>(q, heads(b, k), heads(b, v), bias, Value(), Value(), APFloat(0.0), 0, APFloat(scores->scale), causal);
    Value y = attention.getY();
    if (groups)
      y = swapGroups(b, b.reshape(y, {shape[0], shape[1], groups->second * groups->first, shape[3]}), groups->second, groups->first, /*toHeads=*/false);
    y = b.reshape(y, shape);
    rewriter.replaceOp(op, straight ? y : oriented(b, y, true));
    return success();
  }

  // How many rows of how many heads a value of the common rows of heads that share a key was made from, if that can be seen.
  static std::optional<std::pair<int64_t, int64_t>> groupsOf(Value value) {
    if (!value)
      return std::nullopt;
    int64_t rows = typeOf(value).getDimSize(2);
    if (auto broadcast = value.getDefiningOp<BroadcastOp>(); broadcast && broadcast.getX().getType().getRank() >= 2)
      value = broadcast.getX();
    auto reshape = value.getDefiningOp<ReshapeOp>();
    ArrayRef<int64_t> from = reshape ? reshape.getX().getType().getShape() : ArrayRef<int64_t>();
    if (from.size() < 3 || from.back() != typeOf(value).getShape().back() || from[from.size() - 2] < 2 || from[from.size() - 3] < 2 ||
        from[from.size() - 2] * from[from.size() - 3] != rows)
      return std::nullopt;
    return std::pair(from[from.size() - 3], from[from.size() - 2]);
  }

  // [b, k, t * g, d] as [b, k * g, t, d], or, not to heads, as [b, k, g * t, d].
  static Value swapGroups(TensorBuilder &b, Value x, int64_t t, int64_t g, bool toHeads = true) {
    SmallVector<int64_t> shape(typeOf(x).getShape());
    Value swapped = b.transpose(b.reshape(x, {shape[0], shape[1], t, g, shape[3]}), {0, 1, 3, 2, 4});
    return toHeads ? b.reshape(swapped, {shape[0], shape[1] * g, t, shape[3]}) : b.reshape(swapped, shape);
  }

  // The same of a mask or a bias, which stays replicated where it is.
  static Value byHeads(TensorBuilder &b, Value x, int64_t t, int64_t g) {
    SmallVector<int64_t> shape(typeOf(x).getShape()), to = {shape[0], shape[1] * g, t, shape[3]};
    SmallVector<int64_t> lead; // the leading dimensions that x has before it is replicated
    Value inner = x;
    if (auto broadcast = x.getDefiningOp<BroadcastOp>()) {
      ArrayRef<int64_t> dims = broadcast.getDims();
      if (dims.size() < 2 || dims[dims.size() - 1] != 3 || dims[dims.size() - 2] != 2 || broadcast.getX().getType().getShape().take_back(2) != ArrayRef(shape).take_back(2))
        return swapGroups(b, x, t, g);
      inner = broadcast.getX();
      lead.assign(dims.begin(), dims.end() - 2);
    } else {
      lead = {0, 1};
    }
    auto reshape = inner.getDefiningOp<ReshapeOp>();
    auto replica = reshape ? reshape.getX().getDefiningOp<BroadcastOp>() : BroadcastOp();
    ArrayRef<int64_t> parts = replica ? replica.getType().getShape() : ArrayRef<int64_t>();
    int64_t rank = parts.size();
    if (rank < 3 || parts[rank - 3] != t || parts[rank - 2] != g || llvm::is_contained(replica.getDims(), rank - 2))
      return swapGroups(b, x, t, g);
    // Which of batch and heads the leading dimensions are.
    SmallVector<int64_t> place;
    for (int64_t dim : lead)
      if (typeOf(inner).getRank() - 2 == rank - 3 || shape[dim] != 1)
        place.push_back(dim);
    if (static_cast<int64_t>(place.size()) != rank - 3)
      return swapGroups(b, x, t, g);
    SmallVector<int64_t> dims;
    for (int64_t dim : replica.getDims()) {
      dims.push_back(dim < rank - 3 ? place[dim] : dim == rank - 3 ? 2 : 3);
      // Replicated for the heads of a group, but not for the groups.
      if (dims.back() == 1)
        return swapGroups(b, x, t, g);
    }
    return b.broadcast(replica.getX(), typeOf(x).clone(to), dims);
  }

  // The sum of values that are replicated along what they lack.
  static Value sum(TensorBuilder &b, Value x, Value y) {
    SmallVector<int64_t> shape(typeOf(x).getShape());
    for (auto [size, other] : llvm::zip(shape, typeOf(y).getShape()))
      size = std::max(size, other);
    auto whole = [&](Value value) { return typeOf(value).getShape() == ArrayRef(shape) ? value : b.broadcast(value, typeOf(value).clone(shape), dimRange(0, 4)); };
    return b.add(whole(x), whole(y));
  }

  // The softmax that an operand is; `turned` changes if that is through a transpose of the last two dimensions.
  static SoftmaxOp weightsOf(Value operand, bool &turned) {
    if (auto transpose = operand.getDefiningOp<TransposeOp>(); transpose && transpose->hasOneUse()) {
      SmallVector<int64_t> swapped = dimRange(0, transpose.getPermutation().size());
      if (swapped.size() >= 2)
        std::swap(swapped[swapped.size() - 1], swapped[swapped.size() - 2]);
      if (llvm::equal(swapped, transpose.getPermutation())) {
        turned = !turned;
        operand = transpose.getX();
      }
    }
    return softmaxOf(operand);
  }

  // With the last two dimensions swapped on request.
  static Value oriented(TensorBuilder &b, Value x, bool swap) {
    if (!swap)
      return x;
    SmallVector<int64_t> permutation = dimRange(0, typeOf(x).getRank());
    std::swap(permutation[permutation.size() - 1], permutation[permutation.size() - 2]);
    return b.transpose(x, permutation);
  }

  // Leading dimensions as two, batch and heads.
  static Value heads(TensorBuilder &b, Value x) {
    ArrayRef<int64_t> shape = typeOf(x).getShape();
    SmallVector<int64_t> four = {1, 1, shape[shape.size() - 2], shape.back()};
    for (auto [dim, size] : llvm::enumerate(shape.drop_back(2)))
      four[shape.size() > 3 && dim + 3 == shape.size() ? 1 : 0] *= size;
    return b.reshape(x, four);
  }

  // In four dimensions, of which batch, heads and rows are 1 where the value is replicated along them.
  static Value biasOf(TensorBuilder &b, Value bias) {
    auto broadcast = bias.getDefiningOp<BroadcastOp>();
    if (!broadcast)
      return heads(b, bias);
    SmallVector<int64_t> shape(typeOf(bias).getShape());
    int64_t rank = shape.size(), leading = rank > 3 ? rank - 3 : rank - 2; // what is the batch, before the heads if there are any
    auto isReplicated = [&](int64_t dim) {
      auto found = llvm::find(broadcast.getDims(), dim);
      return found == broadcast.getDims().end() || broadcast.getX().getType().getDimSize(found - broadcast.getDims().begin()) == 1;
    };
    bool batch = llvm::all_of(llvm::seq<int64_t>(0, leading), isReplicated); // several dimensions are one
    for (int64_t dim = 0; dim < rank - 1; ++dim)
      if (dim < leading ? batch : isReplicated(dim))
        shape[dim] = 1;
    RankedTensorType type = typeOf(bias).clone(shape);
    bool isWhole = broadcast.getX().getType().getNumElements() == type.getNumElements();
    return heads(b, isWhole ? b.reshape(broadcast.getX(), shape) : b.broadcast(broadcast.getX(), type, broadcast.getDims()));
  }
};

} // namespace

void mlir::raf::populateRaiseAttention(RewritePatternSet &patterns) { patterns.add<NarrowedBeforeShape, ProductOfReorderedWeights, RaiseAttention, SoftmaxBeforeReshape, SoftmaxBeforeTranspose, TransposeWithoutUnits>(patterns.getContext()); }
