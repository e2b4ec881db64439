// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Few large products instead of many small ones.
#include "dialects/raf/Ops.h"
#include "passes/graph/Passes.h"
#include "passes/graph/Ranges.h"

using namespace mlir;
using namespace mlir::raf;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

static Value reshaped(OpBuilder &builder, Location loc, Value value, ArrayRef<int64_t> shape) {
  return ReshapeOp::create(builder, loc, typeOf(value).clone(shape), value);
}

// All but the last two dimensions.
static int64_t batchSize(RankedTensorType type) {
  int64_t size = 1;
  for (int64_t dim : type.getShape().drop_back(2))
    size *= dim;
  return size;
}

namespace {
// Every batch of a is multiplied by one matrix: the batches are more rows of one product.
struct FlattenSharedRhs : OpRewritePattern<MatmulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatmulOp op, PatternRewriter &rewriter) const override {
    RankedTensorType a = typeOf(op.getLhs()), y = op.getType();
    int64_t rank = a.getRank();
    auto broadcast = op.getRhs().getDefiningOp<BroadcastOp>();
    if (rank < 3 || op.getTransposeLhs() || !broadcast)
      return rewriter.notifyMatchFailure(op, "not a batch times a shared matrix");
    RankedTensorType w = typeOf(broadcast.getX());
    for (auto [index, dim] : llvm::enumerate(broadcast.getDims()))
      if (dim < rank - 2 ? w.getDimSize(index) != 1 : w.getDimSize(index) != broadcast.getType().getDimSize(dim))
        return rewriter.notifyMatchFailure(op, "the matrices differ");
    if (w.getNumElements() != broadcast.getType().getDimSize(rank - 2) * broadcast.getType().getDimSize(rank - 1))
      return rewriter.notifyMatchFailure(op, "the matrix itself is broadcast");
    Value rows = reshaped(rewriter, op.getLoc(), op.getLhs(), {batchSize(a) * a.getDimSize(rank - 2), a.getDimSize(rank - 1)});
    Value matrix = reshaped(rewriter, op.getLoc(), broadcast.getX(), broadcast.getType().getShape().take_back(2));
    RankedTensorType flat = y.clone({typeOf(rows).getDimSize(0), y.getShape().back()});
    Value product = MatmulOp::create(rewriter, op.getLoc(), flat, rows, matrix, false, op.getTransposeRhs());
    rewriter.replaceOp(op, reshaped(rewriter, op.getLoc(), product, y.getShape()));
    return success();
  }
};

// sum over batches of a^T c is one product over all rows: the gradient of a shared matrix.
struct FlattenSummedBatches : OpRewritePattern<ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReduceOp op, PatternRewriter &rewriter) const override {
    auto product = op.getX().getDefiningOp<MatmulOp>();
    if (!product || op.getKind() != ReduceKind::sum || !product.getTransposeLhs() || product.getTransposeRhs() || !product->hasOneUse())
      return rewriter.notifyMatchFailure(op, "not a sum of products a^T c");
    RankedTensorType a = typeOf(product.getLhs()), c = typeOf(product.getRhs());
    int64_t rank = a.getRank();
    if (static_cast<int64_t>(op.getDims().size()) != rank - 2 || rank < 3 || op.getDims().back() != rank - 3)
      return rewriter.notifyMatchFailure(op, "not a sum over all batches");
    int64_t rows = batchSize(a) * a.getDimSize(rank - 2);
    Value lhs = reshaped(rewriter, op.getLoc(), product.getLhs(), {rows, a.getDimSize(rank - 1)});
    Value rhs = reshaped(rewriter, op.getLoc(), product.getRhs(), {rows, c.getDimSize(rank - 1)});
    rewriter.replaceOpWithNewOp<MatmulOp>(op, op.getType(), lhs, rhs, true, false);
    return success();
  }
};

// a_1^T c_1 + ... + a_n^T c_n = [a_1; ...; a_n]^T [c_1; ...; c_n]: the gradient of a weight that an unrolled recurrence uses in each step. Worth it when joining
// the operands moves less memory than adding to the result n times.
struct MergeSummedProducts : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;

  static MatmulOp term(Value value) {
    auto product = value.getDefiningOp<MatmulOp>();
    bool fits = product && product->hasOneUse() && product.getType().getRank() == 2 && product.getTransposeLhs() && !product.getTransposeRhs();
    return fits ? product : MatmulOp();
  }

  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    // From the root of a tree of additions.
    if (op->hasOneUse() && isa<AddOp>(*op->user_begin()))
      return rewriter.notifyMatchFailure(op, "not the last addition");
    SmallVector<MatmulOp> terms;
    SmallVector<Value> others, stack{op.getRhs(), op.getLhs()};
    // A product of 16-bit floats may be of f32 as others are.
    auto elementOf = [](MatmulOp product) { return typeOf(product.getLhs()).getElementType(); };
    while (!stack.empty()) {
      Value value = stack.pop_back_val();
      auto add = value.getDefiningOp<AddOp>();
      if (MatmulOp product = term(value); product && (terms.empty() || elementOf(product) == elementOf(terms.front()))) {
        terms.push_back(product);
      } else if (add && add->hasOneUse()) {
        stack.push_back(add.getRhs());
        stack.push_back(add.getLhs());
      } else {
        others.push_back(value);
      }
    }
    if (terms.size() < 3)
      return rewriter.notifyMatchFailure(op, "fewer than three products");
    int64_t rows = 0, m = op.getType().getDimSize(0), n = op.getType().getDimSize(1);
    for (MatmulOp product : terms)
      rows += typeOf(product.getLhs()).getDimSize(0);
    if (rows * (m + n) > static_cast<int64_t>(terms.size()) * 2 * m * n)
      return rewriter.notifyMatchFailure(op, "joining costs more than adding");
    // Slices of one tensor, side by side in its order, are that tensor again: they go where the first of them is.
    llvm::SmallDenseMap<Value, int64_t> firstOf;
    SmallVector<std::tuple<int64_t, int64_t, MatmulOp>> inOrder;
    for (auto [index, product] : llvm::enumerate(terms)) {
      std::optional<ElementRange> range = elementRange(product.getLhs());
      int64_t place = range ? firstOf.try_emplace(range->base, index).first->second : index;
      inOrder.push_back({place, range ? range->offset : 0, product});
    }
    llvm::stable_sort(inOrder, [](auto &a, auto &b) { return std::tie(std::get<0>(a), std::get<1>(a)) < std::tie(std::get<0>(b), std::get<1>(b)); });
    SmallVector<Value> lhs, rhs;
    for (auto &[place, offset, product] : inOrder) {
      lhs.push_back(product.getLhs());
      rhs.push_back(product.getRhs());
    }
    Value a = ConcatOp::create(rewriter, op.getLoc(), lhs, 0), c = ConcatOp::create(rewriter, op.getLoc(), rhs, 0);
    Value sum = MatmulOp::create(rewriter, op.getLoc(), op.getType(), a, c, true, false);
    for (Value other : others)
      sum = AddOp::create(rewriter, op.getLoc(), sum, other);
    rewriter.replaceOp(op, sum);
    return success();
  }
};
} // namespace

void mlir::raf::populateContractionPatterns(RewritePatternSet &patterns) {
  patterns.add<FlattenSharedRhs, FlattenSummedBatches, MergeSummedProducts>(patterns.getContext());
}
