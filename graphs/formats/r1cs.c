/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "r1cs.h"

#include "fail.h"

#include <inttypes.h>

enum {
  HEADER = 1,
  CONSTRAINTS = 2,
  LABELS = 3,
  GATES = 4,
  GATE_USES = 5,
  HEADER_BYTES = 4 + 32 + 16 + 8 + 4,
  UNNAMED_WIRES = 1 << 20 /* in a file without labels, so many wires may be in no constraint */
};

static const g16_format r1cs_format = {
    .magic = "r1cs",
    .version = 1,
    .section_name = {[HEADER] = "header",
                     [CONSTRAINTS] = "constraints",
                     [LABELS] = "labels",
                     [GATES] = "custom gates",
                     [GATE_USES] = "uses of custom gates"},
    .optional = 1u << LABELS | 1u << GATES | 1u << GATE_USES,
};

static rp_status refuse_custom_gates(const g16_r1cs *r1cs, rp_error *err) {
  if (!r1cs->bin.section[GATE_USES].present) return RP_OK;
  uint8_t count[4];
  rp_status status = g16_section_read(&r1cs->bin, GATE_USES, 0, sizeof count, count, err);
  if (status != RP_OK || g16_u32(count) == 0) return status;
  return support_fail(err, RP_ERR_FORMAT, "%s: uses custom gates (%" PRIu32 " times), which Groth16 does not have.",
                      support_file_name(r1cs->bin.file), g16_u32(count));
}

static rp_status check_shape(const g16_r1cs *r1cs, rp_error *err) {
  const char *name = support_file_name(r1cs->bin.file);
  uint64_t named = 1 + (uint64_t)r1cs->n_outputs + r1cs->n_inputs + r1cs->n_private;
  if (named > r1cs->n_wires)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: header: the constant, outputs and inputs are %" PRIu64 " wires, it has %" PRIu32 ".", name,
                        named, r1cs->n_wires);
  if (r1cs->bin.section[CONSTRAINTS].size_bytes / 12 < r1cs->n_constraints)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: section 2 (constraints) has %" PRIu64 " bytes, too few for the %" PRIu32
                        " constraints of the header.",
                        name, r1cs->bin.section[CONSTRAINTS].size_bytes, r1cs->n_constraints);
  if (!r1cs->bin.section[LABELS].present) {
    const uint64_t most = UNNAMED_WIRES + r1cs->bin.section[CONSTRAINTS].size_bytes / G16_TERM_BYTES;
    if (r1cs->n_wires <= most) return RP_OK;
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: header: most of its %" PRIu32
                        " wires stand neither in a constraint nor in section 3 (labels), which is missing.",
                        name, r1cs->n_wires);
  }
  return g16_section_expect(&r1cs->bin, LABELS, (uint64_t)r1cs->n_wires * 8, "the wires of the header", err);
}

rp_status g16_r1cs_open(const support_file *file, g16_r1cs *r1cs, rp_error *err) {
  *r1cs = (g16_r1cs){0};
  uint8_t raw[HEADER_BYTES];
  rp_status status = g16_binfile_open(file, &r1cs_format, &r1cs->bin, err);
  if (status == RP_OK)
    status = g16_section_expect(&r1cs->bin, HEADER, sizeof raw, "a 32-byte prime and the counts", err);
  if (status == RP_OK) status = g16_section_read(&r1cs->bin, HEADER, 0, sizeof raw, raw, err);
  if (status != RP_OK) return status;
  r1cs->family = g16_u32(raw) == 32 ? g16_family_by_r(raw + 4, 32) : NULL;
  if (!r1cs->family)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: header: its prime (%" PRIu32 " bytes) is the scalar field of neither BN254 nor BLS12-381.",
                        support_file_name(file), g16_u32(raw));
  r1cs->n_wires = g16_u32(raw + 36);
  r1cs->n_outputs = g16_u32(raw + 40);
  r1cs->n_inputs = g16_u32(raw + 44);
  r1cs->n_private = g16_u32(raw + 48);
  r1cs->n_labels = g16_u64(raw + 52);
  r1cs->n_constraints = g16_u32(raw + 60);
  status = check_shape(r1cs, err);
  return status == RP_OK ? refuse_custom_gates(r1cs, err) : status;
}
