/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Opening a prerecorded key: header, checksums, then all places, lengths and elements in the file.
 */
#include "prerecorded.h"

#include "formats/fail.h"
#include "threads/parallel.h"

#include <inttypes.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

typedef struct loader {
  const plonk_key_kind *kind;
  plonk_key *key;
  const uint8_t *data;
  plonk_file_header header;
  graphs_section table[PLONK_FILE_SECTIONS_MOST];
} loader;

uint32_t plonk_prerecorded_protocol(const support_file *file) {
  plonk_file_header h = {.protocol = 0};
  const uint64_t size = support_file_size(file), bytes = size < sizeof h ? size : sizeof h;
  if (support_file_read(file, 0, bytes, &h, NULL) != RP_OK || memcmp(h.magic, PLONK_FILE_MAGIC, sizeof h.magic) != 0)
    return 0;
  /* A damaged file is still one of these, and the reader of PLONK says what is wrong. */
  return h.endian == PLONK_FILE_ENDIAN && h.protocol == G16_PROTOCOL_FFLONK ? G16_PROTOCOL_FFLONK : G16_PROTOCOL_PLONK;
}

static rp_status damaged(const plonk_key *key, const char *why, rp_error *err) {
  return support_fail(err, RP_ERR_FORMAT, "%s: the recorded key is damaged: %s.", plonk_key_name(key), why);
}

/* ---- Header and table -------------------------------------------------------------------------------------------- */

static rp_status check_head(const loader *l, rp_error *err) {
  static const uint8_t zeros[sizeof l->header.reserved];
  const plonk_file_header *h = &l->header;
  const uint64_t table_bytes = (uint64_t)h->n_sections * sizeof *l->table;
  const uint64_t checksum =
      XXH3_64bits_withSeed(l->table, table_bytes, XXH3_64bits(h, offsetof(plonk_file_header, checksum)));
  if (checksum != h->checksum) return damaged(l->key, "the checksum of its header is wrong", err);
  if (h->file_bytes != support_file_size(l->key->source))
    return damaged(l->key, "its length is not the one that it was written with", err);
  if (h->protocol != l->kind->protocol)
    return support_fail(err, RP_ERR_FORMAT, "%s: is a recorded key of another protocol; one of %s is needed.",
                        plonk_key_name(l->key), l->kind->name);
  if (h->n_stages > PLONK_STAGES_MOST || h->n_sections != PLONK_FILE_STAGES + 3 * h->n_stages)
    return damaged(l->key, "its number of sections makes no sense", err);
  if (h->points_checked > 1 || memcmp(h->reserved, zeros, sizeof zeros) != 0)
    return damaged(l->key, "there is something in its header that this version does not know", err);
  return RP_OK;
}

static rp_status read_head(loader *l, rp_error *err) {
  plonk_file_header *h = &l->header;
  const char *name = plonk_key_name(l->key);
  const uint64_t size = support_file_size(l->key->source);
  if (size < sizeof *h) return damaged(l->key, "it is cut short", err);
  memcpy(h, l->data, sizeof *h);
  if (h->endian != PLONK_FILE_ENDIAN)
    return support_fail(err, RP_ERR_FORMAT, "%s: was recorded on a machine of the other byte order.", name);
  if (h->version != PLONK_FILE_VERSION)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: is stale: version %" PRIu32
                        " of the format, this library reads version %d. Record it again.",
                        name, h->version, PLONK_FILE_VERSION);
  if (h->n_sections > PLONK_FILE_SECTIONS_MOST || h->n_sections * sizeof *l->table > size - sizeof *h)
    return damaged(l->key, "its number of sections makes no sense", err);
  memcpy(l->table, l->data + sizeof *h, h->n_sections * sizeof *l->table);
  return check_head(l, err);
}

/* The numbers of the header, by the rules of a .zkey. */
static rp_status set_sizes(const loader *l, rp_error *err) {
  const plonk_file_header *h = &l->header;
  const uint64_t n_vars = (uint64_t)h->n_vars + h->n_additions;
  plonk_key *key = l->key;
  if (n_vars + 3 * (uint64_t)l->kind->blinded_rows > UINT32_MAX)
    return damaged(key, "its numbers of variables and additions make no sense", err);
  plonk_sizes sizes = {.n_vars = (uint32_t)n_vars,
                       .n_public = h->n_public,
                       .domain_size = h->domain,
                       .n_additions = h->n_additions,
                       .n_constraints = h->n_constraints};
  const rp_status status = plonk_sizes_check(plonk_key_name(key), &sizes, l->kind->blinded_rows, err);
  if (status != RP_OK) return status;
  key->family = g16_family_by_g1(RP_CURVE_BN254_G1);
  key->log_domain = sizes.log_domain;
  key->n_tau = (uint64_t)l->kind->tau_times * h->domain + l->kind->tau_more;
  key->tau_section = PLONK_FILE_TAU;
  key->info = (rp_plonk_key_info){.g1 = key->family->g1,
                                  .n_vars = h->n_vars,
                                  .n_public = h->n_public,
                                  .domain = h->domain,
                                  .n_constraints = h->n_constraints,
                                  .n_additions = h->n_additions,
                                  .file_bytes = h->file_bytes,
                                  .prerecorded = 1};
  return RP_OK;
}

/* Whether the length of a section is right: those of a stage with each other, the others with the header. */
static bool length_fits(const loader *l, uint32_t id) {
  const uint64_t bytes = l->table[id].size_bytes;
  if (id < PLONK_FILE_STAGES) return bytes == plonk_file_section_bytes(l->kind, l->header.domain, id);
  switch ((id - PLONK_FILE_STAGES) % 3) {
  case 0: return bytes % sizeof(uint32_t) == 0 && bytes >= 2 * sizeof(uint32_t);
  case 1: return bytes % sizeof(uint32_t) == 0 && bytes != 0 && bytes / sizeof(uint32_t) <= UINT32_MAX;
  default:
    return bytes / sizeof(plonk_fr) == l->table[id - 1].size_bytes / sizeof(uint32_t) && bytes % sizeof(plonk_fr) == 0;
  }
}

static rp_status check_table(const loader *l, rp_error *err) {
  const plonk_file_header *h = &l->header;
  uint64_t at = sizeof *h + h->n_sections * sizeof *l->table;
  for (uint32_t i = 0; i < h->n_sections; i++) {
    const graphs_section *s = &l->table[i];
    const uint64_t begin = (at + GRAPHS_SECTION_ALIGN - 1) & ~(uint64_t)(GRAPHS_SECTION_ALIGN - 1);
    if (s->id != i || s->reserved != 0 || s->offset != begin || begin > h->file_bytes ||
        s->size_bytes > h->file_bytes - begin || !length_fits(l, i))
      return damaged(l->key, "a section does not lie where it should", err);
    for (; at < begin; at++)
      if (l->data[at] != 0) return damaged(l->key, "there is something between its sections", err);
    at = begin + s->size_bytes;
  }
  return at == h->file_bytes ? RP_OK : damaged(l->key, "there is something behind its last section", err);
}

static rp_status check_sums(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const loader *l = arg;
  (void)part;
  for (uint64_t i = first; i < first + n; i++)
    if (XXH3_64bits(l->data + l->table[i].offset, l->table[i].size_bytes) != l->table[i].checksum)
      return damaged(l->key, "a checksum is wrong", err);
  return RP_OK;
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

/* The arrays lie at multiples of 4 KiB; the file is only read. */
static void *section(const loader *l, uint32_t id) { return (void *)(uintptr_t)(l->data + l->table[id].offset); }

static void set_arrays(const loader *l) {
  plonk_key *key = l->key;
  plonk_additions *a = &key->additions;
  key->map = section(l, PLONK_FILE_MAP);
  key->tau = section(l, PLONK_FILE_TAU);
  for (uint32_t i = 0; i < PLONK_KEY_POINTS; i++) key->coef[i] = section(l, PLONK_FILE_COEF + i);
  *a = (plonk_additions){.n_stages = l->header.n_stages, .n_witness = l->header.n_vars};
  for (uint32_t i = 0; i < a->n_stages; i++) {
    const uint32_t id = PLONK_FILE_STAGES + 3 * i;
    a->stage[i] = (plonk_stage){.rows = l->table[id].size_bytes / sizeof(uint32_t) - 1,
                                .entries = l->table[id + 1].size_bytes / sizeof(uint32_t),
                                .row_ptr = section(l, id),
                                .col = section(l, id + 1),
                                .val = section(l, id + 2)};
  }
}

/* Columns are places below `known`, and rows have 1 to PLONK_ROW_MOST entries. */
static bool is_stage(const plonk_stage *s, uint64_t known) {
  if (s->row_ptr[0] != 0 || s->row_ptr[s->rows] != s->entries) return 0;
  bool good = 1;
  for (uint64_t i = 0; i < s->rows; i++) good &= s->row_ptr[i + 1] - s->row_ptr[i] - 1 < PLONK_ROW_MOST;
  for (uint64_t i = 0; i < s->entries; i++) good &= s->col[i] < known;
  return good;
}

static rp_status check_additions(const plonk_key *key, rp_error *err) {
  const plonk_additions *a = &key->additions;
  uint64_t known = key->info.n_vars;
  for (uint32_t i = 0; i < a->n_stages; i++) {
    if (!is_stage(&a->stage[i], known)) return damaged(key, "a stage of its additions points outside itself", err);
    known += a->stage[i].rows;
  }
  if (known != key->info.n_vars + key->info.n_additions)
    return damaged(key, "its stages have another number of additions", err);
  return RP_OK;
}

/* The first rows of the first wire are the public signals, where the verifier expects them; rows without a constraint
 * have variable 0; the last `blinded` rows of each wire have the places behind the variables, in order. */
static rp_status check_map(const plonk_key *key, uint32_t blinded, rp_error *err) {
  const uint64_t n = key->info.domain, places = key->info.n_vars + key->info.n_additions;
  bool good = 1;
  for (uint32_t w = 0; w < 3; w++) {
    const uint32_t *map = key->map + w * n;
    for (uint64_t i = 0; i < key->info.n_constraints; i++) good &= map[i] < places;
    for (uint64_t i = 0; i < key->info.n_public && w == 0; i++) good &= map[i] == i + 1;
    for (uint64_t i = key->info.n_constraints; i < n - blinded; i++) good &= map[i] == 0;
    for (uint64_t i = 0; i < blinded; i++) good &= map[n - blinded + i] == places + blinded * w + i;
  }
  return good ? RP_OK : damaged(key, "a row of its wires refers to what it must not", err);
}

typedef struct range {
  const plonk_key *key;
  const uint8_t *values, *modulus;
  const char *what;
} range;

enum { ELEMENT = 32 };

static bool is_reduced(const uint8_t *values, uint64_t n, const uint8_t *modulus) {
  for (uint64_t i = 0; i < n; i++)
    if (!g16_below(values + i * ELEMENT, modulus, ELEMENT)) return 0;
  return 1;
}

static rp_status check_range(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const range *r = arg;
  (void)part;
  return is_reduced(r->values + first * ELEMENT, n, r->modulus) ? RP_OK : damaged(r->key, r->what, err);
}

static rp_status check_values(range *r, const void *values, uint64_t n, rp_error *err) {
  enum { GRAIN = 1 << 12, MOST_PARTS = 256 };
  r->values = values;
  return support_parallel(NULL, support_parts(NULL, n, GRAIN, MOST_PARTS), n, check_range, r, err);
}

static rp_status check_reduced(const plonk_key *key, rp_error *err) {
  range r = {
      .key = key, .modulus = rp_field_get(key->family->fr)->modulus_le, .what = "an element is not below the prime r"};
  rp_status status = RP_OK;
  for (int i = 0; i < PLONK_KEY_POINTS && status == RP_OK; i++)
    status = check_values(&r, key->coef[i], key->info.domain, err);
  for (uint32_t i = 0; i < key->additions.n_stages && status == RP_OK; i++)
    status = check_values(&r, key->additions.stage[i].val, key->additions.stage[i].entries, err);
  r.modulus = rp_field_get(key->family->fq)->modulus_le;
  r.what = "a coordinate is not below the prime q";
  return status == RP_OK ? check_values(&r, key->tau, 2 * key->n_tau, err) : status;
}

static rp_status check_tails(const plonk_key *key, uint32_t more, rp_error *err) {
  uint64_t any = 0;
  for (int i = 0; i < PLONK_KEY_POINTS; i++)
    for (uint32_t k = 0; k < more; k++)
      for (int limb = 0; limb < 4; limb++) any |= key->coef[i][key->info.domain + k].limb[limb];
  return any == 0 ? RP_OK : damaged(key, "a polynomial has more coefficients than the domain", err);
}

rp_status plonk_prerecorded_reduced(const plonk_key *key, const uint8_t *in, uint32_t n_scalars, uint32_t n_coordinates,
                                    rp_error *err) {
  if (is_reduced(in, n_scalars, rp_field_get(key->family->fr)->modulus_le) &&
      is_reduced(in + (uint64_t)n_scalars * ELEMENT, n_coordinates, rp_field_get(key->family->fq)->modulus_le))
    return RP_OK;
  return damaged(key, "a number of its verification part is not below its prime", err);
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

static rp_status check_contents(const loader *l, bool reduced, rp_error *err) {
  plonk_key *key = l->key;
  rp_status status = check_additions(key, err);
  if (status == RP_OK) status = check_map(key, l->kind->blinded_rows, err);
  if (status == RP_OK) status = check_tails(key, l->kind->coef_more, err);
  if (status == RP_OK && reduced) status = check_reduced(key, err);
  if (status == RP_OK) status = l->kind->unpack_vk(key, section(l, PLONK_FILE_VK), err);
  return status == RP_OK ? l->kind->complete(key, err) : status;
}

rp_status plonk_prerecorded_load(const plonk_key_kind *kind, plonk_key *key, bool checksum, bool reduced,
                                 rp_error *err) {
  loader l = {.kind = kind, .key = key, .data = support_file_data(key->source)};
  if (!l.data) return support_fail(err, RP_ERR_FILE, "%s: its first bytes could not be read.", plonk_key_name(key));
  if ((uintptr_t)l.data % 8 != 0)
    return support_fail(err, RP_ERR_ARGUMENT, "%s: the memory of a recorded key must be 8-byte aligned.",
                        plonk_key_name(key));
  rp_status status = read_head(&l, err);
  if (status == RP_OK) status = set_sizes(&l, err);
  if (status == RP_OK) status = check_table(&l, err);
  if (status == RP_OK && checksum)
    status = support_parallel(NULL, support_parts(NULL, l.header.n_sections, 1, PLONK_FILE_SECTIONS_MOST),
                              l.header.n_sections, check_sums, &l, err);
  if (status != RP_OK) return status;
  set_arrays(&l);
  atomic_store(&key->points_checked, (int)l.header.points_checked);
  return check_contents(&l, reduced, err);
}
