/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tables of costs: looking a dispatch up, and tables as bytes. All numbers are little-endian.
 *
 *   head     0 magic, 8 u32 kind of device, 12 u32 entries, 16 u64 time to start a dispatch, 24 u64 factor of the
 *            model, 32 u64 bytes of names, 40 the device (kept_device.h)
 *   entries  from 336, of 32 bytes, in ascending order: 0 u64 groups, 8 u64 bytes, 16 u64 time, 24 u32 where the name
 *            of the kernel begins, 28 u32 where the label does
 *   names    texts that end with NUL
 */
#include "cost_table.h"

#include "graph.h"

#include <reprise/plans.h>

enum { HEAD_BYTES = 40 + RP_KEPT_DEVICE_BYTES, ENTRY_BYTES = 32 };
static const char MAGIC[8] = {'R', 'P', 'C', 'O', 'S', 'T', 'S', '1'};

/* ---- Looking up -------------------------------------------------------------------------------------------------- */

/* Names that stand in one place are not read. */
static int compare_names(const char *a, const char *b) { return a == b ? 0 : strcmp(a, b); }

int rp_cost_entry_compare(const void *x, const void *y) {
  const rp_cost_entry *a = x, *b = y;
  const int kernels = compare_names(a->kernel, b->kernel), labels = kernels ? 0 : compare_names(a->label, b->label);
  if (kernels || labels) return kernels ? kernels : labels;
  if (a->groups != b->groups) return a->groups < b->groups ? -1 : 1;
  return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

/* The first entry that is not before the one with the names of `size`. */
static uint32_t lower_bound(const rp_cost_table *t, const rp_cost_size *size, uint64_t groups, uint64_t bytes) {
  const rp_cost_entry key = {.kernel = size->kernel, .label = size->label, .groups = groups, .bytes = bytes};
  uint32_t from = 0, n = t->n;
  while (n) {
    const uint32_t half = n / 2;
    const bool before = rp_cost_entry_compare(&t->entries[from + half], &key) < 0;
    from = before ? from + half + 1 : from;
    n = before ? n - half - 1 : half;
  }
  return from;
}

typedef struct measured {
  double size, ns;
} measured;

/* On the line through both; beyond the only one (`below` or `above` is NULL), in proportion to the size. */
static double between(const measured *below, const measured *above, double size) {
  if (!below) below = above;
  if (!above) above = below;
  if (!below) return 0;
  if (above == below) return below->size > 0 ? below->ns * (size / below->size) : below->ns;
  if (!(above->size > below->size)) return below->ns;
  return below->ns + (above->ns - below->ns) * ((size - below->size) / (above->size - below->size));
}

static bool is_of(const rp_cost_table *t, uint32_t i, const rp_cost_size *size) {
  return i < t->n && strcmp(t->entries[i].kernel, size->kernel) == 0 && strcmp(t->entries[i].label, size->label) == 0;
}

/* The time of a dispatch with as many groups as entry i, in which each group moves as many bytes as at this size. */
static measured at_groups_of(const rp_cost_table *t, uint32_t i, const rp_cost_size *size) {
  const uint64_t groups = t->entries[i].groups;
  const double bytes = (double)size->bytes * ((double)groups / (size->groups ? (double)size->groups : 1));
  const uint64_t whole = bytes < 0x1p63 ? (uint64_t)bytes : UINT64_C(1) << 63;
  const uint32_t at = lower_bound(t, size, groups, whole), before = at - 1;
  const bool has_above = is_of(t, at, size) && t->entries[at].groups == groups;
  const bool has_below = at && is_of(t, before, size) && t->entries[before].groups == groups;
  measured below, above;
  if (has_above) above = (measured){(double)t->entries[at].bytes, (double)t->entries[at].ns};
  if (has_below) below = (measured){(double)t->entries[before].bytes, (double)t->entries[before].ns};
  return (measured){(double)groups, between(has_below ? &below : NULL, has_above ? &above : NULL, bytes)};
}

/* 0 if the table does not know the kernel with this label. */
static bool find_time(const rp_cost_table *t, const rp_cost_size *size, double *ns) {
  const uint32_t at = lower_bound(t, size, size->groups, 0);
  const bool has_below = at && is_of(t, at - 1, size), has_above = is_of(t, at, size);
  measured below, above;
  if (!has_below && !has_above) return 0;
  if (has_above) above = at_groups_of(t, at, size);
  if (has_above && t->entries[at].groups == size->groups) return *ns = above.ns, 1;
  if (has_below) below = at_groups_of(t, at - 1, size);
  *ns = between(has_below ? &below : NULL, has_above ? &above : NULL, (double)size->groups);
  return 1;
}

uint32_t rp_cost_share(const rp_device_info *device, const rp_cost_size *size) {
  const bool in_grains = device->kind == RP_DEVICE_CPU && size->grain > 1;
  const uint64_t groups = in_grains ? size->groups / size->grain + (size->groups % size->grain != 0) : size->groups;
  return rp_cost_estimate(device, groups, size->bytes).share;
}

uint64_t rp_cost_work_ns(const rp_device_info *device, const rp_cost_size *size) {
  return rp_cost_estimate(device, size->groups, size->bytes).alone_ns - rp_cost_estimate(device, 0, 0).alone_ns;
}

static uint64_t limited(double ns) { return ns < 1 ? 1 : ns < (double)RP_COST_NS_MAX ? (uint64_t)ns : RP_COST_NS_MAX; }

rp_cost rp_cost_of(const rp_device_info *device, const rp_cost_table *t, const rp_cost_size *size) {
  const rp_cost model = rp_cost_estimate(device, size->groups, size->bytes);
  double ns;
  if (!t) return model;
  rp_cost_size any = *size;
  any.label = "";
  if (!find_time(t, size, &ns) && !find_time(t, &any, &ns))
    ns = (double)rp_cost_work_ns(device, size) * ((double)t->factor / RP_COST_FACTOR_ONE);
  return (rp_cost){.alone_ns = limited((double)t->launch_ns + ns), .share = rp_cost_share(device, size)};
}

const rp_cost_table *rp_cost_table_find(const rp_device *device, const rp_graph *graph, bool logs) {
  const rp_kept_device here = rp_kept_device_of(device);
  for (const rp_graph *g = graph; g; g = g->unexpanded)
    for (const rp_cost_table *t = g->costs; t; t = t->next) {
      if (t->kind != (uint32_t)device->info.kind) continue;
      const char *why = rp_kept_device_difference(&t->device, &here);
      if (!why) return t;
      if (logs)
        rp_log(device->context, RP_LOG_INFO, "%s: costs that were measured on a %s device are not used: %s",
               graph->name, device->backend->name, why);
    }
  return atomic_load(&device->costs);
}

/* ---- As bytes ---------------------------------------------------------------------------------------------------- */

/* Names are written where they are not those of the entry before. An empty label is the end of the kernel's name. */
static bool is_new_kernel(const rp_cost_table *t, uint32_t i) {
  return i == 0 || strcmp(t->entries[i].kernel, t->entries[i - 1].kernel) != 0;
}

static bool is_new_label(const rp_cost_table *t, uint32_t i) {
  const char *label = t->entries[i].label;
  return *label && (is_new_kernel(t, i) || strcmp(label, t->entries[i - 1].label) != 0);
}

static size_t names_bytes(const rp_cost_table *t) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < t->n; i++) {
    if (is_new_kernel(t, i)) bytes += strlen(t->entries[i].kernel) + 1;
    if (is_new_label(t, i)) bytes += strlen(t->entries[i].label) + 1;
  }
  return bytes;
}

static uint32_t put_name(char *names, size_t *used, const char *name) {
  const size_t at = *used, bytes = strlen(name) + 1;
  memcpy(names + at, name, bytes);
  *used += bytes;
  return (uint32_t)at;
}

unsigned char *rp_cost_table_bytes(rp_context *context, const rp_cost_table *t, size_t *bytes) {
  const size_t names = names_bytes(t);
  *bytes = HEAD_BYTES + (size_t)t->n * ENTRY_BYTES + names;
  unsigned char *data = rp_host_alloc(context, *bytes, 8), *at = data;
  if (!data) return NULL;
  memcpy(at, MAGIC, sizeof MAGIC);
  at += sizeof MAGIC;
  rp_kept_put(&at, t->kind, 4);
  rp_kept_put(&at, t->n, 4);
  rp_kept_put(&at, t->launch_ns, 8);
  rp_kept_put(&at, t->factor, 8);
  rp_kept_put(&at, names, 8);
  rp_kept_device_put(&at, &t->device);
  char *const first = (char *)data + *bytes - names;
  size_t used = 0;
  for (uint32_t i = 0, kernel = 0, label = 0; i < t->n; i++) {
    const rp_cost_entry *e = &t->entries[i];
    if (is_new_kernel(t, i)) kernel = put_name(first, &used, e->kernel);
    if (is_new_label(t, i)) label = put_name(first, &used, e->label);
    rp_kept_put(&at, e->groups, 8);
    rp_kept_put(&at, e->bytes, 8);
    rp_kept_put(&at, e->ns, 8);
    rp_kept_put(&at, kernel, 4);
    rp_kept_put(&at, *e->label ? label : kernel + strlen(e->kernel), 4);
  }
  return data;
}

/* Names stand where rp_cost_table_bytes puts them: an entry has those of the entry before, or the next ones. So each
 * is read a few times, however many entries have it. */
typedef struct name_reader {
  const char *names;
  uint64_t n, used; /* bytes; in those that entries have so far */
  uint64_t kernel, kernel_end, label;
} name_reader;

static bool take_names(name_reader *r, uint64_t kernel, uint64_t label) {
  if (kernel != r->kernel) {
    if (kernel != r->used || kernel >= r->n) return 0;
    r->kernel_end = kernel + strlen(r->names + kernel);
    r->used = r->kernel_end + 1;
  }
  if (label != r->kernel_end && label != r->label) {
    if (label != r->used || label >= r->n) return 0;
    r->used = label + strlen(r->names + label) + 1;
    r->label = label;
  }
  r->kernel = kernel;
  return 1;
}

static bool read_entries(const rp_cost_table *t, rp_cost_entry *entries, uint64_t n_names) {
  const unsigned char *at = t->data + HEAD_BYTES;
  const char *names = (const char *)t->data + t->size_bytes - n_names;
  name_reader r = {.names = names, .n = n_names, .kernel = UINT64_MAX, .label = UINT64_MAX};
  if (t->n && (!n_names || names[n_names - 1])) return 0;
  for (uint32_t i = 0; i < t->n; i++) {
    rp_cost_entry *e = &entries[i];
    e->groups = rp_kept_take(&at, 8);
    e->bytes = rp_kept_take(&at, 8);
    e->ns = rp_kept_take(&at, 8);
    const uint64_t kernel = rp_kept_take(&at, 4), label = rp_kept_take(&at, 4);
    if (!take_names(&r, kernel, label) || e->ns > RP_COST_NS_MAX) return 0;
    e->kernel = names + kernel;
    e->label = names + label;
    if (i && rp_cost_entry_compare(e - 1, e) >= 0) return 0;
  }
  return 1;
}

/* The head, from its copy; 0 if something is wrong with it. */
static bool read_head(rp_cost_table *t, uint64_t *names) {
  const unsigned char *at = t->data;
  if (t->size_bytes < HEAD_BYTES || memcmp(at, MAGIC, sizeof MAGIC) != 0) return 0;
  at += sizeof MAGIC;
  t->kind = (uint32_t)rp_kept_take(&at, 4);
  t->n = (uint32_t)rp_kept_take(&at, 4);
  t->launch_ns = rp_kept_take(&at, 8);
  t->factor = rp_kept_take(&at, 8);
  *names = rp_kept_take(&at, 8);
  if (!rp_kept_device_take(&at, &t->device)) return 0;
  const uint64_t rest = t->size_bytes - HEAD_BYTES;
  return t->n <= RP_COST_ENTRIES_MAX && t->launch_ns <= RP_COST_NS_MAX && t->factor &&
         t->factor <= RP_COST_FACTOR_MAX && (uint64_t)t->n * ENTRY_BYTES <= rest &&
         *names == rest - (uint64_t)t->n * ENTRY_BYTES;
}

/* Makes a copy of the table in the arena. */
static rp_status read_table(rp_arena *arena, const void *data, uint64_t bytes, const char *function,
                            rp_cost_table **table, rp_error *err) {
  rp_cost_table head = {.data = data, .size_bytes = bytes};
  uint64_t names;
  if (!read_head(&head, &names))
    return rp_fail(err, RP_ERR_FORMAT, "%s: these are no costs, or they are damaged", function);
  rp_cost_table *t = rp_arena_alloc(arena, sizeof *t, _Alignof(rp_cost_table));
  rp_cost_entry *entries = rp_arena_array(arena, head.n, sizeof *entries);
  unsigned char *copy = rp_arena_alloc(arena, (size_t)bytes, 8);
  if (!t || !entries || !copy) return rp_fail_memory(err, "the costs");
  memcpy(copy, data, (size_t)bytes);
  head.data = copy;
  head.entries = entries;
  head.hash = rp_kept_hash(RP_KEPT_HASH_SEED, copy, (size_t)bytes);
  *t = head;
  if (!read_entries(t, entries, names))
    return rp_fail(err, RP_ERR_FORMAT, "%s: these are no costs, or they are damaged", function);
  *table = t;
  return RP_OK;
}

rp_status rp_cost_table_add(rp_graph *graph, const void *data, uint64_t bytes, const char *function, rp_error *err) {
  rp_cost_table *t;
  const rp_status status = read_table(&graph->arena, data, bytes, function, &t, err);
  if (status) return status;
  t->next = graph->costs;
  graph->costs = t;
  return RP_OK;
}

rp_status rp_costs_use(rp_graph *graph, const void *data, uint64_t size_bytes, rp_error *err) {
  if (!graph || !data) return rp_fail_null(err, "rp_costs_use");
  return rp_cost_table_add(graph, data, size_bytes, "rp_costs_use", err);
}

/* Why a table is not for this device; NULL if it is. */
static const char *difference(const rp_cost_table *t, const rp_device *device) {
  const rp_kept_device here = rp_kept_device_of(device);
  if (t->kind != (uint32_t)device->info.kind) return "they are of another kind of device";
  return rp_kept_device_difference(&t->device, &here);
}

rp_status rp_costs_use_on(rp_device *device, const void *data, uint64_t size_bytes, rp_error *err) {
  if (!device || !data) return rp_fail_null(err, "rp_costs_use_on");
  rp_status status = rp_device_check(device, err);
  if (status) return status;
  if (device->members)
    return rp_fail(err, RP_ERR_UNSUPPORTED,
                   "rp_costs_use_on: a group has no costs of its own: give them to its devices");
  rp_device_lock(device);
  rp_arena *arena = &device->costs_arena; /* plans in other threads may read earlier tables */
  if (!arena->context) rp_arena_init(arena, device->context);
  const rp_arena_mark mark = rp_arena_now(arena);
  rp_cost_table *t;
  status = read_table(arena, data, size_bytes, "rp_costs_use_on", &t, err);
  const char *why = status ? NULL : difference(t, device);
  if (why) status = rp_fail(err, RP_ERR_MISMATCH, "rp_costs_use_on: the costs are not for this device: %s", why);
  if (status)
    rp_arena_rewind(arena, mark);
  else
    atomic_store(&device->costs, t);
  rp_device_unlock(device);
  return status;
}
