/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 1: a graph, its recording and its runs as one document, for viewers and other tools. Calling rules:
 * reprise.h. The document is JSON; docs/view.md describes every member. A page that shows it is written by
 * rp_view_write (page.h).
 */
#ifndef REPRISE_VIEW_H
#define REPRISE_VIEW_H

#include <reprise/inspect.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the document. Members may be added within a version; it grows when a member changes its meaning or is
 * removed. */
#define RP_VIEW_VERSION 1

/* What a device can do at best, as ceilings beside what its dispatches did; rp_view_measure (page.h) fills it. */
enum { RP_VIEW_RATES = 16 };
typedef struct rp_view_rate {
  const char *field;     /* as kernels name it: "bn254_fr" */
  double products_per_s; /* multiplications in the field */
} rp_view_rate;
typedef struct rp_view_ceilings {
  uint32_t struct_size;
  uint32_t n_rates;
  double bytes_per_s;                /* read and written */
  rp_view_rate rates[RP_VIEW_RATES]; /* n_rates of them */
} rp_view_ceilings;

/* What to show. A zeroed structure with struct_size and one of `graph` and `recording` is complete. */
typedef struct rp_view_source {
  uint32_t struct_size;
  uint32_t n_runs;
  const char *label;                /* what distinguishes it from others, such as a commit or a budget; may be NULL */
  const rp_graph *graph;            /* shown alone if recording is NULL, else ignored */
  const rp_recording *recording;    /* with the graph as it was recorded; may be NULL */
  const rp_run *const *runs;        /* of this recording, each of which has finished; may be NULL if n_runs is 0 */
  const rp_view_ceilings *ceilings; /* of the recording's device; NULL: not measured */
  /* Further runs, as rp_view_run wrote them: for several in flight, which are not all held until the last has ended. */
  const char *const *kept;
  uint32_t n_kept;
} rp_view_source;

/* Writes the document: the graph as built, or if there is a recording, as it was expanded, with its dispatches: kernel,
 * grid, level, epoch and predicted cost, why each must wait for others, where values lie and for how long, and for each
 * run the times of dispatches and copies, slack and critical path. With a recording, the graph is planned again for
 * other budgets, so that the document says what a smaller one would change. No value of an array is in it. The graph
 * must not change during the call. RP_ERR_STATE: the recording was not made with RP_RECORD_PROFILE though there are
 * runs, or a run has not finished successfully. RP_ERR_ARGUMENT: a run of another recording, or more than RP_VIEW_RATES
 * rates. */
RP_API RP_CHECKED rp_status rp_view_data(const rp_view_source *source, rp_write_fn write, void *user, rp_error *err);

/* Writes one finished run of a recording that was made with RP_RECORD_PROFILE as an object of the document's list of
 * runs. RP_ERR_STATE as above. */
RP_API RP_CHECKED rp_status rp_view_run(const rp_run *run, rp_write_fn write, void *user, rp_error *err);

/* What the document says of each step of a recording, as structs: the same figures as in its list of steps. The order
 * is that of rp_recording_nodes, which gives name and times of the step with the same index. */
typedef struct rp_step_info {
  uint32_t struct_size;
  uint32_t once;             /* 1: of the part that runs when the recording is made */
  uint32_t step;             /* its number in its part */
  uint32_t node_id;          /* index of its node in the expanded graph; UINT32_MAX: it binds a caller's buffer */
  uint32_t level, epoch;     /* steps of one level are independent; the epoch in which the schedule has it */
  uint32_t n_preds, n_waits; /* steps that it waits for; entries of rp_view_waits */
  uint64_t read_bytes, written_bytes;
  uint64_t predicted_ns, median_ns; /* median_ns: after measured runs, else 0 */
  uint64_t slack_ns;                /* by predicted times: how much longer it could take without making a run longer; 0
                                       of the part that runs once */
  double products;                  /* of elements of `field` (rp_kernel.products); negative: they are not counted */
  const char *field;                /* the prime field in which it multiplies; NULL: none, or it is not known */
} rp_step_info;
/* Why a step waits for another. */
typedef enum rp_wait_kind {
  RP_WAIT_DATA = 0,  /* it reads what the other writes */
  RP_WAIT_ORDER = 1, /* both use the value, and it writes what the other reads or writes */
  RP_WAIT_MEMORY = 2 /* its value lies in bytes of the other's */
} rp_wait_kind;
typedef struct rp_wait_info {
  uint32_t struct_size;
  uint32_t pred;         /* the step that it waits for, of the same part */
  uint32_t kind;         /* rp_wait_kind */
  uint32_t value, other; /* ids of values: what it uses, and what the other uses */
} rp_wait_info;
/* Write at most `capacity` entries, [0].struct_size bytes apart, and always set *count to their number. `index`: of
 * rp_recording_nodes; RP_ERR_ARGUMENT if there is no such step. */
RP_API RP_CHECKED rp_status rp_view_steps(const rp_recording *recording, rp_step_info *steps, uint32_t capacity,
                                          uint32_t *count, rp_error *err);
/* What one step waits for, and why. */
RP_API RP_CHECKED rp_status rp_view_waits(const rp_recording *recording, uint32_t index, rp_wait_info *waits,
                                          uint32_t capacity, uint32_t *count, rp_error *err);

/* Where a value of a recording lies, and how long its bytes are its own. X(enumerator, value, word in the document) */
#define RP_PLACE_LIST(X)                                                                                             \
  X(RP_PLACE_NONE, 0, "none")           /* it has no memory: the node that reads it computes it on its way */        \
  X(RP_PLACE_CONSTANT, 1, "constant")   /* as long as the recording has memory: given, or computed of constants */   \
  X(RP_PLACE_BORROWED, 2, "borrowed")   /* a constant in the caller's memory (RP_BORROW) */                          \
  X(RP_PLACE_ONCE, 3, "once")           /* from its first step to its last, of those that run once */                \
  X(RP_PLACE_ARENA, 4, "arena")         /* from its first step to its last; others may lie there before and after */ \
  X(RP_PLACE_INPUT, 5, "input")         /* until the end of the run, for the copy of what was given */               \
  X(RP_PLACE_OUTPUT, 6, "output")       /* until the end of the run, for the copy to the staging */                  \
  X(RP_PLACE_EXCHANGE, 7, "exchange")   /* until the end of the run of a group, for its other devices */             \
  X(RP_PLACE_BOUND, 8, "bound")         /* in the buffer that the run binds */                                       \
  X(RP_PLACE_PARAMETER, 9, "parameter") /* until the end of the run: the record of faults */
typedef enum rp_place {
#define RP_PLACE_ENUM(name, value, text) name = value,
  RP_PLACE_LIST(RP_PLACE_ENUM)
#undef RP_PLACE_ENUM
} rp_place;

typedef struct rp_placement_info {
  uint32_t struct_size;
  uint32_t value; /* its id; values of the graph have the same id there */
  rp_place place;
  uint32_t of;         /* the id of the value in whose memory it lies; its own if it has memory, or none */
  uint64_t first;      /* from which element of that value on; 0 if it has memory */
  uint32_t in_place;   /* 1: it lies there because it takes the bytes of an operand or a result */
  uint32_t node_id;    /* index in the expanded graph of the node whose result or scratch it is; UINT32_MAX: of none */
  uint32_t fused_into; /* RP_PLACE_NONE: the node that computes it on its way; else UINT32_MAX */
  uint32_t scratch;    /* 1: of the node alone, no result */
  uint32_t secret;     /* 1: a secret input, or computed from one */
  const rp_type *type;
  uint64_t len, bytes;            /* elements, and all of them together */
  uint32_t n_segments;            /* entries of rp_view_segments; 0 if it has no memory of its own */
  uint32_t first_step, last_step; /* that touch it, also through values that lie in it: indices of rp_recording_nodes;
                                     UINT32_MAX: none does */
} rp_placement_info;
typedef struct rp_segment_info {
  uint32_t struct_size;
  uint32_t block;         /* one allocation, which several values share; index in the document's list of blocks */
  uint64_t offset, bytes; /* where the segment begins in the block, and how long it is */
} rp_segment_info;
/* What the steps of a node do together. */
typedef struct rp_work_info {
  uint32_t struct_size;
  uint32_t node_id;               /* index of the node in the expanded graph */
  uint32_t n_steps, n_once;       /* in a run; when the recording is made */
  uint32_t first_step, last_step; /* indices of rp_recording_nodes; other nodes may have steps between */
  uint64_t read_bytes, written_bytes, predicted_ns; /* sums over all of its steps */
  uint64_t median_ns;                               /* of those in a run, after measured runs; else 0 */
} rp_work_info;
/* As rp_view_steps: the values that have memory, lie in others or are fused, by growing id; and the nodes that have
 * steps, by growing index. */
RP_API RP_CHECKED rp_status rp_view_values(const rp_recording *recording, rp_placement_info *values, uint32_t capacity,
                                           uint32_t *count, rp_error *err);
RP_API RP_CHECKED rp_status rp_view_nodes(const rp_recording *recording, rp_work_info *nodes, uint32_t capacity,
                                          uint32_t *count, rp_error *err);
/* The memory of one value, in the order of its elements. RP_ERR_ARGUMENT: no value of the recording has this id. */
RP_API RP_CHECKED rp_status rp_view_segments(const rp_recording *recording, uint32_t value, rp_segment_info *segments,
                                             uint32_t capacity, uint32_t *count, rp_error *err);
/* The ids of the other values whose own memory has bytes in common with that of this one, at other times. `ids` is an
 * array of plain numbers. */
RP_API RP_CHECKED rp_status rp_view_shares(const rp_recording *recording, uint32_t value, uint32_t *ids,
                                           uint32_t capacity, uint32_t *count, rp_error *err);

/* What people call the part of the graph that a dispatch belongs to: the title of its outermost scope, or the name of
 * that scope if it has no title. `index` is the dispatch's index in rp_recording_nodes. In no scope, it is the title of
 * the graph. Never NULL; "" if the graph has no title either, or if the dispatch does not exist or belongs to no node.
 * Valid as long as the recording lives. */
RP_API const char *rp_view_phase(const rp_recording *recording, uint32_t index);

/* Gives the open scope, or the graph if no scope is open, a title in printf style, for people who look at it: "MSM of
 * H: 2^17 points, windows of 17 bits". The title replaces the name where the graph is shown, and changes nothing else:
 * it is not in node names, saved graphs and plans. At most 200 bytes of UTF-8; longer text is cut. A later call
 * replaces the title. */
RP_API void rp_scope_title(rp_graph *graph, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#ifdef __cplusplus
}
#endif
#endif
