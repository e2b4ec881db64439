// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dnnl/Encode.h"

namespace mlir::raf::dnnl {

static ViewAttr viewOr(ViewAttr view, Value value) { return view ? view : denseView(cast<ShapedType>(value.getType())); }

// A bias without a view runs along the last dimension.
static ViewAttr biasView(MatmulOp op, int64_t rank) {
  if (ViewAttr view = op.getBiasViewAttr())
    return view;
  SmallVector<int64_t> dims(cast<ShapedType>(op.getBias().getType()).getShape());
  if (dims.size() == 1)
    dims.insert(dims.begin(), rank - 1, 1);
  return denseView(op.getContext(), dims);
}

static ViewAttr operandView(MatmulOp op, int64_t index) {
  if (op.getPostOperandViewsAttr())
    return cast<ViewAttr>(op.getPostOperandViewsAttr()[index]);
  return denseView(cast<ShapedType>(op.getPostOperands()[index].getType()));
}

// How rhs looks in the product: a packed matrix is the same in all batches.
static ViewAttr rhsView(MatmulOp op, int64_t rank) {
  BlockedAttr layout = op.getRhsLayoutAttr();
  if (!layout)
    return viewOr(op.getRhsViewAttr(), op.getRhs());
  SmallVector<int64_t> dims(std::max<int64_t>(rank - 2, 0), 1);
  llvm::append_range(dims, layout.getDims());
  return denseView(op.getContext(), dims);
}

static LogicalResult verifyBroadcast(MatmulOp op, StringRef name, Value value, ViewAttr view, ArrayRef<int64_t> dst) {
  bool fits = view.getDims().size() == dst.size();
  for (size_t i = 0; fits && i < dst.size(); ++i)
    fits = view.getDims()[i] == dst[i] || view.getDims()[i] == 1;
  if (!fits)
    return op.emitOpError() << name << " must have the dimensions of dst [" << dst << "] or 1 each, got [" << view.getDims() << "]";
  if (view.getOffset() != 0)
    return op.emitOpError() << name << " must be read from its first element on, got an offset of " << view.getOffset();
  return verifyView(op, name, value, view);
}

LogicalResult MatmulOp::verify() {
  if (getRhsLayoutAttr() && (getRhsViewAttr() || getRhsLayoutAttr().getDims().size() != 2))
    return emitOpError() << "a packed rhs must be a matrix without a view, got [" << getRhsLayoutAttr().getDims() << "]" << (getRhsViewAttr() ? " and a view" : "");
  Type element = getElementTypeOrSelf(getLhs());
  if (failed(verifyPacked(*this, "rhs", getRhs(), getRhsLayoutAttr(), element)))
    return failure();
  ViewAttr lhs = viewOr(getLhsViewAttr(), getLhs()), dst = viewOr(getDstViewAttr(), getDst()), rhs = rhsView(*this, dst.getDims().size());
  ArrayRef<int64_t> a = lhs.getDims(), b = rhs.getDims(), c = dst.getDims();
  size_t rank = c.size();
  bool fits = rank >= 2 && a.size() == rank && b.size() == rank;
  for (size_t i = 0; fits && i + 2 < rank; ++i)
    fits = (a[i] == c[i] || a[i] == 1) && (b[i] == c[i] || b[i] == 1);
  if (!fits || a[rank - 2] != c[rank - 2] || b[rank - 1] != c[rank - 1] || a[rank - 1] != b[rank - 2])
    return emitOpError() << "cannot multiply lhs [" << a << "] and rhs [" << b << "] to dst [" << c << "]";
  if (dst.getOffset() != 0)
    return emitOpError() << "dst must be written from its first element on, got an offset of " << dst.getOffset();
  if (!getRhsLayoutAttr() && element != getElementTypeOrSelf(getRhs()))
    return emitOpError() << "lhs and rhs must have one element type, got " << getElementTypeOrSelf(getLhs()) << " and " << getElementTypeOrSelf(getRhs());
  if (failed(verifyView(*this, "lhs", getLhs(), lhs)) || (!getRhsLayoutAttr() && failed(verifyView(*this, "rhs", getRhs(), rhs))) || failed(verifyView(*this, "dst", getDst(), dst)))
    return failure();
  if (getBias() && failed(verifyBroadcast(*this, "bias", getBias(), biasView(*this, rank), c)))
    return failure();
  if (getPostOperandViewsAttr() && getPostOperandViewsAttr().size() != getPostOperands().size())
    return emitOpError() << "must have one view for each of the " << getPostOperands().size() << " operands, got " << getPostOperandViewsAttr().size();
  for (auto [index, operand] : llvm::enumerate(getPostOperands()))
    if (failed(verifyBroadcast(*this, "operand", operand, operandView(*this, index), c)))
      return failure();
  return failure(failed(verifyPostOps(*this, getPostOps(), getPostOperands().size())) || failed(verifyDestinations(*this)));
}

int64_t MatmulOp::getPlanKind() { return static_cast<int64_t>(plan::Kind::Matmul); }

SmallVector<int64_t> MatmulOp::getPlanWords() {
  plan::Matmul result;
  result.a = encode(getLhs(), getLhsViewAttr());
  result.b = getRhsLayoutAttr() ? encodePacked(getRhsLayoutAttr(), getElementTypeOrSelf(getLhs())) : encode(getRhs(), getRhsViewAttr());
  result.c = encode(getDst(), getDstViewAttr());
  if (getBias())
    result.bias = encode(getBias(), biasView(*this, result.c.dims.size()));
  std::vector<plan::Tensor> operands;
  for (auto [index, operand] : llvm::enumerate(getPostOperands()))
    operands.push_back(encode(operand, operandView(*this, index)));
  result.postOps = encodePostOps(getPostOps(), std::move(operands));
  return encodeWords(result, getWorkspaceBytes());
}

SmallVector<Value> MatmulOp::getPlanBuffers() {
  SmallVector<Value> buffers{getLhs(), getRhs(), getDst()};
  if (getBias())
    buffers.push_back(getBias());
  llvm::append_range(buffers, getPostOperands());
  buffers.push_back(getWorkspace());
  return buffers;
}

bool MatmulOp::readsInit(int64_t init) { return init == 0 && hasSum(getPostOps()); }

void MatmulOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { destinationEffects(*this, effects); }

} // namespace mlir::raf::dnnl
