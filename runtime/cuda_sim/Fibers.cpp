// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_sim/Fibers.h"

#include <sys/mman.h>

#include <cstdint>
#include <new>

// Saves what a callee must preserve on the stack that it leaves, and returns on the other one.
#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.globl raf_sim_switch
.hidden raf_sim_switch
.type raf_sim_switch, @function
raf_sim_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size raf_sim_switch, .-raf_sim_switch
.globl raf_sim_enter
.hidden raf_sim_enter
.type raf_sim_enter, @function
raf_sim_enter:
  movq %r12, %rdi
  callq *%rbx
  ud2
.size raf_sim_enter, .-raf_sim_enter
)");
#elif defined(__aarch64__)
asm(R"(
.text
.p2align 4
.globl raf_sim_switch
.hidden raf_sim_switch
.type raf_sim_switch, %function
raf_sim_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size raf_sim_switch, .-raf_sim_switch
.globl raf_sim_enter
.hidden raf_sim_enter
.type raf_sim_enter, %function
raf_sim_enter:
  mov x0, x20
  blr x19
  brk #1
.size raf_sim_enter, .-raf_sim_enter
)");
#endif

#if defined(__x86_64__) || defined(__aarch64__)
extern "C" __attribute__((visibility("hidden"))) void raf_sim_switch(void **from, void *to);
extern "C" __attribute__((visibility("hidden"))) void raf_sim_enter();
#endif

namespace raf::sim {

constexpr size_t kStackBytes = 256 << 10, kGuardBytes = 16 << 10; // only what is touched takes memory
constexpr size_t kStaggered = 512;                                // lines of the cache

FiberPool::~FiberPool() {
  for (Fiber &fiber : fibers)
    munmap(fiber.stack, kStackBytes);
}

void FiberPool::start(Fiber *fiber) { fiber->entry(fiber->argument); }

void FiberPool::prepare(size_t i, void (*entry)(void *), void *argument) {
  if (i >= fibers.size())
    fibers.resize(i + 1);
  Fiber &fiber = fibers[i];
  if (!fiber.stack) {
    void *stack = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED)
      throw std::bad_alloc();
    mprotect(stack, kGuardBytes, PROT_NONE);
    fiber.stack = static_cast<char *>(stack);
  }
  fiber.entry = entry;
  fiber.argument = argument;
  // Stacks that all begin at one offset from a page would share a few sets of each cache.
  char *end = fiber.stack + kStackBytes - 64 - i * 7 % kStaggered * 64;
#if defined(__x86_64__)
  // As raf_sim_switch would have left it: six registers and the address that it returns to. There the stack is aligned to 16 bytes.
  auto *top = reinterpret_cast<uint64_t *>(end);
  top[-1] = reinterpret_cast<uint64_t>(&raf_sim_enter);
  top[-2] = 0;                                     // rbp
  top[-3] = reinterpret_cast<uint64_t>(entry);     // rbx
  top[-4] = reinterpret_cast<uint64_t>(argument);  // r12
  top[-5] = top[-6] = top[-7] = 0;
  fiber.context = top - 7;
#elif defined(__aarch64__)
  auto *frame = reinterpret_cast<uint64_t *>(end) - 20;
  for (int word = 0; word < 20; ++word)
    frame[word] = 0;
  frame[0] = reinterpret_cast<uint64_t>(entry);
  frame[1] = reinterpret_cast<uint64_t>(argument);
  frame[11] = reinterpret_cast<uint64_t>(&raf_sim_enter);
  fiber.context = frame;
#else
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack + kGuardBytes;
  fiber.context.uc_stack.ss_size = end - fiber.stack - kGuardBytes;
  fiber.context.uc_link = nullptr;
  auto words = reinterpret_cast<uintptr_t>(&fiber);
  makecontext(&fiber.context, reinterpret_cast<void (*)()>(+[](unsigned high, unsigned low) { start(reinterpret_cast<Fiber *>(uintptr_t(high) << 32 | low)); }), 2,
              unsigned(uint64_t(words) >> 32), unsigned(words));
#endif
}

void FiberPool::resume(size_t i) {
#if defined(__x86_64__) || defined(__aarch64__)
  raf_sim_switch(&scheduler, fibers[i].context);
#else
  swapcontext(&scheduler, &fibers[i].context);
#endif
}

void FiberPool::suspend(size_t i) {
#if defined(__x86_64__) || defined(__aarch64__)
  raf_sim_switch(&fibers[i].context, scheduler);
#else
  swapcontext(&fibers[i].context, &scheduler);
#endif
}

} // namespace raf::sim
