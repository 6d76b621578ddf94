/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "transform.h"

enum { MOST_LOG = 31 }; /* indices are 32 bits */

bool halo2_transform_of(halo2_transform *t, rp_value x, const char *name, uint32_t least_log) {
  const rp_type *type = rp_value_type(t->g, x);
  const uint64_t n = rp_value_len(t->g, x);
  rp_field field = RP_FIELD_COUNT;
  uint64_t w[HALO2_ELEMENT_WORDS];
  if (!rp_value_check(t->g, x, name, "the operand")) return 0;
  if (!rp_type_is_field(type, &field) || rp_field_get(field)->degree != 1)
    return rp_graph_fail(t->g, RP_ERR_TYPE, "%s: the values are not of a prime field", name), 0;
  t->f = rp_field_get(field);
  for (t->log_n = 0; t->log_n < 32 && (uint64_t)1 << t->log_n < n;) t->log_n++;
  if (n != (uint64_t)1 << t->log_n || t->log_n < least_log || t->log_n > MOST_LOG)
    return rp_graph_fail(t->g, RP_ERR_SHAPE, "%s: %llu elements, not a power of two from %u to 2^%d", name,
                         (unsigned long long)n, 1u << least_log, MOST_LOG),
           0;
  if (!t->f->root(w, t->root, t->log_n))
    return rp_graph_fail(t->g, RP_ERR_ARGUMENT, "%s: %s has no root of order 2^%u in that convention", name, t->f->name,
                         t->log_n),
           0;
  return 1;
}

void halo2_root(const halo2_transform *t, uint32_t log_n, uint64_t w[HALO2_ELEMENT_WORDS]) {
  t->f->root(w, t->root, log_n);
  if (t->inverse) t->f->inv(w, w);
}

rp_value halo2_parts(const halo2_transform *t, rp_value x, uint64_t batch) {
  return rp_ntt(t->g, x,
                &(rp_ntt_options){.struct_size = sizeof(rp_ntt_options),
                                  .root = t->root,
                                  .inverse = t->inverse,
                                  .batch = batch,
                                  .no_scale = 1});
}

rp_value halo2_element(const halo2_transform *t, const char *name, const void *data) {
  return rp_graph_constant(t->g, name, rp_type_field(t->f->id), 1, data, 0);
}

rp_value halo2_scaled(const halo2_transform *t, rp_value y) {
  uint64_t scale[HALO2_ELEMENT_WORDS];
  uint8_t count[4];
  if (!t->inverse) return y;
  for (int i = 0; i < 4; i++) count[i] = (uint8_t)(((uint64_t)1 << t->log_n) >> 8 * i);
  t->f->from_bytes_reduce(scale, count, sizeof count);
  t->f->inv(scale, scale);
  return rp_mul(t->g, y, halo2_element(t, "1/n", scale));
}
