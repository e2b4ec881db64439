// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the encoded descriptions to oneDNN's, with the checks that keep wrong words away from the library.
#ifndef RAF_RUNTIME_CPU_DESCS_H
#define RAF_RUNTIME_CPU_DESCS_H

#include "core/PlanChecks.h"
#include "cpu/DnnlPlan.h"

namespace raf::rt {

void checkPostOps(const std::vector<plan::PostOp> &postOps, const plan::Tensor &result);

dnnl::memory::data_type dataType(plan::Type type);
/// Strides of dims of 1 are replaced by those that make the tensor look dense, which oneDNN's checks prefer.
dnnl::memory::desc describeTensor(const plan::Tensor &tensor);
dnnl::memory::desc describeAny(const plan::Tensor &tensor);
/// The other way round; a tensor without dims if the layout is plain or cannot be said in words.
plan::Tensor packedTensor(const dnnl::memory::desc &desc, plan::Type type);

/// True if a primitive is oneDNN's plain loop, orders of magnitude slower than generated code.
bool isReference(const dnnl::primitive_desc_base &primitive);

/// What a primitive is given for the binary operands of its post-ops, from cheap to expensive.
enum class Operands {
  AsTheyAre,
  LikeResult, // those of the result's dims through copies in its layout
  Expanded,   // so are those that broadcast in another way than along one channel or column
};

/// The operand of post-op `index`: what the caller has and what the primitive wants.
struct Operand {
  size_t index;
  dnnl::memory::desc theirs, wanted;
};

/// One for each binary post-op, in order.
std::vector<Operand> operandsFor(const std::vector<plan::PostOp> &postOps, const plan::Tensor &result, Operands how);

/// The attributes of `postOps`. The scratchpad is the caller's.
dnnl::primitive_attr attributes(const std::vector<plan::PostOp> &postOps, const std::vector<Operand> &operands);

bool hasSum(const std::vector<plan::PostOp> &postOps);

/// Gathers the arguments of one primitive: each is the caller's buffer itself or, where the primitive wants another layout,
/// an internal tensor with a reorder before (inputs) or after (outputs).
class Arguments {
public:
  explicit Arguments(DnnlPlan &plan) : plan(plan) {}

  /// `offset`: where in the buffer, in elements.
  void input(int argument, int64_t buffer, const dnnl::memory::desc &theirs, const dnnl::memory::desc &wanted,
             const char *name, int64_t offset = 0);
  /// `keeps`: the primitive also reads what the output held.
  void output(int argument, int64_t buffer, const dnnl::memory::desc &theirs, const dnnl::memory::desc &wanted,
              const char *name, bool keeps = false);
  /// A buffer that only oneDNN reads and writes.
  void opaque(int argument, int64_t buffer, const dnnl::memory::desc &desc);
  /// A number that the primitive reads when it runs.
  void constant(int argument, float value);
  /// Binary operands of the post-ops, buffers from `first` on.
  void operands(const std::vector<Operand> &operands, int64_t first);
  /// Appends the primitive and the reorders after it.
  void run(const dnnl::primitive &primitive, const dnnl::primitive_desc_base &desc);

private:
  DnnlPlan &plan;
  std::vector<std::pair<int, int>> pairs;
  struct After {
    int from, to;
    const char *name;
  };
  std::vector<After> after;
};

} // namespace raf::rt

#endif
