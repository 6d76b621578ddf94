/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What every file of the engine uses: the context, its allocator, arenas that draw on it, and growing arrays.
 */
#ifndef REPRISE_ENGINE_CORE_H
#define REPRISE_ENGINE_CORE_H

#include "backend.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/types.h>

struct rp_context {
  pid_t process; /* the process that created it */
  volatile unsigned char
      *here; /* a byte that is 1 in that process and 0 in a forked child; NULL if the system has no such pages */
  atomic_uint references; /* the creator's, those of devices and graphs, and those of rp_context_retain */
  atomic_uint devices, graphs;
  rp_allocator allocator;
  rp_log_fn log;
  void *log_user;
  rp_log_level log_level;
  pthread_mutex_t lock;          /* guards the member below */
  struct rp_vk_instance *vulkan; /* while it is used (backends/vulkan/instance.c), else NULL */
};

/* ---- Arenas: memory that is freed all at once -------------------------------------------------------------------- */

typedef struct rp_chunk rp_chunk;
typedef struct rp_arena {
  rp_context *context;
  rp_chunk *chunks;     /* latest first */
  uint64_t total_bytes; /* taken from the context's allocator */
} rp_arena;

void rp_arena_init(rp_arena *arena, rp_context *context);
void rp_arena_free(rp_arena *arena);
/* What an arena held at some time: rp_arena_rewind frees everything that was taken since. */
typedef struct rp_arena_mark {
  rp_chunk *chunk;
  size_t used;
} rp_arena_mark;
rp_arena_mark rp_arena_now(const rp_arena *arena);
void rp_arena_rewind(rp_arena *arena, rp_arena_mark mark);
/* Zeroed; NULL when out of memory. `align` is a power of two, at most 64. The memory never moves. */
void *rp_arena_alloc(rp_arena *arena, size_t bytes, size_t align);
/* The same for n objects; NULL when n * size overflows. */
void *rp_arena_array(rp_arena *arena, size_t n, size_t size);
char *rp_arena_string(rp_arena *arena, const char *text);
/* "FOLDER/NAME", or "NAME" if the folder is "". */
char *rp_arena_path(rp_arena *arena, const char *folder, const char *name);
char *rp_arena_format(rp_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- Growing arrays ---------------------------------------------------------------------------------------------- */

/* Makes room for one more element in an array from the context's allocator: *items has room for *capacity elements of
 * `size` bytes, n of which are used. 0, and no change, when out of memory. */
bool rp_grow(rp_context *context, void **items, uint32_t *capacity, uint32_t n, size_t size);
void rp_grow_free(rp_context *context, void *items, uint32_t capacity, size_t size);

/* ---- Small things ------------------------------------------------------------------------------------------------ */

/* Whether a struct of a caller, which begins with struct_size, is long enough to have the member. */
#define RP_HAS(object, member) \
  ((size_t)((const char *)(&(object)->member + 1) - (const char *)(object)) <= (object)->struct_size)

static inline uint64_t rp_align_up(uint64_t x, uint64_t align) { return (x + align - 1) & ~(align - 1); }

/* In ascending order; not stable. */
typedef int (*rp_compare_fn)(const void *a, const void *b);
void rp_sort(void *items, size_t n, size_t size, rp_compare_fn compare);

/* Writes "2 devices, 1 graph", for a message that says what is left; cut off if it does not fit. */
typedef struct rp_left {
  uint32_t n;
  const char *one, *many;
} rp_left;
void rp_left_text(const rp_left *left, uint32_t n_left, char *text, size_t bytes);

/* RP_ERR_MEMORY with the usual reason; `what` is a noun phrase. */
rp_status rp_fail_memory(rp_error *err, const char *what);
rp_status rp_fail_null(rp_error *err, const char *function);
#if defined(__clang_analyzer__) /* the analyzer cannot see that these return a failure; definitions use parentheses */
#define rp_fail(err, status, ...) (rp_fail(err, status, __VA_ARGS__), (status))
#define rp_fail_memory(err, what) (rp_fail_memory(err, what), RP_ERR_MEMORY)
#define rp_fail_null(err, function) (rp_fail_null(err, function), RP_ERR_ARGUMENT)
#endif

#endif
