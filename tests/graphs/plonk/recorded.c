/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "recorded.h"

#include "fflonk/setup/setup.h"

#include <reprise/fflonk.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { PLONK = G16_PROTOCOL_PLONK, FFLONK = G16_PROTOCOL_FFLONK, N = RECORDED_DOMAIN, POINT = 64 };
enum { ROWS = PLONK_FILE_STAGES, COLS, VALS };
#define AT(member) offsetof(plonk_file_header, member)
#define OF(member) offsetof(graphs_section, member)
#define DAMAGED(why) "the recorded key is damaged: " why
#define SECTION DAMAGED("a section does not lie where it should")
#define STAGE DAMAGED("a stage of its additions points outside itself")
#define WIRES DAMAGED("a row of its wires refers to what it must not")
#define COUNT DAMAGED("its number of sections makes no sense")
#define BELOW DAMAGED("a number of its verification part is not below its prime")

/* clang-format off */
const recorded_case recorded_cases[] = {
    {"version_0", "is stale: version 0", RECORDED_HEADER, 0, AT(version), 0, 0, 0},
    {"version_2", "is stale: version 2", RECORDED_HEADER, 0, AT(version), 2, 0, 0},
    {"endian", "the other byte order", RECORDED_HEADER, 0, AT(endian), 0x04030201, 0, 0},
    {"plonk_as_fflonk", "one of PLONK is needed", RECORDED_HEADER, 0, AT(protocol), FFLONK, PLONK, 0},
    {"fflonk_as_plonk", "one of FFLONK is needed", RECORDED_HEADER, 0, AT(protocol), PLONK, FFLONK, 0},
    {"sections_0", COUNT, RECORDED_HEADER, 0, AT(n_sections), 0, 0, 0},
    {"sections_less", COUNT, RECORDED_HEADER_ADD, 0, AT(n_sections), UINT64_MAX, 0, 0},
    {"sections_more", COUNT, RECORDED_HEADER_ADD, 0, AT(n_sections), 1, 0, 0},
    {"sections_many", COUNT, RECORDED_HEADER, 0, AT(n_sections), UINT32_MAX, 0, 0},
    {"stages_more", COUNT, RECORDED_HEADER_ADD, 0, AT(n_stages), 1, 0, 0},
    {"stages_many", COUNT, RECORDED_HEADER, 0, AT(n_stages), 65, 0, 0},
    {"stage_behind", DAMAGED("there is something behind its last section"), RECORDED_STAGE_LESS, 0, 0, 0, 0, 0},
    {"stages_wrap", COUNT, RECORDED_HEADER_ADD, 0, AT(n_stages), UINT64_C(0x55555556), 0, 0},
    {"length", DAMAGED("its length is not"), RECORDED_HEADER_ADD, 0, AT(file_bytes), 1, 0, 0},
    {"cut", DAMAGED("its length is not"), RECORDED_CUT, 0, 0, 1, 0, 0},
    {"vars_0", "do not fit in", RECORDED_HEADER, 0, AT(n_vars), 0, 0, 0},
    {"vars_few", "do not fit in", RECORDED_HEADER, 0, AT(n_vars), RECORDED_PUBLIC, 0, 0},
    {"vars_many", DAMAGED("its numbers of variables"), RECORDED_HEADER, 0, AT(n_vars), UINT32_MAX, 0, 0},
    {"vars_less", WIRES, RECORDED_HEADER_ADD, 0, AT(n_vars), UINT64_MAX, FFLONK, 0},
    {"vars_more", WIRES, RECORDED_HEADER_ADD, 0, AT(n_vars), 1, FFLONK, 0},
    {"public_many", "public signals have a constraint each", RECORDED_HEADER, 0, AT(n_public), UINT32_MAX, 0, 0},
    {"public_more", WIRES, RECORDED_HEADER, 0, AT(n_public), 9, 0, 0},
    {"domain_0", "is not a power of two", RECORDED_HEADER, 0, AT(domain), 0, 0, 0},
    {"domain_12", "is not a power of two", RECORDED_HEADER, 0, AT(domain), 12, 0, 0},
    {"domain_4", "is below 8", RECORDED_HEADER, 0, AT(domain), 4, 0, 0},
    {"domain_2_27", "is larger than the scalar field", RECORDED_HEADER, 0, AT(domain), 1u << 27, 0, 0},
    {"domain_32", SECTION, RECORDED_HEADER, 0, AT(domain), 32, 0, 0},
    {"domain_8", "do not fit in a domain of 8", RECORDED_HEADER, 0, AT(domain), 8, 0, 0},
    {"constraints_many", "do not fit in a domain", RECORDED_HEADER, 0, AT(n_constraints), N + 1, 0, 0},
    {"constraints_blinded", "of which the last two", RECORDED_HEADER, 0, AT(n_constraints), N - 1, FFLONK, 0},
    {"constraints_few", WIRES, RECORDED_HEADER, 0, AT(n_constraints), RECORDED_PUBLIC, 0, 0},
    {"additions_more", DAMAGED("its stages have another number"), RECORDED_HEADER_ADD, 0, AT(n_additions), 1, 0, 0},
    {"additions_none", DAMAGED("its stages have another number"), RECORDED_HEADER, 0, AT(n_additions), 0, 0, 0},
    {"additions_many", DAMAGED("its numbers of variables"), RECORDED_HEADER, 0, AT(n_additions), UINT32_MAX, 0, 0},
    {"checked_2", DAMAGED("there is something in its header"), RECORDED_HEADER, 0, AT(points_checked), 2, 0, 0},
    {"reserved", DAMAGED("there is something in its header"), RECORDED_HEADER, 0, AT(reserved) + 56, 1, 0, 0},
    /* the section table */
    {"id", SECTION, RECORDED_TABLE, PLONK_FILE_TAU, OF(id), 1, 0, 0},
    {"entry_reserved", SECTION, RECORDED_TABLE, PLONK_FILE_TAU, OF(id), UINT64_C(1) << 32, 0, 0},
    {"offset_later", SECTION, RECORDED_TABLE, PLONK_FILE_TAU, OF(offset), 4096, 0, 0},
    {"offset_same", SECTION, RECORDED_TABLE, PLONK_FILE_TAU, OF(offset), (uint64_t)-4096, 0, 0},
    {"offset_wraps", SECTION, RECORDED_TABLE, VALS, OF(offset), (uint64_t)1 << 63, 0, 0},
    {"vk_long", SECTION, RECORDED_TABLE, PLONK_FILE_VK, OF(size_bytes), 32, 0, 0},
    {"map_short", SECTION, RECORDED_TABLE, PLONK_FILE_MAP, OF(size_bytes), (uint64_t)-4, 0, 0},
    {"tau_huge", SECTION, RECORDED_TABLE, PLONK_FILE_TAU, OF(size_bytes), UINT64_MAX / 2, 0, 0},
    {"coef_short", SECTION, RECORDED_TABLE, PLONK_FILE_COEF + 7, OF(size_bytes), (uint64_t)-32, 0, 0},
    {"rows_odd", SECTION, RECORDED_TABLE, ROWS, OF(size_bytes), 1, 0, 0},
    {"rows_more", STAGE, RECORDED_TABLE, ROWS, OF(size_bytes), 4, 0, 0},
    {"cols_more", SECTION, RECORDED_TABLE, COLS, OF(size_bytes), 4, 0, 0},
    {"vals_more", SECTION, RECORDED_TABLE, VALS, OF(size_bytes), 32, 0, 0},
    {"gap", DAMAGED("there is something between its sections"), RECORDED_GAP, PLONK_FILE_COEF, 0, 0, 0, 0},
    /* wires: public signals, rows without a constraint, blinded rows */
    {"public_row", WIRES, RECORDED_WORD, PLONK_FILE_MAP, 1, 1, 0, 0},
    {"row_high", WIRES, RECORDED_WORD, PLONK_FILE_MAP, N + 3, UINT32_MAX, 0, 0},
    {"row_behind_variables", WIRES, RECORDED_WORD_PLACE, PLONK_FILE_MAP, 2 * N + 3, 0, 0, 0},
    {"unused_row", WIRES, RECORDED_WORD, PLONK_FILE_MAP, 2 * N - 1, 1, PLONK, 0},
    {"blinded_row_a", WIRES, RECORDED_WORD, PLONK_FILE_MAP, N - 1, 0, FFLONK, 0},
    {"blinded_row_b", WIRES, RECORDED_WORD_PLACE, PLONK_FILE_MAP, 2 * N - 2, 0, FFLONK, 0},
    {"blinded_row_c", WIRES, RECORDED_WORD_PLACE, PLONK_FILE_MAP, 3 * N - 1, 4, FFLONK, 0},
    {"blinding_in_a_row", WIRES, RECORDED_WORD_PLACE, PLONK_FILE_MAP, 3, 5, FFLONK, 0},
    /* additions */
    {"row_ptr_first", STAGE, RECORDED_WORD, ROWS, 0, 1, 0, 0},
    {"row_ptr_high", STAGE, RECORDED_WORD, ROWS, 1, UINT32_MAX, 0, 0},
    {"row_ptr_empty", STAGE, RECORDED_WORD, ROWS, 1, 0, 0, 0},
    {"row_ptr_last", STAGE, RECORDED_WORD_ADD, ROWS, 1, 64, 0, 0},
    {"row_ptr_end", STAGE, RECORDED_WORD_ADD, ROWS, 3, UINT64_MAX, 0, 0},
    {"col_high", STAGE, RECORDED_WORD, COLS, 1, UINT32_MAX, 0, 0},
    {"col_of_itself", STAGE, RECORDED_WORD_PLACE, COLS, 0, UINT64_MAX, 0, 0},
    {"val_unreduced", DAMAGED("an element is not below the prime r"), RECORDED_ONES, VALS, 32, 32, 0, 1},
    /* polynomials and powers of tau */
    {"coef_unreduced", DAMAGED("an element is not below the prime r"), RECORDED_ONES, PLONK_FILE_COEF, 0, 32, 0, 1},
    {"coef_last_unreduced", DAMAGED("an element is not below the prime r"), RECORDED_ONES, PLONK_FILE_COEF + 7,
     (N - 1) * 32, 32, 0, 1},
    {"coef_more", DAMAGED("a polynomial has more coefficients"), RECORDED_FLIP, PLONK_FILE_COEF + 3, (N + 5) * 32 + 31,
     0, PLONK, 0},
    {"tau_unreduced", DAMAGED("a coordinate is not below the prime q"), RECORDED_ONES, PLONK_FILE_TAU, POINT + 32, 32,
     0, 1},
    {"tau_0_unreduced", "a coordinate is not below the prime q", RECORDED_ONES, PLONK_FILE_TAU, 0, 32, 0, 0},
    {"tau_n_unreduced", "a coordinate is not below the prime q", RECORDED_ONES, PLONK_FILE_TAU, N * POINT + 32, 32,
     PLONK, 0},
    {"tau_4n_unreduced", "a coordinate is not below the prime q", RECORDED_ONES, PLONK_FILE_TAU, 4 * N * POINT, 32,
     FFLONK, 0},
    {"tau_n", "so that tau is a root of unity", RECORDED_COPY, PLONK_FILE_TAU, N * POINT, POINT, PLONK, 0},
    {"tau_3n", "so that tau^3 is a root of unity", RECORDED_COPY, PLONK_FILE_TAU, 3 * N * POINT, POINT, FFLONK, 0},
    {"tau_4n", "so that tau^4 is a root of unity", RECORDED_COPY, PLONK_FILE_TAU, 4 * N * POINT, POINT, FFLONK, 0},
    {"tau_n_twin", "a coordinate is not below the prime q", RECORDED_TWIN, PLONK_FILE_TAU, N, 0, PLONK, 0},
    {"tau_3n_twin", "a coordinate is not below the prime q", RECORDED_TWIN, PLONK_FILE_TAU, 3 * N, 0, FFLONK, 0},
    /* verification part */
    {"k1_unreduced", BELOW, RECORDED_ONES, PLONK_FILE_VK, 0, 32, 0, 0},
    {"k2_unreduced", BELOW, RECORDED_ONES, PLONK_FILE_VK, 32, 32, 0, 0},
    {"k1_0", "not in different cosets", RECORDED_ZERO, PLONK_FILE_VK, 0, 32, 0, 0},
    {"k2_is_k1", "not in different cosets", RECORDED_COPY, PLONK_FILE_VK, 32, 32, 0, 0},
    {"qm_unreduced", BELOW, RECORDED_ONES, PLONK_FILE_VK, 64 + 32, 32, PLONK, 0},
    {"qm_off_curve", "Qm is not on the curve", RECORDED_FLIP, PLONK_FILE_VK, 64, 0, PLONK, 0},
    {"s1_infinity", "S1 is the point at infinity", RECORDED_ZERO, PLONK_FILE_VK, 64 + 5 * POINT, POINT, PLONK, 0},
    {"x2_unreduced", BELOW, RECORDED_ONES, PLONK_FILE_VK, 64 + 8 * POINT + 96, 32, PLONK, 0},
    {"x2_infinity", "X_2 is the point at infinity", RECORDED_ZERO, PLONK_FILE_VK, 64 + 8 * POINT, 128, PLONK, 0},
    {"w3_unreduced", BELOW, RECORDED_ONES, PLONK_FILE_VK, 64, 32, FFLONK, 0},
    {"w3_0", "w3 is not a root of unity", RECORDED_ZERO, PLONK_FILE_VK, 64, 32, FFLONK, 0},
    {"wr_0", "wr is not a cube root", RECORDED_ZERO, PLONK_FILE_VK, 96, 32, FFLONK, 0},
    {"c0_unreduced", BELOW, RECORDED_ONES, PLONK_FILE_VK, 128, 32, FFLONK, 0},
    {"c0_infinity", "C0 is the point at infinity", RECORDED_ZERO, PLONK_FILE_VK, 128, POINT, FFLONK, 0},
    {"x2_off_curve", "X_2 is not on the curve", RECORDED_FLIP, PLONK_FILE_VK, 128 + POINT, 0, FFLONK, 0},
};
/* clang-format on */
const size_t recorded_count = sizeof recorded_cases / sizeof recorded_cases[0];

int recorded_make(uint32_t protocol, rp_context *context, rp_device *device, const char *folder, const char *path) {
  char zkey[512], wtns[512], vkey[512];
  rp_error err = {0};
  rp_plonk_key *plonk = NULL;
  rp_plonk_prover *prover = NULL;
  rp_fflonk_key *fflonk = NULL;
  rp_fflonk_prover *other = NULL;
  snprintf(zkey, sizeof zkey, "%s/made.zkey", folder);
  snprintf(wtns, sizeof wtns, "%s/made.wtns", folder);
  snprintf(vkey, sizeof vkey, "%s/made.json", folder);
  const plonk_setup setup = {.log_domain = RECORDED_LOG_DOMAIN,
                             .n_public = RECORDED_PUBLIC,
                             .seed = 7,
                             .zkey_out = zkey,
                             .wtns_out = wtns,
                             .vkey_out = vkey};
  const int good = protocol == PLONK ? plonk_setup_run(context, device, &setup, &err) == RP_OK &&
                                           rp_plonk_key_open(context, zkey, NULL, &plonk, &err) == RP_OK &&
                                           rp_plonk_prover_create(device, plonk, NULL, &prover, &err) == RP_OK &&
                                           rp_plonk_save(prover, path, &err) == RP_OK
                                     : fflonk_setup_run(context, device, &setup, &err) == RP_OK &&
                                           rp_fflonk_key_open(context, zkey, NULL, &fflonk, &err) == RP_OK &&
                                           rp_fflonk_prover_create(device, fflonk, NULL, &other, &err) == RP_OK &&
                                           rp_fflonk_save(other, path, &err) == RP_OK;
  if (!good) fprintf(stderr, "%s\n", err.reason);
  rp_plonk_prover_destroy(prover);
  rp_plonk_key_close(plonk);
  rp_fflonk_prover_destroy(other);
  rp_fflonk_key_close(fflonk);
  return good;
}

/* Changing files ---------------------------------------------------------------------------------------------- */

static void add(uint8_t *at, size_t bytes, uint64_t more) { /* little-endian */
  for (size_t i = 0, carry = 0; i < bytes; i++, more = i < 8 ? more >> 8 : 0) {
    const size_t sum = at[i] + (size_t)(more & 255) + carry;
    at[i] = (uint8_t)sum;
    carry = sum >> 8;
  }
}

static void twin(uint8_t *points, uint64_t at) {
  const uint8_t *q = rp_field_get(RP_FIELD_BN254_FP)->modulus_le;
  uint8_t *x = points + at * POINT;
  memcpy(x, points, POINT);
  for (int i = 0, carry = 0; i < 32; i++, carry >>= 8) {
    carry += x[i] + q[i];
    x[i] = (uint8_t)carry;
  }
}

int recorded_apply(const recorded_case *c, uint8_t *data, size_t *bytes) {
  plonk_file_header header;
  graphs_section section;
  memcpy(&header, data, sizeof header);
  if (c->protocol && c->protocol != header.protocol) return 0;
  uint8_t *entry = data + sizeof header + c->section * sizeof section;
  memcpy(&section, entry, sizeof section);
  uint8_t *content = data + section.offset, *byte = content + c->at, *word = content + 4 * c->at;
  const uint32_t value = (uint32_t)c->value, place = header.n_vars + header.n_additions + value;
  switch (c->op) {
  case RECORDED_HEADER: memcpy(data + c->at, &value, sizeof value); break;
  case RECORDED_HEADER_ADD: add(data + c->at, 4, c->value); break;
  case RECORDED_TABLE: add(entry + c->at, 8, c->value); break;
  case RECORDED_WORD: memcpy(word, &value, sizeof value); break;
  case RECORDED_WORD_ADD: add(word, 4, c->value); break;
  case RECORDED_WORD_PLACE: memcpy(word, &place, sizeof place); break;
  case RECORDED_ONES: memset(byte, 0xff, c->value); break;
  case RECORDED_ZERO: memset(byte, 0, c->value); break;
  case RECORDED_FLIP: *byte ^= 1; break;
  case RECORDED_COPY: memmove(byte, content, c->value); break;
  case RECORDED_TWIN: twin(content, c->at); break;
  case RECORDED_STAGE_LESS:
    header.n_stages--, header.n_sections -= 3;
    memcpy(data, &header, sizeof header);
    memset(data + sizeof header + header.n_sections * sizeof section, 0, 3 * sizeof section);
    break;
  case RECORDED_GAP: content[-1] = 1; break;
  case RECORDED_CUT: *bytes -= c->value; break;
  }
  recorded_seal(data, *bytes);
  return 1;
}

void recorded_seal(uint8_t *data, size_t bytes) {
  plonk_file_header header;
  graphs_section section;
  memcpy(&header, data, sizeof header);
  const uint64_t most = (bytes - sizeof header) / sizeof section;
  const uint64_t n = header.n_sections < most ? header.n_sections : most;
  for (uint64_t i = 0; i < n; i++) {
    uint8_t *entry = data + sizeof header + i * sizeof section;
    memcpy(&section, entry, sizeof section);
    if (section.offset > bytes || section.size_bytes > bytes - section.offset) continue;
    section.checksum = XXH3_64bits(data + section.offset, section.size_bytes);
    memcpy(entry, &section, sizeof section);
  }
  header.checksum = XXH3_64bits_withSeed(data + sizeof header, n * sizeof section,
                                         XXH3_64bits(&header, offsetof(plonk_file_header, checksum)));
  memcpy(data, &header, sizeof header);
}

/* Packed ------------------------------------------------------------------------------------------------------ */

enum { PACKED_MOST = 1 << 18 };

static uint64_t head_bytes(const uint8_t *data) {
  plonk_file_header header;
  memcpy(&header, data, sizeof header);
  const uint64_t n = header.n_sections < PLONK_FILE_SECTIONS_MOST ? header.n_sections : PLONK_FILE_SECTIONS_MOST;
  return sizeof header + n * sizeof(graphs_section);
}

size_t recorded_pack(uint8_t *data) {
  const uint64_t head = head_bytes(data);
  size_t to = head;
  for (uint64_t at = sizeof(plonk_file_header); at < head; at += sizeof(graphs_section)) {
    graphs_section section;
    memcpy(&section, data + at, sizeof section);
    memmove(data + to, data + section.offset, section.size_bytes);
    to += section.size_bytes;
  }
  return to;
}

uint8_t *recorded_unpack(const uint8_t *data, size_t size, size_t *bytes) {
  plonk_file_header header;
  if (size < sizeof header) return NULL;
  memcpy(&header, data, sizeof header);
  const uint64_t head = head_bytes(data);
  if (size < head || header.file_bytes < head || header.file_bytes > PACKED_MOST) return NULL;
  uint8_t *file = aligned_alloc(64, (header.file_bytes + 63) & ~(size_t)63);
  if (!file) return NULL;
  *bytes = header.file_bytes;
  memset(file, 0, *bytes);
  size_t from = head;
  for (uint64_t at = sizeof header; at < head; at += sizeof(graphs_section)) {
    graphs_section section;
    memcpy(&section, data + at, sizeof section);
    const size_t n = section.size_bytes < size - from ? section.size_bytes : size - from;
    if (section.offset <= *bytes && n <= *bytes - section.offset) memcpy(file + section.offset, data + from, n);
    from += n;
  }
  memcpy(file, data, head);
  return file;
}
