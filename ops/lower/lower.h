/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What shape rules and lowerings of the built-in operations share.
 */
#ifndef REPRISE_OPS_LOWER_H
#define REPRISE_OPS_LOWER_H

#include <stdbool.h>
#include <reprise/ops.h>
#include <reprise/rewrite.h>
#include <reprise/schema.h>

#include "kernel/bits.h"
#include "op_list.h"

/* Kernels count elements in 32 bits. */
#define RP_MAX_LEN ((uint64_t)UINT32_MAX)

/* How often the memory level halves what scratch may take: levels that differ in tables alone have the same. */
static inline uint32_t rp_lower_halvings(const rp_lower *l) {
  const uint32_t level = rp_lower_memory_level(l);
  return level < RP_MEMORY_MORE ? 0 : level - RP_MEMORY_MORE;
}

/* Schemas: RP_SCHEMA(.least_in = 2, RP_PARAMS(...), .check = ...), a pointer to a constant. */
#define RP_SCHEMA(...) (&(const rp_schema){.struct_size = sizeof(rp_schema), __VA_ARGS__})
#define RP_PARAMS(...) \
  .params = (const rp_param[]){__VA_ARGS__}, .n_params = sizeof((const rp_param[]){__VA_ARGS__}) / sizeof(rp_param)
/* Members that hold a number up to `most`, any number (of 64 bits), 0 or 1, a field, a curve. */
#define RP_PARAM_UPTO(type, member, least, most) RP_PARAM(RP_PARAM_UINT, type, member, least, most)
#define RP_PARAM_ANY(type, member) RP_PARAM(RP_PARAM_UINT, type, member, 0, UINT64_MAX)
#define RP_PARAM_FLAG(type, member) RP_PARAM(RP_PARAM_UINT, type, member, 0, 1)
/* A flag that version `added` of the operation added; nodes of earlier ones have 0. */
#define RP_PARAM_FLAG_SINCE(added, type, member)                                        \
  {                                                                                     \
    .name = #member, .kind = RP_PARAM_UINT, .offset = (uint32_t)offsetof(type, member), \
    .bytes = (uint32_t)sizeof(((type *)0)->member), .since = added, .most = 1           \
  }
#define RP_PARAM_FIELD(type, member) RP_PARAM_NAMED(type, member, 0, RP_FIELD_COUNT - 1, rp_field_of_id)
#define RP_PARAM_CURVE(type, member) RP_PARAM_NAMED(type, member, 0, RP_CURVE_COUNT - 1, rp_curve_of_id)
const char *rp_field_of_id(uint32_t id);
const char *rp_curve_of_id(uint32_t id);
/* Writes the reason, as printf does, and returns `status`: for rp_schema.check. */
rp_status rp_draft_fail(const rp_draft *d, rp_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* RP_OK if all inputs are of one field, which *field receives, and no input is longer than RP_MAX_LEN. */
rp_status rp_shape_one_field(const rp_shape *s, rp_field *field);
/* RP_OK if all inputs have the same length or length 1; *len receives the longest. */
rp_status rp_shape_broadcast(const rp_shape *s, uint64_t *len);
/* RP_OK if operand i is of affine points (and their curve). */
rp_status rp_shape_affine(const rp_shape *s, uint32_t i, rp_curve *curve);
/* Sets the type and the length of output i. */
void rp_shape_out(const rp_shape *s, uint32_t i, const rp_type *type, uint64_t len);

/* The field of a value's type. A lowering that has failed continues with RP_NO_VALUE and emits nothing; the first field
 * is returned then, so that tables may be indexed by the result. */
rp_field rp_lower_field(const rp_lower *l, rp_value v);
/* The same for a value of a graph; RP_FIELD_COUNT if its type is not of a field. */
rp_field rp_value_field(const rp_graph *g, rp_value v);

/* How an element-wise kernel reads an operand of a dispatch that writes the whole of `out`: result i may take the place
 * of element i (RP_IN_PLACE), unless the operand is broadcast. */
uint32_t rp_read_of_item(const rp_lower *l, rp_value out, rp_value operand);

/* The strongest variant of the kernel that this machine's processor can run, for functions that fill constants; NULL if
 * the build has none. The kernel may look at the worker only if it gets one. */
rp_cpu_fn rp_host_variant(const rp_kernel *kernel);

/* Threads per workgroup of the kernel on this device. 1 on a CPU, and if there is no variant for the device, which the
 * engine refuses. */
uint32_t rp_lower_group(const rp_lower *l, const rp_kernel *kernel);
/* Adds a dispatch of `items` work items: items on a CPU, enough workgroups for one thread per item on a GPU. `binds`
 * has the kernel's own number of entries. `grain` is the least number of items that is worth a chunk on a CPU. */
void rp_lower_items(rp_lower *l, const rp_kernel *kernel, uint64_t items, uint32_t grain, const void *args,
                    const rp_bind *binds);

/* The same if each item is the work of a whole workgroup. */
void rp_lower_blocks(rp_lower *l, const rp_kernel *kernel, uint64_t items, uint32_t grain, const void *args,
                     const rp_bind *binds);
/* The bind of a value that may be RP_NO_VALUE. Then the kernel gets NULL as the address; it must not use it, and some
 * other argument tells it so. */
static inline rp_bind rp_bind_optional(rp_value v, uint32_t access) {
  return v.id ? RP_BIND(v, access) : RP_BIND(RP_NO_VALUE, RP_ABSENT);
}
/* Dispatches of other operations, for lowerings that need them as a step. `out` is written whole: out[i] = scale *
 * base^i, where RP_NO_VALUE as scale means 1, and out[i] = x[index[i]]. */
void rp_lower_powers(rp_lower *l, rp_value out, rp_value base, rp_value scale);
void rp_lower_gather(rp_lower *l, rp_value out, rp_value x, rp_value index);
/* Whether CPU kernels that have such a variant process eight elements at a time. */
bool rp_lower_lanes(const rp_lower *l);
static inline bool rp_lower_on_gpu(const rp_lower *l) { return (RP_ON_GPU & RP_ON(rp_lower_device(l))) != 0; }

/* How many items of about item_ns nanoseconds make a chunk on a CPU long enough. Waking a worker and the bookkeeping of
 * a chunk take 2 to 5 us (measured), so that chunks of 50 us keep the loss below a tenth. */
static inline uint32_t rp_grain(uint32_t item_ns) {
  uint32_t grain = 50000u / (item_ns ? item_ns : 1);
  return grain ? grain : 1;
}

#endif
