/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * y = M x on GPUs in equal shares of non-zeros; every kernel takes the same arguments.
 *   spmv_clear     item: a row. Zeroes rows without entries, checks row_ptr, empties the list of heavy rows.
 *   spmv_balanced item: `chunk` non-zeros. A row inside one chunk is finished; of one that is cut, partial[2 i] gets
 *   the
 *                  part of a row that began before chunk i, partial[2 i + 1] that of one that begins in it and goes on.
 *   spmv_join      item: a chunk. Adds up the row that begins in it and goes on behind it; one with more than
 *                  RP_GPU_SPMV_HEAVY further chunks goes to the list: heavy[0] rows, then the chunks where they begin.
 *                  Behind that list CUDA keeps, a word a chunk, the row that it joins there.
 *   spmv_heavy     blocks: heavy rows, as many in turn as there are
 */
#ifndef REPRISE_ARGS_GPU_SPMV_H
#define REPRISE_ARGS_GPU_SPMV_H

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
  uint32_t clear_from; /* CUDA: spmv_balanced's workgroups from this one on do spmv_clear's work */
};
RP_ARGS_SIZE(struct rp_gpu_spmv_args, 88);
#define RP_GPU_SPMV_HEAVY 32
#define RP_GPU_SPMV_CHUNK 16
#define RP_GPU_SPMV_SHORT 8   /* where elements have 8 bytes, and where threads are few */
#define RP_GPU_SPMV_BLOCK 128 /* threads */
#define RP_GPU_SPMV_HEAVY_BLOCK 256

#endif
