/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "json_points.h"

#include <stdio.h>

char *json_with_wrong_point(const blob *text, const char *member) {
  char name[16], *json = malloc(text->bytes + 1);
  assert_non_null(json);
  memcpy(json, text->data, text->bytes);
  json[text->bytes] = 0;
  snprintf(name, sizeof name, "\"%s\": [", member);
  char *first = strchr(strstr(json, name) + strlen(name), '"') + 1, *end = strchr(first, '"');
  if (end - first > 1) {
    end[-1] = (char)(end[-1] == '0' ? '1' : end[-1] - 1);
    return json;
  }
  free(json);
  return NULL;
}
