/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A Groth16 proving key of gnark (gnark.h):
 *   u64 n, Fr 1/n, omega, 1/omega, g, 1/g, u8: the domain, and the shift of its coset
 *   G1 alpha, beta, delta; then counts and points: G1 A, B, Z, K; G2 beta, delta; count and points G2 B
 *   u64 wires, wires without A, wires without B; a byte per wire for each: 1 where there is no point
 *   u32 commitments, each: count and G1 basis, count and G1 basis times sigma
 * Z has n - 1 points, for the quotient's coefficients in bit-reversed order. K has the private wires in their order,
 * except those that are committed to and the challenges of commitments; no file of gnark says which these are.
 *
 * A dump (WriteDump) begins with 0xdeadbeef as u64 little-endian. Everything but the arrays comes first; the arrays A,
 * B, Z, K, G2 B and those of commitments follow in memory form, with u64 little-endian counts.
 */
#ifndef REPRISE_GROTH16_GNARK_PKEY_H
#define REPRISE_GROTH16_GNARK_PKEY_H

#include "gnark.h"

#include <reprise/gnark.h>

typedef enum g16_gnark_array_id {
  G16_GNARK_A,
  G16_GNARK_B,
  G16_GNARK_Z,
  G16_GNARK_K,
  G16_GNARK_B2,
  G16_GNARK_ARRAYS
} g16_gnark_array_id;

typedef struct g16_gnark_array {
  const char *name;
  bool g2;
  uint64_t n, offset; /* of the first point */
} g16_gnark_array;

typedef struct g16_gnark_pkey {
  const support_file *file; /* borrowed */
  const g16_family *family;
  g16_gnark_form form;
  uint64_t domain;
  uint32_t log_domain;
  rp_root root;      /* the convention that omega follows */
  uint8_t shift[32]; /* g, canonical little-endian */
  g16_g1 alpha_1, beta_1, delta_1;
  g16_g2 beta_2, delta_2;
  g16_gnark_array array[G16_GNARK_ARRAYS];
  uint64_t n_wires, n_public;     /* the constant counts as a wire, but not as a public value */
  uint64_t n_infinity[2], map[2]; /* numbers of wires without A, without B; offsets of their maps */
  uint32_t n_commitments;
  g16_gnark_array basis[RP_GNARK_MAX_COMMITMENTS], basis_sigma[RP_GNARK_MAX_COMMITMENTS];
} g16_gnark_pkey;

/* Reads and checks everything but the large arrays. `file` must stay open as long as `pkey` is used. Holds no
 * memory. */
rp_status g16_gnark_pkey_open(const support_file *file, g16_gnark_pkey *pkey, rp_error *err);
/* Reads points [first, first + n) of an array to their memory form, aligned to 8 bytes, with checks as in zkey.h.
 * Threads may read disjoint ranges at once. */
rp_status g16_gnark_points_read(const g16_gnark_pkey *pkey, const g16_gnark_array *array, uint64_t first, uint64_t n,
                                uint32_t checks, void *out, rp_error *err);
/* Reads the map of wires without a point of A (0) or B (1), n_wires bytes, and checks that it has as many ones as the
 * file says. */
rp_status g16_gnark_map_read(const g16_gnark_pkey *pkey, int which, uint8_t *map, rp_error *err);
/* Whether the file begins like a proving key. */
bool g16_gnark_is_pkey(const support_file *file);

#endif
