// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/PlanChecks.h"

#include "core/Error.h"

#include <algorithm>

using namespace raf::rt;
using namespace raf::rt::plan;

// Elements that a tensor may span. Far above any machine, and far from overflow in sums of products.
static constexpr int64_t kMaxSpan = int64_t(1) << 48;

void raf::rt::invalid(const std::string &message) { throw Error(RAF_RT_INVALID, message); }
void raf::rt::unsupported(const std::string &message) { throw Error(RAF_RT_UNSUPPORTED, message); }

std::string raf::rt::text(const std::vector<int64_t> &values) {
  std::string result = "[";
  for (size_t i = 0; i < values.size(); ++i)
    result += (i ? ", " : "") + std::to_string(values[i]);
  return result + "]";
}

void raf::rt::checkTensor(const Tensor &tensor, const char *name, size_t minRank, size_t maxRank) {
  if (tensor.offset != 0)
    invalid(std::string(name) + ": begins at element " + std::to_string(tensor.offset) + " of its buffer, where only operands of products may");
  checkPart(tensor, name, minRank, maxRank);
}

void raf::rt::checkPart(const Tensor &tensor, const char *name, size_t minRank, size_t maxRank) {
  std::string who = std::string(name) + ": ";
  if (tensor.offset < 0 || tensor.offset > kMaxSpan)
    invalid(who + "wrong offset " + std::to_string(tensor.offset));
  if (tensor.packed() || !tensor.blockDims.empty())
    invalid(who + "only weights may be packed");
  size_t rank = tensor.dims.size();
  if (rank < minRank || rank > maxRank)
    invalid(who + "rank " + std::to_string(rank) + " is not between " + std::to_string(minRank) + " and " +
            std::to_string(maxRank));
  if (tensor.strides.size() != rank)
    invalid(who + std::to_string(rank) + " dims but " + std::to_string(tensor.strides.size()) + " strides");
  for (size_t i = 0; i < rank; ++i) {
    if (tensor.dims[i] == 0)
      unsupported(who + "a tensor without elements, dims " + text(tensor.dims));
    if (tensor.dims[i] < 0 || tensor.dims[i] > kMaxSpan)
      invalid(who + "wrong dims " + text(tensor.dims));
  }
  std::vector<size_t> order;
  for (size_t i = 0; i < rank; ++i)
    if (tensor.dims[i] > 1)
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return tensor.strides[a] < tensor.strides[b]; });
  int64_t span = 1;
  for (size_t i : order) {
    if (tensor.strides[i] < span)
      unsupported(who + "elements that share an address, dims " + text(tensor.dims) + ", strides " +
                  text(tensor.strides));
    // Division first: the product itself may overflow.
    if (tensor.strides[i] > kMaxSpan / tensor.dims[i])
      invalid(who + "too big, dims " + text(tensor.dims) + ", strides " + text(tensor.strides));
    span += tensor.strides[i] * (tensor.dims[i] - 1);
  }
  if (tensor.type < Type::F32 || tensor.type > Type::F8E5M2)
    invalid(who + "unknown element type " + std::to_string(static_cast<int64_t>(tensor.type)));
}

void raf::rt::checkWeights(const Tensor &tensor, const char *name, size_t minRank, size_t maxRank) {
  if (!tensor.packed())
    return checkTensor(tensor, name, minRank, maxRank);
  // Whether the library has such a layout is seen when it is described.
  Tensor plain = Tensor::dense(tensor.type, tensor.dims);
  plain.offset = tensor.offset;
  checkTensor(plain, name, minRank, maxRank);
  if (tensor.strides.size() != tensor.dims.size() || tensor.blockDims.size() != tensor.blocks.size())
    invalid(std::string(name) + ": packed with strides " + text(tensor.strides) + ", blocks " + text(tensor.blocks) + " of dims " + text(tensor.blockDims) +
            " where dims are " + text(tensor.dims));
}

void raf::rt::checkSameDims(const Tensor &a, const char *aName, const Tensor &b, const char *bName) {
  if (a.dims != b.dims)
    invalid(std::string(aName) + " has dims " + text(a.dims) + ", but " + bName + " has " + text(b.dims));
}

void raf::rt::checkBroadcast(const Tensor &tensor, const char *name, const Tensor &whole) {
  bool fits = tensor.dims.size() == whole.dims.size();
  for (size_t i = 0; fits && i < whole.dims.size(); ++i)
    fits = tensor.dims[i] == 1 || tensor.dims[i] == whole.dims[i];
  if (!fits)
    invalid(std::string(name) + ": dims " + text(tensor.dims) + " do not broadcast to " + text(whole.dims));
}

void raf::rt::checkPlaces(const std::string &operation, const Tensor &src, const Tensor &dst, size_t i, int64_t reach,
                          int64_t padding, int64_t stride) {
  int64_t room = src.dims[i + 2] + padding - reach, places = room < 0 ? 0 : room / stride + 1;
  if (places == 0 || dst.dims[i + 2] != places)
    invalid(operation + ": dst has spatial size " + std::to_string(dst.dims[i + 2]) + " in dim " + std::to_string(i + 2) +
            ", expected " + std::to_string(places));
}
