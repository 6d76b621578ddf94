/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Text that is passed to a caller's write function in pieces, and never held as a whole.
 */
#ifndef REPRISE_ENGINE_TEXT_H
#define REPRISE_ENGINE_TEXT_H

#include "core.h"

#define RP_TEXT_DOT_NAME 512u

typedef struct rp_text {
  rp_write_fn write;
  void *user;
  bool dot;     /* rp_text_escape writes for DOT, not for JSON */
  bool stopped; /* the caller's function asked to stop */
  uint64_t written;
  size_t used;
  char buffer[4096];
} rp_text;

void rp_text_open(rp_text *text, rp_write_fn write, void *user);
/* The same, for Graphviz. */
void rp_text_open_dot(rp_text *text, rp_write_fn write, void *user);
/* RP_ERR_CANCELLED if the caller stopped it. */
rp_status rp_text_close(rp_text *text, rp_error *err);
void rp_text_put(rp_text *text, const char *s);
void rp_text_format(rp_text *text, const char *format, ...) __attribute__((format(printf, 2, 3))); /* short pieces */
/* Writes any bytes as a JSON string with quotes; NULL gives null. Bytes that are not UTF-8 become U+FFFD, and so do
 * U+FFFE and U+FFFF, which XML does not allow. For DOT, whose labels are copied into SVG: control characters also
 * become U+FFFD, "&" is written as an entity, and long names are cut, because Graphviz refuses strings of more than 16
 * KiB; NULL gives the empty string. */
void rp_text_quote(rp_text *text, const char *s);
/* The same without the quotes, to build a string of several pieces, each valid UTF-8 by itself. For DOT each takes at
 * most RP_TEXT_DOT_NAME bytes. */
void rp_text_escape(rp_text *text, const char *s);
/* "12 B", "1.5 KiB". */
void rp_text_bytes(rp_text *text, uint64_t bytes);
/* "850 ns", "12.3 us". */
void rp_text_time(rp_text *text, uint64_t ns);

#endif
