// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/codegen-cpu/KernelBuffers.h"
#include "passes/codegen-cpu/LoopNest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::raf;
using linalg::GenericOp;

KernelBuffers::KernelBuffers(func::FuncOp kernel, ValueRange arguments, const TileSpace &space, const TilePlan &plan)
    : kernel(kernel), arguments(arguments), space(space), plan(plan), numInputs(kernel.getNumArguments() - kernel.getNumResults()) {
  Block &block = kernel.getBody().front();
  for (auto [argument, buffer] : llvm::zip(block.getArguments(), arguments))
    if (auto type = dyn_cast<RankedTensorType>(argument.getType()))
      places[argument] = {buffer, SmallVector<bool>(type.getRank(), false)};
    else
      scalarMapping.map(argument, buffer);
  // Returned values are computed in their destinations.
  for (OpOperand &returned : block.getTerminator()->getOpOperands()) {
    Value destination = block.getArgument(numInputs + returned.getOperandNumber());
    if (returned.get().getDefiningOp<GenericOp>() && !sameAs.contains(returned.get()))
      sameAs[returned.get()] = destination;
    else if (returned.get() != destination)
      copies.push_back({returned.get(), returned.getOperandNumber()});
  }
  // From the last op to the first: a value that only fills the destination of a placed one is computed in place.
  for (Operation &op : llvm::reverse(block))
    if (auto generic = dyn_cast<GenericOp>(op))
      for (unsigned result = 0; result < generic.getNumResults(); ++result)
        place(generic, result);
}

void KernelBuffers::place(GenericOp op, unsigned result) {
  Value value = op.getResult(result), init = op.getDpsInits()[result];
  // Another stage's temporaries are its own.
  if (!sameAs.contains(value) && space.loops.contains(cast<linalg::LinalgOp>(op.getOperation())))
    temporaries.push_back(value);
  if (init.getDefiningOp<GenericOp>() && init.hasOneUse() && !sameAs.contains(init))
    sameAs[init] = value;
}

void KernelBuffers::allocateTemporaries(OpBuilder &builder) {
  for (auto constant : kernel.getBody().front().getOps<arith::ConstantOp>())
    builder.clone(*constant, scalarMapping);
  for (Value value : temporaries) {
    auto op = value.getDefiningOp<GenericOp>();
    auto type = cast<RankedTensorType>(value.getType());
    AffineMap map = op.getIndexingMapMatchingResult(cast<OpResult>(value));
    SmallVector<int64_t> shape(type.getShape());
    SmallVector<bool> local(type.getRank(), false);
    for (const TilePlan::Dim &dim : plan.dims) {
      int64_t loop = space.loops.find(op)->second[dim.index];
      for (auto [position, expr] : llvm::enumerate(map.getResults()))
        if (auto dimExpr = dyn_cast<AffineDimExpr>(expr); dimExpr && static_cast<int64_t>(dimExpr.getPosition()) == loop) {
          shape[position] = dim.step;
          local[position] = true;
        }
    }
    stackBytes += llvm::product_of(shape) * std::max(1u, type.getElementTypeBitWidth() / 8);
    auto memref = memref::AllocaOp::create(builder, value.getLoc(), MemRefType::get(shape, type.getElementType()), builder.getI64IntegerAttr(64));
    places[value] = {memref, local};
  }
  for (auto &entry : sameAs) {
    Value root = entry.first;
    while (sameAs.contains(root))
      root = sameAs.lookup(root);
    if (!places.contains(root))
      continue;
    Place place = places.lookup(root);
    places[entry.first] = place;
  }
}

bool KernelBuffers::streamResults(int64_t leastBytes, int64_t vectorBits) {
  Block &block = kernel.getBody().front();
  bool any = false;
  for (GenericOp op : block.getOps<GenericOp>()) {
    if (!space.loops.contains(cast<linalg::LinalgOp>(op.getOperation())) || op.getNumReductionLoops() > 0)
      continue;
    for (unsigned result = 0; result < op.getNumResults(); ++result) {
      Value value = op.getResult(result);
      auto type = cast<RankedTensorType>(value.getType());
      unsigned bits = type.getElementType().isIntOrFloat() ? type.getElementTypeBitWidth() : 0;
      Place &place = places.find(value)->second;
      auto argument = llvm::find(arguments, place.memref);
      if (argument == arguments.end() || (bits != 16 && bits != 32 && bits != 64) || type.getNumElements() * bits / 8 < leastBytes ||
          op.payloadUsesValueFromOperand(op.getDpsInitOperand(result)))
        continue;
      auto reads = [&](OpOperand &use) {
        auto user = dyn_cast<GenericOp>(use.getOwner());
        return user ? user != op || !user.isDpsInit(&use) : !use.getOwner()->hasTrait<OpTrait::IsTerminator>();
      };
      Value destination = block.getArgument(argument - arguments.begin());
      if (llvm::none_of(value.getUses(), reads) && llvm::none_of(destination.getUses(), reads)) {
        place.streamBits = vectorBits;
        any = true;
      }
    }
  }
  return any;
}

LogicalResult KernelBuffers::check() {
  // Threads have 8 MiB, of which a product's packed blocks may take 2. raf-fuse forms no kernel that needs as much as is left.
  constexpr int64_t kMostStack = 5 << 20;
  if (stackBytes > kMostStack)
    return kernel.emitOpError() << "keeps " << stackBytes << " bytes of a tile on the stack, which may take " << kMostStack;
  for (GenericOp op : kernel.getBody().front().getOps<GenericOp>()) {
    if (!space.loops.contains(cast<linalg::LinalgOp>(op.getOperation())))
      continue;
    for (OpOperand &operand : op->getOpOperands()) {
      Value value = operand.get();
      bool unread = op.isDpsInit(&operand) && (value.getDefiningOp<tensor::EmptyOp>() || !op.payloadUsesValueFromOperand(&operand));
      if (unread || !isa<RankedTensorType>(value.getType()) || places.contains(value))
        continue;
      return op.emitOpError() << "operand #" << operand.getOperandNumber()
                              << " must be an argument of the kernel or computed by a linalg op of it; from another stage it must be a result of the kernel";
    }
  }
  return success();
}

const KernelBuffers::Place &KernelBuffers::operator[](Value value) const {
  auto found = places.find(value);
  assert(found != places.end() && "value has no place");
  return found->second;
}

std::optional<Value> KernelBuffers::initialValue(GenericOp op, unsigned result) const {
  Value init = op.getDpsInits()[result];
  if (init.getDefiningOp<tensor::EmptyOp>() || !op.payloadUsesValueFromOperand(op.getDpsInitOperand(result)))
    return std::nullopt;
  if ((*this)[init].memref == (*this)[op.getResult(result)].memref)
    return std::nullopt;
  return init;
}

void KernelBuffers::emitCopies(OpBuilder &builder, const TileSpace &space, ArrayRef<TileRange> ranges) const {
  for (auto &[value, number] : copies) {
    auto op = value.getDefiningOp<GenericOp>();
    if (op && !space.loops.contains(cast<linalg::LinalgOp>(op.getOperation())))
      continue;
    Value destination = arguments[numInputs + number];
    if (!op) {
      // An argument returned as it is: whole, by every tile alike.
      memref::CopyOp::create(builder, value.getLoc(), (*this)[value].memref, destination);
      continue;
    }
    emitCopy(builder, op, cast<OpResult>(value), space, ranges, (*this)[value], {destination, SmallVector<bool>((*this)[value].local.size(), false)});
  }
}
