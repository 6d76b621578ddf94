/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the Groth16 files of gnark (v0.11 and later) have in common: integers and field elements are big-endian and
 * canonical, points raw or compressed. The highest bits of a point's first byte say which:
 *   BN254      00 raw, infinity all zero   10, 11 compressed, smaller or larger y             01 compressed infinity
 *   BLS12-381  000 raw, 010 raw infinity   100, 101 compressed, smaller or larger y (ZCash)   110 compressed infinity
 * Of an element of the quadratic extension the imaginary part comes first; y is the larger of y and -y by its imaginary
 * part, or by the real part where that is zero. No file names its curve or what it is: g16_gnark_kind_of tells.
 *
 * All points of a file have one form, that of its first. What is handed out is in the memory form of types.h.
 */
#ifndef REPRISE_GROTH16_GNARK_H
#define REPRISE_GROTH16_GNARK_H

#include "formats/family.h"
#include "formats/mapping.h"

typedef enum g16_gnark_form {
  G16_GNARK_RAW,
  G16_GNARK_COMPRESSED,
  G16_GNARK_MEMORY /* of dumps: coordinates as they lie in gnark's memory, which is our memory form */
} g16_gnark_form;

/* What a file is, as far as its structure tells: counts, lengths, the forms of points. */
typedef enum g16_gnark_kind {
  G16_GNARK_NONE,
  G16_GNARK_PKEY, /* proving key, whatever its form */
  G16_GNARK_VKEY,
  G16_GNARK_PROOF,
  G16_GNARK_WITNESS, /* public, or public and secret */
  G16_GNARK_SOLUTION /* the solved vectors, canonical or in Montgomery form */
} g16_gnark_kind;
g16_gnark_kind g16_gnark_kind_of(const g16_file *file);

/* Bytes of one point in a file. */
uint32_t g16_gnark_point_bytes(const g16_family *family, int g2, g16_gnark_form form);
/* The form that a first byte tells; -1 if it is none. */
int g16_gnark_form_of(const g16_family *family, uint8_t first);
/* Decodes a point to memory form, 8-byte aligned. NULL, or the reason why it is none: a coordinate that is not below q,
 * another form, no canonical infinity, no point with that x. Raw points may be off the curve. */
const char *g16_gnark_decode(const g16_family *family, int g2, g16_gnark_form form, const uint8_t *in, void *point);
/* Writes a point that is on its curve. Not G16_GNARK_MEMORY. */
void g16_gnark_encode(const g16_family *family, int g2, g16_gnark_form form, const void *point, uint8_t *out);
/* `bytes` bytes in the other order. */
void g16_gnark_reverse(const uint8_t *in, uint32_t bytes, uint8_t *out);

/* ---- Reading from the front -------------------------------------------------------------------------------------- */

/* The first failure sticks: what is read after it is zero, and nothing else happens. */
typedef struct g16_gnark_reader {
  const g16_file *file;
  const g16_family *family;
  int form;     /* of points; -1: the first one tells */
  int skimming; /* 1: points are passed over after a look at their first byte */
  uint64_t at;
  rp_status status;
  rp_error *err;
} g16_gnark_reader;

enum { G16_GNARK_ONE = -1 }; /* an index: there is but one */

void g16_gnark_refuse(g16_gnark_reader *r, const char *what, int64_t index, uint64_t at, const char *why);
/* RP_ERR_FORMAT, for lengths and counts. */
__attribute__((format(printf, 2, 3))) void g16_gnark_wrong(g16_gnark_reader *r, const char *format, ...);
void g16_gnark_take(g16_gnark_reader *r, const char *what, uint32_t bytes, uint8_t *out);
uint32_t g16_gnark_u32(g16_gnark_reader *r, const char *what);
uint64_t g16_gnark_u64(g16_gnark_reader *r, const char *what); /* big-endian */
/* How many elements of so many bytes follow: those have to be in the file. */
uint64_t g16_gnark_count(g16_gnark_reader *r, const char *what, uint64_t element_bytes);
uint64_t g16_gnark_fits(g16_gnark_reader *r, const char *what, uint64_t n, uint64_t element_bytes);
void g16_gnark_skip(g16_gnark_reader *r, uint64_t bytes); /* that g16_gnark_count has found to be there */
/* An element of Fr, in memory form; RP_ERR_FORMAT if it is not below r. */
void g16_gnark_fr(g16_gnark_reader *r, const char *what, uint64_t value[4]);
void g16_gnark_point(g16_gnark_reader *r, const char *what, int64_t index, int g2, void *point);
/* The same, and the point must be on its curve, in its subgroup, and not infinity. */
void g16_gnark_key_point(g16_gnark_reader *r, const char *what, int g2, void *point);
/* A count and so many points, in memory of malloc (64-byte aligned); *n of them. NULL if there are none, or when
 * skimming. */
uint8_t *g16_gnark_points(g16_gnark_reader *r, const char *what, int g2, uint64_t *n);
void g16_gnark_end(g16_gnark_reader *r); /* nothing may follow */

/* Of a file without a name of its curve: whose structure `walk` finds it to have; where it is neither's, the one whose
 * curve its first point is on, for the reason why not. */
const g16_family *g16_gnark_family(const g16_file *file, void (*walk)(g16_gnark_reader *r), int *fits);

#endif
