/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A circuit from an untrusted source, read as far as the setup reads it: the header, the constraints one by one, the
 * circuit in memory, and for small circuits the scalars of a key, which use every entry. Reading the constraints one by
 * one must give what the circuit in memory holds.
 */
#include "fuzz.h"

#include "formats/fail.h"
#include "groth16/setup/setup_qap.h"

enum { MOST_WIRES = 1 << 12, MOST_DOMAIN = 1 << 10 };

typedef struct seen {
  const g16_r1cs *r1cs;
  const g16_circuit *circuit; /* NULL if it was refused */
  uint32_t constraints, sum;
} seen;

static rp_status see(void *arg, uint32_t index, const g16_lc abc[3], rp_error *err) {
  (void)err;
  seen *s = arg;
  FUZZ_NEED(index == s->constraints++);
  for (int m = 0; m < 3; m++) {
    for (uint64_t i = 0; i < (uint64_t)abc[m].n * G16_TERM_BYTES; i++) s->sum += abc[m].term[i];
    if (!s->circuit) continue;
    const g16_rows *rows = &s->circuit->abc[m];
    FUZZ_NEED(rows->row_ptr[index + 1] - rows->row_ptr[index] == abc[m].n);
    for (uint32_t i = 0; i < abc[m].n; i++) {
      const uint8_t *term = abc[m].term + (size_t)i * G16_TERM_BYTES;
      FUZZ_NEED(rows->wire[rows->row_ptr[index] + i] == g16_u32(term) && g16_u32(term) < s->r1cs->n_wires);
    }
  }
  return RP_OK;
}

static void see_key(const g16_circuit *circuit) {
  const g16_setup setup = {.family = circuit->family, .seed = 1};
  g16_qap qap;
  rp_error error = {0};
  if (circuit->n_wires > MOST_WIRES || g16_circuit_domain(circuit) > MOST_DOMAIN) return;
  if (fuzz_is_ok(g16_qap_compute(circuit, &setup, &qap, &error), &error)) g16_qap_free(&qap, circuit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  support_file *file;
  g16_r1cs r1cs;
  g16_circuit circuit;
  rp_error error = {0};
  if (!fuzz_is_ok(support_file_wrap("r1cs", data, size, &file, &error), &error)) return 0;
  const int loaded = fuzz_is_ok(g16_circuit_load(file, &circuit, &error), &error);
  error = (rp_error){0};
  if (fuzz_is_ok(g16_r1cs_open(file, &r1cs, &error), &error)) {
    seen s = {.r1cs = &r1cs, .circuit = loaded ? &circuit : NULL};
    const int walked = fuzz_is_ok(g16_r1cs_walk(&r1cs, see, &s, &error), &error);
    FUZZ_NEED(walked == loaded && (!walked || s.constraints == r1cs.n_constraints));
  } else {
    FUZZ_NEED(!loaded);
  }
  if (loaded) {
    see_key(&circuit);
    g16_circuit_free(&circuit);
  }
  support_file_close(file);
  return 0;
}
