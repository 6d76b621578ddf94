/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The context: where host memory comes from and where messages go.
 */
#include "core.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void *default_alloc(void *user, size_t bytes, size_t align) {
  (void)user;
  return aligned_alloc(align, rp_align_up(bytes, align));
}

static void default_free(void *user, void *memory, size_t bytes) {
  (void)user, (void)bytes;
  free(memory);
}

int rp_read_options(void *ours, size_t our_bytes, const void *theirs) {
  memset(ours, 0, our_bytes);
  if (!theirs) return 1;
  uint32_t size;
  memcpy(&size, theirs, sizeof size);
  if (size < sizeof size) return 0;
  memcpy(ours, theirs, size < our_bytes ? size : our_bytes);
  return 1;
}

rp_status rp_context_create(const rp_context_options *options, rp_context **context, rp_error *err) {
  rp_context_options o;
  if (!context) return rp_fail_null(err, "rp_context_create");
  *context = NULL;
  if (!rp_read_options(&o, sizeof o, options))
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_context_create: options.struct_size is not set");
  if (!o.allocator.alloc != !o.allocator.free)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_context_create: an allocator needs both alloc and free");
  if (!o.allocator.alloc) o.allocator = (rp_allocator){.alloc = default_alloc, .free = default_free};

  rp_context *c = o.allocator.alloc(o.allocator.user, sizeof *c, _Alignof(rp_context));
  if (!c) return rp_fail_memory(err, "a context");
  *c = (rp_context){.process = getpid(),
                    .allocator = o.allocator,
                    .log = o.log,
                    .log_user = o.log_user,
                    .log_level = o.log_level ? o.log_level : RP_LOG_WARNING};
  *context = c;
  return RP_OK;
}

void rp_context_destroy(rp_context *context) {
  if (!context) return;
  rp_allocator a = context->allocator;
  a.free(a.user, context, sizeof *context);
}

int rp_context_is_forked(const rp_context *context) { return context->process != getpid(); }

rp_status rp_context_check(const rp_context *context, rp_error *err) {
  if (!context) return rp_fail_null(err, "rp_context_check");
  if (!rp_context_is_forked(context)) return RP_OK;
  return rp_fail(err, RP_ERR_STATE,
                 "the context belongs to process %ld, from which this one was forked without its threads and drivers: "
                 "create a context in this process",
                 (long)context->process);
}

void *rp_host_alloc(rp_context *context, size_t bytes, size_t align) {
  if (bytes == 0) bytes = 1;
  if (align < sizeof(void *)) align = sizeof(void *);
  return context->allocator.alloc(context->allocator.user, bytes, align);
}

void rp_host_free(rp_context *context, void *memory, size_t bytes) {
  if (memory) context->allocator.free(context->allocator.user, memory, bytes ? bytes : 1);
}

uint64_t rp_now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
