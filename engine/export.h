/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Graphs and recordings as JSON objects, which exports (inspect.h) and documents (view.h) contain.
 */
#ifndef REPRISE_ENGINE_EXPORT_H
#define REPRISE_ENGINE_EXPORT_H

#include "recording.h"
#include "text.h"

#include <reprise/view.h>

/* The object, without a line feed behind it. */
void rp_export_graph(rp_text *text, const rp_graph *graph);
void rp_export_recording(rp_text *text, const rp_recording *recording);

/* For a node under a condition, by its number, the member "if" of its object in JSON. */
void rp_export_conditions(rp_text *text, const rp_graph *graph, uint32_t condition);

/* What the exports of a recording have in common. */
const char *rp_export_space(rp_space space);
extern const char *const rp_export_parts[2];
static inline const rp_plan_dispatch *rp_export_dispatch(const rp_plan *plan, int part, uint32_t step) {
  return &plan->parts[part].dispatches[plan->parts[part].dispatch_of[step]];
}

/* What documents and structs say of a step and of a value: without slack, and without the steps of the value. */
rp_step_info rp_export_step(const rp_recording *recording, int part, uint32_t step);
rp_placement_info rp_export_value(const rp_plan *plan, uint32_t value);
/* For lists of structs: checks the arguments and clears *count; and writes an entry. */
rp_status rp_export_check_list(const rp_recording *recording, const void *list, uint32_t capacity, uint32_t stride,
                               uint32_t *count, const char *function, rp_error *err);
void rp_export_entry(void *list, uint32_t index, uint32_t stride, const void *info, size_t bytes);

/* The operation's description of its parameters; "" if it has none. */
const char *rp_export_describe(const rp_node *node, char *text, size_t bytes);

/* For DOT: nodes with the same words in the same scope, which only one box reads, are one box. Per node: its box, which
 * is a node of it, and the next node of the same box; a list begins with the box and ends with RP_NONE. */
typedef struct rp_alike {
  uint32_t *box, *next;
} rp_alike;
bool rp_export_alike(rp_arena *arena, const rp_graph *graph, rp_alike *alike);

/* For DOT: the head of the drawing with its title, and the meaning of colours and lines. */
void rp_export_dot_head(rp_text *text, const char *name, const char *what, uint32_t count);
void rp_export_dot_legend(rp_text *text, bool recorded);
/* The name of an operation or kernel up to a full stop, in words: "bucket windows" of "bucket_windows". Returns what is
 * behind the full stop, or "". */
const char *rp_export_dot_words(rp_text *text, const char *name);

#endif
