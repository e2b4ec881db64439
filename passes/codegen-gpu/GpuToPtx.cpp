// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "passes/codegen-gpu/Passes.h"
#include "passes/codegen/ToLLVM.h"

namespace mlir::raf {
#define GEN_PASS_DEF_GPUTOPTXPASS
#include "passes/codegen-gpu/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
constexpr llvm::StringLiteral kTriple = "nvptx64-nvidia-cuda";

struct GpuToPtxPass : raf::impl::GpuToPtxPassBase<GpuToPtxPass> {
  using GpuToPtxPassBase::GpuToPtxPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<gpu::GPUModuleOp> gpuModules(module.getOps<gpu::GPUModuleOp>());
    if (gpuModules.empty())
      return;
    if (!isChip(chip) || optLevel > 3) {
      module.emitError() << "raf-gpu-to-ptx: "
                         << (optLevel > 3 ? "opt-level must be 0 to 3, got " + std::to_string(optLevel)
                                          : "chip must be sm_80 or a later one, such as sm_90a, got " + chip.getValue());
      return signalPassFailure();
    }
    Builder builder(&getContext());
    for (gpu::GPUModuleOp gpuModule : gpuModules) {
      for (auto func : gpuModule.getOps<gpu::GPUFuncOp>())
        compiled += func.isKernel();
      if (failed(toNVVM(gpuModule)))
        return signalPassFailure();
      gpuModule.setTargetsAttr(builder.getArrayAttr(NVVM::NVVMTargetAttr::get(&getContext(), optLevel, kTriple, chip)));
    }
    gpu::TargetOptions options({}, {}, {}, {}, gpu::CompilationTarget::Assembly);
    if (failed(gpu::transformGpuModulesToBinaries(module, nullptr, options)))
      return signalPassFailure();
  }

  // bf16 conversions and asynchronous copies begin with sm_80.
  static bool isChip(StringRef chip) {
    unsigned number;
    return chip.consume_front("sm_") && !chip.consumeInteger(10, number) && number >= 80 && (chip.empty() || chip == "a" || chip == "f");
  }

  static bool hasSmallBuffers(gpu::GPUModuleOp gpuModule) {
    constexpr int64_t kLimit = 1ll << 31;
    return !gpuModule
                .walk([&](gpu::GPUFuncOp func) {
                  for (Type type : func.getArgumentTypes())
                    if (auto memref = dyn_cast<MemRefType>(type); memref && memref.getNumElements() * ((memref.getElementTypeBitWidth() + 7) / 8) >= kLimit)
                      return WalkResult::interrupt();
                  return WalkResult::advance();
                })
                .wasInterrupted();
  }

  // Whether what is computed of indices goes on as a wider integer, which may need more than 32 bits of it: random draws number elements of values that are never stored.
  static bool widensIndices(gpu::GPUModuleOp gpuModule) {
    auto isWide = [](Type type) { return type.isInteger() && type.getIntOrFloatBitWidth() > 32; };
    return gpuModule
        .walk([&](Operation *op) {
          bool widens = isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) && isWide(op->getResult(0).getType());
          widens |= isa<arith::IndexCastUIOp>(op) && isWide(op->getOperand(0).getType());
          return widens ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  // A label or position that 32 bits do not hold is out of range, and has to stay so.
  static void saturatePositions(gpu::GPUModuleOp gpuModule) {
    gpuModule.walk([](arith::IndexCastOp cast) {
      auto type = dyn_cast<IntegerType>(cast.getIn().getType());
      if (!type || type.getWidth() <= 32)
        return;
      OpBuilder builder(cast);
      auto limit = [&](int32_t value) { return arith::ConstantOp::create(builder, cast.getLoc(), builder.getIntegerAttr(type, value)); };
      Value position = arith::MaxSIOp::create(builder, cast.getLoc(), cast.getIn(), limit(std::numeric_limits<int32_t>::min()));
      cast.getInMutable().assign(arith::MinSIOp::create(builder, cast.getLoc(), position, limit(std::numeric_limits<int32_t>::max())));
    });
  }

  // The conversion to NVVM knows functions of floats alone.
  static void lowerIntegerFunctions(gpu::GPUModuleOp gpuModule) {
    gpuModule.walk([](Operation *op) {
      OpBuilder builder(op);
      Value result;
      if (auto abs = dyn_cast<math::AbsIOp>(op))
        result = LLVM::AbsOp::create(builder, op->getLoc(), abs.getType(), abs.getOperand(), /*is_int_min_poison=*/false);
      else if (auto count = dyn_cast<math::CtPopOp>(op))
        result = LLVM::CtPopOp::create(builder, op->getLoc(), count.getType(), count.getOperand());
      else if (auto zeros = dyn_cast<math::CountLeadingZerosOp>(op))
        result = LLVM::CountLeadingZerosOp::create(builder, op->getLoc(), zeros.getType(), zeros.getOperand(), /*is_zero_poison=*/false);
      if (!result)
        return;
      op->replaceAllUsesWith(ValueRange(result));
      op->erase();
    });
  }

  template <typename... Ops>
  static bool hasAny(gpu::GPUFuncOp func) {
    return func.walk([](Operation *op) { return isa<Ops...>(op) ? WalkResult::interrupt() : WalkResult::advance(); }).wasInterrupted();
  }

  // ptxas saves registers so that more blocks share a multiprocessor. Where what few values need (the large angles of sin and cos) needs the most of them, or a product of matrices is brought
  // through registers, it may save one too many, which lives in local memory: such kernels say that one block is enough.
  static void keepRegisters(gpu::GPUModuleOp gpuModule) {
    for (auto func : gpuModule.getOps<gpu::GPUFuncOp>())
      if (func.isKernel() && (hasAny<math::SinOp, math::CosOp, math::TanOp>(func) || (hasAny<nvgpu::MmaSyncOp>(func) && !hasAny<nvgpu::DeviceAsyncCopyOp>(func))))
        func->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), IntegerAttr::get(IntegerType::get(func.getContext(), 32), 1));
  }

  LogicalResult toNVVM(gpu::GPUModuleOp gpuModule) {
    keepRegisters(gpuModule);
    lowerIntegerFunctions(gpuModule);
    bool isNarrow = hasSmallBuffers(gpuModule) && !widensIndices(gpuModule);
    if (isNarrow)
      saturatePositions(gpuModule);
    OpPassManager manager(gpu::GPUModuleOp::getOperationName());
    manager.addPass(memref::createExpandStridedMetadataPass());
    manager.addPass(createLowerAffinePass());
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createCSEPass());
    manager.addPass(createSCFToControlFlowPass());
    ConvertGpuOpsToNVVMOpsOptions options;
    options.indexBitwidth = isNarrow ? 32 : 64;
    options.useBarePtrCallConv = true;
    manager.addPass(createConvertGpuOpsToNVVMOps(options));
    // Instructions that LLVM has no intrinsic for: those of warpgroups.
    manager.addPass(createConvertNVVMToLLVMPass());
    manager.addPass(createCanonicalizerPass());
    manager.addPass(createReconcileUnrealizedCastsPass());
    if (failed(runPipeline(manager, gpuModule)))
      return failure();
    // The launch says how large dynamic memory is: as a variable of the module it would have no bytes, and accesses to it no meaning.
    for (auto global : gpuModule.getOps<LLVM::GlobalOp>())
      if (global.getName().starts_with("__dynamic_shmem__")) {
        global.setLinkage(LLVM::Linkage::External);
        global.setAlignment(16); // of the vectors in it
      }
    annotateBranches(gpuModule);
    return success();
  }
};
} // namespace
