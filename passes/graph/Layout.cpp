// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions are turned to channels_last between two transposes; the transposes after them then move down through the ops that can be computed in either
// order, until they meet those before the next convolution and cancel.
#include "dialects/raf/Ops.h"
#include "dialects/raf/infer/Shapes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/graph/Passes.h"

namespace mlir::raf {
#define GEN_PASS_DEF_LAYOUTPASS
#include "passes/graph/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

// Marks what this pass turned to channels_first: a model may have transposes of the same permutation, which are left alone, and with one spatial dimension
// those to channels_last have it too.
static constexpr StringLiteral kMark = "raf.layout_first";

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

// Dimension k of a channels_last tensor is dimension toLast(rank)[k] of the channels_first one.
static SmallVector<int64_t> toLast(int64_t rank) {
  SmallVector<int64_t> permutation{0};
  for (int64_t dim = 2; dim < rank; ++dim)
    permutation.push_back(dim);
  permutation.push_back(1);
  return permutation;
}
// Dimension k of a channels_first tensor is dimension toFirst(rank)[k] of the channels_last one.
static SmallVector<int64_t> toFirst(int64_t rank) { return invertPermutationVector(toLast(rank)); }

static RankedTensorType lastType(RankedTensorType type) { return type.clone(applyPermutation(type.getShape(), toLast(type.getRank()))); }

// The channels_last value that a transpose of this pass turned to channels_first, or null.
static Value sourceOf(Value value) {
  auto op = value.getDefiningOp<TransposeOp>();
  return op && op->hasAttr(kMark) ? op.getX() : Value();
}

// Whether a value costs nothing in another order: a constant or a broadcast of one dimension at most.
static bool isFree(Value value) {
  if (auto broadcast = value.getDefiningOp<BroadcastOp>())
    return broadcast.getDims().size() <= 1 || typeOf(broadcast.getX()).getNumElements() * 8 <= typeOf(value).getNumElements();
  SplatElementsAttr splat;
  return matchPattern(value, m_Constant(&splat));
}

// The value in channels_last order.
static Value asLast(OpBuilder &builder, Value value) {
  if (Value source = sourceOf(value))
    return source;
  return TransposeOp::create(builder, value.getLoc(), value, toLast(typeOf(value).getRank()));
}
static Value asFirst(OpBuilder &builder, Value value) {
  auto op = TransposeOp::create(builder, value.getLoc(), value, toFirst(typeOf(value).getRank()));
  op->setDiscardableAttr(kMark, builder.getUnitAttr());
  return op;
}

namespace {

template <typename Op>
struct ConvToLast : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (op.getLayout() == Layout::channels_last)
      return rewriter.notifyMatchFailure(op, "is channels_last already");
    // Weights have one order in both layouts.
    constexpr bool weightGrad = std::is_same_v<Op, ConvWeightGradOp>;
    Value first = asLast(rewriter, op->getOperand(0));
    Value second = weightGrad ? asLast(rewriter, op->getOperand(1)) : op->getOperand(1);
    RankedTensorType type = weightGrad ? op.getType() : lastType(op.getType());
    Value y = Op::create(rewriter, op.getLoc(), type, first, second, op.getStrides(), op.getPadLow(), op.getPadHigh(), op.getDilations(), op.getGroups(),
                         Layout::channels_last);
    rewriter.replaceOp(op, weightGrad ? y : asFirst(rewriter, y));
    return success();
  }
};

// An op that exists in either order is computed channels_last when at least as many operands come that way as would have to be transposed for it.
struct Sink : RewritePattern {
  Sink(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}

  static bool isPointwise(Operation *op) { return op->hasTrait<OpTrait::Elementwise>() && !isa<DropoutOp>(op); }

  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    if (!isa_and_nonnull<RAFDialect>(op->getDialect()) || isa<TransposeOp>(op))
      return rewriter.notifyMatchFailure(op, "not an op that can be moved over");
    int64_t last = 0, moved = 0;
    for (Value operand : op->getOperands()) {
      if (sourceOf(operand))
        ++last;
      else if (isActivation(op, operand) && !isFree(operand))
        ++moved;
    }
    if (last == 0 || moved > last)
      return rewriter.notifyMatchFailure(op, "its operands are not channels_last");
    return rewrite(op, rewriter);
  }

private:
  // Whether the operand has a feature and spatial dimensions, rather than being a vector of features.
  static bool isActivation(Operation *op, Value operand) {
    auto type = dyn_cast<RankedTensorType>(operand.getType()), first = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    return type && first && type.getRank() == first.getRank() && type.getRank() >= 3;
  }

  // The same op on channels_last operands, with changed attributes.
  static Operation *cloneLast(Operation *op, PatternRewriter &rewriter, ArrayRef<NamedAttribute> changed, bool sameRank = true) {
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(isActivation(op, operand) ? asLast(rewriter, operand) : operand);
    int64_t rank = typeOf(op->getOperand(0)).getRank();
    SmallVector<Type> types;
    for (Value result : op->getResults())
      types.push_back(sameRank && typeOf(result).getRank() == rank ? lastType(typeOf(result)) : typeOf(result));
    OperationState state(op->getLoc(), op->getName(), operands, types);
    NamedAttrList attributes(op->getAttrDictionary());
    for (NamedAttribute attribute : changed)
      attributes.set(attribute.getName(), attribute.getValue());
    state.addAttributes(attributes.getAttrs());
    return rewriter.create(state);
  }

  static void replace(Operation *op, Operation *by, PatternRewriter &rewriter) {
    SmallVector<Value> results;
    for (auto [old, result] : llvm::zip(op->getResults(), by->getResults()))
      results.push_back(old.getType() == result.getType() && typeOf(result).getRank() < 3 ? Value(result) : asFirst(rewriter, result));
    rewriter.replaceOp(op, results);
  }

  static DenseI64ArrayAttr permuted(Builder &builder, ArrayRef<int64_t> values) {
    return builder.getDenseI64ArrayAttr(applyPermutation(values, toLast(values.size())));
  }

  LogicalResult rewrite(Operation *op, PatternRewriter &rewriter) const {
    int64_t rank = typeOf(op->getOperand(0)).getRank();
    auto attribute = [&](StringRef name, Attribute value) { return rewriter.getNamedAttr(name, value); };
    if (isPointwise(op)) {
      replace(op, cloneLast(op, rewriter, {}), rewriter);
      return success();
    }
    if (isa<MaxPoolOp, MaxPoolGradOp, AvgPoolOp, AvgPoolGradOp>(op)) {
      if (auto layout = op->getAttrOfType<LayoutAttr>("layout"); layout && layout.getValue() == Layout::channels_last)
        return failure();
      replace(op, cloneLast(op, rewriter, attribute("layout", LayoutAttr::get(op->getContext(), Layout::channels_last))), rewriter);
      return success();
    }
    if (isa<BatchNormOp, BatchNormGradOp, SoftmaxOp, LogSoftmaxOp, ConcatOp>(op)) {
      int64_t axis = toFirst(rank)[op->getAttrOfType<IntegerAttr>("axis").getInt()];
      replace(op, cloneLast(op, rewriter, attribute("axis", rewriter.getI64IntegerAttr(axis))), rewriter);
      return success();
    }
    if (auto slice = dyn_cast<SliceOp>(op)) {
      replace(op,
              cloneLast(op, rewriter,
                        {attribute("starts", permuted(rewriter, slice.getStarts())), attribute("limits", permuted(rewriter, slice.getLimits())),
                         attribute("strides", permuted(rewriter, slice.getStrides()))}),
              rewriter);
      return success();
    }
    if (auto pad = dyn_cast<PadOp>(op)) {
      replace(op,
              cloneLast(op, rewriter,
                        {attribute("low", permuted(rewriter, pad.getLow())), attribute("high", permuted(rewriter, pad.getHigh())),
                         attribute("interior", permuted(rewriter, pad.getInterior()))}),
              rewriter);
      return success();
    }
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      // What is left must keep its order: the features alone, or nothing between the batch and them.
      SmallVector<int64_t> dims, kept;
      for (int64_t dim = 0; dim < rank; ++dim)
        (llvm::is_contained(reduce.getDims(), dim) ? dims : kept).push_back(toFirst(rank)[dim]);
      if (!llvm::is_sorted(kept))
        return rewriter.notifyMatchFailure(op, "the result would have another order");
      llvm::sort(dims);
      rewriter.replaceOpWithNewOp<ReduceOp>(op, reduce.getType(), reduce.getKind(), asLast(rewriter, reduce.getX()), dims);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "not an op that can be moved over");
  }
};

// A transposed broadcast is a broadcast to the transposed shape, when the dimensions of the operand keep their order.
struct TransposeOfBroadcast : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op, PatternRewriter &rewriter) const override {
    auto broadcast = op.getX().getDefiningOp<BroadcastOp>();
    if (!broadcast)
      return rewriter.notifyMatchFailure(op, "operand is not a broadcast");
    SmallVector<int64_t> dims;
    for (int64_t dim : broadcast.getDims())
      dims.push_back(llvm::find(op.getPermutation(), dim) - op.getPermutation().begin());
    Value x = broadcast.getX();
    if (!llvm::is_sorted(dims)) {
      // The operand is transposed instead, if it is much smaller.
      if (typeOf(x).getNumElements() * 8 > op.getType().getNumElements())
        return rewriter.notifyMatchFailure(op, "the dimensions of the operand change their order");
      SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, dims.size()));
      llvm::sort(order, [&](int64_t a, int64_t b) { return dims[a] < dims[b]; });
      x = TransposeOp::create(rewriter, op.getLoc(), x, order);
      llvm::sort(dims);
    }
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), x, dims);
    return success();
  }
};

struct LayoutPass : mlir::raf::impl::LayoutPassBase<LayoutPass> {
  using LayoutPassBase::LayoutPassBase;

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<ConvToLast<ConvOp>, ConvToLast<ConvInputGradOp>, ConvToLast<ConvWeightGradOp>, Sink, TransposeOfBroadcast>(context);
    TransposeOp::getCanonicalizationPatterns(patterns, context);
    ReshapeOp::getCanonicalizationPatterns(patterns, context);
    // Operands before users: a transpose is pushed down only once all of its op's operands have been seen.
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal(true);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return signalPassFailure();
    getOperation()->walk([](TransposeOp op) { op->removeDiscardableAttr(kMark); });
  }
};
} // namespace
