/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * One context and one device of each kind and index for the process: the workers of Node load this module again, and
 * share them. */
#include "addon.h"

#include <pthread.h>

enum { MOST_DEVICES = 32 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static rp_context *the_context;
static struct {
  rp_device_kind kind;
  uint32_t index;
  rp_device *device;
} opened[MOST_DEVICES];

static rp_status context_locked(rp_context **context, rp_error *err) {
  const rp_status status = the_context ? RP_OK : rp_context_create(NULL, &the_context, err);
  *context = the_context;
  return status;
}

rp_status node_context(rp_context **context, rp_error *err) {
  pthread_mutex_lock(&lock);
  const rp_status status = context_locked(context, err);
  pthread_mutex_unlock(&lock);
  return status;
}

static rp_status device_locked(rp_device_kind kind, uint32_t index, rp_device **device, rp_error *err) {
  rp_context *context;
  const rp_status status = context_locked(&context, err);
  if (status != RP_OK) return status;
  uint32_t i = 0;
  while (i < MOST_DEVICES && opened[i].device && (opened[i].kind != kind || opened[i].index != index)) i++;
  if (i == MOST_DEVICES) return node_fail(err, RP_ERR_UNSUPPORTED, "more than 32 devices in one process");
  if (opened[i].device && rp_device_is_lost(opened[i].device)) { /* provers that still use it keep it */
    rp_device_close(opened[i].device);
    opened[i].device = NULL;
  }
  if (!opened[i].device) {
    const rp_device_options options = {.struct_size = sizeof options, .kind = kind, .index = index};
    const rp_status failed = rp_device_open(context, &options, &opened[i].device, err);
    if (failed != RP_OK) return failed;
    opened[i].kind = kind;
    opened[i].index = index;
  }
  *device = opened[i].device;
  rp_device_retain(*device);
  return RP_OK;
}

rp_status node_device(rp_device_kind kind, uint32_t index, rp_device **device, rp_error *err) {
  pthread_mutex_lock(&lock);
  const rp_status status = device_locked(kind, index, device, err);
  pthread_mutex_unlock(&lock);
  return status;
}
