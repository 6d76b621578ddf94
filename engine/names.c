/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A hash table with linear probing.
 */
#include "names.h"

/* FNV-1a (Fowler, Noll, Vo) over the text, with a seed from kind and owner; the high bits are folded down at the
 * end. */
static uint64_t hash_of(rp_name_kind kind, const void *owner, const char *text) {
  uint64_t h = (0xcbf29ce484222325u ^ (uint64_t)kind ^ (uint64_t)(uintptr_t)owner) * 0x100000001b3u;
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 0x100000001b3u;
  return h ^ h >> 29 ^ h >> 47;
}

static rp_name *slot_of(const rp_names *names, uint64_t hash, rp_name_kind kind, const void *owner, const char *text) {
  for (uint32_t i = (uint32_t)hash;; i++) {
    rp_name *s = &names->slots[i & (names->capacity - 1)];
    if (!s->text) return s;
    if (s->hash == hash && s->kind == kind && s->owner == owner && strcmp(s->text, text) == 0) return s;
  }
}

const rp_name *rp_names_find(const rp_names *names, rp_name_kind kind, const void *owner, const char *text) {
  if (!names->capacity) return NULL;
  const rp_name *s = slot_of(names, hash_of(kind, owner, text), kind, owner, text);
  return s->text ? s : NULL;
}

static bool double_slots(rp_names *names, rp_context *context) {
  if (names->capacity > UINT32_MAX / 4) return 0;
  rp_names more = {.capacity = names->capacity ? 2 * names->capacity : 16, .n = names->n};
  more.slots = rp_host_alloc(context, more.capacity * sizeof *more.slots, _Alignof(rp_name));
  if (!more.slots) return 0;
  memset(more.slots, 0, more.capacity * sizeof *more.slots);
  for (uint32_t i = 0; i < names->capacity; i++) {
    const rp_name *s = &names->slots[i];
    if (s->text) *slot_of(&more, s->hash, s->kind, s->owner, s->text) = *s;
  }
  rp_names_free(names, context);
  *names = more;
  return 1;
}

bool rp_names_add(rp_names *names, rp_context *context, const rp_name *name) {
  if (2 * (names->n + 1) > names->capacity && !double_slots(names, context)) return 0;
  const uint64_t hash = hash_of(name->kind, name->owner, name->text);
  rp_name *s = slot_of(names, hash, name->kind, name->owner, name->text);
  *s = *name;
  s->hash = hash;
  names->n++;
  return 1;
}

void rp_names_free(rp_names *names, rp_context *context) {
  rp_host_free(context, names->slots, names->capacity * sizeof *names->slots);
  *names = (rp_names){0};
}
