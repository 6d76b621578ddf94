/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "lower/lower.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

rp_status rp_draft_fail(const rp_draft *d, rp_status status, const char *format, ...) {
  if (d->err) {
    va_list args;
    va_start(args, format);
    d->err->status = status;
    vsnprintf(d->err->reason, sizeof d->err->reason, format, args);
    va_end(args);
  }
  return status;
}

const char *rp_field_of_id(uint32_t id) { return id < RP_FIELD_COUNT ? rp_field_name((rp_field)id) : NULL; }
const char *rp_curve_of_id(uint32_t id) { return id < RP_CURVE_COUNT ? rp_curve_name((rp_curve)id) : NULL; }

static bool is_integer(const rp_type *type) { return type->id == RP_TYPE_U256.id || type->id == RP_TYPE_U384.id; }

rp_status rp_shape_one_field(const rp_shape *s, rp_field *field) {
  for (uint32_t i = 0; i < s->n_in; i++) {
    if (!rp_type_is_field(s->in_type[i], field))
      return rp_shape_fail(s, RP_ERR_TYPE, "operand %u is of type %s, not of a field%s", i, s->in_type[i]->name,
                           is_integer(s->in_type[i]) ? "; rp_from_canonical makes field elements of integers" : "");
    if (s->in_type[i]->id != s->in_type[0]->id)
      return rp_shape_fail(s, RP_ERR_TYPE, "operand %u is of type %s, and operand 0 is of type %s", i,
                           s->in_type[i]->name, s->in_type[0]->name);
    if (s->in_len[i] > RP_MAX_LEN)
      return rp_shape_fail(s, RP_ERR_SHAPE, "operand %u has %llu elements, more than 2^32 - 1", i,
                           (unsigned long long)s->in_len[i]);
  }
  return RP_OK;
}

rp_status rp_shape_affine(const rp_shape *s, uint32_t i, rp_curve *curve) {
  if (rp_type_is_affine(s->in_type[i], curve)) return RP_OK;
  return rp_shape_fail(s, RP_ERR_TYPE, "the points are of type %s, not affine points%s", s->in_type[i]->name,
                       rp_type_is_accumulator(s->in_type[i], NULL) ? "; rp_to_affine makes them of accumulators" : "");
}

rp_status rp_shape_broadcast(const rp_shape *s, uint64_t *len) {
  *len = 1;
  for (uint32_t i = 0; i < s->n_in; i++)
    if (s->in_len[i] > *len) *len = s->in_len[i];
  for (uint32_t i = 0; i < s->n_in; i++)
    if (s->in_len[i] != 1 && s->in_len[i] != *len)
      return rp_shape_fail(s, RP_ERR_SHAPE,
                           "operand %u has %llu elements, and another one has %llu; they must be equal, or 1", i,
                           (unsigned long long)s->in_len[i], (unsigned long long)*len);
  return RP_OK;
}

void rp_shape_out(const rp_shape *s, uint32_t i, const rp_type *type, uint64_t len) {
  s->out_type[i] = type;
  s->out_len[i] = len;
}

rp_field rp_lower_field(const rp_lower *l, rp_value v) {
  rp_field field;
  const rp_type *type = rp_lower_type(l, v);
  return type && rp_type_is_field(type, &field) ? field : (rp_field)0;
}

rp_field rp_value_field(const rp_graph *g, rp_value v) {
  rp_field field;
  const rp_type *type = rp_value_type(g, v);
  return type && rp_type_is_field(type, &field) ? field : RP_FIELD_COUNT;
}

bool rp_lower_lanes(const rp_lower *l) {
  return rp_lower_device(l) == RP_DEVICE_CPU && (rp_lower_limits(l)->isa >> RP_ISA_X86_IFMA & 1u);
}

uint32_t rp_read_of_item(const rp_lower *l, rp_value out, rp_value operand) {
  return rp_lower_len(l, out) == rp_lower_len(l, operand) ? RP_READ | RP_IN_PLACE : RP_READ;
}

void rp_lower_blocks(rp_lower *l, const rp_kernel *kernel, uint64_t items, uint32_t grain, const void *args,
                     const rp_bind *binds) {
  rp_lower_dispatch(l, &(rp_dispatch){.kernel = kernel,
                                      .groups = {(uint32_t)items, 1, 1},
                                      .grain = grain,
                                      .binds = binds,
                                      .n_binds = kernel->n_binds,
                                      .args = args,
                                      .args_bytes = kernel->args_bytes});
}

uint32_t rp_lower_group(const rp_lower *l, const rp_kernel *kernel) {
  uint32_t group = 1;
  if (rp_lower_device(l) == RP_DEVICE_CUDA) group = kernel->cuda.block;
  if (rp_lower_device(l) == RP_DEVICE_VULKAN)
    for (group = kernel->vulkan.group; group > rp_lower_limits(l)->max_group;) group /= 2;
  return group ? group : 1;
}

void rp_lower_items(rp_lower *l, const rp_kernel *kernel, uint64_t items, uint32_t grain, const void *args,
                    const rp_bind *binds) {
  const uint32_t group = rp_lower_group(l, kernel);
  rp_lower_blocks(l, kernel, items / group + (items % group != 0), grain, args, binds);
}
