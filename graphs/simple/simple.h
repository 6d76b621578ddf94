/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What an rp_simple holds, and the recordings that it keeps.
 */
#ifndef REPRISE_GRAPHS_SIMPLE_SIMPLE_H
#define REPRISE_GRAPHS_SIMPLE_SIMPLE_H

#include "job.h"

#include <stdbool.h>
#include <pthread.h>
#include <reprise/simple.h>

typedef enum simple_kind { SIMPLE_NONE, SIMPLE_INVERTER, SIMPLE_TREE, SIMPLE_SEEDED, SIMPLE_KINDS } simple_kind;

/* What a recording is for. Members that a kind does not use are zero. */
typedef struct simple_key {
  simple_kind kind;
  uint32_t what; /* the field, or the hash */
  uint32_t how;  /* inverter: 1 for constant time; tree: the schedule */
  uint32_t group;
  uint64_t n; /* elements, leaves, or the width */
  uint8_t seed[32];
} simple_key;

typedef struct simple_kept {
  simple_key key;
  void *object; /* rp_inverter, rp_merkle or rp_pedersen_seeded */
  uint64_t used;
} simple_kept;

typedef struct simple_state {
  rp_context *context;
  rp_device *device;     /* NULL until it is open */
  rp_pedersen *pedersen; /* NULL before the first commitment to generators that are inputs */
  pthread_mutex_t lock;  /* held during a call */
  uint64_t recorded, calls;
  simple_kept kept[RP_SIMPLE_RECORDINGS];
} simple_state;

/* The beginning and the end of a call: opens what is not open, and locks. After a failure nothing is locked. */
rp_status simple_enter(rp_simple *simple, simple_state **state, rp_error *err);
void simple_leave(simple_state *state);

/* The object for a key, which belongs to the state until the next call: the one that is kept, or a new one. If the new
 * one does not fit, those that were used longest ago are destroyed, one by one, until it does. */
rp_status simple_keep(simple_state *state, const simple_key *key, void **object, rp_error *err);
void simple_keep_none(simple_state *state);
/* Whether there was too little memory and something was kept, of which the oldest has been destroyed: the caller tries
 * again. RP_ERR_BUDGET is no such case, because the device releases recordings by itself before it says so. */
bool simple_give_up(simple_state *state, rp_status status);
uint32_t simple_count(const simple_state *state);

#endif
