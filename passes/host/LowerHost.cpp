// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/Host.h"
#include "passes/host/Passes.h"
#include "passes/memory/Step.h"

#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

#include <map>

namespace mlir::raf {
#define GEN_PASS_DEF_LOWERHOSTPASS
#include "passes/host/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {

/// Builds raf_init and raf_run of one step.
class HostLowering {
public:
  HostLowering(ModuleOp module, func::FuncOp step, bool profile)
      : module(module), step(step), builder(module.getContext()), profile(profile), pointer(LLVM::LLVMPointerType::get(module.getContext())), i64(builder.getI64Type()) {}

  SmallVector<std::string> ops;
  int64_t numPlans() const { return plans.size(); }

  LogicalResult run() {
    Location loc = step.getLoc();
    builder.setInsertionPoint(step);
    auto function = func::FuncOp::create(builder, loc, "raf_run", builder.getFunctionType({pointer, pointer, pointer}, {}));
    Block *entry = function.addEntryBlock();
    ctx = entry->getArgument(0);
    exit = new Block();
    function.getBody().push_back(exit);
    builder.setInsertionPointToStart(entry);
    loadArguments(loc, entry->getArgument(1), entry->getArgument(2));
    allocateTable(loc);
    for (Operation &op : step.getBody().front())
      if (failed(lower(op)))
        return failure();
    cf::BranchOp::create(builder, loc, exit);
    builder.setInsertionPointToStart(exit);
    func::ReturnOp::create(builder, loc);
    buildInit(loc);
    return success();
  }

private:
  Value constant(Location loc, int64_t value) { return LLVM::ConstantOp::create(builder, loc, i64, value); }

  Value elementAddress(Location loc, Value table, int64_t index) {
    return LLVM::GEPOp::create(builder, loc, pointer, pointer, table, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
  }

  void loadArguments(Location loc, Value args, Value arena) {
    for (auto [index, argument] : llvm::enumerate(step.getArguments())) {
      if (step.getArgAttr(index, "raf.arena"))
        addresses[argument] = arena;
      else if (!argument.use_empty())
        addresses[argument] = LLVM::LoadOp::create(builder, loc, pointer, elementAddress(loc, args, index));
    }
  }

  void allocateTable(Location loc) {
    size_t most = 0;
    for (Operation &op : step.getBody().front())
      if (auto plan = dyn_cast<PlanOpInterface>(&op))
        most = std::max(most, plan.getPlanBuffers().size());
    if (most)
      table = LLVM::AllocaOp::create(builder, loc, pointer, pointer, constant(loc, most), /*alignment=*/8);
  }

  func::FuncOp runtimeFunction(StringRef name, ArrayRef<Type> arguments, ArrayRef<Type> results) {
    if (auto function = module.lookupSymbol<func::FuncOp>(name))
      return function;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto function = func::FuncOp::create(builder, module.getLoc(), name, builder.getFunctionType(arguments, results));
    function.setPrivate();
    return function;
  }

  void hook(Location loc, StringRef name) {
    if (profile)
      func::CallOp::create(builder, loc, runtimeFunction(name, {pointer, i64}, {}), ValueRange{ctx, constant(loc, ops.size() - 1)});
  }

  LogicalResult lower(Operation &op) {
    Location loc = op.getLoc();
    if (auto launch = dyn_cast<LaunchOp>(&op)) {
      ops.push_back(launch.getCallee().str());
      hook(loc, "raf_rt_profile_begin");
      SmallVector<Value> operands;
      for (Value operand : launch.getOperands())
        operands.push_back(isa<MemRefType>(operand.getType()) ? addresses.lookup(operand) : scalars.lookupOrDefault(operand));
      func::CallOp::create(builder, loc, launch.getCallee(), TypeRange(), operands);
      hook(loc, "raf_rt_profile_end");
      return success();
    }
    if (auto plan = dyn_cast<PlanOpInterface>(&op)) {
      ops.push_back(op.getName().getStringRef().str());
      hook(loc, "raf_rt_profile_begin");
      execute(loc, plan);
      hook(loc, "raf_rt_profile_end");
      return success();
    }
    if (auto copy = dyn_cast<memref::CopyOp>(&op)) {
      ops.push_back("copy");
      hook(loc, "raf_rt_profile_begin");
      LLVM::MemcpyOp::create(builder, loc, addresses.lookup(copy.getTarget()), addresses.lookup(copy.getSource()),
                             constant(loc, getBytes(cast<MemRefType>(copy.getSource().getType()))), /*isVolatile=*/false);
      hook(loc, "raf_rt_profile_end");
      return success();
    }
    if (auto view = dyn_cast<memref::ViewOp>(&op)) {
      APInt offset;
      if (!matchPattern(view.getByteShift(), m_ConstantInt(&offset)))
        return op.emitOpError() << "must have a constant offset";
      addresses[view] = LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), addresses.lookup(view.getSource()),
                                            ArrayRef<LLVM::GEPArg>{constant(loc, offset.getSExtValue())});
      return success();
    }
    if (auto cast = dyn_cast<memref::ReinterpretCastOp>(&op)) {
      addresses[cast.getResult()] = addresses.lookup(cast.getSource());
      return success();
    }
    if (auto global = dyn_cast<memref::GetGlobalOp>(&op)) {
      auto clone = cast<memref::GetGlobalOp>(builder.clone(op));
      Value address = arith::IndexCastOp::create(builder, loc, i64, memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, clone));
      addresses[global] = LLVM::IntToPtrOp::create(builder, loc, pointer, address, LLVM::DereferenceableAttr());
      return success();
    }
    if (op.hasTrait<OpTrait::ConstantLike>() && op.getNumResults() == 1) {
      scalars.map(op.getResult(0), builder.clone(op)->getResult(0));
      return success();
    }
    if (isa<func::ReturnOp>(op))
      return success();
    return op.emitOpError() << "cannot be lowered to host code: the step must be on buffers with a memory plan";
  }

  void execute(Location loc, PlanOpInterface plan) {
    SmallVector<int64_t> words = plan.getPlanWords();
    auto [known, isNew] = plans.try_emplace({plan.getPlanKind(), std::vector<int64_t>(words.begin(), words.end())}, plans.size());
    for (auto [index, buffer] : llvm::enumerate(plan.getPlanBuffers())) {
      Value address = buffer ? addresses.lookup(buffer) : LLVM::ZeroOp::create(builder, loc, pointer).getResult();
      LLVM::StoreOp::create(builder, loc, address, elementAddress(loc, table, index));
    }
    func::FuncOp function = runtimeFunction("raf_rt_dnnl_execute", {pointer, i64, pointer}, {i64});
    Value status = func::CallOp::create(builder, loc, function, ValueRange{ctx, constant(loc, known->second), table}).getResult(0);
    // The runtime has recorded the failure; nothing after it may run on half-written buffers.
    Block *next = new Block();
    exit->getParent()->getBlocks().insert(exit->getIterator(), next);
    Value good = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, status, constant(loc, 0));
    cf::CondBranchOp::create(builder, loc, good, next, ValueRange(), exit, ValueRange());
    builder.setInsertionPointToStart(next);
  }

  void buildInit(Location loc) {
    builder.setInsertionPoint(step);
    auto function = func::FuncOp::create(builder, loc, "raf_init", builder.getFunctionType({pointer}, {i64}));
    Block *entry = function.addEntryBlock();
    auto *done = new Block();
    function.getBody().push_back(done);
    Value result = done->addArgument(i64, loc);
    SmallVector<const std::pair<const std::pair<int64_t, std::vector<int64_t>>, int64_t> *> inOrder(plans.size());
    for (const auto &plan : plans)
      inOrder[plan.second] = &plan;
    builder.setInsertionPointToStart(entry);
    for (const auto *plan : inOrder) {
      const auto &[kind, words] = plan->first;
      Value status = create(loc, plan->second, kind, words, entry->getArgument(0));
      auto *next = new Block();
      done->getParent()->getBlocks().insert(done->getIterator(), next);
      Value good = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, status, constant(loc, 0));
      cf::CondBranchOp::create(builder, loc, good, next, ValueRange(), done, ValueRange(status));
      builder.setInsertionPointToStart(next);
    }
    cf::BranchOp::create(builder, loc, done, ValueRange(constant(loc, 0)));
    builder.setInsertionPointToStart(done);
    func::ReturnOp::create(builder, loc, result);
  }

  Value create(Location loc, int64_t id, int64_t kind, ArrayRef<int64_t> words, Value context) {
    std::string name = "raf_plan_" + std::to_string(id);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      LLVM::GlobalOp::create(builder, loc, LLVM::LLVMArrayType::get(i64, words.size()), /*isConstant=*/true, LLVM::Linkage::Internal, name,
                             builder.getI64TensorAttr(words));
    }
    Value address = LLVM::AddressOfOp::create(builder, loc, pointer, name);
    func::FuncOp function = runtimeFunction("raf_rt_dnnl_create", {pointer, i64, i64, pointer, i64}, {i64});
    return func::CallOp::create(builder, loc, function, ValueRange{context, constant(loc, id), constant(loc, kind), address, constant(loc, words.size())}).getResult(0);
  }

  ModuleOp module;
  func::FuncOp step;
  OpBuilder builder;
  bool profile;
  Type pointer, i64;
  Value ctx, table;
  Block *exit = nullptr;
  DenseMap<Value, Value> addresses; // of memrefs
  IRMapping scalars;
  std::map<std::pair<int64_t, std::vector<int64_t>>, int64_t> plans; // (kind, words): id
};

struct LowerHost : mlir::raf::impl::LowerHostPassBase<LowerHost> {
  using LowerHostPassBase::LowerHostPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    func::FuncOp step = getStepFunction(module);
    if (!step)
      return;
    if (step.getNumResults() || llvm::any_of(step.getArgumentTypes(), llvm::IsaPred<TensorType>)) {
      step.emitOpError() << "must be on buffers: run raf-bufferize-host and raf-plan-memory before raf-lower-host";
      return signalPassFailure();
    }
    HostLowering lowering(module, step, profile);
    if (failed(lowering.run()) || failed(lowerKernelSignatures(module, step)))
      return signalPassFailure();
    module->setAttr("raf.manifest", StringAttr::get(module.getContext(), describeStep(module, step, lowering.ops, lowering.numPlans())));
    numCalls += lowering.ops.size();
    numPlans += lowering.numPlans();
    step.erase();
  }
};

} // namespace
