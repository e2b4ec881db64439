// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Family.h"
#include "dialects/raf/infer/Shapes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::raf;

// The starts have one type; without dimensions there are none.
static ParseResult parseStartsType(OpAsmParser &parser, ArrayRef<OpAsmParser::UnresolvedOperand> starts, SmallVectorImpl<Type> &types) {
  Type type;
  if (!starts.empty() && (parser.parseComma() || parser.parseType(type)))
    return failure();
  types.assign(starts.size(), type);
  return success();
}
static void printStartsType(OpAsmPrinter &printer, Operation *, OperandRange, TypeRange types) {
  if (!types.empty())
    printer << ", " << types.front();
}

#define GET_OP_CLASSES
#include "dialects/raf/Indexing.cpp.inc"

void mlir::raf::addIndexingOps(RAFDialect &dialect) {
  addOps<
#define GET_OP_LIST
#include "dialects/raf/Indexing.cpp.inc"
      >(dialect);
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  MaybeType type =
      inferGather(loc, "gather", cast<RankedTensorType>(adaptor.getX().getType()), cast<RankedTensorType>(adaptor.getIndices().getType()), adaptor.getAxis());
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

LogicalResult TakeAlongAxisOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  MaybeType type = inferTakeAlongAxis(loc, "take_along_axis", cast<RankedTensorType>(adaptor.getX().getType()),
                                      cast<RankedTensorType>(adaptor.getIndices().getType()), adaptor.getAxis());
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

template <typename Op>
static LogicalResult verifyUpdates(Op op, MaybeType expected) {
  if (failed(expected))
    return failure();
  if (*expected == op.getUpdates().getType())
    return success();
  return op.emitOpError() << "updates must have type " << *expected << ", got " << op.getUpdates().getType();
}

LogicalResult ScatterAddOp::verify() {
  return verifyUpdates(*this, inferGather(getLoc(), "scatter_add", getX().getType(), getIndices().getType(), getAxis()));
}

LogicalResult AddAlongAxisOp::verify() {
  return verifyUpdates(*this, inferTakeAlongAxis(getLoc(), "add_along_axis", getX().getType(), getIndices().getType(), getAxis()));
}

LogicalResult ScatterOp::verify() { return verifyUpdates(*this, inferGather(getLoc(), "scatter", getX().getType(), getIndices().getType(), getAxis())); }

//===-- dynamic slices -------------------------------------------------------------------------------------------===//

static LogicalResult verifyBox(Operation *op, RankedTensorType x, RankedTensorType box, ValueRange starts) {
  if (static_cast<int64_t>(starts.size()) != x.getRank() || box.getRank() != x.getRank())
    return op->emitOpError() << "needs one start and one size for each of the " << x.getRank() << " dimensions, got " << starts.size() << " starts and " << box;
  for (Value start : starts)
    if (start.getType() != starts.front().getType())
      return op->emitOpError() << "needs starts of one type, got " << starts.front().getType() << " and " << start.getType();
  for (int64_t dim = 0; dim < x.getRank(); ++dim)
    if (box.getDimSize(dim) > x.getDimSize(dim))
      return op->emitOpError() << "needs a box that fits: dimension " << dim << " has size " << x.getDimSize(dim) << ", the box " << box.getDimSize(dim);
  return success();
}

LogicalResult DynamicSliceOp::verify() { return verifyBox(*this, getX().getType(), getType(), getStarts()); }
LogicalResult DynamicUpdateSliceOp::verify() { return verifyBox(*this, getX().getType(), getUpdate().getType(), getStarts()); }

OpFoldResult DynamicSliceOp::fold(FoldAdaptor) { return getX().getType() == getType() ? OpFoldResult(getX()) : OpFoldResult(); }
OpFoldResult DynamicUpdateSliceOp::fold(FoldAdaptor) { return getUpdate().getType() == getType() ? OpFoldResult(getUpdate()) : OpFoldResult(); }

namespace {
// Starts that are known make a plain slice, which more passes see through.
struct SliceAtConstant : OpRewritePattern<DynamicSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(DynamicSliceOp op, PatternRewriter &rewriter) const override {
    SmallVector<int64_t> starts, limits;
    for (auto [dim, start] : llvm::enumerate(op.getStarts())) {
      DenseIntElementsAttr constant;
      int64_t size = op.getType().getDimSize(dim), most = op.getX().getType().getDimSize(dim) - size;
      if (most == 0)
        starts.push_back(0);
      else if (matchPattern(start, m_Constant(&constant)))
        starts.push_back(std::clamp<int64_t>((*constant.begin()).getSExtValue(), 0, most));
      else
        return rewriter.notifyMatchFailure(op, "a start is not constant");
      limits.push_back(starts.back() + size);
    }
    rewriter.replaceOpWithNewOp<SliceOp>(op, op.getX(), starts, limits, SmallVector<int64_t>(starts.size(), 1));
    return success();
  }
};
} // namespace

void DynamicSliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) { patterns.add<SliceAtConstant>(context); }
