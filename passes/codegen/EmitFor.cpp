// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen/EmitFor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

scf::ForOp mlir::raf::emitFor(OpBuilder &builder, Location loc, Value from, Value to, int64_t step, ValueRange initial, function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(builder, loc, from, to, arith::ConstantIndexOp::create(builder, loc, step), initial);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> results = body(loop.getInductionVar(), loop.getRegionIterArgs());
  if (!initial.empty())
    scf::YieldOp::create(builder, loc, results);
  return loop;
}
