// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/HostLowering.h"
#include "passes/host/Passes.h"
#include "passes/memory/Step.h"
#include "passes/streams/Accesses.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::raf {
#define GEN_PASS_DEF_LOWERHOSTPASS
#include "passes/host/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

LogicalResult HostLowering::run() {
  for (func::FuncOp func : getHostFunctions(module))
    if (failed(lowerFunction(func)))
      return failure();
  buildInit(step.getLoc());
  return success();
}

LogicalResult HostLowering::lowerFunction(func::FuncOp func) {
  bool isStep = func == step;
  Location loc = func.getLoc();
  builder.setInsertionPoint(func);
  auto type = LLVM::LLVMFunctionType::get(isStep ? none : i64, {pointer, pointer, pointer});
  auto function = LLVM::LLVMFuncOp::create(builder, loc, isStep ? "raf_run" : codeName(func.getName()), type, isStep ? LLVM::Linkage::External : LLVM::Linkage::Internal);
  entry = function.addEntryBlock(builder);
  ctx = entry->getArgument(0);
  exit = new Block();
  function.getBody().push_back(exit);
  status = isStep ? Value() : exit->addArgument(i64, loc);
  addresses.clear();
  paramSlots = paramTable = Value();
  builder.setInsertionPointToStart(entry);
  loadArguments(func, entry->getArgument(1), entry->getArgument(2));
  allocateTable(func);
  stream = 0;
  for (Operation &op : func.getBody().front()) {
    if (failed(enterStream(op)) || failed(lower(op)))
      return failure();
    if (auto event = op.getAttrOfType<IntegerAttr>(kRecord))
      streamCall(op.getLoc(), "raf_rt_cuda_record", event.getInt());
  }
  LLVM::BrOp::create(builder, loc, status ? ValueRange(constant(loc, 0)) : ValueRange(), exit);
  builder.setInsertionPointToStart(exit);
  LLVM::ReturnOp::create(builder, loc, status ? ValueRange(status) : ValueRange());
  return success();
}

void HostLowering::loadArguments(func::FuncOp func, Value args, Value arena) {
  Location loc = func.getLoc();
  for (auto [index, argument] : llvm::enumerate(func.getArguments())) {
    if (func.getArgAttr(index, "raf.arena"))
      addresses[argument] = arena;
    else if (!argument.use_empty())
      addresses[argument] = LLVM::LoadOp::create(builder, loc, pointer, elementAddress(loc, args, index));
  }
}

Value HostLowering::reserve(Location loc, Type type, int64_t count) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(entry);
  return LLVM::AllocaOp::create(builder, loc, pointer, type, constant(loc, count), /*alignment=*/8);
}

void HostLowering::allocateTable(func::FuncOp func) {
  size_t most = 0, params = 0;
  for (Operation &op : func.getBody().front())
    if (auto plan = dyn_cast<PlanOpInterface>(&op))
      most = std::max(most, plan.getPlanBuffers().size());
    else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(&op))
      params = std::max<size_t>(params, launch.getNumKernelOperands());
  if (most)
    table = reserve(func.getLoc(), pointer, most);
  if (!params)
    return;
  // A launch takes the addresses of its parameters; where those lie is the same for all launches.
  Location loc = func.getLoc();
  paramSlots = reserve(loc, i64, params);
  paramTable = reserve(loc, pointer, params);
  for (size_t i = 0; i < params; ++i)
    LLVM::StoreOp::create(builder, loc, paramSlot(loc, i), elementAddress(loc, paramTable, i));
}

LLVM::LLVMFuncOp HostLowering::runtimeFunction(StringRef name, ArrayRef<Type> arguments, Type result) {
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, LLVM::LLVMFunctionType::get(result, arguments));
}

void HostLowering::hook(Location loc, StringRef name, int64_t number) {
  LLVM::CallOp::create(builder, loc, runtimeFunction(name, {pointer, i64}, none), ValueRange{ctx, constant(loc, number)});
}

void HostLowering::streamCall(Location loc, StringRef name, int64_t number) {
  LLVM::LLVMFuncOp function = runtimeFunction(name, {pointer, i64}, i64);
  leaveOnFailure(loc, LLVM::CallOp::create(builder, loc, function, ValueRange{ctx, constant(loc, number)}).getResult());
}

LogicalResult HostLowering::enterStream(Operation &op) {
  if (!Accesses::isWork(&op))
    return success();
  auto wait = op.getAttrOfType<DenseI64ArrayAttr>(kWait);
  if (!device && (streamOf(&op) || wait || op.hasAttr(kRecord)))
    return op.emitOpError() << "has a stream or an event: those are of a device, and raf-lower-host was given none";
  if (streamOf(&op) != stream)
    streamCall(op.getLoc(), "raf_rt_cuda_use_stream", stream = streamOf(&op));
  for (int64_t event : wait ? wait.asArrayRef() : ArrayRef<int64_t>())
    streamCall(op.getLoc(), "raf_rt_cuda_wait", event);
  return success();
}

void HostLowering::run(Operation *op, std::string name, llvm::function_ref<void()> emit) {
  int64_t number = ops.size();
  ops.push_back({std::move(name), op});
  if (device)
    hook(op->getLoc(), "raf_rt_cuda_op", number);
  if (profile)
    hook(op->getLoc(), "raf_rt_profile_begin", number);
  emit();
  if (profile)
    hook(op->getLoc(), "raf_rt_profile_end", number);
}

void HostLowering::call(Location loc, FlatSymbolRefAttr kernel, ValueRange operands) {
  if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel.getAttr()))
    LLVM::CallOp::create(builder, loc, function, operands);
  else
    func::CallOp::create(builder, loc, kernel.getValue(), TypeRange(), operands);
}

Value HostLowering::scalar(Value value) {
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

Value HostLowering::getAddressOfGlobal(memref::GetGlobalOp get) {
  StringRef name = get.getName();
  if (auto global = module.lookupSymbol<memref::GlobalOp>(name)) {
    // Of this pass alone unless a kernel uses it too, which the kernel's lowering then sees to.
    std::string own = name.str();
    bool shared = llvm::any_of(*SymbolTable::getSymbolUses(global, module), [&](SymbolTable::SymbolUse use) { return !isHostCode(use.getUser()); });
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

Value HostLowering::data(Location loc, StringRef name, Type type, Attribute value) {
  if (!module.lookupSymbol(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name, value, /*alignment=*/64);
  }
  return LLVM::AddressOfOp::create(builder, loc, pointer, name);
}

Value HostLowering::readBack(Location loc, Type type, Value address) {
  if (!device)
    return LLVM::LoadOp::create(builder, loc, type, address);
  Value copy = reserve(loc, type, 1);
  LLVM::LLVMFuncOp function = runtimeFunction("raf_rt_cuda_read", {pointer, pointer, pointer, i64}, i64);
  leaveOnFailure(loc, LLVM::CallOp::create(builder, loc, function, ValueRange{ctx, copy, address, constant(loc, getElementBytes(type))}).getResult());
  return LLVM::LoadOp::create(builder, loc, type, copy);
}

LogicalResult HostLowering::launch(gpu::LaunchFuncOp op) {
  Location loc = op.getLoc();
  SmallVector<Value> operands;
  for (Value operand : op.getKernelOperands()) {
    operands.push_back(isa<MemRefType>(operand.getType()) ? addresses.lookup(operand) : scalar(operand));
    if (!operands.back())
      return op.emitOpError() << "has an operand that is neither a buffer nor a constant";
  }
  SmallVector<int32_t> sizes;
  gpu::KernelDim3 grid = op.getGridSizeOperandValues(), block = op.getBlockSizeOperandValues();
  APInt shared(32, 0);
  std::string name = "raf_grid";
  for (Value size : {grid.x, grid.y, grid.z, block.x, block.y, block.z}) {
    APInt number;
    if (!matchPattern(size, m_ConstantInt(&number)))
      return op.emitOpError() << "must have constant numbers of blocks and threads";
    sizes.push_back(number.getSExtValue());
    name += "_" + std::to_string(sizes.back());
  }
  if (Value bytes = op.getDynamicSharedMemorySize(); bytes && !matchPattern(bytes, m_ConstantInt(&shared)))
    return op.emitOpError() << "must have a constant size of shared memory";
  int64_t id = kernels.try_emplace(op.getKernelName(), kernels.size()).first->second;
  run(op, op.getKernelName().str(), [&] {
    for (auto [index, operand] : llvm::enumerate(operands))
      LLVM::StoreOp::create(builder, loc, operand, paramSlot(loc, index));
    Value gridBlock = data(loc, name, LLVM::LLVMArrayType::get(i32, sizes.size()), builder.getI32TensorAttr(sizes));
    auto number = [&](int64_t value) { return LLVM::ConstantOp::create(builder, loc, i32, value); };
    Value params = paramTable ? paramTable : LLVM::ZeroOp::create(builder, loc, pointer).getResult();
    LLVM::LLVMFuncOp function = runtimeFunction("raf_rt_cuda_launch", {pointer, i64, pointer, i32, pointer, i32}, i64);
    SmallVector<Value> all{ctx, constant(loc, id), gridBlock, number(shared.getZExtValue()), params, number(operands.size())};
    leaveOnFailure(loc, LLVM::CallOp::create(builder, loc, function, all).getResult());
  });
  return success();
}

bool HostLowering::isHostCode(Operation *op) {
  auto func = op->getParentOfType<func::FuncOp>();
  return func && !func->hasAttr("raf.kernel");
}

Attribute HostLowering::getValueOf(memref::GlobalOp global) {
  Attribute value = *global.getInitialValue();
  if (auto elements = dyn_cast<DenseElementsAttr>(value); elements && global.getType().getRank() == 0)
    return elements.getSplatValue<Attribute>();
  return value;
}

LogicalResult HostLowering::lower(Operation &op) {
  Location loc = op.getLoc();
  if (auto launchFunc = dyn_cast<gpu::LaunchFuncOp>(&op); launchFunc && device)
    return launch(launchFunc);
  if (auto launch = dyn_cast<LaunchOp>(&op)) {
    if (device)
      return op.emitOpError() << "does not run on a device: run raf-map-to-gpu before raf-lower-host{device=cuda}";
    SmallVector<Value> operands;
    for (Value operand : launch.getOperands()) {
      operands.push_back(isa<MemRefType>(operand.getType()) ? addresses.lookup(operand) : scalar(operand));
      if (!operands.back())
        return op.emitOpError() << "has an operand that is neither a buffer nor a constant";
    }
    run(&op, launch.getCallee().str(), [&] { call(loc, launch.getCalleeAttr(), operands); });
    return success();
  }
  if (auto plan = dyn_cast<PlanOpInterface>(&op)) {
    run(&op, op.getName().getStringRef().str(), [&] { execute(loc, plan); });
    return success();
  }
  if (isa<RegionCallOpInterface>(op)) {
    auto emit = [&] {
      llvm::TypeSwitch<Operation *>(&op).Case([&](ForOp loop) { lowerFor(loop); }).Case([&](WhileOp loop) { lowerWhile(loop); }).Case([&](CaseOp choice) { lowerCase(choice); });
    };
    // Its time is that of the ops of its regions, which are counted themselves: an op of its own only where both are recorded.
    if (profile)
      run(&op, op.getName().getStringRef().str(), emit);
    else
      emit();
    return success();
  }
  if (auto copy = dyn_cast<memref::CopyOp>(&op)) {
    run(&op, "copy", [&] {
      Value target = addresses.lookup(copy.getTarget()), source = addresses.lookup(copy.getSource());
      Value bytes = constant(loc, getBytes(cast<MemRefType>(copy.getSource().getType())));
      if (!device) {
        LLVM::MemcpyOp::create(builder, loc, target, source, bytes, /*isVolatile=*/false);
        return;
      }
      LLVM::LLVMFuncOp function = runtimeFunction("raf_rt_cuda_copy", {pointer, pointer, pointer, i64}, i64);
      leaveOnFailure(loc, LLVM::CallOp::create(builder, loc, function, ValueRange{ctx, target, source, bytes}).getResult());
    });
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
    Value address = getAddressOfGlobal(global);
    if (device) {
      auto symbol = address.getDefiningOp<LLVM::AddressOfOp>();
      address = deviceConstant(loc, symbol.getGlobalName(), getBytes(cast<MemRefType>(global.getType())));
      symbol.erase();
    }
    addresses[global] = address;
    return success();
  }
  if (op.hasTrait<OpTrait::ConstantLike>() || isa<func::ReturnOp>(op))
    return success();
  return op.emitOpError() << "cannot be lowered to host code: the step must be on buffers with a memory plan";
}

void HostLowering::execute(Location loc, PlanOpInterface plan) {
  SmallVector<int64_t> words = plan.getPlanWords();
  auto [known, isNew] = plans.try_emplace({plan.getPlanKind(), std::vector<int64_t>(words.begin(), words.end())}, plans.size());
  if (isNew)
    planOps.push_back(ops.size() - 1);
  for (auto [index, buffer] : llvm::enumerate(plan.getPlanBuffers())) {
    Value address = buffer ? addresses.lookup(buffer) : LLVM::ZeroOp::create(builder, loc, pointer).getResult();
    LLVM::StoreOp::create(builder, loc, address, elementAddress(loc, table, index));
  }
  LLVM::LLVMFuncOp function = runtimeFunction(device ? "raf_rt_cuda_execute" : "raf_rt_dnnl_execute", {pointer, i64, pointer}, i64);
  leaveOnFailure(loc, LLVM::CallOp::create(builder, loc, function, ValueRange{ctx, constant(loc, known->second), table}).getResult());
}

Block *HostLowering::addBlock() {
  auto *block = new Block();
  exit->getParent()->getBlocks().insert(exit->getIterator(), block);
  return block;
}

void HostLowering::leaveOnFailure(Location loc, Value result) {
  Block *next = addBlock();
  Value good = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, result, constant(loc, 0));
  LLVM::CondBrOp::create(builder, loc, good, next, ValueRange(), exit, status ? ValueRange(result) : ValueRange());
  builder.setInsertionPointToStart(next);
}

namespace {

struct LowerHost : mlir::raf::impl::LowerHostPassBase<LowerHost> {
  using LowerHostPassBase::LowerHostPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    func::FuncOp step = getStepFunction(module);
    if (!step)
      return;
    if (!device.empty() && device != "cuda" && device != "cuda-sim") {
      module.emitError() << "raf-lower-host: device: '" << device << "' is not known; expected cuda or cuda-sim";
      return signalPassFailure();
    }
    SmallVector<func::FuncOp> functions = getHostFunctions(module);
    for (func::FuncOp func : functions)
      if (func.getNumResults() || llvm::any_of(func.getArgumentTypes(), llvm::IsaPred<TensorType>)) {
        func.emitOpError() << "must be on buffers: run raf-bufferize-host and raf-plan-memory before raf-lower-host";
        return signalPassFailure();
      }
    HostLowering lowering(module, step, profile, !device.empty());
    if (failed(lowering.run()) || failed(lowerKernelSignatures(module, functions)))
      return signalPassFailure();
    module->setAttr("raf.manifest", StringAttr::get(module.getContext(), describeStep(module, functions, lowering.ops, lowering.numPlans(), profile, device)));
    numCalls += lowering.ops.size();
    numPlans += lowering.numPlans();
    for (func::FuncOp func : functions)
      func.erase();
  }
};

} // namespace
