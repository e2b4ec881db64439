// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of memory accesses: each index against the memref's shape, and the address with the simulator's shadows.
#include "passes/codegen-gpu/Sim.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "runtime/cuda_sim/raf_cuda_sim.h"

using namespace mlir;
using namespace mlir::raf;

int32_t SimChecks::flags() const { return (memory ? RAF_SIM_CHECK_MEMORY : 0) | (races ? RAF_SIM_CHECK_RACES : 0); }

int64_t mlir::raf::getSimBytes(Type element) { return element.isIndex() ? 8 : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8); }

/// Memory of the thread alone needs no shadows.
static bool isPrivate(Value buffer) {
  while (Operation *op = buffer.getDefiningOp()) {
    if (isa<memref::AllocaOp>(op))
      return true;
    auto view = dyn_cast<ViewLikeOpInterface>(op);
    if (!view)
      return false;
    buffer = view.getViewSource();
  }
  return false;
}

static FailureOr<SimAccess> getAccess(Operation *op) {
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return SimAccess{load.getMemRef(), load.getIndices()};
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return SimAccess{store.getMemRef(), store.getIndices(), 1, RAF_SIM_STORE};
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
    return SimAccess{atomic.getMemref(), atomic.getIndices(), 1, RAF_SIM_ATOMIC};
  if (auto atomic = dyn_cast<memref::GenericAtomicRMWOp>(op))
    return SimAccess{atomic.getMemref(), atomic.getIndices(), 1, RAF_SIM_ATOMIC};
  auto vectorAccess = [&](auto access, VectorType type, int32_t kind) -> FailureOr<SimAccess> {
    if (type.getRank() > 1 || type.isScalable() || access.getMemRefType().getRank() == 0)
      return op->emitOpError("cannot be simulated: expected a vector of one dimension, got ") << type;
    return SimAccess{access.getBase(), access.getIndices(), type.getRank() ? type.getDimSize(0) : 1, kind, static_cast<int64_t>(access.getAlignment().value_or(0))};
  };
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return vectorAccess(load, load.getVectorType(), RAF_SIM_LOAD);
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return vectorAccess(store, store.getVectorType(), RAF_SIM_STORE);
  return op->emitOpError("cannot be simulated: expected memref.load, memref.store, memref.atomic_rmw, vector.load or vector.store");
}

void mlir::raf::checkSimBounds(ImplicitLocOpBuilder &b, Operation *op, const SimAccess &access, const SimCalls &calls) {
  auto type = cast<MemRefType>(access.buffer.getType());
  for (auto [dim, index] : llvm::enumerate(access.indices)) {
    bool last = dim + 1 == access.indices.size();
    int64_t needed = last ? access.elements : 1;
    Value size;
    if (type.isDynamicDim(dim)) {
      size = memref::DimOp::create(b, access.buffer, dim);
    } else {
      size = arith::ConstantIndexOp::create(b, type.getDimSize(dim));
    }
    // As unsigned numbers, negative ones are too large.
    Value end = needed == 1 ? index : arith::AddIOp::create(b, index, arith::ConstantIndexOp::create(b, needed - 1));
    Value outside = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, end, size);
    if (needed > 1)
      outside = arith::OrIOp::create(b, outside, arith::CmpIOp::create(b, arith::CmpIPredicate::uge, index, size));
    auto guard = scf::IfOp::create(b, outside, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard restore(b);
    b.setInsertionPointToStart(guard.thenBlock());
    Value wrong = arith::IndexCastOp::create(b, b.getI64Type(), end), wide = arith::IndexCastOp::create(b, b.getI64Type(), size);
    calls.call(b, "raf_sim_out_of_bounds", Type(), {wrong, wide, calls.site(b, op)});
  }
}

Value mlir::raf::getSimAddress(ImplicitLocOpBuilder &b, const SimAccess &access) {
  auto type = cast<MemRefType>(access.buffer.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  Value position;
  auto constant = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, value); };
  auto add = [&](Value value) { position = position ? arith::AddIOp::create(b, position, value) : value; };
  if (succeeded(type.getStridesAndOffset(strides, offset)) && ShapedType::isStatic(offset) && ShapedType::isStaticShape(strides)) {
    add(constant(offset));
    for (auto [index, stride] : llvm::zip(access.indices, strides))
      add(arith::MulIOp::create(b, index, constant(stride)));
  } else {
    auto metadata = memref::ExtractStridedMetadataOp::create(b, access.buffer);
    add(metadata.getOffset());
    for (auto [index, stride] : llvm::zip(access.indices, metadata.getStrides()))
      add(arith::MulIOp::create(b, index, stride));
  }
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(b, access.buffer);
  Value address = arith::AddIOp::create(b, base, arith::MulIOp::create(b, position, constant(getSimBytes(type.getElementType()))));
  Value number = arith::IndexCastOp::create(b, b.getI64Type(), address);
  return LLVM::IntToPtrOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), number);
}

LogicalResult mlir::raf::checkSimAccesses(func::FuncOp kernel, const SimCalls &calls, const SimChecks &checks) {
  SmallVector<Operation *> accesses;
  kernel.walk([&](Operation *op) {
    if (isa<memref::LoadOp, memref::StoreOp, memref::AtomicRMWOp, memref::GenericAtomicRMWOp, memref::CopyOp, vector::LoadOp, vector::StoreOp, vector::MaskedLoadOp,
            vector::MaskedStoreOp, vector::GatherOp, vector::ScatterOp, vector::TransferReadOp, vector::TransferWriteOp>(op))
      accesses.push_back(op);
  });
  int32_t flags = checks.flags();
  for (Operation *op : accesses) {
    FailureOr<SimAccess> access = getAccess(op);
    if (failed(access))
      return failure();
    ImplicitLocOpBuilder b(op->getLoc(), op);
    if (checks.bounds)
      checkSimBounds(b, op, *access, calls);
    if (!flags || isPrivate(access->buffer))
      continue;
    int64_t bytes = getSimBytes(cast<MemRefType>(access->buffer.getType()).getElementType());
    int32_t aligned = llvm::Log2_64(access->alignment ? access->alignment : llvm::bit_floor<uint64_t>(bytes));
    calls.call(b, "raf_sim_access", Type(),
               {getSimAddress(b, *access), SimCalls::constant(b, bytes * access->elements, 64), SimCalls::constant(b, access->kind | flags | aligned << RAF_SIM_ALIGNMENT_SHIFT),
                calls.site(b, op)});
  }
  return success();
}
