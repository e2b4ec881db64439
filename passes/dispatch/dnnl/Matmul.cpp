// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dnnl/Encode.h"
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "passes/codegen-cpu/Contraction.h"
#include "passes/dispatch/dnnl/Epilogue.h"
#include "runtime/include/raf_runtime.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

static TracedView traceStored(Value value, Through through) {
  TracedView traced = trace(value, through);
  if (!through.slices || isStored(traced.base))
    return traced;
  through.slices = false;
  return trace(value, through);
}

TracedView mlir::raf::dispatch::traceOperand(Value value, bool transpose, bool slices) {
  TracedView traced = traceStored(value, {/*broadcasts=*/true, slices});
  View batch = traced.view;
  View matrix;
  for (int i = 0; i < 2; ++i) {
    matrix.dims.push_back(batch.dims.pop_back_val());
    matrix.strides.push_back(batch.strides.pop_back_val());
  }
  if (matrix.hasBroadcast())
    traced = traceStored(value, {/*broadcasts=*/false, slices});
  if (transpose)
    traced.view.swapLastTwo();
  return traced;
}

static dnnl::ViewAttr attrOf(const TracedView &traced) {
  return viewAttr(traced.base.getContext(), traced.view.normalized(), cast<RankedTensorType>(traced.base.getType()).getShape());
}

static PlanOpInterface build(RewriterBase &rewriter, Operation *at, const TracedView &lhs, const TracedView &rhs, const Epilogue &epilogue) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(at);
  MLIRContext *context = rewriter.getContext();
  Location loc = at->getLoc();
  Type type = epilogue.result.getType();
  Value destination = epilogue.accumulator ? epilogue.accumulator : emptyTensor(rewriter, loc, type);
  SmallVector<Value> operands;
  SmallVector<Attribute> views;
  bool dense = true;
  for (const TracedView &operand : epilogue.operands) {
    ArrayRef<int64_t> shape = cast<RankedTensorType>(operand.base.getType()).getShape();
    View view = operand.view.normalized();
    operands.push_back(operand.base);
    views.push_back(dnnl::ViewAttr::get(context, view.dims, view.strides));
    dense = dense && view == View::dense(shape);
  }
  dnnl::ViewAttr biasView;
  if (epilogue.bias) {
    // A vector is read along the last dimension without a view.
    auto bias = cast<RankedTensorType>(epilogue.bias->base.getType());
    View view = epilogue.bias->view.normalized();
    if (bias.getRank() != 1 || view.dims.back() != bias.getDimSize(0))
      biasView = dnnl::ViewAttr::get(context, view.dims, view.strides);
  }
  return dnnl::MatmulOp::create(rewriter, loc, TypeRange(type), lhs.base, rhs.base, epilogue.bias ? epilogue.bias->base : Value(), operands, destination, Value(),
                                rewriter.getArrayAttr(epilogue.postOps), attrOf(lhs), attrOf(rhs), biasView,
                                dense ? ArrayAttr() : rewriter.getArrayAttr(views),
                                viewAttr(context, epilogue.store->normalized(), cast<RankedTensorType>(type).getShape()), dnnl::BlockedAttr());
}

// Whether the library would write an operand of the post-ops out to the size of the result before the product. It does where the operand is one number a row: to read what it
// wrote costs more than the pass that is saved. One number a column is read as it lies, so what such a plan needs less is that copy.
static bool writesOut(dnnl::MatmulOp op) {
  SmallVector<int64_t> words = op.getPlanWords();
  dnnl::plan::Matmul plan;
  int64_t planned = 0, kind = op.getPlanKind(), asItIs = 0, byColumns = 0;
  if (!dnnl::plan::decode(words.data(), words.size(), plan, planned))
    return false;
  bool changed = false;
  auto makeColumns = [&](dnnl::plan::Tensor &operand) {
    std::vector<int64_t> row(plan.c.dims.size(), 1);
    row.back() = plan.c.dims.back();
    if (!operand.present() || operand.dims == plan.c.dims || operand.dims == row)
      return;
    operand = dnnl::plan::Tensor::dense(operand.type, row);
    changed = true;
  };
  makeColumns(plan.bias);
  for (dnnl::plan::PostOp &postOp : plan.postOps)
    makeColumns(postOp.operand);
  if (!changed)
    return false;
  std::vector<int64_t> others = dnnl::plan::encode(plan);
  if (raf_rt_dnnl_workspace(kind, words.data(), words.size(), &asItIs) != RAF_RT_OK || raf_rt_dnnl_workspace(kind, others.data(), others.size(), &byColumns) != RAF_RT_OK)
    return false;
  auto result = cast<RankedTensorType>(op.getDst().getType());
  return asItIs - byColumns >= result.getNumElements() * result.getElementTypeBitWidth() / 8;
}

// Where one of several readers wants the result transposed, it is stored so, and the others read it through the inverse transpose, which generated code does in
// passing.
static void storeAsTransposed(mlir::raf::MatmulOp op, RewriterBase &rewriter) {
  TransposeOp transpose;
  Value y = op.getY();
  if (y.hasOneUse())
    return;
  for (Operation *user : y.getUsers()) {
    bool isTranspose = isa<TransposeOp>(user);
    if ((isTranspose && transpose) || user->getBlock() != op->getBlock() || (!isTranspose && !user->hasTrait<OpTrait::Elementwise>()))
      return;
    if (isTranspose)
      transpose = cast<TransposeOp>(user);
  }
  ArrayRef<int64_t> permutation = transpose ? transpose.getPermutation() : ArrayRef<int64_t>();
  // The last dimension stays innermost, or rows would be stored element by element.
  if (permutation.empty() || permutation.back() != static_cast<int64_t>(permutation.size()) - 1)
    return;
  rewriter.moveOpAfter(transpose, op);
  rewriter.setInsertionPointAfter(transpose);
  Value back = TransposeOp::create(rewriter, op.getLoc(), transpose.getY(), invertPermutationVector(permutation));
  rewriter.replaceUsesWithIf(y, back, [&](OpOperand &use) { return use.getOwner() != transpose; });
}

FailureOr<unsigned> mlir::raf::dispatch::applyMatmul(Operation *op, RewriterBase &rewriter, std::string &reason) {
  auto matmul = cast<mlir::raf::MatmulOp>(op);
  if (!areLegalTypes(op->getOperands(), reason) || !areLegalTypes(op->getResults(), reason))
    return failure();
  TracedView lhs = traceOperand(matmul.getLhs(), matmul.getTransposeLhs(), /*slices=*/true);
  TracedView rhs = traceOperand(matmul.getRhs(), matmul.getTransposeRhs(), /*slices=*/true);
  Value y = matmul.getY();
  int64_t feature = matmul.getType().getRank() - 1;
  storeAsTransposed(matmul, rewriter);

  return fuse(op, y, findChain(y, /*moves=*/true), feature, rewriter, reason, [&](Operation *at, const Epilogue &epilogue) -> PlanOpInterface {
    auto candidate = cast<dnnl::MatmulOp>(build(rewriter, at, lhs, rhs, epilogue).getOperation());
    if (!writesOut(candidate))
      return candidate;
    rewriter.eraseOp(candidate);
    return {};
  });
}

// Where each matrix is small, what a call of the library's kernels costs for each of them counts: on two threads of a Zen 4 oneDNN 3.2 multiplies 32 pairs of 64 x 64 in bf16 at 240 to 275 GFLOP/s, generated
// code at 310 to 350. Both operands of a matrix are in the second cache then. What is not seen from there: blocks that are filled up, and operands that generated code cannot read where they lie. In f32
// generated code is faster too where a product is timed alone (165 to 200 against 85 to 175), but steps did not become shorter by it. Processors with tiles (AMX), which the library uses, were not measured.
std::optional<std::string> mlir::raf::dispatch::isSlowerMatmul(Operation *op) {
  constexpr double kMostFill = 1.07;
  constexpr int64_t kLeast = 16, kLeastWork = 1 << 16; // rows, columns and depth, and multiplications of a matrix
  auto matmul = cast<mlir::raf::MatmulOp>(op);
  RankedTensorType type = matmul.getType();
  int64_t rank = type.getRank(), matrices = 1;
  for (int64_t dim : type.getShape().drop_back(2))
    matrices *= dim;
  auto lhsShape = cast<RankedTensorType>(matmul.getLhs().getType()).getShape();
  int64_t m = type.getDimSize(rank - 2), n = type.getDimSize(rank - 1), k = lhsShape[matmul.getTransposeLhs() ? rank - 2 : rank - 1];
  Type element = getElementTypeOrSelf(matmul.getLhs().getType());
  CpuModel cpu = CpuModel::host({});
  bool isKnown = element.isBF16() && CpuModel::hostHasPairedDot() && !CpuModel::hostHasTiles();
  if (matrices < 2 || !isKnown || std::min({m, n, k}) < kLeast || m * n * k < kLeastWork)
    return std::nullopt;
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  if ((m + n) * k * bytes > cpu.l2Bytes / 2 || fillOfBlocks(m, n, sizeof(float), cpu) > kMostFill)
    return std::nullopt;
  auto loops = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  for (Value operand : {matmul.getLhs(), matmul.getRhs()}) {
    TracedView traced = trace(operand, {/*broadcasts=*/true, /*slices=*/true});
    bool moved = traced.base != operand;
    if (traced.view.hasBroadcast() || (moved && !readWhereItLies(operand, loops, rank)))
      return std::nullopt;
  }
  return "a call for each of " + std::to_string(matrices) + " small matrices takes longer than generated code for all of them";
}
