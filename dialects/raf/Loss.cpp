// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/raf/Family.h"
#include "dialects/raf/TensorBuilder.h"
#include "dialects/raf/infer/Shapes.h"

using namespace mlir;
using namespace mlir::raf;

#define GET_OP_CLASSES
#include "dialects/raf/Loss.cpp.inc"

void mlir::raf::addLossOps(RAFDialect &dialect) {
  addOps<
#define GET_OP_LIST
#include "dialects/raf/Loss.cpp.inc"
      >(dialect);
}

static LogicalResult check(MaybeLoc loc, StringRef op, RankedTensorType logits, RankedTensorType labels, const APFloat &smoothing) {
  if (logits.getRank() != 2 || labels.getRank() != 1 || logits.getDimSize(0) != labels.getDimSize(0) || logits.getDimSize(1) == 0)
    return emitOptionalError(loc, "'raf.", op, "' op expects logits [n, c] with c > 0 and labels [n], got ", logits, " and ", labels);
  double s = smoothing.convertToDouble();
  if (!(s >= 0.0 && s <= 1.0))
    return emitOptionalError(loc, "'raf.", op, "' op label_smoothing must be in [0, 1]");
  return success();
}

LogicalResult CrossEntropyOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto logits = cast<RankedTensorType>(adaptor.getLogits().getType());
  if (failed(check(loc, "cross_entropy", logits, cast<RankedTensorType>(adaptor.getLabels().getType()), adaptor.getLabelSmoothing())))
    return failure();
  types.push_back(RankedTensorType::get({}, logits.getElementType()));
  types.push_back(RankedTensorType::get({logits.getDimSize(0)}, logits.getElementType()));
  return success();
}

LogicalResult CrossEntropyGradOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto logits = cast<RankedTensorType>(adaptor.getLogits().getType());
  if (failed(check(loc, "cross_entropy_grad", logits, cast<RankedTensorType>(adaptor.getLabels().getType()), adaptor.getLabelSmoothing())))
    return failure();
  auto dloss = RankedTensorType::get({}, logits.getElementType()), lse = RankedTensorType::get({logits.getDimSize(0)}, logits.getElementType());
  if (adaptor.getDloss().getType() != dloss || adaptor.getLse().getType() != lse)
    return emitOptionalError(loc, "'raf.cross_entropy_grad' op expects dloss of type ", dloss, " and lse of type ", lse, ", got ", adaptor.getDloss().getType(),
                             " and ", adaptor.getLse().getType());
  types.push_back(logits);
  return success();
}

namespace {
/// What the op and its gradient check, and the types of loss and lse.
template <typename Adaptor>
LogicalResult inferLinear(MaybeLoc loc, StringRef name, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto x = cast<RankedTensorType>(adaptor.getX().getType()), w = cast<RankedTensorType>(adaptor.getW().getType());
  Type element = x.getElementType();
  int64_t classDim = adaptor.getTransposeW() ? 0 : 1;
  if (x.getRank() != 2 || w.getRank() != 2 || w.getElementType() != element || w.getDimSize(1 - classDim) != x.getDimSize(1))
    return emitOptionalError(loc, "'raf.", name, "' op expects x [n, d] and w ", classDim ? "[d, c]" : "[c, d]", " of one element type, got ", x, " and ", w);
  int64_t classes = w.getDimSize(classDim);
  if (Value bias = adaptor.getBias(); bias && bias.getType() != RankedTensorType::get({classes}, element))
    return emitOptionalError(loc, "'raf.", name, "' op expects a bias of type ", RankedTensorType::get({classes}, element), ", got ", bias.getType());
  Type wide = TensorBuilder::computeType(element);
  auto logits = RankedTensorType::get({x.getDimSize(0), classes}, wide);
  if (failed(check(loc, name, logits, cast<RankedTensorType>(adaptor.getLabels().getType()), adaptor.getLabelSmoothing())))
    return failure();
  types.push_back(RankedTensorType::get({}, wide));
  types.push_back(RankedTensorType::get({x.getDimSize(0)}, wide));
  return success();
}
} // namespace

LogicalResult LinearCrossEntropyOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  return inferLinear(loc, "linear_cross_entropy", adaptor, types);
}

LogicalResult LinearCrossEntropyGradOp::inferReturnTypes(MLIRContext *, MaybeLoc loc, Adaptor adaptor, SmallVectorImpl<Type> &types) {
  if (failed(inferLinear(loc, "linear_cross_entropy_grad", adaptor, types)))
    return failure();
  if (adaptor.getDloss().getType() != types.front())
    return emitOptionalError(loc, "'raf.linear_cross_entropy_grad' op expects dloss of type ", types.front(), ", got ", adaptor.getDloss().getType());
  llvm::append_values(types, adaptor.getX().getType(), adaptor.getW().getType());
  if (adaptor.getBias())
    types.push_back(adaptor.getBias().getType());
  return success();
}
