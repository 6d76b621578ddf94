/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Measures, on the device that REPRISE_DEVICE names, the tables by which Reprise chooses between ways to compute the
 * same: tables [log2 of the largest size, 4 to 24, by default 16]. For each table it prints what was measured, in
 * microseconds (the best of a few runs), and the table in the form in which options take it:
 *   rp_inverse_table   where n elements are inverted              rp_batch_inv_options.table
 *   crossover          from which width a commitment is a tree    rp_pedersen_options.crossover
 *   rp_merkle_table    how the levels of a Merkle tree are cut    rp_merkle_config.table
 *   rp_spmv_table      which scheme a sparse product takes        rp_spmv_options.table
 */
#include "tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZES_MOST = 32, SCALAR = RP_PEDERSEN_BYTES, DIGEST_BYTES = 32 };

static double now_us(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

double tables_time(rp_status (*run)(void *user), void *user) {
  enum { MOST = 500, LEAST = 3 };
  double best = -1;
  if (run(user) != RP_OK) return -1; /* what only the first run does is not timed */
  const double begin = now_us();
  for (int n = 0; n < MOST && (n < LEAST || now_us() - begin < 1e5); n++) {
    const double start = now_us();
    if (run(user) != RP_OK) return -1;
    const double us = now_us() - start;
    if (!n || us < best) best = us;
  }
  return best;
}

uint64_t tables_crossover(const uint64_t *sizes, const double *a, const double *b, int n, uint64_t never) {
  uint64_t from = never;
  for (int i = n; i-- > 0 && b[i] <= a[i];) from = sizes[i];
  return from;
}

static void print_threshold(const char *name, uint64_t from, const char *end) {
  if (from == UINT64_MAX)
    printf(".%s = UINT64_MAX%s", name, end);
  else
    printf(".%s = %" PRIu64 "%s", name, from, end);
}

/* ---- Batch inversion --------------------------------------------------------------------------------------------- */

typedef struct inversion {
  tables *t;
  uint64_t n;
  rp_inverse_route route;
  rp_inverter *inverter; /* NULL: a call that records as well */
  uint8_t *x, *out;
} inversion;

static rp_status invert(void *user) {
  inversion *v = user;
  const rp_batch_inv_options o = {.struct_size = sizeof o, .route = v->route};
  return v->inverter ? rp_inverter_run(v->inverter, v->x, v->out, NULL, &v->t->err)
                     : rp_batch_inv(v->t->device, RP_FIELD_BN254_FR, v->x, v->out, v->n, &o, &v->t->err);
}

static double time_route(inversion *v, rp_inverse_route route, int once) {
  const rp_batch_inv_options o = {.struct_size = sizeof o, .route = route};
  v->route = route;
  v->inverter = NULL;
  if (!once && rp_inverter_create(v->t->device, RP_FIELD_BN254_FR, v->n, &o, &v->inverter, &v->t->err) != RP_OK)
    return -1;
  const double us = tables_time(invert, v);
  rp_inverter_destroy(v->inverter);
  return us;
}

static bool inversions(tables *t) {
  enum { ELEMENTS_MOST = 64 }; /* more are never inverted one by one */
  uint64_t n[SIZES_MOST];
  double elements[SIZES_MOST], chain[SIZES_MOST], replay[SIZES_MOST], once[SIZES_MOST];
  const size_t bytes = (size_t)32 << t->log_most;
  inversion v = {.t = t, .x = malloc(bytes), .out = malloc(bytes)};
  bool good = v.x && v.out;
  int small = 0, count = 0;
  for (size_t i = 0; i < bytes && good; i++) v.x[i] = i % 32 == 31 ? 1 : (uint8_t)((i * 2654435761u) >> 13);
  puts("\nBN254 Fr elements | one by one | one chain | device, replayed | device, recorded each time");
  for (; count <= t->log_most && good; count++) {
    const int i = count;
    v.n = n[i] = (uint64_t)1 << i;
    elements[i] = n[i] <= ELEMENTS_MOST ? time_route(&v, RP_INVERSE_ROUTE_ELEMENTS, 0) : 0;
    small += n[i] <= ELEMENTS_MOST;
    chain[i] = time_route(&v, RP_INVERSE_ROUTE_CHAIN, 0);
    replay[i] = time_route(&v, RP_INVERSE_ROUTE_DEVICE, 0);
    once[i] = time_route(&v, RP_INVERSE_ROUTE_DEVICE, 1);
    good = elements[i] >= 0 && chain[i] >= 0 && replay[i] >= 0 && once[i] >= 0;
    if (good && n[i] <= ELEMENTS_MOST) printf("%8" PRIu64 " | %.1f", n[i], elements[i]);
    if (good && n[i] > ELEMENTS_MOST) printf("%8" PRIu64 " |", n[i]);
    if (good) printf(" | %.1f | %.1f | %.1f\n", chain[i], replay[i], once[i]);
  }
  free(v.x);
  free(v.out);
  if (!good) return false;
  printf("rp_inverse_table {");
  print_threshold("chain", tables_crossover(n, elements, chain, small, UINT64_MAX), ", ");
  print_threshold("device", tables_crossover(n, chain, replay, count, UINT64_MAX), ", ");
  print_threshold("device_once", tables_crossover(n, chain, once, count, UINT64_MAX), "}\n");
  return true;
}

/* ---- Commitments ------------------------------------------------------------------------------------------------- */

typedef struct commitment {
  tables *t;
  rp_pedersen *pedersen;
  uint32_t width;
  uint8_t generators[RP_PEDERSEN_WIDTH_MAX * SCALAR], values[RP_PEDERSEN_WIDTH_MAX * SCALAR], out[SCALAR];
} commitment;

static rp_status commit(void *user) {
  commitment *c = user;
  return rp_pedersen_commit_tree(c->pedersen, c->width, c->values, c->generators, c->out, &c->t->err);
}

static double time_commitment(commitment *c, uint32_t crossover) {
  const rp_pedersen_options o = {.struct_size = sizeof o, .crossover = crossover};
  if (rp_pedersen_create(c->t->device, &o, &c->pedersen, &c->t->err) != RP_OK) return -1;
  const double us = tables_time(commit, c);
  rp_pedersen_destroy(c->pedersen);
  return us;
}

static bool commitments(tables *t) {
  uint64_t width[SIZES_MOST];
  double linear[SIZES_MOST], tree[SIZES_MOST];
  commitment *c = calloc(1, sizeof *c);
  const uint32_t most = t->log_most < 10 ? 1u << t->log_most : RP_PEDERSEN_WIDTH_MAX;
  int n = 0, good = c && rp_pedersen_verkle_generators(most, c->generators, &t->err) == RP_OK;
  if (good) c->t = t;
  for (uint32_t i = 0; i < most && good; i++)
    good = rp_random_canonical(RP_FIELD_BANDERSNATCH_FR, c->values + (size_t)i * SCALAR) == RP_OK;
  puts("\nwidth of a commitment | linear | tree");
  for (uint32_t w = 1; w <= most && good; w *= 2, n++) {
    c->width = w;
    width[n] = w;
    linear[n] = time_commitment(c, UINT32_MAX);
    tree[n] = time_commitment(c, 1);
    good = linear[n] >= 0 && tree[n] >= 0;
    if (good) printf("%8" PRIu32 " | %.1f | %.1f\n", w, linear[n], tree[n]);
  }
  free(c);
  if (!good) return false;
  const uint64_t from = tables_crossover(width, linear, tree, n, UINT32_MAX);
  if (from == UINT32_MAX)
    puts("crossover UINT32_MAX");
  else
    printf("crossover %" PRIu64 "\n", from);
  return true;
}

/* ---- Merkle trees ------------------------------------------------------------------------------------------------ */

typedef struct build {
  tables *t;
  rp_merkle *tree;
  const uint64_t *leaves;
} build;

static rp_status build_tree(void *user) {
  build *b = user;
  return rp_merkle_build(b->tree, b->leaves, NULL, NULL, &b->t->err);
}

static double time_tree(build *b, uint64_t n, rp_merkle_schedule schedule, uint32_t fill) {
  rp_merkle_table table = {.subtrees = 2, .fill = fill};
  const rp_merkle_config c = {
      .struct_size = sizeof c, .leaves = n, .schedule = schedule, .table = fill ? &table : NULL};
  if (rp_merkle_create(b->t->device, &c, &b->tree, &b->t->err) != RP_OK) return -1;
  const double us = tables_time(build_tree, b);
  rp_merkle_destroy(b->tree);
  return us;
}

/* Measures, on the largest tree, how large the subtrees that fill the device are. A larger `fill` is taken only if it
 * is more than 2% faster. */
static double best_fill(build *b, uint64_t n, uint32_t *best) {
  double least = 0;
  puts("\nfill of a Merkle tree's subtrees | largest tree");
  for (uint32_t fill = 1; fill <= 256; fill *= 2) {
    const double us = time_tree(b, n, RP_MERKLE_SUBTREES, fill);
    if (us < 0) return -1;
    printf("%8" PRIu32 " | %.1f\n", fill, us);
    if (fill == 1 || us < 0.98 * least) least = us, *best = fill;
  }
  return least;
}

static bool trees(tables *t) {
  uint64_t n[SIZES_MOST];
  double levels[SIZES_MOST], subtrees[SIZES_MOST];
  uint64_t *leaves = malloc((size_t)DIGEST_BYTES << t->log_most);
  build b = {.t = t, .leaves = leaves};
  uint32_t fill = 0;
  int count = 0, good = leaves != NULL;
  for (size_t i = 0; i < (size_t)4 << t->log_most && good; i++) leaves[i] = i + 1;
  good = good && best_fill(&b, (uint64_t)1 << t->log_most, &fill) >= 0;
  puts("\nleaves, Rescue Prime | levels | subtrees");
  for (; count < t->log_most && good; count++) {
    n[count] = (uint64_t)2 << count;
    levels[count] = time_tree(&b, n[count], RP_MERKLE_LEVELS, 0);
    subtrees[count] = time_tree(&b, n[count], RP_MERKLE_SUBTREES, fill);
    good = levels[count] >= 0 && subtrees[count] >= 0;
    if (good) printf("%8" PRIu64 " | %.1f | %.1f\n", n[count], levels[count], subtrees[count]);
  }
  free(leaves);
  if (!good) return false;
  printf("rp_merkle_table {");
  print_threshold("subtrees", tables_crossover(n, levels, subtrees, count, UINT64_MAX), ", ");
  print_threshold("fill", fill, "}\n");
  return true;
}

int main(int argc, char **argv) {
  tables t = {.log_most = argc > 1 ? atoi(argv[1]) : 16};
  rp_device_info info = {.struct_size = sizeof info};
  bool good = t.log_most >= 4 && t.log_most <= 24;
  if (!good) return fprintf(stderr, "usage: tables [log2 of the largest size, 4 to 24]\n"), 2;
  good = rp_context_create(NULL, &t.context, &t.err) == RP_OK &&
         rp_device_open(t.context, NULL, &t.device, &t.err) == RP_OK;
  if (good) {
    rp_device_get_info(t.device, &info);
    printf("%s\n", info.name);
    good = inversions(&t) && commitments(&t) && trees(&t) && tables_spmv(&t);
  }
  if (good)
    puts("\nall tables measured");
  else
    fprintf(stderr, "%s: %s\n", rp_status_name(t.err.status), t.err.reason);
  rp_device_close(t.device);
  rp_context_destroy(t.context);
  return !good;
}
