/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What programs of fuzz_graph.h build: in so many random ones, half of them the seeds with a few bytes changed, every
 * operation of the catalog is added to a graph again and again, without an error before it. An operation that the calls
 * cannot build would be fuzzed by name only.
 */
#include "fuzz_graph.h"
#include "fuzz_programs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { PROGRAMS = 200000, CALLS = 12, CHANGES = 4, LEAST = 3, MOST_OPS = 256 };
enum { PROGRAM_BYTES = 4 * CALLS, SEEDS = sizeof fuzz_programs / sizeof *fuzz_programs };

static uint32_t built[MOST_OPS];
static uint64_t state_of_random = 1;

static uint8_t random_byte(void) {
  state_of_random = state_of_random * 6364136223846793005u + 1442695040888963407u;
  return (uint8_t)(state_of_random >> 56);
}

static void make_program(int i, uint8_t program[PROGRAM_BYTES]) {
  for (size_t k = 0; k < PROGRAM_BYTES; k++) program[k] = random_byte();
  if (i & 1) return;
  const size_t bytes = sizeof fuzz_programs[0];
  memcpy(program, fuzz_programs[i / 2 % SEEDS], bytes);
  for (int k = random_byte() % CHANGES; k; k--) program[random_byte() % bytes] = random_byte();
}

static void count(const rp_graph *g) {
  const rp_catalog *catalog = rp_ops_catalog();
  for (uint32_t i = 0; i < rp_graph_n_nodes(g); i++) {
    rp_graph_node_info node = {.struct_size = sizeof node};
    assert_int_equal(rp_graph_get_node(g, i, &node, NULL), RP_OK);
    for (uint32_t op = 0; op < catalog->n_ops; op++) built[op] += catalog->ops[op] == node.op;
  }
}

static void every_operation_is_built(void **state) {
  const rp_catalog *catalog = rp_ops_catalog();
  rp_context *context;
  int missing = 0;
  (void)state;
  assert_true(catalog->n_ops <= MOST_OPS);
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  for (int i = 0; i < PROGRAMS; i++) {
    uint8_t program[PROGRAM_BYTES];
    builder b = {0};
    make_program(i, program);
    assert_int_equal(rp_graph_create(context, "program", &b.graph, NULL), RP_OK);
    fuzz_build(&b, program, sizeof program);
    count(b.graph);
    rp_graph_destroy(b.graph);
  }
  for (uint32_t op = 0; op < catalog->n_ops; op++) {
    if (getenv("REPRISE_TEST_VERBOSE")) print_message("%-18s %u\n", catalog->ops[op]->name, built[op]);
    if (built[op] >= LEAST) continue;
    print_error("%s is built %u times by %d programs: it needs examples in its schema, or a case in fuzz_graph_ops.c\n",
                catalog->ops[op]->name, built[op], PROGRAMS);
    missing++;
  }
  assert_int_equal(missing, 0);
  rp_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_operation_is_built)};
  return cmocka_run_group_tests_name("reach of the fuzzer", tests, NULL, NULL);
}
