// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/TensorBuilder.h"
#include "mlir/IR/Matchers.h"
#include "passes/raise/Match.h"
#include "passes/raise/Passes.h"

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

// The shape from which the value is reshaped, if that leaves its last dimension and what lies between is pointwise.
std::optional<SmallVector<int64_t>> shapeBefore(Value value, unsigned depth = 8) {
  Operation *op = depth ? value.getDefiningOp() : nullptr;
  if (auto reshape = dyn_cast_or_null<ReshapeOp>(op)) {
    ArrayRef<int64_t> shape = reshape.getX().getType().getShape();
    if (shape.size() < 2 || shape.back() != typeOf(value).getShape().back())
      return std::nullopt;
    auto further = shapeBefore(reshape.getX(), depth - 1);
    return further ? *further : SmallVector<int64_t>(shape);
  }
  if (!isa_and_nonnull<AddOp, MulOp, DivOp, SelectOp>(op))
    return std::nullopt;
  // An operand that lies in this shape already would be reshaped, and the next time reshaped back, without end.
  std::optional<SmallVector<int64_t>> found;
  for (Value operand : op->getOperands()) {
    if (!isa<FloatType>(typeOf(operand).getElementType()) || isa_and_nonnull<BroadcastOp, ConstantOp>(operand.getDefiningOp()))
      continue;
    auto shape = shapeBefore(operand, depth - 1);
    if (!shape)
      return std::nullopt;
    if (!found)
      found = shape;
  }
  return found;
}

// The value in that shape, computed there where it is pointwise.
Value inShape(TensorBuilder &b, Value value, ArrayRef<int64_t> shape, unsigned depth = 8) {
  Operation *op = depth ? value.getDefiningOp() : nullptr;
  RankedTensorType type = typeOf(value).clone(shape);
  if (isa_and_nonnull<AddOp, MulOp, DivOp, SelectOp>(op)) {
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
  }
  return b.reshape(value, shape);
}

// softmax of rows, in the shape in which the rows were made: dimensions of size 1 and batches in parts are of no interest to it.
struct SoftmaxBeforeReshape : OpRewritePattern<SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SoftmaxOp op, PatternRewriter &rewriter) const override {
    auto shape = static_cast<int64_t>(op.getAxis()) + 1 == op.getType().getRank() ? shapeBefore(op.getX()) : std::nullopt;
    if (!shape || llvm::equal(*shape, op.getType().getShape()))
      return rewriter.notifyMatchFailure(op, "not of rows in another shape");
    TensorBuilder b(rewriter, op.getLoc());
    Value rows = inShape(b, op.getX(), *shape);
    rewriter.replaceOp(op, b.reshape(b.create<SoftmaxOp>(rows.getType(), rows, shape->size() - 1), op.getType().getShape()));
    return success();
  }
};

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

// Whether the value is true where the row, of the second last dimension, is at least the column.
bool isCausalMask(Value mask) {
  if (auto broadcast = mask.getDefiningOp<BroadcastOp>()) {
    int64_t rank = broadcast.getType().getRank();
    if (broadcast.getDims().size() != 2 || broadcast.getDims()[0] != rank - 2 || broadcast.getDims()[1] != rank - 1)
      return false;
    mask = broadcast.getX();
  }
  auto isTrue = [](Value value) {
    SplatElementsAttr all;
    return matchPattern(value, m_Constant(&all)) && all.getElementType().isInteger(1) && all.getSplatValue<bool>();
  };
  if (auto both = mask.getDefiningOp<AndOp>(); both && (isTrue(both.getLhs()) || isTrue(both.getRhs()))) // with a mask of nothing
    mask = isTrue(both.getLhs()) ? both.getRhs() : both.getLhs();
  if (auto select = mask.getDefiningOp<SelectOp>()) { // a mask of ones and zeros
    SplatElementsAttr yes, no;
    if (!matchPattern(select.getOnTrue(), m_Constant(&yes)) || !matchPattern(select.getOnFalse(), m_Constant(&no)) || !yes.getElementType().isInteger(1) ||
        !yes.getSplatValue<bool>() || no.getSplatValue<bool>())
      return false;
    mask = select.getPred();
  }
  auto compare = mask.getDefiningOp<CompareOp>();
  auto rows = compare ? compare.getLhs().getDefiningOp<IotaOp>() : IotaOp(), columns = compare ? compare.getRhs().getDefiningOp<IotaOp>() : IotaOp();
  if (!rows || !columns)
    return false;
  int64_t rank = rows.getType().getRank(), row = rank - 2, column = rank - 1;
  auto isAt = [](IotaOp iota, int64_t dim) { return static_cast<int64_t>(iota.getDim()) == dim; };
  return (compare.getKind() == CompareKind::ge && isAt(rows, row) && isAt(columns, column)) ||
         (compare.getKind() == CompareKind::le && isAt(rows, column) && isAt(columns, row));
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
    TensorBuilder b(rewriter, op.getLoc());
    Value q = oriented(b, scores->product.getLhs(), scores->product.getTransposeLhs()), k = oriented(b, scores->product.getRhs(), !scores->product.getTransposeRhs());
    Value v = straight ? oriented(b, op.getRhs(), op.getTransposeRhs()) : oriented(b, op.getLhs(), !op.getTransposeLhs());
    Value bias = scores->bias ? biasOf(b, scores->bias) : Value();
    if (scores->mask) {
      // In one shape with the bias, if there is one.
      Value mask = scores->bias ? heads(b, scores->mask) : biasOf(b, scores->mask);
      if (bias)
        bias = heads(b, scores->bias);
      Value zero = b.zeros(typeOf(mask).clone(typeOf(q).getElementType())), added = b.select(mask, zero, b.splatLike(zero, scores->low));
      bias = bias ? b.add(bias, added) : added;
    }
    auto attention = b.create<AttentionOp>(heads(b, q), heads(b, k), heads(b, v), bias, Value(), Value(), APFloat(0.0), 0, APFloat(scores->scale), scores->causal);
    Value y = attention.getY();
    SmallVector<int64_t> shape(typeOf(q).getShape().drop_back());
    shape.push_back(typeOf(v).getShape().back());
    y = b.reshape(y, shape);
    rewriter.replaceOp(op, straight ? y : oriented(b, y, true));
    return success();
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
    return operand.getDefiningOp<SoftmaxOp>();
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

  static Value biasOf(TensorBuilder &b, Value bias) {
    auto broadcast = bias.getDefiningOp<BroadcastOp>();
    int64_t rank = typeOf(bias).getRank();
    bool shared = broadcast && broadcast.getDims().size() == 2 && broadcast.getDims()[0] == rank - 2 && broadcast.getX().getType().getShape() == typeOf(bias).getShape().take_back(2);
    return heads(b, shared ? broadcast.getX() : bias);
  }
};

} // namespace

void mlir::raf::populateRaiseAttention(RewritePatternSet &patterns) { patterns.add<RaiseAttention, SoftmaxBeforeReshape, TransposeWithoutUnits>(patterns.getContext()); }
