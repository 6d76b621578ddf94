/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The thresholds between the schemes of a sparse product, one line per kind of device: measured data.
 */
#ifndef REPRISE_OPS_SPMV_TUNING_H
#define REPRISE_OPS_SPMV_TUNING_H

#include <reprise/ops.h>

/* CPU, tests/ops/bench_vectors with equal rows of three entries: balanced costs 3 to 5% more than scalar, the price of
 * finding and joining cut rows. It is for matrices whose heavy rows would keep one worker busy while others wait: from
 * a variance of four squared means on. A CPU runs the vector scheme as the scalar one; its threshold changes only the
 * name.
 *
 * CUDA, examples/tables on an H200 (docs/sources.md): one thread per row is best up to a mean of 16 and a ratio
 * (variance / mean^2) of 0.25, one warp per row from a mean of 32 on. At a ratio of 1.75, balanced is the best or
 * within 8% of it for every mean; above that it is always the best. Vulkan on that H200, with 2^16 entries: vector from
 * a mean of 16 on. Matrices of that size are too small to measure the ratio (docs/sources.md): it is that of CUDA. */
static const rp_spmv_table rp_spmv_tables[RP_DEVICE_KIND_COUNT] = {
    [RP_DEVICE_CPU] = {64, 4}, [RP_DEVICE_NULL] = {64, 4}, [RP_DEVICE_CUDA] = {32, 1}, [RP_DEVICE_VULKAN] = {16, 1}};

#endif
