/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How many products hashes take: a permutation, times the permutations of a row, times the rows.
 */
#include "products/products.h"

#include "hash/merkle_args.h"

#include <reprise/types.h>

enum { RESCUE_WIDTH = 12, RESCUE_RATE = 8, RESCUE_ROUNDS = 7 };

static double parts_of(uint32_t n, uint32_t part) {
  const uint64_t parts = ((uint64_t)n + part - 1) / part;
  return (double)parts;
}

/* A round takes x^7, in four products, x^(1/7), in 72 (rescue_cpu_tmpl.c), and two products with the matrix. */
static double of_rescue(const struct rp_hash_args *a, double matrix) {
  const double permutation = RESCUE_ROUNDS * (RESCUE_WIDTH * (4.0 + 72) + 2 * matrix);
  return permutation * (a->row_len ? parts_of(a->row_len, RESCUE_RATE) : 1);
}

static double of_dense(const struct rp_hash_args *a) { return of_rescue(a, RESCUE_WIDTH * RESCUE_WIDTH); }
static double of_circulant(const struct rp_hash_args *a) { return of_rescue(a, 0); }

/* x^5 of all elements or of one, and a product with a matrix in each round. */
static double of_poseidon(const struct rp_hash_args *a) {
  const double t = a->width, full = a->full_rounds, partial = a->partial_rounds;
  return 3 * (full * t + partial) + (full + partial) * t * t;
}

/* The matrix of full rounds has small entries, and so has that of partial ones for states of two or three elements. */
static double of_poseidon2(const struct rp_hash_args *a) {
  const double t = a->width, full = a->full_rounds, partial = a->partial_rounds;
  const double sbox = a->alpha == 7 ? 4 : a->alpha == 5 ? 3 : 2;
  const double permutations = (a->row_len ? parts_of(a->row_len, a->rate) : 1) + parts_of(a->out_len, a->rate) - 1;
  return permutations * (sbox * (full * t + partial) + (t < 4 ? 0 : partial * t));
}

static double named(const rp_kernel_work *w, double products, const char **field) {
  rp_field id;
  if (!rp_type_is_field(w->binds[1].type, &id)) return -1;
  *field = products > 0 ? rp_field_name(id) : NULL;
  return products;
}

/* The first level has `offset` nodes, and each of the others half as many as the one before. */
static double nodes_of(const struct rp_merkle_args *a) {
  return 2.0 * a->offset - (double)(a->offset >> (a->levels - 1));
}

#define HASH(name, products)                                                      \
  double rp_products_##name(const rp_kernel_work *w, const char **field) {        \
    const struct rp_hash_args *a = w->args;                                       \
    return named(w, a->n * (products)(a), field);                                 \
  }                                                                               \
  double rp_products_##name##_tree(const rp_kernel_work *w, const char **field) { \
    const struct rp_merkle_args *a = w->args;                                     \
    return named(w, nodes_of(a) * (products)(&a->hash), field);                   \
  }
HASH(rescue, of_dense)
HASH(rescue_circulant, of_circulant)
HASH(poseidon, of_poseidon)
HASH(poseidon2, of_poseidon2)
