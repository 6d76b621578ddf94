/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Plans of a graph as bytes, which a later process uses instead of searching again. All numbers are little-endian.
 *
 *   head     0 magic, 8 u32 kind of device, 12 u32 run slots, 16 u32 least and 20 u32 highest memory level,
 *            24 u32 values, 28 u32 nodes, 32 u32 outputs of the graph, 36 u32 points, 40 u64 bytes of compiled kernels,
 *            48 u64 hash of the device's limits, 56 version of the library, 88 name and 216 driver of the device, as
 *            texts that end with NUL
 *   points   from 344, of 48 bytes: 0 u32 memory level, 4 u32 sharing, 8 u64 cap, 16 u64 total, 24 u64 constants,
 *            32 u64 predicted time, 40 u32 dispatches, 44 u32 levels
 *   kernels  as the driver gives them
 */
#include "kept_plans.h"
#include "recording.h"

#include <reprise/plans.h>

#include <stdio.h>

enum { HEAD_BYTES = 344, POINT_BYTES = 48, VERSION_BYTES = 32, NAME_BYTES = 128, MOST_POINTS = 1 << 16 };
static const char MAGIC[8] = {'R', 'P', 'P', 'L', 'A', 'N', 'S', '1'};

typedef struct kept_head {
  uint32_t kind, slots, min_level, max_level, n_values, n_nodes, n_outputs, n_points;
  uint64_t kernel_bytes, limits;
  char version[VERSION_BYTES], name[NAME_BYTES], driver[NAME_BYTES];
} kept_head;

struct rp_kept_plans { /* in the graph's arena */
  rp_kept_plans *next;
  kept_head head;
  rp_points points;
  const unsigned char *kernels;
};

/* ---- Bytes ------------------------------------------------------------------------------------------------------- */

static void put(unsigned char **at, uint64_t x, int bytes) {
  for (int i = 0; i < bytes; i++) *(*at)++ = (unsigned char)(x >> 8 * i);
}

static uint64_t take(const unsigned char **at, int bytes) {
  uint64_t x = 0;
  for (int i = 0; i < bytes; i++) x |= (uint64_t) * (*at)++ << 8 * i;
  return x;
}

static void put_text(unsigned char **at, const char *text, size_t bytes) {
  memcpy(*at, text, bytes);
  *at += bytes;
}

static void take_text(const unsigned char **at, char *text, size_t bytes) {
  memcpy(text, *at, bytes);
  *at += bytes;
}

static void put_head(unsigned char **at, const kept_head *h) {
  const uint32_t words[] = {h->kind,     h->slots,   h->min_level, h->max_level,
                            h->n_values, h->n_nodes, h->n_outputs, h->n_points};
  put_text(at, MAGIC, sizeof MAGIC);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) put(at, words[i], 4);
  put(at, h->kernel_bytes, 8);
  put(at, h->limits, 8);
  put_text(at, h->version, sizeof h->version);
  put_text(at, h->name, sizeof h->name);
  put_text(at, h->driver, sizeof h->driver);
}

static void take_head(const unsigned char **at, kept_head *h) {
  uint32_t *const words[] = {&h->kind,     &h->slots,   &h->min_level, &h->max_level,
                             &h->n_values, &h->n_nodes, &h->n_outputs, &h->n_points};
  *at += sizeof MAGIC;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) *words[i] = (uint32_t)take(at, 4);
  h->kernel_bytes = take(at, 8);
  h->limits = take(at, 8);
  take_text(at, h->version, sizeof h->version);
  take_text(at, h->name, sizeof h->name);
  take_text(at, h->driver, sizeof h->driver);
}

static void put_point(unsigned char **at, const rp_point *p) {
  put(at, p->memory_level, 4);
  put(at, p->schedule.sharing, 4);
  put(at, p->schedule.cap_bytes, 8);
  put(at, p->info.total_bytes, 8);
  put(at, p->info.constant_bytes, 8);
  put(at, p->predicted_ns, 8);
  put(at, p->info.dispatches, 4);
  put(at, p->info.levels, 4);
}

static void take_point(const unsigned char **at, rp_point *p) {
  *p = (rp_point){.memory_level = (uint32_t)take(at, 4)};
  p->schedule.sharing = (rp_sharing)take(at, 4);
  p->schedule.cap_bytes = take(at, 8);
  p->info.total_bytes = take(at, 8);
  p->info.constant_bytes = take(at, 8);
  p->predicted_ns = take(at, 8);
  p->info.dispatches = (uint32_t)take(at, 4);
  p->info.levels = (uint32_t)take(at, 4);
}

/* FNV-1a. The struct has no padding. */
static uint64_t hash_of(const rp_device_limits *limits) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < sizeof *limits; i++)
    hash = (hash ^ ((const unsigned char *)limits)[i]) * UINT64_C(0x100000001b3);
  return hash;
}

static kept_head head_of(const rp_device *device, const rp_graph *graph, const rp_record_options *options) {
  kept_head h = {.kind = (uint32_t)device->info.kind,
                 .slots = options->max_in_flight,
                 .min_level = options->min_memory_level,
                 .max_level = options->max_memory_level,
                 .n_values = graph->n_values,
                 .n_nodes = graph->n_nodes,
                 .n_outputs = graph->n_outputs,
                 .limits = hash_of(&device->info.limits)};
  snprintf(h.version, sizeof h.version, "%s", rp_version());
  snprintf(h.name, sizeof h.name, "%s", device->info.name);
  snprintf(h.driver, sizeof h.driver, "%s", device->info.driver);
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

static rp_status write_all(rp_context *c, kept_head *head, const rp_points *points, const unsigned char *kernels,
                           rp_write_fn write, void *user, rp_error *err) {
  const size_t bytes = HEAD_BYTES + (size_t)head->n_points * POINT_BYTES;
  unsigned char *data = rp_host_alloc(c, bytes, 8), *at = data;
  if (!data) return rp_fail_memory(err, "the plans");
  put_head(&at, head);
  for (uint32_t i = 0; i < head->n_points; i++) put_point(&at, &points->items[i]);
  int stopped = write(user, (const char *)data, bytes);
  if (!stopped && head->kernel_bytes) stopped = write(user, (const char *)kernels, (size_t)head->kernel_bytes);
  rp_host_free(c, data, bytes);
  return stopped ? rp_fail(err, RP_ERR_CANCELLED, "rp_plans_keep: the write function asked to stop") : RP_OK;
}

rp_status rp_plans_keep(rp_device *device, const rp_graph *graph, const rp_record_options *options, uint32_t flags,
                        rp_write_fn write, void *user, rp_error *err) {
  rp_record_options o;
  rp_points points;
  if (!device || !graph || !write) return rp_fail_null(err, "rp_plans_keep");
  if (flags & ~RP_PLANS_KERNELS) return rp_fail(err, RP_ERR_ARGUMENT, "rp_plans_keep: flags 0x%x are not known", flags);
  rp_status status = rp_device_check(device, err);
  if (!status) status = rp_record_options_read(&o, options, "rp_plans_keep", err);
  if (!status && device->members)
    status = rp_fail(err, RP_ERR_UNSUPPORTED, "rp_plans_keep: a group of devices has one plan");
  if (!status) status = rp_points_find(device, graph, &o, &points, err);
  if (status) return status;
  kept_head head = head_of(device, graph, &o);
  head.n_points = points.n < MOST_POINTS ? points.n : MOST_POINTS;
  unsigned char *kernels = flags & RP_PLANS_KERNELS ? kernels_of(device, &head.kernel_bytes) : NULL;
  status = write_all(device->context, &head, &points, kernels, write, user, err);
  rp_host_free(device->context, kernels, head.kernel_bytes);
  rp_points_free(&points, device->context);
  return status;
}

/* ---- Reading them ------------------------------------------------------------------------------------------------ */

static rp_status damaged(rp_error *err) {
  return rp_fail(err, RP_ERR_FORMAT, "rp_plans_use: these are no plans, or they are damaged");
}

static bool is_text(const char *text, size_t bytes) { return memchr(text, 0, bytes) != NULL; }

static bool read_points(const unsigned char *at, rp_points *points) {
  for (uint32_t i = 0; i < points->n; i++) {
    rp_point *p = &points->items[i];
    take_point(&at, p);
    if (p->memory_level >= RP_MEMORY_LEVELS || p->schedule.sharing > RP_SHARE_BY_EPOCH) return 0;
    if (p->info.constant_bytes > p->info.total_bytes) return 0;
  }
  return 1;
}

rp_status rp_plans_use(rp_graph *graph, const void *data, uint64_t size_bytes, uint32_t flags, rp_error *err) {
  kept_head head;
  const unsigned char *at = data;
  if (!graph || !data) return rp_fail_null(err, "rp_plans_use");
  if (flags & ~RP_PLANS_KERNELS) return rp_fail(err, RP_ERR_ARGUMENT, "rp_plans_use: flags 0x%x are not known", flags);
  if (size_bytes < HEAD_BYTES || memcmp(data, MAGIC, sizeof MAGIC) != 0) return damaged(err);
  take_head(&at, &head);
  const uint64_t rest = size_bytes - HEAD_BYTES;
  if (!head.n_points || head.n_points > MOST_POINTS || (uint64_t)head.n_points * POINT_BYTES > rest ||
      head.kernel_bytes != rest - (uint64_t)head.n_points * POINT_BYTES || !is_text(head.version, VERSION_BYTES) ||
      !is_text(head.name, NAME_BYTES) || !is_text(head.driver, NAME_BYTES))
    return damaged(err);
  rp_kept_plans *kept = rp_arena_alloc(&graph->arena, sizeof *kept, _Alignof(rp_kept_plans));
  rp_point *items = rp_arena_array(&graph->arena, head.n_points, sizeof *items);
  const bool wants = flags & RP_PLANS_KERNELS && head.kernel_bytes;
  unsigned char *kernels = wants ? rp_arena_alloc(&graph->arena, (size_t)head.kernel_bytes, 8) : NULL;
  if (!kept || !items || (wants && !kernels)) return rp_fail_memory(err, "the plans");
  *kept = (rp_kept_plans){.next = graph->plans, .head = head, .points = {.items = items, .n = head.n_points}};
  if (!read_points(at, &kept->points)) return damaged(err);
  if (wants) memcpy(kernels, at + (size_t)head.n_points * POINT_BYTES, (size_t)head.kernel_bytes);
  kept->kernels = kernels;
  graph->plans = kept;
  return RP_OK;
}

/* ---- Using them -------------------------------------------------------------------------------------------------- */

/* Why the head is not for this device, this library and this graph, or NULL. No text of a file is shown. */
static const char *difference(const kept_head *h, const kept_head *here) {
  if (strcmp(h->name, here->name) != 0 || strcmp(h->driver, here->driver) != 0 || h->limits != here->limits)
    return "they are those of another device or driver";
  if (strcmp(h->version, here->version) != 0) return "another version of the library made them";
  if (h->n_values != here->n_values || h->n_nodes != here->n_nodes || h->n_outputs != here->n_outputs)
    return "the graph has changed";
  if (h->slots != here->slots || h->min_level != here->min_level || h->max_level != here->max_level)
    return "the options of recording are others";
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
