// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cublas/Ops.h"
#include "dialects/cudnn/Ops.h"
#include "dialects/dnnl/Ops.h"
#include "dialects/raf/Folding.h"
#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "passes/codegen-cpu/Blocks.h"
#include "passes/dispatch/Implementation.h"
#include "passes/dispatch/Passes.h"
#include "passes/dispatch/Question.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>

namespace mlir::raf {
#define GEN_PASS_DEF_DISPATCHPASS
#include "passes/dispatch/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

static constexpr StringLiteral kAttribute = "raf.dispatch";
static constexpr StringLiteral kCodegen = "codegen";
static constexpr StringLiteral kDefaultLibrary = "dnnl";

namespace {

// Which ops a rewrite has erased, so that the walk skips them.
struct Erased : RewriterBase::Listener {
  void notifyOperationErased(Operation *op) override { ops.insert(op); }
  // A new op may lie where an erased one lay.
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override { ops.erase(op); }
  DenseSet<Operation *> ops;
};

// The choices for one op in order.
struct Choice {
  StringRef library;
  bool forced;
  bool named; // by the user, not just listed
};

struct Dispatch : mlir::raf::impl::DispatchPassBase<Dispatch> {
  using DispatchPassBase::DispatchPassBase;

  LogicalResult initialize(MLIRContext *) override {
    table.clear();
    times.clear();
    appendDnnl(table);
    CudaSettings settings{tf32, libraryRelu, leastProduct, chip};
    appendCublas(table, settings);
    appendCudnn(table, settings);
    llvm::stable_sort(table, [](const Implementation &a, const Implementation &b) { return a.preference > b.preference; });
    known.clear();
    known.insert(kCodegen);
    for (const Implementation &entry : table)
      known.insert(entry.library);
    return success();
  }

  void runOnOperation() override {
    for (auto *option : {&libraries, &prefer, &forbid, &force})
      for (const std::string &name : *option)
        if (!known.contains(name)) {
          emitError(getOperation().getLoc()) << "raf-dispatch: unknown library '" << name << "'; known: " << knownNames();
          return signalPassFailure();
        }

    SmallVector<Operation *> roots;
    WalkResult walk = getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (failed(verifyAttribute(op)))
        return WalkResult::interrupt();
      // The bodies of kernels have been given to code generation.
      if (op->hasAttr("raf.kernel") || isa<KernelOp>(op))
        return WalkResult::skip();
      auto isOf = [&](const Implementation &entry) { return entry.op == op->getName().getStringRef(); };
      if (llvm::any_of(table, isOf) && (only.empty() || llvm::is_contained(only, op->getName().getStringRef())))
        roots.push_back(op);
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();

    Erased erased;
    IRRewriter rewriter(&getContext(), &erased);
    nameRelus(rewriter);
    if (questions)
      return writeQuestions(roots);
    if (!measurements.empty() && failed(lookUp(roots)))
      return signalPassFailure();
    bool failedAny = false;
    for (Operation *root : roots)
      if (!erased.ops.contains(root) && failed(dispatch(root, rewriter)))
        failedAny = true;
    if (failedAny)
      return signalPassFailure();
    // What views and biases have replaced: transposes, broadcasts and constants.
    for (Region &region : getOperation()->getRegions())
      (void)runRegionDCE(rewriter, region);
  }

private:
  std::string knownNames() {
    SmallVector<StringRef> names(known.keys());
    llvm::sort(names);
    return llvm::join(names, ", ");
  }

  // Whether a program of this target may use it.
  bool isListed(StringRef name) { return name == kCodegen || (libraries.empty() ? name == kDefaultLibrary : llvm::is_contained(libraries, name)); }

  // An attribute may name what is not listed, but nothing of the other kind of device.
  bool isOfTarget(StringRef name) {
    bool gpu = llvm::any_of(libraries, isOfGpu);
    return name == kCodegen || isOfGpu(name) == gpu;
  }
  static bool isOfGpu(StringRef name) { return name != kDefaultLibrary && name != kCodegen; }

  LogicalResult verifyAttribute(Operation *op) {
    Attribute attribute = op->getDiscardableAttr(kAttribute);
    if (!attribute)
      return success();
    auto list = dyn_cast<ArrayAttr>(attribute);
    if (!list || !llvm::all_of(list, [](Attribute name) { return isa<StringAttr>(name); }))
      return op->emitOpError() << kAttribute << " must be an array of library names, got " << attribute;
    for (auto name : list.getAsRange<StringAttr>())
      if (!known.contains(name.getValue()))
        return op->emitOpError() << kAttribute << " names an unknown library '" << name.getValue() << "'; known: " << knownNames();
      else if (!isOfTarget(name.getValue()))
        return op->emitOpError() << kAttribute << " names '" << name.getValue() << "', which is no library of this target";
    return success();
  }

  // Libraries know max(x, 0) as relu. Earlier the two differ: in their gradients at 0.
  void nameRelus(IRRewriter &rewriter) {
    SmallVector<MaximumOp> maxima;
    getOperation()->walk([&](MaximumOp op) { maxima.push_back(op); });
    for (MaximumOp op : maxima)
      for (auto [x, zero] : {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())})
        if (isZero(zero)) {
          rewriter.setInsertionPoint(op);
          rewriter.replaceOpWithNewOp<ReluOp>(op, op.getType(), x);
          break;
        }
  }

  static bool isZero(Value value) {
    while (auto broadcast = value.getDefiningOp<BroadcastOp>())
      value = broadcast.getX();
    return isSplatConstant(value, 0.0);
  }

  // Whether measuring may decide: a user who says what to take has decided already, and where the library takes an op with its gradients, one of them says little.
  bool isOpen(Operation *op) {
    for (Operation *scope = op; scope; scope = scope->getParentOp())
      if (scope->hasAttr(kAttribute))
        return false;
    return prefer.empty() && force.empty() && candidatesFor(op).size() > 1 && llvm::any_of(table, [&](const Implementation &entry) {
      return entry.op == op->getName().getStringRef() && entry.standsAlone;
    });
  }

  // What may be measured: the choices, and generated code of products in other blocks than it would take by itself.
  SmallVector<std::string> candidatesFor(Operation *op) {
    SmallVector<std::string> candidates;
    for (const Choice &choice : choicesFor(op))
      candidates.push_back(choice.library.str());
    if (llvm::is_contained(candidates, kCodegen) && hasBlocks(op))
      for (StringRef variant : kBlockVariants)
        candidates.push_back(blocksCandidate(variant));
    return candidates;
  }

  static bool hasBlocks(Operation *op) { return isa<MatmulOp, ConvOp, ConvInputGradOp, ConvWeightGradOp>(op); }

  // The module becomes its questions, each once.
  void writeQuestions(ArrayRef<Operation *> roots) {
    OpBuilder builder(&getContext());
    llvm::MapVector<StringRef, ModuleOp> distinct;
    for (Operation *root : roots) {
      if (!isOpen(root))
        continue;
      ModuleOp question = makeQuestion(root);
      SmallVector<std::string> candidates = candidatesFor(root);
      question->setAttr("raf.candidates", builder.getStrArrayAttr(SmallVector<StringRef>(candidates.begin(), candidates.end())));
      if (!distinct.insert({*question.getSymName(), question}).second)
        question.erase();
    }
    Block *body = getOperation().getBody();
    body->getOperations().clear();
    for (auto &[key, question] : distinct)
      body->push_back(question);
  }

  // Before anything is rewritten, so that ops are asked about as `writeQuestions` saw them.
  LogicalResult lookUp(ArrayRef<Operation *> roots) {
    llvm::Expected<Measurements> read = readMeasurements(measurements);
    if (!read) {
      emitError(getOperation().getLoc()) << "raf-dispatch: measurements: " << llvm::toString(read.takeError());
      return failure();
    }
    for (Operation *root : roots) {
      if (!isOpen(root))
        continue;
      ModuleOp question = makeQuestion(root);
      if (auto found = read->find(*question.getSymName()); found != read->end())
        times[root] = found->second;
      question.erase();
    }
    return success();
  }

  // The blocks of generated code that were measured to be faster than its own; empty if there are none.
  static StringRef fastestBlocks(Operation *root, function_ref<double(StringRef)> timeOf) {
    StringRef fastest;
    double best = timeOf(kCodegen);
    if (hasBlocks(root))
      for (StringRef variant : kBlockVariants)
        if (double time = timeOf(blocksCandidate(variant)); time < best) {
          best = time;
          fastest = variant;
        }
    return fastest;
  }

  // Fastest first; what was not measured, or cannot be computed so, keeps its place behind.
  void sortByTime(Operation *root, SmallVectorImpl<Choice> &choices) {
    auto found = times.find(root);
    if (found == times.end() || found->second.empty())
      return;
    auto timeOf = [&](StringRef candidate) {
      auto time = found->second.find(candidate);
      return time == found->second.end() ? std::numeric_limits<double>::infinity() : time->second;
    };
    StringRef blocks = fastestBlocks(root, timeOf);
    auto candidate = [&](const Choice &choice) { return choice.library == kCodegen && !blocks.empty() ? blocksCandidate(blocks) : choice.library.str(); };
    std::string list;
    llvm::raw_string_ostream stream(list);
    llvm::stable_sort(choices, [&](const Choice &a, const Choice &b) { return timeOf(candidate(a)) < timeOf(candidate(b)); });
    for (const Choice &choice : choices)
      if (std::isfinite(timeOf(candidate(choice))))
        stream << (list.empty() ? "" : ", ") << candidate(choice) << ' ' << llvm::formatv("{0:F1}", timeOf(candidate(choice)) * 1e6) << " us";
    // Generated code takes them wherever it comes to that.
    if (!blocks.empty())
      root->setDiscardableAttr(kBlocksAttr, StringAttr::get(&getContext(), blocks));
    remark::passed(root->getLoc(), remark::RemarkOpts::name(root->getName().getStringRef()).category("raf-dispatch").function(choices.front().library))
        << "measured: " << list;
  }

  // The attribute of the closest scope decides; without one, the options do.
  SmallVector<Choice> choicesFor(Operation *op) {
    SmallVector<Choice> choices;
    for (Operation *scope = op; scope; scope = scope->getParentOp())
      if (auto list = dyn_cast_or_null<ArrayAttr>(scope->getDiscardableAttr(kAttribute))) {
        bool codegenAllowed = llvm::any_of(list.getAsRange<StringAttr>(), [](StringAttr name) { return name.getValue() == kCodegen; });
        for (auto name : list.getAsRange<StringAttr>())
          choices.push_back({name.getValue(), !codegenAllowed, /*named=*/true});
        return choices;
      }
    auto contains = [](auto &option, StringRef name) { return llvm::is_contained(option, name); };
    auto add = [&](StringRef name) {
      if (isListed(name) && !contains(forbid, name) && llvm::none_of(choices, [&](const Choice &choice) { return choice.library == name; }))
        choices.push_back({name, contains(force, name), contains(force, name) || contains(prefer, name)});
    };
    for (const std::string &name : force)
      add(name);
    for (const std::string &name : prefer)
      add(name);
    for (const Implementation &entry : table)
      add(entry.library);
    add(kCodegen);
    return choices;
  }

  LogicalResult dispatch(Operation *root, IRRewriter &rewriter) {
    std::string name = root->getName().getStringRef().str();
    Location loc = root->getLoc();
    std::string forcedReason;
    SmallVector<Choice> choices = choicesFor(root);
    sortByTime(root, choices);
    bool generates = llvm::any_of(choices, [](const Choice &choice) { return choice.library == kCodegen; });
    for (const Choice &choice : choices) {
      if (choice.library == kCodegen)
        break;
      for (const Implementation &entry : table) {
        if (entry.library != choice.library || entry.op != name || !(entry.byDefault || choice.named))
          continue;
        std::string reason;
        bool open = !choice.named && !times.contains(root) && generates;
        std::optional<std::string> slower = open && entry.isSlower ? entry.isSlower(root) : std::nullopt;
        FailureOr<unsigned> covered = slower ? FailureOr<unsigned>(failure()) : entry.apply(root, rewriter, reason);
        if (slower)
          reason = std::move(*slower);
        if (succeeded(covered)) {
          ++dispatched;
          fused += *covered;
          return success();
        }
        ++declined;
        remark::missed(loc, remark::RemarkOpts::name(name).category("raf-dispatch").function(entry.library)) << remark::reason("{0}", reason);
        if (choice.forced)
          forcedReason = (entry.library + ": " + reason).str();
      }
    }
    if (!forcedReason.empty())
      return root->emitOpError() << "cannot be executed by the library that is forced for it; " << forcedReason;
    return success();
  }

  SmallVector<Implementation> table;
  llvm::StringSet<> known;
  DenseMap<Operation *, llvm::StringMap<double>> times;
};
} // namespace
