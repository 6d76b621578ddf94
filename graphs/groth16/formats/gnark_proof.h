/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The small files of gnark (gnark.h), read from their front:
 *   verifying key  G1 alpha, beta; G2 beta, gamma; G1 delta; G2 delta; u32 count, G1 K (the constant, public signals,
 *                  one per commitment); u32 count, each: u32 count, u64 indices into K of what the commitment's
 *                  challenge hashes, from 1; u32 commitment keys, each: G2 G, G2 -sigma G
 *   proof          G1 Ar, G2 Bs, G1 Krs, u32 count, G1 D, G1 proof of knowledge
 *   witness        u32 public, u32 secret, u32 count, their values
 */
#ifndef REPRISE_GROTH16_GNARK_PROOF_H
#define REPRISE_GROTH16_GNARK_PROOF_H

#include "gnark.h"
#include "json.h"

#include <reprise/gnark.h>

/* Undo with g16_vkey_free. Does not check that points are on their curves and in their subgroups: see
 * g16_vkey_check. */
rp_status g16_gnark_vkey_read(const support_file *file, g16_vkey *vkey, rp_error *err);
rp_status g16_gnark_proof_read(const support_file *file, rp_gnark_proof *proof, rp_error *err);
/* Returns the length of the encoded proof, and writes it to `out` unless that is NULL. 0: the proof is of another
 * curve, or has too many commitments. */
size_t g16_gnark_proof_write(const rp_gnark_proof *proof, rp_gnark_form form, uint8_t *out);

typedef struct g16_gnark_witness {
  uint32_t n_public, n_secret;
} g16_gnark_witness;
rp_status g16_gnark_witness_open(const support_file *file, g16_gnark_witness *witness, rp_error *err);
/* Reads values [first, first + n) of a witness file as little-endian integers, unchecked. */
rp_status g16_gnark_witness_read(const support_file *file, uint64_t first, uint64_t n, uint8_t *out, rp_error *err);

/* Writes a public witness of 12 + 32 n bytes. */
void g16_gnark_public_write(const uint8_t *values, uint32_t n, uint8_t *out);

/* The structures of a proof and of a verifying key, for g16_gnark_family. */
void g16_gnark_walk_proof(g16_gnark_reader *r);
void g16_gnark_walk_vkey(g16_gnark_reader *r);

#endif
