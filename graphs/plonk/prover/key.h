/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A PLONK proving key in memory, in the form that the graph needs; the graph borrows the arrays. n is the domain.
 * Every commitment is a product with the same n + 6 powers of tau, so that polynomials with fewer coefficients end with
 * zeros: one length serves the products, and the sums of polynomials.
 */
#ifndef REPRISE_PLONK_KEY_H
#define REPRISE_PLONK_KEY_H

#include "additions.h"

#include <stdatomic.h>

enum { PLONK_TAU_MORE = 6, PLONK_KEY_PARTS = PLONK_KEY_POINTS + 2 };

struct rp_plonk_key {
  atomic_uint refs;       /* the caller's, and one per prover */
  rp_plonk_key_info info; /* without points_checked */
  atomic_int points_checked;
  plonk_vkey vk;
  plonk_additions additions;
  const uint32_t *map;                    /* 3n places: the wires of all rows; unused rows have variable 0 */
  const plonk_fr *coef[PLONK_KEY_POINTS]; /* n + 6 coefficients, the last six zero; memory form */
  const plonk_g1 *tau;                    /* n + 6 points */
  g16_file *source;                       /* whose name stands in reasons */
  struct {
    void *memory;
    uint64_t bytes;
  } part[PLONK_KEY_PARTS];
  uint32_t n_parts;
};

static inline const char *plonk_key_name(const rp_plonk_key *key) { return g16_file_name(key->source); }
static inline uint64_t plonk_key_len(const rp_plonk_key *key) { return key->info.domain + PLONK_TAU_MORE; }

rp_plonk_key *plonk_key_ref(rp_plonk_key *key);
/* Memory that lives as long as the key, aligned to 64 bytes. NULL when out of memory. */
void *plonk_key_alloc(rp_plonk_key *key, uint64_t bytes);

/* key_zkey.c: loads everything from key->source, in parallel. Besides what the reader refuses, a key is refused with
 * RP_ERR_FORMAT if tau is in the domain, tau^n = 1: the blinding of its proofs, which are accepted, would vanish. */
rp_status plonk_key_load(rp_plonk_key *key, int check_points, rp_error *err);

#endif
