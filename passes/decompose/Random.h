// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which counter and which of its words an element of raf.random_uniform is made of. The body of the generic marks the scalars, so that code generation can compute the
// counters of a run of elements once.
#ifndef RAF_PASSES_DECOMPOSE_RANDOM_H
#define RAF_PASSES_DECOMPOSE_RANDOM_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mlir::raf {

/// On ops of a body: "element" (its number e, i64), "counter" (e / 64 * 16 + e mod 16), "word" (e / 16 mod 4) or "bits" (that word of the counter's, chosen by selects on its number).
constexpr llvm::StringLiteral kRandomAttr = "raf.random";

constexpr int64_t kRandomLanes = 16, kRandomWords = 4, kRandomBlock = kRandomLanes * kRandomWords;

} // namespace mlir::raf

#endif // RAF_PASSES_DECOMPOSE_RANDOM_H
