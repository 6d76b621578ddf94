/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "json.h"

#include "formats/fail.h"

static const g16_family *bn254(void) { return g16_family_by_g1(RP_CURVE_BN254_G1); }

/* A root of unity of the domain, or of the largest domain if there is no such domain. */
static void root_of(const rp_field_host *fr, uint32_t log_n, plonk_fr *root) {
  (void)fr->root(root, RP_ROOT_SNARKJS, log_n <= fr->two_adicity ? log_n : fr->two_adicity);
}

rp_status plonk_json_head(const char *name, support_json root, const char *protocol, bool required, rp_error *err) {
  const g16_place at = {name, "curve", {-1, -1}};
  const g16_family *family;
  rp_status status = g16_json_head(name, root, protocol, required, &family, err);
  if (status == RP_OK && family && family != bn254())
    return g16_json_refuse(&at, RP_ERR_FORMAT, "this must be \"bn128\", the only curve of this protocol in snarkjs",
                           err);
  return status;
}

rp_status plonk_json_element(const char *name, support_json root, const char *member, plonk_fr *out, rp_error *err) {
  const rp_field_host *fr = rp_field_get(bn254()->fr);
  plonk_fr canonical;
  rp_status status = g16_json_member_scalar(name, root, member, fr->id, (uint8_t *)&canonical, err);
  if (status == RP_OK) (void)fr->from_canonical(out, &canonical); /* it is below r */
  return status;
}

rp_status plonk_json_root(const char *name, support_json root, const char *member, uint32_t log_n, bool required,
                          rp_error *err) {
  const g16_place at = {name, member, {-1, -1}};
  const rp_field_host *fr = rp_field_get(bn254()->fr);
  plonk_fr expected, w;
  support_json value;
  size_t n;
  rp_status status = g16_json_find(&at, root, required, &value, &n, err);
  if (status != RP_OK || n == 0) return status;
  status = plonk_json_element(name, root, member, &w, err);
  if (status != RP_OK) return status;
  root_of(fr, log_n, &expected);
  if (fr->equal(&w, &expected)) return RP_OK;
  return g16_json_refuse(&at, RP_ERR_FORMAT, "this is not the root of unity that snarkjs takes for the domain", err);
}

rp_status plonk_json_sizes(const char *name, support_json root, uint32_t *n_public, uint32_t *log_domain,
                           rp_error *err) {
  const g16_place power = {name, "power", {-1, -1}};
  rp_status status =
      g16_json_member_count(name, root, "nPublic", "the number of public signals is expected", n_public, err);
  if (status == RP_OK)
    status =
        g16_json_member_count(name, root, "power", "the logarithm of the domain size is expected", log_domain, err);
  if (status == RP_OK && *log_domain > rp_field_get(bn254()->fr)->two_adicity)
    status = g16_json_refuse(&power, RP_ERR_FORMAT, "the scalar field has no domain of this size", err);
  return status;
}

static rp_status read_vkey(const char *name, support_json root, plonk_vkey *vkey, rp_error *err) {
  const g16_family *family = vkey->family;
  rp_status status = plonk_json_head(name, root, "plonk", 1, err);
  if (status == RP_OK) status = plonk_json_sizes(name, root, &vkey->n_public, &vkey->log_domain, err);
  if (status == RP_OK) status = plonk_json_element(name, root, "k1", &vkey->k1, err);
  if (status == RP_OK) status = plonk_json_element(name, root, "k2", &vkey->k2, err);
  for (int i = 0; i < PLONK_KEY_POINTS && status == RP_OK; i++)
    status = g16_json_member_point(name, root, plonk_key_point_name[i], family, 0, &vkey->point[i], err);
  if (status == RP_OK) status = g16_json_member_point(name, root, "X_2", family, 1, &vkey->x_2, err);
  return status == RP_OK ? plonk_json_root(name, root, "w", vkey->log_domain, 0, err) : status;
}

rp_status plonk_vkey_read(const char *name, const char *json, size_t bytes, plonk_vkey *vkey, rp_error *err) {
  support_json root;
  *vkey = (plonk_vkey){.family = bn254()};
  rp_status status = support_json_open_text(name, json, bytes, PLONK_JSON_VKEY_BYTES, &root, err);
  return status == RP_OK ? read_vkey(name, root, vkey, err) : status;
}

rp_status plonk_proof_read(const char *name, const char *json, size_t bytes, rp_plonk_proof *proof, rp_error *err) {
  support_json root;
  *proof = (rp_plonk_proof){.g1 = RP_CURVE_BN254_G1};
  uint8_t *to = (uint8_t *)proof;
  rp_status status = support_json_open_text(name, json, bytes, G16_JSON_PROOF_BYTES, &root, err);
  if (status == RP_OK) status = plonk_json_head(name, root, "plonk", 0, err);
  for (int i = 0; i < PLONK_PROOF_POINTS && status == RP_OK; i++)
    status =
        g16_json_member_point(name, root, plonk_proof_point[i].name, bn254(), 0, to + plonk_proof_point[i].offset, err);
  for (int i = 0; i < PLONK_PROOF_SCALARS && status == RP_OK; i++)
    status = g16_json_member_scalar(name, root, plonk_proof_scalar[i].name, bn254()->fr,
                                    to + plonk_proof_scalar[i].offset, err);
  return status;
}

void plonk_put_element(support_text *text, const char *member, const plonk_fr *element) {
  plonk_fr canonical;
  rp_field_get(bn254()->fr)->to_canonical(&canonical, element);
  support_put_member(text, 0, member);
  g16_put_number(text, (const uint8_t *)&canonical, sizeof canonical);
}

rp_status plonk_vkey_write(const plonk_vkey *vkey, support_text *text, rp_error *err) {
  plonk_fr w;
  root_of(rp_field_get(vkey->family->fr), vkey->log_domain, &w);
  support_put(text, "{");
  support_put_member_string(text, 1, "protocol", "plonk");
  support_put_member_string(text, 0, "curve", vkey->family->name);
  support_put_member_count(text, 0, "nPublic", vkey->n_public);
  support_put_member_count(text, 0, "power", vkey->log_domain);
  plonk_put_element(text, "k1", &vkey->k1);
  plonk_put_element(text, "k2", &vkey->k2);
  for (int i = 0; i < PLONK_KEY_POINTS; i++) {
    support_put_member(text, 0, plonk_key_point_name[i]);
    g16_put_point(text, vkey->family, 1, &vkey->point[i], 1);
  }
  support_put_member(text, 0, "X_2");
  g16_put_point(text, vkey->family, 2, &vkey->x_2, 1);
  plonk_put_element(text, "w", &w);
  support_put_close(text, "}", 0);
  return support_put_end(text, err);
}

rp_status plonk_proof_write(const rp_plonk_proof *proof, support_text *text, rp_error *err) {
  const uint8_t *from = (const uint8_t *)proof;
  if (proof->g1 != RP_CURVE_BN254_G1)
    return support_fail(err, RP_ERR_ARGUMENT, "The proof is not over bn128, the only curve of PLONK in snarkjs.");
  support_put(text, "{");
  for (int i = 0; i < PLONK_PROOF_POINTS; i++) {
    support_put_member(text, i == 0, plonk_proof_point[i].name);
    g16_put_point(text, bn254(), 1, from + plonk_proof_point[i].offset, 1);
  }
  for (int i = 0; i < PLONK_PROOF_SCALARS; i++) {
    support_put_member(text, 0, plonk_proof_scalar[i].name);
    g16_put_number(text, from + plonk_proof_scalar[i].offset, 32);
  }
  support_put_member_string(text, 0, "protocol", "plonk");
  support_put_member_string(text, 0, "curve", bn254()->name);
  support_put_close(text, "}", 0);
  return support_put_end(text, err);
}
