/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A folder, a context, and a small graph with something of everything, for the tests of saved graphs.
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

/* Constants (three, two of them equal), a secret and a bindable input, scopes, parts that are computed again,
 * operations with many kinds of parameters. Free with rp_graph_destroy. */
rp_graph *small_graph(void);
/* Runs it, or what was loaded of it, on a CPU with inputs that are always the same; 64 bytes. */
void small_run(const rp_graph *graph, uint8_t out[64]);

uint8_t *read_whole(const char *path, size_t *size); /* of malloc */
void write_whole(const char *path, const void *data, size_t size);
rp_graph *load_good(const char *path, const rp_load_options *options);
/* Saves, and gives the file's bytes, of malloc. */
uint8_t *saved_bytes_of(const rp_graph *graph, size_t *size);

#endif
