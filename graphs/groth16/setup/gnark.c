/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Row i of the circuit has wire i + 1 in A, i + 2 in B and i + 3 in C. So the polynomials of a wire at tau are three
 * successive values of Lagrange polynomials L_i, of which a block is computed when it is needed.
 */
#include "gnark.h"

#include "formats/fail.h"
#include "groth16/formats/gnark.h"
#include "setup_points.h"
#include "setup_write.h"

#include <inttypes.h>
#include <stdlib.h>

enum { BLOCK = 1 << 14, FREE_WIRES = 3, IN_C = 3 };

typedef struct element {
  uint64_t limb[4];
} element;

typedef struct job {
  const g16_gnark_setup *setup;
  const g16_family *family;
  const rp_field_host *fr;
  uint64_t domain, rows, wires;
  element tau, alpha, beta, delta, over_delta, omega, shift;
  element scale;             /* (tau^n - 1) / n */
  element power[2][1 << 12]; /* tau^(2^12 i), tau^i: a power by two factors */
  g16_multiples g1, g2;
  g16_writer *w;
  element lagrange[BLOCK + IN_C], root[BLOCK + IN_C];
  uint8_t scalars[BLOCK * 32];
  uint64_t done, total; /* points */
  rp_error *err;
} job;

uint64_t g16_gnark_setup_wires(uint32_t log_domain) {
  const uint64_t n = (uint64_t)1 << log_domain;
  return n - n / 25 - 1 + FREE_WIRES;
}

/* ---- Scalars ----------------------------------------------------------------------------------------------------- */

static void power_of(const rp_field_host *fr, const element *x, uint64_t exponent, element *out) {
  const uint64_t le[1] = {exponent};
  fr->pow(out, x, (const uint8_t *)le, sizeof le);
}

/* out[i] = L_(first + i) at tau; 0 for rows without a constraint. One inversion for all. */
static void lagrange(job *j, int64_t first, uint64_t n, element *out) {
  const rp_field_host *fr = j->fr;
  const uint64_t before = first < 0 ? (uint64_t)-first : 0, begin = before < n ? before : n;
  const uint64_t from = (uint64_t)(first + (int64_t)begin);
  const uint64_t left = from < j->rows ? j->rows - from : 0, some = n - begin < left ? n - begin : left;
  element product, z, at;
  memset(out, 0, n * sizeof *out);
  out += begin;
  fr->one(&product);
  power_of(fr, &j->omega, from, &at);
  for (uint64_t i = 0; i < some; i++) { /* out[i] is the product of the differences before i */
    j->root[i] = at;
    out[i] = product;
    fr->sub(&z, &j->tau, &at);
    fr->mul(&product, &product, &z);
    fr->mul(&at, &at, &j->omega);
  }
  fr->inv(&product, &product);
  for (uint64_t i = some; i-- > 0;) {
    element inverse;
    fr->mul(&inverse, &out[i], &product);
    fr->sub(&z, &j->tau, &j->root[i]);
    fr->mul(&product, &product, &z);
    fr->mul(&inverse, &inverse, &j->scale);
    fr->mul(&out[i], &inverse, &j->root[i]);
  }
}

static void put_scalar(job *j, uint64_t i, const element *value) {
  element canonical;
  j->fr->to_canonical(&canonical, value);
  memcpy(j->scalars + 32 * i, &canonical, 32);
}

/* The scalars of elements [first, first + n) of an array. */
typedef void scalars_of(job *j, uint64_t first, uint64_t n);

static void scalars_of_rows(job *j, uint64_t first, uint64_t n) { /* of A and B, whose first row's wires are 1 and 2 */
  lagrange(j, (int64_t)first, n, j->lagrange);
  for (uint64_t i = 0; i < n; i++) put_scalar(j, i, &j->lagrange[i]);
}

/* beta A + alpha B + C of a wire, whose three rows begin at `l`. */
static element combined(const job *j, const element *l) {
  element sum, term;
  j->fr->mul(&sum, &j->beta, &l[2]);
  j->fr->mul(&term, &j->alpha, &l[1]);
  j->fr->add(&sum, &sum, &term);
  j->fr->add(&sum, &sum, &l[0]);
  return sum;
}

static void scalars_of_wires(job *j, uint64_t wire, uint64_t n, bool private) {
  lagrange(j, (int64_t)wire - IN_C, n + IN_C - 1, j->lagrange);
  for (uint64_t i = 0; i < n; i++) {
    element sum = combined(j, &j->lagrange[i]);
    if (private) j->fr->mul(&sum, &sum, &j->over_delta);
    put_scalar(j, i, &sum);
  }
}

static void scalars_of_private(job *j, uint64_t first, uint64_t n) {
  scalars_of_wires(j, j->setup->n_public + 1 + first, n, 1);
}

static void scalars_of_public(job *j, uint64_t first, uint64_t n) { scalars_of_wires(j, first, n, 0); }

static uint64_t reversed(uint64_t x, uint32_t bits) {
  uint64_t out = 0;
  for (uint32_t i = 0; i < bits; i++) out |= (x >> i & 1) << (bits - 1 - i);
  return out;
}

/* tau^i (tau^n - 1) / delta, in bit-reversed order. */
static void scalars_of_quotient(job *j, uint64_t first, uint64_t n) {
  element factor, x;
  const uint64_t size[4] = {j->domain};
  (void)j->fr->from_canonical(&factor, size); /* scale is divided by n */
  j->fr->mul(&factor, &factor, &j->scale);
  j->fr->mul(&factor, &factor, &j->over_delta);
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t exponent = reversed(first + i, j->setup->log_domain);
    j->fr->mul(&x, &j->power[0][exponent >> 12], &j->power[1][exponent & 0xfff]);
    j->fr->mul(&x, &x, &factor);
    put_scalar(j, i, &x);
  }
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static void put_be(job *j, uint64_t value, int bytes) {
  uint8_t be[8];
  for (int i = 0; i < bytes; i++) be[i] = (uint8_t)(value >> (8 * (bytes - 1 - i)));
  g16_write(j->w, be, (uint64_t)bytes);
}

static void put_element(job *j, const element *x) {
  element canonical;
  uint8_t be[32];
  j->fr->to_canonical(&canonical, x);
  g16_gnark_reverse((const uint8_t *)&canonical, 32, be);
  g16_write(j->w, be, sizeof be);
}

/* A multiple of a generator, raw. */
static void put_point(job *j, bool g2, const element *scalar) {
  const rp_curve_host *curve = rp_curve_get(g2 ? j->family->g2 : j->family->g1);
  element canonical;
  g16_g2 point;
  uint8_t out[192];
  j->fr->to_canonical(&canonical, scalar);
  curve->generator(&point);
  curve->mul(&point, &point, (const uint8_t *)&canonical);
  g16_gnark_encode(j->family, g2, G16_GNARK_RAW, &point, out);
  g16_write(j->w, out, g16_gnark_point_bytes(j->family, g2, G16_GNARK_RAW));
}

static void put_block(job *j, const g16_multiples *m, const uint8_t *points, uint64_t n, bool raw) {
  if (!raw) {
    g16_write(j->w, points, n * m->point_bytes);
    return;
  }
  for (uint64_t i = 0; i < n; i++) {
    uint8_t out[192];
    g16_gnark_encode(j->family, 0, G16_GNARK_RAW, points + i * m->point_bytes, out);
    g16_write(j->w, out, g16_gnark_point_bytes(j->family, 0, G16_GNARK_RAW));
  }
}

/* An array without its count: in memory form, or raw. */
static void put_points(job *j, g16_multiples *m, const char *what, scalars_of *scalars, uint64_t n, bool raw) {
  g16_writer *w = j->w;
  for (uint64_t at = 0; at < n && w->status == RP_OK; at += BLOCK) {
    const uint64_t some = n - at < BLOCK ? n - at : BLOCK;
    rp_run *run;
    const uint8_t *points;
    scalars(j, at, some);
    w->status = g16_multiples_run(m, j->scalars, some, &run, &points, j->err);
    if (w->status != RP_OK) return;
    put_block(j, m, points, some, raw);
    rp_run_end(run);
    j->done += some;
    if (j->setup->progress && j->setup->progress(j->setup->user, what, j->done, j->total) != 0)
      w->status = support_fail(j->err, RP_ERR_CANCELLED, "The setup was cancelled.");
  }
}

static void put_u64(job *j, uint64_t value) { /* little-endian */
  g16_write_u32(j->w, (uint32_t)value);
  g16_write_u32(j->w, (uint32_t)(value >> 32));
}

static void put_array(job *j, g16_multiples *m, const char *what, scalars_of *scalars, uint64_t n) {
  put_u64(j, n);
  put_points(j, m, what, scalars, n, 0);
}

static void put_domain(job *j) {
  const uint64_t size[4] = {j->domain};
  element n, inverse;
  (void)j->fr->from_canonical(&n, size);
  j->fr->inv(&inverse, &n);
  put_be(j, j->domain, 8);
  put_element(j, &inverse);
  put_element(j, &j->omega);
  j->fr->inv(&inverse, &j->omega);
  put_element(j, &inverse);
  put_element(j, &j->shift);
  j->fr->inv(&inverse, &j->shift);
  put_element(j, &inverse);
  g16_write(j->w, &(uint8_t){1}, 1);
}

/* One byte per wire: 1 unless it is among the `rows` wires from `first` on. */
static void put_map(job *j, uint64_t first) {
  for (uint64_t i = 0; i < j->wires; i++) {
    const uint8_t has = i < first || i >= first + j->rows;
    g16_write(j->w, &has, 1);
  }
}

static rp_status write_pkey(job *j) {
  put_u64(j, 0xdeadbeef);
  put_domain(j);
  put_point(j, 0, &j->alpha);
  put_point(j, 0, &j->beta);
  put_point(j, 0, &j->delta);
  put_point(j, 1, &j->beta);
  put_point(j, 1, &j->delta);
  put_be(j, j->wires, 8);
  put_be(j, j->wires - j->rows, 8);
  put_be(j, j->wires - j->rows, 8);
  put_map(j, 1);
  put_map(j, 2);
  put_be(j, 0, 4); /* commitments */
  put_array(j, &j->g1, "A", scalars_of_rows, j->rows);
  put_array(j, &j->g1, "B1", scalars_of_rows, j->rows);
  put_array(j, &j->g1, "Z", scalars_of_quotient, j->domain - 1);
  put_array(j, &j->g1, "K", scalars_of_private, j->wires - j->setup->n_public - 1);
  put_array(j, &j->g2, "B2", scalars_of_rows, j->rows);
  return g16_write_flush(j->w);
}

static rp_status write_vkey(job *j) {
  element one;
  j->fr->one(&one);
  put_point(j, 0, &j->alpha);
  put_point(j, 0, &j->beta);
  put_point(j, 1, &j->beta);
  put_point(j, 1, &one);
  put_point(j, 0, &j->delta);
  put_point(j, 1, &j->delta);
  put_be(j, (uint64_t)j->setup->n_public + 1, 4);
  put_points(j, &j->g1, "IC", scalars_of_public, (uint64_t)j->setup->n_public + 1, 1);
  put_be(j, 0, 4); /* commitments, and their keys */
  put_be(j, 0, 4);
  return g16_write_flush(j->w);
}

/* n values of the wires from `first` on, in Montgomery form. */
static void put_values(job *j, uint64_t first, uint64_t n) {
  uint64_t state = j->setup->seed ^ 0x7769746e657373u;
  element w[3], next;
  j->fr->one(&w[0]);
  g16_next_element(j->fr, &state, &w[1]);
  g16_next_element(j->fr, &state, &w[2]);
  put_u64(j, n);
  for (uint64_t i = 0; i < first + n; i++) {
    if (i >= first) g16_write(j->w, &w[0], 32);
    j->fr->mul(&next, &w[1], &w[2]);
    w[0] = w[1];
    w[1] = w[2];
    w[2] = next;
  }
}

static rp_status write_solution(job *j) {
  put_values(j, 0, j->wires);
  for (uint64_t first = 1; first <= IN_C; first++) put_values(j, first, j->rows);
  const rp_status status = g16_write_flush(j->w);
  rp_wipe(j->w->buffer, sizeof j->w->buffer);
  return status;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static void fill_powers(job *j) {
  element step;
  const rp_field_host *fr = j->fr;
  for (int high = 0; high < 2; high++) {
    power_of(fr, &j->tau, high ? 1 : 1 << 12, &step);
    fr->one(&j->power[high][0]);
    for (int i = 1; i < 1 << 12; i++) fr->mul(&j->power[high][i], &j->power[high][i - 1], &step);
  }
}

static rp_status prepare(job *j, rp_error *err) {
  const rp_field_host *fr = j->fr;
  const uint64_t generator[4] = {j->family->g1 == RP_CURVE_BLS12_381_G1 ? 7 : 5}, size[4] = {j->domain};
  uint64_t state = j->setup->seed ^ 0x676e61726bu;
  element *secret[4] = {&j->tau, &j->alpha, &j->beta, &j->delta};
  element one, n;
  for (int i = 0; i < 4; i++) g16_next_element(fr, &state, secret[i]);
  fr->inv(&j->over_delta, &j->delta);
  (void)fr->from_canonical(&j->shift, generator);
  if (!fr->root(&j->omega, RP_ROOT_ARKWORKS, j->setup->log_domain))
    return support_fail(err, RP_ERR_INTERNAL, "The field has no root of unity for the domain.");
  fr->one(&one);
  (void)fr->from_canonical(&n, size);
  power_of(fr, &j->tau, j->domain, &j->scale);
  fr->sub(&j->scale, &j->scale, &one);
  fr->inv(&n, &n);
  fr->mul(&j->scale, &j->scale, &n);
  fill_powers(j);
  return RP_OK;
}

enum { PKEY, VKEY, SOLUTION, OUTPUTS };

static rp_status write_all(rp_context *context, rp_device *device, job *j, support_output *const *output) {
  static rp_status (*const write[OUTPUTS])(job *) = {write_pkey, write_vkey, write_solution};
  rp_status status = g16_multiples_init(context, device, j->family->g1, BLOCK, &j->g1, j->err);
  if (status == RP_OK) status = g16_multiples_init(context, device, j->family->g2, BLOCK, &j->g2, j->err);
  for (int i = 0; i < OUTPUTS && status == RP_OK; i++) {
    j->w->output = output[i];
    status = write[i](j);
  }
  g16_multiples_free(&j->g1);
  g16_multiples_free(&j->g2);
  return status;
}

static rp_status check(const g16_gnark_setup *s, rp_error *err) {
  if (!s->family || s->log_domain < G16_GNARK_SETUP_MIN_LOG || s->log_domain > G16_GNARK_SETUP_MAX_LOG)
    return support_fail(err, RP_ERR_ARGUMENT, "The domain must be of 2^%d to 2^%d.", G16_GNARK_SETUP_MIN_LOG,
                        G16_GNARK_SETUP_MAX_LOG);
  if (s->n_public < g16_gnark_setup_wires(s->log_domain) - 1) return RP_OK;
  return support_fail(err, RP_ERR_ARGUMENT,
                      "A domain of 2^%" PRIu32 " has %" PRIu64 " wires, no room for %" PRIu32 " public signals.",
                      s->log_domain, g16_gnark_setup_wires(s->log_domain), s->n_public);
}

static rp_status run(rp_context *context, rp_device *device, job *j, rp_error *err) {
  const g16_gnark_setup *s = j->setup;
  const char *const path[OUTPUTS] = {s->pkey_out, s->vkey_out, s->solution_out};
  support_output *output[OUTPUTS] = {0};
  rp_status status = prepare(j, err);
  for (int i = 0; i < OUTPUTS && status == RP_OK; i++) status = support_output_begin(path[i], &output[i], err);
  if (status == RP_OK) status = write_all(context, device, j, output);
  if (status == RP_OK) return support_output_commit(output, OUTPUTS, err);
  for (int i = 0; i < OUTPUTS; i++) support_output_abort(output[i]);
  return status;
}

rp_status g16_gnark_setup_run(rp_context *context, rp_device *device, const g16_gnark_setup *setup, rp_error *err) {
  rp_status status = check(setup, err);
  if (status != RP_OK) return status;
  job *j = calloc(1, sizeof *j);
  g16_writer *w = calloc(1, sizeof *w);
  if (j && w) {
    w->err = err;
    j->setup = setup;
    j->family = setup->family;
    j->fr = rp_field_get(setup->family->fr);
    j->domain = (uint64_t)1 << setup->log_domain;
    j->wires = g16_gnark_setup_wires(setup->log_domain);
    j->rows = j->wires - FREE_WIRES;
    j->total = 3 * j->rows + j->domain + j->wires;
    j->w = w;
    j->err = err;
    status = run(context, device, j, err);
  } else {
    status = support_fail(err, RP_ERR_MEMORY, "Out of memory for a setup.");
  }
  if (j) rp_wipe(j, sizeof *j);
  free(j);
  free(w);
  return status;
}
