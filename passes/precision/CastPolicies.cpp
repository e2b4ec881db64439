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

// Attention and the loss of a product have such products inside, with softmax in f32 between them; sums over rows and losses are f32. Bit k of a set stands for operand or
// result k.
template <typename Op, unsigned operands, unsigned results>
struct Compute : CastPolicyOpInterface::ExternalModel<Compute<Op, operands, results>, Op> {
  CastPolicy getCastPolicy(Operation *) const { return CastPolicy::compute; }
  bool keepsOperand(Operation *, unsigned operand) const { return operands >> operand & 1; }
  bool keepsResult(Operation *, unsigned result) const { return results >> result & 1; }
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
    AttentionOp::attachInterface<Compute<AttentionOp, 0, 0b10>>(*context);             // lse
    AttentionGradOp::attachInterface<Compute<AttentionGradOp, 0b110000, 0>>(*context); // lse, delta
    LinearCrossEntropyOp::attachInterface<Compute<LinearCrossEntropyOp, 0, 0b11>>(*context);
    LinearCrossEntropyGradOp::attachInterface<Compute<LinearCrossEntropyGradOp, 0b1, 0b11>>(*context);
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
