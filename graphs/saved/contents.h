/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The contents of constants: found once when a graph is saved, and brought into memory when it is loaded.
 */
#ifndef REPRISE_SAVED_CONTENTS_H
#define REPRISE_SAVED_CONTENTS_H

#include "format.h"

#include <reprise/save.h>

/* ---- Saving ------------------------------------------------------------------------------------------------------ */

typedef struct saved_content {
  const void *data;
  uint64_t size_bytes;
  uint64_t offset; /* in SAVED_DATA */
  bool copied;     /* loading: `data` is a copy that the graph keeps */
  uint8_t digest[SHA256_BYTES];
} saved_content;

typedef struct saved_contents {
  saved_content *items; /* all different, in the order of their first constants */
  uint32_t *of_value;   /* per value of the graph: which of them, if it is a constant that the caller gave */
  uint32_t n;
  uint64_t size_bytes; /* of SAVED_DATA */
} saved_contents;

rp_status saved_contents_find(const rp_graph *graph, saved_contents *c, rp_error *err);
void saved_contents_free(saved_contents *c);
/* Appends the section SAVED_CONSTANTS. */
void saved_contents_list(const saved_contents *c, saved_bytes *b);
rp_status saved_contents_write(const saved_contents *c, support_output *output, rp_error *err);

/* Which contents a constant with this data has: 1 plus the index; 0 if the graph has none. */
uint32_t saved_contents_at(const saved_contents *c, const rp_graph *graph, const void *data);

/* ---- Loading ----------------------------------------------------------------------------------------------------- */

/* What a graph keeps as long as it lives: the contents, in memory or in a mapped file. */
typedef struct saved_memory {
  support_file *file; /* mapped; or NULL */
  void *memory;
} saved_memory;
void saved_memory_release(void *memory); /* an rp_graph_keep callback; NULL is accepted */

typedef struct saved_source {
  rp_context *context;
  const saved_container *container; /* of the graph */
  const char *path;                 /* of the graph; NULL: it is in memory */
  const rp_load_options *options;
  const char *beside; /* name of the second file, or NULL */
  uint64_t beside_bytes;
} saved_source;

/* The list of the section SAVED_CONSTANTS: *items, of malloc, is the caller's, also after a failure, and has no data
 * yet. *data_bytes is the length that SAVED_DATA must have. */
rp_status saved_contents_read_list(const saved_container *c, const uint8_t *section, saved_content **items, uint32_t *n,
                                   uint64_t *data_bytes, rp_error *err);
/* RP_ERR_FORMAT unless there are zeros between contents, whose data is at data + offset. */
rp_status saved_contents_check_gaps(const support_file *file, const uint8_t *data, const saved_content *items,
                                    uint64_t first, uint64_t n, rp_error *err);

/* Where the contents are, from the section SAVED_CONSTANTS, and the contents themselves. *items, of malloc, and *memory
 * are the caller's. *n is 0, and both are NULL, if there are none. */
rp_status saved_contents_load(const saved_source *source, saved_content **items, uint32_t *n, saved_memory **memory,
                              rp_error *err);

#endif
