// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Family.h"
#include "dialects/raf/infer/Shapes.h"

using namespace mlir;
using namespace mlir::raf;

#define GET_OP_CLASSES
#include "dialects/raf/Optimizer.cpp.inc"

void mlir::raf::addOptimizerOps(RAFDialect &dialect) {
  addOps<
#define GET_OP_LIST
#include "dialects/raf/Optimizer.cpp.inc"
      >(dialect);
}

static LogicalResult checkTypes(MaybeLoc loc, StringRef op, Type param, ValueRange others) {
  for (Value value : others)
    if (value && value.getType() != param)
      return emitOptionalError(loc, "'raf.", op, "' op gradient and states must have the parameter's type ", param, ", got ", value.getType());
  return success();
}

LogicalResult SgdUpdateOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  Type type = adaptor.getParam().getType();
  Value velocity = adaptor.getVelocity();
  if (failed(checkTypes(loc, "sgd_update", type, {adaptor.getGrad()})) || (velocity && failed(checkTypes(loc, "sgd_update", type, {velocity}))))
    return failure();
  types.append(velocity ? 2 : 1, type);
  return success();
}

LogicalResult AdamUpdateOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  Type type = adaptor.getParam().getType();
  if (failed(checkTypes(loc, "adam_update", type, {adaptor.getGrad(), adaptor.getM(), adaptor.getV()})))
    return failure();
  types.append(3, type);
  return success();
}
