/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poseidon's constants over a prime field with alpha = 5, from the Grain LFSR of the reference generator (ePrint
 * 2019/458, appendix E).
 */
#ifndef REPRISE_OPS_POSEIDON_GRAIN_H
#define REPRISE_OPS_POSEIDON_GRAIN_H

#include <reprise/ops.h>

typedef struct rp_poseidon_params {
  rp_field field;
  uint32_t width, full_rounds, partial_rounds;
} rp_poseidon_params;

/* The number of elements in the constants: width * rounds round constants, then the matrix row by row. */
static inline uint64_t rp_poseidon_constants_len(const rp_poseidon_params *p) {
  return (uint64_t)p->width * (p->full_rounds + p->partial_rounds) + (uint64_t)p->width * p->width;
}

/* An rp_fill_fn; `user` points to the rp_poseidon_params. */
rp_status rp_poseidon_constants(const void *user, void *dst, uint64_t len);

/* Poseidon2's constants (ePrint 2023/323). Its authors take them from the same generator, for which a full round has
 * `width` of them and a partial round one. */
typedef struct rp_poseidon2_params {
  rp_poseidon_params poseidon;
  uint64_t row_len; /* 0: no rows */
} rp_poseidon2_params;

/* The round constants in the order of their use, the diagonal of the internal matrix less the matrix of ones, and the
 * state's last element before a row is absorbed. */
static inline uint64_t rp_poseidon2_constants_len(const rp_poseidon2_params *p) {
  const rp_poseidon_params *o = &p->poseidon;
  return (uint64_t)o->width * o->full_rounds + o->partial_rounds + o->width + 1;
}
rp_status rp_poseidon2_constants(const void *user, void *dst, uint64_t len);

#endif
