/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Graph building: the input is a program of calls, good and bad, four bytes each (which call, two earlier values, a
 * parameter). Whatever the calls are, the first error sticks and is what planning reports. A graph without an error is
 * planned, which gives its sizes or a refusal, and recorded if it is small, on the null device and on the CPU. The CPU
 * then runs it on good and on bad inputs, and the run has its outputs or a fault.
 */
#include "fuzz_graph.h"

enum { DATA_BYTES = 1 << 14, BUDGET_BYTES = 1 << 22 };

const rp_type *fuzz_type(uint8_t which) {
  switch (which % 8) {
  case 0: return &RP_TYPE_U8;
  case 1: return &RP_TYPE_U32;
  case 2: return &RP_TYPE_U256;
  case 3: return rp_type_field(RP_FIELD_GOLDILOCKS);
  case 4: return rp_type_affine((rp_curve)(which / 8 % RP_CURVE_COUNT));
  case 5: return rp_type_accumulator((rp_curve)(which / 8 % RP_CURVE_COUNT));
  default: return rp_type_field((rp_field)(which / 8 % RP_FIELD_COUNT));
  }
}

uint64_t fuzz_length(uint8_t which) {
  uint64_t base = (uint64_t)1 << (which < 128 ? which % 11 : which % 64);
  return base + (which >> 5 & 1) - (which >> 4 & 1);
}

rp_value fuzz_pick(const builder *b, uint8_t which) {
  return b->n && which != 255 ? b->value[which % b->n] : RP_NO_VALUE;
}

static rp_value constant(builder *b, const char *name, uint8_t type, uint8_t parameter) {
  static const uint8_t data[DATA_BYTES] = {1, [64] = 2, [128] = 3};
  const rp_type *t = fuzz_type(type);
  uint64_t length = fuzz_length(parameter % 128);
  if (!t || length > DATA_BYTES / t->size_bytes) return RP_NO_VALUE;
  return rp_graph_constant(b->graph, name, t, length, data, parameter & 64 ? RP_BORROW : 0);
}

static rp_value ntt(builder *b, rp_value x, rp_value shift, uint8_t y, uint8_t parameter) {
  const rp_ntt_options options = {.struct_size = sizeof options,
                                  .root = (rp_root)(y & 3),
                                  .inverse = y >> 2 & 1,
                                  .batch = parameter & 15,
                                  .in_order = (rp_order)(y >> 3 & 1),
                                  .out_order = (rp_order)(y >> 4 & 1),
                                  .coset = (rp_coset)(y >> 5 & 3),
                                  .shift = {parameter},
                                  .no_scale = y >> 7};
  return parameter & 16 ? rp_ntt_coset(b->graph, x, shift, &options) : rp_ntt(b->graph, x, &options);
}

static rp_value spmv(builder *b, rp_value x, rp_value y, uint8_t parameter) {
  const rp_csr m = {.row_ptr = y,
                    .col = fuzz_pick(b, parameter),
                    .val = fuzz_pick(b, (uint8_t)(parameter >> 4)),
                    .rows = fuzz_length(parameter & 31),
                    .cols = fuzz_length(parameter >> 3)};
  const rp_spmv_options options = {
      .struct_size = sizeof options, .scheme = (rp_spmv_scheme)(parameter & 3), .x_canonical = parameter >> 2 & 1};
  return rp_spmv(b->graph, &m, x, &options);
}

static rp_value call(builder *b, const uint8_t step[4]) {
  char name[16];
  rp_graph *g = b->graph;
  rp_value x = fuzz_pick(b, step[1]), y = fuzz_pick(b, step[2]), z = fuzz_pick(b, step[3]);
  snprintf(name, sizeof name, "v%u", step[3] < 250 ? b->calls++ : 0); /* some names are used twice */
  const unsigned which = step[0] % (BASE_CALLS + OTHER_CALLS + ANY_CALLS);
  if (which >= BASE_CALLS + OTHER_CALLS) return which & 1 ? fuzz_example(b, step) : fuzz_node(b, step);
  if (which >= BASE_CALLS) return fuzz_other_call(b, which - BASE_CALLS, step);
  switch (which) {
  case 0:
  case 1: return rp_graph_input(g, name, fuzz_type(step[1]), fuzz_length(step[2]), step[3] & 1 ? RP_SECRET : 0);
  case 2: return constant(b, name, step[1], step[2]);
  case 3: rp_graph_output(g, name, x, step[3] & 2 ? RP_RESIDENT : 0); return RP_NO_VALUE;
  case 4: rp_scope_begin(g, name); return RP_NO_VALUE;
  case 5: rp_scope_end(g); return RP_NO_VALUE;
  case 6: return rp_slice(g, x, fuzz_length(step[2]) - 1, fuzz_length(step[3]));
  case 7: return rp_concat(g, (const rp_value[]){x, y, z}, step[3] % 4);
  case 8: return rp_gather(g, x, y);
  case 9: return rp_pad(g, x, fuzz_length(step[2]));
  case 10: return rp_add(g, x, y);
  case 11: return rp_sub(g, x, y);
  case 12: return rp_mul(g, x, y);
  case 13: return rp_mul_sub(g, x, y, z);
  case 14: return rp_powers(g, x, y, fuzz_length(step[3]));
  case 15: return rp_mul_powers(g, x, y, z);
  case 16: return ntt(b, x, y, step[2], step[3]);
  default: return spmv(b, x, y, step[3]);
  }
}

enum { DEVICES = 2 };

/* The devices are opened once, since they are not what is fuzzed. */
static rp_device *const *open_devices(rp_context **context) {
  static rp_context *kept;
  static rp_device *devices[DEVICES];
  if (!kept) {
    static const rp_device_kind kinds[DEVICES] = {RP_DEVICE_NULL, RP_DEVICE_CPU};
    FUZZ_NEED(rp_context_create(NULL, &kept, NULL) == RP_OK);
    for (int i = 0; i < DEVICES; i++) {
      const rp_device_options options = {.struct_size = sizeof options, .kind = kinds[i], .cpu_threads = 1};
      FUZZ_NEED(rp_device_open(kept, &options, &devices[i], NULL) == RP_OK);
    }
  }
  *context = kept;
  return devices;
}

/* Fills an input with small integers, which are valid for every type. Types that take any integer (u8, u32 and
 * canonical integers) get a large one now and then. */
static void fill(uint8_t *to, const rp_type *type, uint64_t len, uint32_t *seed) {
  memset(to, 0, len * type->size_bytes);
  for (uint64_t i = 0; i < len; i++, to += type->size_bytes) {
    *seed = *seed * 1103515245u + 12345u;
    to[0] = *seed >> 16 & 15;
    if (*seed >> 24 == 0 && (type->id == RP_TYPE_U8.id || type->id == RP_TYPE_U32.id || type->id == RP_TYPE_U256.id))
      memset(to, 0xff, type->size_bytes);
  }
}

static uint64_t bytes_of(const builder *b, rp_value value) {
  return (rp_value_len(b->graph, value) * rp_value_type(b->graph, value)->size_bytes + 63) / 64 * 64;
}

/* Gives each output that can be bound a place of its own; the call fails for all other values. */
static void bind_outputs(const builder *b, rp_run *run, rp_buffer *buffer) {
  uint64_t offset = 0;
  for (uint32_t i = 0; i < b->n; i++) {
    const rp_status status = rp_run_bind_output(run, b->value[i], buffer, offset);
    if (status == RP_OK) offset += bytes_of(b, b->value[i]);
  }
}

/* Values that no output needs are not computed, and may be longer than any memory: they have no place here. */
static rp_buffer *new_buffer(rp_device *device, const builder *b) {
  rp_buffer *buffer;
  uint64_t bytes = 64;
  for (uint32_t i = 0; i < b->n; i++) {
    if (rp_value_storage(b->graph, b->value[i]) == RP_STORAGE_OUTPUT) bytes += bytes_of(b, b->value[i]);
  }
  FUZZ_NEED(rp_buffer_create(device, bytes, &buffer, NULL) == RP_OK);
  return buffer;
}

static void run_once(rp_device *device, const builder *b, rp_recording *recording, uint32_t seed) {
  rp_buffer *buffer = new_buffer(device, b);
  rp_run *run;
  FUZZ_NEED(rp_run_begin(recording, 0, &run, NULL) == RP_OK);
  for (uint32_t i = 0; i < b->n; i++) {
    void *staging = rp_value_storage(b->graph, b->value[i]) == RP_STORAGE_INPUT ? rp_run_input(run, b->value[i]) : NULL;
    if (staging) fill(staging, rp_value_type(b->graph, b->value[i]), rp_value_len(b->graph, b->value[i]), &seed);
  }
  bind_outputs(b, run, buffer);
  rp_status status = rp_run_submit(run);
  if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
  FUZZ_NEED(status == RP_OK || status == RP_ERR_INPUT);
  FUZZ_NEED((status == RP_OK) == (rp_run_error(run)->reason[0] == 0));
  rp_run_end(run);
  rp_buffer_destroy(buffer);
}

static void plan_and_record(rp_device *device, const builder *b, int runs, uint32_t seed) {
  const rp_record_options options = {.struct_size = sizeof options, .memory_budget_bytes = BUDGET_BYTES};
  rp_error error = {0};
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_recording *recording;
  rp_status status = rp_plan_query(device, b->graph, &options, &plan, &error);
  const rp_error *built = rp_graph_error(b->graph);
  if (built->status != RP_OK) FUZZ_NEED(status == built->status);
  if (!fuzz_is_ok(status, &error)) return;
  if (rp_record(device, b->graph, &options, &recording, NULL) != RP_OK) return;
  if (runs) run_once(device, b, recording, seed);
  rp_recording_destroy(recording);
}

void fuzz_build(builder *b, const uint8_t *data, size_t size) {
  for (size_t at = 0; at + 4 <= size && b->n < MOST_VALUES; at += 4) {
    rp_status before = rp_graph_error(b->graph)->status;
    rp_value value = call(b, data + at);
    if (before != RP_OK) FUZZ_NEED(value.id == 0 && rp_graph_error(b->graph)->status == before);
    if (value.id != 0) {
      FUZZ_NEED(rp_value_len(b->graph, value) > 0 && rp_value_type(b->graph, value));
      if (b->n < MOST_VALUES) b->value[b->n++] = value;
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  rp_context *context;
  rp_device *const *devices = open_devices(&context);
  builder b = {0};
  FUZZ_NEED(rp_graph_create(context, "fuzz", &b.graph, NULL) == RP_OK);
  fuzz_build(&b, data, size);
  if (b.n) rp_graph_output(b.graph, "last", b.value[b.n - 1], 0);
  for (int i = 0; i < DEVICES; i++) plan_and_record(devices[i], &b, i, (uint32_t)size);
  rp_graph_destroy(b.graph);
  return 0;
}
