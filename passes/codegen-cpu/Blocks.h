// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ways to cut a matrix product in blocks, among which a measurement may choose.
#ifndef RAF_PASSES_CODEGEN_CPU_BLOCKS_H
#define RAF_PASSES_CODEGEN_CPU_BLOCKS_H

#include "mlir/IR/Operation.h"

namespace mlir::raf {

/// The attribute that names one, on a product or convolution of raf and on the generic that it becomes. Without it the blocks are those that fit the CPU's registers and
/// caches best (Contraction.cpp).
inline constexpr StringLiteral kBlocksAttr = "raf.blocks";

/// narrow: sums of one vector's width, in more rows. wide: of four vectors' width, in fewer. deep: parts of the depth twice as long.
inline constexpr StringLiteral kBlockVariants[] = {"narrow", "wide", "deep"};

/// The candidate of the dispatch that is generated code with these blocks: "codegen-wide".
inline std::string blocksCandidate(StringRef variant) { return ("codegen-" + variant).str(); }

} // namespace mlir::raf

#endif // RAF_PASSES_CODEGEN_CPU_BLOCKS_H
