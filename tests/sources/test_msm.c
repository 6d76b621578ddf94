/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Multi-scalar multiplication: keys larger than the budget, several devices, scalars of any distribution, and a check
 * that only the scalars and the result pass between host and device.
 *
 * On lavapipe there are as many parts, of a tenth as many points each, and a smaller budget: the host makes the parts,
 * and op_msm tests the thresholds of the kernels. On CPUs and GPUs all points are used.
 */
#include <reprise/msm.h>

#include "data.h"
#include "device.h"
#include "kat.h"
#include "one_submission.h"
#include "points_data.h"

enum { POINT = 192 };

/* n scalars below the order and n points, with their product from rp_msm. */
typedef struct product {
  rp_curve curve;
  uint64_t n;
  uint8_t *scalars, *points, want[POINT];
} product;

static product make(rp_curve curve, uint64_t n, data_kind kind) {
  product p = {.curve = curve, .n = n};
  const rp_curve_host *c = rp_curve_get(curve);
  int64_t *multiples = malloc(n * sizeof *multiples);
  void *elements = data_field(c->scalar, kind, n, n);
  job j;
  p.scalars = data_canonical(c->scalar, elements, n);
  p.points = data_points(curve, POINT_DISTINCT, n, multiples);
  for (uint64_t i = 3; i < n; i += 19) c->identity(p.points + i * c->affine_bytes);
  job_begin(&j);
  rp_value s = job_input(&j, &RP_TYPE_U256, n, p.scalars), v = job_input(&j, rp_type_affine(curve), n, p.points);
  job_output(&j, rp_to_affine(j.graph, rp_msm(j.graph, s, v, NULL)), p.want);
  job_check(&j);
  free(multiples), free(elements);
  return p;
}

/* A number of points, or on a software GPU a tenth of it. */
static uint32_t scaled(uint32_t n) { return device_is_software() ? (n + 9) / 10 : n; }

static int is_tested(rp_curve curve) { return data_curve(curve) == curve; }

static void drop(product *p) { free(p->scalars), free(p->points); }

/* ---- Streaming --------------------------------------------------------------------------------------------------- */

/* Options of a program that was built with a shorter or a longer struct; options without a size are refused. */
static void options_of_other_sizes(void **state) {
  struct {
    rp_msm_stream_options o;
    uint64_t later[4];
  } longer = {.o = {.struct_size = sizeof longer, .in_flight = 3, .chunk = 100}, .later = {1, 2, 3, 4}};
  rp_msm_stream_options shorter = {.in_flight = 3, .chunk = 100};
  rp_msm_stream_info info = {.struct_size = sizeof info};
  (void)state;
  assert_int_equal(rp_msm_stream_plan(device_current(), RP_CURVE_BN254_G1, 1000, &longer.o, &info, NULL), RP_OK);
  assert_int_equal(info.chunk, 100);
  shorter.struct_size = offsetof(rp_msm_stream_options, chunk); /* the chunk is not read */
  assert_int_equal(rp_msm_stream_plan(device_current(), RP_CURVE_BN254_G1, 1000, &shorter, &info, NULL), RP_OK);
  assert_int_equal(info.chunk, 1000);
  shorter.struct_size = 0;
  assert_int_equal(rp_msm_stream_plan(device_current(), RP_CURVE_BN254_G1, 1000, &shorter, &info, NULL),
                   RP_ERR_ARGUMENT);
  product p = make(RP_CURVE_BN254_G1, 20, DATA_RANDOM);
  const rp_msm_group_options none = {0};
  rp_device *devices[] = {device_current()};
  rp_msm_group *group;
  assert_int_equal(rp_msm_group_create(devices, 1, p.curve, p.points, p.n, &none, &group, NULL), RP_ERR_ARGUMENT);
  assert_null(group);
  drop(&p);
}

/* Windows that cannot be made are refused by every split, and are no windows of other devices. */
static void wrong_windows_are_refused(void **state) {
  static const uint32_t bits[] = {27, 64, UINT32_MAX};
  product p = make(RP_CURVE_BN254_G1, 20, DATA_RANDOM);
  rp_device *devices[] = {device_current()};
  (void)state;
  for (int split = 0; split < 3; split++)
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
      const rp_msm_group_options o = {.struct_size = sizeof o, .split = (rp_msm_split)split, .window_bits = bits[i]};
      rp_msm_group *group;
      rp_error err = {0};
      const rp_status status = rp_msm_group_create(devices, 1, p.curve, p.points, p.n, &o, &group, &err);
      assert_int_not_equal(status, RP_OK);
      assert_int_equal(status, err.status);
      assert_null(group);
    }
  drop(&p);
}

/* A key that is many times as large as the budget, in chunks, for every number of chunks in flight. */
static void streamed(void **state) {
  static const rp_curve curves[] = {RP_CURVE_BN254_G1, RP_CURVE_BLS12_381_G1, RP_CURVE_BN254_G2, RP_CURVE_BANDERWAGON};
  (void)state;
  for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
    if (!is_tested(curves[i])) continue;
    product p = make(curves[i], scaled(3001), DATA_RANDOM);
    for (uint32_t in_flight = 1; in_flight <= 3; in_flight++) {
      rp_msm_stream *s;
      rp_msm_stream_info info = {.struct_size = sizeof info};
      rp_msm_job_counters counters = {.struct_size = sizeof counters};
      rp_error err = {0};
      uint8_t got[POINT];
      const rp_msm_stream_options o = {.struct_size = sizeof o, .in_flight = in_flight, .chunk = scaled(500)};
      if (rp_msm_stream_create(device_current(), curves[i], p.n, &o, &s, &err) != RP_OK) fail_msg("%s", err.reason);
      rp_msm_stream_get_info(s, &info);
      assert_int_equal(info.chunks, 7);
      for (int again = 0; again < 2; again++) {
        const rp_msm_job one = {.stream = s, .scalars = p.scalars, .points = p.points, .n = p.n, .result = got};
        if (rp_msm_stream_run(&one, 1, &counters, &err) != RP_OK) fail_msg("%s", err.reason);
        data_assert_points(curves[i], got, p.want, 1, "streamed");
        assert_int_equal(counters.chunks, 7);
        assert_int_equal(counters.overlapped, in_flight > 1 ? 6 : 0);
      }
      rp_msm_stream_destroy(s);
    }
    drop(&p);
  }
}

/* The budget is half of the key's size, and the plan takes no more. A budget that is too small for any chunk is
 * refused. */
static void budget(void **state) {
  product p = make(RP_CURVE_BN254_G1, device_is_software() ? 1 << 13 : 1 << 16, DATA_RANDOM);
  rp_msm_stream *s;
  rp_msm_stream_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  uint8_t got[POINT];
  (void)state;
  rp_msm_stream_options o = {.struct_size = sizeof o, .memory_budget_bytes = p.n * 64 / 2};
  if (rp_msm_stream_create(device_current(), p.curve, p.n, &o, &s, &err) != RP_OK) fail_msg("%s", err.reason);
  rp_msm_stream_get_info(s, &info);
  assert_int_equal(info.key_bytes, p.n * 64);
  assert_true(info.device_bytes <= o.memory_budget_bytes);
  assert_true(info.chunks > 1);
  const rp_msm_job one = {.stream = s, .scalars = p.scalars, .points = p.points, .n = p.n, .result = got};
  if (rp_msm_stream_run(&one, 1, NULL, &err) != RP_OK) fail_msg("%s", err.reason);
  data_assert_points(p.curve, got, p.want, 1, "within the budget");
  rp_msm_stream_destroy(s);
  o.memory_budget_bytes = 1000;
  assert_int_equal(rp_msm_stream_create(device_current(), p.curve, p.n, &o, &s, &err), RP_ERR_BUDGET);
  assert_true(err.reason[0]);
  drop(&p);
}

/* Several products over G1 and G2 in order, through one pipeline, as a prover has them. After the call has returned,
 * the points are not read any more. */
static void several_products(void **state) {
  enum { JOBS = 5 };
  const uint64_t sizes[JOBS] = {scaled(900), 1, 0, scaled(700), scaled(1200)};
  product p[JOBS];
  rp_msm_stream *g1, *g2;
  rp_msm_job jobs[JOBS];
  rp_msm_job_counters counters = {.struct_size = sizeof counters};
  rp_error err = {0};
  uint8_t got[JOBS][POINT];
  const rp_msm_stream_options o = {.struct_size = sizeof o, .chunk = scaled(300)};
  (void)state;
  assert_int_equal(rp_msm_stream_create(device_current(), RP_CURVE_BN254_G1, 2000, &o, &g1, &err), RP_OK);
  assert_int_equal(rp_msm_stream_create(device_current(), RP_CURVE_BN254_G2, 2000, &o, &g2, &err), RP_OK);
  for (int i = 0; i < JOBS; i++) {
    p[i] = make(i == 3 ? RP_CURVE_BN254_G2 : RP_CURVE_BN254_G1, sizes[i] ? sizes[i] : 1, DATA_SPARSE);
    if (!sizes[i]) rp_curve_get(p[i].curve)->identity(p[i].want);
    jobs[i] = (rp_msm_job){.stream = i == 3 ? g2 : g1,
                           .scalars = sizes[i] ? p[i].scalars : NULL,
                           .points = sizes[i] ? p[i].points : NULL,
                           .n = sizes[i],
                           .result = got[i]};
  }
  if (rp_msm_stream_run(jobs, JOBS, &counters, &err) != RP_OK) fail_msg("%s", err.reason);
  for (int i = 0; i < JOBS; i++) memset(p[i].points, 0xff, rp_curve_get(p[i].curve)->affine_bytes);
  for (int i = 0; i < JOBS; i++) data_assert_points(p[i].curve, got[i], p[i].want, 1, "one of several products");
  assert_int_equal(counters.chunks, 3 + 1 + 3 + 4);
  assert_int_equal(counters.overlapped, counters.chunks - 1); /* also from one product to the next */
  /* A scalar above the order stops the run with the operation's message; the streams can still be used. */
  memset(p[4].scalars + 32 * scaled(1000), 0xff, 32);
  memcpy(p[4].points, p[0].points + 64, 64);
  assert_int_equal(rp_msm_stream_run(jobs, JOBS, NULL, &err), RP_ERR_INPUT);
  assert_non_null(strstr(err.reason, "order"));
  memset(p[4].scalars + 32 * scaled(1000), 0, 32);
  assert_int_equal(rp_msm_stream_run(jobs, JOBS, NULL, &err), RP_OK);
  jobs[0].n = 2001;
  assert_int_equal(rp_msm_stream_run(jobs, 1, NULL, &err), RP_ERR_SHAPE);
  jobs[0].stream = NULL;
  assert_int_equal(rp_msm_stream_run(jobs, 1, NULL, &err), RP_ERR_ARGUMENT);
  for (int i = 0; i < JOBS; i++) drop(&p[i]);
  rp_msm_stream_destroy(g1);
  rp_msm_stream_destroy(g2);
}

/* ---- Several devices --------------------------------------------------------------------------------------------- */

static void split_rule(void **state) {
  (void)state;
  const json *root = json_load("msm_kats.json");
  for (const json *e = json_get(root, "multi_gpu_partition")->item; e; e = e->next) {
    const uint32_t windows = (uint32_t)json_u64(json_get(e, "windows")), gpus = (uint32_t)json_u64(json_get(e, "gpus"));
    for (int split = 0; split < 2; split++) {
      const json *want = json_get(e, split ? "most_even_split" : "contiguous_ceil_split (cuZK code)");
      uint32_t next = 0, most = 0;
      for (uint32_t g = 0; g < gpus; g++) {
        uint32_t first, count;
        assert_true(rp_msm_partition((rp_msm_split)split, windows, gpus, g, &first, &count));
        assert_int_equal(first, next);
        assert_int_equal(count, json_u64(json_at(want, g)));
        next += count;
        most = count > most ? count : most;
      }
      assert_int_equal(next, windows);
      assert_int_equal(most, json_u64(json_get(e, "block_time")));
    }
  }
  uint32_t first, count;
  assert_false(rp_msm_partition(RP_MSM_SPLIT_CEIL, 13, 4, 4, &first, &count));
  assert_false(rp_msm_partition(RP_MSM_SPLIT_CEIL, 13, 0, 0, &first, &count));
  assert_false(rp_msm_partition(RP_MSM_SPLIT_POINTS, 13, 2, 0, &first, &count));
}

/* One, two, four and eight devices, of which one may get no window, give one result. */
static void several_devices(void **state) {
  enum { MOST = 8 };
  static const uint32_t numbers[] = {1, 2, 4, 8};
  rp_device *devices[MOST];
  (void)state;
  devices[0] = device_current();
  for (int i = 1; i < MOST; i++) {
    const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
    assert_int_equal(rp_device_open(device_context(), &cpu, &devices[i], NULL), RP_OK);
  }
  for (int g2 = 0; g2 < 2; g2++) {
    const rp_curve curve = g2 ? RP_CURVE_BLS12_381_G2 : RP_CURVE_BN254_G1;
    if (!is_tested(curve)) continue;
    product p = make(curve, 600, g2 ? DATA_SPARSE : DATA_EDGES);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
      for (int split = 0; split < 3; split++) {
        const rp_msm_group_options o = {
            .struct_size = sizeof o, .split = (rp_msm_split)split, .window_bits = k == 3 ? 10 : 8};
        rp_msm_group *group;
        rp_error err = {0};
        uint8_t got[POINT];
        uint32_t windows = 0;
        if (rp_msm_group_create(devices, numbers[k], p.curve, p.points, p.n, &o, &group, &err) != RP_OK)
          fail_msg("%s", err.reason);
        for (int again = 0; again < 2; again++) {
          if (rp_msm_group_run(group, p.scalars, got, &err) != RP_OK) fail_msg("%s", err.reason);
          data_assert_points(p.curve, got, p.want, 1, "several devices");
        }
        for (uint32_t i = 0; i < numbers[k]; i++) windows += rp_msm_group_windows(group, i);
        assert_int_equal(windows, split == RP_MSM_SPLIT_POINTS ? 0 : rp_msm_windows(p.curve, o.window_bits));
        rp_msm_group_destroy(group);
      }
    drop(&p);
  }
  for (int i = 1; i < MOST; i++) rp_device_close(devices[i]);
}

/* ---- Scalars of any distribution --------------------------------------------------------------------------------- */

/* The distributions of `reprise bench --scalars`: that command measures them, this test checks the results. */
static void distributions(void **state) {
  enum { N = 5000 };
  const rp_curve_host *c = rp_curve_get(RP_CURVE_BN254_G1);
  int64_t multiples[N];
  uint8_t *points = data_points(c->id, POINT_DISTINCT, N, multiples),
          *random = data_field(c->scalar, DATA_RANDOM, 1, N);
  uint8_t *s = data_canonical(c->scalar, random, N), got[POINT], want[POINT];
  (void)state;
  for (int spread = 0; spread < 4; spread++) {
    uint64_t expected[4], t[4], scalar[4];
    const rp_field_host *f = rp_field_get(c->scalar);
    f->zero(expected);
    for (int i = 0; i < N; i++) { /* the points are known multiples of the generator */
      uint8_t *x = s + 32 * i;
      if (spread == 1) memcpy(x, s, 32);
      if (spread == 2) memset(x, 0, 32), x[0] = random[32 * i] & 1;
      if (spread == 3) memcpy(x, s + 32 * (i % 48), 30);
      assert_true(f->from_canonical(scalar, x));
      const uint64_t size = (uint64_t)(multiples[i] < 0 ? -multiples[i] : multiples[i]);
      f->from_bytes_reduce(t, (const uint8_t *)&size, 8);
      if (multiples[i] < 0) f->neg(t, t);
      f->mul(t, t, scalar);
      f->add(expected, expected, t);
    }
    uint8_t total[32];
    f->to_canonical(total, expected);
    c->generator(want);
    c->mul(want, want, total);
    job j;
    job_begin(&j);
    rp_value v = job_input(&j, &RP_TYPE_U256, N, s), p = job_input(&j, rp_type_affine(c->id), N, points);
    job_output(&j, rp_to_affine(j.graph, rp_msm(j.graph, v, p, NULL)), got);
    job_check(&j);
    data_assert_points(c->id, got, want, 1, "spread");
  }
  free(points), free(random), free(s);
}

/* ---- The scheme of a sparse product ------------------------------------------------------------------------------ */

enum { ROWS = 64, NNZ_MOST = 1 << 14 };

/* The strategy that is recorded for a constant matrix with rows of that length, one of which may be longer. */
static const char *kernel; /* the first kernel of the product that scheme_of recorded last */
static const char *scheme_of(uint32_t row, uint32_t long_row, const rp_spmv_table *table, uint8_t y[ROWS * 32]) {
  static uint32_t col[NNZ_MOST];
  uint32_t row_ptr[ROWS + 1] = {0}, count;
  for (uint32_t r = 0; r < ROWS; r++) row_ptr[r + 1] = row_ptr[r] + (r == ROWS / 2 && long_row ? long_row : row);
  const uint32_t nnz = row_ptr[ROWS];
  assert_true(nnz <= NNZ_MOST);
  for (uint32_t i = 0; i < nnz; i++) col[i] = i * 7 % ROWS;
  const rp_type *fr = rp_type_field(RP_FIELD_BN254_FR);
  uint8_t *val = data_field(RP_FIELD_BN254_FR, DATA_RANDOM, 8, nnz),
          *x = data_field(RP_FIELD_BN254_FR, DATA_EDGES, 9, ROWS);
  const rp_spmv_options o = {.struct_size = sizeof o, .table = table};
  static rp_node_info nodes[16] = {{.struct_size = sizeof *nodes}};
  const char *scheme = NULL;
  rp_recording *recording;
  rp_graph *g;
  rp_run *run;
  assert_int_equal(rp_graph_create(device_context(), "scheme", &g, NULL), RP_OK);
  const rp_csr m = {.row_ptr = rp_graph_constant(g, "row_ptr", &RP_TYPE_U32, ROWS + 1, row_ptr, 0),
                    .col = rp_graph_constant(g, "col", &RP_TYPE_U32, nnz, col, 0),
                    .val = rp_graph_constant(g, "val", fr, nnz, val, 0),
                    .rows = ROWS,
                    .cols = ROWS};
  const rp_value vx = rp_graph_input(g, "x", fr, ROWS, 0), out = rp_spmv(g, &m, vx, &o);
  rp_graph_output(g, "y", out, 0);
  assert_int_equal(rp_record(device_current(), g, NULL, &recording, NULL), RP_OK);
  assert_int_equal(rp_recording_nodes(recording, nodes, 16, &count, NULL), RP_OK);
  for (uint32_t i = count < 16 ? count : 16; i-- > 0;)
    if (!strcmp(nodes[i].op, "spmv")) scheme = nodes[i].strategy, kernel = nodes[i].kernel;
  assert_int_equal(rp_run_begin(recording, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, vx, x, ROWS * 32), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  memcpy(y, rp_run_output(run, out), ROWS * 32);
  rp_run_end(run);
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  free(val), free(x);
  assert_non_null(scheme); /* the library owns the text */
  return scheme;
}

/* Even rows that are short, even rows that are long, and uneven rows; with the device's table and with others, which
 * give the same bytes. */
static void scheme_by_the_rows(void **state) {
  static const rp_spmv_table balanced = {.vector_mean = 1, .balanced_cv2 = 0},
                             vector = {.vector_mean = 1, .balanced_cv2 = 1e9},
                             scalar = {.vector_mean = 1e9, .balanced_cv2 = 1e9};
  rp_device_info info = {.struct_size = sizeof info};
  uint8_t y[4][ROWS * 32];
  (void)state;
  rp_device_get_info(device_current(), &info);
  const rp_spmv_table own = rp_spmv_table_of(info.kind);
  const uint32_t edge = (uint32_t)own.vector_mean;
  assert_true(edge > 1 && edge <= 128);
  assert_string_equal(scheme_of(edge - 1, 0, NULL, y[0]), "scalar");
  assert_string_equal(scheme_of(edge, 0, NULL, y[0]), "vector");
  assert_string_equal(scheme_of(2, 1000, NULL, y[0]), "balanced");
  assert_string_equal(scheme_of(2, 1000, &vector, y[2]), "vector");
  const char *of_balanced, *of_scalar;
  assert_string_equal(scheme_of(2, 1000, &balanced, y[1]), "balanced");
  of_balanced = kernel; /* the library owns the text */
  assert_string_equal(scheme_of(2, 1000, &scalar, y[3]), "scalar");
  of_scalar = kernel;
  assert_string_not_equal(of_balanced, of_scalar);
  for (int i = 1; i < 4; i++) assert_memory_equal(y[i], y[0], sizeof y[0]);
  assert_string_equal(scheme_of(edge, 0, &balanced, y[0]), "balanced");
  assert_string_equal(scheme_of(edge, 0, &scalar, y[1]), "scalar");
  assert_memory_equal(y[1], y[0], sizeof y[0]);
}

/* The scalars go up, one point comes down, with one submission and one wait: no step goes through the host. */
static void all_on_the_device(void **state) {
  product p = make(is_tested(RP_CURVE_BLS12_381_G1) ? RP_CURVE_BLS12_381_G1 : RP_CURVE_BN254_G1, 2000, DATA_RANDOM);
  rp_graph *g;
  rp_recording *recording;
  rp_run *run;
  rp_run_counters c = {.struct_size = sizeof c};
  (void)state;
  assert_int_equal(rp_graph_create(device_context(), "resident", &g, NULL), RP_OK);
  rp_value s = rp_graph_input(g, "s", &RP_TYPE_U256, p.n, RP_SECRET);
  rp_value points = rp_graph_constant(g, "p", rp_type_affine(p.curve), p.n, p.points, 0);
  rp_value result = rp_to_affine(g, rp_msm(g, s, points, NULL));
  rp_graph_output(g, "q", result, 0);
  assert_int_equal(rp_record(device_current(), g, NULL, &recording, NULL), RP_OK);
  assert_int_equal(rp_run_begin(recording, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, s, p.scalars, p.n * 32), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  data_assert_points(p.curve, rp_run_output(run, result), p.want, 1, "resident points");
  rp_run_get_counters(run, &c);
  assert_one_submission(device_current(), c.submissions);
  assert_int_equal(c.waits, 1);
  assert_true(c.bytes_up <= p.n * 32 + 4096 && c.bytes_down <= 4096);
  assert_true(c.dispatches > 1);
  rp_run_end(run);
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  drop(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(options_of_other_sizes),
                                     cmocka_unit_test(wrong_windows_are_refused),
                                     cmocka_unit_test(streamed),
                                     cmocka_unit_test(budget),
                                     cmocka_unit_test(several_products),
                                     cmocka_unit_test(split_rule),
                                     cmocka_unit_test(several_devices),
                                     cmocka_unit_test(distributions),
                                     cmocka_unit_test(all_on_the_device),
                                     cmocka_unit_test(scheme_by_the_rows)};
  int failures = device_run_tests("msm sources", tests, sizeof tests / sizeof tests[0]);
  json_unload();
  return failures;
}
