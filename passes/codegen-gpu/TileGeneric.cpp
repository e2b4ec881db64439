// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A linalg.generic in a program on tiles: a product of tiles, a computation of each element, or one that combines the columns of each row.
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/codegen-gpu/Loops.h"
#include "passes/codegen-gpu/TileEmitter.h"
#include "passes/codegen/ScalarBody.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;
using Registers = SmallVector<Value>;

LogicalResult TileEmitter::emitGeneric(GenericOp op) {
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

LogicalResult TileEmitter::bringOperand(GenericOp op, Value operand) {
  if (Value buffer = buffers.lookup(operand)) {
    SharedTile tile = allocate(operand);
    barriers.beforeWrite(tile.memory);
    bringTile(builder, loc, threads, BoxAccess(builder, loc, buffer), tile);
    return success();
  }
  return registers.contains(operand) || brought.contains(operand) ? success() : unsupported(op, "must read what the program has made, or an argument");
}

LogicalResult TileEmitter::mapOperands(GenericOp op, ArrayRef<int64_t> loops, ArrayRef<int64_t> numbers, ArrayRef<int64_t> shares, ArrayRef<Value> at, IRMapping &mapping) {
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

LogicalResult TileEmitter::emitPointwise(GenericOp op) {
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

bool TileEmitter::isLongOfPlaces(GenericOp op, ArrayRef<int64_t> shares) {
  constexpr size_t kMostOps = 64;
  constexpr int64_t kFewestColumns = 4; // that keep a thread busy
  return shares.size() == 2 && shares[0] > 1 && shares[1] >= kFewestColumns && op.getBody()->getOperations().size() > kMostOps &&
         llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) { return op.getMatchingIndexingMap(operand).getNumResults() == 0; });
}

LogicalResult TileEmitter::emitRowReduction(GenericOp op) {
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

Value TileEmitter::partsOf(GenericOp op) {
  Value &memory = parts[op];
  if (!memory) {
    RankedTensorType type = typeOf(op.getResult(0));
    int64_t count = type.getDimSize(0) * threads.numWarpsAcross();
    memory = sharedMemory(Lanes{func, nullptr, {}, {}, {}}, loc, count, type.getElementType());
    sharedBytes += count * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  }
  return memory;
}
