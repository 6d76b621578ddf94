/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Pages, documents and drawings as files, and what a device can do at best.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <reprise/ops.h>
#include <reprise/page.h>

enum { N = 256 };

typedef struct fixture {
  rp_context *context;
  rp_device *device;
  rp_graph *graph;
  rp_recording *recording;
  char folder[64];
} fixture;

static int set_up(void **state) {
  static fixture f;
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU};
  assert_int_equal(rp_context_create(NULL, &f.context, NULL), RP_OK);
  assert_int_equal(rp_device_open(f.context, &cpu, &f.device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(f.context, "products", &f.graph, NULL), RP_OK);
  rp_value x = rp_graph_input(f.graph, "x", rp_type_field(RP_FIELD_BN254_FR), N, 0);
  rp_value p = rp_graph_input(f.graph, "p", rp_type_affine(RP_CURVE_BN254_G2), N, 0);
  rp_value y = rp_graph_input(f.graph, "y", rp_type_field(RP_FIELD_GOLDILOCKS), N, 0);
  rp_graph_output(f.graph, "xx", rp_mul(f.graph, x, x), 0);
  rp_graph_output(f.graph, "yy", rp_mul(f.graph, y, y), 0);
  rp_graph_output(f.graph, "pp", rp_tree_reduce(f.graph, p, 0), 0);
  assert_int_equal(rp_record(f.device, f.graph, NULL, &f.recording, NULL), RP_OK);
  snprintf(f.folder, sizeof f.folder, "/tmp/reprise-write-XXXXXX");
  assert_non_null(mkdtemp(f.folder));
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  rp_recording_destroy(f->recording);
  rp_graph_destroy(f->graph);
  rp_device_close(f->device);
  rp_context_destroy(f->context);
  assert_int_equal(rmdir(f->folder), 0); /* so that nothing is left in it */
  return 0;
}

/* Writes the file, and returns its beginning if there is one. */
static const char *written(const fixture *f, const rp_view_source *source, const char *name, rp_status *status) {
  static char text[4096], path[128];
  rp_error err = {0};
  snprintf(path, sizeof path, "%s/%s", f->folder, name);
  *status = rp_view_write(source, path, &err);
  FILE *file = fopen(path, "rb");
  assert_int_equal(file != NULL, *status == RP_OK);
  assert_int_equal(*err.reason != 0, *status != RP_OK);
  text[file ? fread(text, 1, sizeof text - 1, file) : 0] = 0;
  if (file) fclose(file), unlink(path);
  return text;
}

static void the_ending_says_what_is_written(void **state) {
  const fixture *f = *state;
  rp_status status;
  const rp_view_source recorded = {.struct_size = sizeof recorded, .recording = f->recording},
                       built = {.struct_size = sizeof built, .graph = f->graph};
  assert_non_null(strstr(written(f, &recorded, "a.json", &status), "\"kind\": \"reprise-view\""));
  assert_non_null(strstr(written(f, &recorded, "a.dot", &status), "dispatches"));
  assert_non_null(strstr(written(f, &built, "a.dot", &status), "operations"));
  const char *page = written(f, &recorded, "a.html", &status);
  if (status == RP_OK)
    assert_non_null(strstr(page, "<!DOCTYPE html>"));
  else
    assert_int_equal(status, RP_ERR_UNAVAILABLE); /* built without Node.js */
}

static void wrong_sources_and_places_are_refused(void **state) {
  const fixture *f = *state;
  rp_status status;
  rp_error err = {0};
  rp_view_source s = {.recording = f->recording};
  assert_string_equal(written(f, &s, "a.json", &status), "");
  assert_int_equal(status, RP_ERR_ARGUMENT);
  s.struct_size = sizeof s;
  assert_int_equal(rp_view_write(NULL, "a.json", &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_view_write(&s, NULL, &err), RP_ERR_ARGUMENT);
  assert_string_equal(written(f, &s, "none/a.json", &status), "");
  assert_int_equal(status, RP_ERR_FILE);
  s.n_runs = 1; /* without any */
  assert_string_equal(written(f, &s, "a.json", &status), "");
  assert_int_equal(status, RP_ERR_ARGUMENT);
}

static void ceilings_are_of_the_fields_in_use(void **state) {
  const fixture *f = *state;
  rp_view_ceilings c;
  rp_error err = {0};
  if (rp_view_measure(f->device, f->recording, &c, &err)) fail_msg("%s", err.reason);
  assert_true(c.bytes_per_s > 1e7);
  assert_int_equal(c.n_rates, 3);
  int seen = 0;
  for (uint32_t i = 0; i < c.n_rates; i++) {
    assert_true(c.rates[i].products_per_s > 1e5);
    seen += strcmp(c.rates[i].field, "bn254_fr") == 0 ? 1 : 0;
    seen += strcmp(c.rates[i].field, "bn254_fp") == 0 ? 10 : 0; /* of which G2's extension is made */
    seen += strcmp(c.rates[i].field, "goldilocks") == 0 ? 100 : 0;
  }
  assert_int_equal(seen, 111);
  const rp_view_source s = {.struct_size = sizeof s, .recording = f->recording, .ceilings = &c};
  rp_status status;
  written(f, &s, "a.json", &status);
  assert_int_equal(status, RP_OK);
  assert_int_equal(rp_view_measure(NULL, f->recording, &c, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_view_measure(f->device, NULL, &c, &err), RP_ERR_ARGUMENT);
  assert_int_equal(rp_view_measure(f->device, f->recording, NULL, &err), RP_ERR_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_ending_says_what_is_written),
                                     cmocka_unit_test(wrong_sources_and_places_are_refused),
                                     cmocka_unit_test(ceilings_are_of_the_fields_in_use)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
