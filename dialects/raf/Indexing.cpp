// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Family.h"
#include "dialects/raf/infer/Shapes.h"

using namespace mlir;
using namespace mlir::raf;

#define GET_OP_CLASSES
#include "dialects/raf/Indexing.cpp.inc"

void mlir::raf::addIndexingOps(RAFDialect &dialect) {
  addOps<
#define GET_OP_LIST
#include "dialects/raf/Indexing.cpp.inc"
      >(dialect);
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  MaybeType type =
      inferGather(loc, "gather", cast<RankedTensorType>(adaptor.getX().getType()), cast<RankedTensorType>(adaptor.getIndices().getType()), adaptor.getAxis());
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

LogicalResult TakeAlongAxisOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  MaybeType type = inferTakeAlongAxis(loc, "take_along_axis", cast<RankedTensorType>(adaptor.getX().getType()),
                                      cast<RankedTensorType>(adaptor.getIndices().getType()), adaptor.getAxis());
  if (failed(type))
    return failure();
  types.push_back(*type);
  return success();
}

template <typename Op>
static LogicalResult verifyUpdates(Op op, MaybeType expected) {
  if (failed(expected))
    return failure();
  if (*expected == op.getUpdates().getType())
    return success();
  return op.emitOpError() << "updates must have type " << *expected << ", got " << op.getUpdates().getType();
}

LogicalResult ScatterAddOp::verify() {
  return verifyUpdates(*this, inferGather(getLoc(), "scatter_add", getX().getType(), getIndices().getType(), getAxis()));
}

LogicalResult AddAlongAxisOp::verify() {
  return verifyUpdates(*this, inferTakeAlongAxis(getLoc(), "add_along_axis", getX().getType(), getIndices().getType(), getAxis()));
}
