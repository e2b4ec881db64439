// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/memory/Step.h"
#include "passes/streams/Accesses.h"
#include "passes/streams/Passes.h"

#include "dialects/raf/Dialect.h"
#include "dialects/raf/interfaces/Interfaces.h"

#include <map>

namespace mlir::raf {
#define GEN_PASS_DEF_CHECKSTREAMSPASS
#include "passes/streams/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {

/// For each stream the number of its ops, from the first on, that have run.
using Clock = SmallVector<int64_t>;

struct CheckStreams : mlir::raf::impl::CheckStreamsPassBase<CheckStreams> {
  using CheckStreamsPassBase::CheckStreamsPassBase;

  void runOnOperation() override {
    func::FuncOp step = getStepFunction(getOperation());
    bool good = true;
    for (func::FuncOp func : getHostFunctions(getOperation()))
      for (Operation &op : func.getBody().front())
        good &= checkAttributes(&op, func == step);
    if (!good || (step && failed(check(step))))
      signalPassFailure();
  }

  static bool checkAttributes(Operation *op, bool inStep) {
    auto fail = [&]() { return op->emitOpError(); };
    for (StringRef name : {kStream, kRecord, kWait}) {
      Attribute value = op->getAttr(name);
      if (!value)
        continue;
      if (!inStep)
        return fail() << "is in a region and must not have " << name << ": regions run on the stream of the op that calls them", false;
      if (!Accesses::isWork(op))
        return fail() << "is not work for a device and must not have " << name, false;
      if (name == kWait ? !isa<DenseI64ArrayAttr>(value) : !isa<IntegerAttr>(value))
        return fail() << "must have " << (name == kWait ? "an array of i64" : "an integer") << " as " << name << ", got " << value, false;
    }
    int64_t stream = streamOf(op);
    if (stream < 0 || stream >= kMostStreams)
      return fail() << "must have a stream between 0 and " << kMostStreams - 1 << ", got " << stream, false;
    if (stream && isa<RegionCallOpInterface>(op))
      return fail() << "calls regions and must be on stream 0, got stream " << stream, false;
    if (auto record = op->getAttrOfType<IntegerAttr>(kRecord); record && record.getInt() < 0)
      return fail() << "records event " << record.getInt() << "; events have numbers from 0 on", false;
    return true;
  }

  struct Seen {
    Operation *op = nullptr;
    int64_t number = 0; // counted on its stream, from 1 on; 0: none
  };

  /// Of some bytes, for each stream the last op that writes them and the last that reads them. Ops of a stream run in order: who comes after the last comes after all.
  struct Stretch {
    int64_t end;
    SmallVector<Seen, 2> writers, readers;
  };
  using Stretches = std::map<int64_t, Stretch>; // by their begin, without overlaps

  // The stretches of the bytes from `begin` to `end`, which they cover exactly.
  static auto stretchesOf(Stretches &all, int64_t begin, int64_t end, int64_t streams) {
    cutAt(all, begin);
    cutAt(all, end);
    // What nobody has touched.
    for (int64_t at = begin; at < end;) {
      auto next = all.lower_bound(at);
      if (next == all.end() || next->first > at)
        next = all.emplace(at, Stretch{next == all.end() ? end : std::min(end, next->first), SmallVector<Seen, 2>(streams), SmallVector<Seen, 2>(streams)}).first;
      at = next->second.end;
    }
    return llvm::make_range(all.lower_bound(begin), all.lower_bound(end));
  }

  LogicalResult check(func::FuncOp step) {
    int64_t streams = 1;
    for (Operation &op : step.getBody().front())
      streams = std::max(streams, streamOf(&op) + 1);
    SmallVector<Clock> clocks(streams, Clock(streams, 0));
    DenseMap<int64_t, Clock> events;
    DenseMap<const void *, Stretches> seen;
    Accesses accesses;
    Operation *collective = nullptr;
    bool good = true;
    for (Operation &op : step.getBody().front()) {
      if (!Accesses::isWork(&op))
        continue;
      int64_t stream = streamOf(&op);
      if (isCollective(&op)) {
        if (collective && streamOf(collective) != stream)
          return op.emitOpError() << "is on stream " << stream << ", another collective on stream " << streamOf(collective) << "; collectives must be enqueued in one order";
        collective = &op;
      }
      Clock &clock = clocks[stream];
      if (auto wait = op.getAttrOfType<DenseI64ArrayAttr>(kWait))
        for (int64_t event : wait.asArrayRef()) {
          auto recorded = events.find(event);
          if (recorded == events.end())
            return op.emitOpError() << "waits for event " << event << ", which no op before it records";
          for (auto [mine, theirs] : llvm::zip(clock, recorded->second))
            mine = std::max(mine, theirs);
        }
      SmallVector<ByteAccess> touched = accesses.of(&op);
      // On one stream nothing can be out of order.
      if (streams > 1)
        good &= succeeded(checkOrder(&op, stream, clock, touched, seen));
      int64_t number = ++clock[stream];
      for (const ByteAccess &access : touched)
        if (streams > 1 && access.begin < access.end)
          for (auto &[begin, stretch] : stretchesOf(seen[access.owner], access.begin, access.end, streams)) {
            if (access.reads)
              stretch.readers[stream] = {&op, number};
            if (access.writes)
              stretch.writers[stream] = {&op, number};
          }
      if (auto record = op.getAttrOfType<IntegerAttr>(kRecord))
        events[record.getInt()] = clock;
    }
    return success(good);
  }

  LogicalResult checkOrder(Operation *op, int64_t stream, const Clock &clock, ArrayRef<ByteAccess> touched, DenseMap<const void *, Stretches> &seen) {
    for (const ByteAccess &access : touched) {
      if (access.begin >= access.end)
        continue;
      int64_t streams = clock.size();
      auto stretches = stretchesOf(seen[access.owner], access.begin, access.end, streams);
      for (auto it = stretches.begin(); it != stretches.end(); ++it)
        for (bool writes : {true, false})
          for (int64_t other = 0; other < streams && (writes || access.writes); ++other) {
            auto lastOf = [&](const Stretch &stretch) { return (writes ? stretch.writers : stretch.readers)[other]; };
            Seen last = lastOf(it->second);
            if (other == stream || last.number == 0)
              continue;
            ++numPairs;
            if (last.number <= clock[other])
              continue;
            int64_t end = it->second.end;
            for (auto next = std::next(it); next != stretches.end() && next->first == end && lastOf(next->second).op == last.op; ++next)
              end = next->second.end;
            InFlightDiagnostic diagnostic = op->emitOpError();
            diagnostic << "on stream " << stream << (access.writes ? " writes" : " reads") << " bytes that an op on stream " << other << (writes ? " writes" : " reads")
                       << ", and no event orders the two: bytes " << it->first << " to " << end - 1 << " of ";
            describe(diagnostic, access);
            diagnostic.attachNote(last.op->getLoc()) << "it must wait for an event that is recorded after this op";
            return diagnostic;
          }
    }
    return success();
  }

  static void describe(InFlightDiagnostic &diagnostic, const ByteAccess &access) {
    Value root = access.value;
    while (Operation *view = root.getDefiningOp())
      if (view->getNumOperands())
        root = view->getOperand(0);
      else
        break;
    auto argument = dyn_cast<BlockArgument>(root);
    if (!argument) {
      diagnostic << "a constant";
      return;
    }
    auto func = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    if (func.getArgAttr(argument.getArgNumber(), "raf.arena"))
      diagnostic << "the arena";
    else if (auto name = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(), "raf.name"))
      diagnostic << "the argument '" << name.getValue() << "'";
    else
      diagnostic << "argument " << argument.getArgNumber();
  }
};

} // namespace
