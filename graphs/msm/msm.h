/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_GRAPHS_MSM_MSM_H
#define REPRISE_GRAPHS_MSM_MSM_H

#include "job.h"

#include <reprise/msm.h>

enum { MSM_SCALAR_BYTES = 32, MSM_MOST_POINT_WORDS = 48 }; /* an accumulator of BLS12-381 G2 is the largest */

#endif
