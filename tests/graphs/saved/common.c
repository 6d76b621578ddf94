/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common.h"

#include <dirent.h>
#include <unistd.h>

rp_context *the_context;
static rp_device *cpu;
static char folder[] = "/tmp/reprise_saved_XXXXXX";

int common_open(void **state) {
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  (void)state;
  return !mkdtemp(folder) || rp_context_create(NULL, &the_context, NULL) ||
         rp_device_open(the_context, &options, &cpu, NULL);
}

int common_close(void **state) {
  (void)state;
  DIR *listed = opendir(folder);
  for (struct dirent *entry; listed && (entry = readdir(listed));) remove(path_of(entry->d_name));
  if (listed) closedir(listed);
  rmdir(folder);
  rp_device_close(cpu);
  return rp_context_try_destroy(the_context, NULL);
}

const char *path_of(const char *name) {
  static char paths[4][320];
  static unsigned turn;
  char *path = paths[turn++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

/* ---- The graph --------------------------------------------------------------------------------------------------- */

rp_graph *small_graph(void) {
  static const uint32_t row_ptr[] = {0, 1, 1, 3, 4}, col[] = {2, 0, 1, 3};
  static const uint8_t two[32] = {2};
  const rp_expr_code code[] = {
      {.op = RP_EXPR_COLUMN, .rotation = 1}, {.op = RP_EXPR_CONSTANT}, {.op = RP_EXPR_MUL}, {.op = RP_EXPR_SQR}};
  const rp_expr_options eo = {.struct_size = sizeof eo, .code = code, .n_code = 4};
  const rp_ntt_options no = {.struct_size = sizeof no, .root = RP_ROOT_SNARKJS, .coset = RP_COSET_SHIFT, .shift = {5}};
  const rp_bucket_options bo = {.struct_size = sizeof bo, .curve = RP_CURVE_E97, .window_bits = 3};
  const rp_type *fr = rp_type_field(RP_FIELD_BN254_FR);
  rp_graph *g;
  assert_int_equal(rp_graph_create(the_context, "small", &g, NULL), RP_OK);
  const rp_value x = rp_graph_input(g, "x", fr, 4, RP_SECRET), val = rp_graph_input(g, "val", fr, 4, RP_BINDABLE);
  rp_scope_begin(g, "matrix");
  const rp_csr m = {rp_graph_constant(g, "row_ptr", &RP_TYPE_U32, 5, row_ptr, 0),
                    rp_graph_constant(g, "col", &RP_TYPE_U32, 4, col, RP_BORROW), val, 4, 4};
  rp_graph_constant(g, "col again", &RP_TYPE_U32, 4, col, 0);
  const rp_value y = rp_spmv(g, &m, x, NULL);
  rp_scope_begin(g, "inner");
  const rp_value z = rp_expr(g, &y, 1, rp_field_constant(g, "two", RP_FIELD_BN254_FR, two), &eo);
  rp_scope_end(g);
  rp_scope_end(g);
  rp_recompute_begin(g);
  const rp_value t = rp_ntt(g, z, &no);
  rp_recompute_end(g);
  rp_recompute_begin(g);
  rp_recompute_end(g); /* nothing in it */
  rp_recompute_begin(g);
  const rp_value h = rp_hash_rows(g, RP_HASH_POSEIDON_BN254, t, 2);
  rp_recompute_end(g);
  const rp_value points = rp_graph_input(g, "points", rp_type_affine(RP_CURVE_E97), 3, 0);
  const rp_buckets b = rp_bucket_matrix(g, rp_graph_input(g, "scalars", &RP_TYPE_U256, 3, 0), &bo);
  const rp_value s = rp_window_reduce(g, &b, rp_bucket_windows(g, &b, points));
  rp_graph_output(g, "sum of points", rp_to_affine(g, s), 0);
  rp_graph_output(g, "last", rp_slice(g, h, 1, 1), RP_BINDABLE);
  assert_int_equal(rp_graph_error(g)->status, RP_OK);
  return g;
}

void small_replay(rp_recording *recording, uint8_t out[64]) {
  static const uint64_t x[16] = {7, 0, 0, 0, 11, 0, 0, 0, 13, 0, 0, 0, 17}, val[16] = {3, 0, 0, 0, 5, 0, 0, 0, 9},
                        scalars[12] = {21, 0, 0, 0, 78, 0, 0, 0, 40};
  uint64_t points[6];
  rp_error err = {0};
  const rp_curve_host *c = rp_curve_get(RP_CURVE_E97);
  for (int i = 0; i < 3; i++) c->generator(points + 2 * i);
  const rp_replay_input in[] = {{"x", RP_NO_VALUE, x, sizeof x},
                                {"val", RP_NO_VALUE, val, sizeof val},
                                {"points", RP_NO_VALUE, points, sizeof points},
                                {"scalars", RP_NO_VALUE, scalars, sizeof scalars}};
  const rp_replay_output outputs[] = {{"last", RP_NO_VALUE, out, 32}, {"sum of points", RP_NO_VALUE, out + 32, 16}};
  memset(out, 0, 64);
  if (rp_replay(recording, in, 4, outputs, 2, &err)) fail_msg("%s", err.reason);
}

void small_run(const rp_graph *graph, uint8_t out[64]) {
  rp_recording *recording;
  rp_error err = {0};
  if (rp_record(cpu, graph, NULL, &recording, &err)) fail_msg("%s", err.reason);
  small_replay(recording, out);
  rp_recording_destroy(recording);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

uint8_t *read_whole(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("%s is not there", path);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  *size = (size_t)ftell(file);
  rewind(file);
  uint8_t *data = malloc(*size);
  assert_int_equal(fread(data, 1, *size, file), *size);
  fclose(file);
  return data;
}

void write_whole(const char *path, const void *data, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

rp_graph *load_good(const char *path, const rp_load_options *options) {
  rp_graph *g;
  rp_error err = {0};
  if (rp_graph_load(the_context, path, options, &g, &err)) fail_msg("%s", err.reason);
  return g;
}

uint8_t *saved_bytes_of(const rp_graph *graph, size_t *size) {
  const char *path = path_of("bytes.rpg");
  rp_error err = {0};
  if (rp_graph_save(graph, path, NULL, &err)) fail_msg("%s", err.reason);
  return read_whole(path, size);
}
