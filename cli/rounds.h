/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A prover's graph, cut where a verifier would speak: one graph for each round, so that a host can wait between them.
 * A round ends with the digest from which the next challenge is made. A digest of a single value needs nothing that is
 * newer than the challenge before it (gamma is made from beta): it ends no round.
 *
 * A node is in the last round in which it can be, which is the one whose text it stands in. What depends on constants
 * alone, and slices, are made wherever they are needed. Every other value that a later round reads is resident: an
 * output of its round and an input of those that read it, with no copy in between. Digests go down to the host, which
 * gives them to the rounds that read them.
 */
#ifndef REPRISE_CLI_ROUNDS_H
#define REPRISE_CLI_ROUNDS_H

#include <reprise/inspect.h>

#include <stdbool.h>

enum { CLI_MOST_ROUNDS = 16 };

/* How a value of the whole graph leaves its round. */
typedef enum cli_crossing { CLI_STAYS, CLI_RESIDENT, CLI_DIGEST, CLI_RESULT } cli_crossing;

typedef struct cli_round {
  rp_graph *graph;
  rp_value *at;   /* per value of the whole graph: its value here; RP_NO_VALUE if it has none */
  bool *is_input; /* per value of the whole graph: it is an input here */
} cli_round;

/* Arrays by index of the whole graph's nodes and values. */
typedef struct cli_rounds {
  const rp_graph *whole; /* not referenced: it must outlive this */
  uint32_t n_nodes, n_values, n_rounds;
  uint32_t *round;        /* node: its round; UINT32_MAX if no output needs it */
  bool *everywhere;       /* node: made in each round that needs it */
  bool *ends;             /* node: computes the digest that ends a round */
  bool *secret;           /* value: computed from a secret input */
  cli_crossing *crossing; /* value */
  cli_round rounds[CLI_MOST_ROUNDS];
} cli_rounds;

/* RP_ERR_UNSUPPORTED: the graph has no digest that ends a round, or needs what this cannot cut: conditions, inputs that
 * are read in several rounds, results that later rounds read. After any failure there is nothing to free. */
rp_status cli_rounds_cut(const rp_graph *whole, cli_rounds *rounds, rp_error *err);
void cli_rounds_free(cli_rounds *rounds); /* a zeroed one, too */

/* Value i of the whole graph, which must have that many. */
rp_value_info cli_rounds_value(const cli_rounds *rounds, uint32_t i);

#endif
