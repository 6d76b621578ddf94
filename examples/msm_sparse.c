/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Multi-scalar multiplication as sparse-matrix algebra: msm_sparse [--device NAME] [log_n [graph.html]].
 *  1. The worked example of cuZK: digits in ELL, CSR by a prefix sum, the transpose, bucket sums, the result.
 *  2. The same product for uniform, equal, 0/1 and clustered scalars: one recording, four replays.
 *  3. The same with a budget of half the key: chunks are brought up while others are computed.
 *  4. The same over two CPU devices that share the windows. */

#define _POSIX_C_SOURCE 200809L /* setenv */

#include <reprise/msm.h>
#include <reprise/page.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rp_curve G1 = RP_CURVE_BN254_G1;
enum { POINT = 64 };

static int report(rp_status st, const rp_error *err) {
  if (st != RP_OK) fprintf(stderr, "%s: %s\n", rp_status_name(st), err->reason);
  return st == RP_OK;
}

static void print(const char *name, const uint32_t *x, int n) {
  printf("  %-19s", name);
  for (int i = 0; i < n; i++) x[i] == UINT32_MAX ? printf(" -") : printf(" %u", x[i]);
  printf("\n");
}

/* ---- 1. The worked example: n = 8 points, t = 4 threads, s = 3 bits ---------------------------------------------- */

/* Thread i takes the points i + 1 and i + 5. Zero digits are left out; points with equal digits in one row are summed
 * first: 9 is the name of P_s = P4 + P8. */
static void scatter(const uint32_t *digits, uint32_t *row_len, uint32_t *col, uint32_t *name) {
  for (uint32_t i = 0; i < 4; i++) {
    row_len[i] = 0;
    for (uint32_t k = 0; k < 2; k++) {
      const uint32_t digit = digits[i + 4 * k], last = 2 * i + row_len[i] - 1;
      col[2 * i + k] = UINT32_MAX;
      name[2 * i + k] = 0;
      if (row_len[i] && col[last] == digit) {
        name[last] = 9;
      } else if (digit) {
        col[2 * i + row_len[i]] = digit;
        name[2 * i + row_len[i]++] = i + 4 * k + 1;
      }
    }
  }
}

static int worked_example(rp_context *context, rp_device *device, rp_error *err) {
  static const uint32_t digits[8] = {4, 0, 7, 3, 0, 3, 4, 3};
  static const char *const names[] = {"row_ptr",         "columns", "names", "transposed row_ptr", "transposed columns",
                                      "transposed names"};
  const rp_curve_host *c = rp_curve_get(G1);
  uint32_t row_len[4], col[8], name[8];
  uint8_t points[9 * POINT], sum[POINT], want[POINT];
  rp_graph *g;
  rp_recording *recording = NULL;
  rp_run *run = NULL;
  scatter(digits, row_len, col, name);
  c->generator(points);
  for (int i = 1; i < 8; i++) c->add(points + i * POINT, points + (i - 1) * POINT, points);
  c->add(points + 8 * POINT, points + 3 * POINT, points + 7 * POINT); /* P_s */
  if (!report(rp_graph_create(context, "worked_example", &g, err), err)) return 0;
  const rp_ell ell = {.row_len = rp_graph_constant(g, "row_len", &RP_TYPE_U32, 4, row_len, 0),
                      .col = rp_graph_constant(g, "col", &RP_TYPE_U32, 8, col, 0),
                      .val = rp_graph_constant(g, "val", &RP_TYPE_U32, 8, name, 0),
                      .rows = 4,
                      .cols = 8,
                      .width = 2};
  const rp_csr csr = rp_ell_to_csr(g, &ell), t = rp_csr_transpose(g, &csr);
  const rp_value out[6] = {csr.row_ptr, csr.col, csr.val, t.row_ptr, t.col, t.val};
  static const int shown[6] = {5, 5, 5, 9, 5, 5};
  for (int i = 0; i < 6; i++) rp_graph_output(g, names[i], out[i], 0);
  /* Row b of the transpose lists the points with digit b: its product with the vector of ones gives the bucket sums.
   * Here they come from the bucket matrix, as in the products below. */
  uint8_t scalars[8 * 32] = {0};
  for (int i = 0; i < 8; i++) scalars[32 * i] = (uint8_t)digits[i];
  rp_value s = rp_graph_input(g, "scalars", &RP_TYPE_U256, 8, 0);
  const rp_buckets b = rp_bucket_matrix(
      g, s, &(rp_bucket_options){.struct_size = sizeof(rp_bucket_options), .curve = G1, .window_bits = 4});
  rp_value bases = rp_graph_constant(g, "points", rp_type_affine(G1), 8, points, 0);
  rp_value windows = rp_bucket_reduce(g, &b, rp_bucket_accumulate(g, &b, bases));
  rp_value q = rp_to_affine(g, rp_window_reduce(g, &b, windows));
  rp_graph_output(g, "q", q, 0);
  int good = report(rp_record(device, g, NULL, &recording, err), err) &&
             report(rp_run_begin(recording, UINT64_MAX, &run, err), err) &&
             rp_run_set_input(run, s, scalars, sizeof scalars) == RP_OK && rp_run_submit(run) == RP_OK &&
             rp_run_wait(run, UINT64_MAX) == RP_OK;
  for (int i = 0; i < 6 && good; i++) print(names[i], rp_run_output(run, out[i]), shown[i]);
  if (good) {
    const uint8_t times[32] = {107}; /* 3 B_3 + 4 B_4 + 7 B_7 = 107 G */
    memcpy(sum, rp_run_output(run, q), POINT);
    c->mul(want, points, times);
    good = c->equal(sum, want);
    printf("  result %s 107 G\n", good ? "is" : "IS NOT");
  }
  rp_run_end(run);
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  return good;
}

/* ---- 2. Scalars of any distribution ------------------------------------------------------------------------------ */

typedef struct problem {
  uint64_t n;
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

/* One recording, replayed for each distribution; the last one, uniform scalars again, leaves its result in p. */
static int distributions(rp_context *context, rp_device *device, problem *p, const char *picture, rp_error *err) {
  rp_graph *g;
  rp_recording *recording = NULL;
  if (!report(rp_graph_create(context, "msm", &g, err), err)) return 0;
  rp_value s = rp_graph_input(g, "scalars", &RP_TYPE_U256, p->n, RP_SECRET);
  rp_value points = rp_graph_constant(g, "points", rp_type_affine(G1), p->n, p->points, RP_BORROW);
  rp_scope_begin(g, "product");
  rp_scope_title(g, "MSM: %llu points", (unsigned long long)p->n);
  rp_value q = rp_to_affine(g, rp_msm(g, s, points, NULL));
  rp_scope_end(g);
  rp_graph_output(g, "q", q, 0);
  int good = report(rp_record(device, g, NULL, &recording, err), err);
  const rp_view_source view = {.struct_size = sizeof view, .recording = recording};
  if (good && picture) good = report(rp_view_write(&view, picture, err), err);
  for (int i = 0; i < 5 && good; i++) {
    uint64_t best = UINT64_MAX;
    fill_scalars(p, i % 4);
    for (int again = 0; again < 5 && good; again++) {
      rp_run *run;
      rp_run_counters c = {.struct_size = sizeof c};
      good = report(rp_run_begin(recording, UINT64_MAX, &run, err), err) &&
             rp_run_set_input(run, s, p->scalars, p->n * 32) == RP_OK && rp_run_submit(run) == RP_OK &&
             rp_run_wait(run, UINT64_MAX) == RP_OK;
      if (good) memcpy(p->result, rp_run_output(run, q), POINT);
      if (good) rp_run_get_counters(run, &c), best = c.latency_ns < best ? c.latency_ns : best;
      rp_run_end(run);
    }
    if (good && i < 4) printf("  %-10s %9.3f ms\n", spreads[i], (double)best / 1e6);
  }
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  return good;
}

/* ---- 3. A key larger than the budget, 4. several devices --------------------------------------------------------- */

static int streaming(rp_device *device, const problem *p, uint32_t in_flight, rp_error *err) {
  const rp_msm_stream_options options = {
      .struct_size = sizeof options, .in_flight = in_flight, .memory_budget_bytes = p->n * POINT / 2};
  rp_msm_stream *stream;
  rp_msm_stream_info info = {.struct_size = sizeof info};
  rp_msm_job_counters counters = {.struct_size = sizeof counters};
  uint8_t result[POINT];
  if (!report(rp_msm_stream_create(device, G1, p->n, &options, &stream, err), err)) return 0;
  rp_msm_stream_get_info(stream, &info);
  const rp_msm_job job = {.stream = stream, .scalars = p->scalars, .points = p->points, .n = p->n, .result = result};
  int good = report(rp_msm_stream_run(&job, 1, &counters, err), err) && !memcmp(result, p->result, POINT);
  printf(
      "  %u in flight: key %.2f MiB, device memory %.2f MiB: %llu chunks, %llu of them beside another; %.3f ms; %s\n",
      in_flight, (double)info.key_bytes / 1048576, (double)info.device_bytes / 1048576,
      (unsigned long long)counters.chunks, (unsigned long long)counters.overlapped, (double)counters.elapsed_ns / 1e6,
      good ? "equal" : "DIFFERENT");
  rp_msm_stream_destroy(stream);
  return good;
}

static int several_devices(rp_context *context, const problem *p, rp_error *err) {
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  rp_device *devices[2] = {NULL, NULL};
  rp_msm_group *group = NULL;
  uint8_t result[POINT];
  int good = report(rp_device_open(context, &cpu, &devices[0], err), err) &&
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
  const int log_n = argc > 1 ? atoi(argv[1]) : 16;
  const rp_curve_host *c = rp_curve_get(G1);
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_error err = {0};
  int good = 0;
  if (log_n < 14 || log_n > 22)
    return fprintf(stderr, "usage: msm_sparse [--device NAME] [log_n, 14 to 22 [graph.html]]\n"), 2;
  problem p = {.n = (uint64_t)1 << log_n};
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
    printf("2^%d points, best of five replays:\n", log_n);
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
