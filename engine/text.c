/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD in UTF-8 */

static void open_as(rp_text *text, rp_write_fn write, void *user, bool dot) {
  text->write = write;
  text->user = user;
  text->dot = dot;
  text->stopped = 0;
  text->written = 0;
  text->used = 0;
}

void rp_text_open(rp_text *text, rp_write_fn write, void *user) { open_as(text, write, user, 0); }
void rp_text_open_dot(rp_text *text, rp_write_fn write, void *user) { open_as(text, write, user, 1); }

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
  text->written++;
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

/* The length in bytes, 1 to 4, of the character with which `s` begins; 0 if the bytes are not well-formed UTF-8 by
 * table 3-7 of the Unicode Standard, which excludes surrogates, overlong forms, and everything above U+10FFFF. */
static int utf8_length(const unsigned char *s) {
  static const struct {
    unsigned char first, last, low, high; /* range of the first byte; range of the second */
    int length;
  } forms[] = {{0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
               {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
               {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
    if (*s < forms[f].first || *s > forms[f].last) continue;
    if (forms[f].length > 1 && (s[1] < forms[f].low || s[1] > forms[f].high)) return 0;
    for (int i = 2; i < forms[f].length; i++)
      if ((s[i] & 0xc0) != 0x80) return 0; /* the NUL at the end is not one either */
    return forms[f].length;
  }
  return 0;
}

/* U+FFFE and U+FFFF. */
static bool is_no_character(const unsigned char *s) { return s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe; }

static void put_ascii(rp_text *text, char c) {
  const bool control = (unsigned char)c < 0x20 || c == 0x7f;
  if (c == '"' || c == '\\') put_char(text, '\\');
  if (control && text->dot)
    rp_text_put(text, REPLACEMENT);
  else if (control)
    rp_text_format(text, "\\u%04x", (unsigned char)c);
  else if (c == '&' && text->dot)
    rp_text_put(text, "&amp;");
  else
    put_char(text, c);
}

void rp_text_escape(rp_text *text, const char *s) {
  enum { MOST_OF_ONE = 6, ELLIPSIS = 3 }; /* largest number of bytes written for one character; bytes of the ellipsis */
  const uint64_t end = text->dot ? text->written + RP_TEXT_DOT_NAME - MOST_OF_ONE - ELLIPSIS : UINT64_MAX;
  while (*s) {
    if (text->written > end) {
      rp_text_put(text, "...");
      return;
    }
    const unsigned char *at = (const unsigned char *)s;
    const int length = utf8_length(at);
    if (length == 1)
      put_ascii(text, *s);
    else if (length == 0 || (length == 3 && is_no_character(at)))
      rp_text_put(text, REPLACEMENT);
    else
      for (int i = 0; i < length; i++) put_char(text, s[i]);
    s += length ? length : 1;
  }
}

void rp_text_quote(rp_text *text, const char *s) {
  if (!s && !text->dot) {
    rp_text_put(text, "null");
    return;
  }
  if (!s) s = "";
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
