// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dnnl/Encode.h"

#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dnnl;

ViewAttr mlir::raf::dnnl::denseView(MLIRContext *context, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return ViewAttr::get(context, shape, strides);
}

ViewAttr mlir::raf::dnnl::denseView(ShapedType type) { return denseView(type.getContext(), type.getShape()); }

plan::Type mlir::raf::dnnl::encodeType(Type element) {
  if (element.isF32())
    return plan::Type::F32;
  if (element.isBF16())
    return plan::Type::BF16;
  if (element.isF16())
    return plan::Type::F16;
  if (isa<Float8E4M3FNType>(element))
    return plan::Type::F8E4M3;
  if (isa<Float8E5M2Type>(element))
    return plan::Type::F8E5M2;
  if (element.isF64())
    return plan::Type::F64;
  std::string name;
  llvm::raw_string_ostream(name) << element;
  llvm::reportFatalInternalError(Twine("no library computes on elements of ") + name + ", which the verifier of the op has to refuse");
}

std::vector<int64_t> mlir::raf::dnnl::encodeInts(ArrayRef<int64_t> values) { return {values.begin(), values.end()}; }

static Type elementType(Value value) { return cast<ShapedType>(value.getType()).getElementType(); }
static ArrayRef<int64_t> shapeOf(Value value) { return cast<ShapedType>(value.getType()).getShape(); }

plan::Tensor mlir::raf::dnnl::encode(Value value, ViewAttr view) {
  if (!view)
    return encode(value);
  plan::Tensor tensor{encodeType(elementType(value)), encodeInts(view.getDims()), encodeInts(view.getStrides())};
  tensor.offset = view.getOffset();
  return tensor;
}

plan::Tensor mlir::raf::dnnl::encode(Value value) { return plan::Tensor::dense(encodeType(elementType(value)), encodeInts(shapeOf(value))); }

plan::Tensor mlir::raf::dnnl::encodePacked(BlockedAttr layout, Type element) {
  plan::Tensor tensor{encodeType(element), encodeInts(layout.getDims()), encodeInts(layout.getStrides())};
  tensor.blocks = encodeInts(layout.getBlocks());
  tensor.blockDims = encodeInts(layout.getBlockDims());
  return tensor;
}

ArrayRef<int64_t> mlir::raf::dnnl::weightDims(Value weights, BlockedAttr layout) { return layout ? layout.getDims() : shapeOf(weights); }

plan::Tensor mlir::raf::dnnl::encodeActivation(Value value, Layout layout) {
  if (layout == Layout::channels_first)
    return encode(value);
  ArrayRef<int64_t> shape = shapeOf(value);
  std::vector<int64_t> dims{shape.front(), shape.back()};
  dims.insert(dims.end(), shape.begin() + 1, shape.end() - 1);
  return plan::Tensor::channelsLast(encodeType(elementType(value)), std::move(dims));
}

std::vector<plan::PostOp> mlir::raf::dnnl::encodePostOps(ArrayAttr postOps, std::vector<plan::Tensor> operands) {
  std::vector<plan::PostOp> result;
  auto operand = operands.begin();
  for (auto postOp : postOps.getAsRange<PostOpAttr>()) {
    plan::PostOp encoded;
    encoded.kind = static_cast<plan::PostOpKind>(postOp.getKind());
    // Where alpha is a factor its absence means 1.
    bool factor = postOp.getKind() == PostOpKind::sum || postOp.getKind() == PostOpKind::linear || postOp.getKind() == PostOpKind::silu;
    encoded.alpha = postOp.getAlpha() ? postOp.getAlpha().getValueAsDouble() : factor ? 1.0 : 0.0;
    encoded.beta = postOp.getBeta() ? postOp.getBeta().getValueAsDouble() : 0.0;
    if (postOp.isBinary() && operand != operands.end())
      encoded.operand = std::move(*operand++);
    result.push_back(std::move(encoded));
  }
  return result;
}

static_assert(static_cast<int>(PostOpKind::relu) == static_cast<int>(plan::PostOpKind::Relu) &&
                  static_cast<int>(PostOpKind::gelu_erf) == static_cast<int>(plan::PostOpKind::GeluErf) &&
                  static_cast<int>(PostOpKind::gelu_tanh) == static_cast<int>(plan::PostOpKind::GeluTanh) &&
                  static_cast<int>(PostOpKind::tanh) == static_cast<int>(plan::PostOpKind::Tanh) &&
                  static_cast<int>(PostOpKind::sigmoid) == static_cast<int>(plan::PostOpKind::Logistic) &&
                  static_cast<int>(PostOpKind::silu) == static_cast<int>(plan::PostOpKind::Swish) &&
                  static_cast<int>(PostOpKind::linear) == static_cast<int>(plan::PostOpKind::Linear) &&
                  static_cast<int>(PostOpKind::add) == static_cast<int>(plan::PostOpKind::Add) &&
                  static_cast<int>(PostOpKind::sub) == static_cast<int>(plan::PostOpKind::Sub) &&
                  static_cast<int>(PostOpKind::mul) == static_cast<int>(plan::PostOpKind::Mul) &&
                  static_cast<int>(PostOpKind::sum) == static_cast<int>(plan::PostOpKind::Sum),
              "the dialect and the runtime number post-ops alike");

bool mlir::raf::dnnl::hasSum(ArrayAttr postOps) {
  return llvm::any_of(postOps.getAsRange<PostOpAttr>(), [](PostOpAttr op) { return op.getKind() == PostOpKind::sum; });
}

LogicalResult mlir::raf::dnnl::verifyDestinations(Operation *op) {
  auto destinations = cast<DestinationStyleOpInterface>(op).getDpsInits();
  bool tensors = llvm::all_of(op->getOperands(), [](Value value) { return isa<TensorType>(value.getType()); });
  bool buffers = llvm::all_of(op->getOperands(), [](Value value) { return isa<MemRefType>(value.getType()); });
  if (!tensors && !buffers)
    return op->emitOpError() << "operands must be all tensors or all memrefs";
  if (buffers)
    return op->getNumResults() == 0 ? success() : op->emitOpError() << "on memrefs has no results, got " << op->getNumResults();
  if (op->getNumResults() != destinations.size())
    return op->emitOpError() << "must have one result for each of the " << destinations.size() << " destinations, got " << op->getNumResults();
  for (auto [destination, result] : llvm::zip(destinations, op->getResults()))
    if (destination.getType() != result.getType())
      return op->emitOpError() << "results must have the types of the destinations, expected " << destination.getType() << ", got " << result.getType();
  return success();
}

LogicalResult mlir::raf::dnnl::verifyPostOps(Operation *op, ArrayAttr postOps, int64_t operands) {
  int64_t binary = llvm::count_if(postOps.getAsRange<PostOpAttr>(), [](PostOpAttr postOp) { return postOp.isBinary(); });
  int64_t sums = llvm::count_if(postOps.getAsRange<PostOpAttr>(), [](PostOpAttr postOp) { return postOp.getKind() == PostOpKind::sum; });
  if (binary != operands)
    return op->emitOpError() << "must have one operand for each of the " << binary << " binary post-ops, got " << operands;
  if (sums > 1)
    return op->emitOpError() << "may have at most one sum among its post-ops, got " << sums;
  if (static_cast<int64_t>(postOps.size()) > plan::kMaxPostOps)
    return op->emitOpError() << "may have at most " << plan::kMaxPostOps << " post-ops, got " << postOps.size();
  return success();
}

LogicalResult mlir::raf::dnnl::verifyShape(Operation *op, StringRef name, Value value, ArrayRef<int64_t> shape, Type element) {
  auto type = cast<ShapedType>(value.getType());
  if (type.getShape() != shape)
    return op->emitOpError() << name << " must have shape [" << shape << "], got [" << type.getShape() << "]";
  if (element && type.getElementType() != element)
    return op->emitOpError() << name << " must have element type " << element << ", got " << type.getElementType();
  return success();
}

LogicalResult mlir::raf::dnnl::verifyView(Operation *op, StringRef name, Value value, ViewAttr view) {
  int64_t elements = cast<ShapedType>(value.getType()).getNumElements();
  if (view.getExtent() <= elements)
    return success();
  return op->emitOpError() << name << " view reaches element " << view.getExtent() - 1 << " of a tensor with " << elements << " elements";
}

LogicalResult mlir::raf::dnnl::verifyPacked(Operation *op, StringRef name, Value value, BlockedAttr layout, Type element, bool mayBeElements) {
  if (!layout) {
    if (elementType(value).isInteger())
      return op->emitOpError() << name << " is bytes, so its layout must be given";
    return success();
  }
  int64_t extent = layout.getExtent(), size = cast<ShapedType>(value.getType()).getNumElements();
  if (mayBeElements && !elementType(value).isInteger(8))
    return size == extent && elementType(value) == element ? success()
                                                           : op->emitOpError() << name << " must have the " << extent << " " << element << " of its layout, got " << value.getType();
  int64_t needed = extent * element.getIntOrFloatBitWidth() / 8;
  if (size < needed || !elementType(value).isInteger(8))
    return op->emitOpError() << name << " must have the " << needed << " bytes of its layout, got " << value.getType();
  return success();
}

void mlir::raf::dnnl::destinationEffects(Operation *op, SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  auto destination = cast<DestinationStyleOpInterface>(op);
  auto planned = cast<PlanOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool init = destination.isDpsInit(&operand);
    if (!init || planned.readsInit(operand.getOperandNumber() - destination.getDpsInitsMutable()[0].getOperandNumber()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (init)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}
