/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CPU kernels that know no field.
 */
#ifndef REPRISE_OPS_CPU_PLAIN_H
#define REPRISE_OPS_CPU_PLAIN_H

#include <reprise/op.h>

#define RP_PLAIN_KERNEL_LIST(X) \
  X(copy)                       \
  X(zero)                       \
  X(gather_elements)            \
  X(block_sums_u32)             \
  X(scan_u64)                   \
  X(offset_scan_u32)            \
  X(ell_compact)                \
  X(transpose_count)            \
  X(transpose_totals)           \
  X(transpose_scatter)

#define RP_PLAIN_KERNEL(name) \
  void rp_##name(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker);
RP_PLAIN_KERNEL_LIST(RP_PLAIN_KERNEL)
#undef RP_PLAIN_KERNEL

#endif
