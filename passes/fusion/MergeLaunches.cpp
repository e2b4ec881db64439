// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Independent kernels as one launch. The step is a line of ops on buffers here, in the order in which it will run: a launch may wait for a later one if nothing between them touches
// what it writes, or writes what it reads.
#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "passes/fusion/Passes.h"
#include "passes/fusion/TileSpace.h"
#include "passes/memory/Packing.h"
#include "passes/memory/Step.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"

#include <limits>

namespace mlir::raf {
#define GEN_PASS_DEF_MERGELAUNCHESPASS
#include "passes/fusion/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {

Value rootOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// What an op of the line does to buffers, each seen as a whole.
struct Effects {
  llvm::SmallSetVector<Value, 8> reads, writes;

  explicit Effects(Operation *op) {
    auto destinations = dyn_cast<DestinationStyleOpInterface>(op);
    auto copy = dyn_cast<memref::CopyOp>(op);
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<MemRefType>(operand.get().getType()))
        continue;
      Value root = rootOf(operand.get());
      bool isWritten = copy ? operand.get() == copy.getTarget() : !destinations || destinations.isDpsInit(&operand);
      (isWritten ? writes : reads).insert(root);
      if (!destinations && !copy)
        reads.insert(root);
    }
  }

  bool conflictsWith(const Effects &other) const {
    auto meets = [](auto &a, auto &b) { return llvm::any_of(a, [&](Value value) { return b.contains(value); }); };
    return meets(writes, other.writes) || meets(writes, other.reads) || meets(reads, other.writes);
  }
};

/// Launches that will be one, at the place of the last.
struct Group {
  SmallVector<unsigned> members;
  unsigned place;
  unsigned clear; // nothing up to here keeps the group from waiting
};

class Merger {
public:
  Merger(func::FuncOp step, SymbolTable &symbols, int64_t cacheBytes, int64_t launchBytes, int64_t slackPercent, int64_t slackBytes)
      : step(step), symbols(symbols), cacheBytes(cacheBytes), launchBytes(launchBytes), slackPercent(slackPercent), slackBytes(slackBytes) {}

  /// Numbers of launches before and after.
  std::pair<int64_t, int64_t> run() {
    collect();
    int64_t before = candidates.size();
    findGroups();
    if (llvm::all_of(groups, [](const Group &group) { return group.members.size() == 1; })) {
      report();
      return {before, before};
    }
    SmallVector<Group> found; // none
    // Buffers that live longer may fit less well, although no more of them are alive at once: then only small ones may.
    groups.swap(found);
    SmallVector<Lifetime> old = planned();
    const int64_t arena = pack(old);
    groups.swap(found);
    bool noneMay = false;
    const int64_t room = arena + std::max(arena * slackPercent / 100, slackBytes);
    for (longest = getLowerBound(old) / 16; pack(planned(), room) > room; longest /= 16) {
      if (noneMay) {
        report();
        return {before, before};
      }
      noneMay = longest == 0;
      findGroups();
    }
    report();
    for (const Group &group : groups)
      if (group.members.size() > 1)
        emit(group);
    return {before, static_cast<int64_t>(groups.size())};
  }

private:
  /// Kernels that run tile by tile and stage by stage. A product keeps its launch: it is long, and its tiles are chosen for the number of threads.
  bool isCandidate(Operation *op) {
    auto launch = dyn_cast<LaunchOp>(op);
    if (!launch || launch.getNumResults())
      return false;
    auto kernel = symbols.lookup<func::FuncOp>(launch.getCallee());
    return kernel && isTileable(kernel) && llvm::none_of(kernel.getBody().front().getOps<linalg::LinalgOp>(), isContraction) && llvm::all_of(launch.getOperandTypes(), llvm::IsaPred<MemRefType>);
  }

  void collect() {
    int64_t sum = 0;
    for (Operation &op : step.getBody().front()) {
      if (isa<ViewLikeOpInterface, memref::AllocOp, memref::GetGlobalOp>(op))
        continue;
      unsigned position = ops.size();
      ops.push_back(&op);
      effects.emplace_back(&op);
      for (auto *values : {&effects.back().reads, &effects.back().writes})
        for (Value root : *values) {
          touches[root].push_back(position);
          sum += getBytes(cast<ShapedType>(root.getType()));
        }
      traffic.push_back(sum);
      if (isCandidate(&op))
        candidates.push_back(position);
    }
    // In the order in which raf-plan-memory sees them: where a buffer goes depends on it.
    for (auto allocation : step.getBody().front().getOps<memref::AllocOp>())
      if (touches.contains(allocation)) {
        numbers[allocation] = buffers.size();
        buffers.push_back(allocation);
      }
  }

  SmallVector<Lifetime> lifetimes() const {
    SmallVector<Lifetime> result;
    for (Value root : buffers) {
      ArrayRef<unsigned> positions = touches.find(root)->second;
      result.push_back({getBytes(cast<ShapedType>(root.getType())), positions.front(), positions.back()});
    }
    return result;
  }

  /// The lifetimes that raf-plan-memory will see with the groups as they are.
  SmallVector<Lifetime> planned() const {
    SmallVector<unsigned> places(llvm::to_vector(llvm::seq<unsigned>(0, ops.size())));
    llvm::SmallDenseSet<Operation *> gone;
    for (const Group &group : groups)
      for (unsigned member : group.members) {
        places[member] = group.place;
        if (member != group.place)
          gone.insert(ops[member]);
      }
    DenseMap<Operation *, int64_t> moments;
    for (Operation &op : step.getBody().front())
      if (!gone.contains(&op))
        moments.try_emplace(&op, moments.size());
    SmallVector<Lifetime> result = lifetimes();
    for (auto [root, life] : llvm::zip(buffers, result)) {
      life.first = std::numeric_limits<int64_t>::max(), life.last = -1;
      for (unsigned position : touches.find(root)->second) {
        int64_t moment = moments.lookup(ops[places[position]]);
        life.first = std::min(life.first, moment);
        life.last = std::max(life.last, moment);
      }
    }
    return result;
  }

  /// Lets what the group touches live until it runs.
  void extend(MutableArrayRef<Lifetime> lives, const Group &group) const {
    for (unsigned member : group.members)
      for (auto *values : {&effects[member].reads, &effects[member].writes})
        for (Value root : *values)
          if (auto found = numbers.find(root); found != numbers.end())
            lives[found->second].last = std::max<int64_t>(lives[found->second].last, group.place);
  }

  /// Bytes that are still in the caches where the launch stands, but will have left them at a later place.
  int64_t bytesReadAnew(unsigned member, unsigned place) const {
    int64_t bytes = 0;
    for (auto *values : {&effects[member].reads, &effects[member].writes})
      for (Value root : *values) {
        ArrayRef<unsigned> positions = touches.find(root)->second;
        auto at = llvm::lower_bound(positions, member);
        if (at == positions.begin())
          continue;
        int64_t since = traffic[*std::prev(at)];
        bool isNear = traffic[member - 1] - since < cacheBytes, willBeNear = traffic[place - 1] - since < cacheBytes;
        if (isNear && !willBeNear)
          bytes += getBytes(cast<ShapedType>(root.getType()));
      }
    return bytes;
  }

  /// Whether the group may stand anywhere up to the place, which is looked at too.
  bool canWait(Group &group, unsigned place) const {
    for (; group.clear < place; ++group.clear)
      for (unsigned member : group.members)
        if (effects[group.clear + 1].conflictsWith(effects[member]))
          return false;
    return true;
  }

  bool staysInCache(const Group &group, unsigned place) const {
    int64_t anew = 0;
    for (unsigned member : group.members)
      anew += bytesReadAnew(member, place) - bytesReadAnew(member, group.place);
    return anew <= launchBytes;
  }

  void findGroups() {
    groups.clear();
    misses.clear();
    SmallVector<Lifetime> lives = lifetimes();
    const int64_t peak = getLowerBound(lives);
    SmallVector<Group> open;
    for (unsigned candidate : candidates) {
      Group joined{{candidate}, candidate, candidate};
      SmallVector<Group> waiting;
      for (Group &group : llvm::reverse(open)) {
        if (!canWait(group, candidate)) {
          missed(group, candidate, "what it makes is needed before");
          groups.push_back(group); // neither can it wait for any other
          continue;
        }
        waiting.push_back(group);
        if (joined.members.size() > 1)
          continue;
        if (!staysInCache(group, candidate)) {
          missed(group, candidate, "what it reads would have left the caches");
          continue;
        }
        Group both = group;
        both.members.push_back(candidate);
        both.place = candidate;
        SmallVector<Lifetime> longer = lives;
        extend(longer, both);
        if (!isFree(lives, longer, peak)) {
          missed(group, candidate, "more memory would be alive at once");
          continue;
        }
        lives = longer;
        joined = both;
        waiting.pop_back();
      }
      open.assign(waiting.rbegin(), waiting.rend());
      open.push_back(joined);
    }
    llvm::append_range(groups, open);
  }

  /// Whether longer lifetimes cost no memory. What a region needs while it runs is not known yet, so nothing may come to live through one.
  bool isFree(ArrayRef<Lifetime> lives, ArrayRef<Lifetime> longer, int64_t peak) const {
    for (auto [before, after] : llvm::zip(lives, longer)) {
      if (before.last == after.last)
        continue;
      if (before.bytes > longest)
        return false;
      for (int64_t position = before.last + 1; position <= after.last; ++position)
        if (isa<RegionCallOpInterface>(ops[position]))
          return false;
    }
    return getLowerBound(longer) <= peak;
  }

  void missed(const Group &group, unsigned candidate, StringRef reason) {
    misses.push_back({ops[candidate]->getLoc(), cast<LaunchOp>(ops[group.members.front()]).getCallee(), reason});
  }

  void report() {
    for (auto &[location, callee, reason] : misses)
      remark::missed(location, remark::RemarkOpts::name("NotMerged").category("raf-merge-launches").function(step.getName())) << ("not in one launch with @" + callee).str() << remark::reason("{0}", reason);
  }

  void emit(const Group &group) {
    Operation *last = ops[group.place];
    llvm::SetVector<Value> inputs, inits;
    SmallVector<Location> locations;
    SmallVector<int64_t> readInits;
    int64_t flops = 0, bytes = 0;
    bool counted = false;
    for (unsigned member : group.members) {
      auto launch = cast<LaunchOp>(ops[member]);
      locations.push_back(launch.getLoc());
      inputs.insert(launch.getInputs().begin(), launch.getInputs().end());
      auto read = launch->getAttrOfType<DenseI64ArrayAttr>("raf.read_inits");
      for (auto [number, init] : llvm::enumerate(launch.getInits())) {
        if (read && llvm::is_contained(read.asArrayRef(), static_cast<int64_t>(number)))
          readInits.push_back(inits.size());
        inits.insert(init);
      }
      auto add = [&](StringRef name, int64_t &sum) {
        if (auto value = launch->getAttrOfType<IntegerAttr>(name)) {
          sum += value.getInt();
          counted = true;
        }
      };
      add("raf.flops", flops);
      add("raf.bytes", bytes);
    }
    MLIRContext *context = step.getContext();
    Location loc = FusedLoc::get(context, locations);
    SmallVector<Type> types;
    for (auto *values : {&inputs, &inits})
      for (Value value : *values)
        types.push_back(value.getType());
    OpBuilder builder(context);
    builder.setInsertionPointAfter(step);
    auto kernel = func::FuncOp::create(builder, loc, "launches", builder.getFunctionType(types, {}));
    kernel.setPrivate();
    kernel->setAttr("raf.kernel", builder.getUnitAttr());
    symbols.insert(kernel);
    Block *body = kernel.addEntryBlock();
    OpBuilder inner = OpBuilder::atBlockEnd(body);
    IRMapping mapping;
    mapping.map(inputs.getArrayRef(), body->getArguments().take_front(inputs.size()));
    IRMapping destinations;
    destinations.map(inits.getArrayRef(), body->getArguments().drop_front(inputs.size()));
    for (unsigned member : group.members) {
      auto launch = cast<LaunchOp>(ops[member]);
      auto lookup = [](ValueRange values, const IRMapping &map) { return llvm::map_to_vector(values, [&](Value value) { return map.lookup(value); }); };
      LaunchOp::create(inner, launch.getLoc(), TypeRange(), launch.getCalleeAttr(), lookup(launch.getInputs(), mapping), lookup(launch.getInits(), destinations), builder.getDenseI64ArrayAttr({}));
    }
    func::ReturnOp::create(inner, loc);
    builder.setInsertionPoint(last);
    auto launch = LaunchOp::create(builder, loc, TypeRange(), FlatSymbolRefAttr::get(kernel.getNameAttr()), inputs.getArrayRef(), inits.getArrayRef(), builder.getDenseI64ArrayAttr({}));
    if (counted) {
      launch->setDiscardableAttr("raf.flops", builder.getI64IntegerAttr(flops));
      launch->setDiscardableAttr("raf.bytes", builder.getI64IntegerAttr(bytes));
      launch->setDiscardableAttr("raf.read_inits", builder.getDenseI64ArrayAttr(readInits));
    }
    remark::passed(loc, remark::RemarkOpts::name("Merged").category("raf-merge-launches").function(step.getName())) << std::to_string(group.members.size()) + " kernels in one launch";
    for (unsigned member : group.members)
      ops[member]->erase();
  }

  mutable func::FuncOp step;
  SymbolTable &symbols;
  int64_t cacheBytes, launchBytes, slackPercent, slackBytes;
  int64_t longest = std::numeric_limits<int64_t>::max(); // bytes of the largest buffer that may live longer
  struct Miss {
    Location location;
    StringRef callee, reason;
  };
  SmallVector<Miss> misses;
  SmallVector<Operation *> ops; // those that touch buffers, in order
  std::vector<Effects> effects;
  SmallVector<int64_t> traffic; // bytes that the ops up to each touch
  SmallVector<unsigned> candidates;
  llvm::MapVector<Value, SmallVector<unsigned>> touches; // by buffer, positions in order
  SmallVector<Value> buffers;                            // those of the arena
  DenseMap<Value, unsigned> numbers;                     // of `buffers`
  SmallVector<Group> groups;
};

struct MergeLaunchesPass : raf::impl::MergeLaunchesPassBase<MergeLaunchesPass> {
  using MergeLaunchesPassBase::MergeLaunchesPassBase;
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (func::FuncOp func : getHostFunctions(getOperation())) {
      auto [before, after] = Merger(func, symbols, cacheBytes, launchBytes, slackPercent, slackBytes).run();
      saved += before - after;
    }
  }
};
} // namespace
