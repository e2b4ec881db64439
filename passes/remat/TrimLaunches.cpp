// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a kernel with several results runs twice, nobody reads some of them the first time: that run does not make them.
#include "passes/remat/TrimLaunches.h"

#include "dialects/raf/Ops.h"
#include "passes/graph/KernelCost.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::raf;

bool mlir::raf::canTrim(LaunchOp launch, func::FuncOp kernel, unsigned k) {
  if (launch.getNumResults() < 2 || !kernel || !kernel.getBody().hasOneBlock())
    return false;
  // A later stage of the kernel reads it from there.
  bool isRead = !kernel.getBody().front().getTerminator()->getOperand(k).hasOneUse();
  return !isRead && launch.getInits()[k].getDefiningOp<tensor::EmptyOp>() && kernel.getArgument(launch.getInputs().size() + k).use_empty();
}

static llvm::BitVector findUnused(LaunchOp launch, func::FuncOp kernel) {
  llvm::BitVector unused(launch.getNumResults());
  for (OpResult result : launch->getResults())
    if (result.use_empty() && canTrim(launch, kernel, result.getResultNumber()))
      unused.set(result.getResultNumber());
  if (unused.all())
    unused.reset();
  return unused;
}

static func::FuncOp makeTrimmed(func::FuncOp kernel, const llvm::BitVector &unused, SymbolTable &symbols) {
  func::FuncOp trimmed = kernel.clone();
  symbols.insert(trimmed, std::next(Block::iterator(kernel)));
  unsigned numInputs = kernel.getNumArguments() - unused.size();
  llvm::BitVector arguments(kernel.getNumArguments());
  for (unsigned k : unused.set_bits())
    arguments.set(numInputs + k);
  trimmed.getBody().front().getTerminator()->eraseOperands(unused);
  (void)trimmed.eraseResults(unused);
  (void)trimmed.eraseArguments(arguments);
  RewritePatternSet patterns(kernel.getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  (void)applyPatternsGreedily(trimmed, std::move(patterns));
  return trimmed;
}

static void replace(LaunchOp launch, func::FuncOp kernel, func::FuncOp trimmed, const llvm::BitVector &unused) {
  SmallVector<int64_t> numbers; // of the destinations that stay, or -1
  SmallVector<Value> inits;
  SmallVector<Type> types;
  for (auto [k, init] : llvm::enumerate(launch.getInits())) {
    numbers.push_back(unused.test(k) ? -1 : int64_t(inits.size()));
    if (unused.test(k))
      continue;
    inits.push_back(init);
    types.push_back(launch.getResult(k).getType());
  }
  SmallVector<int64_t> pairs, read;
  for (size_t i = 0; i + 1 < launch.getMayAlias().size(); i += 2)
    if (int64_t number = numbers[launch.getMayAlias()[i + 1]]; number >= 0)
      pairs.append({launch.getMayAlias()[i], number});
  OpBuilder builder(launch);
  auto less = LaunchOp::create(builder, launch.getLoc(), types, FlatSymbolRefAttr::get(trimmed.getNameAttr()), launch.getInputs(), inits, builder.getDenseI64ArrayAttr(pairs));
  less->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
  auto lessen = [&](StringRef name, int64_t by) {
    if (auto whole = launch->getAttrOfType<IntegerAttr>(name))
      less->setDiscardableAttr(name, builder.getI64IntegerAttr(whole.getInt() - by));
  };
  unsigned numInputs = launch.getInputs().size();
  lessen("raf.flops", countFlops(kernel) - countFlops(trimmed));
  lessen("raf.bytes", countBytes(kernel, numInputs) - countBytes(trimmed, numInputs));
  if (auto inits = launch->getAttrOfType<DenseI64ArrayAttr>("raf.read_inits")) {
    for (int64_t init : inits.asArrayRef())
      if (numbers[init] >= 0)
        read.push_back(numbers[init]);
    less->setDiscardableAttr("raf.read_inits", builder.getDenseI64ArrayAttr(read));
  }
  for (auto [k, number] : llvm::enumerate(numbers))
    if (number >= 0)
      launch.getResult(k).replaceAllUsesWith(less.getResult(number));
  launch.erase();
}

void mlir::raf::trimLaunches(func::FuncOp func, SymbolTable &symbols) {
  DenseMap<std::pair<func::FuncOp, llvm::BitVector>, func::FuncOp> known;
  for (auto launch : llvm::make_early_inc_range(func.getBody().front().getOps<LaunchOp>())) {
    auto kernel = symbols.lookup<func::FuncOp>(launch.getCallee());
    llvm::BitVector unused = findUnused(launch, kernel);
    if (unused.none())
      continue;
    func::FuncOp &trimmed = known[{kernel, unused}];
    if (!trimmed)
      trimmed = makeTrimmed(kernel, unused, symbols);
    replace(launch, kernel, trimmed, unused);
  }
  for (auto empty : llvm::make_early_inc_range(func.getBody().front().getOps<tensor::EmptyOp>()))
    if (empty.use_empty())
      empty.erase();
}
