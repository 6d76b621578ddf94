/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The calls on plain arrays. Each finds the recording for its size and replays it.
 */
#include "simple.h"

#include <string.h>

static rp_status missing(const char *call, const char *what, rp_error *err) {
  return support_fail(err, RP_ERR_ARGUMENT, "%s: %s needed.", call, what);
}

/* ---- Commitments ------------------------------------------------------------------------------------------------- */

typedef rp_status (*commit_fn)(rp_pedersen *pedersen, uint32_t width, const void *values, const void *generators,
                               void *out, rp_error *err);

static rp_status commit(rp_simple *simple, commit_fn call, uint32_t width, const void *values, const void *generators,
                        void *out, rp_error *err) {
  simple_state *state;
  rp_error why = {0};
  if (!values || !generators || !out) return missing("A commitment", "values, generators and room are", err);
  rp_status status = simple_enter(simple, &state, err);
  if (status != RP_OK) return status;
  const bool before = rp_pedersen_recording(state->pedersen, width) != NULL;
  do {
    if (!state->pedersen) status = rp_pedersen_create(state->device, NULL, &state->pedersen, &why);
    if (state->pedersen) status = call(state->pedersen, width, values, generators, out, &why);
  } while (simple_give_up(state, status));
  state->recorded += !before && rp_pedersen_recording(state->pedersen, width);
  simple_leave(state);
  if (status != RP_OK && err) *err = why;
  return status;
}

rp_status rp_simple_pedersen_commit_tree(rp_simple *simple, uint32_t width, const void *values, const void *generators,
                                         void *out, rp_error *err) {
  return commit(simple, rp_pedersen_commit_tree, width, values, generators, out, err);
}

rp_status rp_simple_pedersen_commit_tree_w256(rp_simple *simple, const void *values, const void *generators, void *out,
                                              rp_error *err) {
  return commit(simple, rp_pedersen_commit_tree, 256, values, generators, out, err);
}

rp_status rp_simple_pedersen_commit_blinded(rp_simple *simple, uint32_t width, const void *values,
                                            const void *generators, void *out, rp_error *err) {
  return commit(simple, rp_pedersen_commit_blinded, width, values, generators, out, err);
}

rp_status rp_simple_pedersen_commit_seeded(rp_simple *simple, const uint8_t seed[32], uint32_t width,
                                           const void *values, const void *blinding, void *out, rp_error *err) {
  simple_key key = {.kind = SIMPLE_SEEDED, .n = width};
  simple_state *state;
  void *seeded;
  if (!seed || !values || !blinding || !out)
    return missing("A commitment", "a seed, values, a blinding and room are", err);
  memcpy(key.seed, seed, sizeof key.seed);
  rp_status status = simple_enter(simple, &state, err);
  if (status != RP_OK) return status;
  status = simple_keep(state, &key, &seeded, err);
  if (status == RP_OK) status = rp_pedersen_seeded_commit(seeded, values, blinding, out, err);
  simple_leave(state);
  return status;
}

/* ---- Batch inversion --------------------------------------------------------------------------------------------- */

/* The route for a recording that is kept: what it takes to make one does not count. */
static rp_inverse_route route_of(const simple_state *state, uint64_t n) {
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(state->device, &info);
  rp_inverse_table table = rp_batch_inv_table(info.kind);
  table.device_once = table.device;
  return rp_batch_inv_route(info.kind, n,
                            &(rp_batch_inv_options){.struct_size = sizeof(rp_batch_inv_options), .table = &table});
}

static rp_status invert_locked(simple_state *state, const simple_key *key, const void *in, void *out, rp_error *err) {
  const rp_inverse_route route = route_of(state, key->n);
  void *inverter;
  if (route != RP_INVERSE_ROUTE_DEVICE)
    return rp_batch_inv(
        state->device, (rp_field)key->what, in, out, key->n,
        &(rp_batch_inv_options){.struct_size = sizeof(rp_batch_inv_options), .constant_time = key->how, .route = route},
        err);
  const rp_status status = simple_keep(state, key, &inverter, err);
  return status == RP_OK ? rp_inverter_run(inverter, in, out, NULL, err) : status;
}

static rp_status invert(rp_simple *simple, rp_field field, uint32_t constant_time, const void *in, void *out,
                        uint64_t n, rp_error *err) {
  const simple_key key = {.kind = SIMPLE_INVERTER, .what = field, .how = constant_time, .n = n};
  simple_state *state;
  if (!simple) return missing("A batch inversion", "an rp_simple is", err);
  if (!n) return RP_OK;
  if (!in || !out) return missing("A batch inversion", "elements and room are", err);
  rp_status status = simple_enter(simple, &state, err);
  if (status != RP_OK) return status;
  status = invert_locked(state, &key, in, out, err);
  simple_leave(state);
  return status;
}

rp_status rp_simple_batch_inv(rp_simple *simple, rp_field field, const void *in, void *out, uint64_t n, rp_error *err) {
  return invert(simple, field, 0, in, out, n, err);
}

rp_status rp_simple_batch_inv_ct(rp_simple *simple, rp_field field, const void *in, void *out, uint64_t n,
                                 rp_error *err) {
  return invert(simple, field, 1, in, out, n, err);
}

rp_status rp_simple_secp256k1_batch_inv_fp(rp_simple *simple, const void *in, void *out, uint64_t n, rp_error *err) {
  return invert(simple, RP_FIELD_SECP256K1_FP, 0, in, out, n, err);
}

rp_status rp_simple_bn254_batch_inv_fr(rp_simple *simple, const void *in, void *out, uint64_t n, rp_error *err) {
  return invert(simple, RP_FIELD_BN254_FR, 0, in, out, n, err);
}

rp_status rp_simple_bls12_381_batch_inv_fp(rp_simple *simple, const void *in, void *out, uint64_t n, rp_error *err) {
  return invert(simple, RP_FIELD_BLS12_381_FP, 0, in, out, n, err);
}

rp_status rp_simple_banderwagon_batch_inv(rp_simple *simple, const void *in, void *out, uint64_t n, rp_error *err) {
  return invert(simple, RP_FIELD_BLS12_381_FR, 0, in, out, n, err);
}

/* ---- Merkle trees ------------------------------------------------------------------------------------------------ */

rp_status rp_simple_merklize(rp_simple *simple, rp_hash hash, const void *leaves, void *nodes, uint64_t leaf_count,
                             rp_merkle_schedule schedule, uint32_t group, rp_error *err) {
  const simple_key key = {.kind = SIMPLE_TREE,
                          .what = hash ? hash : RP_HASH_RESCUE_RP64_256,
                          .how = schedule,
                          .group = group,
                          .n = leaf_count};
  simple_state *state;
  void *tree;
  if (!leaves || !nodes) return missing("A Merkle tree", "leaves and room for the nodes are", err);
  rp_status status = simple_enter(simple, &state, err);
  if (status != RP_OK) return status;
  status = simple_keep(state, &key, &tree, err);
  if (status == RP_OK) status = rp_merkle_build(tree, leaves, NULL, NULL, err);
  if (status == RP_OK) status = rp_merkle_nodes(tree, 0, leaf_count, nodes, err);
  simple_leave(state);
  return status;
}
