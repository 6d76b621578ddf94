/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "arrays.h"

#include "formats/fail.h"

#include <inttypes.h>

/* ---- The header -------------------------------------------------------------------------------------------------- */

enum { PRIMES_BYTES = 2 * (4 + 32) };

rp_status plonk_header_read(const g16_binfile *bin, const char *protocol, uint64_t fields_bytes, uint8_t *raw,
                            size_t room, const uint8_t **at, plonk_sizes *sizes, rp_error *err) {
  const g16_family *family;
  const uint64_t size = bin->section[G16_ZKEY_HEADER].size_bytes;
  *at = raw;
  rp_status status = g16_section_read(bin, G16_ZKEY_HEADER, 0, size < room ? size : room, raw, err);
  if (status == RP_OK) status = g16_zkey_primes(bin, at, &family, err);
  if (status != RP_OK) return status;
  if (family->g1 != RP_CURVE_BN254_G1)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: is a key for %s over %s; snarkjs and this library have %s over bn128 only.",
                        support_file_name(bin->file), protocol, family->name, protocol);
  status = g16_section_expect(bin, G16_ZKEY_HEADER, PRIMES_BYTES + fields_bytes, "its fields", err);
  if (status != RP_OK) return status;
  *sizes = (plonk_sizes){.n_vars = g16_u32(*at),
                         .n_public = g16_u32(*at + 4),
                         .domain_size = g16_u32(*at + 8),
                         .n_additions = g16_u32(*at + 12),
                         .n_constraints = g16_u32(*at + 16)};
  *at += PLONK_COUNTS_BYTES;
  return RP_OK;
}

static rp_status check_domain(const char *name, plonk_sizes *sizes, rp_error *err) {
  const g16_family *family = g16_family_by_g1(RP_CURVE_BN254_G1);
  const uint32_t n = sizes->domain_size, two_adicity = rp_field_get(family->fr)->two_adicity;
  if (n == 0 || (n & (n - 1)))
    return support_fail(err, RP_ERR_FORMAT, "%s: header: the domain size %" PRIu32 " is not a power of two.", name, n);
  sizes->log_domain = (uint32_t)__builtin_ctz(n);
  if (sizes->log_domain < PLONK_MIN_LOG_DOMAIN)
    return support_fail(
        err, RP_ERR_FORMAT,
        "%s: header: the domain size %" PRIu32 " is below 8: the quotient of a blinded proof does not fit.", name, n);
  if (sizes->log_domain + 2 > two_adicity)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: header: the domain size 2^%" PRIu32
                        " is larger than the scalar field of %s allows, 2^%" PRIu32 ".",
                        name, sizes->log_domain, family->name, two_adicity - 2);
  return RP_OK;
}

rp_status plonk_sizes_check(const char *name, plonk_sizes *sizes, uint32_t blinded_rows, rp_error *err) {
  rp_status status = check_domain(name, sizes, err);
  if (status != RP_OK) return status;
  if (sizes->n_constraints > sizes->domain_size - blinded_rows)
    return support_fail(
        err, RP_ERR_FORMAT, "%s: header: %" PRIu32 " constraints do not fit in a domain of %" PRIu32 " rows%s.", name,
        sizes->n_constraints, sizes->domain_size, blinded_rows ? ", of which the last two are for blinding" : "");
  if (sizes->n_public > sizes->n_constraints)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: header: %" PRIu32 " public signals have a constraint each, and there are %" PRIu32 ".",
                        name, sizes->n_public, sizes->n_constraints);
  if (sizes->n_additions > sizes->n_vars || sizes->n_public >= sizes->n_vars - sizes->n_additions)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: header: %" PRIu32 " additions, %" PRIu32
                        " public signals and the constant do not fit in %" PRIu32 " variables.",
                        name, sizes->n_additions, sizes->n_public, sizes->n_vars);
  return RP_OK;
}

rp_status plonk_take_scalar(const g16_binfile *bin, const char *what, const uint8_t **at, plonk_fr *out,
                            rp_error *err) {
  if (!g16_below(*at, rp_field_get(RP_FIELD_BN254_FR)->modulus_le, PLONK_SCALAR_BYTES))
    return support_fail(err, RP_ERR_FORMAT, "%s: header: %s is not below the prime r.", support_file_name(bin->file),
                        what);
  memcpy(out, *at, PLONK_SCALAR_BYTES);
  *at += PLONK_SCALAR_BYTES;
  return RP_OK;
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

enum { BLOCK_BYTES = 192 * 1024 };

/* One kind of element: where it is read from and how it is checked. */
typedef struct reader {
  const plonk_array *array;
  uint32_t bytes;
  const char *what; /* one of them, for reasons */
  bool check_points;
  uint32_t n_vars, n_public;
  /* NULL, or why the element is refused. */
  const char *(*objection)(const struct reader *r, uint64_t index, const uint8_t *element);
} reader;

static const char *section_name(const plonk_array *array) { return array->bin->format->section_name[array->section]; }

static rp_status refuse(const reader *r, uint64_t index, const char *why, rp_error *err) {
  const g16_binfile *bin = r->array->bin;
  return support_fail(err, RP_ERR_FORMAT, "%s: section %" PRIu32 " (%s), %s %" PRIu64 " at byte %" PRIu64 ": %s.",
                      support_file_name(bin->file), r->array->section, section_name(r->array), r->what, index,
                      bin->section[r->array->section].offset + index * r->bytes, why);
}

static rp_status read_block(const reader *r, uint64_t first, uint64_t n, uint8_t *out, rp_error *err) {
  rp_status status = g16_section_read(r->array->bin, r->array->section, first * r->bytes, n * r->bytes, out, err);
  for (uint64_t i = 0; i < n && status == RP_OK; i++) {
    const char *why = r->objection(r, first + i, out + i * r->bytes);
    if (why) status = refuse(r, first + i, why, err);
  }
  return status;
}

static rp_status in_range(const plonk_array *array, uint64_t first, uint64_t n, rp_error *err) {
  if (first <= array->count && n <= array->count - first) return RP_OK;
  return support_fail(err, RP_ERR_ARGUMENT, "%s: section %" PRIu32 " (%s) has %" PRIu64 " elements only.",
                      support_file_name(array->bin->file), array->section, section_name(array), array->count);
}

static rp_status read_all(const reader *r, uint64_t first, uint64_t n, uint8_t *out, rp_error *err) {
  const uint64_t block = BLOCK_BYTES / r->bytes;
  rp_status status = in_range(r->array, first, n, err);
  for (uint64_t done = 0; done < n && status == RP_OK; done += block)
    status = read_block(r, first + done, n - done < block ? n - done : block, out + done * r->bytes, err);
  return status;
}

static const char not_below_r[] = "it is not below the prime r";

static const char *scalar_objection(const reader *r, uint64_t index, const uint8_t *element) {
  (void)r;
  (void)index;
  return g16_below(element, rp_field_get(RP_FIELD_BN254_FR)->modulus_le, PLONK_SCALAR_BYTES) ? NULL : not_below_r;
}

rp_status plonk_array_scalars(const plonk_array *array, uint64_t first, uint64_t n, void *out, rp_error *err) {
  const reader r = {.array = array, .bytes = PLONK_SCALAR_BYTES, .what = "element", .objection = scalar_objection};
  return read_all(&r, first, n, out, err);
}

static const char *point_objection(const reader *r, uint64_t index, const uint8_t *element) {
  const rp_curve_host *g1 = rp_curve_get(RP_CURVE_BN254_G1);
  const uint8_t *q = rp_field_get(RP_FIELD_BN254_FP)->modulus_le;
  plonk_g1 aligned;
  (void)index;
  if (!g16_below(element, q, 32) || !g16_below(element + 32, q, 32)) return "a coordinate is not below the prime q";
  if (!r->check_points) return NULL;
  memcpy(&aligned, element, sizeof aligned);
  if (!g1->on_curve(&aligned)) return "it is not on the curve";
  return g1->in_subgroup(&aligned) ? NULL : "it is not in the subgroup";
}

rp_status plonk_array_points(const plonk_array *array, bool check_points, uint64_t first, uint64_t n, void *out,
                             rp_error *err) {
  const reader r = {.array = array,
                    .bytes = PLONK_POINT_BYTES,
                    .what = "point",
                    .check_points = check_points,
                    .objection = point_objection};
  return read_all(&r, first, n, out, err);
}

static const char *signal_objection(const reader *r, uint64_t index, const uint8_t *element) {
  const uint32_t signal = g16_u32(element);
  if (signal >= r->n_vars) return "there is no such signal";
  if (index < r->n_public && signal != index + 1) return "the first rows must be the public signals, in order";
  return NULL;
}

rp_status plonk_array_signals(const plonk_array *array, uint32_t n_vars, uint32_t n_public, uint64_t first, uint64_t n,
                              uint32_t *out, rp_error *err) {
  const reader r = {
      .array = array, .bytes = 4, .what = "row", .n_vars = n_vars, .n_public = n_public, .objection = signal_objection};
  rp_status status = read_all(&r, first, n, (uint8_t *)out, err);
  for (uint64_t i = 0; i < n && status == RP_OK; i++) out[i] = g16_u32((const uint8_t *)&out[i]);
  return status;
}

static const char *addition_objection(const reader *r, uint64_t index, const uint8_t *element) {
  const uint64_t before = r->n_vars - r->array->count + index;
  if (g16_u32(element) >= before || g16_u32(element + 4) >= before)
    return "it adds a signal that does not stand before it";
  const char *why = scalar_objection(r, index, element + 8);
  return why ? why : scalar_objection(r, index, element + 8 + PLONK_SCALAR_BYTES);
}

rp_status plonk_array_additions(const plonk_array *array, uint32_t n_vars, uint64_t first, uint64_t n,
                                plonk_addition *out, rp_error *err) {
  const reader r = {.array = array,
                    .bytes = PLONK_ADDITION_BYTES,
                    .what = "addition",
                    .n_vars = n_vars,
                    .objection = addition_objection};
  uint8_t raw[64 * PLONK_ADDITION_BYTES];
  rp_status status = in_range(array, first, n, err);
  for (uint64_t done = 0; done < n && status == RP_OK;) {
    const uint64_t some = n - done < 64 ? n - done : 64;
    status = read_block(&r, first + done, some, raw, err);
    for (uint64_t i = 0; i < some && status == RP_OK; i++, done++) {
      const uint8_t *at = raw + i * PLONK_ADDITION_BYTES;
      out[done] = (plonk_addition){.signal = {g16_u32(at), g16_u32(at + 4)}};
      memcpy(out[done].factor, at + 8, sizeof out[done].factor);
    }
  }
  return status;
}
