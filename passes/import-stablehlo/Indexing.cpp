// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gather and scatter.
#include "passes/import-stablehlo/Indexing.h"
#include "passes/import-stablehlo/Elementwise.h"
#include "passes/import-stablehlo/Reduction.h"
#include "passes/import-stablehlo/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

static FailureOr<Value> readIndices(Importer &importer, Operation &op, TensorBuilder &b, unsigned index) {
  Value indices = importer.operandParts(op, index).real;
  if (isFloat(indices) || isBool(indices))
    return op.emitOpError() << "needs integer indices, got " << op.getOperand(index).getType(), failure();
  return toIndex(b, indices, isUnsigned(op.getOperand(index).getType()));
}

//===-- slices along one axis ------------------------------------------------------------------------------------===//

namespace {
// raf.gather has the dimensions before the axis, those of the indices, and those after the axis; a window that keeps the axis has it after the indices.
struct AxisForm {
  SmallVector<int64_t> shape, permutation;
};
} // namespace

static AxisForm axisForm(const Windows &windows, int64_t axis, ArrayRef<int64_t> indexShape) {
  AxisForm form;
  bool keepsAxis = !llvm::is_contained(windows.collapsed, axis);
  int64_t count = indexShape.size();
  form.shape.append(windows.operandShape.begin(), windows.operandShape.begin() + axis);
  llvm::append_range(form.shape, indexShape);
  if (keepsAxis)
    form.shape.push_back(1);
  form.shape.append(windows.operandShape.begin() + axis + 1, windows.operandShape.end());
  IntList window = windows.windowDims();
  int64_t batch = 0, offset = 0;
  for (int64_t dim = 0; dim < static_cast<int64_t>(windows.itemsShape.size()); ++dim) {
    if (!llvm::is_contained(windows.offsetDims, dim)) {
      form.permutation.push_back(axis + batch++);
      continue;
    }
    int64_t operandDim = window[offset++];
    form.permutation.push_back(operandDim < axis ? operandDim : operandDim == axis ? axis + count : operandDim - 1 + count + keepsAxis);
  }
  return form;
}

static SmallVector<int64_t> withoutKeptAxis(const AxisForm &form, const Windows &windows, int64_t axis, int64_t count) {
  SmallVector<int64_t> shape(form.shape);
  if (!llvm::is_contained(windows.collapsed, axis))
    shape.erase(shape.begin() + axis + count);
  return shape;
}

//===-- gather ---------------------------------------------------------------------------------------------------===//

static Value gatherWindows(TensorBuilder &b, Value x, Value indices, const Windows &windows) {
  if (int64_t axis = windows.axis(); axis >= 0) {
    Value index = indexComponent(b, indices, windows, 0);
    AxisForm form = axisForm(windows, axis, TensorBuilder::typeOf(index).getShape());
    return b.transpose(b.reshape(b.fold<GatherOp>(x, index, axis), form.shape), form.permutation);
  }
  if (int64_t axis = windows.batchedAxis(); axis >= 0) {
    AlongAxis along = indicesAlongAxis(b, indices, windows, axis);
    return b.transpose(b.reshape(b.fold<TakeAlongAxisOp>(x, along.indices, axis), along.splitShape), along.permutation);
  }
  Rows rows = computeRows(b, indices, windows, /*clamp=*/true);
  Value gathered = b.fold<GatherOp>(b.reshape(x, {rows.count, rows.width}), rows.positions, 0);
  SmallVector<int64_t> shape(TensorBuilder::typeOf(rows.positions).getShape());
  shape.append(windows.operandShape.begin() + rows.rank, windows.operandShape.end());
  return b.transpose(b.reshape(gathered, shape), rows.permutation);
}

static LogicalResult importGather(Importer &importer, Operation &op, TensorBuilder &b, const IntList &sizes) {
  Value x = importer.operand(op, 0);
  auto fields = Fields::read(op, "dimension_numbers");
  auto indices = readIndices(importer, op, b, 1);
  if (failed(fields) || failed(indices))
    return failure();
  Windows windows;
  llvm::append_range(windows.operandShape, TensorBuilder::typeOf(x).getShape());
  llvm::append_range(windows.itemsShape, importer.resultType(op).getShape());
  windows.offsetDims = fields->list("offset_dims");
  windows.collapsed = fields->list("collapsed_slice_dims");
  windows.operandBatching = fields->list("operand_batching_dims");
  windows.indicesBatching = fields->list("start_indices_batching_dims");
  windows.indexMap = fields->list("start_index_map");
  windows.indexVectorDim = fields->integer("index_vector_dim");
  windows.sizes = sizes;
  if (failed(windows.check(op, TensorBuilder::typeOf(*indices))))
    return failure();
  bool isEmpty = importer.resultType(op).getNumElements() == 0;
  importer.setResult(op, isEmpty ? b.zeros(importer.resultType(op)) : gatherWindows(b, x, *indices, windows));
  return success();
}

static LogicalResult gather(Importer &importer, Operation &op, TensorBuilder &b) {
  auto sizes = readInts(op, "slice_sizes", TensorBuilder::typeOf(importer.operand(op, 0)).getRank());
  return failed(sizes) ? failure() : importGather(importer, op, b, *sizes);
}

// The sizes are an operand, which must be known.
static LogicalResult dynamicGather(Importer &importer, Operation &op, TensorBuilder &b) {
  DenseIntElementsAttr elements;
  if (!matchPattern(importer.operandParts(op, 2).real, m_Constant(&elements)) || elements.getNumElements() != TensorBuilder::typeOf(importer.operand(op, 0)).getRank())
    return importer.unsupported(op, "slice sizes must be constant");
  IntList sizes;
  for (APInt size : elements.getValues<APInt>())
    sizes.push_back(size.getSExtValue());
  return importGather(importer, op, b, sizes);
}

//===-- scatter --------------------------------------------------------------------------------------------------===//

namespace {
// What a scatter writes to one operand: kind is a combiner (see matchCombiner), "set", or empty for any other body.
struct Destination {
  Parts x, updates;
  StringRef kind;
  bool isUnsigned;
};
} // namespace

static StringRef scatterKind(Region &region, unsigned index) {
  StringRef kind = matchCombiner(region, index);
  if (!kind.empty() || !region.hasOneBlock() || region.front().empty())
    return kind;
  Block &block = region.front();
  unsigned count = block.getNumArguments() / 2;
  bool returnsUpdate = index < block.back().getNumOperands() && block.getNumArguments() == 2 * count && block.back().getOperand(index) == block.getArgument(count + index);
  return returnsUpdate ? "set" : "";
}

// One raf scatter along an axis; x and updates are of the types that raf has for it.
static Value scatterAxis(TensorBuilder &b, StringRef kind, bool isUnsigned, Value x, Value indices, Value updates, int64_t axis) {
  if (kind == "set")
    return b.fold<ScatterOp>(ScatterKind::set, x, indices, updates, axis);
  if (isBool(x)) {
    Type byte = b.getBuilder().getI8Type();
    bool isAny = kind == "or" || kind == "add" || kind == "maximum";
    Value bytes = b.fold<ScatterOp>(isAny ? ScatterKind::max : ScatterKind::min, b.cast(x, byte), indices, b.cast(updates, byte), axis);
    return b.cast(bytes, b.getBuilder().getI1Type());
  }
  if (kind == "add")
    return b.fold<ScatterAddOp>(x, indices, updates, axis);
  if (kind == "multiply")
    return b.fold<ScatterOp>(ScatterKind::mul, x, indices, updates, axis);
  ScatterKind order = kind == "maximum" ? ScatterKind::max : ScatterKind::min;
  if (!isUnsigned)
    return b.fold<ScatterOp>(order, x, indices, updates, axis);
  return flipSign(b, b.fold<ScatterOp>(order, flipSign(b, x), indices, flipSign(b, updates), axis));
}

static Value scatterWindows(TensorBuilder &b, const Destination &to, Value x, Value updates, Value indices, const Windows &windows) {
  if (int64_t axis = windows.axis(); axis >= 0) {
    Value index = indexComponent(b, indices, windows, 0);
    AxisForm form = axisForm(windows, axis, TensorBuilder::typeOf(index).getShape());
    Value ordered = b.transpose(updates, inversePermutation(form.permutation));
    return scatterAxis(b, to.kind, to.isUnsigned, x, index, b.reshape(ordered, withoutKeptAxis(form, windows, axis, TensorBuilder::typeOf(index).getRank())), axis);
  }
  if (int64_t axis = windows.batchedAxis(); axis >= 0 && to.kind == "add" && !isBool(x)) {
    AlongAxis along = indicesAlongAxis(b, indices, windows, axis);
    Value ordered = b.transpose(updates, inversePermutation(along.permutation));
    return b.fold<AddAlongAxisOp>(x, along.indices, b.reshape(ordered, TensorBuilder::typeOf(along.indices).getShape()), axis);
  }
  Rows rows = computeRows(b, indices, windows, /*clamp=*/false);
  Value positions = rows.positions;
  if (rows.inside)
    positions = b.select(rows.inside, positions, b.splatLike(positions, rows.count));
  SmallVector<int64_t> shape(TensorBuilder::typeOf(positions).getShape());
  shape.push_back(rows.width);
  Value ordered = b.reshape(b.transpose(updates, inversePermutation(rows.permutation)), shape);
  Value flat = scatterAxis(b, to.kind, to.isUnsigned, b.reshape(x, {rows.count, rows.width}), positions, ordered, 0);
  return b.reshape(flat, TensorBuilder::typeOf(x).getShape());
}

// Any body: one window after the other is read, combined and written. Rows outside are read clamped and written nowhere.
static LogicalResult scatterInOrder(Importer &importer, Operation &op, TensorBuilder &b, ArrayRef<Destination> destinations, Value indices, const Windows &windows) {
  if (llvm::any_of(destinations, [](const Destination &to) { return static_cast<bool>(to.x.imag); }))
    return importer.unsupported(op, "of complex numbers with this body");
  Rows rows = computeRows(b, indices, windows, /*clamp=*/false);
  Value positions = rows.positions;
  if (rows.inside)
    positions = b.select(rows.inside, positions, b.splatLike(positions, rows.count));
  int64_t count = TensorBuilder::typeOf(positions).getNumElements();
  positions = b.reshape(positions, {count});
  SmallVector<Value> flat, updates;
  for (const Destination &to : destinations) {
    flat.push_back(b.reshape(to.x.real, {rows.count, rows.width}));
    updates.push_back(b.reshape(b.transpose(to.updates.real, inversePermutation(rows.permutation)), {count, rows.width}));
  }
  OpBuilder &builder = b.getBuilder();
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, b.getLoc(), value); };
  auto loop = b.create<scf::ForOp>(constant(0), constant(count), constant(1), flat);
  {
    OpBuilder::InsertionGuard guard(builder);
    if (!loop.getBody()->empty())
      loop.getBody()->getTerminator()->erase();
    builder.setInsertionPointToStart(loop.getBody());
    Value trip = arith::IndexCastOp::create(builder, b.getLoc(), builder.getI64Type(), loop.getInductionVar());
    trip = tensor::FromElementsOp::create(builder, b.getLoc(), RankedTensorType::get({}, builder.getI64Type()), trip);
    Value zero = b.zeros(trip.getType()), position = b.fold<DynamicSliceOp>(TensorBuilder::typeOf(positions).clone({1}), positions, ValueRange{trip});
    SmallVector<Parts> arguments;
    for (Value x : loop.getRegionIterArgs())
      arguments.push_back({b.fold<GatherOp>(x, position, 0), {}});
    for (Value update : updates)
      arguments.push_back({b.fold<DynamicSliceOp>(TensorBuilder::typeOf(update).clone({1, rows.width}), update, ValueRange{trip, zero}), {}});
    auto results = importer.applyPointwise(op, 0, arguments, {1, rows.width});
    if (failed(results) || results->size() != destinations.size())
      return failed(results) ? failure() : op.emitOpError("has a body that must return one value for each operand");
    SmallVector<Value> next;
    for (auto [x, result] : llvm::zip(loop.getRegionIterArgs(), *results)) {
      if (result && result.real.getType() != TensorBuilder::typeOf(x).clone({1, rows.width}))
        return op.emitOpError() << "has a body that must return values of the element types of its operands";
      next.push_back(result ? b.fold<ScatterOp>(ScatterKind::set, x, position, result.real, 0) : Value(x));
    }
    scf::YieldOp::create(builder, b.getLoc(), next);
  }
  for (auto [index, result] : llvm::enumerate(loop.getResults()))
    importer.setParts(op, index, {b.reshape(result, windows.operandShape), {}});
  return success();
}

static LogicalResult scatter(Importer &importer, Operation &op, TensorBuilder &b) {
  unsigned count = op.getNumOperands() / 2;
  if (count == 0 || op.getNumOperands() != 2 * count + 1 || op.getNumResults() != count)
    return op.emitOpError() << "needs n operands, indices, n updates and n results, got " << op.getNumOperands() << " and " << op.getNumResults();
  auto fields = Fields::read(op, "scatter_dimension_numbers");
  auto indices = readIndices(importer, op, b, count);
  if (failed(fields) || failed(indices))
    return failure();
  SmallVector<Destination> destinations;
  for (unsigned i = 0; i < count; ++i) {
    if (op.getOperand(i).getType() != op.getResult(i).getType() || getElementTypeOrSelf(op.getOperand(count + 1 + i).getType()) != getElementTypeOrSelf(op.getOperand(i).getType()))
      return op.emitOpError() << "needs results of the types of the operands and updates of their element types, got " << op.getOperandTypes();
    Destination to{importer.operandParts(op, i), importer.operandParts(op, count + 1 + i), scatterKind(op.getRegion(0), i), isUnsigned(op.getOperand(i).getType())};
    if (TensorBuilder::typeOf(to.x.real).getShape() != TensorBuilder::typeOf(importer.operand(op, 0)).getShape() ||
        TensorBuilder::typeOf(to.updates.real).getShape() != TensorBuilder::typeOf(importer.operand(op, count + 1)).getShape())
      return op.emitOpError() << "needs operands of one shape and updates of one shape, got " << op.getOperandTypes();
    destinations.push_back(to);
  }
  Windows windows;
  llvm::append_range(windows.operandShape, TensorBuilder::typeOf(destinations[0].x.real).getShape());
  llvm::append_range(windows.itemsShape, TensorBuilder::typeOf(destinations[0].updates.real).getShape());
  windows.offsetDims = fields->list("update_window_dims");
  windows.collapsed = fields->list("inserted_window_dims");
  windows.operandBatching = fields->list("input_batching_dims");
  windows.indicesBatching = fields->list("scatter_indices_batching_dims");
  windows.indexMap = fields->list("scatter_dims_to_operand_dims");
  windows.indexVectorDim = fields->integer("index_vector_dim");
  // The updates say how large the window is.
  windows.sizes.assign(windows.operandShape.size(), 1);
  for (auto [dim, item] : llvm::zip(windows.windowDims(), windows.offsetDims))
    if (item >= 0 && item < static_cast<int64_t>(windows.itemsShape.size()))
      windows.sizes[dim] = windows.itemsShape[item];
  if (failed(windows.check(op, TensorBuilder::typeOf(*indices))))
    return failure();
  if (product(windows.itemsShape) == 0 || product(windows.operandShape) == 0) {
    for (auto [index, to] : llvm::enumerate(destinations))
      importer.setParts(op, index, to.x);
    return success();
  }
  auto isDirect = [&](const Destination &to) {
    bool bits = (to.kind == "and" || to.kind == "or") && !isBool(to.x.real);
    return !to.kind.empty() && !bits && (!to.x.imag || to.kind == "set" || to.kind == "add");
  };
  if (!llvm::all_of(destinations, isDirect))
    return scatterInOrder(importer, op, b, destinations, *indices, windows);
  for (auto [index, to] : llvm::enumerate(destinations)) {
    Parts result{scatterWindows(b, to, to.x.real, to.updates.real, *indices, windows), {}};
    if (to.x.imag)
      result.imag = scatterWindows(b, to, to.x.imag, to.updates.imag, *indices, windows);
    importer.setParts(op, index, result);
  }
  return success();
}

void mlir::raf::stablehlo::addIndexingHandlers(HandlerTable &table) {
  table.add("stablehlo.gather", {gather, 2, 1, 0, Complex::eachPart});
  table.add("stablehlo.dynamic_gather", {dynamicGather, 3, 1, 0, Complex::eachPart});
  table.add("stablehlo.scatter", {scatter, -1, -1, 1, Complex::handled});
}
