/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The extended coset of a halo2 domain.
 */
#include <stdbool.h>
#include <reprise/halo2.h>

#include <string.h>

#include "extended.h"

const rp_field_host *extended_read(rp_graph *g, rp_field field, const rp_extended_domain *given,
                                   rp_extended_domain *d) {
  const rp_field_host *f = rp_field_get(field);
  uint64_t root[12];
  const char *wrong = !given                                       ? "the domain is NULL"
                      : !rp_options_read(d, sizeof *d, given)      ? "the domain's struct_size is not set"
                      : !f || f->degree != 1                       ? "the values are not of a prime field"
                      : d->k > d->extended_k || d->extended_k > 31 ? "k and extended_k do not fit"
                      : !f->root(root, d->root, d->extended_k)     ? "the field has no such root of unity"
                      : !f->from_canonical(root, d->shift)         ? "the shift is not below the modulus"
                      : f->is_zero(root)                           ? "the shift is zero"
                                                                   : NULL;
  if (!wrong) return f;
  rp_graph_fail(g, RP_ERR_ARGUMENT, "extended coset: %s", wrong);
  return NULL;
}

static rp_field field_of(rp_graph *g, rp_value v) {
  rp_field field = RP_FIELD_COUNT;
  const rp_type *type = rp_value_type(g, v);
  return type && rp_type_is_field(type, &field) ? field : RP_FIELD_COUNT;
}

static rp_value transform(rp_graph *g, rp_value v, const rp_extended_domain *d, uint32_t inverse) {
  rp_ntt_options o = {.struct_size = sizeof o, .root = d->root, .inverse = inverse, .coset = RP_COSET_SHIFT};
  memcpy(o.shift, d->shift, sizeof o.shift);
  return rp_ntt(g, v, &o);
}

rp_value rp_coeff_to_extended(rp_graph *g, rp_value coefficients, const rp_extended_domain *domain) {
  rp_extended_domain d;
  if (!rp_value_check(g, coefficients, "extended coset", "coefficients")) return RP_NO_VALUE;
  if (!extended_read(g, field_of(g, coefficients), domain, &d)) return RP_NO_VALUE;
  if (rp_value_len(g, coefficients) != (uint64_t)1 << d.k)
    return rp_graph_fail(g, RP_ERR_SHAPE, "extended coset: %llu coefficients, not 2^%u",
                         (unsigned long long)rp_value_len(g, coefficients), d.k);
  return transform(g, rp_pad(g, coefficients, (uint64_t)1 << d.extended_k), &d, 0);
}

rp_value rp_extended_to_coeff(rp_graph *g, rp_value values, const rp_extended_domain *domain, uint64_t len) {
  rp_extended_domain d;
  if (!rp_value_check(g, values, "extended coset", "values")) return RP_NO_VALUE;
  if (!extended_read(g, field_of(g, values), domain, &d)) return RP_NO_VALUE;
  const uint64_t m = (uint64_t)1 << d.extended_k;
  if (rp_value_len(g, values) != m || len > m)
    return rp_graph_fail(g, RP_ERR_SHAPE, "extended coset: %llu values on it, not 2^%u, or %llu coefficients wanted",
                         (unsigned long long)rp_value_len(g, values), d.extended_k, (unsigned long long)len);
  rp_value all = transform(g, values, &d, 1);
  return len && len < m ? rp_slice(g, all, 0, len) : all;
}

/* Writes the inverses of (shift w^i)^n - 1 for one period. 0 if one of them is zero. */
static bool fill_period(const rp_field_host *f, const rp_extended_domain *d, uint64_t period, uint8_t *table) {
  uint64_t x[12], w[12], one[12];
  f->from_canonical(x, d->shift);
  f->root(w, d->root, d->extended_k);
  for (uint32_t i = 0; i < d->k; i++) f->sqr(x, x), f->sqr(w, w);
  f->one(one);
  for (uint64_t i = 0; i < period; i++, f->mul(x, x, w)) {
    void *at = table + i * f->size_bytes;
    f->sub(at, x, one);
    if (f->is_zero(at)) return 0;
    f->inv(at, at);
  }
  return 1;
}

rp_value extended_vanishing_period(rp_graph *g, rp_field field, const rp_extended_domain *domain) {
  rp_extended_domain d;
  const rp_field_host *f = extended_read(g, field, domain, &d);
  if (!f) return RP_NO_VALUE;
  const uint64_t period = (uint64_t)1 << (d.extended_k - d.k);
  uint8_t *table = rp_context_alloc(rp_graph_context(g), period * f->size_bytes);
  if (!table) return rp_graph_fail(g, RP_ERR_MEMORY, "extended coset: out of host memory");
  const rp_value result =
      fill_period(f, &d, period, table)
          ? rp_graph_constant(g, "t_inverse", rp_type_field(field), period, table, 0)
          : rp_graph_fail(g, RP_ERR_ARGUMENT, "extended coset: it meets the domain, where X^n - 1 is zero");
  rp_context_free(table);
  return result;
}

rp_value rp_vanishing_inverse(rp_graph *g, rp_field field, const rp_extended_domain *domain) {
  const rp_value table = extended_vanishing_period(g, field, domain);
  if (!table.id) return RP_NO_VALUE;
  const uint64_t period = rp_value_len(g, table), m = period << domain->k;
  uint32_t *index = rp_context_alloc(rp_graph_context(g), m * sizeof *index);
  if (!index) return rp_graph_fail(g, RP_ERR_MEMORY, "extended coset: out of host memory");
  for (uint64_t i = 0; i < m; i++) index[i] = (uint32_t)(i & (period - 1));
  const rp_value result = rp_gather(g, table, rp_graph_constant(g, "t_inverse.index", &RP_TYPE_U32, m, index, 0));
  rp_context_free(index);
  return result;
}
