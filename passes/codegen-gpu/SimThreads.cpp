// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread knows of itself and does with others, as calls of the simulator.
#include "passes/codegen-gpu/Sim.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "runtime/cuda_sim/raf_cuda_sim.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cstddef>

using namespace mlir;
using namespace mlir::raf;

static constexpr int64_t kWarp = 32;

bool mlir::raf::isCooperative(Operation *kernel) {
  return kernel
      ->walk([](Operation *op) {
        return isa<gpu::BarrierOp, gpu::ShuffleOp, gpu::SubgroupReduceOp, nvgpu::LdMatrixOp, nvgpu::MmaSyncOp, NVVM::WgmmaMmaAsyncOp, NVVM::SyncWarpOp, NVVM::Barrier0Op>(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
class Lowering {
public:
  Lowering(const SimCalls &calls) : calls(calls) {}

  /// The values of the op's results.
  FailureOr<SmallVector<Value>> lower(Operation *op) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    using Result = FailureOr<SmallVector<Value>>;
    return llvm::TypeSwitch<Operation *, Result>(op)
        .Case([&](gpu::ThreadIdOp id) -> Result { return one(field(b, offsetof(raf_sim_thread, thread_id), id.getDimension())); })
        .Case([&](gpu::BlockIdOp id) -> Result { return one(field(b, offsetof(raf_sim_thread, block_id), id.getDimension())); })
        .Case([&](gpu::BlockDimOp size) -> Result { return one(field(b, offsetof(raf_sim_thread, block_dim), size.getDimension())); })
        .Case([&](gpu::GridDimOp size) -> Result { return one(field(b, offsetof(raf_sim_thread, grid_dim), size.getDimension())); })
        .Case([&](gpu::GlobalIdOp id) -> Result {
          Value block = field(b, offsetof(raf_sim_thread, block_id), id.getDimension()), size = field(b, offsetof(raf_sim_thread, block_dim), id.getDimension());
          return one(arith::AddIOp::create(b, arith::MulIOp::create(b, block, size), field(b, offsetof(raf_sim_thread, thread_id), id.getDimension())));
        })
        .Case([&](gpu::LaneIdOp) -> Result { return one(arith::RemUIOp::create(b, linear(b), index(b, kWarp))); })
        .Case([&](gpu::SubgroupIdOp) -> Result { return one(arith::DivUIOp::create(b, linear(b), index(b, kWarp))); })
        .Case([&](gpu::SubgroupSizeOp) -> Result { return one(index(b, kWarp)); })
        .Case([&](gpu::NumSubgroupsOp) -> Result {
          Value threads = index(b, 1);
          for (gpu::Dimension dim : {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z})
            threads = arith::MulIOp::create(b, threads, field(b, offsetof(raf_sim_thread, block_dim), dim));
          return one(arith::CeilDivUIOp::create(b, threads, index(b, kWarp)));
        })
        .Case([&](gpu::BarrierOp) -> Result { return none(b, op, "raf_sim_barrier"); })
        .Case([&](NVVM::Barrier0Op) -> Result { return none(b, op, "raf_sim_barrier"); })
        .Case([&](NVVM::SyncWarpOp) -> Result { return none(b, op, "raf_sim_warp_barrier"); })
        .Case([&](NVVM::CpAsyncCommitGroupOp) -> Result {
          calls.call(b, "raf_sim_async_commit", Type(), {});
          return SmallVector<Value>();
        })
        .Case([&](NVVM::CpAsyncWaitGroupOp wait) -> Result {
          calls.call(b, "raf_sim_async_wait", Type(), SimCalls::constant(b, wait.getN()));
          return SmallVector<Value>();
        })
        .Case([&](NVVM::FenceProxyOp fence) -> Result {
          if (fence.getKind() != NVVM::ProxyKind::async && fence.getKind() != NVVM::ProxyKind::async_shared)
            return fence.emitOpError("cannot be simulated: expected the proxy async or async.shared");
          calls.call(b, "raf_sim_proxy_fence", Type(), {});
          return SmallVector<Value>();
        })
        .Case([&](NVVM::WgmmaFenceAlignedOp) -> Result {
          calls.call(b, "raf_sim_wgmma_fence", Type(), {});
          return SmallVector<Value>();
        })
        .Case([&](NVVM::WgmmaGroupSyncAlignedOp) -> Result {
          calls.call(b, "raf_sim_wgmma_commit", Type(), {});
          return SmallVector<Value>();
        })
        .Case([&](NVVM::WgmmaWaitGroupSyncOp wait) -> Result {
          calls.call(b, "raf_sim_wgmma_wait", Type(), SimCalls::constant(b, wait.getGroup()));
          return SmallVector<Value>();
        })
        .Case([&](NVVM::ConvertFloatToTF32Op convert) -> Result { return this->convert(b, convert); })
        .Case([&](gpu::ShuffleOp shuffle) -> Result { return this->shuffle(b, shuffle); })
        .Default([&](Operation *other) -> Result { return other->emitOpError("cannot be simulated"); });
  }

private:
  static SmallVector<Value> one(Value value) { return {value}; }
  static Value index(ImplicitLocOpBuilder &b, int64_t value) { return arith::ConstantIndexOp::create(b, value); }

  SmallVector<Value> none(ImplicitLocOpBuilder &b, Operation *op, StringRef name) {
    calls.call(b, name, Type(), calls.site(b, op));
    return {};
  }

  /// To the nearest number of 10 bits behind the leading one, away from zero when between two.
  FailureOr<SmallVector<Value>> convert(ImplicitLocOpBuilder &b, NVVM::ConvertFloatToTF32Op op) {
    if (op.getRnd() != NVVM::FPRoundingMode::RNA || op.getSat() != NVVM::SaturationMode::NONE || op.getRelu())
      return op.emitOpError("cannot be simulated: expected the rounding mode rna, without saturation or relu");
    Value value = op.getSrc(), bits = arith::BitcastOp::create(b, b.getI32Type(), value), isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
    Value nearest = arith::AndIOp::create(b, arith::AddIOp::create(b, bits, SimCalls::constant(b, 0x1000)), SimCalls::constant(b, ~0x1fff));
    return one(arith::SelectOp::create(b, isNan, bits, nearest));
  }

  Value field(ImplicitLocOpBuilder &b, size_t offset, gpu::Dimension dim) {
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    auto bytes = static_cast<int32_t>(offset) + static_cast<int32_t>(dim) * 4;
    Value address = LLVM::GEPOp::create(b, pointer, b.getI8Type(), calls.thread, ArrayRef<LLVM::GEPArg>{bytes});
    auto value = LLVM::LoadOp::create(b, b.getI32Type(), address);
    value.setInvariant(true);
    return arith::IndexCastOp::create(b, b.getIndexType(), value);
  }

  Value linear(ImplicitLocOpBuilder &b) {
    auto id = [&](gpu::Dimension dim) { return field(b, offsetof(raf_sim_thread, thread_id), dim); };
    auto size = [&](gpu::Dimension dim) { return field(b, offsetof(raf_sim_thread, block_dim), dim); };
    Value rows = arith::AddIOp::create(b, id(gpu::Dimension::y), arith::MulIOp::create(b, size(gpu::Dimension::y), id(gpu::Dimension::z)));
    return arith::AddIOp::create(b, id(gpu::Dimension::x), arith::MulIOp::create(b, size(gpu::Dimension::x), rows));
  }

  /// The simulator exchanges 32 bits.
  FailureOr<SmallVector<Value>> shuffle(ImplicitLocOpBuilder &b, gpu::ShuffleOp op) {
    Type type = op.getValue().getType(), i32 = b.getI32Type(), i64 = b.getI64Type();
    auto vector = dyn_cast<VectorType>(type);
    int64_t bits = vector ? vector.getNumElements() * vector.getElementTypeBitWidth() : type.getIntOrFloatBitWidth();
    if (bits > 64)
      return op.emitOpError("cannot be simulated: expected a value of at most 64 bits, got ") << type;
    Type integer = b.getIntegerType(bits);
    Value value = LLVM::BitcastOp::create(b, integer, op.getValue());
    if (!valid) {
      // One for all, at the start: one in a loop would take stack in each round.
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(Value(calls.thread).getParentBlock());
      valid = LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), i32, SimCalls::constant(b, 1, 64));
    }
    auto exchange = [&](Value word) {
      int32_t mode = op.getMode() == gpu::ShuffleMode::XOR    ? RAF_SIM_XOR
                     : op.getMode() == gpu::ShuffleMode::UP   ? RAF_SIM_UP
                     : op.getMode() == gpu::ShuffleMode::DOWN ? RAF_SIM_DOWN
                                                              : RAF_SIM_IDX;
      return calls.call(b, "raf_sim_shuffle", i32, {word, SimCalls::constant(b, mode), op.getOffset(), op.getWidth(), valid, calls.site(b, op)});
    };
    Value result;
    if (bits <= 32) {
      Value word = bits < 32 ? Value(arith::ExtUIOp::create(b, i32, value)) : value;
      word = exchange(word);
      result = bits < 32 ? Value(arith::TruncIOp::create(b, integer, word)) : word;
    } else {
      Value wide = bits < 64 ? Value(arith::ExtUIOp::create(b, i64, value)) : value, half = SimCalls::constant(b, 32, 64);
      Value low = exchange(arith::TruncIOp::create(b, i32, wide)), high = exchange(arith::TruncIOp::create(b, i32, arith::ShRUIOp::create(b, wide, half)));
      result = arith::OrIOp::create(b, arith::ExtUIOp::create(b, i64, low), arith::ShLIOp::create(b, arith::ExtUIOp::create(b, i64, high), half));
      if (bits < 64)
        result = arith::TruncIOp::create(b, integer, result);
    }
    result = LLVM::BitcastOp::create(b, type, result);
    Value seen = LLVM::LoadOp::create(b, i32, valid);
    return SmallVector<Value>{result, arith::CmpIOp::create(b, arith::CmpIPredicate::ne, seen, SimCalls::constant(b, 0))};
  }

  const SimCalls &calls;
  Value valid; // where shuffles say whether the lane existed
};
} // namespace

LogicalResult mlir::raf::lowerSimThreads(func::FuncOp kernel, const SimCalls &calls, const SimChecks &checks) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isa<gpu::GPUDialect, nvgpu::NVGPUDialect, NVVM::NVVMDialect>(op->getDialect()))
      ops.push_back(op);
  });
  Lowering lowering(calls);
  for (Operation *op : ops) {
    FailureOr<SmallVector<Value>> values = isa<nvgpu::NVGPUDialect>(op->getDialect()) ? lowerSimNVGPU(op, calls, checks) : lowering.lower(op);
    if (failed(values))
      return failure();
    op->replaceAllUsesWith(*values);
    op->erase();
  }
  return success();
}
