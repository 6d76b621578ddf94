/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Merkle trees over Rescue Prime: merkle_tree [--device NAME] [first] [last] [graph.html] [way]. The sizes are powers
 * of two with the exponents `first` to `last`, by default 20 and 23. For each size it prints the time from submission
 * to completion, with the leaves on the device: the best of three runs, or of those that begin within two seconds. The
 * ways are schedules by levels, by blocks and by subtrees, each of them one replay; and one recording per level, with
 * a wait after each. With a way, 1 to 4, only that column is printed. */

#define _POSIX_C_SOURCE 200809L /* clock_gettime, setenv */

#include <reprise/graphs.h>
#include <reprise/page.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DIGEST_BYTES = 32, DIGEST = 4, RUNS = 3, WAYS = 4, OWN = 2, ENOUGH_MS = 2000 };

typedef struct session {
  rp_context *context;
  rp_device *device;
  rp_buffer *leaves, *levels[2];
  int only; /* one of the ways, counted from 1; 0: all */
  rp_error err;
} session;

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static bool write_graph(session *s, rp_merkle *tree, const char *path) {
  const rp_view_source view = {.struct_size = sizeof view, .recording = rp_merkle_recording(tree)};
  return rp_view_write(&view, path, &s->err) == RP_OK || (fprintf(stderr, "%s\n", s->err.reason), false);
}

/* The time of the best of a few replays in ms; negative on failure. */
static double replay(session *s, uint64_t n, rp_merkle_schedule schedule, uint8_t *root, const char *dot) {
  const rp_merkle_config config = {
      .struct_size = sizeof config, .leaves = n, .schedule = schedule, .leaves_on_device = 1};
  rp_merkle *tree;
  double best = -1;
  const double first = now_ms();
  if (rp_merkle_create(s->device, &config, &tree, &s->err) != RP_OK) return -1;
  for (int i = 0; i < RUNS && (!i || now_ms() - first < ENOUGH_MS); i++) {
    rp_run_counters c = {.struct_size = sizeof c};
    if (rp_merkle_build_buffer(tree, s->leaves, 0, root, &c, &s->err) != RP_OK)
      best = -1, i = RUNS;
    else if (!i || (double)c.latency_ns * 1e-6 < best)
      best = (double)c.latency_ns * 1e-6;
  }
  if (dot && !write_graph(s, tree, dot)) best = -1;
  rp_merkle_destroy(tree);
  return best;
}

/* One level as a recording of its own, from buffer to buffer. */
typedef struct level {
  rp_graph *graph;
  rp_value in, out;
  rp_recording *recording;
} level;

static rp_status record_level(session *s, uint64_t n, level *l) {
  rp_status status = rp_graph_create(s->context, "level", &l->graph, &s->err);
  if (status != RP_OK) return status;
  l->in = rp_graph_input(l->graph, "children", rp_type_field(RP_FIELD_GOLDILOCKS), n * DIGEST, RP_RESIDENT);
  l->out = rp_merkle_level(l->graph, RP_HASH_RESCUE_RP64_256, l->in);
  rp_graph_output(l->graph, "parents", l->out, RP_RESIDENT);
  return rp_record(s->device, l->graph, NULL, &l->recording, &s->err);
}

static rp_status run_level(session *s, level *l, rp_buffer *from, rp_buffer *to) {
  rp_run *run;
  rp_status status = rp_run_begin(l->recording, UINT64_MAX, &run, &s->err);
  if (status != RP_OK) return status;
  if ((status = rp_run_bind_input(run, l->in, from, 0)) == RP_OK &&
      (status = rp_run_bind_output(run, l->out, to, 0)) == RP_OK && (status = rp_run_submit(run)) == RP_OK)
    status = rp_run_wait(run, UINT64_MAX);
  if (status != RP_OK) s->err = *rp_run_error(run);
  rp_run_end(run);
  return status;
}

static double round_by_round(session *s, uint64_t n, uint8_t *root) {
  level levels[40] = {{0}};
  double best = -1;
  int height = 0;
  rp_status status = RP_OK;
  for (uint64_t left = n; left > 1 && status == RP_OK; left /= 2) status = record_level(s, left, &levels[height++]);
  const double first = now_ms();
  for (int i = 0; i < RUNS && status == RP_OK && (!i || now_ms() - first < ENOUGH_MS); i++) {
    const double begin = now_ms();
    for (int k = 0; k < height && status == RP_OK; k++)
      status = run_level(s, &levels[k], k ? s->levels[(k + 1) & 1] : s->leaves, s->levels[k & 1]);
    if (!i || now_ms() - begin < best) best = now_ms() - begin;
  }
  if (status == RP_OK) status = rp_buffer_read(s->levels[(height + 1) & 1], 0, root, DIGEST_BYTES, &s->err);
  for (int k = 0; k < height; k++) {
    rp_recording_destroy(levels[k].recording);
    rp_graph_destroy(levels[k].graph);
  }
  return status == RP_OK ? best : -1;
}

static rp_status give_leaves(session *s, uint64_t n) {
  uint64_t *data = malloc(n * DIGEST_BYTES);
  rp_status status = data ? RP_OK : RP_ERR_MEMORY;
  for (uint64_t i = 0; data && i < n * DIGEST; i++) data[i] = i + 1;
  if (status == RP_OK) status = rp_buffer_create(s->device, n * DIGEST_BYTES, &s->leaves, &s->err);
  for (int k = 0; k < 2 && status == RP_OK && (!s->only || s->only == WAYS); k++)
    status = rp_buffer_create(s->device, n / 2 * DIGEST_BYTES, &s->levels[k], &s->err);
  if (status == RP_OK) status = rp_buffer_write(s->leaves, 0, data, n * DIGEST_BYTES, &s->err);
  free(data);
  return status;
}

static bool print_row(session *s, uint64_t n, const char *dot) {
  uint8_t root[WAYS][DIGEST_BYTES];
  bool good = give_leaves(s, n) == RP_OK;
  if (good) printf("| %llu |", (unsigned long long)n);
  for (int k = 0; k < WAYS && good; k++) {
    if (s->only && s->only != k + 1) {
      printf(" |");
      continue;
    }
    const double ms = k > OWN ? round_by_round(s, n, root[k])
                              : replay(s, n, RP_MERKLE_LEVELS + (rp_merkle_schedule)k, root[k], k == OWN ? dot : NULL);
    good = ms >= 0;
    if (good) printf(" %.3f |", ms);
    fflush(stdout); /* large trees take their time */
    if (good && k && !s->only && memcmp(root[k], root[0], DIGEST_BYTES)) good = 0, puts(" the roots differ");
  }
  puts("");
  rp_buffer_destroy(s->leaves);
  for (int k = 0; k < 2; k++) rp_buffer_destroy(s->levels[k]);
  s->leaves = s->levels[0] = s->levels[1] = NULL;
  return good;
}

int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "--device")) {
    if (setenv("REPRISE_DEVICE", argv[2], 1) != 0) return 1;
    argc -= 2;
    argv += 2;
  }
  const int first = argc > 1 ? atoi(argv[1]) : 20, last = argc > 2 ? atoi(argv[2]) : 23;
  session s = {.only = argc > 4 ? atoi(argv[4]) : 0};
  rp_device_info info = {.struct_size = sizeof info};
  bool good = first >= 3 && last >= first && last <= 26 && s.only >= 0 && s.only <= WAYS;
  if (!good)
    return fprintf(stderr, "usage: merkle_tree [--device NAME] [first] [last, at least 3 and at most 26] [graph.html] "
                           "[way, 1 to 4]\n"),
           2;
  good = rp_context_create(NULL, &s.context, &s.err) == RP_OK &&
         rp_device_open(s.context, NULL, &s.device, &s.err) == RP_OK;
  if (good) {
    rp_device_get_info(s.device, &info);
    printf("%s, ms\n\n| leaves | levels | blocks | subtrees | levels, a wait after each |\n|---|---|---|---|---|\n",
           info.name);
    for (int log_n = first; log_n <= last && good; log_n++)
      good = print_row(&s, (uint64_t)1 << log_n, argc > 3 && log_n == first ? argv[3] : NULL);
  }
  if (good)
    puts(s.only ? "\ndone" : "\nall roots agree");
  else
    fprintf(stderr, "%s: %s\n", rp_status_name(s.err.status), s.err.reason);
  rp_device_close(s.device);
  rp_context_destroy(s.context);
  return !good;
}
