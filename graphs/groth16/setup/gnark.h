/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * INSECURE, for tests and benchmarks: the same as setup.h for a key of gnark, as a dump. The circuit multiplies two
 * wires for each constraint, w_(i+3) = w_(i+1) w_(i+2), so that scalars, points and values are computed in blocks and
 * written at once: memory does not depend on the size of the key.
 */
#ifndef REPRISE_GROTH16_SETUP_GNARK_H
#define REPRISE_GROTH16_SETUP_GNARK_H

#include "formats/family.h"

enum { G16_GNARK_SETUP_MIN_LOG = 2, G16_GNARK_SETUP_MAX_LOG = 24 };

typedef struct g16_gnark_setup {
  const g16_family *family;
  uint32_t log_domain, n_public;
  uint64_t seed;
  const char *pkey_out, *vkey_out, *solution_out; /* a dump, a raw verifying key, vectors in Montgomery form */
  int (*progress)(void *user, const char *what, uint64_t done, uint64_t total); /* may be NULL; not 0 cancels */
  void *user;
} g16_gnark_setup;

/* Wires of the circuit, the constant 1 among them; 24 in 25 rows of the domain have a constraint. */
uint64_t g16_gnark_setup_wires(uint32_t log_domain);

/* Computes on `device`. Either all files appear, or none. RP_ERR_ARGUMENT: the size is out of range, or there are more
 * public signals than wires. */
rp_status g16_gnark_setup_run(rp_context *context, rp_device *device, const g16_gnark_setup *setup, rp_error *err);

#endif
