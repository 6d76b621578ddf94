/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kept_device.h"

#include <stdio.h>

uint64_t rp_kept_hash(uint64_t hash, const void *data, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ ((const unsigned char *)data)[i]) * UINT64_C(0x100000001b3);
  return hash;
}

rp_kept_device rp_kept_device_of(const rp_device *device) {
  const rp_device_info *info = &device->info;
  rp_kept_device k = {.limits = rp_kept_hash(RP_KEPT_HASH_SEED, &info->limits, sizeof info->limits)}; /* no padding */
  snprintf(k.version, sizeof k.version, "%s", rp_version());
  snprintf(k.name, sizeof k.name, "%s", info->name);
  snprintf(k.driver, sizeof k.driver, "%s", info->driver);
  return k;
}

static void put_text(unsigned char **at, const char *text, size_t bytes) {
  memcpy(*at, text, bytes);
  *at += bytes;
}

static bool take_text(const unsigned char **at, char *text, size_t bytes) {
  memcpy(text, *at, bytes);
  *at += bytes;
  return memchr(text, 0, bytes) != NULL;
}

void rp_kept_device_put(unsigned char **at, const rp_kept_device *k) {
  rp_kept_put(at, k->limits, 8);
  put_text(at, k->version, sizeof k->version);
  put_text(at, k->name, sizeof k->name);
  put_text(at, k->driver, sizeof k->driver);
}

bool rp_kept_device_take(const unsigned char **at, rp_kept_device *k) {
  k->limits = rp_kept_take(at, 8);
  const bool version = take_text(at, k->version, sizeof k->version), name = take_text(at, k->name, sizeof k->name);
  return take_text(at, k->driver, sizeof k->driver) && name && version;
}

const char *rp_kept_device_difference(const rp_kept_device *kept, const rp_kept_device *here) {
  if (strcmp(kept->name, here->name) != 0 || strcmp(kept->driver, here->driver) != 0 || kept->limits != here->limits)
    return "they are those of another device or driver";
  if (strcmp(kept->version, here->version) != 0) return "another version of the library made them";
  return NULL;
}
