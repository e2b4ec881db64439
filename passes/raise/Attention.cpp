// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/TensorBuilder.h"
#include "mlir/IR/Matchers.h"
#include "passes/raise/Match.h"
#include "passes/raise/Passes.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::raise;

namespace {

/// softmax(scale * q k^T + bias), causal or not; the operands as they are multiplied.
struct Scores {
  MatmulOp product;
  double scale = 1.0;
  Value bias;
  bool causal = false;
};

// Whether the value is true where the row, of the second last dimension, is at least the column.
bool isCausalMask(Value mask) {
  if (auto broadcast = mask.getDefiningOp<BroadcastOp>()) {
    int64_t rank = broadcast.getType().getRank();
    if (broadcast.getDims().size() != 2 || broadcast.getDims()[0] != rank - 2 || broadcast.getDims()[1] != rank - 1)
      return false;
    mask = broadcast.getX();
  }
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
    if (!low || !(*low <= -1e9) || shape.size() < 2 || shape[shape.size() - 1] != shape[shape.size() - 2] || !isCausalMask(select.getPred()))
      return std::nullopt;
    scores.causal = true;
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
    auto left = op.getLhs().getDefiningOp<SoftmaxOp>(), right = op.getRhs().getDefiningOp<SoftmaxOp>();
    bool straight = left && !op.getTransposeLhs(), transposed = !straight && right && op.getTransposeRhs();
    SoftmaxOp weights = straight ? left : right;
    if (!(straight || transposed) || static_cast<int64_t>(weights.getAxis()) != rank - 1 || !isa<FloatType>(op.getType().getElementType()))
      return rewriter.notifyMatchFailure(op, "no factor is a softmax along the dimension that is summed");
    std::optional<Scores> scores = scoresOf(weights.getX());
    if (!scores)
      return rewriter.notifyMatchFailure(op, "the softmax is not of scaled products of queries and keys");
    TensorBuilder b(rewriter, op.getLoc());
    Value q = oriented(b, scores->product.getLhs(), scores->product.getTransposeLhs()), k = oriented(b, scores->product.getRhs(), !scores->product.getTransposeRhs());
    Value v = straight ? oriented(b, op.getRhs(), op.getTransposeRhs()) : oriented(b, op.getLhs(), !op.getTransposeLhs());
    Value y = b.create<AttentionOp>(heads(b, q), heads(b, k), heads(b, v), scores->bias ? biasOf(b, scores->bias) : Value(), APFloat(scores->scale), scores->causal);
    SmallVector<int64_t> shape(typeOf(q).getShape().drop_back());
    shape.push_back(typeOf(v).getShape().back());
    y = b.reshape(y, shape);
    rewriter.replaceOp(op, straight ? y : oriented(b, y, true));
    return success();
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

void mlir::raf::populateRaiseAttention(RewritePatternSet &patterns) { patterns.add<RaiseAttention>(patterns.getContext()); }
