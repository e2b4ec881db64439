// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Shape.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

namespace {
// A convolution in canonical order: x [batch, feature, spatial...], w [output, input, spatial...].
struct Convolution {
  Value x, w;
  IntList strides, low, high, xDilation, wDilation;
  int64_t groups;

  RankedTensorType typeX() const { return TensorBuilder::typeOf(x); }
  RankedTensorType typeW() const { return TensorBuilder::typeOf(w); }
  size_t spatialRank() const { return strides.size(); }
  int64_t sizeX(size_t d) const { return typeX().getDimSize(d + 2); }
  int64_t sizeW(size_t d) const { return typeW().getDimSize(d + 2); }
  // Size of the dilated input and extent of the dilated window.
  int64_t spread(size_t d) const { return sizeX(d) == 0 ? 0 : (sizeX(d) - 1) * xDilation[d] + 1; }
  int64_t extent(size_t d) const { return (sizeW(d) - 1) * wDilation[d] + 1; }
  int64_t outputSize(size_t d) const { return (spread(d) + low[d] + high[d] - extent(d)) / strides[d] + 1; }
};
} // namespace

static IntList canonical(int64_t first, int64_t second, ArrayRef<int64_t> spatial) {
  IntList order = {first, second};
  llvm::append_range(order, spatial);
  return order;
}

// Adds crop (negative) padding, and zeros between and around the elements, to the spatial dimensions of x.
static Value padSpatial(TensorBuilder &b, Value x, ArrayRef<int64_t> low, ArrayRef<int64_t> high, ArrayRef<int64_t> dilation) {
  IntList lows(2, 0), highs(2, 0), interior(2, 0);
  llvm::append_range(lows, low);
  llvm::append_range(highs, high);
  for (int64_t size : dilation)
    interior.push_back(size - 1);
  return b.pad(x, lows, highs, interior);
}

// y as raf.conv: what it lacks (dilation of x, negative padding) is done by a pad before.
static Value buildConv(TensorBuilder &b, Convolution c) {
  IntList cropLow, cropHigh;
  for (size_t d = 0; d < c.spatialRank(); ++d) {
    cropLow.push_back(std::min<int64_t>(c.low[d], 0));
    cropHigh.push_back(std::min<int64_t>(c.high[d], 0));
    c.low[d] -= cropLow[d];
    c.high[d] -= cropHigh[d];
  }
  c.x = padSpatial(b, c.x, cropLow, cropHigh, c.xDilation);
  return b.fold<ConvOp>(c.x, c.w, c.strides, c.low, c.high, c.wDilation, c.groups, Layout::channels_first);
}

// [groups * p, q, ...] and [groups * q, p, ...]: the weights of the transposed map.
static Value swapFeatures(TensorBuilder &b, Value w, int64_t groups) {
  IntList shape(TensorBuilder::typeOf(w).getShape());
  int64_t outer = shape[0] / groups, inner = shape[1];
  IntList split = {groups, outer, inner}, order = {0, 2, 1}, merged = {groups * inner, outer};
  split.append(shape.begin() + 2, shape.end());
  for (size_t d = 3; d < split.size(); ++d)
    order.push_back(d);
  merged.append(shape.begin() + 2, shape.end());
  return b.reshape(b.transpose(b.reshape(w, split), order), merged);
}

// The weights that a reverse of all spatial dimensions, and a transpose after it, makes these of; null if nothing does.
static Value undoReverse(TensorBuilder &b, Value w) {
  auto transpose = w.getDefiningOp<TransposeOp>();
  auto reverse = (transpose ? transpose.getX() : w).getDefiningOp<ReverseOp>();
  int64_t rank = TensorBuilder::typeOf(w).getRank();
  if (!reverse || static_cast<int64_t>(reverse.getDims().size()) != rank - 2)
    return {};
  IntList order = transpose ? IntList(transpose.getPermutation()) : dimRange(0, rank);
  for (int64_t d = 2; d < rank; ++d)
    if (!llvm::is_contained(reverse.getDims(), order[d]))
      return {};
  return b.transpose(reverse.getX(), order);
}

// A convolution with stride 1 is the input gradient of one whose strides are the dilation of x, with the window reversed. With D the extent less one,
// y[p] = sum of x[q] w[r] over p = q s + r d - (D - low).
static Value buildInputGrad(TensorBuilder &b, const Convolution &c) {
  IntList low, high, spatial, shape = {c.typeX().getDimSize(0), c.typeW().getDimSize(0)};
  for (size_t d = 0; d < c.spatialRank(); ++d) {
    int64_t reach = c.extent(d) - 1;
    low.push_back(reach - c.low[d]);
    high.push_back(std::max<int64_t>(reach - c.high[d], 0));
    if (c.strides[d] != 1 || c.xDilation[d] < 1 || low[d] < 0 || reach - c.high[d] <= -c.xDilation[d] || c.sizeX(d) == 0)
      return {};
    shape.push_back(c.outputSize(d));
    spatial.push_back(d + 2);
  }
  Value forward = undoReverse(b, c.w);
  Value w = swapFeatures(b, forward ? forward : b.fold<ReverseOp>(c.w, spatial), c.groups);
  return b.create<ConvInputGradOp>(c.typeX().clone(shape), c.x, w, c.xDilation, low, high, c.wDilation, c.groups, Layout::channels_first);
}

// With batch and feature exchanged, a convolution is the weight gradient of one whose strides are its dilations and whose dilations are its strides.
static Value buildWeightGrad(TensorBuilder &b, const Convolution &c, int64_t batchGroups) {
  IntList low, high, cropLow, cropHigh, shape = {c.typeW().getDimSize(0), c.typeX().getDimSize(0) / batchGroups};
  for (size_t d = 0; d < c.spatialRank(); ++d) {
    // The forward convolution slides a window of the size of the result over x, as often as w has elements.
    int64_t size = c.outputSize(d), reach = (size - 1) * c.strides[d];
    int64_t after = (c.sizeW(d) - 1) * c.wDilation[d] + reach + 1 - c.spread(d) - c.low[d];
    bool crops = after <= -c.wDilation[d];
    low.push_back(std::max<int64_t>(c.low[d], 0));
    high.push_back(std::max<int64_t>(after, 0));
    cropLow.push_back(std::min<int64_t>(c.low[d], 0));
    cropHigh.push_back(crops ? after : 0);
    shape.push_back(size);
    if (size < 1 || c.sizeX(d) == 0)
      return {};
  }
  IntList exchange = dimRange(0, c.typeX().getRank());
  std::swap(exchange[0], exchange[1]);
  Value x = padSpatial(b, b.transpose(c.x, exchange), cropLow, cropHigh, c.xDilation), dy = b.transpose(c.w, exchange);
  return b.create<ConvWeightGradOp>(c.typeX().clone(shape), x, dy, c.wDilation, low, high, c.strides, batchGroups, Layout::channels_first);
}

// Batch group g makes the features of group g of the result: the groups become groups of features.
static Value regroupBatch(TensorBuilder &b, Value x, int64_t groups) {
  IntList shape(TensorBuilder::typeOf(x).getShape());
  int64_t batch = shape[0] / groups, features = shape[1];
  IntList split = {groups, batch, features}, order = {1, 0, 2}, merged = {batch, groups * features};
  split.append(shape.begin() + 2, shape.end());
  for (size_t d = 3; d < split.size(); ++d)
    order.push_back(d);
  merged.append(shape.begin() + 2, shape.end());
  return b.reshape(b.transpose(b.reshape(x, split), order), merged);
}

// The result in the order [batch, feature, spatial...].
static Value convolve(TensorBuilder &b, Convolution c, int64_t batchGroups, bool featuresFirst) {
  bool isDilated = llvm::any_of(c.xDilation, [](int64_t size) { return size > 1; });
  // JAX writes the gradient of the weights with x and w transposed, features first.
  if (featuresFirst && c.groups == 1) {
    if (Value grad = buildWeightGrad(b, c, batchGroups)) {
      IntList exchange = dimRange(0, c.typeX().getRank());
      std::swap(exchange[0], exchange[1]);
      return b.transpose(grad, exchange);
    }
  }
  if (batchGroups > 1) {
    c.x = regroupBatch(b, c.x, batchGroups);
    c.groups = batchGroups;
  }
  // A reversed window is that of a gradient with respect to the input.
  if (isDilated || undoReverse(b, c.w))
    if (Value grad = buildInputGrad(b, c))
      return grad;
  return buildConv(b, c);
}

static LogicalResult checkConvolution(Operation &op, const Convolution &c, int64_t featureGroups, int64_t batchGroups) {
  auto positive = [](ArrayRef<int64_t> list) {
    return llvm::all_of(list, [](int64_t value) { return value > 0 && value < (int64_t(1) << 31); });
  };
  if (!positive(c.strides) || !positive(c.xDilation) || !positive(c.wDilation))
    return op.emitOpError() << "needs positive strides and dilations";
  if (featureGroups < 1 || batchGroups < 1 || (featureGroups > 1 && batchGroups > 1))
    return op.emitOpError() << "needs positive group counts of which one is 1, got feature_group_count " << featureGroups << " and batch_group_count " << batchGroups;
  int64_t groups = featureGroups * batchGroups, features = c.typeX().getDimSize(1), batch = c.typeX().getDimSize(0), outputs = c.typeW().getDimSize(0);
  if (features != c.typeW().getDimSize(1) * featureGroups || outputs % groups != 0 || batch % batchGroups != 0)
    return op.emitOpError() << "needs " << c.typeW().getDimSize(1) * featureGroups << " input features, and output features that are a multiple of " << groups
                            << " and a batch that is one of " << batchGroups << ", got " << features << ", " << outputs << " and " << batch;
  for (size_t d = 0; d < c.spatialRank(); ++d)
    if (std::max(std::abs(c.low[d]), std::abs(c.high[d])) > (int64_t(1) << 31) || c.sizeW(d) < 1 || c.spread(d) + c.low[d] + c.high[d] < c.extent(d) ||
        c.spread(d) + std::min<int64_t>(c.low[d], 0) + std::min<int64_t>(c.high[d], 0) < 0)
      return op.emitOpError() << "window of extent " << c.extent(d) << " does not fit in padded spatial dimension " << d << " of size "
                              << c.spread(d) + c.low[d] + c.high[d];
  return success();
}

static Value convert(TensorBuilder &b, Operation &op, unsigned index, Value x, Type element) {
  return convertValue(b, x, isUnsigned(op.getOperand(index).getType()), element, false);
}

static LogicalResult importConvolution(Importer &importer, Operation &op, TensorBuilder &b, std::optional<Padding> given) {
  Parts x = importer.operandParts(op, 0), w = importer.operandParts(op, 1);
  RankedTensorType type = importer.resultType(op);
  auto dims = ConvDims::read(op, "dimension_numbers");
  if (failed(dims))
    return failure();
  int64_t rank = dims->inputSpatial.size();
  if (TensorBuilder::typeOf(x.real).getRank() != rank + 2 || TensorBuilder::typeOf(w.real).getRank() != rank + 2 || type.getRank() != rank + 2)
    return op.emitOpError() << "needs operands and a result of rank " << rank + 2 << ", as dimension_numbers has " << rank << " spatial dimensions";
  if (rank > 3)
    return importer.unsupported(op, "more than three spatial dimensions");
  auto strides = readInts(op, "window_strides", rank, 1), xDilation = readInts(op, "lhs_dilation", rank, 1), wDilation = readInts(op, "rhs_dilation", rank, 1),
       reversal = readInts(op, "window_reversal", rank, 0);
  FailureOr<Padding> padding = given ? FailureOr<Padding>(*given) : readPadding(op, rank);
  auto featureGroups = readInt(op, "feature_group_count", 1), batchGroups = readInt(op, "batch_group_count", 1);
  if (failed(strides) || failed(xDilation) || failed(wDilation) || failed(reversal) || failed(padding) || failed(featureGroups) || failed(batchGroups))
    return failure();

  // Integers are convolved as f64, which is exact as long as sums stay below 2^53.
  Type element = type.getElementType(), computed = isa<FloatType>(element) ? element : b.getBuilder().getF64Type();
  if (element.isInteger(64) || element.isInteger(1))
    return importer.unsupported(op, "of 64-bit integers or booleans");
  IntList reversed;
  for (int64_t d = 0; d < rank; ++d)
    if ((*reversal)[d])
      reversed.push_back(d + 2);
  auto inOrder = [&](Value value, unsigned index, const IntList &order) { return b.transpose(convert(b, op, index, value, computed), order); };
  auto run = [&](Value input, Value kernel) -> Value {
    Convolution c{inOrder(input, 0, canonical(dims->inputBatch, dims->inputFeature, dims->inputSpatial)),
                  inOrder(kernel, 1, canonical(dims->kernelOutput, dims->kernelInput, dims->kernelSpatial)),
                  *strides, padding->low, padding->high, *xDilation, *wDilation, *featureGroups};
    if (failed(checkConvolution(op, c, *featureGroups, *batchGroups)))
      return {};
    if (!reversed.empty())
      c.w = b.fold<ReverseOp>(c.w, reversed);
    // raf.conv has one spatial dimension at least.
    if (rank == 0) {
      auto column = [&](Value value) {
        return b.reshape(value, {TensorBuilder::typeOf(value).getDimSize(0), TensorBuilder::typeOf(value).getDimSize(1), 1});
      };
      c = {column(c.x), column(c.w), {1}, {0}, {0}, {1}, {1}, c.groups};
    }
    bool featuresFirst = dims->inputFeature == 0 && dims->kernelInput == 0;
    Value result = convolve(b, c, *batchGroups, featuresFirst);
    if (rank == 0)
      result = b.reshape(result, TensorBuilder::typeOf(result).getShape().drop_back());
    IntList order = canonical(dims->outputBatch, dims->outputFeature, dims->outputSpatial);
    return convertValue(b, b.transpose(result, inversePermutation(order)), false, element, false);
  };
  Parts result{run(x.real, w.real), {}};
  if (!result)
    return failure();
  if (x.imag && w.imag) {
    result.real = b.sub(result.real, run(x.imag, w.imag));
    result.imag = b.add(run(x.real, w.imag), run(x.imag, w.real));
  }
  importer.setParts(op, 0, result);
  return success();
}

static LogicalResult convolution(Importer &importer, Operation &op, TensorBuilder &b) { return importConvolution(importer, op, b, std::nullopt); }

// The padding is an operand.
static LogicalResult dynamicConvolution(Importer &importer, Operation &op, TensorBuilder &b) {
  Value operand = importer.operandParts(op, 2).real;
  auto list = constantList(operand);
  if (!list)
    return importer.unsupported(op, "padding must be constant");
  RankedTensorType type = TensorBuilder::typeOf(operand);
  int64_t rank = TensorBuilder::typeOf(importer.operandParts(op, 0).real).getRank() - 2;
  if (type.getShape() != ArrayRef<int64_t>{rank, 2})
    return op.emitOpError() << "needs padding of shape " << rank << "x2, got " << op.getOperand(2).getType();
  Padding padding;
  for (auto [index, size] : llvm::enumerate(*list))
    (index % 2 ? padding.high : padding.low).push_back(size);
  return importConvolution(importer, op, b, padding);
}

void mlir::raf::stablehlo::addConvolutionHandlers(HandlerTable &table) {
  table.add("stablehlo.convolution", {convolution, 2, 1, 0, Complex::handled});
  table.add("stablehlo.dynamic_conv", {dynamicConvolution, 3, 1, 0, Complex::handled});
}
