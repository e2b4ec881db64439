// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OperationSupport.h"
#include "passes/fusion/Copies.h"
#include "passes/fusion/Passes.h"
#include "passes/fusion/TileSpace.h"

namespace mlir::raf {
#define GEN_PASS_DEF_OUTLINEKERNELSPASS
#include "passes/fusion/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;
using linalg::LinalgOp;

// Whether writing destination `init` can overwrite input `input`: the types are equal, each tile of the stage that writes reads just the part of the input that it writes, no op reads the input
// after the op that writes the destination, and that op reads each element where it writes it.
static bool mayAlias(KernelOp kernel, ArrayRef<TileSpace> spaces, unsigned input, unsigned init) {
  auto stageOf = [&](LinalgOp op) {
    for (auto [stage, space] : llvm::enumerate(spaces))
      if (space.loops.contains(op))
        return static_cast<int64_t>(stage);
    return int64_t(-1);
  };
  Block &block = kernel.getBody().front();
  BlockArgument argument = block.getArgument(input);
  Value written = cast<YieldOp>(block.getTerminator()).getValues()[init];
  auto writer = written.getDefiningOp<LinalgOp>();
  if (!writer || argument.getType() != written.getType())
    return false;
  // The buffer is written from the first op of the chain of destinations on (a fill, say).
  Operation *first = writer;
  Value next = writer.getDpsInits()[cast<OpResult>(written).getResultNumber()];
  while (auto filler = next.getDefiningOp<LinalgOp>()) {
    first = filler;
    next = filler.getDpsInits()[cast<OpResult>(next).getResultNumber()];
  }
  int64_t stage = stageOf(writer);
  if (stage < 0 || stageOf(cast<LinalgOp>(first)) != stage)
    return false;
  const TileSpace &space = spaces[stage];
  // Dimension of the value that each tile dimension cuts.
  auto cuts = [&](LinalgOp op, AffineMap map) {
    SmallVector<int64_t> dims;
    for (int64_t loop : space.loops.find(op)->second) {
      int64_t found = -1;
      for (auto [dim, expr] : llvm::enumerate(map.getResults()))
        if (auto dimExpr = dyn_cast<AffineDimExpr>(expr); dimExpr && static_cast<int64_t>(dimExpr.getPosition()) == loop)
          found = dim;
      dims.push_back(found);
    }
    return dims;
  };
  AffineMap writerMap = writer.getIndexingMapMatchingResult(cast<OpResult>(written));
  SmallVector<int64_t> writeCuts = cuts(writer, writerMap);
  for (OpOperand &use : argument.getUses()) {
    auto reader = dyn_cast<LinalgOp>(use.getOwner());
    if (!reader || reader->getBlock() != &block)
      return false; // read at computed positions, or passed on
    if (stageOf(reader) < stage)
      continue; // over before the first write
    if (stageOf(reader) > stage)
      return false;
    AffineMap map = reader.getMatchingIndexingMap(&use);
    if (reader.getOperation() == writer.getOperation() && first == writer.getOperation()) {
      if (map != writerMap || writer.getNumReductionLoops() != 0)
        return false;
      continue;
    }
    if (!reader->isBeforeInBlock(first))
      return false;
    if (cuts(reader, map) != writeCuts || !map.isProjectedPermutation())
      return false;
  }
  return true;
}

namespace {
struct OutlineKernelsPass : raf::impl::OutlineKernelsPassBase<OutlineKernelsPass> {
  using OutlineKernelsPassBase::OutlineKernelsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    llvm::DenseMap<llvm::hash_code, SmallVector<func::FuncOp>> known;
    SmallVector<KernelOp> kernels;
    module.walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    int64_t count = 0;
    for (KernelOp kernel : kernels) {
      func::FuncOp callee = makeFunction(kernel);
      auto hash = OperationEquivalence::computeHash(callee, OperationEquivalence::ignoreHashValue, OperationEquivalence::ignoreHashValue,
                                                    OperationEquivalence::IgnoreLocations);
      func::FuncOp equal;
      for (func::FuncOp candidate : known[hash])
        if (OperationEquivalence::isEquivalentTo(candidate, callee, OperationEquivalence::IgnoreLocations)) {
          equal = candidate;
          break;
        }
      StringAttr name;
      if (equal) {
        callee.erase();
        name = StringAttr::get(&getContext(), names[equal]);
        ++reused;
      } else {
        known[hash].push_back(callee);
        do
          name = StringAttr::get(&getContext(), ("kernel_" + Twine(count++)).str());
        while (symbols.lookup(name)); // a function of the program may have that name
        names[callee] = name.str();
        ++outlined;
      }
      launch(kernel, name);
    }
    // Named last: equality above must not see the names.
    for (auto &[func, name] : names) {
      func.setName(name);
      symbols.insert(func);
    }
  }

  static func::FuncOp makeFunction(KernelOp kernel) {
    OpBuilder builder(kernel.getContext());
    auto type = builder.getFunctionType(kernel.getOperandTypes(), kernel.getResultTypes());
    auto func = func::FuncOp::create(builder, kernel.getLoc(), "kernel", type);
    func.setPrivate();
    func->setAttr("raf.kernel", builder.getUnitAttr());
    if (Attribute copies = kernel->getAttr(CopiedRanges::kAttribute))
      func->setAttr(CopiedRanges::kAttribute, copies);
    IRMapping mapping;
    kernel.getBody().cloneInto(&func.getBody(), mapping);
    auto yield = cast<YieldOp>(func.getBody().front().getTerminator());
    builder.setInsertionPoint(yield);
    func::ReturnOp::create(builder, yield.getLoc(), yield.getValues());
    yield.erase();
    return func;
  }

  void launch(KernelOp kernel, StringAttr callee) {
    SmallVector<int64_t> pairs;
    SmallVector<TileSpace> spaces;
    bool known = true; // of every stage, which tiles it has
    for (auto &ops : stagesOf(kernel.getBody().front())) {
      FailureOr<TileSpace> space = tileSpaceOf(ops);
      known &= succeeded(space);
      spaces.push_back(known ? std::move(*space) : TileSpace());
    }
    if (known)
      for (unsigned init = 0; init < kernel.getInits().size(); ++init)
        for (unsigned input = 0; input < kernel.getInputs().size(); ++input)
          if (mayAlias(kernel, spaces, input, init))
            pairs.append({input, init});
    OpBuilder builder(kernel);
    auto launch = LaunchOp::create(builder, kernel.getLoc(), kernel.getResultTypes(), FlatSymbolRefAttr::get(callee), kernel.getInputs(), kernel.getInits(),
                                   builder.getDenseI64ArrayAttr(pairs));
    kernel.replaceAllUsesWith(launch.getResults());
    kernel.erase();
  }

  llvm::MapVector<func::FuncOp, std::string> names;
};
} // namespace
