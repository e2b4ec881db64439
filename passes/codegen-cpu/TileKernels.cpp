// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Remarks.h"
#include "passes/codegen-cpu/Blocks.h"
#include "passes/codegen-cpu/FlatKernels.h"
#include "passes/codegen-cpu/KernelEmitter.h"
#include "passes/codegen-cpu/Passes.h"
#include "passes/codegen-cpu/SplitLoops.h"
#include "passes/codegen/PrepareKernel.h"
#include "passes/codegen/SequentialKernel.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVectorExtras.h"

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
    if (failed(checkBlocks()))
      return signalPassFailure();
    bool native = bf16Dot == "native" || (bf16Dot == "auto" && CpuModel::hostHasPairedDot());
    PairedDot dot = native ? PairedDot::native : bf16Dot == "emulated" ? PairedDot::emulated : PairedDot::none;
    cpu = CpuModel::host({vectorBits, 0, l1Bytes, l2Bytes, threads, dot, StringRef(blocks.getValue()), streamBytes});
    SmallVector<func::FuncOp> kernels;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (isTensorKernel(func))
        kernels.push_back(func);
    for (func::FuncOp kernel : kernels)
      if (failed(lower(kernel)))
        return signalPassFailure();
    if (failed(lowerLaunches()))
      return signalPassFailure();
  }

  LogicalResult checkBlocks() {
    auto check = [](StringRef name, auto error) -> LogicalResult {
      if (llvm::is_contained(kBlockVariants, name))
        return success();
      InFlightDiagnostic diagnostic = error() << "blocks must be one of ";
      llvm::interleaveComma(kBlockVariants, diagnostic);
      return diagnostic << ", got '" << name << "'";
    };
    if (!blocks.empty() && failed(check(StringRef(blocks.getValue()), [&] { return getOperation().emitError() << "raf-tile-kernels: "; })))
      return failure();
    WalkResult walk = getOperation()->walk([&](linalg::GenericOp op) {
      auto name = op->getDiscardableAttr(kBlocksAttr);
      auto text = dyn_cast_or_null<StringAttr>(name);
      return !name || succeeded(check(text ? text.getValue() : "", [&] { return op.emitOpError() << kBlocksAttr << ": "; })) ? WalkResult::advance() : WalkResult::interrupt();
    });
    return failure(walk.wasInterrupted());
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

  LogicalResult lower(func::FuncOp kernel) {
    if (failed(checkKernel(kernel)))
      return failure();
    // Loops over one element have been unrolled to what they do.
    if (!isTileable(kernel)) {
      FailureOr<func::FuncOp> loops = emitSequentialKernel(kernel);
      if (failed(loops))
        return failure();
      StringRef reason;
      if (splitLoops(*loops, reason)) {
        ++tiled;
      } else {
        ++sequential;
        remark::missed(loops->getLoc(), remark::RemarkOpts::name("NotSplit").category("raf-tile-kernels").function(loops->getName())) << "on one thread" << remark::reason("{0}", reason);
      }
      return success();
    }
    SmallVector<Type> types = llvm::map_to_vector(kernel.getArgumentTypes(), bufferType);
    FailureOr<SmallVector<TileSpace>> stages = prepareKernel(kernel);
    if (failed(stages))
      return failure();
    JoinedDimensions joined = flattenKernel(kernel);
    if (!llvm::all_of(joined, [](auto &dimensions) { return dimensions.empty(); }) && failed(stages = prepareKernel(kernel)))
      return failure();
    ++tiled;
    return emitTiledKernel(kernel, types, joined, *stages, cpu);
  }

  CpuModel cpu;
};
} // namespace
