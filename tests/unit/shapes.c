/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "shapes.h"

#include "toy_ops.h"

#include <reprise/call.h>

#include <stdio.h>
#include <stdlib.h>

/* ---- An op with any number of inputs: one dispatch per three inputs, all of which add to the output -------------- */

enum { BINDS = 4 };
static const rp_kernel k_mix[BINDS + 1] = {
    {.struct_size = sizeof(rp_kernel), .name = "none"},
    {.struct_size = sizeof(rp_kernel), .name = "mix1", .args_bytes = 8, .n_binds = 1},
    {.struct_size = sizeof(rp_kernel), .name = "mix2", .args_bytes = 16, .n_binds = 2},
    {.struct_size = sizeof(rp_kernel), .name = "mix3", .args_bytes = 24, .n_binds = 3},
    {.struct_size = sizeof(rp_kernel), .name = "mix4", .args_bytes = 32, .n_binds = 4}};

typedef struct mix_params {
  uint64_t len;
  uint32_t pieces;  /* number of dispatches that each write a part of the output; 0: one dispatch writes all of it */
  uint32_t scratch; /* number of scratch values that each dispatch also writes */
  int checks;       /* whether the dispatches update the error record */
  uint32_t number;  /* makes nodes differ that would otherwise be equal; 0: the next free number */
} mix_params;

static rp_status mix_shape(const rp_shape *s) {
  s->out_type[0] = &toy_u64;
  s->out_len[0] = ((const mix_params *)s->params)->len;
  return RP_OK;
}

static void add(rp_lower *l, const rp_bind *binds, uint32_t n) {
  static const uint64_t args[BINDS];
  rp_lower_dispatch(
      l, &(rp_dispatch){.kernel = &k_mix[n], .binds = binds, .n_binds = n, .args = args, .args_bytes = 8 * n});
}

static rp_status mix_lower(rp_lower *l) {
  const mix_params *p = rp_lower_params(l);
  const rp_value out = rp_lower_out(l, 0);
  uint32_t n_in = rp_lower_n_in(l), at = 0;
  rp_bind b[BINDS] = {{.value = out, .access = RP_WRITE}};
  do {
    uint32_t n = 1;
    for (; n < BINDS && at < n_in; n++, at++) b[n] = (rp_bind){.value = rp_lower_in(l, at), .access = RP_READ};
    if (p->checks && n < BINDS) b[n++] = (rp_bind){.value = rp_lower_error(l), .access = RP_READ_WRITE | RP_ATOMIC};
    for (uint32_t i = 0; i < (p->pieces ? p->pieces : 1); i++) {
      b[0].first = p->pieces ? i * (p->len / p->pieces) : 0;
      b[0].count = p->pieces ? p->len / p->pieces : 0;
      add(l, b, n);
    }
    b[0].access = RP_READ_WRITE;
  } while (at < n_in);
  for (uint32_t i = 0; i < p->scratch; i++) {
    rp_bind s[2] = {
        {.value = rp_lower_scratch(l, "room", &toy_u64, 1 + (p->len * 7 + i * 13) % 97), .access = RP_WRITE},
        {.value = out, .access = RP_READ}};
    add(l, s, 2);
  }
  return RP_OK;
}

static const rp_strategy strategies[] = {{.name = "mix", .devices = RP_ON_ANY, .lower = mix_lower}};
static const rp_op op_mix = {.struct_size = sizeof(rp_op),
                             .flags = RP_OP_PURE,
                             .name = "mix",
                             .params_bytes = sizeof(mix_params),
                             .shape = mix_shape,
                             .strategies = strategies,
                             .n_strategies = 1};

static rp_value mix_as(rp_graph *g, const rp_value *in, uint32_t n_in, mix_params p) {
  static uint32_t latest;
  if (!p.number) p.number = ++latest;
  return rp_graph_node(g, &op_mix, &p, in, n_in, NULL, 1);
}

static rp_value mix(rp_graph *g, const rp_value *in, uint32_t n_in) {
  return mix_as(g, in, n_in, (mix_params){.len = 64});
}

static rp_value mix2(rp_graph *g, rp_value a, rp_value b) { return mix(g, (rp_value[]){a, b}, 2); }

static rp_value input(rp_graph *g) { return rp_graph_input(g, "in", &toy_u64, 64, 0); }

static rp_value *room(uint32_t n) {
  rp_value *v = calloc(n ? n : 1, sizeof *v);
  if (!v) abort();
  return v;
}

static uint32_t random_below(uint64_t *state, uint32_t n) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (uint32_t)((z ^ z >> 31) % n);
}

/* ---- Shapes ------------------------------------------------------------------------------------------------------ */

static void chain(rp_graph *g, uint32_t n) {
  rp_value v = input(g);
  for (uint32_t i = 0; i < n; i++) v = mix(g, &v, 1);
  rp_graph_output(g, "out", v, 0);
}

static void wide(rp_graph *g, uint32_t n) {
  rp_value in = input(g), *v = room(n);
  for (uint32_t i = 0; i + 1 < n; i++) v[i] = mix(g, &in, 1);
  rp_graph_output(g, "out", mix(g, v, n - 1), 0);
  free(v);
}

static void pipelines(rp_graph *g, uint32_t n) { /* independent pipelines, which grow by one node each in turn */
  uint32_t width = n / 100 ? n / 100 : 1;
  rp_value in = input(g), *v = room(width);
  for (uint32_t i = 0; i < width; i++) v[i] = in;
  for (uint32_t k = 0; k < n / width; k++)
    for (uint32_t i = 0; i < width; i++) v[i] = mix(g, &v[i], 1);
  rp_graph_output(g, "out", mix(g, v, width), 0);
  free(v);
}

static void fork_join(rp_graph *g, uint32_t n) {
  enum { WIDTH = 50 };
  rp_value hub = input(g), branch[WIDTH];
  for (uint32_t made = 0; made < n; made += 3 * WIDTH + 1) {
    for (uint32_t i = 0; i < WIDTH; i++) {
      branch[i] = mix(g, &hub, 1);
      branch[i] = mix(g, &branch[i], 1);
      branch[i] = mix(g, &branch[i], 1);
    }
    hub = mix(g, branch, WIDTH);
  }
  rp_graph_output(g, "out", hub, 0);
}

static void random_far(rp_graph *g, uint32_t n) {
  uint64_t state = n;
  rp_value *v = room(n + 1);
  v[0] = input(g);
  for (uint32_t i = 1; i <= n; i++) {
    rp_value in[3] = {v[i - 1], v[random_below(&state, i)], v[random_below(&state, i)]};
    uint32_t k = random_below(&state, 3);
    v[i] = mix_as(g, in + k, 3 - k, (mix_params){.len = 1 + random_below(&state, 200)});
  }
  rp_graph_output(g, "out", mix(g, v + n / 2, n - n / 2 + 1), 0);
  free(v);
}

static void random_near(rp_graph *g, uint32_t n) {
  uint64_t state = n;
  rp_value *v = room(n + 1);
  v[0] = input(g);
  for (uint32_t i = 1; i <= n; i++) {
    uint32_t near = i < 40 ? i : 40;
    rp_value in[2] = {v[i - 1 - random_below(&state, near)], v[i - 1 - random_below(&state, near)]};
    v[i] = mix_as(g, in, 2, (mix_params){.len = 1 + random_below(&state, 200)});
  }
  rp_graph_output(g, "out", mix(g, v + n - (n < 40 ? n : 40), n < 40 ? n : 40), 0);
  free(v);
}

static void grid(rp_graph *g, uint32_t n) {
  uint32_t side = 1;
  while ((side + 1) * (side + 1) <= n) side++;
  rp_value in = input(g), *row = room(side);
  for (uint32_t r = 0; r < side; r++)
    for (uint32_t c = 0; c < side; c++) row[c] = mix2(g, r ? row[c] : in, c ? row[c - 1] : in);
  rp_graph_output(g, "out", row[side - 1], 0);
  free(row);
}

static void tree(rp_graph *g, uint32_t n) {
  uint32_t width = n / 2 ? n / 2 : 1;
  rp_value in = input(g), *v = room(width);
  for (uint32_t i = 0; i < width; i++) v[i] = mix(g, &in, 1);
  for (; width > 1; width = (width + 1) / 2)
    for (uint32_t i = 0; i < (width + 1) / 2; i++) v[i] = mix(g, v + 2 * i, 2 * i + 1 < width ? 2 : 1);
  rp_graph_output(g, "out", v[0], 0);
  free(v);
}

static void read_by_all(rp_graph *g, uint32_t n) {
  rp_value in = input(g), first = mix(g, &in, 1), v = first;
  for (uint32_t i = 1; i < n; i++) v = mix2(g, v, first);
  rp_graph_output(g, "out", v, 0);
}

static void many_inputs(rp_graph *g, uint32_t n) {
  char name[32];
  rp_value sum = input(g);
  for (uint32_t i = 0; i < n; i++) {
    snprintf(name, sizeof name, "in%u", i);
    sum = mix2(g, sum, rp_graph_input(g, name, &toy_u64, 1, RP_SECRET));
  }
  rp_graph_output(g, "out", sum, 0);
}

static void many_outputs(rp_graph *g, uint32_t n) {
  char name[32];
  rp_value in = input(g);
  for (uint32_t i = 0; i < n; i++) {
    snprintf(name, sizeof name, "out%u", i);
    rp_graph_output(g, name, mix(g, &in, 1), 0);
  }
}

static void many_scopes(rp_graph *g, uint32_t n) {
  char name[32];
  rp_value v = input(g);
  for (uint32_t i = 0; i < n; i++) {
    snprintf(name, sizeof name, "scope%u", i);
    rp_scope_begin(g, name);
    v = mix(g, &v, 1);
    rp_scope_end(g);
  }
  rp_graph_output(g, "out", v, 0);
}

static void constants(rp_graph *g, uint32_t n) { /* all nodes but the last one run once */
  static const uint64_t data[(1 << 17) + 64];    /* each constant has an address of its own */
  char name[32];
  rp_value once = rp_graph_constant(g, "key", &toy_u64, 64, data, RP_BORROW);
  for (uint32_t i = 0; i < n; i++) {
    snprintf(name, sizeof name, "k%u", i);
    once = mix2(g, once, rp_graph_constant(g, name, &toy_u64, 64, data + 1 + i, RP_BORROW));
  }
  rp_graph_output(g, "out", mix2(g, input(g), once), 0);
}

static void twice(rp_graph *g, uint32_t n) { /* every second node equals the one before it */
  rp_value v = input(g);
  for (uint32_t i = 0; i < n / 2; i++) {
    const mix_params p = {.len = 64, .number = i + 1};
    rp_value a = mix_as(g, &v, 1, p), b = mix_as(g, &v, 1, p);
    v = i % 2 ? b : a;
  }
  rp_graph_output(g, "out", mix(g, &v, 1), 0);
}

static void same_constants(rp_graph *g, uint32_t n) {
  uint64_t data[64] = {0};
  char name[32];
  rp_value v = input(g);
  for (uint32_t i = 0; i < n; i++) {
    snprintf(name, sizeof name, "k%u", i);
    data[63] = i % 2000;
    v = mix2(g, v, rp_graph_constant(g, name, &toy_u64, 64, data, 0));
  }
  rp_graph_output(g, "out", v, 0);
}

static void once_wide(rp_graph *g, uint32_t n) {
  static const uint64_t data[64];
  rp_value key = rp_graph_constant(g, "key", &toy_u64, 64, data, 0), *v = room(n);
  for (uint32_t i = 0; i < n; i++) v[i] = mix(g, &key, 1);
  rp_value sum = mix(g, v, n);
  rp_graph_output(g, "out", mix2(g, input(g), sum), 0);
  free(v);
}

/* n / 2 dispatches write parts of a value, and n / 2 nodes read all of it */
static void pieces(rp_graph *g, uint32_t n) {
  rp_value in = input(g), *v = room(n / 2);
  rp_value big = mix_as(g, &in, 1, (mix_params){.len = 1u << 20, .pieces = n / 2});
  for (uint32_t i = 0; i < n / 2; i++) v[i] = mix(g, &big, 1);
  rp_graph_output(g, "out", mix(g, v, n / 2), 0);
  free(v);
}

static void checked(rp_graph *g, uint32_t n) { /* every copy to a buffer waits for every update of the error record */
  char name[32];
  rp_value in = input(g);
  for (uint32_t i = 0; i < n; i++) {
    rp_value v = mix_as(g, &in, 1, (mix_params){.len = 64, .checks = 1});
    snprintf(name, sizeof name, "out%u", i);
    if (i % 2) rp_graph_output(g, name, v, RP_BINDABLE);
  }
  rp_graph_output(g, "out", mix(g, &in, 1), 0);
}

void build_scratch(rp_graph *g, uint32_t n, uint32_t scratch) {
  rp_value v = input(g);
  for (uint32_t i = 0; i < n; i++) v = mix_as(g, &v, 1, (mix_params){.len = 1 + i % 89, .scratch = scratch});
  rp_graph_output(g, "out", v, 0);
}

static void scratch(rp_graph *g, uint32_t n) { build_scratch(g, n, 1); }

void build_dense(rp_graph *g, uint32_t n, uint32_t reads) {
  rp_value *v = room(n + reads);
  for (uint32_t i = 0; i < reads; i++) v[i] = i ? v[0] : input(g);
  for (uint32_t i = 0; i < n; i++) v[i + reads] = mix(g, v + i, reads);
  rp_graph_output(g, "out", v[n + reads - 1], 0);
  free(v);
}

static void dense(rp_graph *g, uint32_t n) { build_dense(g, n < 1000 ? n : n / 200, n < 1000 ? 20 : 200); }

/* Calls of one body of 50 nodes, each of which reads the result of the one before. */
static void calls(rp_graph *g, uint32_t n) {
  enum { BODY = 50 };
  rp_graph *body;
  rp_value in = input(g), out = in;
  if (rp_graph_create(rp_graph_context(g), "body", &body, NULL)) abort();
  rp_value x = rp_graph_input(body, "x", &toy_u64, 64, 0), y = rp_graph_input(body, "y", &toy_u64, 64, 0), v = x;
  for (uint32_t i = 0; i < BODY; i++) v = i % 2 ? mix2(body, v, y) : mix2(body, v, x);
  rp_graph_output(body, "v", v, 0);
  for (uint32_t i = 0; i < n / BODY; i++)
    out = rp_call(g, "call", body, (rp_call_port[]){{"x", out}, {"y", in}}, 2, &(rp_call_port){"v", RP_NO_VALUE}, 1);
  rp_graph_output(g, "out", out, 0);
  rp_graph_destroy(body);
}

const shape shapes[] = {{"chain", chain, 0},
                        {"wide", wide, 0},
                        {"pipelines", pipelines, 0},
                        {"fork-join", fork_join, 1.5},
                        {"random, far", random_far, 0},
                        {"random, near", random_near, 5},
                        {"grid", grid, 0},
                        {"tree", tree, 0},
                        {"read by all", read_by_all, 0},
                        {"many inputs", many_inputs, 0},
                        {"many outputs", many_outputs, 0},
                        {"many scopes", many_scopes, 0},
                        {"constants", constants, 0},
                        {"twice", twice, 0},
                        {"same constants", same_constants, 0},
                        {"once, wide", once_wide, 0},
                        {"pieces", pieces, 0},
                        {"checked", checked, 0},
                        {"scratch", scratch, 0},
                        {"dense", dense, 0},
                        {"calls", calls, 0},
                        {0}};
