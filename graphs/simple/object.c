/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The object behind calls on plain arrays: how it is found, opened by the first call, and closed. opaque[0] is the
 * state, and opaque[1] the address of the object, by which a copy is told from it.
 */
#include "simple.h"

#include <string.h>

enum { STATE = 0, SELF = 1 };

static simple_state *state_of(const rp_simple *simple) {
  return __atomic_load_n(&simple->opaque[STATE], __ATOMIC_ACQUIRE);
}

static bool is_unmoved(const rp_simple *simple) {
  const void *self = __atomic_load_n(&simple->opaque[SELF], __ATOMIC_ACQUIRE);
  return self == simple || (!self && !state_of(simple));
}

static rp_status check(const rp_simple *simple, rp_error *err) {
  if (!simple) return support_fail(err, RP_ERR_ARGUMENT, "The rp_simple is NULL.");
  if (is_unmoved(simple)) return RP_OK;
  return support_fail(err, RP_ERR_STATE,
                      "The rp_simple was copied or moved while it was in use, or was never set to RP_SIMPLE_INIT: use "
                      "the object where it was opened, and begin others with RP_SIMPLE_INIT.");
}

/* ---- The state --------------------------------------------------------------------------------------------------- */

static rp_status new_state(const rp_context_options *options, simple_state **state, rp_error *err) {
  rp_context *context;
  const rp_status status = rp_context_create(options, &context, err);
  if (status != RP_OK) return status;
  simple_state *made = rp_context_alloc(context, sizeof *made);
  if (!made || pthread_mutex_init(&made->lock, NULL)) {
    rp_context_free(made);
    rp_context_destroy(context);
    return support_fail(err, RP_ERR_MEMORY, "Out of host memory for an rp_simple.");
  }
  made->context = context;
  *state = made;
  return RP_OK;
}

static void free_state(simple_state *state) {
  rp_context *context = state->context;
  simple_keep_none(state);
  rp_pedersen_destroy(state->pedersen);
  rp_device_close(state->device);
  pthread_mutex_destroy(&state->lock); /* may fail in a forked child, where the lock may be held */
  rp_context_free(state);
  rp_context_destroy(context);
}

/* The state of the object, made if there is none yet. Of threads that make one at once, one wins. */
static rp_status find_state(rp_simple *simple, simple_state **state, rp_error *err) {
  rp_status status = check(simple, err);
  if (status != RP_OK) return status;
  *state = state_of(simple);
  if (*state) return RP_OK;
  simple_state *made;
  void *none = NULL;
  status = new_state(NULL, &made, err);
  if (status != RP_OK) return status;
  __atomic_store_n(&simple->opaque[SELF], (void *)simple, __ATOMIC_RELEASE);
  if (!__atomic_compare_exchange_n(&simple->opaque[STATE], &none, (void *)made, 0, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    free_state(made);
    made = none;
  }
  *state = made;
  return RP_OK;
}

rp_status simple_enter(rp_simple *simple, simple_state **state, rp_error *err) {
  simple_state *found;
  rp_status status = find_state(simple, &found, err);
  if (status == RP_OK)
    status = rp_context_check(found->context, err); /* before the lock, which a child may find held */
  if (status != RP_OK) return status;
  pthread_mutex_lock(&found->lock);
  if (!found->device) status = rp_device_open(found->context, NULL, &found->device, err);
  if (status != RP_OK) {
    pthread_mutex_unlock(&found->lock);
    return status;
  }
  found->calls++;
  *state = found;
  return RP_OK;
}

void simple_leave(simple_state *state) { pthread_mutex_unlock(&state->lock); }

/* ---- The caller's side ------------------------------------------------------------------------------------------- */

rp_status rp_simple_open(rp_simple *simple, const rp_context_options *context, const rp_device_options *device,
                         rp_error *err) {
  rp_status status = check(simple, err);
  if (status != RP_OK) return status;
  simple_state *state = state_of(simple);
  if (state && state->device)
    return support_fail(err, RP_ERR_STATE, "rp_simple_open: the object is open; close it first, by rp_simple_close.");
  rp_simple_close(simple); /* a call may have failed to open a device */
  status = new_state(context, &state, err);
  if (status != RP_OK) return status;
  status = rp_device_open(state->context, device, &state->device, err);
  if (status != RP_OK) {
    free_state(state);
    return status;
  }
  simple->opaque[STATE] = state;
  simple->opaque[SELF] = simple;
  return RP_OK;
}

void rp_simple_close(rp_simple *simple) {
  if (!simple || !is_unmoved(simple)) return;
  simple_state *state = state_of(simple);
  if (state) free_state(state);
  memset(simple, 0, sizeof *simple);
}

/* Locks the state of an object that is open in this process; NULL if it is not. */
static simple_state *lock_open_state(const rp_simple *simple) {
  simple_state *state = check(simple, NULL) == RP_OK ? state_of(simple) : NULL;
  if (!state || rp_context_check(state->context, NULL) != RP_OK) return NULL;
  pthread_mutex_lock(&state->lock);
  return state;
}

rp_device *rp_simple_device(const rp_simple *simple) {
  simple_state *state = lock_open_state(simple);
  if (!state) return NULL;
  rp_device *device = state->device;
  simple_leave(state);
  return device;
}

void rp_simple_get_info(rp_simple *simple, rp_simple_info *info) {
  rp_simple_info found = {0};
  simple_state *state = lock_open_state(simple);
  if (state) {
    found.kept = simple_count(state);
    found.recorded = state->recorded;
    simple_leave(state);
  }
  if (info) rp_info_write(info, &found, sizeof found);
}
