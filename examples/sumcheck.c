/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The sumcheck protocol (Lund, Fortnow, Karloff, Nisan 1992; Thaler, Proofs, Arguments and Zero-Knowledge, 4.2) as one
 * submission. `sumcheck VARIABLES INSTANCES [PAGE]` proves, for each instance, that the products of two multilinear
 * polynomials f and g add up to the claim over all 0/1 values of the variables. Every round sends a polynomial of
 * degree two and gets its challenge from the transcript (Poseidon2), which the device hashes: nothing waits for the
 * host. A short verifier on the host checks each proof, and refuses one with a changed value.
 *
 * The graph is made of graphs: a round has one body for each length, since each round halves it; the rounds are calls
 * in the body of one prover; and the instances are a batch of that. */

#include <reprise/host.h>
#include <reprise/page.h>
#include <reprise/subgraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VARIABLES = 20, SENT = 3 };
static const rp_field field = RP_FIELD_BN254_FR;
static const rp_hash hash = RP_HASH_POSEIDON2_BN254_T3;
typedef struct element {
  uint64_t word[4];
} element;

static void need(rp_status status, const rp_error *err) {
  if (status == RP_OK) return;
  fprintf(stderr, "%s: %s\n", rp_status_name(status), err->reason);
  exit(1);
}

static element *room(size_t n) {
  element *x = malloc(n * sizeof *x);
  if (x) return x;
  fprintf(stderr, "out of memory\n");
  exit(1);
}

static rp_graph *new_graph(rp_context *context, const char *name) {
  rp_error err = {0};
  rp_graph *g;
  need(rp_graph_create(context, name, &g, &err), &err);
  return g;
}

/* ---- The prover, as a graph -------------------------------------------------------------------------------------- */

/* The sum of f g over half the points: of a polynomial in the first variable, its value at one point. */
static rp_value sum_of_products(rp_graph *g, rp_value f, rp_value other) { return rp_sum(g, rp_mul(g, f, other)); }

/* One round on tables of n values: what it sends, the next state of the transcript, and tables of n / 2 values. */
static rp_graph *round_body(rp_context *context, uint64_t n) {
  rp_graph *g = new_graph(context, "round");
  const rp_type *type = rp_type_field(field);
  const char *names[2] = {"f", "g"};
  const rp_value state = rp_graph_input(g, "state", type, 1, 0);
  rp_value at0[2], at1[2], step[2], at2[2];
  for (int i = 0; i < 2; i++) {
    const rp_value table = rp_graph_input(g, names[i], type, n, 0);
    at0[i] = rp_slice(g, table, 0, n / 2);
    at1[i] = rp_slice(g, table, n / 2, n / 2);
    step[i] = rp_sub(g, at1[i], at0[i]);
    at2[i] = rp_add(g, at1[i], step[i]);
  }
  const rp_value sent[SENT] = {sum_of_products(g, at0[0], at0[1]), sum_of_products(g, at1[0], at1[1]),
                               sum_of_products(g, at2[0], at2[1])};
  const rp_value message = rp_concat(g, sent, SENT);
  const rp_value challenge = rp_hash_rows(g, hash, rp_concat(g, (rp_value[]){state, message}, 2), 1 + SENT);
  rp_graph_output(g, "sent", message, 0);
  rp_graph_output(g, "state", challenge, 0);
  for (int i = 0; i < 2; i++) rp_graph_output(g, names[i], rp_add(g, at0[i], rp_mul(g, step[i], challenge)), 0);
  return g;
}

/* All rounds; the transcript begins with the claim. */
static rp_graph *prover_body(rp_context *context, uint32_t variables) {
  rp_graph *g = new_graph(context, "sumcheck");
  const rp_type *type = rp_type_field(field);
  rp_value f = rp_graph_input(g, "f", type, 1u << variables, 0), h = rp_graph_input(g, "g", type, 1u << variables, 0);
  rp_value sent[MOST_VARIABLES], state = sum_of_products(g, f, h);
  rp_graph_output(g, "claim", state, 0);
  for (uint32_t i = 0; i < variables; i++) {
    rp_graph *body = round_body(context, (uint64_t)1 << (variables - i));
    rp_call_port out[] = {{"f", RP_NO_VALUE}, {"g", RP_NO_VALUE}, {"state", RP_NO_VALUE}, {"sent", RP_NO_VALUE}};
    rp_call(g, "round", body, (rp_call_port[]){{"f", f}, {"g", h}, {"state", state}}, 3, out, 4);
    rp_graph_destroy(body); /* the graph keeps what it needs */
    f = out[0].value, h = out[1].value, state = out[2].value, sent[i] = out[3].value;
  }
  rp_graph_output(g, "sent", rp_concat(g, sent, variables), 0);
  rp_graph_output(g, "last", rp_concat(g, (rp_value[]){f, h}, 2), 0);
  return g;
}

static rp_graph *prover_of_many(rp_context *context, uint32_t variables, uint32_t instances) {
  rp_graph *g = new_graph(context, "sumchecks"), *one = prover_body(context, variables);
  const rp_type *type = rp_type_field(field);
  const uint64_t n = (uint64_t)instances << variables;
  const rp_call_port tables[] = {{"f", rp_graph_input(g, "f", type, n, 0)}, {"g", rp_graph_input(g, "g", type, n, 0)}};
  rp_call_port proof[] = {{"claim", RP_NO_VALUE}, {"sent", RP_NO_VALUE}, {"last", RP_NO_VALUE}};
  const rp_repeat_ports ports = {
      .struct_size = sizeof ports, .n_sliced = 2, .sliced = tables, .n_stacked = 3, .stacked = proof};
  rp_scope_begin(g, "sumchecks");
  rp_scope_title(g, "%u sumchecks: %u variables each", instances, variables);
  rp_batch(g, "instance", one, instances, &ports);
  rp_scope_end(g);
  rp_graph_destroy(one);
  for (int i = 0; i < 3; i++) rp_graph_output(g, proof[i].name, proof[i].value, 0);
  return g;
}

/* ---- The verifier, on the host ----------------------------------------------------------------------------------- */

/* The polynomial of degree two with these values at 0, 1 and 2, at x (Lagrange). */
static element interpolate(const rp_field_host *f, const element v[SENT], const element *x) {
  element one, two, half, x1, x2, t, sum;
  f->one(&one);
  f->add(&two, &one, &one);
  f->inv(&half, &two);
  f->sub(&x1, x, &one);
  f->sub(&x2, x, &two);
  f->mul(&t, &x1, &x2);
  f->mul(&t, &t, &half);
  f->mul(&sum, &t, &v[0]); /* v0 (x - 1) (x - 2) / 2 */
  f->mul(&t, x, &x2);
  f->mul(&t, &t, &v[1]);
  f->sub(&sum, &sum, &t); /* - v1 x (x - 2) */
  f->mul(&t, x, &x1);
  f->mul(&t, &t, &half);
  f->mul(&t, &t, &v[2]);
  f->add(&sum, &sum, &t); /* + v2 x (x - 1) / 2 */
  return sum;
}

/* The multilinear polynomial with these values, at a point. */
static element evaluate(const rp_field_host *f, const element *table, uint32_t variables, const element *point) {
  element *v = room((size_t)1 << variables), result, t;
  memcpy(v, table, sizeof *v << variables);
  for (uint32_t i = 0; i < variables; i++) {
    const size_t half = (size_t)1 << (variables - i - 1);
    for (size_t k = 0; k < half; k++) {
      f->sub(&t, &v[half + k], &v[k]);
      f->mul(&t, &t, &point[i]);
      f->add(&v[k], &v[k], &t);
    }
  }
  result = v[0];
  free(v);
  return result;
}

/* Whether the proof holds for these tables. */
static bool verify(uint32_t variables, const element *const tables[2], element claim, const element *sent,
                   const element last[2]) {
  const rp_field_host *f = rp_field_get(field);
  element row[1 + SENT] = {claim}, point[MOST_VARIABLES], t;
  for (uint32_t i = 0; i < variables; i++, sent += SENT) {
    f->add(&t, &sent[0], &sent[1]);
    if (!f->equal(&t, &claim)) return false;
    memcpy(row + 1, sent, SENT * sizeof *sent);
    if (rp_hash_rows_host(hash, row, 1 + SENT, 1, &point[i]) != RP_OK) return false;
    row[0] = point[i];
    claim = interpolate(f, sent, &point[i]);
  }
  f->mul(&t, &last[0], &last[1]);
  if (!f->equal(&t, &claim)) return false;
  for (int i = 0; i < 2; i++) { /* a real protocol would open commitments here */
    const element value = evaluate(f, tables[i], variables, point);
    if (!f->equal(&value, &last[i])) return false;
  }
  return true;
}

/* ---- Both -------------------------------------------------------------------------------------------------------- */

static void fill(element *to, size_t n, uint64_t seed) {
  const rp_field_host *f = rp_field_get(field);
  for (size_t i = 0; i < n; i++) {
    uint64_t x[4];
    for (int k = 0; k < 4; k++) x[k] = seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
    f->from_bytes_reduce(&to[i], (const uint8_t *)x, sizeof x);
  }
}

int main(int argc, char **argv) {
  const uint32_t variables = argc > 1 ? (uint32_t)atoi(argv[1]) : 0, instances = argc > 2 ? (uint32_t)atoi(argv[2]) : 0;
  if (variables < 1 || variables > MOST_VARIABLES || instances < 1 || instances > 64) {
    fprintf(stderr, "usage: sumcheck VARIABLES INSTANCES [PAGE]  (1 to %d, 1 to 64)\n", MOST_VARIABLES);
    return 2;
  }
  const size_t size = (size_t)1 << variables, n = instances * size, per = (size_t)SENT * variables;
  rp_context *context;
  rp_device *device;
  rp_recording *recording;
  rp_error err = {0};
  element *f = room(n), *g = room(n), *claim = room(instances), *sent = room(instances * per),
          *last = room(2 * instances);
  fill(f, n, 1);
  fill(g, n, 2);

  need(rp_context_create(NULL, &context, &err), &err);
  need(rp_device_open(context, NULL, &device, &err), &err);
  rp_graph *graph = prover_of_many(context, variables, instances);
  need(rp_record(device, graph, NULL, &recording, &err), &err);
  const rp_replay_input in[] = {{.name = "f", .data = f, .size_bytes = n * sizeof *f},
                                {.name = "g", .data = g, .size_bytes = n * sizeof *g}};
  const rp_replay_output out[] = {{.name = "claim", .data = claim, .size_bytes = instances * sizeof *claim},
                                  {.name = "sent", .data = sent, .size_bytes = instances * per * sizeof *sent},
                                  {.name = "last", .data = last, .size_bytes = 2 * instances * sizeof *last}};
  need(rp_replay(recording, in, 2, out, 3, &err), &err); /* all rounds of all instances: one submission, one wait */

  uint32_t good = 0, refused = 0;
  for (uint32_t i = 0; i < instances; i++) {
    const element *const tables[2] = {f + i * size, g + i * size};
    element *changed = &sent[i * per + i % per];
    good += verify(variables, tables, claim[i], &sent[i * per], &last[2 * i]) == 1;
    changed->word[0] ^= 1;
    refused += verify(variables, tables, claim[i], &sent[i * per], &last[2 * i]) == 0;
  }
  printf("%u of %u proofs of %u rounds hold; of %u with a changed value, %u are refused\n", good, instances, variables,
         instances, refused);
  const rp_view_source view = {.struct_size = sizeof view, .recording = recording};
  if (argc > 3) need(rp_view_write(&view, argv[3], &err), &err);
  rp_recording_destroy(recording);
  rp_graph_destroy(graph);
  rp_device_close(device);
  rp_context_destroy(context);
  free(f), free(g), free(claim), free(sent), free(last);
  return good == instances && refused == instances ? 0 : 1;
}
