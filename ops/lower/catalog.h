/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The built-in operations: those that a saved graph may name. A new operation gets a line here.
 */
#ifndef REPRISE_OPS_CATALOG_H
#define REPRISE_OPS_CATALOG_H

#include <reprise/schema.h>

/* X(name): the operation is the object rp_op_<name>, and its name is "<name>". In the order of the folders. */
#define RP_OP_LIST(X)  \
  X(blake2b)           \
  X(hash_permute)      \
  X(hash_rows)         \
  X(keccak256)         \
  X(merkle_paths)      \
  X(merkle_tree)       \
  X(poseidon2)         \
  X(sha256)            \
  X(bucket_matrix)     \
  X(bucket_filter)     \
  X(bucket_range)      \
  X(bucket_accumulate) \
  X(bucket_reduce)     \
  X(bucket_windows)    \
  X(window_reduce)     \
  X(window_multiples)  \
  X(msm)               \
  X(msm_of)            \
  X(msm_scalars)       \
  X(msm_small)         \
  X(ntt)               \
  X(compress)          \
  X(fixed_base_mul)    \
  X(fixed_base_table)  \
  X(from_affine)       \
  X(point_add)         \
  X(point_check)       \
  X(point_neg)         \
  X(scalar_mul)        \
  X(to_affine)         \
  X(tree_reduce)       \
  X(csr_transpose)     \
  X(ell_to_csr)        \
  X(spmv)              \
  X(add)               \
  X(batch_inverse)     \
  X(challenge)         \
  X(concat)            \
  X(expr)              \
  X(from_bytes)        \
  X(from_canonical)    \
  X(gather)            \
  X(mul)               \
  X(mul_powers)        \
  X(mul_sub)           \
  X(neg)               \
  X(pad)               \
  X(point_coordinates) \
  X(poly_divide)       \
  X(poly_eval)         \
  X(powers)            \
  X(prefix_product)    \
  X(prefix_sum)        \
  X(product)           \
  X(select)            \
  X(slice)             \
  X(slice_at)          \
  X(sub)               \
  X(sum)               \
  X(to_bytes)          \
  X(to_canonical)

#define RP_OP_DECLARE(name) extern const rp_op rp_op_##name;
RP_OP_LIST(RP_OP_DECLARE)
#undef RP_OP_DECLARE

#endif
