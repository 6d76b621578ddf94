/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Growing texts, among them JSON as snarkjs writes it: JSON.stringify(value, null, 1).
 */
#ifndef REPRISE_SUPPORT_BUILDER_H
#define REPRISE_SUPPORT_BUILDER_H

#include <stdbool.h>

#include <reprise/reprise.h>

/* A growing text; all zero is an empty one. Free `data` with free(). */
typedef struct support_text {
  char *data; /* not NUL-terminated */
  size_t length, capacity;
  bool failed; /* out of memory; what is put afterwards is dropped */
} support_text;

void support_put(support_text *text, const char *string);
void support_put_bytes(support_text *text, const char *data, size_t length);
/* support_put_item writes what precedes an item of an array or object at this depth; support_put_close writes the
 * bracket after the last item. */
void support_put_item(support_text *text, bool first, int depth);
void support_put_close(support_text *text, const char *bracket, int depth);
/* Writes the name of a member of the outermost object; its value is to be put next. */
void support_put_member(support_text *text, bool first, const char *name);
void support_put_member_string(support_text *text, bool first, const char *name, const char *value);
void support_put_member_count(support_text *text, bool first, const char *name, uint32_t count);
/* RP_ERR_MEMORY if the text could not be written completely; it is then freed. */
rp_status support_put_end(support_text *text, rp_error *err);

/* Consumes a text whose writing gave `status`: copies it and a NUL to `to`, and always sets *bytes (may be NULL) to its
 * length. RP_ERR_BUFFER_TOO_SMALL if it does not fit. */
rp_status support_text_give(rp_status status, support_text *from, char *to, size_t capacity, size_t *bytes,
                            rp_error *err);

#endif
