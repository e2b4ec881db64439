// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/KernelEmitter.h"
#include "dialects/raf/Ops.h"
#include "passes/codegen-cpu/ContractionNest.h"
#include "passes/codegen-cpu/KernelBuffers.h"
#include "passes/codegen-cpu/LoopNest.h"
#include "passes/codegen-cpu/Streaming.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

static Value constant(OpBuilder &builder, Location loc, int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

// Start and length of the tile with the given number, by dimension of the plan. Numbers run along the last dimension first.
static SmallVector<TileRange> tileRanges(OpBuilder &builder, Location loc, const TilePlan &plan, Value number) {
  SmallVector<TileRange> ranges(plan.dims.size());
  for (int64_t d = plan.dims.size() - 1; d >= 0; --d) {
    const TilePlan::Dim &dim = plan.dims[d];
    Value coordinate = number;
    if (d > 0) {
      Value count = constant(builder, loc, dim.count());
      coordinate = arith::RemUIOp::create(builder, loc, number, count);
      number = arith::DivUIOp::create(builder, loc, number, count);
    }
    ranges[d].spaceDim = dim.index;
    ranges[d].step = dim.step;
    ranges[d].offset = dim.step == 1 ? coordinate : arith::MulIOp::create(builder, loc, coordinate, constant(builder, loc, dim.step)).getResult();
    if (dim.size % dim.step != 0) {
      Value left = arith::SubIOp::create(builder, loc, constant(builder, loc, dim.size), ranges[d].offset);
      ranges[d].length = arith::MinUIOp::create(builder, loc, left, constant(builder, loc, dim.step));
    }
  }
  return ranges;
}

// The function that runs the tiles [begin, end) of one stage.
static FailureOr<func::FuncOp> emitStage(OpBuilder &builder, func::FuncOp kernel, StringRef name, const TileSpace &space, const TilePlan &plan,
                                         ArrayRef<Contraction> products, const CpuModel &cpu, ArrayRef<Type> types, const JoinedDimensions &joined) {
  Location loc = kernel.getLoc();
  Type index = builder.getIndexType();
  SmallVector<Type> bodyTypes = {index, index};
  llvm::append_range(bodyTypes, types);
  OpBuilder::InsertionGuard guard(builder);
  auto body = func::FuncOp::create(builder, loc, name, builder.getFunctionType(bodyTypes, {}));
  body.setPrivate();
  body->setAttr("raf.tiles", builder.getUnitAttr());
  Block *entry = body.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  SmallVector<Value> arguments(entry->getArguments().drop_front(2));
  for (auto [argument, dimensions] : llvm::zip(arguments, joined))
    if (!dimensions.empty())
      argument = memref::CollapseShapeOp::create(builder, loc, argument, dimensions);
  KernelBuffers buffers(kernel, arguments, space, plan);
  buffers.allocateTemporaries(builder);
  if (failed(buffers.check()))
    return failure();
  bool streams = buffers.streamResults(cpu.streamBytes, cpu.vectorBits);
  Value step = constant(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, entry->getArgument(0), entry->getArgument(1), step);
  if (streams)
    emitStreamFence(builder, loc);
  func::ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<TileRange> ranges = tileRanges(builder, loc, plan, loop.getInductionVar());
  SmallVector<Stream> fetched;
  if (products.empty())
    fetched = planPrefetch(builder, space, plan, loop.getInductionVar(), buffers);
  for (GenericOp op : kernel.getBody().front().getOps<GenericOp>()) {
    if (!space.loops.contains(cast<linalg::LinalgOp>(op.getOperation())))
      continue;
    // The fill of a product is its first sum.
    if (llvm::any_of(products, [&](const Contraction &product) { return product.start && GenericOp(product.op).getDpsInits()[0].getDefiningOp() == op; }))
      continue;
    const Contraction *product = llvm::find_if(products, [&](const Contraction &product) { return product.op == op; });
    if (product != products.end())
      emitContraction(builder, *product, planContraction(*product, cpu), space, ranges, buffers);
    else if (failed(emitLoopNest(builder, op, space, ranges, buffers, llvm::filter_to_vector(fetched, [&](const Stream &stream) { return stream.pass == op; }),
                                 stageCrossings(builder, op, space, ranges, buffers, cpu.vectorBits))))
      return failure();
  }
  buffers.emitCopies(builder, space, ranges);
  return body;
}

LogicalResult mlir::raf::emitTiledKernel(func::FuncOp kernel, ArrayRef<Type> types, const JoinedDimensions &joined, ArrayRef<TileSpace> stages, const CpuModel &cpu) {
  Location loc = kernel.getLoc();
  OpBuilder builder(kernel);
  auto outer = func::FuncOp::create(builder, loc, kernel.getName(), builder.getFunctionType(types, {}));
  outer.setPrivate();
  outer->setAttr("raf.kernel", builder.getUnitAttr());
  SmallVector<func::FuncOp> functions = {outer};
  OpBuilder calls = OpBuilder::atBlockEnd(outer.addEntryBlock());
  for (auto [stage, space] : llvm::enumerate(stages)) {
    SmallVector<Contraction> products;
    for (auto &entry : space.loops)
      if (std::optional<Contraction> product = matchContraction(cast<GenericOp>(*entry.first), space))
        products.push_back(*product);
    TilePlan plan = products.empty() ? planTiles(space, cpu.streamBytes, cpu.threads) : planTiles(space, products.front(), planContraction(products.front(), cpu), cpu);
    std::string name = (kernel.getName() + "_tiles").str() + (stage ? std::to_string(stage) : "");
    FailureOr<func::FuncOp> body = emitStage(builder, kernel, name, space, plan, products, cpu, types, joined);
    if (failed(body))
      return failure();
    functions.push_back(*body);
    auto loop = ParallelForOp::create(calls, loc, FlatSymbolRefAttr::get(body->getNameAttr()), builder.getI64IntegerAttr(plan.tiles), builder.getI64IntegerAttr(plan.grain),
                          outer.getArguments());
    loop->setDiscardableAttr(kWorkAttr, builder.getI64IntegerAttr(plan.tileWork));
  }
  func::ReturnOp::create(calls, loc);
  for (func::FuncOp func : functions)
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (isa<MemRefType>(func.getArgumentTypes()[i]))
        func.setArgAttr(i, "llvm.noalias", builder.getUnitAttr());
  kernel.erase();
  return success();
}
