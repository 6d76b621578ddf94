/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The contents of a graph's constants, each once.
 */
#include "contents.h"

#include "threads/parallel.h"

#include <stdlib.h>

typedef struct search {
  saved_contents *c;
  saved_content *all; /* of every constant */
  uint32_t *value;    /* the value of each */
  uint32_t *slots;    /* hash table by digest, at most half full: index + 1 in items, or 0 */
  uint32_t n, mask;
} search;

static rp_status digest_range(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const search *s = arg;
  (void)part, (void)err;
  for (uint64_t i = first; i < first + n; i++)
    pedersen_sha256(s->all[i].data, (size_t)s->all[i].size_bytes, s->all[i].digest);
  return RP_OK;
}

/* The index of these contents among the different ones, where they are added if they are new. */
static uint32_t find_or_add(search *s, const saved_content *content) {
  uint32_t at = g16_u32(content->digest) & s->mask;
  for (; s->slots[at]; at = (at + 1) & s->mask) {
    const saved_content *other = &s->c->items[s->slots[at] - 1];
    if (other->size_bytes == content->size_bytes && memcmp(other->digest, content->digest, SHA256_BYTES) == 0)
      return s->slots[at] - 1;
  }
  saved_content *fresh = &s->c->items[s->c->n];
  *fresh = *content;
  fresh->offset = (s->c->size_bytes + SAVED_ALIGN - 1) & ~(uint64_t)(SAVED_ALIGN - 1);
  s->c->size_bytes = fresh->offset + fresh->size_bytes;
  s->slots[at] = ++s->c->n;
  return s->c->n - 1;
}

static rp_status find_all(search *s, const rp_graph *graph, rp_error *err) {
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < rp_graph_n_values(graph) && status == RP_OK; i++) {
    rp_value_info v = {.struct_size = sizeof v};
    status = rp_graph_get_value(graph, i, &v, err);
    if (status == RP_OK && v.storage == RP_STORAGE_CONSTANT && !v.data)
      status = support_fail(err, RP_ERR_UNSUPPORTED, "Constant %s is read from a source, and cannot be saved.", v.name);
    if (status != RP_OK || !v.data) continue;
    s->value[s->n] = i;
    s->all[s->n++] = (saved_content){.data = v.data, .size_bytes = v.len * v.type->size_bytes};
  }
  if (status == RP_OK && s->n)
    status = support_parallel(NULL, support_parts(NULL, s->n, 1, support_processors()), s->n, digest_range, s, err);
  for (uint32_t i = 0; i < s->n && status == RP_OK; i++) s->c->of_value[s->value[i]] = find_or_add(s, &s->all[i]);
  return status;
}

rp_status saved_contents_find(const rp_graph *graph, saved_contents *c, rp_error *err) {
  const size_t n = (size_t)rp_graph_n_values(graph) + 1;
  search s = {.c = c, .mask = 15};
  while (s.mask < 2 * n) s.mask = 2 * s.mask + 1;
  *c = (saved_contents){.items = calloc(n, sizeof *c->items), .of_value = calloc(n, sizeof *c->of_value)};
  s.all = calloc(n, sizeof *s.all);
  s.value = calloc(n, sizeof *s.value);
  s.slots = calloc((size_t)s.mask + 1, sizeof *s.slots);
  const rp_status status = c->items && c->of_value && s.all && s.value && s.slots
                               ? find_all(&s, graph, err)
                               : support_fail(err, RP_ERR_MEMORY, "out of memory for the list of constants.");
  free(s.all);
  free(s.value);
  free(s.slots);
  if (status != RP_OK) saved_contents_free(c);
  return status;
}

uint32_t saved_contents_at(const saved_contents *c, const rp_graph *graph, const void *data) {
  for (uint32_t i = 0; i < rp_graph_n_values(graph) && data; i++) {
    rp_value_info v = {.struct_size = sizeof v};
    if (rp_graph_get_value(graph, i, &v, NULL) == RP_OK && v.data == data) return 1 + c->of_value[i];
  }
  return 0;
}

void saved_contents_free(saved_contents *c) {
  free(c->items);
  free(c->of_value);
  *c = (saved_contents){0};
}

void saved_contents_list(const saved_contents *c, saved_bytes *b) {
  saved_u32(b, c->n);
  saved_u32(b, 0);
  for (uint32_t i = 0; i < c->n; i++) {
    saved_u64(b, c->items[i].offset);
    saved_u64(b, c->items[i].size_bytes);
    saved_put(b, c->items[i].digest, SHA256_BYTES);
  }
}

rp_status saved_contents_write(const saved_contents *c, support_output *output, rp_error *err) {
  uint64_t at = 0;
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < c->n && status == RP_OK; i++) {
    status = saved_write_gap(output, &at, c->items[i].offset, err);
    if (status == RP_OK) status = support_output_write(output, c->items[i].data, c->items[i].size_bytes, err);
    at = c->items[i].offset + c->items[i].size_bytes;
  }
  return status;
}
