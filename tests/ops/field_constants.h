/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The constants that ops/derive/derive.c generates for a prime field, as data (field_constants_tmpl.c).
 */
#ifndef REPRISE_TESTS_OPS_FIELD_CONSTANTS_H
#define REPRISE_TESTS_OPS_FIELD_CONSTANTS_H

#include <reprise/types.h>

typedef struct field_constants {
  const char *name;
  uint32_t limbs, bits, two_adicity, nonresidue, montgomery;
  uint64_t n0;
  uint32_t n0_32;
  uint64_t modulus[6], minus_2[6], half[6];
  uint32_t modulus_32[12];
  uint32_t limbs_52, limbs_29;
  uint64_t modulus_52[8], n0_52, one_52[8], to_52[8], from_52[8];
  uint32_t modulus_29[14];
  uint64_t n0_29;
} field_constants;

#define FIELD_CONSTANTS(NAME, name, bytes, limbs, degree) extern const field_constants rp_constants_##name;
RP_FIELD_LIST(FIELD_CONSTANTS)
#undef FIELD_CONSTANTS

#endif
