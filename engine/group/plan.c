/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The plan of a group: its pieces, planned or recorded, and the shell, a plan of the whole graph in which only inputs
 * and outputs have memory.
 */
#include "group.h"

void rp_pieces_free(rp_pieces *pieces) {
  if (!pieces) return;
  for (uint32_t i = 0; i < pieces->n; i++) { /* later ones follow earlier ones, and are destroyed after them */
    if (pieces->items[i].recording) rp_recording_close(pieces->items[i].recording);
    if (!pieces->items[i].graph) continue;
    rp_grow_free(pieces->arena.context, pieces->items[i].inputs, pieces->items[i].cap_inputs,
                 sizeof *pieces->items[i].inputs);
    rp_graph_destroy(pieces->items[i].graph);
  }
  rp_context *context = pieces->arena.context;
  rp_arena_free(&pieces->arena);
  rp_host_free(context, pieces, sizeof *pieces);
}

void rp_group_plan_destroy(rp_plan *plan) {
  if (!plan) return;
  rp_pieces_free(plan->pieces);
  rp_plan_destroy(plan);
}

/* ---- Pieces ------------------------------------------------------------------------------------------------------ */

static rp_status add_device(const rp_device *group, uint32_t device, rp_status status, const rp_error *why,
                            rp_error *err) {
  char name[64];
  return rp_fail(err, status, "%s: %.400s", rp_group_device_name(group, device, name, sizeof name), why->reason);
}

/* Plans or records one piece, with what the earlier ones have left of the budget of its device. */
static rp_status plan_piece(rp_pieces *pieces, uint32_t index, const rp_record_options *options, bool record,
                            uint64_t *used, rp_error *err) {
  rp_piece *p = &pieces->items[index];
  rp_device *d = pieces->group->members[p->device];
  rp_record_options o = *options;
  rp_error why = {0};
  rp_status status;
  o.struct_size = sizeof o;
  o.flags &= ~(uint32_t)RP_RECORD_CHECK_INPUTS; /* the shell does that */
  if (o.memory_budget_bytes) o.memory_budget_bytes = o.memory_budget_bytes > *used ? o.memory_budget_bytes - *used : 1;
  if (record) {
    status = rp_record_on_device(d, p->graph, &o, &p->recording, &why);
    if (!status) p->info = p->recording->plan->info;
  } else {
    const uint64_t available = rp_device_available_bytes(d);
    rp_plan *plan = NULL;
    status = rp_plan_create(d, p->graph, &o, available > *used ? available - *used : 0, &plan, NULL, &why);
    if (!status) p->info = plan->info;
    rp_plan_destroy(plan);
  }
  *used += p->info.total_bytes;
  return status ? add_device(pieces->group, p->device, status, &why, err) : RP_OK;
}

static rp_status make_pieces(rp_plan *plan, bool record, rp_error *err) {
  rp_context *context = plan->context;
  rp_pieces *pieces = rp_host_alloc(context, sizeof *pieces, _Alignof(rp_pieces));
  if (!pieces) return rp_plan_fail_memory(err);
  *pieces = (rp_pieces){.group = plan->device, .graph = plan->graph};
  rp_arena_init(&pieces->arena, context);
  plan->pieces = pieces;
  rp_cut cut;
  uint64_t used[RP_GROUP_MOST] = {0};
  rp_status status = rp_cut_make(&cut, plan->graph, plan->device->n_members, pieces, err);
  if (!status) status = rp_pieces_build(pieces, &cut, err);
  for (uint32_t i = 0; i < pieces->n && !status; i++)
    status = plan_piece(pieces, i, &plan->options, record, &used[pieces->items[i].device], err);
  return status;
}

/* ---- The shell --------------------------------------------------------------------------------------------------- */

/* Only what the program sees: each input and output has its place in the staging, and no node is lowered. */
static rp_status place_borders(rp_plan *plan, rp_error *err) {
  for (uint32_t i = 0; i < plan->n_graph_values; i++) {
    rp_plan_value *v = &plan->values[i];
    v->live = v->in_part[RP_PART_RUN] = v->output || v->origin == RP_ORIGIN_INPUT;
  }
  for (uint32_t n = 0; n < plan->n_nodes; n++) plan->nodes[n].elided = 1;
  rp_status status = rp_pass_lifetime(plan, err);
  if (!status) status = rp_pass_schedule(plan, err);
  if (!status) status = rp_pass_place(plan, err);
  if (!status) status = rp_pass_hazards(plan, err);
  if (!status) status = rp_pass_levels(plan, err);
  if (!status) rp_plan_finish(plan);
  return status;
}

static void add_info(rp_plan_info *sum, const rp_plan_info *i) {
  if (i->memory_level > sum->memory_level) sum->memory_level = i->memory_level;
  if (i->levels > sum->levels) sum->levels = i->levels;
  sum->slots = i->slots;
  sum->constant_bytes += i->constant_bytes;
  sum->borrowed_bytes += i->borrowed_bytes;
  sum->once_bytes += i->once_bytes;
  sum->arena_bytes += i->arena_bytes;
  sum->staging_bytes += i->staging_bytes;
  sum->io_bytes += i->io_bytes;
  sum->parameter_bytes += i->parameter_bytes;
  sum->host_bytes += i->host_bytes;
  sum->total_bytes += i->total_bytes;
  sum->nodes += i->nodes;
  sum->dispatches += i->dispatches;
  sum->once_dispatches += i->once_dispatches;
  sum->edges += i->edges;
}

/* The plan in which composite operations are expanded for a memory level. The pieces have levels of their own. */
static rp_status plan_at(rp_device *group, const rp_graph *graph, const rp_record_options *options, bool record,
                         uint32_t memory_level, rp_plan **plan, rp_error *err) {
  rp_record_options o = *options;
  rp_plan *p = NULL;
  o.flags &= ~(uint32_t)RP_RECORD_PROFILE; /* of the pieces, not of the shell, which does nothing */
  rp_status status = rp_plan_begin(group, graph, &o, memory_level, &p, err);
  if (!status) status = rp_pass_check(p, err);
  if (!status) status = place_borders(p, err);
  if (!status) {
    p->options.flags = options->flags;
    status = make_pieces(p, record, err);
    p->options.flags = o.flags;
  }
  if (status) {
    rp_group_plan_destroy(p);
    return status;
  }
  for (uint32_t i = 0; i < p->pieces->n; i++) add_info(&p->info, &p->pieces->items[i].info);
  if (p->info.memory_level < memory_level) p->info.memory_level = memory_level;
  *plan = p;
  return RP_OK;
}

rp_status rp_group_plan_create(rp_device *group, const rp_graph *graph, const rp_record_options *options, bool record,
                               rp_plan **plan, rp_error *err) {
  *plan = NULL;
  rp_status status = RP_ERR_BUDGET;
  for (uint32_t level = options->min_memory_level; level <= options->max_memory_level && status == RP_ERR_BUDGET;
       level++)
    status = plan_at(group, graph, options, record, level, plan, err);
  return status;
}

rp_status rp_group_record(rp_device *group, const rp_graph *graph, const rp_record_options *options,
                          rp_recording **recording, rp_error *err) {
  rp_plan *plan;
  rp_status status = rp_group_plan_create(group, graph, options, 1, &plan, err);
  if (status) return status;
  rp_pieces *pieces = plan->pieces;
  status = rp_recording_of_shell(plan, recording, err);
  if (status) rp_pieces_free(pieces);
  return status;
}

/* ---- Questions --------------------------------------------------------------------------------------------------- */

static void give_devices(const rp_pieces *pieces, rp_group_plan *plan) {
  rp_plan_info sums[RP_GROUP_MOST] = {{0}};
  uint32_t counts[RP_GROUP_MOST] = {0};
  for (uint32_t i = 0; i < pieces->n; i++) {
    add_info(&sums[pieces->items[i].device], &pieces->items[i].info);
    counts[pieces->items[i].device]++;
  }
  const uint32_t step = plan->devices ? plan->devices[0].struct_size : 0;
  for (uint32_t d = 0; d < pieces->group->n_members; d++) {
    rp_plan_info *to = plan->devices ? (rp_plan_info *)(void *)((char *)plan->devices + (size_t)d * step) : NULL;
    if (to) {
      to->struct_size = step; /* that of the first entry holds for all */
      rp_info_write(to, &sums[d], sizeof sums[d]);
    }
    if (plan->pieces) plan->pieces[d] = counts[d];
    if (plan->speeds) plan->speeds[d] = atomic_load(&pieces->group->members[d]->speed);
  }
}

static void give_copies(const rp_pieces *pieces, rp_group_plan *plan) {
  const uint32_t step = plan->capacity && plan->copies ? plan->copies[0].struct_size : 0;
  plan->n_copies = 0;
  for (uint32_t i = 0; i < pieces->n; i++)
    for (uint32_t k = 0; k < pieces->items[i].n_inputs; k++) {
      const rp_piece_input *in = &pieces->items[i].inputs[k];
      const uint32_t n = plan->n_copies++;
      if (!step || n >= plan->capacity) continue;
      rp_copy_info *to = (rp_copy_info *)(void *)((char *)plan->copies + (size_t)n * step);
      const rp_copy_info found = {.struct_size = step,
                                  .from = in->piece == RP_NONE ? RP_ON_HOST : pieces->items[in->piece].device,
                                  .to = pieces->items[i].device,
                                  .route = in->route,
                                  .bytes = in->bytes,
                                  .name = pieces->items[i].graph->values[in->value.id - 1].name};
      to->struct_size = step;
      rp_info_write(to, &found, sizeof found);
    }
}

/* Reads what the caller has set, and writes the answer. */
static rp_status give(const rp_pieces *pieces, rp_group_plan *plan, const char *function, rp_error *err) {
  rp_group_plan p;
  if (!rp_options_read(&p, sizeof p, plan))
    return rp_fail(err, RP_ERR_ARGUMENT, "%s: plan.struct_size is not set", function);
  if ((p.capacity && !p.copies) || (p.devices && !p.devices[0].struct_size) || (p.capacity && !p.copies[0].struct_size))
    return rp_fail(err, RP_ERR_ARGUMENT,
                   "%s: copies is NULL, or the struct_size of its or the devices' first entry is not set", function);
  p.n_devices = pieces->group->n_members;
  give_devices(pieces, &p);
  give_copies(pieces, &p);
  rp_info_write(plan, &p, sizeof p);
  return RP_OK;
}

rp_status rp_group_plan_query(rp_device *group, const rp_graph *graph, const rp_record_options *options,
                              rp_group_plan *plan, rp_error *err) {
  rp_plan *made;
  if (!group || !graph || !plan) return rp_fail_null(err, "rp_group_plan_query");
  if (!group->members)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_group_plan_query: %s:%u is not a group of devices", group->backend->name,
                   group->info.index);
  rp_record_options o;
  rp_status status = rp_device_check(group, err);
  if (!status) status = rp_record_options_read(&o, options, "rp_group_plan_query", err);
  if (!status) status = rp_group_plan_create(group, graph, &o, 0, &made, err);
  if (status) return status;
  status = give(made->pieces, plan, "rp_group_plan_query", err);
  rp_group_plan_destroy(made);
  return status;
}

rp_status rp_recording_get_group_plan(const rp_recording *recording, rp_group_plan *plan, rp_error *err) {
  if (!recording || !plan) return rp_fail_null(err, "rp_recording_get_group_plan");
  if (!recording->plan->pieces)
    return rp_fail(err, RP_ERR_ARGUMENT, "%s was not recorded for a group of devices", recording->plan->graph->name);
  return give(recording->plan->pieces, plan, "rp_recording_get_group_plan", err);
}

rp_recording *rp_recording_piece(rp_recording *recording, uint32_t index, uint32_t *device) {
  const rp_pieces *pieces = recording ? recording->plan->pieces : NULL;
  if (!pieces || index >= pieces->n) return NULL;
  if (device) *device = pieces->items[index].device;
  return pieces->items[index].recording;
}
