/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The null device: every plan can be made, recorded and submitted on it, and nothing is computed. Its memory is
 * addresses with no bytes behind them, so that graphs far larger than the machine can be planned; outputs are zeros.
 */
#include "core.h"

#include <stdio.h>

typedef struct null_state {
  rp_context *context;
  _Atomic uint64_t next_address;
} null_state;

struct rp_program {
  const rp_program_desc *desc;
  rp_memory staging_up, staging_down;
  rp_backend_counters counters;
  bool submitted;
};

static void describe(rp_device_info *info) {
  *info = (rp_device_info){.kind = RP_DEVICE_NULL, .available = 1, .memory_budget_bytes = 1ull << 40};
  snprintf(info->name, sizeof info->name, "null device");
  snprintf(info->driver, sizeof info->driver, "plans everything, computes nothing");
  info->limits = (rp_device_limits){.workers = 4,
                                    .subgroup = 32,
                                    .max_group = 1024,
                                    .shared_bytes = 48u << 10,
                                    .max_args_bytes = 4096,
                                    .max_groups = 1u << 31,
                                    .max_allocation_bytes = 4ull << 30,
                                    .memory_bytes = 1ull << 40,
                                    .align_bytes = 256,
                                    .has_int64 = 1};
}

static rp_status enumerate(rp_context *context, rp_device_info *infos, uint32_t capacity, uint32_t *count) {
  (void)context;
  *count = 1;
  if (capacity) describe(&infos[0]);
  return RP_OK;
}

static rp_status open_device(rp_context *context, const rp_device_options *options, void **state, rp_device_info *info,
                             rp_error *err) {
  (void)options;
  null_state *s = rp_host_alloc(context, sizeof *s, _Alignof(null_state));
  if (!s) return rp_fail_memory(err, "the null device");
  s->context = context;
  atomic_init(&s->next_address, 1ull << 32);
  describe(info);
  *state = s;
  return RP_OK;
}

static void close_device(void *state) {
  null_state *s = state;
  rp_host_free(s->context, s, sizeof *s);
}

static rp_status memory_alloc(void *state, rp_memory_kind kind, uint64_t bytes, rp_memory *memory, rp_error *err) {
  null_state *s = state;
  *memory = (rp_memory){.bytes = bytes};
  if (kind == RP_MEMORY_DEVICE) {
    memory->address = atomic_fetch_add(&s->next_address, rp_align_up(bytes, 256));
    return RP_OK;
  }
  memory->host = rp_host_alloc(s->context, bytes, 64);
  if (!memory->host) return rp_fail(err, RP_ERR_DEVICE_MEMORY, "null device: out of staging memory");
  return RP_OK; /* not cleared: a run sets what it gives out to zero */
}

static void memory_free(void *state, rp_memory *memory) {
  null_state *s = state;
  if (memory->host) rp_host_free(s->context, memory->host, memory->bytes);
}

static rp_status memory_wrap(void *state, void *native, uint64_t bytes, rp_memory *memory, rp_error *err) {
  (void)state, (void)err;
  *memory = (rp_memory){.address = (uint64_t)(uintptr_t)native, .bytes = bytes};
  return RP_OK;
}

static rp_status memory_write(void *state, rp_memory *memory, uint64_t offset, const void *data, uint64_t bytes,
                              rp_error *err) {
  (void)state, (void)memory, (void)offset, (void)data, (void)bytes, (void)err;
  return RP_OK;
}

static rp_status memory_read(void *state, const rp_memory *memory, uint64_t offset, void *data, uint64_t bytes,
                             rp_error *err) {
  (void)state, (void)memory, (void)offset, (void)err;
  memset(data, 0, bytes);
  return RP_OK;
}

static rp_status program_create(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                                rp_program **program, rp_error *err) {
  null_state *s = state;
  rp_program *p = rp_host_alloc(s->context, sizeof *p, _Alignof(rp_program));
  if (!p) return rp_fail_memory(err, "a program");
  *p = (rp_program){.desc = desc, .staging_up = memory->staging_up, .staging_down = memory->staging_down};
  *program = p;
  return RP_OK;
}

static void program_destroy(void *state, rp_program *program) {
  null_state *s = state;
  rp_host_free(s->context, program, sizeof *program);
}

static uint64_t program_host_bytes(void *state, const rp_program_desc *desc) {
  (void)state, (void)desc;
  return sizeof(rp_program);
}

static rp_status submit(void *state, rp_program *program, const uint64_t *words, uint32_t n_words,
                        const rp_links *links, rp_error *err) {
  (void)state, (void)words, (void)n_words, (void)links, (void)err;
  rp_program *p = program;
  const rp_program_desc *d = p->desc;
  if (d->output_bytes) memset(p->staging_down.host, 0, d->output_bytes);
  p->counters = (rp_backend_counters){.submissions = 1,
                                      .uploads = d->input_bytes > 0,
                                      .downloads = d->output_bytes > 0,
                                      .bytes_up = d->input_bytes,
                                      .bytes_down = d->output_bytes};
  p->submitted = 1;
  return RP_OK;
}

static rp_status submit_runs(void *state, const rp_start *runs, uint32_t n, const rp_links *links, rp_error *err) {
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < n && !status; i++)
    status = submit(state, runs[i].program, runs[i].words, runs[i].n_words, links, err);
  return status;
}

static rp_status wait_done(void *state, rp_program *program, uint64_t timeout_ns, rp_error_record *fault,
                           rp_error *err) {
  (void)state, (void)timeout_ns;
  if (!program->submitted) return rp_fail(err, RP_ERR_STATE, "null device: nothing was submitted");
  program->submitted = 0;
  program->counters.waits++;
  *fault = (rp_error_record){0};
  return RP_OK;
}

static void cancel(void *state, rp_program *program) { (void)state, (void)program; }

static void wipe(void *state, rp_program *program) {
  (void)state;
  if (program->staging_up.host) memset(program->staging_up.host, 0, program->staging_up.bytes);
  if (program->staging_down.host) memset(program->staging_down.host, 0, program->staging_down.bytes);
}

static void counters(void *state, const rp_program *program, rp_backend_counters *out) {
  (void)state;
  *out = program->counters;
}

/* In a profiled program step i runs from i to i + 1 microseconds, so that code that draws timings can be tested. */
static uint32_t timings(void *state, const rp_program *program, rp_timing *out, uint32_t capacity) {
  (void)state;
  uint32_t n = program->desc->flags & RP_RECORD_PROFILE ? program->desc->n_steps : 0;
  for (uint32_t i = 0; i < n && i < capacity; i++)
    out[i] = (rp_timing){.step = i, .begin_ns = i * UINT64_C(1000), .end_ns = (i + UINT64_C(1)) * 1000};
  return n;
}

static bool is_lost(void *state) {
  (void)state;
  return 0;
}

static bool skips(const void *state) {
  (void)state;
  return true;
}

const rp_backend rp_backend_null = {.name = "null",
                                    .kind = RP_DEVICE_NULL,
                                    .host_only = 1,
                                    .skips = skips,
                                    .enumerate = enumerate,
                                    .open = open_device,
                                    .close = close_device,
                                    .memory_alloc = memory_alloc,
                                    .memory_free = memory_free,
                                    .memory_wrap = memory_wrap,
                                    .memory_write = memory_write,
                                    .memory_read = memory_read,
                                    .program_create = program_create,
                                    .program_destroy = program_destroy,
                                    .program_host_bytes = program_host_bytes,
                                    .submit = submit,
                                    .submit_runs = submit_runs,
                                    .wait = wait_done,
                                    .cancel = cancel,
                                    .wipe = wipe,
                                    .counters = counters,
                                    .timings = timings,
                                    .is_lost = is_lost};
