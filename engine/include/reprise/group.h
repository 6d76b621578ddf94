/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 1: graphs over several devices. A group is a device that consists of devices. Every value of a graph is
 * on one of them, copies between them are ordinary nodes (rp_copy_to of ops.h), and a graph that is recorded for the
 * group becomes one recording: its runs take inputs, are submitted and are waited for as all others are, while the
 * devices wait for each other. The calling rules are those of reprise.h.
 */
#ifndef REPRISE_GROUP_H
#define REPRISE_GROUP_H

#include <reprise/reprise.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Where values are -------------------------------------------------------------------------------------------- */

enum {
  RP_GROUP_MOST = 16,         /* devices in one group */
  RP_ON_HOST = RP_GROUP_MOST, /* for rp_on: inputs stay on the host */
};

/* Inputs, constants and nodes that are made from now on are on this device, an index into the group for which the graph
 * will be recorded; 0 at first. Returns the index that held before, so that a function may change it and set it back.
 * Operands of a node are on the node's device, with two exceptions: a constant, and what depends on constants alone, is
 * made on every device that needs it; and a slice (rp_op.slice_first) may be cut from a value of another device, which
 * is how values are copied, and only the slice is copied. With RP_ON_HOST, inputs are on no device: each slice of one
 * goes by itself to the device of its node, so that what reads it need not wait for the rest. Nodes on the host, and a
 * larger index, are builder errors. An ordinary device that records the same graph ignores all this and gives the same
 * results. */
RP_API uint32_t rp_on(rp_graph *graph, uint32_t device);
RP_API uint32_t rp_value_device(const rp_graph *graph, rp_value value); /* 0 if not of this graph */

/* ---- Groups ------------------------------------------------------------------------------------------------------ */

/* Opens a device that consists of n open devices of one context, 1 to RP_GROUP_MOST, none of them a group. They may be
 * of different kinds, and may have other recordings as well. The group keeps them open; it is closed with
 * rp_device_close. Graphs that are recorded for a group
 *  - have no inputs and outputs with RP_RESIDENT or RP_BINDABLE (RP_ERR_UNSUPPORTED): a group has no buffers;
 *  - are cut into pieces, one for each device and each time that the device must wait for another one, at most
 *    RP_PIECES_MOST (RP_ERR_UNSUPPORTED). A piece is a recording of its device, with the options of the whole; a memory
 *    budget in the options is for each device;
 *  - keep their device memory: other recordings do not evict it, rp_recording_evict does.
 * rp_run_submit_with takes no `waits`, `signals`, `after` and `stream` for runs of a group; `done` and `done_fd` work.
 * A run fails with the first error of a device, whose name is in the reason. If a device is lost, so is the group; its
 * other devices continue to work. */
RP_API RP_CHECKED rp_status rp_group_open(rp_context *context, rp_device *const *devices, uint32_t n, rp_device **group,
                                          rp_error *err);
RP_API uint32_t rp_group_size(const rp_device *device); /* 1 for a device that is not a group, 0 for NULL */
/* Device `index` of a group, which belongs to the group. Index 0 of a device that is not a group is that device. NULL
 * if there is no such device. */
RP_API rp_device *rp_group_device(rp_device *device, uint32_t index);

/* How fast a device is beside others: the points per millisecond of a multi-scalar product over BN254's G1, or any
 * number that is proportional to that. Provers and products on a group divide their work by it, and give the fastest
 * device what is not divided. If devices differ or may share hardware, they measure the speeds that are unknown, once
 * for each open device (docs/notes/groups.md). Set it where other work at that time would make a device seem slow. 0,
 * as at first: unknown. A caller that sets the speed of one device of a group sets those of all. Graphs that have been
 * built stay as they were cut. Callable from any thread. NULL does nothing. */
RP_API void rp_device_set_speed(rp_device *device, uint32_t speed);
RP_API uint32_t rp_device_speed(const rp_device *device); /* 0 for NULL */

/* The speeds that the devices of a group reach, by which provers choose where they cut a proof (docs/notes/groups.md).
 * A prover measures what is unknown when it first needs it, in about a tenth of a second for each device, and keeps it
 * with the group; a program may keep it longer, and set it for another group of such devices. 0: unknown. */
typedef struct rp_group_rates {
  uint32_t struct_size;
  /* Points per millisecond of multi-scalar products over BN254's G1 by all devices at once, which is less than the sum
   * of their speeds if they share hardware. If it is known, devices with which a proof or product would not be done
   * sooner get no part of it. If only the caller has set speeds, it stays unknown, and every device gets its part. */
  uint32_t together;
  uint32_t products[RP_GROUP_MOST];   /* the same of each device alone */
  uint32_t product_us[RP_GROUP_MOST]; /* what such a product takes besides, whatever the number of its points */
  uint32_t transforms[RP_GROUP_MOST]; /* butterflies per microsecond of transforms over BN254's scalar field */
  uint32_t links[RP_GROUP_MOST];      /* bytes per microsecond to the device from the fastest one, and back;
                                         UINT32_MAX: values are read where they are */
} rp_group_rates;

/* The first sets those rates of the group that are not 0 in *rates, the second writes those that are known to *rates.
 * Callable from any thread. RP_ERR_ARGUMENT: a pointer is NULL, rates->struct_size is not set, or the device is not a
 * group. */
RP_API RP_CHECKED rp_status rp_group_set_rates(rp_device *group, const rp_group_rates *rates, rp_error *err);
RP_API RP_CHECKED rp_status rp_group_get_rates(rp_device *group, rp_group_rates *rates, rp_error *err);

/* ---- Plans ------------------------------------------------------------------------------------------------------- */

enum { RP_PIECES_MOST = 1024 };

/* X(enumerator, value, text): how a value comes to the device that reads it */
#define RP_ROUTE_LIST(X)                                                                                    \
  X(RP_ROUTE_SAME, 1, "inside the device")      /* to a later piece of the same device */                   \
  X(RP_ROUTE_MEMORY, 2, "in the host's memory") /* CPU to CPU: read where it is */                          \
  X(RP_ROUTE_PEER, 3, "peer to peer")           /* CUDA to CUDA, from memory to memory */                   \
  X(RP_ROUTE_DRIVER, 4, "by the driver")        /* CUDA to CUDA without such access: through host memory */ \
  X(RP_ROUTE_UPLOAD, 5, "uploaded")             /* an input, from pinned memory, beside other work */       \
  X(RP_ROUTE_HOST, 6, "by the waiting thread")  /* other kinds: through staging, copied in rp_run_wait or _poll */

typedef enum rp_route {
#define RP_ROUTE_ENUM(name, value, text) name = value,
  RP_ROUTE_LIST(RP_ROUTE_ENUM)
#undef RP_ROUTE_ENUM
} rp_route;
RP_API const char *rp_route_name(rp_route route); /* never NULL */

typedef struct rp_copy_info {
  uint32_t struct_size;
  uint32_t from, to; /* devices; of an input of the graph: `from` is RP_ON_HOST */
  rp_route route;
  uint64_t bytes;   /* in each run */
  const char *name; /* of the value; valid as long as the graph lives */
} rp_copy_info;

typedef struct rp_group_plan {
  uint32_t struct_size;
  uint32_t n_devices; /* set: the number of devices of the group */
  /* For each device, the sums over its pieces; room for the devices of the group, devices[0].struct_size bytes apart,
   * or NULL. levels, memory_level: the largest. */
  rp_plan_info *devices;
  uint32_t *pieces; /* for each device, the number of its pieces; room for the devices of the group, or NULL */
  /* The copies, in the order in which pieces are submitted: at most `capacity`, copies[0].struct_size bytes apart; NULL
   * if capacity is 0. n_copies: how many there are. */
  rp_copy_info *copies;
  uint32_t capacity, n_copies;
  uint32_t *speeds; /* for each device, rp_device_speed; room for the devices of the group, or NULL */
} rp_group_plan;

/* Plans without allocating device memory. rp_plan_query of a group gives the sums over all devices. */
RP_API RP_CHECKED rp_status rp_group_plan_query(rp_device *group, const rp_graph *graph,
                                                const rp_record_options *options, rp_group_plan *plan, rp_error *err);
/* The same for a recording. RP_ERR_ARGUMENT: it was not recorded for a group. */
RP_API RP_CHECKED rp_status rp_recording_get_group_plan(const rp_recording *recording, rp_group_plan *plan,
                                                        rp_error *err);
/* Piece `index` of a group's recording, in the order of submission, for the functions of inspect.h; it belongs to the
 * recording. *device gets the index of its device in the group; `device` may be NULL. Returns NULL if there is no such
 * piece. */
RP_API rp_recording *rp_recording_piece(rp_recording *recording, uint32_t index, uint32_t *device);

#ifdef __cplusplus
}
#endif

#endif
