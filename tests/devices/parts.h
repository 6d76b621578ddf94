/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Groups of CPU parts that stand for other devices, so that every route between devices is tested without any, and
 * failures can be had at will. Function tables have no user pointer, so there is one such group at a time.
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
  PART_STRANGE, /* of another kind: values reach it through the host only, and it wipes as soon as it may */
  PART_REACHING /* copies from others of its kind by itself, like a CUDA device */
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
/* The number of times that these 8 bytes are in memory of the devices; 0 also if they go within some seconds, because
 * devices wipe in the background. */
uint64_t parts_find(uint64_t pattern);
rp_graph *parts_graph(const char *name);
/* Destroys the graph. */
rp_recording *parts_record(rp_graph *graph, const rp_record_options *options);

/* A graph of two devices: device 1 checks and scales what device 0 has doubled, device 0 adds five times that.
 * out = 16 in; of inputs of which the double is not below `limit`, a fault. */
enum { LOOP_N = 64 };
typedef struct loop {
  rp_value in, out;
  rp_recording *recording;
} loop;
rp_graph *loop_graph(loop *l, uint64_t limit);
/* Opens the devices and records the graph. */
loop loop_open(const part_kind *kinds, uint32_t n, uint64_t limit, uint32_t slots);
void loop_close(const loop *l);
/* A run with the input first, first + 1 ..., not submitted; and what comes of it, after waiting. */
rp_run *loop_begin(const loop *l, uint64_t first);
void loop_check(rp_run *run, const loop *l, uint64_t first);
void loop_run(const loop *l, uint64_t first); /* all of a run */

#endif
