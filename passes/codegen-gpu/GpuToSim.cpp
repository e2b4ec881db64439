// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/codegen-gpu/Passes.h"
#include "passes/codegen-gpu/Sim.h"
#include "passes/codegen/ToLLVM.h"
#include "runtime/cuda_sim/raf_cuda_sim.h"

#include <cstddef>

namespace mlir::raf {
#define GEN_PASS_DEF_GPUTOSIMPASS
#include "passes/codegen-gpu/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

static constexpr int64_t kSharedAlignment = 16;
// The most that a block of any device can have.
static constexpr int64_t kMostShared = 227 * 1024;

namespace {
struct GpuToSimPass : raf::impl::GpuToSimPassBase<GpuToSimPass> {
  using GpuToSimPassBase::GpuToSimPassBase;

  void runOnOperation() override {
    // All of them, unless some are chosen.
    bool all = check.empty();
    SimChecks checks = {all, all, all};
    for (const std::string &name : check) {
      if (name != "bounds" && name != "memory" && name != "races" && name != "none") {
        getOperation().emitError() << "raf-gpu-to-sim: check must be of bounds, memory, races, or none; got " << name;
        return signalPassFailure();
      }
      checks.bounds |= name == "bounds";
      checks.memory |= name == "memory";
      checks.races |= name == "races";
    }
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      if (!module.getOps<gpu::GPUFuncOp>().empty() && failed(lower(module, checks)))
        return signalPassFailure();
  }

  LogicalResult lower(gpu::GPUModuleOp module, const SimChecks &checks) {
    SimSites sites;
    SmallVector<SimKernel> kernels;
    // Whatever the simulator has no call for becomes what it has.
    RewritePatternSet simplify(&getContext());
    populateGpuBreakDownSubgroupReducePatterns(simplify, /*maxShuffleBitwidth=*/32);
    populateGpuLowerSubgroupReduceToShufflePatterns(simplify, /*subgroupSize=*/32, /*shuffleBitwidth=*/32);
    populateGpuLowerClusteredSubgroupReduceToShufflePatterns(simplify, /*subgroupSize=*/32, /*shuffleBitwidth=*/32);
    vector::populateVectorTransferLoweringPatterns(simplify, /*maxTransferRank=*/1);
    vector::populateVectorMaskedLoadStoreEmulationPatterns(simplify);
    vector::populateVectorGatherToConditionalLoadPatterns(simplify);
    if (failed(applyPatternsGreedily(module, std::move(simplify))))
      return failure();
    for (auto kernel : llvm::make_early_inc_range(module.getOps<gpu::GPUFuncOp>())) {
      if (!kernel.isKernel())
        return kernel.emitOpError("is not a kernel: raf-gpu-to-sim has no calls inside kernels");
      FailureOr<SimKernel> lowered = prepare(kernel, checks, sites);
      if (failed(lowered))
        return failure();
      kernels.push_back(*lowered);
    }
    if (failed(lowerToLLVM(module)))
      return failure();
    addSimTable(module, kernels, sites.texts(), checks);
    module->setAttr("raf.image", StringAttr::get(&getContext(), "sim"));
    lowered += kernels.size();
    return success();
  }

  /// The kernel becomes a function of (thread, parameters, shared buffers), with checks and calls; and its entry one of (thread, pointers to parameters).
  FailureOr<SimKernel> prepare(gpu::GPUFuncOp kernel, const SimChecks &checks, SimSites &sites) {
    SimKernel entry;
    entry.name = entry.body = kernel.getName().str();
    entry.cooperative = isCooperative(kernel);
    entry.warpgroups = hasWarpgroups(kernel);
    if (DenseI32ArrayAttr size = kernel.getKnownBlockSizeAttr())
      llvm::copy(size.asArrayRef(), entry.blockSize);
    OpBuilder builder(kernel);
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    SmallVector<Type> types = {pointer};
    SmallVector<int64_t> sharedOffsets;
    for (Type type : kernel.getFunctionType().getInputs()) {
      auto memref = dyn_cast<MemRefType>(type);
      if (memref ? !LLVMTypeConverter::canConvertToBarePtr(memref) : !type.isIntOrIndexOrFloat())
        return kernel.emitOpError("has a parameter of type ") << type << "; expected buffers of static shape, integers or floats";
      entry.paramBytes.push_back(memref || type.isIndex() ? 8 : llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
      types.push_back(type);
    }
    for (BlockArgument shared : kernel.getWorkgroupAttributions()) {
      auto type = cast<MemRefType>(shared.getType());
      if (!type.hasStaticShape() || !type.getElementType().isIntOrIndexOrFloat())
        return kernel.emitOpError("has workgroup memory of type ") << type << "; expected a static shape of integers or floats";
      entry.sharedBytes = llvm::alignTo(entry.sharedBytes, kSharedAlignment);
      sharedOffsets.push_back(entry.sharedBytes);
      int64_t element = type.getElementType().isIndex() ? 8 : llvm::divideCeil(type.getElementTypeBitWidth(), 8);
      entry.sharedBytes += type.getNumElements() * element;
      types.push_back(type);
    }
    size_t given = types.size();
    // Dynamic memory lies behind the rest.
    SmallVector<gpu::DynamicSharedMemoryOp> dynamic;
    kernel.walk([&](gpu::DynamicSharedMemoryOp op) { dynamic.push_back(op); });
    if (!dynamic.empty()) {
      sharedOffsets.push_back(llvm::alignTo(entry.sharedBytes, kSharedAlignment));
      types.push_back(MemRefType::get({kMostShared}, builder.getI8Type(), MemRefLayoutAttrInterface(), dynamic.front().getType().getMemorySpace()));
    }
    auto function = func::FuncOp::create(builder, kernel.getLoc(), (kernel.getName() + "$body").str(), builder.getFunctionType(types, {}));
    function.setPrivate();
    function->setAttr("llvm.linkage", LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal));
    Block *old = &kernel.getBody().front();
    // Which arguments they are follows from how many there are, so they are asked for first.
    SmallVector<BlockArgument> privates = llvm::to_vector(kernel.getPrivateAttributions());
    old->insertArgument(0u, pointer, kernel.getLoc());
    ImplicitLocOpBuilder b(kernel.getLoc(), OpBuilder::atBlockBegin(old));
    for (BlockArgument memory : privates)
      memory.replaceAllUsesWith(memref::AllocaOp::create(b, cast<MemRefType>(memory.getType())));
    old->eraseArguments(given, old->getNumArguments() - given);
    if (!dynamic.empty())
      old->addArgument(types.back(), kernel.getLoc());
    for (gpu::DynamicSharedMemoryOp op : dynamic) {
      ImplicitLocOpBuilder at(op.getLoc(), op);
      op.replaceAllUsesWith(memref::CastOp::create(at, op.getType(), old->getArguments().back()).getResult());
      op.erase();
    }
    function.getBody().takeBody(kernel.getBody());
    // Static allocations in a loop would take stack in each round.
    function.walk([&](memref::AllocaOp alloca) {
      if (alloca->getNumOperands() == 0)
        alloca->moveBefore(&function.getBody().front(), function.getBody().front().begin());
    });
    function.walk([&](gpu::ReturnOp end) {
      OpBuilder at(end);
      func::ReturnOp::create(at, end.getLoc());
      end.erase();
    });
    SimCalls calls(function.getArgument(0), sites);
    lowerSimSharedAddresses(function, calls);
    if (failed(lowerSimWarpgroups(function, calls)) || failed(checkSimAccesses(function, calls, checks)) || failed(lowerSimThreads(function, calls, checks)))
      return failure();
    addEntry(kernel, function, sharedOffsets);
    kernel.erase();
    return entry;
  }

  void addEntry(gpu::GPUFuncOp kernel, func::FuncOp body, ArrayRef<int64_t> sharedOffsets) {
    ImplicitLocOpBuilder b(kernel.getLoc(), kernel);
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()), {pointer, pointer});
    auto entry = LLVM::LLVMFuncOp::create(b, kernel.getName(), type);
    // gpu.launch_func refers to it by this mark.
    entry->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
    b.setInsertionPointToStart(entry.addEntryBlock(b));
    Value thread = entry.getArgument(0), params = entry.getArgument(1);
    SmallVector<Value> operands = {thread};
    auto element = [&](Value base, int64_t bytes) { return LLVM::GEPOp::create(b, pointer, b.getI8Type(), base, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(bytes)}); };
    for (auto [i, parameter] : llvm::enumerate(kernel.getFunctionType().getInputs())) {
      Type loaded = isa<MemRefType>(parameter) ? Type(pointer) : parameter.isIndex() ? Type(b.getI64Type()) : parameter;
      Value slot = LLVM::LoadOp::create(b, pointer, element(params, static_cast<int64_t>(i) * 8));
      operands.push_back(LLVM::LoadOp::create(b, loaded, slot));
    }
    if (!sharedOffsets.empty()) {
      Value shared = LLVM::LoadOp::create(b, pointer, element(thread, offsetof(raf_sim_thread, shared)));
      for (int64_t offset : sharedOffsets)
        operands.push_back(element(shared, offset));
    }
    LLVM::CallOp::create(b, TypeRange(), body.getName(), operands);
    LLVM::ReturnOp::create(b, ValueRange());
  }

  LogicalResult lowerToLLVM(gpu::GPUModuleOp module) {
    MLIRContext *context = &getContext();
    RewritePatternSet expand(context);
    memref::populateExpandStridedMetadataPatterns(expand);
    memref::populateExpandOpsPatterns(expand);
    // In integers: not every CPU has instructions for it.
    arith::populateExpandBFloat16Patterns(expand);
    arith::populateCeilFloorDivExpandOpsPatterns(expand);
    vector::populateVectorShapeCastLoweringPatterns(expand);
    vector::populateVectorBroadcastLoweringPatterns(expand);
    vector::populateVectorTransposeLoweringPatterns(expand, vector::VectorTransposeLowering::EltWise);
    vector::populateVectorInsertExtractStridedSliceTransforms(expand);
    vector::populateVectorFromElementsUnrollPatterns(expand);
    vector::populateVectorToElementsUnrollPatterns(expand);
    if (failed(applyPatternsGreedily(module, std::move(expand))))
      return failure();
    LowerToLLVMOptions options(context);
    options.useBarePtrCallConv = true;
    LLVMTypeConverter converter(context, options);
    converter.addTypeAttributeConversion([](BaseMemRefType type, gpu::AddressSpaceAttr) { return IntegerAttr::get(IntegerType::get(type.getContext(), 64), 0); });
    RewritePatternSet patterns(context);
    populateKernelToLLVMPatterns(converter, patterns);
    LLVMConversionTarget target(*context);
    SmallVector<Operation *> functions = llvm::to_vector(llvm::map_range(module.getOps<func::FuncOp>(), [](func::FuncOp func) -> Operation * { return func; }));
    if (failed(applyPartialConversion(functions, target, std::move(patterns))))
      return failure();
    WalkResult walk = module.walk([&](Operation *op) {
      if (op == module || isa<LLVM::LLVMDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitOpError("cannot be simulated: it is not lowered to the LLVM dialect");
      return WalkResult::interrupt();
    });
    return failure(walk.wasInterrupted());
  }
};
} // namespace
