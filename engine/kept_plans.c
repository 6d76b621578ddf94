/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Plans of a graph as bytes, which a later process uses instead of searching again. All numbers are little-endian.
 *
 *   head     0 magic, 8 u32 kind of device, 12 u32 run slots, 16 u32 least and 20 u32 highest memory level,
 *            24 u32 values, 28 u32 nodes, 32 u32 outputs of the graph, 36 u32 points, 40 u64 bytes of compiled kernels,
 *            48 the device (kept_device.h), 344 u64 bytes of costs
 *   points   from 352, of 48 bytes: 0 u32 memory level, 4 u16 sharing, 6 u16 whether the model orders it, 8 u64 cap,
 *            16 u64 total, 24 u64 constants, 32 u64 predicted time, 40 u32 dispatches, 44 u32 levels
 *   costs    by which the points were found (cost_table.c), if not by the model
 *   kernels  as the driver gives them
 */
#include "kept_plans.h"
#include "recording.h"

#include <reprise/plans.h>

enum { HEAD_BYTES = 56 + RP_KEPT_DEVICE_BYTES, POINT_BYTES = 48, MOST_POINTS = 1 << 16 };
static const char MAGIC[8] = {'R', 'P', 'P', 'L', 'A', 'N', 'S', '1'};

typedef struct kept_head {
  uint32_t kind, slots, min_level, max_level, n_values, n_nodes, n_outputs, n_points;
  uint64_t kernel_bytes, cost_bytes;
  uint64_t costs; /* hash of the costs by which the points were found; 0: the model */
  rp_kept_device device;
} kept_head;

struct rp_kept_plans { /* in the graph's arena */
  rp_kept_plans *next;
  kept_head head;
  rp_points points;
  const unsigned char *kernels;
};

/* ---- Bytes ------------------------------------------------------------------------------------------------------- */

static void put_head(unsigned char **at, const kept_head *h) {
  const uint32_t words[] = {h->kind,     h->slots,   h->min_level, h->max_level,
                            h->n_values, h->n_nodes, h->n_outputs, h->n_points};
  memcpy(*at, MAGIC, sizeof MAGIC);
  *at += sizeof MAGIC;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) rp_kept_put(at, words[i], 4);
  rp_kept_put(at, h->kernel_bytes, 8);
  rp_kept_device_put(at, &h->device);
  rp_kept_put(at, h->cost_bytes, 8);
}

/* 0 if a text does not end. */
static bool take_head(const unsigned char **at, kept_head *h) {
  uint32_t *const words[] = {&h->kind,     &h->slots,   &h->min_level, &h->max_level,
                             &h->n_values, &h->n_nodes, &h->n_outputs, &h->n_points};
  *at += sizeof MAGIC;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) *words[i] = (uint32_t)rp_kept_take(at, 4);
  h->kernel_bytes = rp_kept_take(at, 8);
  const bool good = rp_kept_device_take(at, &h->device);
  h->cost_bytes = rp_kept_take(at, 8);
  return good;
}

static void put_point(unsigned char **at, const rp_point *p) {
  rp_kept_put(at, p->memory_level, 4);
  rp_kept_put(at, p->schedule.sharing, 2);
  rp_kept_put(at, p->schedule.by_model, 2);
  rp_kept_put(at, p->schedule.cap_bytes, 8);
  rp_kept_put(at, p->info.total_bytes, 8);
  rp_kept_put(at, p->info.constant_bytes, 8);
  rp_kept_put(at, p->predicted_ns, 8);
  rp_kept_put(at, p->info.dispatches, 4);
  rp_kept_put(at, p->info.levels, 4);
}

static void take_point(const unsigned char **at, rp_point *p) {
  *p = (rp_point){.memory_level = (uint32_t)rp_kept_take(at, 4)};
  p->schedule.sharing = (rp_sharing)rp_kept_take(at, 2);
  p->schedule.by_model = rp_kept_take(at, 2) != 0;
  p->schedule.cap_bytes = rp_kept_take(at, 8);
  p->info.total_bytes = rp_kept_take(at, 8);
  p->info.constant_bytes = rp_kept_take(at, 8);
  p->predicted_ns = rp_kept_take(at, 8);
  p->info.dispatches = (uint32_t)rp_kept_take(at, 4);
  p->info.levels = (uint32_t)rp_kept_take(at, 4);
}

static kept_head head_of(const rp_device *device, const rp_graph *graph, const rp_record_options *options) {
  kept_head h = {.kind = (uint32_t)device->info.kind,
                 .slots = options->max_in_flight,
                 .min_level = options->min_memory_level,
                 .max_level = options->max_memory_level,
                 .n_values = graph->n_values,
                 .n_nodes = graph->n_nodes,
                 .n_outputs = graph->n_outputs,
                 .device = rp_kept_device_of(device)};
  const rp_cost_table *costs = rp_cost_table_find(device, graph, 0);
  if (costs) h.costs = costs->hash;
  return h;
}

/* ---- Keeping them ------------------------------------------------------------------------------------------------ */

/* The device's compiled kernels, in memory of the context's allocator; none if it has none, or cannot give them. */
static unsigned char *kernels_of(const rp_device *d, uint64_t *bytes) {
  *bytes = 0;
  if (!d->backend->pipelines_get || !d->backend->pipelines_get(d->state, NULL, bytes)) return NULL;
  const uint64_t room = *bytes;
  unsigned char *data = room ? rp_host_alloc(d->context, room, 8) : NULL;
  if (data && d->backend->pipelines_get(d->state, data, bytes) && *bytes == room) return data;
  rp_host_free(d->context, data, room);
  *bytes = 0;
  return NULL;
}

static rp_status write_all(rp_context *c, kept_head *head, const rp_points *points, const rp_cost_table *costs,
                           const unsigned char *kernels, rp_write_fn write, void *user, rp_error *err) {
  const size_t bytes = HEAD_BYTES + (size_t)head->n_points * POINT_BYTES;
  unsigned char *data = rp_host_alloc(c, bytes, 8), *at = data;
  if (!data) return rp_fail_memory(err, "the plans");
  put_head(&at, head);
  for (uint32_t i = 0; i < head->n_points; i++) put_point(&at, &points->items[i]);
  int stopped = write(user, (const char *)data, bytes);
  if (!stopped && costs) stopped = write(user, (const char *)costs->data, (size_t)costs->size_bytes);
  if (!stopped && head->kernel_bytes) stopped = write(user, (const char *)kernels, (size_t)head->kernel_bytes);
  rp_host_free(c, data, bytes);
  return stopped ? rp_fail(err, RP_ERR_CANCELLED, "rp_plans_keep: the write function asked to stop") : RP_OK;
}

rp_status rp_kept_plans_write(const rp_device *device, const rp_graph *graph, const rp_record_options *options,
                              const rp_points *points, uint32_t flags, rp_write_fn write, void *user, rp_error *err) {
  kept_head head = head_of(device, graph, options);
  head.n_points = points->n < MOST_POINTS ? points->n : MOST_POINTS;
  const rp_cost_table *costs = rp_cost_table_find(device, graph, 0);
  if (costs) head.cost_bytes = costs->size_bytes;
  unsigned char *kernels = flags & RP_PLANS_KERNELS ? kernels_of(device, &head.kernel_bytes) : NULL;
  const rp_status status = write_all(device->context, &head, points, costs, kernels, write, user, err);
  rp_host_free(device->context, kernels, head.kernel_bytes);
  return status;
}

/* ---- Reading them ------------------------------------------------------------------------------------------------ */

static rp_status damaged(rp_error *err) {
  return rp_fail(err, RP_ERR_FORMAT, "rp_plans_use: these are no plans, or they are damaged");
}

static bool read_points(const unsigned char *at, rp_points *points) {
  for (uint32_t i = 0; i < points->n; i++) {
    rp_point *p = &points->items[i];
    take_point(&at, p);
    if (p->memory_level >= RP_MEMORY_LEVELS || p->schedule.sharing > RP_SHARE_BY_EPOCH) return 0;
    if (p->schedule.cap_bytes > INT64_MAX && p->schedule.cap_bytes != UINT64_MAX) return 0; /* as squeeze.c counts */
    if (p->info.constant_bytes > p->info.total_bytes) return 0;
  }
  return 1;
}

/* Whether points, costs and kernels together are the `rest` behind the head. */
static bool is_split(const kept_head *h, uint64_t rest) {
  const uint64_t points = (uint64_t)h->n_points * POINT_BYTES;
  return h->n_points && h->n_points <= MOST_POINTS && points <= rest && h->cost_bytes <= rest - points &&
         h->kernel_bytes == rest - points - h->cost_bytes;
}

rp_status rp_plans_use(rp_graph *graph, const void *data, uint64_t size_bytes, uint32_t flags, rp_error *err) {
  kept_head head = {0};
  const unsigned char *at = data;
  if (!graph || !data) return rp_fail_null(err, "rp_plans_use");
  if (flags & ~RP_PLANS_KERNELS) return rp_fail(err, RP_ERR_ARGUMENT, "rp_plans_use: flags 0x%x are not known", flags);
  if (size_bytes < HEAD_BYTES || memcmp(data, MAGIC, sizeof MAGIC) != 0) return damaged(err);
  if (!take_head(&at, &head) || !is_split(&head, size_bytes - HEAD_BYTES)) return damaged(err);
  rp_kept_plans *kept = rp_arena_alloc(&graph->arena, sizeof *kept, _Alignof(rp_kept_plans));
  rp_point *items = rp_arena_array(&graph->arena, head.n_points, sizeof *items);
  const bool wants = flags & RP_PLANS_KERNELS && head.kernel_bytes;
  unsigned char *kernels = wants ? rp_arena_alloc(&graph->arena, (size_t)head.kernel_bytes, 8) : NULL;
  if (!kept || !items || (wants && !kernels)) return rp_fail_memory(err, "the plans");
  *kept = (rp_kept_plans){.next = graph->plans, .head = head, .points = {.items = items, .n = head.n_points}};
  if (!read_points(at, &kept->points)) return damaged(err);
  at += (size_t)head.n_points * POINT_BYTES;
  if (head.cost_bytes) {
    const rp_status status = rp_cost_table_add(graph, at, head.cost_bytes, "rp_plans_use", err);
    if (status) return status;
    kept->head.costs = graph->costs->hash;
  }
  if (wants) memcpy(kernels, at + head.cost_bytes, (size_t)head.kernel_bytes);
  kept->kernels = kernels;
  graph->plans = kept;
  return RP_OK;
}

/* ---- Using them -------------------------------------------------------------------------------------------------- */

/* Why the head is not for this device, this library and this graph, or NULL. No text of a file is shown. */
static const char *difference(const kept_head *h, const kept_head *here) {
  const char *why = rp_kept_device_difference(&h->device, &here->device);
  if (why) return why;
  if (h->n_values != here->n_values || h->n_nodes != here->n_nodes || h->n_outputs != here->n_outputs)
    return "the graph has changed";
  if (h->slots != here->slots || h->min_level != here->min_level || h->max_level != here->max_level)
    return "the options of recording are others";
  if (h->costs != here->costs) return "they were found by other costs";
  return NULL;
}

const rp_points *rp_kept_plans_find(rp_device *device, const rp_graph *graph, const rp_record_options *options) {
  const kept_head here = head_of(device, graph, options);
  for (const rp_kept_plans *k = graph->plans; k; k = k->next) {
    if (k->head.kind != here.kind) continue;
    const char *why = difference(&k->head, &here);
    if (!why) return &k->points;
    rp_log(device->context, RP_LOG_INFO, "%s: plans that were kept for a %s device are not used: %s", graph->name,
           device->backend->name, why);
  }
  return NULL;
}

void rp_kept_plans_prepare(rp_device *device, const rp_graph *graph) {
  const rp_backend *b = device->backend;
  for (const rp_kept_plans *k = graph->plans; k; k = k->next)
    if (k->kernels && k->head.kind == (uint32_t)device->info.kind && b->pipelines_add &&
        !b->pipelines_add(device->state, k->kernels, k->head.kernel_bytes))
      rp_log(device->context, RP_LOG_INFO, "%s: compiled kernels that were kept for a %s device are of another driver",
             graph->name, b->name);
}
