/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_GRAPHS_MSM_MSM_H
#define REPRISE_GRAPHS_MSM_MSM_H

#include "job.h"

#include <reprise/msm.h>

#include <stdatomic.h>

enum { MSM_SCALAR_BYTES = 32, MSM_MOST_POINT_WORDS = 48 }; /* for an accumulator of BLS12-381 G2, the largest */

/* rp_msm_stream_run that can be cancelled: once *cancelled is not 0 (NULL: never), no more chunks are sent, those in
 * flight are asked to stop, and the status is RP_ERR_CANCELLED. */
rp_status msm_stream_run(const rp_msm_job *jobs, uint32_t n_jobs, const atomic_int *cancelled,
                         rp_msm_job_counters *counters, rp_error *err);

#endif
