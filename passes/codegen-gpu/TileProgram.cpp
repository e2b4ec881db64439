// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs on tiles: what their loops bring from memory and carry, what lies in shared memory, and the ops one after the other.
#include "passes/codegen-gpu/TileProgram.h"
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/codegen-gpu/Loops.h"
#include "passes/codegen-gpu/TileEmitter.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;
using Registers = SmallVector<Value>;

FailureOr<int64_t> TileEmitter::run() {
  if (failed(checkTileProgram(kernel)))
    return failure();
  for (auto [index, argument] : llvm::enumerate(kernel.getArguments()))
    buffers[argument] = func.getArgument(index);
  findShared();
  if (failed(emitBlock(kernel.getBody().front())))
    return failure();
  if (sharedBytes > kSharedBytes)
    return kernel.emitOpError() << "is a kernel and must not keep more for a block than its shared memory holds, expected at most " << kSharedBytes << " bytes, got " << sharedBytes;
  return dynamicBytes;
}

void TileEmitter::findShared() {
  kernel.walk([&](GenericOp op) {
    if (std::optional<TileProduct> product = TileProduct::match(op))
      for (OpOperand *operand : op.getDpsInputOperands())
        if (operand->getOperandNumber() != product->a || !product->takesRegisters(threads))
          shared.insert(operand->get());
  });
  findAhead();
  bool clears = false;
  for (Value operand : shared)
    if (SharedTile &tile = allocate(operand); tile.isFilledUp()) {
      tile.clear(builder, loc, threads);
      clears = true;
    }
  if (clears)
    gpu::BarrierOp::create(builder, loc);
}

void TileEmitter::findAhead() {
  if (!threads.hasMatrices())
    return;
  constexpr int64_t kMostBytes = 72 << 10;
  int64_t bytes = 0;
  for (Value operand : shared)
    bytes += SharedTile::describe(typeOf(operand), true).bytes();
  kernel.walk([&](scf::ForOp loop) {
    SmallVector<tensor::ExtractSliceOp> found;
    int64_t more = 0;
    for (auto slice : loop.getBody()->getOps<tensor::ExtractSliceOp>())
      if (Value buffer = buffers.lookup(slice.getSource()); buffer && shared.contains(slice) && !needsRegisters(slice) && CopiesAhead::isPossible(loop, slice, cast<MemRefType>(buffer.getType()))) {
        found.push_back(slice);
        more += SharedTile::describe(slice.getType(), true).bytes();
      }
    if (found.empty() || bytes + more > kMostBytes)
      return;
    bytes += more;
    auto [entry, isNew] = ahead.try_emplace(loop, loop);
    for (tensor::ExtractSliceOp slice : found) {
      entry->second.add(slice, buffers.lookup(slice.getSource()), allocateTwice(slice));
      brought.insert(slice);
    }
  });
}

SharedTile &TileEmitter::allocateTwice(Value value) {
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
  auto type = [&](int64_t size, Type element) { return MemRefType::get({size}, element, MemRefLayoutAttrInterface(), space); };
  if (!dynamic)
    dynamic = gpu::DynamicSharedMemoryOp::create(builder, loc, type(ShapedType::kDynamic, builder.getI8Type()));
  SharedTile tile = SharedTile::describe(typeOf(value), true);
  tile.memory = memref::ViewOp::create(builder, loc, type(2 * tile.numElements(), tile.type.getElementType()), dynamic, index(dynamicBytes), ValueRange());
  dynamicBytes += 2 * tile.bytes();
  return tiles[value] = tile;
}

bool TileEmitter::needsRegisters(Value value) {
  return !shared.contains(value) || llvm::any_of(value.getUses(), [&](OpOperand &use) {
    auto op = dyn_cast<GenericOp>(use.getOwner());
    return !op || !TileProduct::match(op) || use.getOperandNumber() >= op.getNumDpsInputs();
  });
}

void TileEmitter::define(Value value, Registers elements) {
  RankedTensorType type = typeOf(value);
  if (shared.contains(value)) {
    SharedTile &tile = allocate(value);
    barriers.beforeWrite(tile.memory);
    int64_t width = neighbours(type);
    for (int64_t number = 0; number < static_cast<int64_t>(elements.size()); number += width) {
      ThreadGrid::Place place = threads.placeOf(type, number);
      emitIf(builder, loc, place.inside, [&] { storeElements(builder, loc, ValueRange(elements).slice(number, width), tile.memory, threads.multiplyAdd(place.at[0], tile.pitch, place.at[1])); });
    }
  }
  registers[value] = std::move(elements);
}

SharedTile &TileEmitter::allocate(Value value) {
  auto [entry, isNew] = tiles.try_emplace(value);
  if (isNew) {
    RankedTensorType type = typeOf(value);
    entry->second = SharedTile::create(func, loc, type, threads.hasMatrices());
    sharedBytes += entry->second.bytes();
  }
  return entry->second;
}

LogicalResult TileEmitter::emitBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    loc = op.getLoc();
    if (failed(emit(&op)))
      return failure();
  }
  return success();
}

LogicalResult TileEmitter::emit(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op); linalgOp && !linalgOp.hasPureTensorSemantics())
    return unsupported(op, "must work on tensors");
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case<scf::ForallOp>([&](auto loop) { return emitForall(loop); })
      .Case<scf::ForOp>([&](auto loop) { return emitFor(loop); })
      .Case<GenericOp>([&](auto generic) { return emitGeneric(generic); })
      .Case<linalg::FillOp>([&](auto fill) { return splat(fill.getResult(0), scalars.lookupOrDefault(fill.value())); })
      .Case<ConstantOp>([&](auto constant) -> LogicalResult {
        auto value = dyn_cast<SplatElementsAttr>(constant.getValue());
        if (!value)
          return unsupported(op, "must be a splat");
        return splat(constant.getY(), arith::ConstantOp::create(builder, loc, value.template getSplatValue<TypedAttr>()));
      })
      .Case<tensor::EmptyOp>([](auto) { return success(); })
      .Case<tensor::ExtractSliceOp>([&](auto slice) { return emitLoad(slice); })
      .Case<tensor::InsertSliceOp>([&](auto insert) {
        Value into = insert.getDest();
        while (auto before = into.getDefiningOp<tensor::InsertSliceOp>())
          into = before.getDest();
        return emitStore(insert, into);
      })
      .Case<tensor::FromElementsOp>([&](auto elements) -> LogicalResult {
        if (typeOf(elements).getRank() != 0)
          return unsupported(op, "must make one number");
        define(elements, {scalars.lookupOrDefault(elements.getElements()[0])});
        return success();
      })
      .Case<tensor::ExtractOp>([&](auto extract) -> LogicalResult {
        if (!extract.getIndices().empty())
          return unsupported(op, "must read one number");
        FailureOr<Registers> number = elementsOf(op, extract.getTensor());
        if (failed(number))
          return failure();
        scalars.map(extract.getResult(), number->front());
        return success();
      })
      .Default([&](Operation *other) -> LogicalResult {
        auto isTensor = [](Type type) { return isa<TensorType>(type); };
        if (other->getNumRegions() > 0 || llvm::any_of(other->getOperandTypes(), isTensor) || llvm::any_of(other->getResultTypes(), isTensor))
          return unsupported(other, "cannot be shared by threads");
        builder.clone(*other, scalars);
        return success();
      });
}

LogicalResult TileEmitter::splat(Value result, Value scalar) {
  define(result, Registers(threads.registersOf(typeOf(result)), scalar));
  return success();
}

FailureOr<Registers> TileEmitter::elementsOf(Operation *user, Value tile) {
  if (auto found = registers.find(tile); found != registers.end())
    return found->second;
  RankedTensorType type = typeOf(tile);
  Value buffer = buffers.lookup(tile);
  if (!buffer || type.getRank() > 2) {
    (void)unsupported(user, "must read what the program has made, or an argument of at most two dimensions");
    return failure();
  }
  Registers elements;
  for (int64_t number = 0; number < threads.registersOf(type); ++number)
    elements.push_back(memref::LoadOp::create(builder, loc, buffer, threads.placeOf(type, number).at));
  return elements;
}

LogicalResult TileEmitter::appendElements(Operation *user, ValueRange values, Registers &all) {
  for (Value value : values) {
    if (!isa<RankedTensorType>(value.getType())) {
      all.push_back(scalars.lookupOrDefault(value));
      continue;
    }
    FailureOr<Registers> elements = elementsOf(user, value);
    if (failed(elements))
      return failure();
    llvm::append_range(all, *elements);
  }
  return success();
}

LogicalResult TileEmitter::emitForall(scf::ForallOp loop) {
  scalars.map(loop.getInductionVar(0), gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x));
  for (auto [argument, output] : llvm::zip(loop.getRegionIterArgs(), loop.getOutputs()))
    buffers[argument] = buffers.lookup(output);
  if (failed(emitBlock(*loop.getBody())))
    return failure();
  for (Operation &op : loop.getTerminator().getYieldingOps())
    if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op); !insert ? failed(unsupported(&op, "must insert a tile")) : failed(emitStore(insert, insert.getDest())))
      return failure();
  return success();
}

LogicalResult TileEmitter::emitFor(scf::ForOp loop) {
  for (Value init : loop.getInitArgs())
    if (auto type = dyn_cast<RankedTensorType>(init.getType()); type && (type.getRank() > 2 || !type.hasStaticShape()))
      return unsupported(loop, "must carry tiles of static shape, of at most two dimensions");
  Registers initial;
  if (failed(appendElements(loop, loop.getInitArgs(), initial)))
    return failure();
  Value lower = scalars.lookupOrDefault(loop.getLowerBound()), upper = scalars.lookupOrDefault(loop.getUpperBound()), step = scalars.lookupOrDefault(loop.getStep());
  auto found = ahead.find(loop);
  CopiesAhead *copies = found == ahead.end() ? nullptr : &found->second;
  auto startCopies = [&](Value iteration, Value parity) {
    Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, iteration, upper);
    copies->start(builder, loc, threads, iteration, parity, exists, scalars);
  };
  if (copies) {
    for (Value slice : copies->tiles())
      barriers.beforeWrite(tiles[slice].memory);
    startCopies(lower, index(0));
  }
  auto emitted = scf::ForOp::create(builder, loc, lower, upper, step, initial);
  auto spread = [&](ValueRange from, ValueRange to) {
    for (Value value : to) {
      if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
        define(value, Registers(from.take_front(threads.registersOf(type))));
        from = from.drop_front(threads.registersOf(type));
      } else {
        scalars.map(value, from.front());
        from = from.drop_front();
      }
    }
  };
  Barriers before = barriers;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(emitted.getBody());
    // The iteration before may have read what this one writes.
    loop.walk([&](GenericOp op) {
      if (TileProduct::match(op)) {
        for (Value operand : op.getDpsInputs())
          if (shared.contains(operand))
            barriers.noteRead(allocate(operand).memory);
      } else if (needsParts(op)) {
        barriers.noteRead(partsOf(op));
      }
    });
    Value iteration = emitted.getInductionVar();
    scalars.map(loop.getInductionVar(), iteration);
    if (copies) {
      // Here all have computed with what the next iteration's tiles overwrite.
      CopiesAhead::wait(builder, loc);
      barriers.meet(loc);
      Value number = builder.createOrFold<arith::DivUIOp>(loc, builder.createOrFold<arith::SubIOp>(loc, iteration, lower), step), parity = arith::RemUIOp::create(builder, loc, number, index(2));
      for (Value slice : copies->tiles())
        tiles[slice].slot = threads.multiplyAdd(parity, tiles[slice].numElements(), index(0));
      startCopies(add(iteration, step), arith::SubIOp::create(builder, loc, index(1), parity));
    }
    spread(emitted.getRegionIterArgs(), loop.getRegionIterArgs());
    if (failed(emitBlock(*loop.getBody())))
      return failure();
    Registers next;
    if (failed(appendElements(loop, loop.getBody()->getTerminator()->getOperands(), next)))
      return failure();
    // Without iterations there is no terminator yet, with results there is none either.
    if (emitted.getBody()->empty() || !emitted.getBody()->back().hasTrait<OpTrait::IsTerminator>())
      scf::YieldOp::create(builder, loc, next);
  }
  barriers.join(before);
  spread(emitted.getResults(), loop.getResults());
  return success();
}

LogicalResult TileEmitter::emitLoad(tensor::ExtractSliceOp slice) {
  Value buffer = buffers.lookup(slice.getSource());
  if (!buffer)
    return llvm::all_of(slice->getUsers(), llvm::IsaPred<tensor::InsertSliceOp, tensor::ParallelInsertSliceOp>) ? success() : unsupported(slice, "must read an argument");
  RankedTensorType type = slice.getType();
  if (!type.hasStaticShape() || type.getRank() > 2 || !slice.hasUnitStride())
    return unsupported(slice, "must have a static box of at most two dimensions");
  barriers.noteRead(buffer);
  BoxAccess access(builder, loc, buffer, slice, scalars);
  if (brought.contains(slice))
    return success();
  if (!needsRegisters(slice)) {
    SharedTile &tile = allocate(slice);
    barriers.beforeWrite(tile.memory);
    bringTile(builder, loc, threads, access, tile);
    brought.insert(slice);
    return success();
  }
  Registers elements;
  bool isRow = type.getRank() == 1 && !slice->use_empty() && llvm::all_of(slice->getUses(), readsAsRow);
  int64_t width = access.vectorWidth(type) > 1 ? neighbours(type, isRow) : 1, count = isRow ? threads.share(1, type.getDimSize(0)) : threads.registersOf(type);
  for (int64_t number = 0; number < count; number += width) {
    SmallVector<Value> at = isRow ? SmallVector<Value>{threads.position(1, number, type.getDimSize(0))} : threads.placeOf(type, number).at;
    llvm::append_range(elements, loadElements(builder, loc, width, access.buffer, access.address(builder, loc, at)));
  }
  if (isRow)
    rowTiles.insert(slice);
  define(slice, elements);
  return success();
}

bool TileEmitter::readsAsRow(OpOperand &use) {
  auto op = dyn_cast<GenericOp>(use.getOwner());
  if (!op || !op.isDpsInput(&use) || op.getNumLoops() != 2)
    return false;
  AffineMap map = op.getMatchingIndexingMap(&use), output = op.getIndexingMapsArray().back();
  if (!map.isProjectedPermutation() || map.getNumResults() != 1 || !output.isProjectedPermutation() || output.getNumResults() == 0)
    return false;
  return output.getNumResults() == 2 ? map.getDimPosition(0) == output.getDimPosition(1) : map.getDimPosition(0) != output.getDimPosition(0);
}

template <typename InsertOp>
LogicalResult TileEmitter::emitStore(InsertOp insert, Value into) {
  Value source = insert.getSource();
  // Of a part of a tile, the first rows and columns are those at the offsets.
  auto part = source.template getDefiningOp<tensor::ExtractSliceOp>();
  if (part && !registers.contains(source))
    source = part.getSource();
  else
    part = nullptr;
  auto found = registers.find(source);
  Value buffer = buffers.lookup(into);
  if (found == registers.end() || !buffer || !insert.hasUnitStride())
    return unsupported(insert, "must write a tile into a result");
  barriers.beforeWrite(buffer);
  RankedTensorType type = typeOf(source);
  BoxAccess access(builder, loc, buffer, insert, scalars);
  bool cutsRows = part && type.getRank() == 2 && getConstantIntValue(part.getMixedSizes()[1]) != type.getDimSize(1);
  int64_t width = !cutsRows && access.vectorWidth(type) > 1 ? neighbours(type) : 1;
  for (int64_t number = 0; number < static_cast<int64_t>(found->second.size()); number += width) {
    ThreadGrid::Place place = threads.placeOf(type, number);
    if (type.getRank() < 2)
      place.inside = conjunction(place.inside, type.getRank() == 0 ? threads.isFirst() : threads.isFirstAcross());
    SmallVector<Value> at(place.at.begin(), place.at.end());
    for (int64_t dim = 0; part && dim < type.getRank(); ++dim) {
      auto number = [&](OpFoldResult size) { return scalars.lookupOrDefault(getValueOrCreateConstantIndexOp(builder, loc, mapped(size))); };
      if (getConstantIntValue(part.getMixedOffsets()[dim]) == int64_t(0) && getConstantIntValue(part.getMixedSizes()[dim]) == type.getDimSize(dim))
        continue;
      at[dim] = arith::SubIOp::create(builder, loc, at[dim], number(part.getMixedOffsets()[dim]));
      place.inside = conjunction(place.inside, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at[dim], number(part.getMixedSizes()[dim])));
    }
    emitIf(builder, loc, place.inside, [&] { storeElements(builder, loc, ValueRange(found->second).slice(number, width), access.buffer, access.address(builder, loc, at)); });
  }
  return success();
}

FailureOr<int64_t> mlir::raf::emitTileProgram(gpu::GPUFuncOp func, func::FuncOp kernel, bool tf32) { return TileEmitter(func, kernel, tf32).run(); }
