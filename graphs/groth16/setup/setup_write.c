/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "setup_write.h"

#include "formats/fail.h"

#include <stdlib.h>

rp_status g16_write_flush(g16_writer *w) {
  if (w->status == RP_OK && w->buffered != 0)
    w->status = support_output_write(w->output, w->buffer, w->buffered, w->err);
  w->buffered = 0;
  return w->status;
}

void g16_write(g16_writer *w, const void *data, uint64_t bytes) {
  if (w->status != RP_OK) return;
  if (w->buffered + bytes > sizeof w->buffer && g16_write_flush(w) != RP_OK) return;
  if (bytes > sizeof w->buffer) {
    w->status = support_output_write(w->output, data, bytes, w->err);
    return;
  }
  memcpy(w->buffer + w->buffered, data, bytes);
  w->buffered += bytes;
}

void g16_write_u32(g16_writer *w, uint32_t value) {
  uint8_t le[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
  g16_write(w, le, 4);
}

static void write_u64(g16_writer *w, uint64_t value) {
  g16_write_u32(w, (uint32_t)value);
  g16_write_u32(w, (uint32_t)(value >> 32));
}

void g16_write_header(g16_writer *w, const char *magic, uint32_t version, uint32_t n_sections) {
  g16_write(w, magic, 4);
  g16_write_u32(w, version);
  g16_write_u32(w, n_sections);
}

void g16_write_section(g16_writer *w, uint32_t id, uint64_t bytes) {
  g16_write_u32(w, id);
  write_u64(w, bytes);
}

rp_status g16_write_wtns(support_output *output, const g16_circuit *circuit, rp_error *err) {
  g16_writer *w = calloc(1, sizeof *w);
  if (!w) return support_fail(err, RP_ERR_MEMORY, "Out of memory for a writer.");
  w->output = output;
  w->err = err;
  g16_write_header(w, "wtns", 2, 2);
  g16_write_section(w, 1, 4 + 32 + 4);
  g16_write_u32(w, 32);
  g16_write(w, rp_field_get(circuit->family->fr)->modulus_le, 32);
  g16_write_u32(w, circuit->n_wires);
  g16_write_section(w, 2, (uint64_t)circuit->n_wires * 32);
  for (uint32_t i = 0; i < circuit->n_wires; i++) g16_write(w, circuit->witness + 32 * (size_t)i, 32);
  rp_status status = g16_write_flush(w);
  rp_wipe(w->buffer, sizeof w->buffer);
  free(w);
  return status;
}

static void write_row(g16_writer *w, const rp_field_host *fr, const g16_rows *rows, uint32_t row) {
  g16_write_u32(w, (uint32_t)(rows->row_ptr[row + 1] - rows->row_ptr[row]));
  for (uint64_t k = rows->row_ptr[row]; k < rows->row_ptr[row + 1]; k++) {
    uint64_t value[4];
    memcpy(value, rows->value + 32 * k, 32);
    fr->to_canonical(value, value);
    g16_write_u32(w, rows->wire[k]);
    g16_write(w, value, 32);
  }
}

rp_status g16_write_r1cs(support_output *output, const g16_circuit *circuit, rp_error *err) {
  const rp_field_host *fr = rp_field_get(circuit->family->fr);
  g16_writer *w = calloc(1, sizeof *w);
  if (!w) return support_fail(err, RP_ERR_MEMORY, "Out of memory for a writer.");
  w->output = output;
  w->err = err;
  uint64_t entries = circuit->abc[0].nnz + circuit->abc[1].nnz + circuit->abc[2].nnz;
  g16_write_header(w, "r1cs", 1, 3);
  g16_write_section(w, 1, 4 + 32 + 4 * 4 + 8 + 4);
  g16_write_u32(w, 32);
  g16_write(w, fr->modulus_le, 32);
  g16_write_u32(w, circuit->n_wires);
  g16_write_u32(w, circuit->n_public); /* outputs */
  g16_write_u32(w, 0);
  g16_write_u32(w, circuit->n_wires - circuit->n_public - 1);
  write_u64(w, circuit->n_wires);
  g16_write_u32(w, circuit->n_constraints);
  g16_write_section(w, 2, entries * 36 + (uint64_t)circuit->n_constraints * 12);
  for (uint32_t row = 0; row < circuit->n_constraints; row++)
    for (int m = 0; m < 3; m++) write_row(w, fr, &circuit->abc[m], row);
  g16_write_section(w, 3, (uint64_t)circuit->n_wires * 8);
  for (uint32_t i = 0; i < circuit->n_wires; i++) write_u64(w, i);
  rp_status status = g16_write_flush(w);
  free(w);
  return status;
}
