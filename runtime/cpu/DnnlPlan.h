// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A oneDNN plan: primitives run in order on memory objects made once. Internal tensors (other layouts, scratchpads) are
// offsets into the caller's workspace, so an execute only re-points handles.
#ifndef RAF_RUNTIME_CPU_DNNLPLAN_H
#define RAF_RUNTIME_CPU_DNNLPLAN_H

#include "core/Context.h"
#include "raf_dnnl.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <dnnl.hpp>

namespace raf::rt {

dnnl::engine &dnnlEngine();

class DnnlPlan : public Plan {
public:
  DnnlPlan(int64_t buffers, int64_t threads);
  ~DnnlPlan() override;

  void execute(void **buffers) override;
  const char *describe() const override { return description.c_str(); }

  /// Bytes of each of the caller's buffers; the workspace is the last.
  const std::vector<int64_t> &bufferBytes() const { return bytes; }

  /// The workspace that the caller will pass is smaller than needed: bring one.
  void ownWorkspace();

  // ---- used while the plan is built ----

  /// One of the caller's buffers, used as `desc` from its element `offset` on. Returns a slot.
  int caller(int64_t buffer, const dnnl::memory::desc &desc, int64_t offset = 0);
  /// A tensor in the workspace. Returns a slot.
  int internal(const dnnl::memory::desc &desc);
  /// A number that the plan holds. Returns a slot.
  int constant(float value);
  /// Appends a primitive that runs on these (argument, slot) pairs.
  void step(const dnnl::primitive &primitive, const dnnl::memory::desc &scratchpad,
            const std::vector<std::pair<int, int>> &arguments);
  /// Appends a copy from slot to slot, with whatever conversion their descriptions ask for. `name` is for people.
  void copy(int from, int to, const char *name);
  /// What runs on the caller's buffers after all primitives.
  void finally(std::function<void(void **)> function) { last = std::move(function); }
  /// Adds to the description.
  void note(const std::string &text);
  /// Called once, after the last step.
  void finish();

private:
  struct Slot {
    dnnl::memory memory;
    int64_t buffer; // of the caller; negative if the memory is its own
    int64_t offset;
    void *handle;
  };
  struct Step {
    dnnl::primitive primitive;
    std::vector<dnnl_exec_arg_t> arguments;
    int64_t scratchpadBytes;
    int scratchpad; // slot or -1
  };

  std::vector<int64_t> bytes;
  std::vector<Slot> slots;
  std::vector<Step> steps;
  std::vector<dnnl::memory::desc> descs; // of the slots
  int64_t threads;
  void *own = nullptr;
  dnnl::stream stream;
  std::string description;
  std::function<void(void **)> last;
};

/// Decodes, checks and prepares. Throws Error: RAF_RT_INVALID for words that mean nothing, RAF_RT_UNSUPPORTED for what
/// oneDNN does not do well here. `plannedWorkspace` is the word that the caller stored.
std::unique_ptr<DnnlPlan> buildDnnlPlan(int64_t kind, const int64_t *words, int64_t count, int64_t &plannedWorkspace);

// One function a kind, in the file of its name.
std::unique_ptr<DnnlPlan> buildMatmul(const plan::Matmul &matmul, int64_t threads);
std::unique_ptr<DnnlPlan> buildConvolution(const plan::Convolution &conv, plan::Kind kind, int64_t threads);
std::unique_ptr<DnnlPlan> buildPooling(const plan::Pooling &pool, plan::Kind kind, int64_t threads);
std::unique_ptr<DnnlPlan> buildBatchNorm(const plan::BatchNorm &norm, plan::Kind kind, int64_t threads);
// The packed layout in which a plan would not have to copy its weights, or their gradient; without dims if it does not, or they are packed already.
plan::Tensor packedWeights(const plan::Matmul &matmul);
plan::Tensor packedWeights(const plan::Convolution &conv, plan::Kind kind);
std::unique_ptr<DnnlPlan> buildReorder(const plan::Reorder &reorder, int64_t threads);

} // namespace raf::rt

#endif
