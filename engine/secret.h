/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Pages that hold secrets: what the system is told about them.
 */
#ifndef REPRISE_ENGINE_SECRET_H
#define REPRISE_ENGINE_SECRET_H

#include <stddef.h>

size_t rp_page_bytes(void);

/* The pages that lie wholly in the memory: in no core dump, empty in a child of a fork and, if `lock`, locked against
 * swapping as far as RLIMIT_MEMLOCK allows, each page from its first touch on, so that nothing is touched here. Where
 * the system does not know one of these, or refuses it, the others hold. */
void rp_secret_guard(void *memory, size_t bytes, int lock);
/* Before the memory goes back to whoever gave it. */
void rp_secret_release(void *memory, size_t bytes);

#endif
