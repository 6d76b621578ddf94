/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Workers that sleep instead of proving, on the real queue: what the farm costs per job, and how many jobs per second
 * it can hand out.
 *   load URL fill N                       N jobs of one key
 *   load URL work WORKERS BATCH US SECONDS [LEASE [BEFORE]]
 *       each worker is a thread with a connection; a job takes US microseconds. Measures for SECONDS, BEFORE seconds
 *       (1) after the beginning, and prints one line: jobs stored, jobs per second, the workers' own rate, milliseconds
 *       that the database took per job (median of the workers), claims, results that came too late, reconnections
 */
#include "worker.h"

#include "backoff.h"
#include "schema.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

static const char proof[] = "{\"pi_a\": \"a proof that takes the room of a proof\"}";

typedef struct sleeper {
  pthread_t thread;
  const char *url;
  int number, batch, stop_fd;
  uint64_t job_ns;
  double lease;
  _Atomic uint64_t n_slept;
  farm_worker_counts counts;
  rp_status status;
  rp_error err;
} sleeper;

static void sleep_ns(uint64_t ns) {
  struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
  while (nanosleep(&t, &t) != 0) continue;
}

static void prove(void *self, farm_batch *b) {
  sleeper *s = self;
  for (int i = 0; i < b->n; i++) {
    sleep_ns(s->job_ns);
    s->n_slept++;
  }
  for (int i = 0; i < b->n; i++) {
    b->jobs[i].proof = strdup(proof);
    b->jobs[i].signals = strdup("[\"33\"]");
    b->jobs[i].prove_ns = s->job_ns;
  }
}

static void resident(void *self, farm_array *keys) {
  (void)self;
  farm_array_int(keys, 1);
}

static void *work(void *arg) {
  sleeper *s = arg;
  char name[32];
  snprintf(name, sizeof name, "sleeper %d", s->number);
  const farm_prover prover = {.self = s, .prove = prove, .resident = resident};
  const farm_worker_options options = {.name = name,
                                       .lease_seconds = s->lease,
                                       .poll_seconds = 1,
                                       .patience_seconds = 10,
                                       .batch_seconds = 3600, /* always whole batches */
                                       .most = s->batch,
                                       .most_bytes = 64 << 20,
                                       .stop_fd = s->stop_fd};
  farm_database db = {.url = s->url, .program = name};
  s->status = farm_work(&db, &options, &prover, &s->counts, &s->err);
  return NULL;
}

static int refuse(const rp_error *err) {
  fprintf(stderr, "load: %s\n", err->reason);
  return 1;
}

static int fill(const char *url, int n) {
  farm_database db = {.url = url, .program = "load"};
  rp_error err = {0};
  const farm_value values[] = {farm_int4(n)};
  rp_status status = farm_open(&db, &err);
  if (status == RP_OK)
    status = farm_script(&db,
                         "INSERT INTO reprise.keys (sha256, size_bytes, chunk_bytes, complete) VALUES "
                         "(sha256('sleep'), 1, 1, true) ON CONFLICT DO NOTHING",
                         &err);
  static const char sql[] =
      "SELECT count(*) FROM reprise.submit(sha256('sleep'), (SELECT array_agg(decode(repeat('ab', 512), 'hex')) FROM "
      "generate_series(1, $1)), (SELECT array_agg(gen_random_uuid()::text) FROM generate_series(1, $1)), 0, NULL, "
      "1000)";
  if (status == RP_OK) status = farm_call(&db, sql, values, 1, NULL, &err);
  farm_disconnect(&db);
  return status == RP_OK ? 0 : refuse(&err);
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static uint64_t slept(const sleeper *all, int n) {
  uint64_t jobs = 0;
  for (int i = 0; i < n; i++) jobs += all[i].n_slept;
  return jobs;
}

static int report(const sleeper *all, int n, double rate) {
  double *per_job = calloc((size_t)n, sizeof *per_job);
  int64_t stored = 0, claims = 0, lost = 0, again = 0;
  int failures = 0, measured = 0;
  for (int i = 0; i < n && per_job; i++) {
    const farm_worker_counts *c = &all[i].counts;
    stored += c->stored;
    claims += c->claims;
    lost += c->lost;
    again += c->reconnects;
    if (c->stored) per_job[measured++] = (double)c->database_ns / 1e6 / (double)c->stored;
    if (all[i].status != RP_OK && failures++ == 0) refuse(&all[i].err);
  }
  qsort(per_job, (size_t)measured, sizeof *per_job, by_value);
  printf("stored %lld rate %.1f own %.1f database_ms %.3f claims %lld lost %lld reconnects %lld failures %d\n",
         (long long)stored, rate, n * 1e9 / (double)all[0].job_ns, measured ? per_job[measured / 2] : 0.0,
         (long long)claims, (long long)lost, (long long)again, failures);
  free(per_job);
  return failures != 0;
}

/* Jobs per second in the time after the workers have begun. */
static double measure(const sleeper *all, int n, double seconds, double before) {
  sleep_ns((uint64_t)(before * 1e9));
  const uint64_t jobs = slept(all, n), begin = farm_now_ns();
  sleep_ns((uint64_t)(seconds * 1e9));
  return (double)(slept(all, n) - jobs) * 1e9 / (double)(farm_now_ns() - begin);
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[2], "fill") == 0) return fill(argv[1], atoi(argv[3]));
  if (argc < 7) return 2;
  const int n = atoi(argv[3]);
  const double seconds = atof(argv[6]);
  sleeper *all = calloc((size_t)n, sizeof *all);
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 256 << 10);
  if (!all) return 1;
  for (int i = 0; i < n; i++) {
    all[i] = (sleeper){.url = argv[1],
                       .number = i,
                       .batch = atoi(argv[4]),
                       .stop_fd = eventfd(0, EFD_NONBLOCK),
                       .job_ns = (uint64_t)atoi(argv[5]) * 1000,
                       .lease = argc > 7 ? atof(argv[7]) : 30};
    if (pthread_create(&all[i].thread, &small, work, &all[i]) != 0) return 1;
    if (n > 100) sleep_ns(30000000); /* each makes the server begin a process and plan its statements */
  }
  const uint64_t one = 1;
  const double rate = measure(all, n, seconds, argc > 8 ? atof(argv[8]) : 1);
  for (int i = 0; i < n; i++) (void)!write(all[i].stop_fd, &one, sizeof one);
  for (int i = 0; i < n; i++) pthread_join(all[i].thread, NULL);
  const int failed = report(all, n, rate);
  free(all);
  return failed;
}
