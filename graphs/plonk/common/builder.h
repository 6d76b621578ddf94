/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the rounds of PLONK and of FFLONK share while the graph is built. n is the domain. Names are those of the papers
 * (ePrint 2019/953, section 8.3; ePrint 2021/1167, section 7).
 */
#ifndef REPRISE_PLONK_COMMON_BUILDER_H
#define REPRISE_PLONK_COMMON_BUILDER_H

#include "graph.h"
#include "range.h"

/* The first member of what a proof system needs. */
typedef struct plonk_builder {
  rp_graph *g;
  const plonk_key *key;
  const rp_field_host *fr;
  plonk_graph_kind kind;
  uint64_t n, coef_len; /* the domain; coefficients of each of the key's polynomials */
  plonk_fr omega;
  graphs_shares shares;            /* of the devices of the group for which it is built */
  rp_value tau[RP_GROUP_MOST];     /* constants: for each device its powers, RP_NO_VALUE if it has none */
  rp_value coef[PLONK_KEY_POINTS]; /* constants */
  rp_value one;                    /* constant */
  rp_value omegas;                 /* constant: n powers of omega */
  rp_value input;                  /* see plonk_graph.witness */
  rp_value signals;                /* public, canonical; RP_NO_VALUE: there are none */
  rp_value blinding;               /* in the order of the input */
  rp_value wires;                  /* 3n: A, B, C on the domain */
  rp_value unblinded;              /* coefficients of the wires, and of the public signals if there are any: n each */
  rp_value unblinded_z;            /* n */
  rp_value beta, gamma, xi, xi_omega; /* challenges */
} plonk_builder;

static inline uint32_t plonk_n_columns(const plonk_builder *b) { return b->key->info.n_public ? 4 : 3; }

/* Sets the members up to `kind`, and creates the graph. */
rp_status plonk_builder_begin(plonk_builder *b, const char *name, const plonk_key *key, rp_device *device,
                              plonk_graph_kind kind, rp_error *err);
/* The key's constants, with `coef_len` coefficients of each polynomial. */
void plonk_builder_key(plonk_builder *b, const char *const name[PLONK_KEY_POINTS], uint64_t coef_len);
/* Names the outputs, and gives *out the graph, or destroys it on failure. */
rp_status plonk_builder_end(plonk_builder *b, rp_value points, rp_value evaluations, plonk_graph *out, rp_error *err);

/* A constant of elements in memory form, copied. */
rp_value plonk_constant(plonk_builder *b, const char *name, const plonk_fr *elements, uint64_t n);
/* Polynomial i of several that lie one behind another. */
static inline rp_value plonk_part(const plonk_builder *b, rp_value of, uint64_t i, uint64_t len) {
  return rp_slice(b->g, of, i * len, len);
}
rp_value plonk_ntt(plonk_builder *b, rp_value x, uint64_t batch, bool inverse, const plonk_fr *shift);
/* Commitments to `batch` polynomials of as many coefficients as there are powers of tau, affine. Each device of a group
 * sums its powers, with its coefficients of every polynomial, and sends `batch` points to the first one, which has
 * everything else. */
enum { PLONK_MOST_BATCH = 3 };
rp_value plonk_commit(plonk_builder *b, rp_value polynomials, uint64_t batch);

/* ---- Challenges, as plonk/verify/transcript.h computes them on the host ------------------------------------------ */

/* Elements and points as what the transcript hashes: canonical integers. */
rp_value plonk_integers_of_points(plonk_builder *b, rp_value affine);
rp_value plonk_integers_of_elements(plonk_builder *b, rp_value elements);
/* The Keccak-256 digest of integers, modulo r. `name` names the nodes. */
rp_value plonk_challenge(plonk_builder *b, const char *name, const rp_value *integers, uint32_t n);

/* ---- Parts of rounds --------------------------------------------------------------------------------------------- */

/* wires.c: the input with n_blinding values, and b->wires. The maps may name `extra` elements that are behind the
 * variables: the first `extra` blinding values, times `factor`. */
void plonk_wires(plonk_builder *b, uint64_t n_blinding, uint64_t extra, const plonk_fr *factor);
/* Coefficients of the wires, and of the public signals if there are any. */
void plonk_wires_transform(plonk_builder *b);
/* permutation.c: beta and gamma, from `n` points of the key, the public signals and `commitment`. */
void plonk_permutation_challenges(plonk_builder *b, const plonk_g1 *key, uint32_t n, rp_value commitment);
/* The coefficients of the running product of the rows' quotients: b->unblinded_z. */
void plonk_permutation(plonk_builder *b);

/* ---- Cosets (cosets.c) ------------------------------------------------------------------------------------------- */

/* The points x with x^(4n) = s^(4n) are four cosets of the domain, on each of which X^n is a constant c, and X^n - 1
 * another, which is not 0. */
enum { PLONK_COSETS = 4 };
typedef struct plonk_coset {
  plonk_fr shift, c; /* the points are shift omega^i; c = shift^n */
} plonk_coset;
void plonk_cosets(const plonk_builder *b, plonk_coset cosets[PLONK_COSETS]);
/* A polynomial t of at most n_cosets times n coefficients is, modulo X^n - c, the sum of c^m t_m, where t_m are its
 * coefficients from m n on. Its residues modulo X^n - c, for the c of n_cosets cosets, determine the t_m. The result is
 * one of the t_m, or its first coefficients if only these of the residues are given. */
rp_value plonk_coset_part(plonk_builder *b, const plonk_coset *cosets, uint32_t n_cosets, const rp_value *modulo,
                          uint32_t m);

/* ---- Programs of rp_expr ----------------------------------------------------------------------------------------- */

#define PLONK_COLUMN(c) \
  { RP_EXPR_COLUMN, (c), 0 }
#define PLONK_NEXT(c) \
  { RP_EXPR_COLUMN, (c), 1 }
#define PLONK_CONSTANT(c) \
  { RP_EXPR_CONSTANT, (c), 0 }
#define PLONK_ADD \
  { RP_EXPR_ADD, 0, 0 }
#define PLONK_SUB \
  { RP_EXPR_SUB, 0, 0 }
#define PLONK_MUL \
  { RP_EXPR_MUL, 0, 0 }
#define PLONK_NEG \
  { RP_EXPR_NEG, 0, 0 }
#define PLONK_SQR \
  { RP_EXPR_SQR, 0, 0 }
#define PLONK_STORE(t) \
  { RP_EXPR_STORE, (t), 0 }
#define PLONK_LOAD(t) \
  { RP_EXPR_LOAD, (t), 0 }

rp_value plonk_expr(plonk_builder *b, const rp_value *columns, uint32_t n_columns, rp_value constants,
                    const rp_expr_code *code, size_t n_code);
#define PLONK_EXPR(b, columns, constants, code)                                             \
  plonk_expr(b, columns, (uint32_t)(sizeof(columns) / sizeof(columns)[0]), constants, code, \
             sizeof(code) / sizeof(code)[0])

#endif
