/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A proving key in memory, in the form that the graph needs. The arrays below are the same whether the key came from a
 * .zkey or from a prerecorded file, and the graph borrows them.
 *
 * The four point vectors that are multiplied with the witness have the same indices, so that one bucket matrix serves
 * them all: the wires, then two more scalars, the blinding values s and r.
 *   A   wire 0 (the constant 1) also carries alpha; at r: delta
 *   B1  wire 0 also carries beta; at s: infinity
 *   B2  wire 0 also carries beta; at s: delta
 *   C   infinity for wires 0 to n_public
 * With pi_a = <A> and pi_b = <B2>: pi_c = <C> + <H> + s pi_a + r <B1>. This is s A + r B - r s delta of Groth16 (ePrint
 * 2016/260, section 3.2), in which the double blinding term has been cancelled.
 */
#ifndef REPRISE_GROTH16_KEY_H
#define REPRISE_GROTH16_KEY_H

#include "formats/family.h"
#include "groth16/formats/json.h"
#include "files/range.h"
#include "groth16/formats/zkey.h"

#include <reprise/gnark.h>

#include <stdatomic.h>

/* The point vectors of a key, in the order of rp_groth16_key_info.infinities. */
typedef enum g16_vector { G16_VEC_A, G16_VEC_B1, G16_VEC_B2, G16_VEC_C, G16_VEC_H, G16_VECTORS } g16_vector;

/* The wires that a product needs: those of A, those of B1 and B2 (shared), those of C. */
typedef enum g16_support { G16_SUP_A, G16_SUP_B, G16_SUP_C, G16_SUPPORTS } g16_support;

enum { G16_MAX_PARTS = 64 };

/* A commitment of a key of gnark: a product with private wires that the verifier gets, and one with sigma times its
 * points. */
typedef struct g16_key_commitment {
  uint64_t n;
  const uint32_t *wires;              /* n, ascending */
  const uint8_t *basis, *basis_sigma; /* n points each */
  uint32_t challenge;                 /* the wire of its challenge */
} g16_key_commitment;

struct rp_groth16_key {
  atomic_uint refs; /* the caller's, and one per prover */
  const g16_family *family;
  rp_groth16_key_info info;
  uint32_t log_domain;
  uint32_t largest_shift;             /* 1: the coset of g16_largest_shift, since there is no root of twice the order */
  g16_csr a, b;                       /* rows: domain; columns: scalars */
  const uint8_t *vector[G16_VECTORS]; /* scalars points each, H: domain; aligned only if not `mapped` */
  const uint32_t *support[G16_SUPPORTS]; /* bitmaps over the scalars; a bit is 0 if the point is at infinity */
  uint64_t supported[G16_SUPPORTS];      /* bits that are 1 */
  g16_vkey vk;                           /* verification part; ic is NULL for a key of gnark without a given vkey */
  rp_root root;                          /* of a key of gnark: root of its domain, */
  uint8_t shift[32];                     /* and shift of its coset, canonical. There are no matrices: A, B are inputs */
  g16_key_commitment commitment[RP_GNARK_MAX_COMMITMENTS]; /* info.n_commitments */

  struct g16_unread *unread; /* the points are in `source`, and vector is NULL (key_unread.h); NULL: in memory */

  atomic_int points_checked; /* 1: key_check.h or the reader checked every point; or a recorded file says so */
  support_file *source;      /* zkey: the file that it was read from */
  support_file *file;        /* prerecorded: the file that the arrays point into */
  struct {                   /* zkey: memory of the arrays */
    void *memory;
    uint64_t bytes;
  } part[G16_MAX_PARTS];
  uint32_t n_parts;
  support_range mapped[G16_VECTORS]; /* zkey: vectors that lie in the file */
};

enum { G16_BLINDING = 2 }; /* scalars after the wires: s, r */
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

/* The name of the key in reasons: the path of its file. */
static inline const char *g16_key_name(const rp_groth16_key *key) {
  return support_file_name(key->file ? key->file : key->source);
}

/* Sets log_domain, and what follows from it. */
static inline void g16_key_set_domain(rp_groth16_key *key, uint32_t log_domain) {
  key->log_domain = log_domain;
  key->largest_shift = log_domain == rp_field_get(key->family->fr)->two_adicity;
}

rp_groth16_key *g16_key_ref(rp_groth16_key *key);
/* A new key without arrays, one reference. NULL when out of memory. */
rp_groth16_key *g16_key_new(void);
/* Memory that lives as long as the key, aligned to 64 bytes. NULL when out of memory. */
void *g16_key_alloc(rp_groth16_key *key, uint64_t bytes);

/* Allocates empty supports. */
rp_status g16_key_alloc_supports(rp_groth16_key *key, const char *name, uint32_t *support[G16_SUPPORTS], rp_error *err);
/* After all vectors, or those of their entries that differ from the file (key_unread.h), have been filled: adds alpha,
 * beta and delta to them as described above, and counts the supports. */
typedef struct g16_key_ends {
  const g16_g1 *alpha_1, *beta_1, *delta_1;
  const g16_g2 *beta_2, *delta_2;
} g16_key_ends;
void g16_key_fold(rp_groth16_key *key, const g16_key_ends *ends, uint32_t *support[G16_SUPPORTS]);

/* key_gnark.c: loads a proving key of gnark. */
rp_status g16_key_load_gnark(rp_groth16_key *key, support_file *file, const rp_groth16_key_options *options,
                             rp_error *err);
/* key_zkey.c: loads all arrays from a zkey, in parallel, or all but the points. Reading ahead is still on when it
 * returns. */
rp_status g16_key_load_zkey(rp_groth16_key *key, support_file *file, const rp_groth16_key_options *options,
                            rp_error *err);

#endif
