// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/Loops.h"
#include "passes/codegen/EmitFor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::raf;

static Value constant(OpBuilder &builder, Location loc, int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

// Indices never come near the limits of their type.
static constexpr auto kNoWrap = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;

Value mlir::raf::multiplyAdd(OpBuilder &builder, Location loc, Value a, int64_t factor, Value b) {
  if (factor == 0)
    return b ? b : constant(builder, loc, 0);
  auto flags = factor > 0 ? kNoWrap : arith::IntegerOverflowFlags::nsw;
  Value product = factor == 1 ? a : arith::MulIOp::create(builder, loc, a, constant(builder, loc, factor), flags).getResult();
  return b ? arith::AddIOp::create(builder, loc, product, b, arith::IntegerOverflowFlags::nsw).getResult() : product;
}

Value mlir::raf::roundToTF32(OpBuilder &builder, Location loc, Value value) {
  Value bits = NVVM::ConvertFloatToTF32Op::create(builder, loc, builder.getI32Type(), value, NVVM::FPRoundingMode::RNA, NVVM::SaturationMode::NONE, /*relu=*/false);
  return arith::BitcastOp::create(builder, loc, value.getType(), bits);
}

SmallVector<Value> mlir::raf::positionAlong(OpBuilder &builder, Location loc, ArrayRef<Axis> axes, int64_t width, Value position) {
  SmallVector<Value> result(axes.size());
  for (int64_t i = static_cast<int64_t>(axes.size()) - 1; i >= 0; --i) {
    int64_t unit = i + 1 == static_cast<int64_t>(axes.size()) ? width : 1;
    Value index = position;
    if (i > 0) {
      Value count = constant(builder, loc, axes[i].size / unit);
      index = arith::RemUIOp::create(builder, loc, position, count);
      position = arith::DivUIOp::create(builder, loc, position, count);
    }
    result[i] = multiplyAdd(builder, loc, index, unit, {});
  }
  return result;
}

SmallVector<Value> mlir::raf::emitSerialLoops(OpBuilder &builder, Location loc, ArrayRef<Axis> axes, int64_t width, const Indices &indices, ValueRange initial, LoopBody body) {
  if (axes.empty())
    return body(indices, initial);
  const Axis &axis = axes.front();
  scf::ForOp loop = emitFor(builder, loc, constant(builder, loc, 0), constant(builder, loc, axis.size), axes.size() == 1 ? width : 1, initial, [&](Value index, ValueRange carried) {
    Indices inner = indices;
    inner[axis.carrier()] = index;
    return emitSerialLoops(builder, loc, axes.drop_front(), width, inner, carried, body);
  });
  return SmallVector<Value>(loop.getResults());
}

SmallVector<Value> mlir::raf::emitSharedLoops(OpBuilder &builder, Location loc, ArrayRef<Axis> axes, int64_t width, Value lane, int64_t lanes, const Indices &indices,
                                              ValueRange initial, LoopBody body) {
  if (lanes == 1 || axes.empty())
    return emitSerialLoops(builder, loc, axes, width, indices, initial, body);
  int64_t count = 1;
  for (const Axis &axis : axes)
    count *= axis.size;
  count /= width;
  auto iterate = [&](Value position, ValueRange carried) {
    Indices inner = indices;
    for (auto [axis, index] : llvm::zip(axes, positionAlong(builder, loc, axes, width, position)))
      inner[axis.carrier()] = index;
    return body(inner, carried);
  };
  if (count == lanes)
    return iterate(lane, initial);
  auto rounds = [&](Value round, ValueRange carried) { return iterate(multiplyAdd(builder, loc, round, lanes, lane), carried); };
  scf::ForOp loop = count % lanes == 0 ? emitFor(builder, loc, constant(builder, loc, 0), constant(builder, loc, count / lanes), 1, initial, rounds)
                                       : emitFor(builder, loc, lane, constant(builder, loc, count), lanes, initial, iterate);
  return SmallVector<Value>(loop.getResults());
}

void mlir::raf::emitIf(OpBuilder &builder, Location loc, Value condition, function_ref<void()> body) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenYield());
  body();
}

Value mlir::raf::flattened(OpBuilder &builder, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() <= 1)
    return buffer;
  SmallVector<ReassociationIndices> groups(1);
  for (int64_t i = 0; i < type.getRank(); ++i)
    groups[0].push_back(i);
  return memref::CollapseShapeOp::create(builder, loc, buffer, groups);
}
