/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A constraint system in memory, for the setup tool: (A w)(B w) = C w, rows by constraint.
 */
#ifndef REPRISE_GROTH16_SETUP_CIRCUIT_H
#define REPRISE_GROTH16_SETUP_CIRCUIT_H

#include "formats/r1cs.h"
#include "setup.h"

typedef struct g16_rows {
  uint64_t *row_ptr; /* n_constraints + 1 */
  uint32_t *wire;
  uint8_t *value; /* 32 bytes each, Montgomery */
  uint64_t nnz, capacity;
} g16_rows;

typedef struct g16_circuit {
  const g16_family *family;
  uint32_t n_wires, n_public, n_constraints, log_domain;
  g16_rows abc[3];
  uint8_t *witness; /* n_wires canonical values; NULL: none */
} g16_circuit;

static inline uint64_t g16_circuit_domain(const g16_circuit *circuit) { return (uint64_t)1 << circuit->log_domain; }

rp_status g16_circuit_init(g16_circuit *circuit, const g16_family *family, uint32_t n_wires, uint32_t n_public,
                           uint32_t n_constraints, rp_error *err);
/* Appends an entry to the row that is being filled; g16_circuit_end_row ends row `index` of all three matrices. 0 when
 * out of memory. */
bool g16_rows_add(g16_rows *rows, uint32_t wire, const void *value);
void g16_circuit_end_row(g16_circuit *circuit, uint32_t index);
/* Takes memory in proportion to the size of the file. Nothing is kept after a failure. */
rp_status g16_circuit_load(const support_file *r1cs_file, g16_circuit *circuit, rp_error *err);
rp_status g16_circuit_read(const char *r1cs_path, const char *wtns_path, g16_circuit *circuit, rp_error *err);
rp_status g16_circuit_make(const g16_family *family, const g16_shape *shape, uint64_t seed, g16_circuit *circuit,
                           rp_error *err);
void g16_circuit_free(g16_circuit *circuit);

/* SplitMix64 (Steele, Lea, Flood 2014): reproducible, not for cryptography. */
static inline uint64_t g16_next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
/* A field element in Montgomery form. */
void g16_next_element(const rp_field_host *field, uint64_t *state, void *element);

#endif
