// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/Lanes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/codegen/ScalarBody.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

static Value constant(OpBuilder &builder, Location loc, int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

// Whether an accumulator takes part in the value.
static bool dependsOnAccumulators(GenericOp op, Value value) {
  SetVector<Value> pending;
  pending.insert(value);
  for (unsigned i = 0; i < pending.size(); ++i) {
    Value current = pending[i];
    if (auto argument = dyn_cast<BlockArgument>(current)) {
      if (argument.getOwner() == op.getBody() && argument.getArgNumber() >= op.getNumDpsInputs())
        return true;
      continue;
    }
    current.getDefiningOp()->walk([&](Operation *nested) { pending.insert(nested->operand_begin(), nested->operand_end()); });
  }
  return false;
}

std::optional<SmallVector<Operation *>> mlir::raf::combiners(GenericOp op) {
  SmallVector<Operation *> found;
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  for (auto [number, yielded] : llvm::enumerate(op.getBody()->getTerminator()->getOperands())) {
    AffineMap map = op.getIndexingMapMatchingResult(op->getResult(number));
    BlockArgument accumulator = op.getBody()->getArgument(op.getNumDpsInputs() + number);
    // What the reduction also writes for each of its iterations.
    if (llvm::any_of(reductions, [&](unsigned loop) { return map.isFunctionOfDim(loop); })) {
      if (dependsOnAccumulators(op, yielded))
        return std::nullopt;
      found.push_back(nullptr);
      continue;
    }
    Operation *last = yielded.getDefiningOp();
    if (!last || last->getBlock() != op.getBody() || last->getNumOperands() != 2 || !accumulator.hasOneUse() || !arith::getNeutralElement(last))
      return std::nullopt;
    bool first = last->getOperand(0) == accumulator;
    if ((!first && last->getOperand(1) != accumulator) || dependsOnAccumulators(op, last->getOperand(first ? 1 : 0)))
      return std::nullopt;
    found.push_back(last);
  }
  return found;
}

Value mlir::raf::combine(OpBuilder &builder, GenericOp op, Operation *combiner, Value a, Value b) {
  IRMapping mapping;
  mapping.map(combiner->getOperand(0), a);
  mapping.map(combiner->getOperand(1), b);
  Operation *cloned = builder.clone(*combiner, mapping);
  setFastMath(op, cloned, combiner);
  return cloned->getResult(0);
}

Value mlir::raf::sharedMemory(const Lanes &lanes, Location loc, int64_t elements, Type element) {
  auto space = gpu::AddressSpaceAttr::get(element.getContext(), gpu::AddressSpace::Workgroup);
  gpu::GPUFuncOp func = lanes.func;
  Value memory = func.addWorkgroupAttribution(MemRefType::get({elements}, element, MemRefLayoutAttrInterface(), space), loc);
  // For vectors of 16 bytes.
  func.setWorkgroupAttributionAttr(func.getNumWorkgroupAttributions() - 1, LLVM::LLVMDialect::getAlignAttrName(), IntegerAttr::get(IntegerType::get(element.getContext(), 64), 16));
  return memory;
}

Value mlir::raf::termOf(GenericOp op, Operation *combiner, Value combined) {
  auto argument = dyn_cast<BlockArgument>(combiner->getOperand(0));
  bool first = argument && argument.getArgNumber() >= op.getNumDpsInputs();
  return combined.getDefiningOp()->getOperand(first ? 1 : 0);
}

// Through shared memory, in halves.
static Value combineInMemory(OpBuilder &builder, const Lanes &lanes, GenericOp op, Operation *combiner, Value part) {
  Location loc = op.getLoc();
  const StagePlan &plan = *lanes.plan;
  Value memory = sharedMemory(lanes, loc, plan.threads(), part.getType());
  memref::StoreOp::create(builder, loc, part, memory, lanes.thread);
  int64_t stride = plan.lanesFastest ? 1 : plan.points;
  for (int64_t half = plan.lanes / 2; half > 0; half /= 2) {
    gpu::BarrierOp::create(builder, loc);
    Value takesPart = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, lanes.lane, constant(builder, loc, half));
    scf::IfOp::create(builder, loc, takesPart, [&](OpBuilder &inner, Location at) {
      Value other = arith::AddIOp::create(inner, at, lanes.thread, constant(inner, at, half * stride));
      Value mine = memref::LoadOp::create(inner, at, memory, lanes.thread), theirs = memref::LoadOp::create(inner, at, memory, other);
      memref::StoreOp::create(inner, at, combine(inner, op, combiner, mine, theirs), memory, lanes.thread);
      scf::YieldOp::create(inner, at);
    });
  }
  gpu::BarrierOp::create(builder, loc);
  Value first = lanes.point;
  if (plan.lanesFastest)
    first = arith::MulIOp::create(builder, loc, lanes.point, constant(builder, loc, plan.lanes));
  return memref::LoadOp::create(builder, loc, memory, first);
}

Value mlir::raf::combineLanes(OpBuilder &builder, const Lanes &lanes, GenericOp op, Operation *combiner, Value part) {
  constexpr int64_t kWarp = 32;
  const StagePlan &plan = *lanes.plan;
  if (plan.lanes == 1)
    return part;
  if (!plan.lanesFastest || part.getType().getIntOrFloatBitWidth() != 32)
    return combineInMemory(builder, lanes, op, combiner, part);
  Location loc = op.getLoc();
  auto shuffled = [&](Value value, int64_t among) {
    for (int64_t offset = among / 2; offset > 0; offset /= 2) {
      auto other = gpu::ShuffleOp::create(builder, loc, value, offset, kWarp, gpu::ShuffleMode::XOR);
      value = combine(builder, op, combiner, value, other.getShuffleResult());
    }
    return value;
  };
  Value value = shuffled(part, std::min(plan.lanes, kWarp));
  int64_t warps = plan.lanes / kWarp;
  if (warps <= 1)
    return value;
  // Each warp leaves its part, and every warp combines those of its point.
  Value memory = sharedMemory(lanes, loc, plan.threads() / kWarp, part.getType());
  Value warp = arith::DivUIOp::create(builder, loc, lanes.thread, constant(builder, loc, kWarp));
  Value inWarp = arith::RemUIOp::create(builder, loc, lanes.thread, constant(builder, loc, kWarp));
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, inWarp, constant(builder, loc, 0));
  scf::IfOp::create(builder, loc, isFirst, [&](OpBuilder &inner, Location at) {
    memref::StoreOp::create(inner, at, value, memory, warp);
    scf::YieldOp::create(inner, at);
  });
  gpu::BarrierOp::create(builder, loc);
  Value position = arith::RemUIOp::create(builder, loc, lanes.lane, constant(builder, loc, warps));
  if (plan.points > 1)
    position = arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, lanes.point, constant(builder, loc, warps)), position);
  return shuffled(memref::LoadOp::create(builder, loc, memory, position), warps);
}
