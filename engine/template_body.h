/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What a template holds: for plan_begin.c, which plans the body, template.c, which derives the rest from that plan, and
 * template_call.c, which adds calls.
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
  rp_template *next; /* others of the calling plan, which owns them */
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
/* RP_ERR_UNSUPPORTED, with a reason: the body has no template. */
rp_status rp_template_refuse(const rp_call_what *what, const char *why, rp_error *err);

enum { RP_OTHER_SITE_BASE = 0x5a5a0000 };

/* What follows from t->plan, in this order. Each gives RP_ERR_MEMORY, or refuses the body. */

/* Finds where the values of the body are in a call. */
rp_status rp_template_find_places(rp_template *t, rp_error *err);
/* Finds the numbers of nodes in arguments by comparison with a second plan of the body, whose site_base is
 * RP_OTHER_SITE_BASE, and in whose arena it works. Not needed for a plan that uses no such numbers. */
rp_status rp_template_find_sites(rp_template *t, rp_plan *again, rp_error *err);
/* Makes the patterns of the dispatches. */
rp_status rp_template_make_patterns(rp_template *t, rp_error *err);

#endif
