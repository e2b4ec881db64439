// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/ProductEmitter.h"
#include "passes/codegen/EmitFor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/codegen/ScalarBody.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

// Blocks that run at the same time share rows and columns: they go down this many tiles before they go across.
static constexpr int64_t kBand = 8;

ProductEmitter::ProductEmitter(gpu::GPUFuncOp func, func::FuncOp kernel, const StagePlan &plan, const Product &product)
    : func(func), kernel(kernel), plan(plan), product(product), op(product.op->op), builder(func.getBody()), loc(op.getLoc()) {
  builder.setInsertionPointToStart(&func.getBody().front());
  for (auto [argument, buffer] : llvm::zip(kernel.getArguments(), func.getArguments()))
    if (!isa<RankedTensorType>(argument.getType()))
      scalars.map(argument, buffer);
  for (auto constantOp : kernel.getBody().front().getOps<arith::ConstantOp>())
    builder.clone(*constantOp, scalars);
}

void ProductEmitter::placeTile() {
  thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  auto div = [&](Value a, Value b) -> Value { return arith::DivUIOp::create(builder, loc, a, b); };
  auto rem = [&](Value a, Value b) -> Value { return arith::RemUIOp::create(builder, loc, a, b); };
  int64_t across = product.across(), down = product.down();
  Value tile = rem(block, constant(across * down)), number = div(block, constant(across * down));
  Value band = div(tile, constant(across * kBand)), within = rem(tile, constant(across * kBand));
  Value top = multiplyAdd(builder, loc, band, kBand, {}), height = constant(std::min(kBand, down));
  if (down % kBand != 0 && down > kBand)
    height = arith::MinUIOp::create(builder, loc, arith::SubIOp::create(builder, loc, constant(down), top), constant(kBand));
  firstRow = multiplyAdd(builder, loc, add(top, rem(within, height)), product.tileRows, {});
  firstColumn = multiplyAdd(builder, loc, div(within, height), product.tileColumns, {});
  batch.assign(product.op->sizes.size(), Value());
  place(batch, product.batch, number);
}

Value ProductEmitter::constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
Value ProductEmitter::add(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b, arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw); }
Value ProductEmitter::add(Value a, int64_t b) { return b == 0 ? a : add(a, constant(b)); }

void ProductEmitter::place(Indices &indices, ArrayRef<Axis> axes, Value position) {
  for (auto [axis, index] : llvm::zip(axes, positionAlong(builder, loc, axes, 1, position)))
    indices[axis.carrier()] = index;
}

Value ProductEmitter::addressOf(const Access &access, const Indices &indices) {
  Value sum = constant(access.offset);
  for (auto [index, stride] : llvm::zip(indices, access.strides))
    if (index && stride != 0)
      sum = multiplyAdd(builder, loc, index, stride, sum);
  return sum;
}

Value ProductEmitter::bufferOf(Value tensor) {
  if (auto argument = dyn_cast<BlockArgument>(tensor))
    return func.getArgument(argument.getArgNumber());
  auto returned = kernel.getBody().front().getTerminator()->getOperands();
  int64_t number = llvm::find(returned, tensor) - returned.begin();
  return func.getArgument(kernel.getNumArguments() - kernel.getNumResults() + number);
}

Value ProductEmitter::flattened(Value buffer) { return raf::flattened(builder, loc, buffer); }

SmallVector<Value> ProductEmitter::emitFor(Value from, int64_t to, int64_t step, ValueRange initial, function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  return SmallVector<Value>(raf::emitFor(builder, loc, from, constant(to), step, initial, body).getResults());
}

// The loop of an op of the epilogue that runs along with one of the product.
int64_t ProductEmitter::loopOf(const OpPlan &entry, int64_t productLoop) const {
  if (&entry == product.op)
    return productLoop;
  int64_t dim = product.op->dims[productLoop];
  return dim < 0 ? -1 : llvm::find(entry.dims, dim) - entry.dims.begin();
}

bool ProductEmitter::isContiguous(const OpPlan &entry, const Access &access, int64_t width) const {
  SmallVector<int64_t> moving;
  for (const auto *axes : {&product.batch, &product.rows, &product.columns})
    for (const Axis &axis : *axes)
      moving.push_back(loopOf(entry, axis.carrier()));
  return isVector(access, moving.back(), width, moving);
}

int64_t ProductEmitter::finishWidth(int64_t most) const {
  auto isUsable = [&](int64_t width) {
    auto isFine = [&](const OpPlan &entry, const Access &access) {
      int64_t loop = loopOf(entry, product.columns.back().carrier());
      return !access.tensor || access.strides[loop] != 1 || isContiguous(entry, access, width);
    };
    if (product.columns.back().size % width != 0 || !isFine(*product.op, product.op->outputs[0]))
      return false;
    return llvm::all_of(product.epilogue, [&](const OpPlan *entry) { return llvm::all_of(entry->accesses(), [&](const Access &access) { return isFine(*entry, access); }); });
  };
  int64_t width = most;
  while (width > 1 && !isUsable(width))
    width /= 2;
  return width;
}

SmallVector<Value> ProductEmitter::position(const OpPlan &entry, const Access &access, Value buffer, const Indices &indices, int64_t step) {
  if (cast<MemRefType>(buffer.getType()).getRank() == 0)
    return {};
  return {add(addressOf(access, indices), step * access.strides[loopOf(entry, product.columns.back().carrier())])};
}

static int64_t pieceOf(const Access &access, int64_t width) { return std::max<int64_t>(1, std::min<int64_t>(width, 16 / access.elementBytes())); }

SmallVector<Value> ProductEmitter::load(const OpPlan &entry, const Access &access, const Indices &indices, int64_t width) {
  Value buffer = flattened(bufferOf(access.tensor));
  auto loadOne = [&](int64_t step) -> Value { return memref::LoadOp::create(builder, loc, buffer, position(entry, access, buffer, indices, step)); };
  if (access.strides[loopOf(entry, product.columns.back().carrier())] == 0)
    return {loadOne(0)};
  SmallVector<Value> elements;
  bool isWhole = width > 1 && isContiguous(entry, access, width);
  int64_t piece = isWhole ? pieceOf(access, width) : 1;
  for (int64_t step = 0; step < width; step += piece) {
    if (piece == 1) {
      elements.push_back(loadOne(step));
      continue;
    }
    auto type = VectorType::get({piece}, cast<MemRefType>(buffer.getType()).getElementType());
    Value loaded = vector::LoadOp::create(builder, loc, type, buffer, position(entry, access, buffer, indices, step), /*nontemporal=*/false,
                                          llvm::MaybeAlign(piece * access.elementBytes()));
    for (int64_t i = 0; i < piece; ++i)
      elements.push_back(vector::ExtractOp::create(builder, loc, loaded, i));
  }
  return elements;
}

void ProductEmitter::store(const OpPlan &entry, const Access &access, const Indices &indices, ArrayRef<Value> elements) {
  auto home = plan.homes.find(access.tensor);
  if (!access.tensor || home == plan.homes.end())
    return;
  int64_t width = elements.size();
  int64_t piece = width > 1 && isContiguous(entry, access, width) ? pieceOf(access, width) : 1;
  for (int64_t destination : home->second.destinations) {
    Value buffer = flattened(func.getArgument(destination));
    for (int64_t step = 0; step < width; step += piece) {
      SmallVector<Value> at = position(entry, access, buffer, indices, step);
      if (piece == 1) {
        memref::StoreOp::create(builder, loc, elements[step], buffer, at);
        continue;
      }
      Value packed = vector::FromElementsOp::create(builder, loc, VectorType::get({piece}, elements.front().getType()), ValueRange(elements).slice(step, piece));
      vector::StoreOp::create(builder, loc, packed, buffer, at, /*nontemporal=*/false, llvm::MaybeAlign(piece * access.elementBytes()));
    }
  }
}

// One element stands for all where they are equal.
void ProductEmitter::finishOp(const OpPlan &entry, const Indices &indices, int64_t width, DenseMap<Value, SmallVector<Value>> &known) {
  GenericOp generic = entry.op;
  Block *body = generic.getBody();
  auto read = [&](Value value, const Access &access) -> SmallVector<Value> {
    if (!isa<RankedTensorType>(value.getType()))
      return {scalars.lookupOrDefault(value)};
    if (auto found = known.find(value); found != known.end())
      return found->second;
    if (!access.tensor)
      return {scalars.lookupOrDefault(fillValue(value))};
    return load(entry, access, indices, width);
  };
  SmallVector<SmallVector<Value>> arguments(body->getNumArguments());
  unsigned inputs = generic.getNumDpsInputs();
  for (auto [number, input] : llvm::enumerate(generic.getDpsInputs()))
    if (!body->getArgument(number).use_empty())
      arguments[number] = read(input, entry.inputs[number]);
  for (auto [number, init] : llvm::enumerate(generic.getDpsInits()))
    if (!body->getArgument(inputs + number).use_empty() && !init.getDefiningOp<tensor::EmptyOp>())
      arguments[inputs + number] = read(init, entry.starts[number]);
  int64_t moving = loopOf(entry, product.columns.back().carrier());
  SmallVector<SmallVector<Value>> results(generic.getNumResults());
  for (int64_t step = 0; step < width; ++step) {
    IRMapping mapping = scalars;
    for (auto [argument, elements] : llvm::zip(body->getArguments(), arguments))
      if (!elements.empty())
        mapping.map(argument, elements.size() == 1 ? elements.front() : elements[step]);
    auto indexOf = [&](int64_t loop) { return add(indices[loop] ? indices[loop] : constant(0), loop == moving ? step : 0); };
    SmallVector<Value> yielded = cloneBody(builder, generic, mapping, indexOf, [&](Value tensor) { return bufferOf(tensor); });
    for (auto [output, value] : llvm::zip(results, yielded))
      output.push_back(value);
  }
  for (auto [result, access, elements] : llvm::zip(generic.getResults(), entry.outputs, results)) {
    store(entry, access, indices, elements);
    known[result] = elements;
  }
}

void ProductEmitter::finish(Value row, Value column, ArrayRef<Value> sums) {
  Value inside;
  auto require = [&](Value position, int64_t size, int64_t tile) {
    if (size % tile == 0)
      return;
    Value fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, position, constant(size));
    inside = inside ? arith::AndIOp::create(builder, loc, inside, fits).getResult() : fits;
  };
  require(row, product.numRows, product.tileRows);
  require(column, product.numColumns, product.tileColumns);
  emitIf(builder, loc, inside, [&] {
    Indices indices = batch;
    place(indices, product.rows, row);
    place(indices, product.columns, column);
    store(*product.op, product.op->outputs[0], indices, sums);
    DenseMap<Value, SmallVector<Value>> known;
    known[op.getResult(0)] = SmallVector<Value>(sums);
    for (const OpPlan *entry : product.epilogue) {
      Indices own(entry->sizes.size());
      for (auto [loop, index] : llvm::enumerate(indices))
        if (index)
          own[loopOf(*entry, loop)] = index;
      finishOp(*entry, own, sums.size(), known);
    }
  });
}
