/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_GRAPHS_INVERSE_INVERSE_H
#define REPRISE_GRAPHS_INVERSE_INVERSE_H

#include "job.h"

#include <reprise/inverse.h>

/* The arguments of a call, checked. */
typedef struct inverse_job {
  const rp_field_host *f;
  uint64_t n;
  uint32_t strict, constant_time;
} inverse_job;

/* The routes on the host. `in` may be `out`; mask may be NULL. RP_ERR_INPUT, with nothing written, for a zero that is
 * refused. */
rp_status inverse_elements(const inverse_job *job, const uint8_t *in, uint8_t *out, uint8_t *mask, rp_error *err);
rp_status inverse_chain(rp_context *context, const inverse_job *job, const uint8_t *in, uint8_t *out, uint8_t *mask,
                        rp_error *err);

#endif
