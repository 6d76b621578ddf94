/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The key of FFLONK (fflonk_setup.js of snarkjs).
 */
#include "setup.h"

#include "fflonk/formats/json.h"
#include "fflonk/formats/zkey.h"
#include "formats/fail.h"
#include "plonk/setup/files.h"

#include <stdlib.h>

enum { BLINDED_ROWS = 2, TAU_TIMES = 9, TAU_MORE = 18, SECTIONS = 17, GENERATOR = 5 };

/* Polynomials of the job in the order of C0, and selectors in that of the file. */
static const uint8_t of_c0[PLONK_KEY_POINTS] = {PLONK_KEY_QL, PLONK_KEY_QR, PLONK_KEY_QO, PLONK_KEY_QM,
                                                PLONK_KEY_QC, PLONK_KEY_S1, PLONK_KEY_S2, PLONK_KEY_S3};
static const uint8_t of_file[PLONK_SELECTORS] = {PLONK_KEY_QL, PLONK_KEY_QR, PLONK_KEY_QM, PLONK_KEY_QO, PLONK_KEY_QC};

/* An element of order 3: 5^((r - 1) / 3), since 5 generates the group. */
static void cube_root_of_1(const rp_field_host *fr, plonk_fr *root) {
  uint8_t exponent[32];
  uint32_t rest = 0;
  plonk_fr generator = {{GENERATOR}};
  memcpy(exponent, fr->modulus_le, sizeof exponent);
  exponent[0]--; /* r is odd */
  for (int i = 31; i >= 0; i--) {
    rest = rest << 8 | exponent[i];
    exponent[i] = (uint8_t)(rest / 3);
    rest %= 3;
  }
  (void)fr->from_canonical(&generator, &generator);
  fr->pow(root, &generator, exponent, sizeof exponent);
}

/* The cube root of omega that is a power of it. 2^k + 1 is a multiple of 3 if k is odd, and 1 modulo the order if k is
 * at least log_n. */
static void cube_root_of_omega(const rp_field_host *fr, const plonk_fr *omega, uint32_t log_n, plonk_fr *root) {
  const uint64_t exponent = (((uint64_t)1 << (log_n | 1)) + 1) / 3;
  uint8_t le[8];
  for (int i = 0; i < 8; i++) le[i] = (uint8_t)(exponent >> 8 * i);
  fr->pow(root, omega, le, sizeof le);
}

/* C0 at tau: the sum of tau^i p_i(tau^8). */
static void value_of_c0(const plonk_setup_job *job, plonk_fr *value) {
  plonk_fr tau_8, x;
  job->fr->sqr(&tau_8, &job->tau);
  job->fr->sqr(&tau_8, &tau_8);
  job->fr->sqr(&tau_8, &tau_8);
  job->fr->zero(value);
  for (uint32_t i = PLONK_KEY_POINTS; i-- > 0;) {
    plonk_setup_value(job, of_c0[i], &tau_8, &x);
    job->fr->mul(value, value, &job->tau);
    job->fr->add(value, value, &x);
  }
}

static rp_status verification_key(const plonk_setup_job *job, fflonk_vkey *vk) {
  plonk_fr c0;
  *vk = (fflonk_vkey){.family = job->family,
                      .n_public = job->circuit->n_public,
                      .log_domain = job->setup->log_domain,
                      .k1 = job->k1,
                      .k2 = job->k2};
  cube_root_of_1(job->fr, &vk->w3);
  cube_root_of_omega(job->fr, &job->omega, vk->log_domain, &vk->wr);
  value_of_c0(job, &c0);
  plonk_setup_times_g1(job, &c0, &vk->c0);
  plonk_setup_times_g2(job, &job->tau, &vk->x_2);
  return fflonk_vkey_check("The key", vk, job->err);
}

static void put_header(plonk_setup_job *job, const fflonk_vkey *vk) {
  plonk_fr w4, w8;
  (void)job->fr->root(&w4, RP_ROOT_SNARKJS, FFLONK_LOG_W4);
  (void)job->fr->root(&w8, RP_ROOT_SNARKJS, FFLONK_LOG_W8);
  const plonk_fr elements[] = {vk->k1, vk->k2, vk->w3, w4, w8, vk->wr};
  plonk_setup_put_header(job, G16_PROTOCOL_FFLONK, SECTIONS, sizeof elements + 3 * PLONK_POINT_BYTES);
  plonk_setup_put(job, PLONK_FILE_ZKEY, elements, sizeof elements);
  plonk_setup_put(job, PLONK_FILE_ZKEY, &vk->x_2, 2 * PLONK_POINT_BYTES);
  plonk_setup_put(job, PLONK_FILE_ZKEY, &vk->c0, PLONK_POINT_BYTES);
}

static void put_c0(plonk_setup_job *job) {
  const uint64_t n = job->circuit->n;
  plonk_setup_put_section(job, PLONK_FILE_ZKEY, FFLONK_SECTION_C0, PLONK_KEY_POINTS * n * sizeof(plonk_fr));
  for (uint64_t k = 0; k < n && job->status == RP_OK; k++) {
    plonk_fr row[PLONK_KEY_POINTS];
    for (uint32_t i = 0; i < PLONK_KEY_POINTS; i++) row[i] = plonk_setup_polynomial(job, of_c0[i])[k];
    plonk_setup_put(job, PLONK_FILE_ZKEY, row, sizeof row);
  }
}

static rp_status put_zkey(plonk_setup_job *job, const fflonk_vkey *vk) {
  put_header(job, vk);
  plonk_setup_put_circuit(job);
  for (uint32_t i = 0; i < PLONK_SELECTORS; i++) plonk_setup_put_polynomials(job, FFLONK_SECTION_QL + i, of_file[i], 1);
  for (uint32_t i = 0; i < PLONK_PERMUTATIONS; i++)
    plonk_setup_put_polynomials(job, FFLONK_SIGMA_1 + i, PLONK_SELECTORS + i, 1);
  plonk_setup_put_polynomials(job, FFLONK_LAGRANGE, PLONK_KEY_POINTS, job->n_polynomials - PLONK_KEY_POINTS);
  const rp_status status = plonk_setup_put_tau(job, FFLONK_TAU, TAU_TIMES * job->circuit->n + TAU_MORE);
  if (status == RP_OK) put_c0(job);
  return status;
}

static rp_status write_keys(plonk_setup_job *job) {
  fflonk_vkey vk;
  support_text text = {0};
  rp_status status = verification_key(job, &vk);
  if (status == RP_OK) status = put_zkey(job, &vk);
  if (status == RP_OK) status = fflonk_vkey_write(&vk, &text, job->err);
  if (status == RP_OK) plonk_setup_put(job, PLONK_FILE_VKEY, text.data, text.length);
  free(text.data);
  return status;
}

rp_status fflonk_setup_run(rp_context *context, rp_device *device, const plonk_setup *setup, rp_error *err) {
  return plonk_setup_make(context, device, setup, BLINDED_ROWS, write_keys, err);
}
