/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The tables of a profile: sums and printing.
 */
#include "profile.h"

#include <reprise/view.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* The outermost scope: "msm_a" of "msm_a/bucket_windows/accumulate". */
static void phase_of(const char *name, char *phase, size_t bytes) {
  size_t n = strcspn(name, "/");
  snprintf(phase, bytes, "%.*s", (int)(n < bytes ? n : bytes - 1), name);
}

static void add(profile_table *table, const char *name, const char *title, uint64_t ns) {
  uint32_t i = 0;
  while (i < table->n && strcmp(table->row[i].name, name) != 0) i++;
  if (i == table->n) {
    profile_row *r = &table->row[table->n++];
    *r = (profile_row){0};
    snprintf(r->name, sizeof r->name, "%s", name);
    snprintf(r->title, sizeof r->title, "%s", *title ? title : name);
    for (char *at = *title ? NULL : strchr(r->title, '_'); at; at = strchr(at, '_')) *at = ' ';
  }
  table->row[i].dispatches++;
  table->row[i].ns += ns;
}

static int longest_first(const void *a, const void *b) {
  const profile_row *x = a, *y = b;
  return (x->ns < y->ns) - (x->ns > y->ns);
}

static bool make_room(profile_table *table, uint32_t n) {
  profile_row *rows = realloc(table->row, ((size_t)table->n + n + 1) * sizeof *rows);
  if (rows) table->row = rows;
  return rows != NULL;
}

rp_status profile_fill(profile *p, const rp_recording *recording, const rp_node_info *nodes, uint32_t n,
                       rp_error *err) {
  if (!make_room(&p->ops, n) || !make_room(&p->phases, n)) return err->status = RP_ERR_MEMORY;
  for (uint32_t i = 0; i < n; i++) {
    char name[64];
    uint64_t ns = nodes[i].end_ns - nodes[i].begin_ns;
    if (nodes[i].once) continue;
    snprintf(name, sizeof name, "%.63s", nodes[i].op ? nodes[i].op : "");
    add(&p->ops, name, "", ns);
    phase_of(nodes[i].name, name, sizeof name);
    add(&p->phases, name, rp_view_phase(recording, i), ns);
  }
  qsort(p->ops.row, p->ops.n, sizeof *p->ops.row, longest_first);
  qsort(p->phases.row, p->phases.n, sizeof *p->phases.row, longest_first);
  return RP_OK;
}

static void print_table(const char *title, const profile_table *table) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < table->n; i++) total += table->row[i].ns;
  int width = 32;
  for (uint32_t i = 0; i < table->n; i++)
    if ((int)strlen(table->row[i].title) > width) width = (int)strlen(table->row[i].title);
  printf("\n%-*s %10s %12s %7s\n", width, title, "dispatches", "ms", "share");
  for (uint32_t i = 0; i < table->n; i++) {
    const profile_row *r = &table->row[i];
    printf("%-*s %10u %12.3f %6.1f%%\n", width, r->title, r->dispatches, (double)r->ns / 1e6,
           total ? 100.0 * (double)r->ns / (double)total : 0.0);
  }
}

static json_t *table_to_json(const profile_table *table) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < table->n; i++)
    json_array_append_new(list,
                          json_pack("{s:s, s:s, s:i, s:f}", "name", table->row[i].name, "title", table->row[i].title,
                                    "dispatches", (int)table->row[i].dispatches, "ms", (double)table->row[i].ns / 1e6));
  return list;
}

static void print_json(const profile *p) {
  const rp_run_counters *c = &p->counters;
  json_t *counters =
      json_pack("{s:i, s:i, s:i, s:i, s:I, s:I, s:I}", "submissions", (int)c->submissions, "waits", (int)c->waits,
                "uploads", (int)c->uploads, "downloads", (int)c->downloads, "bytes_up", (json_int_t)c->bytes_up,
                "bytes_down", (json_int_t)c->bytes_down, "dispatches", (json_int_t)c->dispatches);
  json_t *out =
      json_pack("{s:f, s:f, s:f, s:f, s:i, s:I, s:o, s:o, s:o}", "load_ms", (double)p->load_ns / 1e6, "record_ms",
                (double)p->record_ns / 1e6, "latency_ms", (double)p->latency_ns / 1e6, "submit_ms",
                (double)c->submit_ns / 1e6, "runs", (int)p->runs, "device_bytes", (json_int_t)p->plan.total_bytes,
                "counters", counters, "ops", table_to_json(&p->ops), "phases", table_to_json(&p->phases));
  json_dumpf(out, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
  putchar('\n');
  json_decref(out);
}

void profile_print(const profile *p, bool json) {
  const rp_run_counters *c = &p->counters;
  char text[32];
  if (json) {
    print_json(p);
    return;
  }
  printf("load                     %s\n", cli_time_text(p->load_ns, text));
  printf("record                   %s\n", cli_time_text(p->record_ns, text));
  printf("latency, median of %-4u  %s\n", p->runs, cli_time_text(p->latency_ns, text));
  printf("device memory            %s\n\n", cli_bytes_text(p->plan.total_bytes, text));
  printf("submissions %u, waits %u, uploads %u, downloads %u, dispatches %llu\n", c->submissions, c->waits, c->uploads,
         c->downloads, (unsigned long long)c->dispatches);
  printf("bytes up %llu, bytes down %llu\n", (unsigned long long)c->bytes_up, (unsigned long long)c->bytes_down);
  print_table("operation", &p->ops);
  print_table("phase", &p->phases);
}

void profile_free(profile *p) {
  free(p->ops.row);
  free(p->phases.row);
}
