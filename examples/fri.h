/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * FRI, the proof that a committed function is close to a polynomial of low degree ("Fast Reed-Solomon interactive
 * oracle proofs of proximity", ICALP 2018), made non-interactive by hashing. fri_prove.c has the prover as one graph,
 * fri_verify.c the verifier on the host, fri.c the program.
 *
 *   n_j = 2^(log_degree + log_blowup - j) values of layer j lie on the coset s^(2^j) * <w_j>, where w_j has order n_j.
 *   Leaf i < n_j / 2 of its Merkle tree is (f(x), f(-x)) for x = s^(2^j) * w_j^i, since -x is n_j / 2 places behind x.
 *   The transcript t is a digest: t = H(parameters), then t = H(t, root of layer j) for each layer, and the challenge b
 *   of layer j consists of the first elements of t. With f(X) = g(X^2) + X h(X^2), layer j + 1 is g + b h:
 *     f'(x^2) = (f(x) + f(-x)) / 2 + b (f(x) - f(-x)) / (2 x)
 *   After log_degree - log_final layers the 2^log_final coefficients of what is left are the last polynomial F;
 *   t = H(t, F), and query q is at the low bits of the first element of H(t, q).
 *
 * Challenges are from an extension of the base field, of degree D, F[X] / (X^D - nonresidue): an element is D columns
 * of the base field. Layer 0 has one column; all later ones have D.
 *
 * Security: the challenges have 124 bits (BabyBear) or 128 (Goldilocks), and finding a collision of the hashes is as
 * hard as guessing one. With a blowup of 4 a query is worth 0.68 bits by the unique decoding bound, and 1 bit by the
 * Johnson bound; 100 queries are 67 bits, or 100. Each layer adds an error of about the size of the domain over that of
 * the extension: the chance that a challenge hides what is wrong. There is no grinding, nothing is zero-knowledge, and
 * one function is committed to: it is an example, not a proof system. Do not use challenges from the base fields
 * themselves: 31 bits can be searched through, and 64 bits nearly so. */
#ifndef REPRISE_EXAMPLES_FRI_H
#define REPRISE_EXAMPLES_FRI_H

#include <reprise/reprise.h>
#include <reprise/transcript.h>
#include <reprise/view.h>

enum {
  FRI_LAYERS = 28,   /* at most */
  FRI_COLUMNS = 4,   /* at most: the degree of the extension */
  FRI_ELEMENT = 8,   /* bytes of an element, at most */
  FRI_LOG_FINAL = 6, /* at most */
  FRI_DIGEST = 32,   /* bytes */
  FRI_PARAMETERS = 8 /* elements of the first row that is hashed */
};

typedef struct fri_params {
  rp_field field;
  rp_hash hash;
  uint32_t extension, nonresidue; /* D */
  uint32_t shift;                 /* s: a generator of the multiplicative group */
  uint32_t log_degree;            /* fewer than 2^log_degree coefficients are claimed */
  uint32_t log_blowup, log_final, queries;
} fri_params;

extern const fri_params fri_goldilocks, fri_babybear;

/* Whether the parameters make sense: at least one layer, trees of two leaves or more, roots of unity. */
bool fri_params_good(const fri_params *p);
uint32_t fri_layers(const fri_params *p);
/* log2 of the number of values of layer j, and the number of its columns. */
static inline uint32_t fri_log_size(const fri_params *p, uint32_t layer) {
  return p->log_degree + p->log_blowup - layer;
}
static inline uint32_t fri_columns(const fri_params *p, uint32_t layer) { return layer ? p->extension : 1; }
/* s^(2^layer), and the elements that t begins with. */
void fri_shift(const fri_params *p, uint32_t layer, void *element);
void fri_parameters(const fri_params *p, uint8_t *elements);

/* A proof is one block of bytes, with elements in memory form: the roots of all layers; the last polynomial, column
 * after column; then for each layer its opened leaves (column after column of f(x), then of f(-x), with one element per
 * query) and their paths (query after query, from the leaf up). */
typedef struct fri_layout {
  size_t roots, last, rows[FRI_LAYERS], paths[FRI_LAYERS], bytes; /* offsets; the size */
} fri_layout;
fri_layout fri_layout_of(const fri_params *p);

/* What the prover does. An honest one has log_values = log_degree, and negates nothing; others are there for tests of
 * the verifier. */
typedef struct fri_conduct {
  uint32_t log_values;    /* log2 of the number of coefficients that the function really has */
  uint32_t negated_layer; /* not 0: this layer is not the fold of the one before; fri_layers: the last polynomial */
} fri_conduct;

/* The prover: a graph, a recording and its outputs. The input is 2^log_values values of the function, canonical, on the
 * powers of a root of unity. */
typedef struct fri_prover {
  fri_params params;
  rp_graph *graph;
  rp_recording *recording;
  rp_value values, roots, last, rows[FRI_LAYERS], paths[FRI_LAYERS];
} fri_prover;
/* On failure nothing is left. fri_prover_close takes what fri_prover_open made, and an empty struct. */
rp_status fri_prover_open(rp_device *device, const fri_params *p, const fri_conduct *conduct, fri_prover *prover,
                          rp_error *err);
void fri_prover_close(fri_prover *prover);
/* `proof` has fri_layout_of().bytes bytes. */
rp_status fri_prove(fri_prover *prover, const void *values, uint8_t *proof, rp_run_counters *counters, rp_error *err);

/* Whether the proof is accepted; if not, `reason` says what is wrong, and where. */
bool fri_verify(const fri_params *p, const uint8_t *proof, size_t bytes, char reason[128]);

#endif
