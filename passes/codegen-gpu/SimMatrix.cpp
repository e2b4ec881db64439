// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix fragments and asynchronous copies. Fragments go to the simulator in memory, element by element as the op's vectors have them.
#include "passes/codegen-gpu/Sim.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "runtime/cuda_sim/raf_cuda_sim.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::raf;

namespace {
class Lowering {
public:
  Lowering(Operation *op, const SimCalls &calls, const SimChecks &checks) : b(op->getLoc(), op), calls(calls), checks(checks) {}

  FailureOr<SmallVector<Value>> lower(nvgpu::MmaSyncOp op) {
    auto a = cast<VectorType>(op.getMatrixA().getType()), result = cast<VectorType>(op.getRes().getType());
    std::optional<int32_t> type = operandType(a.getElementType(), op.getTf32Enabled().value_or(false)), to = resultType(result.getElementType());
    if (!type || !to)
      return op.emitOpError("cannot be simulated for operands of ") << a.getElementType() << " and a result of " << result.getElementType();
    Slot out = slot(result);
    SmallVector<Value> operands = {spill(op.getMatrixA()), spill(op.getMatrixB()), spill(op.getMatrixC()), out.address};
    for (int64_t size : op.getMmaShapeAsArray())
      operands.push_back(SimCalls::constant(b, size));
    llvm::append_values(operands, SimCalls::constant(b, *type), SimCalls::constant(b, *to), calls.site(b, op));
    calls.call(b, "raf_sim_mma", Type(), operands);
    return SmallVector<Value>{fill(out, result)};
  }

  FailureOr<SmallVector<Value>> lower(nvgpu::LdMatrixOp op) {
    auto type = cast<VectorType>(op.getRes().getType());
    if (type.getNumElements() * type.getElementTypeBitWidth() != 32 * op.getNumTiles())
      return op.emitOpError("cannot be simulated: expected 32 bits of each of the ") << op.getNumTiles() << " tiles, got " << type;
    SimAccess access{op.getSrcMemref(), op.getIndices(), 1, RAF_SIM_LOAD};
    if (checks.bounds)
      checkSimBounds(b, op, access, calls);
    Slot out = slot(type);
    calls.call(b, "raf_sim_ldmatrix", Type(),
               {getSimAddress(b, access), SimCalls::constant(b, op.getNumTiles()), SimCalls::constant(b, op.getTranspose()), out.address, calls.site(b, op)});
    return SmallVector<Value>{fill(out, type)};
  }

  FailureOr<SmallVector<Value>> lower(nvgpu::DeviceAsyncCopyOp op) {
    int64_t elements = op.getDstElements().getSExtValue(), size = getSimBytes(cast<MemRefType>(op.getDst().getType()).getElementType());
    SimAccess to{op.getDst(), op.getDstIndices(), elements, RAF_SIM_STORE}, from{op.getSrc(), op.getSrcIndices(), elements, RAF_SIM_LOAD};
    Value read = SimCalls::constant(b, elements * size);
    if (checks.bounds) {
      checkSimBounds(b, op, to, calls);
      // How much is read is known only when it runs; the address check has the rest.
      if (!op.getSrcElements())
        checkSimBounds(b, op, from, calls);
    }
    if (Value count = op.getSrcElements()) {
      Value bytes = arith::IndexCastOp::create(b, b.getI32Type(), arith::MulIOp::create(b, count, arith::ConstantIndexOp::create(b, size)));
      read = arith::MinUIOp::create(b, bytes, read);
    }
    // The instruction needs addresses that are multiples of its size.
    int32_t flags = checks.flags() | static_cast<int32_t>(llvm::Log2_64(elements * size)) << RAF_SIM_ALIGNMENT_SHIFT;
    calls.call(b, "raf_sim_async_copy", Type(),
               {getSimAddress(b, to), getSimAddress(b, from), SimCalls::constant(b, elements * size), read, SimCalls::constant(b, flags), calls.site(b, op)});
    return token(op);
  }

  FailureOr<SmallVector<Value>> lower(nvgpu::DeviceAsyncCreateGroupOp op) {
    calls.call(b, "raf_sim_async_commit", Type(), {});
    return token(op);
  }

  FailureOr<SmallVector<Value>> lower(nvgpu::DeviceAsyncWaitOp op) {
    calls.call(b, "raf_sim_async_wait", Type(), SimCalls::constant(b, op.getNumGroups().value_or(0)));
    return SmallVector<Value>();
  }

private:
  struct Slot {
    Value buffer, address;
  };

  static std::optional<int32_t> operandType(Type type, bool tf32) {
    if (type.isF16())
      return RAF_SIM_MMA_F16;
    if (type.isBF16())
      return RAF_SIM_MMA_BF16;
    if (type.isF32() && tf32)
      return RAF_SIM_MMA_TF32;
    if (type.isF64())
      return RAF_SIM_MMA_F64;
    if (type.isInteger(8))
      return RAF_SIM_MMA_S8;
    return std::nullopt;
  }
  static std::optional<int32_t> resultType(Type type) {
    if (type.isF32())
      return 0;
    if (type.isF16())
      return 1;
    if (type.isF64())
      return 2;
    if (type.isInteger(32))
      return 3;
    return std::nullopt;
  }

  /// Tokens say which copies a group has, which the simulator knows by their order.
  SmallVector<Value> token(Operation *op) {
    Value nothing = SimCalls::constant(b, 0);
    return {UnrealizedConversionCastOp::create(b, op->getResult(0).getType(), nothing).getResult(0)};
  }

  Slot slot(VectorType type) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(Value(calls.thread).getParentBlock());
    Value buffer = memref::AllocaOp::create(b, MemRefType::get({type.getNumElements()}, type.getElementType()), b.getI64IntegerAttr(16));
    Value number = arith::IndexCastOp::create(b, b.getI64Type(), memref::ExtractAlignedPointerAsIndexOp::create(b, buffer));
    return {buffer, LLVM::IntToPtrOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), number)};
  }

  Value spill(Value vector) {
    auto type = cast<VectorType>(vector.getType());
    Slot memory = slot(type);
    Value flat = vector::ShapeCastOp::create(b, VectorType::get({type.getNumElements()}, type.getElementType()), vector);
    vector::StoreOp::create(b, flat, memory.buffer, ValueRange{arith::ConstantIndexOp::create(b, 0)});
    return memory.address;
  }

  Value fill(const Slot &memory, VectorType type) {
    Value zero = arith::ConstantIndexOp::create(b, 0);
    Value flat = vector::LoadOp::create(b, VectorType::get({type.getNumElements()}, type.getElementType()), memory.buffer, ValueRange{zero});
    return vector::ShapeCastOp::create(b, type, flat);
  }

  ImplicitLocOpBuilder b;
  const SimCalls &calls;
  const SimChecks &checks;
};
} // namespace

FailureOr<SmallVector<Value>> mlir::raf::lowerSimNVGPU(Operation *op, const SimCalls &calls, const SimChecks &checks) {
  Lowering lowering(op, calls, checks);
  return llvm::TypeSwitch<Operation *, FailureOr<SmallVector<Value>>>(op)
      .Case<nvgpu::MmaSyncOp, nvgpu::LdMatrixOp, nvgpu::DeviceAsyncCopyOp, nvgpu::DeviceAsyncCreateGroupOp, nvgpu::DeviceAsyncWaitOp>(
          [&](auto typed) { return lowering.lower(typed); })
      .Default([](Operation *other) -> FailureOr<SmallVector<Value>> { return other->emitOpError("cannot be simulated"); });
}
