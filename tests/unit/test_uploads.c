/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How the copies that bring up inputs are cut and ordered, for random inputs and paths: together they are the staging,
 * each byte once, and no input is split.
 */
#include "watch.h"

#include "plan.h"

#include <stdio.h>

enum { GRAPHS = 200, MOST_INPUTS = 40, MIB = 1 << 20 };

static uint64_t seed;

static uint64_t next(uint64_t below) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % below;
}

static uint64_t most_bytes; /* of an allocation */

static rp_status open_limited(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                              rp_error *err) {
  const rp_status status = rp_backend_null.open(context, options, state, info, err);
  info->limits.max_allocation_bytes = most_bytes;
  return status;
}

static void build(rp_graph *g, uint32_t n) {
  char name[16];
  for (uint32_t i = 0; i < n; i++) {
    snprintf(name, sizeof name, "in%u", i);
    const uint64_t around = next(2) ? MIB / 8 - 2 + next(5) : 1 + next(MIB / 2); /* elements; 1 MiB, or any */
    rp_value x = rp_graph_input(g, name, &toy_u64, around, 0);
    x = toy_scale(g, x, 9);
    if (next(2)) { /* a second path, which may be the shorter one */
      snprintf(name, sizeof name, "side%u", i);
      rp_graph_output(g, name, toy_sum(g, x), 0);
      snprintf(name, sizeof name, "in%u", i);
    }
    for (uint64_t k = next(8); k > 0; k--) x = toy_scale(g, x, k);
    rp_graph_output(g, name, toy_sum(g, x), 0);
  }
}

/* Fails the test unless each byte of each input block is in exactly one copy, which takes it from its place in the
 * staging. */
static void expect_each_byte_once(const rp_program_desc *d) {
  uint64_t sum = 0;
  for (uint32_t u = 0; u < d->n_uploads; u++) {
    const rp_upload *a = &d->uploads[u];
    uint64_t before = 0;
    assert_int_equal(d->blocks[a->block].space, RP_SPACE_INPUT);
    for (uint32_t b = 0; b < a->block; b++) before += d->blocks[b].space == RP_SPACE_INPUT ? d->blocks[b].bytes : 0;
    assert_int_equal(a->staging, before + a->offset);
    assert_true(a->bytes > 0 && a->offset + a->bytes <= d->blocks[a->block].bytes);
    for (uint32_t v = 0; v < u; v++) {
      const rp_upload *b = &d->uploads[v];
      assert_true(a->block != b->block || a->offset + a->bytes <= b->offset || b->offset + b->bytes <= a->offset);
    }
    sum += a->bytes;
  }
  assert_int_equal(sum, d->input_bytes);
}

static void expect_no_input_split(const rp_plan *plan, const rp_program_desc *d) {
  for (uint32_t i = 0; i < plan->n_inputs; i++) {
    const rp_plan_value *v = &plan->values[plan->inputs[i]];
    uint32_t copies = 0;
    for (uint32_t u = 0; u < d->n_uploads; u++)
      copies += v->staging_offset < d->uploads[u].staging + d->uploads[u].bytes &&
                d->uploads[u].staging < v->staging_offset + v->bytes;
    assert_int_equal(copies, 1);
  }
}

/* The longest path from a step that needs the copy, by plain recursion. */
static uint64_t path_from(const rp_part *part, uint32_t step) {
  uint64_t longest = 0;
  for (uint32_t k = 0; k < part->steps[step].n_succs; k++) {
    const uint64_t path = path_from(part, part->steps[step].succs[k]);
    if (longest < path) longest = path;
  }
  return longest + part->steps[step].alone_ns;
}

static uint64_t path_of(const rp_part *part, const rp_upload *upload) {
  uint64_t longest = 0;
  for (uint32_t s = 0; s < part->n_dispatches; s++) {
    bool needs = 0;
    for (uint32_t i = 0; i < part->steps[s].pattern->n_refs; i++) {
      const rp_ref ref = rp_step_ref(&part->steps[s], i), *r = &ref;
      needs |= r->block == upload->block && r->offset >= upload->offset && r->offset < upload->offset + upload->bytes;
    }
    const uint64_t path = needs ? path_from(part, s) : 0;
    if (longest < path) longest = path;
  }
  return longest;
}

static void expect_longest_first(const rp_part *part, const rp_program_desc *d) {
  for (uint32_t u = 1; u < d->n_uploads; u++) {
    const uint64_t before = path_of(part, &d->uploads[u - 1]), path = path_of(part, &d->uploads[u]);
    assert_true(path <= before);
    if (path == before) assert_true(d->uploads[u - 1].staging < d->uploads[u].staging);
  }
}

static void copies_are_cut_and_ordered(void **state) {
  (void)state;
  rp_backend table = rp_backend_null;
  table.open = open_limited;
  uint32_t several = 0, blocks = 0, most = 0;
  const rp_record_options options = {.max_in_flight = 1, .max_memory_level = RP_MEMORY_LEVELS - 1};
  for (uint64_t round = 0; round < GRAPHS; round++) {
    rp_plan *plan;
    rp_program_desc d;
    rp_error err = {0};
    seed = round;
    most_bytes = round % 4 ? 1ull << 32 : 6 * MIB;
    watch_open(&table, 0);
    build(the_watch.graph, 1 + (uint32_t)next(round % 8 ? 6 : MOST_INPUTS));
    assert_int_equal(rp_plan_create(the_watch.device, the_watch.graph, &options,
                                    rp_device_available_bytes(the_watch.device), &plan, NULL, &err),
                     RP_OK);
    rp_plan_program(plan, RP_PART_RUN, &d);
    expect_each_byte_once(&d);
    expect_no_input_split(plan, &d);
    expect_longest_first(&plan->parts[RP_PART_RUN], &d);
    uint32_t n_blocks = 0;
    for (uint32_t b = 0; b < d.n_blocks; b++) n_blocks += d.blocks[b].space == RP_SPACE_INPUT;
    assert_true(d.n_uploads <= (n_blocks > RP_MOST_UPLOADS ? n_blocks : RP_MOST_UPLOADS));
    for (uint32_t u = 0; u < d.n_uploads; u++)
      assert_true(d.uploads[u].bytes >= MIB || d.uploads[u].bytes == d.blocks[d.uploads[u].block].bytes);
    several += d.n_uploads > 1;
    blocks += n_blocks > 1;
    if (most < d.n_uploads) most = d.n_uploads;
    rp_plan_program(plan, RP_PART_ONCE, &d);
    assert_int_equal(d.n_uploads, 0);
    rp_plan_destroy(plan);
    watch_close();
  }
  assert_true(several > GRAPHS / 4 && blocks > GRAPHS / 16 && most >= RP_MOST_UPLOADS / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(copies_are_cut_and_ordered)};
  return cmocka_run_group_tests_name("uploads", tests, NULL, NULL);
}
