/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "work.h"

#define P 0xffffffff00000001u

__extension__ typedef unsigned __int128 u128;

uint64_t bench_allocations;

static void *allocate(void *user, size_t bytes, size_t align) {
  (void)user;
  bench_allocations++;
  return aligned_alloc(align, (bytes + align - 1) / align * align);
}
static void release(void *user, void *memory, size_t bytes) {
  (void)user, (void)bytes;
  free(memory);
}

void check_status(rp_status expected, rp_status status, const rp_error *err, const char *file, int line) {
  if (status == expected) return;
  print_error("%s instead of %s: %s\n", rp_status_name(status), rp_status_name(expected), err ? err->reason : "");
  _fail(file, line);
}

void bench_open(bench *b) {
  rp_error err = {0};
  const rp_context_options context = {.struct_size = sizeof context, .allocator = {.alloc = allocate, .free = release}};
  const rp_device_options device = {.struct_size = sizeof device, .kind = RP_DEVICE_VULKAN};
  *b = (bench){0};
  EXPECT(RP_OK, rp_context_create(&context, &b->context, &err), &err);
  EXPECT(RP_OK, rp_device_open(b->context, &device, &b->device, &err), &err);
  interpose_begin(b->device);
}

void bench_close(bench *b) {
  rp_device_close(b->device);
  rp_context_destroy(b->context);
  *b = (bench){0};
}

static uint64_t key_of(uint64_t i) { return i * i + 7; }
static uint64_t mul(uint64_t a, uint64_t b) { return (uint64_t)((u128)a * b % P); }
static uint64_t inverse(uint64_t a) {
  uint64_t r = 1;
  for (int bit = 63; bit >= 0; bit--) {
    r = mul(r, r);
    if ((P - 2) >> bit & 1) r = mul(r, a);
  }
  return r;
}

rp_status work_try(rp_context *context, rp_device *device, work *w, uint32_t flags, const rp_record_options *options,
                   rp_error *err) {
  const rp_batch_inverse_options strict = {.struct_size = sizeof strict, .zero = RP_ZERO_STRICT};
  const rp_type *type = rp_type_field(RP_FIELD_GOLDILOCKS);
  uint64_t keys[N];
  for (uint64_t i = 0; i < N; i++) keys[i] = key_of(i);
  *w = (work){0};
  rp_status status = rp_graph_create(context, "work", &w->graph, err);
  if (status) return status;
  rp_graph *g = w->graph;
  w->in = rp_graph_input(g, "witness", type, N, flags);
  const rp_value key = rp_graph_constant(g, "key", type, N, keys, 0);
  rp_scope_begin(g, "prove");
  const rp_value squares = rp_mul(g, key, key); /* computed once */
  const rp_value left = rp_batch_inverse(g, rp_mul(g, rp_batch_inverse(g, w->in, &strict), key), NULL);
  const rp_value right = rp_mul(g, w->in, squares);
  w->out = rp_add(g, left, right);
  rp_scope_end(g);
  rp_graph_output(g, "proof", w->out, flags & ~(uint32_t)RP_SECRET);
  return rp_record(device, g, options, &w->recording, err);
}

void work_make(const bench *b, work *w, uint32_t slots, uint32_t record_flags) {
  static uint64_t seed;
  rp_error err = {0};
  const rp_record_options options = {
      .struct_size = sizeof options, .max_in_flight = slots, .flags = record_flags, .order_seed = ++seed};
  EXPECT(RP_OK, work_try(b->context, b->device, w, RP_SECRET, &options, &err), &err);
}

void work_drop(work *w) {
  rp_recording_destroy(w->recording);
  rp_graph_destroy(w->graph);
  *w = (work){0};
}

void work_fill(uint64_t in[N], uint64_t seed) {
  for (uint64_t i = 0; i < N; i++) in[i] = (((seed + 1) * 0x9e3779b97f4a7c15u ^ i * 0xc2b2ae3d27d4eb4fu) >> 1) + 1;
}

void work_check(const uint64_t in[N], const uint64_t *out) {
  assert_non_null(out);
  for (uint64_t i = 0; i < N; i++) {
    const uint64_t key = key_of(i) % P, left = mul(in[i], inverse(key)), right = mul(in[i], mul(key, key));
    assert_int_equal(out[i], (uint64_t)(((u128)left + right) % P));
  }
}

rp_run *work_start(const work *w, const uint64_t in[N]) {
  rp_error err = {0};
  rp_run *run = NULL;
  EXPECT(RP_OK, rp_run_begin(w->recording, UINT64_MAX, &run, &err), &err);
  EXPECT(RP_OK, rp_run_set_input(run, w->in, in, BYTES), rp_run_error(run));
  EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
  return run;
}

void work_finish(const work *w, rp_run *run, const uint64_t in[N]) {
  EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
  work_check(in, rp_run_output(run, w->out));
  rp_run_end(run);
}

void work_once(const work *w, uint64_t seed) {
  uint64_t in[N];
  work_fill(in, seed);
  work_finish(w, work_start(w, in), in);
}
