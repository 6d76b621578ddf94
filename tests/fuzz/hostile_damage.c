/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "hostile.h"

#include "groth16/formats/json.h"
#include "ops/torsion.h"

#include <stdlib.h>
#include <string.h>

/* Ends the program if a table and the fixtures do not fit together. */
static void need(int condition) {
  if (!condition) abort();
}

static uint32_t u32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static uint64_t u64(const uint8_t *p) { return u32(p) | (uint64_t)u32(p + 4) << 32; }
static void put(uint8_t *p, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) p[i] = (uint8_t)(value >> 8 * i);
}

/* The offset of a section's header. The section exists, because every damage starts with a good file. */
static size_t header_of(const hostile_buffer *b, uint64_t section) {
  size_t at = 12;
  while (u32(b->data + at) != section) {
    at += 12 + u64(b->data + at + 4);
    need(at < b->size);
  }
  return at;
}

static uint8_t *place(hostile_buffer *b, uint64_t section, uint64_t offset, uint64_t bytes) {
  size_t at = section ? header_of(b, section) + 12 : 0;
  need(at + offset + bytes <= b->size);
  return b->data + at + offset;
}

/* Makes `old_bytes` bytes at `at` longer or shorter; new bytes are zero. */
static void resize(hostile_buffer *b, size_t at, size_t old_bytes, size_t new_bytes) {
  size_t tail = b->size - at - old_bytes;
  uint8_t *data = malloc(at + new_bytes + tail + 1);
  need(data != NULL);
  memcpy(data, b->data, at);
  memset(data + at, 0, new_bytes);
  memcpy(data + at, b->data + at, old_bytes < new_bytes ? old_bytes : new_bytes);
  memcpy(data + at + new_bytes, b->data + at + old_bytes, tail);
  free(b->data);
  b->data = data;
  b->size = at + new_bytes + tail;
}

void damage_none(hostile_buffer *b, uint64_t x, uint64_t y, uint64_t z) { (void)b, (void)x, (void)y, (void)z; }
void damage_u32(hostile_buffer *b, uint64_t section, uint64_t offset, uint64_t value) {
  put(place(b, section, offset, 4), value, 4);
}
void damage_u64(hostile_buffer *b, uint64_t section, uint64_t offset, uint64_t value) {
  put(place(b, section, offset, 8), value, 8);
}
void damage_length(hostile_buffer *b, uint64_t section, uint64_t value, uint64_t z) {
  (void)z;
  put(b->data + header_of(b, section) + 4, value, 8);
}
void damage_ones(hostile_buffer *b, uint64_t section, uint64_t offset, uint64_t bytes) {
  memset(place(b, section, offset, bytes), 0xff, bytes);
}
void damage_zero(hostile_buffer *b, uint64_t section, uint64_t offset, uint64_t bytes) {
  memset(place(b, section, offset, bytes), 0, bytes);
}
void damage_flip(hostile_buffer *b, uint64_t section, uint64_t offset, uint64_t mask) {
  *place(b, section, offset, 1) ^= (uint8_t)mask;
}
void damage_copy(hostile_buffer *b, uint64_t section, uint64_t to, uint64_t from) {
  memmove(place(b, section, to, 32), place(b, section, from, 32), 32);
}
void damage_cut(hostile_buffer *b, uint64_t bytes, uint64_t y, uint64_t z) {
  (void)y, (void)z;
  b->size = bytes;
}
void damage_cut_section(hostile_buffer *b, uint64_t section, uint64_t where, uint64_t z) {
  (void)z;
  size_t header = header_of(b, section), content = u64(b->data + header + 4);
  const size_t at[] = {header, header + 5, header + 12, header + 12 + content / 2, header + 12 + content - 1};
  b->size = at[where];
}
void damage_resize(hostile_buffer *b, uint64_t section, uint64_t bytes, uint64_t z) {
  (void)z;
  size_t header = header_of(b, section);
  resize(b, header + 12, u64(b->data + header + 4), bytes);
  put(b->data + header + 4, bytes, 8);
}
void damage_drop(hostile_buffer *b, uint64_t section, uint64_t y, uint64_t z) {
  (void)y, (void)z;
  size_t header = header_of(b, section);
  resize(b, header, 12 + u64(b->data + header + 4), 0);
  put(b->data + 8, u32(b->data + 8) - 1, 4);
}
void damage_repeat(hostile_buffer *b, uint64_t section, uint64_t y, uint64_t z) {
  (void)y, (void)z;
  size_t header = header_of(b, section), bytes = 12 + u64(b->data + header + 4), at = b->size;
  resize(b, at, 0, bytes);
  memcpy(b->data + at, b->data + header, bytes);
  put(b->data + 8, u32(b->data + 8) + 1, 4);
}
void damage_add(hostile_buffer *b, uint64_t section, uint64_t value, uint64_t z) {
  (void)z;
  size_t at = b->size;
  resize(b, at, 0, 16);
  put(b->data + at, section, 4);
  put(b->data + at + 4, 4, 8);
  put(b->data + at + 12, value, 4);
  put(b->data + 8, u32(b->data + 8) + 1, 4);
}
void damage_append(hostile_buffer *b, uint64_t bytes, uint64_t y, uint64_t z) {
  (void)y, (void)z;
  resize(b, b->size, 0, bytes);
}

static size_t find(const hostile_buffer *b, const char *text) {
  const uint8_t *at = memmem(b->data, b->size, text, strlen(text));
  need(at != NULL);
  return (size_t)(at - b->data);
}
void damage_text(hostile_buffer *b, uint64_t x, uint64_t y, uint64_t z) {
  (void)x, (void)y, (void)z;
  size_t at = find(b, b->from), bytes = strlen(b->to);
  resize(b, at, strlen(b->from), bytes);
  memcpy(b->data + at, b->to, bytes);
}
void damage_text_cut(hostile_buffer *b, uint64_t x, uint64_t y, uint64_t z) {
  (void)x, (void)y, (void)z;
  b->size = find(b, b->from);
}
void damage_whole(hostile_buffer *b, uint64_t x, uint64_t y, uint64_t z) {
  (void)x, (void)y, (void)z;
  size_t bytes = strlen(b->to);
  resize(b, 0, b->size, bytes);
  memcpy(b->data, b->to, bytes);
}
void damage_deep(hostile_buffer *b, uint64_t depth, uint64_t y, uint64_t z) {
  (void)y, (void)z;
  resize(b, 0, b->size, depth);
  memset(b->data, '[', depth);
}

/* A point outside the subgroup: the first x of 1, 2, 3 ... for which there is one. b of y^2 = x^3 + b is computed from
 * a known point. */
static void point_outside(rp_curve id, const void *known, uint64_t out[24]) {
  const rp_curve_host *curve = rp_curve_get(id);
  const rp_field_host *field = rp_field_get(curve->base);
  uint64_t b[12], x[12], cube[12], one[12], point[24];
  uint8_t *y = (uint8_t *)out + field->size_bytes;
  memcpy(point, known, curve->affine_bytes);
  const uint8_t *known_y = (const uint8_t *)point + field->size_bytes;
  field->sqr(cube, point);
  field->mul(cube, cube, point);
  field->sqr(b, known_y);
  field->sub(b, b, cube);
  field->one(one);
  memcpy(x, one, sizeof x);
  for (;; field->add(x, x, one)) {
    field->sqr(cube, x);
    field->mul(cube, cube, x);
    field->add(cube, cube, b);
    if (!field->sqrt(y, cube)) continue;
    memcpy(out, x, field->size_bytes);
    need(curve->on_curve(out));
    if (!curve->in_subgroup(out)) return;
  }
}

void damage_subgroup(hostile_buffer *b, uint64_t section, uint64_t offset, uint64_t curve) {
  uint64_t point[24];
  uint32_t bytes = rp_curve_get((rp_curve)curve)->affine_bytes;
  uint8_t *at = place(b, section, offset, bytes);
  point_outside((rp_curve)curve, at, point);
  memcpy(at, point, bytes);
}

void damage_torsion(hostile_buffer *b, uint64_t section, uint64_t offset, uint64_t curve) {
  uint64_t point[24], torsion[24];
  const rp_curve_host *host = rp_curve_get((rp_curve)(curve & 255));
  uint8_t *at = place(b, section, offset, host->affine_bytes);
  memcpy(point, at, host->affine_bytes);
  torsion_point(host->id, curve >> 8, 1, torsion);
  host->add(point, point, torsion);
  memcpy(at, point, host->affine_bytes);
}

void damage_proof_subgroup(hostile_buffer *b, uint64_t member, uint64_t y, uint64_t z) {
  (void)y, (void)z;
  rp_groth16_proof proof;
  support_text text = {0};
  uint64_t point[24];
  rp_status status = g16_proof_read("fixture", (const char *)b->data, b->size, &proof, NULL);
  need(status == RP_OK);
  rp_curve curve = member == 'b' ? proof.g2 : proof.g1;
  uint8_t *at = member == 'a' ? proof.a : member == 'b' ? proof.b : proof.c;
  point_outside(curve, at, point);
  memcpy(at, point, rp_curve_get(curve)->affine_bytes);
  status = g16_proof_write(&proof, &text, NULL);
  need(status == RP_OK);
  free(b->data);
  b->data = (uint8_t *)text.data;
  b->size = text.length;
}
