// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/graph/Evaluate.h"
#include "dialects/raf/Ops.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>
#include <functional>

using namespace mlir;
using namespace mlir::raf;

namespace {

// Elements as f64 or, for integer types, as i64; `splat` keeps one for all.
struct Elements {
  RankedTensorType type;
  bool splat = false;
  std::vector<double> f;
  std::vector<int64_t> i;

  bool isFloat() const { return isa<FloatType>(type.getElementType()); }
  int64_t count() const { return splat ? 1 : type.getNumElements(); }
  int64_t at(int64_t index) const { return splat ? 0 : index; }
};

Elements read(DenseElementsAttr attribute) {
  Elements result{cast<RankedTensorType>(attribute.getType()), attribute.isSplat(), {}, {}};
  bool isBool = attribute.getElementType().isInteger(1);
  auto asDouble = [](APFloat value) {
    bool lost;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
    return value.convertToDouble();
  };
  auto asInt = [&](const APInt &value) { return isBool ? static_cast<int64_t>(value.getBoolValue()) : value.getSExtValue(); };
  if (result.isFloat()) {
    if (result.splat)
      result.f = {asDouble(attribute.getSplatValue<APFloat>())};
    else
      for (APFloat value : attribute.getValues<APFloat>())
        result.f.push_back(asDouble(value));
  } else {
    if (result.splat)
      result.i = {asInt(attribute.getSplatValue<APInt>())};
    else
      for (APInt value : attribute.getValues<APInt>())
        result.i.push_back(asInt(value));
  }
  return result;
}

DenseElementsAttr write(const Elements &elements) {
  Type element = elements.type.getElementType();
  if (auto floating = dyn_cast<FloatType>(element)) {
    SmallVector<APFloat> values;
    for (double number : elements.f) {
      APFloat value(number);
      bool lost;
      value.convert(floating.getFloatSemantics(), APFloat::rmNearestTiesToEven, &lost);
      values.push_back(value);
    }
    return DenseElementsAttr::get(elements.type, values);
  }
  SmallVector<APInt> values;
  unsigned width = element.getIntOrFloatBitWidth();
  for (int64_t number : elements.i)
    values.push_back(APInt(64, static_cast<uint64_t>(number)).trunc(width));
  return DenseElementsAttr::get(elements.type, values);
}

//===-- pointwise ------------------------------------------------------------------------------------------------===//

std::function<double(double)> floatUnary(Operation *op) {
  using F = std::function<double(double)>;
  return TypeSwitch<Operation *, F>(op)
      .Case([](NegOp) { return [](double x) { return -x; }; })
      .Case([](AbsOp) { return [](double x) { return std::fabs(x); }; })
      .Case([](SignOp) { return [](double x) { return std::isnan(x) ? x : x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; }; })
      .Case([](FloorOp) { return [](double x) { return std::floor(x); }; })
      .Case([](CeilOp) { return [](double x) { return std::ceil(x); }; })
      .Case([](RoundOp) { return [](double x) { return std::nearbyint(x); }; })
      .Case([](ExpOp) { return [](double x) { return std::exp(x); }; })
      .Case([](Expm1Op) { return [](double x) { return std::expm1(x); }; })
      .Case([](LogOp) { return [](double x) { return std::log(x); }; })
      .Case([](Log1pOp) { return [](double x) { return std::log1p(x); }; })
      .Case([](SqrtOp) { return [](double x) { return std::sqrt(x); }; })
      .Case([](RsqrtOp) { return [](double x) { return 1.0 / std::sqrt(x); }; })
      .Case([](SinOp) { return [](double x) { return std::sin(x); }; })
      .Case([](CosOp) { return [](double x) { return std::cos(x); }; })
      .Case([](TanhOp) { return [](double x) { return std::tanh(x); }; })
      .Case([](SigmoidOp) { return [](double x) { return 1.0 / (1.0 + std::exp(-x)); }; })
      .Case([](ErfOp) { return [](double x) { return std::erf(x); }; })
      .Case([](ReluOp) { return [](double x) { return std::isnan(x) ? x : std::max(x, 0.0); }; })
      .Default([](Operation *) { return F(); });
}

std::function<double(double, double)> floatBinary(Operation *op) {
  using F = std::function<double(double, double)>;
  return TypeSwitch<Operation *, F>(op)
      .Case([](AddOp) { return [](double a, double b) { return a + b; }; })
      .Case([](SubOp) { return [](double a, double b) { return a - b; }; })
      .Case([](MulOp) { return [](double a, double b) { return a * b; }; })
      .Case([](DivOp) { return [](double a, double b) { return a / b; }; })
      .Case([](RemOp) { return [](double a, double b) { return std::fmod(a, b); }; })
      .Case([](PowOp) { return [](double a, double b) { return std::pow(a, b); }; })
      .Case([](MaximumOp) { return [](double a, double b) { return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b); }; })
      .Case([](MinimumOp) { return [](double a, double b) { return std::isnan(a) || std::isnan(b) ? a + b : std::min(a, b); }; })
      .Default([](Operation *) { return F(); });
}

// The low bits of a number, which is how an integer of that width reads without its sign.
uint64_t unsignedOf(int64_t value, unsigned width) { return static_cast<uint64_t>(value) & (~uint64_t(0) >> (64 - width)); }

// Integers wrap around; what would trap stays for run time.
std::function<std::optional<int64_t>(int64_t, int64_t)> intBinary(Operation *op, unsigned width) {
  using F = std::function<std::optional<int64_t>(int64_t, int64_t)>;
  auto inside = [width](int64_t by) { return unsignedOf(by, width) < width; };
  auto wrap = [](uint64_t value) { return std::optional<int64_t>(static_cast<int64_t>(value)); };
  return TypeSwitch<Operation *, F>(op)
      .Case([&](AddOp) { return [wrap](int64_t a, int64_t b) { return wrap(uint64_t(a) + uint64_t(b)); }; })
      .Case([&](SubOp) { return [wrap](int64_t a, int64_t b) { return wrap(uint64_t(a) - uint64_t(b)); }; })
      .Case([&](MulOp) { return [wrap](int64_t a, int64_t b) { return wrap(uint64_t(a) * uint64_t(b)); }; })
      .Case([](DivOp) { return [](int64_t a, int64_t b) { return b == 0 || b == -1 ? std::nullopt : std::optional<int64_t>(a / b); }; })
      .Case([](RemOp) { return [](int64_t a, int64_t b) { return b == 0 || b == -1 ? std::nullopt : std::optional<int64_t>(a % b); }; })
      .Case([](MaximumOp) { return [](int64_t a, int64_t b) { return std::optional<int64_t>(std::max(a, b)); }; })
      .Case([](MinimumOp) { return [](int64_t a, int64_t b) { return std::optional<int64_t>(std::min(a, b)); }; })
      .Case([=](DivUnsignedOp) {
        return [=](int64_t a, int64_t b) { return b == 0 ? wrap(~uint64_t(0)) : wrap(unsignedOf(a, width) / unsignedOf(b, width)); };
      })
      .Case([=](RemUnsignedOp) { return [=](int64_t a, int64_t b) { return b == 0 ? wrap(a) : wrap(unsignedOf(a, width) % unsignedOf(b, width)); }; })
      .Case([=](ShiftLeftOp) { return [=](int64_t a, int64_t b) { return wrap(inside(b) ? uint64_t(a) << b : 0); }; })
      .Case([=](ShiftRightLogicalOp) { return [=](int64_t a, int64_t b) { return wrap(inside(b) ? unsignedOf(a, width) >> b : 0); }; })
      .Case([=](ShiftRightArithmeticOp) { return [=](int64_t a, int64_t b) { return std::optional<int64_t>(a >> (inside(b) ? b : width - 1)); }; })
      .Case([](AndOp) { return [](int64_t a, int64_t b) { return std::optional<int64_t>(a & b); }; })
      .Case([](OrOp) { return [](int64_t a, int64_t b) { return std::optional<int64_t>(a | b); }; })
      .Case([](XorOp) { return [](int64_t a, int64_t b) { return std::optional<int64_t>(a ^ b); }; })
      .Default([](Operation *) { return F(); });
}

template <typename T>
bool holds(CompareKind kind, T a, T b) {
  switch (kind) {
  case CompareKind::eq:
    return a == b;
  case CompareKind::ne:
    return a != b;
  case CompareKind::lt:
    return a < b;
  case CompareKind::le:
    return a <= b;
  case CompareKind::gt:
    return a > b;
  case CompareKind::ge:
    return a >= b;
  case CompareKind::ult:
  case CompareKind::ule:
  case CompareKind::ugt:
  case CompareKind::uge:
    return false;
  }
  return false;
}

// Sign extension keeps the order of unsigned numbers too.
bool holdsForInts(CompareKind kind, int64_t a, int64_t b) {
  if (kind < CompareKind::ult)
    return holds(kind, a, b);
  static constexpr CompareKind kinds[] = {CompareKind::lt, CompareKind::le, CompareKind::gt, CompareKind::ge};
  return holds(kinds[static_cast<int>(kind) - static_cast<int>(CompareKind::ult)], static_cast<uint64_t>(a), static_cast<uint64_t>(b));
}

// False if the op has no rule; `result` has its type and whether it is a splat.
bool pointwise(Operation *op, ArrayRef<Elements> x, Elements &result) {
  int64_t count = result.count();
  if (auto compare = dyn_cast<CompareOp>(op)) {
    for (int64_t n = 0; n < count; ++n)
      result.i.push_back(x[0].isFloat() ? holds(compare.getKind(), x[0].f[x[0].at(n)], x[1].f[x[1].at(n)])
                                        : holdsForInts(compare.getKind(), x[0].i[x[0].at(n)], x[1].i[x[1].at(n)]));
    return true;
  }
  if (isa<SelectOp>(op)) {
    for (int64_t n = 0; n < count; ++n) {
      const Elements &from = x[0].i[x[0].at(n)] ? x[1] : x[2];
      if (result.isFloat())
        result.f.push_back(from.f[from.at(n)]);
      else
        result.i.push_back(from.i[from.at(n)]);
    }
    return true;
  }
  if (auto cast = dyn_cast<CastOp>(op)) {
    unsigned width = result.type.getElementTypeBitWidth(), xWidth = x[0].type.getElementTypeBitWidth();
    for (int64_t n = 0; n < count; ++n) {
      if (!x[0].isFloat()) {
        int64_t number = x[0].i[n];
        bool large = cast.getIsUnsigned() && xWidth == 64; // may exceed what an i64 holds
        if (cast.getIsUnsigned() && !large)
          number = static_cast<int64_t>(unsignedOf(number, xWidth));
        if (result.isFloat())
          result.f.push_back(large ? static_cast<double>(static_cast<uint64_t>(number)) : static_cast<double>(number));
        else
          result.i.push_back(width == 1 ? number != 0 : number);
        continue;
      }
      if (result.isFloat()) {
        result.f.push_back(x[0].f[n]);
        continue;
      }
      // Near the ends of the range the run time decides.
      double value = x[0].f[n];
      if (width != 1 && !((cast.getIsUnsigned() ? value >= 0 : true) && std::fabs(value) < std::ldexp(1.0, std::min(width - 1, 52u))))
        return false;
      result.i.push_back(width == 1 ? value != 0 : static_cast<int64_t>(value));
    }
    return true;
  }
  if (auto function = floatUnary(op); function && x.size() == 1 && result.isFloat()) {
    for (double value : x[0].f)
      result.f.push_back(function(value));
    return true;
  }
  if (isa<NegOp, NotOp>(op) && !result.isFloat()) {
    bool isBool = result.type.getElementType().isInteger(1);
    for (int64_t value : x[0].i)
      result.i.push_back(isa<NegOp>(op) ? static_cast<int64_t>(-static_cast<uint64_t>(value)) : isBool ? !value : ~value);
    return true;
  }
  if (x.size() != 2)
    return false;
  if (result.isFloat()) {
    auto function = floatBinary(op);
    for (int64_t n = 0; function && n < count; ++n)
      result.f.push_back(function(x[0].f[x[0].at(n)], x[1].f[x[1].at(n)]));
    return static_cast<bool>(function);
  }
  auto function = intBinary(op, result.type.getElementTypeBitWidth());
  for (int64_t n = 0; function && n < count; ++n) {
    std::optional<int64_t> value = function(x[0].i[x[0].at(n)], x[1].i[x[1].at(n)]);
    if (!value)
      return false;
    result.i.push_back(*value);
  }
  return static_cast<bool>(function);
}

//===-- movement -------------------------------------------------------------------------------------------------===//

SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

// Calls visit(position) for each position of the shape in row-major order.
void eachPosition(ArrayRef<int64_t> shape, function_ref<void(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> position(shape.size(), 0);
  if (llvm::is_contained(shape, 0))
    return;
  for (;;) {
    visit(position);
    size_t d = shape.size();
    while (d > 0 && ++position[d - 1] == shape[d - 1])
      position[--d] = 0;
    if (d == 0)
      return;
  }
}

// Each element of the result is the operand's at source(position).
void gatherFrom(const Elements &x, Elements &result, function_ref<int64_t(ArrayRef<int64_t>)> source) {
  eachPosition(result.type.getShape(), [&](ArrayRef<int64_t> position) {
    int64_t from = x.at(source(position));
    if (result.isFloat())
      result.f.push_back(x.f[from]);
    else
      result.i.push_back(x.i[from]);
  });
}

bool movement(Operation *op, ArrayRef<Elements> x, Elements &result) {
  SmallVector<int64_t> strides = stridesOf(x[0].type.getShape());
  if (isa<ReshapeOp>(op)) {
    result.f = x[0].f;
    result.i = x[0].i;
    return !x[0].splat;
  }
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    gatherFrom(x[0], result, [&](ArrayRef<int64_t> position) {
      int64_t from = 0;
      for (auto [k, dim] : llvm::enumerate(transpose.getPermutation()))
        from += position[k] * strides[dim];
      return from;
    });
    return true;
  }
  if (auto slice = dyn_cast<SliceOp>(op)) {
    gatherFrom(x[0], result, [&](ArrayRef<int64_t> position) {
      int64_t from = 0;
      for (size_t k = 0; k < position.size(); ++k)
        from += (slice.getStarts()[k] + position[k] * slice.getStrides()[k]) * strides[k];
      return from;
    });
    return true;
  }
  if (auto reverse = dyn_cast<ReverseOp>(op)) {
    gatherFrom(x[0], result, [&](ArrayRef<int64_t> position) {
      int64_t from = 0;
      for (size_t k = 0; k < position.size(); ++k)
        from += (llvm::is_contained(reverse.getDims(), k) ? x[0].type.getDimSize(k) - 1 - position[k] : position[k]) * strides[k];
      return from;
    });
    return true;
  }
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    eachPosition(result.type.getShape(), [&](ArrayRef<int64_t> position) {
      SmallVector<int64_t> inside(position);
      int64_t &along = inside[concat.getAxis()];
      const Elements *from = x.begin();
      for (; along >= from->type.getDimSize(concat.getAxis()); ++from)
        along -= from->type.getDimSize(concat.getAxis());
      int64_t index = 0;
      for (auto [k, stride] : llvm::enumerate(stridesOf(from->type.getShape())))
        index += inside[k] * stride;
      if (result.isFloat())
        result.f.push_back(from->f[from->at(index)]);
      else
        result.i.push_back(from->i[from->at(index)]);
    });
    return true;
  }
  if (auto gather = dyn_cast<GatherOp>(op)) {
    int64_t axis = gather.getAxis(), indexRank = x[1].type.getRank(), size = x[0].type.getDimSize(axis);
    if (size == 0)
      return false;
    SmallVector<int64_t> indexStrides = stridesOf(x[1].type.getShape());
    gatherFrom(x[0], result, [&](ArrayRef<int64_t> position) {
      int64_t at = 0, from = 0;
      for (int64_t k = 0; k < indexRank; ++k)
        at += position[axis + k] * indexStrides[k];
      int64_t index = std::clamp<int64_t>(x[1].i[x[1].at(at)], 0, size - 1);
      for (int64_t k = 0; k < x[0].type.getRank(); ++k)
        from += (k < axis ? position[k] : k == axis ? index : position[k + indexRank - 1]) * strides[k];
      return from;
    });
    return true;
  }
  return false;
}

//===-- sums -----------------------------------------------------------------------------------------------------===//

bool reduction(ReduceOp op, const Elements &x, Elements &result) {
  if (!x.isFloat())
    return false;
  bool sum = op.getKind() == ReduceKind::sum, prod = op.getKind() == ReduceKind::prod, max = op.getKind() == ReduceKind::max;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!sum && !prod && x.type.getNumElements() == 0)
    return false;
  result.f.assign(result.type.getNumElements(), sum ? 0.0 : prod ? 1.0 : max ? -infinity : infinity);
  SmallVector<int64_t> strides = stridesOf(result.type.getShape());
  int64_t n = 0;
  eachPosition(x.type.getShape(), [&](ArrayRef<int64_t> position) {
    int64_t to = 0;
    size_t kept = 0;
    for (auto [k, at] : llvm::enumerate(position))
      if (!llvm::is_contained(op.getDims(), static_cast<int64_t>(k)))
        to += at * strides[kept++];
    double &into = result.f[to], value = x.f[x.at(n++)];
    if (sum)
      into += value;
    else if (prod)
      into *= value;
    else if (std::isnan(into) || std::isnan(value))
      into = into + value;
    else
      into = max ? std::max(into, value) : std::min(into, value);
  });
  return true;
}

} // namespace

DenseElementsAttr mlir::raf::evaluate(Operation *op, ArrayRef<DenseElementsAttr> operands, int64_t maxElements) {
  // A broadcast is cheaper than the constant that it makes.
  if (op->getNumResults() != 1 || operands.empty() || isa<BroadcastOp>(op))
    return {};
  Elements result;
  result.type = cast<RankedTensorType>(op->getResult(0).getType());
  bool isPointwise = op->hasTrait<OpTrait::Elementwise>();
  result.splat = isPointwise && llvm::all_of(operands, [](DenseElementsAttr operand) { return operand.isSplat(); });
  if (result.count() > maxElements)
    return {};
  // Reading is bounded too.
  for (DenseElementsAttr operand : operands)
    if (!operand.isSplat() && operand.getNumElements() > 16 * maxElements)
      return {};
  SmallVector<Elements> x;
  for (DenseElementsAttr operand : operands)
    x.push_back(read(operand));
  bool done = isPointwise ? pointwise(op, x, result) : isa<ReduceOp>(op) ? reduction(cast<ReduceOp>(op), x[0], result) : movement(op, x, result);
  return done ? write(result) : DenseElementsAttr();
}
