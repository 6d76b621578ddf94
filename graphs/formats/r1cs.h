/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A constraint system as circom writes it (.r1cs, version 1). Sections (binfile.h):
 *   1     u32 n8, prime r, u32 wires, u32 public outputs, u32 public inputs, u32 private inputs, u64 labels,
 *         u32 constraints
 *   2     constraints: three linear combinations A, B, C each, of u32 count, then u32 wire, n8-byte canonical
 *         coefficient
 *   3     u64 label of each wire (may be missing)
 *   4, 5  custom gates, which Groth16 does not have: a file that uses them is refused
 * https://github.com/iden3/r1csfile/blob/master/doc/r1cs_bin_format.md
 */
#ifndef REPRISE_FORMATS_R1CS_H
#define REPRISE_FORMATS_R1CS_H

#include "binfile.h"
#include "family.h"

typedef struct g16_r1cs {
  g16_binfile bin;
  const g16_family *family;
  uint32_t n_wires, n_outputs, n_inputs, n_private, n_constraints;
  uint64_t n_labels;
} g16_r1cs;

/* Checks everything but the constraints. The number of wires is then known to be in proportion to the size of the file,
 * so that a few bytes cannot make a setup use all memory. `file` must stay open as long as `r1cs` is used. Holds no
 * memory. */
rp_status g16_r1cs_open(const support_file *file, g16_r1cs *r1cs, rp_error *err);
static inline uint32_t g16_r1cs_public(const g16_r1cs *r1cs) { return r1cs->n_outputs + r1cs->n_inputs; }

/* Called for every constraint in order. Wires are below n_wires, coefficients below r. The pointers are valid during
 * the call; a status other than RP_OK ends the walk and is its result. */
enum { G16_TERM_BYTES = 36 }; /* u32 wire, 32-byte coefficient */
typedef struct g16_lc {
  uint32_t n;
  const uint8_t *term; /* n times G16_TERM_BYTES, any alignment */
} g16_lc;
typedef rp_status (*g16_constraint_fn)(void *arg, uint32_t index, const g16_lc abc[3], rp_error *err);

/* Refuses a section that the constraints do not fill exactly. */
rp_status g16_r1cs_walk(const g16_r1cs *r1cs, g16_constraint_fn fn, void *arg, rp_error *err);

#endif
