/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the decompositions of a transform share: they accept the same inputs as rp_ntt, and their results are
 * byte-equal.
 */
#ifndef REPRISE_HALO2_TRANSFORM_H
#define REPRISE_HALO2_TRANSFORM_H

#include <stdbool.h>

#include <reprise/halo2.h>

enum { HALO2_ELEMENT_WORDS = 6 };

typedef struct halo2_transform {
  rp_graph *g;
  const rp_field_host *f;
  rp_root root;
  uint32_t inverse, log_n;
} halo2_transform;

/* Sets up a transform of x; g, root and inverse must be set. If x cannot be transformed, sets the graph's error, whose
 * reason begins with `name`, and returns false. */
bool halo2_transform_of(halo2_transform *t, rp_value x, const char *name, uint32_t least_log);
/* The root of order 2^log_n in the convention, inverted for an inverse transform; log_n is at most that of the
 * transform. */
void halo2_root(const halo2_transform *t, uint32_t log_n, uint64_t w[HALO2_ELEMENT_WORDS]);
/* `batch` transforms of equal length, without the factor 1/n. */
rp_value halo2_parts(const halo2_transform *t, rp_value x, uint64_t batch);
/* y, times 1/n for an inverse transform. */
rp_value halo2_scaled(const halo2_transform *t, rp_value y);
rp_value halo2_element(const halo2_transform *t, const char *name, const void *data);

#endif
