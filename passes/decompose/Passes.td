// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_DECOMPOSE_PASSES_TD
#define PASSES_DECOMPOSE_PASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposeOps : Pass<"raf-decompose-ops"> {
  let summary = "rewrite high-level raf ops in simpler raf ops";
  let description = [{
    Replaces every op that implements `DecomposableOpInterface` by its decomposition, again and again until none is left. Ops that a decomposition
    leaves behind (such as the softmax of an attention) are decomposed too.
  }];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let options = [
    ListOption<"keep", "keep", "std::string", "Ops that stay whole, by name (raf.softmax)">,
    ListOption<"only", "only", "std::string", "The only ops to decompose, by name; empty means all">
  ];
  let statistics = [Statistic<"numDecomposed", "num-decomposed", "Ops decomposed">];
}

def TileAttention : Pass<"raf-tile-attention"> {
  let summary = "attention as kernels of programs on tiles";
  let description = [{
    `raf.attention` becomes a `raf.kernel` with a parallel loop over tiles of its results, in each of which a loop walks over the keys: it keeps the maximum and the sum of the weights of each row so
    far, and corrects the result when they change (online softmax). Scores exist one tile at a time. The gradient is two kernels, one for dq and one for dk and dv, which compute the weights again
    from lse; each element is summed by one block, in a fixed order. The gradient of a bias is a third one.

    The bodies hold ops of raf on tiles of static shape, `tensor.extract_slice` of the operands and `scf.for`; code generation spreads a block's tiles over its threads. Tiles are as large as `bytes`
    allows; ops of which not even single rows fit stay as they are.
  }];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
  let options = [Option<"bytes", "bytes", "int64_t", "49152", "Bytes of fast memory that a block has for the tiles of its products">];
  let statistics = [Statistic<"numTiled", "num-tiled", "Ops that became programs on tiles">];
}

def ConvertToLinalg : Pass<"raf-convert-to-linalg"> {
  let summary = "lower simple raf ops to linalg on tensors";
  let description = [{
    `raf.reshape`, constants that are not scalars of a body, and ops of other dialects stay. Ops that no lowering knows are an error, which lists all of them.
  }];
  let options = [
    Option<"byResult", "by-result", "bool", /*default=*/"false", "Scatters and scans become ops that compute each element of the result by itself, for devices with many threads; "
                                                                 "otherwise they are loops, one element after the other">,
    Option<"views", "views", "bool", /*default=*/"false", "Products read their operands through transposes and reshapes, and through slices of what is in memory anyway, and store their rows as the only reader transposes them">
  ];
  let dependentDialects = ["::mlir::raf::RAFDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

#endif // PASSES_DECOMPOSE_PASSES_TD
