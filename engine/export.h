/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Graphs and recordings as JSON objects, which exports (inspect.h) and documents (view.h) contain.
 */
#ifndef REPRISE_ENGINE_EXPORT_H
#define REPRISE_ENGINE_EXPORT_H

#include "recording.h"
#include "text.h"

/* The object, without a line feed behind it. */
void rp_export_graph(rp_text *text, const rp_graph *graph);
void rp_export_recording(rp_text *text, const rp_recording *recording);

/* What the exports of a recording have in common. */
const char *rp_export_space(rp_space space);
extern const char *const rp_export_parts[2];
static inline const rp_plan_dispatch *rp_export_dispatch(const rp_plan *plan, int part, uint32_t step) {
  return &plan->parts[part].dispatches[plan->parts[part].dispatch_of[step]];
}

/* For DOT: the head of the drawing with its title, and the meaning of colours and lines. */
void rp_export_dot_head(rp_text *text, const char *name, const char *what, uint32_t count);
void rp_export_dot_legend(rp_text *text, bool recorded);
/* The name of an operation or kernel up to a full stop, in words: "bucket windows" of "bucket_windows". Returns what is
 * behind the full stop, or "". */
const char *rp_export_dot_words(rp_text *text, const char *name);

#endif
