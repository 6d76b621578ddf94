/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The key of PLONK. Commitments are values at tau, which the tool knows, times the generator.
 */
#include "files.h"

#include "formats/fail.h"
#include "plonk/formats/json.h"
#include "plonk/formats/zkey.h"

#include <stdlib.h>

enum { TAU_MORE = 6, SECTIONS = 14 };

static rp_status verification_key(const plonk_setup_job *job, plonk_vkey *vk) {
  plonk_fr value;
  *vk = (plonk_vkey){.family = job->family,
                     .n_public = job->circuit->n_public,
                     .log_domain = job->setup->log_domain,
                     .k1 = job->k1,
                     .k2 = job->k2};
  for (uint32_t i = 0; i < PLONK_KEY_POINTS; i++) {
    plonk_setup_value(job, i, &job->tau, &value);
    plonk_setup_times_g1(job, &value, &vk->point[i]);
  }
  plonk_setup_times_g2(job, &job->tau, &vk->x_2);
  return plonk_vkey_check("The key", vk, job->err);
}

static rp_status put_zkey(plonk_setup_job *job, const plonk_vkey *vk) {
  plonk_setup_put_header(job, G16_PROTOCOL_PLONK, SECTIONS,
                         2 * PLONK_SCALAR_BYTES + (PLONK_KEY_POINTS + 2) * PLONK_POINT_BYTES);
  plonk_setup_put(job, PLONK_FILE_ZKEY, &vk->k1, sizeof vk->k1);
  plonk_setup_put(job, PLONK_FILE_ZKEY, &vk->k2, sizeof vk->k2);
  plonk_setup_put(job, PLONK_FILE_ZKEY, vk->point, sizeof vk->point);
  plonk_setup_put(job, PLONK_FILE_ZKEY, &vk->x_2, 2 * PLONK_POINT_BYTES);
  plonk_setup_put_circuit(job);
  for (uint32_t i = 0; i < PLONK_SELECTORS; i++) plonk_setup_put_polynomials(job, PLONK_QM + i, i, 1);
  plonk_setup_put_polynomials(job, PLONK_SIGMA, PLONK_SELECTORS, PLONK_PERMUTATIONS);
  plonk_setup_put_polynomials(job, PLONK_LAGRANGE, PLONK_KEY_POINTS, job->n_polynomials - PLONK_KEY_POINTS);
  return plonk_setup_put_tau(job, PLONK_TAU, job->circuit->n + TAU_MORE);
}

static rp_status write_keys(plonk_setup_job *job) {
  plonk_vkey vk;
  support_text text = {0};
  rp_status status = verification_key(job, &vk);
  if (status == RP_OK) status = put_zkey(job, &vk);
  if (status == RP_OK) status = plonk_vkey_write(&vk, &text, job->err);
  if (status == RP_OK) plonk_setup_put(job, PLONK_FILE_VKEY, text.data, text.length);
  free(text.data);
  return status;
}

rp_status plonk_setup_run(rp_context *context, rp_device *device, const plonk_setup *setup, rp_error *err) {
  return plonk_setup_make(context, device, setup, 0, write_keys, err);
}
