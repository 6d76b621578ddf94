/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * e(Wxi + u Wxiw, X_2) = e(xi Wxi + u xi omega Wxiw + F - E, G_2)   (ePrint 2019/953, section 8.4, step 12)
 */
#include "verify.h"

#include "formats/fail.h"
#include "formats/json_values.h"
#include "msm_host.h"

#include <stdlib.h>

struct rp_plonk_vkey {
  plonk_vkey key;
  plonk_pairings pairings;
};

static rp_status prepare(rp_curve g1, const void *g2_affine, rp_pairing_prepared **prepared) {
  *prepared = malloc(rp_pairing_prepared_bytes(g1));
  return *prepared ? rp_pairing_prepare(g1, g2_affine, *prepared) : RP_ERR_MEMORY;
}

rp_status plonk_pairings_prepare(const char *name, const g16_family *family, const g16_g2 *x_2, plonk_pairings *p,
                                 rp_error *err) {
  g16_g2 generator;
  *p = (plonk_pairings){.g1 = family->g1};
  rp_curve_get(family->g2)->generator(&generator);
  rp_status status = prepare(family->g1, x_2, &p->x_2);
  if (status == RP_OK) status = prepare(family->g1, &generator, &p->g_2);
  if (status == RP_ERR_MEMORY) return support_fail(err, status, "%s: out of memory for a verification key.", name);
  if (status != RP_OK)
    return support_fail(err, RP_ERR_INTERNAL, "%s: two tests of the subgroup of its points disagree.", name);
  return RP_OK;
}

void plonk_pairings_free(plonk_pairings *p) {
  free(p->x_2);
  free(p->g_2);
}

rp_status plonk_pairings_check(const plonk_pairings *pairings, const plonk_g1 *at_g2, plonk_g1 *at_x2, rp_error *err) {
  const rp_curve g1 = pairings->g1;
  rp_pairing_value *value = malloc(rp_pairing_value_bytes(g1));
  const void *p[2] = {at_x2, at_g2};
  const rp_pairing_prepared *q[2] = {pairings->x_2, pairings->g_2};
  rp_curve_get(g1)->neg(at_x2, at_x2);
  rp_status status = value ? rp_pairing_product(g1, 2, p, q, value) : RP_ERR_MEMORY;
  if (status != RP_OK)
    (void)support_fail(err, status, "The pairings could not be computed: %s.", rp_status_text(status));
  else if (!rp_pairing_value_is_one(g1, value))
    status = support_fail(err, RP_ERR_VERIFY, "The proof does not verify: the pairing equation does not hold.");
  free(value);
  return status;
}

rp_status plonk_vkey_new(const char *name, const plonk_vkey *key, bool checked, rp_plonk_vkey **out, rp_error *err) {
  *out = NULL;
  rp_status status = checked ? RP_OK : plonk_vkey_check(name, key, err);
  if (status != RP_OK) return status;
  rp_plonk_vkey *vkey = calloc(1, sizeof *vkey);
  if (!vkey) return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for a verification key.", name);
  vkey->key = *key;
  status = plonk_pairings_prepare(name, key->family, &key->x_2, &vkey->pairings, err);
  if (status != RP_OK) {
    rp_plonk_vkey_destroy(vkey);
    return status;
  }
  *out = vkey;
  return RP_OK;
}

const plonk_vkey *plonk_vkey_of(const rp_plonk_vkey *vkey) { return &vkey->key; }

void rp_plonk_vkey_destroy(rp_plonk_vkey *vkey) {
  if (!vkey) return;
  plonk_pairings_free(&vkey->pairings);
  free(vkey);
}

uint64_t rp_plonk_vkey_n_public(const rp_plonk_vkey *vkey) { return vkey ? vkey->key.n_public : 0; }

static rp_status check(const rp_plonk_vkey *vkey, const rp_plonk_proof *proof, const uint8_t *public_signals,
                       size_t n_public, rp_error *err) {
  const plonk_vkey *key = &vkey->key;
  if (n_public != key->n_public)
    return support_fail(err, RP_ERR_MISMATCH, "There are %zu public signals; the verification key is for %u.", n_public,
                        (unsigned)key->n_public);
  const rp_status status = g16_public_check(key->family, public_signals, n_public, err);
  return status == RP_OK ? plonk_proof_check("The proof", proof, err) : status;
}

/* Computes the linearised commitment, with the openings, and Wxi + u Wxiw. */
static rp_status sums(const plonk_vkey *key, const rp_plonk_proof *proof, const plonk_values *values, plonk_g1 *at_g2,
                      plonk_g1 *at_x2) {
  const rp_curve_host *g1 = rp_curve_get(key->family->g1);
  uint8_t scalar[PLONK_TERMS][32];
  plonk_g1 point[PLONK_TERMS], wxi, wxiw, zero;
  plonk_fr u;
  memcpy(point, key->point, sizeof key->point);
  for (int i = 0; i < PLONK_PROOF_POINTS; i++)
    memcpy(&point[PLONK_KEY_POINTS + i], (const uint8_t *)proof + plonk_proof_point[i].offset, sizeof point[i]);
  g1->generator(&point[PLONK_TERMS - 1]);
  g1->identity(&zero);
  plonk_linearise(key, values, scalar);
  memcpy(&wxi, proof->wxi, sizeof wxi);
  memcpy(&wxiw, proof->wxiw, sizeof wxiw);
  rp_field_get(key->family->fr)->to_canonical(&u, &values->c.u);
  g1->mul(at_x2, &wxiw, (const uint8_t *)&u);
  g1->add(at_x2, at_x2, &wxi);
  return g16_msm_host(g1, &zero, scalar[0], (const uint8_t *)point, PLONK_TERMS, 256, at_g2);
}

rp_status rp_plonk_verify(const rp_plonk_vkey *vkey, const rp_plonk_proof *proof, const uint8_t *public_signals,
                          size_t n_public, rp_error *err) {
  plonk_values values;
  plonk_g1 at_g2, at_x2;
  if (!vkey || !proof || (n_public != 0 && !public_signals))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_plonk_verify: a key, a proof and public signals are needed.");
  const rp_status status = check(vkey, proof, public_signals, n_public, err);
  if (status != RP_OK) return status;
  if (!plonk_values_of(&vkey->key, proof, public_signals, &values))
    return support_fail(err, RP_ERR_VERIFY, "The proof does not verify: its evaluation point xi lies in the domain.");
  if (sums(&vkey->key, proof, &values, &at_g2, &at_x2) != RP_OK)
    return support_fail(err, RP_ERR_MEMORY, "Out of memory for a sum of 18 points.");
  return plonk_pairings_check(&vkey->pairings, &at_g2, &at_x2, err);
}
