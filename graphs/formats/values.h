/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Copies the values of a witness to where they are used. Each value is copied once, and checked in its new place while
 * it is in the cache, so that memory is read only once and nobody can change a value between check and use. The values
 * are secret: no branch and no address depends on a valid value; of an invalid one the index is reported.
 */
#ifndef REPRISE_FORMATS_VALUES_H
#define REPRISE_FORMATS_VALUES_H

#include <stdbool.h>
#include <reprise/host.h>

enum { G16_VALUE_BYTES = 32 };

/* A source of values. The functions get `arg`, and several threads may call them at once. */
typedef struct g16_values {
  const void *arg;
  const uint8_t *order; /* 32 bytes, little-endian: valid values are below it */
  const uint8_t *one;   /* the 32 bytes that value 0 must have; NULL: the integer 1 */
  bool any_first;       /* 1: value 0 may be anything, because the values are not a witness */
  /* Copies values [first, first + n) to `out`. May fail. */
  rp_status (*copy)(const void *arg, uint64_t first, uint64_t n, uint8_t *out, rp_error *err);
  /* Reports that value `index` is not below the order or, with not_one, that value 0 is not 1; returns the status. */
  rp_status (*refuse)(const void *arg, uint64_t index, bool not_one, rp_error *err);
} g16_values;

/* Copies values [first, first + n) to `out` (of any alignment), in parallel on `executor` (NULL: on the calling
 * thread). Every value is checked to be below the order, and value 0 to be `one`. On failure, returns that of the
 * smallest index, and wipes all of `out`. */
rp_status g16_values_take(const g16_values *values, uint64_t first, uint64_t n, const rp_executor *executor,
                          uint8_t *out, rp_error *err);

/* The same checks of values [first, first + n) where they lie, at `at`, whose alignment is any. `copy` is not used. */
rp_status g16_values_check(const g16_values *values, uint64_t first, uint64_t n, const rp_executor *executor,
                           const uint8_t *at, rp_error *err);

/* A caller's array, as `arg` of g16_values with `copy` g16_array_copy. */
typedef struct g16_array {
  const uint8_t *values; /* 32 bytes each */
  const char *name;      /* in reasons; may be NULL */
} g16_array;
rp_status g16_array_copy(const void *array, uint64_t first, uint64_t n, uint8_t *out, rp_error *err);

#endif
