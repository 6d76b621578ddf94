/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "tamper.h"

#include "rpk_file.h"

#include <string.h>

struct tampered {
  rpk_file file;
  const g16_family *family;
  const rp_curve_host *g1, *g2;
  uint64_t s, r; /* scalars */
};

static uint8_t *section(const tampered *t, g16_file_id id) { return rpk_array(&t->file, id); }
static uint8_t *g1_at(const tampered *t, g16_file_id id, uint64_t i) {
  return section(t, id) + i * t->g1->affine_bytes;
}
static uint8_t *g2_at(const tampered *t, g16_file_id id, uint64_t i) {
  return section(t, id) + i * t->g2->affine_bytes;
}
static uint8_t *a_at(const tampered *t, uint64_t i) { return g1_at(t, G16_FILE_VECTOR_A, i); }
static uint8_t *b1_at(const tampered *t, uint64_t i) { return g1_at(t, G16_FILE_VECTOR_B1, i); }
static uint8_t *b2_at(const tampered *t, uint64_t i) { return g2_at(t, G16_FILE_VECTOR_B2, i); }
static uint8_t *c_at(const tampered *t, uint64_t i) { return g1_at(t, G16_FILE_VECTOR_C, i); }
static uint8_t *vk_delta(const tampered *t) {
  return section(t, G16_FILE_VK) + t->g1->affine_bytes + 2 * t->g2->affine_bytes;
}

static void set_bit(const tampered *t, g16_file_id id, uint64_t i, int on) {
  uint32_t *words = (uint32_t *)section(t, id);
  words[i / 32] &= ~(1u << i % 32);
  words[i / 32] |= (uint32_t)on << i % 32;
}

/* value + modulus, which is the same field element. */
static void unreduce(uint8_t *value, const rp_field_host *field) {
  const uint32_t n = field->size_bytes / field->degree;
  uint32_t carry = 0;
  for (uint32_t i = 0; i < n; i++) {
    carry += (uint32_t)value[i] + field->modulus_le[i];
    value[i] = (uint8_t)carry;
    carry >>= 8;
  }
}

/* Moves to the next x for which there is a point. On these curves few such points are in the subgroup. */
static void leave_subgroup(const rp_curve_host *curve, uint8_t *point) {
  const rp_field_host *field = rp_field_get(curve->base);
  uint64_t one[12], candidate[24], *y = candidate + curve->affine_bytes / 16;
  memcpy(candidate, point, curve->affine_bytes);
  field->one(one);
  do {
    uint64_t cube[12], generator[24], b[12];
    field->add(candidate, candidate, one);
    curve->generator(generator); /* b = y^2 - x^3 */
    field->sqr(b, generator + curve->affine_bytes / 16);
    field->sqr(cube, generator);
    field->mul(cube, cube, generator);
    field->sub(b, b, cube);
    field->sqr(cube, candidate);
    field->mul(cube, cube, candidate);
    field->add(cube, cube, b);
    if (!field->sqrt(y, cube)) memset(y, 0, curve->affine_bytes / 2);
  } while (!curve->on_curve(candidate) || curve->in_subgroup(candidate));
  memcpy(point, candidate, curve->affine_bytes);
}

static void zero_g1(const tampered *t, uint8_t *point) { memset(point, 0, t->g1->affine_bytes); }
static void zero_g2(const tampered *t, uint8_t *point) { memset(point, 0, t->g2->affine_bytes); }

static void a_r_infinity(tampered *t) { zero_g1(t, a_at(t, t->r)); }
static void b2_s_infinity(tampered *t) { zero_g2(t, b2_at(t, t->s)); }
/* Makes pi_a a function of the witness alone, while proofs still verify. */
static void blinding_out(tampered *t) {
  a_r_infinity(t);
  memset(section(t, G16_FILE_VECTOR_B1), 0, t->file.table[G16_FILE_VECTOR_B1].size_bytes);
}
static void blinding_out_whole(tampered *t) {
  blinding_out(t);
  b2_s_infinity(t);
  set_bit(t, G16_FILE_SUPPORT_A, t->r, 0);
  set_bit(t, G16_FILE_SUPPORT_B, t->s, 0);
}
static void support_a_r(tampered *t) { set_bit(t, G16_FILE_SUPPORT_A, t->r, 0); }
static void support_b_s(tampered *t) { set_bit(t, G16_FILE_SUPPORT_B, t->s, 0); }
static void support_both(tampered *t) {
  support_a_r(t);
  support_b_s(t);
}
static void support_a_s(tampered *t) { set_bit(t, G16_FILE_SUPPORT_A, t->s, 1); }
static void support_b_r(tampered *t) { set_bit(t, G16_FILE_SUPPORT_B, t->r, 1); }
static void support_c_s(tampered *t) { set_bit(t, G16_FILE_SUPPORT_C, t->s, 1); }
static void support_c_r(tampered *t) { set_bit(t, G16_FILE_SUPPORT_C, t->r, 1); }
static void support_c_public(tampered *t) { set_bit(t, G16_FILE_SUPPORT_C, t->file.header->n_public, 1); }
static void support_a_0(tampered *t) { set_bit(t, G16_FILE_SUPPORT_A, 0, 0); }
static void support_b_0(tampered *t) { set_bit(t, G16_FILE_SUPPORT_B, 0, 0); }
static void support_behind(tampered *t) { set_bit(t, G16_FILE_SUPPORT_C, t->r + 1, 1); }
static void a_r_generator(tampered *t) { t->g1->generator(a_at(t, t->r)); }
static void a_r_negative(tampered *t) { t->g1->neg(a_at(t, t->r), a_at(t, t->r)); }
static void b2_s_generator(tampered *t) { t->g2->generator(b2_at(t, t->s)); }
static void b2_s_twice(tampered *t) { t->g2->add(b2_at(t, t->s), b2_at(t, t->s), b2_at(t, t->s)); }
static void delta_2_generator(tampered *t) {
  t->g2->generator(b2_at(t, t->s));
  t->g2->generator(vk_delta(t));
}
static void a_r_off_curve(tampered *t) { a_at(t, t->r)[0] ^= 1; }
static void a_r_outside(tampered *t) { leave_subgroup(t->g1, a_at(t, t->r)); }
static void delta_2_outside(tampered *t) {
  leave_subgroup(t->g2, vk_delta(t));
  memcpy(b2_at(t, t->s), vk_delta(t), t->g2->affine_bytes);
}
static void a_r_unreduced(tampered *t) { unreduce(a_at(t, t->r), rp_field_get(t->g1->base)); }
static void b2_s_unreduced(tampered *t) { unreduce(b2_at(t, t->s), rp_field_get(t->g2->base)); }
static void delta_2_unreduced(tampered *t) {
  b2_s_unreduced(t);
  unreduce(vk_delta(t), rp_field_get(t->g2->base));
}
static void ic_unreduced(tampered *t) { unreduce(g1_at(t, G16_FILE_IC, 0), rp_field_get(t->g1->base)); }
static void a_s_delta(tampered *t) { memcpy(a_at(t, t->s), a_at(t, t->r), t->g1->affine_bytes); }
static void b1_s_delta(tampered *t) { memcpy(b1_at(t, t->s), a_at(t, t->r), t->g1->affine_bytes); }
static void b1_r_delta(tampered *t) { memcpy(b1_at(t, t->r), a_at(t, t->r), t->g1->affine_bytes); }
static void b2_r_delta(tampered *t) { memcpy(b2_at(t, t->r), b2_at(t, t->s), t->g2->affine_bytes); }
static void c_s_delta(tampered *t) { memcpy(c_at(t, t->s), a_at(t, t->r), t->g1->affine_bytes); }
static void c_r_delta(tampered *t) { memcpy(c_at(t, t->r), a_at(t, t->r), t->g1->affine_bytes); }
static void c_public(tampered *t) { memcpy(c_at(t, 1), a_at(t, t->r), t->g1->affine_bytes); }
static void b1_0_generator(tampered *t) { t->g1->generator(b1_at(t, 0)); }
static void b2_0_generator(tampered *t) { t->g2->generator(b2_at(t, 0)); }
static void a_0_off_curve(tampered *t) { a_at(t, 0)[0] ^= 1; }
static void a_0_outside(tampered *t) { leave_subgroup(t->g1, a_at(t, 0)); }
static void b2_0_outside(tampered *t) { leave_subgroup(t->g2, b2_at(t, 0)); }
static void h_unreduced(tampered *t) { unreduce(g1_at(t, G16_FILE_VECTOR_H, 1), rp_field_get(t->g1->base)); }
static void a_unreduced(tampered *t) { unreduce(a_at(t, 1), rp_field_get(t->g1->base)); }
static void b2_unreduced(tampered *t) { unreduce(b2_at(t, t->s - 1), rp_field_get(t->g2->base)); }
static void value_unreduced(tampered *t) { unreduce(section(t, G16_FILE_B_VALUES), rp_field_get(t->family->fr)); }
static void h_off_curve(tampered *t) { g1_at(t, G16_FILE_VECTOR_H, 1)[0] ^= 1; }
static void h_last_off_curve(tampered *t) { g1_at(t, G16_FILE_VECTOR_H, t->file.header->domain - 1)[0] ^= 1; }
static void h_outside(tampered *t) { leave_subgroup(t->g1, g1_at(t, G16_FILE_VECTOR_H, 0)); }
static void a_off_curve(tampered *t) { a_at(t, 1)[0] ^= 1; }
static void b1_off_curve(tampered *t) { b1_at(t, t->s - 1)[0] ^= 1; }
static void c_outside(tampered *t) { leave_subgroup(t->g1, c_at(t, t->s - 1)); }
static void b2_outside(tampered *t) { leave_subgroup(t->g2, b2_at(t, t->s - 1)); }

const tamper_case tamper_cases[] = {
    {"a_r_infinity", "A at the blinding scalar r is the point at infinity", TAMPER_ALWAYS, 0, a_r_infinity},
    {"b2_s_infinity", "B2 at the blinding scalar s is the point at infinity", TAMPER_ALWAYS, 0, b2_s_infinity},
    {"blinding_out", "A at the blinding scalar r is the point at infinity", TAMPER_ALWAYS, 0, blinding_out},
    {"blinding_out_whole", "is the point at infinity, not delta", TAMPER_ALWAYS, 0, blinding_out_whole},
    {"support_a_r", "the support of A at the blinding scalar r leaves", TAMPER_ALWAYS, 0, support_a_r},
    {"support_b_s", "the support of B at the blinding scalar s leaves", TAMPER_ALWAYS, 0, support_b_s},
    {"support_both", "leaves its point out", TAMPER_ALWAYS, 0, support_both},
    {"support_a_s", "the support of A at the blinding scalar s asks", TAMPER_ALWAYS, 0, support_a_s},
    {"support_b_r", "the support of B at the blinding scalar r asks", TAMPER_ALWAYS, 0, support_b_r},
    {"support_c_s", "the support of C at the blinding scalar s asks", TAMPER_ALWAYS, 0, support_c_s},
    {"support_c_r", "the support of C at the blinding scalar r asks", TAMPER_ALWAYS, 0, support_c_r},
    {"support_c_public", "the support of C at wire", TAMPER_ALWAYS, 0, support_c_public},
    {"support_a_0", "the support of A at wire 0", TAMPER_ALWAYS, 0, support_a_0},
    {"support_b_0", "the support of B at wire 0", TAMPER_ALWAYS, 0, support_b_0},
    {"support_behind", "bits behind the last scalar", TAMPER_ALWAYS, 0, support_behind},
    {"a_r_generator", "A at the blinding scalar r is not the delta", TAMPER_ALWAYS, 0, a_r_generator},
    {"a_r_negative", "A at the blinding scalar r is not the delta", TAMPER_ALWAYS, 0, a_r_negative},
    {"b2_s_generator", "B2 at the blinding scalar s is not the delta", TAMPER_ALWAYS, 0, b2_s_generator},
    {"b2_s_twice", "B2 at the blinding scalar s is not the delta", TAMPER_ALWAYS, 0, b2_s_twice},
    {"delta_2_generator", "A at the blinding scalar r is not the delta", TAMPER_ALWAYS, 0, delta_2_generator},
    {"a_r_off_curve", "A at the blinding scalar r is not on the curve", TAMPER_ALWAYS, 0, a_r_off_curve},
    {"a_r_outside", "A at the blinding scalar r is not in the subgroup", TAMPER_ALWAYS, 1, a_r_outside},
    {"delta_2_outside", "vk_delta_2 is not in the subgroup", TAMPER_ALWAYS, 0, delta_2_outside},
    {"a_r_unreduced", "A at the blinding scalar r has a coordinate", TAMPER_ALWAYS, 0, a_r_unreduced},
    {"b2_s_unreduced", "B2 at the blinding scalar s is not the delta", TAMPER_ALWAYS, 0, b2_s_unreduced},
    {"delta_2_unreduced", "verification part is not below the prime q", TAMPER_ALWAYS, 0, delta_2_unreduced},
    {"ic_unreduced", "verification part is not below the prime q", TAMPER_ALWAYS, 0, ic_unreduced},
    {"a_s_delta", "A at the blinding scalar s is not the point at infinity", TAMPER_ALWAYS, 0, a_s_delta},
    {"b1_s_delta", "B1 at the blinding scalar s is not the point at infinity", TAMPER_ALWAYS, 0, b1_s_delta},
    {"b1_r_delta", "B1 at the blinding scalar r is not the point at infinity", TAMPER_ALWAYS, 0, b1_r_delta},
    {"b2_r_delta", "B2 at the blinding scalar r is not the point at infinity", TAMPER_ALWAYS, 0, b2_r_delta},
    {"c_s_delta", "C at the blinding scalar s is not the point at infinity", TAMPER_ALWAYS, 0, c_s_delta},
    {"c_r_delta", "C at the blinding scalar r is not the point at infinity", TAMPER_ALWAYS, 0, c_r_delta},
    {"c_public", "C at wire 1 is not the point at infinity", TAMPER_ALWAYS, 0, c_public},
    {"b1_0_generator", "B1 at wire 0 does not belong to that of B2", TAMPER_ALWAYS, 0, b1_0_generator},
    {"b2_0_generator", "B1 at wire 0 does not belong to that of B2", TAMPER_ALWAYS, 0, b2_0_generator},
    {"a_0_off_curve", "A at wire 0 is not on the curve", TAMPER_ALWAYS, 0, a_0_off_curve},
    {"a_0_outside", "A at wire 0 is not in the subgroup", TAMPER_ALWAYS, 1, a_0_outside},
    {"b2_0_outside", "B2 at wire 0 is not in the subgroup", TAMPER_ALWAYS, 0, b2_0_outside},
    {"h_unreduced", "a coordinate is not below the prime q", TAMPER_CHECKSUM, 0, h_unreduced},
    {"a_unreduced", "a coordinate is not below the prime q", TAMPER_CHECKSUM, 0, a_unreduced},
    {"b2_unreduced", "a coordinate is not below the prime q", TAMPER_CHECKSUM, 0, b2_unreduced},
    {"value_unreduced", "a coefficient is not below the group order r", TAMPER_CHECKSUM, 0, value_unreduced},
    {"h_off_curve", "curve", TAMPER_CHECKED, 0, h_off_curve},
    {"h_last_off_curve", "curve", TAMPER_CHECKED, 0, h_last_off_curve},
    {"h_outside", "subgroup", TAMPER_CHECKED, 1, h_outside},
    {"a_off_curve", "curve", TAMPER_CHECKED, 0, a_off_curve},
    {"b1_off_curve", "curve", TAMPER_CHECKED, 0, b1_off_curve},
    {"c_outside", "subgroup", TAMPER_CHECKED, 1, c_outside},
    {"b2_outside", "subgroup", TAMPER_CHECKED, 0, b2_outside},
};
const size_t tamper_count = sizeof tamper_cases / sizeof *tamper_cases;

void tamper_seal(uint8_t *data, size_t bytes) { rpk_seal(data, bytes); }

int tamper_apply(const tamper_case *c, uint8_t *data, size_t bytes) {
  tampered t = {.file = rpk_open(data, bytes)};
  t.family = g16_family_by_g1((rp_curve)t.file.header->curve);
  t.g1 = rp_curve_get(t.family->g1);
  t.g2 = rp_curve_get(t.family->g2);
  t.s = t.file.header->n_vars;
  t.r = t.s + 1;
  if (c->only_cofactor && t.g1->id == RP_CURVE_BN254_G1) return 0;
  c->apply(&t);
  tamper_seal(data, bytes);
  return 1;
}
