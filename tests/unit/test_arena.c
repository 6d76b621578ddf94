/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arenas against a list of what was taken from them: what is given out is zero, aligned and apart from the rest, and
 * the bytes that an arena says it has are those that the context's allocator gave it.
 */
#include "core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROUNDS = 200, PIECES = 60, MOST_BYTES = 9000 };

static size_t live_bytes;

static void *counted_alloc(void *user, size_t bytes, size_t align) {
  void *memory = aligned_alloc(align, (bytes + align - 1) / align * align);
  (void)user;
  if (!memory) return NULL;
  live_bytes += bytes;
  return memset(memory, 0xa5, bytes);
}

static void counted_free(void *user, void *memory, size_t bytes) {
  (void)user;
  live_bytes -= bytes;
  free(memory);
}

static uint64_t seed = 3;
static size_t below(size_t n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(seed >> 33) % n;
}

typedef struct piece {
  uint8_t *at, fill;
  size_t bytes;
  rp_arena_mark before;
} piece;

static void check(const piece *pieces, size_t n) {
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < pieces[i].bytes; k++)
      if (pieces[i].at[k] != pieces[i].fill) fail_msg("piece %zu of %zu was overwritten", i, n);
}

static void taken_and_given_back(void **state) {
  const rp_context_options options = {.struct_size = sizeof options, .allocator = {NULL, counted_alloc, counted_free}};
  rp_context *context;
  (void)state;
  assert_int_equal(rp_context_create(&options, &context, NULL), RP_OK);
  const size_t others = live_bytes;
  for (int round = 0; round < ROUNDS; round++) {
    piece pieces[PIECES];
    size_t n = 0;
    rp_arena arena;
    rp_arena_init(&arena, context);
    for (int step = 0; step < 2 * PIECES; step++) {
      if (n && (n == PIECES || below(8) == 0)) {
        n = below(n);
        rp_arena_rewind(&arena, pieces[n].before);
      }
      const size_t align = (size_t)1 << below(7), bytes = below(below(4) ? 100 : MOST_BYTES);
      piece *p = &pieces[n];
      *p = (piece){.before = rp_arena_now(&arena), .bytes = bytes, .fill = (uint8_t)(step + 1)};
      p->at = rp_arena_alloc(&arena, bytes, align);
      assert_int_equal((uintptr_t)p->at % align, 0);
      for (size_t k = 0; k < bytes; k++) assert_int_equal(p->at[k], 0);
      memset(p->at, p->fill, bytes);
      check(pieces, ++n);
      assert_int_equal(arena.total_bytes, live_bytes - others);
    }
    rp_arena_free(&arena);
    assert_int_equal(live_bytes, others);
  }
  rp_context_destroy(context);
  assert_int_equal(live_bytes, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(taken_and_given_back)};
  return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
