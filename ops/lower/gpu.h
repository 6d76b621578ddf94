/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Lowerings for GPUs, and how their kernels are declared. A kernel names its source in shaders/ and its entry; without
 * the toolkit that compiles it the variant is missing, and the engine refuses it by name.
 */
#ifndef REPRISE_OPS_GPU_H
#define REPRISE_OPS_GPU_H

#include "kernel/kernels.h"
#include "lower/lower.h"

/* A kernel that knows no field. */
#define RP_GPU_KERNEL(source, entry, args_type, binds, block) \
  RP_GPU_KERNEL_GROUP(source, entry, args_type, binds, block, block)
/* The same with another number of threads where it is Vulkan's. */
#define RP_GPU_KERNEL_GROUP(source, entry, args_type, binds, block, vulkan_group)                                   \
  {                                                                                                                 \
    .name = #entry, .args_bytes = sizeof(args_type), .n_binds = (binds), RP_CUDA_VARIANT(source, #entry, block, 0), \
    RP_VULKAN_VARIANT(entry, vulkan_group)                                                                          \
  }
/* One of a table by field or curve. `shared` bytes of workgroup memory are CUDA's and go with `block` threads; Vulkan's
 * kernels say themselves what they take, and may have fewer threads. */
#define RP_GPU_KERNEL_SHARED(source, id, entry, args_type, binds, block, shared, vulkan_group)             \
  {                                                                                                        \
    .name = #entry "." #id, .args_bytes = sizeof(args_type), .n_binds = (binds),                           \
    RP_CUDA_VARIANT(source##_##id, #entry, block, shared), RP_VULKAN_VARIANT_OF(entry, id, (vulkan_group)) \
  }
#define RP_GPU_KERNEL_OF(source, id, entry, args_type, binds, block, shared) \
  RP_GPU_KERNEL_SHARED(source, id, entry, args_type, binds, block, shared, block)

/* One that only CUDA has. */
#define RP_CUDA_KERNEL_OF(source, id, entry, args_type, binds, block, shared)    \
  {                                                                              \
    .name = #entry "." #id, .args_bytes = sizeof(args_type), .n_binds = (binds), \
    RP_CUDA_VARIANT(source##_##id, #entry, block, shared)                        \
  }

/* Bytes of an accumulator point by base field, for shared memory. */
enum {
#define RP_GPU_FIELD_BYTES(NAME, name, bytes, limbs, degree) RP_GPU_BYTES_##NAME = bytes,
  RP_FIELD_LIST(RP_GPU_FIELD_BYTES)
#undef RP_GPU_FIELD_BYTES
};
#define RP_GPU_ACC_BYTES(base) (4 * RP_GPU_BYTES_##base)

/* Adds a dispatch of so many workgroups; the binds are the kernel's own number. */
void rp_gpu_dispatch(rp_lower *l, const rp_kernel *kernel, uint32_t x, uint32_t y, const void *args,
                     const rp_bind *binds);
/* Workgroups of `block` threads for n threads. */
static inline uint32_t rp_gpu_groups(uint64_t n, uint32_t block) { return (uint32_t)((n + block - 1) / block); }

/* value[i] = word */
void rp_gpu_fill(rp_lower *l, rp_value value, uint32_t word);
/* Exclusive prefix sum: out has one element more than in; copy (or RP_NO_VALUE) gets the prefixes again. */
void rp_gpu_scan(rp_lower *l, rp_value in, rp_value out, rp_value copy);
/* Stable sort of u32 keys below 2^bits: the keys in order, and for each the index it had. */
void rp_gpu_sort(rp_lower *l, rp_value keys, uint32_t bits, rp_value *sorted, rp_value *order);

struct rp_ell_args;
/* binds: those of sparse/csr_args.h's struct; row_ptr among them is written first. */
void rp_lower_ell_gpu(rp_lower *l, rp_value row_len, const struct rp_ell_args *args, const rp_bind *binds);
typedef struct rp_gpu_transpose_plan {
  rp_value row_ptr, col, val, out_row_ptr, out_col, out_val; /* without values val is col, out_val out_col */
  uint32_t rows, cols, size_bytes;                           /* of a value; 0: none */
} rp_gpu_transpose_plan;
void rp_lower_transpose_gpu(rp_lower *l, const rp_gpu_transpose_plan *plan);

/* Running products of input 0 into output 0. */
rp_status rp_lower_prefix_gpu(rp_lower *l, uint32_t exclusive);

/* Batch inversion of input 0 into output 0, the mask into output 1. No branch depends on an element but
 * the report of a strict zero. */
rp_status rp_lower_inverse_gpu(rp_lower *l, uint32_t strict, uint32_t has_mask);

typedef struct rp_gpu_matrix_plan {
  rp_curve curve;
  rp_value scalars, row_ptr, entries;
  uint32_t window_bits, windows, merged, sets, buckets;
} rp_gpu_matrix_plan;
rp_status rp_lower_matrix_gpu(rp_lower *l, const rp_gpu_matrix_plan *plan);
/* n: points that the matrix indexes before merging. */
rp_status rp_lower_filter_gpu(rp_lower *l, rp_value row_ptr, rp_value entries, rp_value support, uint32_t n,
                              rp_value out_row_ptr, rp_value out_entries);
/* sums in accumulator form */
rp_status rp_lower_accumulate_gpu(rp_lower *l, rp_curve curve, rp_value row_ptr, rp_value entries, rp_value points,
                                  rp_value sums);
rp_status rp_lower_reduce_gpu(rp_lower *l, rp_curve curve, rp_value sums, rp_value windows, uint32_t sets,
                              uint32_t buckets);
rp_status rp_lower_window_reduce_gpu(rp_lower *l, rp_curve curve, rp_value windows, rp_value result, uint32_t sets,
                                     uint32_t doublings);

/* binds: those of struct rp_spmv_args up to the error record. */
struct rp_spmv_args;
void rp_lower_spmv_gpu(rp_lower *l, const struct rp_spmv_args *matrix, const rp_bind binds[6]);

#endif
