/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gnark_pkey.h"

#include "formats/fail.h"
#include "gnark_map.h"
#include "zkey.h"

#include <inttypes.h>
#include <stdlib.h>

/* Wires and the two blinding values are counted in 32 bits. */
enum { MAGIC_BYTES = 8, DOMAIN_BYTES = 169, MOST_LOG_DOMAIN = 31, BLOCK_BYTES = 96 * 1024 };
/* The number of public wires that a key may have: each takes memory (about 320 bytes) for which the file has no
 * point. */
enum { POINTLESS_WIRES = 1 << 20 };
static const uint64_t dump_magic = 0xdeadbeef, most_wires = UINT32_MAX - 2;

static const char *const array_name[G16_GNARK_ARRAYS] = {"A", "B in G1", "Z", "K", "B in G2"};
static const char *const map_name[2] = {"the map of wires without A", "the map of wires without B"};

static uint64_t u64_be(const uint8_t *be) {
  uint8_t le[8];
  g16_gnark_reverse(be, sizeof le, le);
  return g16_u64(le);
}

/* The family modulo whose r `inverse` is the inverse of n. */
static const g16_family *family_of(uint64_t n, const uint8_t *inverse) {
  static const rp_curve curves[2] = {RP_CURVE_BN254_G1, RP_CURVE_BLS12_381_G1};
  for (int i = 0; i < 2; i++) {
    const g16_family *family = g16_family_by_g1(curves[i]);
    const rp_field_host *fr = rp_field_get(family->fr);
    uint64_t a[4] = {n}, b[4], one[4];
    g16_gnark_reverse(inverse, 32, (uint8_t *)b);
    fr->one(one);
    if (!fr->from_canonical(a, a) || !fr->from_canonical(b, b)) continue;
    fr->mul(a, a, b);
    if (fr->equal(a, one)) return family;
  }
  return NULL;
}

static bool is_power(uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

bool g16_gnark_is_pkey(const support_file *file) {
  uint8_t head[MAGIC_BYTES + 40] = {0};
  const uint64_t size = support_file_size(file);
  if (support_file_read(file, 0, size < sizeof head ? size : sizeof head, head, NULL) != RP_OK) return 0;
  if (g16_u64(head) == dump_magic) return 1;
  const uint64_t n = u64_be(head);
  return size >= DOMAIN_BYTES && is_power(n) && family_of(n, head + 8) != NULL;
}

/* ---- The domain -------------------------------------------------------------------------------------------------- */

static void expect_inverse(g16_gnark_reader *r, const char *what, const uint64_t a[4], const uint64_t b[4]) {
  const rp_field_host *fr = rp_field_get(r->family->fr);
  uint64_t product[4], one[4];
  fr->mul(product, a, b);
  fr->one(one);
  if (!fr->equal(product, one)) g16_gnark_wrong(r, "domain: %s is not the inverse of what it should be", what);
}

/* The convention in which omega is the root of order n. */
static rp_root root_of(const g16_gnark_pkey *pkey, const uint64_t omega[4]) {
  static const rp_root conventions[] = {RP_ROOT_SNARKJS, RP_ROOT_ARKWORKS, RP_ROOT_HALO2};
  const rp_field_host *fr = rp_field_get(pkey->family->fr);
  for (int i = 0; i < 3; i++) {
    uint64_t root[4];
    if (fr->root(root, conventions[i], pkey->log_domain) && fr->equal(root, omega)) return conventions[i];
  }
  return RP_ROOT_NONE;
}

/* Whether the coset does not meet the domain, so that X^n - 1, the divisor of the quotient, has no zero on it. */
static bool is_proper_shift(const g16_gnark_pkey *pkey, const uint64_t g[4]) {
  const rp_field_host *fr = rp_field_get(pkey->family->fr);
  uint64_t power[4], one[4];
  memcpy(power, g, sizeof power);
  fr->one(one);
  for (uint32_t i = 0; i < pkey->log_domain; i++) fr->sqr(power, power);
  return !fr->equal(power, one);
}

static void take_domain(g16_gnark_reader *r, g16_gnark_pkey *pkey) {
  uint64_t n_inverse[4], omega[4], omega_inverse[4], g[4], g_inverse[4];
  uint8_t head[40], precompute;
  const uint64_t at = r->at;
  g16_gnark_take(r, "the domain", sizeof head, head);
  if (r->status != RP_OK) return;
  pkey->domain = u64_be(head);
  if (!is_power(pkey->domain)) {
    g16_gnark_wrong(r, "domain: its size %" PRIu64 " is not a power of two", pkey->domain);
    return;
  }
  pkey->family = r->family = family_of(pkey->domain, head + 8);
  if (!r->family) {
    g16_gnark_wrong(
        r, "domain: 1/n is the inverse of its size %" PRIu64 " in the scalar field of neither BN254 nor BLS12-381",
        pkey->domain);
    return;
  }
  pkey->log_domain = (uint32_t)__builtin_ctzll(pkey->domain);
  const uint32_t two_adicity = rp_field_get(r->family->fr)->two_adicity;
  if (pkey->log_domain > two_adicity || pkey->log_domain > MOST_LOG_DOMAIN) {
    g16_gnark_wrong(r, "domain: its size 2^%" PRIu32 " is larger than 2^%" PRIu32 ", the most for %s", pkey->log_domain,
                    two_adicity < MOST_LOG_DOMAIN ? two_adicity : MOST_LOG_DOMAIN, r->family->name);
    return;
  }
  r->at = at + 8;
  g16_gnark_fr(r, "1/n", n_inverse);
  g16_gnark_fr(r, "omega", omega);
  g16_gnark_fr(r, "1/omega", omega_inverse);
  g16_gnark_fr(r, "g", g);
  g16_gnark_fr(r, "1/g", g_inverse);
  g16_gnark_take(r, "the flag of precomputed tables", 1, &precompute);
  if (r->status != RP_OK) return;
  pkey->root = root_of(pkey, omega);
  rp_field_get(r->family->fr)->to_canonical(pkey->shift, g);
  if (pkey->root == RP_ROOT_NONE) g16_gnark_wrong(r, "domain: omega is not a root of unity that is known for its size");
  if (!is_proper_shift(pkey, g)) g16_gnark_wrong(r, "domain: the coset of g is the domain itself");
  expect_inverse(r, "1/omega", omega, omega_inverse);
  expect_inverse(r, "1/g", g, g_inverse);
  if (precompute > 1) g16_gnark_wrong(r, "domain: its flag is %u, neither 0 nor 1", (unsigned)precompute);
}

/* ---- Arrays and maps --------------------------------------------------------------------------------------------- */

static uint64_t u64_le(g16_gnark_reader *r, const char *what) {
  uint8_t le[8];
  g16_gnark_take(r, what, sizeof le, le);
  return g16_u64(le);
}

static void take_array(g16_gnark_reader *r, const g16_gnark_pkey *pkey, const char *name, bool g2,
                       g16_gnark_array *array) {
  const uint32_t bytes = g16_gnark_point_bytes(r->family, g2, pkey->form);
  const uint64_t n = pkey->form == G16_GNARK_MEMORY ? u64_le(r, name) : g16_gnark_u32(r, name);
  *array = (g16_gnark_array){.name = name, .g2 = g2, .n = g16_gnark_fits(r, name, n, bytes), .offset = r->at};
  g16_gnark_skip(r, array->n * bytes);
}

static void take_maps(g16_gnark_reader *r, g16_gnark_pkey *pkey) {
  pkey->n_wires = g16_gnark_u64(r, "the number of wires");
  pkey->n_infinity[0] = g16_gnark_u64(r, "the number of wires without A");
  pkey->n_infinity[1] = g16_gnark_u64(r, "the number of wires without B");
  for (int i = 0; i < 2; i++) {
    const char *name = map_name[i];
    pkey->map[i] = r->at;
    g16_gnark_skip(r, g16_gnark_fits(r, name, pkey->n_wires, 1));
    if (r->status == RP_OK && pkey->n_infinity[i] > pkey->n_wires)
      g16_gnark_wrong(r, "%s has %" PRIu64 " entries of %" PRIu64 " wires", name, pkey->n_infinity[i], pkey->n_wires);
  }
  if (r->status == RP_OK && (pkey->n_wires == 0 || pkey->n_wires > most_wires))
    g16_gnark_wrong(r, "has %" PRIu64 " wires, and 1 to %" PRIu64 " can be", pkey->n_wires, most_wires);
}

static void take_n_commitments(g16_gnark_reader *r, g16_gnark_pkey *pkey) {
  pkey->n_commitments = g16_gnark_u32(r, "the number of commitments");
  if (pkey->n_commitments <= RP_GNARK_MAX_COMMITMENTS) return;
  g16_gnark_wrong(r, "has %" PRIu32 " commitments, at most %d are read", pkey->n_commitments, RP_GNARK_MAX_COMMITMENTS);
}

static void take_commitments(g16_gnark_reader *r, g16_gnark_pkey *pkey) {
  for (uint32_t i = 0; i < pkey->n_commitments && r->status == RP_OK; i++) {
    take_array(r, pkey, "basis of a commitment", 0, &pkey->basis[i]);
    take_array(r, pkey, "basis times sigma of a commitment", 0, &pkey->basis_sigma[i]);
  }
}

static void take_written(g16_gnark_reader *r, g16_gnark_pkey *pkey) {
  take_domain(r, pkey);
  if (r->status != RP_OK) return;
  g16_gnark_key_point(r, "alpha in G1", 0, &pkey->alpha_1);
  g16_gnark_key_point(r, "beta in G1", 0, &pkey->beta_1);
  g16_gnark_key_point(r, "delta in G1", 0, &pkey->delta_1);
  if (r->status != RP_OK) return;
  pkey->form = (g16_gnark_form)r->form;
  for (int i = G16_GNARK_A; i <= G16_GNARK_K; i++) take_array(r, pkey, array_name[i], 0, &pkey->array[i]);
  g16_gnark_key_point(r, "beta in G2", 1, &pkey->beta_2);
  g16_gnark_key_point(r, "delta in G2", 1, &pkey->delta_2);
  take_array(r, pkey, array_name[G16_GNARK_B2], 1, &pkey->array[G16_GNARK_B2]);
  take_maps(r, pkey);
  take_n_commitments(r, pkey);
  take_commitments(r, pkey);
}

static void take_dump(g16_gnark_reader *r, g16_gnark_pkey *pkey) {
  r->at = MAGIC_BYTES;
  take_domain(r, pkey);
  if (r->status != RP_OK) return;
  r->form = G16_GNARK_RAW;
  g16_gnark_key_point(r, "alpha in G1", 0, &pkey->alpha_1);
  g16_gnark_key_point(r, "beta in G1", 0, &pkey->beta_1);
  g16_gnark_key_point(r, "delta in G1", 0, &pkey->delta_1);
  g16_gnark_key_point(r, "beta in G2", 1, &pkey->beta_2);
  g16_gnark_key_point(r, "delta in G2", 1, &pkey->delta_2);
  take_maps(r, pkey);
  take_n_commitments(r, pkey);
  pkey->form = G16_GNARK_MEMORY;
  for (int i = G16_GNARK_A; i <= G16_GNARK_B2; i++)
    take_array(r, pkey, array_name[i], i == G16_GNARK_B2, &pkey->array[i]);
  take_commitments(r, pkey);
}

/* ---- Numbers that have to agree ---------------------------------------------------------------------------------- */

static void expect_points(g16_gnark_reader *r, const g16_gnark_array *array, uint64_t n, const char *why) {
  if (array->n != n)
    g16_gnark_wrong(r, "%s at byte %" PRIu64 " has %" PRIu64 " points, %s ask for %" PRIu64, array->name, array->offset,
                    array->n, why, n);
}

static void check_numbers(g16_gnark_reader *r, g16_gnark_pkey *pkey) {
  const g16_gnark_array *a = pkey->array;
  expect_points(r, &a[G16_GNARK_A], pkey->n_wires - pkey->n_infinity[0], "the wires that have one");
  expect_points(r, &a[G16_GNARK_B], pkey->n_wires - pkey->n_infinity[1], "the wires that have one");
  expect_points(r, &a[G16_GNARK_B2], pkey->n_wires - pkey->n_infinity[1], "the wires that have one");
  expect_points(r, &a[G16_GNARK_Z], pkey->domain - 1, "the coefficients of the quotient");
  uint64_t private = pkey->n_commitments; /* each array is in the file, so the sum cannot overflow */
  for (uint32_t i = 0; i < pkey->n_commitments; i++) {
    expect_points(r, &pkey->basis_sigma[i], pkey->basis[i].n, "the committed wires");
    private += pkey->basis[i].n;
  }
  private += a[G16_GNARK_K].n;
  if (r->status == RP_OK && private > pkey->n_wires - 1)
    g16_gnark_wrong(
        r, "K and the commitments take %" PRIu64 " private wires, and there are %" PRIu64 " besides the constant",
        private, pkey->n_wires - 1);
  pkey->n_public = pkey->n_wires - 1 - private;
  const uint64_t n_points = a[G16_GNARK_A].n + a[G16_GNARK_B].n;
  if (r->status == RP_OK && pkey->n_public > POINTLESS_WIRES && pkey->n_public > n_points)
    g16_gnark_wrong(r,
                    "has %" PRIu64 " public wires, and %" PRIu64 " points of A and B: more than %d need as many points",
                    pkey->n_public, n_points, POINTLESS_WIRES);
}

rp_status g16_gnark_pkey_open(const support_file *file, g16_gnark_pkey *pkey, rp_error *err) {
  g16_gnark_reader r = {.file = file, .form = -1, .err = err};
  *pkey = (g16_gnark_pkey){.file = file};
  uint8_t magic[MAGIC_BYTES] = {0};
  const uint64_t size = support_file_size(file);
  r.status = support_file_read(file, 0, size < sizeof magic ? size : sizeof magic, magic, err);
  if (r.status != RP_OK) return r.status;
  if (g16_u64(magic) == dump_magic)
    take_dump(&r, pkey);
  else
    take_written(&r, pkey);
  g16_gnark_end(&r);
  if (r.status == RP_OK) check_numbers(&r, pkey);
  return r.status;
}

/* ---- What it holds ----------------------------------------------------------------------------------------------- */

static rp_status refuse(const g16_gnark_pkey *pkey, const g16_gnark_array *array, uint64_t index, const char *why,
                        rp_error *err) {
  const uint32_t bytes = g16_gnark_point_bytes(pkey->family, array->g2, pkey->form);
  return support_fail(err, RP_ERR_FORMAT, "%s: %s, point %" PRIu64 " at byte %" PRIu64 ": %s.",
                      support_file_name(pkey->file), array->name, index, array->offset + index * bytes, why);
}

/* Decodes and checks points [first, first + n) of an array. */
static rp_status take_points(const g16_gnark_pkey *pkey, const g16_gnark_array *array, uint64_t first,
                             const uint8_t *in, uint64_t n, uint32_t checks, uint8_t *out, rp_error *err) {
  const rp_curve_host *curve = rp_curve_get(array->g2 ? pkey->family->g2 : pkey->family->g1);
  const char *damaged;
  const uint64_t good = g16_gnark_decode_many(pkey->family, array->g2, pkey->form, in, n, out, &damaged);
  for (uint64_t i = 0; i < good && checks; i++) {
    const uint8_t *point = out + i * curve->affine_bytes;
    const char *why = NULL;
    if ((checks & G16_CHECK_CURVE) && !curve->on_curve(point)) why = "it is not on the curve";
    if (!why && (checks & G16_CHECK_SUBGROUP) && !curve->in_subgroup(point)) why = "it is not in the subgroup";
    if (why) return refuse(pkey, array, first + i, why, err);
  }
  return damaged ? refuse(pkey, array, first + good, damaged, err) : RP_OK;
}

rp_status g16_gnark_points_read(const g16_gnark_pkey *pkey, const g16_gnark_array *array, uint64_t first, uint64_t n,
                                uint32_t checks, void *out, rp_error *err) {
  const uint32_t in_bytes = g16_gnark_point_bytes(pkey->family, array->g2, pkey->form);
  const uint32_t bytes = array->g2 ? g16_g2_bytes(pkey->family) : g16_g1_bytes(pkey->family);
  const uint64_t block = BLOCK_BYTES / in_bytes;
  if (n == 0) return RP_OK;
  if (first > array->n || n > array->n - first)
    return support_fail(err, RP_ERR_ARGUMENT, "%s: %s has %" PRIu64 " points only.", support_file_name(pkey->file),
                        array->name, array->n);
  uint8_t *scratch = malloc(BLOCK_BYTES), *to = out;
  if (!scratch) return support_fail(err, RP_ERR_MEMORY, "Out of memory: %d bytes.", BLOCK_BYTES);
  rp_status status = RP_OK;
  for (uint64_t done = 0; done < n && status == RP_OK;) {
    const uint64_t some = n - done < block ? n - done : block;
    const uint8_t *in;
    status =
        support_file_peek(pkey->file, array->offset + (first + done) * in_bytes, some * in_bytes, scratch, &in, err);
    if (status == RP_OK) status = take_points(pkey, array, first + done, in, some, checks, to + done * bytes, err);
    done += some;
  }
  free(scratch);
  return status;
}

static rp_status refuse_value(const g16_gnark_pkey *pkey, int which, const uint8_t *map, rp_error *err) {
  uint64_t i = 0;
  while (map[i] <= 1) i++;
  return support_fail(err, RP_ERR_FORMAT, "%s: %s, wire %" PRIu64 " at byte %" PRIu64 ": is neither 0 nor 1.",
                      support_file_name(pkey->file), map_name[which], i, pkey->map[which] + i);
}

rp_status g16_gnark_map_read(const g16_gnark_pkey *pkey, int which, uint8_t *map, rp_error *err) {
  const rp_status status = support_file_read(pkey->file, pkey->map[which], pkey->n_wires, map, err);
  if (status != RP_OK) return status;
  if (!g16_map_is_valid(map, pkey->n_wires)) return refuse_value(pkey, which, map, err);
  const uint64_t ones = g16_map_count(map, pkey->n_wires);
  if (ones == pkey->n_infinity[which]) return RP_OK;
  return support_fail(err, RP_ERR_FORMAT, "%s: %s marks %" PRIu64 " wires, its count is %" PRIu64 ".",
                      support_file_name(pkey->file), map_name[which], ones, pkey->n_infinity[which]);
}
