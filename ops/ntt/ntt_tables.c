/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Tables of the NTT. Constant ones are filled on the host, and nodes that ask with the same key share them; the factors
 * of a coset whose shift is a value are computed in each run.
 */
#include <stdio.h>

#include "ntt/ntt.h"

#include "vector/pointwise_args.h"
#include "kernel_tables.h"

enum { MAX_ELEMENT = 96 };

struct twiddle_key {
  rp_field field;
  rp_root root;
  uint32_t log_n;
};

/* out[i] = a[i] * by for n elements, with the kernel if there are enough of them and it is not NULL. */
static void multiply(const rp_field_host *f, rp_cpu_fn kernel, uint8_t *out, const uint8_t *a, const void *by,
                     uint64_t n) {
  const struct rp_binary_args args = {.out = out, .a = a, .b = by, .n = (uint32_t)n, .a_step = 1};
  if (kernel && n >= 8)
    kernel(&args, 0, n, NULL);
  else
    for (uint64_t i = 0; i < n; i++) f->mul(out + i * f->size_bytes, a + i * f->size_bytes, by);
}

/* Element i of a table of 2^log_len is start * ratio^j, where j is i, or i with its log_len bits reversed. */
struct powers {
  const rp_field_host *f;
  uint32_t log_len;
  bool reversed;
  const void *start, *ratio;
};

/* Elements [first, first + 2^log_n), where first is a multiple of their number. Works by doubling: bit k of i, which is
 * bit k or bit log_len - 1 - k of j, multiplies by by_bit[k]. */
static void fill_block(const struct powers *p, uint64_t by_bit[][MAX_ELEMENT / 8], uint8_t *out, uint64_t first,
                       uint32_t log_n) {
  const size_t size = p->f->size_bytes;
  const rp_cpu_fn kernel = rp_host_variant(&rp_kernels_vec_mul[p->f->id]);
  memcpy(out, p->start, size);
  for (uint32_t k = log_n; k < p->log_len; k++)
    if (first >> k & 1) p->f->mul(out, out, by_bit[k]);
  for (uint32_t k = 0; k < log_n; k++) multiply(p->f, kernel, out + (size << k), out, by_bit[k], (uint64_t)1 << k);
}

static void fill_powers(const struct powers *p, uint8_t *out, uint64_t first, uint64_t len) {
  uint64_t by_bit[32][MAX_ELEMENT / 8];
  for (uint32_t k = 0; k < p->log_len; k++) {
    const uint32_t bit = p->reversed ? p->log_len - 1 - k : k, before = p->reversed ? bit + 1 : bit - 1;
    if (k == 0)
      memcpy(by_bit[bit], p->ratio, p->f->size_bytes);
    else
      p->f->sqr(by_bit[bit], by_bit[before]);
  }
  for (uint64_t end = first + len; first < end;) {
    uint32_t log_n = 0;
    while (log_n < p->log_len && !(first >> log_n & 1) && first + ((uint64_t)2 << log_n) <= end) log_n++;
    fill_block(p, by_bit, out, first, log_n);
    out += p->f->size_bytes << log_n;
    first += (uint64_t)1 << log_n;
  }
}

static rp_status fill_twiddles(const void *user, void *dst, uint64_t first, uint64_t len) {
  const struct twiddle_key *key = user;
  const rp_field_host *f = rp_field_get(key->field);
  uint64_t one[MAX_ELEMENT / 8], root[MAX_ELEMENT / 8];
  f->one(one);
  f->one(root);
  if (key->log_n && !f->root(root, key->root, key->log_n)) return RP_ERR_SHAPE;
  const struct powers p = {f, key->log_n ? key->log_n - 1 : 0, 1, one, root};
  fill_powers(&p, dst, first, len);
  return RP_OK;
}

rp_value rp_ntt_twiddles(rp_lower *l, rp_field field, rp_root root, uint32_t log_n) {
  struct twiddle_key key = {field, root, log_n};
  char name[96];
  snprintf(name, sizeof name, "ntt/twiddles/%s/%u/%u", rp_field_name(field), (unsigned)root, log_n);
  return rp_lower_constant_parts(l, name, rp_type_field(field), log_n ? (uint64_t)1 << (log_n - 1) : 1, fill_twiddles,
                                 &key, sizeof key);
}

struct factor_key {
  rp_field field;
  uint32_t log_n, bit_reversed;
  uint64_t first[MAX_ELEMENT / 8], ratio[MAX_ELEMENT / 8];
};

static rp_status fill_factors(const void *user, void *dst, uint64_t first, uint64_t len) {
  const struct factor_key *key = user;
  const struct powers p = {rp_field_get(key->field), key->log_n, key->bit_reversed, key->first, key->ratio};
  fill_powers(&p, dst, first, len); /* a factor that is the same for all elements is the first one */
  return RP_OK;
}

/* r = 1 / 2^log_n */
static void scale_of(const rp_field_host *f, uint32_t log_n, void *r) {
  uint64_t two[MAX_ELEMENT / 8];
  f->one(two);
  f->add(two, two, two);
  f->one(r);
  for (uint32_t i = 0; i < log_n; i++) f->mul(r, r, two);
  f->inv(r, r);
}

static rp_status fill_scale(const void *user, void *dst, uint64_t len) {
  const struct factor_key *key = user;
  (void)len;
  scale_of(rp_field_get(key->field), key->log_n, dst);
  return RP_OK;
}

static rp_status fill_reversal(const void *user, void *dst, uint64_t len) {
  const uint32_t log_n = *(const uint32_t *)user;
  uint32_t *index = dst;
  (void)len;
  index[0] = 0;
  for (uint32_t k = 0; k < log_n; k++)
    for (uint64_t i = 0; i < (uint64_t)1 << k; i++) index[((uint64_t)1 << k) + i] = index[i] | 1u << (log_n - 1 - k);
  return RP_OK;
}

/* The factors of a coset whose shift is a value (operand 1; for inverse transforms, its inverse). */
static rp_value computed_factors(rp_lower *l, const struct factor_key *key, bool scaled) {
  const rp_type *type = rp_type_field(key->field);
  const uint64_t n = (uint64_t)1 << key->log_n;
  char name[96];
  rp_value scale = RP_NO_VALUE;
  snprintf(name, sizeof name, "ntt/scale/%s/%u", type->name, key->log_n);
  if (scaled) scale = rp_lower_constant(l, name, type, 1, fill_scale, key, sizeof *key);
  const rp_value powers = rp_lower_scratch(l, "factors", type, n);
  rp_lower_powers(l, powers, rp_lower_in(l, 1), scale);
  if (!key->bit_reversed) return powers;
  snprintf(name, sizeof name, "ntt/reversal/%u", key->log_n);
  const rp_value index = rp_lower_constant(l, name, &RP_TYPE_U32, n, fill_reversal, &key->log_n, sizeof key->log_n);
  const rp_value reversed = rp_lower_scratch(l, "factors reversed", type, n);
  rp_lower_gather(l, reversed, powers, index);
  return reversed;
}

bool rp_ntt_factors(rp_lower *l, rp_field field, const struct ntt_params *p, uint32_t log_n, rp_value *factors,
                    uint32_t *step) {
  const rp_field_host *f = rp_field_get(field);
  const bool scaled = p->inverse && !p->no_scale && log_n, computed = rp_lower_n_in(l) == 2;
  if (!scaled && !computed && p->coset == RP_COSET_NONE) return 0;
  struct factor_key key = {.field = field, .log_n = log_n};
  *step = computed || p->coset != RP_COSET_NONE;
  key.bit_reversed = *step && (p->inverse ? p->out_order : p->in_order) == RP_ORDER_BIT_REVERSED;
  if (computed) {
    *factors = computed_factors(l, &key, scaled);
    return 1;
  }
  f->one(key.first);
  f->one(key.ratio);
  if (scaled) scale_of(f, log_n, key.first);
  if (p->coset == RP_COSET_ROOT_2N) f->root(key.ratio, p->root, log_n + 1);
  if (p->coset == RP_COSET_SHIFT) f->from_canonical(key.ratio, p->shift);
  if (p->inverse) f->inv(key.ratio, key.ratio);

  char name[256];
  int at =
      snprintf(name, sizeof name, "ntt/factors/%s/%u/%u/%d/", rp_field_name(field), log_n, key.bit_reversed, scaled);
  const uint8_t *ratio = (const uint8_t *)key.ratio;
  for (uint32_t i = 0; i < f->size_bytes && at + 3 < (int)sizeof name; i++, at += 2)
    snprintf(name + at, sizeof name - (size_t)at, "%02x", ratio[i]);
  *factors = rp_lower_constant_parts(l, name, rp_type_field(field), *step ? (uint64_t)1 << log_n : 1, fill_factors,
                                     &key, sizeof key);
  return 1;
}
