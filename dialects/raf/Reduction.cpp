// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Family.h"
#include "dialects/raf/infer/Shapes.h"

using namespace mlir;
using namespace mlir::raf;

#define GET_OP_CLASSES
#include "dialects/raf/Reduction.cpp.inc"

void mlir::raf::addReductionOps(RAFDialect &dialect) {
  addOps<
#define GET_OP_LIST
#include "dialects/raf/Reduction.cpp.inc"
      >(dialect);
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  MaybeType type = inferReduce(loc, "reduce", cast<RankedTensorType>(adaptor.getX().getType()), adaptor.getDims());
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

OpFoldResult ReduceOp::fold(FoldAdaptor) { return getDims().empty() ? OpFoldResult(getX()) : OpFoldResult(); }

LogicalResult ArgReduceOp::verify() {
  if (getKind() != ReduceKind::max && getKind() != ReduceKind::min)
    return emitOpError() << "kind must be max or min, got " << stringifyReduceKind(getKind());
  RankedTensorType x = getX().getType();
  if (failed(checkAxis(getLoc(), "arg_reduce", getAxis(), x.getRank())))
    return failure();
  if (x.getDimSize(getAxis()) == 0)
    return emitOpError() << "axis " << getAxis() << " is empty and has no extremum";
  MaybeType type = inferReduce(getLoc(), "arg_reduce", x, {static_cast<int64_t>(getAxis())});
  if (succeeded(type) && type->getShape() == getType().getShape())
    return success();
  return emitOpError() << "result must have the operand's shape without dimension " << getAxis() << ", got " << getType();
}

LogicalResult CumsumOp::verify() { return checkAxis(getLoc(), "cumsum", getAxis(), getType().getRank()); }
