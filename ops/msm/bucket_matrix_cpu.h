/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CPU kernels of the bucket matrix that do not depend on a field (msm/bucket_matrix.c, msm/bucket_filter.c).
 */
#ifndef RP_CPU_BUCKET_MATRIX_H
#define RP_CPU_BUCKET_MATRIX_H

#include <reprise/kernel.h>

void rp_cpu_bucket_digits(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker);
void rp_cpu_bucket_histogram(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker);
void rp_cpu_bucket_scan(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker);
void rp_cpu_bucket_scatter(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker);
void rp_cpu_bucket_filter_count(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker);
void rp_cpu_bucket_filter_write(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker);

/* The first row whose start is not below `entry`, or `rows`. */
static inline uint32_t rp_bucket_first_row(const uint32_t *row_ptr, uint32_t rows, uint32_t entry) {
  uint32_t low = 0, high = rows;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (row_ptr[mid] < entry) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  return low;
}

#endif
