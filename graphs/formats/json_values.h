/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the JSON files of proofs and keys are made of: numbers, points, public signals. Reads what snarkjs reads, writes
 * byte for byte what it writes, that is JSON.stringify(value, null, 1) with every field element as a decimal string and
 * no newline at the end.
 *
 * Numbers may be decimal strings, strings of 0x and hexadecimal digits, or plain integers up to 2^53. A member that is
 * read and stands twice, or a number that is not below its modulus, is refused. Points are only as good as their
 * coordinates: whether they lie on the curve and in the subgroup is the verifier's question.
 *
 * Texts come from strangers. Reading one takes time linear in its length, less than 4 KiB of stack, and no memory.
 * `name` is what reasons call the text: a path, or "the proof".
 */
#ifndef REPRISE_FORMATS_JSON_VALUES_H
#define REPRISE_FORMATS_JSON_VALUES_H

#include "family.h"
#include "json_text.h"

/* Sizes that make sense. A point takes about 400 bytes as snarkjs writes it, a public signal 82. */
enum { G16_JSON_LIMIT_BYTES = 64 << 20, G16_JSON_PROOF_BYTES = 64 << 10 };
#define G16_JSON_PUBLIC_BYTES(n_public) (((uint64_t)4 << 10) + (uint64_t)256 * (n_public))

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Where in a text a value stands, for reasons: name: "vk_beta_2"[1][0]. Indices below 0 are not there. */
typedef struct g16_place {
  const char *name, *member;
  long index[2];
} g16_place;

rp_status g16_json_refuse(const g16_place *at, rp_status status, const char *why, rp_error *err);

/* g16_json_open for a text of at most `limit` bytes. */
rp_status g16_json_open_text(const char *name, const char *json, size_t bytes, size_t limit, g16_json *root,
                             rp_error *err);
/* 1 for a string, or a number without fraction and exponent: what may be an integer. */
int g16_json_is_number(g16_json value);
/* A number of any notation that is allowed, below 256^bytes. 1, or 0 if it is none. A plain integer is taken up to
 * 2^53, as far as every reader of JSON takes it exactly. */
int g16_json_integer(g16_json value, uint8_t *le, uint32_t bytes);
/* An affine point of G1 or G2 in memory form: two coordinates, or three of which the last is 1, or 0 at infinity. */
rp_status g16_json_point(g16_place at, g16_json value, const g16_family *family, int g2, void *out, rp_error *err);

/* A member of an object. *n is 1, or 0 if it may be missing and is. */
rp_status g16_json_find(const g16_place *at, g16_json root, int required, g16_json *value, size_t *n, rp_error *err);
rp_status g16_json_member_point(const char *name, g16_json root, const char *member, const g16_family *family, int g2,
                                void *out, rp_error *err);
/* A canonical integer below the field's prime, which has 32 bytes. */
rp_status g16_json_member_scalar(const char *name, g16_json root, const char *member, rp_field field, uint8_t le[32],
                                 rp_error *err);
/* An integer below 2^32 - 1; `what` is the reason where there is none. */
rp_status g16_json_member_count(const char *name, g16_json root, const char *member, const char *what, uint32_t *count,
                                rp_error *err);
/* "protocol" must be `protocol` and "curve" a known one; either may be missing where `required` is 0, and *family is
 * NULL then if it is the curve. */
rp_status g16_json_head(const char *name, g16_json root, const char *protocol, int required, const g16_family **family,
                        rp_error *err);

/* 1 if a text is an object whose "protocol" is this; 0 for any other, whatever is wrong with it. */
int g16_json_is_protocol(const char *json, size_t bytes, const char *protocol);

/* Any number of values of 32 bytes, little-endian, not reduced: RP_ERR_INPUT for one that does not fit. At most
 * `capacity` are written; *n is always how many there are. */
rp_status g16_public_read(const char *name, const char *json, size_t bytes, uint8_t *values, size_t capacity, size_t *n,
                          rp_error *err);

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* A text that grows. Zeroed: empty. Free `data` with free(). */
typedef struct g16_text {
  char *data; /* not NUL-terminated */
  size_t length, capacity;
  int failed; /* out of memory: what follows is dropped */
} g16_text;

void g16_put(g16_text *text, const char *string);
/* Before an item of an array or object that stands `depth` levels deep, and the bracket behind the last. */
void g16_put_item(g16_text *text, int first, int depth);
void g16_put_close(g16_text *text, const char *bracket, int depth);
/* A canonical integer, in quotes. */
void g16_put_number(g16_text *text, const uint8_t *le, uint32_t bytes);
/* An element of Fq (degree 1: a number) or of an extension (an array) in memory form, of any alignment. */
void g16_put_element(g16_text *text, const g16_family *family, const uint8_t *element, uint32_t degree, int depth);
/* An affine point in memory form. Infinity is written as snarkjs does: 0, 1, 0. */
void g16_put_point(g16_text *text, const g16_family *family, uint32_t degree, const void *point, int depth);
/* The name of a member of the outermost object, behind which its value is to be put. */
void g16_put_member(g16_text *text, int first, const char *name);
void g16_put_member_string(g16_text *text, int first, const char *name, const char *value);
void g16_put_member_count(g16_text *text, int first, const char *name, uint32_t count);
/* RP_ERR_MEMORY, and nothing is left of the text, if it could not be written. */
rp_status g16_put_end(g16_text *text, rp_error *err);

rp_status g16_public_write(const uint8_t *values, size_t n, g16_text *text, rp_error *err);
/* Takes a text that was written with `status` over: copies it and a NUL to `to`, and always sets *bytes (may be NULL)
 * to its length. RP_ERR_BUFFER_TOO_SMALL if it does not fit. */
rp_status g16_text_give(rp_status status, g16_text *from, char *to, size_t capacity, size_t *bytes, rp_error *err);

#endif
