/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>

void rp_text_open(rp_text *text, rp_write_fn write, void *user) {
  text->write = write;
  text->user = user;
  text->stopped = 0;
  text->used = 0;
}

static void flush(rp_text *text) {
  if (text->used && !text->stopped) text->stopped = text->write(text->user, text->buffer, text->used) != 0;
  text->used = 0;
}

rp_status rp_text_close(rp_text *text, rp_error *err) {
  flush(text);
  return text->stopped ? rp_fail(err, RP_ERR_CANCELLED, "writing was stopped by the caller") : RP_OK;
}

static void put_char(rp_text *text, char c) {
  if (text->used == sizeof text->buffer) flush(text);
  text->buffer[text->used++] = c;
}

void rp_text_put(rp_text *text, const char *s) {
  while (*s) put_char(text, *s++);
}

void rp_text_format(rp_text *text, const char *format, ...) {
  char piece[256];
  va_list args;
  va_start(args, format);
  vsnprintf(piece, sizeof piece, format, args);
  va_end(args);
  rp_text_put(text, piece);
}

void rp_text_escape(rp_text *text, const char *s) {
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\') put_char(text, '\\');
    if (c < 0x20)
      rp_text_format(text, "\\u%04x", c);
    else
      put_char(text, (char)c);
  }
}

void rp_text_quote(rp_text *text, const char *s) {
  if (!s) {
    rp_text_put(text, "null");
    return;
  }
  put_char(text, '"');
  rp_text_escape(text, s);
  put_char(text, '"');
}

static void put_scaled(rp_text *text, uint64_t x, uint64_t step, const char *const units[4]) {
  double value = (double)x;
  int u = 0;
  for (; value >= (double)step && u < 3; u++) value /= (double)step;
  if (u == 0)
    rp_text_format(text, "%llu %s", (unsigned long long)x, units[0]);
  else
    rp_text_format(text, "%.1f %s", value, units[u]);
}

void rp_text_bytes(rp_text *text, uint64_t bytes) {
  static const char *const units[4] = {"B", "KiB", "MiB", "GiB"};
  put_scaled(text, bytes, 1024, units);
}

void rp_text_time(rp_text *text, uint64_t ns) {
  static const char *const units[4] = {"ns", "us", "ms", "s"};
  put_scaled(text, ns, 1000, units);
}
