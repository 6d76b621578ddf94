/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Unusual arguments of constructors and runs: elements that are not reduced, values of another graph, option structs of
 * other lengths.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <reprise/graphs.h>
#include <reprise/halo2.h>
#include <reprise/inverse.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct place {
  rp_context *context;
  rp_device *device;
} place;

static int open_place(void **state) {
  static place p;
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  *state = &p;
  return rp_context_create(NULL, &p.context, NULL) != RP_OK ||
         rp_device_open(p.context, &cpu, &p.device, NULL) != RP_OK;
}

static int close_place(void **state) {
  place *p = *state;
  return rp_device_try_close(p->device, NULL) != RP_OK || rp_context_try_destroy(p->context, NULL) != RP_OK;
}

static rp_graph *new_graph(const place *p) {
  rp_graph *g = NULL;
  assert_int_equal(rp_graph_create(p->context, "inputs", &g, NULL), RP_OK);
  return g;
}

/* ---- RP_RECORD_CHECK_INPUTS -------------------------------------------------------------------------------------- */

enum { N = 5 };

/* Runs a graph that copies an array of this type. */
static rp_status replay(const place *p, const rp_type *type, const void *data, uint32_t flags, rp_error *err) {
  rp_graph *g = new_graph(p);
  rp_recording *r = NULL;
  rp_value x = rp_graph_input(g, "x", type, N, 0);
  rp_graph_output(g, "y", rp_slice(g, x, 0, N), 0);
  const rp_record_options options = {.struct_size = sizeof options, .flags = flags};
  assert_int_equal(rp_record(p->device, g, &options, &r, NULL), RP_OK);
  uint8_t *out = calloc(N, type->size_bytes);
  const rp_replay_input in = {.value = x, .data = data, .size_bytes = (uint64_t)N * type->size_bytes};
  const rp_replay_output y = {.name = "y", .data = out, .size_bytes = in.size_bytes};
  const rp_status status = rp_replay(r, &in, 1, &y, 1, err);
  free(out);
  rp_recording_destroy(r);
  rp_graph_destroy(g);
  return status;
}

/* Tries p - 1, p and all ones in each coordinate of each element. */
static void check_type(const place *p, const rp_type *type, const rp_field_host *f) {
  const uint32_t bytes = f->size_bytes / f->degree;
  uint8_t *data = calloc(N, type->size_bytes);
  for (uint32_t at = 0; at < type->size_bytes; at += bytes)
    for (uint32_t i = 0; i < N; i++) {
      rp_error err = {0};
      uint8_t *x = data + (size_t)i * type->size_bytes + at;
      memcpy(x, f->modulus_le, bytes);
      x[0]--; /* p is odd */
      assert_int_equal(replay(p, type, data, RP_RECORD_CHECK_INPUTS, &err), RP_OK);
      x[0]++;
      assert_int_equal(replay(p, type, data, RP_RECORD_CHECK_INPUTS, &err), RP_ERR_INPUT);
      char want[64];
      snprintf(want, sizeof want, "input 'x': element %u is not a valid %s:", i, type->name);
      assert_memory_equal(err.reason, want, strlen(want));
      assert_int_equal(replay(p, type, data, 0, &err), RP_OK); /* the check was not asked for */
      memset(x, 0xff, bytes);
      assert_int_equal(replay(p, type, data, RP_RECORD_CHECK_INPUTS, &err), RP_ERR_INPUT);
      memset(x, 0, bytes);
    }
  free(data);
}

static void elements_that_are_not_reduced_are_named(void **state) {
  const place *p = *state;
  for (rp_field f = 0; f < RP_FIELD_COUNT; f++) check_type(p, rp_type_field(f), rp_field_get(f));
  for (rp_curve c = 0; c < RP_CURVE_COUNT; c++) {
    check_type(p, rp_type_affine(c), rp_field_get(rp_curve_base_field(c)));
    check_type(p, rp_type_accumulator(c), rp_field_get(rp_curve_base_field(c)));
  }
}

static void plain_integers_may_be_anything(void **state) {
  uint8_t all[N * 48];
  memset(all, 0xff, sizeof all);
  assert_int_equal(replay(*state, &RP_TYPE_U256, all, RP_RECORD_CHECK_INPUTS, NULL), RP_OK);
  assert_int_equal(replay(*state, &RP_TYPE_U384, all, RP_RECORD_CHECK_INPUTS, NULL), RP_OK);
  assert_int_equal(replay(*state, &RP_TYPE_U8, all, RP_RECORD_CHECK_INPUTS, NULL), RP_OK);
}

/* ---- Values of another graph ------------------------------------------------------------------------------------- */

typedef struct others {
  rp_graph *mine;
  rp_value scalars, points, field; /* of this graph */
  rp_value u256, affine, element;  /* of another graph, with the same ids */
} others;

static void add(others *o) { rp_add(o->mine, o->field, o->element); }
static void msm_points(others *o) { rp_msm(o->mine, o->scalars, o->affine, NULL); }
static void msm_scalars(others *o) { rp_msm(o->mine, o->u256, o->points, NULL); }
static void matrix(others *o) {
  rp_bucket_matrix(o->mine, o->u256,
                   &(rp_bucket_options){.struct_size = sizeof(rp_bucket_options), .curve = RP_CURVE_BN254_G1});
}
static void fixed_base(others *o) { rp_fixed_base_table(o->mine, o->affine, 4); }
static void montgomery(others *o) { rp_from_montgomery(o->mine, o->element); }
static void ntt(others *o) {
  rp_ntt(o->mine, o->element, &(rp_ntt_options){.struct_size = sizeof(rp_ntt_options), .root = RP_ROOT_SNARKJS});
}
static void split_radix(others *o) {
  rp_ntt_split_radix(o->mine, o->element,
                     &(rp_split_radix_options){.struct_size = sizeof(rp_split_radix_options), .root = RP_ROOT_SNARKJS});
}
static void to_scalar(others *o) { rp_pedersen_map_to_scalar(o->mine, o->affine); }
static void spmv(others *o) { rp_spmv(o->mine, &(rp_csr){o->u256, o->u256, o->u256, 2, 2}, o->field, NULL); }

/* Values of another graph have ids that are valid in this one too; without the check, rp_add(b, foreign a) would give
 * the sum of other values. */
static void every_constructor_refuses_values_of_another_graph(void **state) {
  const struct {
    void (*make)(others *o);
    const char *operand;
  } cases[] = {{add, "add: its input 1"},
               {msm_points, "msm: points"},
               {msm_scalars, "msm: scalars"},
               {matrix, "bucket_matrix: scalars"},
               {fixed_base, "fixed_base_table: points"},
               {montgomery, "montgomery conversion: the operand"},
               {ntt, "ntt: its input 0"},
               {split_radix, "split radix: the operand"},
               {to_scalar, "pedersen_map_to_scalar: points"},
               {spmv, "spmv: its input 0"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rp_graph *g[2] = {new_graph(*state), new_graph(*state)};
    rp_value v[2][3];
    for (int k = 0; k < 2; k++) {
      v[k][0] = rp_graph_input(g[k], "scalars", &RP_TYPE_U256, 8, 0);
      v[k][1] = rp_graph_input(g[k], "points", rp_type_affine(RP_CURVE_BN254_G1), 8, 0);
      v[k][2] = rp_graph_input(g[k], "field", rp_type_field(RP_FIELD_BN254_FR), 8, 0);
    }
    others o = {g[0], v[0][0], v[0][1], v[0][2], v[1][0], v[1][1], v[1][2]};
    cases[i].make(&o);
    const rp_error *error = rp_graph_error(g[0]);
    char want[128];
    snprintf(want, sizeof want, "%s is a value of another graph", cases[i].operand);
    assert_int_equal(error->status, RP_ERR_ARGUMENT);
    if (!strstr(error->reason, want)) fail_msg("'%s' does not say '%s'", error->reason, want);
    rp_graph_destroy(g[0]), rp_graph_destroy(g[1]);
  }
}

static void a_bucket_matrix_of_another_graph_is_refused(void **state) {
  rp_graph *g[2] = {new_graph(*state), new_graph(*state)};
  const rp_bucket_options options = {.struct_size = sizeof options, .curve = RP_CURVE_BN254_G1, .window_bits = 4};
  rp_buckets b[2];
  for (int k = 0; k < 2; k++) b[k] = rp_bucket_matrix(g[k], rp_graph_input(g[k], "s", &RP_TYPE_U256, 8, 0), &options);
  rp_value points = rp_graph_input(g[0], "points", rp_type_affine(RP_CURVE_BN254_G1), 8, 0);
  rp_bucket_accumulate(g[0], &b[1], points);
  assert_non_null(strstr(rp_graph_error(g[0])->reason, "row_ptr is a value of another graph"));
  rp_graph_destroy(g[0]), rp_graph_destroy(g[1]);
}

/* ---- Option structs of other lengths ----------------------------------------------------------------------------- */

/* A program that was built with an older header passes a shorter struct: nothing behind its end may be read. One that
 * was built with a newer header passes a longer struct, of which only the fields that are known here are read. */
static void options_of_any_length_are_taken(void **state) {
  rp_graph *g = new_graph(*state);
  rp_value s = rp_graph_input(g, "s", &RP_TYPE_U256, 8, 0);
  rp_value points = rp_graph_input(g, "points", rp_type_affine(RP_CURVE_BN254_G1), 8, 0);
  rp_msm_options msm;
  memset(&msm, 0xff, sizeof msm);
  msm.struct_size = offsetof(rp_msm_options, precompute);
  msm.window_bits = 4;
  assert_int_equal(rp_value_len(g, rp_msm(g, s, points, &msm)),
                   1); /* batch has its default of 1: the bytes behind the struct are not read */
  struct {
    rp_msm_options o;
    uint64_t newer;
  } longer = {.o = {.struct_size = sizeof longer, .window_bits = 4}, .newer = 1};
  assert_int_equal(rp_value_len(g, rp_msm(g, s, points, &longer.o)), 1);
  rp_bucket_options bucket;
  memset(&bucket, 0xff, sizeof bucket);
  bucket.struct_size = offsetof(rp_bucket_options, merged);
  bucket.curve = RP_CURVE_BN254_G1;
  bucket.window_bits = 4;
  assert_int_equal(rp_bucket_matrix(g, s, &bucket).merged, 1);
  assert_int_equal(rp_graph_error(g)->status, RP_OK);
  rp_batch_inv_options inverse;
  memset(&inverse, 0xff, sizeof inverse);
  inverse.struct_size = offsetof(rp_batch_inv_options, route);
  assert_int_equal(rp_batch_inv_route(RP_DEVICE_CPU, 1, &inverse), rp_batch_inv_route(RP_DEVICE_CPU, 1, NULL));
  rp_graph_destroy(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(elements_that_are_not_reduced_are_named),
      cmocka_unit_test(plain_integers_may_be_anything),
      cmocka_unit_test(every_constructor_refuses_values_of_another_graph),
      cmocka_unit_test(a_bucket_matrix_of_another_graph_is_refused),
      cmocka_unit_test(options_of_any_length_are_taken),
  };
  return cmocka_run_group_tests(tests, open_place, close_place);
}
