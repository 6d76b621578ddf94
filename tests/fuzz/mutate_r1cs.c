/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Mutations of .r1cs files that keep the container intact, so that they reach what lies behind it: sections change
 * together with their lengths, and constraints are added and removed with their number in the header. One mutation in
 * four is libFuzzer's own, of all bytes.
 */
#include "fuzz.h"

#include "formats/family.h"

enum { HEADER = 1, CONSTRAINTS = 2, SECTION_HEAD = 12, FILE_HEAD = 12, TERM = 36, COUNTS = 36, N_CONSTRAINTS = 60 };

typedef struct file {
  uint8_t *data;
  size_t size, most;
} file;

static uint64_t state;

static uint64_t below(uint64_t n) {
  state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
  return n ? (state * 0x2545f4914f6cdd1du >> 16) % n : 0;
}

static uint32_t get_u32(const uint8_t *p) {
  uint32_t v;
  memcpy(&v, p, sizeof v);
  return v;
}

static void add_u32(uint8_t *p, uint32_t by) {
  const uint32_t v = get_u32(p) + by;
  memcpy(p, &v, sizeof v);
}

/* The offset of the first section with this id whose content lies inside the file; 0 if there is none. */
static size_t find(const file *f, uint32_t id, size_t *bytes) {
  for (size_t at = FILE_HEAD; at + SECTION_HEAD <= f->size; at += SECTION_HEAD + *bytes) {
    uint64_t length;
    memcpy(&length, f->data + at + 4, sizeof length);
    if (length > f->size - at - SECTION_HEAD) return 0;
    *bytes = (size_t)length;
    if (get_u32(f->data + at) == id) return at;
  }
  return 0;
}

/* Replaces `gone` bytes, at a place inside the content of the section at `head`, by n others. */
static int splice(file *f, size_t head, size_t at, size_t gone, const uint8_t *with, size_t n) {
  uint64_t length;
  if (f->size - gone + n > f->most) return 0;
  memmove(f->data + at + n, f->data + at + gone, f->size - at - gone);
  memcpy(f->data + at, with, n);
  f->size = f->size - gone + n;
  memcpy(&length, f->data + head + 4, sizeof length);
  length = length - gone + n;
  memcpy(f->data + head + 4, &length, sizeof length);
  return 1;
}

/* Finds where constraint `index` begins and ends. Returns 0 if the section ends before it. */
static int constraint(const file *f, size_t content, size_t bytes, uint32_t index, size_t place[3], size_t *end) {
  size_t at = content;
  for (uint32_t i = 0; i <= index; i++)
    for (int m = 0; m < 3; m++) {
      place[m] = at;
      if (at + 4 > content + bytes || get_u32(f->data + at) > (content + bytes - at - 4) / TERM) return 0;
      at += 4 + (size_t)get_u32(f->data + at) * TERM;
    }
  *end = at;
  return 1;
}

static void change_count(file *f, size_t header) {
  static const uint32_t by[] = {1, UINT32_MAX, 2, 0x80000000u, 0x7fffffffu};
  uint8_t *count = f->data + header + SECTION_HEAD + COUNTS + 4 * below(7);
  if (below(2))
    add_u32(count, by[below(5)]);
  else
    memcpy(count, f->data + header + SECTION_HEAD + COUNTS + 4 * below(7), 4);
}

static void change_constraint(file *f, size_t header, size_t section, size_t bytes) {
  uint8_t copy[4096];
  size_t place[3], end;
  const size_t content = section + SECTION_HEAD;
  uint8_t *n = f->data + header + SECTION_HEAD + N_CONSTRAINTS;
  const uint32_t count = get_u32(n), index = (uint32_t)below(count < 64 ? count : 64);
  if (count == 0 || !constraint(f, content, bytes, index, place, &end)) return;
  const size_t size = end - place[0];
  const int moves_header = header > section; /* the header lies behind the section that grows or shrinks */
  uint32_t by = 0;
  switch (below(3)) {
  case 0: /* adds a copy of the constraint */
    if (size > sizeof copy) return;
    memcpy(copy, f->data + place[0], size);
    if (!splice(f, section, place[0], 0, copy, size)) return;
    header += moves_header ? size : 0;
    by = 1;
    break;
  case 1:
    if (!splice(f, section, place[0], size, copy, 0)) return;
    header -= moves_header ? size : 0;
    by = UINT32_MAX;
    break;
  default: { /* adds or removes a term */
    const size_t lc = place[below(3)];
    const uint32_t terms = get_u32(f->data + lc);
    if (terms && below(2)) {
      if (splice(f, section, lc + 4, TERM, copy, 0)) add_u32(f->data + lc, UINT32_MAX);
    } else {
      memset(copy, 0, TERM);
      if (terms) memcpy(copy, f->data + lc + 4, TERM);
      if (splice(f, section, lc + 4, 0, copy, TERM)) add_u32(f->data + lc, 1);
    }
    return;
  }
  }
  add_u32(f->data + header + SECTION_HEAD + N_CONSTRAINTS, by);
}

static void change_term(file *f, size_t header, size_t section, size_t bytes) {
  size_t place[3], end;
  const uint32_t count = get_u32(f->data + header + SECTION_HEAD + N_CONSTRAINTS);
  if (!count || !constraint(f, section + SECTION_HEAD, bytes, (uint32_t)below(count < 64 ? count : 64), place, &end))
    return;
  const size_t lc = place[below(3)];
  const uint32_t terms = get_u32(f->data + lc), wires = get_u32(f->data + header + SECTION_HEAD + COUNTS);
  if (!terms) return;
  uint8_t *term = f->data + lc + 4 + below(terms) * TERM;
  const uint32_t wire[] = {0, 1, wires - 1, wires};
  memcpy(term, &wire[below(4)], 4);
  /* The value is the prime, which is one too large. */
  if (below(2)) memcpy(term + 4, f->data + header + SECTION_HEAD + 4, 32);
  if (below(2)) add_u32(term + 4, UINT32_MAX);
}

/* Bytes inside one section, changed by libFuzzer. */
static void change_bytes(file *f, size_t section, size_t bytes) {
  uint8_t copy[4096];
  if (bytes > sizeof copy) return;
  memcpy(copy, f->data + section + SECTION_HEAD, bytes);
  const size_t n = LLVMFuzzerMutate(copy, bytes, sizeof copy);
  splice(f, section, section + SECTION_HEAD, bytes, copy, n);
}

static void other_prime(file *f, size_t header) {
  const g16_family *family = g16_family_by_g1(below(2) ? RP_CURVE_BN254_G1 : RP_CURVE_BLS12_381_G1);
  memcpy(f->data + header + SECTION_HEAD + 4, rp_field_get(family->fr)->modulus_le, 32);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed) {
  file f = {data, size, most};
  size_t header_bytes = 0, bytes = 0, any_bytes = 0;
  state = (uint64_t)seed << 1 | 1;
  const uint64_t choice = below(8);
  const size_t header = find(&f, HEADER, &header_bytes), section = find(&f, CONSTRAINTS, &bytes);
  if (choice < 2 || !header || header_bytes < N_CONSTRAINTS + 4 || !section) return LLVMFuzzerMutate(data, size, most);
  const size_t any = find(&f, (uint32_t)(1 + below(5)), &any_bytes);
  switch (choice) {
  case 2: change_count(&f, header); break;
  case 3:
  case 4: change_constraint(&f, header, section, bytes); break;
  case 5: change_term(&f, header, section, bytes); break;
  case 6: other_prime(&f, header); break;
  default:
    if (any) change_bytes(&f, any, any_bytes);
  }
  return f.size;
}
