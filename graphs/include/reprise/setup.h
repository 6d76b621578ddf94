/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: INSECURE keys, for the tests and benchmarks of programs that prove. Calling rules: reprise.h.
 *
 * All secrets of such a key come from a seed, so that anybody can make proofs of anything that it accepts. Keys for use
 * come from a ceremony. The files have the formats of snarkjs or gnark, which accept proofs that are made with them;
 * the same options give the same bytes on every device.
 */
#ifndef REPRISE_SETUP_H
#define REPRISE_SETUP_H

#include <reprise/files.h>
#include <reprise/reprise.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rp_circuit_kind {
  RP_CIRCUIT_FULL,  /* values of full width; rows as in circom's Poseidon circuits */
  RP_CIRCUIT_SHA256 /* nearly all values 0 or 1; rows as in circom's SHA-256 circuits */
} rp_circuit_kind;

/* What a synthetic circuit of Groth16 looks like. */
typedef struct rp_circuit_shape {
  uint32_t struct_size;
  rp_circuit_kind rows;          /* how many entries the rows of A, B and C have, unless has_row_means is 1 */
  uint32_t has_row_means;        /* 1: the rows have row_means entries on average */
  double row_means[3];           /* of A, B and C; each row has one of the two nearest integers; at most 10^6 */
  double zeros, ones;            /* shares of the witness, together at most 1; the rest is uniform below r */
  double infinity_a, infinity_b; /* shares of the wires that do not occur in A, in B; at most 1 */
} rp_circuit_shape;
/* The shape of such a circuit; shape->struct_size is set by the caller. */
RP_API void rp_circuit_shape_of(rp_circuit_kind kind, rp_circuit_shape *shape);

typedef struct rp_insecure_setup {
  uint32_t struct_size;
  rp_protocol protocol; /* RP_PROTOCOL_NONE: Groth16 */
  uint32_t gnark;       /* 1: a key of gnark, for Groth16 */
  rp_curve g1;          /* RP_CURVE_BN254_G1, or RP_CURVE_BLS12_381_G1 for Groth16; a circuit from a file has its own */
  uint64_t seed;        /* where all randomness comes from, that of the circuit too */
  /* A synthetic circuit: domain of 2^log_domain (Groth16: 2 to 27, PLONK and FFLONK: 3 to 24, gnark: 2 to 24), and so
   * many public signals. */
  uint32_t log_domain;
  uint32_t n_public;
  const rp_circuit_shape *shape; /* Groth16 with files of snarkjs; NULL: RP_CIRCUIT_FULL */
  /* Groth16 with files of snarkjs: a .r1cs instead of a synthetic circuit, and a witness of it that is copied to
   * witness_out. NULL: none. */
  const char *r1cs_path, *wtns_path;
  uint32_t uncontributed; /* Groth16 with files of snarkjs, 1: as before the first contribution to the second phase */
  /* What is written: .zkey, verification key in JSON, .wtns and .r1cs; of gnark a dumped proving key (pk.WriteDump), a
   * raw verifying key and a solution as it lies in memory. Groth16 with files of snarkjs: NULL leaves a file out.
   * Others need the first three, and have no .r1cs. */
  const char *key_out, *vkey_out, *witness_out, *r1cs_out;
  /* Called between steps by the thread that calls rp_setup_insecure; `total` is 0 if it is not known. A result other
   * than 0 cancels the setup (RP_ERR_CANCELLED). May be NULL. */
  int (*progress)(void *user, const char *what, uint64_t done, uint64_t total);
  void *user;
} rp_insecure_setup;

/* Makes the files; points are computed by the device. Either all of them appear, or none. RP_ERR_ARGUMENT: an option is
 * out of range, does not apply to such a key or is missing. RP_ERR_UNSUPPORTED: PLONK or FFLONK over another curve than
 * BN254. RP_ERR_FILE, RP_ERR_FORMAT: the circuit or its witness cannot be read. RP_ERR_MISMATCH: they do not belong
 * together. */
RP_API RP_CHECKED rp_status rp_setup_insecure(rp_device *device, const rp_insecure_setup *setup, rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
