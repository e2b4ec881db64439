// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/import-stablehlo/Shape.h"
#include "dialects/raf/Folding.h"
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Elementwise.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

//===-- helpers --------------------------------------------------------------------------------------------------===//

bool mlir::raf::stablehlo::isConstantSplat(Value tensor, double value) {
  DenseElementsAttr elements;
  return matchPattern(tensor, m_Constant(&elements)) && isSplat(elements, value);
}

std::optional<double> mlir::raf::stablehlo::constantNumber(Value tensor) {
  DenseElementsAttr elements;
  if (!matchPattern(tensor, m_Constant(&elements)) || !elements.isSplat())
    return std::nullopt;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().convertToDouble();
  APInt value = elements.getSplatValue<APInt>();
  if (value.getSignificantBits() > 53)
    return std::nullopt;
  return value.getBitWidth() == 1 ? value.getZExtValue() : static_cast<double>(value.getSExtValue());
}

Value mlir::raf::stablehlo::padWith(TensorBuilder &b, Value x, Value scalar, ArrayRef<int64_t> low, ArrayRef<int64_t> high, ArrayRef<int64_t> interior) {
  if (std::optional<double> known = constantNumber(scalar))
    return b.pad(x, low, high, interior, *known);
  Value padded = b.pad(x, low, high, interior);
  Value inside = b.splat(TensorBuilder::typeOf(x).clone(b.getBuilder().getI1Type()), 1);
  return b.select(b.pad(inside, low, high, interior), padded, b.broadcast(scalar, padded.getType(), {}));
}

Value mlir::raf::stablehlo::sliceDim(TensorBuilder &b, Value x, int64_t dim, int64_t start, int64_t limit, int64_t stride) {
  ArrayRef<int64_t> shape = TensorBuilder::typeOf(x).getShape();
  SmallVector<int64_t> starts(shape.size(), 0), limits(shape), strides(shape.size(), 1);
  starts[dim] = start;
  limits[dim] = limit;
  strides[dim] = stride;
  return b.slice(x, starts, limits, strides);
}

Value mlir::raf::stablehlo::concatenate(TensorBuilder &b, ValueRange pieces, int64_t dim) {
  return pieces.size() == 1 ? pieces.front() : b.fold<ConcatOp>(pieces, dim);
}

Value mlir::raf::stablehlo::toIndex(TensorBuilder &b, Value index, bool isUnsigned, bool wide) {
  unsigned width = TensorBuilder::typeOf(index).getElementTypeBitWidth();
  bool isWide = wide || width == 64 || (width == 32 && isUnsigned);
  return convertValue(b, index, isUnsigned, b.getBuilder().getIntegerType(isWide ? 64 : 32), false);
}

SmallVector<int64_t> mlir::raf::stablehlo::dimsFirst(int64_t rank, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> permutation(dims);
  llvm::append_range(permutation, otherDims(rank, dims));
  return permutation;
}

SmallVector<int64_t> mlir::raf::stablehlo::dimsLast(int64_t rank, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> permutation = otherDims(rank, dims);
  llvm::append_range(permutation, dims);
  return permutation;
}

SmallVector<int64_t> mlir::raf::stablehlo::inversePermutation(ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> inverse(permutation.size());
  for (auto [index, dim] : llvm::enumerate(permutation))
    inverse[dim] = index;
  return inverse;
}

int64_t mlir::raf::stablehlo::product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

//===-- handlers -------------------------------------------------------------------------------------------------===//

static LogicalResult iota(Importer &importer, Operation &op, TensorBuilder &b) {
  RankedTensorType type = importer.resultType(op);
  auto dim = readInt(op, "iota_dimension");
  if (failed(dim) || failed(checkDimensions(op, "iota_dimension", {*dim}, type.getRank())))
    return failure();
  if (type.getElementType().isInteger(1))
    return op.emitOpError() << "needs a result of numbers, got " << type;
  importer.setResult(op, importer.isRealPart() ? b.iota(type, *dim) : b.zeros(type));
  return success();
}

// The dims may be in any order, raf.broadcast has them increasing.
static LogicalResult broadcastTo(Importer &importer, Operation &op, TensorBuilder &b, RankedTensorType type) {
  Value x = importer.operand(op, 0);
  int64_t rank = TensorBuilder::typeOf(x).getRank();
  auto dims = readInts(op, "broadcast_dimensions", rank);
  if (failed(dims) || failed(checkDimensions(op, "broadcast_dimensions", *dims, type.getRank())))
    return failure();
  for (auto [index, dim] : llvm::enumerate(*dims))
    if (int64_t size = TensorBuilder::typeOf(x).getDimSize(index); size != 1 && size != type.getDimSize(dim))
      return op.emitOpError() << "operand dimension " << index << " must have size 1 or " << type.getDimSize(dim) << ", got " << size;
  SmallVector<int64_t> order = dimRange(0, rank);
  llvm::sort(order, [&](int64_t a, int64_t c) { return (*dims)[a] < (*dims)[c]; });
  llvm::sort(*dims);
  importer.setResult(op, b.broadcast(b.transpose(x, order), type, *dims));
  return success();
}

static LogicalResult broadcastInDim(Importer &importer, Operation &op, TensorBuilder &b) {
  RankedTensorType type = importer.resultType(op);
  // In a function on scalars it makes a scalar of a scalar.
  if (cast<RankedTensorType>(op.getResult(0).getType()).getRank() == 0)
    return importer.setResult(op, importer.operand(op, 0)), success();
  return broadcastTo(importer, op, b, type);
}

static LogicalResult reshape(Importer &importer, Operation &op, TensorBuilder &b) {
  Value x = importer.operand(op, 0);
  RankedTensorType type = importer.resultType(op);
  if (type.getNumElements() != TensorBuilder::typeOf(x).getNumElements())
    return op.emitOpError() << "must keep the number of elements, got " << op.getOperand(0).getType() << " and " << op.getResult(0).getType();
  importer.setResult(op, b.reshape(x, type.getShape()));
  return success();
}

static LogicalResult transpose(Importer &importer, Operation &op, TensorBuilder &b) {
  Value x = importer.operand(op, 0);
  auto permutation = readInts(op, "permutation", TensorBuilder::typeOf(x).getRank());
  if (failed(permutation) || failed(inferTranspose(op.getLoc(), TensorBuilder::typeOf(x), *permutation)))
    return failure();
  importer.setResult(op, b.transpose(x, *permutation));
  return success();
}

static LogicalResult sliceTo(Importer &importer, Operation &op, TensorBuilder &b, ArrayRef<int64_t> starts, ArrayRef<int64_t> limits, ArrayRef<int64_t> strides) {
  Value x = importer.operand(op, 0);
  if (failed(inferSlice(op.getLoc(), TensorBuilder::typeOf(x), starts, limits, strides)))
    return failure();
  importer.setResult(op, b.slice(x, starts, limits, strides));
  return success();
}

static LogicalResult slice(Importer &importer, Operation &op, TensorBuilder &b) {
  int64_t rank = TensorBuilder::typeOf(importer.operand(op, 0)).getRank();
  auto starts = readInts(op, "start_indices", rank), limits = readInts(op, "limit_indices", rank), strides = readInts(op, "strides", rank);
  return failed(starts) || failed(limits) || failed(strides) ? failure() : sliceTo(importer, op, b, *starts, *limits, *strides);
}

static LogicalResult padBy(Importer &importer, Operation &op, TensorBuilder &b, ArrayRef<int64_t> low, ArrayRef<int64_t> high, ArrayRef<int64_t> interior) {
  Value x = importer.operand(op, 0), scalar = importer.operand(op, 1);
  for (int64_t size : llvm::concat<const int64_t>(low, high, interior))
    if (size < -(int64_t(1) << 31) || size > (int64_t(1) << 31))
      return op.emitOpError() << "pads by more than 2^31";
  if (failed(inferPad(op.getLoc(), TensorBuilder::typeOf(x), low, high, interior)))
    return failure();
  if (TensorBuilder::typeOf(scalar).getRank() != 0 || getElementTypeOrSelf(op.getOperand(0).getType()) != getElementTypeOrSelf(op.getOperand(1).getType()))
    return op.emitOpError() << "needs a scalar of the operand's element type to pad with, got " << op.getOperand(1).getType();
  importer.setResult(op, padWith(b, x, scalar, low, high, interior));
  return success();
}

static LogicalResult pad(Importer &importer, Operation &op, TensorBuilder &b) {
  int64_t rank = TensorBuilder::typeOf(importer.operand(op, 0)).getRank();
  auto low = readInts(op, "edge_padding_low", rank), high = readInts(op, "edge_padding_high", rank), interior = readInts(op, "interior_padding", rank);
  return failed(low) || failed(high) || failed(interior) ? failure() : padBy(importer, op, b, *low, *high, *interior);
}

std::optional<SmallVector<int64_t>> mlir::raf::stablehlo::constantList(Value list) {
  DenseIntElementsAttr elements;
  if (!matchPattern(list, m_Constant(&elements)) || elements.getNumElements() > 64)
    return std::nullopt;
  return llvm::map_to_vector(elements.getValues<APInt>(), [](const APInt &value) { return value.getSExtValue(); });
}

static LogicalResult realDynamicSlice(Importer &importer, Operation &op, TensorBuilder &b) {
  auto starts = constantList(importer.operandParts(op, 1).real), limits = constantList(importer.operandParts(op, 2).real),
       strides = constantList(importer.operandParts(op, 3).real);
  if (!starts || !limits || !strides)
    return importer.unsupported(op, "bounds must be constant");
  return sliceTo(importer, op, b, *starts, *limits, *strides);
}

static LogicalResult dynamicPad(Importer &importer, Operation &op, TensorBuilder &b) {
  auto low = constantList(importer.operandParts(op, 2).real), high = constantList(importer.operandParts(op, 3).real),
       interior = constantList(importer.operandParts(op, 4).real);
  if (!low || !high || !interior)
    return importer.unsupported(op, "padding must be constant");
  return padBy(importer, op, b, *low, *high, *interior);
}

static LogicalResult concatenateOp(Importer &importer, Operation &op, TensorBuilder &b) {
  auto dim = readInt(op, "dimension");
  SmallVector<Value> pieces = importer.operands(op);
  if (failed(dim) || failed(inferConcat(op.getLoc(), llvm::map_to_vector(pieces, TensorBuilder::typeOf), *dim)))
    return failure();
  importer.setResult(op, concatenate(b, pieces, *dim));
  return success();
}

static LogicalResult reverse(Importer &importer, Operation &op, TensorBuilder &b) {
  Value x = importer.operand(op, 0);
  auto dims = readInts(op, "dimensions", -1);
  if (failed(dims) || failed(checkDimensions(op, "dimensions", *dims, TensorBuilder::typeOf(x).getRank())))
    return failure();
  llvm::sort(*dims);
  importer.setResult(op, dims->empty() ? x : b.fold<ReverseOp>(x, *dims));
  return success();
}

// The starts of a dynamic slice, clamped where they are known; all of them, or none is returned.
static std::optional<SmallVector<int64_t>> knownStarts(ArrayRef<Value> starts, ArrayRef<int64_t> sizes, ArrayRef<int64_t> box) {
  SmallVector<int64_t> known;
  for (auto [start, size, extent] : llvm::zip(starts, sizes, box)) {
    std::optional<APInt> value = size == extent ? APInt(64, 0) : constantInt(start);
    if (!value)
      return std::nullopt;
    known.push_back(std::clamp<int64_t>(value->getSExtValue(), 0, size - extent));
  }
  return known;
}

static FailureOr<SmallVector<Value>> readStarts(Importer &importer, Operation &op, TensorBuilder &b, unsigned first, ArrayRef<int64_t> sizes, ArrayRef<int64_t> box) {
  if (op.getNumOperands() - first != sizes.size() || box.size() != sizes.size())
    return op.emitOpError() << "needs one start and one size for each of the " << sizes.size() << " dimensions", failure();
  for (auto [size, extent] : llvm::zip(sizes, box))
    if (extent < 0 || extent > size)
      return op.emitOpError() << "needs a box that fits in the operand, got size " << extent << " in a dimension of " << size, failure();
  SmallVector<Value> starts;
  bool wide = false;
  for (unsigned i = first; i < op.getNumOperands(); ++i) {
    Value start = importer.operandParts(op, i).real;
    if (TensorBuilder::typeOf(start).getRank() != 0 || isFloat(start) || isBool(start))
      return op.emitOpError() << "needs integer scalars as starts, got " << op.getOperand(i).getType(), failure();
    starts.push_back(toIndex(b, start, isUnsigned(op.getOperand(i).getType())));
    wide |= TensorBuilder::typeOf(starts.back()).getElementTypeBitWidth() == 64;
  }
  for (Value &start : starts)
    start = toIndex(b, start, false, wide);
  return starts;
}

static LogicalResult dynamicSlice(Importer &importer, Operation &op, TensorBuilder &b) {
  if (op.getNumOperands() == 0)
    return op.emitOpError() << "needs an operand";
  Value x = importer.operand(op, 0);
  RankedTensorType type = TensorBuilder::typeOf(x);
  auto sizes = readInts(op, "slice_sizes", type.getRank());
  if (failed(sizes))
    return failure();
  auto starts = readStarts(importer, op, b, 1, type.getShape(), *sizes);
  if (failed(starts))
    return failure();
  if (auto known = knownStarts(*starts, type.getShape(), *sizes)) {
    SmallVector<int64_t> limits;
    for (auto [start, size] : llvm::zip(*known, *sizes))
      limits.push_back(start + size);
    importer.setResult(op, b.slice(x, *known, limits, SmallVector<int64_t>(known->size(), 1)));
    return success();
  }
  importer.setResult(op, b.fold<DynamicSliceOp>(type.clone(*sizes), x, *starts));
  return success();
}

// At a known position the box stands between what is before and after it, dimension by dimension.
static Value updateBox(TensorBuilder &b, Value x, Value update, ArrayRef<int64_t> starts, int64_t dim) {
  RankedTensorType whole = TensorBuilder::typeOf(x), box = TensorBuilder::typeOf(update);
  while (dim < whole.getRank() && whole.getDimSize(dim) == box.getDimSize(dim))
    ++dim;
  if (dim == whole.getRank())
    return update;
  int64_t start = starts[dim], limit = start + box.getDimSize(dim), size = whole.getDimSize(dim);
  SmallVector<Value> pieces;
  if (start > 0)
    pieces.push_back(sliceDim(b, x, dim, 0, start));
  pieces.push_back(updateBox(b, sliceDim(b, x, dim, start, limit), update, starts, dim + 1));
  if (limit < size)
    pieces.push_back(sliceDim(b, x, dim, limit, size));
  return concatenate(b, pieces, dim);
}

static LogicalResult dynamicUpdateSlice(Importer &importer, Operation &op, TensorBuilder &b) {
  if (op.getNumOperands() < 2)
    return op.emitOpError() << "needs an operand and an update";
  Value x = importer.operand(op, 0), update = importer.operand(op, 1);
  RankedTensorType type = TensorBuilder::typeOf(x), box = TensorBuilder::typeOf(update);
  if (type.getElementType() != box.getElementType())
    return op.emitOpError() << "needs an update of the operand's element type, got " << op.getOperand(1).getType();
  auto starts = readStarts(importer, op, b, 2, type.getShape(), box.getShape());
  if (failed(starts))
    return failure();
  auto known = knownStarts(*starts, type.getShape(), box.getShape());
  importer.setResult(op, known ? updateBox(b, x, update, *known, 0) : b.fold<DynamicUpdateSliceOp>(x, update, *starts));
  return success();
}

static LogicalResult getDimensionSize(Importer &importer, Operation &op, TensorBuilder &b) {
  auto type = cast<RankedTensorType>(op.getOperand(0).getType());
  auto dim = readInt(op, "dimension");
  if (failed(dim) || failed(checkDimensions(op, "dimension", {*dim}, type.getRank())))
    return failure();
  importer.setResult(op, b.splat(importer.resultType(op), type.getDimSize(*dim)));
  return success();
}

// Shapes are static here: a size that is the dimension's own changes nothing.
static LogicalResult setDimensionSize(Importer &importer, Operation &op, TensorBuilder &) {
  auto type = cast<RankedTensorType>(op.getOperand(0).getType());
  auto dim = readInt(op, "dimension");
  if (failed(dim) || failed(checkDimensions(op, "dimension", {*dim}, type.getRank())))
    return failure();
  std::optional<APInt> size = constantInt(importer.operandParts(op, 1).real);
  if (!size || size->getSExtValue() != type.getDimSize(*dim))
    return importer.unsupported(op, "to another size than the dimension has");
  importer.setResult(op, importer.operand(op, 0));
  return success();
}

// The forms that take shapes as operands, once the shape of the result is static: the operand says nothing more.
static LogicalResult dynamicIota(Importer &importer, Operation &op, TensorBuilder &b) { return iota(importer, op, b); }
static LogicalResult dynamicReshape(Importer &importer, Operation &op, TensorBuilder &b) { return reshape(importer, op, b); }
static LogicalResult dynamicBroadcast(Importer &importer, Operation &op, TensorBuilder &b) { return broadcastTo(importer, op, b, importer.resultType(op)); }

void mlir::raf::stablehlo::addShapeHandlers(HandlerTable &table) {
  auto add = [&](StringRef name, Handler handler, int operands, bool pointwise = false) {
    table.add(("stablehlo." + name).str(), {handler, operands, 1, 0, Complex::eachPart, pointwise});
  };
  add("iota", iota, 0);
  add("broadcast_in_dim", broadcastInDim, 1, true);
  add("reshape", reshape, 1, true);
  add("transpose", transpose, 1);
  add("slice", slice, 1);
  add("pad", pad, 2);
  add("concatenate", concatenateOp, -1);
  add("reverse", reverse, 1);
  add("dynamic_slice", dynamicSlice, -1);
  add("dynamic_update_slice", dynamicUpdateSlice, -1);
  add("get_dimension_size", getDimensionSize, 1);
  add("set_dimension_size", setDimensionSize, 2);
  add("dynamic_iota", dynamicIota, 1);
  add("dynamic_reshape", dynamicReshape, 2);
  add("real_dynamic_slice", realDynamicSlice, 4);
  add("dynamic_pad", dynamicPad, 5);
  add("dynamic_broadcast_in_dim", dynamicBroadcast, 2);
}
