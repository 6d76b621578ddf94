/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * y = M x on GPUs, in equal shares of entries; all kernels take the same arguments.
 *   spmv_clear     one item per row. Zeroes rows without entries, checks row_ptr, empties the list of heavy rows.
 *   spmv_balanced  one item per `chunk` entries. Rows inside one chunk are finished. A row that is cut leaves partial
 *                  sums: partial[2 i] is that of a row which began before chunk i, partial[2 i + 1] that of one which
 *                  begins in chunk i and continues after it.
 *   spmv_join      one item per chunk. Adds up the row that begins in the chunk and continues after it. A row with more
 *                  than RP_GPU_SPMV_HEAVY further chunks goes to the list of heavy rows instead: heavy[0] is their
 *                  number, followed by the chunks in which they begin. After that list CUDA keeps one word per chunk:
 *                  the row that spmv_join adds up there.
 *   spmv_heavy     blocks take heavy rows in turn
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
  uint32_t clear_from; /* CUDA: the workgroups of spmv_balanced from this one on do the work of spmv_clear */
};
RP_ARGS_SIZE(struct rp_gpu_spmv_args, 88);
#define RP_GPU_SPMV_HEAVY 32
#define RP_GPU_SPMV_CHUNK 16
#define RP_GPU_SPMV_SHORT 8   /* if elements have 8 bytes, or threads are few */
#define RP_GPU_SPMV_BLOCK 128 /* threads */
#define RP_GPU_SPMV_HEAVY_BLOCK 256

#endif
