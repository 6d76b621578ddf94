/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Benchmarks of single operations: the table, and the lists of names.
 */
#include "bench.h"

#include <reprise/view.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void print_optional(bool wanted, bool known, int width, const char *format, double value) {
  if (!wanted) return;
  char text[32] = "-";
  if (known) snprintf(text, sizeof text, format, value);
  printf(" %*s", width, text);
}

void bench_head(const bench_columns *with) {
  printf("%-16s %-16s %10s %13s %13s %14s", "operation", "over", "elements", "run, ms", "on device, ms", "elements/s");
  if (with->in_a_row) printf(" %13s", "in a row, ms");
  if (with->floors) printf(" %13s %10s", "floor, ms", "times that");
  putchar('\n');
}

void bench_row(const bench_columns *with, const bench_result *r) {
  const double run_ms = (double)r->median_ns / 1e6, device_ms = (double)r->device_ns / 1e6;
  printf("%-16s %-16s %10llu %13.4f", r->op, r->type, (unsigned long long)r->n, run_ms);
  print_optional(1, r->device_ns != 0, 13, "%.4f", device_ms); /* not measured on several devices */
  printf(" %14.0f", r->median_ns ? (double)r->n * 1e3 / run_ms : 0.0);
  print_optional(with->in_a_row, r->in_a_row_ns != 0, 13, "%.4f", (double)r->in_a_row_ns / 1e6);
  print_optional(with->floors, r->floor_ms > 0, 13, "%.4f", r->floor_ms);
  print_optional(with->floors, r->floor_ms > 0, 10, "%.2f", r->floor_ms > 0 ? device_ms / r->floor_ms : 0);
  putchar('\n');
  (void)fflush(stdout); /* so that it is visible at once; cli_finish checks for errors */
}

struct json_t *bench_row_json(const bench_result *r) {
  json_t *one =
      json_pack("{s:s, s:s, s:s, s:I, s:f, s:f, s:f, s:i}", "op", r->op, "type", r->type, "scalars",
                bench_spread_names[r->spread], "n", (json_int_t)r->n, "median_ms", (double)r->median_ns / 1e6,
                "least_ms", (double)r->least_ns / 1e6, "device_ms", (double)r->device_ns / 1e6, "runs", (int)r->runs);
  if (r->in_a_row_ns) json_object_set_new(one, "in_a_row_ms", json_real((double)r->in_a_row_ns / 1e6));
  if (r->floor_ms > 0) json_object_set_new(one, "floor_ms", json_real(r->floor_ms));
  return one;
}

/* ---- Dispatches -------------------------------------------------------------------------------------------------- */

typedef struct stage {
  const char *phase, *op;
  uint32_t dispatches;
  uint64_t ns;
} stage;

/* The stage of the dispatch, or the place behind all others. */
static stage *stage_of(stage *all, uint32_t n, const char *phase, const char *op) {
  uint32_t i = 0;
  while (i < n && (strcmp(all[i].phase, phase) != 0 || strcmp(all[i].op, op) != 0)) i++;
  return &all[i];
}

/* In the order in which they begin. */
static void print_stages(const stage *all, uint32_t n) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < n; i++) total += all[i].ns;
  for (uint32_t i = 0; i < n; i++)
    printf("  %10.1f us in %5u dispatches, %5.1f%%  %-14s %s\n", (double)all[i].ns / 1e3, all[i].dispatches,
           total ? 100 * (double)all[i].ns / (double)total : 0.0, all[i].op, all[i].phase);
}

void bench_print_nodes(const rp_recording *recording, const rp_node_info *nodes, uint32_t n) {
  stage *stages = calloc((size_t)n + 1, sizeof *stages);
  uint32_t n_stages = 0;
  for (uint32_t k = 0; k < n; k++) {
    const uint64_t ns = nodes[k].end_ns - nodes[k].begin_ns;
    if (nodes[k].once) continue;
    printf("  %10.1f us at %10.1f us  %9llu groups  %s  %s\n", (double)ns / 1e3, (double)nodes[k].begin_ns / 1e3,
           (unsigned long long)nodes[k].groups, nodes[k].kernel, nodes[k].name);
    if (!stages) continue;
    stage *s = stage_of(stages, n_stages, rp_view_phase(recording, k), nodes[k].op ? nodes[k].op : "");
    if (!s->phase) *s = (stage){.phase = rp_view_phase(recording, k), .op = nodes[k].op ? nodes[k].op : ""}, n_stages++;
    s->dispatches++;
    s->ns += ns;
  }
  if (stages) print_stages(stages, n_stages);
  free(stages);
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

typedef struct names {
  char text[2000];
  size_t n;
} names;

static void add(names *list, const char *name) {
  const size_t room = sizeof list->text - list->n;
  const int n = snprintf(list->text + list->n, room, "%s%s", list->n ? ", " : "", name);
  if (n > 0 && (size_t)n < room) list->n += (size_t)n;
}

static cli_exit refuse_op(const cli_call *call, const char *op) {
  names list = {.n = 0};
  bench_op row;
  for (unsigned i = 0; bench_get(i, &row); i++) add(&list, row.name);
  return cli_refuse(call, CLI_USAGE, "there is no operation \"%.60s\"; there are %s", op, list.text);
}

static cli_exit refuse_type(const cli_call *call, const char *type) {
  names list = {.n = 0};
  for (int f = 0; f < RP_FIELD_COUNT; f++) add(&list, rp_field_name((rp_field)f));
  for (int c = 0; c < RP_CURVE_COUNT; c++) add(&list, rp_curve_name((rp_curve)c));
  return cli_refuse(call, CLI_USAGE, "there is no field or curve \"%.60s\"; there are %s", type, list.text);
}

cli_exit bench_check_names(const cli_call *call, const char *op, const char *type) {
  bool known = !op;
  bench_op row;
  for (unsigned i = 0; !known && bench_get(i, &row); i++) known = strcmp(op, row.name) == 0;
  if (!known) return refuse_op(call, op);
  known = !type;
  for (int f = 0; f < RP_FIELD_COUNT && !known; f++) known = strcmp(type, rp_field_name((rp_field)f)) == 0;
  for (int c = 0; c < RP_CURVE_COUNT && !known; c++) known = strcmp(type, rp_curve_name((rp_curve)c)) == 0;
  return known ? CLI_OK : refuse_type(call, type);
}
