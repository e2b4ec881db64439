// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/LoopNest.h"
#include "passes/codegen/ScalarBody.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/codegen-cpu/Nest.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;
using Access = Nest::Access;
using Place = KernelBuffers::Place;

Nest::Nest(OpBuilder &builder, GenericOp op, const TileSpace &space, ArrayRef<TileRange> ranges, ArrayRef<Stream> streams)
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

void Nest::emit(SmallVectorImpl<Access> &accesses, ArrayRef<unsigned> outputs, bool carries, function_ref<SmallVector<Value>(ArrayRef<SmallVector<Value>>, ArrayRef<Value>)> body) {
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

void Nest::makeLoops(ArrayRef<Access> accesses) {
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

bool Nest::canJoin(const Loop &outer, const Loop &inner, ArrayRef<Access> accesses) {
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

void Nest::order(ArrayRef<Access> accesses) {
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

bool Nest::unitCoefficient(AffineExpr expr, int64_t loop) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dim.getPosition() == loop;
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expr); binary && expr.getKind() == AffineExprKind::Add)
    return unitCoefficient(binary.getLHS(), loop) || unitCoefficient(binary.getRHS(), loop);
  return false;
}

void Nest::joinMemrefs(SmallVectorImpl<Access> &accesses) {
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

SmallVector<Value> Nest::elementIndices(const Access &access) {
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
  if (llvm::any_of(staged, [](const StagedInput &input) { return input.overhang > 0; }))
    nest.setOverhang();
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
        builder, op, mapping, [&](int64_t loop) { return nest.indexOf(loop); }, [&](Value tensor) { return buffers[tensor].memref; }, [&](Operation *inner) { return nest.known(inner); },
        /*reassociates=*/!nest.addsRows());
  });
  return success();
}
