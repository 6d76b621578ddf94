/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What proving keys of PLONK and of FFLONK have in common (.zkey): the beginning of the header, and sections that are
 * arrays.
 */
#ifndef REPRISE_PLONK_ARRAYS_H
#define REPRISE_PLONK_ARRAYS_H

#include "formats/zkey_head.h"
#include "vkey.h"

enum { PLONK_SCALAR_BYTES = 32, PLONK_POINT_BYTES = 64, PLONK_MIN_LOG_DOMAIN = 3 };
enum { PLONK_ADDITION_BYTES = 2 * 4 + 2 * PLONK_SCALAR_BYTES }; /* of a record in the file */
enum { PLONK_EXTENDED = 5 /* n coefficients and 4n values of a polynomial */ };

/* ---- The header -------------------------------------------------------------------------------------------------- */

enum { PLONK_LARGEST_PRIMES = 4 + 48 + 4 + 32, PLONK_COUNTS_BYTES = 5 * 4 };

typedef struct plonk_sizes {
  uint32_t n_vars, n_public, domain_size, n_additions, n_constraints;
  uint32_t log_domain; /* set by plonk_sizes_check */
} plonk_sizes;

/* Reads the header to `raw`, which has room for PLONK_LARGEST_PRIMES and `fields_bytes`, and leaves *at behind the
 * sizes. The primes must be those of BN254, and the header must have exactly `fields_bytes` after them. */
rp_status plonk_header_read(const g16_binfile *bin, const char *protocol, uint64_t fields_bytes, uint8_t *raw,
                            size_t room, const uint8_t **at, plonk_sizes *sizes, rp_error *err);
/* Checks that the numbers are consistent, so that no sum or product of them can overflow. `blinded_rows` rows of the
 * domain are not for constraints. `name` names the file. */
rp_status plonk_sizes_check(const char *name, plonk_sizes *sizes, uint32_t blinded_rows, rp_error *err);
/* Takes a scalar of the header, below r, and advances *at. */
rp_status plonk_take_scalar(const g16_binfile *bin, const char *what, const uint8_t **at, plonk_fr *out, rp_error *err);

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

/* A section of `count` elements, whose length has been checked. Functions below read elements [first, first + n) to
 * `out`, of any alignment, in blocks, each of which is checked while it is in the cache; threads may read disjoint
 * ranges at once. RP_ERR_ARGUMENT: the section does not have so many. */
typedef struct plonk_array {
  const g16_binfile *bin;
  uint32_t section;
  uint64_t count;
} plonk_array;

/* Each element below r. */
rp_status plonk_array_scalars(const plonk_array *array, uint64_t first, uint64_t n, void *out, rp_error *err);
/* Each coordinate below q; with `check_points`, also on the curve and in the subgroup. */
rp_status plonk_array_points(const plonk_array *array, bool check_points, uint64_t first, uint64_t n, void *out,
                             rp_error *err);
/* Signals below n_vars; the first n_public rows must be the signals 1, 2, ..., where the verifier expects them. */
rp_status plonk_array_signals(const plonk_array *array, uint32_t n_vars, uint32_t n_public, uint64_t first, uint64_t n,
                              uint32_t *out, rp_error *err);

/* Addition i of n: variable n_vars - n + i is signal[0] times factor[0] plus signal[1] times factor[1]. */
typedef struct plonk_addition {
  uint32_t signal[2];
  uint64_t factor[2][4]; /* memory form */
} plonk_addition;
/* Both signals are checked to come before the addition's own variable, so that additions can be computed in order. */
rp_status plonk_array_additions(const plonk_array *array, uint32_t n_vars, uint64_t first, uint64_t n,
                                plonk_addition *out, rp_error *err);

#endif
