// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products with the gradients of activations and of biases. The library's gradient of an activation reads what its forward product has kept, so that the two are taken
// together; the formulas that are recognized are those that raf-autodiff writes.
#include "dialects/raf/Folding.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/dispatch/cublas/Cublas.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::dispatch;

namespace {
using Is = function_ref<bool(Value)>;

template <typename Op>
bool isOf(Value value, Is first, Is second) {
  auto op = value.getDefiningOp<Op>();
  return op && ((first(op.getLhs()) && second(op.getRhs())) ||
                (!std::is_same_v<Op, raf::SubOp> && first(op.getRhs()) && second(op.getLhs())));
}

// The derivative of the tanh form of gelu at z, perhaps in a narrower type than it was computed in.
struct GeluSlope {
  Value z;

  bool matches(Value value) const {
    const double a = 0.7978845608028654, b = 0.044715; // sqrt(2 / pi)
    if (auto cast = value.getDefiningOp<raf::CastOp>())
      value = cast.getX();
    auto isZ = [&](Value v) { return this->isZ(v); };
    auto tanh = [&](Value v) {
      auto op = v.getDefiningOp<raf::TanhOp>();
      return op && isOf<MulOp>(op.getX(), [&](Value w) { return isOf<MulOp>(w, isZ, [&](Value p) { return parabola(p, b); }); }, number(a));
    };
    auto half = [&](Value v) { return isOf<MulOp>(v, [&](Value w) { return isOf<AddOp>(w, tanh, number(1)); }, number(0.5)); };
    auto slopeOfTanh = [&](Value v) { return isOf<SubOp>(v, number(1), [&](Value w) { return isOf<MulOp>(w, tanh, tanh); }); };
    auto inner = [&](Value v) { return isOf<MulOp>(v, [&](Value p) { return parabola(p, 3 * b); }, number(a / 2)); };
    auto rest = [&](Value v) { return isOf<MulOp>(v, [&](Value w) { return isOf<MulOp>(w, isZ, slopeOfTanh); }, inner); };
    return isOf<AddOp>(value, half, rest);
  }

private:
  // z, as it is or in the type in which formulas are computed.
  bool isZ(Value value) const {
    auto cast = value.getDefiningOp<raf::CastOp>();
    return value == z || (cast && cast.getX() == z);
  }
  static std::function<bool(Value)> number(double expected) {
    return [expected](Value value) {
      std::optional<double> splat = splatValue(value);
      return splat && std::abs(*splat - expected) <= 1e-5 * expected;
    };
  }
  // 1 + factor z^2
  bool parabola(Value value, double factor) const {
    auto isZ = [&](Value v) { return this->isZ(v); };
    auto square = [&](Value v) { return isOf<MulOp>(v, isZ, isZ); };
    return isOf<AddOp>(value, [&](Value v) { return isOf<MulOp>(v, square, number(factor)); }, number(1));
  }
};

// dz = dy * activation'(z), where dy is a product that nobody else reads.
struct Gradient {
  raf::MatmulOp product;
  Operation *at; // dy * activation'(z), perhaps in a wider type
  Operation *op; // makes dz
  // The sum of dz over all but its last dimension.
  raf::ReduceOp sum;
  /// The same in the wider type.
  SmallVector<raf::ReduceOp> wideSums;
};

struct Activated {
  Operation *op;
  SmallVector<Gradient> gradients;
};
} // namespace

static ArrayRef<int64_t> shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

static bool isZero(Value value) {
  std::optional<double> splat = splatValue(value);
  return splat && *splat == 0;
}

// All dimensions but the last.
static SmallVector<int64_t> rows(Value value) { return llvm::to_vector(llvm::seq<int64_t>(0, shapeOf(value).size() - 1)); }

static raf::ReduceOp sumOver(Value value, ArrayRef<int64_t> dims, Type element) {
  for (Operation *user : value.getUsers())
    if (auto reduce = dyn_cast<raf::ReduceOp>(user);
        reduce && reduce.getKind() == ReduceKind::sum && reduce.getDims() == dims && getElementTypeOrSelf(reduce.getY()) == element)
      return reduce;
  return {};
}

// The product that dy is, reshaped or widened.
static raf::MatmulOp productBehind(Value dy) {
  while (dy.hasOneUse()) {
    Operation *op = dy.getDefiningOp();
    if (auto matmul = dyn_cast_or_null<raf::MatmulOp>(op))
      return matmul;
    if (!isa_and_nonnull<ReshapeOp, CastOp>(op))
      break;
    dy = op->getOperand(0);
  }
  return {};
}

// `multiplied`: dy * activation'(z), perhaps in a wider type.
static std::optional<Gradient> gradientOf(Operation *multiplied, Value dy, Value z) {
  Type element = getElementTypeOrSelf(z);
  Gradient result{{}, multiplied, multiplied, {}, {}};
  if (getElementTypeOrSelf(multiplied->getResult(0)) != element) {
    result.op = nullptr;
    for (Operation *user : multiplied->getUsers()) {
      auto sum = dyn_cast<raf::ReduceOp>(user);
      if (sum && sum.getKind() == ReduceKind::sum && sum.getDims() == ArrayRef<int64_t>(rows(multiplied->getResult(0))))
        result.wideSums.push_back(sum);
      else if (isa<raf::CastOp>(user) && !result.op && getElementTypeOrSelf(user->getResult(0)) == element)
        result.op = user;
      else
        return std::nullopt;
    }
    if (!result.op)
      return std::nullopt;
  }
  Operation *op = result.op;
  raf::MatmulOp product = productBehind(dy);
  // It may have been widened for the formula.
  if (!product || product->getBlock() != op->getBlock() || getElementTypeOrSelf(product.getLhs()) != element || shapeOf(product.getY()).back() != shapeOf(z).back())
    return std::nullopt;
  result.product = product;
  result.sum = sumOver(op->getResult(0), rows(op->getResult(0)), element);
  return result;
}

// z is read by gelu, and by gradients of products only: what it is then need not be stored.
static std::optional<Activated> findGelu(Value z) {
  Operation *gelu = nullptr;
  for (Operation *user : z.getUsers())
    if (auto op = dyn_cast<raf::GeluOp>(user); op && op.getKind() == GeluKind::tanh)
      gelu = op;
  if (!gelu || z.hasOneUse())
    return std::nullopt;
  Activated result{gelu, {}};
  llvm::SetVector<Operation *> inside;
  inside.insert(gelu);
  GeluSlope slope{z};
  llvm::SmallPtrSet<Operation *, 4> ends;
  for (Operation *op = gelu->getNextNode(); op; op = op->getNextNode()) {
    auto mul = dyn_cast<raf::MulOp>(op);
    if (!mul || inside.contains(op))
      continue;
    for (auto [factor, dy] : {std::pair(mul.getLhs(), mul.getRhs()), std::pair(mul.getRhs(), mul.getLhs())}) {
      if (!slope.matches(factor))
        continue;
      std::optional<Gradient> gradient = gradientOf(op, dy, z);
      if (!gradient)
        return std::nullopt;
      result.gradients.push_back(*gradient);
      ends.insert(op);
      SmallVector<Operation *> stack{factor.getDefiningOp()};
      while (!stack.empty()) {
        Operation *part = stack.pop_back_val();
        if (inside.insert(part))
          for (Value operand : part->getOperands())
            if (Operation *producer = operand.getDefiningOp(); operand != z && producer && !splatValue(operand))
              stack.push_back(producer);
      }
      break;
    }
  }
  auto staysInside = [&](Operation *user) { return inside.contains(user) || ends.contains(user); };
  if (!llvm::all_of(z.getUsers(), staysInside))
    return std::nullopt;
  for (Operation *op : inside)
    if (op != gelu && !llvm::all_of(op->getUsers(), staysInside))
      return std::nullopt;
  return result;
}

// Relu's gradient is read off its result, which others may read as well.
static std::optional<Activated> findRelu(raf::ReluOp relu) {
  Activated result{relu, {}};
  for (Operation *user : relu.getY().getUsers()) {
    auto compare = dyn_cast<raf::CompareOp>(user);
    if (!compare || compare.getKind() != CompareKind::gt || compare.getLhs() != relu.getY() || !isZero(compare.getRhs()))
      continue;
    for (Operation *user : compare.getResult().getUsers())
      if (auto select = dyn_cast<raf::SelectOp>(user); select && select.getPred() == compare.getResult() && isZero(select.getOnFalse()))
        if (std::optional<Gradient> gradient = gradientOf(select, select.getOnTrue(), relu.getX()))
          result.gradients.push_back(*gradient);
  }
  return result;
}

// Cuts the chain behind its activation, or adds that to a chain that ends where gradients read it too.
static std::optional<Activated> findActivation(Value y, SmallVector<ChainLink> &chain, const CudaSettings &settings) {
  for (size_t i = 0; i < chain.size(); ++i)
    if (auto relu = dyn_cast<raf::ReluOp>(chain[i].op)) {
      chain.truncate(i + 1);
      return settings.libraryRelu ? findRelu(relu) : std::nullopt;
    }
  Value z = chain.empty() ? y : chain.back().op->getResult(0);
  std::optional<Activated> gelu = findGelu(z);
  if (gelu)
    chain.push_back({gelu->op, dnnl::PostOpKind::gelu_tanh, dnnl::PostOpAttr::get(y.getContext(), dnnl::PostOpKind::gelu_tanh), {}});
  return gelu;
}

static unsigned eraseDead(ArrayRef<Operation *> ops, RewriterBase &rewriter) {
  llvm::SetVector<Operation *> dead(ops.begin(), ops.end());
  unsigned erased = 0;
  while (!dead.empty()) {
    Operation *op = dead.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        dead.insert(producer);
    rewriter.eraseOp(op);
    ++erased;
  }
  return erased;
}

FailureOr<unsigned> mlir::raf::dispatch::applyWithGradients(raf::MatmulOp matmul, RewriterBase &rewriter, std::string &reason, const CudaSettings &settings) {
  Value y = matmul.getY();
  SmallVector<ChainLink> chain = findChain(y, /*moves=*/true);
  std::optional<Activated> activated = findActivation(y, chain, settings);
  if (!activated || activated->gradients.empty())
    return failure();
  std::optional<Epilogue> epilogue = describe(y, chain, matmul.getType().getRank() - 1);
  Product forward = productOf(matmul, /*traced=*/true, settings);
  // Both products count the rows of what is kept as they lie in memory.
  auto inOrder = [](Value stored, raf::MatmulOp product) { return View::dense(shapeOf(stored)).reshaped(shapeOf(product.getY())); };
  if (!epilogue || !addEpilogue(forward, *epilogue, settings) || !(inOrder(epilogue->result, matmul) == epilogue->store))
    return failure();
  forward.keeps = true;

  llvm::sort(activated->gradients, [](const Gradient &a, const Gradient &b) { return a.at->isBeforeInBlock(b.at); });
  SmallVector<Operation *> ops;
  for (Gradient &gradient : activated->gradients) {
    if (!inOrder(gradient.op->getResult(0), gradient.product))
      return failure();
    ops.push_back(gradient.at);
  }
  for (bool summed : {true, false}) {
    auto backward = [&](Operation *op, PlanOpInterface made) -> PlanOpInterface {
      Gradient &gradient = *llvm::find_if(activated->gradients, [&](Gradient &g) { return g.at == op; });
      Product product = productOf(gradient.product, /*traced=*/true, settings);
      product.activation = forward.activation;
      product.kept = made->getResult(1);
      product.type = cast<RankedTensorType>(gradient.op->getResult(0).getType());
      product.store = *inOrder(gradient.op->getResult(0), gradient.product);
      if (summed && gradient.sum)
        product.biasGradient = cublas::BiasGradient::of_result;
      return build(rewriter, op->getLoc(), product);
    };
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(activated->op);
    FailureOr<SmallVector<PlanOpInterface>> made =
        completeWithGradients(build(rewriter, activated->op->getLoc(), forward), ops, backward, rewriter, reason);
    if (failed(made))
      continue;
    SmallVector<Operation *> dead{activated->op};
    rewriter.replaceAllUsesWith(epilogue->result, made->front()->getResult(0));
    for (auto [gradient, op] : llvm::zip(activated->gradients, llvm::drop_begin(*made))) {
      rewriter.replaceAllUsesWith(gradient.op->getResult(0), op->getResult(0));
      dead.push_back(gradient.op);
      rewriter.setInsertionPointAfter(op);
      for (raf::ReduceOp sum : gradient.wideSums) {
        Value wide = raf::CastOp::create(rewriter, sum.getLoc(), sum.getX().getType(), op->getResult(0));
        rewriter.modifyOpInPlace(sum, [&] { sum->setOperand(0, wide); });
      }
      if (summed && gradient.sum) {
        rewriter.replaceAllUsesWith(gradient.sum.getY(), op->getResult(1));
        dead.push_back(gradient.sum);
      }
    }
    return eraseDead(dead, rewriter) - 1;
  }
  return failure();
}

// The sum of an operand of a product over the dimension that is contracted, behind a reshape that merges rows or not.
static raf::ReduceOp sumOfOperand(Value operand, int64_t dim, Type element) {
  if (raf::ReduceOp reduce = sumOver(operand, dim, element))
    return reduce;
  auto reshape = operand.getDefiningOp<raf::ReshapeOp>();
  if (!reshape || dim != 0 || shapeOf(reshape.getX()).back() != shapeOf(operand).back())
    return {};
  return sumOver(reshape.getX(), rows(reshape.getX()), element);
}

FailureOr<unsigned> mlir::raf::dispatch::applyWithSum(raf::MatmulOp matmul, RewriterBase &rewriter, std::string &reason, const CudaSettings &settings) {
  if (matmul.getType().getRank() != 2 || !findChain(matmul.getY(), /*moves=*/true).empty())
    return failure();
  Type element = matmul.getType().getElementType();
  for (cublas::BiasGradient of : {cublas::BiasGradient::of_rhs, cublas::BiasGradient::of_lhs}) {
    bool left = of == cublas::BiasGradient::of_lhs;
    raf::ReduceOp sum = left ? sumOfOperand(matmul.getLhs(), matmul.getTransposeLhs() ? 0 : 1, element) : sumOfOperand(matmul.getRhs(), matmul.getTransposeRhs() ? 1 : 0, element);
    auto comesLater = [&](Operation *user) { return user->getBlock() == matmul->getBlock() && matmul->isBeforeInBlock(user); };
    if (!sum || !llvm::all_of(sum->getUsers(), comesLater))
      continue;
    Product product = productOf(matmul, /*traced=*/true, settings);
    product.biasGradient = of;
    rewriter.setInsertionPoint(matmul);
    cublas::MatmulOp candidate = build(rewriter, matmul.getLoc(), product);
    FailureOr<PlanOpInterface> completed = complete(candidate, rewriter, reason);
    if (failed(completed)) {
      rewriter.eraseOp(candidate);
      continue;
    }
    (*completed)->setLoc(rewriter.getFusedLoc({matmul.getLoc(), sum.getLoc()}));
    rewriter.replaceOp(sum, (*completed)->getResult(1));
    rewriter.replaceOp(matmul, (*completed)->getResult(0));
    return 1u;
  }
  return failure();
}
