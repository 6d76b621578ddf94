/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "msm/msm_costs.h"
#include "lower/lower.h"
#include "msm/buckets.h"
#include "msm/eisenstein.h"

enum { BITS_MOST = 20 };

/* Measured costs in nanoseconds: to sort and add an entry; to reduce a bucket; and `set`, which on a CPU is the cost
 * per set of buckets whatever its size, and on a GPU that of one doubling in one thread, of which window reduction
 * takes window_bits between two windows. */
typedef struct cost {
  double entry, bucket, set;
} cost;

/* On a CPU with eight lanes, AVX-512 IFMA (docs/notes/cpu-msm.md). */
static const cost lanes_costs[RP_CURVE_COUNT] = {
    [RP_CURVE_BN254_G1] = {52, 89, 9000},
    [RP_CURVE_BN254_G2] = {110, 190, 30000},
    [RP_CURVE_BLS12_381_G1] = {115, 170, 20000},
    [RP_CURVE_BLS12_381_G2] = {300, 500, 60000},
    [RP_CURVE_SECP256K1] = {60, 100, 9000},
    [RP_CURVE_BANDERWAGON] = {36, 57, 1000},
    [RP_CURVE_E97] = {20, 40, 1000},
};

/* Without eight lanes, with MULX and ADX. The other curves have not been measured there, and keep the costs above. */
static const cost bn254_g1_without_lanes = {174, 197, 3139}, banderwagon_without_lanes = {165, 350, 2000};

/* docs/notes/cuda-msm.md; taken for Vulkan too. */
static const cost gpu_costs[RP_CURVE_COUNT] = {
    [RP_CURVE_BN254_G1] = {0.25, 0.7, 1500},    [RP_CURVE_BN254_G2] = {0.8, 2.2, 5000},
    [RP_CURVE_BLS12_381_G1] = {0.5, 1.5, 3000}, [RP_CURVE_BLS12_381_G2] = {1.7, 5, 10000},
    [RP_CURVE_SECP256K1] = {0.6, 1.8, 4000},    [RP_CURVE_BANDERWAGON] = {0.3, 0.7, 1500},
    [RP_CURVE_E97] = {0.1, 0.2, 300},
};

/* Other differences between kinds of devices.
 *
 * small_batch: from this many products of few points on, shared doublings are faster than buckets. On a GPU they take
 * one workgroup per product and the latency of one scalar multiplication, 1.8 ms on an H200 through CUDA and 6.6 ms
 * through Vulkan, while one product with buckets takes 0.9 and 1.2 ms (docs/sources.md, section 1).
 *
 * tables: whether multiples of constant points pay. On a CPU they would trade additions for cache misses.
 *
 * many_buckets: from this many buckets on, their reduction is limited by arithmetic; 0: not known.
 *
 * eisenstein: whether digits that are Eisenstein integers have been measured to pay. */
typedef struct kind_costs {
  uint32_t small_batch, tables, many_buckets, eisenstein;
} kind_costs;

static const kind_costs cpu_kind = {.small_batch = 1};
static const kind_costs cuda_kind = {.small_batch = 16, .tables = 1, .many_buckets = 1 << 19, .eisenstein = 1};
static const kind_costs vulkan_kind = {.small_batch = 16, .tables = 1};

static const kind_costs *kind_of(rp_device_kind device) {
  return device == RP_DEVICE_CUDA ? &cuda_kind : device == RP_DEVICE_VULKAN ? &vulkan_kind : &cpu_kind;
}

static bool on_gpu(rp_device_kind device) { return device == RP_DEVICE_CUDA || device == RP_DEVICE_VULKAN; }

/* ---- Window bits ------------------------------------------------------------------------------------------------- */

/* The largest scalar, after negation where that is smaller, in units of the top window. */
static double top_window(rp_curve curve, uint32_t window_bits, uint32_t windows) {
  const uint8_t *order = rp_curve_get(curve)->order_le;
  double top = 0;
  for (uint32_t i = 32; i-- > 0;) top = top * 256 + order[i];
  for (uint32_t bit = 0; bit <= (windows - 1) * window_bits; bit++) top /= 2;
  return top;
}

static double cpu_cost(rp_curve curve, const cost *k, uint64_t n, uint32_t bits, uint32_t merged) {
  const rp_bucket_shape b = rp_bucket_shape_of(curve, bits, merged);
  const double top = top_window(curve, bits, b.windows);
  /* Digits are rounded to nearest: the top digit is zero for scalars up to half its unit, and uses at most top + 1
   * buckets. */
  const double windows = b.windows - (top > 0.5 ? 0.5 / top : 1);
  const double full = b.buckets, last = merged > 1 || top + 1 > full ? full : top + 1;
  return windows * (double)n * k->entry + ((b.sets - 1) * full + last) * k->bucket + (double)b.sets * k->set;
}

uint32_t rp_msm_cpu_window_bits(rp_curve curve, uint64_t n, uint32_t merged, bool lanes) {
  const cost *k = &lanes_costs[curve];
  if (!lanes && curve == RP_CURVE_BN254_G1) k = &bn254_g1_without_lanes;
  if (!lanes && curve == RP_CURVE_BANDERWAGON) k = &banderwagon_without_lanes;
  uint32_t best = 1;
  double least = 0;
  for (uint32_t c = 1; c <= BITS_MOST && rp_msm_windows(curve, c) >= merged; c++) {
    const double sum = cpu_cost(curve, k, n, c, merged);
    if (c == 1 || sum < least) least = sum, best = c;
  }
  return best;
}

/* Without `exact`, all windows share buckets if a scalar has fewer than `most_merged`. */
static uint32_t gpu_window_bits(rp_curve curve, uint64_t n, uint32_t most_merged, bool exact) {
  const cost *k = &gpu_costs[curve];
  uint32_t best = 1;
  double least = 0;
  for (uint32_t c = 1; c <= BITS_MOST; c++) {
    const uint32_t windows = rp_msm_windows(curve, c), merged = most_merged < windows ? most_merged : windows;
    const rp_bucket_shape b = rp_bucket_shape_of(curve, c, merged);
    if (exact && windows < most_merged) break;
    const double sum = (double)windows * (double)n * k->entry + (double)b.sets * (double)b.buckets * k->bucket +
                       (double)(b.sets - 1) * c * merged * k->set;
    if (c == 1 || sum < least) least = sum, best = c;
  }
  return best;
}

uint32_t rp_msm_window_bits(rp_device_kind device, rp_curve curve, uint64_t n, bool merged) {
  if ((unsigned)curve >= RP_CURVE_COUNT) return 0;
  return on_gpu(device) ? gpu_window_bits(curve, n, merged ? RP_WINDOWS_MAX : 1, 0)
                        : rp_msm_cpu_window_bits(curve, n, 1, 1);
}

/* ---- Digits of Eisenstein integers ------------------------------------------------------------------------------- */

/* What a bucket of these digits costs, of what one of signed digits costs, and an empty one of that. */
#define FILLED 1.3
#define EMPTY 0.1

/* Numbers of points for which such digits were measured to be faster than signed ones on CUDA: few, whose chains of
 * additions are shorter, and many, which have fewer additions. Between them the reduction costs what they save
 * (docs/notes/cuda-msm.md). That was over BN254. On Vulkan, which does not sum runs of buckets, they have not been
 * measured. */
enum { FEW_LEAST = 1 << 11, FEW_MOST = 1 << 12, FEW_WINDOWS = 25, MANY_LEAST = 1 << 19 };

/* The cheapest number of windows for many points. */
static uint32_t eisenstein_windows(const rp_msm_problem *p, uint64_t n) {
  const cost *k = &gpu_costs[p->curve];
  uint32_t best = 0;
  double least = 0;
  for (uint32_t w = RP_EISENSTEIN_WINDOWS_LEAST; w <= RP_EISENSTEIN_WINDOWS_MOST; w++) {
    const rp_eisenstein e = rp_eisenstein_of(p->curve, w);
    const double all = (double)e.rows * e.columns, filled = (double)e.base * e.base / 6;
    const double sum = (double)w * (double)n * k->entry + FILLED * (filled + EMPTY * (all - filled)) * k->bucket;
    if (!best || sum < least) best = w, least = sum;
  }
  return best;
}

/* Whether 3 * windows multiples of each point leave half of the device's memory free. Of several products one is over
 * the largest points, and the others are over points of half the size. */
static bool has_room(const rp_device_limits *limits, const rp_msm_problem *p, uint32_t windows, uint32_t most) {
  const double points = 3.0 * windows * (double)p->n, bytes = ((double)p->products + 1) / 2 * p->point_bytes * points;
  return 3 * windows <= most && (!limits->memory_bytes || bytes <= (double)limits->memory_bytes / 2);
}

/* The number of windows of such digits, or 0 for signed digits. There may be `most` multiples of each point. */
static uint32_t choose_eisenstein(const kind_costs *kind, const rp_device_limits *limits, uint32_t memory_level,
                                  const rp_msm_problem *p, uint32_t most) {
  if (!kind->eisenstein || !rp_curve_endomorphism(p->curve) || !p->in_subgroup || !p->constant_points ||
      p->precompute || p->window_bits || memory_level != RP_MEMORY_FULL)
    return 0;
  uint32_t windows = 0;
  if (p->n > FEW_LEAST && p->n <= FEW_MOST) windows = FEW_WINDOWS;
  if (p->n >= MANY_LEAST) windows = eisenstein_windows(p, p->products > 1 ? (p->n + 1) / 2 : p->n);
  return has_room(limits, p, windows, most) ? windows : 0;
}

/* ---- Strategies -------------------------------------------------------------------------------------------------- */

bool rp_msm_prefers_small(rp_device_kind device, uint32_t memory_level, const rp_msm_problem *p) {
  if (p->n > RP_MSM_SMALL_MOST) return 0;
  return p->batch >= kind_of(device)->small_batch || memory_level >= RP_MEMORY_LEAST;
}

/* How many multiples of each point the memory level has room for. */
static uint32_t multiples_at(uint32_t memory_level) {
  switch (memory_level) {
  case RP_MEMORY_FULL:
  case RP_MEMORY_MORE: return RP_WINDOWS_MAX;
  case RP_MEMORY_LESS: return 4;
  default: return 1;
  }
}

/* The multiples must fit one allocation, and entries number them in 31 bits. */
static uint32_t most_multiples(const rp_device_limits *limits, uint32_t memory_level, const rp_msm_problem *p) {
  const uint64_t room = limits->max_allocation_bytes / p->point_bytes, entries = ((uint64_t)1 << 31) - 1;
  const uint64_t most = (room < entries ? room : entries) / p->n, level = multiples_at(memory_level);
  return (uint32_t)(most < 1 ? 1 : most < level ? most : level);
}

static uint32_t bits_for(rp_device_kind device, const rp_device_limits *limits, const rp_msm_problem *p, uint64_t n,
                         uint32_t merged) {
  if (p->window_bits) return p->window_bits;
  if (on_gpu(device)) return gpu_window_bits(p->curve, n, merged, p->precompute != 0);
  return rp_msm_cpu_window_bits(p->curve, n, merged, (limits->isa & 1u << RP_ISA_X86_IFMA) != 0);
}

rp_msm_strategy rp_msm_choose(rp_device_kind device, const rp_device_limits *limits, uint32_t memory_level,
                              const rp_msm_problem *p) {
  const kind_costs *kind = kind_of(device);
  uint32_t most = 1;
  if (p->precompute) {
    most = p->precompute;
  } else if (kind->tables && p->constant_points) {
    most = most_multiples(limits, memory_level, p);
  }
  rp_msm_strategy s = {.window_bits = bits_for(device, limits, p, p->n, most), .merged = most};
  const uint32_t windows = rp_msm_windows(p->curve, s.window_bits);
  /* With so many buckets, shared by products of which few have all points, buckets count twice as much, compared to
   * entries, as in a single product (docs/notes/cuda-groth16.md). */
  if (p->products > 1 && most >= windows && kind->many_buckets && 1ull << s.window_bits >= 2ull * kind->many_buckets)
    s.window_bits = bits_for(device, limits, p, (p->n + 1) / 2, most);
  if (!p->precompute && s.merged > rp_msm_windows(p->curve, s.window_bits))
    s.merged = rp_msm_windows(p->curve, s.window_bits);
  const uint32_t eisenstein = choose_eisenstein(kind, limits, memory_level, p, most);
  if (eisenstein) return (rp_msm_strategy){.merged = 3 * eisenstein, .eisenstein = eisenstein};
  return s;
}
