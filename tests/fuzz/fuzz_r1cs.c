/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "fuzz.h"

#include "groth16/formats/r1cs.h"

typedef struct seen {
  const g16_r1cs *r1cs;
  uint32_t constraints, sum;
} seen;

static rp_status see(void *arg, uint32_t index, const g16_lc abc[3], rp_error *err) {
  (void)err;
  seen *s = arg;
  FUZZ_NEED(index == s->constraints++);
  for (int m = 0; m < 3; m++)
    for (uint64_t i = 0; i < (uint64_t)abc[m].n * G16_TERM_BYTES; i++) s->sum += abc[m].term[i];
  return RP_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  g16_file *file;
  g16_r1cs r1cs;
  rp_error error = {0};
  if (!fuzz_is_ok(g16_file_wrap("r1cs", data, size, &file, &error), &error)) return 0;
  if (fuzz_is_ok(g16_r1cs_open(file, &r1cs, &error), &error)) {
    seen s = {.r1cs = &r1cs};
    uint64_t label;
    if (fuzz_is_ok(g16_r1cs_walk(&r1cs, see, &s, &error), &error)) FUZZ_NEED(s.constraints == r1cs.n_constraints);
    error = (rp_error){0};
    (void)fuzz_is_ok(g16_r1cs_labels(&r1cs, r1cs.n_wires - 1, 1, &label, &error), &error);
  }
  g16_file_close(file);
  return 0;
}
