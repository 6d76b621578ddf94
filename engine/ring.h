/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Long constants on their way to a device: several threads each fill a piece of staging and send it up, so that while
 * one piece is on the link the next ones are read. Where the host can access the device's memory, they fill that.
 */
#ifndef REPRISE_ENGINE_RING_H
#define REPRISE_ENGINE_RING_H

#include "device.h"

enum {
  RP_RING_MOST = 16,             /* threads, the caller's among them, each with one piece */
  RP_RING_PIECE_BYTES = 2 << 20, /* or one element */
  RP_RING_LEAST_BYTES = 8 << 20  /* for shorter data in host memory a ring costs more than it gains */
};

/* What fills a piece: `bytes` bytes from byte `first` on. Called by several threads at once. `to` may be slow to read:
 * it is only written. */
typedef rp_status (*rp_ring_read_fn)(const void *arg, uint64_t first, uint64_t bytes, void *to, rp_error *err);

typedef struct rp_ring {
  rp_device *device;
  uint64_t piece_bytes;
  uint32_t n;        /* pieces, one per thread; 0: none has been needed */
  rp_memory staging; /* of the device; or, if it has none, */
  char *host;
} rp_ring;

/* What a call of rp_ring_send brings up. */
typedef struct rp_ring_load {
  rp_memory *to;
  uint64_t offset; /* in `to` */
  uint64_t first, bytes;
  uint64_t unit_bytes; /* no unit is cut */
  rp_ring_read_fn read;
  const void *arg;
} rp_ring_load;

/* Takes no memory yet. */
void rp_ring_open(rp_ring *ring, rp_device *device);
void rp_ring_close(rp_ring *ring);
/* Brings up all of it. After a failure the error is that of the first piece that failed, and what has been sent is
 * undefined. RP_ERR_MEMORY: not even one piece of host memory was there. */
rp_status rp_ring_send(rp_ring *ring, const rp_ring_load *load, rp_error *err);

#endif
