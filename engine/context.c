/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The context: where host memory comes from and where messages go.
 */
#include "core.h"
#include "fork.h"
#include "secret.h"

#include <stdio.h>
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

bool rp_options_read(void *ours, size_t our_bytes, const void *theirs) {
  const uint32_t ours_size = (uint32_t)our_bytes;
  uint32_t size = 0;
  if (!ours || our_bytes < sizeof ours_size) return false;
  memset(ours, 0, our_bytes);
  if (theirs) memcpy(&size, theirs, sizeof size);
  if (theirs && size < sizeof size) return false;
  if (theirs) memcpy(ours, theirs, size < our_bytes ? size : our_bytes);
  memcpy(ours, &ours_size, sizeof ours_size);
  return true;
}

bool rp_info_write(void *theirs, const void *ours, size_t our_bytes) {
  uint32_t size;
  if (!theirs || !ours) return false;
  memcpy(&size, theirs, sizeof size);
  if (size < sizeof size) return false;
  memcpy(theirs, ours, size < our_bytes ? size : our_bytes);
  memcpy(theirs, &size, sizeof size);
  return true;
}

rp_status rp_context_create(const rp_context_options *options, rp_context **context, rp_error *err) {
  rp_context_options o;
  if (!context) return rp_fail_null(err, "rp_context_create");
  *context = NULL;
  if (!rp_options_read(&o, sizeof o, options))
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
  atomic_init(&c->references, 1);
  pthread_mutex_init(&c->lock, NULL);
  c->here = rp_process_mark();
  *context = c;
  return RP_OK;
}

/* ---- Its end ----------------------------------------------------------------------------------------------------- */

void rp_left_text(const rp_left *left, uint32_t n_left, char *text, size_t bytes) {
  size_t at = 0;
  text[0] = 0;
  for (uint32_t i = 0; i < n_left && at < bytes; i++)
    if (left[i].n)
      at += (size_t)snprintf(text + at, bytes - at, "%s%u %s", at ? ", " : "", left[i].n,
                             left[i].n == 1 ? left[i].one : left[i].many);
}

static void left_of(const rp_context *c, char *text, size_t bytes) {
  const uint32_t all = atomic_load(&c->references), devices = atomic_load(&c->devices),
                 graphs = atomic_load(&c->graphs), known = 1 + devices + graphs;
  const rp_left left[] = {{devices, "device", "devices"},
                          {graphs, "graph", "graphs"},
                          {all > known ? all - known : 0, "other user", "other users"}};
  rp_left_text(left, 3, text, bytes);
}

static void free_context(rp_context *context) {
  rp_allocator a = context->allocator;
  if (!rp_context_is_forked(context)) pthread_mutex_destroy(&context->lock); /* else a thread may have held it */
  rp_process_unmark(context->here);
  a.free(a.user, context, sizeof *context);
}

rp_status rp_context_check(const rp_context *context, rp_error *err) {
  if (!context) return rp_fail_null(err, "rp_context_check");
  if (!rp_context_is_forked(context)) return RP_OK;
  return rp_fail(err, RP_ERR_STATE,
                 "the context belongs to process %ld, from which this one was forked without its threads and drivers: "
                 "create a context in this process",
                 (long)context->process);
}

void rp_context_retain(rp_context *context) {
  if (context) atomic_fetch_add(&context->references, 1);
}

void rp_context_release(rp_context *context) {
  if (context && atomic_fetch_sub(&context->references, 1) == 1) free_context(context);
}

void rp_context_destroy(rp_context *context) {
  if (!context) return;
  if (atomic_load(&context->references) > 1) {
    char left[160];
    left_of(context, left, sizeof left);
    rp_log(context, RP_LOG_WARNING, "a context is destroyed before what uses it: %s; it stays until the last is gone",
           left);
  }
  rp_context_release(context);
}

rp_status rp_context_try_destroy(rp_context *context, rp_error *err) {
  unsigned one = 1;
  if (!context) return RP_OK;
  if (!atomic_compare_exchange_strong(&context->references, &one, 0)) {
    char left[160];
    left_of(context, left, sizeof left);
    return rp_fail(err, RP_ERR_STATE, "the context is in use: %s; destroy these first", left);
  }
  free_context(context);
  return RP_OK;
}

/* ---- What all use ------------------------------------------------------------------------------------------------ */

void *rp_host_alloc(rp_context *context, size_t bytes, size_t align) {
  if (bytes == 0) bytes = 1;
  if (align < sizeof(void *)) align = sizeof(void *);
  return context->allocator.alloc(context->allocator.user, bytes, align);
}

void rp_host_free(rp_context *context, void *memory, size_t bytes) {
  if (memory) context->allocator.free(context->allocator.user, memory, bytes ? bytes : 1);
}

/* What lies before memory of rp_context_alloc, in the 64 bytes that keep it aligned. */
typedef struct owned {
  rp_context *context;
  size_t bytes; /* with these 64 */
} owned;

enum { OWNED_ALIGN = 64 };

void *rp_context_alloc(rp_context *context, size_t bytes) {
  if (!context || bytes > SIZE_MAX / 2) return NULL;
  const size_t all = bytes + OWNED_ALIGN;
  owned *o = rp_host_alloc(context, all, OWNED_ALIGN);
  if (!o) return NULL;
  memset(o, 0, all);
  *o = (owned){context, all};
  rp_context_retain(context);
  return (char *)o + OWNED_ALIGN;
}

void rp_context_free(void *memory) {
  if (!memory) return;
  owned *o = (owned *)(void *)((char *)memory - OWNED_ALIGN);
  rp_context *context = o->context;
  rp_host_free(context, o, o->bytes);
  rp_context_release(context);
}

uint64_t rp_now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
