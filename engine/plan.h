/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A plan: what the passes make of a graph for one device at one memory level. It is complete before any device memory
 * is allocated, and never changes after that.
 *
 * A plan has two parts: ONCE computes what depends on constants alone, when the recording is made or reloaded; RUN is
 * replayed. Both have dispatches, as they were lowered, and steps made from these, as the backend gets them.
 */
#ifndef REPRISE_ENGINE_PLAN_H
#define REPRISE_ENGINE_PLAN_H

#include "cost_table.h"
#include "device.h"
#include "graph.h"

/* ---- Values ------------------------------------------------------------------------------------------------------ */

typedef enum rp_origin {
  RP_ORIGIN_INPUT,    /* of the graph */
  RP_ORIGIN_GIVEN,    /* constant with the caller's data */
  RP_ORIGIN_FILLED,   /* constant that an op fills on the host */
  RP_ORIGIN_COMPUTED, /* output of a node */
  RP_ORIGIN_SCRATCH,  /* of a node */
  RP_ORIGIN_ERROR,    /* the error record */
  RP_ORIGIN_GUARD     /* the parameter words, among them the guards of dispatches */
} rp_origin;

/* Segment i of a value: elements [i * segment_len, (i + 1) * segment_len), placed on their own. */
typedef struct rp_segment {
  uint32_t block; /* of the plan */
  uint64_t offset, bytes;
} rp_segment;

typedef struct rp_plan_value {
  rp_origin origin;
  const rp_type *type;
  uint64_t len, bytes;
  const char *name;
  uint32_t node;       /* index of the node whose output, scratch or once value it is; or RP_NONE */
  uint32_t flags;      /* of an input, a constant or an output */
  const char *output;  /* name as an output */
  uint32_t fused_into; /* the fused node that computes it without storing it (fuse.c): it is not live; or RP_NONE */
  uint32_t same_as;    /* the equal value that replaces it (common.c): it is not live; or RP_NONE */
  uint32_t view_of;    /* the value in which it lies (views.c), from element view_first on; or RP_NONE */
  uint64_t view_first;
  bool in_place;   /* view_of is an operand or a result whose bytes it takes (in_place.c) */
  uint32_t reader; /* the last lowered node that has it as an input, or RP_NONE */
  bool secret, live;
  const void *data;                 /* given: on the host; or */
  const rp_constant_source *source; /* what reads it there */
  rp_fill_fn fill;                  /* filled, under the key `name`, by one of the two; the other is NULL */
  rp_fill_part_fn fill_part;
  const void *fill_user;
  bool in_part[2];         /* 1: some dispatch of the part touches it */
  bool written;            /* by a dispatch */
  uint32_t word;           /* parameter word of a bindable value, or RP_NONE */
  uint64_t staging_offset; /* inputs and outputs: bytes into the staging, or UINT64_MAX if they have none */
  bool any_address;        /* every dispatch that touches it takes it at any address */
  bool placed;
  rp_space space;
  uint64_t segment_len; /* elements, a power of two unless there is one segment */
  uint32_t n_segments;
  rp_segment *segments;
} rp_plan_value;

/* ---- Parts ------------------------------------------------------------------------------------------------------- */

enum { RP_PART_ONCE = 0, RP_PART_RUN = 1 };

typedef struct rp_touch {
  uint32_t value; /* index, not id: the value with memory that contains the one which the lowering has bound */
  uint32_t bound; /* index of the value that the lowering has bound */
  uint32_t access;
  uint32_t address;      /* of a dispatch: index of the address in the argument struct */
  uint64_t first, count; /* elements, resolved */
} rp_touch;

/* What a dispatch does (rp_pattern), as it was lowered. */
typedef struct rp_plan_pattern {
  rp_pattern step; /* for a dispatch of no call, the levels pass fills in its references */
  /* As many as the step has references, and one more for the guard where a dispatch has one. Of a body: `value` is the
   * index of a base, from which `first` counts. */
  const rp_touch *touches;
  /* Of a body: the dispatch of the body's plan that it stands for, and that plan. */
  const struct rp_plan *body;
  const struct rp_plan_dispatch *inner;
  uint32_t node; /* of a dispatch of no call, as rp_node_of tells */
} rp_plan_pattern;

/* Where a value of a body is in one call. */
typedef struct rp_plan_base {
  uint32_t value, bound; /* as in rp_touch */
  uint64_t first;
} rp_plan_base;

/* A call, whose dispatches follow each other. */
typedef struct rp_plan_call {
  rp_bases step; /* the levels pass fills in its bases */
  rp_plan_base *at;
  uint32_t n;
  uint32_t node;
} rp_plan_call;

typedef struct rp_plan_dispatch {
  const rp_plan_pattern *pattern;
  rp_plan_call *call; /* NULL: it is of no call */
} rp_plan_dispatch;

/* Its node in the plan; RP_NONE for the binding of a caller's buffer. */
static inline uint32_t rp_node_of(const rp_plan_dispatch *d) { return d->call ? d->call->node : d->pattern->node; }

/* Whether it runs only if the guard, which its last touch reads, is not 0. */
static inline bool rp_is_guarded(const rp_plan_dispatch *d) {
  return d->call ? d->call->step.guarded : d->pattern->step.guarded;
}

static inline uint32_t rp_n_touches(const rp_plan_dispatch *d) { return d->pattern->step.n_refs + rp_is_guarded(d); }

static inline rp_touch rp_touch_at(const rp_plan_dispatch *d, uint32_t i) {
  rp_touch touch = d->pattern->touches[i];
  if (!d->call) return touch;
  const rp_plan_base *base = &d->call->at[touch.value];
  touch.value = base->value;
  touch.bound = base->bound;
  touch.first += base->first;
  return touch;
}

/* The dispatches with which the lives of values begin and end, in ascending order: every other user of a value comes
 * after one of the first and before one of the last. */
typedef struct rp_lives {
  uint32_t *first_at, *last_at; /* per value, and one more: where its entries in `first`, `last` begin */
  uint32_t *first, *last;
} rp_lives;

/* How the values of an arena come to share bytes. */
typedef enum rp_sharing {
  RP_SHARE_AS_USUAL,  /* what suits the device and the memory level; the schedule pass replaces it */
  RP_SHARE_BY_ORDER,  /* where the order of the graph keeps their users apart, which adds no edge */
  RP_SHARE_BY_NUMBER, /* large values also where the numbers of their users do */
  RP_SHARE_BY_EPOCH   /* where the epochs of their users do */
} rp_sharing;

typedef struct rp_schedule {
  rp_sharing sharing;
  uint64_t cap_bytes; /* by epoch: what the values of one epoch may take; at least the peak of running one by one */
  bool by_model; /* by epoch: dispatches of long paths go first by the model's costs, also if there are measured ones */
} rp_schedule;

typedef struct rp_part {
  rp_plan_dispatch *dispatches; /* NULL in a recording, where steps have all of it (rp_dispatch_of) */
  uint32_t n_dispatches, cap_dispatches;
  uint64_t n_touches;   /* of all dispatches */
  struct rp_dag *order; /* of dispatches, by the values that they touch; any placement must respect it */
  rp_lives lives;       /* in the memory of `order` */
  rp_cost *costs;       /* per dispatch; in plan->passes, as all that is marked so */
  uint32_t *epoch;      /* per dispatch: the schedule, in which predecessors have smaller epochs; in passes */
  uint32_t *sequence;   /* the dispatches in an order in which they could run one after another; in passes */
  uint32_t n_epochs;
  const uint32_t
      *serial; /* what rp_flow_serial_order gives, kept while schedules under several caps are made; or NULL */
  uint64_t serial_bytes; /* its peak */
  /* Per dispatch: what it must wait for, after placement and reduction; earlier in `sequence`. In passes. */
  uint32_t **preds;
  uint32_t *n_preds, *level;
  uint32_t n_edges, n_levels;
  uint64_t alive_bytes;  /* no placement of the arena by the rule of the schedule takes less; 0: there was no bound */
  rp_step *steps;        /* sorted by level */
  uint32_t *epoch_of;    /* per step */
  uint32_t *dispatch_of; /* per step; in passes */
  rp_upload *uploads;    /* as in rp_program_desc */
  uint32_t n_uploads;
  rp_block *blocks;    /* as the program sees them */
  uint32_t *block_of;  /* per program block: block of the plan */
  uint32_t *index_of;  /* per block of the plan: program block, or RP_NONE */
  uint32_t parameters; /* program block */
  uint32_t n_blocks;
} rp_part;

/* The dispatch of a step. */
static inline rp_plan_dispatch rp_dispatch_of(const rp_part *part, uint32_t step) {
  const rp_step *s = &part->steps[step];
  return (rp_plan_dispatch){(const rp_plan_pattern *)s->pattern, (rp_plan_call *)s->call};
}

typedef struct rp_plan_block {
  rp_block block;
  uint32_t parts;       /* bit mask of the parts that use it */
  const void *borrowed; /* RP_SPACE_BORROWED */
} rp_plan_block;

typedef struct rp_plan_node {
  rp_node node;             /* a copy, since the graph may grow */
  const rp_value *given_in; /* its inputs in the graph; node.in has the values that replace them */
  bool live, once;
  bool elided; /* 1: its output, or each of its inputs, is a view, and it is not lowered */
  const rp_strategy *strategy;
  uint32_t condition; /* number of the one under which it runs, from 1 on; 0: it always runs */
} rp_plan_node;

/* A condition of the graph, by its number less 1. */
typedef struct rp_plan_condition {
  uint32_t number; /* itself; if it is ignored, the one around it that is not; 0: none */
  uint32_t value;  /* index */
  bool when;       /* nodes run if the value is not 0; else, if it is */
  uint32_t parent; /* number of the one around it; 0: none */
  uint32_t word;   /* parameter word that is its guard, once some dispatch has one; or RP_NONE */
  const char *path;
} rp_plan_condition;

typedef struct rp_template rp_template; /* template.h */

/* Numbers under which the kernels of a call report faults: from `first` on, those of the nodes of the body. */
typedef struct rp_sites {
  uint32_t first;
  uint32_t node; /* the call */
  const rp_template *of;
} rp_sites;

/* ---- The plan ---------------------------------------------------------------------------------------------------- */

typedef struct rp_plan {
  rp_context *context;
  rp_device *device;
  const rp_graph *graph; /* the caller's, expanded; referenced: names, parameters and constants live there */
  rp_record_options options;
  uint32_t memory_level;
  rp_schedule schedule;
  rp_arena passes;            /* what the passes from the schedule on need, and a recording does not (rp_plan_settle) */
  const rp_cost_table *costs; /* of the graph, as measured; NULL: the model's */
  uint32_t exact_steps;       /* RP_EXACT_STEPS (dag.h); tests lower it, to plan small graphs like large ones */
  rp_arena arena;
  rp_plan_node *nodes; /* as in the graph */
  uint32_t n_nodes;
  uint32_t *order; /* the live ones, in the order of lowering */
  uint32_t n_order;
  rp_plan_value *values; /* those of the graph by id - 1, the error record, and what lowering added */
  uint32_t n_values, cap_values, n_graph_values, error_value;
  uint32_t guard_value; /* RP_NONE if the graph has no conditions */
  rp_plan_condition *conditions;
  uint32_t n_conditions;
  uint32_t *inputs, *outputs; /* values, in the order of the calls that made them */
  uint32_t n_inputs, n_outputs;
  rp_names names; /* filled constants by key */
  rp_part parts[2];
  rp_plan_block *blocks;
  uint32_t n_blocks, cap_blocks;
  rp_template *templates;
  rp_sites *sites; /* ascending; the numbers below n_nodes are those of the nodes */
  uint32_t n_site_ranges, cap_site_ranges, n_sites;
  uint32_t site_base; /* what is added to all of them */
  bool uses_sites;    /* some arguments have such a number */
  uint32_t n_words;   /* of the parameter block, after the error record */
  uint64_t input_bytes, output_bytes;
  rp_plan_info info;
  struct rp_pieces *pieces; /* of a group's plan, else NULL; rp_group_plan_destroy frees them (group/group.h) */
} rp_plan;

/* The usual plan of the first memory level, if it fits `available_bytes`, with constants that are there for another
 * recording, and the options' budget; else, of all plans that fit, the one that is predicted to be fastest (points.c).
 * RP_ERR_BUDGET: none fits, and *least, if not NULL, gets the figures of the smallest plan; *least is not written
 * otherwise. */
rp_status rp_plan_create(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                         uint64_t available_bytes, rp_plan **plan, rp_plan_info *least, rp_error *err);
/* The bytes of its constants that the device holds already for recordings that are in use or pinned (load.c). */
uint64_t rp_plan_bytes_there(rp_device *device, const rp_plan *plan);
/* The same in steps: rp_plan_begin expands the graph, copies its tables and runs no pass; rp_plan_finish computes the
 * figures after all passes have run, and frees what only passes need. rp_plan_count computes the figures alone. */
rp_status rp_plan_begin(rp_device *device, const rp_graph *graph, const rp_record_options *options,
                        uint32_t memory_level, rp_plan **plan, rp_error *err);
void rp_plan_finish(rp_plan *plan);
void rp_plan_count(rp_plan *plan);
/* Before it is recorded: frees what only plans need. */
rp_status rp_plan_settle(rp_plan *plan, rp_error *err);
void rp_plan_destroy(rp_plan *plan); /* without its pieces; NULL does nothing */
/* Describes one part for a backend. */
void rp_plan_program(const rp_plan *plan, int part, rp_program_desc *desc);

/* ---- Passes ------------------------------------------------------------------------------------------------------ */

typedef struct rp_text rp_text; /* text.h */

typedef struct rp_pass {
  const char *name;
  rp_status (*run)(rp_plan *plan, rp_error *err);
  void (*print)(const rp_plan *plan, rp_text *text); /* prints what the pass added */
} rp_pass;
extern const rp_pass rp_passes[]; /* in the order in which they run; name NULL ends the list */

rp_status rp_pass_check(rp_plan *plan, rp_error *err);
rp_status rp_pass_prune(rp_plan *plan, rp_error *err);
rp_status rp_pass_common(rp_plan *plan, rp_error *err);
rp_status rp_pass_order(rp_plan *plan, rp_error *err);
rp_status rp_pass_fuse(rp_plan *plan, rp_error *err);
rp_status rp_pass_views(rp_plan *plan, rp_error *err);
rp_status rp_pass_lower(rp_plan *plan, rp_error *err);
rp_status rp_pass_in_place(rp_plan *plan, rp_error *err);
rp_status rp_pass_lifetime(rp_plan *plan, rp_error *err);
rp_status rp_pass_schedule(rp_plan *plan, rp_error *err);
rp_status rp_pass_place(rp_plan *plan, rp_error *err);
rp_status rp_pass_hazards(rp_plan *plan, rp_error *err);
rp_status rp_pass_levels(rp_plan *plan, rp_error *err);
void rp_print_check(const rp_plan *plan, rp_text *text);
void rp_print_prune(const rp_plan *plan, rp_text *text);
void rp_print_common(const rp_plan *plan, rp_text *text);
void rp_print_order(const rp_plan *plan, rp_text *text);
void rp_print_fuse(const rp_plan *plan, rp_text *text);
void rp_print_views(const rp_plan *plan, rp_text *text);
void rp_print_lower(const rp_plan *plan, rp_text *text);
void rp_print_in_place(const rp_plan *plan, rp_text *text);
void rp_print_lifetime(const rp_plan *plan, rp_text *text);
void rp_print_schedule(const rp_plan *plan, rp_text *text);
void rp_print_place(const rp_plan *plan, rp_text *text);
void rp_print_hazards(const rp_plan *plan, rp_text *text);
void rp_print_levels(const rp_plan *plan, rp_text *text);
/* Prints to the context's log if its level is RP_LOG_DEBUG. */
void rp_pass_log(const rp_pass *pass, const rp_plan *plan);

/* ---- Helpers of the passes --------------------------------------------------------------------------------------- */

rp_status rp_plan_fail_memory(rp_error *err);
/* Adds a value and sets the lengths of its segments. Returns its index; RP_NONE when out of memory. */
uint32_t rp_plan_add_value(rp_plan *plan, const rp_plan_value *value);
/* Appends a dispatch to a part; 0 when out of memory. */
bool rp_part_add(rp_plan *plan, int part, const rp_plan_dispatch *dispatch);
/* The same with a pattern of its own, which is copied. */
bool rp_part_add_own(rp_plan *plan, int part, const rp_plan_pattern *pattern);
/* If *value is a view, *value becomes the value in whose memory its element *first lies, and *first the index there. */
void rp_plan_find(const rp_plan *plan, uint32_t *value, uint64_t *first);
/* Whether large values of an arena usually share bytes by the numbers of the dispatches that use them
 * (arena_place.c). */
bool rp_plan_shares_by_number(const rp_plan *plan);
/* How the values of a part's arena share bytes, by the plan's schedule. */
rp_sharing rp_plan_sharing(const rp_plan *plan, int part);
/* Whether condition `outer` holds in every run in which `inner` does; numbers, 0 holds always. */
bool rp_plan_implies(const rp_plan *plan, uint32_t inner, uint32_t outer);
/* Adds the dispatch that computes the guard of a condition, and those of the conditions around it, unless they are
 * there. */
rp_status rp_plan_add_guard(rp_plan *plan, uint32_t condition, rp_error *err);
/* What the cost of a dispatch depends on. The label of a dispatch of a call is made in the arena, NULL when out of
 * memory; without an arena it is that of the body. */
rp_cost_size rp_plan_size(const rp_plan *plan, const rp_plan_dispatch *dispatch, rp_arena *names);
/* Its full label: that of its pattern or, of a call, one in the arena; NULL when out of memory. */
const char *rp_plan_label(const rp_plan_dispatch *dispatch, rp_arena *names);
/* Per dispatch of the part that runs each time, what a run spends on it: nothing, if it is in the branch of a condition
 * that costs less than the other one. NULL when out of memory. */
const rp_cost *rp_plan_costs_of_run(const rp_plan *plan, rp_arena *arena);
/* The touch that reads the guard. */
rp_touch rp_plan_guard_touch(const rp_plan *plan, uint32_t condition);
/* The name of a value for messages, such as "prove/msm_a/digits". */
const char *rp_plan_value_name(const rp_plan *plan, uint32_t value, char *text, size_t bytes);

#endif
