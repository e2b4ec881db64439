// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_RUNTIME_CORE_CPU_H
#define RAF_RUNTIME_CORE_CPU_H

#include <set>
#include <string>
#include <vector>

namespace raf::rt {

/// The features of this CPU that the system lets programs use, by the names that LLVM gives them.
const std::set<std::string> &hostFeatures();

/// Why code for that machine cannot run here; empty if it can.
std::string whyNotHere(const std::string &triple, const std::vector<std::string> &features);

} // namespace raf::rt

#endif
