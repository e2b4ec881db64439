// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/memory/Timeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::raf;
using llvm::ArrayRef;
using llvm::SmallVector;

std::vector<Run> mlir::raf::runOnce(const Line &line) {
  std::vector<Run> runs(line.ops.size());
  for (auto [i, op] : llvm::enumerate(line.ops)) {
    runs[i].op = i;
    runs[i].reads.assign(op.reads.begin(), op.reads.end());
    runs[i].firstValue = op.firstValue;
  }
  return runs;
}

SmallVector<Lifetime> mlir::raf::getBuffers(const Line &line, ArrayRef<Run> runs, ArrayRef<unsigned> order, int64_t values) {
  std::vector<int64_t> lastUse(values, -1), bufferOf(values, -1), kindOf;
  for (auto [now, run] : llvm::enumerate(order))
    for (int64_t value : runs[run].reads)
      lastUse[value] = now;
  SmallVector<Lifetime> buffers;
  std::vector<bool> escapes;
  for (auto [position, number] : llvm::enumerate(order)) {
    const Run &run = runs[number];
    const LineOp &op = line.ops[run.op];
    int64_t now = position;
    SmallVector<int64_t, 2> taken;
    auto mayTake = [&](const MadeValue &made, unsigned read) {
      int64_t buffer = bufferOf[run.reads[read]];
      if (buffer < 0 || kindOf[buffer] != made.kind || buffers[buffer].last != now || llvm::is_contained(taken, buffer))
        return false;
      for (auto [other, value] : llvm::enumerate(run.reads))
        if (bufferOf[value] == buffer && !llvm::is_contained(made.mayTake, other))
          return false;
      return true;
    };
    for (auto [k, made] : llvm::enumerate(op.makes)) {
      int64_t value = run.firstValue + k, last = std::max(lastUse[value], now), buffer = -1;
      if (made.optional && lastUse[value] < 0)
        continue;
      if (made.over >= 0) {
        buffer = bufferOf[run.reads[made.over]];
      } else if (made.bytes > 0) {
        for (unsigned read : made.mayTake)
          if (mayTake(made, read)) {
            buffer = bufferOf[run.reads[read]];
            break;
          }
        if (buffer < 0) {
          buffer = buffers.size();
          buffers.push_back({made.bytes, now, last});
          kindOf.push_back(made.kind);
          escapes.push_back(false);
        }
      }
      bufferOf[value] = buffer;
      if (buffer < 0)
        continue;
      taken.push_back(buffer);
      buffers[buffer].last = std::max(buffers[buffer].last, last);
      escapes[buffer] = escapes[buffer] || made.escapes;
    }
  }
  SmallVector<Lifetime> result;
  for (auto [buffer, escaped] : llvm::zip(buffers, escapes))
    if (!escaped)
      result.push_back(buffer);
  for (auto [now, run] : llvm::enumerate(order))
    if (int64_t bytes = line.ops[runs[run].op].scratch)
      result.push_back({bytes, static_cast<int64_t>(now), static_cast<int64_t>(now)});
  return result;
}

SmallVector<int64_t> mlir::raf::getProfile(ArrayRef<Lifetime> buffers, size_t moments) {
  SmallVector<int64_t> profile(moments + 1, 0);
  for (const Lifetime &buffer : buffers) {
    int64_t bytes = llvm::alignTo(buffer.bytes, kArenaAlignment);
    profile[buffer.first] += bytes;
    profile[buffer.last + 1] -= bytes;
  }
  for (size_t i = 1; i < profile.size(); ++i)
    profile[i] += profile[i - 1];
  profile.pop_back();
  return profile;
}
