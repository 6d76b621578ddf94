/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Which device and library something was kept for (rp_plans_keep, rp_costs_keep), as bytes. All numbers are
 * little-endian:
 *
 *   0 u64 hash of the device's limits, 8 version of the library, 40 name and 168 driver of the device, as texts that
 *   end with NUL
 */
#ifndef REPRISE_ENGINE_KEPT_DEVICE_H
#define REPRISE_ENGINE_KEPT_DEVICE_H

#include "device.h"

enum { RP_KEPT_DEVICE_BYTES = 296, RP_KEPT_VERSION_BYTES = 32, RP_KEPT_NAME_BYTES = 128 };

typedef struct rp_kept_device {
  uint64_t limits;
  char version[RP_KEPT_VERSION_BYTES], name[RP_KEPT_NAME_BYTES], driver[RP_KEPT_NAME_BYTES];
} rp_kept_device;

rp_kept_device rp_kept_device_of(const rp_device *device);
/* Both move *at behind the bytes. The second returns 0 if a text does not end. */
void rp_kept_device_put(unsigned char **at, const rp_kept_device *device);
bool rp_kept_device_take(const unsigned char **at, rp_kept_device *device);
/* Why what was kept is not for the device and library here, or NULL. No text of a file is shown. */
const char *rp_kept_device_difference(const rp_kept_device *kept, const rp_kept_device *here);

#define RP_KEPT_HASH_SEED UINT64_C(0xcbf29ce484222325)
uint64_t rp_kept_hash(uint64_t hash, const void *data, size_t bytes); /* FNV-1a */

static inline void rp_kept_put(unsigned char **at, uint64_t x, int bytes) {
  for (int i = 0; i < bytes; i++) *(*at)++ = (unsigned char)(x >> 8 * i);
}

static inline uint64_t rp_kept_take(const unsigned char **at, int bytes) {
  uint64_t x = 0;
  for (int i = 0; i < bytes; i++) x |= (uint64_t) * (*at)++ << 8 * i;
  return x;
}

#endif
