/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "zkey_common.h"

#include "formats/fail.h"

static plonk_content content_of(const plonk_zkey_common *zkey, uint32_t id) {
  return id < G16_BINFILE_IDS ? zkey->kind->section[id].content : PLONK_HOLDS_NO_ARRAY;
}

uint64_t plonk_section_count(const plonk_zkey_common *zkey, uint32_t id) {
  switch (content_of(zkey, id)) {
  case PLONK_HOLDS_NO_ARRAY: return 0;
  case PLONK_HOLDS_ADDITIONS: return zkey->n_additions;
  case PLONK_HOLDS_SIGNALS: return zkey->n_constraints;
  case PLONK_HOLDS_SCALARS:
  case PLONK_HOLDS_POINTS: break;
  }
  const plonk_section_rule *rule = &zkey->kind->section[id];
  const uint64_t arrays = rule->each_public && zkey->n_public ? zkey->n_public : 1;
  return arrays * (rule->times * (uint64_t)zkey->domain_size + rule->more);
}

static uint64_t element_bytes(plonk_content content) {
  switch (content) {
  case PLONK_HOLDS_ADDITIONS: return PLONK_ADDITION_BYTES;
  case PLONK_HOLDS_SIGNALS: return 4;
  case PLONK_HOLDS_POINTS: return PLONK_POINT_BYTES;
  case PLONK_HOLDS_NO_ARRAY:
  case PLONK_HOLDS_SCALARS: break;
  }
  return PLONK_SCALAR_BYTES;
}

static rp_status check_lengths(const plonk_zkey_common *zkey, rp_error *err) {
  rp_status status = RP_OK;
  for (uint32_t id = PLONK_ADDITIONS; id < G16_BINFILE_IDS && status == RP_OK; id++) {
    const plonk_content content = content_of(zkey, id);
    if (content != PLONK_HOLDS_NO_ARRAY)
      status = g16_section_expect(&zkey->bin, id, plonk_section_count(zkey, id) * element_bytes(content),
                                  "the numbers of the header", err);
  }
  return status;
}

rp_status plonk_zkey_begin(const plonk_zkey_kind *kind, const support_file *file, plonk_zkey_common *zkey,
                           uint8_t raw[PLONK_HEADER_ROOM], const uint8_t **at, rp_error *err) {
  plonk_sizes sizes;
  *zkey = (plonk_zkey_common){.kind = kind};
  rp_status status = g16_zkey_sections(file, &kind->format, kind->protocol, &zkey->bin, err);
  if (status == RP_OK)
    status = plonk_header_read(&zkey->bin, kind->name, kind->fields_bytes, raw,
                               PLONK_LARGEST_PRIMES + kind->fields_bytes, at, &sizes, err);
  if (status == RP_OK) status = plonk_sizes_check(support_file_name(file), &sizes, kind->blinded_rows, err);
  if (status != RP_OK) return status;
  zkey->n_vars = sizes.n_vars;
  zkey->n_public = sizes.n_public;
  zkey->n_additions = sizes.n_additions;
  zkey->n_constraints = sizes.n_constraints;
  zkey->domain_size = sizes.domain_size;
  zkey->log_domain = sizes.log_domain;
  return check_lengths(zkey, err);
}

plonk_array plonk_zkey_array(const plonk_zkey_common *zkey, uint32_t id) {
  return (plonk_array){&zkey->bin, id, plonk_section_count(zkey, id)};
}

uint32_t plonk_tau_section(const plonk_zkey_common *zkey) {
  uint32_t id = 0;
  while (id < G16_BINFILE_IDS && content_of(zkey, id) != PLONK_HOLDS_POINTS) id++;
  return id;
}

rp_status plonk_scalars_read(const plonk_zkey_common *zkey, uint32_t id, uint64_t first, uint64_t n, void *out,
                             rp_error *err) {
  const plonk_array array = plonk_zkey_array(zkey, id);
  if (content_of(zkey, id) != PLONK_HOLDS_SCALARS)
    return support_fail(err, RP_ERR_ARGUMENT, "Section %d holds no field elements.", (int)id);
  return plonk_array_scalars(&array, first, n, out, err);
}

rp_status plonk_tau_read(const plonk_zkey_common *zkey, uint64_t first, uint64_t n, bool check_points, void *out,
                         rp_error *err) {
  const plonk_array array = plonk_zkey_array(zkey, plonk_tau_section(zkey));
  return plonk_array_points(&array, check_points, first, n, out, err);
}

rp_status plonk_map_read(const plonk_zkey_common *zkey, uint32_t id, uint64_t first, uint64_t n, uint32_t *out,
                         rp_error *err) {
  const plonk_array array = plonk_zkey_array(zkey, id);
  if (content_of(zkey, id) != PLONK_HOLDS_SIGNALS)
    return support_fail(err, RP_ERR_ARGUMENT, "Section %d holds no signals.", (int)id);
  return plonk_array_signals(&array, zkey->n_vars, id == PLONK_MAP_A ? zkey->n_public : 0, first, n, out, err);
}

rp_status plonk_additions_read(const plonk_zkey_common *zkey, uint64_t first, uint64_t n, plonk_addition *out,
                               rp_error *err) {
  const plonk_array array = plonk_zkey_array(zkey, PLONK_ADDITIONS);
  return plonk_array_additions(&array, zkey->n_vars, first, n, out, err);
}
