/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Checks of a verification key and of a proof, without which the equation proves nothing.
 */
#include "vkey.h"

#include "formats/fail.h"

#define ELEMENT(text, member) \
  { text, offsetof(rp_fflonk_proof, member) }
const plonk_element fflonk_proof_point[FFLONK_PROOF_POINTS] = {ELEMENT("C1", c1), ELEMENT("C2", c2), ELEMENT("W1", w1),
                                                               ELEMENT("W2", w2)};
const plonk_element fflonk_proof_scalar[FFLONK_PROOF_SCALARS] = {
    ELEMENT("ql", ql), ELEMENT("qr", qr),   ELEMENT("qm", qm),   ELEMENT("qo", qo),
    ELEMENT("qc", qc), ELEMENT("s1", s1),   ELEMENT("s2", s2),   ELEMENT("s3", s3),
    ELEMENT("a", a),   ELEMENT("b", b),     ELEMENT("c", c),     ELEMENT("z", z),
    ELEMENT("zw", zw), ELEMENT("t1w", t1w), ELEMENT("t2w", t2w), ELEMENT("inv", inv)};
#undef ELEMENT

static bool is_cube_root(const rp_field_host *fr, const plonk_fr *root, const plonk_fr *of) {
  plonk_fr cube;
  fr->sqr(&cube, root);
  fr->mul(&cube, &cube, root);
  return fr->equal(&cube, of);
}

rp_status fflonk_vkey_check_shape(const char *name, const fflonk_vkey *vkey, rp_error *err) {
  const rp_field_host *fr = rp_field_get(vkey->family->fr);
  plonk_fr one, w;
  rp_status status =
      plonk_check_cosets(name, vkey->family, vkey->n_public, vkey->log_domain, &vkey->k1, &vkey->k2, err);
  if (status != RP_OK) return status;
  fr->one(&one);
  (void)fr->root(&w, RP_ROOT_SNARKJS, vkey->log_domain); /* the domain has been checked */
  if (fr->equal(&vkey->w3, &one) || !is_cube_root(fr, &vkey->w3, &one))
    return support_fail(err, RP_ERR_INPUT, "%s: w3 is not a root of unity of order 3.", name);
  if (!is_cube_root(fr, &vkey->wr, &w))
    return support_fail(err, RP_ERR_INPUT, "%s: wr is not a cube root of the domain's root of unity.", name);
  return RP_OK;
}

rp_status fflonk_vkey_check(const char *name, const fflonk_vkey *vkey, rp_error *err) {
  rp_status status = fflonk_vkey_check_shape(name, vkey, err);
  if (status == RP_OK) status = plonk_check_point(name, "X_2", vkey->family->g2, &vkey->x_2, 0, err);
  return status == RP_OK ? plonk_check_point(name, "C0", vkey->family->g1, &vkey->c0, 0, err) : status;
}

rp_status fflonk_proof_check(const char *name, const rp_fflonk_proof *proof, rp_error *err) {
  if (proof->g1 != RP_CURVE_BN254_G1)
    return support_fail(err, RP_ERR_MISMATCH, "%s: is not over bn128, the only curve of FFLONK in snarkjs.", name);
  return plonk_check_elements(name, proof, fflonk_proof_point, FFLONK_PROOF_POINTS, fflonk_proof_scalar,
                              FFLONK_PROOF_SCALARS, err);
}
