// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Indexing.h"
#include "passes/import-stablehlo/Shape.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

IntList Windows::windowDims() const {
  IntList dims;
  for (int64_t dim = 0; dim < static_cast<int64_t>(operandShape.size()); ++dim)
    if (!llvm::is_contained(collapsed, dim) && !llvm::is_contained(operandBatching, dim))
      dims.push_back(dim);
  return dims;
}

LogicalResult Windows::check(Operation &op, RankedTensorType indices) const {
  int64_t rank = operandShape.size(), indexRank = indices.getRank();
  if (indexVectorDim < 0 || indexVectorDim > indexRank)
    return op.emitOpError() << "index_vector_dim must be in [0, " << indexRank << "], got " << indexVectorDim;
  IntList dropped = collapsed;
  llvm::append_range(dropped, operandBatching);
  IntList indexed = indexMap;
  llvm::append_range(indexed, operandBatching);
  IntList given = indicesBatching;
  given.push_back(indexVectorDim);
  if (failed(checkDimensions(op, "collapsed and batching dimensions", dropped, rank)) || failed(checkDimensions(op, "index map and batching dimensions", indexed, rank)) ||
      failed(checkDimensions(op, "batching dimensions of the indices", indicesBatching, indexRank)) ||
      failed(checkDimensions(op, "batching dimensions of the indices and index_vector_dim", given, indexRank + 1)) ||
      failed(checkDimensions(op, "window dimensions", offsetDims, itemsShape.size(), /*increasing=*/true)))
    return failure();
  int64_t components = indexVectorDim == indexRank ? 1 : indices.getDimSize(indexVectorDim);
  if (components != static_cast<int64_t>(indexMap.size()))
    return op.emitOpError() << "needs as many index components as dimensions in the index map, got " << components << " and " << indexMap.size();
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    bool isDropped = llvm::is_contained(dropped, static_cast<int64_t>(dim));
    if (size < 0 || size > operandShape[dim] || (isDropped && size != 1))
      return op.emitOpError() << "window size of dimension " << dim << " must be in [0, " << operandShape[dim] << "]" << (isDropped ? " and 1 where it is collapsed" : "")
                              << ", got " << size;
  }
  if (operandBatching.size() != indicesBatching.size())
    return op.emitOpError() << "needs as many batching dimensions of the operand as of the indices";
  for (auto [dim, indexDim] : llvm::zip(operandBatching, indicesBatching))
    if (operandShape[dim] != indices.getDimSize(indexDim))
      return op.emitOpError() << "needs equal sizes of batching dimensions, got " << operandShape[dim] << " and " << indices.getDimSize(indexDim);
  IntList window = windowDims(), expected;
  if (window.size() != offsetDims.size())
    return op.emitOpError() << "needs a window of " << window.size() << " dimensions, got " << offsetDims.size();
  IntList batch;
  for (int64_t dim = 0; dim < indexRank; ++dim)
    if (dim != indexVectorDim)
      batch.push_back(indices.getDimSize(dim));
  if (batch.size() + window.size() != itemsShape.size())
    return op.emitOpError() << "needs " << batch.size() + window.size() << " dimensions of indices and windows, got " << itemsShape.size();
  expected.assign(itemsShape.size(), 0);
  for (auto [dim, size] : llvm::zip(batchDims(), batch))
    expected[dim] = size;
  for (auto [dim, operandDim] : llvm::zip(offsetDims, window))
    expected[dim] = sizes[operandDim];
  if (ArrayRef(expected) == ArrayRef(itemsShape))
    return success();
  auto diagnostic = op.emitOpError() << "needs windows at the indices of shape [";
  llvm::interleaveComma(expected, diagnostic);
  diagnostic << "], got [";
  llvm::interleaveComma(itemsShape, diagnostic);
  return diagnostic << "]";
}

int64_t Windows::axis() const {
  if (indexMap.size() != 1 || !operandBatching.empty())
    return -1;
  for (int64_t dim = 0; dim < static_cast<int64_t>(sizes.size()); ++dim) {
    bool isAxis = dim == indexMap[0];
    if (sizes[dim] != (isAxis ? 1 : operandShape[dim]) || (!isAxis && llvm::is_contained(collapsed, dim)))
      return -1;
  }
  return indexMap[0];
}

int64_t Windows::batchedAxis() const {
  bool single = indexMap.size() == 1 && operandBatching.size() + 1 == operandShape.size() && !operandBatching.empty();
  return single && sizes[indexMap[0]] == 1 ? indexMap[0] : -1;
}

Value mlir::raf::stablehlo::indexComponent(TensorBuilder &b, Value indices, const Windows &windows, int64_t component) {
  RankedTensorType type = TensorBuilder::typeOf(indices);
  if (windows.indexVectorDim == type.getRank())
    return indices;
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + windows.indexVectorDim);
  return b.reshape(sliceDim(b, indices, windows.indexVectorDim, component, component + 1), shape);
}

// The dimension of the indices without the components that runs with each batching dimension of the operand.
static IntList batchPositions(const Windows &windows) {
  return llvm::map_to_vector(windows.indicesBatching, [&](int64_t dim) { return dim > windows.indexVectorDim ? dim - 1 : dim; });
}

AlongAxis mlir::raf::stablehlo::indicesAlongAxis(TensorBuilder &b, Value indices, const Windows &windows, int64_t axis) {
  Value index = indexComponent(b, indices, windows, 0);
  RankedTensorType type = TensorBuilder::typeOf(index);
  IntList positions = batchPositions(windows), extra = otherDims(type.getRank(), positions), order;
  SmallVector<int64_t> merged;
  for (int64_t dim = 0; dim < static_cast<int64_t>(windows.operandShape.size()); ++dim) {
    if (dim == axis) {
      llvm::append_range(order, extra);
      merged.push_back(product(llvm::map_to_vector(extra, [&](int64_t e) { return type.getDimSize(e); })));
    } else {
      order.push_back(positions[llvm::find(windows.operandBatching, dim) - windows.operandBatching.begin()]);
      merged.push_back(windows.operandShape[dim]);
    }
  }
  AlongAxis result;
  Value ordered = b.transpose(index, order);
  llvm::append_range(result.splitShape, TensorBuilder::typeOf(ordered).getShape());
  result.indices = b.reshape(ordered, merged);
  SmallVector<int64_t> inverse = inversePermutation(order);
  int64_t batch = 0;
  if (!windows.offsetDims.empty())
    result.splitShape.push_back(1);
  for (int64_t dim = 0; dim < static_cast<int64_t>(windows.itemsShape.size()); ++dim)
    result.permutation.push_back(llvm::is_contained(windows.offsetDims, dim) ? static_cast<int64_t>(result.splitShape.size()) - 1 : inverse[batch++]);
  return result;
}

Rows mlir::raf::stablehlo::computeRows(TensorBuilder &b, Value indices, const Windows &windows, bool clamp) {
  int64_t rank = windows.operandShape.size();
  IntList window = windows.windowDims();
  Rows rows;
  rows.rank = rank;
  auto isWhole = [&](int64_t dim) {
    return llvm::is_contained(window, dim) && !llvm::is_contained(windows.indexMap, dim) && windows.sizes[dim] == windows.operandShape[dim];
  };
  while (rows.rank > 0 && isWhole(rows.rank - 1))
    --rows.rank;
  rows.count = product(ArrayRef(windows.operandShape).take_front(rows.rank));
  rows.width = product(ArrayRef(windows.operandShape).drop_front(rows.rank));
  SmallVector<int64_t> strides(rows.rank, 1);
  for (int64_t dim = rows.rank - 2; dim >= 0; --dim)
    strides[dim] = strides[dim + 1] * windows.operandShape[dim + 1];

  bool wide = rows.count >= std::numeric_limits<int32_t>::max() || TensorBuilder::typeOf(indices).getElementTypeBitWidth() == 64;
  indices = toIndex(b, indices, false, wide);
  // There may be no component: an index of the whole operand.
  SmallVector<int64_t> batchShape(TensorBuilder::typeOf(indices).getShape());
  if (windows.indexVectorDim < static_cast<int64_t>(batchShape.size()))
    batchShape.erase(batchShape.begin() + windows.indexVectorDim);
  RankedTensorType batchType = TensorBuilder::typeOf(indices).clone(batchShape);
  Value base = b.zeros(batchType);
  for (auto [component, dim] : llvm::enumerate(windows.indexMap)) {
    Value position = indexComponent(b, indices, windows, component);
    Value zero = b.zeros(batchType), most = b.splat(batchType, windows.operandShape[dim] - windows.sizes[dim]);
    if (clamp) {
      position = extremum(b, false, extremum(b, true, position, zero, false), most, false);
    } else {
      Value inside = b.fold<AndOp>(b.compare(CompareKind::ge, position, zero), b.compare(CompareKind::le, position, most));
      rows.inside = rows.inside ? b.fold<AndOp>(rows.inside, inside) : inside;
    }
    base = addValues(b, base, multiplyValues(b, position, b.splat(batchType, strides[dim])));
  }
  for (auto [dim, position] : llvm::zip(windows.operandBatching, batchPositions(windows)))
    base = b.add(base, b.mul(b.iota(batchType, position), strides[dim]));

  // Window dimensions that number rows come after those of the indices.
  SmallVector<int64_t> shape(batchType.getShape());
  SmallVector<std::pair<int64_t, int64_t>> inner;
  for (int64_t dim : window)
    if (dim < rows.rank) {
      inner.push_back({dim, shape.size()});
      shape.push_back(windows.sizes[dim]);
    }
  RankedTensorType type = batchType.clone(shape);
  SmallVector<int64_t> leading = dimRange(0, batchType.getRank());
  rows.positions = b.broadcast(base, type, leading);
  for (auto [dim, place] : inner)
    if (windows.sizes[dim] != 1)
      rows.positions = b.add(rows.positions, b.mul(b.iota(type, place), strides[dim]));
  if (rows.inside)
    rows.inside = b.broadcast(rows.inside, type.clone(b.getBuilder().getI1Type()), leading);
  int64_t batch = 0, offset = 0;
  for (int64_t dim = 0; dim < static_cast<int64_t>(windows.itemsShape.size()); ++dim)
    rows.permutation.push_back(llvm::is_contained(windows.offsetDims, dim) ? batchType.getRank() + offset++ : batch++);
  return rows;
}
