/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * NVTX ranges: what a profiler (Nsight Systems) shows of recordings, nodes and runs. Without a profiler they cost the
 * test of a pointer. Each device has a domain of its own.
 */
#ifndef REPRISE_CUDA_RANGES_H
#define REPRISE_CUDA_RANGES_H

void *rp_cuda_ranges_open(void); /* returns a new domain, NULL if there is no profiler */
void rp_cuda_ranges_close(void *domain);
/* Ranges nest within a thread. `name` is copied by the profiler. */
void rp_cuda_range_push(void *domain, const char *name);
void rp_cuda_range_pop(void *domain);

#endif
