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
rp_status plonk_vkey_write(const plonk_vkey *vkey, g16_text *text, rp_error *err);

rp_status plonk_proof_read(const char *name, const char *json, size_t bytes, rp_plonk_proof *proof, rp_error *err);
rp_status plonk_proof_write(const rp_plonk_proof *proof, g16_text *text, rp_error *err);

#endif
