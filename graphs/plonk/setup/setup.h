/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * INSECURE, for tests and benchmarks: makes a PLONK key whose tau comes from a seed, so that anybody can forge proofs
 * for it. The circuit is synthetic, made together with a witness of full width that satisfies it. The files have the
 * formats of `snarkjs plonk setup`, and snarkjs accepts proofs that are made with them.
 */
#ifndef REPRISE_PLONK_SETUP_H
#define REPRISE_PLONK_SETUP_H

#include <reprise/plonk.h>

enum { PLONK_SETUP_MIN_LOG = 3, PLONK_SETUP_MAX_LOG = 24 };

typedef struct plonk_setup {
  uint32_t log_domain, n_public;
  uint64_t seed;
  const char *zkey_out, *wtns_out, *vkey_out;
  int (*progress)(void *user, const char *what, uint64_t done, uint64_t total); /* may be NULL; not 0 cancels */
  void *user;
} plonk_setup;

/* Computes on `device`. Either all files appear, or none. A row of the domain takes about 32 (43 + 5 max(n_public, 1))
 * bytes of the key, and as much memory meanwhile. */
rp_status plonk_setup_run(rp_context *context, rp_device *device, const plonk_setup *setup, rp_error *err);

#endif
