// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-gpu/Sim.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::raf;

// The innermost name of what the user wrote.
static void describe(Location location, raw_ostream &os) {
  if (auto named = dyn_cast<NameLoc>(location)) {
    os << named.getName().getValue();
  } else if (auto file = dyn_cast<FileLineColLoc>(location)) {
    os << file.getFilename().getValue() << ':' << file.getLine() << ':' << file.getColumn();
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    describe(call.getCallee(), os);
  } else if (auto fused = dyn_cast<FusedLoc>(location); fused && !fused.getLocations().empty()) {
    llvm::interleave(fused.getLocations(), os, [&](Location part) { describe(part, os); }, ", ");
  } else {
    os << "unknown location";
  }
}

int32_t SimSites::number(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName() << " at ";
  describe(op->getLoc(), os);
  auto [entry, added] = numbers.try_emplace(text, static_cast<int32_t>(all.size()));
  if (added)
    all.push_back(text);
  return entry->second;
}

Value SimCalls::constant(ImplicitLocOpBuilder &b, int64_t value, unsigned bits) { return arith::ConstantIntOp::create(b, b.getIntegerType(bits), value); }

Value SimCalls::site(ImplicitLocOpBuilder &b, Operation *op) const { return constant(b, sites.number(op)); }

Value SimCalls::call(ImplicitLocOpBuilder &b, StringRef name, Type result, ValueRange operands) const {
  SmallVector<Value> all = {thread};
  llvm::append_range(all, operands);
  Operation *module = SymbolTable::getNearestSymbolTable(b.getInsertionBlock()->getParentOp());
  if (!SymbolTable::lookupSymbolIn(module, name)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&module->getRegion(0).front());
    auto type = LLVM::LLVMFunctionType::get(result ? result : LLVM::LLVMVoidType::get(b.getContext()), llvm::to_vector(ValueRange(all).getTypes()));
    LLVM::LLVMFuncOp::create(b, name, type);
  }
  auto call = LLVM::CallOp::create(b, result ? TypeRange(result) : TypeRange(), name, all);
  return result ? call.getResult() : Value();
}
