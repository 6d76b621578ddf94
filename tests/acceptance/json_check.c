/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * json_check < TEXT: exits with 0 if the text is one JSON value, with nothing behind it and no key twice in an object.
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
