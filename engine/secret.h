/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Protection of pages that hold secrets by the operating system.
 */
#ifndef REPRISE_ENGINE_SECRET_H
#define REPRISE_ENGINE_SECRET_H

#include <stdbool.h>
#include <stddef.h>

size_t rp_page_bytes(void);

/* What has been done to some pages, to be undone. */
typedef struct rp_guard {
  char *begin;
  size_t bytes, locked; /* locked: from the front */
  bool undumped, wiped_on_fork;
} rp_guard;

/* Protects the pages that lie entirely inside the memory: they are left out of core dumps, are zero in a forked child
 * and, if `lock`, are locked against swapping as far as RLIMIT_MEMLOCK allows. A page is locked when it is first
 * touched; this call touches none. If the system does not support or refuses one of these, the others still apply. */
rp_guard rp_secret_guard(void *memory, size_t bytes, bool lock);
/* Undoes what rp_secret_guard did, before the memory is returned to its owner. Other settings of the pages stay;
 * settings of the same kinds that were made before the guard are lost. A zeroed guard does nothing. */
void rp_secret_release(rp_guard *guard);

#endif
