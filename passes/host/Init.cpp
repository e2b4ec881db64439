// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// raf_init: what is made once, when the program is loaded.
#include "passes/host/HostLowering.h"

#include <numeric>

using namespace mlir;
using namespace mlir::raf;

Value HostLowering::deviceConstant(Location loc, StringRef global, int64_t bytes) {
  auto id = constants.try_emplace(builder.getStringAttr(global), std::pair<int64_t, int64_t>(constants.size(), bytes)).first->second.first;
  LLVM::LLVMFuncOp function = runtimeFunction("raf_rt_cuda_constant_address", {pointer, i64}, pointer);
  return LLVM::CallOp::create(builder, loc, function, ValueRange{ctx, constant(loc, id)}).getResult();
}

void HostLowering::buildInit(Location loc) {
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

Value HostLowering::create(Location loc, int64_t id, int64_t kind, ArrayRef<int64_t> words, Value context) {
  Value address = data(loc, "raf_plan_" + std::to_string(id), LLVM::LLVMArrayType::get(i64, words.size()), builder.getI64TensorAttr(words));
  LLVM::LLVMFuncOp function = runtimeFunction(device ? "raf_rt_cuda_create" : "raf_rt_dnnl_create", {pointer, i64, i64, pointer, i64}, i64);
  return LLVM::CallOp::create(builder, loc, function, ValueRange{context, constant(loc, id), constant(loc, kind), address, constant(loc, words.size())}).getResult();
}
