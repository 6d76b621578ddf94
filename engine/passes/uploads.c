/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The copies that bring up the inputs of a run. They are cut where inputs begin, so that work on one input can start
 * while others are still on their way, and ordered by the longest path of steps that needs them.
 */
#include "hazards.h"

/* Copies of less than this are not worth a node of their own: starting one takes as long as moving some 100 KiB. */
enum { LEAST_BYTES = 1 << 20 };

static bool is_input(const rp_plan_value *v) { return v->placed && v->space == RP_SPACE_INPUT; }

/* Where the block begins in the staging, which has the blocks of the inputs one after another. */
static uint64_t staging_of(const rp_part *part, uint32_t block) {
  uint64_t before = 0;
  for (uint32_t b = 0; b < block; b++)
    if (part->blocks[b].space == RP_SPACE_INPUT) before += part->blocks[b].bytes;
  return before;
}

/* Cuts every block of inputs into pieces of at least `least` bytes, unless the block is smaller. A piece reaches up to
 * where the next one begins, padding included. Returns their number; `pieces` may be NULL. */
static uint32_t cut(const rp_plan *plan, const rp_part *part, uint64_t least, rp_upload *pieces) {
  uint32_t n = 0, block = RP_NONE;
  uint64_t begin = 0; /* of the latest piece */
  for (uint32_t i = 0; i < plan->n_graph_values; i++) {
    const rp_plan_value *v = &plan->values[i];
    if (!is_input(v)) continue;
    const uint32_t own = part->index_of[v->segments[0].block];
    const uint64_t at = v->segments[0].offset, left = part->blocks[own].bytes - at;
    if (own == block && (at - begin < least || left < least)) continue;
    if (own == block && pieces) pieces[n - 1].bytes = at - begin;
    block = own;
    begin = at;
    if (pieces)
      pieces[n] = (rp_upload){.block = own, .offset = at, .bytes = left, .staging = staging_of(part, own) + at};
    n++;
  }
  return n;
}

/* Per step, the time from its beginning to the end of the longest path that begins with it. */
static uint64_t *measure_paths(rp_plan *plan, const rp_part *part) {
  uint64_t *ns = rp_arena_array(&plan->arena, part->n_dispatches, sizeof *ns);
  for (uint32_t i = ns ? part->n_dispatches : 0; i-- > 0;) {
    const rp_step *s = &part->steps[i];
    for (uint32_t k = 0; k < s->n_succs; k++)
      if (ns[s->succs[k]] > ns[i]) ns[i] = ns[s->succs[k]];
    ns[i] += s->alone_ns;
  }
  return ns;
}

static uint64_t longest_path(const rp_part *part, const uint64_t *ns, const rp_upload *piece) {
  uint64_t longest = 0;
  for (uint32_t i = 0; i < part->n_dispatches; i++)
    if (ns[i] > longest && rp_needs_upload(&part->steps[i], piece)) longest = ns[i];
  return longest;
}

/* The longest path first; pieces with equal paths stay in the order of the staging. */
static void put_in_order(rp_upload *pieces, uint64_t *paths, uint32_t n) {
  for (uint32_t i = 1; i < n; i++)
    for (uint32_t k = i; k > 0 && paths[k] > paths[k - 1]; k--) {
      const rp_upload piece = pieces[k];
      const uint64_t path = paths[k];
      pieces[k] = pieces[k - 1], pieces[k - 1] = piece;
      paths[k] = paths[k - 1], paths[k - 1] = path;
    }
}

bool rp_needs_upload(const rp_step *step, const rp_upload *upload) {
  for (uint32_t i = 0; i < step->pattern->n_refs; i++) {
    const rp_ref r = rp_step_ref(step, i);
    if (r.block == upload->block && r.offset < upload->offset + upload->bytes && upload->offset < r.offset + r.bytes)
      return 1;
  }
  return 0;
}

bool rp_plan_list_uploads(rp_plan *plan) {
  rp_part *part = &plan->parts[RP_PART_RUN];
  uint64_t least = LEAST_BYTES;
  while (cut(plan, part, least, NULL) > RP_MOST_UPLOADS && least < plan->input_bytes) least *= 2;
  const uint32_t n = cut(plan, part, least, NULL);
  part->uploads = rp_arena_array(&plan->arena, n, sizeof *part->uploads);
  if (!part->uploads) return 0;
  part->n_uploads = cut(plan, part, least, part->uploads);
  if (n < 2) return 1;
  const rp_arena_mark mark = rp_arena_now(&plan->arena);
  uint64_t *paths = rp_arena_array(&plan->arena, n, sizeof *paths), *ns = paths ? measure_paths(plan, part) : NULL;
  for (uint32_t u = 0; ns && u < n; u++) paths[u] = longest_path(part, ns, &part->uploads[u]);
  if (ns) put_in_order(part->uploads, paths, n);
  rp_arena_rewind(&plan->arena, mark);
  return ns != NULL;
}
