/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "files.h"

#include "formats/fail.h"

#include <stdlib.h>

enum { BLOCK = 1 << 14, ADDITIONS = 3, MAP_A = 4 /* sections */ };

/* ---- Computing --------------------------------------------------------------------------------------------------- */

static rp_status progress(const plonk_setup_job *job, const char *what, uint64_t done, uint64_t total) {
  if (!job->setup->progress || !job->setup->progress(job->setup->user, what, done, total)) return RP_OK;
  return support_fail(job->err, RP_ERR_CANCELLED, "Cancelled.");
}

/* Values on the domain of one polynomial. */
static void values_of(const plonk_setup_job *job, const plonk_fr *sigma, uint32_t which, plonk_fr *out) {
  const uint64_t n = job->circuit->n;
  if (which < PLONK_SELECTORS) {
    memcpy(out, job->circuit->selector[which], n * sizeof *out);
  } else if (which < PLONK_KEY_POINTS) {
    memcpy(out, sigma + (which - PLONK_SELECTORS) * n, n * sizeof *out);
  } else {
    memset(out, 0, n * sizeof *out);
    job->fr->one(&out[which - PLONK_KEY_POINTS]);
  }
}

/* One graph for all polynomials: n values in, n coefficients and 4n values out. */
static rp_status extend_graph(const plonk_setup_job *job, rp_graph **graph, rp_recording **recording) {
  const uint64_t n = job->circuit->n;
  rp_ntt_options o = {.struct_size = sizeof o, .root = RP_ROOT_SNARKJS, .inverse = 1};
  rp_status status = rp_graph_create(job->context, "setup", graph, job->err);
  if (status != RP_OK) return status;
  rp_value in = rp_graph_input(*graph, "values", rp_type_field(job->fr->id), n, 0);
  rp_value coefficients = rp_ntt(*graph, in, &o);
  o.inverse = 0;
  rp_value values = rp_ntt(*graph, rp_pad(*graph, coefficients, 4 * n), &o);
  rp_graph_output(*graph, "extended", rp_concat(*graph, (rp_value[]){coefficients, values}, 2), 0);
  return rp_record(job->device, *graph, NULL, recording, job->err);
}

static rp_status extend(plonk_setup_job *job, const plonk_fr *sigma) {
  const uint64_t n = job->circuit->n;
  rp_graph *graph = NULL;
  rp_recording *recording = NULL;
  plonk_fr *values = malloc(n * sizeof *values);
  job->extended = malloc(PLONK_EXTENDED * n * job->n_polynomials * sizeof *job->extended);
  rp_status status = values && job->extended
                         ? extend_graph(job, &graph, &recording)
                         : support_fail(job->err, RP_ERR_MEMORY, "Out of memory for the polynomials of a key.");
  for (uint32_t i = 0; i < job->n_polynomials && status == RP_OK; i++) {
    const rp_replay_input in = {.name = "values", .data = values, .size_bytes = n * sizeof *values};
    const rp_replay_output out = {.name = "extended",
                                  .data = job->extended + PLONK_EXTENDED * n * i,
                                  .size_bytes = PLONK_EXTENDED * n * sizeof *values};
    values_of(job, sigma, i, values);
    status = rp_replay(recording, &in, 1, &out, 1, job->err);
    if (status == RP_OK) status = progress(job, "polynomials", i + 1, job->n_polynomials);
  }
  rp_recording_destroy(recording);
  rp_graph_destroy(graph);
  free(values);
  return status;
}

void plonk_setup_value(const plonk_setup_job *job, uint32_t which, const plonk_fr *x, plonk_fr *value) {
  const plonk_fr *coefficients = plonk_setup_polynomial(job, which);
  job->fr->zero(value);
  for (uint64_t i = job->circuit->n; i-- > 0;) {
    job->fr->mul(value, value, x);
    job->fr->add(value, value, &coefficients[i]);
  }
}

static void times(const plonk_setup_job *job, rp_curve curve, const plonk_fr *value, void *point) {
  plonk_fr canonical;
  job->fr->to_canonical(&canonical, value);
  rp_curve_get(curve)->generator(point);
  rp_curve_get(curve)->mul(point, point, (const uint8_t *)&canonical);
}

void plonk_setup_times_g1(const plonk_setup_job *job, const plonk_fr *value, plonk_g1 *point) {
  times(job, job->family->g1, value, point);
}

void plonk_setup_times_g2(const plonk_setup_job *job, const plonk_fr *value, g16_g2 *point) {
  times(job, job->family->g2, value, point);
}

static void small(const rp_field_host *fr, plonk_fr *out, uint64_t value) {
  *out = (plonk_fr){{value}};
  (void)fr->from_canonical(out, out);
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

void plonk_setup_put(plonk_setup_job *job, int output, const void *data, uint64_t bytes) {
  if (job->status == RP_OK) job->status = support_output_write(job->output[output], data, bytes, job->err);
}

static void put_u32(plonk_setup_job *job, int output, uint32_t value) {
  const uint8_t le[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
  plonk_setup_put(job, output, le, sizeof le);
}

void plonk_setup_put_section(plonk_setup_job *job, int output, uint32_t id, uint64_t bytes) {
  put_u32(job, output, id);
  put_u32(job, output, (uint32_t)bytes);
  put_u32(job, output, (uint32_t)(bytes >> 32));
}

void plonk_setup_put_header(plonk_setup_job *job, uint32_t protocol, uint32_t sections, uint64_t more) {
  const plonk_circuit *c = job->circuit;
  plonk_setup_put(job, PLONK_FILE_ZKEY, "zkey", 4);
  put_u32(job, PLONK_FILE_ZKEY, 1);
  put_u32(job, PLONK_FILE_ZKEY, sections);
  plonk_setup_put_section(job, PLONK_FILE_ZKEY, G16_ZKEY_PROTOCOL, 4);
  put_u32(job, PLONK_FILE_ZKEY, protocol);
  plonk_setup_put_section(job, PLONK_FILE_ZKEY, G16_ZKEY_HEADER, 2 * (4 + 32) + PLONK_COUNTS_BYTES + more);
  put_u32(job, PLONK_FILE_ZKEY, 32);
  plonk_setup_put(job, PLONK_FILE_ZKEY, rp_field_get(job->family->fq)->modulus_le, 32);
  put_u32(job, PLONK_FILE_ZKEY, 32);
  plonk_setup_put(job, PLONK_FILE_ZKEY, job->fr->modulus_le, 32);
  put_u32(job, PLONK_FILE_ZKEY, plonk_circuit_vars(c));
  put_u32(job, PLONK_FILE_ZKEY, c->n_public);
  put_u32(job, PLONK_FILE_ZKEY, (uint32_t)c->n);
  put_u32(job, PLONK_FILE_ZKEY, c->n_additions);
  put_u32(job, PLONK_FILE_ZKEY, c->n_constraints);
}

static void put_additions(plonk_setup_job *job) {
  const plonk_circuit *c = job->circuit;
  uint8_t *records = malloc((size_t)c->n_additions * PLONK_ADDITION_BYTES + 1);
  if (!records) {
    if (job->status == RP_OK) job->status = support_fail(job->err, RP_ERR_MEMORY, "Out of memory for additions.");
    return;
  }
  for (uint32_t i = 0; i < c->n_additions; i++) {
    memcpy(records + (size_t)i * PLONK_ADDITION_BYTES, c->addition[i].signal, 8);
    memcpy(records + (size_t)i * PLONK_ADDITION_BYTES + 8, c->addition[i].factor, 64);
  }
  plonk_setup_put_section(job, PLONK_FILE_ZKEY, ADDITIONS, (uint64_t)c->n_additions * PLONK_ADDITION_BYTES);
  plonk_setup_put(job, PLONK_FILE_ZKEY, records, (uint64_t)c->n_additions * PLONK_ADDITION_BYTES);
  free(records);
}

void plonk_setup_put_circuit(plonk_setup_job *job) {
  const plonk_circuit *c = job->circuit;
  put_additions(job);
  for (uint32_t i = 0; i < 3; i++) {
    plonk_setup_put_section(job, PLONK_FILE_ZKEY, MAP_A + i, (uint64_t)c->n_constraints * 4);
    plonk_setup_put(job, PLONK_FILE_ZKEY, c->map[i], (uint64_t)c->n_constraints * 4);
  }
}

void plonk_setup_put_polynomials(plonk_setup_job *job, uint32_t section, uint32_t first, uint32_t n) {
  const uint64_t bytes = PLONK_EXTENDED * job->circuit->n * sizeof(plonk_fr) * n;
  plonk_setup_put_section(job, PLONK_FILE_ZKEY, section, bytes);
  plonk_setup_put(job, PLONK_FILE_ZKEY, plonk_setup_polynomial(job, first), bytes);
}

/* A block at a time. */
rp_status plonk_setup_put_tau(plonk_setup_job *job, uint32_t section, uint64_t points) {
  const uint64_t block = points < BLOCK ? points : BLOCK;
  plonk_g1 generator, *out = malloc(block * sizeof *out);
  uint8_t *scalars = malloc(block * 32);
  plonk_fr power, canonical;
  rp_graph *graph = NULL;
  rp_recording *recording = NULL;
  rp_status status = rp_graph_create(job->context, "setup", &graph, job->err);
  if (status == RP_OK && (!out || !scalars))
    status = support_fail(job->err, RP_ERR_MEMORY, "Out of memory for powers of tau.");
  if (status == RP_OK) {
    rp_curve_get(job->family->g1)->generator(&generator);
    rp_value base = rp_graph_constant(graph, "generator", rp_type_affine(job->family->g1), 1, &generator, 0);
    rp_fixed_base table = rp_fixed_base_table(graph, base, 0);
    rp_value in = rp_graph_input(graph, "scalars", &RP_TYPE_U256, block, 0);
    rp_graph_output(graph, "points", rp_to_affine(graph, rp_fixed_base_mul(graph, &table, in)), 0);
    status = rp_record(job->device, graph, NULL, &recording, job->err);
  }
  plonk_setup_put_section(job, PLONK_FILE_ZKEY, section, points * sizeof *out);
  job->fr->one(&power);
  for (uint64_t done = 0; done < points && status == RP_OK; done += block) {
    const uint64_t some = points - done < block ? points - done : block;
    for (uint64_t i = 0; i < some; i++) {
      job->fr->to_canonical(&canonical, &power);
      memcpy(scalars + 32 * i, &canonical, 32);
      job->fr->mul(&power, &power, &job->tau);
    }
    status =
        rp_replay(recording, &(rp_replay_input){.name = "scalars", .data = scalars, .size_bytes = block * 32}, 1,
                  &(rp_replay_output){.name = "points", .data = out, .size_bytes = block * sizeof *out}, 1, job->err);
    if (status == RP_OK) plonk_setup_put(job, PLONK_FILE_ZKEY, out, some * sizeof *out);
    if (status == RP_OK) status = progress(job, "powers of tau", done + some, points);
  }
  rp_recording_destroy(recording);
  rp_graph_destroy(graph);
  free(out);
  free(scalars);
  return status;
}

static rp_status put_wtns(plonk_setup_job *job) {
  const plonk_circuit *c = job->circuit;
  plonk_fr *values = malloc(c->n_witness * sizeof *values);
  if (!values) return support_fail(job->err, RP_ERR_MEMORY, "Out of memory for a witness.");
  for (uint32_t i = 0; i < c->n_witness; i++) job->fr->to_canonical(&values[i], &c->value[i]);
  values[0] = (plonk_fr){{1}};
  plonk_setup_put(job, PLONK_FILE_WTNS, "wtns", 4);
  put_u32(job, PLONK_FILE_WTNS, 2);
  put_u32(job, PLONK_FILE_WTNS, 2);
  plonk_setup_put_section(job, PLONK_FILE_WTNS, 1, 4 + 32 + 4);
  put_u32(job, PLONK_FILE_WTNS, 32);
  plonk_setup_put(job, PLONK_FILE_WTNS, job->fr->modulus_le, 32);
  put_u32(job, PLONK_FILE_WTNS, c->n_witness);
  plonk_setup_put_section(job, PLONK_FILE_WTNS, 2, (uint64_t)c->n_witness * 32);
  plonk_setup_put(job, PLONK_FILE_WTNS, values, (uint64_t)c->n_witness * 32);
  free(values);
  return job->status;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static rp_status open_outputs(plonk_setup_job *job) {
  const char *const path[PLONK_FILES] = {job->setup->zkey_out, job->setup->wtns_out, job->setup->vkey_out};
  rp_status status = RP_OK;
  for (int i = 0; i < PLONK_FILES && status == RP_OK; i++)
    status = support_output_begin(path[i], &job->output[i], job->err);
  return status;
}

static rp_status make_all(plonk_setup_job *job, uint64_t seed, plonk_setup_write *write) {
  const plonk_circuit *c = job->circuit;
  const uint32_t log_n = job->setup->log_domain;
  job->fr = rp_field_get(RP_FIELD_BN254_FR);
  job->family = g16_family_by_g1(RP_CURVE_BN254_G1);
  small(job->fr, &job->k1, 2);
  small(job->fr, &job->k2, 3);
  (void)job->fr->root(&job->omega, RP_ROOT_SNARKJS, log_n);
  plonk_next_element(job->fr, &seed, &job->tau);
  job->n_polynomials = PLONK_KEY_POINTS + (c->n_public ? c->n_public : 1);
  rp_status status = open_outputs(job);
  plonk_fr *sigma = plonk_circuit_permutation(c, &job->omega, &job->k1, &job->k2);
  if (status == RP_OK && !sigma)
    status = support_fail(job->err, RP_ERR_MEMORY, "Out of memory for a permutation of %llu positions.",
                          (unsigned long long)(3 * c->n));
  if (status == RP_OK) status = extend(job, sigma);
  free(sigma);
  if (status == RP_OK) status = write(job);
  if (status == RP_OK) status = job->status;
  return status == RP_OK ? put_wtns(job) : status;
}

rp_status plonk_setup_make(rp_context *context, rp_device *device, const plonk_setup *setup, uint32_t blinded_rows,
                           plonk_setup_write *write, rp_error *err) {
  plonk_circuit circuit;
  plonk_setup_job job = {.setup = setup, .circuit = &circuit, .context = context, .device = device, .err = err};
  if (setup->log_domain < PLONK_SETUP_MIN_LOG || setup->log_domain > PLONK_SETUP_MAX_LOG)
    return support_fail(err, RP_ERR_ARGUMENT, "A synthetic key has a domain of 2^%d to 2^%d.", PLONK_SETUP_MIN_LOG,
                        PLONK_SETUP_MAX_LOG);
  rp_status status = plonk_circuit_make(setup->log_domain, setup->n_public, blinded_rows, setup->seed, &circuit, err);
  if (status != RP_OK) return status;
  status = make_all(&job, ~setup->seed, write);
  if (status == RP_OK)
    status = support_output_commit(job.output, PLONK_FILES, err);
  else
    for (int i = 0; i < PLONK_FILES; i++) support_output_abort(job.output[i]);
  free(job.extended);
  plonk_circuit_free(&circuit);
  return status;
}
