// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/LoopNest.h"
#include "passes/codegen/ScalarBody.h"
#include "passes/codegen/ToLLVM.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/codegen-cpu/BodyPatterns.h"
#include "passes/codegen-cpu/Streaming.h"
#include "passes/decompose/Random.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

namespace {
using Place = KernelBuffers::Place;

// A tensor operand of the op: where it is and how the loops index it.
struct Access {
  AffineMap map;
  Place place;
};

// Adjacent loops that run as one.
struct Loop {
  SmallVector<int64_t> loops; // of the op
  bool reduction = false;
  int64_t size = 0;      // static trip count
  Value length;          // instead of the size, when the last tile is shorter
  Value offset;          // of the first iteration, for a loop that tiles cut
};

class Nest {
public:
  Nest(OpBuilder &builder, GenericOp op, const TileSpace &space, ArrayRef<TileRange> ranges, ArrayRef<Stream> streams = {})
      : builder(builder), op(op), loc(op.getLoc()), streams(streams) {
    sizes = op.getStaticLoopRanges();
    iterators = op.getIteratorTypesArray();
    offsets.resize(sizes.size());
    steps.assign(sizes.size(), 0);
    lengths.resize(sizes.size());
    ArrayRef<int64_t> spaceLoops = space.loops.find(op)->second;
    for (const TileRange &range : ranges) {
      int64_t loop = spaceLoops[range.spaceDim];
      offsets[loop] = range.offset;
      lengths[loop] = range.length;
      steps[loop] = range.step;
    }
    usesIndex = op.getBody()->walk([](linalg::IndexOp) { return WalkResult::interrupt(); }).wasInterrupted();
    draw = drawOf(op);
    alone = space.loops.size() == 1;
  }

  // Emits the loops around `body`. It gets, per access, the indices of the element and, per output, the value that the innermost reductions keep, or null.
  void emit(SmallVectorImpl<Access> &accesses, ArrayRef<unsigned> outputs, bool carries, function_ref<SmallVector<Value>(ArrayRef<SmallVector<Value>>, ArrayRef<Value>)> body) {
    makeLoops(accesses);
    order(accesses);
    joinMemrefs(accesses);
    // Innermost reductions keep their sums in registers.
    size_t carryFrom = loops.size();
    while (carries && carryFrom > 0 && loops[carryFrom - 1].reduction)
      --carryFrom;
    // A result that those loops walk (a value that was fused into the reduction and is needed by itself) is written where it is made.
    held.clear();
    for (auto [number, output] : llvm::enumerate(outputs))
      if (llvm::none_of(ArrayRef<Loop>(loops).drop_front(carryFrom), [&, map = accesses[output].map](const Loop &loop) {
            return llvm::any_of(loop.loops, [&](int64_t l) { return map.isFunctionOfDim(l); });
          }))
        held.push_back(number);
    bool carry = carryFrom < loops.size() && !held.empty();
    indices.assign(sizes.size(), Value());
    streamed.clear();
    if (!carry && !loops.empty())
      for (unsigned output : outputs)
        if (const Access &access = accesses[output]; access.place.streamBits && walksInARow(access, loops.back().loops.front()))
          streamed.push_back({output, access.place.streamBits, staging(access)});
    for (size_t loop = 0; loop < sizes.size(); ++loop)
      if (steps[loop] == 1)
        indices[loop] = offsets[loop];
      else if (sizes[loop] == 1 && !offsets[loop])
        indices[loop] = arith::ConstantIndexOp::create(builder, loc, 0);
    emitLevel(0, carryFrom, carry, accesses, outputs, {}, body);
  }

  /// Index of a loop of the op at the current point.
  Value indexOf(int64_t loop) const { return indices[loop]; }

  /// The value of an op of the body at the current point where that is known without computing it, or null.
  Value known(Operation *inner) const {
    if (!counter || !draw)
      return Value();
    if (inner == draw->bits)
      return memref::LoadOp::create(builder, loc, words, ValueRange{arith::ConstantIndexOp::create(builder, loc, block * kRandomWords + word), lane});
    if (inner != draw->counter && inner != draw->word)
      return Value();
    return inner == draw->counter ? counter : arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(word)).getResult();
  }

  /// Computes a value of the body at the current point, from the op's inputs there. `scalars` has the kernel's own.
  Value compute(Value value, ArrayRef<Access> accesses) {
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

  /// Inputs go beyond the tile by as much as a vector along the rows of the result: it writes the vectors that begin in it.
  void reachBeyond() { reachesBeyond = true; }

  /// Where the body may be computed in part.
  void setScalars(const IRMapping &values) { scalars = &values; }

private:
  void makeLoops(ArrayRef<Access> accesses) {
    for (size_t l = 0; l < sizes.size(); ++l) {
      if (steps[l] == 1 || (sizes[l] == 1 && !offsets[l]))
        continue;
      Loop loop;
      loop.loops = {static_cast<int64_t>(l)};
      loop.reduction = iterators[l] == utils::IteratorType::reduction;
      loop.size = offsets[l] ? steps[l] : sizes[l];
      loop.length = lengths[l];
      loop.offset = offsets[l];
      if (!loops.empty() && canJoin(loops.back(), loop, accesses)) {
        loops.back().loops.push_back(l);
        loops.back().size *= loop.size;
      } else {
        loops.push_back(std::move(loop));
      }
    }
  }

  // Whether the inner loop continues the outer one in the memory of every operand.
  bool canJoin(const Loop &outer, const Loop &inner, ArrayRef<Access> accesses) {
    if (usesIndex || outer.offset || inner.offset || outer.reduction != inner.reduction)
      return false;
    int64_t last = outer.loops.back(), next = inner.loops.front();
    for (const Access &access : accesses) {
      int64_t lastAt = -1, nextAt = -1;
      for (auto [position, expr] : llvm::enumerate(access.map.getResults())) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        if (dim && dim.getPosition() == last)
          lastAt = position;
        else if (dim && dim.getPosition() == next)
          nextAt = position;
        else if (expr.isFunctionOfDim(last) || expr.isFunctionOfDim(next))
          return false;
      }
      if (lastAt < 0 && nextAt < 0)
        continue;
      if (lastAt < 0 || nextAt != lastAt + 1)
        return false;
    }
    return true;
  }

  // The loop that walks memory with stride one in most operands goes innermost; of the others, reductions go inside.
  void order(ArrayRef<Access> accesses) {
    if (loops.empty())
      return;
    double best = -1e9;
    size_t innermost = 0;
    for (size_t i = 0; i < loops.size(); ++i) {
      int64_t l = loops[i].loops.back();
      double score = loops[i].size < 8 ? -1.5 : 0;
      for (const Access &access : accesses) {
        if (!access.map.isFunctionOfDim(l))
          continue;
        AffineExpr lastExpr = access.map.getResults().back();
        bool contiguous = lastExpr.isFunctionOfDim(l) && unitCoefficient(lastExpr, l);
        score += contiguous ? 1 : -1;
      }
      if (score >= best) {
        best = score;
        innermost = i;
      }
    }
    SmallVector<Loop> ordered;
    for (bool reduction : {false, true})
      for (size_t i = 0; i < loops.size(); ++i)
        if (i != innermost && loops[i].reduction == reduction)
          ordered.push_back(loops[i]);
    ordered.push_back(loops[innermost]);
    loops = std::move(ordered);
  }

  // Whether the loop's next element is the next one in memory.
  static bool walksInARow(const Access &access, int64_t loop) {
    ArrayRef<AffineExpr> exprs = access.map.getResults();
    if (exprs.empty())
      return false;
    auto dim = dyn_cast<AffineDimExpr>(exprs.back());
    return dim && dim.getPosition() == loop && llvm::none_of(exprs.drop_back(), [&](AffineExpr expr) { return expr.isFunctionOfDim(loop); });
  }

  // Where a piece of the result is computed.
  Value staging(const Access &access) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&builder.getInsertionBlock()->getParentOp()->getParentOfType<func::FuncOp>().getBody().front());
    auto type = MemRefType::get({kStreamPiece}, cast<MemRefType>(access.place.memref.getType()).getElementType());
    return memref::AllocaOp::create(builder, loc, type, builder.getI64IntegerAttr(64));
  }

  // Fetches what the inputs' pieces have some pieces later: the processor fetches no further than to the end of a page, and such a loop computes too long to see past that.
  void fetchAhead(ArrayRef<Access> accesses, ArrayRef<unsigned> outputs, int64_t count) {
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

  // The line in which a streamed row ends and the next one begins goes through the caches: a store that waits for it would hold up all that follow.
  void fetchLastLine(Value end, ArrayRef<Access> accesses, function_ref<void(Value)> at) {
    for (const Streamed &to : streamed) {
      const Access &access = accesses[to.output];
      auto type = cast<MemRefType>(access.place.memref.getType());
      if (type.getShape().back() * type.getElementTypeBitWidth() % to.vectorBits == 0)
        continue; // rows begin and end with a vector
      at(arith::SubIOp::create(builder, loc, end, arith::ConstantIndexOp::create(builder, loc, 1)));
      memref::PrefetchOp::create(builder, loc, access.place.memref, elementIndices(access), /*isWrite=*/true, /*localityHint=*/3, /*isDataCache=*/true);
    }
  }

  static bool unitCoefficient(AffineExpr expr, int64_t loop) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      return dim.getPosition() == loop;
    if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr); binary && expr.getKind() == AffineExprKind::Add)
      return unitCoefficient(binary.getLHS(), loop) || unitCoefficient(binary.getRHS(), loop);
    return false;
  }

  // Buffers are contiguous, so the dimensions that a joined loop walks are one dimension.
  void joinMemrefs(SmallVectorImpl<Access> &accesses) {
    for (Access &access : accesses) {
      SmallVector<ReassociationIndices> groups;
      SmallVector<AffineExpr> exprs;
      SmallVector<bool> local;
      for (auto [position, expr] : llvm::enumerate(access.map.getResults())) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        const Loop *loop = nullptr;
        for (const Loop &candidate : loops)
          if (dim && candidate.loops.size() > 1 && llvm::is_contained(candidate.loops, static_cast<int64_t>(dim.getPosition())))
            loop = &candidate;
        bool continues = loop && !exprs.empty() && static_cast<int64_t>(dim.getPosition()) != loop->loops.front();
        if (continues) {
          groups.back().push_back(position);
          continue;
        }
        groups.push_back({static_cast<int64_t>(position)});
        exprs.push_back(expr);
        local.push_back(access.place.local[position]);
      }
      if (groups.size() == access.map.getNumResults())
        continue;
      access.place.memref = memref::CollapseShapeOp::create(builder, loc, access.place.memref, groups);
      access.place.local = local;
      access.map = AffineMap::get(access.map.getNumDims(), 0, exprs, builder.getContext());
    }
  }

  SmallVector<Value> elementIndices(const Access &access) {
    SmallVector<Value> result;
    SmallVector<Value> dims;
    for (Value index : indices)
      dims.push_back(index ? index : Value(arith::ConstantIndexOp::create(builder, loc, 0)));
    for (auto [position, expr] : llvm::enumerate(access.map.getResults())) {
      Value index;
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        index = dims[dim.getPosition()];
      else
        index = affine::expandAffineExpr(builder, loc, expr, dims, {});
      if (access.place.local[position]) {
        // Temporaries start where the tile does.
        int64_t loop = cast<AffineDimExpr>(expr).getPosition();
        index = steps[loop] == 1 ? Value(arith::ConstantIndexOp::create(builder, loc, 0)) : local[loop];
      }
      result.push_back(index);
    }
    return result;
  }

  SmallVector<Value> emitLevel(size_t level, size_t carryFrom, bool carry, ArrayRef<Access> accesses, ArrayRef<unsigned> outputs, ValueRange carried,
                               function_ref<SmallVector<Value>(ArrayRef<SmallVector<Value>>, ArrayRef<Value>)> body) {
    SmallVector<Value> initial(carried);
    if (carry && level == carryFrom)
      for (unsigned number : held) {
        const Access &access = accesses[outputs[number]];
        initial.push_back(memref::LoadOp::create(builder, loc, access.place.memref, elementIndices(access)));
      }
    if (level == loops.size()) {
      SmallVector<SmallVector<Value>> positions;
      for (const Access &access : accesses)
        positions.push_back(elementIndices(access));
      SmallVector<Value> accumulators(outputs.size());
      if (carry)
        for (auto [number, value] : llvm::zip(held, initial))
          accumulators[number] = value;
      SmallVector<Value> results = body(positions, accumulators), kept;
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
      if (reachesBeyond) {
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

  // Whether the loop walks the elements of the draw one by one, and has blocks of them.
  bool drawsInARow(const Loop &loop) {
    return draw && scalars && loop.loops.size() == 1 && loop.size >= 2 * kRandomBlock && growthOf(draw->element->getResult(0), loop.loops.front(), op) == 1;
  }

  // The places from .. from + blocks * kRandomBlock: all that share a counter in one iteration, in pieces that lie one after the other.
  SmallVector<Value> drawBlocks(Value from, int64_t blocks, ArrayRef<Access> accesses, ValueRange initial, function_ref<void(Value)> at, function_ref<SmallVector<Value>(ValueRange)> next) {
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

  // The iteration in which the loop's index is `cut`, kept between `from` and `to`.
  Value within(int64_t cut, Value offset, Value from, Value to) {
    Value iteration = arith::ConstantIndexOp::create(builder, loc, cut);
    if (offset)
      iteration = arith::SubIOp::create(builder, loc, iteration, offset);
    return arith::MinSIOp::create(builder, loc, arith::MaxSIOp::create(builder, loc, iteration, from), to);
  }

  SmallVector<Value> emitFor(Value from, Value to, int64_t step, ValueRange initial, function_ref<SmallVector<Value>(Value, ValueRange)> body, bool masked = false) {
    auto loop = scf::ForOp::create(builder, loc, from, to, arith::ConstantIndexOp::create(builder, loc, step), initial);
    if (masked) {
      MLIRContext *context = builder.getContext();
      auto predicated = LLVM::LoopVectorizeAttr::get(context, /*disable=*/{}, /*predicateEnable=*/builder.getBoolAttr(true), {}, {}, {}, {}, {});
      loop->setAttr(kLoopAnnotation, LLVM::LoopAnnotationAttr::get(context, {}, predicated, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
    }
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> results = body(loop.getInductionVar(), loop.getRegionIterArgs());
    if (!initial.empty())
      scf::YieldOp::create(builder, loc, results);
    return SmallVector<Value>(loop.getResults());
  }

  OpBuilder &builder;
  GenericOp op;
  Location loc;
  ArrayRef<Stream> streams;
  SmallVector<int64_t> sizes, steps;
  SmallVector<utils::IteratorType> iterators;
  SmallVector<Value> offsets, lengths, indices, local;
  SmallVector<Loop> loops;
  SmallVector<unsigned> held; // numbers of the outputs that the innermost reductions keep in registers
  bool usesIndex = false, alone = false; // alone: in its kernel's stage
  bool reachesBeyond = false;
  const IRMapping *scalars = nullptr;
  struct Streamed {
    unsigned output; // number of the access
    int64_t vectorBits;
    Value piece;
  };
  static constexpr int64_t kStreamPiece = 256, kWholePiece = 64; // elements
  SmallVector<Streamed> streamed;
  Value pieceStart; // of the innermost loop, while a piece is computed
  std::optional<Draw> draw;
  Value counter; // of the draw at the current point, and its word, where they are known
  int64_t block = 0, word = 0;
  Value words, lane; // those of all counters of two blocks, and the number of the current one in its block
};
} // namespace

void mlir::raf::emitCopy(OpBuilder &builder, GenericOp op, OpResult value, const TileSpace &space, ArrayRef<TileRange> ranges, const Place &from, const Place &to) {
  // Runs over the op's loops: a reduction would write the same element again, so its loops are left out.
  AffineMap map = op.getIndexingMapMatchingResult(value);
  Nest nest(builder, op, space, ranges);
  SmallVector<Access> accesses = {{map, from}, {map, to}};
  nest.emit(accesses, {1}, /*carries=*/false, [&](ArrayRef<SmallVector<Value>> positions, ArrayRef<Value>) {
    return SmallVector<Value>{memref::LoadOp::create(builder, op.getLoc(), accesses[0].place.memref, positions[0])};
  });
}

LogicalResult mlir::raf::emitLoopNest(OpBuilder &builder, GenericOp op, const TileSpace &space, ArrayRef<TileRange> ranges, const KernelBuffers &buffers,
                                      ArrayRef<Stream> streams, ArrayRef<StagedInput> staged) {
  for (unsigned result = 0; result < op.getNumResults(); ++result)
    if (std::optional<Value> initial = buffers.initialValue(op, result))
      emitCopy(builder, op, cast<OpResult>(op.getResult(result)), space, ranges, buffers[*initial], buffers[op.getResult(result)]);
  SmallVector<Access> accesses;
  SmallVector<unsigned> outputs;
  SmallVector<int64_t> accessOf; // of each input, -1 for scalars
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isa<RankedTensorType>(input->get().getType())) {
      accessOf.push_back(-1);
      continue;
    }
    accessOf.push_back(accesses.size());
    const StagedInput *elsewhere = llvm::find_if(staged, [&](const StagedInput &candidate) { return candidate.input == input; });
    if (elsewhere != staged.end())
      accesses.push_back({elsewhere->map, elsewhere->place});
    else
      accesses.push_back({op.getMatchingIndexingMap(input), buffers[input->get()]});
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    outputs.push_back(accesses.size());
    accesses.push_back({op.getMatchingIndexingMap(&init), buffers[op.getTiedOpResult(&init)]});
  }
  bool reduces = op.getNumReductionLoops() > 0;
  Nest nest(builder, op, space, ranges, streams);
  Location loc = op.getLoc();
  nest.setScalars(buffers.scalars());
  if (llvm::any_of(staged, [](const StagedInput &input) { return input.beyond > 0; }))
    nest.reachBeyond();
  nest.emit(accesses, outputs, reduces, [&](ArrayRef<SmallVector<Value>> positions, ArrayRef<Value> carried) {
    IRMapping mapping = buffers.scalars();
    Block *block = op.getBody();
    for (auto [number, input] : llvm::enumerate(op.getDpsInputs())) {
      BlockArgument argument = block->getArgument(number);
      if (argument.use_empty())
        continue;
      int64_t access = accessOf[number];
      mapping.map(argument, access < 0 ? mapping.lookupOrDefault(input) : Value(memref::LoadOp::create(builder, loc, accesses[access].place.memref, positions[access])));
    }
    for (auto [number, output] : llvm::enumerate(outputs)) {
      BlockArgument argument = block->getArgument(op.getNumDpsInputs() + number);
      if (carried[number])
        mapping.map(argument, carried[number]);
      else if (!argument.use_empty())
        mapping.map(argument, memref::LoadOp::create(builder, loc, accesses[output].place.memref, positions[output]).getResult());
    }
    return cloneBody(
        builder, op, mapping, [&](int64_t loop) { return nest.indexOf(loop); }, [&](Value tensor) { return buffers[tensor].memref; }, [&](Operation *inner) { return nest.known(inner); });
  });
  return success();
}
