/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The system may refuse any of these requests without harm to what is computed. The answers are kept only to undo what
 * was done.
 */
#include "secret.h"

#include "core.h"

#include <sys/mman.h>
#include <unistd.h>

size_t rp_page_bytes(void) {
  const long bytes = sysconf(_SC_PAGESIZE);
  return bytes > 0 ? (size_t)bytes : 4096;
}

typedef struct pages {
  char *begin;
  size_t bytes; /* 0: no page lies entirely inside the memory */
} pages;

static pages pages_in(void *memory, size_t bytes) {
  const uintptr_t page = rp_page_bytes(), from = (uintptr_t)memory, begin = rp_align_up(from, page);
  const uintptr_t end = (from + bytes) & ~(page - 1);
  return (pages){.begin = (char *)memory + (begin - from), .bytes = end > begin ? end - begin : 0};
}

/* Locks as many pages as possible from the front, halving the number until the system agrees: the limit is for the
 * whole process, and nothing tells how much of it is left. Returns the number of locked bytes. */
static size_t lock_pages(const pages *p, size_t page) {
  for (size_t n = p->bytes; n >= page; n = n / 2 / page * page)
    if (mlock2(p->begin, n, MLOCK_ONFAULT) == 0) return n;
  return 0;
}

rp_guard rp_secret_guard(void *memory, size_t bytes, bool lock) {
  const pages p = pages_in(memory, bytes);
  rp_guard g = {.begin = p.begin, .bytes = p.bytes};
  if (p.bytes == 0) return g;
  g.undumped = madvise(p.begin, p.bytes, MADV_DONTDUMP) == 0;
  g.wiped_on_fork = madvise(p.begin, p.bytes, MADV_WIPEONFORK) == 0; /* refused for shared memory */
  g.locked = lock ? lock_pages(&p, rp_page_bytes()) : 0;
  return g;
}

void rp_secret_release(rp_guard *guard) {
  if (guard->locked) (void)munlock(guard->begin, guard->locked);
  if (guard->wiped_on_fork) (void)madvise(guard->begin, guard->bytes, MADV_KEEPONFORK);
  if (guard->undumped) (void)madvise(guard->begin, guard->bytes, MADV_DODUMP);
  *guard = (rp_guard){0};
}

/* ---- Memory of the caller's own ---------------------------------------------------------------------------------- */

static size_t whole_pages(size_t bytes) {
  const size_t page = rp_page_bytes();
  return bytes > SIZE_MAX - page ? 0 : (bytes + page - 1) & ~(page - 1);
}

void *rp_secret_alloc(size_t bytes) {
  const size_t size = whole_pages(bytes);
  if (size == 0) return NULL;
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  (void)rp_secret_guard(memory, size, 1); /* unmapping undoes it */
  return memory;
}

void rp_secret_free(void *memory, size_t bytes) {
  if (!memory) return;
  explicit_bzero(memory, bytes);
  (void)munmap(memory, whole_pages(bytes)); /* fails only for what is not such a mapping, which the contract excludes */
}
