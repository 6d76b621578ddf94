/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Steps are numbered so that predecessors have smaller numbers. A chain that leaves out a step therefore lies wholly
 * before it, wholly behind it, or has one edge that passes over its number. The longest such chain is what remains of
 * the critical path if the step takes no time.
 */
#include "critical.h"

typedef struct chains {
  const rp_step *steps;
  const uint64_t *ns;
  uint32_t n;
  uint64_t *ends;  /* per step: the longest chain that ends with it */
  uint64_t *tails; /* per step: the longest chain that begins with it */
  uint64_t *over;  /* a segment tree: of every range of steps, the longest chain that passes over all of it */
} chains;

static uint64_t max_of(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void find_chains(chains *c) {
  for (uint32_t i = 0; i < c->n; i++) {
    for (uint32_t p = 0; p < c->steps[i].n_preds; p++) c->ends[i] = max_of(c->ends[i], c->ends[c->steps[i].preds[p]]);
    c->ends[i] += c->ns[i];
  }
  for (uint32_t i = c->n; i-- > 0;) {
    c->tails[i] += c->ns[i];
    for (uint32_t p = 0; p < c->steps[i].n_preds; p++) {
      uint64_t *before = &c->tails[c->steps[i].preds[p]];
      *before = max_of(*before, c->tails[i]);
    }
  }
}

/* Enters a chain of this length that passes over the steps first ... end - 1. */
static void pass_over(chains *c, uint32_t first, uint32_t end, uint64_t length) {
  for (size_t l = (size_t)first + c->n, r = (size_t)end + c->n; l < r; l /= 2, r /= 2) {
    if (l & 1) c->over[l] = max_of(c->over[l], length), l++;
    if (r & 1) r--, c->over[r] = max_of(c->over[r], length);
  }
}

static void find_over(chains *c) {
  for (uint32_t i = 0; i < c->n; i++)
    for (uint32_t p = 0; p < c->steps[i].n_preds; p++) {
      const uint32_t pred = c->steps[i].preds[p];
      pass_over(c, pred + 1, i, c->ends[pred] + c->tails[i]);
    }
  for (size_t i = 1; i < c->n; i++)
    for (size_t child = 2 * i; child <= 2 * i + 1; child++) c->over[child] = max_of(c->over[child], c->over[i]);
  for (uint64_t i = 0, longest = 0; i < c->n; i++) {
    c->over[c->n + i] = max_of(c->over[c->n + i], longest);
    longest = max_of(longest, c->ends[i]);
  }
  for (uint64_t i = c->n, longest = 0; i-- > 0;) {
    c->over[c->n + i] = max_of(c->over[c->n + i], longest);
    longest = max_of(longest, c->tails[i]);
  }
}

static void find_path(const chains *c, rp_critical *critical) {
  uint32_t at = UINT32_MAX, n = 0;
  for (uint32_t i = 0; i < c->n; i++)
    if (at == UINT32_MAX || c->ends[i] > c->ends[at]) at = i;
  while (at != UINT32_MAX) {
    const rp_step *s = &c->steps[at];
    critical->path[n++] = at;
    at = UINT32_MAX;
    for (uint32_t p = 0; p < s->n_preds; p++)
      if (at == UINT32_MAX || c->ends[s->preds[p]] > c->ends[at]) at = s->preds[p];
  }
  critical->n_path = n;
  for (uint32_t i = 0; i < n / 2; i++) {
    const uint32_t last = critical->path[n - 1 - i];
    critical->path[n - 1 - i] = critical->path[i];
    critical->path[i] = last;
  }
}

bool rp_critical_find(rp_arena *arena, const rp_step *steps, uint32_t n, const uint64_t *ns, rp_critical *critical) {
  chains c = {.steps = steps, .ns = ns, .n = n};
  *critical = (rp_critical){0};
  c.ends = rp_arena_array(arena, n, sizeof *c.ends);
  c.tails = rp_arena_array(arena, n, sizeof *c.tails);
  c.over = rp_arena_array(arena, 2 * (size_t)n, sizeof *c.over);
  critical->path = rp_arena_array(arena, n, sizeof *critical->path);
  critical->slack_ns = rp_arena_array(arena, n, sizeof *critical->slack_ns);
  critical->gain_ns = rp_arena_array(arena, n, sizeof *critical->gain_ns);
  if (!c.ends || !c.tails || !c.over || !critical->path || !critical->slack_ns || !critical->gain_ns) return 0;
  find_chains(&c);
  for (uint32_t i = 0; i < n; i++) critical->total_ns = max_of(critical->total_ns, c.ends[i]);
  find_over(&c);
  for (uint32_t i = 0; i < n; i++) {
    const uint64_t through = c.ends[i] + c.tails[i] - ns[i], total = critical->total_ns;
    critical->slack_ns[i] = total - through;
    critical->gain_ns[i] = total - max_of(c.over[n + i], through - ns[i]);
  }
  find_path(&c, critical);
  return 1;
}
