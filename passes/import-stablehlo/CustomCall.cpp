// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Custom calls with a known meaning.
#include "passes/import-stablehlo/Attributes.h"
#include "passes/import-stablehlo/Elementwise.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::stablehlo;

static LogicalResult identity(Importer &importer, Operation &op, TensorBuilder &) {
  if (op.getNumResults() != op.getNumOperands())
    return op.emitOpError() << "needs as many results as operands, got " << op.getNumResults() << " and " << op.getNumOperands();
  for (unsigned i = 0; i < op.getNumOperands(); ++i)
    importer.setParts(op, i, importer.operandParts(op, i));
  return success();
}

static LogicalResult stopGradient(Importer &importer, Operation &op, TensorBuilder &b) {
  if (op.getOperandTypes() != op.getResultTypes())
    return op.emitOpError() << "needs a result of the type of its operand, got " << op.getOperandTypes().front() << " and " << op.getResultTypes().front();
  Parts x = importer.operandParts(op, 0);
  importer.setParts(op, 0, {b.fold<StopGradientOp>(x.real), x.imag ? b.fold<StopGradientOp>(x.imag) : Value()});
  return success();
}

// Exported programs state relations between their dimensions, which are constants by now.
static LogicalResult shapeAssertion(Importer &importer, Operation &op, TensorBuilder &) {
  std::optional<APInt> holds = op.getNumOperands() == 0 ? std::nullopt : constantInt(importer.operand(op, 0));
  if (holds && holds->isZero()) {
    auto message = dyn_cast_or_null<StringAttr>(op.getAttr("error_message"));
    return op.emitOpError() << "states a relation of dimensions that does not hold: " << (message ? message.getValue() : StringRef("no message"));
  }
  return success();
}

// A custom call is an operator of the name of its target.
static LogicalResult customCall(Importer &importer, Operation &op, TensorBuilder &b) {
  auto target = dyn_cast_or_null<StringAttr>(op.getAttr("call_target_name"));
  if (!target)
    return op.emitOpError() << "needs a string attribute 'call_target_name', got " << op.getAttr("call_target_name");
  std::string name = ("custom_call." + target.getValue()).str();
  const HandlerInfo *info = importer.getTable().find(name);
  if (!info)
    return importer.unsupported(op, "@" + target.getValue());
  if ((info->operands >= 0 && info->operands != static_cast<int>(op.getNumOperands())) || (info->results >= 0 && info->results != static_cast<int>(op.getNumResults())))
    return op.emitOpError() << "to @" << target.getValue() << " needs " << info->operands << " operands and " << info->results << " results";
  bool complex = llvm::any_of(op.getOperandTypes(), isComplex) || llvm::any_of(op.getResultTypes(), isComplex);
  if (complex && info->complex != Complex::handled)
    return importer.unsupported(op, "@" + target.getValue() + " of complex numbers");
  return info->handler(importer, op, b);
}

void mlir::raf::stablehlo::addCustomCallHandlers(HandlerTable &table) {
  table.add("stablehlo.custom_call", {customCall, -1, -1, -1, Complex::handled});
  for (StringRef target : {"annotate_device_placement", "SPMDFullToShardShape", "SPMDShardToFullShape", "LayoutConstraint"})
    table.add(("custom_call." + target).str(), {identity, -1, -1, 0, Complex::handled});
  table.add("custom_call.raf.stop_gradient", {stopGradient, 1, 1, 0, Complex::handled});
  table.add("custom_call.shape_assertion", {shapeAssertion, -1, 0, 0, Complex::refused});
}
