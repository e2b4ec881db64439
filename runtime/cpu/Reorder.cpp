// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/Descs.h"

using namespace raf::rt;
using namespace raf::rt::plan;

std::unique_ptr<DnnlPlan> raf::rt::buildReorder(const Reorder &request, int64_t threads) {
  (request.src.packed() ? checkWeights : checkPart)(request.src, "src", 1, kMaxRank);
  checkWeights(request.dst, "dst", 1, kMaxRank);
  checkSameDims(request.src, "src", request.dst, "dst");
  auto plan = std::make_unique<DnnlPlan>(request.workspaceBuffer() + 1, threads);
  int from = plan->caller(0, describeTensor(request.src), request.src.offset);
  int to = plan->caller(1, describeTensor(request.dst));
  try {
    plan->copy(from, to, "src");
  } catch (const dnnl::error &error) {
    unsupported(std::string("oneDNN cannot make this copy: ") + error.what());
  }
  plan->finish();
  return plan;
}
