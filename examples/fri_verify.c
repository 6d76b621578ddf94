/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The verifier of fri.h: plain arithmetic on single elements. Nothing in a proof is trusted, and its length is given by
 * the parameters. */
#include "fri.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What prover and verifier share ------------------------------------------------------------------------------ */

static uint64_t element_bytes(const fri_params *p) { return rp_type_field(p->field)->size_bytes; }

uint32_t fri_layers(const fri_params *p) { return p->log_degree - p->log_final; }

bool fri_params_good(const fri_params *p) {
  enum { MOST_LOG = 31, MOST_QUERIES = 1 << 12 };
  const rp_field_host *f = rp_field_get(p->field);
  return f && f->degree == 1 && f->size_bytes <= FRI_ELEMENT && rp_hash_field(p->hash) == p->field &&
         p->extension >= 2 && p->extension <= FRI_COLUMNS && p->extension <= rp_hash_digest_len(p->hash) &&
         p->log_final <= FRI_LOG_FINAL && p->log_degree > p->log_final && fri_layers(p) <= FRI_LAYERS &&
         p->log_blowup >= 1 && p->log_blowup <= MOST_LOG && fri_log_size(p, 0) <= f->two_adicity &&
         fri_log_size(p, 0) < MOST_LOG && p->queries && p->queries <= MOST_QUERIES;
}

void fri_shift(const fri_params *p, uint32_t layer, void *element) {
  const rp_field_host *f = rp_field_get(p->field);
  const uint8_t le[4] = {(uint8_t)p->shift, (uint8_t)(p->shift >> 8)};
  f->from_bytes_reduce(element, le, sizeof le);
  for (uint32_t j = 0; j < layer; j++) f->sqr(element, element);
}

void fri_parameters(const fri_params *p, uint8_t *elements) {
  const uint32_t all[FRI_PARAMETERS] = {p->log_degree, p->log_blowup, p->log_final, p->queries,
                                        p->extension,  p->nonresidue, p->shift,     0};
  const rp_field_host *f = rp_field_get(p->field);
  for (uint32_t i = 0; i < FRI_PARAMETERS; i++) {
    const uint8_t le[4] = {(uint8_t)all[i], (uint8_t)(all[i] >> 8), (uint8_t)(all[i] >> 16), (uint8_t)(all[i] >> 24)};
    uint64_t x[1] = {0};
    f->from_bytes_reduce(x, le, sizeof le);
    memcpy(elements + i * f->size_bytes, x, f->size_bytes);
  }
}

fri_layout fri_layout_of(const fri_params *p) {
  fri_layout at = {0};
  at.last = (size_t)fri_layers(p) * FRI_DIGEST;
  size_t next = at.last + (element_bytes(p) * p->extension << p->log_final);
  for (uint32_t j = 0; j < fri_layers(p); j++) {
    at.rows[j] = next;
    at.paths[j] = next + 2ull * fri_columns(p, j) * p->queries * element_bytes(p);
    next = at.paths[j] + (size_t)p->queries * (fri_log_size(p, j) - 1) * FRI_DIGEST;
  }
  at.bytes = next;
  return at;
}

/* ---- Arithmetic -------------------------------------------------------------------------------------------------- */

/* An element of the extension, or of the base field if all coefficients but the first are zero. */
typedef struct wide {
  uint64_t v[FRI_COLUMNS];
} wide;

typedef struct verifier {
  const fri_params *p;
  const rp_field_host *f;
  const uint8_t *proof;
  fri_layout at;
  _Alignas(8) uint8_t t[2 * FRI_DIGEST]; /* the transcript, with room for what is hashed with it */
  wide challenge[FRI_LAYERS];
  uint64_t nonresidue, half;
  char *reason;
} verifier;

static wide add(const verifier *v, wide a, wide b, int minus) {
  for (uint32_t k = 0; k < v->p->extension; k++) (minus ? v->f->sub : v->f->add)(&a.v[k], &a.v[k], &b.v[k]);
  return a;
}

static wide scale(const verifier *v, wide a, const void *x) {
  for (uint32_t k = 0; k < v->p->extension; k++) v->f->mul(&a.v[k], &a.v[k], x);
  return a;
}

/* Modulo X^D - nonresidue. */
static wide multiply(const verifier *v, wide a, wide b) {
  const uint32_t d = v->p->extension;
  wide r = {{0}};
  for (uint32_t i = 0; i < d; i++)
    for (uint32_t k = 0; k < d; k++) {
      uint64_t x = 0;
      v->f->mul(&x, &a.v[i], &b.v[k]);
      if (i + k >= d) v->f->mul(&x, &x, &v->nonresidue);
      v->f->add(&r.v[(i + k) % d], &r.v[(i + k) % d], &x);
    }
  return r;
}

static bool equal(const verifier *v, wide a, wide b) {
  bool same = true;
  for (uint32_t k = 0; k < v->p->extension; k++) same &= v->f->equal(&a.v[k], &b.v[k]);
  return same;
}

/* ---- The checks -------------------------------------------------------------------------------------------------- */

static bool refuse(const verifier *v, uint32_t layer, uint32_t query, const char *why) {
  snprintf(v->reason, 128, "layer %u, query %u: %s", layer, query, why);
  return false;
}

/* Elements in memory form must be reduced: one that is not would be another name for the same number. */
static bool all_reduced(const verifier *v) {
  const size_t size = v->f->size_bytes;
  for (size_t i = 0; i < v->at.bytes; i += size) {
    size_t k = size;
    while (k-- && v->proof[i + k] == v->f->modulus_le[k]) continue;
    if (k < size && v->proof[i + k] < v->f->modulus_le[k]) continue;
    snprintf(v->reason, 128, "byte %zu: an element is not below the modulus", i);
    return false;
  }
  return true;
}

/* Column `column` of leaf `query` in the opened leaves of a layer. */
static uint64_t opened(const verifier *v, uint32_t layer, uint32_t column, uint32_t query) {
  uint64_t x = 0;
  const size_t at = ((size_t)column * v->p->queries + query) * v->f->size_bytes;
  memcpy(&x, v->proof + v->at.rows[layer] + at, v->f->size_bytes);
  return x;
}

/* Whether the hashes of the opened leaves lead, by their paths, to the root of the layer; index[q] is the leaf of query
 * q. `room`, from fri_verify, holds rows and later pairs, of up to 64 bytes each, then nodes, of one digest each. */
static bool in_tree(const verifier *v, uint32_t layer, const uint32_t *index, uint8_t *room) {
  const uint32_t columns = 2 * fri_columns(v->p, layer), levels = fri_log_size(v->p, layer) - 1, n = v->p->queries;
  const size_t size = v->f->size_bytes;
  uint8_t *nodes = room + (size_t)n * 2 * FRI_DIGEST;
  for (uint32_t q = 0; q < n; q++)
    for (uint32_t c = 0; c < columns; c++) {
      const uint64_t x = opened(v, layer, c, q);
      memcpy(room + (q * columns + c) * size, &x, size);
    }
  if (rp_hash_rows_host(v->p->hash, room, columns, n, nodes) != RP_OK) return refuse(v, layer, 0, "not hashed");
  for (uint32_t k = 0; k < levels; k++) {
    for (uint32_t q = 0; q < n; q++) {
      const uint32_t right = index[q] >> k & 1;
      const uint8_t *path = v->proof + v->at.paths[layer] + ((size_t)q * levels + k) * FRI_DIGEST;
      memcpy(room + (2 * q + right) * FRI_DIGEST, nodes + q * FRI_DIGEST, FRI_DIGEST);
      memcpy(room + (2 * q + !right) * FRI_DIGEST, path, FRI_DIGEST);
    }
    if (rp_hash_pairs_host(v->p->hash, room, n, nodes) != RP_OK) return refuse(v, layer, 0, "not hashed");
  }
  for (uint32_t q = 0; q < n; q++)
    if (memcmp(nodes + q * FRI_DIGEST, v->proof + v->at.roots + layer * FRI_DIGEST, FRI_DIGEST) != 0)
      return refuse(v, layer, q, "leaf and path do not lead to the root");
  return true;
}

/* x = s^(2^layer) * w^index */
static uint64_t place(const verifier *v, uint32_t layer, uint32_t index) {
  const uint8_t exponent[4] = {(uint8_t)index, (uint8_t)(index >> 8), (uint8_t)(index >> 16), (uint8_t)(index >> 24)};
  uint64_t x = 0, root = 0;
  fri_shift(v->p, layer, &x);
  v->f->root(&root, RP_ROOT_SNARKJS, fri_log_size(v->p, layer));
  v->f->pow(&root, &root, exponent, sizeof exponent);
  v->f->mul(&x, &x, &root);
  return x;
}

/* The value of the last polynomial at x, by Horner's rule. */
static wide last_value(const verifier *v, uint64_t x) {
  wide r = {{0}}, coefficient = {{0}};
  for (uint32_t i = 1u << v->p->log_final; i-- > 0;) {
    for (uint32_t c = 0; c < v->p->extension; c++) {
      const size_t at = (((size_t)c << v->p->log_final) + i) * v->f->size_bytes;
      memcpy(&coefficient.v[c], v->proof + v->at.last + at, v->f->size_bytes);
    }
    r = add(v, scale(v, r, &x), coefficient, 0);
  }
  return r;
}

/* Checks what was opened of a layer, and folds it: folded[q] is what the next layer must have at index[q]. */
static bool layer_good(const verifier *v, uint32_t layer, uint32_t *index, wide *folded, uint8_t *room) {
  const uint32_t half = 1u << (fri_log_size(v->p, layer) - 1), columns = fri_columns(v->p, layer);
  for (uint32_t q = 0; q < v->p->queries; q++) {
    wide side[2] = {{{0}}, {{0}}}; /* f(x), f(-x) */
    for (uint32_t c = 0; c < 2 * columns; c++) side[c / columns].v[c % columns] = opened(v, layer, c, q);
    if (layer && !equal(v, folded[q], side[index[q] >= half]))
      return refuse(v, layer, q, "not the layer before, folded");
    index[q] &= half - 1;
    uint64_t factor = place(v, layer, index[q]);
    v->f->inv(&factor, &factor);
    v->f->mul(&factor, &factor, &v->half);
    const wide odd = scale(v, add(v, side[0], side[1], 1), &factor);
    folded[q] = add(v, scale(v, add(v, side[0], side[1], 0), &v->half), multiply(v, odd, v->challenge[layer]), 0);
  }
  return in_tree(v, layer, index, room);
}

static bool queries_good(const verifier *v, uint32_t *index, wide *folded, uint8_t *room) {
  const uint32_t layers = fri_layers(v->p);
  for (uint32_t j = 0; j < layers; j++)
    if (!layer_good(v, j, index, folded, room)) return false;
  for (uint32_t q = 0; q < v->p->queries; q++)
    if (!equal(v, folded[q], last_value(v, place(v, layers, index[q]))))
      return refuse(v, layers, q, "not the value of the last polynomial");
  return true;
}

/* ---- The transcript ---------------------------------------------------------------------------------------------- */

static void number(const verifier *v, uint32_t n, void *element) {
  const uint8_t le[4] = {(uint8_t)n, (uint8_t)(n >> 8), (uint8_t)(n >> 16), (uint8_t)(n >> 24)};
  v->f->from_bytes_reduce(element, le, sizeof le);
}

/* t = H(t, more) */
static bool absorb(verifier *v, const uint8_t *more, size_t bytes) {
  _Alignas(8) uint8_t row[FRI_DIGEST + (FRI_COLUMNS * FRI_ELEMENT << FRI_LOG_FINAL)];
  memcpy(row, v->t, FRI_DIGEST);
  memcpy(row + FRI_DIGEST, more, bytes);
  return rp_hash_rows_host(v->p->hash, row, (FRI_DIGEST + bytes) / v->f->size_bytes, 1, v->t) == RP_OK;
}

/* The challenges of all layers, and the index of each query in the first half of layer 0. */
static bool read_transcript(verifier *v, uint32_t *index) {
  const uint32_t mask = (1u << (fri_log_size(v->p, 0) - 1)) - 1;
  _Alignas(8) uint8_t parameters[FRI_PARAMETERS * FRI_ELEMENT], digest[FRI_DIGEST], low[FRI_ELEMENT];
  fri_parameters(v->p, parameters);
  bool good = rp_hash_rows_host(v->p->hash, parameters, FRI_PARAMETERS, 1, v->t) == RP_OK;
  for (uint32_t j = 0; j < fri_layers(v->p) && good; j++) {
    good = absorb(v, v->proof + v->at.roots + j * FRI_DIGEST, FRI_DIGEST);
    for (uint32_t c = 0; c < v->p->extension; c++)
      memcpy(&v->challenge[j].v[c], v->t + c * v->f->size_bytes, v->f->size_bytes);
  }
  good = good && absorb(v, v->proof + v->at.last, v->at.rows[0] - v->at.last);
  for (uint32_t q = 0; q < v->p->queries && good; q++) {
    uint64_t x = 0;
    number(v, q, &x);
    memcpy(v->t + FRI_DIGEST, &x, v->f->size_bytes);
    good = rp_hash_rows_host(v->p->hash, v->t, FRI_DIGEST / v->f->size_bytes + 1, 1, digest) == RP_OK;
    v->f->to_canonical(low, digest);
    index[q] = (low[0] | (uint32_t)low[1] << 8 | (uint32_t)low[2] << 16 | (uint32_t)low[3] << 24) & mask;
  }
  return good;
}

bool fri_verify(const fri_params *p, const uint8_t *proof, size_t bytes, char reason[128]) {
  verifier v = {.p = p, .f = rp_field_get(p->field), .proof = proof, .reason = reason};
  snprintf(reason, 128, "the parameters or the length are wrong");
  if (!fri_params_good(p)) return false;
  v.at = fri_layout_of(p);
  if (bytes != v.at.bytes || !all_reduced(&v)) return false;
  number(&v, p->nonresidue, &v.nonresidue);
  number(&v, 2, &v.half);
  v.f->inv(&v.half, &v.half);
  uint32_t *index = calloc(p->queries, sizeof *index);
  wide *folded = calloc(p->queries, sizeof *folded);
  uint8_t *room = malloc((size_t)p->queries * 3 * FRI_DIGEST);
  snprintf(reason, 128, "there is no memory");
  const bool good = index && folded && room && read_transcript(&v, index) && queries_good(&v, index, folded, room);
  if (good) reason[0] = 0;
  free(index), free(folded), free(room);
  return good;
}
