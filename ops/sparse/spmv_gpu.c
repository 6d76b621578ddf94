/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sparse matrix times vector on GPUs, in equal shares of entries: the work of a thread depends neither on the longest
 * row nor on the longest run of empty rows.
 */
#include "lower/gpu.h"

#include "sparse/spmv_args.h"
#include "kernel_tables.h"

/* y = M x on GPUs, in equal shares of entries; all kernels take the same arguments.
 *   spmv_clear     one item per row. Zeroes rows without entries, checks row_ptr, empties the list of heavy rows.
 *   spmv_balanced  one item per `chunk` entries. Rows inside one chunk are finished. A row that is cut leaves partial
 *                  sums: partial[2 i] is that of a row which began before chunk i, partial[2 i + 1] that of one which
 *                  begins in chunk i and continues after it.
 *   spmv_join      one item per chunk. Adds up the row that begins in the chunk and continues after it. A row with more
 *                  than RP_GPU_SPMV_HEAVY further chunks goes to the list of heavy rows instead: heavy[0] is their
 *                  number, followed by the chunks in which they begin. After that list CUDA keeps one word per chunk:
 *                  the row that spmv_join adds up there.
 *   spmv_heavy     blocks take heavy rows in turn */

struct rp_gpu_spmv_args {
  RP_ADDR(void) y;
  RP_ADDR(const uint32_t) row_ptr;
  RP_ADDR(const uint32_t) col;
  RP_ADDR(const void) val;
  RP_ADDR(const void) x;
  RP_ADDR(void) error;
  RP_ADDR(void) partial;
  RP_ADDR(uint32_t) heavy;
  uint32_t rows, cols, nnz, chunk, site;
  uint32_t clear_from; /* CUDA: the workgroups of spmv_balanced from this one on do the work of spmv_clear */
};
RP_ARGS_SIZE(struct rp_gpu_spmv_args, 88);
#define RP_GPU_SPMV_HEAVY 32
#define RP_GPU_SPMV_CHUNK 16
#define RP_GPU_SPMV_SHORT 8   /* if elements have 8 bytes, or threads are few */
#define RP_GPU_SPMV_BLOCK 128 /* threads */
#define RP_GPU_SPMV_HEAVY_BLOCK 256

/* Longer chunks have fewer ends. Short ones are for matrices with fewer chunks than FULL threads per multiprocessor,
 * and for the smallest elements, whose products a CUDA workgroup keeps in shared memory. */
enum { BINDS = 8, FULL = 1024 };

void rp_lower_spmv_gpu(rp_lower *l, const struct rp_spmv_args *m, const rp_bind binds[6]) {
  const rp_field field = rp_lower_field(l, rp_lower_out(l, 0));
  const uint32_t workers = rp_lower_limits(l)->workers, at_once = workers * 4;
  const bool cuda = rp_lower_device(l) == RP_DEVICE_CUDA;
  const bool is_short = m->nnz / RP_GPU_SPMV_CHUNK < workers * FULL || rp_type_field(field)->size_bytes == 8;
  const uint32_t chunk = is_short ? RP_GPU_SPMV_SHORT : RP_GPU_SPMV_CHUNK;
  const uint32_t chunks = (uint32_t)(((uint64_t)m->nnz + chunk - 1) / chunk), most = chunks / RP_GPU_SPMV_HEAVY;
  const uint32_t chunk_groups = rp_gpu_groups(chunks, RP_GPU_SPMV_BLOCK),
                 row_groups = rp_gpu_groups(m->rows, RP_GPU_SPMV_BLOCK);
  const struct rp_gpu_spmv_args a = {
      .rows = m->rows, .cols = m->cols, .nnz = m->nnz, .chunk = chunk, .site = m->site, .clear_from = chunk_groups};
  const rp_value partial = rp_lower_scratch(l, "partial", rp_type_field(field), 2 * (uint64_t)chunks);
  const rp_value heavy = rp_lower_scratch(l, "heavy", &RP_TYPE_U32, (uint64_t)most + 1 + chunks);
  const rp_bind absent = rp_bind_optional(RP_NO_VALUE, RP_READ);
  rp_bind b[BINDS];
  for (int i = 0; i < 6; i++) b[i] = binds[i];
  b[6] = RP_BIND(partial, RP_WRITE), b[7] = RP_BIND(heavy, RP_WRITE);
  if (!cuda) {
    const rp_bind clear_binds[BINDS] = {b[0], b[1], absent, absent, absent, b[5], absent, b[7]};
    rp_gpu_dispatch(l, &rp_kernels_spmv_clear[field], row_groups, 1, &a, clear_binds);
    b[7] = absent;
  }
  rp_gpu_dispatch(l, &rp_kernels_spmv_balanced_gpu[field], chunk_groups + (cuda ? row_groups : 0), 1, &a, b);
  if (chunks < 2) return;
  for (int i = 2; i < 6; i++) b[i] = absent;
  b[0] = RP_BIND(rp_lower_out(l, 0), RP_READ_WRITE), b[6] = RP_BIND(partial, RP_READ);
  b[7] = RP_BIND(heavy, RP_READ_WRITE);
  rp_gpu_dispatch(l, &rp_kernels_spmv_join_gpu[field], chunk_groups, 1, &a, b);
  if (most == 0) return;
  b[7] = RP_BIND(heavy, RP_READ);
  rp_gpu_dispatch(l, &rp_kernels_spmv_heavy[field], most < at_once ? most : at_once, 1, &a, b);
}
