/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * e(W2, X_2) = e(F - E - J + y W2, G_2)   (ePrint 2021/1167, section 7; isValidPairing in fflonk_verify.js)
 */
#include "verify.h"

#include "formats/fail.h"
#include "formats/json_values.h"
#include "msm_host.h"
#include "plonk/verify/verify.h"

#include <stdlib.h>

struct rp_fflonk_vkey {
  fflonk_vkey key;
  plonk_pairings pairings;
};

rp_status fflonk_vkey_new(const char *name, const fflonk_vkey *key, bool checked, rp_fflonk_vkey **out, rp_error *err) {
  *out = NULL;
  rp_status status = checked ? RP_OK : fflonk_vkey_check(name, key, err);
  if (status != RP_OK) return status;
  rp_fflonk_vkey *vkey = calloc(1, sizeof *vkey);
  if (!vkey) return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for a verification key.", name);
  vkey->key = *key;
  status = plonk_pairings_prepare(name, key->family, &key->x_2, &vkey->pairings, err);
  if (status != RP_OK) {
    rp_fflonk_vkey_destroy(vkey);
    return status;
  }
  *out = vkey;
  return RP_OK;
}

const fflonk_vkey *fflonk_vkey_of(const rp_fflonk_vkey *vkey) { return &vkey->key; }

void rp_fflonk_vkey_destroy(rp_fflonk_vkey *vkey) {
  if (!vkey) return;
  plonk_pairings_free(&vkey->pairings);
  free(vkey);
}

uint64_t rp_fflonk_vkey_n_public(const rp_fflonk_vkey *vkey) { return vkey ? vkey->key.n_public : 0; }

static rp_status check(const fflonk_vkey *key, const rp_fflonk_proof *proof, const uint8_t *public_signals,
                       size_t n_public, rp_error *err) {
  if (n_public != key->n_public)
    return support_fail(err, RP_ERR_MISMATCH, "There are %zu public signals; the verification key is for %u.", n_public,
                        (unsigned)key->n_public);
  const rp_status status = g16_public_check(key->family, public_signals, n_public, err);
  return status == RP_OK ? fflonk_proof_check("The proof", proof, err) : status;
}

static rp_status combine(const fflonk_vkey *key, const rp_fflonk_proof *proof, const fflonk_values *values,
                         plonk_g1 *sum) {
  const rp_curve_host *g1 = rp_curve_get(key->family->g1);
  uint8_t scalar[FFLONK_TERMS][32];
  plonk_g1 point[FFLONK_TERMS], zero;
  point[0] = key->c0;
  for (int i = 0; i < FFLONK_PROOF_POINTS; i++)
    memcpy(&point[1 + i], (const uint8_t *)proof + fflonk_proof_point[i].offset, sizeof point[i]);
  g1->generator(&point[FFLONK_TERMS - 1]);
  g1->identity(&zero);
  fflonk_combine(key, values, scalar);
  return g16_msm_host(g1, &zero, scalar[0], (const uint8_t *)point, FFLONK_TERMS, 256, sum);
}

rp_status rp_fflonk_verify(const rp_fflonk_vkey *vkey, const rp_fflonk_proof *proof, const uint8_t *public_signals,
                           size_t n_public, rp_error *err) {
  fflonk_values values;
  plonk_g1 sum, w2;
  if (!vkey || !proof || (n_public != 0 && !public_signals))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_fflonk_verify: a key, a proof and public signals are needed.");
  const rp_status status = check(&vkey->key, proof, public_signals, n_public, err);
  if (status != RP_OK) return status;
  switch (fflonk_values_of(&vkey->key, proof, public_signals, &values)) {
  case FFLONK_GOES_ON: break;
  case FFLONK_DIVIDES_BY_ZERO:
    return support_fail(err, RP_ERR_VERIFY, "The proof does not verify: a verifier would divide by zero.");
  case FFLONK_OTHER_INVERSE:
    return support_fail(err, RP_ERR_VERIFY,
                        "The proof does not verify: inv is not the inverse of what a verifier divides by.");
  }
  if (combine(&vkey->key, proof, &values, &sum) != RP_OK)
    return support_fail(err, RP_ERR_MEMORY, "Out of memory for a sum of 6 points.");
  memcpy(&w2, proof->w2, sizeof w2);
  return plonk_pairings_check(&vkey->pairings, &sum, &w2, err);
}
