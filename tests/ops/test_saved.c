/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every operation of every_op.h, over every field and curve, is saved and loaded: the graph that comes back has the
 * same names, is saved to the same bytes again, and computes the same bits. Every operation of the catalog is among
 * them.
 */
#include "data.h"
#include "every_op.h"
#include "points_data.h"

#include <reprise/save.h>

#include <stdio.h>
#include <unistd.h>

static rp_context *context;
static rp_device *device;
static char folder[] = "/tmp/reprise_saved_XXXXXX", path_a[64], path_b[64];
static uint32_t reached[256]; /* nodes per operation of the catalog */

/* ---- Values of inputs -------------------------------------------------------------------------------------------- */

/* Elements of any type that no operation refuses: small indices and lengths, and scalars below the order of every
 * group. */
static void *elements(const rp_type *type, uint64_t n, uint64_t seed) {
  rp_field field;
  rp_curve curve;
  if (rp_type_is_field(type, &field)) return data_field_nonzero(field, DATA_EDGES, seed, n);
  uint8_t *bytes = calloc(n, type->size_bytes);
  assert_non_null(bytes);
  const int affine = rp_type_is_affine(type, &curve);
  if (affine || rp_type_is_accumulator(type, &curve)) {
    int64_t *multiples = calloc(n, sizeof *multiples);
    uint8_t *points = data_points(curve, POINT_DISTINCT, n, multiples);
    const rp_curve_host *c = rp_curve_get(curve);
    for (uint64_t i = 0; i < n; i++)
      if (affine)
        memcpy(bytes + i * type->size_bytes, points + i * type->size_bytes, type->size_bytes);
      else
        c->acc_from_affine(bytes + i * type->size_bytes, points + i * (type->size_bytes / 2));
    free(points);
    free(multiples);
  } else if (type->id == RP_TYPE_U256.id) {
    for (uint64_t i = 0; i < n; i++) bytes[32 * i] = (uint8_t)(data_next(&seed) % 79);
  } else if (type->id == RP_TYPE_U64.id) {
    for (uint64_t i = 0; i < n; i++) bytes[8 * i] = (uint8_t)(data_next(&seed) % 79);
  }
  return bytes;
}

typedef struct result {
  rp_status status;
  uint64_t bytes;
  uint8_t *data; /* of all outputs */
  char reason[508];
} result;

static result run(const rp_graph *g) {
  result r = {0};
  rp_recording *recording;
  rp_run *one;
  rp_error err = {0};
  r.status = rp_record(device, g, NULL, &recording, &err);
  if (r.status) fail_msg("%s: %s", rp_graph_name(g), err.reason);
  assert_int_equal(rp_run_begin(recording, UINT64_MAX, &one, NULL), RP_OK);
  for (uint32_t i = 0; i < rp_recording_n_inputs(recording); i++) {
    rp_port_info port = {.struct_size = sizeof port};
    assert_int_equal(rp_recording_get_input(recording, i, &port, NULL), RP_OK);
    void *data = elements(port.type, port.len, 17 + i);
    assert_int_equal(rp_run_set_input(one, port.value, data, port.size_bytes), RP_OK);
    free(data);
  }
  assert_int_equal(rp_run_submit(one), RP_OK);
  r.status = rp_run_wait(one, UINT64_MAX);
  snprintf(r.reason, sizeof r.reason, "%s", rp_run_error(one)->reason);
  for (uint32_t i = 0; i < rp_recording_n_outputs(recording) && r.status == RP_OK; i++) {
    rp_port_info port = {.struct_size = sizeof port};
    assert_int_equal(rp_recording_get_output(recording, i, &port, NULL), RP_OK);
    r.data = realloc(r.data, r.bytes + port.size_bytes);
    assert_non_null(r.data);
    memcpy(r.data + r.bytes, rp_run_output(one, port.value), port.size_bytes);
    r.bytes += port.size_bytes;
  }
  rp_run_end(one);
  rp_recording_destroy(recording);
  return r;
}

/* ---- One graph --------------------------------------------------------------------------------------------------- */

static void *slurp(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  *size = (size_t)ftell(file);
  rewind(file);
  void *data = malloc(*size);
  assert_int_equal(fread(data, 1, *size, file), *size);
  fclose(file);
  return data;
}

static void save(const rp_graph *g, const char *path) {
  rp_error err = {0};
  if (rp_graph_save(g, path, NULL, &err)) fail_msg("%s: %s", rp_graph_name(g), err.reason);
}

static rp_graph *load(const char *path) {
  rp_graph *g;
  rp_error err = {0};
  if (rp_graph_load(context, path, NULL, &g, &err)) fail_msg("%s", err.reason);
  return g;
}

static void compare_nodes(const rp_graph *a, const rp_graph *b) {
  const rp_catalog *catalog = rp_ops_catalog();
  assert_int_equal(rp_graph_n_nodes(a), rp_graph_n_nodes(b));
  for (uint32_t i = 0; i < rp_graph_n_nodes(a); i++) {
    rp_graph_node_info x = {.struct_size = sizeof x}, y = {.struct_size = sizeof y};
    uint32_t op = 0;
    assert_int_equal(rp_graph_get_node(a, i, &x, NULL), RP_OK);
    assert_int_equal(rp_graph_get_node(b, i, &y, NULL), RP_OK);
    assert_string_equal(x.name, y.name);
    assert_ptr_equal(x.op, y.op);
    assert_memory_equal(x.params, y.params, x.op->params_bytes);
    while (op < catalog->n_ops && catalog->ops[op] != x.op) op++;
    assert_true(op < catalog->n_ops);
    reached[op]++;
  }
}

static void check_graph(const rp_graph *g) {
  size_t size_a, size_b;
  save(g, path_a);
  rp_graph *again = load(path_a);
  save(again, path_b);
  compare_nodes(g, again);
  void *a = slurp(path_a, &size_a), *b = slurp(path_b, &size_b);
  assert_int_equal(size_a, size_b);
  assert_memory_equal(a, b, size_a);
  free(a);
  free(b);
  result x = run(g), y = run(again);
  if (x.status || y.status) fail_msg("%s: %s / %s", rp_graph_name(g), x.reason, y.reason);
  assert_int_equal(x.bytes, y.bytes);
  /* The elements behind the last entry are not defined. Other graphs compare what is computed from the entries. */
  if (strcmp(rp_graph_name(g), "bucket_matrix") && strcmp(rp_graph_name(g), "bucket_filter") &&
      strcmp(rp_graph_name(g), "eisenstein_matrix"))
    assert_memory_equal(x.data, y.data, x.bytes);
  free(x.data);
  free(y.data);
  rp_graph_destroy(again);
}

static void check_op(const every_op *op, int id, uint64_t n, uint32_t *ran) {
  every_op_case c = {.n = n};
  assert_int_equal(rp_graph_create(context, op->name, &c.g, NULL), RP_OK);
  const rp_value out = every_op_build(op, id, &c);
  if (rp_graph_error(c.g)->status) fail_msg("%s", rp_graph_error(c.g)->reason);
  if (out.id) {
    rp_graph_output(c.g, "out", out, 0);
    check_graph(c.g);
    ++*ran;
  }
  rp_graph_destroy(c.g);
}

static void every_operation_comes_back(void **state) {
  (void)state;
  for (size_t i = 0; i < every_op_count(); i++) {
    uint32_t ran = 0;
    for (int id = 0; id < every_op_ids(every_op_get(i)); id++) check_op(every_op_get(i), id, 5, &ran);
    assert_true(ran);
  }
}

/* Enough points for the strategy that uses buckets. */
static void many_points_come_back(void **state) {
  (void)state;
  uint32_t ran = 0;
  for (size_t i = 0; i < every_op_count(); i++) {
    const every_op *op = every_op_get(i);
    if (!strcmp(op->name, "msm") || (!strcmp(op->name, "tree_reduce") && !op->which))
      check_op(op, RP_CURVE_SECP256K1, 300, &ran);
  }
  assert_int_equal(ran, 2);
}

/* Runs after the tests that fill `reached`. An operation that is missing there has not been saved by any of them. */
static void the_catalog_is_complete(void **state) {
  (void)state;
  const rp_catalog *catalog = rp_ops_catalog();
  assert_true(catalog->n_ops <= sizeof reached / sizeof *reached);
  for (uint32_t i = 0; i < catalog->n_ops; i++) {
    if (!reached[i])
      fail_msg("operation %s is in the catalog, but has no example, and every_op.c has no graph of it",
               catalog->ops[i]->name);
    if (!rp_op_version(catalog->ops[i])) fail_msg("operation %s has no schema", catalog->ops[i]->name);
    for (uint32_t j = 0; j < i; j++) assert_string_not_equal(catalog->ops[i]->name, catalog->ops[j]->name);
  }
  for (uint32_t i = 0; i < catalog->n_types; i++)
    assert_ptr_equal(rp_type_by_name(catalog->types[i]->name), catalog->types[i]);
}

/* ---- Graphs that use operations together ------------------------------------------------------------------------- */

static void windows_of_a_matrix_come_back(void **state) {
  (void)state;
  const rp_bucket_options o = {.struct_size = sizeof o, .curve = RP_CURVE_BN254_G1, .window_bits = 5};
  rp_graph *g;
  assert_int_equal(rp_graph_create(context, "cut", &g, NULL), RP_OK);
  const rp_value points = rp_graph_input(g, "points", rp_type_affine(o.curve), 40, 0);
  rp_buckets b = rp_bucket_matrix(g, rp_graph_input(g, "scalars", &RP_TYPE_U256, 40, RP_SECRET), &o);
  b = rp_bucket_range(g, &b, 2, 3);
  b = rp_bucket_filter(g, &b, rp_graph_input(g, "support", &RP_TYPE_U32, 2, 0));
  rp_graph_output(g, "sum", rp_to_affine(g, rp_window_reduce(g, &b, rp_bucket_windows(g, &b, points))), 0);
  check_graph(g);
  rp_graph_destroy(g);
}

static void tuned_operations_come_back(void **state) {
  (void)state;
  const rp_spmv_table spmv = {.vector_mean = 1e300, .balanced_cv2 = 0.25};
  const rp_merkle_table merkle = {.subtrees = 4, .fill = 3};
  const rp_spmv_options so = {.struct_size = sizeof so, .table = &spmv};
  const rp_merkle_options mo = {.struct_size = sizeof mo, .table = &merkle};
  const uint32_t row_ptr[] = {0, 1, 1, 3}, col[] = {2, 0, 1};
  rp_ntt_options no = {.struct_size = sizeof no, .root = RP_ROOT_ARKWORKS, .coset = RP_COSET_SHIFT, .batch = 2};
  rp_graph *g;
  no.shift[0] = 7;
  assert_int_equal(rp_graph_create(context, "tuned", &g, NULL), RP_OK);
  const rp_type *fr = rp_type_field(RP_FIELD_BLS12_381_FR);
  const rp_csr m = {rp_graph_constant(g, "row_ptr", &RP_TYPE_U32, 4, row_ptr, 0),
                    rp_graph_constant(g, "col", &RP_TYPE_U32, 3, col, 0), rp_graph_input(g, "val", fr, 3, 0), 3, 3};
  rp_graph_output(g, "y", rp_spmv(g, &m, rp_graph_input(g, "x", fr, 3, 0), &so), 0);
  const rp_value leaves = rp_graph_input(g, "leaves", rp_type_field(RP_FIELD_BN254_FR), 16, 0);
  rp_graph_output(g, "tree", rp_merkle_tree(g, RP_HASH_POSEIDON_BN254, leaves, &mo), 0);
  rp_graph_output(g, "ntt", rp_ntt(g, rp_graph_input(g, "a", fr, 32, 0), &no), 0);
  check_graph(g);
  rp_graph_destroy(g);
}

/* Parameters of the operation, of which those that are named have values and the others are zero. */
typedef struct setting {
  const char *name;
  uint64_t value;
} setting;

static const rp_op *op_with(const char *name, const setting *settings, uint32_t n, uint8_t params[256]) {
  const rp_catalog *catalog = rp_ops_catalog();
  uint32_t i = 0;
  while (i < catalog->n_ops && strcmp(catalog->ops[i]->name, name)) i++;
  assert_true(i < catalog->n_ops);
  const rp_op *op = catalog->ops[i];
  assert_true(op->params_bytes <= 256);
  memset(params, 0, 256);
  for (uint32_t s = 0; s < n; s++) {
    uint32_t found = 0;
    for (uint32_t k = 0; k < op->schema->n_params; k++) {
      const rp_param *p = &op->schema->params[k];
      if (strcmp(p->name, settings[s].name)) continue;
      memcpy(params + p->offset, &settings[s].value, p->bytes);
      found++;
    }
    assert_int_equal(found, 1);
  }
  return op;
}

/* Constructors do not make such nodes, but files may hold them. */
static void contradictions_are_refused(void **state) {
  (void)state;
  static const setting coset[] = {{"batch", 1}, {"root", RP_ROOT_SNARKJS}, {"coset", RP_COSET_ROOT_2N}};
  static const setting slice[] = {{"len", 2}, {"has_first", 1}, {"has_count", 1}};
  for (int wrong = 0; wrong < 2; wrong++) {
    uint8_t params[256];
    rp_graph *g;
    assert_int_equal(rp_graph_create(context, "contradiction", &g, NULL), RP_OK);
    const rp_type *fr = rp_type_field(RP_FIELD_BN254_FR);
    const rp_op *op = wrong ? op_with("slice_at", slice, 3, params) : op_with("ntt", coset, 3, params);
    const rp_value in[2] = {rp_graph_input(g, "x", fr, 8, 0), rp_graph_input(g, "y", wrong ? &RP_TYPE_U32 : fr, 1, 0)};
    assert_int_equal(rp_graph_error(g)->status, RP_OK);
    assert_int_equal(rp_graph_node(g, op, params, in, 2, NULL, 1).id, 0);
    assert_int_equal(rp_graph_error(g)->status, RP_ERR_ARGUMENT);
    assert_non_null(strstr(rp_graph_error(g)->reason, wrong ? "2 operands, not the 3" : "a coset shift as a value"));
    rp_graph_destroy(g);
  }
}

static int open_all(void **state) {
  (void)state;
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  if (!mkdtemp(folder)) return 1;
  snprintf(path_a, sizeof path_a, "%s/a.rpg", folder);
  snprintf(path_b, sizeof path_b, "%s/b.rpg", folder);
  return rp_context_create(NULL, &context, NULL) || rp_device_open(context, &cpu, &device, NULL);
}

static int close_all(void **state) {
  (void)state;
  remove(path_a);
  remove(path_b);
  rmdir(folder);
  rp_device_close(device);
  return rp_context_try_destroy(context, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_operation_comes_back), cmocka_unit_test(many_points_come_back),
      cmocka_unit_test(the_catalog_is_complete),    cmocka_unit_test(windows_of_a_matrix_come_back),
      cmocka_unit_test(tuned_operations_come_back), cmocka_unit_test(contradictions_are_refused)};
  return cmocka_run_group_tests_name("saved operations", tests, open_all, close_all);
}
