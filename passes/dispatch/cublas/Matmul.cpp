// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cuBLASLt takes of the products. It is not asked itself, since a program for a GPU may be compiled where there is none: the runtime's own check knows its limits.
#include "dialects/cublas/Ops.h"
#include "dialects/raf/Ops.h"
#include "passes/dispatch/dnnl/Epilogue.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;
using dnnl::PostOpAttr;
using dnnl::PostOpKind;

static cublas::ViewAttr viewOf(MLIRContext *context, const View &view, Value base) {
  if (view == View::dense(cast<RankedTensorType>(base.getType()).getShape()))
    return {};
  return cublas::ViewAttr::get(context, view.dims, view.strides);
}

// What follows a product, as far as activation(alpha * product + bias + accumulator) can say it.
struct Form {
  double alpha = 1;
  bool accumulate = false;
  cublas::Activation activation = cublas::Activation::none;
};

static std::optional<Form> formOf(const Epilogue &epilogue) {
  Form form;
  if (!epilogue.operands.empty())
    return std::nullopt;
  for (auto [index, postOp] : llvm::enumerate(epilogue.postOps)) {
    auto op = cast<PostOpAttr>(postOp);
    if (form.activation != cublas::Activation::none)
      return std::nullopt;
    switch (op.getKind()) {
    case PostOpKind::linear:
      if (index > 0 || epilogue.bias || op.getBeta().getValueAsDouble() != 0)
        return std::nullopt;
      form.alpha = op.getAlpha().getValueAsDouble();
      break;
    case PostOpKind::sum:
      form.accumulate = true;
      break;
    case PostOpKind::gelu_tanh:
      form.activation = cublas::Activation::gelu_tanh;
      break;
    default:
      // Among them relu: the library's does not keep NaN, which would hide a step that has gone wrong.
      return std::nullopt;
    }
  }
  return form;
}

static PlanOpInterface build(RewriterBase &rewriter, Operation *at, const TracedView &lhs, const TracedView &rhs, const Epilogue &epilogue) {
  std::optional<Form> form = formOf(epilogue);
  if (!form)
    return {};
  Value bias;
  if (epilogue.bias) {
    auto type = cast<RankedTensorType>(epilogue.bias->base.getType());
    if (type.getRank() != 1 || type.getDimSize(0) != epilogue.store->dims.back())
      return {};
    bias = epilogue.bias->base;
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(at);
  MLIRContext *context = rewriter.getContext();
  Location loc = at->getLoc();
  Type type = epilogue.result.getType();
  Value destination = epilogue.accumulator ? epilogue.accumulator : emptyTensor(rewriter, loc, type);
  return cublas::MatmulOp::create(rewriter, loc, TypeRange(type), lhs.base, rhs.base, bias, /*kept=*/Value(), destination, /*bias_grad=*/Value(), /*keep=*/Value(),
                                  /*workspace=*/Value(), cublas::ActivationAttr::get(context, form->activation), cublas::BiasGradientAttr(),
                                  form->alpha == 1 ? FloatAttr() : rewriter.getF64FloatAttr(form->alpha),
                                  form->accumulate ? rewriter.getUnitAttr() : UnitAttr(), /*tf32=*/UnitAttr(), viewOf(context, lhs.view.normalized(), lhs.base),
                                  viewOf(context, rhs.view.normalized(), rhs.base), viewOf(context, epilogue.store->normalized(), epilogue.result));
}

static TracedView asItIs(Value value, bool transpose) {
  View view = View::dense(cast<RankedTensorType>(value.getType()).getShape());
  if (transpose)
    view.swapLastTwo();
  return {value, view};
}

static FailureOr<unsigned> applyCublasMatmul(Operation *op, RewriterBase &rewriter, std::string &reason) {
  auto matmul = cast<raf::MatmulOp>(op);
  Value y = matmul.getY();
  int64_t feature = matmul.getType().getRank() - 1;
  auto attempt = [&](const TracedView &lhs, const TracedView &rhs, bool moves) {
    return fuse(op, y, findChain(y, moves), feature, rewriter, reason,
                [&](Operation *at, const Epilogue &epilogue) { return build(rewriter, at, lhs, rhs, epilogue); });
  };
  bool transposeLhs = matmul.getTransposeLhs(), transposeRhs = matmul.getTransposeRhs();
  FailureOr<unsigned> covered = attempt(traceOperand(matmul.getLhs(), transposeLhs), traceOperand(matmul.getRhs(), transposeRhs), /*moves=*/true);
  // It counts one batch dimension: what views have split into several is stored first.
  if (failed(covered))
    covered = attempt(asItIs(matmul.getLhs(), transposeLhs), asItIs(matmul.getRhs(), transposeRhs), /*moves=*/false);
  return covered;
}

void mlir::raf::dispatch::appendCublas(SmallVectorImpl<Implementation> &table) { table.push_back({"cublas", "raf.matmul", 90, applyCublasMatmul}); }
