// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normalizations.

#ifndef RAF_DIALECTS_RAF_NORM_TD
#define RAF_DIALECTS_RAF_NORM_TD

include "dialects/raf/Base.td"

class RAF_SoftmaxLike<string mnemonic, string sum, string maths> : RAF_Op<mnemonic, [SameOperandsAndResultType]> {
  let summary = sum;
  let description = maths # "\n\nExample:\n```mlir\n%y = raf." # mnemonic # " %x axis = 1 : tensor<4x8xf32>\n```";
  let arguments = (ins RAF_FloatTensor:$x, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs RAF_FloatTensor:$y);
  let assemblyFormat = "$x `axis` `=` $axis attr-dict `:` type($y)";
  let hasVerifier = 1;
}
def RAF_SoftmaxOp : RAF_SoftmaxLike<"softmax", "normalized exponential", "y = e^(x - m) / sum(e^(x - m)) along axis, with m the maximum.">;
def RAF_LogSoftmaxOp : RAF_SoftmaxLike<"log_softmax", "logarithm of softmax", "y = x - m - ln(sum(e^(x - m))) along axis, with m the maximum.">;

def RAF_LayerNormOp : RAF_InferredOp<"layer_norm"> {
  let summary = "layer normalization";
  let description = [{
    Over the dimensions from `axis` to the last: y = (x - mean) * rstd * scale + bias, rstd = 1 / sqrt(var + epsilon), var the mean of squared deviations.
    scale and bias have the shape of those dimensions; mean and rstd that of the others. Beside a 16-bit x, parameters and statistics may all be f32, here and in the
    other normalizations. Source: Ba et al., arXiv 1607.06450.

    Example:
    ```mlir
    %y, %mean, %rstd = raf.layer_norm %x, %v, %v axis = 1 epsilon = 1.0e-5 : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins RAF_FloatTensor:$x, RAF_FloatTensor:$scale, RAF_FloatTensor:$bias, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis, F64Attr:$epsilon);
  let results = (outs RAF_FloatTensor:$y, RAF_FloatTensor:$mean, RAF_FloatTensor:$rstd);
  let assemblyFormat = "$x `,` $scale `,` $bias `axis` `=` $axis `epsilon` `=` $epsilon attr-dict `:` functional-type(operands, results)";
}

def RAF_RmsNormOp : RAF_InferredOp<"rms_norm"> {
  let summary = "root-mean-square normalization";
  let description = [{
    Over the dimensions from `axis` to the last: y = x * rstd * scale, rstd = 1 / sqrt(mean(x^2) + epsilon). Source: Zhang and Sennrich, arXiv 1910.07467.

    Example:
    ```mlir
    %y, %rstd = raf.rms_norm %x, %v axis = 1 epsilon = 1.0e-5 : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins RAF_FloatTensor:$x, RAF_FloatTensor:$scale, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis, F64Attr:$epsilon);
  let results = (outs RAF_FloatTensor:$y, RAF_FloatTensor:$rstd);
  let assemblyFormat = "$x `,` $scale `axis` `=` $axis `epsilon` `=` $epsilon attr-dict `:` functional-type(operands, results)";
}

def RAF_BatchNormOp : RAF_InferredOp<"batch_norm"> {
  let summary = "batch normalization with running statistics, training form";
  let description = [{
    Over all dimensions but `axis`: y = (x - mean) * rstd * scale + bias, rstd = 1 / sqrt(var + epsilon), var the mean of squared deviations.
    new_running_mean = momentum * running_mean + (1 - momentum) * mean, and alike for the variance (ONNX's convention of momentum and of
    the variance). `raf-inference` replaces the op by its affine form on the running statistics. Source: Ioffe and Szegedy, arXiv 1502.03167.

    Example:
    ```mlir
    %y, %rm, %rv, %mean, %rstd = raf.batch_norm %x, %v, %v, %v, %v axis = 1 epsilon = 1.0e-5 momentum = 0.9 : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
    ```
  }];
  let arguments = (ins RAF_FloatTensor:$x, RAF_FloatTensor:$scale, RAF_FloatTensor:$bias, RAF_FloatTensor:$running_mean, RAF_FloatTensor:$running_var,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$axis, F64Attr:$epsilon, F64Attr:$momentum);
  let results = (outs RAF_FloatTensor:$y, RAF_FloatTensor:$new_running_mean, RAF_FloatTensor:$new_running_var, RAF_FloatTensor:$mean, RAF_FloatTensor:$rstd);
  let assemblyFormat = "$x `,` $scale `,` $bias `,` $running_mean `,` $running_var `axis` `=` $axis `epsilon` `=` $epsilon `momentum` `=` $momentum attr-dict `:` functional-type(operands, results)";
}

def RAF_BatchNormGradOp : RAF_InferredOp<"batch_norm_grad"> {
  let summary = "gradient of batch_norm with respect to x, scale and bias";
  let description = [{
    With xhat = (x - mean) * rstd and M the number of elements a feature: dbias = sum dy, dscale = sum dy * xhat,
    dx = scale * rstd * (dy - dbias / M - xhat * dscale / M).

    Example:
    ```mlir
    %dx, %ds, %db = raf.batch_norm_grad %x, %x, %v, %v, %v axis = 1 : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
    ```
  }];
  let arguments = (ins RAF_FloatTensor:$dy, RAF_FloatTensor:$x, RAF_FloatTensor:$scale, RAF_FloatTensor:$mean, RAF_FloatTensor:$rstd, ConfinedAttr<I64Attr, [IntNonNegative]>:$axis);
  let results = (outs RAF_FloatTensor:$dx, RAF_FloatTensor:$dscale, RAF_FloatTensor:$dbias);
  let assemblyFormat = "$dy `,` $x `,` $scale `,` $mean `,` $rstd `axis` `=` $axis attr-dict `:` functional-type(operands, results)";
}

#endif // RAF_DIALECTS_RAF_NORM_TD
