// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several kernels in one: their tiles share a parallel loop.
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/codegen-cpu/KernelEmitter.h"
#include "passes/codegen-cpu/TilePlan.h"

using namespace mlir;
using namespace mlir::raf;

namespace {
// The loop counts in units of so much work, so that ranges of equal length are equally long in time. A tile belongs to the range in which it starts.
constexpr int64_t kUnit = 1 << 10;
// A part of so many tiles is shared out by itself, as it would be in a launch of its own: then a thread finds in its caches what it has written before. The others go to the threads
// one after the other.
constexpr int64_t kManyTiles = 16;

struct Part {
  ParallelForOp loop;         // of the kernel that is launched
  SmallVector<Value> buffers; // its arguments, as arguments of the kernel of all
  int64_t tiles, weight;      // units a tile

  bool isShared() const { return tiles >= kManyTiles; }
  int64_t units() const { return tiles * weight; }
};
} // namespace

static Value constant(OpBuilder &builder, Location loc, int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

// position * size / of, rounded up.
static Value scaled(OpBuilder &builder, Location loc, Value position, int64_t size, int64_t of) {
  Value product = arith::MulIOp::create(builder, loc, position, constant(builder, loc, size));
  return arith::DivUIOp::create(builder, loc, arith::AddIOp::create(builder, loc, product, constant(builder, loc, of - 1)), constant(builder, loc, of));
}

// The number of the first tile, of a part that begins at `offset`, that starts at or after the position.
static Value firstTile(OpBuilder &builder, Location loc, Value position, int64_t offset, const Part &part) {
  Value start = constant(builder, loc, offset);
  Value passed = arith::SubIOp::create(builder, loc, arith::MaxUIOp::create(builder, loc, position, start), start);
  return arith::MinUIOp::create(builder, loc, scaled(builder, loc, passed, 1, part.weight), constant(builder, loc, part.tiles));
}

static func::FuncOp emitTiles(OpBuilder &builder, func::FuncOp kernel, StringRef name, ArrayRef<Part> parts, int64_t &units) {
  Location loc = kernel.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types(2, builder.getIndexType());
  llvm::append_range(types, kernel.getArgumentTypes());
  auto body = func::FuncOp::create(builder, loc, name, builder.getFunctionType(types, {}));
  body.setPrivate();
  body->setAttr("raf.tiles", builder.getUnitAttr());
  Block *entry = body.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  units = 0;
  int64_t unshared = 0, offset = 0;
  for (const Part &part : parts) {
    units += part.units();
    unshared += part.isShared() ? 0 : part.units();
  }
  Value begin = entry->getArgument(0), end = entry->getArgument(1);
  Value beginUnshared = scaled(builder, loc, begin, unshared, units), endUnshared = scaled(builder, loc, end, unshared, units);
  for (const Part &part : parts) {
    ParallelForOp loop = part.loop;
    Value first, last;
    if (part.isShared()) {
      first = scaled(builder, loc, begin, part.tiles, units);
      last = scaled(builder, loc, end, part.tiles, units);
    } else {
      first = firstTile(builder, loc, beginUnshared, offset, part);
      last = firstTile(builder, loc, endUnshared, offset, part);
      offset += part.units();
    }
    Value any = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, first, last);
    scf::IfOp::create(builder, loc, any, [&](OpBuilder &inner, Location at) {
      SmallVector<Value> operands = {first, last};
      for (Value buffer : part.buffers)
        operands.push_back(entry->getArgument(2 + cast<BlockArgument>(buffer).getArgNumber()));
      func::CallOp::create(inner, at, loop.getBody(), TypeRange(), operands);
      scf::YieldOp::create(inner, at);
    });
  }
  func::ReturnOp::create(builder, loc);
  return body;
}

LogicalResult mlir::raf::emitLaunches(func::FuncOp kernel, SymbolTable &symbols) {
  Location loc = kernel.getLoc();
  SmallVector<SmallVector<Part>> stages;
  SmallVector<LaunchOp> launches(kernel.getOps<LaunchOp>());
  for (LaunchOp launch : launches) {
    auto callee = symbols.lookup<func::FuncOp>(launch.getCallee());
    SmallVector<ParallelForOp> loops;
    if (callee && !callee.isExternal())
      llvm::append_range(loops, callee.getOps<ParallelForOp>());
    if (loops.empty() || TypeRange(callee.getArgumentTypes()) != TypeRange(launch.getOperandTypes()))
      return launch.emitOpError() << "is in a kernel of launches and must name a kernel that runs by tiles, got " << launch.getCalleeAttr();
    for (auto [stage, loop] : llvm::enumerate(loops)) {
      if (stages.size() <= stage)
        stages.emplace_back();
      auto work = loop->getAttrOfType<IntegerAttr>(kWorkAttr);
      int64_t perTile = work ? work.getInt() : kUnit;
      Part part{loop, {}, static_cast<int64_t>(loop.getTiles()), std::max<int64_t>(1, llvm::divideCeil(perTile, kUnit))};
      for (Value argument : loop.getArguments())
        part.buffers.push_back(launch.getOperand(cast<BlockArgument>(argument).getArgNumber()));
      stages[stage].push_back(std::move(part));
    }
  }
  OpBuilder builder(kernel), calls(kernel.getBody().front().getTerminator());
  for (auto [stage, parts] : llvm::enumerate(stages)) {
    if (parts.size() == 1) {
      ParallelForOp loop = parts.front().loop;
      ParallelForOp::create(calls, loc, loop.getBodyAttr(), loop.getTilesAttr(), loop.getGrainAttr(), parts.front().buffers);
      continue;
    }
    int64_t units;
    std::string name = (kernel.getName() + "_tiles").str() + (stage ? std::to_string(stage) : "");
    func::FuncOp body = emitTiles(builder, kernel, name, parts, units);
    ParallelForOp::create(calls, loc, FlatSymbolRefAttr::get(body.getNameAttr()), builder.getI64IntegerAttr(units), builder.getI64IntegerAttr(kThreadWork / kUnit), kernel.getArguments());
  }
  for (LaunchOp launch : launches)
    launch.erase();
  return success();
}
