/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * verification_key.json and proof.json of PLONK, read and written as json_values.h says. plonk_proof_check and
 * plonk_vkey_check check that points are on the curve and in the subgroup. Reading allocates nothing.
 */
#ifndef REPRISE_PLONK_JSON_H
#define REPRISE_PLONK_JSON_H

#include "formats/json_values.h"
#include "vkey.h"

/* Largest accepted text of a key; snarkjs writes 2 KiB. */
enum { PLONK_JSON_VKEY_BYTES = 64 << 10 };

/* Also refuses a "w" that is not snarkjs's root of unity for the domain; it may be missing. */
rp_status plonk_vkey_read(const char *name, const char *json, size_t bytes, plonk_vkey *vkey, rp_error *err);
rp_status plonk_vkey_write(const plonk_vkey *vkey, support_text *text, rp_error *err);

rp_status plonk_proof_read(const char *name, const char *json, size_t bytes, rp_plonk_proof *proof, rp_error *err);
rp_status plonk_proof_write(const rp_plonk_proof *proof, support_text *text, rp_error *err);

/* ---- Parts of keys and proofs of both PLONK and FFLONK ----------------------------------------------------------- */

/* "protocol", and "curve", which must be "bn128"; both may be missing if not `required`. */
rp_status plonk_json_head(const char *name, support_json root, const char *protocol, bool required, rp_error *err);
/* "nPublic" and "power", which must be the logarithm of a domain that the scalar field has. */
rp_status plonk_json_sizes(const char *name, support_json root, uint32_t *n_public, uint32_t *log_domain,
                           rp_error *err);
/* Reads an element of the scalar field to its memory form. */
rp_status plonk_json_element(const char *name, support_json root, const char *member, plonk_fr *out, rp_error *err);
/* RP_ERR_FORMAT unless the member is snarkjs's root of unity of order 2^log_n; it may be missing if not `required`. */
rp_status plonk_json_root(const char *name, support_json root, const char *member, uint32_t log_n, bool required,
                          rp_error *err);
/* Writes a member of the outermost object, not the first, with an element given in memory form. */
void plonk_put_element(support_text *text, const char *member, const plonk_fr *element);

#endif
