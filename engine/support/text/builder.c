/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "builder.h"

#include "error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void support_put_bytes(support_text *text, const char *data, size_t length) {
  if (text->failed) return;
  if (text->capacity - text->length < length) {
    size_t capacity = text->capacity + text->capacity / 2 + length + 1024;
    char *grown = realloc(text->data, capacity);
    if (!grown) {
      text->failed = 1;
      return;
    }
    text->data = grown;
    text->capacity = capacity;
  }
  memcpy(text->data + text->length, data, length);
  text->length += length;
}

void support_put(support_text *text, const char *string) { support_put_bytes(text, string, strlen(string)); }

/* Each item is on its own line, indented by one blank per level. */
static void put_line(support_text *text, int depth) {
  static const char blanks[] = "\n        ";
  support_put_bytes(text, blanks, (size_t)depth + 1);
}

void support_put_item(support_text *text, bool first, int depth) {
  if (!first) support_put(text, ",");
  put_line(text, depth);
}

void support_put_close(support_text *text, const char *bracket, int depth) {
  put_line(text, depth);
  support_put(text, bracket);
}

void support_put_member(support_text *text, bool first, const char *name) {
  support_put_item(text, first, 1);
  support_put(text, "\"");
  support_put(text, name);
  support_put(text, "\": ");
}

void support_put_member_string(support_text *text, bool first, const char *name, const char *value) {
  support_put_member(text, first, name);
  support_put(text, "\"");
  support_put(text, value);
  support_put(text, "\"");
}

void support_put_member_count(support_text *text, bool first, const char *name, uint32_t count) {
  char digits[16];
  snprintf(digits, sizeof digits, "%" PRIu32, count);
  support_put_member(text, first, name);
  support_put(text, digits);
}

rp_status support_put_end(support_text *text, rp_error *err) {
  if (!text->failed) return RP_OK;
  free(text->data);
  *text = (support_text){0};
  return support_fail(err, RP_ERR_MEMORY, "Out of memory for a JSON text.");
}

rp_status support_text_give(rp_status status, support_text *from, char *to, size_t capacity, size_t *bytes,
                            rp_error *err) {
  if (status == RP_OK) {
    if (bytes) *bytes = from->length;
    if (!to || capacity <= from->length) {
      status = support_fail(err, RP_ERR_BUFFER_TOO_SMALL, "The text has %zu bytes and a NUL; there is room for %zu.",
                            from->length, capacity);
    } else {
      memcpy(to, from->data, from->length);
      to[from->length] = 0;
    }
  }
  free(from->data);
  return status;
}
