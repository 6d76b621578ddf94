/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text.h"

#include "cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void serve_put(support_text *text, const char *format, ...) {
  char part[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(part, sizeof part, format, args);
  va_end(args);
  support_put(text, part);
}

void serve_put_string(support_text *text, const char *string) {
  json_t *value = cli_json_text(string);
  char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
  if (quoted)
    support_put(text, quoted);
  else
    text->failed = 1;
  free(quoted);
  json_decref(value);
}

char *serve_text_end(support_text *text) {
  rp_error ignored;
  char *copy = NULL;
  if (support_put_end(text, &ignored) == RP_OK) copy = strndup(text->data ? text->data : "", text->length);
  free(text->data);
  *text = (support_text){0};
  return copy;
}
