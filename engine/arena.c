/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arenas and growing arrays, both from the context's allocator.
 */
#include "core.h"

#include <stdarg.h>
#include <stdio.h>

#define CHUNK_ALIGN 64u
#define CHUNK_BYTES 16384u

struct rp_chunk {
  rp_chunk *next;
  size_t bytes, used; /* both with this header */
};

void rp_arena_init(rp_arena *arena, rp_context *context) { *arena = (rp_arena){.context = context}; }

rp_arena_mark rp_arena_now(const rp_arena *arena) {
  return (rp_arena_mark){arena->chunks, arena->chunks ? arena->chunks->used : 0};
}

void rp_arena_rewind(rp_arena *arena, rp_arena_mark mark) {
  while (arena->chunks != mark.chunk) {
    rp_chunk *next = arena->chunks->next;
    arena->total_bytes -= arena->chunks->bytes;
    rp_host_free(arena->context, arena->chunks, arena->chunks->bytes);
    arena->chunks = next;
  }
  if (mark.chunk) mark.chunk->used = mark.used;
}

void rp_arena_free(rp_arena *arena) { rp_arena_rewind(arena, (rp_arena_mark){0}); }

void *rp_arena_alloc(rp_arena *arena, size_t bytes, size_t align) {
  rp_chunk *c = arena->chunks;
  if (bytes > SIZE_MAX / 2) return NULL;
  size_t at = c ? rp_align_up(c->used, align) : 0;
  if (!c || at > c->bytes || c->bytes - at < bytes) {
    size_t head = rp_align_up(sizeof(rp_chunk), CHUNK_ALIGN);
    size_t size = head + bytes > CHUNK_BYTES ? head + bytes : CHUNK_BYTES;
    rp_chunk *fresh = rp_host_alloc(arena->context, size, CHUNK_ALIGN);
    if (!fresh) return NULL;
    *fresh = (rp_chunk){.next = c, .bytes = size, .used = head};
    arena->chunks = c = fresh;
    arena->total_bytes += size;
    at = head;
  }
  void *p = (char *)c + at;
  c->used = at + bytes;
  memset(p, 0, bytes);
  return p;
}

void *rp_arena_array(rp_arena *arena, size_t n, size_t size) {
  if (size && n > SIZE_MAX / 2 / size) return NULL;
  return rp_arena_alloc(arena, n * size, _Alignof(max_align_t));
}

char *rp_arena_string(rp_arena *arena, const char *text) {
  size_t bytes = strlen(text) + 1;
  char *copy = rp_arena_alloc(arena, bytes, 1);
  if (copy) memcpy(copy, text, bytes);
  return copy;
}

char *rp_arena_path(rp_arena *arena, const char *folder, const char *name) {
  const size_t before = *folder ? strlen(folder) + 1 : 0, bytes = strlen(name) + 1;
  char *path = rp_arena_alloc(arena, before + bytes, 1);
  if (!path) return NULL;
  if (before) {
    memcpy(path, folder, before - 1);
    path[before - 1] = '/';
  }
  memcpy(path + before, name, bytes);
  return path;
}

char *rp_arena_format(rp_arena *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n < 0) return NULL;
  char *text = rp_arena_alloc(arena, (size_t)n + 1, 1);
  if (!text) return NULL;
  va_start(args, format);
  vsnprintf(text, (size_t)n + 1, format, args);
  va_end(args);
  return text;
}

bool rp_grow(rp_context *context, void **items, uint32_t *capacity, uint32_t n, size_t size) {
  if (n < *capacity) return 1;
  if (*capacity > UINT32_MAX / 4) return 0;
  uint32_t more = *capacity ? *capacity * 2 : 16;
  void *fresh = rp_host_alloc(context, more * size, _Alignof(max_align_t));
  if (!fresh) return 0;
  if (n) memcpy(fresh, *items, n * size);
  rp_grow_free(context, *items, *capacity, size);
  *items = fresh;
  *capacity = more;
  return 1;
}

void rp_grow_free(rp_context *context, void *items, uint32_t capacity, size_t size) {
  rp_host_free(context, items, capacity * size);
}
