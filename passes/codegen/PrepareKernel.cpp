// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen/PrepareKernel.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::raf;

Type mlir::raf::bufferType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? MemRefType::get(tensor.getShape(), tensor.getElementType()) : type;
}

bool mlir::raf::isTensorKernel(func::FuncOp func) {
  return func->hasAttr("raf.kernel") && !func.isExternal() && llvm::any_of(func.getArgumentTypes(), llvm::IsaPred<RankedTensorType>);
}

LogicalResult mlir::raf::checkKernel(func::FuncOp kernel) {
  if (!kernel.getBody().hasOneBlock())
    return kernel.emitOpError() << "is a kernel and must have one block, got " << llvm::range_size(kernel.getBody());
  int64_t firstInit = static_cast<int64_t>(kernel.getNumArguments()) - kernel.getNumResults();
  if (firstInit < 0)
    return kernel.emitOpError() << "is a kernel and must have a destination for each of its " << kernel.getNumResults() << " results, got "
                                << kernel.getNumArguments() << " arguments";
  for (auto [index, type] : llvm::enumerate(kernel.getResultTypes()))
    if (kernel.getArgumentTypes()[firstInit + index] != type)
      return kernel.emitOpError() << "is a kernel and result " << index << " must have the type of its destination, expected "
                                  << kernel.getArgumentTypes()[firstInit + index] << ", got " << type;
  WalkResult walked = kernel.walk([&](Operation *op) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op); linalgOp && !linalgOp.hasPureTensorSemantics()) {
      op->emitOpError() << "is in a kernel on tensors and must work on tensors";
      return WalkResult::interrupt();
    }
    SmallVector<Type> types(op->getResultTypes());
    for (Region &region : op->getRegions())
      if (!region.empty())
        llvm::append_range(types, region.getArgumentTypes());
    for (Type type : types)
      if (auto tensor = dyn_cast<TensorType>(type); tensor && !tensor.hasStaticShape()) {
        op->emitOpError() << "is in a kernel and must have static shapes, got " << type;
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}

// A start value that several reductions share (CSE does that) would be one more value to keep: each gets its own, in its own stage.
static void separateFills(Block &block) {
  for (linalg::GenericOp op : llvm::make_early_inc_range(block.getOps<linalg::GenericOp>())) {
    bool fills = op.getBody()->getOperations().size() == 1 && llvm::none_of(op.getDpsInputs(), [](Value input) { return isa<RankedTensorType>(input.getType()); });
    if (!fills || !llvm::all_of(op->getUsers(), llvm::IsaPred<linalg::LinalgOp>))
      continue;
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses())) {
      if (op->hasOneUse())
        continue;
      OpBuilder builder(use.getOwner());
      Operation *copy = builder.clone(*op);
      if (Attribute stage = use.getOwner()->getAttr(kStageAttr))
        copy->setAttr(kStageAttr, stage);
      use.set(copy->getResult(cast<OpResult>(use.get()).getResultNumber()));
    }
  }
}

FailureOr<SmallVector<TileSpace>> mlir::raf::prepareKernel(func::FuncOp kernel) {
  Block &block = kernel.getBody().front();
  IRRewriter rewriter(kernel);
  // What folded away completely leaves an input as the result: it is copied.
  Operation *end = block.getTerminator();
  unsigned firstInit = kernel.getNumArguments() - end->getNumOperands();
  for (OpOperand &result : end->getOpOperands()) {
    BlockArgument init = kernel.getArgument(firstInit + result.getOperandNumber());
    if (!isa<BlockArgument>(result.get()) || result.get() == init)
      continue;
    rewriter.setInsertionPoint(end);
    result.set(linalg::CopyOp::create(rewriter, kernel.getLoc(), result.get(), Value(init)).getResult(0));
  }
  for (linalg::LinalgOp op : llvm::make_early_inc_range(block.getOps<linalg::LinalgOp>())) {
    if (isa<linalg::GenericOp>(op))
      continue;
    rewriter.setInsertionPoint(op);
    Attribute stage = op->getAttr(kStageAttr);
    FailureOr<linalg::GenericOp> generic = linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return op.emitOpError("cannot be generalized");
    if (stage)
      (*generic)->setAttr(kStageAttr, stage);
  }
  separateFills(block);
  SmallVector<TileSpace> stages;
  for (auto &ops : stagesOf(block)) {
    FailureOr<TileSpace> space = tileSpaceOf(ops);
    if (failed(space))
      return kernel.emitError("ops of the kernel have no common tiles");
    stages.push_back(std::move(*space));
  }
  return stages;
}
