/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Graphs and recordings as JSON objects, which exports (inspect.h) and documents (view.h) contain.
 */
#ifndef REPRISE_ENGINE_EXPORT_H
#define REPRISE_ENGINE_EXPORT_H

#include "reasons.h"
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
static inline rp_plan_dispatch rp_export_dispatch(const rp_plan *plan, int part, uint32_t step) {
  return rp_dispatch_of(&plan->parts[part], step);
}
/* Why the step waits for a predecessor (rp_reasons_find). */
uint32_t rp_export_reasons(const rp_plan *plan, int part, uint32_t step, uint32_t pred, rp_reason *reasons,
                           uint32_t capacity);

/* The name of a step, in quotes. */
void rp_export_label(rp_text *text, const rp_step *step);

/* What documents and structs say of a step, except its slack, and of a value, except the steps that use it. */
rp_step_info rp_export_step(const rp_recording *recording, int part, uint32_t step);
rp_placement_info rp_export_value(const rp_plan *plan, uint32_t value);
/* For lists of structs: the first checks the arguments and clears *count, the second writes an entry. */
rp_status rp_export_check_list(const rp_recording *recording, const void *list, uint32_t capacity, uint32_t stride,
                               uint32_t *count, const char *function, rp_error *err);
void rp_export_entry(void *list, uint32_t index, uint32_t stride, const void *info, size_t bytes);

/* The operation's description of its parameters; "" if it has none. */
const char *rp_export_describe(const rp_node *node, char *text, size_t bytes);

/* The graph as DOT; false: out of memory. */
bool rp_export_graph_dot(rp_text *text, const rp_graph *graph);

/* For DOT: what a picture of a graph shows, in the arena. Lists are of indices and end with RP_NONE. */
typedef struct rp_drawing {
  /* Per scope its nodes in the order in which they were built, and the scopes in it, latest first. */
  uint32_t *first_node, *next_node, *first_scope, *next_scope;
  /* Phases that are alike are drawn once, as the latest of them. Per scope: as which one it is drawn (itself, if it is
   * drawn), the earliest that is drawn as this one, and their number; per node: the one in the phase that is drawn, or
   * RP_NONE. */
  uint32_t *drawn_as, *first_copy, *copies, *twin;
  /* Nodes with the same words in the same scope, which only one box reads, are one box, and so are nodes and their
   * twins. Per node: its box, which is a node of it, and the next node of the same box; a list begins with the box. */
  uint32_t *box, *next;
  uint32_t *readers; /* per node: if others read no other node of its scope, how often they read it; else 0 */
} rp_drawing;
bool rp_export_drawing(rp_arena *arena, const rp_graph *graph, rp_drawing *drawing);
bool rp_export_phases(rp_arena *arena, const rp_graph *graph, rp_drawing *drawing); /* the members up to `twin` */
/* Whether a value, by its index, is named in the box of the node that reads it, instead of having a line. */
bool rp_export_is_named(const rp_graph *graph, const rp_drawing *drawing, uint32_t value, uint32_t reader);

/* For DOT: the head of the drawing with its title, and the meaning of colours and lines. */
void rp_export_dot_head(rp_text *text, const char *name, const char *what, uint32_t count);
void rp_export_dot_legend(rp_text *text, bool recorded);
/* The name of an operation or kernel up to a full stop, in words: "bucket windows" of "bucket_windows". Returns what is
 * behind the full stop, or "". */
const char *rp_export_dot_words(rp_text *text, const char *name);

#endif
