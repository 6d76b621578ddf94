/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rounds.h"

#include "text/error.h"

#include <reprise/op.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 }; /* as uint32_t: UINT32_MAX */

rp_value_info cli_rounds_value(const cli_rounds *c, uint32_t i) {
  rp_value_info info = {.struct_size = sizeof info};
  const rp_status found = rp_graph_get_value(c->whole, i, &info, NULL);
  return found == RP_OK ? info : (rp_value_info){.node = UINT32_MAX}; /* it exists */
}

static rp_graph_node_info node_at(const cli_rounds *c, uint32_t n) {
  rp_graph_node_info info = {.struct_size = sizeof info};
  const rp_status found = rp_graph_get_node(c->whole, n, &info, NULL);
  return found == RP_OK ? info : (rp_graph_node_info){0}; /* likewise */
}

static uint32_t index_of(rp_value v) { return v.id - 1; }

/* ---- Which node is in which round -------------------------------------------------------------------------------- */

/* Sets what nodes and values are, and `round` to the first round in which each node can be. */
static void find_first(cli_rounds *c) {
  for (uint32_t i = 0; i < c->n_values; i++) {
    const rp_value_info v = cli_rounds_value(c, i);
    c->secret[i] = v.storage == RP_STORAGE_INPUT && (v.flags & RP_SECRET) != 0;
  }
  for (uint32_t n = 0; n < c->n_nodes; n++) {
    const rp_graph_node_info node = node_at(c, n);
    bool constant = 1, secret = 0;
    uint32_t first = 0;
    for (uint32_t i = 0; i < node.n_in; i++) {
      const uint32_t maker = cli_rounds_value(c, index_of(node.in[i])).node;
      constant &= rp_value_is_constant(c->whole, node.in[i]);
      secret |= c->secret[index_of(node.in[i])];
      const uint32_t from = maker == UINT32_MAX ? 0 : c->round[maker] + c->ends[maker];
      if (from > first) first = from;
    }
    c->round[n] = first;
    c->everywhere[n] = constant || (node.op->slice_first && node.n_in == 1 && node.n_out == 1);
    c->ends[n] = !constant && strcmp(node.op->name, "keccak256") == 0 && rp_value_len(c->whole, node.in[0]) > 1;
    for (uint32_t i = 0; i < node.n_out; i++) c->secret[index_of(node.out[i])] = secret;
    if (first + c->ends[n] >= c->n_rounds) c->n_rounds = first + c->ends[n] + 1;
  }
}

/* Sets `round` to the last round in which each node can be. */
static void find_last(cli_rounds *c) {
  memset(c->round, NONE, c->n_nodes * sizeof *c->round);
  for (uint32_t n = c->n_nodes; n-- > 0;) {
    const rp_graph_node_info node = node_at(c, n);
    for (uint32_t i = 0; i < node.n_out; i++)
      if (cli_rounds_value(c, index_of(node.out[i])).output && c->round[n] == UINT32_MAX) c->round[n] = c->n_rounds - 1;
    if (c->round[n] == UINT32_MAX) continue;
    for (uint32_t i = 0; i < node.n_in; i++) {
      const uint32_t maker = cli_rounds_value(c, index_of(node.in[i])).node;
      if (maker == UINT32_MAX) continue;
      const uint32_t last = c->round[n] - c->ends[maker];
      if (last < c->round[maker]) c->round[maker] = last;
    }
  }
}

/* ---- Graphs ------------------------------------------------------------------------------------------------------ */

static rp_status add_node(cli_rounds *c, uint32_t round, uint32_t n, rp_error *err);

static rp_status error_of(const rp_graph *graph, rp_error *err) {
  const rp_error *e = rp_graph_error(graph);
  return e->status == RP_OK ? RP_OK : support_fail(err, e->status, "%s", e->reason);
}

/* An input of the round for a value that an earlier one computes. */
static rp_status add_crossing(cli_rounds *c, uint32_t round, uint32_t value, const rp_value_info *v, rp_error *err) {
  cli_round *r = &c->rounds[round];
  char name[32];
  (void)snprintf(name, sizeof name, "value_%u", value);
  const bool digest = c->ends[v->node];
  if (v->output && !digest)
    return support_fail(err, RP_ERR_UNSUPPORTED, "The result '%s' is read in a later round.", v->output);
  c->crossing[value] = digest ? CLI_DIGEST : CLI_RESIDENT;
  const uint32_t secret = c->secret[value] ? RP_SECRET : 0;
  r->at[value] = rp_graph_input(r->graph, name, v->type, v->len, digest ? 0 : RP_RESIDENT | secret);
  r->is_input[value] = 1;
  return RP_OK;
}

static rp_status need(cli_rounds *c, uint32_t round, uint32_t value, rp_error *err) {
  cli_round *r = &c->rounds[round];
  if (r->at[value].id) return RP_OK;
  const rp_value_info v = cli_rounds_value(c, value);
  if (v.storage == RP_STORAGE_CONSTANT) {
    r->at[value] = rp_graph_constant(r->graph, v.name, v.type, v.len, v.data, RP_BORROW);
    return RP_OK;
  }
  if (v.storage == RP_STORAGE_INPUT) {
    if (round != 0)
      return support_fail(err, RP_ERR_UNSUPPORTED, "The input '%s' is read in a later round than the first.", v.name);
    r->at[value] = rp_graph_input(r->graph, v.name, v.type, v.len, v.flags);
    r->is_input[value] = 1;
    return RP_OK;
  }
  return c->everywhere[v.node] ? add_node(c, round, v.node, err) : add_crossing(c, round, value, &v, err);
}

static rp_status add_node(cli_rounds *c, uint32_t round, uint32_t n, rp_error *err) {
  cli_round *r = &c->rounds[round];
  const rp_graph_node_info node = node_at(c, n);
  if (!node.op) return support_fail(err, RP_ERR_INTERNAL, "The graph has no node %u.", n);
  rp_value *in = calloc((size_t)node.n_in + node.n_out + 1, sizeof *in), *out = in + node.n_in;
  rp_status status = in ? RP_OK : support_fail(err, RP_ERR_MEMORY, "Out of memory for a graph.");
  for (uint32_t i = 0; status == RP_OK && i < node.n_in; i++) {
    status = need(c, round, index_of(node.in[i]), err);
    in[i] = r->at[index_of(node.in[i])];
  }
  const void *params = node.op->params_bytes ? node.params : NULL;
  if (status == RP_OK) (void)rp_graph_node(r->graph, node.op, params, in, node.n_in, out, node.n_out);
  for (uint32_t i = 0; status == RP_OK && i < node.n_out; i++) r->at[index_of(node.out[i])] = out[i];
  free(in);
  return status == RP_OK ? error_of(r->graph, err) : status;
}

static rp_status build(cli_rounds *c, uint32_t round, rp_error *err) {
  char name[32];
  (void)snprintf(name, sizeof name, "round_%u", round + 1);
  rp_status status = rp_graph_create(rp_graph_context(c->whole), name, &c->rounds[round].graph, err);
  for (uint32_t n = 0; status == RP_OK && n < c->n_nodes; n++)
    if (c->round[n] == round && !c->everywhere[n]) status = add_node(c, round, n, err);
  return status;
}

/* What leaves a round is known when the later ones have been built. */
static rp_status name_outputs(cli_rounds *c, rp_error *err) {
  for (uint32_t i = 0; i < c->n_values; i++) {
    const rp_value_info v = cli_rounds_value(c, i);
    char name[32];
    (void)snprintf(name, sizeof name, "value_%u", i);
    if (v.output) c->crossing[i] = CLI_RESULT;
    if (c->crossing[i] == CLI_STAYS) continue;
    if (v.node == UINT32_MAX || c->everywhere[v.node])
      return support_fail(err, RP_ERR_UNSUPPORTED, "The result '%s' belongs to no round.", v.output);
    cli_round *r = &c->rounds[c->round[v.node]];
    rp_graph_output(r->graph, name, r->at[i], c->crossing[i] == CLI_RESIDENT ? RP_RESIDENT : 0);
  }
  rp_status status = RP_OK;
  for (uint32_t k = 0; status == RP_OK && k < c->n_rounds; k++) status = error_of(c->rounds[k].graph, err);
  return status;
}

static rp_status allocate(cli_rounds *c, rp_error *err) {
  const size_t nodes = (size_t)c->n_nodes + 1, values = (size_t)c->n_values + 1;
  c->round = calloc(nodes, sizeof *c->round);
  c->everywhere = calloc(nodes, sizeof *c->everywhere);
  c->ends = calloc(nodes, sizeof *c->ends);
  c->secret = calloc(values, sizeof *c->secret);
  c->crossing = calloc(values, sizeof *c->crossing);
  bool all = c->round && c->everywhere && c->ends && c->secret && c->crossing;
  for (uint32_t k = 0; k < CLI_MOST_ROUNDS; k++) {
    c->rounds[k].at = calloc(values, sizeof *c->rounds[k].at);
    c->rounds[k].is_input = calloc(values, sizeof *c->rounds[k].is_input);
    all &= c->rounds[k].at && c->rounds[k].is_input;
  }
  return all ? RP_OK : support_fail(err, RP_ERR_MEMORY, "Out of memory for the rounds of a graph.");
}

static rp_status cut(cli_rounds *c, rp_error *err) {
  rp_status status = allocate(c, err);
  if (status != RP_OK) return status;
  if (rp_graph_n_conditions(c->whole) != 0)
    return support_fail(err, RP_ERR_UNSUPPORTED, "A graph with conditions is not cut into rounds.");
  find_first(c);
  if (c->n_rounds < 2 || c->n_rounds > CLI_MOST_ROUNDS)
    return support_fail(err, RP_ERR_UNSUPPORTED, "%s has %u rounds, and 2 to %d can be cut apart.",
                        rp_graph_name(c->whole), c->n_rounds, (int)CLI_MOST_ROUNDS);
  find_last(c);
  for (uint32_t k = 0; status == RP_OK && k < c->n_rounds; k++) status = build(c, k, err);
  return status == RP_OK ? name_outputs(c, err) : status;
}

rp_status cli_rounds_cut(const rp_graph *whole, cli_rounds *rounds, rp_error *err) {
  *rounds = (cli_rounds){
      .whole = whole, .n_nodes = rp_graph_n_nodes(whole), .n_values = rp_graph_n_values(whole), .n_rounds = 1};
  const rp_status status = cut(rounds, err);
  if (status != RP_OK) cli_rounds_free(rounds);
  return status;
}

void cli_rounds_free(cli_rounds *c) {
  for (uint32_t k = 0; k < CLI_MOST_ROUNDS; k++) {
    rp_graph_destroy(c->rounds[k].graph);
    free(c->rounds[k].at);
    free(c->rounds[k].is_input);
  }
  free(c->round);
  free(c->everywhere);
  free(c->ends);
  free(c->secret);
  free(c->crossing);
  *c = (cli_rounds){0};
}
