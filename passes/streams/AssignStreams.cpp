// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/memory/Step.h"
#include "passes/streams/Accesses.h"
#include "passes/streams/Passes.h"

#include "dialects/raf/Dialect.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

#include <cmath>
#include <map>
#include <set>

namespace mlir::raf {
#define GEN_PASS_DEF_ASSIGNSTREAMSPASS
#include "passes/streams/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {

// Of a device of today, in nanoseconds: only how ops compare with each other and with a wait matters.
constexpr double kLeast = 2000, kBytesPerNs = 2000, kFlopsPerNs = 50000, kWaitNs = 1000;

/// Who touched which bytes last.
class Ledger {
public:
  /// The ops that must have run before one with these accesses may: the last writers of what it touches, and who has read since what it writes.
  SmallVector<int64_t> enter(int64_t op, ArrayRef<ByteAccess> accesses) {
    std::set<int64_t> before;
    for (const ByteAccess &access : accesses) {
      split(access);
      forEach(access, [&](Stretch &stretch) {
        if (stretch.writer >= 0)
          before.insert(stretch.writer);
        if (access.writes)
          before.insert(stretch.readers.begin(), stretch.readers.end());
      });
    }
    // An op may read and write the same bytes: it is their writer then.
    for (const ByteAccess &access : accesses)
      if (!access.writes)
        forEach(access, [&](Stretch &stretch) { stretch.readers.push_back(op); });
    for (const ByteAccess &access : accesses)
      if (access.writes)
        forEach(access, [&](Stretch &stretch) {
          stretch.writer = op;
          stretch.readers.clear();
        });
    return SmallVector<int64_t>(before.begin(), before.end());
  }

private:
  struct Stretch {
    int64_t end;
    int64_t writer = -1;
    SmallVector<int64_t, 2> readers;
  };
  using Stretches = std::map<int64_t, Stretch>; // by their begin, without gaps

  void split(const ByteAccess &access) {
    Stretches &stretches = owners.try_emplace(access.owner).first->second;
    if (stretches.empty())
      stretches.emplace(0, Stretch{std::numeric_limits<int64_t>::max(), -1, {}});
    cutAt(stretches, access.begin);
    cutAt(stretches, access.end);
  }

  void forEach(const ByteAccess &access, llvm::function_ref<void(Stretch &)> function) {
    Stretches &stretches = owners[access.owner];
    for (auto it = stretches.lower_bound(access.begin); it != stretches.end() && it->first < access.end; ++it)
      function(it->second);
  }

  DenseMap<const void *, Stretches> owners;
};

double estimate(Operation *op) {
  double bytes = 0, product = 1;
  SmallVector<double> elements;
  auto add = [&](Value value) {
    if (auto type = dyn_cast<MemRefType>(value.getType())) {
      bytes += getBytes(type);
      elements.push_back(type.getNumElements());
    }
  };
  auto plan = dyn_cast<PlanOpInterface>(op);
  for (Value operand : op->getOperands())
    add(operand);
  // Of two factors and their product M x K, K x N and M x N the product of the sizes is the square of M K N.
  if (plan && elements.size() >= 3)
    for (double size : ArrayRef<double>(elements).take_front(3))
      product *= size;
  return std::max({kLeast, bytes / kBytesPerNs, plan ? 2 * std::sqrt(product) / kFlopsPerNs : 0.0});
}

/// The work of one run.
class Assignment {
public:
  Assignment(func::FuncOp step, int64_t streams) : streams(streams) {
    Accesses accesses;
    Ledger ledger;
    for (Operation &op : step.getBody().front()) {
      for (StringRef name : {kStream, kRecord, kWait})
        op.removeAttr(name);
      if (!Accesses::isWork(&op))
        continue;
      before.push_back(ledger.enter(ops.size(), accesses.of(&op)));
      ops.push_back(&op);
    }
    choose();
    insertWaits();
  }

  int64_t numWaits = 0, numElsewhere = 0, numStreams = 0;

private:
  /// Each op in turn goes where it can begin first. Another stream than that of what it needs last must save more than the wait costs.
  void choose() {
    SmallVector<double> ends(streams, 0), finish;
    for (auto [i, op] : llvm::enumerate(ops)) {
      int64_t best = 0, near = before[i].empty() ? 0 : streamOfOp[before[i].back()];
      auto startOn = [&](int64_t stream) {
        double start = ends[stream];
        for (int64_t needed : before[i])
          start = std::max(start, finish[needed] + (streamOfOp[needed] == stream ? 0 : kWaitNs));
        return start;
      };
      if (isCollective(op)) {
        best = streams - 1;
      } else if (!isa<RegionCallOpInterface>(op)) {
        best = near;
        for (int64_t stream = 0; stream < streams; ++stream)
          if (startOn(stream) < startOn(best))
            best = stream;
      }
      finish.push_back(startOn(best) + estimate(op));
      ends[best] = finish.back();
      streamOfOp.push_back(best);
    }
  }

  void insertWaits() {
    // For each stream, and for each op when it has run, the last op of every stream that is known to have run.
    SmallVector<SmallVector<int64_t>> known(streams, SmallVector<int64_t>(streams, -1)), after;
    SmallVector<SmallVector<int64_t>> waits(ops.size());
    for (size_t i = 0; i < ops.size(); ++i) {
      int64_t stream = streamOfOp[i];
      SmallVector<int64_t> &mine = known[stream];
      SmallVector<int64_t> needed(streams, -1);
      for (int64_t op : before[i])
        if (op > mine[streamOfOp[op]])
          needed[streamOfOp[op]] = std::max(needed[streamOfOp[op]], op);
      for (int64_t op : needed) {
        bool implied = op < 0 || llvm::any_of(needed, [&](int64_t other) { return other >= 0 && other != op && after[other][streamOfOp[op]] >= op; });
        if (!implied)
          waits[i].push_back(op);
      }
      for (int64_t op : waits[i])
        for (int64_t other = 0; other < streams; ++other)
          mine[other] = std::max(mine[other], after[op][other]);
      mine[stream] = i;
      after.push_back(mine);
    }
    write(waits);
  }

  /// An event is free again when the last wait for it is enqueued.
  void write(ArrayRef<SmallVector<int64_t>> waits) {
    if (ops.empty())
      return;
    Builder builder(ops.front()->getContext());
    SmallVector<int64_t> lastWait(ops.size(), -1), event(ops.size(), -1);
    for (auto [i, needed] : llvm::enumerate(waits))
      for (int64_t op : needed)
        lastWait[op] = i;
    std::set<int64_t> free, used(streamOfOp.begin(), streamOfOp.end());
    int64_t events = 0;
    for (auto [i, op] : llvm::enumerate(ops)) {
      if (streamOfOp[i])
        op->setAttr(kStream, builder.getI64IntegerAttr(streamOfOp[i]));
      if (!waits[i].empty())
        op->setAttr(kWait, builder.getDenseI64ArrayAttr(llvm::map_to_vector(waits[i], [&](int64_t needed) { return event[needed]; })));
      for (int64_t needed : waits[i])
        if (lastWait[needed] == static_cast<int64_t>(i))
          free.insert(event[needed]);
      if (lastWait[i] >= 0) {
        event[i] = free.empty() ? events++ : *free.begin();
        free.erase(event[i]);
        op->setAttr(kRecord, builder.getI64IntegerAttr(event[i]));
      }
      numWaits += waits[i].size();
      numElsewhere += streamOfOp[i] != 0;
    }
    numStreams += used.size();
  }

  int64_t streams;
  SmallVector<Operation *> ops;
  SmallVector<SmallVector<int64_t>> before; // for each op those that it depends on, in order
  SmallVector<int64_t> streamOfOp;
};

struct AssignStreams : mlir::raf::impl::AssignStreamsPassBase<AssignStreams> {
  using AssignStreamsPassBase::AssignStreamsPassBase;

  void runOnOperation() override {
    func::FuncOp step = getStepFunction(getOperation());
    if (!step)
      return;
    if (streams < 1 || streams > kMostStreams) {
      getOperation()->emitError() << "raf-assign-streams: streams must be between 1 and " << kMostStreams << ", got " << streams.getValue();
      return signalPassFailure();
    }
    if (!getOperation()->hasAttr("raf.memory")) {
      step.emitOpError() << "must have a memory plan: run raf-plan-memory before raf-assign-streams";
      return signalPassFailure();
    }
    Assignment assignment(step, streams);
    numWaits += assignment.numWaits;
    numElsewhere += assignment.numElsewhere;
    numStreams += assignment.numStreams;
  }
};

} // namespace
