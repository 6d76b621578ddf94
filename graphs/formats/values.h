/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The values of a witness on their way to where they are used: each is copied once, and checked where it then lies,
 * while it is in the cache, so that memory is passed over once and nobody can change a value between check and use. The
 * values are secret: no branch and no address depends on them as long as they are valid; of invalid ones the index is
 * told.
 */
#ifndef REPRISE_FORMATS_VALUES_H
#define REPRISE_FORMATS_VALUES_H

#include <reprise/host.h>

enum { G16_VALUE_BYTES = 32 };

/* Where values come from. `arg` is handed to the functions, which several threads may call at once. */
typedef struct g16_values {
  const void *arg;
  const uint8_t *order; /* 32 bytes, little-endian: valid values are below it */
  const uint8_t *one;   /* 32 bytes that value 0 has to be; NULL: the integer 1 */
  int any_first;        /* 1: value 0 may be any, for it is not a witness's */
  /* Copies values [first, first + n) to `out`. May fail. */
  rp_status (*copy)(const void *arg, uint64_t first, uint64_t n, uint8_t *out, rp_error *err);
  /* Says that value `index` is not below the order or, with not_one, that value 0 is not 1; returns what it says. */
  rp_status (*refuse)(const void *arg, uint64_t index, int not_one, rp_error *err);
} g16_values;

/* Values [first, first + n) to `out`, any alignment, side by side on `executor` (NULL: on the calling thread). Every
 * value is checked to be below the order, value 0 to be `one`. The failure of the least index is returned, and all of
 * `out` is wiped then. */
rp_status g16_values_take(const g16_values *values, uint64_t first, uint64_t n, const rp_executor *executor,
                          uint8_t *out, rp_error *err);

#endif
