// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and branches: calls of the functions of their regions.
#include "passes/host/HostLowering.h"
#include "passes/memory/Step.h"

using namespace mlir;
using namespace mlir::raf;

Value HostLowering::fillTable(Location loc, Value first, ValueRange buffers, Value last) {
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

void HostLowering::callRegion(Location loc, StringRef region, Value args, Value workspace) {
  Value arena = workspace ? addresses.lookup(workspace) : LLVM::ZeroOp::create(builder, loc, pointer).getResult();
  auto call = LLVM::CallOp::create(builder, loc, TypeRange(i64), FlatSymbolRefAttr::get(builder.getContext(), codeName(region)), ValueRange{ctx, args, arena});
  leaveOnFailure(loc, call.getResult());
}

SmallVector<Value> HostLowering::passedBuffers(ValueRange inputs, ValueRange inits) {
  SmallVector<Value> buffers(inputs);
  llvm::append_range(buffers, inits);
  return buffers;
}

void HostLowering::lowerFor(ForOp loop) {
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

Value HostLowering::deviceFlag(Location loc) {
  std::string name = "raf_flag_" + std::to_string(numFlags++);
  data(loc, name, builder.getI8Type(), builder.getI8IntegerAttr(0)).getDefiningOp()->erase();
  return deviceConstant(loc, name, /*bytes=*/1);
}

void HostLowering::lowerWhile(WhileOp loop) {
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

void HostLowering::lowerCase(CaseOp choice) {
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
