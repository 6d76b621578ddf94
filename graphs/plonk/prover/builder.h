/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the rounds share while the graph is built. n is the domain; every polynomial that is committed to has n + 6
 * coefficients (key.h). Names are those of the paper (ePrint 2019/953, section 8.3).
 */
#ifndef REPRISE_PLONK_BUILDER_H
#define REPRISE_PLONK_BUILDER_H

#include "graph.h"

/* Elements of a proof in the order of rp_plonk_proof. */
enum { PLONK_A, PLONK_B, PLONK_C, PLONK_Z, PLONK_T1, PLONK_T2, PLONK_T3, PLONK_WXI, PLONK_WXIW };
enum { PLONK_EVAL_A, PLONK_EVAL_B, PLONK_EVAL_C, PLONK_EVAL_S1, PLONK_EVAL_S2, PLONK_EVAL_ZW };

typedef struct plonk_builder {
  rp_graph *g;
  const rp_plonk_key *key;
  const rp_field_host *fr;
  rp_device_kind device;
  plonk_graph_kind kind;
  uint64_t n, len; /* the domain, and n + 6 */
  plonk_fr omega;
  rp_value tau, coef[PLONK_KEY_POINTS]; /* constants */
  rp_value one, zeros;                  /* constants: 1, and zeros for the ends of polynomials */
  rp_value input;                       /* see plonk_graph.witness */
  rp_value signals;                     /* public, canonical; RP_NO_VALUE: there are none */
  rp_value blinding;                    /* 11, in the order of the input */
  rp_value wires;                       /* 3n: A, B, C on the domain */
  rp_value omegas;                      /* constant: n powers of omega */

  rp_value unblinded;   /* coefficients of a, b, c, and of the public signals if there are any: n each */
  rp_value unblinded_z; /* n */
  rp_value abc, z, t;   /* blinded polynomials, n + 6 each: three, one, three */
  rp_value beta, gamma, alpha, xi, xi_omega, v; /* challenges */
  rp_value eval[PLONK_PROOF_SCALARS];
  rp_value evaluations;     /* canonical */
  rp_value round_points[4]; /* commitments of rounds 1, 2, 3, 5: affine */
} plonk_builder;

static inline uint32_t plonk_n_columns(const plonk_builder *b) { return b->key->info.n_public ? 4 : 3; }

/* A constant of elements in memory form, copied. */
rp_value plonk_constant(plonk_builder *b, const char *name, const plonk_fr *elements, uint64_t n);
/* Polynomial i of several that lie one behind another. */
static inline rp_value plonk_part(const plonk_builder *b, rp_value of, uint64_t i, uint64_t len) {
  return rp_slice(b->g, of, i * len, len);
}
rp_value plonk_ntt(plonk_builder *b, rp_value x, uint64_t batch, int inverse, const plonk_fr *shift);
/* Commitments to `batch` polynomials of n + 6 coefficients, affine. */
rp_value plonk_commit(plonk_builder *b, rp_value polynomials, uint64_t batch);

/* ---- Challenges (challenge.c) ------------------------------------------------------------------------------------ */

/* Elements and points as what the transcript hashes: canonical integers. */
rp_value plonk_integers_of_points(plonk_builder *b, rp_value affine);
rp_value plonk_integers_of_elements(plonk_builder *b, rp_value elements);
/* The Keccak-256 digest of integers, modulo r. `name` names the nodes. */
rp_value plonk_challenge(plonk_builder *b, const char *name, const rp_value *integers, uint32_t n);

/* ---- Rounds ------------------------------------------------------------------------------------------------------ */

void plonk_round_1(plonk_builder *b); /* wires.c: a, b, c */
void plonk_round_2(plonk_builder *b); /* permutation.c: z */
void plonk_round_3(plonk_builder *b); /* quotient.c: t */
void plonk_round_4(plonk_builder *b); /* opening.c: evaluations */
void plonk_round_5(plonk_builder *b); /* opening.c: both openings */

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
