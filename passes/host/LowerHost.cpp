// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/Host.h"
#include "passes/host/Passes.h"
#include "passes/memory/Step.h"

#include "dialects/raf/interfaces/Interfaces.h"
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
      : module(module), step(step), builder(module.getContext()), profile(profile), pointer(LLVM::LLVMPointerType::get(module.getContext())), i64(builder.getI64Type()),
        none(LLVM::LLVMVoidType::get(module.getContext())) {}

  SmallVector<std::string> ops;
  int64_t numPlans() const { return plans.size(); }

  LogicalResult run() {
    Location loc = step.getLoc();
    builder.setInsertionPoint(step);
    auto function = LLVM::LLVMFuncOp::create(builder, loc, "raf_run", LLVM::LLVMFunctionType::get(none, {pointer, pointer, pointer}));
    Block *entry = function.addEntryBlock(builder);
    ctx = entry->getArgument(0);
    exit = new Block();
    function.getBody().push_back(exit);
    builder.setInsertionPointToStart(entry);
    loadArguments(loc, entry->getArgument(1), entry->getArgument(2));
    allocateTable(loc);
    for (Operation &op : step.getBody().front())
      if (failed(lower(op)))
        return failure();
    LLVM::BrOp::create(builder, loc, exit);
    builder.setInsertionPointToStart(exit);
    LLVM::ReturnOp::create(builder, loc, ValueRange());
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

  LLVM::LLVMFuncOp runtimeFunction(StringRef name, ArrayRef<Type> arguments, Type result) {
    if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      return function;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, LLVM::LLVMFunctionType::get(result, arguments));
  }

  void hook(Location loc, StringRef name) {
    if (profile)
      LLVM::CallOp::create(builder, loc, runtimeFunction(name, {pointer, i64}, none), ValueRange{ctx, constant(loc, ops.size() - 1)});
  }

  /// A kernel is a function of the LLVM dialect if it is lowered already; otherwise what lowers it lowers the call.
  void call(Location loc, FlatSymbolRefAttr kernel, ValueRange operands) {
    if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel.getAttr()))
      LLVM::CallOp::create(builder, loc, function, operands);
    else
      func::CallOp::create(builder, loc, kernel.getValue(), TypeRange(), operands);
  }

  Value scalar(Value value) {
    Attribute constant;
    if (!matchPattern(value, m_Constant(&constant)))
      return {};
    Type type = value.getType();
    if (auto number = dyn_cast<IntegerAttr>(constant); number && type.isIndex()) {
      type = i64;
      constant = builder.getI64IntegerAttr(number.getInt());
    }
    return LLVM::ConstantOp::create(builder, value.getLoc(), type, constant);
  }

  Value getAddressOfGlobal(memref::GetGlobalOp get) {
    StringRef name = get.getName();
    if (auto global = module.lookupSymbol<memref::GlobalOp>(name)) {
      // Of this pass alone unless a kernel uses it too, which the kernel's lowering then sees to.
      std::string own = name.str();
      bool shared = llvm::any_of(*SymbolTable::getSymbolUses(global, module), [&](SymbolTable::SymbolUse use) { return !step->isProperAncestor(use.getUser()); });
      if (shared)
        own += "_host";
      if (!shared || !module.lookupSymbol(own)) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(global);
        MemRefType type = global.getType();
        Type array = type.getElementType();
        for (int64_t dim : llvm::reverse(type.getShape()))
          array = LLVM::LLVMArrayType::get(array, dim);
        LLVM::GlobalOp::create(builder, global.getLoc(), array, /*isConstant=*/true, LLVM::Linkage::Internal, own, getValueOf(global), /*alignment=*/64);
        if (!shared)
          global.erase();
      }
      return LLVM::AddressOfOp::create(builder, get.getLoc(), pointer, own);
    }
    return LLVM::AddressOfOp::create(builder, get.getLoc(), pointer, name);
  }

  /// A global of rank 0 holds the element itself.
  static Attribute getValueOf(memref::GlobalOp global) {
    Attribute value = *global.getInitialValue();
    if (auto elements = dyn_cast<DenseElementsAttr>(value); elements && global.getType().getRank() == 0)
      return elements.getSplatValue<Attribute>();
    return value;
  }

  LogicalResult lower(Operation &op) {
    Location loc = op.getLoc();
    if (auto launch = dyn_cast<LaunchOp>(&op)) {
      ops.push_back(launch.getCallee().str());
      hook(loc, "raf_rt_profile_begin");
      SmallVector<Value> operands;
      for (Value operand : launch.getOperands()) {
        operands.push_back(isa<MemRefType>(operand.getType()) ? addresses.lookup(operand) : scalar(operand));
        if (!operands.back())
          return op.emitOpError() << "has an operand that is neither a buffer nor a constant";
      }
      call(loc, launch.getCalleeAttr(), operands);
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
      addresses[global] = getAddressOfGlobal(global);
      return success();
    }
    if (op.hasTrait<OpTrait::ConstantLike>() || isa<func::ReturnOp>(op))
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
    LLVM::LLVMFuncOp function = runtimeFunction("raf_rt_dnnl_execute", {pointer, i64, pointer}, i64);
    Value status = LLVM::CallOp::create(builder, loc, function, ValueRange{ctx, constant(loc, known->second), table}).getResult();
    // The runtime has recorded the failure; nothing after it may run on half-written buffers.
    Block *next = new Block();
    exit->getParent()->getBlocks().insert(exit->getIterator(), next);
    Value good = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, status, constant(loc, 0));
    LLVM::CondBrOp::create(builder, loc, good, next, exit);
    builder.setInsertionPointToStart(next);
  }

  void buildInit(Location loc) {
    builder.setInsertionPoint(step);
    auto function = LLVM::LLVMFuncOp::create(builder, loc, "raf_init", LLVM::LLVMFunctionType::get(i64, {pointer}));
    Block *entry = function.addEntryBlock(builder);
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
      LLVM::CondBrOp::create(builder, loc, good, next, ValueRange(), done, ValueRange(status));
      builder.setInsertionPointToStart(next);
    }
    LLVM::BrOp::create(builder, loc, ValueRange(constant(loc, 0)), done);
    builder.setInsertionPointToStart(done);
    LLVM::ReturnOp::create(builder, loc, ValueRange(result));
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
    LLVM::LLVMFuncOp function = runtimeFunction("raf_rt_dnnl_create", {pointer, i64, i64, pointer, i64}, i64);
    return LLVM::CallOp::create(builder, loc, function, ValueRange{context, constant(loc, id), constant(loc, kind), address, constant(loc, words.size())}).getResult();
  }

  ModuleOp module;
  func::FuncOp step;
  OpBuilder builder;
  bool profile;
  Type pointer, i64, none;
  Value ctx, table;
  Block *exit = nullptr;
  DenseMap<Value, Value> addresses; // of memrefs
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
