/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a template holds: for template.c, which makes it, and template_call.c, which adds calls.
 */
#ifndef REPRISE_ENGINE_TEMPLATE_BODY_H
#define REPRISE_ENGINE_TEMPLATE_BODY_H

#include "template.h"

typedef enum rp_spot_kind { AT_NOTHING, AT_OPERAND, AT_RESULT, AT_FRAME, AT_FILLED, AT_ERROR } rp_spot_kind;

/* Where a value of the body is in a call. */
typedef struct rp_spot {
  rp_spot_kind kind;
  uint32_t index; /* of the operand or the result; filled: of the entry in `filled` */
} rp_spot;

/* A constant that an operation fills. */
typedef struct rp_filled {
  uint32_t inner, outer; /* the value of the body, and that of the calling plan; RP_NONE: there is none yet */
} rp_filled;

/* The bases of a call: these, then its operands, its results, and what is filled. */
enum { BASE_GUARD, BASE_FRAME, BASE_ERROR, BASES };

struct rp_template {
  rp_template *next;
  const rp_call_what *what;
  rp_plan *plan;
  rp_spot *spots; /* per value of that plan; all arrays are in its arena */
  uint64_t frame_bytes;
  rp_filled *filled;
  uint32_t n_filled, n_bases;
  unsigned char *access; /* per base: how dispatches touch it */
  /* Where the arguments of dispatch i have numbers of nodes for faults: offsets patches[patch_at[i]] to
   * patches[patch_at[i + 1] - 1]. NULL: no kernel reports any. */
  uint32_t *patch_at, *patches;
  rp_plan_pattern *patterns; /* per dispatch */
};

static inline const rp_part *rp_template_part(const rp_template *t) { return &t->plan->parts[RP_PART_RUN]; }
const rp_template *rp_template_find(const rp_plan *plan, const rp_call_what *what); /* NULL: there is none */

#endif
