/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Poisoned memory, for tests. Most new device memory holds zeros, so that a kernel that reads what nobody has written
 * is seen only where memory is used a second time. With REPRISE_POISON=1 no new block holds zeros.
 */
#include "device.h"

#include <stdlib.h>
#include <string.h>

enum { POISON = 0xa5, PIECE_BYTES = 1 << 20 };

static rp_status write_pieces(rp_device *device, rp_memory *memory, const void *piece, rp_error *err) {
  rp_status status = RP_OK;
  for (uint64_t at = 0; at < memory->bytes && !status; at += PIECE_BYTES) {
    const uint64_t left = memory->bytes - at, bytes = left < PIECE_BYTES ? left : PIECE_BYTES;
    status = device->backend->memory_write(device->state, memory, at, piece, bytes, err);
  }
  return status;
}

rp_status rp_device_poison(rp_device *device, rp_memory *memory, rp_error *err) {
  const char *wish = getenv("REPRISE_POISON");
  if (!wish || strcmp(wish, "1") != 0) return RP_OK;
  if (memory->host) {
    memset(memory->host, POISON, (size_t)memory->bytes);
    return RP_OK;
  }
  void *piece = rp_host_alloc(device->context, PIECE_BYTES, 64);
  if (!piece) return rp_fail_memory(err, "a poisoned block");
  memset(piece, POISON, PIECE_BYTES);
  const rp_status status = write_pieces(device, memory, piece, err);
  rp_host_free(device->context, piece, PIECE_BYTES);
  return status;
}
