/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Building the graph that a file describes.
 */
#ifndef REPRISE_SAVED_BUILD_H
#define REPRISE_SAVED_BUILD_H

#include "contents.h"

#include <reprise/ops.h>

/* What is read from the file before the graph is built. */
typedef struct saved_text {
  const char *text; /* ends with NUL */
} saved_text;

typedef struct saved_ops {
  const rp_op *op;
  uint32_t version;
} saved_ops;

typedef struct saved_parts {
  const saved_container *container;
  uint8_t *section[SAVED_IDS]; /* of malloc; NULL: not read */
  char *characters;            /* of all strings, each with a NUL */
  saved_text *strings;
  const rp_type **types;
  saved_ops *ops;
  saved_content *contents;
  bool mapped; /* the contents are those of a mapped file, which others may write to */
  uint32_t n_strings, n_types, n_ops, n_contents;
} saved_parts;

/* Reads strings, types and operations, and finds the latter two in the catalogs. */
rp_status saved_parts_read(saved_parts *p, const rp_load_options *options, rp_error *err);
void saved_parts_free(saved_parts *p);
/* NULL if there is no such string. */
const char *saved_string(const saved_parts *p, uint32_t index);

/* Adds scopes, values, nodes and outputs to an empty graph, which keeps `memory` for its constants already. */
rp_status saved_build(const saved_parts *p, rp_graph *graph, rp_error *err);

/* A place in a section. Reading beyond its end gives zeros, and `failed` is set. */
typedef struct saved_cursor {
  const uint8_t *at;
  uint64_t left;
  bool failed;
} saved_cursor;

static inline saved_cursor saved_begin(const saved_parts *p, saved_id id) {
  return (saved_cursor){p->section[id], p->container->size_bytes[id], 0};
}
static inline const uint8_t *saved_take(saved_cursor *c, uint64_t bytes) {
  if (c->failed || bytes > c->left) {
    c->failed = 1;
    return NULL;
  }
  const uint8_t *at = c->at;
  c->at += bytes;
  c->left -= bytes;
  return at;
}
static inline uint32_t saved_take_u32(saved_cursor *c) {
  const uint8_t *at = saved_take(c, 4);
  return at ? g16_u32(at) : 0;
}
static inline uint64_t saved_take_u64(saved_cursor *c) {
  const uint8_t *at = saved_take(c, 8);
  return at ? g16_u64(at) : 0;
}

#endif
