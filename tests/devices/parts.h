/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Groups of CPU parts that stand for other devices, so that every route between devices, and failures, can be tested
 * without such devices. Function tables have no user pointer, so there is one such group at a time.
 */
#ifndef REPRISE_TESTS_DEVICES_PARTS_H
#define REPRISE_TESTS_DEVICES_PARTS_H

#include "group.h"

#include "device.h"
#include "toy_ops.h"

#include <pthread.h>
#include <stdatomic.h>

typedef enum part_kind {
  PART_CPU,     /* a part of the CPU as it is */
  PART_STRANGE, /* a device of another kind: values reach it only through the host, and it wipes as soon as it may */
  PART_REACHING /* a device that copies from others of its kind by itself, like a CUDA device */
} part_kind;

typedef struct parts {
  group g;
  _Atomic(void *) lost; /* the state of a device whose runs end with RP_ERR_DEVICE_LOST from now on */
  _Atomic int fails_at; /* counts down with each submission; the one that finds 0 fails; negative: none */
  _Atomic uint32_t submissions, arrivals, pins;
  pthread_mutex_t lock;
  rp_memory memories[512];
  uint32_t n_memories;
} parts;

extern parts the_parts;

void parts_open(const part_kind *kinds, uint32_t n);
void parts_close(void); /* also checks that no memory is left */
/* Returns how often these 8 bytes are in memory of the devices. Devices wipe in the background, so the result is 0 if
 * the bytes disappear within some seconds. */
uint64_t parts_find(uint64_t pattern);
rp_graph *parts_graph(const char *name);
/* Destroys the graph. */
rp_recording *parts_record(rp_graph *graph, const rp_record_options *options);

/* A graph of two devices, with out = 16 in: device 1 checks and scales what device 0 has doubled, and device 0 adds
 * five times that. It is a fault if the double of an input is not below `limit`. */
enum { LOOP_N = 64 };
typedef struct loop {
  rp_value in, out;
  rp_recording *recording;
} loop;
rp_graph *loop_graph(loop *l, uint64_t limit);
/* Opens the devices and records the graph. */
loop loop_open(const part_kind *kinds, uint32_t n, uint64_t limit, uint32_t slots);
void loop_close(const loop *l);
/* Begins a run with the input first, first + 1, ...; waits for such a run, once submitted, and checks its outputs. */
rp_run *loop_begin(const loop *l, uint64_t first);
void loop_check(rp_run *run, const loop *l, uint64_t first);
void loop_run(const loop *l, uint64_t first); /* makes a whole run and checks it */

#endif
