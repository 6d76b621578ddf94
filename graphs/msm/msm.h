/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_GRAPHS_MSM_MSM_H
#define REPRISE_GRAPHS_MSM_MSM_H

#include <reprise/msm.h>

enum { MSM_SCALAR_BYTES = 32, MSM_MOST_POINT_WORDS = 48 }; /* an accumulator of BLS12-381 G2 is the largest */

/* Writes status and sentence to `err`, which may be NULL, and returns the status. */
rp_status msm_fail(rp_error *err, rp_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
