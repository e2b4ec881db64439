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

  FloatType narrow;
  DenseMap<Value, Value> widened;
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
    widened.clear();
  }
}
