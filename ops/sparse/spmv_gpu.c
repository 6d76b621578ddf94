/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrix times vector on GPUs in equal shares of non-zeros (sparse/spmv_gpu_args.h says what each launch does):
 * no thread's work grows with the longest row, nor with the longest run of empty ones.
 */
#include "lower/gpu.h"

#include "sparse/spmv_gpu_args.h"
#include "sparse/spmv_args.h"

/* Longer chunks have fewer ends; shorter ones are for matrices with fewer chunks than FULL threads a multiprocessor,
 * and for the smallest elements, whose products a CUDA workgroup keeps in shared memory. */
enum { BLOCK = 128, HEAVY_BLOCK = 256, BINDS = 8, FULL = 1024 };

#define DECLARE(NAME, id, bytes, limbs, degree) RP_CUDA_DECLARE(spmv_##id)
RP_FIELD_LIST(DECLARE)
#define KERNEL(id, entry, block) RP_GPU_KERNEL_OF(spmv, id, entry, struct rp_gpu_spmv_args, BINDS, block, 0)
#define CLEAR(NAME, id, bytes, limbs, degree)                         \
  [RP_FIELD_##NAME] = {.name = "spmv_clear." #id,                     \
                       .args_bytes = sizeof(struct rp_gpu_spmv_args), \
                       .n_binds = BINDS,                              \
                       RP_VULKAN_VARIANT_OF(spmv_clear, id, BLOCK)},
#define BALANCED(NAME, id, bytes, limbs, degree) [RP_FIELD_##NAME] = KERNEL(id, spmv_balanced, BLOCK),
#define JOIN(NAME, id, bytes, limbs, degree) [RP_FIELD_##NAME] = KERNEL(id, spmv_join, BLOCK),
#define HEAVY(NAME, id, bytes, limbs, degree) \
  [RP_FIELD_##NAME] = RP_GPU_KERNEL_SHARED(spmv, id, spmv_heavy, struct rp_gpu_spmv_args, BINDS, HEAVY_BLOCK, 0, BLOCK),
static const rp_kernel clear_kernels[RP_FIELD_COUNT] = {RP_FIELD_LIST(CLEAR)};
static const rp_kernel balanced_kernels[RP_FIELD_COUNT] = {RP_FIELD_LIST(BALANCED)};
static const rp_kernel join_kernels[RP_FIELD_COUNT] = {RP_FIELD_LIST(JOIN)};
static const rp_kernel heavy_kernels[RP_FIELD_COUNT] = {RP_FIELD_LIST(HEAVY)};

void rp_lower_spmv_gpu(rp_lower *l, const struct rp_spmv_args *m, const rp_bind binds[6]) {
  const rp_field field = rp_lower_field(l, rp_lower_out(l, 0));
  const uint32_t workers = rp_lower_limits(l)->workers, at_once = workers * 4;
  const int cuda = rp_lower_device(l) == RP_DEVICE_CUDA;
  const int is_short = m->nnz / RP_GPU_SPMV_CHUNK < workers * FULL || rp_type_field(field)->size_bytes == 8;
  const uint32_t chunk = is_short ? RP_GPU_SPMV_SHORT : RP_GPU_SPMV_CHUNK;
  const uint32_t chunks = (uint32_t)(((uint64_t)m->nnz + chunk - 1) / chunk), most = chunks / RP_GPU_SPMV_HEAVY;
  const uint32_t chunk_groups = rp_gpu_groups(chunks, BLOCK), row_groups = rp_gpu_groups(m->rows, BLOCK);
  const struct rp_gpu_spmv_args a = {
      .rows = m->rows, .cols = m->cols, .nnz = m->nnz, .chunk = chunk, .site = m->site, .clear_from = chunk_groups};
  const rp_value partial = rp_lower_scratch(l, "partial", rp_type_field(field), 2 * (uint64_t)chunks);
  const rp_value heavy = rp_lower_scratch(l, "heavy", &RP_TYPE_U32, (uint64_t)most + 1 + chunks);
  rp_bind b[BINDS];
  for (int i = 0; i < 6; i++) b[i] = binds[i];
  b[6] = RP_BIND(partial, RP_WRITE), b[7] = RP_BIND(heavy, RP_WRITE);
  if (!cuda) {
    rp_gpu_dispatch(l, &clear_kernels[field], row_groups, 1, &a, b);
    b[7] = RP_BIND(heavy, RP_READ);
  }
  rp_gpu_dispatch(l, &balanced_kernels[field], chunk_groups + (cuda ? row_groups : 0), 1, &a, b);
  if (chunks < 2) return;
  b[0] = RP_BIND(rp_lower_out(l, 0), RP_READ_WRITE), b[6] = RP_BIND(partial, RP_READ);
  b[7] = RP_BIND(heavy, RP_READ_WRITE);
  rp_gpu_dispatch(l, &join_kernels[field], chunk_groups, 1, &a, b);
  if (most == 0) return;
  b[7] = RP_BIND(heavy, RP_READ);
  rp_gpu_dispatch(l, &heavy_kernels[field], most < at_once ? most : at_once, 1, &a, b);
}
