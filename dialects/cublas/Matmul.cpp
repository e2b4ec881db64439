// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cublas/Ops.h"
#include "dialects/dnnl/Encode.h"
#include "runtime/include/raf_cuda_plans.h"

// The descriptions of tensors and the rules of destination style are those of every library's ops.
using mlir::raf::dnnl::encodeInts;
using mlir::raf::dnnl::encodeType;
using mlir::raf::dnnl::verifyDestinations;
using mlir::raf::dnnl::verifyShape;

namespace plan = raf::rt::plan;

namespace mlir::raf::cublas {

static_assert(static_cast<int>(Activation::relu) == static_cast<int>(plan::Activation::Relu) &&
                  static_cast<int>(Activation::gelu_tanh) == static_cast<int>(plan::Activation::Gelu) &&
                  static_cast<int>(BiasGradient::of_result) == static_cast<int>(plan::BiasGradient::OfResult) &&
                  static_cast<int>(BiasGradient::of_rhs) == static_cast<int>(plan::BiasGradient::OfRhs) &&
                  static_cast<int>(BiasGradient::of_lhs) == static_cast<int>(plan::BiasGradient::OfLhs),
              "the dialect and the runtime number activations alike");

static bool hasEightBits(Type element) { return isa<Float8E4M3FNType, Float8E5M2Type>(element); }

static plan::Tensor encode(Value value, ViewAttr view) {
  auto type = cast<ShapedType>(value.getType());
  plan::Type element = encodeType(type.getElementType());
  if (!view)
    return plan::Tensor::dense(element, encodeInts(type.getShape()));
  return {element, encodeInts(view.getDims()), encodeInts(view.getStrides())};
}

static plan::CublasMatmul describe(MatmulOp op) {
  plan::CublasMatmul result;
  result.a = encode(op.getLhs(), op.getLhsViewAttr());
  result.b = encode(op.getRhs(), op.getRhsViewAttr());
  result.c = encode(op.getDst(), op.getDstViewAttr());
  if (Value bias = op.getBias() ? op.getBias() : op.getBiasGrad())
    result.bias = encode(bias, {});
  result.alpha = op.getAlpha() ? op.getAlpha()->convertToDouble() : 1.0;
  result.beta = op.getAccumulate() || op.getAddend() ? 1.0 : 0.0;
  result.addend = static_cast<bool>(op.getAddend());
  result.activation = static_cast<plan::Activation>(op.getActivation());
  result.gradient = static_cast<bool>(op.getKept());
  result.aux = static_cast<bool>(op.getKeep());
  if (op.getBiasGradient())
    result.biasGradient = static_cast<plan::BiasGradient>(*op.getBiasGradient());
  result.tf32 = op.getTf32();
  result.scaleA = static_cast<bool>(op.getLhsScale());
  result.scaleB = static_cast<bool>(op.getRhsScale());
  return result;
}

int64_t keptBytes(ArrayRef<int64_t> dims, Type element, Activation activation) {
  plan::CublasMatmul plan;
  plan.c = plan::Tensor::dense(encodeType(element), encodeInts(dims));
  plan.activation = static_cast<plan::Activation>(activation);
  return plan.auxBytes();
}

static LogicalResult verifyView(MatmulOp op, StringRef name, Value value, ViewAttr view) {
  int64_t elements = cast<ShapedType>(value.getType()).getNumElements();
  if (!view || view.getExtent() <= elements)
    return success();
  return op.emitOpError() << name << " view reaches element " << view.getExtent() - 1 << " of a tensor with " << elements << " elements";
}

static LogicalResult verifyBytes(MatmulOp op, StringRef name, Value value, int64_t bytes) {
  int64_t got = cast<ShapedType>(value.getType()).getNumElements();
  return got == bytes ? success() : LogicalResult(op.emitOpError() << name << " must have " << bytes << " bytes, got " << got);
}

LogicalResult MatmulOp::verify() {
  plan::CublasMatmul described = describe(*this);
  const std::vector<int64_t> &a = described.a.dims, &b = described.b.dims, &c = described.c.dims;
  size_t rank = c.size();
  bool fits = rank >= 2 && a.size() == rank && b.size() == rank;
  for (size_t i = 0; fits && i + 2 < rank; ++i)
    fits = (a[i] == c[i] || a[i] == 1) && (b[i] == c[i] || b[i] == 1);
  if (!fits || a[rank - 2] != c[rank - 2] || b[rank - 1] != c[rank - 1] || a[rank - 1] != b[rank - 2])
    return emitOpError() << "cannot multiply lhs [" << ArrayRef<int64_t>(a) << "] and rhs [" << ArrayRef<int64_t>(b) << "] to dst [" << ArrayRef<int64_t>(c) << "]";
  Type lhs = getElementTypeOrSelf(getLhs()), rhs = getElementTypeOrSelf(getRhs());
  if (lhs != rhs && !(hasEightBits(lhs) && hasEightBits(rhs)))
    return emitOpError() << "lhs and rhs must have one element type, or both 8 bits, got " << lhs << " and " << rhs;
  for (auto [name, scale] : {std::pair<StringRef, Value>("lhs_scale", getLhsScale()), std::pair<StringRef, Value>("rhs_scale", getRhsScale())}) {
    if (!scale)
      continue;
    if (!hasEightBits(lhs))
      return emitOpError() << name << " belongs to operands of 8 bits, got " << lhs;
    if (int64_t count = cast<ShapedType>(scale.getType()).getNumElements(); count != 1)
      return emitOpError() << name << " must be one number, got " << count;
  }
  if (failed(verifyView(*this, "lhs", getLhs(), getLhsViewAttr())) || failed(verifyView(*this, "rhs", getRhs(), getRhsViewAttr())) ||
      failed(verifyView(*this, "dst", getDst(), getDstViewAttr())))
    return failure();

  bool active = getActivation() != Activation::none;
  if ((getKeep() || getKept()) && !active)
    return emitOpError() << "keep and kept belong to an activation";
  if (getKeep() && getKept())
    return emitOpError() << "cannot both keep something for the gradient and be the gradient";
  if (getAddend() && (getAccumulate() || getAddend().getType() != getDst().getType()))
    return emitOpError() << "either accumulates or has an addend of dst's type, got " << getAddend().getType();
  if (getKept() && (getBias() || getAddend() || getAccumulate()))
    return emitOpError() << "that is the gradient of an activation has no bias and accumulates nothing";
  if (getKeep() && failed(verifyBytes(*this, "keep", getKeep(), described.auxBytes())))
    return failure();
  if (getKept() && failed(verifyBytes(*this, "kept", getKept(), described.auxBytes())))
    return failure();
  if (getBias() && failed(verifyShape(*this, "bias", getBias(), {c[rank - 1]})))
    return failure();
  if (static_cast<bool>(getBiasGrad()) != getBiasGradient().has_value())
    return emitOpError() << "bias_grad and bias_gradient go together";
  if (getBiasGradient()) {
    BiasGradient of = *getBiasGradient();
    if (getBias())
      return emitOpError() << "has either a bias or the gradient of one";
    if ((of == BiasGradient::of_result) != static_cast<bool>(getKept()) || (of != BiasGradient::of_result && active))
      return emitOpError() << "bias_gradient = of_result goes with kept, of_lhs and of_rhs go with no activation";
    if (failed(verifyShape(*this, "bias_grad", getBiasGrad(), {c[rank - (of == BiasGradient::of_lhs ? 2 : 1)]})))
      return failure();
  }
  return verifyDestinations(*this);
}

int64_t MatmulOp::getPlanKind() { return static_cast<int64_t>(plan::CudaKind::Matmul); }

SmallVector<int64_t> MatmulOp::getPlanWords() {
  int64_t workspace = getWorkspace() ? cast<ShapedType>(getWorkspace().getType()).getNumElements() : -1;
  std::vector<int64_t> words = plan::encode(describe(*this), workspace);
  return SmallVector<int64_t>(words.begin(), words.end());
}

SmallVector<Value> MatmulOp::getPlanBuffers() {
  SmallVector<Value> buffers{getLhs(), getRhs(), getDst()};
  if (Value bias = getBias() ? getBias() : getBiasGrad())
    buffers.push_back(bias);
  if (Value aux = getKept() ? getKept() : getKeep())
    buffers.push_back(aux);
  for (Value operand : {Value(getAddend()), Value(getLhsScale()), Value(getRhsScale())})
    if (operand)
      buffers.push_back(operand);
  buffers.push_back(getWorkspace());
  return buffers;
}

bool MatmulOp::readsInit(int64_t init) { return init == 0 && getAccumulate(); }

void MatmulOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { dnnl::destinationEffects(*this, effects); }

} // namespace mlir::raf::cublas
