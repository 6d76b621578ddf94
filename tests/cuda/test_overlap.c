/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A multi-scalar multiplication whose key is larger than the device goes in chunks (reprise/msm.h), each a run of its
 * own: while one is computed, the points of the next are copied up. The traces of two such runs show it.
 */
#include "bench.h"

#include <reprise/ops.h>

#include <stdio.h>
#include <time.h>

/* ROUNDS: if other programs use the device, a pair of runs may not show the overlap. One pair that shows it is
 * enough. */
enum { POINTS = 1 << 16, POINT = 64, SCALAR = 32, DIFFERENT = 64, RUNS = 2, ROUNDS = 20 };

typedef struct chunk {
  rp_graph *graph;
  rp_recording *recording;
  rp_value scalars, points;
  uint8_t *scalar_bytes, *point_bytes;
} chunk;

/* What a trace says about a run, in microseconds since the device began it; `called` and `done` are times of the host's
 * clock. */
typedef struct times {
  double upload_begin, upload_end, end, called, done;
} times;

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static void chunk_make(bench *b, chunk *c) {
  const rp_curve_host *curve = rp_curve_get(RP_CURVE_BN254_G1);
  const rp_record_options options = {.struct_size = sizeof options, .flags = RP_RECORD_PROFILE, .max_in_flight = RUNS};
  rp_error err = {0};
  uint64_t state = 1;
  c->scalar_bytes = malloc((size_t)POINTS * SCALAR);
  c->point_bytes = malloc((size_t)POINTS * POINT);
  assert_true(c->scalar_bytes && c->point_bytes);
  for (size_t i = 0; i < (size_t)POINTS * SCALAR; i++) {
    c->scalar_bytes[i] = (uint8_t)((state = state * 6364136223846793005u + 1442695040888963407u) >> 56);
    if (i % SCALAR == SCALAR - 1) c->scalar_bytes[i] &= 0x1f; /* below the order */
  }
  curve->generator(c->point_bytes);
  for (size_t i = 1; i < POINTS; i++) {
    uint8_t *p = c->point_bytes + i * POINT;
    if (i < DIFFERENT)
      curve->add(p, p - POINT, c->point_bytes);
    else
      memcpy(p, p - (size_t)DIFFERENT * POINT, POINT);
  }
  EXPECT(RP_OK, rp_graph_create(b->context, "chunk", &c->graph, &err), &err);
  c->scalars = rp_graph_input(c->graph, "scalars", &RP_TYPE_U256, POINTS, RP_SECRET);
  c->points = rp_graph_input(c->graph, "points", rp_type_affine(RP_CURVE_BN254_G1), POINTS, 0);
  rp_graph_output(c->graph, "sum", rp_msm(c->graph, c->scalars, c->points, NULL), 0);
  EXPECT(RP_OK, rp_record(b->device, c->graph, &options, &c->recording, &err), &err);
}

static void chunk_drop(chunk *c) {
  rp_recording_destroy(c->recording);
  rp_graph_destroy(c->graph);
  free(c->scalar_bytes);
  free(c->point_bytes);
}

static rp_run *chunk_write(const chunk *c) {
  rp_run *run = NULL;
  rp_error err = {0};
  EXPECT(RP_OK, rp_run_begin(c->recording, 0, &run, &err), &err);
  EXPECT(RP_OK, rp_run_set_input(run, c->scalars, c->scalar_bytes, (uint64_t)POINTS * SCALAR), rp_run_error(run));
  EXPECT(RP_OK, rp_run_set_input(run, c->points, c->point_bytes, (uint64_t)POINTS * POINT), rp_run_error(run));
  return run;
}

static int append(void *user, const char *text, size_t bytes) {
  char **at = user;
  memcpy(*at, text, bytes);
  (*at)[bytes] = 0;
  *at += bytes;
  return 0;
}

static void chunk_submit(rp_run *run, times *t) {
  t->called = now_us();
  EXPECT(RP_OK, rp_run_submit(run), rp_run_error(run));
}

static void chunk_finish(rp_run *run, times *t) {
  enum { ROOM = 1 << 20 };
  char *text = malloc(ROOM), *end = text;
  rp_error err = {0};
  assert_non_null(text);
  EXPECT(RP_OK, rp_run_wait(run, UINT64_MAX), rp_run_error(run));
  t->done = now_us();
  EXPECT(RP_OK, rp_run_trace(run, append, &end, &err), &err);
  rp_run_end(run);
  t->end = 0;
  int uploads = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    const char *at = strstr(line, "\"ts\": ");
    double begin, duration;
    if (!at || strstr(line, "\"cat\": \"run\"")) continue;
    assert_int_equal(sscanf(at, "\"ts\": %lf, \"dur\": %lf", &begin, &duration), 2);
    if (strstr(line, "\"name\": \"upload\"")) {
      uploads++;
      t->upload_begin = begin;
      t->upload_end = begin + duration;
    } else if (strstr(line, "\"cat\": \"dispatch\"") && begin + duration > t->end) {
      t->end = begin + duration;
    }
  }
  assert_int_equal(uploads, 1);
  assert_true(t->end > t->upload_end && t->upload_end > t->upload_begin);
  free(text);
}

/* A lower bound of the time between the end of the later run's upload and the end of the earlier run's last dispatch.
 * The host called for the earlier run before its first dispatch, and saw the later one done after its last: this
 * relates the times of the two runs on the device to each other. */
static double ahead_us(const times *earlier, const times *later) {
  return earlier->called + earlier->end - (later->done - (later->end - later->upload_end));
}

static void points_are_uploaded_during_a_product(void **state) {
  (void)state;
  bench b;
  chunk c;
  times t[RUNS];
  bench_open(&b, 0, 0);
  chunk_make(&b, &c);
  int at_once = 0;
  double ahead = 0;
  for (int round = 0; round < ROUNDS && (round < 2 || ahead <= 0); round++) { /* the first rounds warm up */
    rp_run *earlier = chunk_write(&c), *later = chunk_write(&c);
    chunk_submit(earlier, &t[0]);
    at_once |= rp_run_poll(earlier) == RP_OK;
    chunk_submit(later, &t[1]);
    chunk_finish(earlier, &t[0]);
    chunk_finish(later, &t[1]);
    ahead = ahead_us(&t[0], &t[1]);
  }
  print_message(
      "a product takes %.0f us; the next one's points, %.0f us on their way, were up %.0f us before its end\n",
      t[0].end, t[1].upload_end - t[1].upload_begin, ahead);
  if (at_once)
    print_message("launches wait here, as under a checker: nothing can overlap\n");
  else
    assert_true(ahead > 0);
  for (int i = 0; i < RUNS; i++) { /* runs one after the other do not overlap by the same measure */
    rp_run *run = chunk_write(&c);
    chunk_submit(run, &t[i]);
    chunk_finish(run, &t[i]);
  }
  assert_true(ahead_us(&t[0], &t[1]) < 0);
  chunk_drop(&c);
  bench_close(&b);
}

int main(void) {
  if (bench_absent()) return 77;
  const struct CMUnitTest tests[] = {cmocka_unit_test(points_are_uploaded_during_a_product)};
  return cmocka_run_group_tests_name("cuda overlap", tests, NULL, NULL);
}
