/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every pass on the null device, compared with golden text: tests/data/plans/<graph>.txt holds what each pass printed.
 * With REPRISE_UPDATE_GOLDEN set, the files are written instead; read the difference before committing it.
 */
#include "toy_ops.h"

#include "hazards.h"
#include "text.h"

#include <reprise/rewrite.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

static rp_status open_small(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                            rp_error *err) {
  rp_status status = rp_backend_null.open(context, options, state, info, err);
  info->limits.max_allocation_bytes = 1024; /* so that values are split into segments */
  return status;
}

static rp_status open_visible(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                              rp_error *err) {
  rp_status status = rp_backend_null.open(context, options, state, info, err);
  info->limits.host_visible = 1;
  info->limits.align_bytes = 64;
  return status;
}

/* ---- Graphs ------------------------------------------------------------------------------------------------------ */

static void chain(rp_graph *g) {
  rp_value a = rp_graph_input(g, "a", &toy_u64, 64, 0);
  for (int i = 0; i < 5; i++) a = toy_scale(g, a, 3);
  rp_graph_output(g, "out", a, 0);
}

static void branches(rp_graph *g) { /* branches that run side by side, whose scratch must not share bytes */
  rp_value a = rp_graph_input(g, "witness", &toy_u64, 64, RP_SECRET), sums[3];
  for (int i = 0; i < 3; i++) {
    rp_scope_begin(g, "branch");
    sums[i] = toy_sum(g, toy_scale(g, a, (uint64_t)i + 2));
    rp_scope_end(g);
  }
  toy_scale(g, a, 99); /* no output needs it */
  rp_graph_output(g, "out", toy_add(g, toy_add(g, sums[0], sums[1]), sums[2]), 0);
}

static const uint64_t numbers[64] = {1, 2, 3, 4, 5, 6, 7, 8};

static void constants(rp_graph *g) {
  rp_value k = rp_graph_constant(g, "key", &toy_u64, 64, numbers, RP_BORROW);
  rp_value table = toy_scale(g, toy_scale(g, k, 2), 3); /* computed once; only the second node needs the first */
  rp_value a = rp_graph_input(g, "a", &toy_u64, 64, RP_BINDABLE);
  rp_value b = toy_table(g, toy_add(g, a, table));
  rp_value c = toy_table(g, b); /* shares the filled constant, but not the table */
  rp_graph_output(g, "out", c, RP_RESIDENT);
  rp_graph_output(g, "constant", toy_sum(g, k), 0); /* an output is computed in each run */
}

static void ranges(rp_graph *g) { /* accesses to disjoint ranges, commuting updates, the error record */
  rp_value a = rp_graph_input(g, "a", &toy_u64, 64, RP_RESIDENT), halves[2];
  rp_value checked = toy_check(g, a, 1000);
  toy_split(g, checked, halves);
  rp_graph_output(g, "odd", toy_count_odd(g, checked), 0);
  rp_graph_output(g, "low", halves[0], 0);
  rp_graph_output(g, "high", toy_check(g, halves[1], 500), RP_BINDABLE);
}

static void common(rp_graph *g) { /* equal nodes and constants: one of several is kept, unless that is not allowed */
  rp_value a = rp_graph_input(g, "a", &toy_u64, 64, RP_SECRET), x[2], halves[2][2];
  for (int i = 0; i < 2; i++) {
    rp_value key = rp_graph_constant(g, i ? "key again" : "key", &toy_u64, 64, numbers, 0);
    rp_value lent = rp_graph_constant(g, i ? "lent again" : "lent", &toy_u64, 64, numbers, RP_BORROW);
    /* In a statement of its own, since the order in which arguments are evaluated differs between compilers. */
    rp_value twice = toy_scale(g, lent, 2);
    x[i] = toy_add(g, toy_add(g, toy_scale(g, a, 3), key), twice);
    toy_split(g, x[i], halves[i]);
  }
  rp_value short_key = rp_graph_constant(g, "short key", &toy_u64, 32, numbers, 0);
  rp_graph_output(g, "sum", toy_add(g, toy_add(g, halves[0][0], halves[1][1]), short_key), 0);
  rp_graph_output(g, "three", toy_scale(g, a, 3), 0); /* this one is kept: it replaces the first one */
  rp_graph_output(g, "three again", toy_scale(g, a, 3), 0);
  rp_graph_output(g, "four", toy_scale(g, a, 4), 0);
  rp_value key = rp_graph_constant(g, "key once more", &toy_u64, 64, numbers, 0);
  rp_graph_output(g, "constant", toy_scale(g, key, 5), 0); /* computed in each run; the other one is computed once */
  rp_graph_output(g, "with constant", toy_add(g, a, toy_scale(g, key, 5)), 0);
}

static void views(rp_graph *g) { /* the device's alignment is 32 elements */
  rp_value a = rp_graph_input(g, "a", &toy_u64, 128, 0), b = toy_scale(g, a, 2), c = toy_scale(g, a, 3);
  rp_value staged = toy_slice(g, a, 96, 32); /* a view, although it is a small part of the input */
  rp_value low = toy_slice(g, b, 0, 64), high = toy_slice(g, low, 32, 32);
  /* Both are copies: one is too small a part, one is not aligned. */
  rp_value small = toy_slice(g, c, 32, 32), odd = toy_slice(g, c, 8, 8);
  rp_value left = toy_add(g, high, staged), right = toy_add(g, toy_slice(g, left, 0, 32), small);
  /* Both operands are computed at their places in `both`, and `both` at its place in the next concatenation. */
  rp_value both = toy_concat(g, left, right);
  rp_graph_output(g, "all", toy_concat(g, both, toy_scale(g, low, 5)), 0);
  /* Both are copies: they are not aligned, and the same value is there twice. */
  rp_graph_output(g, "twice", toy_concat(g, odd, odd), 0);
  rp_graph_output(g, "sum", toy_sum(g, right), 0);
  rp_graph_output(g, "kept", toy_slice(g, a, 64, 64), 0); /* a copy, since it is an output */
  const rp_value shown = toy_scale(g, a, 4);
  rp_graph_output(g, "shown", shown, 0);
  rp_graph_output(g, "of shown", toy_sum(g, toy_slice(g, shown, 32, 32)), 0); /* a view, although it is a small part */
  const rp_value key = rp_graph_constant(g, "key", &toy_u64, 64, numbers, 0);
  rp_graph_output(g, "key", toy_add(g, high, toy_slice(g, key, 32, 32)), 0); /* a copy, since it is computed once */
  /* Views, which share bytes: together they have more elements than the value. */
  const rp_value d = toy_scale(g, a, 6), back = toy_slice(g, d, 32, 96), front = toy_slice(g, d, 0, 96);
  rp_graph_output(g, "shared", toy_add(g, front, back), 0);
}

static void overwritten(rp_graph *g) { /* results that take the bytes of operands, and those that must not */
  const rp_value a = rp_graph_input(g, "a", &toy_u64, 64, RP_SECRET), b = rp_graph_input(g, "b", &toy_u64, 64, 0);
  const rp_value x = toy_scale(g, a, 2), y = toy_scale(g, b, 3), z = toy_scale(g, b, 4);
  const rp_value in_x = toy_xor(g, x, y), in_y = toy_xor(g, in_x, y);
  rp_graph_output(g, "chain", toy_xor(g, in_y, in_y), 0); /* in_y is computed in the output */
  /* `kept` does not wait for the sum, which reads z too, so it must not overwrite z. The xor of w and v waits for v,
   * which reads w too, so it may overwrite w. */
  const rp_value other = toy_sum(g, z), kept = toy_xor(g, z, b);
  rp_graph_output(g, "sum", other, 0);
  rp_graph_output(g, "kept", kept, 0);
  const rp_value w = toy_scale(g, b, 5), v = toy_scale(g, w, 6);
  rp_graph_output(g, "both", toy_sum(g, toy_xor(g, w, v)), 0);
  rp_value two[2];
  toy_both(g, toy_scale(g, b, 9), two);
  rp_graph_output(g, "two", toy_sum(g, toy_add(g, two[0], two[1])), 0);
  /* Parts of a value, an input and an output are no operands that may be overwritten. */
  const rp_value halves = toy_scale(g, b, 7), low = toy_slice(g, halves, 0, 32), high = toy_slice(g, halves, 32, 32);
  rp_graph_output(g, "halves", toy_xor(g, low, high), 0);
  const rp_value out = toy_scale(g, b, 8);
  rp_graph_output(g, "out", out, 0);
  rp_graph_output(g, "after", toy_sum(g, toy_xor(g, out, b)), 0);
}

static void fused(rp_graph *g) { /* chains that become one node, and those that must not */
  const rp_value a = rp_graph_input(g, "a", &toy_u64, 64, 0), b = rp_graph_input(g, "b", &toy_u64, 64, 0);
  const rp_value two = toy_linear(g, a, 3, b, 1), three = toy_linear(g, two, 5, b, 2);
  rp_graph_output(g, "chain", toy_linear(g, three, 7, a, 4), 0);
  const rp_value pair = toy_linear(g, a, 11, b, 12);
  rp_graph_output(g, "pair", toy_linear(g, pair, 2, pair, 3), 0);
  rp_graph_output(g, "five",
                  toy_linear(g, toy_linear(g, toy_linear(g, toy_linear(g, b, 9, a, 9), 1, a, 2), 3, a, 4), 5, b, 6), 0);
  const rp_value out = toy_linear(g, a, 4, b, 4); /* an output */
  rp_graph_output(g, "out", out, 0);
  rp_graph_output(g, "after", toy_linear(g, out, 3, b, 4), 0);
  /* If `small` became part of its reader, x and y would be kept while others run, and they are larger than `small`. */
  const rp_value x = toy_scale(g, a, 10), y = toy_scale(g, b, 10), small = toy_linear(g, x, 6, y, 6);
  rp_graph_output(g, "between", toy_scale(g, toy_sum(g, a), 7), 0);
  rp_graph_output(g, "late", toy_linear(g, small, 8, b, 8), 0);
  /* The same where `small` has become part of `next`, which then reads v and w. */
  const rp_value v = toy_scale(g, a, 20), w = toy_scale(g, b, 20),
                 next = toy_linear(g, toy_linear(g, v, 6, w, 7), 2, b, 1);
  rp_graph_output(g, "between again", toy_scale(g, toy_sum(g, b), 7), 0);
  rp_graph_output(g, "late again", toy_linear(g, next, 9, b, 9), 0);
  const rp_value key = rp_graph_constant(g, "key", &toy_u64, 64, numbers, 0); /* computed once */
  rp_graph_output(g, "with key", toy_xor(g, a, toy_linear(g, toy_linear(g, key, 2, key, 1), 3, key, 1)), 0);
}

static void conditions(rp_graph *g) { /* toy_xor stands for a selection: it reads what only some runs compute */
  const rp_value a = rp_graph_input(g, "a", &toy_u64, 64, 0), b = rp_graph_input(g, "b", &toy_u64, 64, 0);
  const rp_value c = rp_graph_input(g, "c", &toy_u32, 1, 0);
  const rp_value d = toy_linear(g, c, 3, c, 5), e = toy_linear(g, d, 7, d, 9); /* d is a condition, and stays a node */
  const rp_value first = toy_scale(g, a, 3), inside = toy_linear(g, a, 5, b, 5); /* which only q reads */
  rp_condition_begin(g, d, 1);
  const rp_value again = toy_scale(g, a, 3), early = toy_scale(g, b, 3), x = toy_linear(g, a, 2, b, 3);
  const rp_value q = toy_linear(g, inside, 2, a, 1);
  rp_condition_begin(g, c, 0);
  const rp_value y = toy_linear(g, toy_xor(g, again, a), 4, early, 1);
  const rp_value key = toy_scale(g, rp_graph_constant(g, "key", &toy_u64, 64, numbers, 0), 7); /* once */
  const rp_value z = toy_xor(g, key, y);
  rp_condition_end(g);
  rp_condition_end(g);
  rp_condition_begin(g, d, 0);
  const rp_value other = toy_scale(g, b, 3); /* as in the other branch, which also has it for itself */
  rp_condition_end(g);
  rp_condition_begin(g, c, 1);
  rp_condition_begin(g, d, 1);
  const rp_value deep = toy_scale(g, a, 11); /* its node is the first one under either condition */
  rp_condition_end(g);
  rp_condition_end(g);
  rp_graph_output(g, "e", e, 0);
  rp_graph_output(g, "late", toy_linear(g, toy_scale(g, b, 3), 1, first, 2), 0); /* in all runs */
  rp_graph_output(g, "x", toy_linear(g, x, 6, a, 7), 0);                         /* x is not part of it */
  const rp_value of_others = toy_xor(g, other, deep), of_both = toy_xor(g, q, z);
  rp_graph_output(g, "out", toy_xor(g, of_both, of_others), 0);
}

static void segments(rp_graph *g) { /* for the device with small allocations: 300 elements in 128 + 128 + 44 */
  rp_value a = rp_graph_input(g, "a", &toy_u64, 128, 0);
  rp_value big = toy_fill_segments(g, a, 300);
  rp_graph_output(g, "out", toy_sum_segments(g, big), 0);
  /* Both are copies, although they are most of the value. */
  const rp_value first = toy_slice(g, big, 0, 128), second = toy_slice(g, big, 128, 128);
  rp_graph_output(g, "sum", toy_add(g, first, second), 0);
}

/* ---- Golden text ------------------------------------------------------------------------------------------------- */

typedef struct sink {
  size_t used;
  char text[1 << 16];
} sink;

static int keep(void *user, const char *text, size_t bytes) {
  sink *s = user;
  assert_true(s->used + bytes < sizeof s->text);
  memcpy(s->text + s->used, text, bytes);
  s->text[s->used += bytes] = 0;
  return 0;
}

static void compare(const char *name, const sink *got) {
  char path[512];
  static char want[1 << 16];
  snprintf(path, sizeof path, "%s/plans/%s.txt", TEST_DATA_DIR, name);
  if (getenv("REPRISE_UPDATE_GOLDEN")) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fwrite(got->text, 1, got->used, f);
    fclose(f);
  }
  FILE *f = fopen(path, "r");
  if (!f) fail_msg("%s is missing", path);
  want[fread(want, 1, sizeof want - 1, f)] = 0;
  fclose(f);
  assert_string_equal(got->text, want);
}

static void run_passes_at(const char *name, const rp_backend *backend, void (*build)(rp_graph *), uint32_t level) {
  rp_context *context;
  rp_device *device;
  rp_graph *graph;
  rp_plan *plan;
  rp_error err = {0};
  rp_device_options device_options = {.struct_size = sizeof device_options};
  rp_record_options options = {.struct_size = sizeof options, .max_in_flight = 2};
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_device_open_with(context, backend, &device_options, &device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(context, name, &graph, NULL), RP_OK);
  build(graph);
  assert_int_equal(rp_plan_begin(device, graph, &options, level, &plan, NULL), RP_OK);
  sink *got = calloc(1, sizeof *got);
  rp_text text;
  rp_text_open(&text, keep, got);
  for (const rp_pass *pass = rp_passes; pass->name; pass++) {
    if (pass->run(plan, &err)) fail_msg("pass %s: %s", pass->name, err.reason);
    rp_text_format(&text, "== %s\n", pass->name);
    pass->print(plan, &text);
  }
  rp_plan_finish(plan);
  const rp_plan_info *i = &plan->info;
  rp_text_format(&text, "== bytes\nconstant %llu, borrowed %llu, once %llu, arena %llu\n",
                 (unsigned long long)i->constant_bytes, (unsigned long long)i->borrowed_bytes,
                 (unsigned long long)i->once_bytes, (unsigned long long)i->arena_bytes);
  rp_text_format(&text, "staging %llu, io %llu, parameter %llu, total %llu\n", (unsigned long long)i->staging_bytes,
                 (unsigned long long)i->io_bytes, (unsigned long long)i->parameter_bytes,
                 (unsigned long long)i->total_bytes);
  assert_int_equal(rp_text_close(&text, NULL), RP_OK);
  for (int part = 0; part < 2; part++) {
    rp_program_desc desc;
    rp_plan_program(plan, part, &desc);
    if (rp_hazards_verify(context, &desc, &err)) fail_msg("%s", err.reason);
  }
  compare(name, got);
  free(got);
  rp_plan_destroy(plan);
  rp_graph_destroy(graph);
  rp_device_close(device);
  rp_context_destroy(context);
}

static void run_passes(const char *name, const rp_backend *backend, void (*build)(rp_graph *)) {
  run_passes_at(name, backend, build, RP_MEMORY_FULL);
}

static void golden_chain(void **state) { (void)state, run_passes("chain", &rp_backend_null, chain); }
static void golden_branches(void **state) { (void)state, run_passes("branches", &rp_backend_null, branches); }
static void golden_constants(void **state) { (void)state, run_passes("constants", &rp_backend_null, constants); }
static void golden_ranges(void **state) { (void)state, run_passes("ranges", &rp_backend_null, ranges); }
static void golden_common(void **state) { (void)state, run_passes("common", &rp_backend_null, common); }
static void golden_views(void **state) { (void)state, run_passes("views", &rp_backend_null, views); }
static void golden_overwritten(void **state) { (void)state, run_passes("overwritten", &rp_backend_null, overwritten); }
static void golden_overwritten_less(void **state) {
  (void)state, run_passes_at("overwritten_less", &rp_backend_null, overwritten, RP_MEMORY_LESS);
}
static void golden_fused(void **state) { (void)state, run_passes("fused", &rp_backend_null, fused); }
static void golden_conditions(void **state) { (void)state, run_passes("conditions", &rp_backend_null, conditions); }

/* At the memory level `less`, the branches run one after another in the same bytes. */
static void golden_branches_less(void **state) {
  (void)state, run_passes_at("branches_less", &rp_backend_null, branches, RP_MEMORY_LESS);
}

static void golden_in_place(void **state) {
  (void)state;
  rp_backend visible = rp_backend_null;
  visible.open = open_visible;
  run_passes("in_place", &visible, constants);
}

static void golden_segments(void **state) {
  (void)state;
  rp_backend small = rp_backend_null;
  small.open = open_small;
  run_passes("segments", &small, segments);
}

/* ---- The check of edges must find a missing one ------------------------------------------------------------------ */

static void a_removed_edge_is_found(void **state) {
  (void)state;
  void (*const graphs[])(rp_graph *) = {chain, branches,    constants, ranges,    common,
                                        views, overwritten, fused,     conditions};
  for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g++) {
    rp_context *context;
    rp_device *device;
    rp_graph *graph;
    rp_plan *plan;
    rp_device_options device_options = {.struct_size = sizeof device_options};
    rp_record_options options = {.struct_size = sizeof options, .max_in_flight = 1, .max_memory_level = 3};
    assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
    assert_int_equal(rp_device_open_with(context, &rp_backend_null, &device_options, &device, NULL), RP_OK);
    assert_int_equal(rp_graph_create(context, "mutated", &graph, NULL), RP_OK);
    graphs[g](graph);
    assert_int_equal(rp_plan_create(device, graph, &options, UINT64_MAX, &plan, NULL, NULL), RP_OK);
    rp_program_desc desc;
    rp_plan_program(plan, RP_PART_RUN, &desc);
    assert_int_equal(rp_hazards_verify(context, &desc, NULL), RP_OK);
    for (uint32_t s = 0; s < desc.n_steps; s++) {
      rp_step *step = (rp_step *)&desc.steps[s];
      const uint32_t *preds = step->preds;
      for (uint32_t p = 0; p < step->n_preds; p++) { /* no edge follows from others, so each of them is needed */
        uint32_t fewer[16], n = 0;
        for (uint32_t q = 0; q < step->n_preds; q++)
          if (q != p) fewer[n++] = preds[q];
        step->preds = fewer;
        step->n_preds--;
        rp_error err = {0};
        assert_int_equal(rp_hazards_verify(context, &desc, &err), RP_ERR_INTERNAL);
        assert_non_null(strstr(err.reason, "no edge orders them"));
        step->preds = preds;
        step->n_preds++;
      }
    }
    rp_plan_destroy(plan);
    rp_graph_destroy(graph);
    rp_device_close(device);
    rp_context_destroy(context);
  }
}

static void what_is_overwritten_must_be_declared(void **state) {
  (void)state;
  rp_context *context;
  rp_device *device;
  rp_graph *graph;
  rp_plan *plan;
  uint32_t found = 0;
  const rp_record_options options = {.struct_size = sizeof options, .max_in_flight = 1};
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(
      rp_device_open_with(context, &rp_backend_null, &(rp_device_options){.struct_size = 8}, &device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(context, "undeclared", &graph, NULL), RP_OK);
  overwritten(graph);
  assert_int_equal(rp_plan_create(device, graph, &options, UINT64_MAX, &plan, NULL, NULL), RP_OK);
  rp_program_desc desc;
  rp_plan_program(plan, RP_PART_RUN, &desc);
  assert_int_equal(rp_hazards_verify(context, &desc, NULL), RP_OK);
  for (uint32_t s = 0; s < desc.n_steps; s++) {
    for (uint32_t i = 0; i < desc.steps[s].pattern->n_refs; i++) {
      rp_ref *ref = (rp_ref *)&desc.steps[s].pattern->refs[i];
      rp_error err = {0};
      if (!(ref->access & RP_IN_PLACE)) continue;
      ref->access -= RP_IN_PLACE;
      if (rp_hazards_verify(context, &desc, &err)) found += strstr(err.reason, "overwrites what it reads") != NULL;
      ref->access += RP_IN_PLACE;
      ref->bytes--; /* the same place, but not the same range */
      if (rp_hazards_verify(context, &desc, &err)) found += strstr(err.reason, "overwrites what it reads") != NULL;
      ref->bytes++;
    }
  }
  assert_int_equal(
      found, 2 * 6); /* two for each operand that golden_overwritten replaces by a result; one of them is bound twice */
  rp_plan_destroy(plan);
  rp_graph_destroy(graph);
  rp_device_close(device);
  rp_context_destroy(context);
}

/* A node that only decides under which condition another one is looked at is part of the plan. */
static void conditions_of_conditions_are_kept(void **state) {
  rp_context *context;
  rp_device *device;
  rp_graph *g;
  rp_plan *plan;
  rp_error err = {0};
  (void)state;
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(
      rp_device_open_with(context, &rp_backend_null, &(rp_device_options){.struct_size = 0}, &device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(context, "nested", &g, NULL), RP_OK);
  const rp_value a = rp_graph_input(g, "a", &toy_u64, 64, 0), c = rp_graph_input(g, "c", &toy_u32, 1, 0);
  const rp_value outer = toy_linear(g, c, 3, c, 5), inner = toy_linear(g, c, 7, c, 9);
  rp_condition_begin(g, outer, 1);
  rp_condition_begin(g, inner, 1);
  const rp_value x = toy_scale(g, a, 11);
  rp_condition_end(g);
  rp_condition_end(g);
  rp_graph_output(g, "out", toy_linear(g, x, 2, a, 3), 0);
  const rp_record_options options = {.max_in_flight = 1, .max_memory_level = RP_MEMORY_LEVELS - 1};
  if (rp_plan_create(device, g, &options, UINT64_MAX, &plan, NULL, &err)) fail_msg("%s", err.reason);
  assert_true(plan->values[inner.id - 1].live);
  assert_true(plan->values[outer.id - 1].live);
  rp_plan_destroy(plan);
  rp_graph_destroy(g);
  rp_device_close(device);
  rp_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden_chain),
      cmocka_unit_test(golden_branches),
      cmocka_unit_test(golden_branches_less),
      cmocka_unit_test(golden_constants),
      cmocka_unit_test(golden_ranges),
      cmocka_unit_test(golden_in_place),
      cmocka_unit_test(golden_segments),
      cmocka_unit_test(golden_common),
      cmocka_unit_test(golden_views),
      cmocka_unit_test(golden_overwritten),
      cmocka_unit_test(golden_overwritten_less),
      cmocka_unit_test(golden_fused),
      cmocka_unit_test(golden_conditions),
      cmocka_unit_test(conditions_of_conditions_are_kept),
      cmocka_unit_test(a_removed_edge_is_found),
      cmocka_unit_test(what_is_overwritten_must_be_declared),
  };
  return cmocka_run_group_tests_name("passes", tests, NULL, NULL);
}
