/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "data.h"

#include "device.h"

const uint64_t data_sizes[] = {1, 2, 3, 5, 8, 31, 64, 100, 255, 1023, 1025, 4097, 10007, 65536, 0};

/* splitmix64 (Steele, Lea, Flood 2014) */
uint64_t data_next(uint64_t *seed) {
  uint64_t z = *seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* Whole-byte runs of 00 and ff with a few odd bits. */
static void random_runs(uint64_t *seed, uint8_t *bytes, size_t n) {
  for (size_t i = 0; i < n;) {
    uint64_t r = data_next(seed);
    for (size_t run = 1 + r % 11, fill = r >> 8 & 1; run-- && i < n; i++) bytes[i] = fill ? 0xff : 0;
    if (r >> 9 & 1 && i < n) bytes[i++] = (uint8_t)(r >> 16);
  }
}

/* Cached, because an inversion on the host takes as long as a thousand additions. */
static void inverse_of_two(const rp_field_host *f, const void *two, void *r) {
  static uint64_t kept[RP_FIELD_COUNT][12];
  static uint8_t known[RP_FIELD_COUNT];
  if (!known[f->id]) f->inv(kept[f->id], two);
  known[f->id] = 1;
  memcpy(r, kept[f->id], f->size_bytes);
}

static void random_element(const rp_field_host *f, data_kind kind, uint64_t *seed, void *r) {
  uint64_t one[12], t[12];
  uint64_t choice = data_next(seed);
  f->one(one);
  if (kind == DATA_SPARSE) kind = choice % 8 ? DATA_SPARSE : DATA_RANDOM;
  if (kind == DATA_SPARSE) {
    if (choice >> 32 & 1)
      f->one(r);
    else
      f->zero(r);
    return;
  }
  if (kind == DATA_EQUAL || (kind == DATA_EDGES && choice % 8 == 3)) {
    f->neg(r, one);
    return;
  }
  if (kind == DATA_EDGES && choice % 8 < 3) {
    f->zero(r);
    for (uint64_t i = choice % 8; i; i--) f->add(r, r, one);
    return;
  }
  if (kind == DATA_EDGES && choice % 8 == 4) {
    f->add(t, one, one);
    inverse_of_two(f, t, r);
    if (choice >> 32 & 1) f->neg(r, r);
    return;
  }
  uint8_t bytes[64];
  uint32_t size = f->size_bytes / f->degree;
  const rp_field_host *base =
      f->degree == 1 ? f : rp_field_get(f->id == RP_FIELD_BN254_FP2 ? RP_FIELD_BN254_FP : RP_FIELD_BLS12_381_FP);
  for (uint32_t d = 0; d < f->degree; d++) {
    if (kind == DATA_EDGES)
      random_runs(seed, bytes, sizeof bytes);
    else
      for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)data_next(seed);
    base->from_bytes_reduce((uint8_t *)r + d * size, bytes, kind == DATA_EDGES ? size : sizeof bytes);
  }
}

void *data_field(rp_field field, data_kind kind, uint64_t seed, uint64_t n) {
  const rp_field_host *f = rp_field_get(field);
  uint8_t *out = malloc(n * f->size_bytes);
  assert_non_null(out);
  for (uint64_t i = 0; i < n; i++) random_element(f, kind, &seed, out + i * f->size_bytes);
  return out;
}

void *data_field_nonzero(rp_field field, data_kind kind, uint64_t seed, uint64_t n) {
  const rp_field_host *f = rp_field_get(field);
  uint8_t *out = data_field(field, kind, seed, n);
  for (uint64_t i = 0; i < n; i++)
    if (f->is_zero(out + i * f->size_bytes)) f->one(out + i * f->size_bytes);
  return out;
}

void *data_canonical(rp_field field, const void *elements, uint64_t n) {
  const rp_field_host *f = rp_field_get(field);
  uint8_t *out = malloc(n * f->canonical_bytes);
  assert_non_null(out);
  for (uint64_t i = 0; i < n; i++)
    f->to_canonical(out + i * f->canonical_bytes, (const uint8_t *)elements + i * f->size_bytes);
  return out;
}

void *data_from_canonical(rp_field field, const void *canonical, uint64_t n) {
  const rp_field_host *f = rp_field_get(field);
  uint8_t *out = malloc(n * f->size_bytes);
  assert_non_null(out);
  for (uint64_t i = 0; i < n; i++)
    assert_int_equal(f->from_canonical(out + i * f->size_bytes, (const uint8_t *)canonical + i * f->canonical_bytes),
                     1);
  return out;
}

void data_assert_equal(rp_field field, const void *got, const void *want, uint64_t n, const char *what) {
  const rp_field_host *f = rp_field_get(field);
  for (uint64_t i = 0; i < n; i++)
    if (memcmp((const uint8_t *)got + i * f->size_bytes, (const uint8_t *)want + i * f->size_bytes, f->size_bytes))
      fail_msg("%s, %s on %s: element %llu of %llu differs", what, f->name, device_name(), (unsigned long long)i,
               (unsigned long long)n);
}

uint64_t data_cap(uint64_t n) {
  const char *text = getenv("REPRISE_TEST_MAX_LOG");
  const uint64_t most = text && *text ? (uint64_t)1 << (strtoul(text, NULL, 10) & 63) : n;
  return device_cap(n < most ? n : most);
}

static rp_curve curve_of(const char *name, size_t length) {
  rp_curve curve = 0;
  while (curve < RP_CURVE_COUNT &&
         (strlen(rp_curve_get(curve)->name) != length || memcmp(rp_curve_get(curve)->name, name, length)))
    curve++;
  return curve;
}

rp_curve data_curve(rp_curve from) {
  const char *list = getenv("REPRISE_TEST_CURVES");
  if (!list) return from;
  rp_curve next = RP_CURVE_COUNT;
  for (size_t length; *list; list += length) {
    list += strspn(list, " ");
    length = strcspn(list, " ");
    const rp_curve named = curve_of(list, length);
    if (length && named == RP_CURVE_COUNT) fail_msg("REPRISE_TEST_CURVES: no curve %.*s", (int)length, list);
    if (length && named >= from && named < next) next = named;
  }
  return next;
}

int data_fits(uint64_t n) { return n && n == data_cap(n); }
