/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Sections for devices in saved graphs: the plans that were found on a device. Without them, or on another device, the
 * graph is the same, and whatever is in them changes no result.
 */
#include "common.h"
#include "saved/format.h"
#include "seal.h"

#include <reprise/plans.h>

enum { AT_FLAGS = 4, FIRST = SAVED_DEVICE_FIRST };

static rp_device *devices[2];

static int open_devices(void **state) {
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1},
                          null = {.struct_size = sizeof null, .kind = RP_DEVICE_NULL};
  return common_open(state) || rp_device_open(the_context, &cpu, &devices[0], NULL) ||
         rp_device_open(the_context, &null, &devices[1], NULL);
}

static int close_devices(void **state) {
  rp_device_close(devices[0]);
  rp_device_close(devices[1]);
  return common_close(state);
}

static uint8_t *saved_with(const rp_graph *g, uint32_t n, uint32_t flags, size_t *size) {
  const rp_save_options o = {.struct_size = sizeof o, .flags = flags, .devices = devices, .n_devices = n};
  rp_error err = {0};
  const char *path = path_of("devices.rpg");
  if (rp_graph_save(g, path, &o, &err)) fail_msg("%s", err.reason);
  uint8_t *file = read_whole(path, size);
  remove(path);
  return file;
}

static rp_graph *loaded_from(const uint8_t *file, size_t size) {
  rp_graph *g = NULL;
  rp_error err = {0};
  if (rp_graph_load_memory(the_context, file, size, NULL, &g, &err)) fail_msg("%s", err.reason);
  return g;
}

static void refused(const uint8_t *file, size_t size, rp_status status, const char *says) {
  rp_graph *g = NULL;
  rp_error err = {0};
  assert_int_equal(rp_graph_load_memory(the_context, file, size, NULL, &g, &err), status);
  assert_null(g);
  if (!strstr(err.reason, says)) fail_msg("%s", err.reason);
}

/* The entry of section `id` in the table. */
static uint8_t *entry_of(uint8_t *file, uint32_t id) {
  for (uint32_t i = 0; i < g16_u32(file + 12); i++) {
    uint8_t *entry = file + SAVED_HEADER_BYTES + i * SAVED_ENTRY_BYTES;
    if (g16_u32(entry) == id) return entry;
  }
  return NULL;
}

/* ---- What is saved ----------------------------------------------------------------------------------------------- */

/* The other sections are as without them, and a graph that is loaded with them is saved without them. */
static void sections_are_added(void **state) {
  (void)state;
  rp_graph *g = small_graph();
  size_t sizes[3], lengths[2];
  uint8_t *files[3], first[64], again[64];
  for (uint32_t n = 0; n < 3; n++) files[n] = saved_with(g, n, 0, &sizes[n]);
  for (uint32_t id = 1; id < SAVED_BESIDE; id++) {
    const uint8_t *plain = saved_section_of(files[0], sizes[0], id, &lengths[0]),
                  *more = saved_section_of(files[2], sizes[2], id, &lengths[1]);
    assert_int_equal(lengths[0], lengths[1]);
    assert_memory_equal(plain, more, lengths[0]);
  }
  for (uint32_t n = 0; n < 3; n++)
    for (uint32_t i = 0; i < 2; i++) {
      const uint8_t *entry = entry_of(files[n], FIRST + i);
      assert_int_equal(entry != NULL, i < n);
      if (entry) assert_int_equal(g16_u32(entry + AT_FLAGS), 0); /* a reader may do without */
    }
  small_run(g, first);
  for (uint32_t n = 0; n < 3; n++) {
    rp_graph *loaded = loaded_from(files[n], sizes[n]);
    size_t size;
    uint8_t *file = saved_bytes_of(loaded, &size);
    assert_int_equal(size, sizes[0]);
    assert_memory_equal(file, files[0], size);
    small_run(loaded, again);
    assert_memory_equal(first, again, sizeof first);
    free(file);
    rp_graph_destroy(loaded);
  }
  for (uint32_t n = 0; n < 3; n++) free(files[n]);
  rp_graph_destroy(g);
}

static int take(void *user, const char *text, size_t bytes) {
  saved_bytes *b = user;
  saved_put(b, text, bytes);
  return 0;
}

/* A section is what rp_plans_keep writes; in the loaded graph, the budget of every plan gets that plan. */
static void plans_come_back(void **state) {
  (void)state;
  rp_graph *g = small_graph();
  size_t size, length;
  uint8_t *file = saved_with(g, 2, 0, &size);
  rp_graph *loaded = loaded_from(file, size);
  for (uint32_t d = 0; d < 2; d++) {
    saved_bytes want = {0};
    assert_int_equal(rp_plans_keep(devices[d], g, NULL, 0, take, &want, NULL), RP_OK);
    const uint8_t *section = saved_section_of(file, size, FIRST + d, &length);
    assert_int_equal(length, want.size);
    assert_memory_equal(section, want.data, length);
    free(want.data);
    rp_plan_point points[64] = {{.struct_size = sizeof *points}};
    uint32_t n = 0;
    assert_int_equal(rp_plan_points(devices[d], g, NULL, points, 64, &n, NULL), RP_OK);
    for (uint32_t i = 0; i < n; i++) {
      rp_plan_info info = {.struct_size = sizeof info};
      const rp_record_options o = {.struct_size = sizeof o, .memory_budget_bytes = points[i].total_bytes};
      assert_int_equal(rp_plan_query(devices[d], loaded, &o, &info, NULL), RP_OK);
      assert_int_equal(info.total_bytes, points[i].total_bytes);
      assert_int_equal(info.levels, points[i].levels);
    }
  }
  free(file);
  rp_graph_destroy(loaded);
  rp_graph_destroy(g);
}

static void points_of(const rp_graph *g, rp_plan_point *points, uint32_t *n) {
  memset(points, 0, 64 * sizeof *points);
  points[0].struct_size = sizeof *points;
  assert_int_equal(rp_plan_points(devices[0], g, NULL, points, 64, n, NULL), RP_OK);
}

/* What was measured goes with the plans: those of the loaded graph are predicted as those of the saved one. */
static void costs_come_back(void **state) {
  (void)state;
  static rp_plan_point points[2][64];
  const rp_record_options o = {.struct_size = sizeof o, .flags = RP_RECORD_PROFILE};
  rp_graph *g = small_graph();
  rp_recording *r;
  saved_bytes costs = {0};
  uint8_t first[64], again[64];
  uint32_t n[2];
  size_t size, plain;
  free(saved_with(g, 1, 0, &plain));
  assert_int_equal(rp_record(devices[0], g, &o, &r, NULL), RP_OK);
  small_replay(r, first);
  assert_int_equal(rp_costs_keep(&r, 1, take, &costs, NULL), RP_OK);
  assert_int_equal(rp_costs_use(g, costs.data, costs.size, NULL), RP_OK);
  rp_recording_destroy(r);
  uint8_t *file = saved_with(g, 1, 0, &size);
  assert_true(size >= plain + costs.size);
  rp_graph *loaded = loaded_from(file, size);
  points_of(g, points[0], &n[0]);
  points_of(loaded, points[1], &n[1]);
  assert_int_equal(n[0], n[1]);
  assert_memory_equal(points[0], points[1], n[0] * sizeof **points);
  small_run(loaded, again);
  assert_memory_equal(first, again, sizeof first);
  free(costs.data);
  free(file);
  rp_graph_destroy(loaded);
  rp_graph_destroy(g);
}

static char line[512];

static void hear(void *user, rp_log_level level, const char *message) {
  (void)user, (void)level;
  if (strstr(message, "were kept")) snprintf(line, sizeof line, "%s", message);
}

/* Each section reaches its device: one that somebody has changed is met there, and the log says so. */
static void each_section_is_met(void **state) {
  (void)state;
  const rp_context_options c = {.struct_size = sizeof c, .log_level = RP_LOG_INFO, .log = hear};
  enum { AT_VERSION_OF_PLANS = 56 };
  rp_graph *g = small_graph(), *loaded = NULL;
  rp_context *loud;
  size_t size, length;
  uint8_t *file = saved_with(g, 2, 0, &size);
  assert_int_equal(rp_context_create(&c, &loud, NULL), RP_OK);
  for (uint32_t d = 0; d < 2; d++)
    for (int changed = 0; changed < 2; changed++) {
      const rp_device_options o = {
          .struct_size = sizeof o, .kind = d ? RP_DEVICE_NULL : RP_DEVICE_CPU, .cpu_threads = !d};
      rp_plan_info info = {.struct_size = sizeof info};
      rp_device *device;
      line[0] = 0;
      saved_section_of(file, size, FIRST + d, &length)[AT_VERSION_OF_PLANS] ^= (uint8_t)changed;
      saved_seal(file, size);
      assert_int_equal(rp_device_open(loud, &o, &device, NULL), RP_OK);
      assert_int_equal(rp_graph_load_memory(loud, file, size, NULL, &loaded, NULL), RP_OK);
      assert_int_equal(rp_plan_query(device, loaded, NULL, &info, NULL), RP_OK);
      assert_int_equal(strstr(line, "another version") != NULL, changed);
      rp_graph_destroy(loaded);
      rp_device_close(device);
    }
  rp_context_destroy(loud);
  free(file);
  rp_graph_destroy(g);
}

static void beside_and_with_kernels(void **state) {
  (void)state;
  const char *path = path_of("both.rpg");
  rp_graph *g = small_graph();
  uint8_t first[64], again[64];
  const rp_save_options save = {
      .struct_size = sizeof save, .flags = RP_SAVE_BESIDE | RP_SAVE_KERNELS, .devices = devices, .n_devices = 1};
  const rp_load_options load = {.struct_size = sizeof load, .flags = RP_LOAD_MAP | RP_LOAD_KERNELS};
  assert_int_equal(rp_graph_save(g, path, &save, NULL), RP_OK);
  rp_graph *loaded = load_good(path, &load);
  small_run(g, first);
  small_run(loaded, again);
  assert_memory_equal(first, again, sizeof first);
  rp_graph_destroy(loaded);
  rp_graph_destroy(g);
}

static void wrong_devices(void **state) {
  (void)state;
  rp_graph *g = small_graph();
  rp_error err = {0};
  rp_device *none[17] = {devices[0], NULL};
  rp_save_options o = {.struct_size = sizeof o, .devices = none, .n_devices = 17};
  assert_int_equal(rp_graph_save(g, path_of("x"), &o, &err), RP_ERR_ARGUMENT);
  assert_non_null(strstr(err.reason, "at most 16"));
  o.n_devices = 2;
  assert_int_equal(rp_graph_save(g, path_of("x"), &o, &err), RP_ERR_ARGUMENT);
  o.devices = NULL;
  assert_int_equal(rp_graph_save(g, path_of("x"), &o, &err), RP_ERR_ARGUMENT);
  FILE *file = fopen(path_of("x"), "r");
  assert_null(file);
  rp_graph_destroy(g);
}

/* ---- What others write ------------------------------------------------------------------------------------------- */

static void changed_sections(void **state) {
  (void)state;
  rp_graph *g = small_graph();
  size_t size, length;
  uint8_t *file = saved_with(g, 2, 0, &size), want[64], got[64];
  uint8_t *section = saved_section_of(file, size, FIRST, &length);
  small_run(g, want);
  for (size_t at = 0; at < length; at += at % 48 == 0 ? 1 : 47) {
    section[at] ^= 0x11;
    refused(file, size, RP_ERR_FORMAT, "digest");
    saved_seal(file, size); /* as an attacker would */
    rp_graph *loaded = NULL;
    const rp_status status = rp_graph_load_memory(the_context, file, size, NULL, &loaded, NULL);
    assert_true(status == RP_OK || status == RP_ERR_FORMAT);
    if (!status) {
      small_run(loaded, got);
      assert_memory_equal(got, want, sizeof want);
    }
    rp_graph_destroy(loaded);
    section[at] ^= 0x11;
    saved_seal(file, size);
  }
  section[0] ^= 1;
  saved_seal(file, size);
  refused(file, size, RP_ERR_FORMAT, "no list of plans");
  free(file);
  rp_graph_destroy(g);
}

static void changed_tables(void **state) {
  (void)state;
  rp_graph *g = small_graph();
  size_t size;
  uint8_t *file = saved_with(g, 2, 0, &size), *second = entry_of(file, FIRST + 1);
  second[0] = 0; /* two of id 256 */
  saved_seal(file, size);
  refused(file, size, RP_ERR_FORMAT, "twice");
  second[0] = 200; /* 456: what a later version may write */
  saved_seal(file, size);
  rp_graph_destroy(loaded_from(file, size));
  second[0] = 1;
  second[AT_FLAGS] = SAVED_REQUIRED;
  saved_seal(file, size);
  refused(file, size, RP_ERR_UNSUPPORTED, "section 257");
  free(file);
  rp_graph_destroy(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sections_are_added),      cmocka_unit_test(plans_come_back),
                                     cmocka_unit_test(costs_come_back),         cmocka_unit_test(each_section_is_met),
                                     cmocka_unit_test(beside_and_with_kernels), cmocka_unit_test(wrong_devices),
                                     cmocka_unit_test(changed_sections),        cmocka_unit_test(changed_tables)};
  return cmocka_run_group_tests(tests, open_devices, close_devices);
}
