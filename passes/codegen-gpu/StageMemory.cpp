// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the values of a stage lie, and their loads and stores.
#include "passes/codegen-gpu/StageEmission.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/codegen/ScalarBody.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

static Value constant(OpBuilder &builder, Location loc, int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

void StageEmission::placeValues() {
  for (auto [argument, buffer] : llvm::zip(kernel.getArguments(), place.buffers))
    if (isa<RankedTensorType>(argument.getType()))
      memory[argument].push_back(buffer);
    else
      scalars.map(argument, buffer);
  for (auto op : kernel.getBody().front().getOps<arith::ConstantOp>())
    builder.clone(*op, scalars);
  // What earlier stages have left.
  int64_t firstInit = kernel.getNumArguments() - kernel.getNumResults();
  for (OpOperand &returned : kernel.getBody().front().getTerminator()->getOpOperands())
    if (returned.get().getDefiningOp() && !plan.homes.contains(returned.get()))
      memory[returned.get()].push_back(place.buffers[firstInit + returned.getOperandNumber()]);
  for (auto &[value, home] : plan.homes) {
    for (int64_t destination : home.destinations)
      memory[value].push_back(place.buffers[destination]);
    if (home.sharedElements > 0)
      memory[value].push_back(sharedMemory(lanes, value.getLoc(), home.sharedElements * plan.points, cast<RankedTensorType>(value.getType()).getElementType()));
  }
}

Value StageEmission::flattened(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() <= 1)
    return buffer;
  Value &view = flat[buffer];
  if (!view) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&func.getBody().front());
    view = raf::flattened(builder, func.getLoc(), buffer);
  }
  return view;
}

SmallVector<Value> StageEmission::position(const Access &access, Value buffer, const Indices &indices, Location loc, int64_t loop, int64_t step) {
  if (cast<MemRefType>(buffer.getType()).getRank() == 0)
    return {};
  Value sum;
  auto add = [&](Value term) { sum = sum ? arith::AddIOp::create(builder, loc, sum, term, arith::IntegerOverflowFlags::nsw).getResult() : term; };
  for (auto [index, stride] : llvm::zip(indices, access.strides))
    if (index && stride != 0)
      add(multiplyAdd(builder, loc, index, stride, {}));
  int64_t offset = access.offset;
  if (loop >= 0)
    offset += step * access.strides[loop];
  if (!access.rest.empty()) {
    SmallVector<Value> dims;
    for (auto [number, index] : llvm::enumerate(indices)) {
      Value at = index ? index : constant(builder, loc, 0);
      bool stepped = static_cast<int64_t>(number) == loop && step != 0;
      dims.push_back(stepped ? arith::AddIOp::create(builder, loc, at, constant(builder, loc, step)).getResult() : at);
    }
    for (auto &[expr, factor] : access.rest)
      add(multiplyAdd(builder, loc, affine::expandAffineExpr(builder, loc, expr, dims, {}), factor, {}));
  }
  if (auto found = plan.homes.find(access.tensor); found != plan.homes.end() && found->second.sharedElements > 0 && plan.points > 1)
    add(multiplyAdd(builder, loc, lanes.point, found->second.sharedElements, {}));
  if (offset != 0 || !sum)
    add(constant(builder, loc, offset));
  return {sum};
}

StageEmission::Elements StageEmission::load(const Access &access, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, int64_t width, Location loc) {
  Value buffer = flattened(memory.lookup(access.tensor).front());
  // A point past the end, which is the last one again, must not read what that point's own threads overwrite.
  auto guardedLoad = [&](Type type, function_ref<Value()> make) -> Value {
    if (!writes || !inPlace.contains(memory.lookup(access.tensor).front()))
      return make();
    auto branch = scf::IfOp::create(builder, loc, type, writes, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, make());
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)).getResult());
    return branch.getResult(0);
  };
  Type elementType = cast<MemRefType>(buffer.getType()).getElementType();
  auto loadOne = [&](int64_t step) {
    return guardedLoad(elementType, [&] { return Value(memref::LoadOp::create(builder, loc, buffer, position(access, buffer, indices, loc, loop, step))); });
  };
  if (width == 1 || (access.isLinearIn(loop) && access.strides[loop] == 0))
    return {loadOne(0)};
  Elements elements;
  if (!isVector(access, loop, width, moving)) {
    for (int64_t step = 0; step < width; ++step)
      elements.push_back(loadOne(step));
    return elements;
  }
  int64_t piece = pieceOf(access, width);
  auto type = VectorType::get({piece}, elementType);
  for (int64_t step = 0; step < width; step += piece) {
    Value loaded = guardedLoad(type, [&] {
      return Value(vector::LoadOp::create(builder, loc, type, buffer, position(access, buffer, indices, loc, loop, step), /*nontemporal=*/false,
                                          llvm::MaybeAlign(piece * access.elementBytes())));
    });
    for (int64_t i = 0; i < piece; ++i)
      elements.push_back(vector::ExtractOp::create(builder, loc, loaded, i));
  }
  return elements;
}

void StageEmission::store(const Access &access, const Elements &elements, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, Location loc) {
  int64_t width = elements.size();
  for (Value destination : memory.lookup(access.tensor)) {
    Value buffer = flattened(destination);
    if (width == 1 || !isVector(access, loop, width, moving)) {
      for (auto [step, element] : llvm::enumerate(elements))
        memref::StoreOp::create(builder, loc, element, buffer, position(access, buffer, indices, loc, loop, step));
      continue;
    }
    int64_t piece = pieceOf(access, width);
    auto type = VectorType::get({piece}, elements.front().getType());
    for (int64_t step = 0; step < width; step += piece) {
      Value packed = vector::FromElementsOp::create(builder, loc, type, ValueRange(elements).slice(step, piece));
      vector::StoreOp::create(builder, loc, packed, buffer, position(access, buffer, indices, loc, loop, step), /*nontemporal=*/false,
                              llvm::MaybeAlign(piece * access.elementBytes()));
    }
  }
}

StageEmission::Elements StageEmission::read(Value value, const Access &access, const Indices &indices, ArrayRef<int64_t> moving, int64_t loop, int64_t width, Location loc) {
  if (!isa<RankedTensorType>(value.getType()))
    return {scalars.lookupOrDefault(value)};
  if (auto found = registers.find(value); found != registers.end())
    return found->second;
  if (!access.tensor)
    return {scalars.lookupOrDefault(fillValue(value))};
  return load(access, indices, moving, loop, width, loc);
}
