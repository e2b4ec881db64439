// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From types and attributes to the runtime's description of plans, and checks that the families share.
#ifndef RAF_DIALECTS_DNNL_ENCODE_H
#define RAF_DIALECTS_DNNL_ENCODE_H

#include "dialects/dnnl/Ops.h"
#include "runtime/include/raf_dnnl.h"

namespace mlir::raf::dnnl {

namespace plan = ::raf::rt::plan;

/// The view through which a tensor without one is read.
ViewAttr denseView(ShapedType type);
ViewAttr denseView(MLIRContext *context, ArrayRef<int64_t> shape);

/// Of the floating-point types that the verifiers let pass; any other is a fault of the compiler and ends it.
plan::Type encodeType(Type element);
/// A tensor read through a view.
plan::Tensor encode(Value value, ViewAttr view);
/// A dense tensor with its own dimensions.
plan::Tensor encode(Value value);
/// Packed weights of this element type.
plan::Tensor encodePacked(BlockedAttr layout, Type element);
/// The dimensions of weights, packed or not.
ArrayRef<int64_t> weightDims(Value weights, BlockedAttr layout);
/// An activation of a convolution, pool or normalization: logical dims [n, c, spatial...] in either layout.
plan::Tensor encodeActivation(Value value, Layout layout);
std::vector<int64_t> encodeInts(ArrayRef<int64_t> values);
/// The plan's dilations, of which 1 is dense too.
template <typename Plan, typename Op>
void encodeWindow(Plan &result, Op op) {
  result.strides = encodeInts(op.getStrides());
  result.dilations = encodeInts(op.getDilations());
  result.padBegin = encodeInts(op.getPadLow());
  result.padEnd = encodeInts(op.getPadHigh());
}
/// The post-ops; `operands` describes those of the binary ones in order.
std::vector<plan::PostOp> encodePostOps(ArrayAttr postOps, std::vector<plan::Tensor> operands);

template <typename Plan>
SmallVector<int64_t> encodeWords(const Plan &plan, int64_t workspace) {
  std::vector<int64_t> words = plan::encode(plan, workspace);
  return SmallVector<int64_t>(words.begin(), words.end());
}

bool hasSum(ArrayAttr postOps);
/// Checks the destinations against the results, and the count of operands against the post-ops.
LogicalResult verifyDestinations(Operation *op);
LogicalResult verifyPostOps(Operation *op, ArrayAttr postOps, int64_t operands);
/// Checks that the value has this shape and, where `element` is given, that element type.
LogicalResult verifyShape(Operation *op, StringRef name, Value value, ArrayRef<int64_t> shape, Type element = {});

/// Checks that the view stays inside the value.
LogicalResult verifyView(Operation *op, StringRef name, Value value, ViewAttr view);
/// Checks that the value has room for weights in this layout, as bytes or, where the op takes that, as exactly its elements; without a layout, that it is not packed.
LogicalResult verifyPacked(Operation *op, StringRef name, Value value, BlockedAttr layout, Type element, bool mayBeElements = false);

/// On buffers inputs are read, destinations written, and read where the op says so; on tensors there are no effects.
void destinationEffects(Operation *op, SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects);

} // namespace mlir::raf::dnnl

#endif // RAF_DIALECTS_DNNL_ENCODE_H
