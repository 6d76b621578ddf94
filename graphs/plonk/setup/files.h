/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the setup tools of PLONK and of FFLONK have in common: polynomials are extended and powers of tau multiplied by
 * the device, and three files are written.
 */
#ifndef REPRISE_PLONK_SETUP_FILES_H
#define REPRISE_PLONK_SETUP_FILES_H

#include "circuit.h"
#include "files/output.h"
#include "setup.h"

enum { PLONK_FILE_ZKEY, PLONK_FILE_WTNS, PLONK_FILE_VKEY, PLONK_FILES };

typedef struct plonk_setup_job {
  const plonk_setup *setup;
  const plonk_circuit *circuit;
  const g16_family *family; /* BN254 */
  const rp_field_host *fr;
  rp_context *context;
  rp_device *device;
  support_output *output[PLONK_FILES];
  plonk_fr tau, omega, k1, k2;
  plonk_fr *extended; /* of all polynomials, n coefficients and 4n values each: selectors, permutations, L_1 ... */
  uint32_t n_polynomials;
  rp_status status; /* the first failure, after which the functions that write do nothing */
  rp_error *err;
} plonk_setup_job;

/* What a proof system adds: writes .zkey and verification key of a job that has everything above, the first failure in
 * job->status or as its result. */
typedef rp_status plonk_setup_write(plonk_setup_job *job);
/* The whole tool. `blinded_rows` rows at the end of the domain are not for constraints. */
rp_status plonk_setup_make(rp_context *context, rp_device *device, const plonk_setup *setup, uint32_t blinded_rows,
                           plonk_setup_write *write, rp_error *err);

static inline const plonk_fr *plonk_setup_polynomial(const plonk_setup_job *job, uint32_t which) {
  return job->extended + PLONK_EXTENDED * job->circuit->n * which;
}
/* The value of a polynomial at x. */
void plonk_setup_value(const plonk_setup_job *job, uint32_t which, const plonk_fr *x, plonk_fr *value);
/* value times the generator, of G1 and of G2. */
void plonk_setup_times_g1(const plonk_setup_job *job, const plonk_fr *value, plonk_g1 *point);
void plonk_setup_times_g2(const plonk_setup_job *job, const plonk_fr *value, g16_g2 *point);

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

void plonk_setup_put(plonk_setup_job *job, int file, const void *data, uint64_t bytes);
void plonk_setup_put_section(plonk_setup_job *job, int file, uint32_t id, uint64_t bytes);
/* The beginning of a .zkey, up to the numbers of the header, which continues with `more` bytes. */
void plonk_setup_put_header(plonk_setup_job *job, uint32_t protocol, uint32_t sections, uint64_t more);
/* Sections 3 to 6: additions and maps. */
void plonk_setup_put_circuit(plonk_setup_job *job);
/* A section of `n` polynomials, coefficients and values. */
void plonk_setup_put_polynomials(plonk_setup_job *job, uint32_t section, uint32_t first, uint32_t n);
/* A section of so many powers of tau times the generator. */
rp_status plonk_setup_put_tau(plonk_setup_job *job, uint32_t section, uint64_t points);

#endif
