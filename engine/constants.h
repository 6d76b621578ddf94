/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The device memory of constants, given and computed: one set of blocks for all recordings of a device whose constants
 * have the same contents at the same places. All functions want rp_device_lock.
 */
#ifndef REPRISE_ENGINE_CONSTANTS_H
#define REPRISE_ENGINE_CONSTANTS_H

#include <stdbool.h>
#include "recording.h"

struct rp_constants {
  rp_constants *next; /* of the device */
  uint64_t hash;      /* of all that is compared, except the data */
  rp_recording *users;
  uint32_t n_holders; /* users that are loaded, or are about to be: the memory stays */
  bool ready;         /* the blocks hold the constants */
  uint32_t n_blocks;
  rp_memory *blocks;       /* in the order of the plan's blocks of RP_SPACE_CONSTANT */
  uint64_t reserved_bytes; /* the part of the device's budget, from the end of the one-time part on */
};

/* Gives a new recording the set that it shares with others, or one of its own. Contents are compared byte by byte. 0:
 * out of host memory. */
bool rp_constants_join(rp_recording *recording);
void rp_constants_leave(rp_recording *recording);

/* Before a recording is loaded and after it has been unloaded. The last holder's unhold frees the memory. */
void rp_constants_hold(rp_recording *recording);
void rp_constants_unhold(rp_recording *recording);
/* Whether the blocks hold the constants already, so that a recording which is loaded need not make them. */
bool rp_constants_are_ready(const rp_recording *recording);
/* take: recording->shared becomes the set's blocks. give: the blocks that were made in recording->shared become those
 * of the set, which also takes over their part of the budget from the recording. */
void rp_constants_take(rp_recording *recording);
void rp_constants_give(rp_recording *recording);

/* The part of the budget that is reserved for sets whose holders all satisfy `is`, and for sets with a holder that
 * does. */
typedef bool (*rp_recording_is_fn)(const rp_recording *recording, const void *user);
uint64_t rp_constants_bytes_of_all(const rp_device *device, rp_recording_is_fn is, const void *user);
uint64_t rp_constants_bytes_of_any(const rp_device *device, rp_recording_is_fn is, const void *user);
/* The bytes of constants in this plan that need no memory of their own because the device holds them for recordings
 * that do not satisfy `is`. */
uint64_t rp_constants_bytes_there(rp_device *device, const rp_plan *plan, rp_recording_is_fn is, const void *user);

#endif
