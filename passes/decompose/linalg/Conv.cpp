// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions as contractions over padded inputs. Groups become a dimension of their own by a reshape: an affine map cannot split a loop index.
#include "dialects/raf/infer/Shapes.h"
#include "passes/decompose/linalg/Lowering.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::lower;

namespace {

/// The geometry of a convolution x, w -> y; the groups are a dimension of the tensors if there are several.
class Conv {
public:
  template <typename Op>
  Conv(Op op, ConversionPatternRewriter &b, RankedTensorType x, RankedTensorType w, RankedTensorType y)
      : strides(op.getStrides()), padLow(op.getPadLow()), padHigh(op.getPadHigh()), dilations(op.getDilations()), b(b), loc(op.getLoc()), groups(op.getGroups()),
        channelsFirst(op.getLayout() == Layout::channels_first), spatial(x.getRank() - 2), xType(x), wType(w), yType(y) {
    LayoutDims dims(op.getLayout(), x.getRank());
    xSizes = x.getShape().slice(dims.firstSpatial, spatial);
    ySizes = y.getShape().slice(dims.firstSpatial, spatial);
    kernel = w.getShape().drop_front(2);
  }

  bool grouped() const { return groups > 1; }

  /// A tensor of x's or y's layout with the feature dimension split into groups.
  Value splitFeatures(Value tensor) {
    RankedTensorType type = tensorType(tensor);
    return reshaped(tensor, split(type.getShape(), channelsFirst ? 1 : type.getRank() - 1));
  }
  Value splitWeights(Value w) { return reshaped(w, split(tensorType(w).getShape(), 0)); }
  Value reshaped(Value tensor, Ints shape) {
    RankedTensorType type = tensorType(tensor);
    return type.getShape() == shape ? tensor : ReshapeOp::create(b, loc, type.clone(shape), tensor).getY();
  }
  RankedTensorType splitType(RankedTensorType type, bool isWeight) const {
    return type.clone(split(type.getShape(), isWeight || channelsFirst ? (isWeight ? 0 : 1) : type.getRank() - 1));
  }

  /// Zeros around and between the elements of the spatial dimensions.
  Value padded(Value tensor, Ints low, Ints high, Ints interior) {
    if (llvm::all_of(llvm::concat<const int64_t>(low, high, interior), [](int64_t amount) { return amount == 0; }))
      return tensor;
    auto spread = [&](Ints amounts) {
      SmallVector<int64_t> all(tensorType(tensor).getRank(), 0);
      llvm::copy(amounts, all.begin() + firstSpatial());
      return all;
    };
    return PadOp::create(b, loc, tensor, spread(low), spread(high), spread(interior), APFloat(0.0));
  }
  Value paddedInput(Value x) { return padded(splitFeatures(x), padLow, padHigh, SmallVector<int64_t>(spatial, 0)); }

  // Loops are numbered as they are created; a loop over one group is left out.
  AffineExpr newLoop(utils::IteratorType kind) {
    iterators.push_back(kind);
    return b.getAffineDimExpr(iterators.size() - 1);
  }
  SmallVector<AffineExpr> newLoops(utils::IteratorType kind) {
    SmallVector<AffineExpr> loops;
    for (int64_t i = 0; i < spatial; ++i)
      loops.push_back(newLoop(kind));
    return loops;
  }
  AffineExpr newGroupLoop() { return grouped() ? newLoop(utils::IteratorType::parallel) : AffineExpr(); }

  /// Creates the loops over the elements of an activation in the order of its layout.
  void activationLoops(AffineExpr &n, AffineExpr &g, AffineExpr &feature, SmallVector<AffineExpr> &position) {
    n = newLoop(utils::IteratorType::parallel);
    if (!channelsFirst)
      position = newLoops(utils::IteratorType::parallel);
    g = newGroupLoop();
    feature = newLoop(utils::IteratorType::parallel);
    if (channelsFirst)
      position = newLoops(utils::IteratorType::parallel);
  }

  AffineMap activationMap(AffineExpr n, AffineExpr g, AffineExpr feature, ArrayRef<AffineExpr> position) {
    SmallVector<AffineExpr> features{feature}, exprs{n};
    if (g)
      features.insert(features.begin(), g);
    if (channelsFirst) {
      llvm::append_range(exprs, features);
      llvm::append_range(exprs, position);
    } else {
      llvm::append_range(exprs, position);
      llvm::append_range(exprs, features);
    }
    return AffineMap::get(iterators.size(), 0, exprs, b.getContext());
  }
  AffineMap weightMap(AffineExpr g, AffineExpr o, AffineExpr c, ArrayRef<AffineExpr> window) {
    SmallVector<AffineExpr> exprs{o, c};
    if (g)
      exprs.insert(exprs.begin(), g);
    llvm::append_range(exprs, window);
    return AffineMap::get(iterators.size(), 0, exprs, b.getContext());
  }
  SmallVector<AffineExpr> windowAt(ArrayRef<AffineExpr> position, ArrayRef<AffineExpr> window, Ints steps) {
    SmallVector<AffineExpr> exprs;
    for (int64_t i = 0; i < spatial; ++i)
      exprs.push_back(position[i] * steps[i] + window[i] * dilations[i]);
    return exprs;
  }

  int64_t firstSpatial() const { return channelsFirst ? (grouped() ? 3 : 2) : 1; }

  Ints strides, padLow, padHigh, dilations, xSizes, ySizes, kernel;
  SmallVector<utils::IteratorType> iterators;
  ConversionPatternRewriter &b;
  Location loc;
  int64_t groups;
  bool channelsFirst;
  int64_t spatial;
  RankedTensorType xType, wType, yType;

private:
  SmallVector<int64_t> split(Ints shape, int64_t dim) const {
    SmallVector<int64_t> sizes(shape);
    if (grouped()) {
      sizes[dim] /= groups;
      sizes.insert(sizes.begin() + dim, groups);
    }
    return sizes;
  }
};

constexpr auto parallel = utils::IteratorType::parallel;
constexpr auto reduction = utils::IteratorType::reduction;

struct ConvLowering : OpConversionPattern<ConvOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ConvOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Conv conv(op, rewriter, tensorType(op.getX()), tensorType(op.getW()), op.getType());
    Value x = conv.paddedInput(adaptor.getX()), w = conv.splitWeights(adaptor.getW());
    AffineExpr n, g, o;
    SmallVector<AffineExpr> position;
    conv.activationLoops(n, g, o, position);
    AffineExpr c = conv.newLoop(reduction);
    SmallVector<AffineExpr> window = conv.newLoops(reduction);
    Value y = multiplyAdd(rewriter, op, {x, conv.activationMap(n, g, c, conv.windowAt(position, window, conv.strides))}, {w, conv.weightMap(g, o, c, window)},
                          conv.activationMap(n, g, o, position), conv.splitType(conv.yType, false), conv.iterators);
    rewriter.replaceOp(op, conv.reshaped(y, conv.yType.getShape()));
    return success();
  }
};

// dx[q] is the sum over r of dy[(q + pad_low - r d) / s] w[r] where s divides: a convolution of stride 1 over dy, with s - 1 zeros between its elements, by the
// reversed weights. Padding or cropping gives that dy exactly the positions which the elements of x see.
struct ConvInputGradLowering : OpConversionPattern<ConvInputGradOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ConvInputGradOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Conv conv(op, rewriter, tensorType(op.getY()), tensorType(op.getW()), tensorType(op.getDy()));
    SmallVector<int64_t> low, high, between, window0;
    for (int64_t i = 0; i < conv.spatial; ++i) {
      int64_t reach = (conv.kernel[i] - 1) * conv.dilations[i], elements = conv.ySizes[i] == 0 ? 0 : (conv.ySizes[i] - 1) * conv.strides[i] + 1;
      low.push_back(reach - conv.padLow[i]);
      high.push_back(conv.xSizes[i] + reach - elements - low.back());
      between.push_back(conv.strides[i] - 1);
      if (conv.kernel[i] > 1)
        window0.push_back(2 + i);
    }
    Value dy = conv.padded(conv.splitFeatures(adaptor.getDy()), low, high, between);
    Value w = window0.empty() ? adaptor.getW() : ReverseOp::create(rewriter, op.getLoc(), adaptor.getW(), window0).getY();
    w = conv.splitWeights(w);
    AffineExpr n, g, c;
    SmallVector<AffineExpr> position;
    conv.activationLoops(n, g, c, position);
    AffineExpr o = conv.newLoop(reduction);
    SmallVector<AffineExpr> window = conv.newLoops(reduction);
    SmallVector<int64_t> ones(conv.spatial, 1);
    Value dx = multiplyAdd(rewriter, op, {dy, conv.activationMap(n, g, o, conv.windowAt(position, window, ones))}, {w, conv.weightMap(g, o, c, window)},
                           conv.activationMap(n, g, c, position), conv.splitType(conv.xType, false), conv.iterators);
    rewriter.replaceOp(op, conv.reshaped(dx, conv.xType.getShape()));
    return success();
  }
};

struct ConvWeightGradLowering : OpConversionPattern<ConvWeightGradOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(ConvWeightGradOp op, OpAdaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Conv conv(op, rewriter, tensorType(op.getX()), tensorType(op.getY()), tensorType(op.getDy()));
    Value x = conv.paddedInput(adaptor.getX()), dy = conv.splitFeatures(adaptor.getDy());
    AffineExpr g = conv.newGroupLoop(), o = conv.newLoop(parallel), c = conv.newLoop(parallel);
    SmallVector<AffineExpr> window = conv.newLoops(parallel);
    AffineExpr n = conv.newLoop(reduction);
    SmallVector<AffineExpr> position = conv.newLoops(reduction);
    Value dw = multiplyAdd(rewriter, op, {x, conv.activationMap(n, g, c, conv.windowAt(position, window, conv.strides))},
                           {dy, conv.activationMap(n, g, o, position)}, conv.weightMap(g, o, c, window), conv.splitType(conv.wType, true), conv.iterators);
    rewriter.replaceOp(op, conv.reshaped(dw, conv.wType.getShape()));
    return success();
  }
};

} // namespace

void lower::populateConv(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<ConvInputGradLowering, ConvLowering, ConvWeightGradLowering>(types, patterns.getContext());
}
