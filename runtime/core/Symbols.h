// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_RUNTIME_CORE_SYMBOLS_H
#define RAF_RUNTIME_CORE_SYMBOLS_H

#include <string>
#include <unordered_map>

namespace raf::rt {

/// The C library's maths and memory functions, and conversions of small floats.
const std::unordered_map<std::string, void *> &librarySymbols();

/// What generated code may call: the runtime, the C library's maths and memory functions, and conversions of small floats. Nothing else is resolved, so an
/// executable cannot depend on what else happens to be in the process.
const std::unordered_map<std::string, void *> &knownSymbols();

} // namespace raf::rt

#endif
