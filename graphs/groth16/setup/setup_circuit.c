/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "setup_circuit.h"

#include "formats/fail.h"
#include "formats/wtns.h"

#include <inttypes.h>
#include <stdlib.h>

void g16_next_element(const rp_field_host *field, uint64_t *state, void *element) {
  uint64_t wide[8]; /* twice the width, so that the bias is 2^-256 */
  for (int i = 0; i < 8; i++) wide[i] = g16_next(state);
  field->from_bytes_reduce(element, (const uint8_t *)wide, sizeof wide);
}

rp_status g16_circuit_init(g16_circuit *circuit, const g16_family *family, uint32_t n_wires, uint32_t n_public,
                           uint32_t n_constraints, rp_error *err) {
  *circuit = (g16_circuit){.family = family, .n_wires = n_wires, .n_public = n_public, .n_constraints = n_constraints};
  uint64_t rows = (uint64_t)n_constraints + n_public + 1;
  while (g16_circuit_domain(circuit) < rows) circuit->log_domain++;
  if (circuit->log_domain == 0) circuit->log_domain = 1; /* snarkjs's smallest */
  for (int m = 0; m < 3; m++) {
    circuit->abc[m].row_ptr = calloc((size_t)n_constraints + 1, sizeof(uint64_t));
    if (!circuit->abc[m].row_ptr) {
      g16_circuit_free(circuit);
      return support_fail(err, RP_ERR_MEMORY, "Out of memory for %" PRIu32 " constraints.", n_constraints);
    }
  }
  return RP_OK;
}

bool g16_rows_add(g16_rows *rows, uint32_t wire, const void *value) {
  if (rows->nnz == rows->capacity) {
    uint64_t capacity = rows->capacity ? rows->capacity * 3 / 2 : 1024;
    uint32_t *wires = realloc(rows->wire, capacity * sizeof *wires);
    if (wires) rows->wire = wires;
    uint8_t *values = realloc(rows->value, capacity * 32);
    if (values) rows->value = values;
    if (!wires || !values) return 0;
    rows->capacity = capacity;
  }
  rows->wire[rows->nnz] = wire;
  memcpy(rows->value + 32 * rows->nnz++, value, 32);
  return 1;
}

void g16_circuit_end_row(g16_circuit *circuit, uint32_t index) {
  for (int m = 0; m < 3; m++) circuit->abc[m].row_ptr[index + 1] = circuit->abc[m].nnz;
}

void g16_circuit_free(g16_circuit *circuit) {
  for (int m = 0; m < 3; m++) {
    /* NOLINTBEGIN(clang-analyzer-unix.Malloc): what is freed is cleared below, and realloc never asked for 0 bytes */
    free(circuit->abc[m].row_ptr);
    free(circuit->abc[m].wire);
    free(circuit->abc[m].value);
    /* NOLINTEND(clang-analyzer-unix.Malloc) */
  }
  if (circuit->witness) rp_wipe(circuit->witness, (size_t)circuit->n_wires * 32);
  free(circuit->witness);
  *circuit = (g16_circuit){0};
}

static rp_status add_constraint(void *arg, uint32_t index, const g16_lc abc[3], rp_error *err) {
  g16_circuit *circuit = arg;
  const rp_field_host *fr = rp_field_get(circuit->family->fr);
  for (int m = 0; m < 3; m++)
    for (uint32_t i = 0; i < abc[m].n; i++) {
      const uint8_t *term = abc[m].term + (size_t)i * G16_TERM_BYTES;
      uint64_t canonical[4], element[4];
      memcpy(canonical, term + 4, 32);
      fr->from_canonical(element, canonical);
      if (!g16_rows_add(&circuit->abc[m], g16_u32(term), element))
        return support_fail(err, RP_ERR_MEMORY, "Out of memory for the constraints.");
    }
  g16_circuit_end_row(circuit, index);
  return RP_OK;
}

static rp_status read_witness(const char *path, g16_circuit *circuit, rp_error *err) {
  support_file *file;
  g16_wtns wtns;
  rp_status status = support_file_open(path, 0, &file, err);
  if (status != RP_OK) return status;
  status = g16_wtns_open(file, &wtns, err);
  if (status == RP_OK && (wtns.family != circuit->family || wtns.n != circuit->n_wires))
    status = support_fail(err, RP_ERR_MISMATCH,
                          "%s: is of another circuit: %" PRIu32 " values of %s for %" PRIu32 " wires of %s.", path,
                          wtns.n, wtns.family->name, circuit->n_wires, circuit->family->name);
  if (status == RP_OK) {
    circuit->witness = malloc((size_t)wtns.n * 32);
    status = circuit->witness ? g16_wtns_read(&wtns, 0, wtns.n, NULL, circuit->witness, err)
                              : support_fail(err, RP_ERR_MEMORY, "%s: out of memory.", path);
  }
  support_file_close(file);
  return status;
}

rp_status g16_circuit_load(const support_file *r1cs_file, g16_circuit *circuit, rp_error *err) {
  *circuit = (g16_circuit){0};
  g16_r1cs r1cs;
  rp_status status = g16_r1cs_open(r1cs_file, &r1cs, err);
  if (status == RP_OK)
    status = g16_circuit_init(circuit, r1cs.family, r1cs.n_wires, g16_r1cs_public(&r1cs), r1cs.n_constraints, err);
  if (status == RP_OK) status = g16_r1cs_walk(&r1cs, add_constraint, circuit, err);
  if (status != RP_OK) g16_circuit_free(circuit);
  return status;
}

rp_status g16_circuit_read(const char *r1cs_path, const char *wtns_path, g16_circuit *circuit, rp_error *err) {
  *circuit = (g16_circuit){0};
  support_file *file;
  rp_status status = support_file_open(r1cs_path, 0, &file, err);
  if (status != RP_OK) return status;
  status = g16_circuit_load(file, circuit, err);
  support_file_close(file);
  if (status == RP_OK && wtns_path) status = read_witness(wtns_path, circuit, err);
  if (status != RP_OK) g16_circuit_free(circuit);
  return status;
}
