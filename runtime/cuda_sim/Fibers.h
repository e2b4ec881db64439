// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fibers: functions with stacks of their own, among which one host thread switches. A fiber that is not resumed any more is
// simply forgotten, so nothing on its stack may need a destructor.
#ifndef RUNTIME_CUDA_SIM_FIBERS_H
#define RUNTIME_CUDA_SIM_FIBERS_H

#include <cstddef>
#include <deque>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <ucontext.h>
#endif

namespace raf::sim {

#if defined(__x86_64__) || defined(__aarch64__)
using FiberContext = void *; // the stack pointer, on top of the saved registers
#else
using FiberContext = ucontext_t;
#endif

class FiberPool {
public:
  ~FiberPool();
  /// Fiber `i` will run entry(argument) when it is resumed next. The entry must end with suspend and not return.
  void prepare(size_t i, void (*entry)(void *), void *argument);
  /// Runs fiber `i` until it suspends.
  void resume(size_t i);
  /// Called on fiber `i`.
  void suspend(size_t i);

private:
  struct Fiber {
    char *stack = nullptr;
    FiberContext context;
    void (*entry)(void *) = nullptr;
    void *argument = nullptr;
  };
  static void start(Fiber *fiber);
  std::deque<Fiber> fibers;
  FiberContext scheduler;
};

} // namespace raf::sim

#endif // RUNTIME_CUDA_SIM_FIBERS_H
