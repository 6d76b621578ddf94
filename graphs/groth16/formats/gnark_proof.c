/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gnark_proof.h"

#include "formats/fail.h"

#include <inttypes.h>

static void walk(g16_gnark_reader *r, rp_gnark_proof *proof) {
  g16_g2 point;
  const uint32_t g1 = g16_g1_bytes(r->family), g2 = g16_g2_bytes(r->family);
  g16_gnark_point(r, "Ar", G16_GNARK_ONE, 0, &point);
  if (proof) memcpy(proof->groth16.a, &point, g1);
  g16_gnark_point(r, "Bs", G16_GNARK_ONE, 1, &point);
  if (proof) memcpy(proof->groth16.b, &point, g2);
  g16_gnark_point(r, "Krs", G16_GNARK_ONE, 0, &point);
  if (proof) memcpy(proof->groth16.c, &point, g1);
  const uint64_t n = g16_gnark_u32(r, "the number of commitments");
  if (n > RP_GNARK_MAX_COMMITMENTS)
    g16_gnark_wrong(r, "claims %" PRIu64 " commitments, at most %d are read", n, RP_GNARK_MAX_COMMITMENTS);
  for (uint64_t i = 0; i < n && r->status == RP_OK; i++) {
    g16_gnark_point(r, "commitments", (int64_t)i, 0, &point);
    if (proof) memcpy(proof->commitment[i], &point, g1);
  }
  g16_gnark_point(r, "the proof of knowledge", G16_GNARK_ONE, 0, &point);
  if (proof) {
    memcpy(proof->knowledge, &point, g1);
    proof->n_commitments = (uint32_t)n;
  }
  g16_gnark_end(r);
}

void g16_gnark_walk_proof(g16_gnark_reader *r) { walk(r, NULL); }

rp_status g16_gnark_proof_read(const support_file *file, rp_gnark_proof *proof, rp_error *err) {
  bool fits;
  const g16_family *family = g16_gnark_family(file, g16_gnark_walk_proof, &fits);
  g16_gnark_reader r = {.file = file, .family = family, .form = -1, .err = err};
  *proof = (rp_gnark_proof){.groth16 = {.g1 = family->g1, .g2 = family->g2}};
  walk(&r, proof);
  if (r.status != RP_OK) *proof = (rp_gnark_proof){0};
  return r.status;
}

/* Writes points one after another; only counts bytes if `out` is NULL. */
typedef struct writer {
  const g16_family *family;
  g16_gnark_form form;
  uint8_t *out;
  size_t bytes;
} writer;

static void put_point(writer *w, bool g2, const uint8_t *point) {
  g16_g2 aligned;
  memcpy(&aligned, point, g2 ? g16_g2_bytes(w->family) : g16_g1_bytes(w->family));
  if (w->out) g16_gnark_encode(w->family, g2, w->form, &aligned, w->out + w->bytes);
  w->bytes += g16_gnark_point_bytes(w->family, g2, w->form);
}

static void put_u32(writer *w, uint32_t value) {
  if (w->out)
    for (int i = 0; i < 4; i++) w->out[w->bytes + (size_t)i] = (uint8_t)(value >> (24 - 8 * i));
  w->bytes += 4;
}

size_t g16_gnark_proof_write(const rp_gnark_proof *proof, rp_gnark_form form, uint8_t *out) {
  writer w = {.family = g16_family_by_g1(proof->groth16.g1),
              .form = form == RP_GNARK_RAW ? G16_GNARK_RAW : G16_GNARK_COMPRESSED,
              .out = out};
  if (!w.family || proof->n_commitments > RP_GNARK_MAX_COMMITMENTS) return 0;
  put_point(&w, 0, proof->groth16.a);
  put_point(&w, 1, proof->groth16.b);
  put_point(&w, 0, proof->groth16.c);
  put_u32(&w, proof->n_commitments);
  for (uint32_t i = 0; i < proof->n_commitments; i++) put_point(&w, 0, proof->commitment[i]);
  put_point(&w, 0, proof->knowledge);
  return w.bytes;
}

/* ---- Witnesses --------------------------------------------------------------------------------------------------- */

enum { WITNESS_HEAD = 12, VALUE_BYTES = 32 };

rp_status g16_gnark_witness_open(const support_file *file, g16_gnark_witness *witness, rp_error *err) {
  g16_gnark_reader r = {.file = file, .err = err};
  *witness = (g16_gnark_witness){0};
  const uint32_t n_public = g16_gnark_u32(&r, "the number of public values");
  const uint32_t n_secret = g16_gnark_u32(&r, "the number of secret values");
  const uint64_t n = g16_gnark_count(&r, "values", VALUE_BYTES);
  if (n != (uint64_t)n_public + n_secret)
    g16_gnark_wrong(&r, "has %" PRIu64 " values, and its header counts %" PRIu32 " public and %" PRIu32 " secret ones",
                    n, n_public, n_secret);
  g16_gnark_skip(&r, n * VALUE_BYTES);
  g16_gnark_end(&r);
  if (r.status == RP_OK) *witness = (g16_gnark_witness){n_public, n_secret};
  return r.status;
}

rp_status g16_gnark_witness_read(const support_file *file, uint64_t first, uint64_t n, uint8_t *out, rp_error *err) {
  uint8_t be[VALUE_BYTES];
  rp_status status = RP_OK;
  for (uint64_t i = 0; i < n && status == RP_OK; i++) {
    status = support_file_read(file, WITNESS_HEAD + (first + i) * VALUE_BYTES, sizeof be, be, err);
    if (status == RP_OK) g16_gnark_reverse(be, sizeof be, out + i * VALUE_BYTES);
  }
  return status;
}

void g16_gnark_public_write(const uint8_t *values, uint32_t n, uint8_t *out) {
  writer w = {.out = out};
  put_u32(&w, n);
  put_u32(&w, 0);
  put_u32(&w, n);
  for (uint32_t i = 0; i < n; i++)
    g16_gnark_reverse(values + (size_t)i * VALUE_BYTES, VALUE_BYTES, out + w.bytes + (size_t)i * VALUE_BYTES);
}
