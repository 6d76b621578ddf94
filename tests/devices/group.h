/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Groups of devices for tests, and graphs that are spread over them. The devices are those that REPRISE_TEST_GROUP
 * names, such as "cuda:0,cuda:1" or "cpu/2,cuda:0"; by default four parts of the CPU, of one and two threads.
 */
#ifndef REPRISE_TESTS_DEVICES_GROUP_H
#define REPRISE_TESTS_DEVICES_GROUP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <reprise/ops.h>

typedef struct group {
  rp_context *context;
  rp_device *devices[RP_GROUP_MOST];
  uint32_t n;
  rp_device *all; /* the group of these */
} group;

/* Opens the first `most` of the devices, at least one, and the group of them. */
void group_open(group *g, uint32_t most);
void group_close(group *g);
/* Returns the group of all devices, which keeps them open: for tests that know one device. */
rp_device *group_open_in(rp_context *context);
int group_is_cpu(const group *g); /* every device is a part of the CPU */

/* Returns the same graph with each node, input and constant on a device that the seed chooses among n, and with the
 * copies that this takes. Names and order of inputs and outputs are the same. */
rp_graph *group_spread(const rp_graph *graph, uint32_t n, uint64_t seed);

/* Returns the outputs of one run, one after another, with accumulators as affine points, or NULL with the reason if the
 * run failed. The caller frees them. `make` returns the elements of an input, which group_run frees. */
typedef void *(*group_elements)(const rp_type *type, uint64_t n, uint64_t seed);
uint8_t *group_run(rp_recording *recording, group_elements make, uint64_t seed, uint64_t *bytes, rp_error *err);

#endif
