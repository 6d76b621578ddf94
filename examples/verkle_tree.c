/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Leaves of one Verkle tree change: verkle_tree [--device NAME] [log of leaves] [updates] [graph.html]. A commitment is
 * linear in its values, so that only changes are sent and multiplied: the change of a child times its generator is the
 * change of its parent's commitment. Leaves with the same parent change it together. One submission per set of updates
 * takes the changes up to the root. */

#define _POSIX_C_SOURCE 200809L /* setenv */

#include "verkle_tree.h"

#include <reprise/page.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a set of updates changes on a level. The changed nodes have the slots 0 to n - 1; slots behind them change
 * nothing. */
typedef struct changes {
  uint32_t n, *node;                   /* [updates] */
  uint32_t *place;                     /* [updates]: of each changed child among the children of its parent */
  uint32_t *group;                     /* [updates][updates]: the changed children of each slot; `updates` for none */
  uint32_t *used;                      /* [updates]: how many of these there are */
  rp_value in_place, in_group, in_old; /* in_old: the commitments before */
  rp_value in_scalar;                  /* their scalars before; not of the root */
  rp_value out;                        /* the commitments after */
} changes;

typedef struct update {
  uint32_t updates;
  uint8_t *delta; /* [updates][SCALAR]: of the leaves */
  rp_value in_delta;
  changes at[LEVELS_MOST];
  rp_graph *graph;
} update;

/* ---- The graph --------------------------------------------------------------------------------------------------- */

/* scalar - before, modulo the group order */
static rp_value change_of(rp_graph *g, rp_value scalar, rp_value before) {
  const rp_field r = RP_FIELD_BANDERSNATCH_FR;
  return rp_to_canonical(g, rp_sub(g, rp_from_canonical(g, scalar, r, NULL), rp_from_canonical(g, before, r, NULL)));
}

static rp_value named(rp_graph *g, const char *what, uint32_t level, const rp_type *type, uint64_t n) {
  char name[32];
  snprintf(name, sizeof name, "%s_%u", what, level);
  return rp_graph_input(g, name, type, n, 0);
}

static rp_status build(rp_context *context, const tree *t, update *u, rp_error *err) {
  const uint64_t n = u->updates;
  const rp_type *affine = rp_type_affine(CURVE);
  uint8_t points[WIDTH * AFFINE], identity[AFFINE];
  char name[32];
  rp_status status = rp_graph_create(context, "verkle_tree", &u->graph, err);
  for (int i = 0; i < WIDTH && status == RP_OK; i++)
    status = rp_point_decompress(CURVE, t->generators + i * SCALAR, 1, points + i * AFFINE);
  if (status != RP_OK) return status;
  rp_graph *g = u->graph;
  rp_curve_get(CURVE)->identity(identity);
  const rp_value generators = rp_graph_constant(g, "generators", affine, WIDTH, points, 0);
  const rp_value nothing = rp_graph_constant(g, "identity", affine, 1, identity, 0);
  rp_value delta = u->in_delta = rp_graph_input(g, "delta", &RP_TYPE_U256, n, 0);
  for (uint32_t k = 0; k < t->n_levels; k++) {
    changes *c = &u->at[k];
    snprintf(name, sizeof name, "level_%u", k);
    rp_scope_begin(g, name);
    rp_scope_title(g, "Level %u: the changes of the commitments", k);
    c->in_place = named(g, "place", k, &RP_TYPE_U32, n);
    c->in_group = named(g, "group", k, &RP_TYPE_U32, n * n);
    c->in_old = named(g, "old", k, affine, n);
    const rp_value products = rp_scalar_mul(g, delta, rp_gather(g, generators, c->in_place));
    const rp_value all = rp_concat(g, (rp_value[]){products, rp_from_affine(g, nothing)}, 2);
    const rp_value sums = rp_tree_reduce(g, rp_gather(g, all, c->in_group), n);
    c->out = rp_to_affine(g, rp_point_add(g, sums, c->in_old));
    if (k + 1 < t->n_levels) {
      c->in_scalar = named(g, "scalar", k, &RP_TYPE_U256, n);
      delta = change_of(g, rp_pedersen_map_to_scalar(g, c->out), c->in_scalar);
    }
    rp_scope_end(g);
    snprintf(name, sizeof name, "new_%u", k);
    rp_graph_output(g, name, c->out, 0);
  }
  if (rp_graph_error(g)->status != RP_OK) *err = *rp_graph_error(g);
  return rp_graph_error(g)->status;
}

/* ---- A set of updates -------------------------------------------------------------------------------------------- */

static bool allocate(update *u) {
  const size_t n = u->updates;
  bool good = (u->delta = malloc(n * SCALAR)) != NULL;
  for (uint32_t k = 0; k < LEVELS_MOST; k++) {
    changes *c = &u->at[k];
    c->node = malloc(n * sizeof *c->node);
    c->place = malloc(n * sizeof *c->place);
    c->group = malloc(n * n * sizeof *c->group);
    c->used = malloc(n * sizeof *c->used);
    good &= c->node && c->place && c->group && c->used;
  }
  return good;
}

/* Gives the changed children of a level (child[0..n - 1]) their places, and their parents slots. */
static void assign(changes *c, const uint32_t *child, uint32_t n, uint32_t updates) {
  c->n = 0;
  for (uint32_t i = 0; i < updates * updates; i++) c->group[i] = updates;
  for (uint32_t i = 0; i < updates; i++) c->place[i] = i < n ? child[i] % WIDTH : 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t slot = 0;
    while (slot < c->n && c->node[slot] != child[i] / WIDTH) slot++;
    if (slot == c->n) c->node[c->n++] = child[i] / WIDTH, c->used[slot] = 0;
    c->group[slot * updates + c->used[slot]++] = i;
  }
}

/* Leaves at random get other values. */
static void change_leaves(update *u, const tree *t, uint32_t log_leaves) {
  const rp_field_host *r = rp_field_get(RP_FIELD_BANDERSNATCH_FR);
  uint32_t *leaf = u->at[1].node; /* until that level is assigned */
  for (uint32_t i = 0; i < u->updates; i++) {
    uint64_t before[4], after[4];
    uint8_t value[SCALAR];
    leaf[i] = (uint32_t)(tree_random() % ((uint64_t)1 << log_leaves));
    uint8_t *at = t->level[0].children + (size_t)leaf[i] * SCALAR;
    tree_random_scalar(value);
    r->from_bytes_reduce(before, at, SCALAR);
    r->from_bytes_reduce(after, value, SCALAR);
    r->sub(after, after, before);
    r->to_canonical(u->delta + (size_t)i * SCALAR, after);
    memcpy(at, value, SCALAR);
  }
  assign(&u->at[0], leaf, u->updates, u->updates);
  for (uint32_t k = 1; k < t->n_levels; k++) assign(&u->at[k], u->at[k - 1].node, u->at[k - 1].n, u->updates);
}

/* The commitments of the changed nodes, or (scalars) what stands for them in their parents; behind them the identity,
 * or zero. */
static rp_status send_old(rp_run *run, const update *u, const tree *t, uint32_t k, int scalars) {
  const changes *c = &u->at[k];
  const size_t size = scalars ? SCALAR : AFFINE;
  uint8_t *old = calloc(u->updates, size);
  if (!old) return RP_ERR_MEMORY;
  for (uint32_t i = 0; i < u->updates; i++) {
    if (!scalars && i >= c->n) rp_curve_get(CURVE)->identity(old + i * size);
    if (i >= c->n) continue;
    const uint8_t *from = scalars ? t->level[k + 1].children : t->level[k].points;
    memcpy(old + i * size, from + (size_t)c->node[i] * size, size);
  }
  const rp_status status = rp_run_set_input(run, scalars ? c->in_scalar : c->in_old, old, u->updates * size);
  free(old);
  return status;
}

/* The new commitments into the tree. */
static void take_new(rp_run *run, const update *u, tree *t, uint32_t k) {
  const changes *c = &u->at[k];
  const uint8_t *points = rp_run_output(run, c->out);
  for (uint32_t i = 0; i < c->n; i++) {
    uint8_t *to = t->level[k].points + (size_t)c->node[i] * AFFINE;
    memcpy(to, points + (size_t)i * AFFINE, AFFINE);
    if (k + 1 < t->n_levels) tree_scalar(t->level[k + 1].children + (size_t)c->node[i] * SCALAR, to);
  }
}

static rp_status replay(const update *u, tree *t, rp_recording *recording, rp_run_counters *counters, rp_error *err) {
  const size_t n = u->updates;
  rp_run *run;
  rp_status status = rp_run_begin(recording, UINT64_MAX, &run, err);
  if (status != RP_OK) return status;
  status = rp_run_set_input(run, u->in_delta, u->delta, n * SCALAR);
  for (uint32_t k = 0; k < t->n_levels && status == RP_OK; k++) {
    const changes *c = &u->at[k];
    status = rp_run_set_input(run, c->in_place, c->place, n * sizeof *c->place);
    if (status == RP_OK) status = rp_run_set_input(run, c->in_group, c->group, n * n * sizeof *c->group);
    if (status == RP_OK) status = send_old(run, u, t, k, 0);
    if (status == RP_OK && k + 1 < t->n_levels) status = send_old(run, u, t, k, 1);
  }
  if (status == RP_OK) status = rp_run_submit(run);
  if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
  for (uint32_t k = 0; k < t->n_levels && status == RP_OK; k++) take_new(run, u, t, k);
  if (status != RP_OK && rp_run_error(run)->status != RP_OK) *err = *rp_run_error(run);
  rp_run_get_counters(run, counters);
  rp_run_end(run);
  return status;
}

/* Every changed node, computed again from all of its children. */
static rp_status check(const update *u, const tree *t, uint32_t *n_changed, int *agree, rp_error *err) {
  rp_status status = RP_OK;
  *n_changed = 0;
  for (uint32_t k = 0; k < t->n_levels; k++)
    for (uint32_t i = 0; i < u->at[k].n && *agree && status == RP_OK; i++, ++*n_changed)
      status = tree_check(t, k, u->at[k].node[i], agree, err);
  return status;
}

static const char usage[] =
    "usage: verkle_tree [--device NAME] [log of leaves: 9 to 24] [updates: 1 to 1024] [graph.html]";

int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "--device")) {
    if (setenv("REPRISE_DEVICE", argv[2], 1) != 0) return 1;
    argc -= 2;
    argv += 2;
  }
  const int log_leaves = argc > 1 ? atoi(argv[1]) : 20, updates = argc > 2 ? atoi(argv[2]) : 64;
  update u = {.updates = (uint32_t)updates};
  tree t = {0};
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_recording *recording = NULL;
  rp_run_counters c = {.struct_size = sizeof c};
  rp_error err = {0};
  uint32_t n_changed = 0;
  int agree = 1, good = log_leaves > 8 && log_leaves <= 24 && updates > 0 && updates <= 1024 && allocate(&u);
  good = good && rp_context_create(NULL, &context, &err) == RP_OK &&
         rp_device_open(context, NULL, &device, &err) == RP_OK &&
         tree_create(&t, device, (uint32_t)log_leaves, &err) == RP_OK && build(context, &t, &u, &err) == RP_OK &&
         rp_record(device, u.graph, NULL, &recording, &err) == RP_OK;
  for (int i = 0; i < 3 && good; i++) { /* each replay goes on from the tree that the one before has left */
    change_leaves(&u, &t, (uint32_t)log_leaves);
    good = replay(&u, &t, recording, &c, &err) == RP_OK && check(&u, &t, &n_changed, &agree, &err) == RP_OK && agree;
  }
  const rp_view_source view = {.struct_size = sizeof view, .recording = recording};
  if (good && argc > 3) good = rp_view_write(&view, argv[3], &err) == RP_OK;
  if (good)
    printf("2^%d leaves: %d of them change %u commitments: %u submission, %llu dispatches, %.3f ms\n"
           "all changed commitments agree\n",
           log_leaves, updates, n_changed, c.submissions, (unsigned long long)c.dispatches,
           (double)c.latency_ns * 1e-6);
  else
    fprintf(stderr, "not updated: %s\n", err.status ? err.reason : agree ? usage : "a commitment differs");
  rp_recording_destroy(recording);
  rp_graph_destroy(u.graph);
  tree_destroy(&t);
  rp_device_close(device);
  rp_context_destroy(context);
  for (uint32_t k = 0; k < LEVELS_MOST; k++) {
    free(u.at[k].node), free(u.at[k].place);
    free(u.at[k].group), free(u.at[k].used);
  }
  free(u.delta);
  return !good;
}
