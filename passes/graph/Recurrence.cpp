// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unrolled recurrences: what each step does with its slice of one tensor is done once for the whole tensor.
#include "dialects/raf/Ops.h"
#include "mlir/IR/Dominance.h"
#include "passes/graph/Passes.h"
#include "passes/graph/Ranges.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

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

// Moves the op, with what it needs of the ops that come after `place`, before that; fails if it needs `place` itself.
static LogicalResult moveUp(Operation *op, Operation *place) {
  SetVector<Operation *> needed;
  needed.insert(op);
  for (size_t i = 0; i < needed.size(); ++i) {
    if (needed[i] == place || !isMemoryEffectFree(needed[i]))
      return failure();
    needed[i]->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *maker = operand.getDefiningOp(); maker && maker->getBlock() == place->getBlock() && !maker->isBeforeInBlock(place))
          needed.insert(maker);
    });
  }
  SmallVector<Operation *> inOrder = needed.takeVector();
  llvm::sort(inOrder, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *moved : inOrder)
    moved->moveBefore(place);
  return success();
}

// Where in the inputs of the larger one those of the smaller one are, or -1.
static int64_t findRun(ConcatOp larger, ConcatOp smaller) {
  auto all = larger.getInputs(), run = smaller.getInputs();
  for (size_t i = 0; i + run.size() <= all.size(); ++i)
    if (llvm::equal(all.slice(i, run.size()), run))
      return i;
  return -1;
}

// The concatenations along the outermost dimension, by what they join.
using Holders = llvm::DenseMap<Value, SmallVector<ConcatOp>>;

static SmallVector<ConcatOp> collectConcats(Operation *root, Holders &holders) {
  SmallVector<ConcatOp> concats;
  root->walk([&](ConcatOp op) {
    if (!joinsMemory(op) || op.getInputs().size() < 2)
      return;
    concats.push_back(op);
    for (Value input : SetVector<Value>(op.getInputs().begin(), op.getInputs().end()))
      holders[input].push_back(op);
  });
  return concats;
}

// An order of the parts in which a larger concatenation joins them too, one after the other; empty if there is none.
static SmallVector<int64_t> findOrder(ConcatOp op, const Holders &holders) {
  for (ConcatOp larger : holders.lookup(op.getInputs().front())) {
    if (larger.getInputs().size() <= op.getInputs().size() || larger->getBlock() != op->getBlock() || larger.getAxis() != op.getAxis())
      continue;
    llvm::SmallDenseMap<Value, int64_t> places;
    for (auto [place, input] : llvm::enumerate(larger.getInputs()))
      places.try_emplace(input, place);
    SmallVector<std::pair<int64_t, int64_t>> found; // place, part
    for (auto [part, input] : llvm::enumerate(op.getInputs()))
      if (auto place = places.find(input); place != places.end())
        found.push_back({place->second, part});
    llvm::sort(found);
    bool isRun = found.size() == op.getInputs().size() && llvm::all_of(llvm::enumerate(found), [&](auto entry) {
                   return entry.value().first == found.front().first + static_cast<int64_t>(entry.index());
                 });
    if (isRun)
      return llvm::map_to_vector(found, [](auto &entry) { return entry.second; });
  }
  return {};
}

// In [a_1; ...; a_n]^T [c_1; ...; c_n] the order of the parts is free: it becomes that of another concatenation of one side.
static void reorderSums(Operation *root, const Holders &holders, RewriterBase &rewriter) {
  SmallVector<MatmulOp> products;
  root->walk([&](MatmulOp op) { products.push_back(op); });
  SetVector<Operation *> unordered;
  for (MatmulOp product : products) {
    auto lhs = product.getLhs().getDefiningOp<ConcatOp>(), rhs = product.getRhs().getDefiningOp<ConcatOp>();
    if (!lhs || !rhs || product.getType().getRank() != 2 || !product.getTransposeLhs() || product.getTransposeRhs() || lhs.getAxis() != 0 || rhs.getAxis() != 0 ||
        lhs.getInputs().size() != rhs.getInputs().size())
      continue;
    bool alike = llvm::all_of(llvm::zip(lhs.getInputs(), rhs.getInputs()),
                              [](auto pair) { return typeOf(std::get<0>(pair)).getDimSize(0) == typeOf(std::get<1>(pair)).getDimSize(0); });
    SmallVector<int64_t> order = alike ? findOrder(lhs, holders) : SmallVector<int64_t>();
    if (order.empty() && alike)
      order = findOrder(rhs, holders);
    if (order.empty() || llvm::is_sorted(order))
      continue;
    for (OpOperand *operand : {&product.getLhsMutable(), &product.getRhsMutable()}) {
      auto concat = operand->get().getDefiningOp<ConcatOp>();
      rewriter.setInsertionPoint(concat);
      SmallVector<Value> parts = llvm::map_to_vector(order, [&](int64_t part) { return Value(concat.getInputs()[part]); });
      Value joined = ConcatOp::create(rewriter, concat.getLoc(), parts, 0);
      rewriter.modifyOpInPlace(product, [&] { operand->set(joined); });
      unordered.insert(concat);
    }
  }
  for (Operation *concat : unordered)
    if (concat->use_empty())
      rewriter.eraseOp(concat);
}

void mlir::raf::shareConcatenations(Operation *root, RewriterBase &rewriter) {
  {
    Holders holders;
    collectConcats(root, holders);
    reorderSums(root, holders, rewriter);
  }
  Holders holders;
  SmallVector<ConcatOp> concats = collectConcats(root, holders);
  llvm::SmallDenseSet<Operation *> gone;
  for (ConcatOp smaller : concats) {
    for (ConcatOp larger : holders[smaller.getInputs().front()]) {
      if (gone.contains(larger) || larger.getInputs().size() <= smaller.getInputs().size() || larger->getBlock() != smaller->getBlock() || larger.getAxis() != smaller.getAxis())
        continue;
      int64_t at = findRun(larger, smaller);
      if (at < 0 || (!larger->isBeforeInBlock(smaller) && failed(moveUp(larger, smaller))))
        continue;
      SmallVector<int64_t> starts(larger.getType().getRank(), 0), limits(larger.getType().getShape()), strides(larger.getType().getRank(), 1);
      int64_t axis = larger.getAxis();
      for (Value before : larger.getInputs().take_front(at))
        starts[axis] += typeOf(before).getDimSize(axis);
      limits[axis] = starts[axis] + smaller.getType().getDimSize(axis);
      rewriter.setInsertionPoint(smaller);
      gone.insert(smaller);
      rewriter.replaceOpWithNewOp<SliceOp>(smaller, larger, starts, limits, strides);
      break;
    }
  }
}
