// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/host/Host.h"
#include "passes/host/Passes.h"
#include "passes/memory/Step.h"
#include "passes/streams/Accesses.h"

#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

#include <map>
#include <numeric>

namespace mlir::raf {
#define GEN_PASS_DEF_LOWERHOSTPASS
#include "passes/host/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {

/// Builds raf_init, raf_run and a function of the same signature for each region: (context, addresses of the arguments, arena). A region returns a status, 0 for success.
///
/// With a device all these addresses are the device's, and so is the arena. What the host computes by (trip numbers, conditions) is a device constant, or read from there.
class HostLowering {
public:
  HostLowering(ModuleOp module, func::FuncOp step, bool profile, bool device)
      : module(module), step(step), builder(module.getContext()), profile(profile), device(device), i32(builder.getI32Type()), pointer(LLVM::LLVMPointerType::get(module.getContext())), i64(builder.getI64Type()),
        none(LLVM::LLVMVoidType::get(module.getContext())) {}

  SmallVector<HostOp> ops;
  int64_t numPlans() const { return plans.size(); }

  LogicalResult run() {
    for (func::FuncOp func : getHostFunctions(module))
      if (failed(lowerFunction(func)))
        return failure();
    buildInit(step.getLoc());
    return success();
  }

private:
  LogicalResult lowerFunction(func::FuncOp func) {
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

  /// The function of the LLVM dialect beside the one that it is made from.
  static std::string codeName(StringRef region) { return (region + "_code").str(); }

  Value constant(Location loc, int64_t value) { return LLVM::ConstantOp::create(builder, loc, i64, value); }

  Value elementAddress(Location loc, Value table, int64_t index) {
    return LLVM::GEPOp::create(builder, loc, pointer, pointer, table, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
  }

  void loadArguments(func::FuncOp func, Value args, Value arena) {
    Location loc = func.getLoc();
    for (auto [index, argument] : llvm::enumerate(func.getArguments())) {
      if (func.getArgAttr(index, "raf.arena"))
        addresses[argument] = arena;
      else if (!argument.use_empty())
        addresses[argument] = LLVM::LoadOp::create(builder, loc, pointer, elementAddress(loc, args, index));
    }
  }

  /// Stack memory, reserved once a call of the function.
  Value reserve(Location loc, Type type, int64_t count) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    return LLVM::AllocaOp::create(builder, loc, pointer, type, constant(loc, count), /*alignment=*/8);
  }

  void allocateTable(func::FuncOp func) {
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

  Value paramSlot(Location loc, int64_t index) {
    return LLVM::GEPOp::create(builder, loc, pointer, i64, paramSlots, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
  }

  LLVM::LLVMFuncOp runtimeFunction(StringRef name, ArrayRef<Type> arguments, Type result) {
    if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
      return function;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, LLVM::LLVMFunctionType::get(result, arguments));
  }

  void hook(Location loc, StringRef name, int64_t number) {
    LLVM::CallOp::create(builder, loc, runtimeFunction(name, {pointer, i64}, none), ValueRange{ctx, constant(loc, number)});
  }

  void streamCall(Location loc, StringRef name, int64_t number) {
    LLVM::LLVMFuncOp function = runtimeFunction(name, {pointer, i64}, i64);
    leaveOnFailure(loc, LLVM::CallOp::create(builder, loc, function, ValueRange{ctx, constant(loc, number)}).getResult());
  }

  /// Before an op: its stream is the current one, and has waited.
  LogicalResult enterStream(Operation &op) {
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

  /// An op of the step by this name: a call of `emit` between the profile's hooks.
  template <typename Emit>
  void run(Operation *op, std::string name, Emit emit) {
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

  /// Constant data of the host code; the same contents under one name.
  Value data(Location loc, StringRef name, Type type, Attribute value) {
    if (!module.lookupSymbol(name)) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name, value, /*alignment=*/64);
    }
    return LLVM::AddressOfOp::create(builder, loc, pointer, name);
  }

  /// The device's copy of a global of the host code, which raf_init makes.
  Value deviceConstant(Location loc, StringRef global, int64_t bytes) {
    auto id = constants.try_emplace(builder.getStringAttr(global), std::pair<int64_t, int64_t>(constants.size(), bytes)).first->second.first;
    LLVM::LLVMFuncOp function = runtimeFunction("raf_rt_cuda_constant_address", {pointer, i64}, pointer);
    return LLVM::CallOp::create(builder, loc, function, ValueRange{ctx, constant(loc, id)}).getResult();
  }

  /// The host's copy of what lies at an address, for the host to decide by.
  Value readBack(Location loc, Type type, Value address) {
    if (!device)
      return LLVM::LoadOp::create(builder, loc, type, address);
    Value copy = reserve(loc, type, 1);
    LLVM::LLVMFuncOp function = runtimeFunction("raf_rt_cuda_read", {pointer, pointer, pointer, i64}, i64);
    leaveOnFailure(loc, LLVM::CallOp::create(builder, loc, function, ValueRange{ctx, copy, address, constant(loc, getElementBytes(type))}).getResult());
    return LLVM::LoadOp::create(builder, loc, type, copy);
  }

  LogicalResult launch(gpu::LaunchFuncOp op) {
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

  bool isHostCode(Operation *op) {
    auto func = op->getParentOfType<func::FuncOp>();
    return func && !func->hasAttr("raf.kernel");
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

  void execute(Location loc, PlanOpInterface plan) {
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

  Block *addBlock() {
    auto *block = new Block();
    exit->getParent()->getBlocks().insert(exit->getIterator(), block);
    return block;
  }

  /// The runtime has recorded the failure; nothing after it may run on half-written buffers.
  void leaveOnFailure(Location loc, Value result) {
    Block *next = addBlock();
    Value good = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, result, constant(loc, 0));
    LLVM::CondBrOp::create(builder, loc, good, next, ValueRange(), exit, status ? ValueRange(result) : ValueRange());
    builder.setInsertionPointToStart(next);
  }

  /// A table with the addresses of `first`, the buffers, then `last`; null ones are left out.
  Value fillTable(Location loc, Value first, ValueRange buffers, Value last) {
    SmallVector<Value> entries;
    if (first)
      entries.push_back(first);
    for (Value buffer : buffers)
      entries.push_back(addresses.lookup(buffer));
    if (last)
      entries.push_back(last);
    Value filled = reserve(loc, pointer, std::max<int64_t>(1, entries.size()));
    for (auto [index, address] : llvm::enumerate(entries))
      LLVM::StoreOp::create(builder, loc, address, elementAddress(loc, filled, index));
    return filled;
  }

  void callRegion(Location loc, StringRef region, Value args, Value workspace) {
    Value arena = workspace ? addresses.lookup(workspace) : LLVM::ZeroOp::create(builder, loc, pointer).getResult();
    auto call = LLVM::CallOp::create(builder, loc, TypeRange(i64), FlatSymbolRefAttr::get(builder.getContext(), codeName(region)), ValueRange{ctx, args, arena});
    leaveOnFailure(loc, call.getResult());
  }

  static SmallVector<Value> passedBuffers(ValueRange inputs, ValueRange inits) {
    SmallVector<Value> buffers(inputs);
    llvm::append_range(buffers, inits);
    return buffers;
  }

  void lowerFor(ForOp loop) {
    Location loc = loop.getLoc();
    // The body reads the number of the trip from memory: a place of the host's stack, or on a device the entry of a table of numbers.
    mostTrips = std::max<int64_t>(mostTrips, loop.getTrips());
    Value counter = device ? deviceConstant(loc, kTripNumbers, /*bytes=*/0) : reserve(loc, i64, 1);
    Value args = fillTable(loc, counter, passedBuffers(loop.getInputs(), loop.getInits()), Value());
    Block *header = addBlock(), *body = addBlock(), *next = addBlock();
    Value i = header->addArgument(i64, loc);
    LLVM::BrOp::create(builder, loc, ValueRange(constant(loc, 0)), header);
    builder.setInsertionPointToStart(header);
    Value more = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::slt, i, constant(loc, loop.getTrips()));
    LLVM::CondBrOp::create(builder, loc, more, body, next);
    builder.setInsertionPointToStart(body);
    if (device)
      LLVM::StoreOp::create(builder, loc, LLVM::GEPOp::create(builder, loc, pointer, i64, counter, ArrayRef<LLVM::GEPArg>{i}), elementAddress(loc, args, 0));
    else
      LLVM::StoreOp::create(builder, loc, i, counter);
    auto function = module.lookupSymbol<func::FuncOp>(loop.getBody());
    for (int64_t operand : loop.getSliced()) {
      Value offset = LLVM::MulOp::create(builder, loc, i, constant(loc, getBytes(cast<MemRefType>(function.getArgumentTypes()[operand + 1]))));
      Value rows = LLVM::GEPOp::create(builder, loc, pointer, builder.getI8Type(), addresses.lookup(loop.getOperand(operand)), ArrayRef<LLVM::GEPArg>{offset});
      LLVM::StoreOp::create(builder, loc, rows, elementAddress(loc, args, operand + 1));
    }
    callRegion(loc, loop.getBody(), args, loop.getWorkspace());
    LLVM::BrOp::create(builder, loc, ValueRange(LLVM::AddOp::create(builder, loc, i, constant(loc, 1))), header);
    builder.setInsertionPointToStart(next);
  }

  /// A byte of the device for the result of a condition.
  Value deviceFlag(Location loc) {
    std::string name = "raf_flag_" + std::to_string(numFlags++);
    data(loc, name, builder.getI8Type(), builder.getI8IntegerAttr(0)).getDefiningOp()->erase();
    return deviceConstant(loc, name, /*bytes=*/1);
  }

  void lowerWhile(WhileOp loop) {
    Location loc = loop.getLoc();
    // The body takes the same arguments as the condition but for the place of its result, the last.
    Value holds = device ? deviceFlag(loc) : reserve(loc, builder.getI8Type(), 1), args = fillTable(loc, Value(), passedBuffers(loop.getInputs(), loop.getInits()), holds);
    Block *header = addBlock(), *body = addBlock(), *next = addBlock();
    LLVM::BrOp::create(builder, loc, ValueRange(), header);
    builder.setInsertionPointToStart(header);
    callRegion(loc, loop.getCondition(), args, loop.getWorkspace());
    Value stored = readBack(loc, builder.getI8Type(), holds), zero = LLVM::ConstantOp::create(builder, loc, builder.getI8Type(), 0);
    LLVM::CondBrOp::create(builder, loc, LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, stored, zero), body, next);
    builder.setInsertionPointToStart(body);
    callRegion(loc, loop.getBody(), args, loop.getWorkspace());
    LLVM::BrOp::create(builder, loc, ValueRange(), header);
    builder.setInsertionPointToStart(next);
  }

  void lowerCase(CaseOp choice) {
    Location loc = choice.getLoc();
    Value args = fillTable(loc, Value(), passedBuffers(choice.getInputs().drop_front(), choice.getInits()), Value()), chosen = choice.getInputs().front();
    Value index = readBack(loc, cast<MemRefType>(chosen.getType()).getElementType(), addresses.lookup(chosen));
    SmallVector<FlatSymbolRefAttr> branches = choice.getRegionFunctions();
    SmallVector<Block *> blocks = llvm::map_to_vector(branches, [&](FlatSymbolRefAttr) { return addBlock(); });
    Block *next = addBlock();
    SmallVector<APInt> values;
    for (size_t i = 0; i + 1 < branches.size(); ++i)
      values.push_back(APInt(index.getType().getIntOrFloatBitWidth(), i));
    SmallVector<Block *> cases(ArrayRef<Block *>(blocks).drop_back());
    LLVM::SwitchOp::create(builder, loc, index, blocks.back(), ValueRange(), values, cases, SmallVector<ValueRange>(cases.size()));
    for (auto [branch, block] : llvm::zip(branches, blocks)) {
      builder.setInsertionPointToStart(block);
      callRegion(loc, branch.getValue(), args, choice.getWorkspace());
      LLVM::BrOp::create(builder, loc, ValueRange(), next);
    }
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
    Value context = entry->getArgument(0);
    auto leaveUnlessGood = [&](Value status) {
      auto *next = new Block();
      done->getParent()->getBlocks().insert(done->getIterator(), next);
      Value good = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, status, constant(loc, 0));
      LLVM::CondBrOp::create(builder, loc, good, next, ValueRange(), done, ValueRange(status));
      builder.setInsertionPointToStart(next);
    };
    // Errors name the op, and the nodes that it is for: of what several ops share, the first.
    auto enter = [&](int64_t op) { LLVM::CallOp::create(builder, loc, runtimeFunction("raf_rt_cuda_op", {pointer, i64}, none), ValueRange{context, constant(loc, op)}); };
    if (device && !ops.empty()) {
      std::string texts = getOpTexts(ops);
      Value address = data(loc, "raf_ops", LLVM::LLVMArrayType::get(builder.getI8Type(), texts.size()), builder.getStringAttr(texts));
      LLVM::LLVMFuncOp function = runtimeFunction("raf_rt_cuda_ops", {pointer, pointer, i64}, i64);
      leaveUnlessGood(LLVM::CallOp::create(builder, loc, function, ValueRange{context, address, constant(loc, ops.size())}).getResult());
    }
    for (auto [name, id] : kernels) {
      std::string text = name.str() + '\0', global = "raf_name_" + std::to_string(id);
      Value address = data(loc, global, LLVM::LLVMArrayType::get(builder.getI8Type(), text.size()), builder.getStringAttr(text));
      LLVM::LLVMFuncOp function = runtimeFunction("raf_rt_cuda_kernel", {pointer, i64, pointer}, i64);
      leaveUnlessGood(LLVM::CallOp::create(builder, loc, function, ValueRange{context, constant(loc, id), address}).getResult());
    }
    for (auto [name, place] : constants) {
      auto [id, bytes] = place;
      if (name.getValue() == kTripNumbers) {
        SmallVector<int64_t> numbers(std::max<int64_t>(mostTrips, 1));
        std::iota(numbers.begin(), numbers.end(), 0);
        data(loc, kTripNumbers, LLVM::LLVMArrayType::get(i64, numbers.size()), builder.getI64TensorAttr(numbers)).getDefiningOp()->erase();
        bytes = numbers.size() * sizeof(int64_t);
      }
      Value address = LLVM::AddressOfOp::create(builder, loc, pointer, name.getValue());
      LLVM::LLVMFuncOp function = runtimeFunction("raf_rt_cuda_constant", {pointer, i64, pointer, i64}, i64);
      leaveUnlessGood(LLVM::CallOp::create(builder, loc, function, ValueRange{context, constant(loc, id), address, constant(loc, bytes)}).getResult());
    }
    for (const auto *plan : inOrder) {
      if (device)
        enter(planOps[plan->second]);
      leaveUnlessGood(create(loc, plan->second, plan->first.first, plan->first.second, context));
    }
    if (device && !inOrder.empty())
      enter(-1);
    LLVM::BrOp::create(builder, loc, ValueRange(constant(loc, 0)), done);
    builder.setInsertionPointToStart(done);
    LLVM::ReturnOp::create(builder, loc, ValueRange(result));
  }

  Value create(Location loc, int64_t id, int64_t kind, ArrayRef<int64_t> words, Value context) {
    Value address = data(loc, "raf_plan_" + std::to_string(id), LLVM::LLVMArrayType::get(i64, words.size()), builder.getI64TensorAttr(words));
    LLVM::LLVMFuncOp function = runtimeFunction(device ? "raf_rt_cuda_create" : "raf_rt_dnnl_create", {pointer, i64, i64, pointer, i64}, i64);
    return LLVM::CallOp::create(builder, loc, function, ValueRange{context, constant(loc, id), constant(loc, kind), address, constant(loc, words.size())}).getResult();
  }

  ModuleOp module;
  func::FuncOp step;
  OpBuilder builder;
  bool profile, device;
  Type i32, pointer, i64, none;
  // Of the function that is being lowered; a step has no status.
  Value ctx, table, status, paramSlots, paramTable;
  Block *entry = nullptr, *exit = nullptr;
  DenseMap<Value, Value> addresses; // of memrefs
  std::map<std::pair<int64_t, std::vector<int64_t>>, int64_t> plans; // (kind, words): id
  SmallVector<int64_t> planOps;                                      // by id: the first op that executes it
  static constexpr StringLiteral kTripNumbers = "raf_trips";
  llvm::MapVector<StringAttr, int64_t> kernels;                        // id
  llvm::MapVector<StringAttr, std::pair<int64_t, int64_t>> constants; // id, bytes
  int64_t mostTrips = 0, numFlags = 0, stream = 0;
};

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
