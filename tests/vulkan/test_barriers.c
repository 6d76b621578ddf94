/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Barriers, tested by mutation. Synchronization validation does not see accesses through buffer addresses. So the
 * recorded commands are turned into a program whose levels are what lies between two barriers, and the engine's hazard
 * check judges that program: it must accept it with all barriers, and refuse it when any one is left out.
 */
#include "work.h"

#include "device.h"
#include "hazards.h"

enum { MAX_STEPS = 256, MAX_REFS = 64 };

/* The program that was recorded last. */
static rp_backend table;
static rp_program_desc seen;

static rp_status keep_program(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                              rp_program **program, rp_error *err) {
  seen = *desc;
  interpose.n_recorded = 0;
  interpose.n_barriers = 0;
  return rp_backend_vulkan.program_create(state, desc, memory, program, err);
}

typedef struct judged {
  rp_step steps[MAX_STEPS];
  rp_pattern patterns[MAX_STEPS];
  rp_ref refs[MAX_STEPS][MAX_REFS];
  uint32_t preds[MAX_STEPS][MAX_STEPS];
  uint32_t n;
} judged;

static rp_step *add_step(judged *j, uint32_t level, const char *label) {
  assert_true(j->n < MAX_STEPS);
  rp_step *s = &j->steps[j->n];
  j->patterns[j->n] = (rp_pattern){.label = label, .refs = j->refs[j->n]};
  *s = (rp_step){.pattern = &j->patterns[j->n], .level = level};
  s->preds = j->preds[j->n];
  for (uint32_t i = 0; i < j->n; i++)
    if (j->steps[i].level < level) j->preds[j->n][s->n_preds++] = i;
  j->n++;
  return s;
}

static void touch(rp_step *s, const rp_ref *ref) {
  rp_pattern *p = (rp_pattern *)s->pattern;
  assert_true(p->n_refs < MAX_REFS);
  ((rp_ref *)p->refs)[p->n_refs++] = *ref;
}

/* A step that touches all blocks of some kind: copies, and the wiping of secret ones. */
static void touch_blocks(rp_step *s, uint32_t spaces, int secrets, uint32_t access) {
  for (uint32_t b = 0; b < seen.n_blocks; b++)
    if (secrets ? seen.blocks[b].secret != 0 : (spaces >> seen.blocks[b].space & 1) != 0)
      touch(s, &(rp_ref){.block = b, .offset = 0, .bytes = seen.blocks[b].bytes, .access = access});
}

/* Staging is not a block of the plan. It gets the two numbers behind the last block: 0 up, 1 down. */
static void touch_staging(rp_step *s, uint32_t which, uint32_t access) {
  touch(s, &(rp_ref){.block = seen.n_blocks + which, .offset = 0, .bytes = 1, .access = access});
}

/* Turns the recorded commands into a program and checks it for hazards. */
static rp_status judge(rp_context *context, int secrets, rp_error *err) {
  static judged j;
  const uint32_t in = 1u << RP_SPACE_INPUT | 1u << RP_SPACE_PARAMETER,
                 out = 1u << RP_SPACE_OUTPUT | 1u << RP_SPACE_PARAMETER;
  uint32_t level = 0, next = 0;
  int is_down = 0;
  recorded_kind last = RECORDED_BARRIER;
  j.n = 0;
  for (uint32_t i = 0; i < interpose.n_recorded; i++) {
    const recorded_kind kind = interpose.recorded[i];
    rp_step *s;
    if (kind == RECORDED_BARRIER) {
      level++;
    } else if (kind == RECORDED_TO_HOST) { /* orders what the host does, and nothing on the device */
      touch_staging(add_step(&j, level + 1, "host"), 1, RP_READ);
      is_down = 1;
    } else if (kind == RECORDED_DISPATCH) {
      assert_true(next < seen.n_steps);
      s = add_step(&j, level, seen.steps[next].pattern->label);
      for (uint32_t r = 0; r < seen.steps[next].pattern->n_refs; r++) {
        const rp_ref ref = rp_step_ref(&seen.steps[next], r);
        touch(s, &ref);
      }
      next++;
    } else if (kind != last) { /* copies side by side are one step */
      s = add_step(&j, level, kind == RECORDED_FILL ? "wipe" : next ? "download" : "upload");
      if (kind == RECORDED_FILL)
        touch_blocks(s, 0, 1, RP_WRITE);
      else
        touch_blocks(s, next ? out : in, 0, next ? RP_READ : RP_WRITE);
      if (kind == RECORDED_COPY) touch_staging(s, next != 0, next ? RP_WRITE : RP_READ);
    }
    last = kind;
  }
  assert_int_equal(next, seen.n_steps);
  assert_true(is_down || interpose.drop_barrier >= 0);
  if (!is_down) return rp_fail(err, RP_ERR_INTERNAL, "the host does not see what came down");
  /* The next run's upload follows the wipe. Without a wipe, the host waits between two runs. */
  if (secrets) touch_blocks(add_step(&j, level, "next upload"), in, 0, RP_WRITE);
  const rp_program_desc program = {.name = "recorded",
                                   .steps = j.steps,
                                   .n_steps = j.n,
                                   .n_levels = level + 1,
                                   .blocks = seen.blocks,
                                   .n_blocks = seen.n_blocks};
  return rp_hazards_verify(context, &program, err);
}

static void every_barrier_is_needed(void **state) {
  (void)state;
  bench b;
  rp_error err = {0};
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_VULKAN};
  table = rp_backend_vulkan;
  table.program_create = keep_program;
  EXPECT(RP_OK, rp_context_create(NULL, &b.context, &err), &err);
  EXPECT(RP_OK, rp_device_open_with(b.context, &table, &options, &b.device, &err), &err);
  for (uint32_t flags = 0; flags <= RP_SECRET; flags += RP_SECRET)
    for (int64_t drop = -1;; drop++) {
      work w;
      interpose_begin(b.device);
      interpose.drop_barrier = drop;
      EXPECT(RP_OK, work_try(b.context, b.device, &w, flags, NULL, &err), &err);
      const uint64_t barriers = interpose.n_barriers;
      if (drop >= 0 && (uint64_t)drop >= barriers) {
        work_drop(&w);
        assert_true(drop > 4);
        break;
      }
      const rp_status status = judge(b.context, flags != 0, &err);
      if (drop < 0 && status) fail_msg("all barriers: %s", err.reason);
      if (drop >= 0 && !status) fail_msg("nobody misses barrier %d of %d", (int)drop, (int)barriers);
      work_drop(&w);
    }
  rp_device_close(b.device);
  rp_context_destroy(b.context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_barrier_is_needed)};
  return cmocka_run_group_tests_name("vulkan_barriers", tests, NULL, NULL);
}
