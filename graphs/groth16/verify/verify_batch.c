/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Many proofs of one key by one equation (Bellare, Garay, Rabin, "Fast batch verification for modular exponentiation
 * and digital signatures", 1998, section 3, the test with small exponents): with random z_i
 *
 *   prod e(z_i A_i, B_i) = e(sum z_i alpha, beta) e(sum z_i x_ij IC_j, gamma) e(sum z_i C_i, delta)
 *
 * All points have been checked to be in the subgroups, so that what proof i leaves of its own equation is a power v_i
 * of one element of prime order r, and the combination holds where sum z_i v_i = 0 mod r. Let v_k be the first that is
 * not 0: for any choice of the other z_i one value of z_k modulo r solves that. z_k is drawn from 2^128 values that
 * differ modulo r.
 *
 * The values are u + w lambda with u, w of 64 bits, lambda being how phi (x, y) = (beta x, y) acts on G1: half the
 * doublings (Gallant, Lambert, Vanstone, 2001). They differ, since u + w lambda = 0 mod r has no other solution below
 * sqrt(r) / 2 (u and w as norm: u^2 - u w + w^2 is a multiple of r, and at most 3 * 2^128 < r).
 */
#include "formats/fail.h"
#include "msm_host.h"
#include "verify.h"

#include <stdlib.h>

enum { CHUNK = 64, HALF_BYTES = 8, WINDOW = 4, TABLE = 1 << WINDOW, MOST_ACC_BYTES = 4 * 48, SCALAR_BYTES = 32 };

typedef struct accumulator {
  uint64_t limb[MOST_ACC_BYTES / 8];
} accumulator;

/* phi on G1 of a family. */
typedef struct endomorphism {
  const rp_curve_host *g1;
  const rp_field_host *fq, *fr;
  uint64_t beta[6], lambda[4]; /* memory forms */
} endomorphism;

/* (sqrt(-3) - 1) / 2; the other primitive cube root of one is -1 minus that. */
static void cube_root_of_one(const rp_field_host *f, uint64_t *root) {
  uint64_t one[6], three[6];
  f->one(one);
  f->add(three, one, one), f->inv(root, three), f->add(three, three, one), f->neg(three, three);
  uint64_t half[6];
  memcpy(half, root, f->size_bytes);
  (void)f->sqrt(root, three); /* r and q are 1 modulo 3 */
  f->sub(root, root, one);
  f->mul(root, root, half);
}

static void apply(const endomorphism *e, void *affine_or_acc) { e->fq->mul(affine_or_acc, affine_or_acc, e->beta); }

static void find_endomorphism(const g16_family *family, endomorphism *e) {
  *e = (endomorphism){.g1 = rp_curve_get(family->g1), .fq = rp_field_get(family->fq), .fr = rp_field_get(family->fr)};
  uint64_t one[4], k[4];
  g16_g1 image, multiple;
  cube_root_of_one(e->fq, e->beta);
  cube_root_of_one(e->fr, e->lambda);
  e->g1->generator(&image);
  e->fr->to_canonical(k, e->lambda);
  e->g1->mul(&multiple, &image, (const uint8_t *)k);
  apply(e, &image);
  if (e->g1->equal(&image, &multiple)) return;
  e->fr->one(one);
  e->fr->add(e->lambda, e->lambda, one);
  e->fr->neg(e->lambda, e->lambda);
}

/* u a + w phi(a), with the windows of both halves interleaved. Variable time, since proofs are public. */
static void multiply(const endomorphism *e, const void *a, const uint64_t half[2], void *result) {
  accumulator table[TABLE], image, sum;
  e->g1->acc_identity(&table[0]);
  for (int i = 1; i < TABLE; i++) e->g1->acc_add_affine(&table[i], &table[i - 1], a);
  e->g1->acc_identity(&sum);
  for (int bit = 64 - WINDOW; bit >= 0; bit -= WINDOW) {
    for (int i = 0; i < WINDOW; i++) e->g1->acc_double(&sum, &sum);
    e->g1->acc_add(&sum, &sum, &table[half[0] >> bit & (TABLE - 1)]);
    image = table[half[1] >> bit & (TABLE - 1)];
    apply(e, &image);
    e->g1->acc_add(&sum, &sum, &image);
  }
  e->g1->acc_to_affine(result, &sum);
}

/* u + w lambda in the memory form of the scalar field. */
static void value_of(const endomorphism *e, const uint64_t half[2], uint64_t z[4]) {
  uint64_t w[4];
  e->fr->from_bytes_reduce(z, (const uint8_t *)&half[0], HALF_BYTES);
  e->fr->from_bytes_reduce(w, (const uint8_t *)&half[1], HALF_BYTES);
  e->fr->mul(w, w, e->lambda);
  e->fr->add(z, z, w);
}

/* The memory of one chunk. */
typedef struct chunk {
  const rp_groth16_vkey *vkey;
  endomorphism endo;
  uint64_t (*half)[2]; /* u, w of each proof in the combination */
  uint8_t *scaled_a;   /* z_i A_i */
  uint8_t *lines;      /* prepared B_i of the proofs in the combination */
  uint8_t *b;          /* B_i of all proofs, */
  const void **b_at;   /* pointers to those whose points of G1 are valid, */
  rp_pairing_prepared **b_lines;
  uint8_t *b_valid;       /* and whether they are valid, too */
  uint8_t *c, *c_scalars; /* C_i and phi(C_i) with u, w as scalars of 32 bytes */
  uint8_t *sums;          /* sum z_i, then for each public signal sum z_i x_ij; canonical */
  const void **p;         /* pairs of the product of pairings */
  const rp_pairing_prepared **q;
  uint32_t lines_bytes;
  size_t n; /* proofs that take part */
} chunk;

static void chunk_free(chunk *k) {
  free(k->half), free(k->scaled_a), free(k->lines), free(k->c), free(k->c_scalars), free(k->sums);
  free((void *)k->p), free((void *)k->q);
  free(k->b), free((void *)k->b_at), free((void *)k->b_lines), free(k->b_valid);
}

static rp_status chunk_new(const rp_groth16_vkey *vkey, size_t most, chunk *k, rp_error *err) {
  const g16_vkey *points = g16_vkey_points(vkey);
  const size_t g1 = g16_g1_bytes(points->family);
  *k = (chunk){.vkey = vkey, .lines_bytes = rp_pairing_prepared_bytes(points->family->g1)};
  find_endomorphism(points->family, &k->endo);
  k->half = calloc(most, sizeof *k->half);
  k->scaled_a = calloc(most, g1);
  k->lines = calloc(most, k->lines_bytes);
  k->c = calloc(2 * most, g1);
  k->c_scalars = calloc(2 * most, SCALAR_BYTES);
  k->sums = calloc((size_t)points->n_public + 1, SCALAR_BYTES);
  k->p = calloc(most + 3, sizeof *k->p);
  k->q = calloc(most + 3, sizeof *k->q);
  k->b = calloc(most, g16_g2_bytes(points->family));
  k->b_at = calloc(most, sizeof *k->b_at);
  k->b_lines = calloc(most, sizeof *k->b_lines);
  k->b_valid = calloc(most, 1);
  if (k->half && k->scaled_a && k->lines && k->c && k->c_scalars && k->sums && k->p && k->q && k->b && k->b_at &&
      k->b_lines && k->b_valid)
    return RP_OK;
  chunk_free(k);
  return support_fail(err, RP_ERR_MEMORY, "Out of memory for the verification of %zu proofs together.", most);
}

/* Adds a checked proof, with its prepared B, to the combination. */
static void take(chunk *k, const rp_groth16_proof *proof, const rp_pairing_prepared *lines, const uint8_t *signals) {
  const g16_vkey *key = g16_vkey_points(k->vkey);
  const endomorphism *e = &k->endo;
  const size_t g1 = g16_g1_bytes(key->family), i = k->n++;
  uint64_t z[4], x[4], *sum = (uint64_t *)(void *)k->sums;
  g16_g1 a, *c = (g16_g1 *)(void *)(k->c + 2 * i * g1);
  memcpy(&a, proof->a, g1);
  memcpy(c, proof->c, g1);
  memcpy(k->c + (2 * i + 1) * g1, c, g1);
  apply(e, k->c + (2 * i + 1) * g1);
  memcpy(k->c_scalars + 2 * i * SCALAR_BYTES, &k->half[i][0], HALF_BYTES);
  memcpy(k->c_scalars + (2 * i + 1) * SCALAR_BYTES, &k->half[i][1], HALF_BYTES);
  multiply(e, &a, k->half[i], k->scaled_a + i * g1);
  k->p[i] = k->scaled_a + i * g1;
  k->q[i] = lines;
  value_of(e, k->half[i], z);
  e->fr->add(sum, sum, z);
  for (size_t j = 0; j < key->n_public; j++) {
    (void)e->fr->from_canonical(x, signals + j * SCALAR_BYTES); /* checked to be below r */
    e->fr->mul(x, x, z);
    e->fr->add(sum + 4 * (j + 1), sum + 4 * (j + 1), x);
  }
}

/* 1 if the combined equation of the proofs that were taken holds, 0 if not, -1 when out of memory. Clears the chunk. */
static int combination_holds(chunk *k) {
  const g16_vkey *key = g16_vkey_points(k->vkey);
  const rp_curve_host *g1 = k->endo.g1;
  g16_g1 alpha, x, c, zero;
  for (size_t j = 0; j <= key->n_public; j++)
    k->endo.fr->to_canonical(k->sums + j * SCALAR_BYTES, k->sums + j * SCALAR_BYTES);
  g1->identity(&zero);
  g1->mul(&alpha, &key->alpha_1, k->sums);
  int result = -1;
  rp_pairing_value *value = malloc(rp_pairing_value_bytes(key->family->g1));
  if (value && g16_msm_host(g1, &zero, k->sums, key->ic, key->n_public + 1ull, 256, &x) == RP_OK &&
      g16_msm_host(g1, &zero, k->c_scalars, k->c, 2 * k->n, 8 * HALF_BYTES, &c) == RP_OK) {
    g1->neg(&alpha, &alpha), g1->neg(&x, &x), g1->neg(&c, &c);
    k->p[k->n] = &alpha, k->q[k->n] = g16_vkey_beta(k->vkey);
    k->p[k->n + 1] = &x, k->q[k->n + 1] = g16_vkey_gamma(k->vkey);
    k->p[k->n + 2] = &c, k->q[k->n + 2] = g16_vkey_delta(k->vkey);
    if (rp_pairing_product(key->family->g1, (uint32_t)k->n + 3, k->p, k->q, value) == RP_OK)
      result = rp_pairing_value_is_one(key->family->g1, value);
  }
  free(value);
  memset(k->sums, 0, ((size_t)key->n_public + 1) * SCALAR_BYTES);
  memset(k->c_scalars, 0, 2 * k->n * SCALAR_BYTES);
  k->n = 0;
  return result;
}

typedef struct batch {
  const rp_groth16_vkey *vkey;
  const rp_groth16_proof *proofs;
  const uint8_t *signals;
  size_t n_public;
  rp_status *statuses; /* may be NULL */
  rp_status first;     /* status of the first bad proof by index */
  rp_error *err;
} batch;

static void settle(batch *b, size_t i, rp_status status, const rp_error *why) {
  if (b->statuses) b->statuses[i] = status;
  if (status == RP_OK || b->first != RP_OK) return;
  b->first = support_fail(b->err, status, "Proof %zu: %s", i, why->reason);
}

static const uint8_t *signals_of(const batch *b, size_t i) {
  return b->signals ? b->signals + i * b->n_public * SCALAR_BYTES : NULL;
}

/* Checks proofs [first, first + n) except for their equations, and prepares the B_i of those that are valid so far. */
static rp_status check_chunk(batch *b, chunk *k, size_t first, size_t n, rp_status *verdict, rp_error *why) {
  const g16_family *family = g16_vkey_points(b->vkey)->family;
  const size_t g2 = g16_g2_bytes(family);
  uint32_t m = 0;
  for (size_t i = 0; i < n; i++) {
    const rp_groth16_proof *proof = &b->proofs[first + i];
    verdict[i] = g16_verify_check(b->vkey, proof, signals_of(b, first + i), b->n_public, &why[i]);
    if (verdict[i] != RP_OK) continue;
    k->b_lines[m] = (rp_pairing_prepared *)(void *)(k->lines + m * k->lines_bytes);
    k->b_at[m] = memcpy(k->b + m * g2, proof->b, g2);
    m++;
  }
  const rp_status status = rp_pairing_prepare_many(family->g1, m, k->b_at, k->b_lines, k->b_valid);
  return status == RP_OK ? RP_OK : support_fail(b->err, status, "Out of memory for the lines of %zu proofs.", n);
}

/* Verifies proofs [first, first + n): those with valid points and signals are combined; if the combination does not
 * hold, each is verified by itself. Returns only failures that say nothing about a proof. */
static rp_status verify_chunk(batch *b, chunk *k, size_t first, size_t n) {
  rp_status verdict[CHUNK], status = rp_random_bytes(k->half, n * sizeof *k->half);
  rp_error why[CHUNK];
  if (status != RP_OK)
    return support_fail(b->err, status, "The operating system gives no randomness for the combination of proofs.");
  status = check_chunk(b, k, first, n, verdict, why);
  if (status != RP_OK) return status;
  for (size_t i = 0, at = 0; i < n; i++) {
    if (verdict[i] != RP_OK) continue;
    if (k->b_valid[at])
      take(k, &b->proofs[first + i], k->b_lines[at], signals_of(b, first + i));
    else
      verdict[i] = g16_verify_refuse_b(&b->proofs[first + i], &why[i]);
    at++;
  }
  const int holds = k->n ? combination_holds(k) : 1;
  if (holds < 0) return support_fail(b->err, RP_ERR_MEMORY, "Out of memory for the sums over %zu proofs.", n);
  for (size_t i = 0; i < n; i++) {
    if (!holds && verdict[i] == RP_OK)
      verdict[i] = rp_groth16_verify(b->vkey, &b->proofs[first + i], signals_of(b, first + i), b->n_public, &why[i]);
    if (verdict[i] == RP_ERR_MEMORY) return support_fail(b->err, RP_ERR_MEMORY, "%s", why[i].reason);
    settle(b, first + i, verdict[i], &why[i]);
  }
  return RP_OK;
}

rp_status rp_groth16_verify_batch(const rp_groth16_vkey *vkey, const rp_groth16_proof *proofs,
                                  const uint8_t *public_signals, size_t n_proofs, size_t n_public, rp_status *statuses,
                                  rp_error *err) {
  if (!vkey || (n_proofs != 0 && (!proofs || (n_public != 0 && !public_signals))))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_groth16_verify_batch: a key, proofs and public signals are needed.");
  batch b = {.vkey = vkey,
             .proofs = proofs,
             .signals = public_signals,
             .n_public = n_public,
             .statuses = statuses,
             .err = err};
  /* Until they are decided, none is good. */
  for (size_t i = 0; statuses && i < n_proofs; i++) statuses[i] = RP_ERR_VERIFY;
  if (n_proofs == 0) return RP_OK;
  chunk k;
  rp_status status = chunk_new(vkey, n_proofs < CHUNK ? n_proofs : CHUNK, &k, err);
  if (status != RP_OK) return status;
  for (size_t first = 0; status == RP_OK && first < n_proofs; first += CHUNK)
    status = verify_chunk(&b, &k, first, n_proofs - first < CHUNK ? n_proofs - first : CHUNK);
  chunk_free(&k);
  return status == RP_OK ? b.first : status;
}
