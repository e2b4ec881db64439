// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/codegen-gpu/Passes.h"
#include "passes/codegen-gpu/Product.h"
#include "passes/codegen-gpu/Recompute.h"
#include "passes/codegen-gpu/StageEmitter.h"
#include "passes/codegen-gpu/TileProduct.h"
#include "passes/codegen-gpu/TileProgram.h"
#include "passes/codegen/PrepareKernel.h"
#include "passes/codegen/SequentialKernel.h"

namespace mlir::raf {
#define GEN_PASS_DEF_MAPTOGPUPASS
#include "passes/codegen-gpu/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
constexpr llvm::StringLiteral kModuleName = "raf_kernels";

// One GPU kernel of a kernel on tensors, with the arguments of that.
struct Part {
  gpu::GPUFuncOp func;
  int64_t blocks, threads;
};

struct MapToGpuPass : raf::impl::MapToGpuPassBase<MapToGpuPass> {
  using MapToGpuPassBase::MapToGpuPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(inlineLaunches(module)))
      return signalPassFailure();
    SmallVector<func::FuncOp> kernels;
    for (auto func : module.getOps<func::FuncOp>())
      if (isTensorKernel(func))
        kernels.push_back(func);
    if (kernels.empty())
      return;
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    gpuModule = gpu::GPUModuleOp::create(builder, module.getLoc(), kModuleName);
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), builder.getUnitAttr());
    for (func::FuncOp kernel : kernels)
      if (failed(lower(kernel)))
        return signalPassFailure();
    if (failed(lowerLaunches(module)))
      return signalPassFailure();
  }

  // Kernels that launch others give way to the launches: those are independent, and a device runs them side by side.
  static LogicalResult inlineLaunches(ModuleOp module) {
    SymbolTable symbols(module);
    SmallVector<LaunchOp> launches;
    module.walk([&](LaunchOp launch) { launches.push_back(launch); });
    llvm::SmallSetVector<Operation *, 4> emptied;
    for (LaunchOp launch : launches) {
      auto callee = symbols.lookup<func::FuncOp>(launch.getCallee());
      if (!callee || callee.isExternal() || callee.getOps<LaunchOp>().empty())
        continue;
      IRMapping mapping;
      for (auto [argument, operand] : llvm::zip(callee.getArguments(), launch->getOperands()))
        mapping.map(argument, operand);
      OpBuilder builder(launch);
      for (Operation &op : callee.getBody().front().without_terminator())
        builder.clone(op, mapping);
      emptied.insert(callee);
      launch.erase();
    }
    for (Operation *callee : emptied)
      symbols.erase(callee);
    return success();
  }

  Part addPart(func::FuncOp kernel, int64_t blocks, int64_t threads) {
    OpBuilder builder = OpBuilder::atBlockEnd(gpuModule.getBody());
    SmallVector<Type> types;
    for (Type type : kernel.getArgumentTypes())
      types.push_back(bufferType(type));
    SmallVector<Part> &known = parts[kernel.getName()];
    std::string name = kernel.getName().str();
    if (!known.empty())
      name += "_stage" + std::to_string(known.size());
    auto func = gpu::GPUFuncOp::create(builder, kernel.getLoc(), name, builder.getFunctionType(types, {}));
    func->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
    func.setKnownBlockSize(ArrayRef<int32_t>{static_cast<int32_t>(threads), 1, 1});
    func.setKnownGridSize(ArrayRef<int32_t>{static_cast<int32_t>(blocks), 1, 1});
    builder.setInsertionPointToEnd(&func.getBody().front());
    gpu::ReturnOp::create(builder, kernel.getLoc());
    known.push_back({func, blocks, threads});
    return known.back();
  }

  LogicalResult lower(func::FuncOp kernel) {
    if (isTileProgram(kernel))
      return lowerTileProgram(kernel);
    if (failed(checkKernel(kernel)))
      return failure();
    parts[kernel.getName()];
    if (!isTileable(kernel))
      return lowerSequential(kernel);
    FailureOr<SmallVector<TileSpace>> stages = prepareKernel(kernel);
    if (failed(stages) || failed(fitIntoMemory(kernel, *stages)))
      return failure();
    for (TileSpace &space : *stages)
      widen(space);
    ++mapped;
    for (const TileSpace &space : *stages) {
      StagePlan plan = planStage(kernel, space);
      if (plan.blocks() == 0 || plan.ops.empty())
        continue;
      if (plan.blocks() > std::numeric_limits<int32_t>::max())
        return kernel.emitOpError() << "is a kernel and must have at most 2^31 - 1 blocks, got " << plan.blocks();
      if (std::optional<Product> product = matchProduct(plan)) {
        emitProduct(addPart(kernel, product->blocks(), Product::threads()).func, kernel, plan, *product);
        continue;
      }
      Part part = addPart(kernel, plan.blocks(), plan.threads());
      if (failed(emitStage(part.func, kernel, plan)))
        return failure();
    }
    kernel.erase();
    return success();
  }

  LogicalResult lowerTileProgram(func::FuncOp kernel) {
    std::optional<int64_t> blocks = blocksOfTileProgram(kernel);
    if (!blocks || *blocks > std::numeric_limits<int32_t>::max())
      return kernel.emitOpError() << "is a program on tiles and must have one loop over at most 2^31 - 1 blocks";
    parts[kernel.getName()];
    ++mapped;
    if (failed(emitTileProgram(addPart(kernel, *blocks, ThreadGrid::kThreads).func, kernel)))
      return failure();
    kernel.erase();
    return success();
  }

  // An op that shares its stage with none needs no tiles that are boxes: each of its parallel iterations is a point.
  static void widen(TileSpace &space) {
    linalg::LinalgOp only;
    for (auto &entry : space.loops) {
      linalg::LinalgOp op = entry.first;
      if (llvm::all_of(op->getResults(), [](Value result) { return fillValue(result) != Value(); }))
        continue;
      if (only)
        return;
      only = op;
    }
    if (!only)
      return;
    TileSpace whole;
    SmallVector<int64_t> sizes = only.getStaticLoopRanges();
    for (auto [loop, type] : llvm::enumerate(only.getIteratorTypesArray()))
      if (type == utils::IteratorType::parallel) {
        whole.loops[only].push_back(loop);
        whole.sizes.push_back(sizes[loop]);
      }
    (void)whole.loops[only];
    // Fills are known where they are read, unless they are results themselves.
    for (auto &entry : space.loops)
      if (entry.first != only && llvm::any_of(entry.first->getUsers(), [](Operation *user) { return user->hasTrait<OpTrait::IsTerminator>(); }))
        return;
    space = std::move(whole);
  }

  // What a block keeps to itself has to fit into its shared memory. What does not is computed again where it is read.
  static LogicalResult fitIntoMemory(func::FuncOp kernel, SmallVector<TileSpace> &stages) {
    for (TileSpace &space : stages) {
      StagePlan plan = planStage(kernel, space);
      while (plan.sharedBytes > kSharedBytes) {
        SmallVector<std::pair<int64_t, OpResult>> kept;
        for (auto &[value, home] : plan.homes)
          if (home.sharedElements > 0)
            kept.push_back({home.sharedElements, cast<OpResult>(value)});
        llvm::stable_sort(kept, [](const auto &a, const auto &b) { return a.first > b.first; });
        if (llvm::none_of(kept, [](const auto &entry) { return succeeded(recompute(entry.second)); }))
          return kernel.emitOpError() << "is a kernel and must not keep more for a block than its shared memory holds, expected at most " << kSharedBytes << " bytes, got "
                                      << plan.sharedBytes;
        size_t number = &space - stages.begin();
        FailureOr<TileSpace> changed = tileSpaceOf(stagesOf(kernel.getBody().front())[number]);
        if (failed(changed))
          return kernel.emitError("ops of the kernel have no common tiles");
        space = std::move(*changed);
        plan = planStage(kernel, space);
      }
    }
    return success();
  }

  LogicalResult lowerSequential(func::FuncOp kernel) {
    ++sequential;
    Part part = addPart(kernel, 1, 1);
    StringAttr name = kernel.getNameAttr();
    if (failed(emitSequentialKernel(kernel)))
      return failure();
    auto lowered = SymbolTable(getOperation()).lookup<func::FuncOp>(name);
    if (failed(expandCopies(lowered)))
      return failure();
    IRMapping mapping;
    mapping.map(lowered.getArguments(), part.func.getArguments().take_front(lowered.getNumArguments()));
    OpBuilder builder(part.func.getBody().front().getTerminator());
    for (Operation &op : lowered.getBody().front().without_terminator())
      builder.clone(op, mapping);
    lowered.erase();
    return success();
  }

  // A device has no function that copies a buffer, and no memory to give to a thread.
  static LogicalResult expandCopies(func::FuncOp func) {
    // Loops that have worked in their destination are followed by a copy of it to itself, whose other elements may not have been written.
    RewritePatternSet patterns(func.getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, func.getContext());
    memref::CopyOp::getCanonicalizationPatterns(patterns, func.getContext());
    if (failed(applyPatternsGreedily(func, std::move(patterns))))
      return failure();
    IRRewriter rewriter(func);
    WalkResult walked = func.walk([&](Operation *op) {
      if (isa<memref::AllocOp>(op)) {
        op->emitOpError("is in a kernel with loops of its own, which must work in its destinations");
        return WalkResult::interrupt();
      }
      auto copy = dyn_cast<memref::CopyOp>(op);
      if (!copy)
        return WalkResult::advance();
      rewriter.setInsertionPoint(copy);
      linalg::GenericOp generic = linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(), copy.getTarget());
      rewriter.eraseOp(copy);
      if (failed(linalg::linalgOpToLoops(rewriter, generic)))
        return WalkResult::interrupt();
      rewriter.eraseOp(generic);
      return WalkResult::advance();
    });
    return failure(walked.wasInterrupted());
  }

  LogicalResult lowerLaunches(ModuleOp module) {
    SmallVector<LaunchOp> launches;
    module.walk([&](LaunchOp launch) { launches.push_back(launch); });
    for (LaunchOp launch : launches) {
      auto found = parts.find(launch.getCallee());
      if (found == parts.end())
        return launch.emitOpError() << "must launch a kernel on tensors with a body, got " << launch.getCalleeAttr();
      OpBuilder builder(launch);
      Location loc = launch.getLoc();
      for (Part &part : found->second) {
        if (TypeRange(part.func.getArgumentTypes()) != TypeRange(launch->getOperandTypes()))
          return launch.emitOpError() << "must launch " << launch.getCalleeAttr() << " on contiguous buffers of its types, expected " << part.func.getArgumentTypes() << ", got "
                                      << launch->getOperandTypes();
        Value one = arith::ConstantIndexOp::create(builder, loc, 1), blocks = arith::ConstantIndexOp::create(builder, loc, part.blocks);
        Value threads = arith::ConstantIndexOp::create(builder, loc, part.threads);
        gpu::LaunchFuncOp::create(builder, loc, part.func, gpu::KernelDim3{blocks, one, one}, gpu::KernelDim3{threads, one, one}, Value(), launch->getOperands());
      }
      launch.erase();
    }
    return success();
  }

  gpu::GPUModuleOp gpuModule;
  llvm::StringMap<SmallVector<Part>> parts;
};
} // namespace
