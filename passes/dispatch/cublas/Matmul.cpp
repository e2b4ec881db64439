// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cuBLASLt takes of the products. It is not asked itself, since a program for a GPU may be compiled where there is none: the runtime's own check knows its limits.
#include "passes/dispatch/cublas/Cublas.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;
using dnnl::PostOpAttr;
using dnnl::PostOpKind;

static cublas::ViewAttr viewOf(MLIRContext *context, const View &view, ArrayRef<int64_t> shape) {
  if (view == View::dense(shape))
    return {};
  return cublas::ViewAttr::get(context, view.dims, view.strides);
}

static cublas::ViewAttr viewOf(const TracedView &traced) {
  return viewOf(traced.base.getContext(), traced.view.normalized(), cast<RankedTensorType>(traced.base.getType()).getShape());
}

cublas::MatmulOp mlir::raf::dispatch::build(RewriterBase &rewriter, Location loc, const Product &product) {
  MLIRContext *context = rewriter.getContext();
  SmallVector<Type> types{product.type};
  Value destination = product.accumulator ? product.accumulator : emptyTensor(rewriter, loc, product.type);
  Value sums, kept;
  if (product.biasGradient) {
    const View &of = *product.biasGradient == cublas::BiasGradient::of_lhs ? product.lhs.view : product.store;
    int64_t length = *product.biasGradient == cublas::BiasGradient::of_lhs ? of.dims[of.dims.size() - 2] : of.dims.back();
    types.push_back(RankedTensorType::get({length}, product.type.getElementType()));
    sums = emptyTensor(rewriter, loc, types.back());
  }
  if (product.keeps) {
    types.push_back(RankedTensorType::get({cublas::keptBytes(product.store.dims, product.type.getElementType(), product.activation)}, rewriter.getI8Type()));
    kept = emptyTensor(rewriter, loc, types.back());
  }
  auto unit = [&](bool set) { return set ? rewriter.getUnitAttr() : UnitAttr(); };
  return cublas::MatmulOp::create(rewriter, loc, types, product.lhs.base, product.rhs.base, /*lhs_scale=*/Value(), /*rhs_scale=*/Value(), product.bias, product.addend, product.kept, destination, sums, kept,
                                  /*workspace=*/Value(), cublas::ActivationAttr::get(context, product.activation),
                                  product.biasGradient ? cublas::BiasGradientAttr::get(context, *product.biasGradient) : cublas::BiasGradientAttr(),
                                  product.alpha == 1 ? FloatAttr() : rewriter.getF64FloatAttr(product.alpha), unit(static_cast<bool>(product.accumulator)),
                                  unit(product.tf32), viewOf(product.lhs), viewOf(product.rhs), viewOf(context, product.store.normalized(), product.type.getShape()));
}

bool mlir::raf::dispatch::addEpilogue(Product &product, const Epilogue &epilogue, const CudaSettings &settings) {
  product.type = cast<RankedTensorType>(epilogue.result.getType());
  product.store = *epilogue.store;
  if (epilogue.bias) {
    auto type = cast<RankedTensorType>(epilogue.bias->base.getType());
    if (type.getRank() != 1 || type.getDimSize(0) != epilogue.store->dims.back())
      return false;
    product.bias = epilogue.bias->base;
  }
  auto operand = epilogue.operands.begin();
  for (auto [index, postOp] : llvm::enumerate(epilogue.postOps)) {
    auto op = cast<PostOpAttr>(postOp);
    if (product.activation != cublas::Activation::none)
      return false;
    switch (op.getKind()) {
    case PostOpKind::linear:
      if (index > 0 || epilogue.bias || op.getBeta().getValueAsDouble() != 0)
        return false;
      product.alpha = op.getAlpha().getValueAsDouble();
      break;
    case PostOpKind::sum:
      product.accumulator = epilogue.accumulator;
      break;
    case PostOpKind::add: {
      const TracedView &added = *operand++;
      if (product.addend || added.base.getType() != product.type || !(added.view == product.store))
        return false;
      product.addend = added.base;
      break;
    }
    case PostOpKind::gelu_tanh:
      product.activation = cublas::Activation::gelu_tanh;
      break;
    case PostOpKind::relu:
      // The library's does not keep NaN, which hides a step that has gone wrong.
      if (!settings.libraryRelu)
        return false;
      product.activation = cublas::Activation::relu;
      break;
    default:
      return false;
    }
  }
  return !(product.accumulator && product.addend);
}

Product mlir::raf::dispatch::productOf(raf::MatmulOp matmul, bool traced, const CudaSettings &settings) {
  auto operand = [&](Value value, bool transpose) {
    if (traced)
      return traceOperand(value, transpose);
    View view = View::dense(cast<RankedTensorType>(value.getType()).getShape());
    if (transpose)
      view.swapLastTwo();
    return TracedView{value, view};
  };
  Product product;
  product.lhs = operand(matmul.getLhs(), matmul.getTransposeLhs());
  product.rhs = operand(matmul.getRhs(), matmul.getTransposeRhs());
  product.tf32 = settings.tf32 && getElementTypeOrSelf(matmul.getLhs()).isF32();
  product.type = matmul.getType();
  product.store = View::dense(product.type.getShape());
  return product;
}

// What can be said in the dialect: no view has a dimension of 0.
static bool isLegal(Type type, std::string &reason) {
  Type element = getElementTypeOrSelf(type);
  if (isa<Float32Type, Float64Type, BFloat16Type, Float16Type, Float8E4M3FNType, Float8E5M2Type>(element))
    return isLegalShape(type, reason);
  llvm::raw_string_ostream(reason) << "cuBLASLt has no products of element type " << element;
  return false;
}

static int64_t multiplications(raf::MatmulOp matmul) {
  ArrayRef<int64_t> lhs = cast<RankedTensorType>(matmul.getLhs().getType()).getShape();
  return matmul.getType().getNumElements() * lhs[lhs.size() - (matmul.getTransposeLhs() ? 2 : 1)];
}

static FailureOr<unsigned> applyProduct(Operation *op, RewriterBase &rewriter, std::string &reason, const CudaSettings &settings) {
  auto matmul = cast<raf::MatmulOp>(op);
  for (Type type : {Type(matmul.getLhs().getType()), Type(matmul.getRhs().getType()), Type(matmul.getType())})
    if (!isLegal(type, reason))
      return failure();
  if (int64_t count = multiplications(matmul); count < settings.leastProduct) {
    llvm::raw_string_ostream(reason) << count << " multiplications are fewer than the " << settings.leastProduct << " that are worth a launch";
    return failure();
  }
  Value y = matmul.getY();
  int64_t feature = matmul.getType().getRank() - 1;
  auto attempt = [&](bool views) {
    return fuse(op, y, findChain(y, views), feature, rewriter, reason, [&](Operation *at, const Epilogue &epilogue) -> PlanOpInterface {
      Product product = productOf(matmul, views, settings);
      if (!addEpilogue(product, epilogue, settings))
        return {};
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPoint(at);
      return build(rewriter, at->getLoc(), product);
    });
  };
  FailureOr<unsigned> covered = applyWithGradients(matmul, rewriter, reason, settings);
  if (failed(covered))
    covered = applyWithSum(matmul, rewriter, reason, settings);
  if (failed(covered))
    covered = attempt(/*views=*/true);
  // It counts one batch dimension: what views have split into several is stored first.
  if (failed(covered))
    covered = attempt(/*views=*/false);
  return covered;
}

void mlir::raf::dispatch::appendCublas(SmallVectorImpl<Implementation> &table, const CudaSettings &settings) {
  table.push_back({"cublas", "raf.matmul", 90,
                   [settings](Operation *op, RewriterBase &rewriter, std::string &reason) { return applyProduct(op, rewriter, reason, settings); }});
}
