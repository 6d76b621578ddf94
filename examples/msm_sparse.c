/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Multi-scalar multiplication as sparse-matrix algebra: msm_sparse [--device NAME] [log_n [graph.html]].
 *  1. The worked example of cuZK: digits in ELL, CSR by a prefix sum, the transpose, bucket sums, the result.
 *  2. The same steps with 2^log_n points, for uniform, equal, 0/1 and clustered scalars, beside rp_msm, which sorts
 *     signed digits at once. The picture is that of these steps.
 *  3. A product with a budget of half the key: chunks are brought up while others are computed.
 *  4. The same over two CPU devices that share the windows. */

#define _POSIX_C_SOURCE 200809L /* setenv */

#include <reprise/msm.h>
#include <reprise/page.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rp_curve G1 = RP_CURVE_BN254_G1;
enum { POINT = 64 };

static bool report(rp_status st, const rp_error *err) {
  if (st != RP_OK) fprintf(stderr, "%s: %s\n", rp_status_name(st), err->reason);
  return st == RP_OK;
}

/* ---- The steps --------------------------------------------------------------------------------------------------- */

/* What the steps are of: the matrix of the scalars' digits, its transpose, the sums of all windows' buckets. */
typedef struct steps {
  rp_csr rows, transposed;
  rp_value sums, result;
} steps;

/* Adds the points of each digit. Row d of the transpose lists the entries with digit d, and their values are numbers of
 * points: so they are the columns of a matrix of ones, whose product with the points has the bucket sums. No entry has
 * digit 0. Without that row at the front, row i has digit i + 1, as rp_bucket_reduce weighs its buckets; the empty row
 * stands at the end of each window instead. */
static rp_value bucket_sums(rp_graph *g, const rp_csr *transposed, rp_value points) {
  const rp_value row_ptr = transposed->row_ptr;
  const rp_value shifted[2] = {rp_slice(g, row_ptr, 1, transposed->rows), rp_slice(g, row_ptr, transposed->rows, 1)};
  const rp_csr buckets = {.row_ptr = rp_concat(g, shifted, 2),
                          .col = transposed->val,
                          .rows = transposed->rows,
                          .cols = rp_value_len(g, points)};
  return rp_spmv_points(g, &buckets, points, RP_SPMV_BALANCED);
}

static steps from_ell(rp_graph *g, const rp_ell *ell, uint32_t window_bits, rp_value points) {
  const rp_buckets dims = {.windows = (uint32_t)(ell->cols >> window_bits),
                           .window_bits = window_bits,
                           .buckets = 1u << window_bits,
                           .merged = 1};
  steps s;
  s.rows = rp_ell_to_csr(g, ell);
  s.transposed = rp_csr_transpose(g, &s.rows);
  s.sums = bucket_sums(g, &s.transposed, points);
  s.result = rp_to_affine(g, rp_window_reduce(g, &dims, rp_bucket_reduce(g, &dims, s.sums)));
  return s;
}

/* ---- 1. The worked example: n = 8 points, t = 4 threads, s = 3 bits ---------------------------------------------- */

enum { N = 8, THREADS = 4, BITS = 3, P_S = 8 };

/* An array of the example, and what it must be. */
typedef struct shown {
  const char *name;
  rp_value value;
  int n;
  uint32_t want[9];
} shown;

static bool check(rp_run *run, const shown *s) {
  const uint32_t *x = rp_run_output(run, s->value);
  const bool good = memcmp(x, s->want, (size_t)s->n * sizeof *x) == 0;
  printf("  %-19s", s->name);
  for (int i = 0; i < s->n; i++) printf(" %u", x[i]);
  printf("%s\n", good ? "" : "   WRONG");
  return good;
}

/* The digits as threads of the authors have them: thread i takes points i and i + 4, leaves out zero digits, and adds
 * points of equal digits before, here P_s = P3 + P7 (P4 + P8 where points are counted from 1). */
static rp_ell with_sum_first(rp_graph *g) {
  static const uint32_t row_len[THREADS] = {1, 1, 2, 1};
  static const uint32_t col[N] = {4, UINT32_MAX, 3, UINT32_MAX, 7, 4, 3, UINT32_MAX};
  static const uint32_t val[N] = {0, 0, 5, 0, 2, 6, P_S, 0};
  return (rp_ell){.row_len = rp_graph_constant(g, "row_len", &RP_TYPE_U32, THREADS, row_len, 0),
                  .col = rp_graph_constant(g, "col", &RP_TYPE_U32, N, col, 0),
                  .val = rp_graph_constant(g, "val", &RP_TYPE_U32, N, val, 0),
                  .rows = THREADS,
                  .cols = 1u << BITS,
                  .width = N / THREADS};
}

/* The eight points and P_s, the product of a matrix of one row with them. */
static rp_value with_p_s(rp_graph *g, rp_value points) {
  static const uint32_t row_ptr[2] = {0, 2}, col[2] = {3, 7};
  const rp_csr row = {.row_ptr = rp_graph_constant(g, "p_s_row", &RP_TYPE_U32, 2, row_ptr, 0),
                      .col = rp_graph_constant(g, "p_s_columns", &RP_TYPE_U32, 2, col, 0),
                      .rows = 1,
                      .cols = N};
  const rp_value both[2] = {points, rp_to_affine(g, rp_spmv_points(g, &row, points, RP_SPMV_SCALAR))};
  return rp_concat(g, both, 2);
}

static bool worked_example(rp_context *context, rp_device *device, rp_error *err) {
  static const uint32_t digits[N] = {4, 0, 7, 3, 0, 3, 4, 3};
  const rp_scalars_to_ell_options o = {
      .struct_size = sizeof o, .curve = G1, .window_bits = BITS, .windows = 1, .rows = THREADS};
  const rp_curve_host *c = rp_curve_get(G1);
  uint8_t points[N * POINT], scalars[N * 32] = {0}, want[POINT];
  const uint8_t times[32] = {107}; /* 3 B_3 + 4 B_4 + 7 B_7 = 107 G */
  rp_graph *g;
  rp_recording *recording = NULL;
  rp_run *run = NULL;
  c->generator(points);
  c->mul(want, points, times);
  for (int i = 1; i < N; i++) c->add(points + i * POINT, points + (i - 1) * POINT, points);
  for (int i = 0; i < N; i++) scalars[32 * i] = (uint8_t)digits[i];
  if (!report(rp_graph_create(context, "worked_example", &g, err), err)) return false;
  const rp_value in = rp_graph_input(g, "scalars", &RP_TYPE_U256, N, 0);
  const rp_value bases = rp_graph_constant(g, "points", rp_type_affine(G1), N, points, 0);
  const rp_ell all = rp_scalars_to_ell(g, in, &o), summed = with_sum_first(g);
  const steps s = from_ell(g, &all, BITS, bases), p = from_ell(g, &summed, BITS, with_p_s(g, bases));
  const shown arrays[] = {{"row_ptr", s.rows.row_ptr, 5, {0, 1, 2, 4, 6}},
                          {"columns", s.rows.col, 6, {4, 3, 7, 4, 3, 3}},
                          {"points", s.rows.val, 6, {0, 5, 2, 6, 3, 7}},
                          {"transposed row_ptr", s.transposed.row_ptr, 9, {0, 0, 0, 0, 3, 5, 5, 5, 6}},
                          {"transposed columns", s.transposed.col, 6, {1, 3, 3, 0, 2, 2}},
                          {"transposed points", s.transposed.val, 6, {5, 3, 7, 0, 6, 2}},
                          {"with P_s: row_ptr", p.rows.row_ptr, 5, {0, 1, 2, 4, 5}},
                          {"columns", p.rows.col, 5, {4, 3, 7, 4, 3}},
                          {"points", p.rows.val, 5, {0, 5, 2, 6, P_S}},
                          {"transposed row_ptr", p.transposed.row_ptr, 9, {0, 0, 0, 0, 2, 4, 4, 4, 5}},
                          {"transposed columns", p.transposed.col, 5, {1, 3, 0, 2, 2}},
                          {"transposed points", p.transposed.val, 5, {5, P_S, 0, 6, 2}}};
  const rp_value results[2] = {s.result, p.result};
  enum { ARRAYS = sizeof arrays / sizeof *arrays };
  char name[16];
  for (int i = 0; i < ARRAYS; i++)
    snprintf(name, sizeof name, "array_%d", i), rp_graph_output(g, name, arrays[i].value, 0);
  for (int i = 0; i < 2; i++) snprintf(name, sizeof name, "result_%d", i), rp_graph_output(g, name, results[i], 0);
  bool good = report(rp_record(device, g, NULL, &recording, err), err) &&
              report(rp_run_begin(recording, UINT64_MAX, &run, err), err) &&
              rp_run_set_input(run, in, scalars, sizeof scalars) == RP_OK && rp_run_submit(run) == RP_OK &&
              rp_run_wait(run, UINT64_MAX) == RP_OK;
  const int ran = good;
  for (int i = 0; i < ARRAYS && ran; i++) good &= check(run, &arrays[i]);
  for (int i = 0; i < 2 && ran; i++) good &= c->equal(rp_run_output(run, results[i]), want);
  printf("  results %s 107 G\n", good ? "are" : "ARE NOT");
  rp_run_end(run);
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  return good;
}

/* ---- 2. Scalars of any distribution ------------------------------------------------------------------------------ */

typedef struct problem {
  uint64_t n;
  uint32_t window_bits; /* of the steps */
  uint8_t *points, *scalars, result[POINT];
} problem;

static const char *const spreads[] = {"uniform", "equal", "0 and 1", "clustered"};

static void fill_scalars(problem *p, int spread) {
  uint64_t state = 1;
  for (uint64_t i = 0; i < p->n; i++) {
    uint8_t *s = p->scalars + 32 * i;
    for (int b = 0; b < 32; b++) s[b] = (uint8_t)((state = state * 6364136223846793005u + 1442695040888963407u) >> 56);
    s[31] &= 0x1f; /* below the order */
    if (spread == 1) memcpy(s, p->scalars, 32);
    if (spread == 2) memset(s + 1, 0, 31), s[0] &= 1;
    if (spread == 3) memcpy(s + 2, p->scalars + 32 * (i % 48) + 2, 30);
  }
}

/* A product that is recorded once and replayed: in steps, or rp_msm. */
typedef struct way {
  rp_graph *graph;
  rp_recording *recording;
  rp_value scalars, result;
} way;

static bool record(rp_context *context, rp_device *device, const problem *p, int in_steps, way *w, rp_error *err) {
  const rp_scalars_to_ell_options o = {.struct_size = sizeof o, .curve = G1, .window_bits = p->window_bits};
  if (!report(rp_graph_create(context, in_steps ? "sparse_msm" : "msm", &w->graph, err), err)) return false;
  rp_graph *g = w->graph;
  w->scalars = rp_graph_input(g, "scalars", &RP_TYPE_U256, p->n, RP_SECRET);
  const rp_value points = rp_graph_constant(g, "points", rp_type_affine(G1), p->n, p->points, RP_BORROW);
  rp_scope_begin(g, "product");
  rp_scope_title(g, "MSM: %llu points", (unsigned long long)p->n);
  if (in_steps) {
    const rp_ell ell = rp_scalars_to_ell(g, w->scalars, &o);
    w->result = from_ell(g, &ell, o.window_bits, points).result;
  } else {
    w->result = rp_to_affine(g, rp_msm(g, w->scalars, points, NULL));
  }
  rp_scope_end(g);
  rp_graph_output(g, "q", w->result, 0);
  return report(rp_record(device, g, NULL, &w->recording, err), err);
}

/* The best time of several replays; 0 after an error. */
static uint64_t replay(const way *w, const problem *p, uint8_t result[POINT], rp_error *err) {
  uint64_t best = UINT64_MAX;
  for (int again = 0; again < 3; again++) {
    rp_run *run;
    rp_run_counters c = {.struct_size = sizeof c};
    const bool good = report(rp_run_begin(w->recording, UINT64_MAX, &run, err), err) &&
                      rp_run_set_input(run, w->scalars, p->scalars, p->n * 32) == RP_OK &&
                      rp_run_submit(run) == RP_OK && rp_run_wait(run, UINT64_MAX) == RP_OK;
    if (good) memcpy(result, rp_run_output(run, w->result), POINT);
    if (good) rp_run_get_counters(run, &c), best = c.latency_ns < best ? c.latency_ns : best;
    rp_run_end(run);
    if (!good) return 0;
  }
  return best;
}

/* One recording of each way, replayed for each distribution; the last one, uniform scalars again, leaves its result in
 * p. */
static bool distributions(rp_context *context, rp_device *device, problem *p, const char *picture, rp_error *err) {
  way ways[2] = {{0}, {0}};
  bool good = record(context, device, p, 1, &ways[0], err) && record(context, device, p, 0, &ways[1], err);
  const rp_view_source view = {.struct_size = sizeof view, .recording = ways[0].recording};
  if (good && picture) good = report(rp_view_write(&view, picture, err), err);
  if (good) printf("  %-10s %12s %12s\n", "", "in steps", "rp_msm");
  for (int i = 0; i < 5 && good; i++) {
    uint8_t other[POINT];
    fill_scalars(p, i % 4);
    const uint64_t steps_ns = replay(&ways[0], p, p->result, err), msm_ns = replay(&ways[1], p, other, err);
    good = steps_ns && msm_ns && !memcmp(p->result, other, POINT);
    if (i < 4)
      printf("  %-10s %9.3f ms %9.3f ms  %s\n", spreads[i], (double)steps_ns / 1e6, (double)msm_ns / 1e6,
             good ? "equal" : "DIFFERENT");
  }
  for (int i = 0; i < 2; i++) rp_recording_destroy(ways[i].recording), rp_graph_destroy(ways[i].graph);
  return good;
}

/* ---- 3. A key larger than the budget, 4. several devices --------------------------------------------------------- */

static bool streaming(rp_device *device, const problem *p, uint32_t in_flight, rp_error *err) {
  const rp_msm_stream_options options = {
      .struct_size = sizeof options, .in_flight = in_flight, .memory_budget_bytes = p->n * POINT / 2};
  rp_msm_stream *stream;
  rp_msm_stream_info info = {.struct_size = sizeof info};
  rp_msm_job_counters counters = {.struct_size = sizeof counters};
  uint8_t result[POINT];
  if (!report(rp_msm_stream_create(device, G1, p->n, &options, &stream, err), err)) return false;
  rp_msm_stream_get_info(stream, &info);
  const rp_msm_job job = {.stream = stream, .scalars = p->scalars, .points = p->points, .n = p->n, .result = result};
  bool good = report(rp_msm_stream_run(&job, 1, &counters, err), err) && !memcmp(result, p->result, POINT);
  printf(
      "  %u in flight: key %.2f MiB, device memory %.2f MiB: %llu chunks, %llu of them beside another; %.3f ms; %s\n",
      in_flight, (double)info.key_bytes / 1048576, (double)info.device_bytes / 1048576,
      (unsigned long long)counters.chunks, (unsigned long long)counters.overlapped, (double)counters.elapsed_ns / 1e6,
      good ? "equal" : "DIFFERENT");
  rp_msm_stream_destroy(stream);
  return good;
}

static bool several_devices(rp_context *context, const problem *p, rp_error *err) {
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  rp_device *devices[2] = {NULL, NULL};
  rp_msm_group *group = NULL;
  uint8_t result[POINT];
  bool good = report(rp_device_open(context, &cpu, &devices[0], err), err) &&
              report(rp_device_open(context, &cpu, &devices[1], err), err) &&
              report(rp_msm_group_create(devices, 2, G1, p->points, p->n, NULL, &group, err), err) &&
              report(rp_msm_group_run(group, p->scalars, result, err), err) && !memcmp(result, p->result, POINT);
  printf("  %u and %u windows; %s\n", rp_msm_group_windows(group, 0), rp_msm_group_windows(group, 1),
         good ? "equal" : "DIFFERENT");
  rp_msm_group_destroy(group);
  rp_device_close(devices[0]);
  rp_device_close(devices[1]);
  return good;
}

int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "--device")) {
    if (setenv("REPRISE_DEVICE", argv[2], 1) != 0) return 1;
    argc -= 2;
    argv += 2;
  }
  const int log_n = argc > 1 ? atoi(argv[1]) : 18;
  const rp_curve_host *c = rp_curve_get(G1);
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_error err = {0};
  bool good = false;
  if (log_n < 14 || log_n > 22)
    return fprintf(stderr, "usage: msm_sparse [--device NAME] [log_n, 14 to 22 [graph.html]]\n"), 2;
  problem p = {.n = (uint64_t)1 << log_n, .window_bits = (uint32_t)(log_n + 2 - log_n / 3)}; /* cuZK's rule */
  p.points = malloc(p.n * POINT);
  p.scalars = malloc(p.n * 32);
  if (!p.points || !p.scalars) {
    free(p.points);
    free(p.scalars);
    return 1;
  }
  c->generator(p.points);
  for (uint64_t i = 1; i < p.n; i++) c->add(p.points + i * POINT, p.points + (i - 1) * POINT, p.points);
  if (report(rp_context_create(NULL, &context, &err), &err) &&
      report(rp_device_open(context, NULL, &device, &err), &err)) {
    printf("worked example:\n");
    good = worked_example(context, device, &err);
    printf("2^%d points, best of three replays:\n", log_n);
    good = good && distributions(context, device, &p, argc > 2 ? argv[2] : NULL, &err);
    printf("streamed, with a budget of half the key:\n");
    good = good && streaming(device, &p, 1, &err) && streaming(device, &p, 2, &err);
    printf("over two CPU devices:\n");
    good = good && several_devices(context, &p, &err);
  }
  printf("%s\n", good ? "all agree" : "FAILED");
  rp_device_close(device);
  rp_context_destroy(context);
  free(p.points);
  free(p.scalars);
  return !good;
}
