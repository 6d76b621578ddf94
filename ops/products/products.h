/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How many products of field elements a dispatch computes: the functions that the word products: of a kernel's line
 * names (scripts/cmake/RepriseKernels.cmake). Numbers are those of the method that the kernel uses, for random data.
 */
#ifndef REPRISE_OPS_PRODUCTS_H
#define REPRISE_OPS_PRODUCTS_H

#include <reprise/op.h>

/* X(name): the function rp_products_<name>, as rp_kernel.products. The formulas are in products.c. */
#define RP_PRODUCTS_LIST(X)                                                                        \
  X(none)                  /* it copies, adds, counts or compares */                               \
  X(per_result)            /* one for each element that is written */                              \
  X(two_per_result)        /* two of them */                                                       \
  X(three_per_result)      /* three of them */                                                     \
  X(per_operand)           /* one for each element that is read */                                 \
  X(coefficients)          /* one for each entry of a sparse matrix, which is bind 3 */            \
  X(ntt)                   /* layers of a transform, with struct rp_ntt_args */                    \
  X(expr_8)                /* products of a program, with struct rp_expr_8_args */                 \
  X(expr_32)               /* ... rp_expr_32_args */                                               \
  X(expr_256)              /* ... rp_expr_256_args */                                              \
  X(poly_join)             /* values of chunks of polynomials, with struct rp_poly_join_args */    \
  X(challenge)             /* rows of bytes, with struct rp_challenge_args */                      \
  X(rescue)                /* states or rows, with struct rp_hash_args */                          \
  X(rescue_circulant)      /* the same where the matrix takes no products */                       \
  X(poseidon)              /* as above */                                                          \
  X(poseidon2)             /* as above */                                                          \
  X(rescue_tree)           /* levels of a tree, with struct rp_merkle_args */                      \
  X(rescue_circulant_tree) /* as above */                                                          \
  X(poseidon_tree)         /* as above */                                                          \
  X(poseidon2_tree)        /* as above */                                                          \
  X(to_affine)             /* normalising accumulators with shared inversions */                   \
  X(point_add)             /* adding affine points with shared inversions */                       \
  X(tree)                  /* sums of points, bind 0, in a tree */                                 \
  X(scalar_mul)            /* windows of four bits */                                              \
  X(scalar_mul_glv)        /* the same of halves of scalars */                                     \
  X(accumulate)            /* sums of buckets, bind 3, of the points that entries, bind 1, name */ \
  X(bucket_sums)           /* running sums of buckets, bind 0 */                                   \
  X(combine)               /* one addition of accumulators for each element of bind 0 */           \
  X(fold)                  /* pairs of sums, bind 0, joined to windows */                          \
  X(windows)               /* windows joined to one point, with struct rp_window_reduce_args */    \
  X(base_table)            /* with struct rp_fixed_base_table_args */                              \
  X(base_mul)              /* with struct rp_fixed_base_mul_args */                                \
  X(multiples)             /* with struct rp_window_multiples_args */                              \
  X(eisenstein_multiples)  /* with struct rp_eisenstein_multiples_args */                          \
  X(few)                   /* a sum of few products, with struct rp_msm_small_args */              \
  X(check)                 /* the equation of a curve, with struct rp_point_check_args */

#define RP_PRODUCTS_DECLARE(name) double rp_products_##name(const rp_kernel_work *work, const char **field);
RP_PRODUCTS_LIST(RP_PRODUCTS_DECLARE)
#undef RP_PRODUCTS_DECLARE

#endif
