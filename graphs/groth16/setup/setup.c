/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "setup.h"

#include "formats/fail.h"
#include "groth16/formats/json.h"
#include "setup_points.h"
#include "setup_qap.h"
#include "setup_write.h"
#include "groth16/verify/verify.h"

#include <stdlib.h>

enum { BLOCK = 1 << 14, CONTRIBUTIONS_BYTES = 64 + 4, COEF_BYTES = 44 };

typedef struct setup_job {
  const g16_setup *setup;
  const g16_circuit *circuit;
  const g16_qap *qap;
  g16_multiples g1, g2;
  g16_writer *w;
  g16_vkey vkey;
  g16_g1 beta_1, delta_1;
  uint64_t done, total; /* points */
  rp_error *err;
} setup_job;

static void one_point(rp_curve curve, const uint8_t scalar[32], void *point) {
  const rp_curve_host *host = rp_curve_get(curve);
  host->generator(point);
  host->mul(point, point, scalar);
}

/* Computes points and writes them, or copies them to `out` if that is not NULL. */
static void points(setup_job *job, g16_multiples *m, const char *what, const uint8_t *scalars, uint64_t n,
                   uint8_t *out) {
  g16_writer *w = job->w;
  for (uint64_t at = 0; at < n && w->status == RP_OK; at += m->block) {
    uint64_t part = n - at < m->block ? n - at : m->block;
    rp_run *run;
    const uint8_t *data;
    w->status = g16_multiples_run(m, scalars + 32 * at, part, &run, &data, job->err);
    if (w->status != RP_OK) return;
    if (out)
      memcpy(out + at * m->point_bytes, data, part * m->point_bytes);
    else
      g16_write(w, data, part * m->point_bytes);
    rp_run_end(run);
    job->done += part;
    if (job->setup->progress && job->setup->progress(job->setup->user, what, job->done, job->total) != 0)
      w->status = support_fail(job->err, RP_ERR_CANCELLED, "The setup was cancelled.");
  }
}

static rp_status verification_key(setup_job *job) {
  static const uint8_t one[32] = {1};
  const g16_family *family = job->circuit->family;
  g16_vkey *v = &job->vkey;
  uint64_t n = (uint64_t)job->circuit->n_public + 1;
  *v = (g16_vkey){.family = family, .n_public = job->circuit->n_public};
  v->ic = aligned_alloc(64, (n * g16_g1_bytes(family) + 63) & ~(uint64_t)63);
  if (!v->ic) return support_fail(job->err, RP_ERR_MEMORY, "Out of memory for IC.");
  one_point(family->g1, job->qap->alpha, &v->alpha_1);
  one_point(family->g1, job->qap->beta, &job->beta_1);
  one_point(family->g2, job->qap->beta, &v->beta_2);
  one_point(family->g2, one, &v->gamma_2);
  one_point(family->g1, job->qap->delta, &job->delta_1);
  one_point(family->g2, job->qap->delta, &v->delta_2);
  points(job, &job->g1, "IC", job->qap->c, n, v->ic);
  return job->w->status;
}

static void header_section(setup_job *job) {
  const g16_circuit *c = job->circuit;
  const g16_family *family = c->family;
  uint32_t g1 = g16_g1_bytes(family), g2 = g16_g2_bytes(family);
  g16_writer *w = job->w;
  g16_write_section(w, 2, 4 + family->fq_bytes + 4 + 32 + 12 + 3 * g1 + 3 * g2);
  g16_write_u32(w, family->fq_bytes);
  g16_write(w, rp_field_get(family->fq)->modulus_le, family->fq_bytes);
  g16_write_u32(w, 32);
  g16_write(w, rp_field_get(family->fr)->modulus_le, 32);
  g16_write_u32(w, c->n_wires);
  g16_write_u32(w, c->n_public);
  g16_write_u32(w, (uint32_t)g16_circuit_domain(c));
  g16_write(w, &job->vkey.alpha_1, g1);
  g16_write(w, &job->beta_1, g1);
  g16_write(w, &job->vkey.beta_2, g2);
  g16_write(w, &job->vkey.gamma_2, g2);
  g16_write(w, &job->delta_1, g1);
  g16_write(w, &job->vkey.delta_2, g2);
}

/* Writes a coefficient. In Montgomery form a value is times R; the file has it times R^2, the Montgomery form of
 * that. */
static void coef(g16_writer *w, const rp_field_host *fr, uint32_t matrix, uint32_t row, uint32_t wire,
                 const void *value) {
  uint64_t r[4];
  memcpy(r, value, 32);
  fr->from_canonical(r, r);
  g16_write_u32(w, matrix);
  g16_write_u32(w, row);
  g16_write_u32(w, wire);
  g16_write(w, r, 32);
}

static void coefs_section(setup_job *job) {
  const g16_circuit *c = job->circuit;
  const rp_field_host *fr = rp_field_get(c->family->fr);
  uint64_t n = c->abc[0].nnz + c->abc[1].nnz + c->n_public + 1, one[4];
  fr->one(one);
  g16_write_section(job->w, 4, 4 + n * COEF_BYTES);
  g16_write_u32(job->w, (uint32_t)n);
  for (uint32_t row = 0; row < c->n_constraints; row++)
    for (uint32_t m = 0; m < 2; m++)
      for (uint64_t k = c->abc[m].row_ptr[row]; k < c->abc[m].row_ptr[row + 1]; k++)
        coef(job->w, fr, m, row, c->abc[m].wire[k], c->abc[m].value + 32 * k);
  for (uint32_t s = 0; s <= c->n_public; s++) coef(job->w, fr, 0, c->n_constraints + s, s, one);
}

static void points_section(setup_job *job, uint32_t id) {
  static const char *const names[] = {[5] = "A", [6] = "B1", [7] = "B2", [8] = "C", [9] = "H"};
  const g16_circuit *c = job->circuit;
  uint64_t n = c->n_wires;
  const uint8_t *scalars = job->qap->b;
  if (id == 5) scalars = job->qap->a;
  if (id == 8) {
    n -= (uint64_t)c->n_public + 1;
    scalars = job->qap->c + 32 * ((size_t)c->n_public + 1);
  }
  if (id == 9) {
    n = g16_circuit_domain(c);
    scalars = job->qap->h;
  }
  g16_multiples *m = id == 7 ? &job->g2 : &job->g1;
  g16_write_section(job->w, id, n * m->point_bytes);
  points(job, m, names[id], scalars, n, NULL);
}

static rp_status zkey_file(setup_job *job) {
  static const uint8_t contributed[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, fresh[10] = {1, 2, 4, 3, 9, 8, 5, 6, 7, 10};
  static const uint8_t contributions[CONTRIBUTIONS_BYTES] = {0}; /* hash of the circuit, and their number, which is 0 */
  const uint8_t *order = job->setup->uncontributed ? fresh : contributed;
  uint64_t ic_bytes = ((uint64_t)job->circuit->n_public + 1) * g16_g1_bytes(job->circuit->family);
  g16_write_header(job->w, "zkey", 1, 10);
  for (int i = 0; i < 10; i++) {
    switch (order[i]) {
    case 1:
      g16_write_section(job->w, 1, 4);
      g16_write_u32(job->w, 1); /* Groth16 */
      break;
    case 2: header_section(job); break;
    case 3:
      g16_write_section(job->w, 3, ic_bytes);
      g16_write(job->w, job->vkey.ic, ic_bytes);
      break;
    case 4: coefs_section(job); break;
    case 10:
      g16_write_section(job->w, 10, sizeof contributions);
      g16_write(job->w, contributions, sizeof contributions);
      break;
    default: points_section(job, order[i]);
    }
  }
  return g16_write_flush(job->w);
}

static rp_status vkey_file(setup_job *job, support_output *output) {
  support_text text = {0};
  rp_pairing_value *alpha_beta = g16_alpha_beta(&job->vkey);
  rp_status status = alpha_beta ? g16_vkey_write(&job->vkey, alpha_beta, &text, job->err)
                                : support_fail(job->err, RP_ERR_MEMORY, "Out of memory for a verification key.");
  if (status == RP_OK) status = support_output_write(output, text.data, text.length, job->err);
  free(text.data);
  free(alpha_beta);
  return status;
}

enum { ZKEY, WTNS, VKEY, R1CS, OUTPUTS };

static rp_status write_all(rp_context *context, rp_device *device, setup_job *job, support_output **output) {
  const g16_circuit *c = job->circuit;
  rp_status status = g16_multiples_init(context, device, c->family->g1, BLOCK, &job->g1, job->err);
  if (status == RP_OK) status = g16_multiples_init(context, device, c->family->g2, BLOCK, &job->g2, job->err);
  job->total = 4 * (uint64_t)c->n_wires + g16_circuit_domain(c);
  if (status == RP_OK) status = verification_key(job);
  if (status == RP_OK && output[ZKEY]) status = zkey_file(job);
  if (status == RP_OK && output[WTNS]) status = g16_write_wtns(output[WTNS], c, job->err);
  if (status == RP_OK && output[VKEY]) status = vkey_file(job, output[VKEY]);
  if (status == RP_OK && output[R1CS]) status = g16_write_r1cs(output[R1CS], c, job->err);
  g16_multiples_free(&job->g1);
  g16_multiples_free(&job->g2);
  g16_vkey_free(&job->vkey);
  return status;
}

static rp_status open_outputs(const g16_setup *setup, support_output **output, rp_error *err) {
  const char *path[OUTPUTS] = {setup->zkey_out, setup->wtns_out, setup->vkey_out, setup->r1cs_out};
  for (int i = 0; i < OUTPUTS; i++)
    if (path[i]) {
      rp_status status = support_output_begin(path[i], &output[i], err);
      if (status != RP_OK) return status;
    }
  return RP_OK;
}

static rp_status finish(support_output **output, rp_status status, rp_error *err) {
  support_output *all[OUTPUTS];
  uint32_t n = 0;
  for (int i = 0; i < OUTPUTS; i++)
    if (output[i]) all[n++] = output[i];
  if (status == RP_OK) return support_output_commit(all, n, err);
  for (uint32_t i = 0; i < n; i++) support_output_abort(all[i]);
  return status;
}

rp_status g16_setup_run(rp_context *context, rp_device *device, const g16_setup *setup, rp_error *err) {
  g16_circuit circuit;
  g16_qap qap = {0};
  support_output *output[OUTPUTS] = {0};
  rp_status status = setup->r1cs_path ? g16_circuit_read(setup->r1cs_path, setup->wtns_path, &circuit, err)
                                      : g16_circuit_make(setup->family, setup->shape, setup->seed, &circuit, err);
  if (status != RP_OK) return status;
  if (setup->wtns_out && !circuit.witness)
    status = support_fail(err, RP_ERR_ARGUMENT, "There is no witness to write: give one beside the circuit.");
  if (status == RP_OK) status = open_outputs(setup, output, err);
  if (status == RP_OK) status = g16_qap_compute(&circuit, setup, &qap, err);
  g16_writer *w = calloc(1, sizeof *w);
  if (status == RP_OK && !w) status = support_fail(err, RP_ERR_MEMORY, "Out of memory for a writer.");
  if (status == RP_OK) {
    w->output = output[ZKEY];
    w->err = err;
    setup_job job = {.setup = setup, .circuit = &circuit, .qap = &qap, .w = w, .err = err};
    status = write_all(context, device, &job, output);
  }
  free(w);
  status = finish(output, status, err);
  g16_qap_free(&qap, &circuit);
  g16_circuit_free(&circuit);
  return status;
}
