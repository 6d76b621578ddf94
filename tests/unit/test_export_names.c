/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Names of any bytes in exports and traces: what a caller names freely (graphs, operations and their parameters, types,
 * kernels, dispatches, scratch) is valid JSON, valid DOT and, drawn by Graphviz, valid XML.
 */
#include "watch.h"

#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

enum { N = 16, LONG = 20000 };

/* ---- A graph in which everything has the same name --------------------------------------------------------------- */

static char name[LONG + 8];
static rp_type type;
static rp_kernel kernel;

typedef struct copy_args {
  RP_ADDR(const uint64_t) x;
  RP_ADDR(uint64_t) out;
} copy_args;

static void copy_cpu(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker) {
  const copy_args *a = args;
  (void)worker;
  for (uint64_t i = begin; i < end; i++) a->out[i] = a->x[i];
}

static rp_status shape(const rp_shape *s) {
  s->out_type[0] = &type;
  s->out_len[0] = N;
  return RP_OK;
}

static void dispatch(rp_lower *l, rp_value from, rp_value to) {
  static const copy_args args;
  const rp_bind binds[] = {RP_BIND(from, RP_READ), RP_BIND(to, RP_WRITE)};
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = &kernel,
                                      .label = name,
                                      .groups = {N, 1, 1},
                                      .binds = binds,
                                      .n_binds = 2,
                                      .args = &args,
                                      .args_bytes = sizeof args});
}

static rp_status lower(rp_lower *l) {
  const rp_value scratch = rp_lower_scratch(l, name, &type, N);
  dispatch(l, rp_lower_in(l, 0), scratch);
  dispatch(l, scratch, rp_lower_out(l, 0));
  return RP_OK;
}

/* The text is cut off where the room ends, possibly in the middle of a character. */
static int describe(const void *params, char *text, size_t bytes) {
  (void)params;
  return snprintf(text, bytes, "%s", name);
}

static rp_strategy strategies[] = {{name, RP_ON_ANY, NULL, lower}};
static const rp_op op = {.struct_size = sizeof op,
                         .name = name,
                         .shape = shape,
                         .strategies = strategies,
                         .n_strategies = 1,
                         .describe = describe};

/* ---- Exports ----------------------------------------------------------------------------------------------------- */

typedef struct sink {
  size_t used;
  char text[1 << 20];
} sink;
static sink out;

static int keep(void *user, const char *text, size_t bytes) {
  sink *s = user;
  assert_true(s->used + bytes < sizeof s->text);
  memcpy(s->text + s->used, text, bytes);
  s->text[s->used += bytes] = 0;
  return 0;
}

static void must_be_json(const char *what) {
  json_error_t error;
  json_t *root = json_loadb(out.text, out.used, JSON_REJECT_DUPLICATES, &error);
  if (!root) fail_msg("%s of '%.20s': line %d: %s", what, name, error.line, error.text);
  json_decref(root);
  out.used = 0;
}

/* Every quoted string ends and holds no control character; outside of strings there is printable ASCII only. */
static void must_be_quoted(const char *what) {
  int inside = 0;
  for (size_t i = 0; i < out.used; i++) {
    const unsigned char c = (unsigned char)out.text[i];
    if (inside && c == '\\') {
      i++;
    } else if (c == '"') {
      inside = !inside;
    } else if (inside ? c < 0x20 || c == 0x7f : c >= 0x7f || (c < 0x20 && c != '\n')) {
      fail_msg("%s of '%.20s': byte 0x%02x at %zu", what, name, c, i);
    }
  }
  assert_false(inside);
}

static int have(const char *program) {
  char command[64];
  snprintf(command, sizeof command, "command -v %s >/dev/null", program);
  return system(command) == 0;
}

/* Graphviz judges all graphs at once, at the end: they are files of this folder until then. */
static char folder[] = "/tmp/reprise-names-XXXXXX";
static int n_graphs, n_drawn;

static void must_be_dot(const char *what, int draw) {
  char path[64];
  must_be_quoted(what);
  snprintf(path, sizeof path, "%s/%s-%02d", folder, draw ? "graph" : "recording", draw ? n_drawn++ : n_graphs++);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(out.text, 1, out.used, file), out.used);
  assert_int_equal(fclose(file), 0);
  out.used = 0;
}

/* Graphviz reports nothing, and the XML that it draws of graphs is well-formed. */
static void graphviz_reads_them(void **state) {
  (void)state;
  char command[512];
  assert_true(n_graphs > 0 && n_drawn == n_graphs);
  if (!have("dot")) {
    print_message("without Graphviz\n");
    skip();
  }
  snprintf(command, sizeof command, "cd %s && dot -Tcanon recording-* 2>&1 >/dev/null | grep .", folder);
  if (system(command) == 0) fail_msg("Graphviz objects to a recording");
  snprintf(command, sizeof command, "cd %s && dot -Tsvg -O graph-* 2>&1 >/dev/null | grep .", folder);
  if (system(command) == 0) fail_msg("Graphviz objects to a graph");
  if (!have("python3")) {
    print_message("without python3: SVG is not looked at\n");
    skip();
  }
  snprintf(command, sizeof command,
           "cd %s && python3 -c 'import sys, xml.dom.minidom as m\n"
           "assert len(sys.argv) == %d + 1\n"
           "for path in sys.argv[1:]: m.parse(path)' graph-*.svg",
           folder, n_drawn);
  if (system(command) != 0) fail_msg("an SVG is no XML");
}

static void export_all(void) {
  uint64_t data[N] = {1};
  const rp_record_options profile = {.struct_size = sizeof profile, .flags = RP_RECORD_PROFILE};
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  rp_context *context;
  rp_device *device;
  rp_graph *graph;
  rp_recording *recording;
  rp_run *run;
  type = (rp_type){.id = RP_TYPE_USER + 7, .size_bytes = 8, .align_bytes = 8, .name = name};
  kernel = (rp_kernel){.struct_size = sizeof(rp_kernel),
                       .name = name,
                       .args_bytes = sizeof(copy_args),
                       .n_binds = 2,
                       .n_cpu = 1,
                       .cpu = &(const rp_cpu_variant){RP_ISA_C, copy_cpu}};
  assert_int_equal(rp_context_create(NULL, &context, NULL), RP_OK);
  assert_int_equal(rp_device_open(context, &cpu, &device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(context, name, &graph, NULL), RP_OK);
  const rp_value in = rp_graph_input(graph, "in", &type, N, 0);
  rp_scope_begin(graph, "scope");
  const rp_value y = rp_graph_node(graph, &op, NULL, &in, 1, NULL, 1);
  rp_scope_end(graph);
  rp_graph_output(graph, "out", y, 0);
  rp_error err = {0};
  if (rp_record(device, graph, &profile, &recording, &err) != RP_OK) fail_msg("%s", err.reason);
  assert_int_equal(rp_run_begin(recording, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_set_input(run, in, data, sizeof data), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  assert_int_equal(rp_graph_export(graph, RP_EXPORT_JSON, keep, &out, NULL), RP_OK);
  must_be_json("JSON of the graph");
  assert_int_equal(rp_recording_export(recording, RP_EXPORT_JSON, keep, &out, NULL), RP_OK);
  must_be_json("JSON of the recording");
  assert_int_equal(rp_run_trace(run, keep, &out, NULL), RP_OK);
  must_be_json("trace");
  assert_int_equal(rp_graph_export(graph, RP_EXPORT_DOT, keep, &out, NULL), RP_OK);
  must_be_dot("DOT of the graph", 1);
  assert_int_equal(rp_recording_export(recording, RP_EXPORT_DOT, keep, &out, NULL), RP_OK);
  must_be_dot("DOT of the recording", 0);
  rp_run_end(run);
  rp_recording_destroy(recording);
  rp_graph_destroy(graph);
  rp_device_close(device);
  rp_context_destroy(context);
}

static void names_of_any_bytes(void **state) {
  static const char *const names[] = {
      "plain",
      "\"quoted\"",
      "\\",
      "ends in \\",
      "\\\"",
      "\\N\\G\\E\\l\\r\\n",
      "line\nfeed\ttab\rreturn",
      "\x01\x02\x1f\x7f",
      "&#1; &lt; &amp; & <b>",
      "]]> --> </title>",
      "<table>",
      "{a|<p>b}",
      "caf\xc3\xa9 \xe2\x88\x91 \xf0\x9f\x94\x92",
      "\xff\xfe",
      "cut \xe2\x88",
      "cut \xf0\x9f\x94",
      "alone \x80\xbf",
      "long form \xc0\xaf \xe0\x80\xaf \xf0\x80\x80\xaf",
      "surrogate \xed\xa0\x80",
      "beyond \xf4\x90\x80\x80",
      "none in XML \xef\xbf\xbe \xef\xbf\xbf",
      "% %s %n",
  };
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(name, sizeof name, "%s", names[i]);
    export_all();
  }
}

/* The name is longer than every buffer that it passes through; with the three shifts, each cut falls inside a character
 * once. */
static void very_long_names(void **state) {
  (void)state;
  for (int shift = 0; shift < 3; shift++) {
    memset(name, 'x', (size_t)shift);
    for (size_t i = (size_t)shift; i + 3 < LONG; i += 3) memcpy(name + i, "\xe2\x88\x91", 4);
    export_all();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(names_of_any_bytes), cmocka_unit_test(very_long_names),
                                     cmocka_unit_test(graphviz_reads_them)};
  if (!mkdtemp(folder)) return 1;
  const int failed = cmocka_run_group_tests_name("export names", tests, NULL, NULL);
  char command[64];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command) != 0 ? 1 : failed;
}
