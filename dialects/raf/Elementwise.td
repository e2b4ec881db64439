// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointwise operators.

#ifndef RAF_DIALECTS_RAF_ELEMENTWISE_TD
#define RAF_DIALECTS_RAF_ELEMENTWISE_TD

include "dialects/raf/Base.td"
include "dialects/raf/Enums.td"

//===-- unary ----------------------------------------------------------------------------------------------------===//

def RAF_NegOp : RAF_UnaryOp<"neg", RAF_NumberTensor, "negation", "y = -x."> { let hasFolder = 1; }
def RAF_AbsOp : RAF_UnaryOp<"abs", RAF_NumberTensor, "absolute value", "y = |x|. The gradient at 0 is 0.">;
def RAF_SignOp : RAF_UnaryOp<"sign", RAF_NumberTensor, "sign", "y = -1, 0 or 1; NaN stays NaN. The gradient is 0.">;
def RAF_FloorOp : RAF_UnaryOp<"floor", RAF_FloatTensor, "round down", "y = floor(x). The gradient is 0.">;
def RAF_CeilOp : RAF_UnaryOp<"ceil", RAF_FloatTensor, "round up", "y = ceil(x). The gradient is 0.">;
def RAF_RoundOp : RAF_UnaryOp<"round", RAF_FloatTensor, "round to nearest, ties to even", "y = x rounded to the nearest integer, ties to even. The gradient is 0.">;
def RAF_ExpOp : RAF_UnaryOp<"exp", RAF_FloatTensor, "exponential", "y = e^x.">;
def RAF_Expm1Op : RAF_UnaryOp<"expm1", RAF_FloatTensor, "exponential minus one", "y = e^x - 1, exact for small x.">;
def RAF_LogOp : RAF_UnaryOp<"log", RAF_FloatTensor, "natural logarithm", "y = ln x.">;
def RAF_Log1pOp : RAF_UnaryOp<"log1p", RAF_FloatTensor, "logarithm of one plus x", "y = ln(1 + x), exact for small x.">;
def RAF_SqrtOp : RAF_UnaryOp<"sqrt", RAF_FloatTensor, "square root", "y = sqrt(x). The gradient at 0 is infinite, as in JAX and PyTorch.">;
def RAF_RsqrtOp : RAF_UnaryOp<"rsqrt", RAF_FloatTensor, "reciprocal square root", "y = 1 / sqrt(x).">;
def RAF_SinOp : RAF_UnaryOp<"sin", RAF_FloatTensor, "sine", "y = sin x.">;
def RAF_CosOp : RAF_UnaryOp<"cos", RAF_FloatTensor, "cosine", "y = cos x.">;
def RAF_CbrtOp : RAF_UnaryOp<"cbrt", RAF_FloatTensor, "cube root", "y = x^(1/3), negative for negative x. The gradient at 0 is infinite.">;
def RAF_TanhOp : RAF_UnaryOp<"tanh", RAF_FloatTensor, "hyperbolic tangent", "y = tanh x.">;
def RAF_SigmoidOp : RAF_UnaryOp<"sigmoid", RAF_FloatTensor, "logistic function", "y = 1 / (1 + e^-x).">;
def RAF_ErfOp : RAF_UnaryOp<"erf", RAF_FloatTensor, "error function", "y = erf x.">;
def RAF_ReluOp : RAF_UnaryOp<"relu", RAF_NumberTensor, "rectified linear unit", "y = max(x, 0). The gradient at 0 is 0.", [Idempotent]>;
def RAF_SiluOp : RAF_UnaryOp<"silu", RAF_FloatTensor, "sigmoid linear unit (swish)", "y = x / (1 + e^-x).">;
def RAF_NotOp : RAF_UnaryOp<"not", RAF_IntTensor, "bitwise complement", "y = ~x; logical not for i1."> {
  let description = "y = ~x; logical not for i1.\n\nExample:\n```mlir\n%y = raf.not %m : tensor<4x8xi1>\n```";
}

class RAF_BitCountOp<string mnemonic, string sum, string maths> : RAF_UnaryOp<mnemonic, RAF_WideIntTensor, sum, maths> {
  let description = maths # "\n\nExample:\n```mlir\n%y = raf." # mnemonic # " %i : tensor<4x8xi32>\n```";
}
def RAF_PopcountOp : RAF_BitCountOp<"popcount", "number of bits that are set", "y = the number of ones among the bits of x.">;
def RAF_CountLeadingZerosOp : RAF_BitCountOp<"count_leading_zeros", "number of leading zero bits", "y = the number of zeros above the highest bit that is set; the width for x = 0.">;

def RAF_GeluOp : RAF_ElementwiseOp<"gelu", [SameOperandsAndResultType]> {
  let summary = "Gaussian error linear unit";
  let description = [{
    `erf`: y = x (1 + erf(x / sqrt 2)) / 2. `tanh`: y = x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2.
    Source: Hendrycks and Gimpel, arXiv 1606.08415.

    Example:
    ```mlir
    %y = raf.gelu erf %x : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins RAF_GeluKindAttr:$kind, RAF_FloatTensor:$x);
  let results = (outs RAF_FloatTensor:$y);
  let assemblyFormat = "$kind $x attr-dict `:` type($y)";
}

def RAF_StopGradientOp : RAF_ElementwiseOp<"stop_gradient", [SameOperandsAndResultType, Idempotent]> {
  let summary = "identity without a gradient";
  let description = [{
    y = x, and a constant for `raf-autodiff`: nothing flows back through it, whatever order is differentiated. It stays until the program is compiled
    (`raf-erase-stop-gradient`).

    Example:
    ```mlir
    %y = raf.stop_gradient %x : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($y)";
  let hasFolder = 1;
}

def RAF_IsNanOp : RAF_ElementwiseOp<"is_nan", [InferTypeOpAdaptor]> {
  let summary = "test for NaN";
  let description = [{
    y = (x is NaN).

    Example:
    ```mlir
    %y = raf.is_nan %x : tensor<4x8xf32> -> tensor<4x8xi1>
    ```
  }];
  let arguments = (ins RAF_FloatTensor:$x);
  let results = (outs RAF_BoolTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($y)";
}

def RAF_CastOp : RAF_ElementwiseOp<"cast"> {
  let summary = "conversion of the element type";
  let description = [{
    Floating point to integer truncates toward zero, what is outside the range becomes the nearest end of it and NaN becomes 0; integers are signed unless it says
    `unsigned`, i1 is 0 or 1; a number becomes i1 by x != 0.

    Example:
    ```mlir
    %y = raf.cast %x : tensor<4x8xf32> to tensor<4x8xbf16>
    %z = raf.cast unsigned %i : tensor<4x8xi32> to tensor<4x8xf32>
    ```
  }];
  let arguments = (ins RAF_Tensor:$x, UnitAttr:$is_unsigned);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "(`unsigned` $is_unsigned^)? $x attr-dict `:` type($x) `to` type($y)";
  let hasFolder = 1;
}

def RAF_BitcastOp : RAF_ElementwiseOp<"bitcast"> {
  let summary = "the same bits as another element type";
  let description = [{
    The bits of each element read as an element type of the same width.

    Example:
    ```mlir
    %y = raf.bitcast %x : tensor<4x8xf32> to tensor<4x8xi32>
    ```
  }];
  let arguments = (ins RAF_NumberTensor:$x);
  let results = (outs RAF_NumberTensor:$y);
  let assemblyFormat = "$x attr-dict `:` type($x) `to` type($y)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

//===-- binary ---------------------------------------------------------------------------------------------------===//

def RAF_AddOp : RAF_BinaryOp<"add", RAF_NumberTensor, "sum", "y = a + b.", [Commutative]> { let hasFolder = 1; }
def RAF_SubOp : RAF_BinaryOp<"sub", RAF_NumberTensor, "difference", "y = a - b."> { let hasFolder = 1; }
def RAF_MulOp : RAF_BinaryOp<"mul", RAF_NumberTensor, "product", "y = a * b.", [Commutative]> { let hasFolder = 1; }
def RAF_DivOp : RAF_BinaryOp<"div", RAF_NumberTensor, "quotient", "y = a / b; integers truncate toward zero."> { let hasFolder = 1; }
def RAF_RemOp : RAF_BinaryOp<"rem", RAF_NumberTensor, "remainder", "y = a - b trunc(a / b), with the sign of a.">;
def RAF_PowOp : RAF_BinaryOp<"pow", RAF_FloatTensor, "power", "y = a^b. The gradient with respect to b is 0 where a is 0."> { let hasCanonicalizer = 1; }
def RAF_MaximumOp : RAF_BinaryOp<"maximum", RAF_NumberTensor, "larger of two", "y = max(a, b), NaN if either is. At a tie each side gets half of the gradient.", [Commutative]>;
def RAF_MinimumOp : RAF_BinaryOp<"minimum", RAF_NumberTensor, "smaller of two", "y = min(a, b), NaN if either is. At a tie each side gets half of the gradient.", [Commutative]>;
class RAF_BitOp<string mnemonic, string sum, string maths> : RAF_BinaryOp<mnemonic, RAF_IntTensor, sum, maths, [Commutative]> {
  let description = maths # "\n\nExample:\n```mlir\n%y = raf." # mnemonic # " %m, %m : tensor<4x8xi1>\n```";
}
def RAF_AndOp : RAF_BitOp<"and", "bitwise and", "y = a & b; logical for i1.">;
def RAF_OrOp : RAF_BitOp<"or", "bitwise or", "y = a | b; logical for i1.">;
def RAF_XorOp : RAF_BitOp<"xor", "bitwise exclusive or", "y = a ^ b; logical for i1.">;

def RAF_Atan2Op : RAF_BinaryOp<"atan2", RAF_FloatTensor, "angle of a point", "y = the angle in (-pi, pi] of the point with ordinate a and abscissa b.">;
class RAF_WideIntOp<string mnemonic, string sum, string maths> : RAF_BinaryOp<mnemonic, RAF_WideIntTensor, sum, maths> {
  let description = maths # "\n\nExample:\n```mlir\n%y = raf." # mnemonic # " %i, %i : tensor<4x8xi32>\n```";
}
def RAF_DivUnsignedOp : RAF_WideIntOp<"div_unsigned", "quotient of unsigned integers", "y = floor(a / b) of a and b as unsigned numbers; all bits set for b = 0.">;
def RAF_RemUnsignedOp : RAF_WideIntOp<"rem_unsigned", "remainder of unsigned integers", "y = a mod b of a and b as unsigned numbers; a for b = 0.">;
def RAF_ShiftLeftOp : RAF_WideIntOp<"shift_left", "bits moved up", "y = a << b; 0 when b, as an unsigned number, is at least the width.">;
def RAF_ShiftRightLogicalOp
    : RAF_WideIntOp<"shift_right_logical", "bits moved down, zeros from above", "y = a >> b of a as an unsigned number; 0 when b, as an unsigned number, is at least the width.">;
def RAF_ShiftRightArithmeticOp
    : RAF_WideIntOp<"shift_right_arithmetic", "bits moved down, the sign from above", "y = a >> b; the sign in all bits when b, as an unsigned number, is at least the width.">;

def RAF_CompareOp : RAF_ElementwiseOp<"compare", [SameTypeOperands, InferTypeOpAdaptor]> {
  let summary = "comparison";
  let description = [{
    y = (a kind b) with `eq`, `ne`, `lt`, `le`, `gt` or `ge`. Comparisons with NaN are false, `ne` is true. Integers are signed, but for
    `ult`, `ule`, `ugt` and `uge`, which only integers have.

    Example:
    ```mlir
    %y = raf.compare lt %a, %b : tensor<4x8xf32> -> tensor<4x8xi1>
    ```
  }];
  let arguments = (ins RAF_CompareKindAttr:$kind, RAF_Tensor:$lhs, RAF_Tensor:$rhs);
  let results = (outs RAF_BoolTensor:$y);
  let assemblyFormat = "$kind $lhs `,` $rhs attr-dict `:` type($lhs) `->` type($y)";
  let hasVerifier = 1;
}

def RAF_SelectOp : RAF_ElementwiseOp<"select", [AllTypesMatch<["on_true", "on_false", "y"]>]> {
  let summary = "pointwise choice";
  let description = [{
    y = p ? a : b.

    Example:
    ```mlir
    %y = raf.select %m, %a, %b : tensor<4x8xf32>
    ```
  }];
  let arguments = (ins RAF_BoolTensor:$pred, RAF_Tensor:$on_true, RAF_Tensor:$on_false);
  let results = (outs RAF_Tensor:$y);
  let assemblyFormat = "$pred `,` $on_true `,` $on_false attr-dict `:` custom<SelectType>(type($pred), type($on_true), type($on_false), type($y))";
  let hasFolder = 1;
}

#endif // RAF_DIALECTS_RAF_ELEMENTWISE_TD
