/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Growing texts, among them JSON as snarkjs writes it: JSON.stringify(value, null, 1).
 */
#ifndef REPRISE_SUPPORT_BUILDER_H
#define REPRISE_SUPPORT_BUILDER_H

#include <reprise/reprise.h>

/* A growing text; all zero is an empty one. Free `data` with free(). */
typedef struct g16_text {
  char *data; /* not NUL-terminated */
  size_t length, capacity;
  int failed; /* out of memory; what is put afterwards is dropped */
} g16_text;

void g16_put(g16_text *text, const char *string);
void g16_put_bytes(g16_text *text, const char *data, size_t length);
/* g16_put_item writes what precedes an item of an array or object at this depth; g16_put_close writes the bracket after
 * the last item. */
void g16_put_item(g16_text *text, int first, int depth);
void g16_put_close(g16_text *text, const char *bracket, int depth);
/* Writes the name of a member of the outermost object; its value is to be put next. */
void g16_put_member(g16_text *text, int first, const char *name);
void g16_put_member_string(g16_text *text, int first, const char *name, const char *value);
void g16_put_member_count(g16_text *text, int first, const char *name, uint32_t count);
/* RP_ERR_MEMORY if the text could not be written completely; it is then freed. */
rp_status g16_put_end(g16_text *text, rp_error *err);

/* Consumes a text whose writing gave `status`: copies it and a NUL to `to`, and always sets *bytes (may be NULL) to its
 * length. RP_ERR_BUFFER_TOO_SMALL if it does not fit. */
rp_status g16_text_give(rp_status status, g16_text *from, char *to, size_t capacity, size_t *bytes, rp_error *err);

#endif
