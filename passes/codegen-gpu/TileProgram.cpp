// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread of a block owns some rows and columns of each tile (ThreadGrid), and the same rows of each tile of one dimension, or the same columns if ops read it along
// those: these elements are its registers. Pointwise ops stay among them, sums over columns are shuffles. What a product reads is in shared memory, but for what matrix instructions take from registers
// as it lies there.
#include "passes/codegen-gpu/TileProgram.h"
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/codegen-gpu/Lanes.h"
#include "passes/codegen-gpu/Loops.h"
#include "passes/codegen-gpu/TileProduct.h"
#include "llvm/ADT/DenseSet.h"
#include "passes/codegen/ScalarBody.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

namespace {
using Registers = SmallVector<Value>;

class Emitter {
public:
  Emitter(gpu::GPUFuncOp func, func::FuncOp kernel, bool tf32)
      : func(func), kernel(kernel), builder(func.getBody().front().getTerminator()), loc(kernel.getLoc()), threads(builder, loc, TileProduct::chooseWarps(kernel, tf32)), barriers(builder) {}

  FailureOr<int64_t> run() {
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

private:
  static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value add(Value a, Value b) { return builder.createOrFold<arith::AddIOp>(loc, a, b); }

  // What products read is in shared memory, and nowhere else if nothing else reads it. What it is filled up with for matrix instructions is 0.
  void findShared() {
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
  // Of what loops bring from memory, what can come while the iteration before computes, as long as the second places leave room for several blocks on a multiprocessor.
  void findAhead() {
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
  // Both places are in dynamic memory, of which there may be more.
  SharedTile &allocateTwice(Value value) {
    auto space = gpu::AddressSpaceAttr::get(builder.getContext(), gpu::AddressSpace::Workgroup);
    auto type = [&](int64_t size, Type element) { return MemRefType::get({size}, element, MemRefLayoutAttrInterface(), space); };
    if (!dynamic)
      dynamic = gpu::DynamicSharedMemoryOp::create(builder, loc, type(ShapedType::kDynamic, builder.getI8Type()));
    SharedTile tile = SharedTile::describe(typeOf(value), true);
    tile.memory = memref::ViewOp::create(builder, loc, type(2 * tile.numElements(), tile.type.getElementType()), dynamic, index(dynamicBytes), ValueRange());
    dynamicBytes += 2 * tile.bytes();
    return tiles[value] = tile;
  }
  bool needsRegisters(Value value) {
    return !shared.contains(value) || llvm::any_of(value.getUses(), [&](OpOperand &use) {
      auto op = dyn_cast<GenericOp>(use.getOwner());
      return !op || !TileProduct::match(op) || use.getOperandNumber() >= op.getNumDpsInputs();
    });
  }

  //===-- elements -----------------------------------------------------------------------------------------------===//

  // The number of a thread's elements along dimension `dim` of two (or of one) of a tile.
  int64_t share(RankedTensorType type, int64_t dim) const { return threads.share(dim, type.getDimSize(dim)); }

  // Makes the value known: in registers, and in shared memory if a product reads it.
  void define(Value value, Registers elements) {
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

  // Elements of a thread that follow one another in a row, and are all in the tile or none.
  int64_t neighbours(RankedTensorType type, bool isRow = false) const { return threads.hasMatrices() && (isRow || type.getRank() == 2) && type.getShape().back() % 2 == 0 ? 2 : 1; }

  SharedTile &allocate(Value value) {
    auto [entry, isNew] = tiles.try_emplace(value);
    if (isNew) {
      RankedTensorType type = typeOf(value);
      entry->second = SharedTile::create(func, loc, type, threads.hasMatrices());
      sharedBytes += entry->second.bytes();
    }
    return entry->second;
  }

  //===-- ops ----------------------------------------------------------------------------------------------------===//

  LogicalResult emitBlock(Block &block) {
    for (Operation &op : block.without_terminator()) {
      loc = op.getLoc();
      if (failed(emit(&op)))
        return failure();
    }
    return success();
  }

  LogicalResult emit(Operation *op) {
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
  static LogicalResult unsupported(Operation *op, StringRef why) { return op->emitOpError() << "is in a program on tiles and " << why; }

  LogicalResult splat(Value result, Value scalar) {
    define(result, Registers(threads.registersOf(typeOf(result)), scalar));
    return success();
  }

  // The thread's elements of a tile that the program has made, or of a whole argument.
  FailureOr<Registers> elementsOf(Operation *user, Value tile) {
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

  // Numbers as they are, tiles as the thread's elements.
  LogicalResult appendElements(Operation *user, ValueRange values, Registers &all) {
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

  LogicalResult emitForall(scf::ForallOp loop) {
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

  LogicalResult emitFor(scf::ForOp loop) {
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

  // A box of an argument, or of a tile that a store will take apart. The argument may be a destination, which is written when all have read.
  LogicalResult emitLoad(tensor::ExtractSliceOp slice) {
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

  // Whether a tile of one dimension is read along the columns of a result or of what is combined.
  static bool readsAsRow(OpOperand &use) {
    auto op = dyn_cast<GenericOp>(use.getOwner());
    if (!op || !op.isDpsInput(&use) || op.getNumLoops() != 2)
      return false;
    AffineMap map = op.getMatchingIndexingMap(&use), output = op.getIndexingMapsArray().back();
    if (!map.isProjectedPermutation() || map.getNumResults() != 1 || !output.isProjectedPermutation() || output.getNumResults() == 0)
      return false;
    return output.getNumResults() == 2 ? map.getDimPosition(0) == output.getDimPosition(1) : map.getDimPosition(0) != output.getDimPosition(0);
  }

  template <typename InsertOp>
  LogicalResult emitStore(InsertOp insert, Value into) {
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
  OpFoldResult mapped(OpFoldResult value) { return isa<Value>(value) ? OpFoldResult(scalars.lookupOrDefault(cast<Value>(value))) : value; }
  Value conjunction(Value a, Value b) { return !a ? b : !b ? a : arith::AndIOp::create(builder, loc, a, b).getResult(); }

  LogicalResult emitGeneric(GenericOp op) {
    if (op.getNumDpsInits() != 1 || typeOf(op.getResult(0)).getRank() > 2)
      return unsupported(op, "must have one result of at most two dimensions");
    if (std::optional<TileProduct> product = TileProduct::match(op)) {
      Value inputs[2] = {op.getDpsInputs()[product->a], op.getDpsInputs()[product->b]};
      FailureOr<Registers> sums = elementsOf(op, op.getDpsInits()[0]);
      if (failed(sums) || failed(bringOperand(op, inputs[0])) || failed(bringOperand(op, inputs[1])))
        return failure();
      Registers ofA = product->takesRegisters(threads) ? registers.lookup(inputs[0]) : Registers();
      SharedTile a = ofA.empty() ? allocate(inputs[0]) : SharedTile(), b = allocate(inputs[1]);
      if (a.memory)
        barriers.beforeRead(a.memory);
      barriers.beforeRead(b.memory);
      define(op.getResult(0), threads.hasMatrices() ? product->emitMatrices(builder, threads, ofA, a, b, *sums) : product->emit(builder, threads, a, b, *sums));
      return success();
    }
    if (op.getNumReductionLoops() == 0)
      return emitPointwise(op);
    return emitRowReduction(op);
  }

  // The operand of a product is in shared memory; an argument that is read whole comes there now.
  LogicalResult bringOperand(GenericOp op, Value operand) {
    if (Value buffer = buffers.lookup(operand)) {
      SharedTile tile = allocate(operand);
      barriers.beforeWrite(tile.memory);
      bringTile(builder, loc, threads, BoxAccess(builder, loc, buffer), tile);
      return success();
    }
    return registers.contains(operand) || brought.contains(operand) ? success() : unsupported(op, "must read what the program has made, or an argument");
  }

  // The elements of the operands at indices of the loops, given which loop runs along the rows and which along the columns of the thread's registers.
  LogicalResult mapOperands(GenericOp op, ArrayRef<int64_t> loops, ArrayRef<int64_t> numbers, ArrayRef<int64_t> shares, ArrayRef<Value> at, IRMapping &mapping) {
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(&operand);
      if (argument.use_empty() || op.isDpsInit(&operand))
        continue;
      if (!isa<RankedTensorType>(operand.get().getType())) {
        mapping.map(argument, scalars.lookupOrDefault(operand.get()));
        continue;
      }
      AffineMap map = op.getMatchingIndexingMap(&operand);
      SmallVector<int64_t> along; // of each dimension of the operand: position of its loop
      for (AffineExpr expr : map.getResults()) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        auto found = dim ? llvm::find(loops, static_cast<int64_t>(dim.getPosition())) : loops.end();
        if (found == loops.end())
          return unsupported(op, "must read whole tiles");
        along.push_back(found - loops.begin());
      }
      if (Value buffer = buffers.lookup(operand.get())) {
        SmallVector<Value> indices = llvm::map_to_vector(along, [&](int64_t position) { return at[position]; });
        mapping.map(argument, memref::LoadOp::create(builder, loc, buffer, indices).getResult());
        continue;
      }
      bool isRow = rowTiles.contains(operand.get());
      for (auto [dim, position] : llvm::enumerate(along))
        if (static_cast<int64_t>(dim) + isRow != position)
          return unsupported(op, "must read rows as rows and columns as columns");
      auto found = registers.find(operand.get());
      if (found == registers.end())
        return unsupported(op, "must read what the program has made");
      int64_t number = along.empty() ? 0 : along.size() == 1 ? numbers[isRow] : numbers[0] * shares[1] + numbers[1];
      mapping.map(argument, found->second[number]);
    }
    return success();
  }

  LogicalResult emitPointwise(GenericOp op) {
    RankedTensorType type = typeOf(op.getResult(0));
    SmallVector<int64_t> loops;
    for (AffineExpr expr : op.getIndexingMapsArray().back().getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        return unsupported(op, "must write each element once");
      loops.push_back(dim.getPosition());
    }
    if (static_cast<int64_t>(loops.size()) != op.getNumLoops())
      return unsupported(op, "must write each element once");
    if (!op.getMatchingBlockArgument(op.getDpsInitOperand(0)).use_empty())
      return unsupported(op, "must not read what it overwrites");
    SmallVector<int64_t> shares;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      shares.push_back(share(type, dim));
    auto emitElement = [&](int64_t number, ArrayRef<Value> at) -> FailureOr<Value> {
      int64_t numbers[2] = {type.getRank() == 2 ? number / shares[1] : number, type.getRank() == 2 ? number % shares[1] : 0};
      IRMapping mapping = scalars;
      if (failed(mapOperands(op, loops, numbers, shares, at, mapping)))
        return failure();
      auto indexOf = [&](int64_t loop) { return at[llvm::find(loops, loop) - loops.begin()]; };
      return cloneBody(builder, op, mapping, indexOf, [&](Value tensor) { return buffers.lookup(tensor); }).front();
    };
    Registers elements;
    if (isLongOfPlaces(op, shares)) {
      bool made = true;
      elements = threads.byRows(type, [&](int64_t number, ArrayRef<Value> at) {
        FailureOr<Value> element = made ? emitElement(number, at) : FailureOr<Value>(failure());
        made = succeeded(element);
        return made ? *element : arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType())).getResult(); // the loop is whole even then
      });
      if (!made)
        return failure();
    } else {
      for (int64_t number = 0; number < threads.registersOf(type); ++number) {
        FailureOr<Value> element = emitElement(number, threads.placeOf(type, number).at);
        if (failed(element))
          return failure();
        elements.push_back(*element);
      }
    }
    define(op.getResult(0), elements);
    return success();
  }

  // A long computation of nothing but an element's place, as numbers are drawn: assemblers interleave those of all elements, for which registers do not suffice next to sums.
  static bool isLongOfPlaces(GenericOp op, ArrayRef<int64_t> shares) {
    constexpr size_t kMostOps = 64;
    constexpr int64_t kFewestColumns = 4; // that keep a thread busy
    return shares.size() == 2 && shares[0] > 1 && shares[1] >= kFewestColumns && op.getBody()->getOperations().size() > kMostOps &&
           llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) { return op.getMatchingIndexingMap(operand).getNumResults() == 0; });
  }

  // Each thread combines its columns, then the threads of a row do.
  LogicalResult emitRowReduction(GenericOp op) {
    std::optional<SmallVector<Operation *>> found = combiners(op);
    auto output = op.getIndexingMapsArray().back();
    if (!found || !found->front() || op.getNumLoops() != 2 || output.getNumResults() != 1 || !output.isProjectedPermutation())
      return unsupported(op, "must combine the columns of tiles");
    Operation *combiner = found->front();
    int64_t rowLoop = output.getDimPosition(0), columnLoop = 1 - rowLoop;
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    auto box = RankedTensorType::get({sizes[rowLoop], sizes[columnLoop]}, builder.getF32Type());
    int64_t loops[2] = {rowLoop, columnLoop}, shares[2] = {share(box, 0), share(box, 1)};
    Value neutral = arith::ConstantOp::create(builder, loc, *arith::getNeutralElement(combiner));
    FailureOr<Registers> initial = elementsOf(op, op.getDpsInits()[0]);
    if (failed(initial))
      return failure();
    auto both = [&](Value a, Value b) { return combine(builder, op, combiner, a, b); };
    Registers results;
    for (int64_t i = 0; i < shares[0]; ++i) {
      Value part;
      for (int64_t j = 0; j < shares[1]; ++j) {
        ThreadGrid::Place place = threads.placeOf(box, i * shares[1] + j);
        int64_t numbers[2] = {i, j};
        IRMapping mapping = scalars;
        if (failed(mapOperands(op, loops, numbers, shares, place.at, mapping)))
          return failure();
        mapping.map(op.getMatchingBlockArgument(op.getDpsInitOperand(0)), part ? part : neutral);
        auto indexOf = [&](int64_t loop) { return place.at[loop == rowLoop ? 0 : 1]; };
        Value next = cloneBody(builder, op, mapping, indexOf, [&](Value tensor) { return buffers.lookup(tensor); }).front();
        Value within = threads.insideAcross(j, sizes[columnLoop]);
        part = within ? arith::SelectOp::create(builder, loc, within, next, part ? part : neutral).getResult() : next;
      }
      results.push_back(threads.combineAcross(part, both));
    }
    if (needsParts(op)) {
      Value memory = partsOf(op);
      barriers.beforeWrite(memory);
      threads.storeParts(results, sizes[rowLoop], memory);
      barriers.beforeRead(memory);
      threads.combineParts(results, sizes[rowLoop], memory, both);
    }
    for (auto [result, start] : llvm::zip(results, *initial))
      result = both(start, result);
    define(op.getResult(0), results);
    return success();
  }

  // Where several warps have parts of a row, those meet in shared memory.
  bool needsParts(GenericOp op) const { return op.getNumReductionLoops() > 0 && threads.numWarpsAcross() > 1; }
  Value partsOf(GenericOp op) {
    Value &memory = parts[op];
    if (!memory) {
      RankedTensorType type = typeOf(op.getResult(0));
      int64_t count = type.getDimSize(0) * threads.numWarpsAcross();
      memory = sharedMemory(Lanes{func, nullptr, {}, {}, {}}, loc, count, type.getElementType());
      sharedBytes += count * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    }
    return memory;
  }

  gpu::GPUFuncOp func;
  func::FuncOp kernel;
  OpBuilder builder;
  Location loc;
  ThreadGrid threads;
  Barriers barriers;
  IRMapping scalars;
  DenseMap<Value, Value> buffers;
  DenseMap<Value, Registers> registers;
  llvm::MapVector<Value, SharedTile> tiles;
  llvm::SetVector<Value> shared; // what products read
  llvm::DenseSet<Value> brought; // what of it came from memory to where they do
  llvm::DenseSet<Value> rowTiles; // those of one dimension of which a thread has its columns, not its rows
  DenseMap<Operation *, Value> parts;
  llvm::MapVector<Operation *, CopiesAhead> ahead; // by loop
  Value dynamic;
  int64_t sharedBytes = 0, dynamicBytes = 0;
};
} // namespace

FailureOr<int64_t> mlir::raf::emitTileProgram(gpu::GPUFuncOp func, func::FuncOp kernel, bool tf32) { return Emitter(func, kernel, tf32).run(); }
