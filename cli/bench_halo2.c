/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a prover of halo2 computes, for benchmarks: its decompositions of the transform, and quotient and commitments of
 * the circuit of halo2_circuit.h. Columns hold random elements, since no time depends on them.
 */
#include "bench.h"
#include "halo2_circuit.h"

#include <reprise/view.h>

static uint32_t log_of(uint64_t n) {
  uint32_t log_n = 0;
  while (n >> (log_n + 1)) log_n++;
  return log_n;
}

/* ---- Transforms -------------------------------------------------------------------------------------------------- */

rp_value bench_build_split_radix(bench_build *b) {
  const rp_split_radix_options o = {.struct_size = sizeof o, .root = RP_ROOT_HALO2};
  rp_value x = bench_elements(b, b->field, b->n);
  for (uint32_t i = 0; i < b->in_a_row; i++) x = rp_ntt_split_radix(b->graph, x, &o);
  return x;
}

rp_value bench_build_radix_passes(bench_build *b) {
  const rp_radix_options o = {.struct_size = sizeof o, .root = RP_ROOT_HALO2};
  rp_value x = bench_elements(b, b->field, b->n);
  for (uint32_t i = 0; i < b->in_a_row; i++) x = rp_ntt_radix_passes(b->graph, x, &o);
  return x;
}

/* ---- The quotient ------------------------------------------------------------------------------------------------ */

/* From the coefficients of all columns to those of the quotient. */
rp_value bench_build_halo2_quotient(bench_build *b) {
  const rp_extended_domain domain = circuit_domain(log_of(b->n));
  const rp_value all = bench_elements(b, b->field, CIRCUIT_COLUMNS * b->n);
  const rp_value constants = bench_elements(b, b->field, CIRCUIT_CONSTANTS);
  rp_value columns[CIRCUIT_COLUMNS];
  rp_terms *terms = NULL;
  if (rp_terms_create(&terms, b->err) != RP_OK) return rp_graph_fail(b->graph, b->err->status, "%s", b->err->reason);
  for (uint32_t i = 0; i < CIRCUIT_COLUMNS; i++) columns[i] = rp_slice(b->graph, all, i * b->n, b->n);
  const rp_value h =
      rp_quotient(b->graph, terms, circuit_constraints(terms), columns, CIRCUIT_COLUMNS, constants, &domain, NULL);
  rp_terms_destroy(terms);
  return h;
}

/* One transform of every column and of the quotient; in each of the 4 n rows two products per gate, 13 per grand
 * product of the permutation and two for its ends, twelve per lookup, one per constraint for folding them, and that by
 * 1 / (X^n - 1). */
bench_cost bench_cost_halo2_quotient(const bench_build *b) {
  enum {
    CONSTRAINTS = 3 * CIRCUIT_GATES + 1 + 5 * CIRCUIT_LOOKUPS,
    PER_ROW = 2 * CIRCUIT_GATES + 13 * CIRCUIT_GATES + 2 + 12 * CIRCUIT_LOOKUPS + CONSTRAINTS + 1
  };
  const double m = 4 * (double)b->n, transform = m * (log_of(b->n) + 2) / 2;
  return (bench_cost){.products = (CIRCUIT_COLUMNS + 1) * transform + PER_ROW * m,
                      .moved = CIRCUIT_COLUMNS * (double)b->n + m};
}

/* ---- Commitments ------------------------------------------------------------------------------------------------- */

/* The columns that a proof commits to, in the order in which they are known. */
typedef struct stage {
  const char *name, *title;
  uint32_t columns;
} stage;
static const stage stages[] = {{"advice", "Commitments to wires and what is looked up", CIRCUIT_SELECTOR},
                               {"lookups", "Commitments to permuted lookups", 2 * CIRCUIT_LOOKUPS},
                               {"products", "Commitments to grand products", CIRCUIT_GATES + CIRCUIT_LOOKUPS},
                               {"quotient", "Commitments to the quotient", 4}};
enum { STAGES = sizeof stages / sizeof *stages };
enum { COMMITTED = CIRCUIT_SELECTOR + 2 * CIRCUIT_LOOKUPS + CIRCUIT_GATES + CIRCUIT_LOOKUPS + 4 };

/* Each stage is one batch of products over the same points, as in the PLONK prover. */
rp_value bench_build_halo2_commitments(bench_build *b) {
  const rp_value all = bench_elements(b, rp_curve_scalar_field(b->curve), COMMITTED * b->n);
  const rp_value points = bench_points(b, b->n, 1);
  rp_value commitments[STAGES];
  uint64_t first = 0;
  for (uint32_t i = 0; i < STAGES; i++) {
    const rp_msm_options o = {.struct_size = sizeof o, .window_bits = b->window_bits, .batch = stages[i].columns};
    rp_scope_begin(b->graph, stages[i].name);
    rp_scope_title(b->graph, "%s: %u columns", stages[i].title, stages[i].columns);
    const rp_value columns = rp_slice(b->graph, all, first, stages[i].columns * b->n);
    commitments[i] = rp_to_affine(b->graph, rp_msm(b->graph, columns, points, &o));
    rp_scope_end(b->graph);
    first += stages[i].columns * b->n;
  }
  return rp_concat(b->graph, commitments, STAGES);
}

bench_cost bench_cost_halo2_commitments(const bench_build *b) {
  const bench_cost one = bench_cost_msm(b);
  return (bench_cost){.products = COMMITTED * one.products, .moved = COMMITTED * one.moved};
}
