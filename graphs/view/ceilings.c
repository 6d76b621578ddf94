/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Products are measured by expressions that square each element a few and many times: what differs is multiplying
 * alone. Bytes are measured by a copy.
 */
#include "formats/fail.h"

#include <reprise/group.h>
#include <reprise/ops.h>
#include <reprise/page.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 32, MANY = 96, RUNS = 15, SOFTWARE_RUNS = 3 };

typedef struct bench {
  rp_device *device;
  rp_graph *graph;
  rp_recording *recording;
  rp_value x;
  uint8_t *data;
  uint64_t bytes;
} bench;

static bool is_gpu(const rp_device_info *i) {
  return (i->kind == RP_DEVICE_CUDA || i->kind == RP_DEVICE_VULKAN) && !i->software;
}

static rp_status run_once(const bench *b, rp_error *err) {
  rp_run *run = NULL;
  rp_status status = rp_run_begin(b->recording, UINT64_MAX, &run, err);
  if (status != RP_OK) return status;
  status = rp_run_set_input(run, b->x, b->data, b->bytes);
  if (status == RP_OK) status = rp_run_submit(run);
  if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
  if (status != RP_OK && err) *err = *rp_run_error(run);
  rp_run_end(run);
  return status;
}

/* From the begin of the first dispatch to the end of the last. */
static rp_status device_time(const bench *b, uint64_t *ns, rp_error *err) {
  enum { MOST = 64 };
  rp_node_info nodes[MOST] = {{.struct_size = sizeof nodes[0]}};
  uint32_t n = 0;
  uint64_t begin = UINT64_MAX, end = 0;
  rp_status status = run_once(b, err);
  if (status == RP_OK) status = rp_recording_nodes(b->recording, nodes, MOST, &n, err);
  for (uint32_t i = 0; status == RP_OK && i < n; i++) {
    if (nodes[i].once) continue;
    if (nodes[i].begin_ns < begin) begin = nodes[i].begin_ns;
    if (nodes[i].end_ns > end) end = nodes[i].end_ns;
  }
  *ns = end > begin ? end - begin : 0;
  return status;
}

static rp_status record(bench *b, rp_value result, rp_error *err) {
  const rp_record_options profile = {.struct_size = sizeof profile, .flags = RP_RECORD_PROFILE};
  rp_graph_output(b->graph, "result", result, 0);
  return rp_record(b->device, b->graph, &profile, &b->recording, err);
}

/* The least time of several runs of each of n benches, which run in turn, so that they meet the same disturbances. The
 * first run of each does not count. */
static rp_status least_times(const bench *all, uint32_t n, uint64_t *least, rp_error *err) {
  rp_status status = RP_OK;
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(all->device, &info);
  const uint32_t runs = info.software ? SOFTWARE_RUNS : RUNS;
  for (uint32_t k = 0; k < n; k++) least[k] = UINT64_MAX;
  for (uint32_t i = 0; i <= runs; i++) {
    for (uint32_t k = 0; k < n && status == RP_OK; k++) {
      uint64_t ns = 0;
      status = device_time(&all[k], &ns, err);
      if (i && ns < least[k]) least[k] = ns;
    }
  }
  return status;
}

static rp_status open_bench(bench *b, rp_device *device, const rp_type *type, uint64_t n, rp_error *err) {
  *b = (bench){.device = device, .bytes = n * type->size_bytes};
  b->data = rp_context_alloc(rp_device_context(device), b->bytes);
  if (!b->data) return support_fail(err, RP_ERR_MEMORY, "out of memory: numbers to measure the device with");
  uint64_t seed = 1; /* any numbers below the modulus: the highest byte of each stays 0 */
  for (uint64_t i = 0; i < b->bytes; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    b->data[i] = (i + 1) % type->size_bytes ? (uint8_t)(seed >> 40) : 0;
  }
  const rp_status status = rp_graph_create(rp_device_context(device), "ceilings", &b->graph, err);
  if (status == RP_OK) b->x = rp_graph_input(b->graph, "x", type, n, 0);
  return status;
}

static void close_bench(bench *b) {
  rp_recording_destroy(b->recording);
  rp_graph_destroy(b->graph);
  rp_context_free(b->data);
}

static rp_status open_squares(bench *b, rp_device *device, rp_field field, uint64_t n, uint32_t count, rp_error *err) {
  rp_expr_code code[1 + MANY] = {{RP_EXPR_COLUMN, 0, 0}};
  const rp_expr_options o = {.struct_size = sizeof o, .code = code, .n_code = 1 + count};
  for (uint32_t i = 1; i <= count; i++) code[i] = (rp_expr_code){RP_EXPR_SQR, 0, 0};
  const rp_status status = open_bench(b, device, rp_type_field(field), n, err);
  return status == RP_OK ? record(b, rp_expr(b->graph, &b->x, 1, RP_NO_VALUE, &o), err) : status;
}

rp_status rp_view_product_ns(rp_device *device, rp_field field, double *ns, rp_error *err) {
  if (!device || !ns) return support_fail(err, RP_ERR_ARGUMENT, "rp_view_product_ns: device or ns is NULL");
  if (!rp_field_get(field) || rp_field_get(field)->degree != 1)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_view_product_ns: field %d is no prime field", (int)field);
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(device, &info);
  const uint64_t n = 1ull << (is_gpu(&info) ? 20 : info.software ? 11 : 14); /* a software GPU is slow */
  bench both[2] = {{0}};
  uint64_t least[2];
  rp_status status = open_squares(&both[0], device, field, n, FEW, err);
  if (status == RP_OK) status = open_squares(&both[1], device, field, n, MANY, err);
  if (status == RP_OK) status = least_times(both, 2, least, err);
  for (int k = 0; k < 2; k++) close_bench(&both[k]);
  *ns = status == RP_OK && least[1] > least[0] ? (double)(least[1] - least[0]) / (double)((MANY - FEW) * n) : 0;
  return status;
}

rp_status rp_view_byte_ns(rp_device *device, uint64_t bytes, double *ns, rp_error *err) {
  if (!device || !ns) return support_fail(err, RP_ERR_ARGUMENT, "rp_view_byte_ns: device or ns is NULL");
  if (bytes == 0 || bytes % 32 != 0)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_view_byte_ns: %llu bytes are no multiple of 32",
                        (unsigned long long)bytes);
  bench b;
  uint64_t least = 0;
  rp_status status = open_bench(&b, device, &RP_TYPE_U256, bytes / 32, err);
  if (status == RP_OK) status = record(&b, rp_slice(b.graph, b.x, 0, bytes / 32), err);
  if (status == RP_OK) status = least_times(&b, 1, &least, err);
  close_bench(&b);
  *ns = status == RP_OK ? (double)least / (2 * (double)bytes) : 0;
  return status;
}

/* ---- All that a recording uses ----------------------------------------------------------------------------------- */

/* The prime field in which a kernel of a field or curve multiplies; RP_FIELD_COUNT: in none. */
static rp_field field_of(const char *kernel) {
  const char *of = kernel ? strrchr(kernel, '.') : NULL;
  rp_field field = RP_FIELD_COUNT;
  for (int f = 0; of && f < RP_FIELD_COUNT; f++)
    if (strcmp(of + 1, rp_field_name((rp_field)f)) == 0) field = (rp_field)f;
  for (int c = 0; of && c < RP_CURVE_COUNT; c++)
    if (strcmp(of + 1, rp_curve_name((rp_curve)c)) == 0) field = rp_curve_base_field((rp_curve)c);
  if (field == RP_FIELD_BN254_FP2) return RP_FIELD_BN254_FP;
  return field == RP_FIELD_BLS12_381_FP2 ? RP_FIELD_BLS12_381_FP : field;
}

static rp_status fields_of_piece(const rp_recording *recording, uint8_t *used, rp_error *err) {
  uint32_t n = 0;
  rp_status status = rp_recording_nodes(recording, NULL, 0, &n, err);
  if (status != RP_OK && status != RP_ERR_BUFFER_TOO_SMALL) return status;
  rp_node_info *nodes = calloc((size_t)n + 1, sizeof *nodes);
  if (!nodes) return support_fail(err, RP_ERR_MEMORY, "out of memory: the dispatches of a recording");
  nodes->struct_size = sizeof *nodes;
  status = rp_recording_nodes(recording, nodes, n, &n, err);
  for (uint32_t i = 0; status == RP_OK && i < n; i++) {
    const rp_field field = field_of(nodes[i].kernel);
    if (field < RP_FIELD_COUNT && rp_field_get(field)->degree == 1) used[field] = 1;
  }
  free(nodes);
  return status;
}

/* Of a group, the pieces have the dispatches. */
static rp_status find_fields(const rp_recording *recording, uint8_t *used, rp_error *err) {
  const rp_recording *piece;
  rp_status status = fields_of_piece(recording, used, err);
  for (uint32_t i = 0; status == RP_OK && (piece = rp_recording_piece((rp_recording *)recording, i, NULL)); i++)
    status = fields_of_piece(piece, used, err);
  return status;
}

rp_status rp_view_measure(rp_device *device, const rp_recording *recording, rp_view_ceilings *ceilings, rp_error *err) {
  if (!device || !recording || !ceilings)
    return support_fail(err, RP_ERR_ARGUMENT, "rp_view_measure: device, recording and ceilings must not be NULL");
  uint8_t used[RP_FIELD_COUNT] = {0};
  rp_device_info info = {.struct_size = sizeof info};
  double ns = 0;
  *ceilings = (rp_view_ceilings){.struct_size = sizeof *ceilings};
  device = rp_group_device(device, 0);
  rp_device_get_info(device, &info);
  rp_status status = find_fields(recording, used, err);
  /* more than caches hold, so that it is memory that is measured */
  if (status == RP_OK) status = rp_view_byte_ns(device, 1ull << (is_gpu(&info) ? 26 : 24), &ns, err);
  if (status == RP_OK && ns > 0) ceilings->bytes_per_s = 1e9 / ns;
  for (int f = 0; status == RP_OK && f < RP_FIELD_COUNT && ceilings->n_rates < RP_VIEW_RATES; f++) {
    if (!used[f]) continue;
    status = rp_view_product_ns(device, (rp_field)f, &ns, err);
    if (status == RP_OK && ns > 0)
      ceilings->rates[ceilings->n_rates++] = (rp_view_rate){rp_field_name((rp_field)f), 1e9 / ns};
  }
  return status;
}
