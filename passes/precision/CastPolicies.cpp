// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The policy of each op. What is not listed keeps f32: sums, losses, softmax, exponentials and what else loses range or accuracy in 16 bits, updates, random numbers, control flow.
#include "dialects/raf/Dialect.h"
#include "dialects/raf/Ops.h"
#include "dialects/raf/interfaces/Interfaces.h"
#include "passes/precision/Passes.h"

using namespace mlir;
using namespace mlir::raf;

namespace {
// Products of matrices: almost all arithmetic of a step, on 16-bit operands with sums in f32.
template <typename Op>
struct Product : CastPolicyOpInterface::ExternalModel<Product<Op>, Op> {
  CastPolicy getCastPolicy(Operation *) const { return CastPolicy::compute; }
  bool mayWiden(Operation *) const { return true; }
};

// Attention has such products; its softmax is computed in f32 inside.
template <typename Op>
struct Compute : CastPolicyOpInterface::ExternalModel<Compute<Op>, Op> {
  CastPolicy getCastPolicy(Operation *) const { return CastPolicy::compute; }
};

template <typename Op>
struct Follow : CastPolicyOpInterface::ExternalModel<Follow<Op>, Op> {
  CastPolicy getCastPolicy(Operation *) const { return CastPolicy::follow; }
};

// Normalizations compute in f32 inside, whatever x is; parameters and statistics stay f32. `data` is the number of operands that are activations; y or dx is the first result.
template <typename Op, unsigned data>
struct Normalization : CastPolicyOpInterface::ExternalModel<Normalization<Op, data>, Op> {
  CastPolicy getCastPolicy(Operation *) const { return CastPolicy::follow; }
  bool keepsOperand(Operation *, unsigned operand) const { return operand >= data; }
  bool keepsResult(Operation *, unsigned result) const { return result > 0; }
};

// A maximum is one of the operands, in whatever type.
struct Extremum : CastPolicyOpInterface::ExternalModel<Extremum, ReduceOp> {
  CastPolicy getCastPolicy(Operation *op) const {
    ReduceKind kind = cast<ReduceOp>(op).getKind();
    return kind == ReduceKind::max || kind == ReduceKind::min ? CastPolicy::follow : CastPolicy::keep;
  }
};

template <template <typename> typename Model, typename... Ops>
void attach(MLIRContext *context) {
  (Ops::template attachInterface<Model<Ops>>(*context), ...);
}
} // namespace

void mlir::raf::registerPrecisionExtensions(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, RAFDialect *) {
    attach<Product, MatmulOp, ConvOp, ConvInputGradOp, ConvWeightGradOp>(context);
    attach<Compute, AttentionOp>(context);
    // One rounding an op, as for any 16-bit arithmetic.
    attach<Follow, NegOp, AbsOp, SignOp, FloorOp, CeilOp, RoundOp, TanhOp, SigmoidOp, ReluOp, SiluOp, GeluOp, AddOp, SubOp, MulOp, DivOp, MaximumOp, MinimumOp, SqrtOp, DropoutOp>(
        context);
    // No rounding at all.
    attach<Follow, CompareOp, SelectOp, IsNanOp, BroadcastOp, ReshapeOp, TransposeOp, SliceOp, PadOp, ConcatOp, ReverseOp, BarrierOp, GatherOp, TakeAlongAxisOp, DynamicSliceOp,
           DynamicUpdateSliceOp, ArgReduceOp, MaxPoolOp>(context);
    ReduceOp::attachInterface<Extremum>(*context);
    // Sums over a window, in f32 inside.
    attach<Follow, MaxPoolGradOp, AvgPoolOp, AvgPoolGradOp>(context);
    LayerNormOp::attachInterface<Normalization<LayerNormOp, 1>>(*context);
    RmsNormOp::attachInterface<Normalization<RmsNormOp, 1>>(*context);
    BatchNormOp::attachInterface<Normalization<BatchNormOp, 1>>(*context);
    BatchNormGradOp::attachInterface<Normalization<BatchNormGradOp, 2>>(*context);
  });
}
