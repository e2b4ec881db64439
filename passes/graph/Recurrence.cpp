// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unrolled recurrences: what each step does with its slice of one tensor is done once for the whole tensor.
#include "dialects/raf/Ops.h"
#include "mlir/IR/Dominance.h"
#include "passes/graph/Passes.h"
#include "passes/graph/Ranges.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::raf;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

std::optional<ElementRange> mlir::raf::elementRange(Value value) {
  int64_t length = typeOf(value).getNumElements();
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getX();
  auto slice = value.getDefiningOp<SliceOp>();
  if (!slice || length == 0)
    return std::nullopt;
  // Contiguous when, inside the outermost dimension with more than one element, nothing is cut.
  RankedTensorType x = typeOf(slice.getX()), y = slice.getType();
  int64_t offset = 0, stride = x.getNumElements();
  bool inside = false;
  for (int64_t dim = 0; dim < x.getRank(); ++dim) {
    stride /= x.getDimSize(dim);
    offset += slice.getStarts()[dim] * stride;
    if ((inside && y.getDimSize(dim) != x.getDimSize(dim)) || (y.getDimSize(dim) > 1 && slice.getStrides()[dim] != 1))
      return std::nullopt;
    inside |= y.getDimSize(dim) > 1;
  }
  return ElementRange{slice.getX(), offset, length};
}

// What is joined along the outermost dimension that is not 1 is one after the other in memory.
static bool joinsMemory(ConcatOp op) { return llvm::all_of(op.getType().getShape().take_front(op.getAxis()), [](int64_t size) { return size == 1; }); }

namespace {
// Tensors that got a dimension only to be joined along it are joined by rows: fewer dimensions, and the same op as other users of these tensors need.
struct ConcatOfReshapes : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatOp op, PatternRewriter &rewriter) const override {
    if (!joinsMemory(op))
      return rewriter.notifyMatchFailure(op, "not joined along the outermost dimension");
    SmallVector<Value> parts;
    for (Value input : op.getInputs()) {
      auto reshape = input.getDefiningOp<ReshapeOp>();
      if (!reshape || typeOf(reshape.getX()).getRank() == 0 || typeOf(reshape.getX()).getRank() >= op.getType().getRank() ||
          typeOf(reshape.getX()).getShape().drop_front() != typeOf(op.getInputs()[0].getDefiningOp<ReshapeOp>().getX()).getShape().drop_front())
        return rewriter.notifyMatchFailure(op, "inputs are not rows of one shape with another dimension");
      parts.push_back(reshape.getX());
    }
    Value joined = ConcatOp::create(rewriter, op.getLoc(), parts, 0);
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), joined);
    return success();
  }
};

// Neighbouring ranges of one tensor, joined in order, are one range of it.
struct ConcatOfRanges : OpRewritePattern<ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConcatOp op, PatternRewriter &rewriter) const override {
    if (!joinsMemory(op))
      return rewriter.notifyMatchFailure(op, "not joined along the outermost dimension");
    Value base;
    int64_t begin = 0, end = 0;
    for (Value input : op.getInputs()) {
      std::optional<ElementRange> range = elementRange(input);
      if (!range || (base && (range->base != base || range->offset != end)))
        return rewriter.notifyMatchFailure(op, "inputs are not neighbours");
      if (!base)
        begin = range->offset;
      base = range->base;
      end = range->offset + range->length;
    }
    if (!base || op.getInputs().size() < 2)
      return rewriter.notifyMatchFailure(op, "nothing to join");
    RankedTensorType type = typeOf(base);
    Value joined = base;
    if (end - begin != type.getNumElements()) {
      joined = ReshapeOp::create(rewriter, op.getLoc(), type.clone({type.getNumElements()}), base);
      joined = SliceOp::create(rewriter, op.getLoc(), joined, ArrayRef<int64_t>{begin}, ArrayRef<int64_t>{end}, ArrayRef<int64_t>{1});
    }
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), joined);
    return success();
  }
};
} // namespace

void mlir::raf::populateRecurrencePatterns(RewritePatternSet &patterns) { patterns.add<ConcatOfRanges, ConcatOfReshapes>(patterns.getContext()); }

// x of a product whose left operand is a slice of x that keeps the last dimension whole, reshaped to a matrix; null otherwise.
static SliceOp sliceOfRows(MatmulOp product) {
  if (product.getType().getRank() != 2 || product.getTransposeLhs())
    return {};
  Value value = product.getLhs();
  while (auto reshape = value.getDefiningOp<ReshapeOp>())
    value = reshape.getX();
  auto slice = value.getDefiningOp<SliceOp>();
  if (!slice)
    return {};
  RankedTensorType x = typeOf(slice.getX());
  int64_t last = x.getRank() - 1, columns = typeOf(product.getLhs()).getDimSize(1);
  bool whole = last >= 1 && x.getDimSize(last) == columns && slice.getType().getDimSize(last) == columns && slice.getType().getNumElements() > 0;
  return whole ? slice : SliceOp();
}

void mlir::raf::hoistSharedProducts(Operation *root, RewriterBase &rewriter) {
  // Products of slices of one x with one matrix, in the order of the program.
  using Key = std::tuple<Value, Value, int64_t, Type>;
  llvm::MapVector<Key, SmallVector<MatmulOp>> groups;
  root->walk([&](MatmulOp product) {
    if (SliceOp slice = sliceOfRows(product); slice && slice->getBlock() == product->getBlock())
      groups[Key(slice.getX(), product.getRhs(), product.getTransposeRhs(), product.getType().getElementType())].push_back(product);
  });
  DominanceInfo dominance(root);
  for (auto &[key, products] : groups) {
    auto [x, w, transposed, element] = key;
    RankedTensorType type = typeOf(x);
    int64_t columns = type.getDimSize(type.getRank() - 1), rows = type.getNumElements() / columns, used = 0;
    for (MatmulOp product : products)
      used += product.getType().getDimSize(0);
    // Rows that nobody asks for are wasted, so most must be used.
    if (products.size() < 2 || used * 4 < rows * 3 || !dominance.dominates(w, products.front()))
      continue;
    MatmulOp first = products.front();
    Location loc = first.getLoc();
    rewriter.setInsertionPoint(first);
    Value flat = ReshapeOp::create(rewriter, loc, type.clone({rows, columns}), x);
    int64_t n = products.front().getType().getDimSize(1);
    Value all = MatmulOp::create(rewriter, loc, RankedTensorType::get({rows, n}, element), flat, w, false, transposed != 0);
    SmallVector<int64_t> shape(type.getShape());
    shape.back() = n;
    all = ReshapeOp::create(rewriter, loc, typeOf(all).clone(shape), all);
    for (MatmulOp product : products) {
      SliceOp slice = sliceOfRows(product);
      SmallVector<int64_t> starts(slice.getStarts()), limits(slice.getLimits()), strides(slice.getStrides());
      limits.back() = n;
      rewriter.setInsertionPoint(product);
      Value part = SliceOp::create(rewriter, product.getLoc(), all, starts, limits, strides);
      rewriter.replaceOpWithNewOp<ReshapeOp>(product, product.getType(), part);
    }
  }
}
