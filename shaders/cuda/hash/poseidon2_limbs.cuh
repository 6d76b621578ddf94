/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poseidon2 over BN254 Fr for the fewest states, such as that of a transcript: one warp per state of two or three
 * elements, whose products follow one another (ops/hash/poseidon2_args.h).
 *
 * A wide multiply-add keeps a warp busy for as long with one lane as with 32, so the lanes share each product. Lane j
 * has limb j, of BITS bits, of every element, and computes column j of a product; no carry is propagated while columns
 * are summed in 64 bits. Then each column is cut into three pieces, for its own and the next two limbs, which leaves
 * limbs a little wider than BITS.
 *
 * Elements are multiplied by 2^(BITS KEPT), as in a Montgomery form, but a reduction is a product with constants: of a
 * product, a window of KEPT limbs is kept, and those below and above it are folded, multiplied by 2^(BITS distance)
 * mod p. Values stay congruent, and only what is stored is reduced to below p.
 *
 * Bounds, with p < 2^253.6:
 * - A limb of a state is at most four pieces of BITS bits and two of 8 bits, below 2^30 + 2^9; a column of a product is
 *   the sum of at most LIMBS products of two limbs, below 2^63.5.
 * - A limb after one carry is below 2^29 + 2^8; a column of a fold, of at most 2 FOLDED limbs times BITS bits, is below
 *   2^61.5, and four times as large, below 2^63.5, after a linear layer.
 * - A fifth power is below 2^287.1 after its fold and a state below 2^289.2, or 2^291.2 after the layer before the
 *   first round. A square has 21 limbs, below 2^582.4, and is below 2^286.2 after its fold; a fifth power, for which
 *   the fourth is not folded, has 31 limbs, below 2^863.6.
 */
#ifndef REPRISE_CUDA_POSEIDON2_LIMBS_CUH
#define REPRISE_CUDA_POSEIDON2_LIMBS_CUH

#include "arith/field.cuh"
#include "hash/poseidon2_args.h"

namespace limbs {

enum { BITS = 28, KEPT = 10, LIMBS = KEPT + 1, FOLDED = LIMBS, MOST = 3, WARP = 32, HALF = 16, ZERO = WARP - 1 };
enum { MASK = (1 << BITS) - 1, SHIFT = BITS * KEPT - 32 * FP_N }; /* the form in memory is x 2^(32 FP_N) */
static_assert(FP_N == 8 && SHIFT > 0 && SHIFT < BITS, "the limbs suit elements of 256 bits");

/* ---- Constants of the reductions --------------------------------------------------------------------------------- */

/* What each lane multiplies the limbs by that it folds. The lower half of the warp has limb j of
 * 2^(BITS (i - KEPT)) for i below KEPT, and of 2^(BITS KEPT); the upper half the same for i - 2 KEPT, and 0. */
struct fold_table {
  uint32_t v[FOLDED][WARP];
};

constexpr fp halved_limb(fp x) { /* x / 2^BITS mod p, below p + 1 */
  const uint32_t m = x.v[0] * FP_N0_32 & MASK;
  uint64_t sum = 0;
  uint32_t t[FP_N + 1] = {};
  for (int i = 0; i < FP_N; i++) {
    sum += (uint64_t)m * fp_p(i) + x.v[i];
    t[i] = (uint32_t)sum;
    sum >>= 32;
  }
  t[FP_N] = (uint32_t)sum;
  fp r = {};
  for (int i = 0; i < FP_N; i++) r.v[i] = t[i] >> BITS | t[i + 1] << (32 - BITS);
  return r;
}

constexpr fp doubled(fp x) {
  fp twice = {}, less = {};
  uint64_t carry = 0;
  int64_t borrow = 0;
  for (int i = 0; i < FP_N; i++) {
    carry += 2 * (uint64_t)x.v[i];
    twice.v[i] = (uint32_t)carry;
    carry >>= 32;
    borrow += (int64_t)twice.v[i] - fp_p(i);
    less.v[i] = (uint32_t)borrow;
    borrow >>= 32;
  }
  return borrow < 0 ? twice : less;
}

constexpr uint32_t limb_of_constant(const fp &x, int limb) {
  const int bit = BITS * limb, word = bit / 32;
  const uint64_t two = x.v[word] | (word + 1 < FP_N ? (uint64_t)x.v[word + 1] << 32 : 0);
  return (uint32_t)(two >> bit % 32) & MASK;
}

constexpr fold_table make_fold_table() {
  fold_table table = {};
  fp power = FP_ONE_32;
  for (int i = 0; i < SHIFT; i++) power = doubled(power);
  for (int j = 0; j < KEPT; j++) table.v[KEPT][j] = limb_of_constant(power, j);
  for (int i = 3 * KEPT - 1; i >= 0; i--) {
    power = halved_limb(power);
    for (int j = 0; i < 2 * KEPT && j < KEPT; j++)
      table.v[i % KEPT][i < KEPT ? HALF + j : j] = limb_of_constant(power, j);
  }
  return table;
}

static __device__ const fold_table fold_constants = make_fold_table();

/* ---- A lane ------------------------------------------------------------------------------------------------------ */

/* What depends on the lane alone. Lane ZERO has zero in every element and product, and stands for limbs that do not
 * exist. */
struct lane_plan {
  uint32_t lane;
  uint32_t fold[FOLDED]; /* its factors */
  /* The limb and the pairs of limbs whose products are in its column of a square. */
  uint32_t middle, first[LIMBS / 2], second[LIMBS / 2];
  uint32_t slot;                               /* where its limb is parked */
  uint32_t short_from, short_last, short_kept; /* slots of the limbs of a product that it folds and keeps */
  uint32_t long_from, long_last, long_kept;    /* the same of a fifth power */
};

/* Limbs that lanes exchange as a whole are parked in shared memory with a gap, which aligns limb KEPT to 16 bytes. From
 * slot NOTHING on, a square has zeros only. */
enum { SLOTS = 36, NOTHING = 24 };
static __shared__ __align__(16) uint32_t parked[MOST][SLOTS], parked_base[MOST][SLOTS];
RP_DEV constexpr uint32_t slot_of(uint32_t limb) { return limb < KEPT ? limb : limb + 2; }
static_assert(slot_of(KEPT) % 4 == 0 && slot_of(2 * LIMBS - 1) <= NOTHING && slot_of(ZERO) < SLOTS, "slots");

RP_DEV lane_plan make_plan(uint32_t lane) {
  lane_plan l;
  const bool low = lane < HALF, kept = lane < KEPT;
  const int column = (int)lane;
  l.lane = lane;
#pragma unroll
  for (int i = 0; i < FOLDED; i++) l.fold[i] = fold_constants.v[i][lane];
  l.slot = slot_of(lane);
  l.short_from = low ? slot_of(0) : NOTHING;
  l.short_last = low ? slot_of(2 * KEPT) : slot_of(ZERO);
  l.short_kept = slot_of(kept ? KEPT + lane : ZERO);
  l.long_from = low ? slot_of(KEPT) : slot_of(0);
  l.long_last = low ? slot_of(3 * KEPT) : slot_of(ZERO);
  l.long_kept = slot_of(kept ? 2 * KEPT + lane : ZERO);
  l.middle = column % 2 == 0 && column / 2 < LIMBS ? column / 2 : ZERO;
#pragma unroll
  for (int i = 0; i < LIMBS / 2; i++) {
    const int first = (column + 1) / 2 - 1 - i, second = column - first;
    const bool exist = first >= 0 && second < LIMBS;
    l.first[i] = exist ? first : ZERO;
    l.second[i] = exist ? second : ZERO;
  }
  return l;
}

RP_DEV uint32_t of_lane(uint32_t x, uint32_t lane) { return __shfl_sync(0xffffffffu, x, lane); }

RP_DEV uint32_t low_piece(uint64_t column) { return (uint32_t)column & MASK; }
RP_DEV uint32_t middle_piece(uint64_t column) { return (uint32_t)(column >> BITS) & MASK; }
RP_DEV uint32_t high_piece(uint64_t column) { return (uint32_t)(column >> 2 * BITS); }

/* The limbs of a sum of columns. */
RP_DEV uint32_t carried(const lane_plan &l, uint64_t column) {
  return low_piece(column) + of_lane(middle_piece(column), l.lane - 1) + of_lane(high_piece(column), l.lane - 2);
}

/* The limbs of the sum of the columns of both halves of the warp, in the lower half. */
RP_DEV uint32_t carried_of_halves(const lane_plan &l, uint64_t column) {
  const uint32_t low = low_piece(column), middle = middle_piece(column), high = high_piece(column);
  return low + of_lane(middle, l.lane - 1) + of_lane(high, l.lane - 2) +
         (of_lane(low, l.lane + HALF) + of_lane(middle, l.lane + HALF - 1) + of_lane(high, l.lane + HALF - 2));
}

RP_DEV uint64_t sum_of_halves(const lane_plan &l, uint64_t column) {
  const uint32_t low = of_lane((uint32_t)column, l.lane ^ HALF),
                 high = of_lane((uint32_t)(column >> 32), l.lane ^ HALF);
  return column + (low | (uint64_t)high << 32);
}

/* ---- Products of N elements at once ------------------------------------------------------------------------------ */

template <int N> RP_DEV void carry(const lane_plan &l, uint32_t *x, const uint64_t *column) {
#pragma unroll
  for (int e = 0; e < N; e++) x[e] = carried(l, column[e]);
}

template <int N> RP_DEV void square(const lane_plan &l, const uint32_t *x, uint64_t *column) {
#pragma unroll
  for (int e = 0; e < N; e++) {
    const uint32_t own = of_lane(x[e], l.middle);
    column[e] = (uint64_t)own * own;
  }
#pragma unroll
  for (int i = 0; i < LIMBS / 2; i++)
#pragma unroll
    for (int e = 0; e < N; e++)
      column[e] = mad_wide(of_lane(x[e], l.second[i]), of_lane(2 * x[e], l.first[i]), column[e]);
}

/* The first LIMBS limbs of what is parked from a slot on, a multiple of four. */
RP_DEV void read_parked(const uint32_t *from, uint32_t *limb) {
  const uint4 a = ((const uint4 *)from)[0], b = ((const uint4 *)from)[1];
  const uint2 c = ((const uint2 *)from)[4];
  limb[0] = a.x, limb[1] = a.y, limb[2] = a.z, limb[3] = a.w;
  limb[4] = b.x, limb[5] = b.y, limb[6] = b.z, limb[7] = b.w;
  limb[8] = c.x, limb[9] = c.y;
}

/* y has LIMBS limbs and is in parked_base. The lanes to which those of x wrap around are zero. */
template <int N> RP_DEV void multiply(const lane_plan &l, const uint32_t *x, uint64_t *column) {
  uint32_t y[N][LIMBS];
#pragma unroll
  for (int e = 0; e < N; e++) {
    read_parked(parked_base[e], y[e]);
    y[e][KEPT] = parked_base[e][slot_of(KEPT)];
    column[e] = 0;
  }
#pragma unroll
  for (int i = 0; i < LIMBS; i++)
#pragma unroll
    for (int e = 0; e < N; e++) column[e] = mad_wide(y[e][i], of_lane(x[e], l.lane - i), column[e]);
}

template <int N>
RP_DEV void fold(const lane_plan &l, uint32_t from, uint32_t last, uint32_t kept, const uint32_t *x, uint64_t *column) {
  uint32_t limb[N][FOLDED];
  __syncwarp();
#pragma unroll
  for (int e = 0; e < N; e++) parked[e][l.slot] = x[e];
  __syncwarp();
#pragma unroll
  for (int e = 0; e < N; e++) {
    read_parked(parked[e] + from, limb[e]);
    limb[e][KEPT] = parked[e][last];
    column[e] = parked[e][kept];
  }
#pragma unroll
  for (int i = 0; i < FOLDED; i++)
#pragma unroll
    for (int e = 0; e < N; e++) column[e] = mad_wide(limb[e][i], l.fold[i], column[e]);
}

/* The columns of fifth powers, whose sum over both halves of the warp is meant. */
template <int N> RP_DEV void fifth_powers(const lane_plan &l, const uint32_t *x, uint64_t *column) {
  uint32_t y[N];
  __syncwarp();
#pragma unroll
  for (int e = 0; e < N; e++) parked_base[e][l.slot] = x[e];
  __syncwarp();
  square<N>(l, x, column);
  carry<N>(l, y, column);
  fold<N>(l, l.short_from, l.short_last, l.short_kept, y, column);
  carry<N>(l, y, column);
  square<N>(l, y, column);
  carry<N>(l, y, column);
  multiply<N>(l, y, column);
  carry<N>(l, y, column);
  fold<N>(l, l.long_from, l.long_last, l.long_kept, y, column);
}

/* ---- The permutation --------------------------------------------------------------------------------------------- */

/* Two words around this lane's limb of an element in memory, and the limb: loaded early, used late. */
struct piece {
  uint32_t low, high;
};

RP_DEV piece load_piece(const lane_plan &l, const fp *element) {
  const int bit = BITS * (int)l.lane - SHIFT, word = bit < 0 ? -1 : bit / 32;
  piece r = {0, 0};
  if (l.lane < KEPT && word >= 0) r.low = element->v[word];
  if (l.lane < KEPT && word + 1 < FP_N) r.high = element->v[word + 1];
  return r;
}

RP_DEV uint32_t limb_of(const lane_plan &l, const piece &p) {
  const uint32_t bit = (BITS * l.lane - SHIFT) & 31;
  return __funnelshift_r(p.low, p.high, bit) & MASK;
}

/* States of two elements have no second one: theirs are the first and the third. */

/* The constants of round r for each element: in partial rounds only the first has one. */
RP_DEV void load_constants(const rp_hash_args &k, const lane_plan &l, uint32_t r, piece *c) {
  const uint32_t half = k.full_rounds / 2, t = k.width, end = half + k.partial_rounds;
  const bool full = r < half || r >= end;
  const uint32_t at = r < half ? r * t : r < end ? half * t + r - half : (r - k.partial_rounds) * t + k.partial_rounds;
#pragma unroll
  for (int e = 0; e < MOST; e++) c[e] = piece{0, 0};
  if (r >= k.full_rounds + k.partial_rounds) return;
  const fp *constant = (const fp *)k.constants + at;
  c[0] = load_piece(l, constant);
  if (full && t == MOST) c[1] = load_piece(l, constant + 1);
  if (full) c[2] = load_piece(l, constant + t - 1);
}

RP_DEV void add_constants(const lane_plan &l, const piece *c, uint64_t *column) {
#pragma unroll
  for (int e = 0; e < MOST; e++) column[e] += limb_of(l, c[e]);
}

RP_DEV void external_layer(const rp_hash_args &k, uint64_t *column) {
  if (k.width == 2) column[1] = 0;
  const uint64_t sum = column[0] + column[1] + column[2];
#pragma unroll
  for (int e = 0; e < MOST; e++)
    if (e != 1 || k.width != 2) column[e] += sum;
}

/* An element below 2^(BITS KEPT) and a little, as columns. It is zero beyond the lanes of the limbs that are kept. */
RP_DEV uint64_t without_top(const lane_plan &l, uint32_t x) {
  return mad_wide(of_lane(x, KEPT), l.lane < HALF ? l.fold[KEPT] : 0, l.lane < KEPT ? x : 0);
}

RP_DEV void full_round(const rp_hash_args &k, const lane_plan &l, const piece *c, uint32_t *x) {
  uint64_t column[MOST];
  fifth_powers<MOST>(l, x, column);
#pragma unroll
  for (int e = 0; e < MOST; e++) column[e] = sum_of_halves(l, column[e]);
  external_layer(k, column);
  add_constants(l, c, column);
  carry<MOST>(l, x, column);
}

/* The diagonal of the internal matrix without the matrix of ones is 1, 1, 2. The first element is what the next round
 * waits for; the others are computed meanwhile. */
RP_DEV void partial_round(const rp_hash_args &k, const lane_plan &l, const piece *c, uint32_t *x) {
  uint64_t power, first;
  const uint64_t second = without_top(l, x[1]), third = without_top(l, x[2]);
  fifth_powers<1>(l, x, &power);
  first = 2 * power + second + third + limb_of(l, c[0]);
  x[0] = carried_of_halves(l, first);
  power = sum_of_halves(l, power);
  x[1] = carried(l, k.width == 2 ? 0 : power + 2 * second + third + limb_of(l, c[1]));
  x[2] = carried(l, power + second + 3 * third + limb_of(l, c[2]));
}

RP_DEV void permute(const rp_hash_args &k, const lane_plan &l, uint32_t *state) {
  const uint32_t half = k.full_rounds / 2, end = half + k.partial_rounds, rounds = k.full_rounds + k.partial_rounds;
  uint32_t x[MOST];
  uint64_t column[MOST];
  piece c[MOST];
  load_constants(k, l, 0, c);
#pragma unroll
  for (int e = 0; e < MOST; e++) column[e] = state[e];
  external_layer(k, column);
  add_constants(l, c, column);
  carry<MOST>(l, x, column);
#pragma unroll 1
  for (uint32_t r = 0; r < rounds; r++) {
    load_constants(k, l, r + 1, c);
    if (r < half || r >= end)
      full_round(k, l, c, x);
    else
      partial_round(k, l, c, x);
  }
#pragma unroll
  for (int e = 0; e < MOST; e++) state[e] = l.lane < LIMBS ? x[e] : 0;
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

/* The element of each of the first three lanes, in the form in memory: x 2^-SHIFT mod p. */
RP_DEV fp reduced(const lane_plan &l, const uint32_t *x) {
  uint32_t digit[LIMBS + 1], carry_in = 0;
#pragma unroll
  for (int i = 0; i < LIMBS; i++) {
    const uint32_t a = of_lane(x[0], i), b = of_lane(x[1], i), c = of_lane(x[2], i);
    const uint32_t limb = (l.lane == 0 ? a : l.lane == 1 ? b : c) + carry_in;
    digit[i] = limb & MASK;
    carry_in = limb >> BITS;
  }
  digit[LIMBS] = carry_in;
  uint32_t word[FP_N + 2];
#pragma unroll
  for (int i = 0; i < FP_N + 2; i++) {
    const int first = 32 * i / BITS, at = 32 * i % BITS;
    word[i] = digit[first] >> at | digit[first + 1] << (BITS - at);
    if (2 * BITS - at < 32) word[i] |= digit[first + 2] << (2 * BITS - at);
  }
  constexpr fp r2 = FP_R2_32;
  const fp unit = {{0, 0, 0, 0, 0, 0, 0, 1u << (32 - SHIFT)}}; /* 2^(32 FP_N - SHIFT) */
  const fp low = {{word[0], word[1], word[2], word[3], word[4], word[5], word[6], word[7]}};
  const fp high = {{word[8], word[9], 0, 0, 0, 0, 0, 0}};
  return fp_add(fp_mul(unit, low), fp_mul(fp_mul(r2, unit), high)); /* low and high need not be below p */
}

/* Adds up to `rate` elements from `at` on to a state. */
RP_DEV void absorb(const rp_hash_args &k, const lane_plan &l, const fp *row, uint32_t at, uint32_t len, uint32_t *x) {
  const bool two = k.width == 2;
  const uint32_t left = len - at, n = left < k.rate ? left : k.rate;
  const uint32_t second = n > 1 ? limb_of(l, load_piece(l, row + at + 1)) : 0;
  x[0] += limb_of(l, load_piece(l, row + at));
  x[1] += two ? 0 : second;
  x[2] += two ? second : n > 2 ? limb_of(l, load_piece(l, row + at + 2)) : 0;
}

/* Writes up to `rate` elements of a state; `own` is added to the first one. */
RP_DEV void squeeze(const rp_hash_args &k, const lane_plan &l, const uint32_t *x, const fp *own, uint32_t at, fp *out) {
  const bool two = k.width == 2;
  const uint32_t e = two && l.lane == 2 ? 1 : l.lane; /* lane 2 has the second element of two */
  fp y = reduced(l, x);
  if (own && l.lane == 0) y = fp_add(y, *own);
  if (l.lane < MOST && !(two && l.lane == 1) && e < k.rate && at + e < k.out_len) out[at + e] = y;
}

/* Item blockIdx.x, by one warp. */
RP_DEV void hash_item(const rp_hash_args &k) {
  const lane_plan l = make_plan(threadIdx.x);
  const uint32_t t = k.width, len = k.row_len ? k.row_len : t;
  const fp *row = (const fp *)k.in + blockIdx.x * (size_t)len;
  fp *out = (fp *)k.out + blockIdx.x * (size_t)k.out_len;
  const fp *capacity = (const fp *)k.constants + t * k.full_rounds + k.partial_rounds + t;
  uint32_t x[MOST] = {0, 0, k.row_len ? limb_of(l, load_piece(l, capacity)) : 0}, absorbed = 0, squeezed = 0;
#pragma unroll 1
  while (squeezed < k.out_len) {
    if (absorbed < len) absorb(k, l, row, absorbed, len, x);
    absorbed += k.rate;
    permute(k, l, x);
    if (absorbed < len) continue;
    squeeze(k, l, x, t == 2 && k.row_len ? row : nullptr, squeezed, out);
    squeezed += k.rate;
  }
}

} // namespace limbs

#endif
