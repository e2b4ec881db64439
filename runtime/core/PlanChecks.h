// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that every library's plans share: they keep wrong words away from the libraries.
#ifndef RAF_RUNTIME_CORE_PLANCHECKS_H
#define RAF_RUNTIME_CORE_PLANCHECKS_H

#include "raf_dnnl.h"

#include <string>

namespace raf::rt {

[[noreturn]] void invalid(const std::string &message);
[[noreturn]] void unsupported(const std::string &message);

std::string text(const std::vector<int64_t> &values);

/// Rank, dims, strides and type are possible, no two elements overlap, and the first one is the buffer's. `name` is for the message.
void checkTensor(const plan::Tensor &tensor, const char *name, size_t minRank, size_t maxRank);
/// The same for what may begin inside its buffer, `offset` elements from its start.
void checkPart(const plan::Tensor &tensor, const char *name, size_t minRank, size_t maxRank);
/// As checkTensor, for weights, which may be packed.
void checkWeights(const plan::Tensor &tensor, const char *name, size_t minRank, size_t maxRank);
void checkSameDims(const plan::Tensor &a, const char *aName, const plan::Tensor &b, const char *bName);
/// Each dim of `tensor` is 1 or that of `whole`.
void checkBroadcast(const plan::Tensor &tensor, const char *name, const plan::Tensor &whole);
/// dst has in spatial dim i one element for each place of a window that covers `reach` elements of the padded src.
void checkPlaces(const std::string &operation, const plan::Tensor &src, const plan::Tensor &dst, size_t i, int64_t reach,
                 int64_t padding, int64_t stride);

} // namespace raf::rt

#endif
