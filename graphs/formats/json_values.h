/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The parts of JSON files of proofs and keys: numbers, points, public signals. Reads what snarkjs reads, and writes the
 * same bytes as snarkjs: JSON.stringify(value, null, 1), with every field element as a decimal string and no newline at
 * the end.
 *
 * Numbers may be decimal strings, strings of 0x and hexadecimal digits, or plain integers up to 2^53. A member that is
 * read and occurs twice, or a number that is not below its modulus, is refused. Only the coordinates of points are
 * checked; the verifier checks that they are on the curve and in the subgroup.
 *
 * Texts may come from untrusted sources. Reading one takes time linear in its length, less than 4 KiB of stack, and no
 * memory. `name` names the text in reasons: a path, or "the proof".
 */
#ifndef REPRISE_FORMATS_JSON_VALUES_H
#define REPRISE_FORMATS_JSON_VALUES_H

#include "family.h"
#include "text/builder.h"
#include "text/json_text.h"

/* Largest accepted texts. A point takes about 400 bytes as snarkjs writes it. */
enum { G16_JSON_LIMIT_BYTES = 64 << 20, G16_JSON_PROOF_BYTES = 64 << 10 };

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

/* Where in a text a value is, for reasons such as: name: "vk_beta_2"[1][0]. Negative indices are left out. */
typedef struct g16_place {
  const char *name, *member;
  long index[2];
} g16_place;

rp_status g16_json_refuse(const g16_place *at, rp_status status, const char *why, rp_error *err);

/* Reads an affine point of G1 or G2 to its memory form: two coordinates, or three, of which the last is 1, or 0 for
 * infinity, whatever the other two are, as for snarkjs. */
rp_status g16_json_point(g16_place at, support_json value, const g16_family *family, bool g2, void *out, rp_error *err);

/* Finds a member of an object. *n becomes 1, or 0 if the member is missing and not required. */
rp_status g16_json_find(const g16_place *at, support_json root, bool required, support_json *value, size_t *n,
                        rp_error *err);
rp_status g16_json_member_point(const char *name, support_json root, const char *member, const g16_family *family,
                                bool g2, void *out, rp_error *err);
/* Reads a canonical integer below the field's prime, which has 32 bytes. */
rp_status g16_json_member_scalar(const char *name, support_json root, const char *member, rp_field field,
                                 uint8_t le[32], rp_error *err);
/* Reads an integer below 2^32 - 1; `what` is the reason if it is not one. */
rp_status g16_json_member_count(const char *name, support_json root, const char *member, const char *what,
                                uint32_t *count, rp_error *err);
/* "protocol" must be `protocol`, and "curve" a known one. If `required` is 0, either may be missing; if "curve" is
 * missing, *family becomes NULL. */
rp_status g16_json_head(const char *name, support_json root, const char *protocol, bool required,
                        const g16_family **family, rp_error *err);

/* True if the text is an object with this "protocol"; false for any other text, also for damaged ones. */
bool g16_json_is_protocol(const char *json, size_t bytes, const char *protocol);

/* Reads any number of values to 32 bytes each, little-endian, not reduced; RP_ERR_INPUT for one that does not fit.
 * Writes at most `capacity` values, and always sets *n to their number. */
rp_status g16_public_read(const char *name, const char *json, size_t bytes, uint8_t *values, size_t capacity, size_t *n,
                          rp_error *err);
/* RP_ERR_INPUT unless each of the n values is below the group order r. */
rp_status g16_public_check(const g16_family *family, const uint8_t *values, size_t n, rp_error *err);

/* ---- Writing ----------------------------------------------------------------------------------------------------- */

/* Writes a canonical integer in quotes. */
void g16_put_number(support_text *text, const uint8_t *le, uint32_t bytes);
/* Writes an element of Fq (degree 1: a number) or of an extension (an array), given in memory form with any
 * alignment. */
void g16_put_element(support_text *text, const g16_family *family, const uint8_t *element, uint32_t degree, int depth);
/* Writes an affine point, given in memory form. Infinity is written as by snarkjs: 0, 1, 0. */
void g16_put_point(support_text *text, const g16_family *family, uint32_t degree, const void *point, int depth);
rp_status g16_public_write(const uint8_t *values, size_t n, support_text *text, rp_error *err);

#endif
