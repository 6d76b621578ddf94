/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise farm work: the loop of worker.h with the device of the command line.
 */
#include "farm.h"

#include "prover.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int stop_fd = -1; /* an eventfd; the signal handler writes to it */

static void stop(int number) {
  const uint64_t one = 1;
  (void)number;
  (void)!write(stop_fd, &one, sizeof one); /* the counter never overflows */
}

static void log_line(void *user, const char *text) { (void)cli_refuse(user, CLI_OK, "%s", text); }

static void name_of_host(char *name, size_t room) {
  char host[65] = "";
  if (gethostname(host, sizeof host - 1) != 0 || !host[0]) snprintf(host, sizeof host, "worker");
  snprintf(name, room, "%s.%d", host, (int)getpid());
}

static void print_json(const farm_worker_counts *c) {
  json_t *out = json_pack("{s:I, s:I, s:I, s:I, s:I, s:f}", "stored", (json_int_t)c->stored, "failed",
                          (json_int_t)c->failed, "lost", (json_int_t)c->lost, "claims", (json_int_t)c->claims,
                          "reconnects", (json_int_t)c->reconnects, "database_ms", (double)c->database_ns / 1e6);
  json_dumpf(out, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
  putchar('\n');
  json_decref(out);
}

static farm_worker_options options_of(const cli_call *call, const char *name) {
  const farm_options *o = call->options;
  return (farm_worker_options){.name = o->name ? o->name : name,
                               .lease_seconds = o->lease ? o->lease : 30,
                               .poll_seconds = 1,
                               .patience_seconds = o->patience ? o->patience : 10,
                               .batch_seconds = 0.5,
                               .most = o->batch ? (int)o->batch : 64,
                               .most_bytes = INT64_C(256) << 20,
                               .end_after = o->end_after,
                               .until_empty = o->until_empty,
                               .stop_fd = stop_fd,
                               .log = log_line,
                               .user = (void *)(uintptr_t)call};
}

cli_exit farm_run_work(const cli_call *call) {
  char name[96];
  farm_database db = {.url = call->args[0], .program = "reprise farm work"};
  farm_device_prover device = {0};
  farm_worker_counts counts = {0};
  rp_error err = {0};
  name_of_host(name, sizeof name);
  stop_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (stop_fd < 0) return cli_refuse(call, CLI_MEMORY, "%s", rp_status_text(RP_ERR_MEMORY));
  signal(SIGTERM, stop);
  signal(SIGINT, stop);
  device.stop_fd = stop_fd;
  rp_status status = farm_residents_open(call, &device.residents, &err);
  if (status == RP_OK) {
    const farm_worker_options options = options_of(call, name);
    const farm_prover prover = farm_prover_of(&device);
    status = farm_work(&db, &options, &prover, &counts, &err);
  }
  if (status == RP_OK && device.lost) {
    status = err.status = device.lost;
    snprintf(err.reason, sizeof err.reason, "the device is lost; what was not finished goes to other workers");
  }
  farm_residents_close(device.residents);
  if (call->json && status == RP_OK) print_json(&counts);
  return status == RP_OK ? cli_finish(call) : cli_fail(call, &err);
}
