/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A proving key in memory, arranged for the graph. Whether it came from a .zkey or from a prerecorded file, the arrays
 * below are the same, and the graph borrows them.
 *
 * The four point vectors that meet the witness are indexed alike, so that one bucket matrix serves them all: by wire,
 * and then two more scalars, the blinding values s and r: A    wire 0 carries alpha too (wire 0 is the constant 1); at
 * r: delta B1   wire 0 carries beta too; at s: infinity B2   wire 0 carries beta too; at s: delta C    infinity up to
 * wire n_public Then, with pi_a = <A>, pi_b = <B2>: pi_c = <C> + <H> + s pi_a + r <B1>, which is Groth16's (ePrint
 * 2016/260, section 3.2) s A + r B - r s delta with the double blinding term already cancelled.
 */
#ifndef REPRISE_GROTH16_KEY_H
#define REPRISE_GROTH16_KEY_H

#include "formats/family.h"
#include "groth16/formats/json.h"
#include "formats/mapping.h"
#include "groth16/formats/zkey.h"

#include <reprise/gnark.h>

#include <stdatomic.h>

/* The point vectors of a key, in the order of rp_groth16_key_info.infinities. */
typedef enum g16_vector { G16_VEC_A, G16_VEC_B1, G16_VEC_B2, G16_VEC_C, G16_VEC_H, G16_VECTORS } g16_vector;

/* Which wires a product needs: A; B1 and B2 share one; C. */
typedef enum g16_support { G16_SUP_A, G16_SUP_B, G16_SUP_C, G16_SUPPORTS } g16_support;

enum { G16_MAX_PARTS = 64 };

/* Of a key of gnark: a product with private wires that the verifier sees, and one with sigma times its points. */
typedef struct g16_key_commitment {
  uint64_t n;
  const uint32_t *wires;              /* n, growing */
  const uint8_t *basis, *basis_sigma; /* n points each */
  uint32_t challenge;                 /* the wire of its challenge */
} g16_key_commitment;

struct rp_groth16_key {
  atomic_uint refs; /* the caller's and one a prover */
  const g16_family *family;
  rp_groth16_key_info info;
  uint32_t log_domain;
  uint32_t largest_shift;             /* 1: the coset of g16_largest_shift, for the field has none of twice the order */
  g16_csr a, b;                       /* rows: domain; columns: scalars */
  const uint8_t *vector[G16_VECTORS]; /* scalars points each, H: domain */
  const uint32_t *support[G16_SUPPORTS]; /* bitmaps over the scalars; a bit is 0 where the point is at infinity */
  uint64_t supported[G16_SUPPORTS];      /* bits that are 1 */
  g16_vkey vk;                           /* the part that verifies; ic NULL: gnark's, and none was given */
  rp_root root;                          /* gnark's: of its domain, */
  uint8_t shift[32];                     /* and its coset, canonical. There are no matrices, for A and B come solved */
  g16_key_commitment commitment[RP_GNARK_MAX_COMMITMENTS]; /* info.n_commitments */

  atomic_int points_checked; /* 1: every point, by key_check.h or when the key was read; or a recorded file says so */
  g16_file *source;          /* zkey: where it was read from */
  g16_file *file;            /* prerecorded: what the arrays point into */
  struct {                   /* zkey: what the arrays stand in */
    void *memory;
    uint64_t bytes;
  } part[G16_MAX_PARTS];
  uint32_t n_parts;
};

enum { G16_BLINDING = 2 }; /* scalars behind the wires: s, r */
static inline uint64_t g16_key_scalars(const rp_groth16_key *key) { return key->info.n_vars + G16_BLINDING; }
static inline uint64_t g16_support_words(const rp_groth16_key *key) { return (g16_key_scalars(key) + 31) / 32; }
static inline rp_curve g16_vector_curve(const rp_groth16_key *key, g16_vector v) {
  return v == G16_VEC_B2 ? key->family->g2 : key->family->g1;
}
static inline uint64_t g16_vector_len(const rp_groth16_key *key, g16_vector v) {
  return v == G16_VEC_H ? key->info.domain : g16_key_scalars(key);
}
static inline uint32_t g16_vector_point_bytes(const rp_groth16_key *key, g16_vector v) {
  return v == G16_VEC_B2 ? g16_g2_bytes(key->family) : g16_g1_bytes(key->family);
}

/* What reasons call it: the path of its file. */
static inline const char *g16_key_name(const rp_groth16_key *key) {
  return g16_file_name(key->file ? key->file : key->source);
}

/* Sets log_domain and what follows from it. */
static inline void g16_key_set_domain(rp_groth16_key *key, uint32_t log_domain) {
  key->log_domain = log_domain;
  key->largest_shift = log_domain == rp_field_get(key->family->fr)->two_adicity;
}

rp_groth16_key *g16_key_ref(rp_groth16_key *key);
/* A new key without arrays, one reference. NULL when out of memory. */
rp_groth16_key *g16_key_new(void);
/* Memory that lives as long as the key: zeroed if asked, 64-byte aligned. NULL when out. */
void *g16_key_alloc(rp_groth16_key *key, uint64_t bytes);

/* Empty supports, vectors to be filled later. */
rp_status g16_key_alloc_supports(rp_groth16_key *key, const char *name, uint32_t *support[G16_SUPPORTS], rp_error *err);
/* When all vectors stand: folds alpha, beta and delta in, and counts the supports. */
typedef struct g16_key_ends {
  const g16_g1 *alpha_1, *beta_1, *delta_1;
  const g16_g2 *beta_2, *delta_2;
} g16_key_ends;
void g16_key_fold(rp_groth16_key *key, const g16_key_ends *ends, uint32_t *support[G16_SUPPORTS]);

/* key_gnark.c: from a proving key of gnark. */
rp_status g16_key_load_gnark(rp_groth16_key *key, g16_file *file, const rp_groth16_key_options *options, rp_error *err);
/* key_zkey.c: all arrays from a zkey, read side by side. Reading in advance is on when it returns. */
rp_status g16_key_load_zkey(rp_groth16_key *key, g16_file *file, int check_points, rp_error *err);

#endif
