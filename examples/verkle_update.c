/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Leaves of Verkle trees of width 256 change: verkle_update [--device NAME] [paths] [depth] [graph.html]. A graph
 * computes the commitments of every node on the path to the root, for many paths side by side; a replay takes new
 * values and gives new roots. */

#define _POSIX_C_SOURCE 200809L /* setenv */

#include <reprise/graphs.h>
#include <reprise/page.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 256, SCALAR = RP_PEDERSEN_BYTES, AFFINE = 64, DEPTH_MOST = 16, WINDOW_BITS = 5 };
static const rp_curve CURVE = RP_CURVE_BANDERWAGON;

typedef struct update {
  uint32_t paths, depth;
  rp_value leaf, children[DEPTH_MOST], place[DEPTH_MOST], roots; /* level 0: the parents of the leaves */
  rp_graph *graph;
  uint8_t generators[WIDTH * SCALAR], *values[DEPTH_MOST], *leaves;
  uint32_t *index[DEPTH_MOST];
} update;

/* On each level one of a node's 256 values is replaced, and the values are committed to; the commitment is mapped to
 * the scalar that replaces a value one level above. */
static rp_status build(rp_context *context, update *u, rp_error *err) {
  uint8_t points[WIDTH * AFFINE];
  char name[32];
  rp_status status = rp_pedersen_verkle_generators(WIDTH, u->generators, err);
  for (int i = 0; i < WIDTH && status == RP_OK; i++)
    status = rp_point_decompress(CURVE, u->generators + i * SCALAR, 1, points + i * AFFINE);
  if (status == RP_OK) status = rp_graph_create(context, "verkle_update", &u->graph, err);
  if (status != RP_OK) return status;
  rp_graph *g = u->graph;
  const uint64_t n = (uint64_t)u->paths * WIDTH;
  const rp_value constant = rp_graph_constant(g, "generators", rp_type_affine(CURVE), WIDTH, points, 0);
  rp_scope_begin(g, "tables");
  rp_scope_title(g, "Multiples of %d generators, once", WIDTH);
  const rp_fixed_base tables = rp_fixed_base_table(g, constant, WINDOW_BITS);
  rp_scope_end(g);
  rp_value scalar = u->leaf = rp_graph_input(g, "leaf", &RP_TYPE_U256, u->paths, 0), commitment = RP_NO_VALUE;
  for (uint32_t level = 0; level < u->depth; level++) {
    snprintf(name, sizeof name, "level_%u", level);
    rp_scope_begin(g, name);
    rp_scope_title(g, "Level %u: %u commitments to %d values", level, u->paths, WIDTH);
    snprintf(name, sizeof name, "children_%u", level);
    u->children[level] = rp_graph_input(g, name, &RP_TYPE_U256, n, 0);
    snprintf(name, sizeof name, "place_%u", level);
    u->place[level] = rp_graph_input(g, name, &RP_TYPE_U32, n, 0);
    if (level) scalar = rp_pedersen_map_to_scalar(g, commitment);
    const rp_value both = rp_concat(g, (rp_value[]){u->children[level], scalar}, 2);
    const rp_value products = rp_fixed_base_mul(g, &tables, rp_gather(g, both, u->place[level]));
    commitment = rp_to_affine(g, rp_tree_reduce(g, products, WIDTH));
    rp_scope_end(g);
  }
  u->roots = commitment;
  rp_graph_output(g, "roots", u->roots, 0);
  if (rp_graph_error(g)->status != RP_OK) *err = *rp_graph_error(g);
  return rp_graph_error(g)->status;
}

/* Random values, and for each path and level the child that changes: its index points behind all children, where the
 * new scalars are. */
static bool fill(update *u) {
  const size_t n = (size_t)u->paths * WIDTH;
  if (!(u->leaves = malloc((size_t)u->paths * SCALAR))) return false;
  for (uint32_t k = 0; k < u->paths; k++)
    if (rp_random_canonical(RP_FIELD_BANDERSNATCH_FR, u->leaves + (size_t)k * SCALAR) != RP_OK) return false;
  for (uint32_t level = 0; level < u->depth; level++) {
    u->values[level] = malloc(n * SCALAR);
    u->index[level] = malloc(n * sizeof *u->index[level]);
    if (!u->values[level] || !u->index[level]) return false;
    for (size_t i = 0; i < n; i++) {
      const uint32_t path = (uint32_t)(i / WIDTH), changed = (path * 37 + level * 101 + 5) % WIDTH;
      if (rp_random_canonical(RP_FIELD_BANDERSNATCH_FR, u->values[level] + i * SCALAR) != RP_OK) return false;
      u->index[level][i] = i % WIDTH == changed ? (uint32_t)n + path : (uint32_t)i;
    }
  }
  return true;
}

/* The root of one path, computed on the host with plain commitments. */
static rp_status plain_root(const update *u, uint32_t path, uint8_t root[SCALAR], rp_error *err) {
  const rp_field_host *f = rp_field_get(RP_FIELD_BLS12_381_FR), *r = rp_field_get(RP_FIELD_BANDERSNATCH_FR);
  uint64_t scalar[4], point[AFFINE / 8], x[4];
  rp_status status = RP_OK;
  memcpy(scalar, u->leaves + (size_t)path * SCALAR, SCALAR);
  for (uint32_t level = 0; level < u->depth && status == RP_OK; level++) {
    uint8_t values[WIDTH * SCALAR];
    const size_t at = (size_t)path * WIDTH;
    memcpy(values, u->values[level] + at * SCALAR, sizeof values);
    for (size_t i = 0; i < WIDTH; i++)
      if (u->index[level][at + i] != at + i) memcpy(values + i * SCALAR, scalar, SCALAR);
    status = rp_pedersen_commit(values, u->generators, WIDTH, root, err);
    if (status != RP_OK || rp_point_decompress(CURVE, root, 1, point) != RP_OK) continue;
    f->inv(x, point + 4); /* the Verkle specification's map: x / y */
    f->mul(x, x, point);
    f->to_canonical(scalar, x);
    r->from_bytes_reduce(x, (const uint8_t *)scalar, SCALAR);
    r->to_canonical(scalar, x);
  }
  return status;
}

static rp_status replay(const update *u, rp_recording *recording, uint8_t *roots, rp_run_counters *c, rp_error *err) {
  const uint64_t n = (uint64_t)u->paths * WIDTH;
  rp_run *run;
  rp_status status = rp_run_begin(recording, UINT64_MAX, &run, err);
  if (status != RP_OK) return status;
  status = rp_run_set_input(run, u->leaf, u->leaves, (uint64_t)u->paths * SCALAR);
  for (uint32_t level = 0; level < u->depth && status == RP_OK; level++) {
    status = rp_run_set_input(run, u->children[level], u->values[level], n * SCALAR);
    if (status == RP_OK) status = rp_run_set_input(run, u->place[level], u->index[level], n * sizeof(uint32_t));
  }
  if (status == RP_OK) status = rp_run_submit(run);
  if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
  for (uint32_t k = 0; k < u->paths && status == RP_OK; k++)
    status = rp_point_compress(CURVE, (const uint8_t *)rp_run_output(run, u->roots) + (size_t)k * AFFINE,
                               roots + (size_t)k * SCALAR);
  if (status != RP_OK) *err = *rp_run_error(run);
  rp_run_get_counters(run, c);
  rp_run_end(run);
  return status;
}

int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "--device")) {
    if (setenv("REPRISE_DEVICE", argv[2], 1) != 0) return 1;
    argc -= 2;
    argv += 2;
  }
  update u = {.paths = argc > 1 ? (uint32_t)atoi(argv[1]) : 64, .depth = argc > 2 ? (uint32_t)atoi(argv[2]) : 3};
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_recording *recording = NULL;
  rp_run_counters c = {.struct_size = sizeof c};
  rp_error err = {0};
  uint8_t plain[SCALAR], *roots = malloc((size_t)u.paths * SCALAR + 1);
  bool good = roots && u.paths && u.depth && u.depth <= DEPTH_MOST && fill(&u);
  good = good && rp_context_create(NULL, &context, &err) == RP_OK &&
         rp_device_open(context, NULL, &device, &err) == RP_OK && build(context, &u, &err) == RP_OK &&
         rp_record(device, u.graph, NULL, &recording, &err) == RP_OK;
  for (int i = 0; i < 3 && good; i++) good = replay(&u, recording, roots, &c, &err) == RP_OK;
  const rp_view_source view = {.struct_size = sizeof view, .recording = recording};
  if (good && argc > 3) good = rp_view_write(&view, argv[3], &err) == RP_OK;
  for (uint32_t k = 0; k < u.paths && good; k += 1 + u.paths / 2)
    good = plain_root(&u, k, plain, &err) == RP_OK && !memcmp(plain, roots + (size_t)k * SCALAR, SCALAR);
  if (good)
    printf("%u paths of %u commitments to %d values: %u submission, %llu dispatches, %.3f ms\nroots agree\n", u.paths,
           u.depth, WIDTH, c.submissions, (unsigned long long)c.dispatches, (double)c.latency_ns * 1e-6);
  else
    fprintf(stderr, "not updated: %s\n",
            err.status ? err.reason : "usage: verkle_update [--device NAME] [paths] [depth] [graph.html]");
  rp_recording_destroy(recording);
  rp_graph_destroy(u.graph);
  rp_device_close(device);
  rp_context_destroy(context);
  for (uint32_t level = 0; level < DEPTH_MOST; level++) free(u.values[level]), free(u.index[level]);
  free(u.leaves);
  free(roots);
  return !good;
}
