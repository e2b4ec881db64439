// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/codegen-cpu/KernelEmitter.h"
#include "passes/codegen-cpu/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::raf {
#define GEN_PASS_DEF_TILEKERNELSPASS
#include "passes/codegen-cpu/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
struct TileKernelsPass : raf::impl::TileKernelsPassBase<TileKernelsPass> {
  using TileKernelsPassBase::TileKernelsPassBase;

  void runOnOperation() override {
    if (!llvm::is_contained({0, 128, 256, 512}, vectorBits.getValue())) {
      getOperation().emitError() << "raf-tile-kernels: vector-bits must be 0, 128, 256 or 512, got " << vectorBits.getValue();
      return signalPassFailure();
    }
    if (!llvm::is_contained({"auto", "native", "emulated", "none"}, bf16Dot.getValue())) {
      getOperation().emitError() << "raf-tile-kernels: bf16-dot must be auto, native, emulated or none, got " << bf16Dot.getValue();
      return signalPassFailure();
    }
    bool native = bf16Dot == "native" || (bf16Dot == "auto" && CpuModel::hostHasPairedDot());
    PairedDot dot = native ? PairedDot::native : bf16Dot == "emulated" ? PairedDot::emulated : PairedDot::none;
    cpu = CpuModel::host({vectorBits, 0, l1Bytes, l2Bytes, threads, dot});
    SmallVector<func::FuncOp> kernels;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func->hasAttr("raf.kernel") && !func.isExternal() && llvm::any_of(func.getArgumentTypes(), llvm::IsaPred<RankedTensorType>))
        kernels.push_back(func);
    for (func::FuncOp kernel : kernels)
      if (failed(lower(kernel)))
        return signalPassFailure();
    if (failed(lowerLaunches()))
      return signalPassFailure();
  }

  // Kernels that launch others, which are lowered by now; those that are launched from nowhere else go.
  LogicalResult lowerLaunches() {
    SymbolTable symbols(getOperation());
    llvm::SetVector<Operation *> launched;
    for (auto func : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (!func->hasAttr("raf.kernel") || func.isExternal() || func.getOps<LaunchOp>().empty())
        continue;
      for (LaunchOp launch : func.getOps<LaunchOp>())
        if (Operation *kernel = symbols.lookup(launch.getCallee()))
          launched.insert(kernel);
      if (failed(emitLaunches(func, symbols)))
        return failure();
    }
    if (launched.empty())
      return success();
    SymbolTableCollection tables;
    SymbolUserMap users(tables, getOperation());
    for (Operation *kernel : launched)
      if (users.useEmpty(kernel))
        symbols.erase(kernel);
    return success();
  }

  // What the emitters rely on.
  static LogicalResult check(func::FuncOp kernel) {
    if (!kernel.getBody().hasOneBlock())
      return kernel.emitOpError() << "is a kernel and must have one block, got " << llvm::range_size(kernel.getBody());
    int64_t firstInit = static_cast<int64_t>(kernel.getNumArguments()) - kernel.getNumResults();
    if (firstInit < 0)
      return kernel.emitOpError() << "is a kernel and must have a destination for each of its " << kernel.getNumResults() << " results, got "
                                  << kernel.getNumArguments() << " arguments";
    for (auto [index, type] : llvm::enumerate(kernel.getResultTypes()))
      if (kernel.getArgumentTypes()[firstInit + index] != type)
        return kernel.emitOpError() << "is a kernel and result " << index << " must have the type of its destination, expected "
                                    << kernel.getArgumentTypes()[firstInit + index] << ", got " << type;
    WalkResult walked = kernel.walk([&](Operation *op) {
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op); linalgOp && !linalgOp.hasPureTensorSemantics()) {
        op->emitOpError() << "is in a kernel on tensors and must work on tensors";
        return WalkResult::interrupt();
      }
      SmallVector<Type> types(op->getResultTypes());
      for (Region &region : op->getRegions())
        if (!region.empty())
          llvm::append_range(types, region.getArgumentTypes());
      for (Type type : types)
        if (auto tensor = dyn_cast<TensorType>(type); tensor && !tensor.hasStaticShape()) {
          op->emitOpError() << "is in a kernel and must have static shapes, got " << type;
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    });
    return failure(walked.wasInterrupted());
  }

  LogicalResult lower(func::FuncOp kernel) {
    if (failed(check(kernel)))
      return failure();
    Block &block = kernel.getBody().front();
    // Loops over one element have been unrolled to what they do.
    if (!isTileable(kernel)) {
      ++sequential;
      return emitSequentialKernel(kernel);
    }
    IRRewriter rewriter(kernel);
    // What folded away completely leaves an input as the result: it is copied.
    Operation *end = block.getTerminator();
    unsigned firstInit = kernel.getNumArguments() - end->getNumOperands();
    for (OpOperand &result : end->getOpOperands()) {
      BlockArgument init = kernel.getArgument(firstInit + result.getOperandNumber());
      if (!isa<BlockArgument>(result.get()) || result.get() == init)
        continue;
      rewriter.setInsertionPoint(end);
      result.set(linalg::CopyOp::create(rewriter, kernel.getLoc(), result.get(), Value(init)).getResult(0));
    }
    for (linalg::LinalgOp op : llvm::make_early_inc_range(block.getOps<linalg::LinalgOp>())) {
      if (isa<linalg::GenericOp>(op))
        continue;
      rewriter.setInsertionPoint(op);
      Attribute stage = op->getAttr(kStageAttr);
      FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(rewriter, op);
      if (failed(generic))
        return op.emitOpError("cannot be generalized");
      if (stage)
        (*generic)->setAttr(kStageAttr, stage);
    }
    separateFills(block);
    SmallVector<TileSpace> stages;
    for (auto &ops : stagesOf(block)) {
      FailureOr<TileSpace> space = tileSpaceOf(ops);
      if (failed(space))
        return kernel.emitError("ops of the kernel have no common tiles");
      stages.push_back(std::move(*space));
    }
    ++tiled;
    return emitTiledKernel(kernel, stages, cpu);
  }

  // A start value that several reductions share (CSE does that) would be one more value to keep: each gets its own, in its own stage.
  static void separateFills(Block &block) {
    for (linalg::GenericOp op : llvm::make_early_inc_range(block.getOps<linalg::GenericOp>())) {
      bool fills = op.getBody()->getOperations().size() == 1 && llvm::none_of(op.getDpsInputs(), [](Value input) { return isa<RankedTensorType>(input.getType()); });
      if (!fills || !llvm::all_of(op->getUsers(), llvm::IsaPred<linalg::LinalgOp>))
        continue;
      for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
        if (op->hasOneUse())
          continue;
        OpBuilder builder(use.getOwner());
        Operation *copy = builder.clone(*op);
        if (Attribute stage = use.getOwner()->getAttr(kStageAttr))
          copy->setAttr(kStageAttr, stage);
        use.set(copy->getResult(cast<OpResult>(use.get()).getResultNumber()));
      }
    }
  }

  CpuModel cpu;
};
} // namespace
