/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * All that the system is asked for here may be refused without harm to what is computed, so that no answer is looked at
 * but that of mlock2, which says how much is too much.
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
  size_t bytes; /* 0: the memory holds no page wholly */
} pages;

static pages pages_in(void *memory, size_t bytes) {
  const uintptr_t page = rp_page_bytes(), from = (uintptr_t)memory, begin = rp_align_up(from, page);
  const uintptr_t end = (from + bytes) & ~(page - 1);
  return (pages){.begin = (char *)memory + (begin - from), .bytes = end > begin ? end - begin : 0};
}

/* The most of them, from the front, in steps of one half: the limit is the process's, and nothing tells what is left of
 * it. */
static void lock_pages(const pages *p, size_t page) {
  for (size_t n = p->bytes; n >= page; n = n / 2 / page * page)
    if (mlock2(p->begin, n, MLOCK_ONFAULT) == 0) return;
}

void rp_secret_guard(void *memory, size_t bytes, int lock) {
  const pages p = pages_in(memory, bytes);
  if (p.bytes == 0) return;
  (void)madvise(p.begin, p.bytes, MADV_DONTDUMP);
  (void)madvise(p.begin, p.bytes, MADV_WIPEONFORK); /* of private memory; shared memory is in children anyway */
  if (lock) lock_pages(&p, rp_page_bytes());
}

void rp_secret_release(void *memory, size_t bytes) {
  const pages p = pages_in(memory, bytes);
  if (p.bytes == 0) return;
  (void)munlock(p.begin, p.bytes);
  (void)madvise(p.begin, p.bytes, MADV_KEEPONFORK);
  (void)madvise(p.begin, p.bytes, MADV_DODUMP);
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
  rp_secret_guard(memory, size, 1);
  return memory;
}

void rp_secret_free(void *memory, size_t bytes) {
  if (!memory) return;
  explicit_bzero(memory, bytes);
  (void)munmap(memory, whole_pages(bytes)); /* fails for what is no mapping of this size, which the contract excludes */
}
