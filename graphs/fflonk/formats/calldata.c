/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "plonk/formats/calldata.h"

#include "formats/fail.h"
#include "vkey.h"

rp_status rp_fflonk_calldata(const rp_fflonk_proof *proof, const uint8_t *public_signals, size_t n_public, char *text,
                             size_t capacity, size_t *bytes, rp_error *err) {
  support_text all = {0};
  if (bytes) *bytes = 0;
  if (!proof || (n_public != 0 && !public_signals))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_calldata: proof or public_signals is NULL.");
  rp_status status = fflonk_proof_check("The proof", proof, err);
  if (status == RP_OK) status = plonk_check_finite(proof, fflonk_proof_point, FFLONK_PROOF_POINTS, err);
  if (status == RP_OK) status = g16_public_check(g16_family_by_g1(proof->g1), public_signals, n_public, err);
  if (status != RP_OK) return status;
  plonk_put_calldata(&all, "", proof, fflonk_proof_point, FFLONK_PROOF_POINTS, fflonk_proof_scalar,
                     FFLONK_PROOF_SCALARS);
  support_put(&all, ",");
  g16_put_words(&all, "", public_signals, n_public);
  return support_text_give(support_put_end(&all, err), &all, text, capacity, bytes, err);
}
