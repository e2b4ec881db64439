// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/Nest.h"
#include "passes/codegen/EmitFor.h"
#include "passes/codegen/ToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/codegen-cpu/Streaming.h"
#include "passes/decompose/Random.h"

using namespace mlir;
using namespace mlir::raf;

Value Nest::known(Operation *inner) const {
  if (!counter || !draw)
    return Value();
  if (inner == draw->bits)
    return memref::LoadOp::create(builder, loc, words, ValueRange{arith::ConstantIndexOp::create(builder, loc, block * kRandomWords + word), lane});
  if (inner != draw->counter && inner != draw->word)
    return Value();
  return inner == draw->counter ? counter : arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(word)).getResult();
}

Value Nest::compute(Value value, ArrayRef<Access> accesses) {
  if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == op.getBody()) {
    Value input = op.getDpsInputs()[argument.getArgNumber()];
    if (!isa<RankedTensorType>(input.getType()))
      return scalars->lookupOrDefault(input);
    // Accesses are those of the inputs that are tensors, in order.
    SmallVector<Value> inputs = op.getDpsInputs();
    const Access &access = accesses[llvm::count_if(ArrayRef<Value>(inputs).take_front(argument.getArgNumber()), [](Value before) { return isa<RankedTensorType>(before.getType()); })];
    return memref::LoadOp::create(builder, loc, access.place.memref, elementIndices(access));
  }
  Operation *inner = value.getDefiningOp();
  if (!inner || inner->getBlock() != op.getBody())
    return scalars->lookupOrDefault(value);
  if (auto index = dyn_cast<linalg::IndexOp>(inner))
    return indexOf(index.getDim());
  IRMapping mapping;
  for (Value operand : inner->getOperands())
    mapping.map(operand, compute(operand, accesses));
  return builder.clone(*inner, mapping)->getResult(0);
}

bool Nest::walksInARow(const Access &access, int64_t loop) {
  ArrayRef<AffineExpr> exprs = access.map.getResults();
  if (exprs.empty())
    return false;
  auto dim = dyn_cast<AffineDimExpr>(exprs.back());
  return dim && dim.getPosition() == loop && llvm::none_of(exprs.drop_back(), [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); });
}

Value Nest::staging(const Access &access) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&builder.getInsertionBlock()->getParentOp()->getParentOfType<func::FuncOp>().getBody().front());
  auto type = MemRefType::get({kStreamPiece}, cast<MemRefType>(access.place.memref.getType()).getElementType());
  return memref::AllocaOp::create(builder, loc, type, builder.getI64IntegerAttr(64));
}

void Nest::fetchAhead(ArrayRef<Access> accesses, ArrayRef<unsigned> outputs, int64_t count) {
  for (auto [number, access] : llvm::enumerate(accesses)) {
    Value memref = access.place.memref;
    auto view = memref.getDefiningOp<memref::CollapseShapeOp>();
    Type element = cast<MemRefType>(memref.getType()).getElementType();
    if (llvm::is_contained(outputs, number) || !element.isIntOrFloat() || !isa<BlockArgument>(view ? view.getSrc() : memref) ||
        !walksInARow(access, loops.back().loops.front()))
      continue;
    constexpr int64_t kAhead = 4 * kStreamPiece, kLineBits = 512;
    SmallVector<Value> place = elementIndices(access);
    Value last = place.back();
    Value from = arith::ConstantIndexOp::create(builder, loc, kAhead), to = arith::ConstantIndexOp::create(builder, loc, kAhead + count);
    int64_t line = kLineBits / std::max<int64_t>(8, element.getIntOrFloatBitWidth());
    emitFor(from, to, line, {}, [&](Value offset, ValueRange) {
      place.back() = arith::AddIOp::create(builder, loc, last, offset);
      memref::PrefetchOp::create(builder, loc, memref, place, /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
      return SmallVector<Value>();
    });
  }
}

void Nest::fetchLastLine(Value end, ArrayRef<Access> accesses, function_ref<void(Value)> at) {
  for (const Streamed &to : streamed) {
    const Access &access = accesses[to.output];
    auto type = cast<MemRefType>(access.place.memref.getType());
    if (type.getShape().back() * type.getElementTypeBitWidth() % to.vectorBits == 0)
      continue; // rows begin and end with a vector
    at(arith::SubIOp::create(builder, loc, end, arith::ConstantIndexOp::create(builder, loc, 1)));
    memref::PrefetchOp::create(builder, loc, access.place.memref, elementIndices(access), /*isWrite=*/true, /*localityHint=*/3, /*isDataCache=*/true);
  }
}

SmallVector<Value> Nest::emitLevel(size_t level, size_t carryFrom, bool carry, ArrayRef<Access> accesses, ArrayRef<unsigned> outputs, ValueRange carried,
                             function_ref<SmallVector<Value>(ArrayRef<SmallVector<Value>>, ArrayRef<Value>)> body) {
  SmallVector<Value> initial(carried);
  if (carry && level == carryFrom)
    for (unsigned number : held) {
      const Access &access = accesses[outputs[number]];
      initial.push_back(memref::LoadOp::create(builder, loc, access.place.memref, elementIndices(access)));
    }
  if (level == loops.size()) {
    SmallVector<SmallVector<Value>> positions;
    auto find = [&] {
      positions.clear();
      for (const Access &access : accesses)
        positions.push_back(elementIndices(access));
    };
    find();
    SmallVector<Value> accumulators(outputs.size());
    if (carry)
      for (auto [number, value] : llvm::zip(held, initial))
        accumulators[number] = value;
    SmallVector<Value> results = body(positions, accumulators), kept;
    for (int64_t row = 1; row < rows; ++row) {
      int64_t loop = loops[level - 2].loops.front();
      indices[loop] = local[loop] = arith::AddIOp::create(builder, loc, firstRow, arith::ConstantIndexOp::create(builder, loc, row));
      find();
      results = body(positions, results);
      indices[loop] = local[loop] = firstRow;
    }
    for (auto [number, output] : llvm::enumerate(outputs))
      if (carry && llvm::is_contained(held, number))
        kept.push_back(results[number]);
      else if (const Streamed *to = pieceStart ? llvm::find_if(streamed, [&](const Streamed &to) { return to.output == output; }) : streamed.end(); to != streamed.end())
        memref::StoreOp::create(builder, loc, results[number], to->piece, arith::SubIOp::create(builder, loc, local[loops.back().loops.front()], pieceStart).getResult());
      else
        memref::StoreOp::create(builder, loc, results[number], accesses[output].place.memref, positions[output]);
    return kept;
  }
  const Loop &loop = loops[level];
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), end = loop.length ? loop.length : Value(arith::ConstantIndexOp::create(builder, loc, loop.size));
  auto at = [&](Value iv) {
    // A joined loop is seen as its first one; the others are joined away in every access.
    int64_t first = loop.loops.front();
    local.resize(sizes.size());
    local[first] = iv;
    indices[first] = loop.offset ? arith::AddIOp::create(builder, loc, loop.offset, iv).getResult() : iv;
  };
  auto next = [&](ValueRange arguments) { return emitLevel(level + 1, carryFrom, carry, accesses, outputs, arguments, body); };
  SmallVector<int64_t> cuts = level + 1 == loops.size() && loop.loops.size() == 1 ? branchCuts(op, loop.loops.front()) : SmallVector<int64_t>();
  auto iterate = [&](Value from, Value to, ValueRange initial, bool isShort = false) {
    SmallVector<Value> results(initial);
    for (size_t part = 0; part <= cuts.size(); ++part) {
      Value stop = part < cuts.size() ? within(cuts[part], loop.offset, from, to) : to;
      results = emitFor(from, stop, 1, results, [&](Value iv, ValueRange arguments) {
        at(iv);
        SmallVector<Value> values = next(arguments);
        if (!cuts.empty())
          takeBranches(builder, indexOf(loop.loops.front()), part < cuts.size() ? cuts[part] : ShapedType::kDynamic);
        return values;
      }, isShort);
      from = stop;
    }
    return results;
  };
  // Of loops that are shorter than what LLVM computes at a time a CPU with masks makes vectors, too.
  constexpr int64_t kMaskBits = 512;
  bool masks = llvm::any_of(streamed, [&](const Streamed &to) { return to.vectorBits >= kMaskBits; });
  // What is streamed is computed piece by piece, each of which is in the first cache, or in registers, when it is written. Whole: so many elements from an aligned one of the
  // first result on.
  auto piece = [&](Value start, Value count, std::optional<int64_t> whole, function_ref<void()> compute) {
    at(start);
    if (alone)
      fetchAhead(accesses, outputs, whole.value_or(kStreamPiece));
    pieceStart = start;
    compute();
    pieceStart = Value();
    at(start);
    for (auto [number, to] : llvm::enumerate(streamed)) {
      SmallVector<Value> place = elementIndices(accesses[to.output]);
      if (whole && number == 0)
        emitWholeStream(builder, loc, to.piece, accesses[to.output].place.memref, place, *whole, to.vectorBits);
      else
        emitStream(builder, loc, to.piece, accesses[to.output].place.memref, place, count, to.vectorBits);
    }
  };
  auto pieces = [&](Value from, Value to, function_ref<void(Value, Value)> compute) {
    emitFor(from, to, kStreamPiece, {}, [&](Value start, ValueRange) {
      Value stop = arith::MinUIOp::create(builder, loc, arith::AddIOp::create(builder, loc, start, arith::ConstantIndexOp::create(builder, loc, kStreamPiece)), to);
      piece(start, arith::SubIOp::create(builder, loc, stop, start), std::nullopt, [&] { compute(start, stop); });
      return SmallVector<Value>();
    });
  };
  // From where a vector of the first result begins: the processor writes what has left it while it computes what follows, if that is little at a time, and little
  // besides; so the pieces are short, and have one length as long as possible. What is less than a vector goes through no piece: reading a part of what was stored as a whole would wait
  // for all stores before it.
  auto wholePieces = [&](Value from, Value to, function_ref<void(Value, int64_t)> fetch) {
    int64_t lanes = streamed.front().vectorBits / cast<MemRefType>(streamed.front().piece.getType()).getElementTypeBitWidth();
    for (int64_t size : {kWholePiece, lanes}) {
      Value length = arith::ConstantIndexOp::create(builder, loc, size);
      Value middle = arith::SubIOp::create(builder, loc, to, arith::RemUIOp::create(builder, loc, arith::SubIOp::create(builder, loc, to, from), length));
      emitFor(from, middle, size, {}, [&](Value start, ValueRange) {
        piece(start, length, size, [&] {
          fetch(start, size);
          emitFor(zero, length, 1, {}, [&](Value iv, ValueRange) {
            at(arith::AddIOp::create(builder, loc, start, iv));
            return next({});
          });
        });
        return SmallVector<Value>();
      });
      from = middle;
    }
    iterate(from, to, {}, masks);
  };
  SmallVector<Value> results;
  // A vectorized loop has no place for the fetches: they go before each of its pieces, few at a time.
  constexpr int64_t kPiece = 128;
  Value only = scalars && loop.reduction && level + 1 == loops.size() && loop.loops.size() == 1 && !loop.offset ? onlyIteration(op, loop.loops.front()) : Value();
  if (only) {
    // What is no index, negative ones too, is beyond the end as an unsigned number.
    Value place = compute(only, accesses);
    if (!place.getType().isIndex())
      place = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), place);
    Value from = arith::MinUIOp::create(builder, loc, place, end);
    Value after = arith::AddIOp::create(builder, loc, from, arith::ConstantIndexOp::create(builder, loc, 1));
    results = iterate(from, arith::MinUIOp::create(builder, loc, after, end), initial);
  } else if (level + 1 == loops.size() && drawsInARow(loop)) {
    // Up to the first place whose number is a multiple of the block, in whole blocks, and what is left.
    at(zero);
    Value number = compute(draw->element->getResult(0), accesses), mask = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(kRandomBlock - 1));
    Value nothing = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
    Value missing = arith::AndIOp::create(builder, loc, arith::SubIOp::create(builder, loc, nothing, number), mask);
    Value head = arith::MinUIOp::create(builder, loc, arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), missing), end);
    fetchLastLine(end, accesses, at);
    Value rest = arith::SubIOp::create(builder, loc, end, head), block = arith::ConstantIndexOp::create(builder, loc, kRandomBlock);
    Value tail = arith::SubIOp::create(builder, loc, end, arith::RemUIOp::create(builder, loc, rest, block));
    results = iterate(zero, head, initial, masks);
    auto some = [&](Value from, Value to, int64_t blocks, ValueRange initial) {
      return emitFor(from, to, blocks * kRandomBlock, initial, [&](Value from, ValueRange arguments) {
        if (!streams.empty() && loops.size() == 1)
          emitPrefetch(builder, loc, streams, from, blocks * kRandomBlock, loop.size);
        return drawBlocks(from, blocks, accesses, arguments, at, next);
      });
    };
    // Two blocks at a time: one by itself is a long chain of products.
    auto draws = [&](Value from, Value to, ValueRange initial) {
      Value pair = arith::ConstantIndexOp::create(builder, loc, 2 * kRandomBlock);
      Value single = arith::SubIOp::create(builder, loc, to, arith::RemUIOp::create(builder, loc, arith::SubIOp::create(builder, loc, to, from), pair));
      return some(single, to, 1, some(from, single, 2, initial));
    };
    if (streamed.empty())
      results = draws(head, tail, results);
    else
      pieces(head, tail, [&](Value from, Value to) { draws(from, to, {}); });
    results = iterate(tail, end, results, masks);
  } else if (level + 1 == loops.size() && !streamed.empty()) {
    // Up to the first vector of the result, and from there in pieces.
    auto toVector = [&](Value from, Value end) -> Value {
      at(from);
      const Access &access = accesses[streamed.front().output];
      return arith::MinUIOp::create(builder, loc, elementsToVector(builder, loc, access.place.memref, elementIndices(access), streamed.front().vectorBits), end);
    };
    Value first;
    if (hasOverhang) {
      // The tile before has written up to there, and this one goes as far in the next.
      int64_t size = sizes[loop.loops.front()];
      Value left = arith::SubIOp::create(builder, loc, arith::ConstantIndexOp::create(builder, loc, size), loop.offset);
      Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ule, left, end);
      Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, loop.offset, zero);
      auto last = scf::IfOp::create(builder, loc, isLast);
      {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(last.thenBlock());
        fetchLastLine(end, accesses, at);
      }
      first = toVector(zero, end);
      iterate(zero, arith::SelectOp::create(builder, loc, isFirst, first, zero), {}, masks);
      Value further = arith::AddIOp::create(builder, loc, end, toVector(end, left));
      end = arith::MinUIOp::create(builder, loc, further, left);
    } else {
      fetchLastLine(end, accesses, at);
      first = toVector(zero, end);
      iterate(zero, first, {}, masks);
    }
    auto fetch = [&](Value from, int64_t length) {
      if (!streams.empty() && loops.size() == 1)
        emitPrefetch(builder, loc, streams, from, length, loop.size);
    };
    if (cuts.empty())
      wholePieces(first, end, fetch);
    else // where a body branches, pieces are cut, too
      pieces(first, end, [&](Value from, Value to) {
        fetch(from, kStreamPiece);
        iterate(from, to, {});
      });
  } else if (!streams.empty() && loops.size() == 1 && !loop.length && loop.size >= kPiece) {
    Value middle = arith::ConstantIndexOp::create(builder, loc, loop.size / kPiece * kPiece);
    results = emitFor(zero, middle, kPiece, initial, [&](Value from, ValueRange arguments) {
      emitPrefetch(builder, loc, streams, from, kPiece, loop.size);
      Value to = arith::AddIOp::create(builder, loc, from, arith::ConstantIndexOp::create(builder, loc, kPiece));
      return iterate(from, to, arguments);
    });
    if (loop.size % kPiece != 0) {
      emitPrefetch(builder, loc, streams, middle, loop.size % kPiece, loop.size);
      results = iterate(middle, end, results);
    }
  } else if (int64_t most = rowsAtATime(level, accesses, outputs); most > 1) {
    auto together = [&](Value from, Value to, int64_t count) {
      emitFor(from, to, count, {}, [&](Value iv, ValueRange) {
        rows = count;
        at(firstRow = iv);
        return next({});
      });
      rows = 1;
    };
    Value middle = arith::ConstantIndexOp::create(builder, loc, loop.size / most * most);
    together(zero, middle, most);
    if (int64_t rest = loop.size % most; rest > 0)
      together(middle, end, rest);
  } else {
    results = iterate(zero, end, initial);
  }
  if (carry && level == carryFrom) {
    for (auto [number, value] : llvm::zip(held, results)) {
      const Access &access = accesses[outputs[number]];
      memref::StoreOp::create(builder, loc, value, access.place.memref, elementIndices(access));
    }
    results.clear();
  }
  return results;
}

int64_t Nest::rowsAtATime(size_t level, ArrayRef<Access> accesses, ArrayRef<unsigned> outputs) {
  constexpr int64_t kMostRows = 8, kMostOps = 64; // of all rows: their terms are to stay in registers
  if (level + 2 != loops.size() || !loops[level].reduction || loops[level].offset || loops.back().reduction || !loops.back().offset || !streamed.empty() || draw ||
      !contractsAlike(op, loops[level].loops))
    return 1;
  auto walks = [&](unsigned output) { return llvm::any_of(loops[level].loops, [&](int64_t loop) { return accesses[output].map.isFunctionOfDim(loop); }); };
  if (llvm::any_of(outputs, walks))
    return 1;
  int64_t ops = op.getBody()->getOperations().size();
  return std::min<int64_t>(loops[level].size, llvm::bit_floor<uint64_t>(std::clamp<int64_t>(kMostOps / ops, 1, kMostRows)));
}

bool Nest::drawsInARow(const Loop &loop) {
  return draw && scalars && loop.loops.size() == 1 && loop.size >= 2 * kRandomBlock && growthOf(draw->element->getResult(0), loop.loops.front(), op) == 1;
}

SmallVector<Value> Nest::drawBlocks(Value from, int64_t blocks, ArrayRef<Access> accesses, ValueRange initial, function_ref<void(Value)> at, function_ref<SmallVector<Value>(ValueRange)> next) {
  at(from);
  // Its number is a multiple of the block.
  Value perCounter = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(kRandomWords));
  Value first = arith::DivUIOp::create(builder, loc, compute(draw->element->getResult(0), accesses), perCounter);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0), lanes = arith::ConstantIndexOp::create(builder, loc, kRandomLanes);
  if (draw->bits) {
    ImplicitLocOpBuilder b(loc, builder);
    SmallVector<Value> drawn = drawWords(b, *draw, first, blocks, [&](Value value) { return compute(value, accesses); });
    if (!words) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&b.getInsertionBlock()->getParentOp()->getParentOfType<func::FuncOp>().getBody().front());
      words = memref::AllocaOp::create(b, MemRefType::get({2 * kRandomWords, kRandomLanes}, b.getI32Type()), b.getI64IntegerAttr(64));
    }
    for (auto [number, values] : llvm::enumerate(drawn))
      vector::StoreOp::create(b, values, words, ValueRange{arith::ConstantIndexOp::create(b, number), zero});
  }
  SmallVector<Value> results(initial);
  for (block = 0; block < blocks; ++block)
    results = emitFor(zero, lanes, 1, results, [&](Value number, ValueRange arguments) {
      lane = number;
      Value index = arith::AddIOp::create(builder, loc, lane, arith::ConstantIndexOp::create(builder, loc, block * kRandomLanes));
      counter = arith::AddIOp::create(builder, loc, first, arith::IndexCastUIOp::create(builder, loc, builder.getI64Type(), index));
      SmallVector<Value> values(arguments);
      Value start = arith::AddIOp::create(builder, loc, from, lane);
      for (word = 0; word < kRandomWords; ++word) {
        at(arith::AddIOp::create(builder, loc, start, arith::ConstantIndexOp::create(builder, loc, block * kRandomBlock + word * kRandomLanes)));
        values = next(values);
      }
      counter = Value();
      return values;
    });
  return results;
}

Value Nest::within(int64_t cut, Value offset, Value from, Value to) {
  Value iteration = arith::ConstantIndexOp::create(builder, loc, cut);
  if (offset)
    iteration = arith::SubIOp::create(builder, loc, iteration, offset);
  return arith::MinSIOp::create(builder, loc, arith::MaxSIOp::create(builder, loc, iteration, from), to);
}

SmallVector<Value> Nest::emitFor(Value from, Value to, int64_t step, ValueRange initial, function_ref<SmallVector<Value>(Value, ValueRange)> body, bool masked) {
  scf::ForOp loop = raf::emitFor(builder, loc, from, to, step, initial, body);
  if (masked) {
    MLIRContext *context = builder.getContext();
    auto predicated = LLVM::LoopVectorizeAttr::get(context, /*disable=*/{}, /*predicateEnable=*/builder.getBoolAttr(true), {}, {}, {}, {}, {});
    loop->setAttr(kLoopAnnotation, LLVM::LoopAnnotationAttr::get(context, {}, predicated, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
  }
  return SmallVector<Value>(loop.getResults());
}
