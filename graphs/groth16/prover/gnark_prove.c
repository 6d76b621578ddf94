/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proofs with keys of gnark: three vectors in gnark's own form, which a run takes from where they lie if the device
 * can, and which otherwise are copied to its staging.
 */
#include "prove.h"

#include "formats/fail.h"
#include "groth16/formats/gnark_solution.h"
#include "groth16/verify/gnark.h"

#include <inttypes.h>

enum { VALUE_BYTES = G16_VALUE_BYTES };

/* ---- From memory ------------------------------------------------------------------------------------------------- */

static rp_status refuse_value(const void *arg, uint64_t index, bool not_one, rp_error *err) {
  const g16_array *a = arg;
  if (not_one) return support_fail(err, RP_ERR_INPUT, "The first element of W is not 1 in Montgomery form.");
  return support_fail(err, RP_ERR_INPUT, "Element %" PRIu64 " of %s is not below the group order r.", index, a->name);
}

static const char *const array_names[G16_LENDABLE] = {"W", "A", "B"};

/* Copies values [first, first + n) of one of the caller's arrays to `out`, or, if that is NULL, only checks them. */
static rp_status take_array(const rp_groth16_prover *prover, int which, const uint8_t *array, uint64_t first,
                            uint64_t n, uint8_t *out, rp_error *err) {
  const rp_field_host *fr = rp_field_get(prover->key->family->fr);
  const rp_executor *executor = prover->copiers.executor;
  const g16_array a = {array, array_names[which]};
  uint64_t one[VALUE_BYTES / 8];
  fr->one(one);
  const g16_values values = {.arg = &a,
                             .order = fr->modulus_le,
                             .one = (const uint8_t *)one,
                             .any_first = which != G16_LENT_W,
                             .copy = g16_array_copy,
                             .refuse = refuse_value};
  return out ? g16_values_take(&values, first, n, executor, out, err)
             : g16_values_check(&values, first, n, executor, array + first * VALUE_BYTES, err);
}

static rp_status check_lengths(const rp_groth16_key *key, const char *name, uint64_t n_wires, uint64_t n_constraints,
                               rp_error *err) {
  if (n_wires != key->info.n_vars)
    return support_fail(err, RP_ERR_MISMATCH,
                        "%s is of another circuit than that of %s: it has %" PRIu64 " wires, and the key %" PRIu64 ".",
                        name, support_label(g16_key_name(key)), n_wires, key->info.n_vars);
  if (n_constraints > key->info.domain)
    return support_fail(err, RP_ERR_MISMATCH,
                        "%s is of another circuit than that of %s: it has %" PRIu64
                        " constraints, and the key's domain is %" PRIu64 ".",
                        name, support_label(g16_key_name(key)), n_constraints, key->info.domain);
  return RP_OK;
}

/* The run reads the caller's array where it lies, if the device can, and if a proof of anything that somebody writes
 * there meanwhile is not released. */
static bool lend(g16_flight *f, int which, rp_value input, const void *array, uint64_t n) {
  if (!f->prover->vkey || rp_run_lend_input(f->run, input, array, n * VALUE_BYTES) != RP_OK) return 0;
  f->lent[which] = array;
  return 1;
}

static rp_status fail_staging(rp_error *err) {
  return support_fail(err, RP_ERR_INTERNAL, "The run has no staging for the solution.");
}

/* What comes after the n factors that a solution has. */
static void pad(const rp_groth16_key *key, uint8_t *to, uint64_t n) {
  memset(to + n * VALUE_BYTES, 0, (key->info.domain - n) * VALUE_BYTES);
}

static rp_status give_wires(g16_flight *f, const uint8_t *wires, uint64_t n, rp_error *err) {
  const rp_value input = f->prover->graph.witness;
  if (n == 0) return RP_OK;
  f->front = wires;
  if (lend(f, G16_LENT_W, input, wires, n)) return RP_OK;
  uint8_t *to = rp_run_input(f->run, input);
  f->front = to;
  return to ? take_array(f->prover, G16_LENT_W, wires, 0, n, to, err) : fail_staging(err);
}

/* Factors fill the domain where the caller has put zeros behind those of the constraints. */
static rp_status give_factors(g16_flight *f, int which, rp_value input, const uint8_t *array, uint64_t n,
                              rp_error *err) {
  const rp_groth16_key *key = f->prover->key;
  if (n == key->info.domain && lend(f, which, input, array, n)) return RP_OK;
  uint8_t *to = rp_run_input(f->run, input);
  if (!to) return fail_staging(err);
  pad(key, to, n);
  return take_array(f->prover, which, array, 0, n, to, err);
}

static rp_status fill_from_memory(g16_flight *f, const rp_gnark_solution *s, uint8_t *rest, rp_error *err) {
  const rp_groth16_prover *prover = f->prover;
  const g16_graph *g = &prover->graph;
  if (!s->wires || (s->n_constraints != 0 && (!s->a || !s->b)))
    return support_fail(err, RP_ERR_ARGUMENT, "A solution needs its vectors W, A and B.");
  const uint64_t front = g16_gnark_front(prover->key);
  rp_status status = check_lengths(prover->key, "The solution", s->n_wires, s->n_constraints, err);
  if (status == RP_OK) status = give_wires(f, s->wires, front, err);
  if (status == RP_OK) status = take_array(prover, G16_LENT_W, s->wires, front, s->n_wires - front, rest, err);
  if (status == RP_OK) status = give_factors(f, G16_LENT_A, g->a, s->a, s->n_constraints, err);
  if (status == RP_OK) status = give_factors(f, G16_LENT_B, g->b, s->b, s->n_constraints, err);
  return status;
}

rp_status g16_gnark_check_lent(const g16_flight *f, rp_error *err) {
  const rp_groth16_key *key = f->prover->key;
  rp_status status = RP_OK;
  for (int i = 0; i < G16_LENDABLE && status == RP_OK; i++)
    if (f->lent[i])
      status =
          take_array(f->prover, i, f->lent[i], 0, i == G16_LENT_W ? g16_gnark_front(key) : key->info.domain, NULL, err);
  return status;
}

/* ---- From a file ------------------------------------------------------------------------------------------------- */

typedef struct part {
  rp_value input; /* its staging gets values [first, first + n), unless it is `to` */
  g16_gnark_vector v;
  uint64_t first, n;
  uint8_t *to;
} part;

static rp_status read_parts(g16_flight *f, const g16_gnark_solution *s, uint8_t *rest, rp_error *err) {
  const rp_groth16_key *key = f->prover->key;
  const g16_graph *g = &f->prover->graph;
  const uint64_t front = g16_gnark_front(key), n = s->n[G16_GNARK_L];
  part parts[] = {{g->witness, G16_GNARK_W, 0, front, NULL},
                  {g->rest, G16_GNARK_W, front, key->info.n_vars - front, rest},
                  {g->a, G16_GNARK_L, 0, n, NULL},
                  {g->b, G16_GNARK_R, 0, n, NULL}};
  rp_status status = RP_OK;
  for (int i = 0; i < 4 && status == RP_OK; i++) {
    part *p = &parts[i];
    if (p->v == G16_GNARK_W && p->n == 0) continue;
    if (!p->to && !(p->to = rp_run_input(f->run, p->input))) return fail_staging(err);
    if (p->v != G16_GNARK_W) pad(key, p->to, n);
    status = g16_gnark_solution_read(s, key->family, p->v, p->first, p->n, f->prover->copiers.executor, p->to, err);
  }
  f->front = parts[0].to;
  return status;
}

static rp_status fill_from_file(g16_flight *f, const g16_source *from, uint8_t *rest, rp_error *err) {
  static const char in_memory[] = "solution in memory";
  support_file *file;
  g16_gnark_solution s;
  const char *name = from->solution_path ? from->solution_path : in_memory;
  rp_status status = from->solution_path
                         ? support_file_open(from->solution_path, 0, &file, err)
                         : support_file_wrap(in_memory, from->solution_file, from->solution_bytes, &file, err);
  if (status != RP_OK) return status;
  status = g16_gnark_solution_open(file, &s, err);
  if (status == RP_OK)
    status = check_lengths(f->prover->key, support_label(name), s.n[G16_GNARK_W], s.n[G16_GNARK_L], err);
  if (status == RP_OK) status = read_parts(f, &s, rest, err);
  support_file_close(file);
  return status;
}

/* ---- What the verifier will see of it ---------------------------------------------------------------------------- */

static void canonical_wire(const g16_flight *f, uint64_t wire, uint8_t *out) {
  const rp_groth16_key *key = f->prover->key;
  const uint64_t front = g16_gnark_front(key);
  uint64_t value[VALUE_BYTES / 8];
  memcpy(value, wire < front ? f->front + wire * VALUE_BYTES : f->rest + (wire - front) * VALUE_BYTES, sizeof value);
  rp_field_get(key->family->fr)->to_canonical(value, value);
  memcpy(out, value, sizeof value);
}

rp_status g16_gnark_fill(g16_flight *f, const g16_source *from, uint8_t **blinding, rp_error *err) {
  const rp_groth16_key *key = f->prover->key;
  uint8_t *rest = rp_run_input(f->run, f->prover->graph.rest);
  rp_gnark_solution s = {0};
  g16_source file = *from;
  rp_status status = RP_OK;
  if (!rest) return fail_staging(err);
  f->rest = rest;
  *blinding = rest + (key->info.n_vars - g16_gnark_front(key)) * VALUE_BYTES;
  if (from->solution) status = graphs_options(&s, sizeof s, from->solution, "A solution", err);
  if (status == RP_OK) status = g16_given_take(f, &s, err);
  if (status != RP_OK) return status;
  if (from->solution) file.solution_path = s.path;
  const bool in_file = !from->solution || (!s.wires && s.path);
  return in_file ? fill_from_file(f, &file, rest, err) : fill_from_memory(f, &s, rest, err);
}

void g16_gnark_show(g16_flight *f) {
  const rp_groth16_key *key = f->prover->key;
  for (uint64_t i = 0; f->public_signals && i < key->info.n_public; i++)
    canonical_wire(f, i + 1, f->public_signals + i * VALUE_BYTES);
  for (uint32_t i = 0; i < key->info.n_commitments; i++)
    canonical_wire(f, key->commitment[i].challenge, f->challenges + (size_t)i * VALUE_BYTES);
}

/* The sum of the n points, weighted with the powers of the factor that the challenges give. */
static void fold(const g16_flight *f, const uint8_t *points, uint8_t *to) {
  const rp_groth16_key *key = f->prover->key;
  const rp_curve_host *g1 = rp_curve_get(key->family->g1);
  const rp_field_host *fr = rp_field_get(key->family->fr);
  const uint32_t n = key->info.n_commitments, bytes = g1->affine_bytes;
  uint64_t factor[4], power[4], canonical[4];
  g16_g1 sum = {{0}}, point;
  g16_gnark_fold_factor(key->family, f->challenges, n, (uint8_t *)canonical);
  (void)fr->from_canonical(factor, canonical);
  fr->one(power);
  for (uint32_t i = 0; i < n; i++) {
    memcpy(&point, points + (size_t)i * bytes, bytes);
    fr->to_canonical(canonical, power);
    g1->mul(&point, &point, (const uint8_t *)canonical);
    g1->add(&sum, &sum, &point);
    fr->mul(power, power, factor);
  }
  memcpy(to, &sum, bytes);
}

void g16_gnark_finish(const g16_flight *f, rp_gnark_proof *proof) {
  const rp_groth16_key *key = f->prover->key;
  const uint32_t n = key->info.n_commitments, bytes = g16_g1_bytes(key->family);
  proof->n_commitments = n;
  if (n == 0) return;
  const uint8_t *points = rp_run_output(f->run, f->prover->graph.commitments);
  for (uint32_t i = 0; i < n; i++)
    memcpy(proof->commitment[i], f->given ? f->given->commitment[i] : points + (size_t)i * bytes, bytes);
  if (f->given && f->given->has_knowledge)
    memcpy(proof->knowledge, f->given->knowledge, bytes);
  else
    fold(f, points + (size_t)n * bytes, proof->knowledge);
}
