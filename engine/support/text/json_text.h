/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A JSON text (RFC 8259) from an untrusted source, read in place. Nothing is allocated and nothing recurses: reading
 * takes a few hundred bytes of stack, whatever the text contains, and time linear in its length.
 *
 * Stricter than the RFC: arrays and objects are nested at most SUPPORT_JSON_DEPTH deep, and names of members have no
 * escapes, so that two readers cannot disagree about two spellings of one name.
 */
#ifndef REPRISE_SUPPORT_JSON_TEXT_H
#define REPRISE_SUPPORT_JSON_TEXT_H

#include <stdbool.h>
#include <reprise/reprise.h>

enum { SUPPORT_JSON_DEPTH = 8 /* at most 32; a verification key needs 5 */ };

/* A value inside a text that support_json_open has accepted: its first character, and the end of the whole text. Valid
 * as long as the text. */
typedef struct support_json {
  const char *at, *end;
} support_json;

/* Checks the whole text and gives its value. RP_ERR_FORMAT with line, column and reason if it is not valid. `name`
 * names the text in reasons. */
rp_status support_json_open(const char *name, const char *text, size_t bytes, support_json *root, rp_error *err);
/* support_json_open for a text of at most `limit` bytes. */
rp_status support_json_open_text(const char *name, const char *json, size_t bytes, size_t limit, support_json *root,
                                 rp_error *err);

/* '{', '[', '"', '0' for a number, 't', 'f' or 'n'. */
char support_json_kind(support_json value);

/* The characters of a string between its quotes, with escapes unchanged, or those of a number; for strings and numbers
 * only. Not NUL-terminated. */
const char *support_json_characters(support_json value, size_t *n);
/* Whether the value is a string with exactly these characters. */
bool support_json_is_string(support_json value, const char *characters);

/* Iterate over the items of an array: if (support_json_first(array, &item)) do ... while (support_json_next(&item)); 0
 * if there is no (further) item. The argument of support_json_next must be an item of an array. */
bool support_json_first(support_json array, support_json *item);
bool support_json_next(support_json *item);
size_t support_json_count(support_json array);

/* The number of members of an object with this name. *value becomes the value of the first one, and is not changed if
 * there is none. */
size_t support_json_member(support_json object, const char *name, support_json *value);

#endif
