/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The part of a .zkey that PLONK and FFLONK have in common: the numbers of the header, and the sections after it, which
 * are arrays. A table for each protocol says what its sections hold.
 */
#ifndef REPRISE_PLONK_ZKEY_COMMON_H
#define REPRISE_PLONK_ZKEY_COMMON_H

#include "arrays.h"

/* The sections that both protocols have under the same ids. */
enum { PLONK_ADDITIONS = 3, PLONK_MAP_A, PLONK_MAP_B, PLONK_MAP_C };

typedef enum plonk_content {
  PLONK_HOLDS_NO_ARRAY,
  PLONK_HOLDS_ADDITIONS, /* as many as the header says */
  PLONK_HOLDS_SIGNALS,   /* one for each constraint */
  PLONK_HOLDS_SCALARS,
  PLONK_HOLDS_POINTS
} plonk_content;

/* Scalars and points: times n + more, with n the domain size; if `each_public`, so many for each public signal, and
 * once if there is none. */
typedef struct plonk_section_rule {
  plonk_content content;
  uint32_t times, more;
  bool each_public;
} plonk_section_rule;

/* What differs between the keys of two protocols. */
typedef struct plonk_zkey_kind {
  const char *name; /* of the protocol, for reasons */
  uint32_t protocol;
  uint32_t fields_bytes; /* of the header, after the primes; at most PLONK_MOST_FIELDS_BYTES */
  uint32_t blinded_rows; /* rows of the domain that are not for constraints */
  g16_format format;
  plonk_section_rule section[G16_BINFILE_IDS];
} plonk_zkey_kind;

enum { PLONK_MOST_FIELDS_BYTES = 1024, PLONK_HEADER_ROOM = PLONK_LARGEST_PRIMES + PLONK_MOST_FIELDS_BYTES };

/* The first member of the key of a protocol. */
typedef struct plonk_zkey_common {
  const plonk_zkey_kind *kind;
  g16_binfile bin;
  uint32_t n_vars, n_public, n_additions, n_constraints, domain_size, log_domain;
} plonk_zkey_common;

/* Reads the list of sections and the header to `raw`, leaves *at behind the header's sizes, and checks the sizes and
 * the lengths of all sections. `file` must stay open as long as `zkey` is used. Holds no memory. */
rp_status plonk_zkey_begin(const plonk_zkey_kind *kind, const support_file *file, plonk_zkey_common *zkey,
                           uint8_t raw[PLONK_HEADER_ROOM], const uint8_t **at, rp_error *err);

/* The number of elements of a section after the header; 0 for other ids. */
uint64_t plonk_section_count(const plonk_zkey_common *zkey, uint32_t id);
/* A section after the header as an array, which refers to zkey->bin. */
plonk_array plonk_zkey_array(const plonk_zkey_common *zkey, uint32_t id);
/* The section of the powers of tau. */
uint32_t plonk_tau_section(const plonk_zkey_common *zkey);

/* Functions below read elements [first, first + n) to `out`, of any alignment; threads may read disjoint ranges at
 * once. RP_ERR_ARGUMENT: the section holds something else, or not so many. This one reads sections of scalars, each
 * below r. */
rp_status plonk_scalars_read(const plonk_zkey_common *zkey, uint32_t id, uint64_t first, uint64_t n, void *out,
                             rp_error *err);
/* The powers of tau, each coordinate below q; with `check_points`, also on the curve and in the subgroup. */
rp_status plonk_tau_read(const plonk_zkey_common *zkey, uint64_t first, uint64_t n, bool check_points, void *out,
                         rp_error *err);
/* PLONK_MAP_A to PLONK_MAP_C: signals below n_vars, and in the first rows of A the public signals 1, 2, ..., where the
 * verifier expects them. */
rp_status plonk_map_read(const plonk_zkey_common *zkey, uint32_t id, uint64_t first, uint64_t n, uint32_t *out,
                         rp_error *err);
/* PLONK_ADDITIONS */
rp_status plonk_additions_read(const plonk_zkey_common *zkey, uint64_t first, uint64_t n, plonk_addition *out,
                               rp_error *err);

#endif
