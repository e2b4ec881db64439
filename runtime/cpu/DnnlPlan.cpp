// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/DnnlPlan.h"

#include "core/Threads.h"

#include <algorithm>

#include <omp.h>

using namespace raf::rt;

namespace {

constexpr int64_t kAlignment = 64;

int64_t aligned(int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

} // namespace

dnnl::engine &raf::rt::dnnlEngine() {
  // Never destroyed: plans may outlive static destructors at exit.
  static dnnl::engine *engine = new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return *engine;
}

DnnlPlan::DnnlPlan(int64_t buffers, int64_t threads) : bytes(buffers, 0), threads(threads), stream(dnnlEngine()) {}

DnnlPlan::~DnnlPlan() { raf_rt_free(nullptr, own); }

int DnnlPlan::caller(int64_t buffer, const dnnl::memory::desc &desc, int64_t offset) {
  int64_t element = static_cast<int64_t>(dnnl::memory::data_type_size(desc.get_data_type())), skipped = offset * element, needed = desc.get_size();
  if (offset > 0) { // oneDNN's size has whole rows, of which the last one may end beyond the buffer
    std::vector<int64_t> dims = desc.get_dims(), strides = desc.get_strides();
    needed = skipped + element;
    for (size_t i = 0; i < dims.size(); ++i)
      needed += (dims[i] - 1) * strides[i] * element;
  }
  bytes[buffer] = std::max(bytes[buffer], needed);
  slots.push_back({dnnl::memory(desc, dnnlEngine(), DNNL_MEMORY_NONE), buffer, skipped, nullptr});
  descs.push_back(desc);
  return static_cast<int>(slots.size()) - 1;
}

int DnnlPlan::internal(const dnnl::memory::desc &desc) {
  int64_t offset = aligned(bytes.back());
  bytes.back() = offset + desc.get_size();
  slots.push_back(
      {dnnl::memory(desc, dnnlEngine(), DNNL_MEMORY_NONE), static_cast<int64_t>(bytes.size()) - 1, offset, nullptr});
  descs.push_back(desc);
  return static_cast<int>(slots.size()) - 1;
}

int DnnlPlan::constant(float value) {
  dnnl::memory::desc desc({1}, dnnl::memory::data_type::f32, dnnl::memory::dims{1});
  dnnl::memory memory(desc, dnnlEngine());
  *static_cast<float *>(memory.get_data_handle()) = value;
  slots.push_back({memory, -1, 0, nullptr});
  descs.push_back(desc);
  return static_cast<int>(slots.size()) - 1;
}

void DnnlPlan::step(const dnnl::primitive &primitive, const dnnl::memory::desc &scratchpad,
                    const std::vector<std::pair<int, int>> &arguments) {
  Step next{primitive, {}, static_cast<int64_t>(scratchpad.get_size()), -1};
  for (auto [argument, slot] : arguments)
    next.arguments.push_back({argument, slots[slot].memory.get()});
  if (next.scratchpadBytes) {
    // Placed by finish(): no two steps run at once, so they share the space.
    slots.push_back({dnnl::memory(scratchpad, dnnlEngine(), DNNL_MEMORY_NONE), static_cast<int64_t>(bytes.size()) - 1, 0,
                     nullptr});
    descs.push_back(scratchpad);
    next.scratchpad = static_cast<int>(slots.size()) - 1;
    next.arguments.push_back({DNNL_ARG_SCRATCHPAD, slots.back().memory.get()});
  }
  steps.push_back(std::move(next));
}

void DnnlPlan::copy(int from, int to, const char *name) {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::reorder::primitive_desc desc(dnnlEngine(), descs[from], dnnlEngine(), descs[to], attr);
  step(dnnl::reorder(desc), desc.scratchpad_desc(), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  note(std::string("reorder(") + name + ")");
}

void DnnlPlan::note(const std::string &text) { description += (description.empty() ? "" : " + ") + text; }

void DnnlPlan::finish() {
  int64_t scratchpad = 0;
  for (const Step &step : steps)
    scratchpad = std::max(scratchpad, step.scratchpadBytes);
  if (!scratchpad)
    return;
  int64_t offset = aligned(bytes.back());
  bytes.back() = offset + scratchpad;
  for (const Step &step : steps)
    if (step.scratchpad >= 0)
      slots[step.scratchpad].offset = offset;
}

void DnnlPlan::ownWorkspace() {
  if (raf_rt_alloc(nullptr, bytes.back(), &own) != RAF_RT_OK)
    throw Error(RAF_RT_OUT_OF_MEMORY, raf_rt_last_error(nullptr));
}

void DnnlPlan::execute(void **buffers) {
  int64_t workspace = static_cast<int64_t>(bytes.size()) - 1;
  for (Slot &slot : slots) {
    if (slot.buffer < 0)
      continue;
    void *base = slot.buffer == workspace && own ? own : buffers[slot.buffer];
    if (!base)
      throw Error(RAF_RT_INVALID, "buffer " + std::to_string(slot.buffer) + " is NULL (" + description + ")");
    void *handle = static_cast<char *>(base) + slot.offset;
    if (handle != slot.handle) {
      slot.memory.set_data_handle(handle);
      slot.handle = handle;
    }
  }
  if (threads > 1) {
    if (poolLost())
      throw Error(RAF_RT_FAILED, "this process was forked after its parent had used RAF's threads, which a fork does not "
                                 "copy: start worker processes with the method 'spawn', or load the executable after the "
                                 "fork");
    notePoolUse();
  }
  // Primitives and their scratchpads are made for a number of threads and must run with it.
  ThreadScope scope(threads);
  for (const Step &step : steps) {
    dnnl_status_t status = dnnl_primitive_execute(step.primitive.get(), stream.get(),
                                                  static_cast<int>(step.arguments.size()), step.arguments.data());
    if (status != dnnl_success)
      throw Error(RAF_RT_FAILED, "oneDNN failed with status " + std::to_string(status) + " (" + description + ")");
  }
  if (last)
    last(buffers);
}
