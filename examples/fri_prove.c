/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The prover of fri.h as one graph: commitments, challenges, folding and openings are nodes, and a proof is one
 * submission and one wait. */
#include "fri.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const fri_params fri_goldilocks = {.field = RP_FIELD_GOLDILOCKS,
                                   .hash = RP_HASH_RESCUE_RP64_256,
                                   .extension = 2,
                                   .nonresidue = 7,
                                   .shift = 7,
                                   .log_degree = 10,
                                   .log_blowup = 2,
                                   .log_final = 3,
                                   .queries = 100};
const fri_params fri_babybear = {.field = RP_FIELD_BABYBEAR,
                                 .hash = RP_HASH_POSEIDON2_BABYBEAR,
                                 .extension = 4,
                                 .nonresidue = 11,
                                 .shift = 31,
                                 .log_degree = 10,
                                 .log_blowup = 2,
                                 .log_final = 3,
                                 .queries = 100};

/* What is being built. */
typedef struct builder {
  rp_graph *g;
  fri_params p;
  const rp_field_host *f;
  const rp_type *type;
  uint32_t digest; /* elements */
  rp_value t;
} builder;

static void small(const rp_field_host *f, uint64_t x, void *element) {
  f->from_bytes_reduce(element, (uint8_t *)&x, 8);
}

static rp_value constant(builder *b, const char *name, const void *elements, uint64_t n) {
  return rp_graph_constant(b->g, name, b->type, n, elements, 0);
}

/* ---- Commitments and challenges ---------------------------------------------------------------------------------- */

/* The indices of the elements, leaf after leaf, in the columns of the layer. */
static rp_value leaf_order(builder *b, uint64_t n, uint32_t columns) {
  const uint64_t half = n / 2, row = 2ull * columns;
  uint32_t *index = malloc(half * row * sizeof *index);
  if (!index) return rp_graph_fail(b->g, RP_ERR_MEMORY, "the order of leaves");
  for (uint64_t i = 0; i < half; i++)
    for (uint64_t c = 0; c < row; c++) index[i * row + c] = (uint32_t)(c % columns * n + c / columns * half + i);
  const rp_value order = rp_graph_constant(b->g, "order", &RP_TYPE_U32, half * row, index, 0);
  free(index);
  return order;
}

/* t = H(t, more) */
static void absorb(builder *b, rp_value more) {
  const rp_value both = rp_concat(b->g, (rp_value[]){b->t, more}, 2);
  b->t = rp_hash_rows(b->g, b->p.hash, both, rp_value_len(b->g, both));
}

/* ---- Folding ----------------------------------------------------------------------------------------------------- */

/* Column k of g + b h. Columns of the program: f(x) by column, f(-x) by column, 1 / (2 x). Constants: 1 / 2, the
 * challenge b, and b times the nonresidue, for the powers of X from X^D on. */
static rp_value folded_column(builder *b, const rp_value *columns, uint32_t n, rp_value constants, uint32_t k) {
  const uint32_t d = b->p.extension;
  rp_expr_code code[6 * FRI_COLUMNS + 8];
  uint32_t at = 0;
  for (uint32_t c = 0; c < n; c++) {
    code[at++] = (rp_expr_code){RP_EXPR_COLUMN, (uint16_t)c, 0};
    code[at++] = (rp_expr_code){RP_EXPR_COLUMN, (uint16_t)(n + c), 0};
    code[at++] = (rp_expr_code){RP_EXPR_SUB, 0, 0};
    code[at++] = (rp_expr_code){RP_EXPR_CONSTANT, (uint16_t)(k >= c ? 1 + k - c : 1 + d + (k + d - c)), 0};
    code[at++] = (rp_expr_code){RP_EXPR_MUL, 0, 0};
    if (c) code[at++] = (rp_expr_code){RP_EXPR_ADD, 0, 0};
  }
  code[at++] = (rp_expr_code){RP_EXPR_COLUMN, (uint16_t)(2 * n), 0};
  code[at++] = (rp_expr_code){RP_EXPR_MUL, 0, 0};
  if (k < n) {
    code[at++] = (rp_expr_code){RP_EXPR_COLUMN, (uint16_t)k, 0};
    code[at++] = (rp_expr_code){RP_EXPR_COLUMN, (uint16_t)(n + k), 0};
    code[at++] = (rp_expr_code){RP_EXPR_ADD, 0, 0};
    code[at++] = (rp_expr_code){RP_EXPR_CONSTANT, 0, 0};
    code[at++] = (rp_expr_code){RP_EXPR_MUL, 0, 0};
    code[at++] = (rp_expr_code){RP_EXPR_ADD, 0, 0};
  }
  const rp_expr_options o = {.struct_size = sizeof o, .code = code, .n_code = at};
  return rp_expr(b->g, columns, 2 * n + 1, constants, &o);
}

/* 1 / (2 x) for the first half of the layer's coset. */
static rp_value half_inverses(builder *b, uint32_t layer, const void *half) {
  uint64_t shift[1] = {0}, root[1] = {0};
  fri_shift(&b->p, layer, shift);
  b->f->root(root, RP_ROOT_SNARKJS, fri_log_size(&b->p, layer));
  b->f->inv(shift, shift);
  b->f->mul(shift, shift, half);
  b->f->inv(root, root);
  return rp_powers(b->g, constant(b, "1_over_w", root, 1), constant(b, "1_over_2s", shift, 1),
                   (uint64_t)1 << (fri_log_size(&b->p, layer) - 1));
}

/* The next layer: its columns, one after another. */
static rp_value fold(builder *b, rp_value word, uint32_t layer, rp_value challenge) {
  const uint64_t n = (uint64_t)1 << fri_log_size(&b->p, layer);
  const uint32_t columns = fri_columns(&b->p, layer);
  uint64_t half[1] = {0}, nonresidue[1] = {0};
  rp_value in[2 * FRI_COLUMNS + 1], out[FRI_COLUMNS];
  small(b->f, 2, half);
  b->f->inv(half, half);
  small(b->f, b->p.nonresidue, nonresidue);
  const rp_value more = rp_mul(b->g, challenge, constant(b, "nonresidue", nonresidue, 1));
  const rp_value constants = rp_concat(b->g, (rp_value[]){constant(b, "half", half, 1), challenge, more}, 3);
  for (uint32_t c = 0; c < 2 * columns; c++) in[c] = rp_slice(b->g, word, c % columns * n + c / columns * n / 2, n / 2);
  in[2 * columns] = half_inverses(b, layer, half);
  for (uint32_t k = 0; k < b->p.extension; k++) out[k] = folded_column(b, in, columns, constants, k);
  return rp_concat(b->g, out, b->p.extension);
}

/* ---- The graph --------------------------------------------------------------------------------------------------- */

/* The function on the coset of layer 0. */
static rp_value extend(builder *b, rp_value values) {
  const rp_ntt_options back = {.struct_size = sizeof back, .root = RP_ROOT_SNARKJS, .inverse = 1};
  rp_ntt_options there = {.struct_size = sizeof there, .root = RP_ROOT_SNARKJS, .coset = RP_COSET_SHIFT};
  memcpy(there.shift, &b->p.shift, sizeof b->p.shift);
  const rp_value coefficients = rp_ntt(b->g, rp_from_canonical(b->g, values, b->p.field, NULL), &back);
  return rp_ntt(b->g, rp_pad(b->g, coefficients, (uint64_t)1 << fri_log_size(&b->p, 0)), &there);
}

/* The first 2^log_final coefficients of each column of what is left. */
static rp_value last_polynomial(builder *b, rp_value word) {
  const uint32_t layer = fri_layers(&b->p);
  const uint64_t n = (uint64_t)1 << fri_log_size(&b->p, layer);
  rp_ntt_options back = {.struct_size = sizeof back,
                         .root = RP_ROOT_SNARKJS,
                         .inverse = 1,
                         .batch = fri_columns(&b->p, layer),
                         .coset = RP_COSET_SHIFT};
  uint64_t shift[1] = {0};
  rp_value columns[FRI_COLUMNS];
  fri_shift(&b->p, layer, shift);
  b->f->to_canonical(back.shift, shift);
  const rp_value all = rp_ntt(b->g, word, &back);
  for (uint32_t c = 0; c < back.batch; c++) columns[c] = rp_slice(b->g, all, c * n, (uint64_t)1 << b->p.log_final);
  return rp_concat(b->g, columns, (uint32_t)back.batch);
}

/* The index in layer 0 of each query: H(t, q), of which the first element's low bits are taken. */
static rp_value choose(builder *b) {
  const uint32_t row = b->digest + 1, n = b->p.queries;
  uint8_t *numbers = calloc(n, FRI_ELEMENT);
  uint32_t *index = malloc((size_t)n * row * sizeof *index), *first = malloc(n * sizeof *first);
  rp_value chosen = RP_NO_VALUE;
  if (numbers && index && first) {
    for (uint32_t q = 0; q < n; q++) {
      uint64_t x[1] = {0};
      small(b->f, q, x);
      memcpy(numbers + (size_t)q * b->type->size_bytes, x, b->type->size_bytes);
      for (uint32_t k = 0; k < row; k++) index[q * row + k] = k < b->digest ? k : b->digest + q;
      first[q] = q * b->digest;
    }
    const rp_value both = rp_concat(b->g, (rp_value[]){b->t, constant(b, "numbers", numbers, n)}, 2);
    const rp_value rows =
        rp_gather(b->g, both, rp_graph_constant(b->g, "rows", &RP_TYPE_U32, (uint64_t)n * row, index, 0));
    const rp_value digests = rp_hash_rows(b->g, b->p.hash, rows, row);
    chosen = rp_low_bits(b->g, rp_gather(b->g, digests, rp_graph_constant(b->g, "first", &RP_TYPE_U32, n, first, 0)),
                         fri_log_size(&b->p, 0) - 1);
  } else {
    rp_graph_fail(b->g, RP_ERR_MEMORY, "the queries");
  }
  free(numbers), free(index), free(first);
  return chosen;
}

static void build(builder *b, fri_prover *prover, const fri_conduct *conduct) {
  rp_value word[FRI_LAYERS + 1], leaves[FRI_LAYERS], tree[FRI_LAYERS], roots[FRI_LAYERS];
  const uint32_t layers = fri_layers(&b->p);
  uint8_t parameters[FRI_PARAMETERS * FRI_ELEMENT];
  rp_graph *g = b->g;
  char name[32];
  fri_parameters(&b->p, parameters);
  rp_scope_begin(g, "transcript");
  rp_scope_title(g, "Transcript: begins with the parameters");
  b->t = rp_hash_rows(g, b->p.hash, constant(b, "parameters", parameters, FRI_PARAMETERS), FRI_PARAMETERS);
  rp_scope_end(g);
  rp_scope_begin(g, "extend");
  rp_scope_title(g, "Low-degree extension from 2^%u to 2^%u values", conduct->log_values, fri_log_size(&b->p, 0));
  prover->values = rp_graph_input(g, "values", rp_type_canonical(b->p.field), (uint64_t)1 << conduct->log_values, 0);
  word[0] = extend(b, prover->values);
  rp_scope_end(g);
  for (uint32_t j = 0; j < layers; j++) {
    const uint64_t n = (uint64_t)1 << fri_log_size(&b->p, j);
    const uint32_t columns = fri_columns(&b->p, j);
    snprintf(name, sizeof name, "layer_%u", j);
    rp_scope_begin(g, name);
    rp_scope_title(g, "Layer %u: commitment to 2^%u values, challenge, folding", j, fri_log_size(&b->p, j));
    const rp_value rows = rp_gather(g, word[j], leaf_order(b, n, columns));
    leaves[j] = rp_hash_rows(g, b->p.hash, rows, 2 * columns);
    tree[j] = rp_merkle_tree(g, b->p.hash, leaves[j], NULL);
    roots[j] = rp_slice(g, tree[j], b->digest, b->digest);
    absorb(b, roots[j]);
    word[j + 1] = fold(b, word[j], j, rp_slice(g, b->t, 0, b->p.extension));
    if (conduct->negated_layer == j + 1) word[j + 1] = rp_neg(g, word[j + 1]);
    rp_scope_end(g);
  }
  rp_scope_begin(g, "last");
  rp_scope_title(g, "Last polynomial: 2^%u coefficients, and the roots of all layers", b->p.log_final);
  prover->roots = rp_concat(g, roots, layers);
  prover->last = last_polynomial(b, word[layers]);
  absorb(b, prover->last);
  rp_scope_end(g);
  rp_scope_begin(g, "queries");
  rp_scope_title(g, "%u queries: indices from the transcript, leaves and paths", b->p.queries);
  const rp_value index = choose(b);
  for (uint32_t j = 0; j < layers; j++) {
    const uint64_t n = (uint64_t)1 << fri_log_size(&b->p, j);
    const uint32_t columns = fri_columns(&b->p, j);
    const rp_value at = j ? rp_low_bits(g, index, fri_log_size(&b->p, j) - 1) : index;
    rp_value opened[2 * FRI_COLUMNS];
    for (uint32_t c = 0; c < 2 * columns; c++)
      opened[c] = rp_gather(g, rp_slice(g, word[j], c % columns * n + c / columns * n / 2, n / 2), at);
    prover->rows[j] = rp_concat(g, opened, 2 * columns);
    prover->paths[j] = rp_merkle_paths(g, b->p.hash, leaves[j], tree[j], at);
    snprintf(name, sizeof name, "rows_%u", j);
    rp_graph_output(g, name, prover->rows[j], 0);
    snprintf(name, sizeof name, "paths_%u", j);
    rp_graph_output(g, name, prover->paths[j], 0);
  }
  rp_scope_end(g);
  rp_graph_output(g, "roots", prover->roots, 0);
  rp_graph_output(g, "last", prover->last, 0);
}

rp_status fri_prover_open(rp_device *device, const fri_params *p, const fri_conduct *conduct, fri_prover *prover,
                          rp_error *err) {
  *prover = (fri_prover){.params = *p};
  rp_status status = rp_graph_create(rp_device_context(device), "fri", &prover->graph, err);
  if (status != RP_OK) return status;
  builder b = {.g = prover->graph,
               .p = *p,
               .f = rp_field_get(p->field),
               .type = rp_type_field(p->field),
               .digest = rp_hash_digest_len(p->hash)};
  if (fri_params_good(p))
    build(&b, prover, conduct);
  else
    rp_graph_fail(b.g, RP_ERR_ARGUMENT, "fri: the parameters do not make sense");
  status = rp_record(device, prover->graph, NULL, &prover->recording, err);
  if (status != RP_OK) fri_prover_close(prover);
  return status;
}

void fri_prover_close(fri_prover *prover) {
  rp_recording_destroy(prover->recording);
  rp_graph_destroy(prover->graph);
  *prover = (fri_prover){0};
}

rp_status fri_prove(fri_prover *prover, const void *values, uint8_t *proof, rp_run_counters *counters, rp_error *err) {
  const fri_layout at = fri_layout_of(&prover->params);
  const uint64_t size = rp_type_field(prover->params.field)->size_bytes;
  rp_run *run;
  rp_status status = rp_run_begin(prover->recording, UINT64_MAX, &run, err);
  if (status != RP_OK) return status;
  const rp_type *integers = rp_type_canonical(prover->params.field);
  status =
      rp_run_set_input(run, prover->values, values, rp_value_len(prover->graph, prover->values) * integers->size_bytes);
  if (status == RP_OK) status = rp_run_submit(run);
  if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
  if (status == RP_OK) {
    memcpy(proof + at.roots, rp_run_output(run, prover->roots), at.last - at.roots);
    memcpy(proof + at.last, rp_run_output(run, prover->last), at.rows[0] - at.last);
    for (uint32_t j = 0; j < fri_layers(&prover->params); j++) {
      const uint64_t rows = rp_value_len(prover->graph, prover->rows[j]) * size;
      const uint64_t paths = rp_value_len(prover->graph, prover->paths[j]) * size;
      memcpy(proof + at.rows[j], rp_run_output(run, prover->rows[j]), rows);
      memcpy(proof + at.paths[j], rp_run_output(run, prover->paths[j]), paths);
    }
  } else {
    *err = *rp_run_error(run);
  }
  rp_run_get_counters(run, counters);
  rp_run_end(run);
  return status;
}
