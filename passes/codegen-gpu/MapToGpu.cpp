// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
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
#include "passes/codegen-gpu/Transposition.h"
#include "passes/codegen/PrepareKernel.h"
#include "passes/codegen/SequentialKernel.h"
#include "passes/graph/KernelCost.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::raf {
#define GEN_PASS_DEF_MAPTOGPUPASS
#include "passes/codegen-gpu/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
constexpr llvm::StringLiteral kModuleName = "raf_kernels";

// One GPU kernel of a kernel on tensors. `arguments`: those of the launch's operands that it has, where it is a part of a kernel of launches.
struct Part {
  gpu::GPUFuncOp func;
  int64_t blocks, threads;
  std::optional<SmallVector<unsigned>> arguments;
  int64_t flops = 0, bytes = 0; // of a stage; bytes only of one for several launches
  int64_t dynamicShared = 0;    // bytes
};

// A launch whose points need nothing of each other: its blocks may stand among those of others in one kernel.
struct Member {
  func::FuncOp kernel;
  StagePlan plan;
  SmallVector<unsigned> arguments; // of the kernel of launches
  int64_t bytes = 0, firstBlock = 0;
};

// Threads of a block that kernels share, and bytes of parameters that every driver takes.
constexpr int64_t kSharedBlock = 256;
constexpr size_t kMaxArguments = 4096 / 8;

struct MapToGpuPass : raf::impl::MapToGpuPassBase<MapToGpuPass> {
  using MapToGpuPassBase::MapToGpuPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> kernels;
    for (auto func : module.getOps<func::FuncOp>())
      if (isTensorKernel(func))
        kernels.push_back(func);
    if (kernels.empty())
      return;
    spaces.clear();
    shared.clear();
    parts.clear();
    launchesOf.clear();
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    gpuModule = gpu::GPUModuleOp::create(builder, module.getLoc(), kModuleName);
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), builder.getUnitAttr());
    for (func::FuncOp kernel : kernels)
      if (failed(prepare(kernel)))
        return signalPassFailure();
    SymbolTable symbols(module);
    module.walk([&](LaunchOp launch) { launchesOf[launch.getCallee()].insert(launch); });
    for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (func->hasAttr("raf.kernel") && !func.isExternal() && !func.getOps<LaunchOp>().empty())
        if (failed(mergeLaunches(func, symbols)))
          return signalPassFailure();
    llvm::StringSet<> launched;
    module.walk([&](LaunchOp launch) { launched.insert(launch.getCallee()); });
    for (func::FuncOp kernel : kernels) {
      // A kernel that is only part of others needs none of its own.
      if (shared.contains(kernel.getName()) && !launched.contains(kernel.getName()))
        kernel.erase();
      else if (failed(lower(kernel)))
        return signalPassFailure();
    }
    if (failed(lowerLaunches(module)))
      return signalPassFailure();
  }

  // The tile spaces of a kernel that runs by tiles.
  LogicalResult prepare(func::FuncOp kernel) {
    // Those check themselves: parts of their tiles have no static shape.
    if (isTileProgram(kernel))
      return success();
    if (failed(checkKernel(kernel)))
      return failure();
    if (!isTileable(kernel))
      return success();
    FailureOr<SmallVector<TileSpace>> found = prepareKernel(kernel);
    if (failed(found) || failed(fitIntoMemory(kernel, *found)))
      return failure();
    for (TileSpace &space : *found)
      widen(space);
    spaces[kernel.getName()] = std::move(*found);
    return success();
  }

  // Kernels that launch others: those are independent. Where each of their points is one thread's they are one kernel, in which a range of blocks belongs to each; the others keep their
  // launches, which a device runs side by side.
  LogicalResult mergeLaunches(func::FuncOp callee, SymbolTable &symbols) {
    SmallVector<Member, 0> members;
    for (LaunchOp launch : llvm::make_early_inc_range(callee.getOps<LaunchOp>())) {
      auto kernel = symbols.lookup<func::FuncOp>(launch.getCallee());
      std::optional<StagePlan> plan = kernel && llvm::all_of(launch->getOperands(), llvm::IsaPred<BlockArgument>) ? sharedPlan(kernel) : std::nullopt;
      if (!plan)
        continue;
      // What has no elements has no blocks.
      if (plan->blocks() > 0) {
        members.push_back({kernel, std::move(*plan), {}});
        for (Value operand : launch->getOperands())
          members.back().arguments.push_back(cast<BlockArgument>(operand).getArgNumber());
        members.back().bytes = countBytes(kernel, kernel.getNumArguments() - kernel.getNumResults());
      }
      shared.insert(kernel.getName());
      launchesOf[launch.getCallee()].remove(launch);
      launch.erase();
    }
    for (ArrayRef<Member> left = members; !left.empty();) {
      llvm::SmallSetVector<unsigned, 16> arguments;
      size_t taken = 0;
      for (const Member &member : left) {
        llvm::SmallSetVector<unsigned, 16> more = arguments;
        more.insert(member.arguments.begin(), member.arguments.end());
        if (taken > 0 && more.size() > kMaxArguments)
          break;
        arguments = std::move(more);
        ++taken;
      }
      if (failed(emitShared(callee, MutableArrayRef<Member>(members).slice(members.size() - left.size(), taken), arguments.getArrayRef())))
        return failure();
      left = left.drop_front(taken);
    }
    // What is left are launches of their own, where the kernel was launched.
    for (LaunchOp launch : llvm::to_vector(launchesOf[callee.getName()])) {
      IRMapping mapping;
      for (auto [argument, operand] : llvm::zip(callee.getArguments(), launch->getOperands()))
        mapping.map(argument, operand);
      OpBuilder builder(launch);
      for (Operation &op : callee.getBody().front().without_terminator())
        if (auto copy = dyn_cast<LaunchOp>(builder.clone(op, mapping))) {
          launchesOf[copy.getCallee()].insert(copy);
          auto kernel = symbols.lookup<func::FuncOp>(copy.getCallee());
          if (!kernel || kernel.isExternal() || !launch->hasAttr("raf.flops") || copy->hasAttr("raf.flops"))
            continue;
          copy->setDiscardableAttr("raf.flops", builder.getI64IntegerAttr(countFlops(kernel)));
          copy->setDiscardableAttr("raf.bytes", builder.getI64IntegerAttr(countBytes(kernel, copy.getInputs().size())));
        }
      if (members.empty())
        launch.erase();
    }
    for (LaunchOp launch : callee.getOps<LaunchOp>())
      launchesOf[launch.getCallee()].remove(launch);
    symbols.erase(callee);
    return success();
  }

  // The plan of a kernel of one stage without loops within a point, for blocks of kSharedBlock threads.
  std::optional<StagePlan> sharedPlan(func::FuncOp kernel) {
    auto found = spaces.find(kernel.getName());
    if (found == spaces.end() || found->second.size() != 1)
      return std::nullopt;
    StagePlan plan = planStage(kernel, found->second.front());
    if (plan.lanes != 1 || plan.sharedBytes != 0 || plan.ops.empty() || llvm::any_of(plan.ops, [](const OpPlan &op) { return op.work() != 1; }) || matchTransposition(plan))
      return std::nullopt;
    plan.points = kSharedBlock;
    return plan;
  }

  LogicalResult emitShared(func::FuncOp callee, MutableArrayRef<Member> members, ArrayRef<unsigned> arguments) {
    int64_t blocks = 0;
    for (Member &member : members) {
      member.firstBlock = blocks;
      blocks += member.plan.blocks();
    }
    SmallVector<Type> types;
    for (unsigned argument : arguments)
      types.push_back(callee.getArgumentTypes()[argument]);
    Part &part = addPart(callee, types, blocks, kSharedBlock);
    part.arguments = SmallVector<unsigned>(arguments);
    for (const Member &member : members) {
      part.flops += flopsOf(member.plan);
      part.bytes += member.bytes;
    }
    ++mapped;
    OpBuilder builder(part.func.getBody().front().getTerminator());
    Value block = gpu::BlockIdOp::create(builder, callee.getLoc(), gpu::Dimension::x);
    return emitRange(builder, part.func, members, arguments, block);
  }

  // A block finds its kernel by halves.
  LogicalResult emitRange(OpBuilder &builder, gpu::GPUFuncOp func, ArrayRef<Member> members, ArrayRef<unsigned> arguments, Value block) {
    Location loc = func.getLoc();
    if (members.size() == 1) {
      const Member &member = members.front();
      StagePlace place;
      for (unsigned argument : member.arguments)
        place.buffers.push_back(func.getArgument(llvm::find(arguments, argument) - arguments.begin()));
      place.block = member.firstBlock == 0 ? block : arith::SubIOp::create(builder, loc, block, arith::ConstantIndexOp::create(builder, loc, member.firstBlock)).getResult();
      place.before = &*builder.getInsertionPoint();
      return emitStage(func, member.kernel, member.plan, place);
    }
    size_t half = members.size() / 2;
    Value limit = arith::ConstantIndexOp::create(builder, loc, members[half].firstBlock);
    Value below = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, block, limit);
    auto branch = scf::IfOp::create(builder, loc, below, /*withElseRegion=*/true);
    OpBuilder lower(branch.thenYield()), upper(branch.elseYield());
    return success(succeeded(emitRange(lower, func, members.take_front(half), arguments, block)) && succeeded(emitRange(upper, func, members.drop_front(half), arguments, block)));
  }

  Part &addPart(func::FuncOp kernel, TypeRange types, int64_t blocks, int64_t threads) {
    OpBuilder builder = OpBuilder::atBlockEnd(gpuModule.getBody());
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
    known.push_back({func, blocks, threads, std::nullopt});
    return known.back();
  }

  Part &addPart(func::FuncOp kernel, int64_t blocks, int64_t threads) {
    return addPart(kernel, llvm::map_to_vector(kernel.getArgumentTypes(), bufferType), blocks, threads);
  }

  LogicalResult lower(func::FuncOp kernel) {
    if (isTileProgram(kernel))
      return lowerTileProgram(kernel);
    parts[kernel.getName()];
    auto stages = spaces.find(kernel.getName());
    if (stages == spaces.end())
      return lowerSequential(kernel);
    ++mapped;
    for (const TileSpace &space : stages->second) {
      StagePlan plan = planStage(kernel, space);
      if (plan.blocks() == 0 || plan.ops.empty())
        continue;
      if (plan.blocks() > std::numeric_limits<int32_t>::max())
        return kernel.emitOpError() << "is a kernel and must have at most 2^31 - 1 blocks, got " << plan.blocks();
      if (failed(checkOperands(kernel, plan)))
        return failure();
      if (std::optional<Product> product = matchProduct(plan, {tf32, wgmma})) {
        int64_t flops = flopsOf(plan);
        emitProduct(addPart(kernel, product->blocks(), product->threads).func, kernel, plan, *product);
        parts[kernel.getName()].back().flops = flops;
        parts[kernel.getName()].back().dynamicShared = product->dynamicShared;
        continue;
      }
      if (std::optional<Transposition> transposition = matchTransposition(plan)) {
        int64_t flops = flopsOf(plan);
        emitTransposition(addPart(kernel, transposition->blocks(), Transposition::threads()).func, kernel, plan, *transposition);
        parts[kernel.getName()].back().flops = flops;
        continue;
      }
      int64_t flops = flopsOf(plan);
      Part part = addPart(kernel, plan.blocks(), plan.threads());
      parts[kernel.getName()].back().flops = flops;
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
    if (*blocks > 0) {
      FailureOr<int64_t> dynamicShared = emitTileProgram(addPart(kernel, *blocks, ThreadGrid::kThreads).func, kernel, tf32);
      if (failed(dynamicShared))
        return failure();
      parts[kernel.getName()].back().dynamicShared = *dynamicShared;
    }
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
    auto lowered = cast<func::FuncOp>(SymbolTable::lookupSymbolIn(getOperation(), name));
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

  static int64_t flopsOf(const StagePlan &plan) {
    int64_t flops = 0;
    for (const OpPlan &op : plan.ops)
      flops += countFlops(op.op);
    return flops;
  }

  // What a profile says of a kernel; of several stages each has its own. One for several launches has nothing of those that go on by themselves, which say what they cost.
  static void describe(gpu::LaunchFuncOp stage, LaunchOp launch, const Part &part, size_t stages) {
    auto set = [&](StringRef name, int64_t value) {
      if (launch->hasAttr(name))
        stage->setDiscardableAttr(name, IntegerAttr::get(IntegerType::get(launch.getContext(), 64), value));
    };
    if (part.arguments || stages > 1)
      set("raf.flops", part.flops);
    if (part.arguments)
      set("raf.bytes", part.bytes);
    if (!part.arguments && stages == 1)
      for (StringRef name : {"raf.flops", "raf.bytes"})
        if (Attribute value = launch->getDiscardableAttr(name))
          stage->setDiscardableAttr(name, value);
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
        SmallVector<Value> operands(launch->getOperands());
        if (part.arguments)
          operands = llvm::map_to_vector(*part.arguments, [&](unsigned argument) { return launch->getOperand(argument); });
        if (TypeRange(part.func.getArgumentTypes()) != TypeRange(ValueRange(operands)))
          return launch.emitOpError() << "must launch " << launch.getCalleeAttr() << " on contiguous buffers of its types, expected " << part.func.getArgumentTypes() << ", got "
                                      << ValueRange(operands).getTypes();
        Value one = arith::ConstantIndexOp::create(builder, loc, 1), blocks = arith::ConstantIndexOp::create(builder, loc, part.blocks);
        Value threads = arith::ConstantIndexOp::create(builder, loc, part.threads);
        Value shared = part.dynamicShared > 0 ? arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), part.dynamicShared).getResult() : Value();
        auto stage = gpu::LaunchFuncOp::create(builder, loc, part.func, gpu::KernelDim3{blocks, one, one}, gpu::KernelDim3{threads, one, one}, shared, operands);
        describe(stage, launch, part, found->second.size());
      }
      launch.erase();
    }
    return success();
  }

  gpu::GPUModuleOp gpuModule;
  llvm::StringMap<SmallVector<TileSpace>> spaces;
  llvm::StringSet<> shared; // kernels that are part of others
  llvm::StringMap<SmallVector<Part>> parts;
  llvm::StringMap<llvm::SetVector<LaunchOp>> launchesOf; // until they are merged
};
} // namespace
