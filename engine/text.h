/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Text that goes to a caller's write function in pieces, and is never held whole.
 */
#ifndef REPRISE_ENGINE_TEXT_H
#define REPRISE_ENGINE_TEXT_H

#include "core.h"

typedef struct rp_text {
  rp_write_fn write;
  void *user;
  int stopped; /* the caller wanted no more */
  size_t used;
  char buffer[4096];
} rp_text;

void rp_text_open(rp_text *text, rp_write_fn write, void *user);
/* RP_ERR_CANCELLED if the caller stopped it. */
rp_status rp_text_close(rp_text *text, rp_error *err);
void rp_text_put(rp_text *text, const char *s);
void rp_text_format(rp_text *text, const char *format, ...) __attribute__((format(printf, 2, 3))); /* short pieces */
/* With quotes, escaped as JSON wants it; NULL gives null. DOT reads the same escapes. */
void rp_text_quote(rp_text *text, const char *s);
/* The same without the quotes: to build a longer string of several. */
void rp_text_escape(rp_text *text, const char *s);
/* "12 B", "1.5 KiB". */
void rp_text_bytes(rp_text *text, uint64_t bytes);
/* "850 ns", "12.3 us". */
void rp_text_time(rp_text *text, uint64_t ns);

#endif
