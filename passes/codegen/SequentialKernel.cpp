// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen/SequentialKernel.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "passes/codegen/PrepareKernel.h"

using namespace mlir;
using namespace mlir::raf;

// A loop that updates an input starts from a copy of it in the destination: the input itself is not to be written, and kernels allocate nothing.
static void startInDestinations(func::FuncOp kernel, unsigned numInputs) {
  Operation *terminator = kernel.getBody().front().getTerminator();
  for (auto [index, value] : llvm::enumerate(terminator->getOperands())) {
    auto loop = value.getDefiningOp<scf::ForOp>();
    if (!loop)
      continue;
    OpOperand *init = loop.getTiedLoopInit(cast<OpResult>(value));
    auto input = dyn_cast<BlockArgument>(init->get());
    Value destination = kernel.getArgument(numInputs + index);
    if (!input || input.getArgNumber() >= numInputs || input.getType() != destination.getType())
      continue;
    OpBuilder builder(loop);
    init->set(linalg::CopyOp::create(builder, loop.getLoc(), input, destination).getResult(0));
  }
}

FailureOr<func::FuncOp> mlir::raf::emitSequentialKernel(func::FuncOp kernel) {
  Location loc = kernel.getLoc();
  IRRewriter builder(kernel);
  unsigned numInputs = kernel.getNumArguments() - kernel.getNumResults();
  startInDestinations(kernel, numInputs);
  SmallVector<Type> types;
  for (Type type : kernel.getArgumentTypes())
    types.push_back(bufferType(type));
  auto func = func::FuncOp::create(builder, loc, kernel.getName(), builder.getFunctionType(types, {}));
  func.setPrivate();
  func->setAttr("raf.kernel", builder.getUnitAttr());
  Block *entry = func.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  IRMapping mapping;
  for (auto [index, old, argument] : llvm::enumerate(kernel.getArguments(), entry->getArguments())) {
    if (!isa<RankedTensorType>(old.getType())) {
      mapping.map(old, argument);
      continue;
    }
    mapping.map(old, bufferization::ToTensorOp::create(builder, loc, old.getType(), argument, /*restrict=*/true, /*writable=*/index >= numInputs).getResult());
    func.setArgAttr(index, "llvm.noalias", builder.getUnitAttr());
  }
  for (Operation &op : kernel.getBody().front().without_terminator())
    builder.clone(op, mapping);
  for (auto [index, value] : llvm::enumerate(kernel.getBody().front().getTerminator()->getOperands()))
    bufferization::MaterializeInDestinationOp::create(builder, loc, Type(), mapping.lookupOrDefault(value), entry->getArgument(numInputs + index),
                                                      /*restrict=*/true, /*writable=*/true);
  func::ReturnOp::create(builder, loc);
  kernel.erase();
  // The results are computed in their destinations where the analysis allows it.
  bufferization::OneShotBufferizationOptions options;
  options.allowUnknownOps = false;
  options.setFunctionBoundaryTypeConversion(bufferization::LayoutMapOption::IdentityLayoutMap);
  bufferization::BufferizationState state;
  if (failed(bufferization::eliminateEmptyTensors(builder, func)))
    return failure();
  if (failed(bufferization::runOneShotBufferize(func, options, state)))
    return failure();
  SmallVector<linalg::LinalgOp> ops;
  func.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    builder.setInsertionPoint(op);
    if (failed(linalg::linalgOpToLoops(builder, op)))
      return op.emitOpError("cannot become loops");
    builder.eraseOp(op);
  }
  return func;
}
