// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/dispatch/dnnl/Epilogue.h"
#include "dialects/raf/Ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;
using dnnl::PostOpAttr;
using dnnl::PostOpKind;

static ArrayRef<int64_t> shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

std::optional<double> mlir::raf::dispatch::splatValue(Value value) {
  while (auto broadcast = value.getDefiningOp<BroadcastOp>())
    value = broadcast.getX();
  DenseElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat() || !isa<FloatType>(constant.getElementType()))
    return std::nullopt;
  return constant.getSplatValue<APFloat>().convertToDouble();
}

static std::optional<PostOpKind> unaryKind(Operation *op) {
  if (isa<ReluOp>(op))
    return PostOpKind::relu;
  if (auto gelu = dyn_cast<GeluOp>(op))
    return gelu.getKind() == GeluKind::erf ? PostOpKind::gelu_erf : PostOpKind::gelu_tanh;
  if (isa<TanhOp>(op))
    return PostOpKind::tanh;
  if (isa<SigmoidOp>(op))
    return PostOpKind::sigmoid;
  if (isa<SiluOp>(op))
    return PostOpKind::silu;
  return std::nullopt;
}

// The link that `op` makes after `value`, or none.
static std::optional<ChainLink> makeLink(Operation *op, Value value, ArrayRef<Operation *> moves) {
  MLIRContext *context = op->getContext();
  if (std::optional<PostOpKind> kind = unaryKind(op))
    return ChainLink{op, kind, PostOpAttr::get(context, *kind), {}};

  if (!isa<AddOp, SubOp, MulOp>(op))
    return std::nullopt;
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  if (lhs == rhs || (isa<SubOp>(op) && rhs == value))
    return std::nullopt;
  Value other = lhs == value ? rhs : lhs;
  PostOpKind kind = isa<AddOp>(op) ? PostOpKind::add : isa<SubOp>(op) ? PostOpKind::sub : PostOpKind::mul;
  if (std::optional<double> splat = splatValue(other)) {
    auto number = [&](double number) { return FloatAttr::get(Float64Type::get(context), number); };
    double alpha = kind == PostOpKind::mul ? *splat : 1.0, beta = kind == PostOpKind::add ? *splat : kind == PostOpKind::sub ? -*splat : 0.0;
    return ChainLink{op, PostOpKind::linear, PostOpAttr::get(context, PostOpKind::linear, number(alpha), number(beta)), {}};
  }
  // Code generation reads these in passing, together with the addition; for the library they would have to be stored first.
  if (isa_and_nonnull<SliceOp, PadOp, ConcatOp, GatherOp>(other.getDefiningOp()) && other.hasOneUse())
    return std::nullopt;
  TracedView operand = trace(other, {/*broadcasts=*/true, /*slices=*/false});
  std::optional<View> view = pullBack(operand.view, moves);
  if (!view) {
    operand = {other, View::dense(shapeOf(other))};
    if (!(view = pullBack(operand.view, moves)))
      return std::nullopt;
  }
  operand.view = *view;
  return ChainLink{op, kind, PostOpAttr::get(context, kind), std::move(operand)};
}

// Whether the value may be overwritten by a sum: nobody else reads it, and it is not somebody else's storage.
static bool isOwned(Value value) {
  // A donated argument, such as the sum that a loop carries, is overwritten by the result that replaces it.
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto func = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    auto results = llvm::seq<unsigned>(0, func ? func.getNumResults() : 0);
    return value.hasOneUse() && llvm::any_of(results, [&](unsigned k) {
             auto alias = func.getResultAttrOfType<IntegerAttr>(k, "raf.alias");
             return alias && alias.getInt() == argument.getArgNumber();
           });
  }
  Operation *op = value.getDefiningOp();
  return op && value.hasOneUse() && !isa<ReshapeOp, ConstantOp>(op) && !op->hasTrait<OpTrait::ConstantLike>();
}

SmallVector<ChainLink> mlir::raf::dispatch::findChain(Value result, bool allowMoves) {
  SmallVector<ChainLink> chain;
  SmallVector<Operation *> moves;
  Value value = result;
  unsigned postOps = 0;
  bool accumulated = false;
  while (value.hasOneUse() && postOps < 8) {
    Operation *op = *value.user_begin();
    if (op->getBlock() != result.getParentBlock())
      break;
    if (isa<TransposeOp, ReshapeOp>(op)) {
      moves.push_back(op);
      if (!allowMoves || !pullBack(View::dense(shapeOf(op->getResult(0))), moves))
        break;
      chain.push_back({op, std::nullopt, {}, {}});
    } else {
      std::optional<ChainLink> link = makeLink(op, value, moves);
      if (!link)
        break;
      // Of a long sum each product adds to what is there, so that all share one buffer; the next addition is for the product on its other side.
      bool accumulates = link->kind == PostOpKind::add && link->operand.base.getType() == op->getResult(0).getType() && isOwned(link->operand.base);
      if (accumulates && accumulated)
        break;
      accumulated |= accumulates;
      chain.push_back(std::move(*link));
      ++postOps;
    }
    value = op->getResult(0);
  }
  return chain;
}

std::optional<Epilogue> mlir::raf::dispatch::describe(Value first, ArrayRef<ChainLink> chain, int64_t feature) {
  // A reshape at the end belongs to whoever comes after.
  while (!chain.empty() && isa<ReshapeOp>(chain.back().op))
    chain = chain.drop_back();
  Epilogue result;
  result.result = chain.empty() ? first : chain.back().op->getResult(0);
  SmallVector<Operation *> moves;
  for (const ChainLink &link : chain)
    if (!link.kind)
      moves.push_back(link.op);
  result.store = pullBack(View::dense(shapeOf(result.result)), moves);
  if (!result.store)
    return std::nullopt;

  for (const ChainLink &link : chain) {
    if (!link.kind)
      continue;
    if (!link.postOp.isBinary()) {
      result.postOps.push_back(link.postOp);
      continue;
    }
    const TracedView &operand = link.operand;
    bool alongFeature = true;
    for (auto [dim, stride] : llvm::enumerate(operand.view.strides))
      alongFeature = alongFeature && (static_cast<int64_t>(dim) == feature ? stride == 1 || operand.view.dims[dim] == 1 : stride == 0 || operand.view.dims[dim] == 1);
    if (*link.kind == PostOpKind::add && alongFeature && !result.bias && result.postOps.empty()) {
      result.bias = operand;
    } else if (*link.kind == PostOpKind::add && !result.accumulator && isOwned(operand.base) && operand.base.getType() == result.result.getType() &&
               operand.view == *result.store) {
      result.accumulator = operand.base;
      result.postOps.push_back(PostOpAttr::get(link.op->getContext(), PostOpKind::sum));
    } else {
      result.postOps.push_back(link.postOp);
      result.operands.push_back(operand);
    }
  }
  return result;
}

FailureOr<unsigned> mlir::raf::dispatch::fuse(Operation *op, Value y, SmallVector<ChainLink> chain, int64_t feature, RewriterBase &rewriter, std::string &reason,
                                              function_ref<PlanOpInterface(Operation *, const Epilogue &)> build) {
  // The library may have no kernel with all that follows, so shorter and shorter chains are tried.
  for (;; chain.pop_back()) {
    std::optional<Epilogue> epilogue = describe(y, chain, feature);
    Operation *last = epilogue ? epilogue->result.getDefiningOp() : nullptr;
    PlanOpInterface candidate = epilogue ? build(last, *epilogue) : PlanOpInterface();
    if (candidate) {
      FailureOr<PlanOpInterface> completed = complete(candidate, rewriter, reason);
      if (succeeded(completed)) {
        rewriter.replaceAllUsesWith(epilogue->result, (*completed)->getResult(0));
        SmallVector<Operation *> covered;
        for (const ChainLink &link : chain) {
          if (last == op)
            break;
          covered.push_back(link.op);
          if (link.op == last)
            break;
        }
        SmallVector<Location> locations = {op->getLoc()};
        for (Operation *dead : covered)
          locations.push_back(dead->getLoc());
        (*completed)->setLoc(rewriter.getFusedLoc(locations));
        for (Operation *dead : llvm::reverse(covered))
          rewriter.eraseOp(dead);
        rewriter.eraseOp(op);
        return static_cast<unsigned>(covered.size());
      }
      rewriter.eraseOp(candidate);
    }
    if (chain.empty())
      return failure();
  }
}
