// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of 16-bit floats as products of the f32 numbers that they are, for CPUs that have no instructions for the type.
#include "dialects/raf/Dialect.h"
#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "passes/precision/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSwitch.h"

namespace mlir::raf {
#define GEN_PASS_DEF_WIDENPRODUCTSPASS
#include "passes/precision/Passes.h.inc"
} // namespace mlir::raf

using namespace mlir;
using namespace mlir::raf;

namespace {
struct WidenProductsPass : raf::impl::WidenProductsPassBase<WidenProductsPass> {
  using WidenProductsPassBase::WidenProductsPassBase;
  void runOnOperation() override;

private:
  bool isNarrow(Type type) const {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getElementType() == narrow;
  }
  Value exact(Value value);
  Value widen(Value value);
  Value rebuild(Operation *op);
  void followedBy(Value rounded);
  void widenPool(MaxPoolOp pool);

  FloatType narrow;
  DenseMap<Value, Value> widened;
  SmallVector<MaxPoolOp> pools; // of what a product makes
};
} // namespace

static RankedTensorType inF32(Type type) {
  return cast<RankedTensorType>(type).clone(Float32Type::get(type.getContext()));
}

// What the op makes of an f32 value instead of the 16-bit one that it moves.
static Value moved(Operation *op, Value source) {
  OpBuilder builder(op);
  Operation *result = builder.clone(*op);
  result->setOperand(0, source);
  result->getResult(0).setType(inF32(op->getResult(0).getType()));
  return result->getResult(0);
}

// The f32 argument that the value was rounded from, moved as the value was; null if arithmetic made it. Parameters need no rounding that only makes them less exact.
Value WidenProductsPass::exact(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto cast = dyn_cast<CastOp>(op)) {
    auto argument = dyn_cast<BlockArgument>(cast.getX());
    return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp()) && argument.getType() == inF32(value.getType()) ? argument : Value();
  }
  if (!isa<BroadcastOp, ReshapeOp, TransposeOp, SliceOp, DynamicSliceOp>(op))
    return {};
  Value source = exact(op->getOperand(0));
  return source ? moved(op, source) : Value();
}

Value WidenProductsPass::widen(Value value) {
  if (!isNarrow(value.getType()))
    return value;
  if (Value known = widened.lookup(value))
    return known;
  Value found = exact(value);
  if (!found) {
    // Libraries read through what only moves elements, if nothing lies between it and the product.
    if (Operation *op = value.getDefiningOp(); isa_and_nonnull<BroadcastOp, ReshapeOp, TransposeOp>(op)) {
      found = moved(op, widen(op->getOperand(0)));
    } else {
      OpBuilder builder(value.getContext());
      builder.setInsertionPointAfterValue(value);
      found = CastOp::create(builder, value.getLoc(), inF32(value.getType()), value);
    }
  }
  return widened[value] = found;
}

// The op on f32 operands; its result, rounded to the type that it had.
Value WidenProductsPass::rebuild(Operation *op) {
  SmallVector<Value> operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) { return widen(operand); });
  OpBuilder builder(op);
  Operation *wide = builder.clone(*op);
  wide->setOperands(operands);
  Value old = op->getResult(0), result = wide->getResult(0);
  if (isNarrow(old.getType())) {
    result.setType(inF32(old.getType()));
    result = CastOp::create(builder, op->getLoc(), old.getType(), result);
  }
  old.replaceAllUsesWith(result);
  op->erase();
  return result;
}

// What a library computes on the sums of a product before it rounds them (a bias, an activation) stays before the rounding.
void WidenProductsPass::followedBy(Value rounded) {
  while (isNarrow(rounded.getType()) && rounded.hasOneUse()) {
    Operation *user = *rounded.user_begin();
    if (auto pool = dyn_cast<MaxPoolOp>(user); pool && pool->getBlock() == rounded.getParentBlock())
      return pools.push_back(pool);
    auto policy = dyn_cast<CastPolicyOpInterface>(user);
    if (!policy || policy.getCastPolicy() != CastPolicy::follow || user->getNumResults() != 1 || !user->hasTrait<OpTrait::SameOperandsAndResultType>() ||
        user->getBlock() != rounded.getParentBlock())
      return;
    // Another activation would have to be converted for it, and is better read as it is.
    SmallVector<Value> others;
    for (Value operand : user->getOperands())
      if (operand != rounded)
        if (others.push_back(exact(operand)); !others.back())
          return;
    Value sum = rounded.getDefiningOp<CastOp>().getX();
    OpBuilder builder(user);
    Operation *wide = builder.clone(*user);
    auto other = others.begin();
    for (OpOperand &operand : wide->getOpOperands())
      operand.set(operand.get() == rounded ? sum : *other++);
    wide->getResult(0).setType(sum.getType());
    Value result = CastOp::create(builder, user->getLoc(), rounded.getType(), wide->getResult(0));
    user->getResult(0).replaceAllUsesWith(result);
    user->erase();
    rounded.getDefiningOp()->erase();
    rounded = result;
  }
}

// The largest of rounded numbers is the largest number, rounded: what is pooled needs no copy in 16 bits, nor what its gradient makes for products in f32. The gradient goes to the
// largest number rather than to the first of those that are equal when rounded. Libraries have the pool and its gradients in one type, so it is all or none.
void WidenProductsPass::widenPool(MaxPoolOp pool) {
  Operation *rounding = pool.getX().getDefiningOp();
  SmallVector<MaxPoolGradOp> grads;
  for (Operation *user : pool.getIndices().getUsers()) {
    auto grad = dyn_cast<MaxPoolGradOp>(user);
    auto readsInF32 = [&](Operation *reader) { return isa<CastOp>(reader) && reader->getResult(0).getType() == inF32(grad.getType()); };
    if (!grad || !isNarrow(grad.getType()) || !llvm::all_of(grad->getUsers(), readsInF32))
      return;
    grads.push_back(grad);
  }
  OpBuilder builder(pool);
  auto wide = cast<MaxPoolOp>(builder.clone(*pool));
  wide->setOperand(0, cast<CastOp>(rounding).getX());
  wide.getY().setType(inF32(pool.getY().getType()));
  pool.getY().replaceAllUsesWith(CastOp::create(builder, pool.getLoc(), pool.getY().getType(), wide.getY()));
  pool.getIndices().replaceAllUsesWith(wide.getIndices());
  pool.erase();
  rounding->erase();
  for (MaxPoolGradOp grad : grads) {
    builder.setInsertionPoint(grad);
    Value dy = CastOp::create(builder, grad.getLoc(), inF32(grad.getDy().getType()), grad.getDy());
    auto wideGrad = cast<MaxPoolGradOp>(builder.clone(*grad));
    wideGrad->setOperand(0, dy);
    wideGrad->getResult(0).setType(inF32(grad.getType()));
    for (Operation *reader : llvm::make_early_inc_range(grad->getUsers())) {
      reader->getResult(0).replaceAllUsesWith(wideGrad.getResult());
      reader->erase();
    }
    grad.erase();
  }
}

void WidenProductsPass::runOnOperation() {
  for (const std::string &name : types) {
    Builder builder(&getContext());
    narrow = llvm::StringSwitch<FloatType>(name).Case("bf16", builder.getBF16Type()).Case("f16", builder.getF16Type()).Default({});
    if (!narrow) {
      emitError(getOperation().getLoc()) << "raf-widen-products: types must be bf16 or f16, got '" << name << "'";
      return signalPassFailure();
    }
    SmallVector<Operation *> products;
    getOperation().walk([&](CastPolicyOpInterface op) {
      if (op.mayWiden() && llvm::all_of(op->getOperandTypes(), [&](Type type) { return isNarrow(type); }))
        products.push_back(op);
    });
    for (Operation *product : products) {
      followedBy(rebuild(product));
      ++numProducts;
    }
    for (MaxPoolOp pool : pools)
      widenPool(pool);
    pools.clear();
    widened.clear();
  }
}
