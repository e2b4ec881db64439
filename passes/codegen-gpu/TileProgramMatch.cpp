// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernels are programs on tiles, and what they must look like.
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "passes/codegen-gpu/TileProgram.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

// Whether the op can stand in a program on tiles: loops and ops on tiles, and any on numbers.
static bool fitsTiles(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return isa<scf::ForOp, GenericOp, linalg::FillOp, linalg::YieldOp, scf::YieldOp, ConstantOp, tensor::EmptyOp, tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::FromElementsOp, tensor::ExtractOp>(op) ||
         (op->getNumRegions() == 0 && llvm::none_of(op->getOperandTypes(), isTensor) && llvm::none_of(op->getResultTypes(), isTensor));
}

bool mlir::raf::isTileProgram(func::FuncOp kernel) {
  if (kernel.isExternal() || !kernel.getBody().hasOneBlock() || kernel.getNumResults() == 0)
    return false;
  Block &body = kernel.getBody().front();
  auto returned = body.getTerminator()->getOperands();
  if (llvm::any_of(returned, [](Value value) { return value.getDefiningOp<scf::ForallOp>(); }))
    return true;
  // The loop of a single block has been folded away. What is returned are tiles, not arguments in others, which other kernels return too.
  return llvm::all_of(returned,
                      [](Value value) {
                        auto insert = value.getDefiningOp<tensor::InsertSliceOp>();
                        return insert && insert.getSource().getDefiningOp();
                      }) &&
         llvm::all_of(body.without_terminator(), [](Operation &op) { return !op.walk([](Operation *inner) { return fitsTiles(inner) ? WalkResult::advance() : WalkResult::interrupt(); }).wasInterrupted(); });
}

// Blocks write a destination in any order: what one of them reads of it another may have overwritten. It can read the one box that it writes, as long as it does so before.
static LogicalResult checkReads(BlockArgument destination) {
  SmallVector<Value> views{destination};
  SmallVector<Operation *> writers, readers;
  for (size_t i = 0; i < views.size(); ++i) {
    for (OpOperand &use : views[i].getUses()) {
      Operation *user = use.getOwner();
      if (auto loop = dyn_cast<scf::ForallOp>(user)) {
        views.push_back(loop.getTiedBlockArgument(&use));
      } else if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(user); insert && &use == &insert.getDestMutable()) {
        writers.push_back(insert);
      } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(user); insert && &use == &insert.getDestMutable()) {
        writers.push_back(insert);
        views.push_back(insert.getResult());
      } else if (!isa<func::ReturnOp>(user)) {
        readers.push_back(user);
      }
    }
  }
  for (Operation *reader : readers) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(reader);
    bool isBox = slice && writers.size() == 1 && cast<OffsetSizeAndStrideOpInterface>(writers[0]).isSameAs(slice, isEqualConstantIntOrValue);
    Operation *before = isBox && isa<tensor::InsertSliceOp>(writers[0]) ? writers[0]->getBlock()->findAncestorOpInBlock(*slice) : nullptr;
    if (!isBox || (before && !before->isBeforeInBlock(writers[0])))
      return reader->emitOpError() << "is in a program on tiles and must read no more of a destination than the one box that is written there, and before it is, got argument "
                                   << destination.getArgNumber();
  }
  return success();
}

// Result k is what has been made of destination k: stores go there.
LogicalResult mlir::raf::checkTileProgram(func::FuncOp kernel) {
  Block &body = kernel.getBody().front();
  Operation *terminator = body.getTerminator();
  int64_t firstInit = static_cast<int64_t>(kernel.getNumArguments()) - kernel.getNumResults();
  if (firstInit < 0)
    return kernel.emitOpError() << "is a program on tiles and must have a destination for each of its " << kernel.getNumResults() << " results, got " << kernel.getNumArguments() << " arguments";
  auto isReturned = [&](Value value) { return value.hasOneUse() && *value.user_begin() == terminator; };
  for (OpOperand &returned : terminator->getOpOperands()) {
    Value root = returned.get();
    while (auto insert = root.getDefiningOp<tensor::InsertSliceOp>())
      root = insert.getDest();
    if (auto loop = root.getDefiningOp<scf::ForallOp>(); loop && root == returned.get())
      root = loop.getTiedOpOperand(cast<OpResult>(root))->get();
    auto destination = dyn_cast<BlockArgument>(root);
    int64_t wanted = firstInit + returned.getOperandNumber();
    if (!destination || destination.getOwner() != &body || destination.getArgNumber() != wanted)
      return kernel.emitOpError() << "is a program on tiles and must make result " << returned.getOperandNumber() << " of its destination, argument " << wanted;
  }
  for (Operation &op : body) {
    if (auto loop = dyn_cast<scf::ForallOp>(op); loop && !llvm::all_of(loop.getResults(), isReturned))
      return loop.emitOpError() << "is in a program on tiles and must have results that are returned, each once";
    auto insert = dyn_cast<tensor::InsertSliceOp>(op);
    if (!insert || isReturned(insert.getResult()))
      continue;
    auto next = insert->hasOneUse() ? dyn_cast<tensor::InsertSliceOp>(*insert->user_begin()) : nullptr;
    if (!next || next.getDest() != insert.getResult())
      return insert.emitOpError() << "is in a program on tiles and must be returned, or go on in the next one into the same destination";
  }
  for (BlockArgument destination : kernel.getArguments().drop_front(firstInit))
    if (failed(checkReads(destination)))
      return failure();
  return success();
}

static scf::ForallOp forallOf(func::FuncOp kernel) {
  auto loops = kernel.getBody().front().getOps<scf::ForallOp>();
  return loops.empty() ? nullptr : *loops.begin();
}

std::optional<int64_t> mlir::raf::blocksOfTileProgram(func::FuncOp kernel) {
  scf::ForallOp loop = forallOf(kernel);
  int64_t count = 0;
  kernel.walk([&](scf::ForallOp) { ++count; });
  if (count != (loop ? 1 : 0))
    return std::nullopt;
  if (!loop)
    return 1;
  return loop.getRank() == 1 && loop.isNormalized() ? getConstantIntValue(loop.getMixedUpperBound().front()) : std::nullopt;
}
