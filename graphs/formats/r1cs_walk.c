/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reads the constraints of an r1cs file one after another through a window, which grows to the longest of them.
 */
#include "r1cs.h"

#include "fail.h"

#include <inttypes.h>
#include <stdlib.h>

enum { CONSTRAINTS = 2, WINDOW_BYTES = 1 << 20 };

typedef struct walker {
  const g16_r1cs *r1cs;
  const uint8_t *r;
  uint8_t *window; /* holds bytes [at, at + held) of the section */
  uint64_t capacity, at, held, used;
  uint32_t constraint;
} walker;

static rp_status refuse(const walker *w, const char *why, uint64_t value, rp_error *err) {
  return support_fail(err, RP_ERR_FORMAT,
                      "%s: section 2 (constraints), constraint %" PRIu32 " near byte %" PRIu64 ": %s (%" PRIu64 ").",
                      support_file_name(w->r1cs->bin.file), w->constraint,
                      w->r1cs->bin.section[CONSTRAINTS].offset + w->at + w->used, why, value);
}

/* Makes sure that the window holds `bytes` bytes from its beginning. */
static rp_status hold(walker *w, uint64_t bytes, rp_error *err) {
  if (bytes <= w->held) return RP_OK;
  uint64_t section = w->r1cs->bin.section[CONSTRAINTS].size_bytes;
  if (bytes > section - w->at)
    return refuse(w, "it goes on behind the end of the section, bytes missing", bytes - (section - w->at), err);
  if (bytes > w->capacity) {
    uint64_t capacity = bytes + bytes / 2;
    uint8_t *window = capacity <= SIZE_MAX ? realloc(w->window, (size_t)capacity) : NULL;
    if (!window)
      return support_fail(err, RP_ERR_MEMORY, "Out of memory: %" PRIu64 " bytes for a constraint.", capacity);
    w->window = window;
    w->capacity = capacity;
  }
  uint64_t want = section - w->at < w->capacity ? section - w->at : w->capacity;
  rp_status status =
      g16_section_read(&w->r1cs->bin, CONSTRAINTS, w->at + w->held, want - w->held, w->window + w->held, err);
  if (status == RP_OK) w->held = want;
  return status;
}

static void drop_used(walker *w) {
  w->at += w->used;
  w->held -= w->used;
  memmove(w->window, w->window + w->used, (size_t)w->held);
  w->used = 0;
}

static rp_status check_terms(const walker *w, const uint8_t *term, uint32_t n, rp_error *err) {
  for (uint32_t i = 0; i < n; i++, term += G16_TERM_BYTES) {
    if (g16_u32(term) >= w->r1cs->n_wires) return refuse(w, "there is no such wire", g16_u32(term), err);
    if (!g16_below(term + 4, w->r, 32))
      return refuse(w, "the coefficient is not below the prime r, wire", g16_u32(term), err);
  }
  return RP_OK;
}

/* Reads one constraint, which begins at `used`. The window may move while it grows, so positions are kept instead of
 * pointers. */
static rp_status take_constraint(walker *w, g16_lc abc[3], rp_error *err) {
  uint64_t place[3], end = w->used;
  for (int m = 0; m < 3; m++) {
    rp_status status = hold(w, end + 4, err);
    if (status != RP_OK) return status;
    abc[m].n = g16_u32(w->window + end);
    place[m] = end + 4;
    end = place[m] + (uint64_t)abc[m].n * G16_TERM_BYTES;
    status = hold(w, end, err);
    if (status == RP_OK) status = check_terms(w, w->window + place[m], abc[m].n, err);
    if (status != RP_OK) return status;
  }
  for (int m = 0; m < 3; m++) abc[m].term = w->window + place[m];
  w->used = end;
  return RP_OK;
}

rp_status g16_r1cs_walk(const g16_r1cs *r1cs, g16_constraint_fn fn, void *arg, rp_error *err) {
  walker w = {.r1cs = r1cs, .r = rp_field_get(r1cs->family->fr)->modulus_le, .capacity = WINDOW_BYTES};
  w.window = malloc(WINDOW_BYTES);
  if (!w.window) return support_fail(err, RP_ERR_MEMORY, "Out of memory: %d bytes.", WINDOW_BYTES);
  rp_status status = RP_OK;
  for (; w.constraint < r1cs->n_constraints && status == RP_OK; w.constraint++) {
    g16_lc abc[3];
    if (w.used > w.capacity / 2) drop_used(&w);
    status = take_constraint(&w, abc, err);
    if (status == RP_OK && fn) status = fn(arg, w.constraint, abc, err);
    if (status != RP_OK) break;
  }
  uint64_t rest = r1cs->bin.section[CONSTRAINTS].size_bytes - w.at - w.used;
  if (status == RP_OK && rest != 0)
    status = refuse(&w, "the section goes on behind the last constraint, bytes left", rest, err);
  free(w.window);
  return status;
}
