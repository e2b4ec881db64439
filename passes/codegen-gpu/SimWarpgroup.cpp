// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions of warpgroups (wgmma). In PTX they have their sums in registers, the same ones before and after, which hold nothing until the thread has waited. So here the structures that
// pass from one to the next, through loops, are one place in memory, whose users ask the simulator first.
#include "passes/codegen-gpu/Sim.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "runtime/cuda_sim/raf_cuda_sim.h"
#include "llvm/ADT/EquivalenceClasses.h"

#include <cstddef>

using namespace mlir;
using namespace mlir::raf;

namespace {
bool isShared(Value buffer) {
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(cast<MemRefType>(buffer.getType()).getMemorySpace());
  return space && space.getValue() == gpu::AddressSpace::Workgroup;
}

class Lowering {
public:
  Lowering(func::FuncOp kernel, const SimCalls &calls) : kernel(kernel), calls(calls) {}

  LogicalResult run() {
    SmallVector<NVVM::WgmmaMmaAsyncOp> products;
    kernel.walk([&](NVVM::WgmmaMmaAsyncOp op) { products.push_back(op); });
    for (NVVM::WgmmaMmaAsyncOp op : products) {
      connect(op.getInouts(), op.getResults());
      if (op.getResults().getType() != op.getInouts().getType() || !llvm::all_of(cast<LLVM::LLVMStructType>(op.getInouts().getType()).getBody(), [](Type type) { return type.isF32(); }))
        return op.emitOpError("cannot be simulated: expected sums of f32, got ") << op.getInouts().getType();
    }
    // Values that pass through loops pass through the same registers.
    kernel.walk([&](scf::ForOp loop) {
      for (auto [start, inside, next, result] : llvm::zip(loop.getInitArgs(), loop.getRegionIterArgs(), loop.getYieldedValues(), loop.getResults()))
        if (isa<LLVM::LLVMStructType>(start.getType())) {
          connect(inside, result);
          connect(start, result);
          connect(next, result);
        }
    });
    for (const auto *member : classes) {
      Value value = fromKey(member->getData());
      if (failed(checkUses(value)))
        return failure();
    }
    SmallVector<std::pair<OpOperand *, Value>> given;
    for (const auto *member : classes) {
      Value value = fromKey(member->getData()), place = placeOf(value);
      for (OpOperand &use : llvm::make_early_inc_range(value.getUses())) {
        if (auto extract = dyn_cast<LLVM::ExtractValueOp>(use.getOwner()))
          read(extract, place);
      }
    }
    // What other ops have made is put there.
    kernel.walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands()) {
        Value registers = target(operand);
        if (registers && !isRegisters(operand.get()))
          given.push_back({&operand, placeOf(registers)});
      }
    });
    for (auto [operand, place] : given) {
      ImplicitLocOpBuilder b(operand->getOwner()->getLoc(), operand->getOwner());
      // The registers are written where the value is made, which a fence may follow; or else where a loop begins with them.
      if (Operation *made = operand->get().getDefiningOp(); made && made->getBlock() == operand->getOwner()->getBlock())
        b.setInsertionPointAfter(made);
      calls.call(b, "raf_sim_wgmma_registers", Type(), {place, calls.site(b, operand->getOwner())});
      LLVM::StoreOp::create(b, operand->get(), place);
    }
    for (NVVM::WgmmaMmaAsyncOp op : products)
      if (failed(lower(op)))
        return failure();
    return success();
  }

private:
  static Value fromKey(void *key) { return Value::getFromOpaquePointer(key); }

  // Results of instructions and what loops carry of them; not what is made of elements.
  static bool isRegisters(Value value) { return !value.getDefiningOp() || isa<NVVM::WgmmaMmaAsyncOp, scf::ForOp>(value.getDefiningOp()); }

  void connect(Value from, Value to) {
    classes.insert(to.getAsOpaquePointer());
    if (isRegisters(from))
      classes.unionSets(from.getAsOpaquePointer(), to.getAsOpaquePointer());
  }

  // The registers that the operand goes to, if any.
  Value target(OpOperand &operand) const {
    Operation *op = operand.getOwner();
    Value result;
    if (auto product = dyn_cast<NVVM::WgmmaMmaAsyncOp>(op))
      result = operand.get() == product.getInouts() ? product.getResults() : Value();
    else if (auto loop = dyn_cast<scf::ForOp>(op))
      result = operand.getOperandNumber() >= loop.getNumControlOperands() ? loop.getTiedLoopResult(&operand) : Value();
    else if (auto yield = dyn_cast<scf::YieldOp>(op))
      result = isa<scf::ForOp>(op->getParentOp()) ? op->getParentOp()->getResult(operand.getOperandNumber()) : Value();
    return result && classes.contains(result.getAsOpaquePointer()) ? result : Value();
  }

  LogicalResult checkUses(Value value) const {
    int64_t given = 0, reads = 0;
    for (OpOperand &use : value.getUses()) {
      if (target(use))
        ++given;
      else if (isa<LLVM::ExtractValueOp>(use.getOwner()))
        ++reads;
      else
        return use.getOwner()->emitOpError("cannot be simulated: it uses the registers of nvvm.wgmma.mma_async");
    }
    if (given > 1 || (given == 1 && reads > 0))
      return emitError(value.getLoc()) << "nvvm.wgmma.mma_async cannot be simulated: its sums are used again after they were given to another one, expected the same registers before and after";
    return success();
  }

  Value placeOf(Value registers) {
    void *leader = classes.getLeaderValue(registers.getAsOpaquePointer());
    Value &place = places[leader];
    if (!place) {
      ImplicitLocOpBuilder b(kernel.getLoc(), OpBuilder::atBlockBegin(&kernel.getBody().front()));
      place = LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), registers.getType(), SimCalls::constant(b, 1, 64), /*alignment=*/16);
    }
    return place;
  }

  void read(LLVM::ExtractValueOp op, Value place) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    calls.call(b, "raf_sim_wgmma_registers", Type(), {place, calls.site(b, op)});
    Value address = LLVM::GEPOp::create(b, place.getType(), b.getF32Type(), place, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(op.getPosition().front())});
    op.replaceAllUsesWith(LLVM::LoadOp::create(b, b.getF32Type(), address).getResult());
    op.erase();
  }

  LogicalResult lower(NVVM::WgmmaMmaAsyncOp op) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    std::optional<int32_t> type;
    if (op.getTypeA() == op.getTypeB() && op.getTypeD() == NVVM::WGMMATypes::f32)
      type = op.getTypeA() == NVVM::WGMMATypes::f16    ? std::optional<int32_t>(RAF_SIM_MMA_F16)
             : op.getTypeA() == NVVM::WGMMATypes::bf16 ? std::optional<int32_t>(RAF_SIM_MMA_BF16)
             : op.getTypeA() == NVVM::WGMMATypes::tf32 ? std::optional<int32_t>(RAF_SIM_MMA_TF32)
                                                       : std::nullopt;
    auto sums = cast<LLVM::LLVMStructType>(op.getResults().getType());
    int64_t n = op.getShape().getN();
    if (!type || op.getShape().getM() != 64 || static_cast<int64_t>(sums.getBody().size()) * 2 != n)
      return op.emitOpError("cannot be simulated: expected operands of f16, bf16 or tf32 and sums of f32, n / 2 a thread");
    int32_t flags = (op.getScaleD() == NVVM::WGMMAScaleOut::one ? RAF_SIM_WGMMA_ADD : 0) | (op.getScaleA() == NVVM::WGMMAScaleIn::neg ? RAF_SIM_WGMMA_NEGATIVE_A : 0) |
                    (op.getScaleB() == NVVM::WGMMAScaleIn::neg ? RAF_SIM_WGMMA_NEGATIVE_B : 0) | (op.getLayoutA() == NVVM::MMALayout::col ? RAF_SIM_WGMMA_A_ALONG_ROWS : 0) |
                    (op.getLayoutB() == NVVM::MMALayout::row ? RAF_SIM_WGMMA_B_ALONG_ROWS : 0);
    calls.call(b, "raf_sim_wgmma", Type(),
               {op.getDescriptorA(), op.getDescriptorB(), placeOf(op.getResults()), SimCalls::constant(b, n), SimCalls::constant(b, *type), SimCalls::constant(b, flags), calls.site(b, op)});
    // Nobody looks at it.
    op.replaceAllUsesWith(LLVM::PoisonOp::create(b, sums).getResult());
    op.erase();
    return success();
  }

  func::FuncOp kernel;
  const SimCalls &calls;
  llvm::EquivalenceClasses<void *> classes;
  llvm::DenseMap<void *, Value> places;
};
} // namespace

void mlir::raf::lowerSimSharedAddresses(func::FuncOp kernel, const SimCalls &calls) {
  SmallVector<memref::ExtractAlignedPointerAsIndexOp> addresses;
  kernel.walk([&](memref::ExtractAlignedPointerAsIndexOp op) {
    if (isShared(op.getSource()))
      addresses.push_back(op);
  });
  for (memref::ExtractAlignedPointerAsIndexOp op : addresses) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    b.setInsertionPointAfter(op);
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    Value field = LLVM::GEPOp::create(b, pointer, b.getI8Type(), calls.thread, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offsetof(raf_sim_thread, shared))});
    Value start = LLVM::PtrToIntOp::create(b, b.getI64Type(), LLVM::LoadOp::create(b, pointer, field));
    auto offset = arith::SubIOp::create(b, op.getResult(), arith::IndexCastOp::create(b, b.getIndexType(), start));
    Value address = arith::AddIOp::create(b, offset, arith::ConstantIndexOp::create(b, RAF_SIM_SHARED_ADDRESS));
    op.getResult().replaceAllUsesExcept(address, offset);
  }
}

bool mlir::raf::hasWarpgroups(Operation *kernel) {
  return kernel->walk([](NVVM::WgmmaMmaAsyncOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

LogicalResult mlir::raf::lowerSimWarpgroups(func::FuncOp kernel, const SimCalls &calls) { return Lowering(kernel, calls).run(); }
