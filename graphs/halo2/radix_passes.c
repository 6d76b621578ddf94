/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The transform in passes of radix 2^8 (halo2.h). With p = 2^log_before, t = n / 2^log_radix and k = j mod p, workgroup
 * j of t reads x[j + i t] w^(n / (p 2^log_radix) k i), transforms these 2^log_radix elements, and writes result i to (j
 * - k) 2^log_radix + k + i p.
 */
#include "transform.h"

#include "job.h"

#include <reprise/view.h>
#include <string.h>

enum { LOG_RADIX_MOST = 8, LOG_N_MOST = 31 };

uint32_t rp_radix_passes(uint32_t log_n, rp_radix_pass passes[RP_RADIX_PASSES_MAX]) {
  uint32_t n = 0;
  if (log_n > LOG_N_MOST || !passes) return 0;
  for (uint32_t before = 0; before < log_n; n++) {
    const uint32_t left = log_n - before, radix = left < LOG_RADIX_MOST ? left : LOG_RADIX_MOST;
    passes[n] = (rp_radix_pass){
        .log_before = before, .log_radix = radix, .group = 1u << (radix - 1), .groups = (uint64_t)1 << (log_n - radix)};
    before += radix;
  }
  return n;
}

/* out[j 2^log_radix + i] = x[j + i t]: the order of a batch of transforms. */
static rp_value take(const halo2_transform *t, const rp_radix_pass *p, rp_value x, uint32_t *index) {
  const uint64_t radix = (uint64_t)1 << p->log_radix;
  for (uint64_t j = 0; j < p->groups; j++)
    for (uint64_t i = 0; i < radix; i++) index[j * radix + i] = (uint32_t)(j + i * p->groups);
  return rp_gather(t->g, x, rp_graph_constant(t->g, "take", &RP_TYPE_U32, p->groups * radix, index, 0));
}

static rp_value put(const halo2_transform *t, const rp_radix_pass *p, rp_value x, uint32_t *index) {
  const uint64_t radix = (uint64_t)1 << p->log_radix, before = (uint64_t)1 << p->log_before;
  for (uint64_t j = 0; j < p->groups; j++)
    for (uint64_t i = 0, k = j % before; i < radix; i++)
      index[(j - k) * radix + k + i * before] = (uint32_t)(j * radix + i);
  return rp_gather(t->g, x, rp_graph_constant(t->g, "put", &RP_TYPE_U32, p->groups * radix, index, 0));
}

/* w^(n / (p 2^log_radix) k i): powers of the root of order p 2^log_radix. */
static rp_value twist(const halo2_transform *t, const rp_radix_pass *p, rp_value x, uint8_t *twiddle) {
  const uint64_t radix = (uint64_t)1 << p->log_radix, before = (uint64_t)1 << p->log_before;
  const size_t bytes = t->f->size_bytes;
  uint64_t w[HALO2_ELEMENT_WORDS], ratio[HALO2_ELEMENT_WORDS];
  halo2_root(t, p->log_before + p->log_radix, w);
  t->f->one(ratio); /* w^k */
  for (uint64_t k = 0; k < before; k++, t->f->mul(ratio, ratio, w)) {
    uint8_t *first = twiddle + k * radix * bytes;
    t->f->one(first);
    for (uint64_t i = 1; i < radix; i++) t->f->mul(first + i * bytes, first + (i - 1) * bytes, ratio);
  }
  for (uint64_t j = before; j < p->groups; j++)
    memcpy(twiddle + j * radix * bytes, twiddle + j % before * radix * bytes, radix * bytes);
  return rp_mul(t->g, x, rp_graph_constant(t->g, "twiddles", rp_type_field(t->f->id), p->groups * radix, twiddle, 0));
}

rp_value rp_ntt_radix_passes(rp_graph *g, rp_value x, const rp_radix_options *options) {
  rp_radix_options o = {0};
  rp_radix_pass passes[RP_RADIX_PASSES_MAX];
  if (!options || graphs_options(&o, sizeof o, options, "radix passes", NULL) != RP_OK)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "radix passes: options->struct_size is not set");
  halo2_transform t = {.g = g, .root = o.root, .inverse = o.inverse};
  if (!halo2_transform_of(&t, x, "radix passes", 1)) return RP_NO_VALUE;
  const uint32_t n_passes = rp_radix_passes(t.log_n, passes);
  uint32_t *index = rp_context_alloc(rp_graph_context(g), sizeof *index << t.log_n);
  uint8_t *twiddle = rp_context_alloc(rp_graph_context(g), (size_t)t.f->size_bytes << t.log_n);
  if (!index || !twiddle) rp_graph_fail(g, RP_ERR_MEMORY, "radix passes: out of host memory");
  rp_scope_begin(g, "radix_passes");
  rp_scope_title(g, "Transform of 2^%u in %u passes", t.log_n, n_passes);
  for (uint32_t i = 0; i < n_passes && index && twiddle; i++) {
    x = take(&t, &passes[i], x, index);
    if (passes[i].log_before) x = twist(&t, &passes[i], x, twiddle);
    x = put(&t, &passes[i], halo2_parts(&t, x, passes[i].groups), index);
  }
  x = halo2_scaled(&t, x);
  rp_scope_end(g);
  rp_context_free(index);
  rp_context_free(twiddle);
  return x;
}
