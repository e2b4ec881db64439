// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction with few results keeps few blocks busy. It becomes two: parts of it, enough of them for the device, and what combines those. Which part an element belongs to depends on
// the shape alone, so the sums can be repeated bit for bit.
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "passes/codegen-gpu/Lanes.h"
#include "passes/codegen-gpu/Passes.h"
#include "passes/fusion/CostModel.h"
#include "passes/fusion/KernelBody.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::raf {
#define GEN_PASS_DEF_SPLITREDUCTIONSPASS
#include "passes/codegen-gpu/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

namespace {
// Neighbouring columns that share a block (see StagePlan), and elements of a part that lies together: whole vectors of each thread of a warp.
constexpr int64_t kColumns = 128, kTogether = 32;
// Less than this for each block is not worth one: 16 bytes for each of its threads.
constexpr int64_t kBlockBytes = 16 << 10;
// Launches that it costs to take a reduction out of the kernel that goes on with its result and with what was reduced, as in a softmax.
constexpr int64_t kLaunchesOfRows = 3;
// The ops that a body may have for another to be fused into it.
constexpr size_t kMaxBody = 48;

struct Split {
  SmallVector<Operation *> combiners;
  SmallVector<int64_t> whole; // reduction loops that become parallel
  int64_t cut = -1;           // one that is cut into `count` parts of `chunk` iterations, or -1
  int64_t chunk = 1, count = 1, rest = 0;
};

class Splitter {
public:
  Splitter(GenericOp op, int64_t units, int64_t bytesPerNs, int64_t launchNs) : op(op), units(units), bytesPerNs(bytesPerNs), launchNs(launchNs), builder(op) {}

  /// Makes the parts and what combines them, before the op, which stays. Returns what combines.
  GenericOp emit(Split found) {
    split = std::move(found);
    return emitParts();
  }

  /// A copy of the reduction into which what is computed for it alone is fused, so that the parts read what lies in memory. The op and its producers stay, for that may turn out not to be
  /// worth it; `spent` gets those that nobody needs once the copy has replaced the op.
  static GenericOp withProducers(RewriterBase &rewriter, GenericOp op, SmallVectorImpl<GenericOp> &spent) {
    rewriter.setInsertionPoint(op);
    auto copy = cast<GenericOp>(rewriter.clone(*op));
    spent.push_back(op);
    auto isAlone = [&](GenericOp producer) {
      return llvm::count_if(producer->getUses(), [&](OpOperand &use) { return !llvm::is_contained(spent, use.getOwner()); }) == 1;
    };
    auto isCandidate = [&](OpOperand *operand) {
      auto producer = operand->get().getDefiningOp<GenericOp>();
      if (!producer || producer->getBlock() != copy->getBlock() || !linalg::areElementwiseOpsFusable(operand) || producer.getNumResults() != 1 || !isRead(copy, operand))
        return false;
      if (producer.getBody()->getOperations().size() + copy.getBody()->getOperations().size() > kMaxBody)
        return false;
      // Each element is used once, so nothing is computed twice; a value that others need too is computed again where that reads no more than the value itself.
      AffineMap map = copy.getMatchingIndexingMap(operand);
      bool once = true;
      for (auto [loop, size] : llvm::enumerate(copy.getStaticLoopRanges()))
        once &= size == 1 || map.isFunctionOfDim(loop);
      if (isAlone(producer))
        return once || isCheap(producer);
      int64_t bytes = 0;
      for (Value input : producer.getDpsInputs())
        if (isa<RankedTensorType>(input.getType()))
          bytes += bytesOf(input);
      return isCheap(producer) && bytes <= bytesOf(operand->get());
    };
    while (true) {
      SmallVector<OpOperand *> inputs = copy.getDpsInputOperands();
      auto next = llvm::find_if(inputs, isCandidate);
      if (next == inputs.end())
        return copy;
      auto producer = (*next)->get().getDefiningOp<GenericOp>();
      bool alone = isAlone(producer);
      // A value that others use would become a result of the fused op.
      rewriter.setInsertionPoint(copy);
      Operation *own = rewriter.clone(*producer);
      (*next)->set(own->getResult(0));
      FailureOr<linalg::ElementwiseOpFusionResult> fused = linalg::fuseElementwiseOps(rewriter, *next);
      if (failed(fused)) {
        (*next)->set(producer->getResult(0));
        rewriter.eraseOp(own);
        return copy;
      }
      rewriter.eraseOp(copy);
      rewriter.eraseOp(own);
      if (alone)
        spent.push_back(producer);
      copy = cast<GenericOp>(fused->fusedOp);
    }
  }

  /// Whether an op of the size of this one reads the result: the two would be one kernel.
  static bool goesOnWithRows(GenericOp op) {
    int64_t size = iterations(op);
    SmallVector<Operation *> pending(op->getUsers());
    for (int depth = 0; depth < 4 && !pending.empty(); ++depth) {
      SmallVector<Operation *> next;
      for (Operation *user : pending) {
        auto reader = dyn_cast<GenericOp>(user);
        if (!reader || reader.getNumReductionLoops() > 0)
          continue;
        if (iterations(reader) * 2 > size)
          return true;
        llvm::append_range(next, reader->getUsers());
      }
      pending = next;
    }
    return false;
  }

  /// How the reduction is cut, if that is worth `launches` more of them.
  std::optional<Split> plan(int64_t launches) {
    if (!op.hasPureTensorSemantics() || isContraction(op))
      return std::nullopt;
    std::optional<SmallVector<Operation *>> combining = combiners(op);
    if (!combining || llvm::is_contained(*combining, nullptr))
      return std::nullopt;
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    int64_t bytes = 0, most = 0;
    Access largest;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand->get().getType());
      if (!type || !isRead(op, operand))
        continue;
      bytes += bytesOf(operand->get());
      if (type.getNumElements() <= most)
        continue;
      most = type.getNumElements();
      largest = accessOf(operand->get(), op.getMatchingIndexingMap(operand), contiguousStrides(type.getShape()));
    }
    if (!largest.tensor)
      return std::nullopt;
    SmallVector<int64_t> reductions;
    int64_t points = 1;
    bool columns = false;
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
      if (sizes[loop] == 1)
        continue;
      if (type == utils::IteratorType::reduction) {
        reductions.push_back(loop);
        continue;
      }
      points *= sizes[loop];
      columns |= largest.strides[loop] == 1;
    }
    int64_t blocks = columns ? llvm::divideCeil(points, kColumns) : points;
    if (points == 0 || blocks >= units)
      return std::nullopt;
    int64_t wanted = std::min<int64_t>(llvm::divideCeil(2 * units, blocks), bytes / (blocks * kBlockBytes));
    if (wanted < 2)
      return std::nullopt;
    auto nanoseconds = [&](int64_t busy) { return bytes / (std::min(busy, units) * bytesPerNs); };
    if (nanoseconds(blocks) <= nanoseconds(blocks * wanted) + launches * launchNs)
      return std::nullopt;
    // The outermost loops are shared out, so that each part lies together.
    llvm::stable_sort(reductions, [&](int64_t a, int64_t b) { return std::abs(largest.strides[a]) > std::abs(largest.strides[b]); });
    Split result;
    result.combiners = *combining;
    for (int64_t loop : reductions) {
      if (wanted < 2)
        break;
      int64_t unit = largest.strides[loop] == 1 ? kTogether : 1;
      int64_t chunk = llvm::alignTo(llvm::divideCeil(sizes[loop], wanted), unit);
      // Rather half as many parts than a rest.
      for (int64_t longer = chunk; chunk > 1 && longer < 2 * chunk; longer += unit)
        if (sizes[loop] % longer == 0) {
          chunk = longer;
          break;
        }
      if (chunk == 1) {
        result.whole.push_back(loop);
        wanted = llvm::divideCeil(wanted, sizes[loop]);
        continue;
      }
      if (sizes[loop] / chunk < 2)
        continue;
      result.cut = loop;
      result.chunk = chunk;
      result.count = sizes[loop] / chunk;
      result.rest = sizes[loop] % chunk;
      break;
    }
    if (result.cut < 0 && result.whole.empty())
      return std::nullopt;
    return result;
  }

private:
  static bool isRead(GenericOp op, OpOperand *operand) { return !op.getMatchingBlockArgument(operand).use_empty(); }

  // The op with other maps and iterators on the inits; indices of the loop that is cut are `scale` times an index of the loop `outer` (-1: none), plus the own index, plus `offset`.
  GenericOp copyOf(ValueRange inits, ArrayRef<AffineMap> resultMaps, ArrayRef<utils::IteratorType> iterators, int64_t outer, int64_t offset, int64_t range) {
    Location loc = op.getLoc();
    MLIRContext *context = op.getContext();
    unsigned loops = iterators.size();
    SmallVector<Value> inputs(op.getDpsInputs());
    SmallVector<AffineMap> maps;
    SmallVector<AffineExpr> places;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      places.push_back(getAffineDimExpr(loop, context));
    if (split.cut >= 0) {
      AffineExpr &place = places[split.cut];
      if (outer >= 0)
        place = getAffineDimExpr(outer, context) * split.chunk + place;
      place = place + offset;
    }
    for (OpOperand *input : op.getDpsInputOperands())
      maps.push_back(op.getMatchingIndexingMap(input).replaceDimsAndSymbols(places, {}, loops, 0));
    if (range > 0) {
      // Nobody reads it: it says how long the loop is.
      inputs.push_back(tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{range}, builder.getI8Type()));
      maps.push_back(AffineMap::get(loops, 0, getAffineDimExpr(split.cut, context)));
    }
    llvm::append_range(maps, resultMaps);
    auto copy = GenericOp::create(builder, loc, inits.getTypes(), inputs, inits, maps, iterators, [&](OpBuilder &inner, Location at, ValueRange arguments) {
      IRMapping mapping;
      unsigned numInputs = op.getNumDpsInputs();
      for (auto [number, argument] : llvm::enumerate(op.getBody()->getArguments()))
        mapping.map(argument, arguments[number < numInputs ? number : inputs.size() + number - numInputs]);
      for (Operation &body : op.getBody()->without_terminator()) {
        Operation *cloned = inner.clone(body, mapping);
        cloned->walk([&](linalg::IndexOp index) {
          if (static_cast<int64_t>(index.getDim()) != split.cut)
            return;
          OpBuilder::InsertionGuard guard(inner);
          inner.setInsertionPointAfter(index);
          Value sum = index;
          SmallPtrSet<Operation *, 4> own{index};
          auto add = [&](Value term) {
            auto added = arith::AddIOp::create(inner, at, sum, term);
            own.insert(added);
            sum = added;
          };
          if (outer >= 0) {
            Value part = linalg::IndexOp::create(inner, at, outer), size = arith::ConstantIndexOp::create(inner, at, split.chunk);
            add(arith::MulIOp::create(inner, at, part, size));
          }
          if (offset > 0)
            add(arith::ConstantIndexOp::create(inner, at, offset));
          if (sum == index.getResult())
            return;
          index.getResult().replaceAllUsesExcept(sum, own);
          if (index.getOperation() == cloned)
            mapping.map(body.getResult(0), sum);
        });
      }
      SmallVector<Value> yielded;
      for (Value value : op.getBody()->getTerminator()->getOperands())
        yielded.push_back(mapping.lookupOrDefault(value));
      linalg::YieldOp::create(inner, at, yielded);
    });
    return copy;
  }

  // Where the parts start: at what changes nothing.
  Value neutral(Operation *combiner, ArrayRef<int64_t> shape) {
    Location loc = op.getLoc();
    Value value = arith::ConstantOp::create(builder, loc, *arith::getNeutralElement(combiner));
    Value memory = tensor::EmptyOp::create(builder, loc, shape, value.getType());
    return linalg::FillOp::create(builder, loc, ValueRange{value}, ValueRange{memory}).getResult(0);
  }

  GenericOp emitParts() {
    MLIRContext *context = op.getContext();
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    int64_t loops = op.getNumLoops(), outer = split.cut >= 0 ? loops : -1;
    // The dimensions of the parts, before those of the results.
    SmallVector<int64_t> lengths;
    SmallVector<AffineExpr> partDims;
    for (int64_t loop : split.whole) {
      iterators[loop] = utils::IteratorType::parallel;
      lengths.push_back(sizes[loop]);
      partDims.push_back(getAffineDimExpr(loop, context));
    }
    if (outer >= 0) {
      iterators.push_back(utils::IteratorType::parallel);
      lengths.push_back(split.count);
      partDims.push_back(getAffineDimExpr(outer, context));
    }
    SmallVector<Value> inits;
    SmallVector<AffineMap> maps;
    for (auto [number, init] : llvm::enumerate(op.getDpsInits())) {
      SmallVector<int64_t> shape(lengths);
      llvm::append_range(shape, cast<RankedTensorType>(init.getType()).getShape());
      inits.push_back(neutral(split.combiners[number], shape));
      SmallVector<AffineExpr> exprs(partDims);
      llvm::append_range(exprs, op.getMatchingIndexingMap(op.getDpsInitOperand(number)).getResults());
      maps.push_back(AffineMap::get(iterators.size(), 0, exprs, context));
    }
    GenericOp parts = copyOf(inits, maps, iterators, outer, /*offset=*/0, split.cut >= 0 ? split.chunk : 0);
    parts->setAttr(kPartialAttr, builder.getUnitAttr());
    // What is left over starts the final one.
    SmallVector<Value> starts(op.getDpsInits());
    if (split.rest > 0) {
      SmallVector<AffineMap> resultMaps;
      for (OpOperand &init : op.getDpsInitsMutable())
        resultMaps.push_back(op.getMatchingIndexingMap(&init));
      GenericOp rest = copyOf(starts, resultMaps, op.getIteratorTypesArray(), /*outer=*/-1, split.count * split.chunk, split.rest);
      starts.assign(rest->result_begin(), rest->result_end());
    }
    return combineParts(parts, starts, lengths.size());
  }

  GenericOp combineParts(GenericOp parts, ValueRange starts, int64_t numParts) {
    // The loops of the parallel dimensions, then those of the parts.
    MLIRContext *context = op.getContext();
    SmallVector<AffineExpr> renamed(op.getNumLoops(), getAffineConstantExpr(0, context));
    int64_t numPoints = 0;
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
      if (type == utils::IteratorType::parallel)
        renamed[loop] = getAffineDimExpr(numPoints++, context);
    SmallVector<utils::IteratorType> iterators(numPoints, utils::IteratorType::parallel);
    iterators.append(numParts, utils::IteratorType::reduction);
    SmallVector<AffineMap> maps, resultMaps;
    for (OpOperand &init : op.getDpsInitsMutable()) {
      AffineMap result = op.getMatchingIndexingMap(&init).replaceDimsAndSymbols(renamed, {}, iterators.size(), 0);
      SmallVector<AffineExpr> exprs;
      for (int64_t part = 0; part < numParts; ++part)
        exprs.push_back(getAffineDimExpr(numPoints + part, context));
      llvm::append_range(exprs, result.getResults());
      maps.push_back(AffineMap::get(iterators.size(), 0, exprs, context));
      resultMaps.push_back(result);
    }
    llvm::append_range(maps, resultMaps);
    return GenericOp::create(builder, op.getLoc(), starts.getTypes(), parts->getResults(), starts, maps, iterators, [&](OpBuilder &inner, Location at, ValueRange arguments) {
      SmallVector<Value> yielded;
      for (auto [number, combiner] : llvm::enumerate(split.combiners)) {
        IRMapping mapping;
        mapping.map(combiner->getOperand(0), arguments[split.combiners.size() + number]);
        mapping.map(combiner->getOperand(1), arguments[number]);
        yielded.push_back(inner.clone(*combiner, mapping)->getResult(0));
      }
      linalg::YieldOp::create(inner, at, yielded);
    });
  }

  GenericOp op;
  int64_t units, bytesPerNs, launchNs;
  OpBuilder builder;
  Split split;
};

struct SplitReductionsPass : raf::impl::SplitReductionsPassBase<SplitReductionsPass> {
  using SplitReductionsPassBase::SplitReductionsPassBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal() || func->hasAttr("raf.kernel") || !func.getBody().hasOneBlock())
      return;
    if (units < 1 || bytesPerNs < 1 || launchNs < 0) {
      func.emitError() << "raf-split-reductions: expected units and bytes-per-ns of at least 1 and launch-ns of at least 0, got " << units.getValue() << ", " << bytesPerNs.getValue() << " and "
                       << launchNs.getValue();
      return signalPassFailure();
    }
    SmallVector<GenericOp> ops(func.getBody().front().getOps<GenericOp>());
    IRRewriter rewriter(func);
    for (GenericOp op : ops) {
      if (op.hasDynamicShape() || op.getNumReductionLoops() == 0)
        continue;
      int64_t launches = Splitter::goesOnWithRows(op) ? kLaunchesOfRows : 1;
      if (!Splitter(op, units, bytesPerNs, launchNs).plan(launches))
        continue;
      // With its producers it may read less, or along other dimensions.
      SmallVector<GenericOp> spent;
      GenericOp whole = Splitter::withProducers(rewriter, op, spent);
      Splitter splitter(whole, units, bytesPerNs, launchNs);
      if (std::optional<Split> split = splitter.plan(launches)) {
        Location loc = whole.getLoc();
        rewriter.replaceAllUsesWith(op->getResults(), splitter.emit(std::move(*split))->getResults());
        for (GenericOp dead : spent)
          rewriter.eraseOp(dead);
        ++numSplit;
        remark::passed(loc, remark::RemarkOpts::name("Split").category("raf-split-reductions").function(func.getName())) << "in parts that fill the device, and what combines them";
      }
      rewriter.eraseOp(whole);
    }
  }
};
} // namespace
