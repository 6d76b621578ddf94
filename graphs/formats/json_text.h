/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A JSON text (RFC 8259) from a stranger, read where it stands. Nothing is allocated and nothing recurses: reading
 * takes no memory beyond the text and a few hundred bytes of stack, whatever the text holds, and time linear in its
 * length.
 *
 * Stricter than the RFC: arrays and objects lie at most G16_JSON_DEPTH deep, and the name of a member has no escapes,
 * so that two spellings of one name cannot mean different values to two readers.
 */
#ifndef REPRISE_FORMATS_JSON_TEXT_H
#define REPRISE_FORMATS_JSON_TEXT_H

#include <reprise/reprise.h>

enum { G16_JSON_DEPTH = 8 /* at most 32; a verification key takes 5 */ };

/* A value inside a text that g16_json_open has accepted: its first character, and the end of the whole text. It is used
 * as long as the text is. */
typedef struct g16_json {
  const char *at, *end;
} g16_json;

/* Checks the whole text and gives its value. RP_ERR_FORMAT with line, column and reason if it is not such a text.
 * `name` is what reasons call it. */
rp_status g16_json_open(const char *name, const char *text, size_t bytes, g16_json *root, rp_error *err);

/* '{', '[', '"', '0' for a number, 't', 'f' or 'n'. */
char g16_json_kind(g16_json value);

/* The characters of a string between its quotes, escapes as they stand, or those of a number. Not NUL-terminated. For
 * strings and numbers only. */
const char *g16_json_characters(g16_json value, size_t *n);
/* 1 if the value is a string with exactly these characters. */
int g16_json_is_string(g16_json value, const char *characters);

/* The items of an array: if (g16_json_first(array, &item)) do ... while (g16_json_next(&item)); 0 when there is none.
 * The argument of g16_json_next must be an item of an array. */
int g16_json_first(g16_json array, g16_json *item);
int g16_json_next(g16_json *item);
size_t g16_json_count(g16_json array);

/* How often an object has a member of this name; *value is the first one's, untouched if there is none. */
size_t g16_json_member(g16_json object, const char *name, g16_json *value);

#endif
