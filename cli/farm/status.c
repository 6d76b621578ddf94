/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise farm status: as a table, as JSON, or as metrics.
 */
#include "farm.h"

#include "schema.h"

#include <string.h>

static double number(const json_t *of, const char *name) { return json_number_value(json_object_get(of, name)); }
static long long integer(const json_t *of, const char *name) {
  return (long long)json_integer_value(json_object_get(of, name));
}

/* Texts in the database come from its other users and are not trusted. */
static void print_text(const json_t *of, const char *name, const char *after) {
  char safe[300];
  const char *text = json_string_value(json_object_get(of, name));
  if (!text) text = "";
  cli_printable(text, strlen(text), safe, sizeof safe);
  printf("%s%s", safe, after);
}

static void print_table(const json_t *s) {
  const json_t *one;
  size_t i;
  char size[32];
  printf("jobs: %lld ready, %lld running, %lld dead; %lld results stored\n", integer(s, "ready"), integer(s, "running"),
         integer(s, "dead"), integer(s, "stored"));
  if (integer(s, "ready")) printf("the oldest has waited for %.1f s\n", number(s, "oldest_ready_seconds"));
  json_array_foreach(json_object_get(s, "keys"), i, one) {
    printf("key %lld: %s, ", integer(one, "id"), cli_bytes_text((uint64_t)integer(one, "size_bytes"), size));
    printf("%lld ready%s, ", integer(one, "ready"),
           json_is_true(json_object_get(one, "complete")) ? "" : ", not complete");
    print_text(one, "sha256", "\n");
  }
  json_array_foreach(json_object_get(s, "workers"), i, one) {
    printf("worker ");
    print_text(one, "name", "");
    printf(": holds %lld, stored %lld, failed %lld, seen %.1f s ago%s\n", integer(one, "holds"), integer(one, "stored"),
           integer(one, "failed"), number(one, "seen_seconds"),
           json_is_true(json_object_get(one, "draining")) ? ", draining" : "");
  }
  json_array_foreach(json_object_get(s, "last_dead"), i, one) {
    printf("dead job %lld: ", integer(one, "id"));
    print_text(one, "reason", "\n");
  }
}

static void print_status(const cli_call *call, const char *text) {
  json_t *s = json_loads(text, 0, NULL);
  if (s && call->json)
    json_dumpf(s, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
  else if (s)
    print_table(s);
  if (s && call->json) putchar('\n');
  json_decref(s);
}

static void print_labels(const char *labels) {
  json_t *all = json_loads(labels, 0, NULL);
  const char *name;
  json_t *value;
  const char *before = "{";
  json_object_foreach(all, name, value) {
    printf("%s%s=\"%s\"", before, name, json_string_value(value));
    before = ",";
  }
  if (json_object_size(all)) putchar('}');
  json_decref(all);
}

static void print_metrics(const PGresult *rows) {
  const char *last = "";
  for (int i = 0; i < PQntuples(rows); i++) {
    const char *name = PQgetvalue(rows, i, 0);
    if (strcmp(name, last) != 0) printf("# TYPE %s %s\n", name, PQgetvalue(rows, i, 1));
    printf("%s", name);
    print_labels(PQgetvalue(rows, i, 2));
    printf(" %s\n", PQgetvalue(rows, i, 3));
    last = name;
  }
}

cli_exit farm_run_status(const cli_call *call) {
  const farm_options *o = call->options;
  farm_database db = {.url = call->args[0], .program = "reprise farm status"};
  rp_error err = {0};
  PGresult *rows = NULL;
  if (o->metrics && call->json) return cli_refuse(call, CLI_USAGE, "--metrics and --json are two ways to print");
  rp_status status = farm_open(&db, &err);
  if (status == RP_OK)
    status = farm_call(&db,
                       o->metrics ? "SELECT name, kind, labels::text, value::text FROM reprise.metrics()"
                                  : "SELECT reprise.status()::text",
                       NULL, 0, &rows, &err);
  if (status == RP_OK && o->metrics)
    print_metrics(rows);
  else if (status == RP_OK)
    print_status(call, PQgetvalue(rows, 0, 0));
  PQclear(rows);
  farm_disconnect(&db);
  return status == RP_OK ? cli_finish(call) : cli_fail(call, &err);
}
