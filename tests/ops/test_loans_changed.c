/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Inputs that a caller lends and changes while kernels of the CPU read them, one after another or one kernel twice: the
 * results mean nothing, but no index that follows from them leads out of its array. The change comes at a certain
 * place, the first access to a page that is protected until then.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <reprise/ops.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BEFORE = 256 }; /* bytes of the input that lie before the protected page */

/* The input, and what is written to its bytes before the page when somebody reads the page. */
static struct lent {
  uint8_t *map, *data;
  size_t page, pages;
  int byte;
  uint32_t changes;
} lent;

static void on_fault(int number, siginfo_t *info, void *context) {
  const uint8_t *at = info->si_addr;
  (void)context;
  if (at < lent.map + lent.page || at >= lent.map + (1 + lent.pages) * lent.page || lent.changes) {
    signal(number, SIG_DFL); /* it happens again, and ends the test */
    return;
  }
  memset(lent.data, lent.byte, BEFORE);
  lent.changes++;
  mprotect(lent.map + lent.page, lent.pages * lent.page, PROT_READ | PROT_WRITE);
}

/* Room for an input of that size. */
static void *lend_room(size_t bytes) {
  lent.page = (size_t)sysconf(_SC_PAGESIZE);
  lent.pages = (bytes - BEFORE + lent.page - 1) / lent.page;
  lent.map = mmap(NULL, (1 + lent.pages) * lent.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(lent.map != MAP_FAILED);
  return lent.data = lent.map + lent.page - BEFORE;
}

typedef struct place {
  rp_context *context;
  rp_device *device;
  rp_graph *graph;
} place;

static place open_place(void) {
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  place p;
  setenv("REPRISE_POISON", "1", 0); /* new memory is full of indices that lead nowhere */
  assert_int_equal(rp_context_create(NULL, &p.context, NULL), RP_OK);
  assert_int_equal(rp_device_open(p.context, &cpu, &p.device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(p.context, "loans", &p.graph, NULL), RP_OK);
  return p;
}

/* Runs the graph with the input lent, and checks the bucket matrix over n points. */
static void check_matrix(place *p, rp_value input, size_t bytes, const rp_buckets *b, uint64_t n, int byte) {
  const uint64_t rows = (uint64_t)b->windows * b->buckets;
  const struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
  struct sigaction before[2];
  rp_recording *r;
  rp_run *run;
  /* Copies of all that there is: entries are as many as a matrix has at most. */
  const rp_value row_ptr = rp_slice(p->graph, b->row_ptr, 0, rows + 1),
                 entries = rp_slice(p->graph, b->entries, 0, n * b->windows);
  rp_graph_output(p->graph, "row_ptr", row_ptr, 0);
  rp_graph_output(p->graph, "entries", entries, 0);
  rp_error err = {0};
  if (rp_record(p->device, p->graph, NULL, &r, &err) != RP_OK) fail_msg("%s", err.reason);
  assert_int_equal(rp_run_begin(r, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_lend_input(run, input, lent.data, bytes), RP_OK);
  lent.byte = byte, lent.changes = 0;
  assert_int_equal(mprotect(lent.map + lent.page, lent.pages * lent.page, PROT_NONE), 0);
  sigaction(SIGSEGV, &fault, &before[0]);
  sigaction(SIGBUS, &fault, &before[1]);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  sigaction(SIGSEGV, &before[0], NULL);
  sigaction(SIGBUS, &before[1], NULL);
  assert_int_equal(lent.changes, 1);
  const uint32_t *at = rp_run_output(run, row_ptr), *entry = rp_run_output(run, entries);
  for (uint64_t i = 0; i < rows; i++) assert_true(at[i] <= at[i + 1]);
  assert_true(at[rows] <= n * b->windows);
  for (uint64_t i = 0; i < at[rows]; i++) assert_true(entry[i] >> 1 < n);
  rp_run_end(run);
  rp_recording_destroy(r);
  rp_graph_destroy(p->graph);
  assert_int_equal(rp_device_try_close(p->device, NULL), RP_OK);
  assert_int_equal(rp_context_try_destroy(p->context, NULL), RP_OK);
  munmap(lent.map, (1 + lent.pages) * lent.page);
}

/* Scalars that are bits have digits of a special form, which are written after all of a block have been read. */
static void scalars_are_no_bits_any_more(void **state) {
  enum { N = 100, BYTES = 32 * N };
  place p = open_place();
  const rp_value x = rp_graph_input(p.graph, "x", &RP_TYPE_U256, N, RP_LENDABLE);
  const rp_buckets b = rp_bucket_matrix(
      p.graph, x,
      &(rp_bucket_options){.struct_size = sizeof(rp_bucket_options), .curve = RP_CURVE_BN254_G1, .window_bits = 8});
  uint8_t *scalars = lend_room(BYTES);
  (void)state;
  for (int i = 0; i < N; i++) scalars[32 * i] = 1;
  check_matrix(&p, x, BYTES, &b, N, 0x2f); /* below the order */
}

/* Points are counted, and fewer or more of them kept. */
static void check_support(int first, int then) {
  enum { N = 1 << 14, BYTES = N / 8 };
  place p = open_place();
  uint8_t *scalars = calloc(N, 32);
  for (int i = 0; i < N; i++) scalars[32 * i] = i < N / 5 ? 1 : 2; /* two rows, in the order of the support */
  const rp_value x = rp_graph_constant(p.graph, "x", &RP_TYPE_U256, N, scalars, 0);
  const rp_value support = rp_graph_input(p.graph, "support", &RP_TYPE_U32, BYTES / 4, RP_LENDABLE);
  const rp_buckets all = rp_bucket_matrix(
      p.graph, x,
      &(rp_bucket_options){.struct_size = sizeof(rp_bucket_options), .curve = RP_CURVE_BN254_G1, .window_bits = 8});
  const rp_buckets b = rp_bucket_filter(p.graph, &all, support);
  uint8_t *bits = lend_room(BYTES);
  memset(bits, first, BYTES);
  check_matrix(&p, support, BYTES, &b, N, then);
  free(scalars);
}

static void support_has_fewer_bits(void **state) {
  (void)state;
  check_support(0xff, 0);
}

static void support_has_more_bits(void **state) {
  (void)state;
  check_support(0, 0xff);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scalars_are_no_bits_any_more),
      cmocka_unit_test(support_has_fewer_bits),
      cmocka_unit_test(support_has_more_bits),
  };
  return cmocka_run_group_tests_name("loans_changed", tests, NULL, NULL);
}
