// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every pointwise op is one linalg.generic whose body is the scalar formula, on 16-bit floats in f32.
#include "passes/decompose/linalg/Lowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::raf;
using namespace mlir::raf::lower;

namespace {

using ScalarBuilder = ImplicitLocOpBuilder;

template <typename FloatOp, typename IntOp>
Value byType(ScalarBuilder &b, ValueRange args) {
  if (isa<FloatType>(args[0].getType()))
    return FloatOp::create(b, args[0].getType(), args);
  return IntOp::create(b, args[0].getType(), args);
}

Value compareWith(ScalarBuilder &b, CompareKind kind, Value x, Value y) {
  // The unsigned kinds have no floats.
  static constexpr arith::CmpFPredicate floats[] = {arith::CmpFPredicate::OEQ, arith::CmpFPredicate::UNE, arith::CmpFPredicate::OLT,
                                                    arith::CmpFPredicate::OLE, arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE};
  static constexpr arith::CmpIPredicate ints[] = {arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,  arith::CmpIPredicate::slt,
                                                  arith::CmpIPredicate::sle, arith::CmpIPredicate::sgt, arith::CmpIPredicate::sge,
                                                  arith::CmpIPredicate::ult, arith::CmpIPredicate::ule, arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge};
  // As a signed number the i1 true would be -1.
  static constexpr arith::CmpIPredicate bools[] = {arith::CmpIPredicate::eq,  arith::CmpIPredicate::ne,  arith::CmpIPredicate::ult,
                                                   arith::CmpIPredicate::ule, arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge,
                                                   arith::CmpIPredicate::ult, arith::CmpIPredicate::ule, arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge};
  auto i = static_cast<size_t>(kind);
  if (isa<FloatType>(x.getType()))
    return arith::CmpFOp::create(b, floats[i], x, y);
  return arith::CmpIOp::create(b, x.getType().isInteger(1) ? bools[i] : ints[i], x, y);
}

Value choose(ScalarBuilder &b, Value p, Value x, Value y) { return arith::SelectOp::create(b, p, x, y); }

// The hardware traps on x / 0 and on MIN / -1. Here x / 0 = -1, x rem 0 = x, and the quotient of MIN by -1 wraps.
Value divideInts(ScalarBuilder &b, Value x, Value y, bool remainder) {
  Type type = x.getType();
  Value zero = scalar(b, type, 0.0), one = scalar(b, type, 1.0), minusOne = scalar(b, type, -1.0);
  Value byZero = compareWith(b, CompareKind::eq, y, zero), byMinusOne = compareWith(b, CompareKind::eq, y, minusOne);
  Value divisor = choose(b, arith::OrIOp::create(b, byZero, byMinusOne), one, y);
  if (remainder)
    return choose(b, byZero, x, arith::RemSIOp::create(b, x, divisor));
  Value quotient = choose(b, byMinusOne, arith::SubIOp::create(b, zero, x), arith::DivSIOp::create(b, x, divisor));
  return choose(b, byZero, minusOne, quotient);
}

Value divideUnsigned(ScalarBuilder &b, Value x, Value y, bool remainder) {
  Type type = x.getType();
  Value byZero = compareWith(b, CompareKind::eq, y, scalar(b, type, 0.0)), divisor = choose(b, byZero, scalar(b, type, 1.0), y);
  if (remainder)
    return choose(b, byZero, x, arith::RemUIOp::create(b, x, divisor));
  return choose(b, byZero, scalar(b, type, -1.0), arith::DivUIOp::create(b, x, divisor));
}

// A shift by the width or more is undefined in the hardware; here the bits run out.
template <typename Shift>
Value shift(ScalarBuilder &b, Value x, Value y) {
  Type type = x.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  Value most = scalar(b, type, width - 1.0), inside = compareWith(b, CompareKind::ule, y, most);
  Value shifted = Shift::create(b, x, choose(b, inside, y, most));
  return std::is_same_v<Shift, arith::ShRSIOp> ? shifted : choose(b, inside, shifted, scalar(b, type, 0.0));
}

// The result of a pointwise op on scalars in the type of arithmetic; null if the op is not known here.
Value formula(ScalarBuilder &b, Operation *op, ValueRange args) {
  Value x = args[0];
  Type type = x.getType();
  bool isFloat = isa<FloatType>(type);
  auto zero = [&] { return scalar(b, type, 0.0); };
  auto one = [&] { return scalar(b, type, 1.0); };
  return TypeSwitch<Operation *, Value>(op)
      .Case<AddOp>([&](auto) { return byType<arith::AddFOp, arith::AddIOp>(b, args); })
      .Case<SubOp>([&](auto) { return byType<arith::SubFOp, arith::SubIOp>(b, args); })
      .Case<MulOp>([&](auto) { return byType<arith::MulFOp, arith::MulIOp>(b, args); })
      .Case<MaximumOp>([&](auto) { return byType<arith::MaximumFOp, arith::MaxSIOp>(b, args); })
      .Case<MinimumOp>([&](auto) { return byType<arith::MinimumFOp, arith::MinSIOp>(b, args); })
      .Case<DivOp>([&](auto) -> Value { return isFloat ? arith::DivFOp::create(b, x, args[1]).getResult() : divideInts(b, x, args[1], false); })
      .Case<RemOp>([&](auto) -> Value { return isFloat ? arith::RemFOp::create(b, x, args[1]).getResult() : divideInts(b, x, args[1], true); })
      .Case<PowOp>([&](auto) -> Value { return math::PowFOp::create(b, x, args[1]); })
      .Case<AndOp>([&](auto) -> Value { return arith::AndIOp::create(b, x, args[1]); })
      .Case<OrOp>([&](auto) -> Value { return arith::OrIOp::create(b, x, args[1]); })
      .Case<XorOp>([&](auto) -> Value { return arith::XOrIOp::create(b, x, args[1]); })
      .Case<NotOp>([&](auto) -> Value { return arith::XOrIOp::create(b, x, scalar(b, type, -1.0)); })
      .Case<CompareOp>([&](CompareOp compare) { return compareWith(b, compare.getKind(), x, args[1]); })
      .Case<NegOp>([&](auto) -> Value { return isFloat ? arith::NegFOp::create(b, x).getResult() : arith::SubIOp::create(b, zero(), x).getResult(); })
      .Case<AbsOp>([&](auto) -> Value { return isFloat ? math::AbsFOp::create(b, x).getResult() : math::AbsIOp::create(b, x).getResult(); })
      .Case<SignOp>([&](auto) -> Value {
        // What is neither above nor below 0 is 0 or NaN, and stays.
        Value negative = choose(b, compareWith(b, CompareKind::lt, x, zero()), scalar(b, type, -1.0), x);
        return choose(b, compareWith(b, CompareKind::gt, x, zero()), one(), negative);
      })
      .Case<ReluOp>([&](auto) -> Value { return isFloat ? arith::MaximumFOp::create(b, x, zero()).getResult() : arith::MaxSIOp::create(b, x, zero()).getResult(); })
      .Case<FloorOp>([&](auto) -> Value { return math::FloorOp::create(b, x); })
      .Case<CeilOp>([&](auto) -> Value { return math::CeilOp::create(b, x); })
      .Case<RoundOp>([&](auto) -> Value { return math::RoundEvenOp::create(b, x); })
      .Case<ExpOp>([&](auto) -> Value { return math::ExpOp::create(b, x); })
      .Case<Expm1Op>([&](auto) -> Value { return math::ExpM1Op::create(b, x); })
      .Case<LogOp>([&](auto) -> Value { return math::LogOp::create(b, x); })
      .Case<Log1pOp>([&](auto) -> Value { return math::Log1pOp::create(b, x); })
      .Case<SqrtOp>([&](auto) -> Value { return math::SqrtOp::create(b, x); })
      .Case<RsqrtOp>([&](auto) -> Value { return arith::DivFOp::create(b, one(), math::SqrtOp::create(b, x)); })
      .Case<SinOp>([&](auto) -> Value { return math::SinOp::create(b, x); })
      .Case<CosOp>([&](auto) -> Value { return math::CosOp::create(b, x); })
      .Case<TanhOp>([&](auto) -> Value { return math::TanhOp::create(b, x); })
      .Case<ErfOp>([&](auto) -> Value { return math::ErfOp::create(b, x); })
      .Case<SigmoidOp>([&](auto) -> Value {
        Value e = math::ExpOp::create(b, arith::NegFOp::create(b, x));
        return arith::DivFOp::create(b, one(), arith::AddFOp::create(b, e, one()));
      })
      .Case<CbrtOp>([&](auto) -> Value { return math::CbrtOp::create(b, x); })
      .Case<Atan2Op>([&](auto) -> Value { return math::Atan2Op::create(b, x, args[1]); })
      .Case<PopcountOp>([&](auto) -> Value { return math::CtPopOp::create(b, x); })
      .Case<CountLeadingZerosOp>([&](auto) -> Value { return math::CountLeadingZerosOp::create(b, x); })
      .Case<DivUnsignedOp>([&](auto) { return divideUnsigned(b, x, args[1], false); })
      .Case<RemUnsignedOp>([&](auto) { return divideUnsigned(b, x, args[1], true); })
      .Case<ShiftLeftOp>([&](auto) { return shift<arith::ShLIOp>(b, x, args[1]); })
      .Case<ShiftRightLogicalOp>([&](auto) { return shift<arith::ShRUIOp>(b, x, args[1]); })
      .Case<ShiftRightArithmeticOp>([&](auto) { return shift<arith::ShRSIOp>(b, x, args[1]); })
      .Case<IsNanOp>([&](auto) -> Value { return arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x); })
      .Default([](Operation *) { return Value(); });
}

bool isKnown(Operation *op) {
  return isa<AddOp, SubOp, MulOp, MaximumOp, MinimumOp, DivOp, RemOp, PowOp, AndOp, OrOp, XorOp, NotOp, CompareOp, SelectOp, NegOp, AbsOp, SignOp, ReluOp, FloorOp, CeilOp,
             RoundOp, ExpOp, Expm1Op, LogOp, Log1pOp, SqrtOp, RsqrtOp, SinOp, CosOp, TanhOp, ErfOp, SigmoidOp, IsNanOp, CastOp, BitcastOp, CbrtOp, Atan2Op,
             PopcountOp, CountLeadingZerosOp, DivUnsignedOp, RemUnsignedOp, ShiftLeftOp, ShiftRightLogicalOp, ShiftRightArithmeticOp>(op);
}

struct ElementwiseLowering : ConversionPattern {
  ElementwiseLowering(const TypeConverter &types, MLIRContext *context)
      : ConversionPattern(types, Pattern::MatchTraitOpTypeTag(), TypeID::get<OpTrait::Elementwise>(), 1, context) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands, ConversionPatternRewriter &rewriter) const override {
    if (!isKnown(op))
      return failure();
    RankedTensorType type = tensorType(op->getResult(0)), stored = storageType(type);
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    SmallVector<Access> reads;
    for (Value operand : operands)
      reads.push_back({operand, identity});
    Value result = mapElements(rewriter, op->getLoc(), stored, reads, [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
      // A selection moves elements as they are stored.
      if (isa<SelectOp>(op))
        return choose(b, asBool(b, args[0]), args[1], args[2]);
      SmallVector<Value> scalars;
      for (auto [operand, arg] : llvm::zip(op->getOperands(), args))
        scalars.push_back(tensorType(operand).getElementType().isInteger(1) ? asBool(b, arg) : arg);
      Value y = evaluate(b, op, scalars, type.getElementType());
      return type == stored ? y : arith::ExtUIOp::create(b, stored.getElementType(), y).getResult();
    });
    rewriter.replaceOp(op, result);
    return success();
  }

  static Value asBool(ImplicitLocOpBuilder &b, Value stored) { return arith::TruncIOp::create(b, b.getI1Type(), stored); }

  static Value evaluate(ImplicitLocOpBuilder &b, Operation *op, SmallVector<Value> args, Type element) {
    if (auto cast = dyn_cast<CastOp>(op))
      return castScalar(b, args[0], element, cast.getIsUnsigned());
    if (isa<BitcastOp>(op))
      return arith::BitcastOp::create(b, element, args[0]);
    for (Value &arg : args)
      if (isa<FloatType>(arg.getType()))
        arg = widen(b, arg);
    Value y = formula(b, op, args);
    return isa<FloatType>(y.getType()) ? narrow(b, y, element) : y;
  }
};

} // namespace

void lower::populateElementwise(const TypeConverter &types, RewritePatternSet &patterns) { patterns.add<ElementwiseLowering>(types, patterns.getContext()); }
