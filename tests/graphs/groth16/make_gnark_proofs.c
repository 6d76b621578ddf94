/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * usage: make_gnark_proofs FOLDER    Makes proofs of gnark's small circuits with random blinding, for gnark_check.py:
 * FOLDER/N.raw and N.bin are the proof of fixture N, and N.blinding is r and s, 32 little-endian bytes each.
 */
#include "gnark_subject.h"

#include <stdio.h>
#include <stdlib.h>

static void put(const char *folder, int n, const char *ending, const void *data, size_t bytes) {
  char path[GNARK_PATH];
  snprintf(path, sizeof path, "%s/%d.%s", folder, n, ending);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0) exit(1);
}

static void make(bench *b, const char *folder, int n) {
  subject s;
  rp_error err = {0};
  rp_gnark_proof proof;
  uint8_t blinding[64], out[MOST_BYTES];
  open_subject(b, &gnark_fixtures[n], "pk.dump", 0, &s);
  const rp_field fr = gnark_is_bls(s.fixture) ? RP_FIELD_BLS12_381_FR : RP_FIELD_BN254_FR;
  rp_groth16_prover *prover = prover_with_options(b, &s, NULL);
  if (rp_random_canonical(fr, blinding) != RP_OK || rp_random_canonical(fr, blinding + 32) != RP_OK) exit(1);
  put(folder, n, "blinding", blinding, sizeof blinding);
  if (rp_gnark_prove_unsafe_blinding(prover, &s.vectors, blinding, blinding + 32, &proof, NULL, NULL, &err) != RP_OK)
    exit(1);
  for (int form = RP_GNARK_RAW; form <= RP_GNARK_COMPRESSED; form++) {
    size_t bytes;
    if (rp_gnark_proof_to_bytes(&proof, (rp_gnark_form)form, out, sizeof out, &bytes, &err) != RP_OK) exit(1);
    put(folder, n, form == RP_GNARK_RAW ? "raw" : "bin", out, bytes);
  }
  rp_groth16_prover_destroy(prover);
  close_subject(&s);
}

int main(int argc, char **argv) {
  bench b;
  if (argc != 2) return 2;
  bench_open(&b);
  for (int n = 0; n < GNARK_FIXTURES; n++)
    if (!gnark_fixtures[n].large) make(&b, argv[1], n);
  bench_close(&b);
  return 0;
}
