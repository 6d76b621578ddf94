/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A folder, a context, and a small graph with parts of every kind, for the tests of saved graphs.
 */
#ifndef REPRISE_TESTS_SAVED_COMMON_H
#define REPRISE_TESTS_SAVED_COMMON_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <reprise/ops.h>
#include <reprise/save.h>

extern rp_context *the_context;

int common_open(void **state);
int common_close(void **state); /* also demands that nothing of the context is left */
/* The path of a file in the test's folder, which common_close empties. Valid until the fourth call after it. */
const char *path_of(const char *name);

/* Has constants (five, two of them equal), a secret and a bindable input, scopes, parts that are computed again, and
 * operations with many kinds of parameters. Free with rp_graph_destroy. */
rp_graph *small_graph(void);
/* Runs the small graph, or a loaded copy of it, on a CPU with inputs that are always the same. */
void small_run(const rp_graph *graph, uint8_t out[64]);
void small_replay(rp_recording *recording, uint8_t out[64]); /* the same with a recording of it */

uint8_t *read_whole(const char *path, size_t *size); /* free with free() */
void write_whole(const char *path, const void *data, size_t size);
rp_graph *load_good(const char *path, const rp_load_options *options);
/* Saves the graph and returns the file's bytes. Free with free(). */
uint8_t *saved_bytes_of(const rp_graph *graph, size_t *size);

#endif
