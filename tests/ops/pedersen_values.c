/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "pedersen_values.h"

#include "device.h"
#include "kat.h"

static void set_u64(uint8_t *s, uint64_t x) { memcpy(s, &x, 8); }

/* SHA-256 twice over label, width, batch and index, as an integer mod r. */
static void derived(const char *label, uint32_t width, uint32_t batch, uint32_t i, uint8_t *s) {
  uint8_t m[64];
  uint64_t x[4];
  size_t at = strlen(label);
  memcpy(m, label, at);
  at = kat_put_u32be(m, at, width);
  at = kat_put_u32be(m, at, batch);
  at = kat_put_u32be(m, at, i);
  kat_hash_wide(RP_FIELD_BANDERSNATCH_FR, m, at, x);
  rp_field_get(RP_FIELD_BANDERSNATCH_FR)->to_canonical(s, x);
}

void pedersen_value(const json *e, uint32_t width, uint32_t i, uint8_t *s) {
  const rp_field_host *f = rp_field_get(RP_FIELD_BANDERSNATCH_FR);
  const char *name = json_get(e, "name")->text;
  const json *values = json_get(e, "values");
  uint64_t t[4], two[4];
  memset(s, 0, 32);
  if (!strncmp(name, "ones", 4)) {
    s[0] = 1;
  } else if (!strncmp(name, "index", 5)) {
    set_u64(s, i);
  } else if (!strncmp(name, "minus_one", 9)) {
    f->one(t), f->neg(t, t), f->to_canonical(s, t);
  } else if (!strncmp(name, "max128", 6)) {
    memset(s, 0xff, 16);
  } else if (!strncmp(name, "half_plus", 9)) { /* (r + 1) / 2 = 1 / 2 */
    f->one(two), f->add(two, two, two), f->inv(t, two), f->to_canonical(s, t);
  } else if (!strncmp(name, "one_hot_", 8)) {
    s[0] = i == strtoul(name + 8, NULL, 10);
  } else if (!strncmp(name, "half_zero", 9)) {
    if (i < 128) set_u64(s, i + 1);
  } else if (!strncmp(name, "sparse", 6)) {
    if (i % 4 == 0) derived("pedersen-sparse", width, 0, i, s);
  } else if (!strncmp(name, "rand", 4)) {
    derived("pedersen-v1", width, (uint32_t)json_u64(json_get(values, "batch")), i, s);
  } else if (strncmp(name, "zeros", 5)) {
    fail_msg("values of an unknown kind: %s", name);
  }
}
