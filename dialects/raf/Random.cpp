// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Family.h"
#include "dialects/raf/infer/Shapes.h"

using namespace mlir;
using namespace mlir::raf;

#define GET_OP_CLASSES
#include "dialects/raf/Random.cpp.inc"

void mlir::raf::addRandomOps(RAFDialect &dialect) {
  addOps<
#define GET_OP_LIST
#include "dialects/raf/Random.cpp.inc"
      >(dialect);
}

LogicalResult RandomUniformOp::verify() {
  int64_t rank = cast<RankedTensorType>(getType()).getRank(), strides = getStrides().size();
  if (getOffset() ? strides == rank : strides == 0)
    return success();
  return emitOpError() << "needs one stride a dimension with an offset and none without, got " << strides << " for rank " << rank;
}

LogicalResult DropoutOp::verify() {
  double ratio = getRatio().convertToDouble();
  if (ratio >= 0.0 && ratio < 1.0)
    return success();
  return emitOpError() << "ratio must be in [0, 1), got " << ratio;
}

OpFoldResult DropoutOp::fold(FoldAdaptor) { return getRatio().isZero() ? OpFoldResult(getX()) : OpFoldResult(); }
