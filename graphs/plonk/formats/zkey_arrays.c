/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The large sections, read in blocks to the caller's memory; each block is checked while it is in the cache.
 */
#include "zkey.h"

#include "formats/fail.h"

#include <inttypes.h>

enum { BLOCK_BYTES = 192 * 1024 };

/* One kind of element: where it is read from and how it is checked. */
typedef struct reader {
  const plonk_zkey *zkey;
  plonk_section id;
  uint32_t bytes;
  const char *what; /* one of them, for reasons */
  int check_points;
  /* NULL, or why the element is refused. */
  const char *(*objection)(const struct reader *r, uint64_t index, const uint8_t *element);
} reader;

static rp_status refuse(const reader *r, uint64_t index, const char *why, rp_error *err) {
  const g16_binfile *bin = &r->zkey->bin;
  return graphs_fail(err, RP_ERR_FORMAT, "%s: section %d (%s), %s %" PRIu64 " at byte %" PRIu64 ": %s.",
                     g16_file_name(bin->file), (int)r->id, bin->format->section_name[r->id], r->what, index,
                     bin->section[r->id].offset + index * r->bytes, why);
}

static rp_status read_block(const reader *r, uint64_t first, uint64_t n, uint8_t *out, rp_error *err) {
  rp_status status = g16_section_read(&r->zkey->bin, r->id, first * r->bytes, n * r->bytes, out, err);
  for (uint64_t i = 0; i < n && status == RP_OK; i++) {
    const char *why = r->objection(r, first + i, out + i * r->bytes);
    if (why) status = refuse(r, first + i, why, err);
  }
  return status;
}

static rp_status in_range(const reader *r, uint64_t first, uint64_t n, rp_error *err) {
  const uint64_t count = plonk_section_count(r->zkey, r->id);
  if (first <= count && n <= count - first) return RP_OK;
  return graphs_fail(err, RP_ERR_ARGUMENT, "%s: section %d (%s) has %" PRIu64 " elements only.",
                     g16_file_name(r->zkey->bin.file), (int)r->id, r->zkey->bin.format->section_name[r->id], count);
}

static rp_status read_all(const reader *r, uint64_t first, uint64_t n, uint8_t *out, rp_error *err) {
  const uint64_t block = BLOCK_BYTES / r->bytes;
  rp_status status = in_range(r, first, n, err);
  for (uint64_t done = 0; done < n && status == RP_OK; done += block)
    status = read_block(r, first + done, n - done < block ? n - done : block, out + done * r->bytes, err);
  return status;
}

static const char not_below_r[] = "it is not below the prime r";

static const char *scalar_objection(const reader *r, uint64_t index, const uint8_t *element) {
  (void)index;
  return g16_below(element, rp_field_get(r->zkey->vk.family->fr)->modulus_le, PLONK_SCALAR_BYTES) ? NULL : not_below_r;
}

rp_status plonk_scalars_read(const plonk_zkey *zkey, plonk_section id, uint64_t first, uint64_t n, void *out,
                             rp_error *err) {
  const reader r = {zkey, id, PLONK_SCALAR_BYTES, "element", 0, scalar_objection};
  if (id < PLONK_QM || id > PLONK_LAGRANGE)
    return graphs_fail(err, RP_ERR_ARGUMENT, "Section %d holds no field elements.", (int)id);
  return read_all(&r, first, n, out, err);
}

static const char *point_objection(const reader *r, uint64_t index, const uint8_t *element) {
  const rp_curve_host *g1 = rp_curve_get(r->zkey->vk.family->g1);
  const uint8_t *q = rp_field_get(r->zkey->vk.family->fq)->modulus_le;
  plonk_g1 aligned;
  (void)index;
  if (!g16_below(element, q, 32) || !g16_below(element + 32, q, 32)) return "a coordinate is not below the prime q";
  if (!r->check_points) return NULL;
  memcpy(&aligned, element, sizeof aligned);
  if (!g1->on_curve(&aligned)) return "it is not on the curve";
  return g1->in_subgroup(&aligned) ? NULL : "it is not in the subgroup";
}

rp_status plonk_tau_read(const plonk_zkey *zkey, uint64_t first, uint64_t n, int check_points, void *out,
                         rp_error *err) {
  const reader r = {zkey, PLONK_TAU, PLONK_POINT_BYTES, "point", check_points, point_objection};
  return read_all(&r, first, n, out, err);
}

static const char *signal_objection(const reader *r, uint64_t index, const uint8_t *element) {
  const uint32_t signal = g16_u32(element);
  if (signal >= r->zkey->n_vars) return "there is no such signal";
  if (r->id == PLONK_MAP_A && index < r->zkey->vk.n_public && signal != index + 1)
    return "the first rows must be the public signals, in order";
  return NULL;
}

rp_status plonk_map_read(const plonk_zkey *zkey, plonk_section id, uint64_t first, uint64_t n, uint32_t *out,
                         rp_error *err) {
  const reader r = {zkey, id, 4, "row", 0, signal_objection};
  if (id < PLONK_MAP_A || id > PLONK_MAP_C)
    return graphs_fail(err, RP_ERR_ARGUMENT, "Section %d holds no signals.", (int)id);
  rp_status status = read_all(&r, first, n, (uint8_t *)out, err);
  for (uint64_t i = 0; i < n && status == RP_OK; i++) out[i] = g16_u32((const uint8_t *)&out[i]);
  return status;
}

static const char *addition_objection(const reader *r, uint64_t index, const uint8_t *element) {
  const uint64_t before = r->zkey->n_vars - r->zkey->n_additions + index;
  if (g16_u32(element) >= before || g16_u32(element + 4) >= before)
    return "it adds a signal that does not stand before it";
  const char *why = scalar_objection(r, index, element + 8);
  return why ? why : scalar_objection(r, index, element + 8 + PLONK_SCALAR_BYTES);
}

rp_status plonk_additions_read(const plonk_zkey *zkey, uint64_t first, uint64_t n, plonk_addition *out, rp_error *err) {
  const reader r = {zkey, PLONK_ADDITIONS, PLONK_ADDITION_BYTES, "addition", 0, addition_objection};
  uint8_t raw[64 * PLONK_ADDITION_BYTES];
  rp_status status = in_range(&r, first, n, err);
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
