/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the Groth16 files of gnark (v0.11 and later) have in common: integers and field elements are big-endian and
 * canonical, points are raw or compressed. The highest bits of a point's first byte tell which:
 *   BN254      00 raw, infinity all zero   10, 11 compressed, smaller or larger y             01 compressed infinity
 *   BLS12-381  000 raw, 010 raw infinity   100, 101 compressed, smaller or larger y (ZCash)   110 compressed infinity
 * An element of the quadratic extension has its imaginary part first; elements are compared by the imaginary part, or
 * by the real part if that is zero. No file names its curve or its kind: g16_gnark_kind_of finds the kind.
 *
 * All points of a file have one form, that of its first point. Results are in the memory form of types.h.
 */
#ifndef REPRISE_GROTH16_GNARK_H
#define REPRISE_GROTH16_GNARK_H

#include "formats/family.h"
#include "files/mapping.h"

typedef enum g16_gnark_form {
  G16_GNARK_RAW,
  G16_GNARK_COMPRESSED,
  G16_GNARK_MEMORY /* of dumps: coordinates as in gnark's memory, which is also the memory form of types.h */
} g16_gnark_form;

/* The kind of a file, as far as its structure tells: counts, lengths, the forms of points. */
typedef enum g16_gnark_kind {
  G16_GNARK_NONE,
  G16_GNARK_PKEY, /* proving key, in any form */
  G16_GNARK_VKEY,
  G16_GNARK_PROOF,
  G16_GNARK_WITNESS, /* public, or public and secret */
  G16_GNARK_SOLUTION /* the solved vectors, canonical or in Montgomery form */
} g16_gnark_kind;
g16_gnark_kind g16_gnark_kind_of(const support_file *file);

/* Bytes of one point in a file. */
uint32_t g16_gnark_point_bytes(const g16_family *family, bool g2, g16_gnark_form form);
/* The form that a first byte indicates; -1 if none. */
int g16_gnark_form_of(const g16_family *family, uint8_t first);
/* Decodes a point to its memory form, aligned to 8 bytes. Returns NULL, or the reason why it is not valid: a coordinate
 * that is not below q, another form, an infinity that is not canonical, no point with that x. Raw points may be off the
 * curve. */
const char *g16_gnark_decode(const g16_family *family, bool g2, g16_gnark_form form, const uint8_t *in, void *point);
/* As g16_gnark_decode, for n points one after another, whose square roots are taken together. Returns the number of
 * points that are valid before the first one that is not, and the reason in *why, which is NULL if that is n. */
uint64_t g16_gnark_decode_many(const g16_family *family, bool g2, g16_gnark_form form, const uint8_t *in, uint64_t n,
                               void *points, const char **why);
/* Encodes a point that is on its curve. `form` must not be G16_GNARK_MEMORY. */
void g16_gnark_encode(const g16_family *family, bool g2, g16_gnark_form form, const void *point, uint8_t *out);
/* Reverses the order of the bytes. */
void g16_gnark_reverse(const uint8_t *in, uint32_t bytes, uint8_t *out);

/* ---- Reading from the front -------------------------------------------------------------------------------------- */

/* The first failure sticks: later reads give zero and have no other effect. */
typedef struct g16_gnark_reader {
  const support_file *file;
  const g16_family *family;
  int form;      /* of points; -1: the first point determines it */
  bool skimming; /* 1: of points only the first byte is checked */
  uint64_t at;
  rp_status status;
  rp_error *err;
} g16_gnark_reader;

enum { G16_GNARK_ONE = -1 }; /* as an index: there is only one */

/* Fails with RP_ERR_FORMAT, for wrong lengths and counts. */
__attribute__((format(printf, 2, 3))) void g16_gnark_wrong(g16_gnark_reader *r, const char *format, ...);
void g16_gnark_take(g16_gnark_reader *r, const char *what, uint32_t bytes, uint8_t *out);
uint32_t g16_gnark_u32(g16_gnark_reader *r, const char *what);
uint64_t g16_gnark_u64(g16_gnark_reader *r, const char *what); /* big-endian */
/* Reads the number of the following elements of `element_bytes` bytes, and checks that the file has so many. */
uint64_t g16_gnark_count(g16_gnark_reader *r, const char *what, uint64_t element_bytes);
uint64_t g16_gnark_fits(g16_gnark_reader *r, const char *what, uint64_t n, uint64_t element_bytes);
void g16_gnark_skip(g16_gnark_reader *r, uint64_t bytes); /* g16_gnark_count has checked that they are there */
/* Reads an element of Fr to its memory form; RP_ERR_FORMAT if it is not below r. */
void g16_gnark_fr(g16_gnark_reader *r, const char *what, uint64_t value[4]);
void g16_gnark_point(g16_gnark_reader *r, const char *what, int64_t index, bool g2, void *point);
/* As g16_gnark_point, but the point must be on its curve, in its subgroup, and not infinity. */
void g16_gnark_key_point(g16_gnark_reader *r, const char *what, bool g2, void *point);
/* Reads a count and that many points, to memory of malloc aligned to 64 bytes; sets *n. NULL if there are none, or if
 * `skimming`. */
uint8_t *g16_gnark_points(g16_gnark_reader *r, const char *what, bool g2, uint64_t *n);
void g16_gnark_end(g16_gnark_reader *r); /* checks that nothing follows */

/* The family of a file that does not name it: the one with which `walk` succeeds. If it fails with both, the one whose
 * curve has the file's first point, so that the reason for the failure is meaningful. */
const g16_family *g16_gnark_family(const support_file *file, void (*walk)(g16_gnark_reader *r), bool *fits);

#endif
