/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keeps the disk busy while data is checked and converted: a thread reads the file in order into the system's cache,
 * never further than a window ahead of the furthest read, so that a file larger than memory does not evict its own
 * pages. Order and content of what is read do not depend on it.
 */
#ifndef REPRISE_SUPPORT_READ_AHEAD_H
#define REPRISE_SUPPORT_READ_AHEAD_H

#include <stdint.h>

typedef struct support_read_ahead support_read_ahead;

/* Starts the thread. NULL if no thread can be started, or if the file is small; it is then read without reading
 * ahead. */
support_read_ahead *support_read_ahead_begin(const char *path, uint64_t size_bytes);
/* Says that the file has been read up to `offset`. May be called from any thread. NULL does nothing. */
void support_read_ahead_reached(support_read_ahead *ahead, uint64_t offset);
/* Ends the thread, wherever it is. NULL does nothing. */
void support_read_ahead_end(support_read_ahead *ahead);

#endif
