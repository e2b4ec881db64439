// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dnnl/Encode.h"

namespace mlir::raf::dnnl {

LogicalResult ReorderOp::verify() {
  ViewAttr view = getSrcViewAttr() ? getSrcViewAttr() : denseView(cast<ShapedType>(getSrc().getType()));
  BlockedAttr from = getSrcLayoutAttr();
  if (from && getSrcViewAttr())
    return emitOpError() << "src must have a layout or a view, got both";
  ArrayRef<int64_t> dims = from ? from.getDims() : view.getDims();
  if (dims != getLayout().getDims())
    return emitOpError() << "layout must have the dimensions of src [" << dims << "], got [" << getLayout().getDims() << "]";
  if (failed(verifyView(*this, "src", getSrc(), view)) || failed(verifyPacked(*this, "src", getSrc(), from, getElementTypeOrSelf(getSrc()), /*mayBeElements=*/true)))
    return failure();
  return failure(failed(verifyPacked(*this, "dst", getDst(), getLayout(), getElementTypeOrSelf(getSrc()))) || failed(verifyDestinations(*this)));
}

int64_t ReorderOp::getPlanKind() { return static_cast<int64_t>(plan::Kind::Reorder); }

SmallVector<int64_t> ReorderOp::getPlanWords() {
  plan::Reorder result;
  result.src = getSrcLayoutAttr() ? encodePacked(getSrcLayoutAttr(), getElementTypeOrSelf(getSrc())) : encode(getSrc(), getSrcViewAttr());
  result.dst = encodePacked(getLayout(), getElementTypeOrSelf(getSrc()));
  return encodeWords(result, getWorkspaceBytes());
}

SmallVector<Value> ReorderOp::getPlanBuffers() { return {getSrc(), getDst(), getWorkspace()}; }

void ReorderOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) { destinationEffects(*this, effects); }

} // namespace mlir::raf::dnnl
