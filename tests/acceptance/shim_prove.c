/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * shim_prove ZKEY WITNESS: makes a proof with librapidsnark.so and prints it. Exit code and message are the library's.
 * The exit code is 99 if a call that failed wrote to its caller's buffers or sizes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prover.h>

enum { ROOM = 1 << 20, WITNESS_ROOM = 1 << 24 };

int main(int argc, char **argv) {
  static char proof[ROOM], signals[ROOM], witness[WITNESS_ROOM], message[512];
  unsigned long long proof_size = ROOM, signals_size = ROOM;
  FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
  if (!file) return 2;
  const size_t bytes = fread(witness, 1, sizeof witness, file);
  fclose(file);
  const int code = groth16_prover_zkey_file(argv[1], witness, bytes, proof, &proof_size, signals, &signals_size,
                                            message, sizeof message);
  if (code == PROVER_OK) {
    puts(proof);
    return 0;
  }
  fprintf(stderr, "%s\n", message);
  for (size_t i = 0; i < ROOM; i++)
    if (proof[i] || signals[i]) return 99;
  return proof_size == ROOM && signals_size == ROOM ? code : 99;
}
