/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "status.h"

#include <inttypes.h>

void serve_put_key(support_text *text, serve *service, const serve_key *key) {
  const bool is_resident = cli_residents_state(service->residents, key->id) == CLI_RESIDENT_READY;
  serve_put(text,
            "{\"name\": \"%s\", \"sha256\": \"%s\", \"protocol\": \"%s\", \"bytes\": %" PRIu64
            ", \"resident\": %s, \"proofs\": %" PRIu64 ", \"failed\": %" PRIu64 "}",
            key->name, key->digest, cli_protocol_name[key->protocol], (uint64_t)key->file.st_size,
            is_resident ? "true" : "false", key->n_proofs, key->n_failed);
}

void serve_put_keys(support_text *text, serve *service) {
  support_put(text, "[");
  for (const serve_key *key = service->keys.all; key; key = key->next) {
    serve_put_key(text, service, key);
    if (key->next) support_put(text, ",\n ");
  }
  support_put(text, "]");
}

void serve_put_service(support_text *text, serve *service) {
  const serve_queue *q = &service->queue;
  uint64_t opened, evicted;
  cli_residents_counts(service->residents, &opened, &evicted);
  serve_put(text,
            "\"service\": {\"version\": \"%s\", \"stopping\": %s, \"devices_lost\": %s, \"waiting\": %u, "
            "\"running\": %u, \"queue\": %u, \"proofs\": %" PRIu64 ", \"failed\": %" PRIu64 ", ",
            rp_version(), q->is_stopping ? "true" : "false", service->is_lost ? "true" : "false", q->n_waiting,
            q->n_running, q->most_waiting, q->counts.ended[SERVE_PROVE][0], q->counts.ended[SERVE_PROVE][1]);
  serve_put(text,
            "\"keys_opened\": %" PRIu64 ", \"keys_evicted\": %" PRIu64 ", \"witness_bytes\": %" PRIu64
            ", \"uptime_seconds\": %.3f}",
            opened, evicted, atomic_load(&service->budget.held), (double)(cli_now_ns() - service->begin_ns) / 1e9);
}

static void put_head(support_text *text, const char *name, const char *type, const char *help) {
  serve_put(text, "# HELP reprise_serve_%s %s\n# TYPE reprise_serve_%s %s\n", name, help, name, type);
}

static void put_metric(support_text *text, const char *name, const char *type, const char *help, double value) {
  put_head(text, name, type, help);
  serve_put(text, "reprise_serve_%s %.15g\n", name, value);
}

static void put_jobs(support_text *text, const serve_counts *c) {
  static const char *const kinds[] = {"prove", "verify", "register"}, *const ends[] = {"done", "failed"};
  put_head(text, "jobs_total", "counter", "Jobs that ended.");
  for (int kind = 0; kind < 3; kind++)
    for (int end = 0; end < 2; end++)
      serve_put(text, "reprise_serve_jobs_total{kind=\"%s\",end=\"%s\"} %" PRIu64 "\n", kinds[kind], ends[end],
                c->ended[kind][end]);
  put_head(text, "refused_total", "counter", "Requests that were refused before they became jobs.");
  const struct {
    const char *why;
    uint64_t n;
  } refused[] = {{"queue", c->refused_full},
                 {"memory", c->refused_memory},
                 {"stopping", c->refused_stopping},
                 {"token", c->refused_token}};
  for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++)
    serve_put(text, "reprise_serve_refused_total{reason=\"%s\"} %" PRIu64 "\n", refused[i].why, refused[i].n);
}

static void of_keys(support_text *text, serve *service) {
  put_head(text, "key_proofs_total", "counter", "Proofs made with a key.");
  for (const serve_key *key = service->keys.all; key; key = key->next)
    serve_put(text, "reprise_serve_key_proofs_total{key=\"%s\"} %" PRIu64 "\n", key->name, key->n_proofs);
  put_head(text, "key_resident", "gauge", "1 if the key is ready to prove.");
  for (const serve_key *key = service->keys.all; key; key = key->next)
    serve_put(text, "reprise_serve_key_resident{key=\"%s\"} %d\n", key->name,
              cli_residents_state(service->residents, key->id) == CLI_RESIDENT_READY);
}

void serve_put_metrics(support_text *text, serve *service) {
  const serve_queue *q = &service->queue;
  const serve_clients *c = &service->clients;
  uint64_t opened, evicted;
  cli_residents_counts(service->residents, &opened, &evicted);
  put_jobs(text, &q->counts);
  put_metric(text, "waiting", "gauge", "Jobs that are waiting.", q->n_waiting);
  put_metric(text, "running", "gauge", "Jobs in progress.", q->n_running);
  put_metric(text, "prove_seconds_total", "counter", "Time that proofs took, from the beginning of each.",
             (double)q->counts.prove_ns / 1e9);
  put_metric(text, "wait_seconds_total", "counter", "Time that jobs waited before they began.",
             (double)q->counts.wait_ns / 1e9);
  put_metric(text, "late_total", "counter", "Jobs whose deadline passed.", (double)q->counts.late);
  put_metric(text, "clients_gone_total", "counter", "Clients that disconnected while they waited.", (double)c->n_gone);
  put_metric(text, "clients_slow_total", "counter", "Clients that were disconnected because they were too slow.",
             (double)c->n_timeouts);
  put_metric(text, "connections", "gauge", "Connections.", c->n);
  put_metric(text, "witness_bytes", "gauge", "Memory that bodies of requests take.",
             (double)atomic_load(&service->budget.held));
  put_metric(text, "keys_opened_total", "counter", "Keys that became resident.", (double)opened);
  put_metric(text, "keys_evicted_total", "counter", "Keys that were evicted to make room for others.", (double)evicted);
  put_metric(text, "devices_lost", "gauge", "1 if every device is lost.", service->is_lost);
  of_keys(text, service);
}
