// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM ends the process where it meets what it cannot do or what it believes impossible. A compiler inside somebody's Python process must not.

#ifndef PASSES_HOST_JIT_GUARD_H
#define PASSES_HOST_JIT_GUARD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace mlir::raf {

/// Runs the function; an error instead of the end of the process for LLVM's fatal errors, failed assertions and memory faults in this thread. What the function had made
/// by then is lost, never destroyed, because it may be damaged; so it must own all that it works on, and hand out its result only at its end. Threads that it starts need
/// guards of their own.
llvm::Error runGuarded(llvm::function_ref<void()> function);

} // namespace mlir::raf

#endif // PASSES_HOST_JIT_GUARD_H
