/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "products/products.h"

#include "msm/bucket_reduce_args.h"
#include "msm/eisenstein_multiples_args.h"
#include "msm/window_multiples_args.h"
#include "msm/msm_small_args.h"
#include "ntt/ntt_args.h"
#include "points/fixed_base_args.h"
#include "points/point_check_args.h"
#include "vector/challenge_args.h"
#include "vector/expr_args.h"
#include "vector/poly_eval_args.h"

#include <reprise/host.h>
#include <reprise/types.h>

#include <stdbool.h>

/* ---- What the dispatch computes with ----------------------------------------------------------------------------- */

/* A product in a quadratic extension takes three products (Karatsuba). */
typedef struct unit {
  bool known;
  rp_curve curve; /* RP_CURVE_COUNT: the kernel works on field elements */
  rp_field prime;
  double products; /* in the prime field, of one product */
} unit;

static unit unit_of(const rp_kernel_work *w) {
  unit u = {.curve = RP_CURVE_COUNT, .products = 1};
  rp_field field = RP_FIELD_COUNT;
  for (uint32_t i = 0; i < w->n_binds; i++) {
    const rp_type *type = w->binds[i].type;
    if (u.curve == RP_CURVE_COUNT && !rp_type_is_affine(type, &u.curve)) rp_type_is_accumulator(type, &u.curve);
    if (field == RP_FIELD_COUNT) rp_type_is_field(type, &field);
  }
  if (u.curve != RP_CURVE_COUNT) field = rp_curve_base_field(u.curve);
  if (field == RP_FIELD_COUNT) return u;
  u.known = true;
  if (rp_field_get(field)->degree == 2) u.products = 3;
  u.prime = field == RP_FIELD_BN254_FP2       ? RP_FIELD_BN254_FP
            : field == RP_FIELD_BLS12_381_FP2 ? RP_FIELD_BLS12_381_FP
                                              : field;
  return u;
}

static double in_unit(const unit *u, double products, const char **field) {
  if (!u->known) return -1;
  *field = products > 0 ? rp_field_name(u->prime) : NULL;
  return products * u->products;
}

static bool is_element(const rp_type *type) {
  return rp_type_is_field(type, NULL) || rp_type_is_affine(type, NULL) || rp_type_is_accumulator(type, NULL);
}

/* The most elements that one bind is written with; of operands, that it is read from. */
static uint64_t most(const rp_kernel_work *w, uint32_t access) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < w->n_binds; i++) {
    const rp_kernel_range *b = &w->binds[i];
    const bool fits = access == RP_WRITE ? (b->access & RP_WRITE) && !(b->access & RP_ATOMIC)
                                         : b->access == RP_READ && is_element(b->type);
    if (fits && b->count > n) n = b->count;
  }
  return n;
}

static double each(const rp_kernel_work *w, const char **field, uint32_t access, double products) {
  const unit u = unit_of(w);
  return in_unit(&u, products * (double)most(w, access), field);
}

double rp_products_none(const rp_kernel_work *w, const char **field) {
  (void)w;
  *field = NULL;
  return 0;
}

double rp_products_per_result(const rp_kernel_work *w, const char **field) { return each(w, field, RP_WRITE, 1); }
double rp_products_two_per_result(const rp_kernel_work *w, const char **field) { return each(w, field, RP_WRITE, 2); }
double rp_products_three_per_result(const rp_kernel_work *w, const char **field) { return each(w, field, RP_WRITE, 3); }
double rp_products_per_operand(const rp_kernel_work *w, const char **field) { return each(w, field, RP_READ, 1); }

double rp_products_coefficients(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  return in_unit(&u, (double)w->binds[3].count, field);
}

/* A layer has one butterfly for two elements. */
double rp_products_ntt(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  const struct rp_ntt_args *a = w->args;
  double each_element = a->layers / 2.0;
  if (a->flags & RP_NTT_FACTOR_IN) each_element += 1;
  if (a->flags & RP_NTT_FACTOR_OUT) each_element += 1;
  return in_unit(&u, each_element * (double)w->binds[0].count, field);
}

static double of_program(const rp_kernel_work *w, const struct rp_expr_tail *tail, const char **field) {
  const unit u = unit_of(w);
  return tail->row_products == UINT32_MAX ? -1 : in_unit(&u, (double)tail->n * tail->row_products, field);
}

double rp_products_expr_8(const rp_kernel_work *w, const char **field) {
  const struct rp_expr_8_args *a = w->args;
  return of_program(w, &a->tail, field);
}

double rp_products_expr_32(const rp_kernel_work *w, const char **field) {
  const struct rp_expr_32_args *a = w->args;
  return of_program(w, &a->tail, field);
}

double rp_products_expr_256(const rp_kernel_work *w, const char **field) {
  const struct rp_expr_256_args *a = w->args;
  return of_program(w, &a->tail, field);
}

/* The power of a point by squarings, since chunks are powers of two; then one for each value. */
double rp_products_poly_join(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  const struct rp_poly_join_args *a = w->args;
  double squarings = 0;
  for (uint32_t chunk = a->chunk; chunk > 1; chunk /= 2) squarings++;
  return in_unit(&u, (double)w->binds[0].count * (squarings + a->chunks), field);
}

/* Each part of a row becomes an element, and the sum is multiplied by a power. */
double rp_products_challenge(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  const struct rp_challenge_args *a = w->args;
  const uint32_t bytes = w->binds[0].type->size_bytes, parts = (a->row_bytes + bytes - 1) / bytes;
  return in_unit(&u, 2.0 * a->n * parts, field);
}

/* ---- Points ------------------------------------------------------------------------------------------------------ */

/* Products of an addition of affine points of which many share an inversion, of an affine point to an accumulator, of
 * two accumulators, and of a doubling (formulas of the Explicit-Formulas Database for XYZZ coordinates, and of ePrint
 * 2008/522 for extended ones). */
typedef struct costs {
  double shared, mixed, full, doubling;
} costs;

static costs costs_of(const unit *u) {
  return u->curve == RP_CURVE_BANDERWAGON ? (costs){8, 8, 9, 8} : (costs){6, 10, 14, 9};
}

double rp_products_to_affine(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  return in_unit(&u, (u.curve == RP_CURVE_BANDERWAGON ? 5 : 7) * (double)most(w, RP_WRITE), field);
}

double rp_products_point_add(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  return in_unit(&u, costs_of(&u).shared * (double)most(w, RP_WRITE), field);
}

/* Of affine points, the first half of the additions has affine operands. */
double rp_products_tree(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  const costs c = costs_of(&u);
  const double addition = rp_type_is_affine(w->binds[0].type, NULL) ? (c.shared + c.full) / 2 : c.full;
  return in_unit(&u, addition * (double)w->binds[0].count, field);
}

/* The doublings, an addition for fifteen of sixteen digits, and a table of 15 multiples of the point. */
double rp_products_scalar_mul(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  if (u.curve == RP_CURVE_COUNT) return -1;
  const costs c = costs_of(&u);
  const double bits = rp_field_get(rp_curve_scalar_field(u.curve))->modulus_bits, digits = bits / 4 * 15 / 16;
  return in_unit(&u, (bits * c.doubling + (digits + 14) * c.full) * (double)most(w, RP_WRITE), field);
}

/* Half as many doublings, a smaller table, and the products by beta. */
double rp_products_scalar_mul_glv(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  if (u.curve == RP_CURVE_COUNT) return -1;
  const costs c = costs_of(&u);
  const double bits = rp_field_get(rp_curve_scalar_field(u.curve))->modulus_bits, digits = bits / 4 * 15 / 16;
  const double each_point = bits / 2 * c.doubling + (digits + 7) * c.full + digits / 2;
  return in_unit(&u, each_point * (double)most(w, RP_WRITE), field);
}

/* The first point of a bucket is copied. */
double rp_products_accumulate(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  const costs c = costs_of(&u);
  const rp_kernel_range *entries = &w->binds[1], *sums = &w->binds[3];
  const double additions = entries->count > sums->count ? (double)(entries->count - sums->count) : 0;
  return in_unit(&u, additions * (rp_type_is_affine(sums->type, NULL) ? c.shared : c.mixed), field);
}

double rp_products_bucket_sums(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  const costs c = costs_of(&u);
  const double addition = rp_type_is_affine(w->binds[0].type, NULL) ? c.shared : c.full;
  return in_unit(&u, 2 * addition * (double)w->binds[0].count, field);
}

double rp_products_combine(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  return in_unit(&u, costs_of(&u).full * (double)w->binds[0].count, field);
}

/* Each pair stands for a part of about 2^10 buckets. */
double rp_products_fold(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  const costs c = costs_of(&u);
  return in_unit(&u, (double)w->binds[0].count / 2 * (10 * c.doubling + 7 * c.full), field);
}

double rp_products_windows(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  const costs c = costs_of(&u);
  const struct rp_window_reduce_args *a = w->args;
  return in_unit(&u, (a->n - 1.0) * (a->doublings * c.doubling + c.full), field);
}

/* On GPUs each workgroup doubles the base of its row, and each thread computes one multiple bit by bit. On CPUs a row
 * is filled by additions that share inversions. */
double rp_products_base_table(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  const costs c = costs_of(&u);
  const struct rp_fixed_base_table_args *a = w->args;
  const bool gpu = w->n_binds == 2, edwards = u.curve == RP_CURVE_BANDERWAGON;
  const double bits = a->window_bits, row = (double)((1u << a->window_bits) - 1), normal = edwards ? 5 : 7;
  const double parts = gpu ? (double)((1u << a->window_bits) - 2 + RP_FIXED_BASE_GROUP) / RP_FIXED_BASE_GROUP : 1;
  const double shifts = bits * (a->windows - 1.0) / 2 * (gpu ? (double)(uint64_t)parts : 1);
  const double doublings = (bits - 2) * (row + 1) + 2, additions = bits / 2 * (row + 1) - row; /* of a row on a GPU */
  const double fill = gpu       ? doublings * c.doubling + additions * c.full + row * normal
                      : edwards ? (row - 1) * (c.mixed + normal)
                                : (row - 1) * c.shared;
  return in_unit(&u, (double)w->binds[0].count * a->windows * (shifts * c.doubling + fill), field);
}

/* An addition for each digit that is not zero; the first is a copy. */
double rp_products_base_mul(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  const costs c = costs_of(&u);
  const struct rp_fixed_base_mul_args *a = w->args;
  const double digits = a->windows * (1 - 1 / (double)(1u << a->window_bits)) - 1;
  return in_unit(&u, (digits > 0 ? digits : 0) * (w->n_binds == 5 ? c.shared : c.mixed) * a->n, field);
}

double rp_products_multiples(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  const costs c = costs_of(&u);
  const struct rp_window_multiples_args *a = w->args;
  const double each_window = a->doublings * c.doubling + (u.curve == RP_CURVE_BANDERWAGON ? 5 : 7);
  return in_unit(&u, (double)a->n * (a->merged - 1.0) * each_window, field);
}

/* By the binary digits of the base; the products by beta take one per coefficient. */
double rp_products_eisenstein_multiples(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  const costs c = costs_of(&u);
  const struct rp_eisenstein_multiples_args *a = w->args;
  const double doublings = 31 - __builtin_clz(a->base), additions = __builtin_popcount(a->base) - 1;
  const double each_window = doublings * c.doubling + additions * c.mixed + 7,
               beta = u.products > 1 ? 2 / u.products : 1;
  return in_unit(&u, a->n * ((a->windows - 1.0) * each_window + a->windows * beta), field);
}

/* On GPUs each product is computed for itself, and then there is a tree. On CPUs products share the doublings, and one
 * of six bits of a scalar takes an addition of one of eight odd multiples. */
double rp_products_few(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  const costs c = costs_of(&u);
  const struct rp_msm_small_args *a = w->args;
  if (u.curve == RP_CURVE_COUNT) return -1;
  const double bits = rp_field_get(rp_curve_scalar_field(u.curve))->modulus_bits, n = a->n;
  const double alone = bits * c.doubling + (bits / 4 * 15 / 16 + 14) * c.full + c.full;
  const double together = bits * c.doubling + n * (bits / 6 * c.full + c.doubling + 7 * c.full);
  return in_unit(&u, (double)w->binds[2].count * (w->n_binds == 5 ? together : n * alone), field);
}

/* The equation of the curve. Membership in a subgroup takes an endomorphism of the curve or a square root. */
double rp_products_check(const rp_kernel_work *w, const char **field) {
  const unit u = unit_of(w);
  const struct rp_point_check_args *a = w->args;
  if (a->subgroup) return -1;
  return in_unit(&u, (u.curve == RP_CURVE_BANDERWAGON ? 4.0 : 3.0) * a->n, field);
}
