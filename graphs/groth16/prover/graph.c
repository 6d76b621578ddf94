/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "graph.h"

#include "formats/fail.h"
#include "graph_gnark.h"
#include "key_unread.h"

#include <reprise/view.h>

#include <stdio.h>

/* With the points of A, B in both groups, and C. */
enum { PRODUCTS_OF_WITNESS = 4 };

typedef struct builder {
  rp_graph *g;
  const rp_groth16_key *key;
  const g16_family *family;
  const g16_cut *cut;       /* among the devices */
  uint32_t precompute;      /* 0: multiples of the points as the memory level allows; 1: none */
  rp_value witness;         /* canonical */
  rp_value blinding;        /* its last two values */
  rp_value scalars_at_home; /* where they come apart from the others; else RP_NO_VALUE */
  rp_value a, b;            /* key of gnark: the factors of the constraints */
  /* Of the device whose products are being built: */
  graphs_range scalars, h; /* its scalars, and those of H */
  rp_value sorted;         /* its scalars, prepared for several products */
} builder;

/* "2^17", "5345"; `text` has room for 24 bytes. */
static const char *count_text(uint64_t n, char text[24]) {
  uint32_t log = 0;
  while (log < 63 && n >> log > 1) log++;
  if (n == (uint64_t)1 << log && log > 3)
    snprintf(text, 24, "2^%u", log);
  else
    snprintf(text, 24, "%llu", (unsigned long long)n);
  return text;
}

static rp_value matrix(builder *b, const char *name, const g16_csr *csr) {
  rp_graph *g = b->g;
  char rows[24];
  rp_scope_begin(g, name);
  rp_scope_title(g, "Matrix %c times witness: %s rows", name[0] - 'a' + 'A', count_text(csr->rows, rows));
  /* A matrix may have no entries, but a value must have an element: one zero that is not used. */
  static const uint32_t no_col;
  static const uint64_t no_value[4];
  uint64_t nnz = csr->nnz ? csr->nnz : 1;
  rp_csr m = {.rows = csr->rows, .cols = g16_key_scalars(b->key)};
  m.row_ptr = rp_graph_constant(g, "row_ptr", &RP_TYPE_U32, csr->rows + 1, csr->row_ptr, RP_BORROW);
  m.col = rp_graph_constant(g, "col", &RP_TYPE_U32, nnz, csr->nnz ? csr->col : &no_col, RP_BORROW);
  m.val = rp_graph_constant(g, "val", rp_type_field(b->family->fr), nnz, csr->nnz ? (const void *)csr->value : no_value,
                            RP_BORROW);
  rp_value y = rp_spmv(g, &m, b->witness, &(rp_spmv_options){.struct_size = sizeof(rp_spmv_options), .x_canonical = 1});
  rp_scope_end(g);
  return y;
}

/* From values on the domain to values on the odd coset. The coefficients in between stay in bit-reversed order, so that
 * neither transform has to permute. */
static rp_value to_coset(builder *b, const char *name, rp_value evaluations) {
  char n[24];
  rp_scope_begin(b->g, name);
  rp_scope_title(b->g, "%c onto the coset: 2 transforms of %s", name[0] - 'a' + 'A',
                 count_text(b->key->info.domain, n));
  rp_value coefficients = rp_ntt(b->g, evaluations,
                                 &(rp_ntt_options){.struct_size = sizeof(rp_ntt_options),
                                                   .root = RP_ROOT_SNARKJS,
                                                   .inverse = 1,
                                                   .out_order = RP_ORDER_BIT_REVERSED});
  rp_ntt_options forward = {.struct_size = sizeof forward,
                            .root = RP_ROOT_SNARKJS,
                            .in_order = RP_ORDER_BIT_REVERSED,
                            .coset = RP_COSET_ROOT_2N};
  if (b->key->largest_shift) {
    uint64_t shift[4];
    g16_largest_shift(b->family, shift);
    forward.coset = RP_COSET_SHIFT;
    rp_field_get(b->family->fr)->to_canonical(forward.shift, shift);
  }
  rp_value shifted = rp_ntt(b->g, coefficients, &forward);
  rp_scope_end(b->g);
  return shifted;
}

/* The same on the device that the cut says. */
static rp_value chain(builder *b, uint32_t index, const char *name, rp_value evaluations) {
  const uint32_t home = b->cut->shares.home, device = b->cut->chain[index];
  if (device == home) return to_coset(b, name, evaluations);
  const rp_value sent = rp_copy_to(b->g, evaluations, device);
  (void)rp_on(b->g, device);
  const rp_value shifted = to_coset(b, name, sent);
  (void)rp_on(b->g, home);
  return rp_copy_to(b->g, shifted, home);
}

static rp_value point_constant(builder *b, const char *name, g16_vector v) {
  const graphs_range *r = v == G16_VEC_H ? &b->h : &b->scalars;
  if (b->key->unread) return g16_unread_constant(b->g, b->key, name, v, r->first, r->count);
  return rp_graph_constant(b->g, name, rp_type_affine(g16_vector_curve(b->key, v)), r->count,
                           b->key->vector[v] + r->first * g16_vector_point_bytes(b->key, v), RP_BORROW);
}

/* The values of A B - C on the coset; for keys of gnark, the coefficients of the quotient. */
static rp_value quotient(builder *b) {
  rp_graph *g = b->g;
  if (b->key->info.gnark) return g16_gnark_quotient(g, b->key, b->a, b->b);
  char n[24];
  rp_scope_begin(g, "quotient");
  rp_scope_title(g, "Quotient (A B - C) / Z: domain of %s", count_text(b->key->info.domain, n));
  rp_value a = matrix(b, "a", &b->key->a), bb = matrix(b, "b", &b->key->b);
  rp_value c = rp_mul(g, a, bb);
  a = chain(b, 0, "a_coset", a);
  bb = chain(b, 1, "b_coset", bb);
  c = chain(b, 2, "c_coset", c);
  rp_value h = rp_mul_sub(g, a, bb, c);
  rp_scope_end(g);
  return h;
}

/* The elements of `x` that the device gets; on one device all of it, as it is. */
static rp_value share(const builder *b, rp_value x, const graphs_range *r) {
  return b->cut->shares.n == 1 ? x : rp_slice(b->g, x, r->first, r->count);
}

/* The product of H with the values of (A B - C) / Z on the coset; 1 / Z, which is constant there, is contained in the
 * points of H. */
static rp_value quotient_product(builder *b, rp_value values) {
  rp_graph *g = b->g;
  rp_value h = share(b, values, &b->h);
  char n[24];
  rp_scope_begin(g, "msm_h");
  rp_scope_title(g, "MSM of H: %s points", count_text(b->h.count, n));
  rp_value sum = rp_msm(g, h, point_constant(b, "h_points", G16_VEC_H),
                        &(rp_msm_options){.struct_size = sizeof(rp_msm_options), .precompute = b->precompute});
  rp_scope_end(g);
  return sum;
}

/* The bitmap of the wires that have a point; none if nearly all have one, since filtering would then cost more than the
 * few additions of infinity that it saves. */
static rp_value supported(builder *b, const char *name, g16_support support) {
  const uint64_t n = b->scalars.count, words = (n + 31) / 32;
  const uint32_t *bitmap = b->key->support[support] + b->scalars.first / 32; /* parts begin with a word */
  uint64_t have = 0;
  for (uint64_t i = 0; i < words; i++) have += (uint64_t)__builtin_popcount(bitmap[i]);
  if (n - have <= n / 16) return RP_NO_VALUE;
  return rp_graph_constant(b->g, name, &RP_TYPE_U32, words, bitmap, RP_BORROW);
}

static rp_value product(builder *b, const char *name, rp_value support, g16_vector v) {
  static const char *const titles[] = {
      [G16_VEC_A] = "A", [G16_VEC_B1] = "B in G1", [G16_VEC_B2] = "B in G2", [G16_VEC_C] = "C"};
  char n[24];
  rp_scope_begin(b->g, name);
  rp_scope_title(b->g, "MSM of %s: %s points", titles[v], count_text(b->scalars.count, n));
  rp_value sum = rp_msm_of(b->g, b->sorted, point_constant(b, "points", v), support);
  rp_scope_end(b->g);
  return sum;
}

static void begin_gnark(builder *b, g16_graph *out) {
  enum { LENT = RP_SECRET | RP_LENDABLE };
  const rp_type *fr = rp_type_field(b->family->fr);
  const uint64_t n_front = g16_gnark_front(b->key);
  if (n_front) out->witness = rp_graph_input(b->g, "witness", fr, n_front, LENT);
  out->rest = rp_graph_input(b->g, "rest", fr, g16_key_scalars(b->key) - n_front, RP_SECRET);
  out->a = b->a = rp_graph_input(b->g, "a", fr, b->key->info.domain, LENT);
  out->b = b->b = rp_graph_input(b->g, "b", fr, b->key->info.domain, LENT);
  const rp_value rest = rp_to_canonical(b->g, out->rest);
  const rp_value parts[2] = {n_front ? rp_to_canonical(b->g, out->witness) : rest, rest};
  b->witness = n_front ? rp_concat(b->g, parts, 2) : rest;
  g16_gnark_commit(b->g, b->key, b->witness, out);
}

/* The scalars of the home device are the last ones, and an input of their own, so that its products with them begin
 * while the others are still coming, which only the quotient needs. */
static void begin_apart(builder *b, g16_graph *out) {
  const uint64_t n = g16_key_scalars(b->key);
  (void)rp_on(b->g, RP_ON_HOST);
  out->witness = rp_graph_input(b->g, "witness", &RP_TYPE_U256, n, RP_SECRET);
  (void)rp_on(b->g, b->cut->shares.home);
  rp_scope_begin(b->g, "arrive");
  rp_scope_title(b->g, "Witness and blinding values: as they come up");
  b->scalars_at_home = rp_slice(b->g, out->witness, b->scalars.first, b->scalars.count);
  b->blinding = rp_slice(b->g, out->witness, b->key->info.n_vars, G16_BLINDING);
  const rp_value parts[2] = {rp_slice(b->g, out->witness, 0, b->scalars.first), b->scalars_at_home};
  b->witness = rp_concat(b->g, parts, 2);
  rp_scope_end(b->g);
}

static void begin(builder *b, g16_graph *out) {
  const bool apart = b->cut->upload_apart && b->scalars.first && b->scalars.count >= G16_BLINDING;
  if (b->key->info.gnark) {
    begin_gnark(b, out);
  } else if (apart) {
    begin_apart(b, out);
    return;
  } else {
    out->witness = rp_graph_input(b->g, "witness", &RP_TYPE_U256, g16_key_scalars(b->key), RP_SECRET);
    b->witness = out->witness;
  }
  rp_scope_begin(b->g, "arrive");
  rp_scope_title(b->g, "Blinding values: behind the witness");
  b->blinding = rp_slice(b->g, b->witness, b->key->info.n_vars, G16_BLINDING);
  rp_scope_end(b->g);
}

static void build_quotient(builder *b, g16_graph *out) {
  begin(b, out);
  out->h = rp_to_canonical(b->g, quotient(b));
  rp_graph_output(b->g, "h", out->h, 0);
  if (!b->key->info.gnark) return;
  out->scalars = b->witness;
  rp_graph_output(b->g, "scalars", out->scalars, 0);
}

/* ---- Products of a device ---------------------------------------------------------------------------------------- */

/* The sums of a device: accumulators. h: of a device alone. */
typedef struct sums {
  rp_value a, b1, b2, c, h;
} sums;

/* The products with the witness, of the device's scalars. */
static sums witness_products(builder *b, rp_value scalars) {
  rp_graph *g = b->g;
  char count[24];
  rp_scope_begin(g, "witness");
  rp_scope_title(g, "Witness into buckets: %s scalars", count_text(b->scalars.count, count));
  b->sorted = rp_msm_scalars(g, scalars,
                             &(rp_msm_scalars_options){.struct_size = sizeof(rp_msm_scalars_options),
                                                       .curve = b->family->g1,
                                                       .precompute = b->precompute,
                                                       .products = PRODUCTS_OF_WITNESS,
                                                       .constant_points = 1,
                                                       .in_subgroup = 1});
  rp_value in_a = supported(b, "support_a", G16_SUP_A), in_b = supported(b, "support_b", G16_SUP_B),
           in_c = supported(b, "support_c", G16_SUP_C);
  rp_scope_end(g);
  sums s = {.a = product(b, "msm_a", in_a, G16_VEC_A), .b1 = product(b, "msm_b1", in_b, G16_VEC_B1)};
  s.b2 = product(b, "msm_b2", in_b, G16_VEC_B2);
  s.c = product(b, "msm_c", in_c, G16_VEC_C);
  return s;
}

/* The scalars of a device: in the order of devices, or those of the home device last. */
static graphs_range scalars_of(const g16_cut *cut, uint64_t n, uint32_t device) {
  const uint32_t n_devices = cut->shares.n;
  if (n_devices < 2) return (graphs_range){.count = n};
  const uint32_t first = cut->upload_apart ? (cut->shares.home + 1) % n_devices : 0;
  graphs_shares in_order = {.n = n_devices};
  for (uint32_t i = 0; i < n_devices; i++) in_order.of[i] = cut->shares.of[(first + i) % n_devices];
  return graphs_range_of(n, &in_order, (device + n_devices - first) % n_devices, 32);
}

/* Chooses the device for what is built next, and its part of the points. */
static void choose(builder *b, uint32_t device) {
  const graphs_shares *shares = &b->cut->shares;
  const uint64_t n_h = g16_vector_len(b->key, G16_VEC_H);
  b->scalars = scalars_of(b->cut, g16_key_scalars(b->key), device);
  b->h = graphs_range_of(n_h, shares, device, 1);
  if (b->cut->h_whole) b->h = (graphs_range){.count = device == shares->home ? n_h : 0};
  (void)rp_on(b->g, device);
}

/* ---- The proof --------------------------------------------------------------------------------------------------- */

/* The terms of a proof's points, which several devices may have sent. */
typedef struct terms {
  rp_value a[RP_GROUP_MOST], b2[RP_GROUP_MOST], c[3 * RP_GROUP_MOST];
  uint32_t n_a, n_b2, n_c;
} terms;

static rp_value add_up(builder *b, const rp_value *values, uint32_t n) {
  return n == 1 ? values[0] : rp_tree_reduce(b->g, rp_concat(b->g, values, n), 0);
}

/* s A + r B1, two terms of C, for part of A and of B1. Returns both as affine points. The witness ends with s, r. */
static rp_value blind(builder *b, terms *t, rp_value a, rp_value b1) {
  const rp_value a_b1[2] = {a, b1}, affine = rp_to_affine(b->g, rp_concat(b->g, a_b1, 2));
  t->c[t->n_c++] = rp_scalar_mul(b->g, b->blinding, affine);
  t->a[t->n_a++] = a;
  return affine;
}

/* ---- Several devices --------------------------------------------------------------------------------------------- */

/* What the home device has got from others. */
typedef struct others {
  rp_value a[RP_GROUP_MOST], b1[RP_GROUP_MOST];
  uint32_t n;
} others;

/* Three points of G1 at once, and one of G2. */
static void send_sums(builder *b, uint32_t device, const sums *s, terms *t, others *o) {
  const uint32_t home = b->cut->shares.home;
  const rp_value three[3] = {s->a, s->b1, s->c}, sent = rp_copy_to(b->g, rp_concat(b->g, three, 3), home);
  t->b2[t->n_b2++] = rp_copy_to(b->g, s->b2, home);
  (void)rp_on(b->g, home);
  o->a[o->n] = rp_slice(b->g, sent, 0, 1);
  o->b1[o->n++] = rp_slice(b->g, sent, 1, 1);
  t->c[t->n_c++] = rp_slice(b->g, sent, 2, 1);
  (void)rp_on(b->g, device);
}

static void keep_sums(builder *b, const sums *s, terms *t) {
  t->b2[t->n_b2++] = s->b2;
  t->c[t->n_c++] = s->c;
  (void)blind(b, t, s->a, s->b1);
}

/* The quotient is on the home device, which sends the others their part of it while they work on the witness. Each
 * sends its sums, and that of H. The home device blinds its own part of A and B1 while its products are computed, and
 * the part of the others as soon as it arrives, so that only additions are left when the last sum of H arrives. */
static terms products_of_all(builder *b, rp_value input) {
  rp_graph *g = b->g;
  const uint32_t home = b->cut->shares.home;
  terms t = {0};
  others o = {0};
  const rp_value values = quotient(b);
  for (uint32_t d = 0; d < b->cut->shares.n; d++) {
    char name[24];
    choose(b, d);
    snprintf(name, sizeof name, "device %u", d);
    rp_scope_begin(g, name);
    rp_scope_title(g, "Device %u: its part of the products, %.1f percent", d,
                   100.0 * (double)b->scalars.count / (double)g16_key_scalars(b->key));
    if (b->scalars.count) {
      const bool apart = d == home && b->scalars_at_home.id;
      const sums s = witness_products(b, apart ? b->scalars_at_home : share(b, input, &b->scalars));
      if (d != home)
        send_sums(b, d, &s, &t, &o);
      else
        keep_sums(b, &s, &t);
    }
    if (b->h.count) t.c[t.n_c++] = rp_copy_to(g, quotient_product(b, values), home);
    rp_scope_end(g);
  }
  choose(b, home);
  rp_scope_begin(g, "others");
  rp_scope_title(g, "Others: sums of the other devices, blinded");
  if (o.n) (void)blind(b, &t, add_up(b, o.a, o.n), add_up(b, o.b1, o.n));
  rp_scope_end(g);
  return t;
}

static void build(builder *b, g16_graph *out) {
  rp_graph *g = b->g;
  const bool several = b->cut->shares.n > 1;
  terms t = {0};
  sums s = {0};
  choose(b, b->cut->shares.home);
  begin(b, out);
  if (several) {
    t = products_of_all(b, b->scalars_at_home.id ? out->witness : b->witness);
  } else {
    s = witness_products(b, b->witness);
    s.h = quotient_product(b, quotient(b));
  }
  rp_scope_begin(g, "assemble");
  rp_scope_title(g, "Blind and assemble the proof");
  if (several) {
    out->pi_a = rp_to_affine(g, add_up(b, t.a, t.n_a));
  } else { /* s pi_a and r B1 are not on the critical path, which ends with H */
    t.b2[t.n_b2++] = s.b2;
    t.c[t.n_c++] = s.c;
    t.c[t.n_c++] = s.h;
    out->pi_a = rp_slice(g, blind(b, &t, s.a, s.b1), 0, 1);
  }
  out->pi_b = rp_to_affine(g, add_up(b, t.b2, t.n_b2));
  out->pi_c = rp_to_affine(g, add_up(b, t.c, t.n_c));
  rp_scope_end(g);
  rp_graph_output(g, "pi_a", out->pi_a, 0);
  rp_graph_output(g, "pi_b", out->pi_b, 0);
  rp_graph_output(g, "pi_c", out->pi_c, 0);
}

static rp_status make(const rp_groth16_key *key, rp_context *context, bool tables, const g16_cut *cut,
                      void (*fill)(builder *b, g16_graph *out), g16_graph *out, rp_error *err) {
  *out = (g16_graph){0};
  rp_graph *g;
  rp_status status = rp_graph_create(context, "groth16", &g, err);
  if (status != RP_OK) return status;
  builder b = {.g = g, .key = key, .family = key->family, .cut = cut, .precompute = !tables};
  fill(&b, out);
  const rp_error *error = rp_graph_error(g);
  if (error->status == RP_OK) {
    out->graph = g;
    return RP_OK;
  }
  if (err) *err = *error;
  status = error->status;
  rp_graph_destroy(g);
  return status;
}

rp_status g16_graph_build(const rp_groth16_key *key, rp_context *context, bool tables, const g16_cut *cut,
                          g16_graph *out, rp_error *err) {
  return make(key, context, tables, cut, build, out, err);
}

rp_status g16_graph_build_quotient(const rp_groth16_key *key, rp_context *context, g16_graph *out, rp_error *err) {
  return make(key, context, 0, &G16_UNCUT, build_quotient, out, err);
}
