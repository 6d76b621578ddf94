/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Pages that hold secrets: what the system is told about them.
 */
#ifndef REPRISE_ENGINE_SECRET_H
#define REPRISE_ENGINE_SECRET_H

#include <stddef.h>

size_t rp_page_bytes(void);

/* What was done to some pages. */
typedef struct rp_guard {
  char *begin;
  size_t bytes, locked; /* locked: from the front */
  int undumped, wiped_on_fork;
} rp_guard;

/* The pages that lie wholly in the memory: in no core dump, empty in a child of a fork and, if `lock`, locked against
 * swapping as far as RLIMIT_MEMLOCK allows, each page from its first touch on, so that nothing is touched here. Where
 * the system does not know one of these, or refuses it, the others hold. */
rp_guard rp_secret_guard(void *memory, size_t bytes, int lock);
/* Undoes what guarding did and nothing else, before the memory goes back to whoever gave it; of what had been asked for
 * these pages before, only that lasts which guarding does not ask for. Zeroed: nothing. */
void rp_secret_release(rp_guard *guard);

#endif
