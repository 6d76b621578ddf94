/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Points that stay in the file of a proving key, a zkey or one of gnark, until a recording needs them (points_in_file).
 * The key has, of each vector, the entries that differ from the file: wire 0 and those of the blinding values; and, for
 * a key of gnark, the maps of wires.
 */
#ifndef REPRISE_GROTH16_KEY_UNREAD_H
#define REPRISE_GROTH16_KEY_UNREAD_H

#include "key.h"

#include "groth16/formats/gnark_pkey.h"
#include "groth16/formats/zkey.h"

enum { G16_UNREAD_BLOCK = 1024 }; /* wires */

/* The entries that differ from the file: of wire 0, of the blinding values s and r. */
enum { G16_END_FIRST, G16_END_S, G16_END_R, G16_ENDS };

typedef struct g16_unread_vector {
  /* Of a key of gnark: */
  const g16_gnark_array *array;
  const uint8_t *absent;  /* one byte per wire: 1 if it has no point; H: NULL, each entry but the last has one */
  const uint64_t *before; /* per block of wires: points of the wires before it */
  /* Of any: */
  g16_g2 ends[G16_ENDS];
} g16_unread_vector;

struct g16_unread {
  /* Of key->source: */
  bool of_zkey;
  g16_zkey zkey;       /* if of_zkey, */
  g16_gnark_pkey pkey; /* else */
  g16_unread_vector vector[G16_VECTORS];
};

/* Prepares the key for reading its points later. The bitmaps of the supports have a bit for each wire that the file has
 * a point for, be it infinity. `absent` are the maps of A, of B and of C, which live as long as the key. */
rp_status g16_unread_prepare(rp_groth16_key *key, const g16_gnark_pkey *pkey, uint8_t *const absent[G16_SUPPORTS],
                             uint32_t *support[G16_SUPPORTS], rp_error *err);
/* The same for a zkey, whose points of wires are read once to find which are at infinity. */
rp_status g16_unread_prepare_zkey(rp_groth16_key *key, const g16_zkey *zkey, uint32_t *support[G16_SUPPORTS],
                                  rp_error *err);
/* Entries [begin, end) of a vector of a zkey, at most G16_UNREAD_BLOCK, as they are in the file: those of wires, or of
 * H. `scratch` has room for them. */
rp_status g16_unread_read_zkey(const rp_groth16_key *key, g16_vector v, uint64_t begin, uint64_t end, uint8_t *scratch,
                               uint8_t *to, rp_error *err);
/* Entries [first, first + n) of a vector as a constant of the graph, which keeps the key. */
rp_value g16_unread_constant(rp_graph *graph, const rp_groth16_key *key, const char *name, g16_vector v, uint64_t first,
                             uint64_t n);
/* RP_ERR_UNSUPPORTED if the key's points are not in memory, which is needed to do `what`. */
rp_status g16_unread_refuse(const rp_groth16_key *key, const char *what, rp_error *err);

#endif
