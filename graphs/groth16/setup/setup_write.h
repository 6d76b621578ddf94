/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Writes the section container (binfile.h): lengths are given beforehand, content follows in pieces.
 */
#ifndef REPRISE_GROTH16_SETUP_WRITE_H
#define REPRISE_GROTH16_SETUP_WRITE_H

#include "files/output.h"
#include "setup_circuit.h"

typedef struct g16_writer {
  support_output *output;
  rp_status status; /* the first failure; later calls do nothing */
  rp_error *err;
  uint64_t buffered;
  uint8_t buffer[1 << 16];
} g16_writer;

void g16_write(g16_writer *w, const void *data, uint64_t bytes);
void g16_write_u32(g16_writer *w, uint32_t value);
void g16_write_header(g16_writer *w, const char *magic, uint32_t version, uint32_t n_sections);
void g16_write_section(g16_writer *w, uint32_t id, uint64_t bytes);
rp_status g16_write_flush(g16_writer *w);

rp_status g16_write_wtns(support_output *output, const g16_circuit *circuit, rp_error *err);
rp_status g16_write_r1cs(support_output *output, const g16_circuit *circuit, rp_error *err);

#endif
