// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies that need not be: one of the two buffers becomes a range of the other. The step is a line of ops on buffers here, in the order in which it will run.
#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "passes/fusion/Copies.h"
#include "passes/fusion/Passes.h"
#include "passes/memory/Packing.h"
#include "passes/memory/Step.h"
#include "llvm/ADT/MapVector.h"

#include <limits>

namespace mlir::raf {
#define GEN_PASS_DEF_ELIDECOPIESPASS
#include "passes/fusion/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

// As raf-rematerialize sees the machine.
static constexpr int64_t kProcessBytes = 64 << 20, kBytesPerNs = 20, kCallNs = 1000;
static constexpr double kMemoryForTime = 2;
// The arena may end so far above what is alive at once.
static constexpr int64_t kUnpacked = 32;

namespace {

/// A use of bytes of a buffer by the op at this moment. Every one may read.
struct Access {
  int64_t moment, begin, end;
  bool writes;
  int64_t copy = -1; // the copy whose access it is, if it is one of those that may go

  bool meets(int64_t from, int64_t to) const { return begin < to && from < end; }
};

struct Buffer {
  int64_t bytes = 0;
  SmallVector<Access> accesses;
  int64_t container = -1, offset = 0; // the buffer that it is a range of
};

/// Bytes of a buffer, by its number.
struct Place {
  int64_t buffer, offset;
};

/// A launch that copies, and for each of its inputs whether the copy has become a view.
struct Copy {
  LaunchOp launch;
  CopiedRanges ranges;
  SmallVector<bool> elided;
  int64_t moment;
};

/// What is alive when, so that a choice can be taken back: it is copied.
struct State {
  std::vector<Buffer> buffers;
  std::vector<Copy> copies;

  Place resolve(Place place) const {
    while (buffers[place.buffer].container >= 0)
      place = {buffers[place.buffer].container, place.offset + buffers[place.buffer].offset};
    return place;
  }

  bool isGone(const Access &access) const { return access.copy >= 0 && llvm::all_of(copies[access.copy].elided, [](bool elided) { return elided; }); }

  SmallVector<Lifetime> lifetimes() const {
    SmallVector<Lifetime> result;
    for (const Buffer &buffer : buffers) {
      if (buffer.container >= 0)
        continue;
      Lifetime life{buffer.bytes, std::numeric_limits<int64_t>::max(), -1};
      for (const Access &access : buffer.accesses)
        if (!isGone(access)) {
          life.first = std::min(life.first, access.moment);
          life.last = std::max(life.last, access.moment);
        }
      if (life.last >= 0)
        result.push_back(life);
    }
    return result;
  }
};

/// What memory and time are relative to. Without a time none may be bought with memory.
struct Weights {
  int64_t fixedBytes = 0;
  double stepNs = 0;
};

class Elider {
public:
  Elider(func::FuncOp step, SymbolTable &symbols, Weights weigh) : step(step), symbols(symbols), weigh(weigh) {}

  int64_t elided = 0, kept = 0;

  void run() {
    collect();
    if (state.copies.empty())
      return;
    SmallVector<Lifetime> before = state.lifetimes();
    const State unchanged = state;
    const int64_t arena = pack(before), peak = getLowerBound(before);
    held = peak + weigh.fixedBytes + kProcessBytes;
    // Slices of one buffer go together: only when all are gone does its memory serve for them.
    llvm::MapVector<int64_t, SmallVector<int64_t>> groups;
    for (auto [number, copy] : llvm::enumerate(state.copies)) {
      std::optional<Place> source = isSlice(copy) ? find(copy.launch.getInputs().front()) : std::nullopt;
      groups[source ? source->buffer : -1 - static_cast<int64_t>(number)].push_back(number);
    }
    auto tryGroup = [&](ArrayRef<int64_t> members) {
      if (!tryAll(members) && members.size() > 1)
        for (int64_t member : members)
          tryAll(member, /*free=*/true);
    };
    // Fewer bytes alive at once are of use only as far as the buffers can be packed.
    auto fits = [&] {
      SmallVector<Lifetime> after = state.lifetimes();
      int64_t more = weigh.stepNs ? std::max<int64_t>(0, getLowerBound(after) - peak) + arena / kUnpacked : 0;
      return pack(after, arena + more) <= arena + more;
    };
    for (auto &[key, members] : groups)
      tryGroup(members);
    if (!fits()) {
      // One by one then, and those that pack badly not.
      state = unchanged;
      for (auto &[key, members] : groups) {
        State saved = state;
        tryGroup(members);
        if (!fits())
          state = std::move(saved);
      }
    }
    emit();
  }

private:
  static bool isSlice(const Copy &copy) { return copy.ranges.ranges.size() == 1; }

  /// The bytes of an allocation that a value is, through views.
  std::optional<Place> find(Value memref) {
    int64_t offset = 0;
    while (Operation *maker = memref.getDefiningOp()) {
      if (auto number = numbers.find(memref); number != numbers.end())
        return Place{number->second, offset};
      APInt shift;
      if (auto cast = dyn_cast<memref::ReinterpretCastOp>(maker); cast && cast.getType().getLayout().isIdentity())
        memref = cast.getSource();
      else if (auto view = dyn_cast<memref::ViewOp>(maker); view && matchPattern(view.getByteShift(), m_ConstantInt(&shift)))
        memref = view.getSource(), offset += shift.getSExtValue();
      else
        break;
    }
    return std::nullopt;
  }

  void collect() {
    Block &block = step.getBody().front();
    for (auto allocation : block.getOps<memref::AllocOp>())
      if (allocation.getType().hasStaticShape() && allocation.getType().getLayout().isIdentity()) {
        numbers[allocation] = allocations.size();
        allocations.push_back(allocation);
        state.buffers.push_back({getBytes(allocation.getType()), {}, -1, 0});
      }
    int64_t moment = 0;
    for (Operation &op : block) {
      if (isa<ViewLikeOpInterface, memref::AllocOp, memref::GetGlobalOp>(op))
        continue;
      if (isa<RegionCallOpInterface>(op))
        regions.push_back(moment);
      int64_t number = addCopy(op, moment);
      auto destinations = dyn_cast<DestinationStyleOpInterface>(op);
      auto plain = dyn_cast<memref::CopyOp>(op);
      for (OpOperand &operand : op.getOpOperands()) {
        if (!isa<MemRefType>(operand.get().getType()))
          continue;
        std::optional<Place> place = find(operand.get());
        if (!place)
          continue;
        bool writes = plain ? operand.get() == plain.getTarget() : !destinations || destinations.isDpsInit(&operand);
        auto type = cast<MemRefType>(operand.get().getType());
        int64_t begin = place->offset, end = begin + getBytes(type);
        if (number >= 0 && !writes) {
          const CopiedRanges::Range &range = state.copies[number].ranges.ranges[operand.getOperandNumber()];
          int64_t element = getElementBytes(type.getElementType());
          begin += range.from * element;
          end = begin + range.length * element;
        }
        state.buffers[place->buffer].accesses.push_back({moment, begin, end, writes, number});
      }
      ++moment;
    }
  }

  int64_t addCopy(Operation &op, int64_t moment) {
    auto launch = dyn_cast<LaunchOp>(&op);
    auto kernel = launch ? symbols.lookup<func::FuncOp>(launch.getCallee()) : func::FuncOp();
    if (!kernel || launch.getInits().size() != 1)
      return -1;
    CopiedRanges ranges = CopiedRanges::of(kernel);
    if (ranges.ranges.empty() || ranges.ranges.size() != launch.getInputs().size())
      return -1;
    SmallVector<bool> none(ranges.ranges.size(), false);
    state.copies.push_back({launch, std::move(ranges), std::move(none), moment});
    return state.copies.size() - 1;
  }

  /// All of these copies, if that is worth what more memory is alive at once; \p free if it must be none.
  bool tryAll(ArrayRef<int64_t> members, bool free = false) {
    State saved = state;
    StringRef reason;
    bool done = true;
    for (int64_t member : members)
      done &= tryOne(member, reason);
    if (done && !isCheap(saved, members, free)) {
      reason = "more memory would be alive at once";
      done = false;
    }
    if (!done)
      state = std::move(saved);
    if (!done && members.size() == 1)
      remark::missed(state.copies[members.front()].launch.getLoc(), remark::RemarkOpts::name("Copied").category("raf-elide-copies").function(step.getName()))
          << "is copied" << remark::reason("{0}", reason);
    return done;
  }

  /// Two percent of memory, that of the process included, may be spent for a percent of time.
  bool isCheap(const State &before, ArrayRef<int64_t> members, bool free) const {
    SmallVector<Lifetime> old = before.lifetimes(), now = state.lifetimes();
    double saved = 0; // ns
    for (int64_t member : members)
      saved += kCallNs + 2.0 * getBytes(cast<MemRefType>(LaunchOp(state.copies[member].launch).getInits()[0].getType())) / kBytesPerNs;
    int64_t growth = getLowerBound(now) - getLowerBound(old);
    if (growth > 0 && (free || !weigh.stepNs || growth / double(held) > kMemoryForTime * saved / weigh.stepNs))
      return false;
    // What a region needs while it runs is not known yet.
    auto aliveAt = [](ArrayRef<Lifetime> lives, int64_t moment) {
      int64_t bytes = 0;
      for (const Lifetime &life : lives)
        if (life.first <= moment && moment <= life.last)
          bytes += life.bytes;
      return bytes;
    };
    return llvm::all_of(regions, [&](int64_t moment) { return aliveAt(now, moment) <= aliveAt(old, moment); });
  }

  bool tryOne(int64_t number, StringRef &reason) {
    LaunchOp launch = state.copies[number].launch;
    int64_t element = getElementBytes(cast<MemRefType>(launch.getInits()[0].getType()).getElementType());
    std::optional<Place> destination = find(launch.getInits()[0]);
    if (!destination) {
      reason = "its result is an argument or a result of the step";
      return false;
    }
    // With one input the result becomes a range of it; with several each becomes a range of the result.
    int64_t bytes = 0, total = 0;
    for (auto [input, range] : llvm::enumerate(SmallVector<CopiedRanges::Range>(state.copies[number].ranges.ranges))) {
      std::optional<Place> source = find(launch.getInputs()[input]);
      total += range.length * element;
      if (!source) {
        reason = "what it copies is an argument or a constant of the step";
        continue;
      }
      Place from{source->buffer, source->offset + range.from * element}, to{destination->buffer, destination->offset + range.to * element};
      bool one = isSlice(state.copies[number]);
      if (place(one ? to : from, one ? from : to, range.length * element, number, one, reason)) {
        state.copies[number].elided[input] = true;
        bytes += range.length * element;
      }
    }
    return bytes * 2 >= total;
  }

  /// Makes the inner buffer these bytes of the outer one. \p innerIsMade says which of the two the copy writes.
  bool place(Place innerPlace, Place outerPlace, int64_t length, int64_t copy, bool innerIsMade, StringRef &reason) {
    Buffer &inner = state.buffers[innerPlace.buffer];
    if (inner.container >= 0 || innerPlace.offset != 0 || inner.bytes != length) {
      reason = "it is a part of another buffer already";
      return false;
    }
    outerPlace = state.resolve(outerPlace);
    Buffer &outer = state.buffers[outerPlace.buffer];
    if (&outer == &inner || outerPlace.offset % kArenaAlignment != 0) {
      reason = "it would not be aligned";
      return false;
    }
    const int64_t moment = state.copies[copy].moment, never = std::numeric_limits<int64_t>::max();
    // Uses of either side before the copy, the first write after it, and the last use.
    struct Uses {
      int64_t before = 0, written = std::numeric_limits<int64_t>::max(), last = -1;
    };
    auto look = [&](const Buffer &buffer, int64_t from, int64_t to) {
      Uses uses;
      for (const Access &access : buffer.accesses) {
        if (access.copy == copy || state.isGone(access) || !access.meets(from, to))
          continue;
        uses.before += access.moment < moment;
        if (access.moment > moment && access.writes)
          uses.written = std::min(uses.written, access.moment);
        uses.last = std::max(uses.last, access.moment);
      }
      return uses;
    };
    Uses ofInner = look(inner, 0, length), ofOuter = look(outer, outerPlace.offset, outerPlace.offset + length);
    if ((innerIsMade ? ofInner : ofOuter).before > 0) {
      reason = "the memory of its result has another use before";
      return false;
    }
    if ((ofInner.written != never && ofOuter.last >= ofInner.written) || (ofOuter.written != never && ofInner.last >= ofOuter.written)) {
      reason = "one side is overwritten while the other is still needed";
      return false;
    }
    for (Access access : inner.accesses) {
      access.begin += outerPlace.offset;
      access.end += outerPlace.offset;
      outer.accesses.push_back(access);
    }
    inner.accesses.clear();
    inner.container = outerPlace.buffer;
    inner.offset = outerPlace.offset;
    return true;
  }

  void emit() {
    Block &block = step.getBody().front();
    OpBuilder builder(step.getContext());
    // The memory of a buffer that others are ranges of, from the beginning of the step on: any of them may be the first to be written.
    DenseMap<int64_t, Value> memories;
    for (const Buffer &buffer : state.buffers) {
      if (buffer.container < 0)
        continue;
      int64_t outermost = state.resolve({buffer.container, 0}).buffer;
      if (Value &memory = memories[outermost]; !memory) {
        builder.setInsertionPointToStart(&block);
        memory = memref::AllocOp::create(builder, allocations[outermost].getLoc(), MemRefType::get({state.buffers[outermost].bytes}, builder.getI8Type()));
      }
    }
    auto view = [&](Location loc, int64_t buffer, int64_t offset, MemRefType type) -> Value {
      Value shift = arith::ConstantIndexOp::create(builder, loc, offset);
      return memref::ViewOp::create(builder, loc, type, memories.lookup(buffer), shift, ValueRange());
    };
    for (Copy &copy : state.copies) {
      LaunchOp launch = copy.launch;
      if (!llvm::is_contained(copy.elided, true)) {
        ++kept;
        continue;
      }
      ++elided;
      remark::passed(launch.getLoc(), remark::RemarkOpts::name("View").category("raf-elide-copies").function(step.getName())) << "a view instead of a copy";
      // What is still copied of a concatenation.
      builder.setInsertionPoint(launch);
      Place to = state.resolve(*find(launch.getInits()[0]));
      for (auto [input, range, isView] : llvm::zip(launch.getInputs(), copy.ranges.ranges, copy.elided)) {
        auto type = cast<MemRefType>(input.getType());
        if (!isView)
          memref::CopyOp::create(builder, launch.getLoc(), input, view(launch.getLoc(), to.buffer, to.offset + range.to * getElementBytes(type.getElementType()), type));
      }
      launch.erase();
    }
    for (auto [number, constAllocation] : llvm::enumerate(allocations)) {
      memref::AllocOp allocation = constAllocation;
      Place place = state.resolve({static_cast<int64_t>(number), 0});
      if (!memories.contains(place.buffer))
        continue;
      builder.setInsertionPoint(allocation);
      allocation.replaceAllUsesWith(view(allocation.getLoc(), place.buffer, place.offset, allocation.getType()));
      allocation.erase();
    }
  }

  func::FuncOp step;
  SymbolTable &symbols;
  Weights weigh;
  int64_t held = 0; // bytes of everything
  SmallVector<memref::AllocOp> allocations;
  DenseMap<Value, int64_t> numbers; // of the allocations
  SmallVector<int64_t> regions;     // moments of the ops that call them
  State state;
};

struct ElideCopiesPass : raf::impl::ElideCopiesPassBase<ElideCopiesPass> {
  using ElideCopiesPassBase::ElideCopiesPassBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    Weights weigh;
    auto rematerialization = getOperation()->getAttrOfType<DictionaryAttr>("raf.rematerialization");
    if (rematerialization && !rematerialization.get("budget"))
      if (auto time = rematerialization.getAs<IntegerAttr>("step_ns"))
        weigh.stepNs = time.getInt();
    SmallVector<func::FuncOp> functions = getHostFunctions(getOperation());
    if (!functions.empty())
      for (Type type : functions.back().getArgumentTypes())
        weigh.fixedBytes += getBytes(cast<ShapedType>(type));
    for (func::FuncOp func : functions) {
      Elider elider(func, symbols, weigh);
      elider.run();
      elided += elider.elided;
      kept += elider.kept;
    }
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (kernel->hasAttr(CopiedRanges::kAttribute) && SymbolTable::symbolKnownUseEmpty(kernel, getOperation()))
        kernel.erase();
  }
};
} // namespace
