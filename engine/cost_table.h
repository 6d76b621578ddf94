/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What dispatches cost on one device, as measured (rp_costs_keep, rp_costs_use, rp_costs_use_on): times by kernel,
 * label and size, since what many kernels do depends on their data, and times by kernel and size for other labels.
 * Between sizes the time is interpolated; where a kernel is not known, the model of cost.h takes its place, multiplied
 * by how much longer than the model known dispatches take, so that both compare.
 */
#ifndef REPRISE_ENGINE_COST_TABLE_H
#define REPRISE_ENGINE_COST_TABLE_H

#include "cost.h"
#include "kept_device.h"

/* What is known of a dispatch before it runs. */
typedef struct rp_cost_size {
  const char *kernel;     /* its name; of a step without one, what the step does */
  const char *label;      /* of the dispatch: scope, node, dispatch */
  uint64_t groups, bytes; /* as for rp_cost_estimate */
  uint32_t grain;         /* of the dispatch */
} rp_cost_size;

typedef struct rp_cost_entry {
  const char *kernel;
  const char *label; /* "": of all labels */
  uint64_t groups, bytes;
  uint64_t ns; /* from the first group to the last, with the device to itself */
} rp_cost_entry;

enum {
  RP_COST_ENTRIES_MAX = 1 << 16,
  RP_COST_FACTOR_ONE = 1 << 10 /* of rp_cost_table.factor */
};
/* No dispatch is predicted to take longer by a table, so that sums over a plan fit 64 bits. */
#define RP_COST_NS_MAX (UINT64_C(1) << 40)
#define RP_COST_FACTOR_MAX (UINT64_C(1) << 30)

typedef struct rp_cost_table rp_cost_table;
struct rp_cost_table {
  rp_cost_table *next; /* of the graph; latest first */
  uint32_t kind;       /* of device */
  rp_kept_device device;
  uint64_t launch_ns; /* from the end of the last predecessor to the first group */
  uint64_t factor;    /* by which a dispatch takes longer than by the model, in units of 1 / RP_COST_FACTOR_ONE */
  const rp_cost_entry *entries; /* by kernel, label, groups, bytes, none twice */
  uint32_t n;
  const unsigned char *data; /* as bytes */
  uint64_t size_bytes, hash;
};

/* By kernel, label, groups and bytes. */
int rp_cost_entry_compare(const void *a, const void *b);
/* What a dispatch costs, by the table if it is not NULL. */
rp_cost rp_cost_of(const rp_device_info *device, const rp_cost_table *table, const rp_cost_size *size);
/* The same by the model alone, without the time to start it. */
uint64_t rp_cost_work_ns(const rp_device_info *device, const rp_cost_size *size);
/* The part of the device that a dispatch occupies when it runs alone, as rp_cost.share. */
uint32_t rp_cost_share(const rp_device_info *device, const rp_cost_size *size);

/* The latest table of the graph, or of the one that it was expanded from, for this device, or else that of the device;
 * NULL if there is none. With `logs`, a line for each that is of this kind of device and not used. */
const rp_cost_table *rp_cost_table_find(const rp_device *device, const rp_graph *graph, bool logs);
/* Reads a table of so many bytes, copies it and gives it to the graph. RP_ERR_FORMAT, with `function` in the reason. */
rp_status rp_cost_table_add(rp_graph *graph, const void *data, uint64_t bytes, const char *function, rp_error *err);
/* Writes a table as bytes in memory of the context's allocator; of `table`, kind, device, launch_ns, factor and entries
 * are read. NULL when out of memory. */
unsigned char *rp_cost_table_bytes(rp_context *context, const rp_cost_table *table, size_t *bytes);

#endif
