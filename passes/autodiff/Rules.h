// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How gradient rules are written: one function an op, attached as an external model of DifferentiableOpInterface. One file a family.
#ifndef RAF_PASSES_AUTODIFF_RULES_H
#define RAF_PASSES_AUTODIFF_RULES_H

#include "dialects/raf/Dialect.h"
#include "dialects/raf/TensorBuilder.h"
#include "dialects/raf/interfaces/Interfaces.h"

namespace mlir::raf {

/// Location of what is built for the gradient of an op.
Location gradientLoc(Location primal);

/// What a rule reads and writes: the cotangent of each result (null: no influence), and for each operand whether its gradient is wanted and where it goes.
/// It is a TensorBuilder at the gradient's location.
class VJP : public TensorBuilder {
public:
  VJP(Operation *op, OpBuilder &builder, ValueRange cotangents, ArrayRef<bool> wanted, MutableArrayRef<Value> grads)
      : TensorBuilder(builder, gradientLoc(op->getLoc())), op(op), cotangents(cotangents), wanted(wanted), grads(grads) {}

  /// Cotangent of result k, null if it has no influence on the loss.
  Value dy(unsigned k = 0) const { return cotangents[k]; }
  bool wants(unsigned k) const { return wanted[k]; }
  /// The same in the type in which formulas are computed.
  Value wideDy(unsigned k = 0) { return dy(k) ? widen(dy(k)) : Value(); }
  /// Sets (or adds to) the gradient of operand k, in the operand's element type. A null value adds nothing.
  void give(unsigned k, Value grad) {
    if (!grad || !wanted[k])
      return;
    grad = cast(grad, typeOf(op->getOperand(k)).getElementType());
    grads[k] = grads[k] ? add(grads[k], grad) : grad;
  }
  /// give(k, ...) of a formula that is built only when it is wanted.
  template <typename Formula>
  void giveLazy(unsigned k, Formula formula) {
    if (wanted[k])
      give(k, formula());
  }

private:
  Operation *op;
  ValueRange cotangents;
  ArrayRef<bool> wanted;
  MutableArrayRef<Value> grads;
};

namespace detail {
template <typename Op, void (*rule)(Op, VJP &)>
struct RuleModel : DifferentiableOpInterface::ExternalModel<RuleModel<Op, rule>, Op> {
  LogicalResult buildVJP(Operation *op, OpBuilder &builder, ValueRange cotangents, ArrayRef<bool> wanted, MutableArrayRef<Value> grads) const {
    VJP vjp(op, builder, cotangents, wanted, grads);
    // Most ops have one result; a rule of several results asks for each cotangent itself.
    if (op->getNumResults() == 1 && !cotangents[0])
      return success();
    rule(cast<Op>(op), vjp);
    return success();
  }
};
} // namespace detail

/// Attaches the rule `void rule(Op, VJP &)` to Op.
template <typename Op, void (*rule)(Op, VJP &)>
void attachRule(MLIRContext *context) {
  Op::template attachInterface<detail::RuleModel<Op, rule>>(*context);
}

/// The rule of ops that are constant almost everywhere.
template <typename Op>
void zeroGradient(Op, VJP &) {}

void attachElementwiseRules(MLIRContext *context);
void attachShapeRules(MLIRContext *context);
void attachReductionRules(MLIRContext *context);
void attachContractionRules(MLIRContext *context);
void attachConvRules(MLIRContext *context);
void attachPoolRules(MLIRContext *context);
void attachNormRules(MLIRContext *context);
void attachIndexingRules(MLIRContext *context);
void attachRandomRules(MLIRContext *context);
void attachLossRules(MLIRContext *context);
void attachCollectiveRules(MLIRContext *context);
/// For arith.select; ops with regions have no rule of this form (Reverse.h).
void attachControlFlowRules(MLIRContext *context);

} // namespace mlir::raf

#endif // RAF_PASSES_AUTODIFF_RULES_H
