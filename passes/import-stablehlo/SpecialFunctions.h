// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of one real variable, composed of raf ops. Arguments are f32 or f64.
#ifndef RAF_PASSES_IMPORT_STABLEHLO_SPECIALFUNCTIONS_H
#define RAF_PASSES_IMPORT_STABLEHLO_SPECIALFUNCTIONS_H

#include "dialects/raf/TensorBuilder.h"

namespace mlir::raf::stablehlo {

Value realAsinh(TensorBuilder &b, Value x);
Value complementaryErf(TensorBuilder &b, Value x);
Value inverseErf(TensorBuilder &b, Value x);
Value logGamma(TensorBuilder &b, Value x);
Value digamma(TensorBuilder &b, Value x);
/// e^-|x| I1(x), with the modified Bessel function of the first kind.
Value besselI1e(TensorBuilder &b, Value x);
/// The Hurwitz zeta function: the sum of (q + k)^-s over k >= 0, for s > 1 and q > 0.
Value hurwitzZeta(TensorBuilder &b, Value s, Value q);
/// The n-th derivative of digamma.
Value polygamma(TensorBuilder &b, Value n, Value x);

} // namespace mlir::raf::stablehlo

#endif // RAF_PASSES_IMPORT_STABLEHLO_SPECIALFUNCTIONS_H
