/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A Groth16 proving key as snarkjs writes it (.zkey). Sections (binfile.h), all integers little-endian:
 *   1  u32 protocol, 1 is Groth16
 *   2  u32 n8q, q, u32 n8r, r, u32 variables, u32 public, u32 domain size; alpha1 beta1 beta2 gamma2 delta1 delta2
 *   3  IC        public + 1 points of G1
 *   4  coefs     u32 count, then records: u32 matrix (0 A, 1 B), u32 row, u32 signal, 32-byte value times R^2
 *   5  A, 6 B1   variables points of G1;   7 B2  variables points of G2
 *   8  C         variables - public - 1 points of G1, from signal public + 1 on
 *   9  H         domain size points of G1
 *   10 contributions, not read; may be missing
 * Points are affine in Montgomery form, x then y, infinity all zero: the memory form of types.h.
 *
 * All results have been checked: integers are below their modulus, indices in range, lengths exact. Points are checked
 * to be on the curve and in the subgroup on opening for those of the header, when a verification key is made (json.h)
 * for IC, and for the rest on request.
 */
#ifndef REPRISE_GROTH16_ZKEY_H
#define REPRISE_GROTH16_ZKEY_H

#include "formats/zkey_head.h"

enum { G16_ZKEY_COEFS = 4 };

/* The arrays of points, by section id. */
typedef enum g16_points_id { G16_IC = 3, G16_A = 5, G16_B1 = 6, G16_B2 = 7, G16_C = 8, G16_H = 9 } g16_points_id;

typedef struct g16_zkey {
  g16_binfile bin;
  const g16_family *family;
  uint32_t n_vars, n_public, domain_size, log_domain, n_coefs;
  g16_g1 alpha_1, beta_1, delta_1;
  g16_g2 beta_2, gamma_2, delta_2;
} g16_zkey;

enum {
  G16_CHECK_CURVE = 1u,   /* every point is on its curve */
  G16_CHECK_SUBGROUP = 2u /* and in the subgroup of prime order */
};

/* How the large arrays are loaded. If zero: by threads of the call, into memory of malloc, with no checks beyond
 * ranges. */
typedef struct g16_load {
  const rp_executor *executor;
  const rp_allocator *allocator;
  uint32_t checks;
  bool mapped; /* of the matrices: the section is mapped while it is read, which the file must allow (range.h) */
} g16_load;

/* Reads and checks everything but the large arrays. `file` must stay open as long as `zkey` is used. Holds no
 * memory. */
rp_status g16_zkey_open(const support_file *file, g16_zkey *zkey, rp_error *err);

const char *g16_points_name(g16_points_id id);
rp_curve g16_points_curve(const g16_zkey *zkey, g16_points_id id);
uint64_t g16_points_count(const g16_zkey *zkey, g16_points_id id);
uint32_t g16_points_bytes(const g16_zkey *zkey, g16_points_id id); /* of one point */

/* Reads points [first, first + n) to `out`, of any alignment. Threads may read disjoint ranges at once. */
rp_status g16_points_read(const g16_zkey *zkey, g16_points_id id, uint64_t first, uint64_t n, uint32_t checks,
                          void *out, rp_error *err);

/* Checks the coordinates of points [first, first + n) where they are, at any address. */
rp_status g16_points_check(const g16_zkey *zkey, g16_points_id id, uint64_t first, uint64_t n, const uint8_t *points,
                           rp_error *err);

/* An array of points without those at infinity: point[i] has index[i] in the section. Indices ascend. */
typedef struct g16_points {
  uint64_t n;
  uint8_t *point;                    /* n points, 64-byte aligned; NULL if n is 0 */
  uint32_t *index;                   /* n */
  uint64_t point_bytes, index_bytes; /* as they were allocated */
} g16_points;

/* Loads a whole array without points at infinity. Reads the section twice: to count, then to copy. Undo with
 * g16_points_free and the same allocator. */
rp_status g16_points_load(const g16_zkey *zkey, g16_points_id id, const g16_load *load, g16_points *points,
                          rp_error *err);
void g16_points_free(g16_points *points, const rp_allocator *allocator);

/* A sparse matrix of `rows` rows over the signals: entries of row i are [row_ptr[i], row_ptr[i+1]). */
typedef struct g16_csr {
  uint64_t rows, nnz;
  uint32_t *row_ptr; /* rows + 1 */
  uint32_t *col;     /* nnz, below n_vars */
  uint8_t *value;    /* nnz times 32 bytes, 64-byte aligned, as stored: times R^2, so that canonical times value is
                        Montgomery */
  uint64_t row_ptr_bytes, col_bytes, value_bytes; /* as they were allocated */
} g16_csr;

/* Loads the matrices A and B of section 4, with domain_size rows each. The entries of a row are sorted by signal, and
 * those of one signal by value, so that the result does not depend on the number of threads. Reads the section twice.
 * Undo with g16_csr_free and the same allocator. */
rp_status g16_csr_load(const g16_zkey *zkey, const g16_load *load, g16_csr *a, g16_csr *b, rp_error *err);
void g16_csr_free(g16_csr *csr, const rp_allocator *allocator);

#endif
