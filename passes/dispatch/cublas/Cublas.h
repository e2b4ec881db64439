// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cuBLASLt can compute with a product: what follows it, the gradients of activations, and sums of operands.
#ifndef RAF_PASSES_DISPATCH_CUBLAS_CUBLAS_H
#define RAF_PASSES_DISPATCH_CUBLAS_CUBLAS_H

#include "dialects/cublas/Ops.h"
#include "dialects/raf/Ops.h"
#include "passes/dispatch/dnnl/Epilogue.h"

namespace mlir::raf::dispatch {

/// alpha * lhs * rhs and what belongs to it; absent values are null.
struct Product {
  TracedView lhs, rhs;
  Value bias, addend, kept, accumulator;
  double alpha = 1;
  cublas::Activation activation = cublas::Activation::none;
  std::optional<cublas::BiasGradient> biasGradient;
  /// The forward product of an activation whose gradient is the library's too.
  bool keeps = false;
  bool tf32 = false;
  /// The result, and how the product lies in it.
  RankedTensorType type;
  View store;
};

/// The op: its results are the product, then the bias gradient and what it keeps. The library has not been asked yet whether it takes it.
cublas::MatmulOp build(RewriterBase &rewriter, Location loc, const Product &product);
/// The product with what follows it; false if activation(alpha * product + bias + addend) cannot say that.
bool addEpilogue(Product &product, const Epilogue &epilogue, const CudaSettings &settings);

/// Operands through transposes and reshapes, or as they are.
Product productOf(raf::MatmulOp matmul, bool traced, const CudaSettings &settings);

/// Takes a product, the activation that follows it and, where all its gradients belong to products, these too.
FailureOr<unsigned> applyWithGradients(raf::MatmulOp matmul, RewriterBase &rewriter, std::string &reason, const CudaSettings &settings);
/// Takes a product together with the sum of an operand over what it contracts: the gradient of a bias.
FailureOr<unsigned> applyWithSum(raf::MatmulOp matmul, RewriterBase &rewriter, std::string &reason, const CudaSettings &settings);

} // namespace mlir::raf::dispatch

#endif // RAF_PASSES_DISPATCH_CUBLAS_CUBLAS_H
