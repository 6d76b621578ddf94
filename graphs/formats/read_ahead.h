/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keeps the disk busy while what has been read is checked and arranged: a thread walks over a file from its beginning
 * and touches what will be read soon, never further than a window ahead of the furthest read, so that a file larger
 * than memory does not push its own pages out. Order and content of what is read do not depend on it.
 */
#ifndef REPRISE_FORMATS_READ_AHEAD_H
#define REPRISE_FORMATS_READ_AHEAD_H

#include <stdint.h>

typedef struct g16_read_ahead g16_read_ahead;

/* Starts the thread. NULL where there is none to be had, and for a small file: it is read without. */
g16_read_ahead *g16_read_ahead_begin(const char *path, uint64_t size_bytes);
/* Somebody has read up to `offset`. Any thread. NULL: nothing. */
void g16_read_ahead_reached(g16_read_ahead *ahead, uint64_t offset);
/* Ends the thread, wherever it is. NULL: nothing. */
void g16_read_ahead_end(g16_read_ahead *ahead);

#endif
