// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/Blocks.h"
#include "passes/decompose/linalg/Lowering.h"
#include "passes/dispatch/View.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::lower;

Value lower::multiplyAdd(OpBuilder &b, Operation *op, Access lhs, Access rhs, AffineMap result, RankedTensorType type, ArrayRef<utils::IteratorType> iterators) {
  Location loc = op->getLoc();
  Type compute = computeType(type.getElementType());
  Value init = filled(b, loc, type.clone(compute), 0.0);
  SmallVector<Value> y = accumulate(b, loc, {lhs, rhs}, {{init, result}}, iterators, [&](ImplicitLocOpBuilder &ib, ValueRange args) -> SmallVector<Value> {
    if (!isa<FloatType>(compute))
      return {arith::AddIOp::create(ib, args[2], arith::MulIOp::create(ib, args[0], args[1]))};
    Value product = arith::MulFOp::create(ib, widen(ib, args[0]), widen(ib, args[1]));
    return {arith::AddFOp::create(ib, args[2], product)};
  });
  if (Attribute blocks = op->getDiscardableAttr(kBlocksAttr))
    y[0].getDefiningOp()->setDiscardableAttr(kBlocksAttr, blocks);
  return convertTensor(b, loc, y[0], type.getElementType());
}

namespace {

// Loops: batch dimensions, m, n, k. With `views` operands are read through transposes, reshapes, and slices of what is stored, and the result is stored as its reader transposes it.
struct MatmulLowering : OpConversionPattern<MatmulOp> {
  MatmulLowering(const TypeConverter &types, MLIRContext *context, bool views) : OpConversionPattern(types, context), views(views) {}

  LogicalResult matchAndRewrite(MatmulOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    int64_t rank = type.getRank(), m = rank - 2, n = rank - 1, k = rank;
    auto loopsOf = [&](int64_t row, int64_t column, bool transposed) {
      SmallVector<int64_t> loops = llvm::to_vector(llvm::seq<int64_t>(0, rank - 2));
      loops.append({transposed ? column : row, transposed ? row : column});
      return loops;
    };
    SmallVector<int64_t> ofLhs = loopsOf(m, k, op.getTransposeLhs()), ofRhs = loopsOf(k, n, op.getTransposeRhs());
    auto asItIs = [&](Value operand, ArrayRef<int64_t> loops) {
      auto exprs = llvm::map_to_vector(loops, [&](int64_t loop) { return getAffineDimExpr(loop, getContext()); });
      return Access{operand, AffineMap::get(rank + 1, 0, exprs, getContext())};
    };
    Access lhs = asItIs(adaptor.getLhs(), ofLhs), rhs = asItIs(adaptor.getRhs(), ofRhs);
    auto readOf = [&](Value operand, ArrayRef<int64_t> loops) { return views ? dispatch::readWhereItLies(operand, loops, rank + 1) : std::nullopt; };
    std::optional<dispatch::Read> left = readOf(op.getLhs(), ofLhs), right = readOf(op.getRhs(), ofRhs);
    // The range of a loop is the size of what it walks as a whole.
    auto walks = [&](AffineMap map) { return llvm::is_contained(map.getResults(), getAffineDimExpr(k, getContext())); };
    if (!walks(left ? left->map : lhs.map) && !walks(right ? right->map : rhs.map))
      left = right = std::nullopt;
    auto use = [&](Access &access, const std::optional<dispatch::Read> &read) {
      if (!read)
        return;
      Value base = rewriter.getRemappedValue(read->base);
      auto shaped = RankedTensorType::get(read->shape, tensorType(base).getElementType());
      access = {shaped == base.getType() ? base : ReshapeOp::create(rewriter, op.getLoc(), shaped, base).getResult(), read->map};
    };
    use(lhs, left);
    use(rhs, right);
    SmallVector<utils::IteratorType> iterators(rank + 1, utils::IteratorType::parallel);
    iterators.back() = utils::IteratorType::reduction;
    AffineMap result = AffineMap::getMultiDimIdentityMap(rank + 1, getContext()).dropResult(k);
    TransposeOp transpose = views ? soleTranspose(op) : TransposeOp();
    if (!transpose) {
      rewriter.replaceOp(op, multiplyAdd(rewriter, op, lhs, rhs, result, type, iterators));
      return success();
    }
    auto permutation = llvm::map_to_vector(transpose.getPermutation(), [](int64_t dim) { return static_cast<unsigned>(dim); });
    rewriter.replaceOp(transpose, multiplyAdd(rewriter, op, lhs, rhs, result.getSubMap(permutation), transpose.getType(), iterators));
    rewriter.eraseOp(op);
    return success();
  }

private:
  // Whether a product reads `product` where it lies, through `value`, which is moved from it: it has to be there then.
  static bool isReadThrough(Value value, Value product) {
    return llvm::any_of(value.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (auto matmul = dyn_cast<MatmulOp>(user)) {
        int64_t rank = matmul.getType().getRank();
        std::optional<dispatch::Read> read = dispatch::readWhereItLies(value, llvm::to_vector(llvm::seq<int64_t>(0, rank)), rank + 1);
        return read && read->base == product;
      }
      return isa<TransposeOp, ReshapeOp, SliceOp>(user) && isReadThrough(user->getResult(0), product);
    });
  }

  // What alone reads the product, to store its rows in another order: heads that are joined.
  static TransposeOp soleTranspose(MatmulOp op) {
    if (!op.getY().hasOneUse() || !isa<FloatType>(op.getType().getElementType()))
      return {};
    auto transpose = dyn_cast<TransposeOp>(*op.getY().user_begin());
    int64_t rank = op.getType().getRank();
    bool canStore = transpose && transpose->getBlock() == op->getBlock() && transpose.getPermutation().back() == rank - 1 && !isReadThrough(transpose, op.getY());
    return canStore ? transpose : TransposeOp();
  }

  bool views;
};

} // namespace

void lower::populateContraction(const TypeConverter &types, RewritePatternSet &patterns, bool views) {
  patterns.add<MatmulLowering>(types, patterns.getContext(), views);
}
