/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The tables of transforms that devices get in several parts: every element is the power that the definition asks for.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <reprise/ops.h>

#include "engine/device.h"

/* ---- A null device that keeps what is written to it, which several threads do at once ---------------------------- */

enum { WRITES_MOST = 4096 };

typedef struct written {
  uint64_t address, bytes, at; /* at: in `kept` */
} written;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *kept, *got;
static uint64_t kept_bytes, room;
static written writes[WRITES_MOST];
static uint32_t n_writes;

static rp_status keep(void *state, rp_memory *memory, uint64_t offset, const void *data, uint64_t bytes,
                      rp_error *err) {
  (void)state, (void)err;
  pthread_mutex_lock(&lock);
  const bool fits = bytes <= room - kept_bytes && n_writes < WRITES_MOST;
  if (fits) {
    memcpy(kept + kept_bytes, data, bytes);
    writes[n_writes++] = (written){memory->address + offset, bytes, kept_bytes};
    kept_bytes += bytes;
  }
  pthread_mutex_unlock(&lock);
  return fits ? RP_OK : RP_ERR_INTERNAL;
}

static int by_address(const void *a, const void *b) {
  const uint64_t x = ((const written *)a)->address, y = ((const written *)b)->address;
  return x < y ? -1 : x > y;
}

/* Puts what was written into the order of addresses. */
static void arrange(void) {
  uint64_t at = 0;
  qsort(writes, n_writes, sizeof *writes, by_address);
  for (uint32_t i = 0; i < n_writes; at += writes[i++].bytes) memcpy(got + at, kept + writes[i].at, writes[i].bytes);
}

/* ---- What is expected -------------------------------------------------------------------------------------------- */

static uint64_t reversed(uint64_t i, uint32_t bits) {
  uint64_t r = 0;
  for (uint32_t k = 0; k < bits; k++) r |= (i >> k & 1) << (bits - 1 - k);
  return r;
}

/* table[i] = start ratio^j, where j is i or its bits in reverse, one product after another. Returns where it ends. */
static uint8_t *powers(const rp_field_host *f, uint8_t *table, uint32_t log_len, const void *start, const void *ratio,
                       int is_reversed) {
  uint64_t power[12];
  memcpy(power, start, f->size_bytes);
  for (uint64_t j = 0; j < (uint64_t)1 << log_len; j++) {
    const uint64_t i = is_reversed ? reversed(j, log_len) : j;
    memcpy(table + i * f->size_bytes, power, f->size_bytes);
    f->mul(power, power, ratio);
  }
  return table + ((uint64_t)f->size_bytes << log_len);
}

static void check(rp_device *device, rp_context *context, rp_field field, rp_root root, uint32_t log_n, int inverse,
                  int is_reversed) {
  const rp_field_host *f = rp_field_get(field);
  const uint64_t n = (uint64_t)1 << log_n;
  uint64_t one[12], start[12], ratio[12];
  rp_recording *recording;
  rp_graph *g;
  room = (n + n / 2) * f->size_bytes;
  kept = malloc(room);
  got = malloc(room);
  uint8_t *want = malloc(room);
  assert_true(kept && got && want);
  kept_bytes = n_writes = 0;
  rp_ntt_options o = {.struct_size = sizeof o, .root = root, .inverse = (uint32_t)inverse, .coset = RP_COSET_ROOT_2N};
  *(inverse ? &o.out_order : &o.in_order) = is_reversed ? RP_ORDER_BIT_REVERSED : RP_ORDER_NATURAL;
  assert_int_equal(rp_graph_create(context, "tables", &g, NULL), RP_OK);
  rp_graph_output(g, "y", rp_ntt(g, rp_graph_input(g, "x", rp_type_field(field), n, 0), &o), 0);
  rp_error err = {0};
  if (rp_record(device, g, NULL, &recording, &err)) fail_msg("%s", err.reason);
  rp_recording_destroy(recording);
  rp_graph_destroy(g);

  f->one(one);
  f->one(start);
  assert_true(f->root(ratio, root, log_n));
  uint8_t *factors = powers(f, want, log_n - 1, one, ratio, 1);
  for (uint32_t i = 0; inverse && i < log_n; i++) f->add(start, start, start);
  if (inverse) f->inv(start, start);
  assert_true(f->root(ratio, root, log_n + 1));
  if (inverse) f->inv(ratio, ratio);
  assert_true(powers(f, factors, log_n, start, ratio, is_reversed) == want + room);
  assert_true(n_writes > 2);
  assert_int_equal(kept_bytes, room);
  arrange();
  const uint64_t first = (uint64_t)(factors - want), last = room - first; /* the tables may be in either order */
  if (memcmp(got, want, first) == 0) {
    assert_memory_equal(got + first, factors, last);
  } else {
    assert_memory_equal(got, factors, last);
    assert_memory_equal(got + last, want, first);
  }
  free(kept), free(got), free(want);
}

static void tables_in_parts(void **state) {
  static const struct {
    rp_field field;
    rp_root root;
    uint32_t log_n;
  } cases[] = {{RP_FIELD_BN254_FR, RP_ROOT_SNARKJS, 19},
               {RP_FIELD_GOLDILOCKS, RP_ROOT_SNARKJS, 21},
               {RP_FIELD_BABYBEAR, RP_ROOT_PLONKY3, 21}};
  const rp_device_options options = {.struct_size = sizeof options};
  rp_backend table = rp_backend_null;
  rp_context *context;
  rp_device *device;
  (void)state;
  table.memory_write = keep;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_device_open_with(context, &table, &options, &device, NULL), RP_OK);
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (int i = 0; i < 4; i++) check(device, context, cases[c].field, cases[c].root, cases[c].log_n, i & 1, i >> 1);
  rp_device_close(device);
  rp_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tables_in_parts)};
  return cmocka_run_group_tests_name("ntt tables", tests, NULL, NULL);
}
