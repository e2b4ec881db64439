// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/memory/StepLine.h"
#include "passes/remat/Passes.h"
#include "passes/remat/Search.h"
#include "passes/remat/Times.h"
#include "passes/remat/TrimLaunches.h"

#include "dialects/raf/Ops.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::raf {
#define GEN_PASS_DEF_REMATERIALIZEPASS
#include "passes/remat/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

/// What a process holds besides: Python, libraries, code. A step that is small beside it has little to save.
static constexpr int64_t kProcessBytes = 64 << 20;

/// An op that writes nothing but buffers of its own may run again.
static bool mayRunAgain(const LineOp &entry, Operation *op) {
  if (!isa<DestinationStyleOpInterface>(op) || entry.makes.empty())
    return false;
  return llvm::none_of(entry.makes, [](const MadeValue &made) { return made.escapes || made.bytes == 0; });
}

/// What the step holds whatever runs when: arguments, results that overwrite none of them, and constants.
static int64_t getFixedBytes(ArrayRef<func::FuncOp> functions) {
  int64_t bytes = 0;
  func::FuncOp step = functions.back();
  for (Type type : step.getArgumentTypes())
    bytes += getBytes(cast<ShapedType>(type));
  for (auto [index, type] : llvm::enumerate(step.getResultTypes()))
    if (getAliasedArgument(step, index) < 0)
      bytes += getBytes(cast<ShapedType>(type));
  for (func::FuncOp func : functions) {
    llvm::SmallDenseSet<Attribute> seen;
    for (auto constant : func.getBody().front().getOps<ConstantOp>())
      if (seen.insert(constant.getValue()).second)
        bytes += getBytes(cast<ShapedType>(constant.getType()));
  }
  return bytes;
}

static std::string describeBytes(int64_t bytes) { return llvm::formatv("{0} bytes ({1:f1} MiB)", bytes, double(bytes) / (1 << 20)).str(); }

namespace {

/// Writes a solution into the function.
class Writer {
public:
  Writer(func::FuncOp func, const StepLine &step) : func(func), step(step), builder(func.getBody().front().getTerminator()) {}

  void write(const Solution &solution) {
    DenseMap<int64_t, Value> values; // of the solution
    SmallVector<Operation *> order;
    llvm::SmallPtrSet<Operation *, 32> kept;
    for (const Run &run : solution.runs) {
      const LineOp &entry = step.line.ops[run.op];
      Operation *original = step.ops[run.op], *op = original;
      if (run.firstValue != entry.firstValue)
        op = cloneOf(original);
      else
        kept.insert(op);
      // Bound once all runs are there: until then a clone names the operands of its original.
      for (OpOperand &operand : op->getOpOperands())
        if (auto known = step.valueOf.find(skipReshapes(operand.get())); known != step.valueOf.end())
          pending.emplace_back(&operand, run.reads[llvm::find(entry.reads, known->second) - entry.reads.begin()]);
      for (auto [k, result] : llvm::enumerate(op->getResults()))
        values[run.firstValue + k] = result;
      order.push_back(op);
    }
    for (auto [operand, value] : pending)
      rebind(*operand, values.lookup(value));
    llvm::SmallPtrSet<Operation *, 32> dead;
    for (Operation *op : step.ops)
      if (!kept.contains(op))
        dead.insert(op);
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(func.getBody().front())))
      if (dead.contains(&op) || (isa<tensor::EmptyOp, ReshapeOp>(op) && op.use_empty()))
        op.erase();
    applyOrder(func, order);
  }

private:
  Operation *cloneOf(Operation *original) {
    Operation *clone = builder.clone(*original);
    for (OpOperand &operand : clone->getOpOperands())
      if (auto empty = operand.get().getDefiningOp<tensor::EmptyOp>())
        operand.set(builder.clone(*empty)->getResult(0));
    return clone;
  }

  void rebind(OpOperand &operand, Value value) {
    if (skipReshapes(operand.get()) == value)
      return;
    Type type = operand.get().getType();
    operand.set(value.getType() == type ? value : ReshapeOp::create(builder, operand.getOwner()->getLoc(), type, value).getResult());
  }

  func::FuncOp func;
  const StepLine &step;
  OpBuilder builder;
  SmallVector<std::pair<OpOperand *, int64_t>> pending;
};

/// The most bytes that are alive at once in the line as it is written.
int64_t getWrittenPeak(const Line &line) {
  SmallVector<Lifetime> buffers = getBuffers(line, runOnce(line), llvm::to_vector(llvm::seq<unsigned>(0, line.ops.size())), line.values);
  return *llvm::max_element(getProfile(buffers, line.ops.size()));
}

struct Rematerialize : mlir::raf::impl::RematerializePassBase<Rematerialize> {
  using RematerializePassBase::RematerializePassBase;

  void runOnOperation() override {
    Machine machine{double(launchNs), double(flopsPerNs), double(bytesPerNs)};
    if (budget < 0 || !machine.isValid() || slack < 0 || slack > 100 || (slack > 0 && budget > 0)) {
      getOperation().emitError() << "raf-rematerialize: expected a budget of bytes, or a slack of 0 to 100 percent, a launch-ns of at least 0 and speeds of at least 1; got budget=" << int64_t(budget)
                                 << " slack=" << int64_t(slack) << " launch-ns=" << int64_t(launchNs) << " flops-per-ns=" << int64_t(flopsPerNs) << " bytes-per-ns=" << int64_t(bytesPerNs);
      return signalPassFailure();
    }
    SmallVector<func::FuncOp> functions = getHostFunctions(getOperation());
    if ((budget == 0 && slack == 0) || functions.empty())
      return;
    SymbolTable symbols(getOperation());
    Workspaces workspaces;
    for (func::FuncOp func : functions) {
      if (failed(checkTypes(func)))
        return signalPassFailure();
      if (func == functions.back())
        trimLaunches(func, symbols);
      StepLine step = makeLine(func, workspaces);
      if (func != functions.back()) {
        SmallVector<Lifetime> buffers = getBuffers(step.line, runOnce(step.line), llvm::to_vector(llvm::seq<unsigned>(0, step.ops.size())), step.line.values);
        workspaces[func.getSymNameAttr()] = pack(buffers);
      } else if (failed(rematerialize(func, step, getFixedBytes(functions), symbols, machine))) {
        return signalPassFailure();
      }
    }
  }

  LogicalResult rematerialize(func::FuncOp func, StepLine &step, int64_t fixed, SymbolTable &symbols, const Machine &machine) {
    SmallVector<Rerun> reruns;
    for (auto [entry, op] : llvm::zip(step.line.ops, step.ops)) {
      if (auto launch = dyn_cast<LaunchOp>(op))
        for (auto [k, made] : llvm::enumerate(entry.makes))
          made.optional = canTrim(launch, symbols.lookup<func::FuncOp>(launch.getCallee()), k);
      reruns.push_back({op->hasTrait<OpTrait::IsTerminator>() ? 0 : getTime(op, symbols, machine), mayRunAgain(entry, op), getTimesOfResults(op, symbols, machine)});
    }
    std::vector<Solution> solutions;
    std::optional<Solution> chosen;
    if (budget > 0) {
      solutions = findSolutions(step.line, reruns, budget - fixed);
      int64_t least = 0;
      chosen = choose(step.line, solutions, budget - fixed, &least);
      if (!chosen) {
        emitError(func.getLoc()) << "a memory budget of " << describeBytes(budget) << " cannot be met: the least in which this step can run is " << describeBytes(fixed + least) << ", of which "
                                 << describeBytes(fixed) << " are its arguments, results and constants. Give a budget of at least " << fixed + least << ", or a smaller batch";
        return failure();
      }
    } else {
      solutions = findCheapSolutions(step.line, reruns, slack / 100.0, fixed + kProcessBytes);
      chosen = chooseWorthwhile(step.line, solutions, fixed + kProcessBytes);
    }
    int64_t added = int64_t(chosen->runs.size()) - int64_t(step.ops.size());
    const Solution &first = solutions.front();
    // The line in another order may need less and cost nothing.
    bool moved = llvm::any_of(llvm::enumerate(chosen->runs), [](auto run) { return run.value().op != int64_t(run.index()); });
    if (moved || added > 0 || chosen->cost != first.cost) {
      int64_t written = getWrittenPeak(step.line);
      Writer(func, step).write(*chosen);
      trimLaunches(func, symbols);
      std::string what = added > 0 ? std::to_string(added) + " runs were added" : "ops were put into another order";
      remark::passed(func.getLoc(), remark::RemarkOpts::name("raf-rematerialize").category("memory"))
          << remark::reason("{0}: {1} bytes are alive at once instead of {2}, for {3} ns more of {4}", what, chosen->peak, written, int64_t(chosen->cost - first.cost), int64_t(first.cost));
    }
    OpBuilder builder(func.getContext());
    NamedAttrList attributes;
    if (budget > 0)
      attributes.set("budget", builder.getI64IntegerAttr(budget));
    attributes.set("recomputed", builder.getI64IntegerAttr(added));
    attributes.set("step_ns", builder.getI64IntegerAttr(int64_t(first.cost)));
    attributes.set("recompute_ns", builder.getI64IntegerAttr(int64_t(chosen->cost - first.cost)));
    getOperation()->setAttr("raf.rematerialization", attributes.getDictionary(func.getContext()));
    numRecomputed = added;
    peakBytes = fixed + chosen->peak;
    return success();
  }
};

} // namespace
