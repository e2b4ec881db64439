// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dispatch/dnnl/Library.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "runtime/include/raf_cuda.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

void mlir::raf::dispatch::appendDnnl(SmallVectorImpl<Implementation> &table) {
  // The gradients of max_pool and batch_norm go with their forward ops, which decide for both.
  table.append({{"dnnl", "raf.matmul", 100, applyMatmul, /*standsAlone=*/true, /*byDefault=*/true, isSlowerMatmul},
                {"dnnl", "raf.conv", 100, applyConv},
                {"dnnl", "raf.conv_input_grad", 100, applyConvInputGrad},
                {"dnnl", "raf.conv_weight_grad", 100, applyConvWeightGrad},
                {"dnnl", "raf.max_pool", 100, applyMaxPool, /*standsAlone=*/false},
                {"dnnl", "raf.avg_pool", 100, applyAvgPool},
                {"dnnl", "raf.avg_pool_grad", 100, applyAvgPoolGrad},
                {"dnnl", "raf.batch_norm", 100, applyBatchNorm, /*standsAlone=*/false}});
}

bool mlir::raf::dispatch::isLegalElement(Type element, std::string &reason) {
  if (element.isF32() || element.isBF16() || element.isF16())
    return true;
  llvm::raw_string_ostream(reason) << "oneDNN has no training kernels for element type " << element;
  return false;
}

bool mlir::raf::dispatch::isLegalShape(Type type, std::string &reason) {
  if (!llvm::is_contained(cast<ShapedType>(type).getShape(), 0))
    return true;
  llvm::raw_string_ostream(reason) << "a tensor is empty: " << type;
  return false;
}

bool mlir::raf::dispatch::areLegalTypes(ValueRange values, std::string &reason) {
  return llvm::all_of(values.getTypes(), [&](Type type) { return isLegalElement(getElementTypeOrSelf(type), reason) && isLegalShape(type, reason); });
}

FailureOr<PlanOpInterface> mlir::raf::dispatch::complete(PlanOpInterface op, RewriterBase &rewriter, std::string &reason) {
  SmallVector<int64_t> words = op.getPlanWords();
  int64_t bytes = 0;
  bool cpu = isa<dnnl::DnnlDialect>(op->getDialect());
  if (!(cpu ? raf_rt_dnnl_supported : raf_rt_cuda_supported)(op.getPlanKind(), words.data(), words.size()) ||
      (cpu ? raf_rt_dnnl_workspace : raf_rt_cuda_workspace)(op.getPlanKind(), words.data(), words.size(), &bytes) != RAF_RT_OK) {
    reason = raf_rt_last_error(nullptr);
    return failure();
  }
  if (bytes == 0)
    return op;

  // The workspace is the last operand and result; ops of several optional operands count them in an attribute.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto type = RankedTensorType::get({bytes}, rewriter.getI8Type());
  SmallVector<Value> operands(op->getOperands());
  operands.push_back(emptyTensor(rewriter, op.getLoc(), type));
  SmallVector<Type> types(op->getResultTypes());
  types.push_back(type);
  OperationState state(op.getLoc(), op->getName(), operands, types, op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  if (auto properties = dyn_cast_or_null<DictionaryAttr>(state.propertiesAttr))
    if (auto segments = properties.getAs<DenseI32ArrayAttr>("operandSegmentSizes")) {
      SmallVector<int32_t> sizes(segments.asArrayRef());
      sizes.back() = 1;
      NamedAttrList list(properties);
      list.set("operandSegmentSizes", rewriter.getDenseI32ArrayAttr(sizes));
      state.propertiesAttr = list.getDictionary(op.getContext());
    }
  auto result = cast<PlanOpInterface>(rewriter.create(state));
  rewriter.replaceOp(op, result->getResults().drop_back());
  return result;
}

FailureOr<unsigned> mlir::raf::dispatch::replaceBy(Operation *op, PlanOpInterface candidate, RewriterBase &rewriter, std::string &reason) {
  FailureOr<PlanOpInterface> completed = complete(candidate, rewriter, reason);
  if (failed(completed)) {
    rewriter.eraseOp(candidate);
    return failure();
  }
  rewriter.replaceOp(op, (*completed)->getResult(0));
  return 0u;
}

FailureOr<SmallVector<PlanOpInterface>> mlir::raf::dispatch::completeWithGradients(PlanOpInterface forward, ArrayRef<Operation *> grads,
                                                                                   function_ref<PlanOpInterface(Operation *, PlanOpInterface)> build,
                                                                                   RewriterBase &rewriter, std::string &reason) {
  SmallVector<PlanOpInterface> made;
  auto add = [&](PlanOpInterface candidate) {
    FailureOr<PlanOpInterface> completed = complete(candidate, rewriter, reason);
    made.push_back(succeeded(completed) ? *completed : candidate);
    return completed;
  };
  OpBuilder::InsertionGuard guard(rewriter);
  bool good = succeeded(add(forward));
  for (Operation *grad : grads) {
    if (!good)
      break;
    rewriter.setInsertionPoint(grad);
    good = succeeded(add(build(grad, made.front())));
  }
  if (good)
    return made;
  for (PlanOpInterface op : llvm::reverse(made))
    rewriter.eraseOp(op);
  return failure();
}

// The bytes that the library needs in the op's buffer for this operand, or -1.
static int64_t bufferBytes(PlanOpInterface op, Value operand) {
  SmallVector<Value> operands = op.getPlanBuffers();
  int64_t buffer = llvm::find(operands, operand) - operands.begin();
  SmallVector<int64_t> words = op.getPlanWords();
  int64_t bytes[64], count = 0;
  if (raf_rt_dnnl_buffers(op.getPlanKind(), words.data(), words.size(), bytes, std::size(bytes), &count) != RAF_RT_OK || buffer >= count)
    return -1;
  return bytes[buffer];
}

Value mlir::raf::dispatch::makeRecord(RewriterBase &rewriter, Location loc, function_ref<PlanOpInterface(Value)> build) {
  // Its size does not depend on the size that the op claims for it.
  Type element = rewriter.getI8Type();
  Value claimed = emptyTensor(rewriter, loc, RankedTensorType::get({1}, element));
  PlanOpInterface probe = build(claimed);
  int64_t bytes = bufferBytes(probe, claimed);
  rewriter.eraseOp(probe);
  return bytes > 0 ? emptyTensor(rewriter, loc, RankedTensorType::get({bytes}, element)) : Value();
}

Value mlir::raf::dispatch::emptyTensor(RewriterBase &rewriter, Location loc, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor::EmptyOp::create(rewriter, loc, tensor.getShape(), tensor.getElementType());
}

dnnl::ViewAttr mlir::raf::dispatch::viewAttr(MLIRContext *context, const View &view, ArrayRef<int64_t> shape) {
  if (view == View::dense(shape))
    return {};
  return dnnl::ViewAttr::get(context, view.dims, view.strides, view.offset);
}
