// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RAF_RUNTIME_CORE_THREADS_H
#define RAF_RUNTIME_CORE_THREADS_H

#include <cstdint>

namespace raf::rt {

/// Physical cores that the affinity mask and the CPU quota of the process leave; at least 1.
int64_t availableCores();

/// Called before the thread pool is used.
void notePoolUse();

/// True in a process that was forked after its parent had used the pool: the threads exist in the parent only, and OpenMP
/// would wait for them forever. Everything then runs on one thread, and plans made for more are refused.
bool poolLost();

/// Gives the calling thread this many OpenMP threads while in scope. OpenMP keeps the number per calling thread, so setting
/// it once for the process would miss steps that run on other threads; restoring leaves other users of OpenMP alone.
class ThreadScope {
public:
  explicit ThreadScope(int64_t threads);
  ~ThreadScope();
  ThreadScope(const ThreadScope &) = delete;
  ThreadScope &operator=(const ThreadScope &) = delete;

private:
  int previous;
  bool changed;
};

} // namespace raf::rt

#endif
