/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Writes the files of the setup tool. Polynomials are extended and powers of tau multiplied by the device; commitments
 * are values at tau, which the tool knows.
 */
#include "setup.h"

#include "circuit.h"
#include "formats/fail.h"
#include "formats/output.h"
#include "plonk/formats/json.h"

#include <stdlib.h>

enum { EXTENDED = 5, TAU_MORE = 6, BLOCK = 1 << 14, SECTIONS = 14 };
enum { ZKEY, WTNS, VKEY, OUTPUTS };

typedef struct setup_job {
  const plonk_setup *setup;
  const plonk_circuit *circuit;
  const rp_field_host *fr;
  rp_context *context;
  rp_device *device;
  g16_output *output[OUTPUTS];
  plonk_fr tau, omega;
  plonk_vkey vk;
  plonk_fr *sigma;    /* values, 3n */
  plonk_fr *extended; /* of all polynomials, 5n each: selectors, permutations, Lagrange polynomials */
  uint32_t n_polynomials;
  rp_status status; /* the first failure; what writes does nothing after it */
  rp_error *err;
} setup_job;

/* ---- Computing --------------------------------------------------------------------------------------------------- */

static rp_status progress(const setup_job *job, const char *what, uint64_t done, uint64_t total) {
  if (!job->setup->progress || !job->setup->progress(job->setup->user, what, done, total)) return RP_OK;
  return graphs_fail(job->err, RP_ERR_CANCELLED, "Cancelled.");
}

/* Values on the domain of one polynomial. */
static void values_of(const setup_job *job, uint32_t which, plonk_fr *out) {
  const uint64_t n = job->circuit->n;
  if (which < PLONK_SELECTORS) {
    memcpy(out, job->circuit->selector[which], n * sizeof *out);
  } else if (which < PLONK_KEY_POINTS) {
    memcpy(out, job->sigma + (which - PLONK_SELECTORS) * n, n * sizeof *out);
  } else {
    memset(out, 0, n * sizeof *out);
    job->fr->one(&out[which - PLONK_KEY_POINTS]);
  }
}

/* One graph for all polynomials: n values in, n coefficients and 4n values out. */
static rp_status extend_graph(const setup_job *job, rp_graph **graph, rp_recording **recording) {
  const uint64_t n = job->circuit->n;
  rp_ntt_options o = {.struct_size = sizeof o, .root = RP_ROOT_SNARKJS, .inverse = 1};
  rp_status status = rp_graph_create(job->context, "plonk_setup", graph, job->err);
  if (status != RP_OK) return status;
  rp_value in = rp_graph_input(*graph, "values", rp_type_field(job->fr->id), n, 0);
  rp_value coefficients = rp_ntt(*graph, in, &o);
  o.inverse = 0;
  rp_value values = rp_ntt(*graph, rp_pad(*graph, coefficients, 4 * n), &o);
  rp_graph_output(*graph, "extended", rp_concat(*graph, (rp_value[]){coefficients, values}, 2), 0);
  return rp_record(job->device, *graph, NULL, recording, job->err);
}

static rp_status extend(setup_job *job) {
  const uint64_t n = job->circuit->n;
  rp_graph *graph = NULL;
  rp_recording *recording = NULL;
  plonk_fr *values = malloc(n * sizeof *values);
  job->extended = malloc(EXTENDED * n * job->n_polynomials * sizeof *job->extended);
  rp_status status = values && job->extended
                         ? extend_graph(job, &graph, &recording)
                         : graphs_fail(job->err, RP_ERR_MEMORY, "Out of memory for the polynomials of a key.");
  for (uint32_t i = 0; i < job->n_polynomials && status == RP_OK; i++) {
    const rp_replay_input in = {.name = "values", .data = values, .size_bytes = n * sizeof *values};
    const rp_replay_output out = {
        .name = "extended", .data = job->extended + EXTENDED * n * i, .size_bytes = EXTENDED * n * sizeof *values};
    values_of(job, i, values);
    status = rp_replay(recording, &in, 1, &out, 1, job->err);
    if (status == RP_OK) status = progress(job, "polynomials", i + 1, job->n_polynomials);
  }
  rp_recording_destroy(recording);
  rp_graph_destroy(graph);
  free(values);
  return status;
}

/* The commitment to a polynomial: its value at tau, times the generator. */
static void commit(setup_job *job, const plonk_fr *coefficients, plonk_g1 *point) {
  const rp_curve_host *g1 = rp_curve_get(job->vk.family->g1);
  plonk_fr value, canonical;
  plonk_g1 generator;
  job->fr->zero(&value);
  for (uint64_t i = job->circuit->n; i-- > 0;) {
    job->fr->mul(&value, &value, &job->tau);
    job->fr->add(&value, &value, &coefficients[i]);
  }
  job->fr->to_canonical(&canonical, &value);
  g1->generator(&generator);
  g1->mul(point, &generator, (const uint8_t *)&canonical);
}

static void small(const rp_field_host *fr, plonk_fr *out, uint64_t value) {
  *out = (plonk_fr){{value}};
  (void)fr->from_canonical(out, out);
}

static rp_status verification_key(setup_job *job) {
  const g16_family *family = job->vk.family;
  const rp_curve_host *g2 = rp_curve_get(family->g2);
  plonk_fr canonical;
  for (uint32_t i = 0; i < PLONK_KEY_POINTS; i++)
    commit(job, job->extended + EXTENDED * job->circuit->n * i, &job->vk.point[i]);
  job->fr->to_canonical(&canonical, &job->tau);
  g2->generator(&job->vk.x_2);
  g2->mul(&job->vk.x_2, &job->vk.x_2, (const uint8_t *)&canonical);
  return plonk_vkey_check("The key", &job->vk, job->err);
}

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

static void put(setup_job *job, int output, const void *data, uint64_t bytes) {
  if (job->status == RP_OK) job->status = g16_output_write(job->output[output], data, bytes, job->err);
}

static void put_u32(setup_job *job, int output, uint32_t value) {
  const uint8_t le[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
  put(job, output, le, sizeof le);
}

static void put_section(setup_job *job, int output, uint32_t id, uint64_t bytes) {
  put_u32(job, output, id);
  put_u32(job, output, (uint32_t)bytes);
  put_u32(job, output, (uint32_t)(bytes >> 32));
}

static void put_header(setup_job *job) {
  const plonk_circuit *c = job->circuit;
  const g16_family *family = job->vk.family;
  const uint64_t points = PLONK_KEY_POINTS * PLONK_POINT_BYTES, x_2 = 2 * PLONK_POINT_BYTES;
  put_section(job, ZKEY, G16_ZKEY_PROTOCOL, 4);
  put_u32(job, ZKEY, G16_PROTOCOL_PLONK);
  put_section(job, ZKEY, G16_ZKEY_HEADER, 2 * (4 + 32) + 5 * 4 + 2 * 32 + points + x_2);
  put_u32(job, ZKEY, 32);
  put(job, ZKEY, rp_field_get(family->fq)->modulus_le, 32);
  put_u32(job, ZKEY, 32);
  put(job, ZKEY, job->fr->modulus_le, 32);
  put_u32(job, ZKEY, plonk_circuit_vars(c));
  put_u32(job, ZKEY, c->n_public);
  put_u32(job, ZKEY, (uint32_t)c->n);
  put_u32(job, ZKEY, c->n_additions);
  put_u32(job, ZKEY, c->n_constraints);
  put(job, ZKEY, &job->vk.k1, 32);
  put(job, ZKEY, &job->vk.k2, 32);
  put(job, ZKEY, job->vk.point, points);
  put(job, ZKEY, &job->vk.x_2, x_2);
}

static void put_additions(setup_job *job) {
  const plonk_circuit *c = job->circuit;
  uint8_t *records = malloc((size_t)c->n_additions * PLONK_ADDITION_BYTES + 1);
  if (!records) {
    if (job->status == RP_OK) job->status = graphs_fail(job->err, RP_ERR_MEMORY, "Out of memory for additions.");
    return;
  }
  for (uint32_t i = 0; i < c->n_additions; i++) {
    memcpy(records + (size_t)i * PLONK_ADDITION_BYTES, c->addition[i].signal, 8);
    memcpy(records + (size_t)i * PLONK_ADDITION_BYTES + 8, c->addition[i].factor, 64);
  }
  put_section(job, ZKEY, PLONK_ADDITIONS, (uint64_t)c->n_additions * PLONK_ADDITION_BYTES);
  put(job, ZKEY, records, (uint64_t)c->n_additions * PLONK_ADDITION_BYTES);
  free(records);
}

static void put_polynomials(setup_job *job) {
  const uint64_t bytes = EXTENDED * job->circuit->n * sizeof(plonk_fr);
  const uint8_t *all = (const uint8_t *)job->extended;
  const uint32_t n_lagrange = job->n_polynomials - PLONK_KEY_POINTS;
  for (uint32_t i = 0; i < PLONK_SELECTORS; i++) {
    put_section(job, ZKEY, PLONK_QM + i, bytes);
    put(job, ZKEY, all + i * bytes, bytes);
  }
  put_section(job, ZKEY, PLONK_SIGMA, PLONK_PERMUTATIONS * bytes);
  put(job, ZKEY, all + PLONK_SELECTORS * bytes, PLONK_PERMUTATIONS * bytes);
  put_section(job, ZKEY, PLONK_LAGRANGE, n_lagrange * bytes);
  put(job, ZKEY, all + PLONK_KEY_POINTS * bytes, n_lagrange * bytes);
}

/* The powers of tau times the generator, a block at a time. */
static rp_status put_tau(setup_job *job) {
  const uint64_t points = job->circuit->n + TAU_MORE, block = points < BLOCK ? points : BLOCK;
  plonk_g1 generator, *out = malloc(block * sizeof *out);
  uint8_t *scalars = malloc(block * 32);
  plonk_fr power, canonical;
  rp_graph *graph = NULL;
  rp_recording *recording = NULL;
  rp_status status = rp_graph_create(job->context, "plonk_setup", &graph, job->err);
  if (status == RP_OK && (!out || !scalars))
    status = graphs_fail(job->err, RP_ERR_MEMORY, "Out of memory for powers of tau.");
  if (status == RP_OK) {
    rp_curve_get(job->vk.family->g1)->generator(&generator);
    rp_value base = rp_graph_constant(graph, "generator", rp_type_affine(job->vk.family->g1), 1, &generator, 0);
    rp_fixed_base table = rp_fixed_base_table(graph, base, 0);
    rp_value in = rp_graph_input(graph, "scalars", &RP_TYPE_U256, block, 0);
    rp_graph_output(graph, "points", rp_to_affine(graph, rp_fixed_base_mul(graph, &table, in)), 0);
    status = rp_record(job->device, graph, NULL, &recording, job->err);
  }
  put_section(job, ZKEY, PLONK_TAU, points * sizeof *out);
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
    if (status == RP_OK) put(job, ZKEY, out, some * sizeof *out);
    if (status == RP_OK) status = progress(job, "powers of tau", done + some, points);
  }
  rp_recording_destroy(recording);
  rp_graph_destroy(graph);
  free(out);
  free(scalars);
  return status;
}

static rp_status put_zkey(setup_job *job) {
  const plonk_circuit *c = job->circuit;
  put(job, ZKEY, "zkey", 4);
  put_u32(job, ZKEY, 1);
  put_u32(job, ZKEY, SECTIONS);
  put_header(job);
  put_additions(job);
  for (uint32_t i = 0; i < 3; i++) {
    put_section(job, ZKEY, PLONK_MAP_A + i, (uint64_t)c->n_constraints * 4);
    put(job, ZKEY, c->map[i], (uint64_t)c->n_constraints * 4);
  }
  put_polynomials(job);
  const rp_status status = job->status == RP_OK ? put_tau(job) : job->status;
  return status == RP_OK ? job->status : status;
}

static rp_status put_wtns(setup_job *job) {
  const plonk_circuit *c = job->circuit;
  plonk_fr *values = malloc(c->n_witness * sizeof *values);
  if (!values) return graphs_fail(job->err, RP_ERR_MEMORY, "Out of memory for a witness.");
  for (uint32_t i = 0; i < c->n_witness; i++) job->fr->to_canonical(&values[i], &c->value[i]);
  values[0] = (plonk_fr){{1}};
  put(job, WTNS, "wtns", 4);
  put_u32(job, WTNS, 2);
  put_u32(job, WTNS, 2);
  put_section(job, WTNS, 1, 4 + 32 + 4);
  put_u32(job, WTNS, 32);
  put(job, WTNS, job->fr->modulus_le, 32);
  put_u32(job, WTNS, c->n_witness);
  put_section(job, WTNS, 2, (uint64_t)c->n_witness * 32);
  put(job, WTNS, values, (uint64_t)c->n_witness * 32);
  free(values);
  return job->status;
}

static rp_status put_vkey(setup_job *job) {
  g16_text text = {0};
  const rp_status status = plonk_vkey_write(&job->vk, &text, job->err);
  if (status == RP_OK) put(job, VKEY, text.data, text.length);
  free(text.data);
  return status == RP_OK ? job->status : status;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static rp_status open_outputs(setup_job *job) {
  const char *const path[OUTPUTS] = {job->setup->zkey_out, job->setup->wtns_out, job->setup->vkey_out};
  rp_status status = RP_OK;
  for (int i = 0; i < OUTPUTS && status == RP_OK; i++) status = g16_output_begin(path[i], &job->output[i], job->err);
  return status;
}

static rp_status make_all(setup_job *job, uint64_t seed) {
  const plonk_circuit *c = job->circuit;
  const uint32_t log_n = job->setup->log_domain;
  job->fr = rp_field_get(RP_FIELD_BN254_FR);
  job->vk = (plonk_vkey){.family = g16_family_by_g1(RP_CURVE_BN254_G1), .n_public = c->n_public, .log_domain = log_n};
  small(job->fr, &job->vk.k1, 2);
  small(job->fr, &job->vk.k2, 3);
  (void)job->fr->root(&job->omega, RP_ROOT_SNARKJS, log_n);
  plonk_next_element(job->fr, &seed, &job->tau);
  job->n_polynomials = PLONK_KEY_POINTS + (c->n_public ? c->n_public : 1);
  rp_status status = open_outputs(job);
  job->sigma = plonk_circuit_permutation(c, &job->omega, &job->vk.k1, &job->vk.k2);
  if (status == RP_OK && !job->sigma)
    status = graphs_fail(job->err, RP_ERR_MEMORY, "Out of memory for a permutation of %llu positions.",
                         (unsigned long long)(3 * c->n));
  if (status == RP_OK) status = extend(job);
  if (status == RP_OK) status = verification_key(job);
  if (status == RP_OK) status = put_zkey(job);
  if (status == RP_OK) status = put_wtns(job);
  return status == RP_OK ? put_vkey(job) : status;
}

rp_status plonk_setup_run(rp_context *context, rp_device *device, const plonk_setup *setup, rp_error *err) {
  plonk_circuit circuit;
  setup_job job = {.setup = setup, .circuit = &circuit, .context = context, .device = device, .err = err};
  if (setup->log_domain < PLONK_SETUP_MIN_LOG || setup->log_domain > PLONK_SETUP_MAX_LOG)
    return graphs_fail(err, RP_ERR_ARGUMENT, "A synthetic PLONK key has a domain of 2^%d to 2^%d.", PLONK_SETUP_MIN_LOG,
                       PLONK_SETUP_MAX_LOG);
  rp_status status = plonk_circuit_make(setup->log_domain, setup->n_public, setup->seed, &circuit, err);
  if (status != RP_OK) return status;
  status = make_all(&job, ~setup->seed);
  if (status == RP_OK)
    status = g16_output_commit(job.output, OUTPUTS, err);
  else
    for (int i = 0; i < OUTPUTS; i++) g16_output_abort(job.output[i]);
  free(job.sigma);
  free(job.extended);
  plonk_circuit_free(&circuit);
  return status;
}
