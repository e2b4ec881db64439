// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A branch that is not taken works on a harmless argument, so that neither its value nor its gradient is NaN.
#include "passes/import-stablehlo/SpecialFunctions.h"

using namespace mlir;
using namespace mlir::raf;

static Value polynomial(TensorBuilder &b, Value x, ArrayRef<double> coefficients) {
  Value sum = b.splatLike(x, coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = b.add(b.mul(sum, x), coefficient);
  return sum;
}

static bool isDouble(Value x) { return TensorBuilder::typeOf(x).getElementType().isF64(); }

// ln(|x| + sqrt(x^2 + 1)) as log1p, which keeps small x; large x would overflow in x^2.
Value mlir::raf::stablehlo::realAsinh(TensorBuilder &b, Value x) {
  Value magnitude = b.abs(x), isLarge = b.compare(CompareKind::gt, magnitude, 1e9), small = b.select(isLarge, b.splatLike(x, 1.0), magnitude);
  Value square = b.square(small), root = b.sqrt(b.add(square, 1.0));
  Value result = b.select(isLarge, b.add(b.log(b.maximum(magnitude, b.splatLike(x, 1.0))), 0.693147180559945309), b.log1p(b.add(small, b.div(square, b.add(root, 1.0)))));
  return b.select(b.compare(CompareKind::lt, x, 0.0), b.neg(result), result);
}

// Cephes (Moshier): beyond 1 e^(-x^2) times a polynomial in 1 / x^2 (single precision) or a rational function of x (double precision).
Value mlir::raf::stablehlo::complementaryErf(TensorBuilder &b, Value x) {
  static const double nearSingle[] = {2.326819970068386e-2,  -1.387039388740657e-1, 3.687424674597105e-1,  -5.824733027278666e-1, 6.210004621745983e-1,
                                      -4.944515323274145e-1, 3.404879937665872e-1,  -2.741127028184656e-1, 5.638259427386472e-1};
  static const double farSingle[] = {-1.047766399936249e+1, 1.297719955372516e+1,  -7.495518717768503e+0, 2.921019019210786e+0,
                                     -1.015265279202700e+0, 4.218463358204948e-1, -2.820767439740514e-1, 5.641895067754075e-1};
  static const double nearTop[] = {2.46196981473530512524e-10, 5.64189564831068821977e-1, 7.46321056442269912687e0, 4.86371970985681366614e1, 1.96520832956077098242e2,
                                   5.26445194995477358631e2,   9.34528527171957607540e2,  1.02755188689515710272e3, 5.57535335369399327526e2};
  static const double nearBottom[] = {1.0,
                                      1.32281951154744992508e1,
                                      8.67072140885989742329e1,
                                      3.54937778887819891062e2,
                                      9.75708501743205489753e2,
                                      1.82390916687909736289e3,
                                      2.24633760818710981792e3,
                                      1.65666309194161350182e3,
                                      5.57535340817727675546e2};
  static const double farTop[] = {5.64189583547755073984e-1, 1.27536670759978104416e0, 5.01905042251180477414e0,
                                  6.16021097993053585195e0,  7.40974269950448939160e0, 2.97886665372100240670e0};
  static const double farBottom[] = {1.0,
                                     2.26052863220117276590e0,
                                     9.39603524938001434673e0,
                                     1.20489539808096656605e1,
                                     1.70814450747565897222e1,
                                     9.60896809063285878198e0,
                                     3.36907645100081516050e0};
  Value magnitude = b.abs(x), small = b.compare(CompareKind::lt, magnitude, 1.0);
  Value large = b.select(small, b.splatLike(x, 1.0), magnitude), tail;
  if (isDouble(x)) {
    Value top = b.select(b.compare(CompareKind::lt, large, 8.0), polynomial(b, large, nearTop), polynomial(b, large, farTop));
    Value bottom = b.select(b.compare(CompareKind::lt, large, 8.0), polynomial(b, large, nearBottom), polynomial(b, large, farBottom));
    tail = b.div(top, bottom);
  } else {
    Value inverse = b.div(1.0, large), square = b.square(inverse);
    tail = b.mul(inverse, b.select(b.compare(CompareKind::lt, large, 2.0), polynomial(b, square, nearSingle), polynomial(b, square, farSingle)));
  }
  // Infinity and what underflows: the quotient of the polynomials may be NaN there.
  Value vanishes = b.compare(CompareKind::gt, large, isDouble(x) ? 27.3 : 10.1);
  tail = b.select(vanishes, b.splatLike(x, 0.0), b.mul(b.exp(b.neg(b.square(large))), tail));
  tail = b.select(b.compare(CompareKind::lt, x, 0.0), b.sub(2.0, tail), tail);
  return b.select(small, b.sub(1.0, b.fold<ErfOp>(x)), tail);
}

// Giles, Approximating the erfinv function (GPU Computing Gems, 2011), single precision; double precision adds two Newton steps.
Value mlir::raf::stablehlo::inverseErf(TensorBuilder &b, Value x) {
  static const double central[] = {2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164, 0.246640727, 1.50140941};
  static const double outer[] = {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682};
  Value isEnd = b.compare(CompareKind::eq, b.abs(x), 1.0), inner = b.select(isEnd, b.splatLike(x, 0.0), x);
  Value w = b.neg(b.log1p(b.neg(b.square(inner)))), isCentral = b.compare(CompareKind::lt, w, 5.0);
  Value root = b.sqrt(b.select(isCentral, b.splatLike(w, 9.0), w));
  Value p = b.select(isCentral, polynomial(b, b.sub(w, 2.5), central), polynomial(b, b.sub(root, 3.0), outer));
  Value y = b.mul(p, inner);
  if (isDouble(x))
    for (int step = 0; step < 2; ++step) {
      Value slope = b.mul(b.exp(b.neg(b.square(y))), 1.1283791670955126);
      y = b.sub(y, b.div(b.sub(b.fold<ErfOp>(y), inner), slope));
    }
  // Constants: the gradient of a product with infinity is NaN even where it is not chosen.
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return b.select(isEnd, b.select(b.compare(CompareKind::lt, x, 0.0), b.splatLike(x, -kInfinity), b.splatLike(x, kInfinity)), y);
}

// Lanczos' approximation with g = 7 and 9 coefficients (Godfrey).
static constexpr double kLanczos = 7.0;
static constexpr double kLanczosBase = 0.99999999999980993;
static constexpr double kLanczosCoefficients[] = {676.520368121885098567, -1259.139216722402870472,   771.323428777653078849,   -176.615029162140599066,
                                                  12.507343278686904814,  -0.138571095265720116896, 9.984369578019570859563e-6, 1.50563273514931155834e-7};

// The argument of the approximation less one, which holds from 1/2 on; below it the reflection takes 1 - x.
static Value reflect(TensorBuilder &b, Value x, Value isLow) { return b.select(isLow, b.neg(x), b.sub(x, 1.0)); }

Value mlir::raf::stablehlo::logGamma(TensorBuilder &b, Value x) {
  Value isLow = b.compare(CompareKind::lt, x, 0.5), z = reflect(b, x, isLow);
  Value sum = b.splatLike(x, kLanczosBase);
  for (auto [index, coefficient] : llvm::enumerate(kLanczosCoefficients))
    sum = b.add(sum, b.div(coefficient, b.add(z, static_cast<double>(index + 1))));
  Value t = b.add(z, kLanczos + 0.5), logT = b.add(b.log1p(b.mul(z, 1.0 / (kLanczos + 0.5))), 2.0149030205422647);
  Value high = b.add(b.add(b.mul(b.sub(b.add(z, 0.5), b.div(t, logT)), logT), 0.91893853320467274), b.log(sum));
  // Gamma(x) Gamma(1 - x) = pi / sin(pi x); at 0, -1, -2 ... the sine is 0 and the result infinite.
  Value magnitude = b.abs(b.select(isLow, x, b.splatLike(x, 0.25)));
  Value fraction = b.sub(magnitude, b.fold<FloorOp>(magnitude));
  Value nearest = b.minimum(fraction, b.sub(1.0, fraction));
  Value low = b.sub(b.sub(1.1447298858494002, b.log(b.fold<SinOp>(b.mul(nearest, 3.14159265358979324)))), high);
  Value isInfinite = b.compare(CompareKind::eq, b.abs(x), std::numeric_limits<double>::infinity());
  return b.select(isInfinite, b.splatLike(x, std::numeric_limits<double>::infinity()), b.select(isLow, low, high));
}

// The derivative of the logarithm of Lanczos' approximation.
Value mlir::raf::stablehlo::digamma(TensorBuilder &b, Value x) {
  Value isLow = b.compare(CompareKind::lt, x, 0.5), z = reflect(b, x, isLow);
  Value sum = b.splatLike(x, kLanczosBase), slope = b.splatLike(x, 0.0);
  for (auto [index, coefficient] : llvm::enumerate(kLanczosCoefficients)) {
    Value inverse = b.div(1.0, b.add(z, static_cast<double>(index + 1)));
    Value term = b.mul(inverse, coefficient);
    sum = b.add(sum, term);
    slope = b.sub(slope, b.mul(term, inverse));
  }
  Value t = b.add(z, kLanczos + 0.5), logT = b.add(b.log1p(b.mul(z, 1.0 / (kLanczos + 0.5))), 2.0149030205422647);
  Value high = b.sub(b.add(logT, b.div(slope, sum)), b.div(kLanczos, t));
  // digamma(x) = digamma(1 - x) - pi / tan(pi x), NaN where that has a pole.
  Value argument = b.select(isLow, x, b.splatLike(x, 0.25));
  Value reduced = b.mul(b.sub(argument, b.fold<RoundOp>(argument)), 3.14159265358979324);
  Value low = b.sub(high, b.div(b.mul(b.fold<CosOp>(reduced), 3.14159265358979324), b.fold<SinOp>(reduced)));
  Value isPole = b.fold<AndOp>(b.compare(CompareKind::le, x, 0.0), b.compare(CompareKind::eq, x, b.fold<FloorOp>(x)));
  return b.select(isPole, b.splatLike(x, std::numeric_limits<double>::quiet_NaN()), b.select(isLow, low, high));
}

// Nine terms, then the Euler-Maclaurin formula for the others: B_2i / (2i)! are its coefficients.
Value mlir::raf::stablehlo::hurwitzZeta(TensorBuilder &b, Value s, Value q) {
  static const double coefficients[] = {8.333333333333333e-2,  -1.388888888888889e-3, 3.306878306878307e-5,  -8.267195767195767e-7, 2.08767569878681e-8,
                                        -5.284190138687493e-10, 1.338253653068468e-11, -3.389680296322583e-13, 8.586062056277845e-15, -2.174868698558062e-16};
  constexpr int terms = 9;
  auto inside = [&](Value x, double bound) { return b.select(b.compare(CompareKind::gt, x, bound), x, b.splatLike(x, bound + 1.0)); };
  Value exponent = inside(s, 1.0), start = inside(q, 0.0), minus = b.neg(exponent);
  Value sum = b.fold<PowOp>(start, minus);
  for (int k = 1; k < terms; ++k)
    sum = b.add(sum, b.fold<PowOp>(b.add(start, k), minus));
  Value a = b.add(start, terms), power = b.fold<PowOp>(a, minus);
  sum = b.add(sum, b.add(b.div(b.mul(power, a), b.sub(exponent, 1.0)), b.mul(power, 0.5)));
  Value inverse = b.div(1.0, b.square(a)), term = b.mul(exponent, b.div(power, a));
  for (auto [index, coefficient] : llvm::enumerate(coefficients)) {
    sum = b.add(sum, b.mul(term, coefficient));
    double next = 2.0 * static_cast<double>(index) + 1.0;
    term = b.mul(b.mul(term, inverse), b.mul(b.add(exponent, next), b.add(exponent, next + 1.0)));
  }
  Value nan = b.splatLike(s, std::numeric_limits<double>::quiet_NaN()), infinity = b.splatLike(s, std::numeric_limits<double>::infinity());
  sum = b.select(b.compare(CompareKind::gt, q, 0.0), sum, b.select(b.compare(CompareKind::eq, q, b.fold<FloorOp>(q)), infinity, nan));
  return b.select(b.compare(CompareKind::gt, s, 1.0), sum, b.select(b.compare(CompareKind::eq, s, 1.0), infinity, nan));
}

// (-1)^(n + 1) n! zeta(n + 1, x); digamma for n = 0.
Value mlir::raf::stablehlo::polygamma(TensorBuilder &b, Value n, Value x) {
  Value isZero = b.compare(CompareKind::eq, n, 0.0), order = b.select(b.compare(CompareKind::gt, n, 0.0), n, b.splatLike(n, 1.0)), next = b.add(order, 1.0);
  Value half = b.mul(order, 0.5), isEven = b.compare(CompareKind::eq, half, b.fold<FloorOp>(half));
  Value magnitude = b.mul(b.exp(logGamma(b, next)), hurwitzZeta(b, next, x));
  Value result = b.select(isEven, b.neg(magnitude), magnitude);
  Value isNone = b.fold<OrOp>(b.compare(CompareKind::lt, n, 0.0), b.compare(CompareKind::ne, n, b.fold<FloorOp>(n)));
  result = b.select(isNone, b.splatLike(n, std::numeric_limits<double>::quiet_NaN()), result);
  return b.select(isZero, digamma(b, x), result);
}

// The sum of c[k] T_k(t) over k, by Clenshaw's recurrence.
static Value chebyshev(TensorBuilder &b, Value t, ArrayRef<double> coefficients) {
  Value twice = b.mul(t, 2.0), next = b.splatLike(t, 0.0), sum = b.splatLike(t, coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_front().drop_back()))
    sum = b.add(b.sub(b.mul(twice, sum), std::exchange(next, sum)), coefficient);
  return b.add(b.sub(b.mul(t, sum), next), coefficients.front());
}

// Expansions in Chebyshev polynomials: of e^-x I1(x) / x over [0, 8] in x / 4 - 1, beyond of e^-x I1(x) sqrt(x) in 16 / x - 1. Single precision needs fewer terms.
Value mlir::raf::stablehlo::besselI1e(TensorBuilder &b, Value x) {
  static const double near[] = {0.12629359322181682, -0.17641651835783406, 0.1026436586898471, -0.05294598120809499, 0.024726449030626516,
                                 -0.010564084894626197, 0.004156422944312888, -0.0015135724506312532, 0.0005122859561685758, -0.00016176081582589674,
                                 4.781565107550054e-05, -1.3273163656039436e-05, 3.4702513081376785e-06, -8.568720264695455e-07, 2.0032947535521353e-07,
                                 -4.445059128796328e-08, 9.381537386495773e-09, -1.8872497517228294e-09, 3.625590281552117e-10, -6.663489723502027e-11,
                                 1.1736186298890901e-11, -1.9839743977649436e-12, 3.223793365945575e-13, -5.042185504727912e-14, 7.600684294735408e-15,
                                 -1.1055969477353862e-15, 1.5536319577362005e-16};
  static const double far[] = {0.38928811750914005, -0.009761097491361469, -0.00011058893876262371, -3.882564808877691e-06, -2.512236237870209e-07,
                                 -2.6314688468895196e-08, -3.835380385964237e-09, -5.589743462196584e-10, -1.8974958123505413e-11, 3.2526035830154884e-11,
                                 1.4125807436613782e-11, 2.0356285441470896e-12, -7.198551776245908e-13, -4.0835511110921974e-13, -2.1015418427726643e-14,
                                 4.272440016711951e-14, 1.0420276984128802e-14, -3.8144030724370075e-15, -1.8803547755107825e-15, 3.3082023109209285e-16,
                                 2.96262899764595e-16};
  size_t nearTerms = isDouble(x) ? std::size(near) : 16, farTerms = isDouble(x) ? std::size(far) : 7;
  Value magnitude = b.abs(x), isNear = b.compare(CompareKind::le, magnitude, 8.0), eight = b.splatLike(x, 8.0);
  Value small = b.select(isNear, magnitude, eight), large = b.select(isNear, eight, magnitude);
  // The argument may be 0, where the gradient of |x| is: x itself carries the sign.
  Value inner = b.mul(b.select(isNear, x, eight), chebyshev(b, b.sub(b.mul(small, 0.25), 1.0), ArrayRef(near).take_front(nearTerms)));
  Value outer = b.mul(b.rsqrt(large), chebyshev(b, b.sub(b.div(16.0, large), 1.0), ArrayRef(far).take_front(farTerms)));
  return b.select(isNear, inner, b.select(b.compare(CompareKind::lt, x, 0.0), b.neg(outer), outer));
}
