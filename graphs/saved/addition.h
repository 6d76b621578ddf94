/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Saving the graph of a proving key with the rest of the key, in the section SAVED_KEY. rp_graph_load skips it.
 */
#ifndef REPRISE_SAVED_ADDITION_H
#define REPRISE_SAVED_ADDITION_H

#include "contents.h"

typedef struct saved_addition {
  /* Appends the section, when the contents of the graph's constants are known. Its first byte lies at a multiple of
   * SAVED_ALIGN in the file. */
  rp_status (*make)(const void *user, const rp_graph *graph, const saved_contents *contents, saved_bytes *section,
                    rp_error *err);
  const void *user;
} saved_addition;

/* As rp_graph_save; `addition` may be NULL. */
rp_status saved_graph_save(const rp_graph *graph, const char *path, const rp_save_options *options,
                           const saved_addition *addition, rp_error *err);

#endif
