/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The recordings that an rp_simple keeps: those that were used last, each found by what it is for.
 */
#include "simple.h"

#include <string.h>

static rp_status make_inverter(simple_state *state, const simple_key *key, void **object, rp_error *err) {
  const rp_batch_inv_options options = {
      .struct_size = sizeof options, .constant_time = key->how, .route = RP_INVERSE_ROUTE_DEVICE};
  rp_inverter *inverter;
  const rp_status status = rp_inverter_create(state->device, (rp_field)key->what, key->n, &options, &inverter, err);
  *object = inverter;
  return status;
}

static rp_status make_tree(simple_state *state, const simple_key *key, void **object, rp_error *err) {
  const rp_merkle_config config = {.struct_size = sizeof config,
                                   .hash = (rp_hash)key->what,
                                   .leaves = key->n,
                                   .schedule = (rp_merkle_schedule)key->how,
                                   .group = key->group};
  rp_merkle *tree;
  const rp_status status = rp_merkle_create(state->device, &config, &tree, err);
  *object = tree;
  return status;
}

static rp_status make_seeded(simple_state *state, const simple_key *key, void **object, rp_error *err) {
  rp_pedersen_seeded *seeded;
  const rp_status status = rp_pedersen_seeded_create(state->device, key->seed, (uint32_t)key->n, 0, &seeded, err);
  *object = seeded;
  return status;
}

static void destroy_inverter(void *object) { rp_inverter_destroy(object); }
static void destroy_tree(void *object) { rp_merkle_destroy(object); }
static void destroy_seeded(void *object) { rp_pedersen_seeded_destroy(object); }

static const struct {
  rp_status (*make)(simple_state *state, const simple_key *key, void **object, rp_error *err);
  void (*destroy)(void *object);
} kinds[SIMPLE_KINDS] = {[SIMPLE_INVERTER] = {make_inverter, destroy_inverter},
                         [SIMPLE_TREE] = {make_tree, destroy_tree},
                         [SIMPLE_SEEDED] = {make_seeded, destroy_seeded}};

static bool is_same(const simple_key *a, const simple_key *b) {
  return a->kind == b->kind && a->what == b->what && a->how == b->how && a->group == b->group && a->n == b->n &&
         !memcmp(a->seed, b->seed, sizeof a->seed);
}

static void drop(simple_kept *kept) {
  if (kept->object) kinds[kept->key.kind].destroy(kept->object);
  *kept = (simple_kept){0};
}

void simple_keep_none(simple_state *state) {
  for (int i = 0; i < RP_SIMPLE_RECORDINGS; i++) drop(&state->kept[i]);
}

/* An empty place, or the one that was used longest ago. */
static simple_kept *oldest(simple_state *state) {
  simple_kept *found = state->kept;
  for (int i = 1; i < RP_SIMPLE_RECORDINGS; i++)
    if (state->kept[i].used < found->used) found = &state->kept[i];
  return found;
}

bool simple_give_up(simple_state *state, rp_status status) {
  simple_kept *found = NULL;
  if (status != RP_ERR_MEMORY && status != RP_ERR_DEVICE_MEMORY) return 0;
  for (int i = 0; i < RP_SIMPLE_RECORDINGS; i++)
    if (state->kept[i].object && (!found || state->kept[i].used < found->used)) found = &state->kept[i];
  if (found) drop(found);
  return found != NULL;
}

rp_status simple_keep(simple_state *state, const simple_key *key, void **object, rp_error *err) {
  rp_error why = {0};
  rp_status status;
  for (int i = 0; i < RP_SIMPLE_RECORDINGS; i++)
    if (state->kept[i].object && is_same(&state->kept[i].key, key)) {
      state->kept[i].used = state->calls;
      *object = state->kept[i].object;
      return RP_OK;
    }
  do status = kinds[key->kind].make(state, key, object, &why);
  while (simple_give_up(state, status));
  if (status != RP_OK) {
    if (err) *err = why;
    return status;
  }
  simple_kept *place = oldest(state);
  drop(place);
  *place = (simple_kept){.key = *key, .object = *object, .used = state->calls};
  state->recorded++;
  return RP_OK;
}

uint32_t simple_count(const simple_state *state) {
  uint32_t count = 0;
  for (int i = 0; i < RP_SIMPLE_RECORDINGS; i++) count += state->kept[i].object != NULL;
  for (uint32_t width = 1; width <= RP_PEDERSEN_WIDTH_MAX; width *= 2)
    count += rp_pedersen_recording(state->pedersen, width) != NULL;
  return count;
}
