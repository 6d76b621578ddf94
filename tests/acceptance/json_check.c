/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * json_check < TEXT: exit code 0 if it is one JSON value (and nothing behind it) without a key that stands twice.
 */
#include <jansson.h>
#include <stdio.h>

int main(void) {
  json_error_t error;
  json_t *value = json_loadf(stdin, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
  if (!value) fprintf(stderr, "line %d: %s\n", error.line, error.text);
  json_decref(value);
  return value == NULL;
}
