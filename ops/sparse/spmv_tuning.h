/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * From which rows on which scheme of a sparse product is best, a line a device: data, measured.
 */
#ifndef REPRISE_OPS_SPMV_TUNING_H
#define REPRISE_OPS_SPMV_TUNING_H

#include <reprise/ops.h>

/* CPU, tests/ops/bench_vectors with even rows of three: balanced costs 3 to 5% more than scalar, the price of finding
 * and joining cut rows, so it is for matrices whose heavy rows would leave one worker behind: from a variance of four
 * squared means on. A CPU has no lanes for the vector scheme, whose threshold tells long rows by name alone.
 *
 * CUDA, examples/tables on an H200 (docs/sources.md): one lane per row is best up to a mean of 16 and a ratio of
 * 0.25, one warp per row from a mean of 32; at a ratio of 1.75 balanced is the best or within 8% of it for every mean,
 * above it is nothing else. Vulkan on that H200, with 2^16 non-zeros: vector from a mean of 16 on. Matrices of that
 * size are too small for the ratio (docs/sources.md), which is CUDA's. */
static const rp_spmv_table rp_spmv_tables[RP_DEVICE_KIND_COUNT] = {
    [RP_DEVICE_CPU] = {64, 4}, [RP_DEVICE_NULL] = {64, 4}, [RP_DEVICE_CUDA] = {32, 1}, [RP_DEVICE_VULKAN] = {16, 1}};

#endif
