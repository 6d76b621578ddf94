/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * verification_key.json and proof.json of FFLONK, read and written as json_values.h says. fflonk_proof_check and
 * fflonk_vkey_check check the rest. Reading allocates nothing. Keys have at most PLONK_JSON_VKEY_BYTES.
 */
#ifndef REPRISE_FFLONK_JSON_H
#define REPRISE_FFLONK_JSON_H

#include "plonk/formats/json.h"
#include "vkey.h"

/* Also refuses w, w4 and w8 that are not the roots of unity that snarkjs takes. */
rp_status fflonk_vkey_read(const char *name, const char *json, size_t bytes, fflonk_vkey *vkey, rp_error *err);
rp_status fflonk_vkey_write(const fflonk_vkey *vkey, support_text *text, rp_error *err);

rp_status fflonk_proof_read(const char *name, const char *json, size_t bytes, rp_fflonk_proof *proof, rp_error *err);
rp_status fflonk_proof_write(const rp_fflonk_proof *proof, support_text *text, rp_error *err);

#endif
