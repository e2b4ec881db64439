/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Kernels as raf-gpu-to-sim would write them, for tests of the simulated GPU by itself. */
#include "raf_cuda_sim.h"

enum { CHECKED = RAF_SIM_CHECK_MEMORY | RAF_SIM_CHECK_RACES };
#define PARAM(type, i) (*(type *)params[i])
#define LOAD(p, site) (raf_sim_access(t, (void *)(p), sizeof *(p), RAF_SIM_LOAD | CHECKED, site), *(p))
#define STORE(p, v, site) (raf_sim_access(t, (void *)(p), sizeof *(p), RAF_SIM_STORE | CHECKED, site), *(p) = (v))

static int global_id(raf_sim_thread *t) { return t->block_id[0] * t->block_dim[0] + t->thread_id[0]; }

/* y[i] = x[i] + 1 for i < n */
static void add_one(raf_sim_thread *t, void **params) {
  float *x = PARAM(float *, 0), *y = PARAM(float *, 1);
  int n = PARAM(int32_t, 2), i = global_id(t);
  if (i < n)
    STORE(&y[i], LOAD(&x[i], 0) + 1, 1);
}

/* y[i] = x[0] */
static void broadcast(raf_sim_thread *t, void **params) {
  float *x = PARAM(float *, 0), *y = PARAM(float *, 1);
  STORE(&y[global_id(t)], LOAD(x, 0), 1);
}

/* With the bound of the array checked by index. */
static void bounded(raf_sim_thread *t, void **params) {
  float *x = PARAM(float *, 0);
  int i = global_id(t);
  if (i >= 8)
    raf_sim_out_of_bounds(t, i, 8, 0);
  STORE(&x[i], 1, 1);
}

/* y[block] = sum of the block's 64 elements of x, through shared memory; params[2]: leave out the barriers. */
static void block_sum(raf_sim_thread *t, void **params) {
  float *x = PARAM(float *, 0), *y = PARAM(float *, 1), *shared = (float *)t->shared;
  int broken = PARAM(int32_t, 2), i = t->thread_id[0];
  STORE(&shared[i], LOAD(&x[global_id(t)], 0), 1);
  for (int step = 32; step > 0; step /= 2) {
    if (!broken)
      raf_sim_barrier(t, 2);
    if (i < step) {
      float sum = LOAD(&shared[i], 3) + LOAD(&shared[i + step], 3);
      STORE(&shared[i], sum, 4);
    }
  }
  if (i == 0)
    STORE(&y[t->block_id[0]], shared[0], 5);
}

static float shuffle_f32(raf_sim_thread *t, float value, int mode, int offset, int width, int *valid) {
  union { float f; uint32_t u; } bits = {value};
  bits.u = raf_sim_shuffle(t, bits.u, mode, offset, width, valid, 6);
  return bits.f;
}

/* y[i] = sum over the warp of i; votes of odd elements. */
static void warp_sum(raf_sim_thread *t, void **params) {
  float *x = PARAM(float *, 0), *y = PARAM(float *, 1);
  uint32_t *votes = PARAM(uint32_t *, 2);
  int i = global_id(t), valid;
  float sum = LOAD(&x[i], 0);
  uint32_t odd = raf_sim_vote(t, (int)sum % 2, 6);
  for (int offset = 16; offset > 0; offset /= 2)
    sum += shuffle_f32(t, sum, RAF_SIM_XOR, offset, 32, &valid);
  STORE(&y[i], sum, 1);
  STORE(&votes[i], odd, 1);
}

/* out[mode][lane] = value of the lane that the mode chooses, or -1. */
static void shuffles(raf_sim_thread *t, void **params) {
  int32_t *out = PARAM(int32_t *, 0);
  int lane = t->thread_id[0], valid;
  for (int mode = 0; mode < 4; ++mode) {
    int32_t value = (int32_t)raf_sim_shuffle(t, (uint32_t)lane, mode, 3, 32, &valid, 6);
    STORE(&out[mode * 32 + lane], valid ? value : -1, 1);
  }
}

static void divergent(raf_sim_thread *t, void **params) {
  (void)params;
  if (t->thread_id[0] < 40)
    raf_sim_barrier(t, 2);
}

static void atomic_count(raf_sim_thread *t, void **params) {
  int32_t *x = PARAM(int32_t *, 0);
  raf_sim_access(t, x, 4, RAF_SIM_ATOMIC | CHECKED, 1);
  __atomic_fetch_add(x, 1, __ATOMIC_RELAXED);
}

/* Every block writes the same element. */
static void all_write(raf_sim_thread *t, void **params) {
  int32_t *x = PARAM(int32_t *, 0);
  STORE(x, t->block_id[0], 1);
}

/* Threads of a warp read each other's element of bf16 size, before or after a warp barrier, and write their own. */
static void neighbours(raf_sim_thread *t, void **params) {
  uint16_t *x = PARAM(uint16_t *, 0);
  int i = t->thread_id[0], n = t->block_dim[0], synchronized = PARAM(int32_t, 1);
  uint16_t value = LOAD(&x[(i + 1) % n], 0);
  if (synchronized)
    raf_sim_warp_barrier(t, 2);
  STORE(&x[i], value, 1);
}

/* Each element in place, through a shuffle: no races, although neighbours share four bytes. */
static void in_place_16(raf_sim_thread *t, void **params) {
  uint16_t *x = PARAM(uint16_t *, 0);
  int i = t->thread_id[0], valid;
  uint16_t value = LOAD(&x[i], 0);
  uint32_t other = raf_sim_shuffle(t, value, RAF_SIM_XOR, 1, 32, &valid, 6);
  STORE(&x[i], (uint16_t)other, 1);
}

/* Two threads store one byte each of a word, and a third, of another warp, loads the one that the first has stored (params[1]: a byte that nobody stores). */
static void one_word(raf_sim_thread *t, void **params) {
  uint8_t *x = PARAM(uint8_t *, 0);
  int i = t->thread_id[0], safe = PARAM(int32_t, 1);
  if (i == 0)
    STORE(&x[0], 1, 1);
  if (i == 32)
    STORE(&x[1], 2, 1);
  if (i == 64)
    STORE(&x[3], LOAD(&x[safe ? 2 : 0], 0), 1);
}

/* d = a * b + c: m16n8k16 (bf16) on fragments that the caller has laid out. */
static void mma(raf_sim_thread *t, void **params) {
  uint16_t *a = PARAM(uint16_t *, 0), *b = PARAM(uint16_t *, 1);
  float *c = PARAM(float *, 2), *d = PARAM(float *, 3), out[4];
  int lane = t->thread_id[0];
  raf_sim_mma(t, a + lane * 8, b + lane * 4, c + lane * 4, out, 16, 8, 16, RAF_SIM_MMA_BF16, 0, 6);
  for (int i = 0; i < 4; ++i)
    STORE(&d[lane * 4 + i], out[i], 1);
}

/* y = x through shared memory by asynchronous copies; params[2]: do not wait. */
static void async_copy(raf_sim_thread *t, void **params) {
  float *x = PARAM(float *, 0), *y = PARAM(float *, 1), *shared = (float *)t->shared;
  int i = t->thread_id[0];
  raf_sim_async_copy(t, shared + i * 4, x + i * 4, 16, 16, CHECKED, 0);
  raf_sim_async_commit(t);
  if (!PARAM(int32_t, 2))
    raf_sim_async_wait(t, 0);
  for (int k = 0; k < 4; ++k)
    STORE(&y[i * 4 + k], LOAD(&shared[i * 4 + k], 3), 1);
}

/* Without checks: what only guard zones and poison show. */
static void unchecked(raf_sim_thread *t, void **params) {
  float *x = PARAM(float *, 0);
  x[PARAM(int32_t, 1)] = t->thread_id[0];
}

static const int32_t bytes[] = {8, 8, 4}, pointers[] = {8, 8, 8, 8}, one[] = {8, 4};
#define SITE(text) "\"kernels.py\":" text
static const char *const sites[] = {SITE("1:load"), SITE("2:store"), SITE("3:barrier"), SITE("4:load shared"), SITE("5:store shared"), SITE("6:store result"), SITE("7:warp")};
static const raf_sim_kernel kernels[] = {
    {"add_one", add_one, 0, 3, 0, bytes, {0, 0, 0}, 0},
    {"broadcast", broadcast, 0, 2, 0, pointers, {0, 0, 0}, 0},
    {"bounded", bounded, 0, 1, 0, pointers, {16, 1, 1}, 0},
    {"block_sum", block_sum, 256, 3, 1, bytes, {64, 1, 1}, 0},
    {"warp_sum", warp_sum, 0, 3, 1, pointers, {0, 0, 0}, 0},
    {"shuffles", shuffles, 0, 1, 1, pointers, {32, 1, 1}, 0},
    {"divergent", divergent, 0, 0, 1, 0, {0, 0, 0}, 0},
    {"atomic_count", atomic_count, 0, 1, 0, pointers, {0, 0, 0}, 0},
    {"all_write", all_write, 0, 1, 0, pointers, {0, 0, 0}, 0},
    {"neighbours", neighbours, 0, 2, 1, one, {0, 0, 0}, 0},
    {"in_place_16", in_place_16, 0, 1, 1, pointers, {0, 0, 0}, 0},
    {"one_word", one_word, 0, 2, 0, one, {0, 0, 0}, 0},
    {"mma", mma, 0, 4, 1, pointers, {32, 1, 1}, 0},
    {"async_copy", async_copy, 2048, 3, 1, bytes, {0, 0, 0}, 0},
    {"unchecked", unchecked, 0, 2, 0, one, {0, 0, 0}, 0},
};
const raf_sim_module raf_sim_kernels = {RAF_SIM_VERSION, sizeof kernels / sizeof kernels[0], kernels, sites, sizeof sites / sizeof sites[0], CHECKED};
