// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/Descs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace raf::rt;
using namespace raf::rt::plan;

void raf::rt::checkPostOps(const std::vector<PostOp> &postOps, const Tensor &result) {
  if (postOps.size() > static_cast<size_t>(kMaxPostOps))
    unsupported(std::to_string(postOps.size()) + " post-ops, at most " + std::to_string(kMaxPostOps));
  for (const PostOp &op : postOps) {
    bool eltwise = op.kind >= PostOpKind::Relu && op.kind <= PostOpKind::HardSwish;
    if (!eltwise && !isBinary(op.kind) && op.kind != PostOpKind::Sum)
      invalid("unknown post-op " + std::to_string(static_cast<int64_t>(op.kind)));
    if (!std::isfinite(op.alpha) || !std::isfinite(op.beta))
      unsupported("a post-op with a constant that is not finite");
    if (isBinary(op.kind)) {
      checkTensor(op.operand, "post-op operand", 1, kMaxRank);
      checkBroadcast(op.operand, "post-op operand", result);
    } else if (op.operand.present()) {
      invalid("a post-op that takes no operand has one");
    }
  }
  if (std::count_if(postOps.begin(), postOps.end(), [](const PostOp &op) { return op.kind == PostOpKind::Sum; }) > 1)
    unsupported("more than one sum among the post-ops");
}

dnnl::memory::data_type raf::rt::dataType(Type type) {
  switch (type) {
  case Type::F32:
    return dnnl::memory::data_type::f32;
  case Type::BF16:
    return dnnl::memory::data_type::bf16;
  case Type::F16:
    return dnnl::memory::data_type::f16;
  case Type::I32:
    return dnnl::memory::data_type::s32;
  case Type::I8:
    return dnnl::memory::data_type::s8;
  case Type::U8:
    return dnnl::memory::data_type::u8;
  case Type::F8E4M3:
  case Type::F8E5M2:
    unsupported("oneDNN is given no numbers of 8 bits");
  case Type::F64:
    break;
  }
  unsupported("oneDNN has no f64 on CPUs");
}

// The library has no constructor for a blocked layout, only names: the one with these blocks and strides is looked for.
static dnnl::memory::desc describePacked(const Tensor &tensor) {
  dnnl::memory::data_type type = dataType(tensor.type);
  for (int tag = dnnl_format_tag_any + 1; tag < dnnl_format_tag_last; ++tag) {
    dnnl::memory::desc desc(tensor.dims, type, static_cast<dnnl::memory::format_tag>(tag), /*allow_empty=*/true);
    if (desc && desc.get_inner_blks() == tensor.blocks && desc.get_inner_idxs() == tensor.blockDims && desc.get_strides() == tensor.strides)
      return desc;
  }
  invalid("this oneDNN has no layout with blocks " + text(tensor.blocks) + " of dims " + text(tensor.blockDims) + " and strides " + text(tensor.strides) +
          " for dims " + text(tensor.dims));
}

Tensor raf::rt::packedTensor(const dnnl::memory::desc &desc, Type type) {
  if (desc.get_format_kind() != dnnl::memory::format_kind::blocked || desc.get_inner_nblks() == 0)
    return {};
  Tensor tensor{type, desc.get_dims(), desc.get_strides()};
  tensor.blocks = desc.get_inner_blks();
  tensor.blockDims = desc.get_inner_idxs();
  try {
    if (describePacked(tensor) == desc)
      return tensor;
  } catch (const Error &) {
  }
  return {};
}

dnnl::memory::desc raf::rt::describeTensor(const Tensor &tensor) {
  if (tensor.packed())
    return describePacked(tensor);
  std::vector<int64_t> strides = tensor.strides;
  int64_t inner = 1;
  for (size_t i = strides.size(); i-- > 0;) {
    if (tensor.dims[i] == 1)
      strides[i] = inner;
    inner = std::max(inner, tensor.dims[i] * strides[i]);
  }
  return {tensor.dims, dataType(tensor.type), strides};
}

dnnl::memory::desc raf::rt::describeAny(const Tensor &tensor) {
  return {tensor.dims, dataType(tensor.type), dnnl::memory::format_tag::any};
}

bool raf::rt::isReference(const dnnl::primitive_desc_base &primitive) {
  const char *name = nullptr;
  dnnl_primitive_desc_query(primitive.get(), dnnl_query_impl_info_str, 0, &name);
  return !name || std::string(name).find("ref") != std::string::npos;
}

static dnnl::algorithm eltwise(PostOpKind kind) {
  switch (kind) {
  case PostOpKind::Relu:
    return dnnl::algorithm::eltwise_relu;
  case PostOpKind::GeluErf:
    return dnnl::algorithm::eltwise_gelu_erf;
  case PostOpKind::GeluTanh:
    return dnnl::algorithm::eltwise_gelu_tanh;
  case PostOpKind::Tanh:
    return dnnl::algorithm::eltwise_tanh;
  case PostOpKind::Logistic:
    return dnnl::algorithm::eltwise_logistic;
  case PostOpKind::Swish:
    return dnnl::algorithm::eltwise_swish;
  case PostOpKind::Clip:
    return dnnl::algorithm::eltwise_clip;
  case PostOpKind::Elu:
    return dnnl::algorithm::eltwise_elu;
  case PostOpKind::HardSwish:
    return dnnl::algorithm::eltwise_hardswish;
  default:
    return dnnl::algorithm::eltwise_linear;
  }
}

std::vector<Operand> raf::rt::operandsFor(const std::vector<PostOp> &postOps, const Tensor &result, Operands how) {
  std::vector<Operand> operands;
  for (size_t i = 0; i < postOps.size(); ++i) {
    if (!isBinary(postOps[i].kind))
      continue;
    Tensor tensor = postOps[i].operand;
    auto wide = std::count_if(tensor.dims.begin(), tensor.dims.end(), [](int64_t dim) { return dim > 1; });
    if (how == Operands::Expanded && wide > 0) {
      // A stride of 0 repeats elements: the copy then writes the operand out in full.
      for (size_t dim = 0; dim < tensor.dims.size(); ++dim)
        if (tensor.dims[dim] == 1 && result.dims[dim] > 1) {
          tensor.dims[dim] = result.dims[dim];
          tensor.strides[dim] = 0;
        }
    }
    Tensor wanted = tensor;
    if (how != Operands::AsTheyAre)
      wanted = tensor.dims == result.dims ? Tensor{tensor.type, result.dims, result.strides}
                                          : Tensor::dense(tensor.type, tensor.dims);
    operands.push_back({i, describeTensor(tensor), describeTensor(wanted)});
  }
  return operands;
}

dnnl::primitive_attr raf::rt::attributes(const std::vector<PostOp> &postOps, const std::vector<Operand> &operands) {
  dnnl::post_ops ops;
  size_t binary = 0;
  for (const PostOp &op : postOps) {
    switch (op.kind) {
    case PostOpKind::Add:
      ops.append_binary(dnnl::algorithm::binary_add, operands[binary++].wanted);
      break;
    case PostOpKind::Sub:
      ops.append_binary(dnnl::algorithm::binary_sub, operands[binary++].wanted);
      break;
    case PostOpKind::Mul:
      ops.append_binary(dnnl::algorithm::binary_mul, operands[binary++].wanted);
      break;
    case PostOpKind::Sum:
      ops.append_sum(static_cast<float>(op.alpha));
      break;
    case PostOpKind::Relu:
      // oneDNN's max(x, 0) makes NaN 0, which would hide a broken step. x * min(max(2^127 * x, 0), 1) is x from 2^-127
      // on, a zero for x <= 0 and NaN for NaN.
      if (op.alpha == 0) {
        ops.append_eltwise(dnnl::algorithm::eltwise_hardswish, 0x1p127f, 0);
        break;
      }
      [[fallthrough]];
    default:
      ops.append_eltwise(eltwise(op.kind), static_cast<float>(op.alpha), static_cast<float>(op.beta));
    }
  }
  dnnl::primitive_attr attr;
  attr.set_post_ops(ops);
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

bool raf::rt::hasSum(const std::vector<PostOp> &postOps) {
  return std::any_of(postOps.begin(), postOps.end(), [](const PostOp &op) { return op.kind == PostOpKind::Sum; });
}

namespace {

/// How an index of one dim is made into an address: by (size, stride) of each of its digits, the first one changes slowest.
using Digits = std::vector<std::pair<int64_t, int64_t>>;

Digits digitsOf(const dnnl::memory::desc &desc, int dim) {
  Digits digits;
  auto add = [&](int64_t size, int64_t stride) {
    if (size == 1)
      return;
    if (!digits.empty() && digits.back().second == size * stride)
      digits.back() = {digits.back().first * size, stride};
    else
      digits.emplace_back(size, stride);
  };
  auto blocks = desc.get_inner_blks(), dims = desc.get_inner_idxs();
  int64_t inside = 1, behind = 1;
  for (int64_t block : blocks)
    behind *= block;
  for (size_t i = 0; i < blocks.size(); ++i)
    inside *= dims[i] == dim ? blocks[i] : 1;
  add(desc.get_dims()[dim] / inside, desc.get_strides()[dim]);
  for (size_t i = 0; i < blocks.size(); ++i) {
    behind /= blocks[i];
    if (dims[i] == dim)
      add(blocks[i], behind);
  }
  return digits;
}

/// Whether all elements lie at the same places, whatever the descriptions call it: blocks of 16 of 16 channels are channels last.
bool sameMemory(const dnnl::memory::desc &a, const dnnl::memory::desc &b) {
  if (a == b)
    return true;
  auto comparable = [](const dnnl::memory::desc &desc) {
    return desc.get_format_kind() == dnnl::memory::format_kind::blocked && desc.get_padded_dims() == desc.get_dims() && desc.get_submemory_offset() == 0;
  };
  if (!comparable(a) || !comparable(b) || a.get_dims() != b.get_dims() || a.get_data_type() != b.get_data_type() || a.get_size() != b.get_size())
    return false;
  for (int dim = 0; dim < a.get_ndims(); ++dim)
    if (digitsOf(a, dim) != digitsOf(b, dim))
      return false;
  return true;
}

} // namespace

void Arguments::input(int argument, int64_t buffer, const dnnl::memory::desc &theirs, const dnnl::memory::desc &wanted,
                      const char *name, int64_t offset) {
  bool same = sameMemory(theirs, wanted);
  int slot = plan.caller(buffer, same ? wanted : theirs, offset);
  if (!same) {
    int inside = plan.internal(wanted);
    plan.copy(slot, inside, name);
    slot = inside;
  }
  pairs.emplace_back(argument, slot);
}

void Arguments::output(int argument, int64_t buffer, const dnnl::memory::desc &theirs, const dnnl::memory::desc &wanted,
                       const char *name, bool keeps) {
  bool same = sameMemory(theirs, wanted);
  int slot = plan.caller(buffer, same ? wanted : theirs);
  if (!same) {
    int inside = plan.internal(wanted);
    if (keeps)
      plan.copy(slot, inside, name);
    after.push_back({inside, slot, name});
    slot = inside;
  }
  pairs.emplace_back(argument, slot);
}

void Arguments::opaque(int argument, int64_t buffer, const dnnl::memory::desc &desc) {
  pairs.emplace_back(argument, plan.caller(buffer, desc));
}

void Arguments::constant(int argument, float value) { pairs.emplace_back(argument, plan.constant(value)); }

void Arguments::operands(const std::vector<Operand> &operands, int64_t first) {
  for (const Operand &operand : operands)
    input(DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(operand.index)) | DNNL_ARG_SRC_1, first++, operand.theirs,
          operand.wanted, "operand");
}

void Arguments::run(const dnnl::primitive &primitive, const dnnl::primitive_desc_base &desc) {
  const char *name = "";
  dnnl_primitive_desc_query(desc.get(), dnnl_query_impl_info_str, 0, &name);
  plan.note(name);
  plan.step(primitive, desc.scratchpad_desc(), pairs);
  for (const After &copy : after)
    plan.copy(copy.from, copy.to, copy.name);
  plan.finish();
}
