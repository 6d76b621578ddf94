/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Compressed encodings of affine points, for transcripts.
 *
 * kernel compress compress/4 cpu:c gpu:128
 */
#include "lower/lower.h"

#include <reprise/transcript.h>

#include "points/compress_args.h"
#include "kernel_tables.h"

#include <stdio.h>
#include <string.h>

typedef struct params {
  rp_curve curve;
} params;

/* The format of a curve's encoding; false if there is none here. */
static bool format_of(rp_curve curve, uint32_t *format) {
  switch (curve) {
  case RP_CURVE_BN254_G1: *format = RP_COMPRESS_GNARK; return 1;
  case RP_CURVE_BLS12_381_G1: *format = RP_COMPRESS_ZCASH; return 1;
  case RP_CURVE_SECP256K1: *format = RP_COMPRESS_SEC1; return 1;
  case RP_CURVE_BANDERWAGON: *format = RP_COMPRESS_VERKLE; return 1;
  default: return 0;
  }
}

static rp_status check(const rp_draft *d) {
  const params *p = d->params;
  uint32_t format;
  if (format_of(p->curve, &format)) return RP_OK;
  return rp_draft_fail(d, RP_ERR_UNSUPPORTED, "points of %s have no compressed encoding here", rp_curve_name(p->curve));
}

static rp_status shape(const rp_shape *s) {
  const params *p = s->params;
  const rp_type *integers = rp_type_canonical(rp_curve_base_field(p->curve));
  const uint64_t bytes = rp_point_compressed_bytes(p->curve), points = s->in_len[0] / 2;
  if (s->in_type[0]->id != integers->id)
    return rp_shape_fail(s, RP_ERR_TYPE, "the coordinates are of type %s, not %s", s->in_type[0]->name, integers->name);
  if (s->in_len[0] % 2 || points > RP_MAX_LEN / bytes)
    return rp_shape_fail(s, RP_ERR_SHAPE, "%llu coordinates are not those of up to 2^32 / %llu points",
                         (unsigned long long)s->in_len[0], (unsigned long long)bytes);
  rp_shape_out(s, 0, &RP_TYPE_U8, points * bytes);
  return RP_OK;
}

static rp_status fill_modulus(const void *user, void *dst, uint64_t len) {
  const rp_field_host *f = rp_field_get(*(const rp_field *)user);
  (void)len;
  memcpy(dst, f->modulus_le, f->canonical_bytes);
  return RP_OK;
}

static rp_status lower(rp_lower *l) {
  const params *p = rp_lower_params(l);
  const rp_field base = rp_curve_base_field(p->curve);
  const rp_value in = rp_lower_in(l, 0);
  const rp_type *integers = rp_lower_type(l, in);
  struct rp_compress_args args = {
      .n = (uint32_t)(rp_lower_len(l, in) / 2), .size_words = integers->size_bytes / 4, .site = rp_lower_site(l)};
  char key[64];
  format_of(p->curve, &args.format);
  snprintf(key, sizeof key, "compress/modulus/%s", rp_field_name(base));
  const rp_bind binds[] = {RP_BIND(rp_lower_out(l, 0), RP_WRITE), RP_BIND(in, RP_READ),
                           RP_BIND(rp_lower_constant(l, key, integers, 1, fill_modulus, &base, sizeof base), RP_READ),
                           RP_BIND(rp_lower_error(l), RP_READ_WRITE | RP_ATOMIC)};
  rp_lower_items(l, &rp_kernel_compress, args.n, rp_grain(60), &args, binds);
  return RP_OK;
}

static const rp_strategy strategy = {.name = "points", .devices = RP_ON_ANY, .lower = lower};
const rp_op rp_op_compress = {.struct_size = sizeof(rp_op),
                              .flags = RP_OP_PURE,
                              .name = "compress",
                              .params_bytes = sizeof(params),
                              .shape = shape,
                              .strategies = &strategy,
                              .n_strategies = 1,
                              .schema =
                                  RP_SCHEMA(.least_in = 1, .check = check, RP_PARAMS(RP_PARAM_CURVE(params, curve)))};

rp_value rp_compress(rp_graph *g, rp_value affine) {
  params p;
  uint32_t format;
  if (!rp_value_check(g, affine, "compress", "the operand")) return RP_NO_VALUE;
  if (!rp_type_is_affine(rp_value_type(g, affine), &p.curve))
    return rp_graph_fail(g, RP_ERR_TYPE, "compress: the points are of type %s, not affine points",
                         rp_value_type(g, affine)->name);
  if (!format_of(p.curve, &format))
    return rp_graph_fail(g, RP_ERR_UNSUPPORTED,
                         "compress: points of %s have no compressed encoding here; bn254_g1, bls12_381_g1, secp256k1 "
                         "and banderwagon have",
                         rp_curve_name(p.curve));
  const rp_value coordinates = rp_to_canonical(g, rp_point_coordinates(g, affine));
  return rp_graph_node(g, &rp_op_compress, &p, &coordinates, 1, NULL, 1);
}
