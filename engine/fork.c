/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The process that a context belongs to.
 */
#include "fork.h"

#include "device.h"
#include "secret.h"

#include <sys/mman.h>
#include <unistd.h>

/* Process ids are reused, so a page that a child does not inherit is the reliable mark. */
volatile unsigned char *rp_process_mark(void) {
  const size_t bytes = rp_page_bytes();
  unsigned char *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return NULL;
  if (madvise(page, bytes, MADV_WIPEONFORK) != 0) {
    (void)munmap(page, bytes);
    return NULL;
  }
  *page = 1;
  return page;
}

void rp_process_unmark(volatile unsigned char *mark) {
  if (mark) (void)munmap((void *)mark, rp_page_bytes());
}

bool rp_context_is_forked(const rp_context *context) {
  return (context->here && !*context->here) || context->process != getpid();
}

bool rp_device_is_foreign(const rp_device *device) {
  return !device->backend->host_only && rp_context_is_forked(device->context);
}
