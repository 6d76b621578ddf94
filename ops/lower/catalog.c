/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The catalog of the built-in element types and operations, for files that name them.
 */
#include "op_list.h"

#include "arith/types.h"

#include <reprise/ops.h>
#include <string.h>

#define FIELD(NAME, name, bytes, limbs, degree) &rp_types_of_fields[RP_FIELD_##NAME].type,
#define CURVE(NAME, name, base, scalar, weierstrass) \
  &rp_types_of_curves[RP_CURVE_##NAME].affine, &rp_types_of_curves[RP_CURVE_##NAME].accumulator,
static const rp_type *const types[] = {&RP_TYPE_U8,
                                       &RP_TYPE_U32,
                                       &RP_TYPE_U64,
                                       &RP_TYPE_U256,
                                       &RP_TYPE_U384,
                                       &rp_type_msm_scalars,
                                       RP_FIELD_LIST(FIELD) RP_CURVE_LIST(CURVE)};
#undef FIELD
#undef CURVE
enum { N_TYPES = sizeof types / sizeof *types };

const rp_type *rp_type_by_name(const char *name) {
  for (size_t i = 0; name && i < N_TYPES; i++)
    if (!strcmp(types[i]->name, name)) return types[i];
  return NULL;
}

const rp_catalog *rp_ops_catalog(void) {
#define OP(name) &rp_op_##name,
  static const rp_op *const ops[] = {RP_OP_LIST(OP)};
#undef OP
  static const rp_catalog catalog = {ops, types, sizeof ops / sizeof *ops, N_TYPES};
  return &catalog;
}
