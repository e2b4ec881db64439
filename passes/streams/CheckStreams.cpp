// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/memory/Step.h"
#include "passes/streams/Accesses.h"
#include "passes/streams/Passes.h"

#include "dialects/raf/Dialect.h"
#include "dialects/raf/interfaces/Interfaces.h"

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
    Access access;
    Operation *op;
    int64_t stream, number; // counted on its stream, from 1 on
  };

  LogicalResult check(func::FuncOp step) {
    int64_t streams = 1;
    for (Operation &op : step.getBody().front())
      streams = std::max(streams, streamOf(&op) + 1);
    if (streams == 1)
      return success();
    SmallVector<Clock> clocks(streams, Clock(streams, 0));
    DenseMap<int64_t, Clock> events;
    DenseMap<const void *, SmallVector<Seen>> seen;
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
      SmallVector<Access> touched = accesses.of(&op);
      good &= succeeded(checkOrder(&op, stream, clock, touched, seen));
      int64_t number = ++clock[stream];
      for (const Access &access : touched)
        seen[access.owner].push_back({access, &op, stream, number});
      if (auto record = op.getAttrOfType<IntegerAttr>(kRecord))
        events[record.getInt()] = clock;
    }
    return success(good);
  }

  LogicalResult checkOrder(Operation *op, int64_t stream, const Clock &clock, ArrayRef<Access> touched, DenseMap<const void *, SmallVector<Seen>> &seen) {
    for (const Access &access : touched)
      for (const Seen &other : seen[access.owner]) {
        if (other.stream == stream || (!access.writes && !other.access.writes) || other.access.end <= access.begin || access.end <= other.access.begin)
          continue;
        ++numPairs;
        if (other.number <= clock[other.stream])
          continue;
        InFlightDiagnostic diagnostic = op->emitOpError();
        diagnostic << "on stream " << stream << (access.writes ? " writes" : " reads") << " bytes that an op on stream " << other.stream << (other.access.writes ? " writes" : " reads")
                   << ", and no event orders the two: bytes " << std::max(access.begin, other.access.begin) << " to " << std::min(access.end, other.access.end) - 1 << " of ";
        describe(diagnostic, access);
        diagnostic.attachNote(other.op->getLoc()) << "it must wait for an event that is recorded after this op";
        return diagnostic;
      }
    return success();
  }

  static void describe(InFlightDiagnostic &diagnostic, const Access &access) {
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
