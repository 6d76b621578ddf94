/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Random lowerings on the null device with small allocations: ops whose dispatches bind random ranges of their values.
 * Whatever is accepted must be a sound plan, by checks that share no code with the passes, and planning twice gives the
 * same plan. It is tried at the highest memory level, where values share bytes only if the graph keeps them apart, and
 * at the next, where the numbers of dispatches decide; each as a small graph is planned and as a large one.
 * Then by schedules, with more and less memory, where values share bytes if the epochs of their users keep them apart.
 */
#include "watch.h"

#include "dag.h"
#include "hazards.h"
#include "points.h"
#include "text.h"

enum { PLANS = 1500, NODES = 12, MOST_DISPATCHES = 6, MOST_ALLOCATION = 512 };

static uint64_t random_word(uint64_t *state) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* ---- An op that lowers to random dispatches: its parameter is the seed ------------------------------------------- */

static const rp_kernel k_wild[4] = {
    {.struct_size = sizeof(rp_kernel), .name = "wild1", .args_bytes = 8, .n_binds = 1},
    {.struct_size = sizeof(rp_kernel), .name = "wild2", .args_bytes = 16, .n_binds = 2},
    {.struct_size = sizeof(rp_kernel), .name = "wild3", .args_bytes = 24, .n_binds = 3},
    {.struct_size = sizeof(rp_kernel), .name = "wild4", .args_bytes = 32, .n_binds = 4}};

static rp_status wild_shape(const rp_shape *s) {
  uint64_t state = *(const uint64_t *)s->params;
  for (uint32_t i = 0; i < s->n_out; i++) {
    s->out_type[i] = random_word(&state) % 3 ? &toy_u64 : &toy_u32;
    s->out_len[i] = 1 + random_word(&state) % (random_word(&state) % 4 ? 60 : 200);
  }
  return RP_OK;
}

static rp_bind wild_bind(rp_lower *l, uint64_t *state, const rp_value *own, uint32_t n_own) {
  uint64_t r = random_word(state);
  rp_bind b = {.access = RP_READ};
  if (r % 8 == 0) return (rp_bind){.value = rp_lower_error(l), .access = RP_READ_WRITE | RP_ATOMIC};
  if (r % 3 == 0 && rp_lower_n_in(l)) {
    b.value = rp_lower_in(l, (uint32_t)(r >> 8) % rp_lower_n_in(l));
  } else {
    static const uint32_t accesses[] = {RP_READ, RP_WRITE, RP_WRITE, RP_READ_WRITE, RP_READ_WRITE | RP_ATOMIC};
    b.value = own[(r >> 8) % n_own];
    if (!rp_lower_is_constant(l, b.value) || (r >> 25) % 100 == 0) b.access = accesses[(r >> 16) % 5];
  }
  uint64_t len = rp_lower_len(l, b.value), segment = rp_lower_segment_len(l, b.value);
  if ((segment == len && r >> 24 & 1) || (r >> 25) % 500 == 0) return b; /* now and then, the range crosses segments */
  b.first = (r >> 32) % len;
  uint64_t room = segment - b.first % segment, left = len - b.first;
  b.count = 1 + (r >> 48) % (room < left ? room : left);
  return b;
}

static rp_status wild_lower(rp_lower *l) {
  uint64_t state = *(const uint64_t *)rp_lower_params(l) + 1, args[4] = {0};
  rp_value own[6];
  uint32_t n_own = 0;
  for (uint32_t i = 0; i < rp_lower_n_out(l); i++) own[n_own++] = rp_lower_out(l, i);
  for (uint32_t i = 0; i < 2; i++) own[n_own++] = rp_lower_scratch(l, "room", &toy_u64, 1 + random_word(&state) % 150);
  /* First each value is written once, segment by segment, each after another operand; then come random dispatches. */
  for (uint32_t i = 0; i < n_own; i++) {
    uint64_t len = rp_lower_len(l, own[i]), step = rp_lower_segment_len(l, own[i]);
    for (uint64_t at = 0; at < len; at += step) {
      rp_bind b[2] = {{.value = own[i], .access = RP_WRITE, .first = at, .count = len - at < step ? len - at : step}};
      const int follows = rp_lower_n_in(l) > 0;
      if (follows) {
        const rp_value in = rp_lower_in(l, (uint32_t)(at / step) % rp_lower_n_in(l));
        b[1] = (rp_bind){.value = in, .access = RP_READ, .count = 1};
      }
      rp_dispatch d = {.kernel = &k_wild[follows], .binds = b, .n_binds = 1 + (uint32_t)follows, .args = args};
      d.args_bytes = 8 * d.n_binds;
      rp_lower_dispatch(l, &d);
    }
  }
  for (uint64_t n = random_word(&state) % MOST_DISPATCHES; n > 0; n--) {
    uint32_t n_binds = 1 + (uint32_t)(random_word(&state) % 4);
    rp_bind binds[4];
    for (uint32_t i = 0; i < n_binds; i++) binds[i] = wild_bind(l, &state, own, n_own);
    rp_dispatch d = {.kernel = &k_wild[n_binds - 1], .binds = binds, .n_binds = n_binds, .args = args};
    d.args_bytes = 8 * n_binds;
    rp_lower_dispatch(l, &d);
  }
  return RP_OK;
}

static const rp_strategy wild_strategies[] = {{.name = "wild", .devices = RP_ON_ANY, .lower = wild_lower}};
static const rp_op op_wild = {.struct_size = sizeof(rp_op),
                              .name = "wild",
                              .params_bytes = sizeof(uint64_t),
                              .shape = wild_shape,
                              .strategies = wild_strategies,
                              .n_strategies = 1};

static void build(rp_graph *g, uint64_t seed) {
  static const uint64_t data[64];
  rp_value values[2 + 2 * NODES], out[2];
  uint32_t n = 0;
  values[n++] = rp_graph_input(g, "in", &toy_u64, 1 + seed % 64, seed & 1 ? RP_SECRET | RP_BINDABLE : RP_RESIDENT);
  values[n++] = rp_graph_constant(g, "key", &toy_u64, 64, data, 0);
  for (uint32_t i = 0; i < NODES; i++) {
    uint64_t r = random_word(&seed);
    rp_value in[3];
    uint32_t n_in = r % 16 ? 1 + (uint32_t)(r >> 4) % 3 : 0, n_out = 1 + (uint32_t)(r >> 8) % 2;
    for (uint32_t k = 0; k < n_in; k++) in[k] = values[k == 0 ? n - 1 : random_word(&seed) % n];
    rp_graph_node(g, &op_wild, &r, in, n_in, out, n_out);
    for (uint32_t k = 0; k < n_out; k++) values[n++] = out[k];
  }
  rp_graph_output(g, "out", out[0], seed & 2 ? RP_RESIDENT : 0);
}

/* ---- Soundness --------------------------------------------------------------------------------------------------- */

/* Returns 1 if step i is finished before step j starts. */
static int reaches(const rp_program_desc *d, uint32_t i, uint32_t j) {
  unsigned char seen[1024] = {0};
  assert_true(d->n_steps <= sizeof seen);
  seen[j] = 1;
  for (uint32_t s = j + 1; s-- > i;)
    for (uint32_t p = 0; seen[s] && p < d->steps[s].n_preds; p++) seen[d->steps[s].preds[p]] = 1;
  return i != j && seen[i];
}

static int touches(const rp_part *part, uint32_t step, uint32_t value) {
  const rp_plan_dispatch *d = &part->dispatches[part->dispatch_of[step]];
  for (uint32_t t = 0; t < rp_n_touches(d); t++)
    if (rp_touch_at(d, t).value == value) return 1;
  return 0;
}

/* Returns 1 if the order puts every user of a before every user of b. */
static int all_before(const rp_part *part, const rp_program_desc *d, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < d->n_steps; i++)
    for (uint32_t j = 0; touches(part, i, a) && j < d->n_steps; j++)
      if (touches(part, j, b) && !reaches(d, i, j)) return 0;
  return 1;
}

/* Returns 1 if the last user of a has a lower number than the first user of b. It has been verified that steps which
 * touch the same bytes run in the order of their numbers, so that they read what they would read if all steps ran one
 * after another. */
static int numbered_before(const rp_part *part, uint32_t a, uint32_t b) {
  uint32_t last = 0, first = UINT32_MAX;
  for (uint32_t s = 0; s < part->n_dispatches; s++) {
    uint32_t number = part->dispatch_of[s];
    if (touches(part, s, a) && number > last) last = number;
    if (touches(part, s, b) && number < first) first = number;
  }
  return last < first;
}

static int overlap(const rp_plan_value *a, const rp_plan_value *b) {
  for (uint32_t i = 0; i < a->n_segments; i++) {
    for (uint32_t j = 0; j < b->n_segments; j++) {
      const rp_segment *x = &a->segments[i], *y = &b->segments[j];
      if (x->block == y->block && x->offset < y->offset + y->bytes && y->offset < x->offset + x->bytes) return 1;
    }
  }
  return 0;
}

/* Returns 1 if the host writes the value before the first dispatch. */
static int is_preloaded(const rp_plan_value *v) {
  return v->origin == RP_ORIGIN_GIVEN || v->origin == RP_ORIGIN_FILLED;
}

/* Returns 1 if a dispatch of the one-time part uses b before any dispatch uses a, in the sequence of the schedule. */
static int comes_later(const rp_plan *p, uint32_t a, uint32_t b) {
  const rp_part *part = &p->parts[RP_PART_ONCE];
  for (uint32_t s = 0; s < part->n_dispatches; s++) {
    const uint32_t d = part->sequence[s];
    for (uint32_t t = 0; t < rp_n_touches(&part->dispatches[d]); t++) {
      if (rp_touch_at(&part->dispatches[d], t).value == a) return 0;
      if (rp_touch_at(&part->dispatches[d], t).value == b) return 1;
    }
  }
  return 0;
}

/* The epochs in which a value lives. */
typedef struct life {
  uint32_t from, to;
} life;

static life life_of(const rp_part *part, uint32_t value) {
  life l = {UINT32_MAX, 0};
  for (uint32_t d = 0; d < part->n_dispatches; d++)
    for (uint32_t t = 0; t < rp_n_touches(&part->dispatches[d]); t++) {
      if (rp_touch_at(&part->dispatches[d], t).value != value) continue;
      if (part->epoch[d] < l.from) l.from = part->epoch[d];
      if (part->epoch[d] > l.to) l.to = part->epoch[d];
    }
  return l;
}

/* Every edge leads to a later epoch, and the program has no more levels than there are epochs. */
static void check_epochs(const rp_part *part) {
  for (uint32_t d = 0; d < part->n_dispatches; d++) {
    assert_true(part->epoch[d] < part->n_epochs && part->level[d] <= part->epoch[d]);
    for (uint32_t p = 0; p < part->n_preds[d]; p++) assert_true(part->epoch[part->preds[d][p]] < part->epoch[d]);
  }
  assert_true(part->n_levels <= part->n_epochs);
}

static uint64_t sharing;   /* number of pairs of values that share bytes: the test needs some */
static uint64_t by_number; /* among these, the pairs that only the numbers of their users keep apart */
static uint64_t by_epoch;  /* among these, the pairs that only their epochs keep apart */

static void check_placement(const rp_plan *p) {
  for (uint32_t i = 0; i < p->n_values; i++) {
    const rp_plan_value *a = &p->values[i];
    if (!a->placed) continue;
    uint64_t bytes = 0;
    for (uint32_t s = 0; s < a->n_segments; s++) {
      const rp_segment *x = &a->segments[s];
      const rp_block *b = &p->blocks[x->block].block;
      assert_true(x->offset + x->bytes <= b->bytes && b->bytes <= MOST_ALLOCATION);
      assert_int_equal(x->offset % 64, 0);
      assert_int_equal(b->space, a->space);
      assert_true(!a->secret || b->secret || b->space == RP_SPACE_BOUND); /* the caller wipes its own memory */
      bytes += x->bytes;
    }
    assert_int_equal(bytes, a->bytes);
    for (uint32_t j = 0; j < i; j++) {
      const rp_plan_value *b = &p->values[j];
      if (!b->placed || !overlap(a, b)) continue;
      assert_false(is_preloaded(a) && comes_later(p, i, j));
      assert_false(is_preloaded(b) && comes_later(p, j, i));
      assert_true(a->space == RP_SPACE_ARENA || a->space == RP_SPACE_ONCE);
      int part = a->space == RP_SPACE_ONCE ? RP_PART_ONCE : RP_PART_RUN;
      rp_program_desc desc;
      rp_plan_program(p, part, &desc);
      int apart = all_before(&p->parts[part], &desc, i, j) || all_before(&p->parts[part], &desc, j, i);
      if (rp_plan_sharing(p, part) == RP_SHARE_BY_EPOCH) {
        const life x = life_of(&p->parts[part], i), y = life_of(&p->parts[part], j);
        by_epoch += !apart;
        apart = x.to < y.from || y.to < x.from;
      } else if (!apart && rp_plan_sharing(p, part) == RP_SHARE_BY_NUMBER)
        apart = numbered_before(&p->parts[part], i, j) || numbered_before(&p->parts[part], j, i), by_number++;
      assert_true(apart);
      sharing++;
    }
  }
}

/* ---- Random plans ------------------------------------------------------------------------------------------------ */

typedef struct sink {
  size_t used;
  char text[1 << 18];
} sink;

static int keep(void *user, const char *text, size_t bytes) {
  sink *s = user;
  assert_true(s->used + bytes < sizeof s->text);
  memcpy(s->text + s->used, text, bytes);
  s->text[s->used += bytes] = 0;
  return 0;
}

static rp_status make_plan(const rp_record_options *o, uint32_t exact_steps, rp_schedule schedule, rp_plan **plan,
                           rp_error *err) {
  rp_status status = rp_plan_begin(the_watch.device, the_watch.graph, o, o->min_memory_level, plan, err);
  if (status) return status;
  (*plan)->exact_steps = exact_steps;
  (*plan)->schedule = schedule;
  for (const rp_pass *pass = rp_passes; pass->name && !status; pass++) status = pass->run(*plan, err);
  if (status)
    rp_plan_destroy(*plan);
  else
    rp_plan_finish(*plan);
  return status;
}

static uint64_t arena; /* bytes of the latest plan */

/* Plans the graph, checks the plan and prints it. Returns 0 if the graph was refused. */
static int plan_once(uint32_t level, uint32_t exact_steps, rp_schedule schedule, sink *out) {
  rp_plan *plan;
  rp_error err = {0};
  rp_record_options o = {
      .struct_size = sizeof o, .max_in_flight = 1, .min_memory_level = level, .max_memory_level = level};
  rp_text text;
  out->used = 0;
  if (make_plan(&o, exact_steps, schedule, &plan, &err)) {
    assert_true(err.reason[0] != 0);
    keep(out, err.reason, strlen(err.reason));
    return 0;
  }
  for (int part = 0; part < 2; part++) {
    rp_program_desc desc;
    rp_plan_program(plan, part, &desc);
    if (rp_hazards_verify(the_watch.context, &desc, &err)) fail_msg("%s", err.reason);
  }
  check_placement(plan);
  for (int part = 0; part < 2; part++)
    if (rp_plan_sharing(plan, part) == RP_SHARE_BY_EPOCH) check_epochs(&plan->parts[part]);
  arena = plan->info.arena_bytes;
  rp_text_open(&text, keep, out);
  rp_print_place(plan, &text);
  rp_print_levels(plan, &text);
  assert_int_equal(rp_text_close(&text, NULL), RP_OK);
  rp_plan_destroy(plan);
  return 1;
}

static rp_status open_small(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                            rp_error *err) {
  rp_status status = rp_backend_null.open(context, options, state, info, err);
  info->limits.max_allocation_bytes = MOST_ALLOCATION;
  info->limits.align_bytes = 64;
  return status;
}

/* Every point between fast and small; returns their number. */
static uint32_t plan_points(sink *out) {
  rp_record_options o = {.struct_size = sizeof o, .max_in_flight = 1, .max_memory_level = RP_MEMORY_LEVELS - 1};
  rp_points points;
  rp_error err = {0};
  if (rp_points_find(the_watch.device, the_watch.graph, &o, &points, &err)) return 0;
  const uint32_t n = points.n;
  for (uint32_t i = 0; i < n; i++) {
    const rp_point *p = &points.items[i];
    assert_int_equal(plan_once(p->memory_level, RP_EXACT_STEPS, p->schedule, out), 1);
    assert_int_equal(arena, p->info.arena_bytes);
  }
  rp_points_free(&points, the_watch.context);
  return n;
}

static void random_plans_are_sound(void **state) {
  (void)state;
  static sink first, second;
  rp_backend small = rp_backend_null;
  small.open = open_small;
  int planned = 0;
  uint32_t points = 0;
  for (uint64_t n = 0; n < PLANS; n++) {
    watch_open(&small, 0);
    build(the_watch.graph, n * 1000003);
    assert_int_equal(rp_graph_error(the_watch.graph)->status, RP_OK);
    for (uint32_t how = 0; how < 4; how++) {
      const uint32_t level = how % 2, exact_steps = how < 2 ? RP_EXACT_STEPS : 0;
      planned += plan_once(level, exact_steps, (rp_schedule){0}, &first);
      plan_once(level, exact_steps, (rp_schedule){0}, &second);
      assert_string_equal(first.text, second.text);
    }
    arena = 0;
    for (uint32_t how = 0; how < 4 && n % 4 == 0; how++) { /* no cap, the least, one between; then as a large graph */
      const uint64_t cap = how == 0 ? UINT64_MAX : how == 2 ? arena * 3 / 2 : arena;
      const rp_schedule schedule = {RP_SHARE_BY_EPOCH, cap, 0};
      const uint32_t exact_steps = how < 3 ? RP_EXACT_STEPS : 0;
      if (!plan_once(0, exact_steps, schedule, &first)) break;
      plan_once(0, exact_steps, schedule, &second);
      assert_string_equal(first.text, second.text);
      if (how == 0) arena = 0;
    }
    if (n % 20 == 1) points += plan_points(&first);
    watch_close();
  }
  assert_true(planned > PLANS / 2 && planned < 4 * PLANS);
  assert_true(points > PLANS / 20);
  assert_true(sharing > PLANS && by_number > PLANS / 10 && by_epoch > PLANS / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_plans_are_sound)};
  return cmocka_run_group_tests_name("random plans", tests, NULL, NULL);
}
