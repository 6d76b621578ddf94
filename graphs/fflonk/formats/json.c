/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "json.h"

#include "formats/fail.h"

static const g16_family *bn254(void) { return g16_family_by_g1(RP_CURVE_BN254_G1); }

static rp_status read_vkey(const char *name, support_json root, fflonk_vkey *vkey, rp_error *err) {
  const g16_family *family = vkey->family;
  rp_status status = plonk_json_head(name, root, "fflonk", 1, err);
  if (status == RP_OK) status = plonk_json_sizes(name, root, &vkey->n_public, &vkey->log_domain, err);
  if (status == RP_OK) status = plonk_json_element(name, root, "k1", &vkey->k1, err);
  if (status == RP_OK) status = plonk_json_element(name, root, "k2", &vkey->k2, err);
  if (status == RP_OK) status = plonk_json_root(name, root, "w", vkey->log_domain, 1, err);
  if (status == RP_OK) status = plonk_json_element(name, root, "w3", &vkey->w3, err);
  if (status == RP_OK) status = plonk_json_root(name, root, "w4", FFLONK_LOG_W4, 1, err);
  if (status == RP_OK) status = plonk_json_root(name, root, "w8", FFLONK_LOG_W8, 1, err);
  if (status == RP_OK) status = plonk_json_element(name, root, "wr", &vkey->wr, err);
  if (status == RP_OK) status = g16_json_member_point(name, root, "X_2", family, 1, &vkey->x_2, err);
  return status == RP_OK ? g16_json_member_point(name, root, "C0", family, 0, &vkey->c0, err) : status;
}

rp_status fflonk_vkey_read(const char *name, const char *json, size_t bytes, fflonk_vkey *vkey, rp_error *err) {
  support_json root;
  *vkey = (fflonk_vkey){.family = bn254()};
  rp_status status = support_json_open_text(name, json, bytes, PLONK_JSON_VKEY_BYTES, &root, err);
  return status == RP_OK ? read_vkey(name, root, vkey, err) : status;
}

/* Finds one of the two objects that a proof consists of. */
static rp_status find_object(const char *name, support_json root, const char *member, support_json *value,
                             rp_error *err) {
  const g16_place at = {name, member, {-1, -1}};
  size_t n;
  rp_status status = g16_json_find(&at, root, 1, value, &n, err);
  if (status == RP_OK && support_json_kind(*value) != '{')
    status = g16_json_refuse(&at, RP_ERR_FORMAT, "an object is expected", err);
  return status;
}

rp_status fflonk_proof_read(const char *name, const char *json, size_t bytes, rp_fflonk_proof *proof, rp_error *err) {
  support_json root, points, scalars;
  *proof = (rp_fflonk_proof){.g1 = RP_CURVE_BN254_G1};
  uint8_t *to = (uint8_t *)proof;
  rp_status status = support_json_open_text(name, json, bytes, G16_JSON_PROOF_BYTES, &root, err);
  if (status == RP_OK) status = plonk_json_head(name, root, "fflonk", 0, err);
  if (status == RP_OK) status = find_object(name, root, "polynomials", &points, err);
  if (status == RP_OK) status = find_object(name, root, "evaluations", &scalars, err);
  for (int i = 0; i < FFLONK_PROOF_POINTS && status == RP_OK; i++)
    status = g16_json_member_point(name, points, fflonk_proof_point[i].name, bn254(), 0,
                                   to + fflonk_proof_point[i].offset, err);
  for (int i = 0; i < FFLONK_PROOF_SCALARS && status == RP_OK; i++)
    status = g16_json_member_scalar(name, scalars, fflonk_proof_scalar[i].name, bn254()->fr,
                                    to + fflonk_proof_scalar[i].offset, err);
  return status;
}

static void put_root(support_text *text, const char *member, uint32_t log_n) {
  plonk_fr root;
  (void)rp_field_get(bn254()->fr)->root(&root, RP_ROOT_SNARKJS, log_n);
  plonk_put_element(text, member, &root);
}

rp_status fflonk_vkey_write(const fflonk_vkey *vkey, support_text *text, rp_error *err) {
  support_put(text, "{");
  support_put_member_string(text, 1, "protocol", "fflonk");
  support_put_member_string(text, 0, "curve", vkey->family->name);
  support_put_member_count(text, 0, "nPublic", vkey->n_public);
  support_put_member_count(text, 0, "power", vkey->log_domain);
  plonk_put_element(text, "k1", &vkey->k1);
  plonk_put_element(text, "k2", &vkey->k2);
  put_root(text, "w", vkey->log_domain);
  plonk_put_element(text, "w3", &vkey->w3);
  put_root(text, "w4", FFLONK_LOG_W4);
  put_root(text, "w8", FFLONK_LOG_W8);
  plonk_put_element(text, "wr", &vkey->wr);
  support_put_member(text, 0, "X_2");
  g16_put_point(text, vkey->family, 2, &vkey->x_2, 1);
  support_put_member(text, 0, "C0");
  g16_put_point(text, vkey->family, 1, &vkey->c0, 1);
  support_put_close(text, "}", 0);
  return support_put_end(text, err);
}

/* The name of a member of an inner object; its value is to be put next. */
static void put_inner(support_text *text, bool first, const char *name) {
  support_put_item(text, first, 2);
  support_put(text, "\"");
  support_put(text, name);
  support_put(text, "\": ");
}

rp_status fflonk_proof_write(const rp_fflonk_proof *proof, support_text *text, rp_error *err) {
  const uint8_t *from = (const uint8_t *)proof;
  if (proof->g1 != RP_CURVE_BN254_G1)
    return support_fail(err, RP_ERR_ARGUMENT, "The proof is not over bn128, the only curve of FFLONK in snarkjs.");
  support_put(text, "{");
  support_put_member(text, 1, "polynomials");
  support_put(text, "{");
  for (int i = 0; i < FFLONK_PROOF_POINTS; i++) {
    put_inner(text, i == 0, fflonk_proof_point[i].name);
    g16_put_point(text, bn254(), 1, from + fflonk_proof_point[i].offset, 2);
  }
  support_put_close(text, "}", 1);
  support_put_member(text, 0, "evaluations");
  support_put(text, "{");
  for (int i = 0; i < FFLONK_PROOF_SCALARS; i++) {
    put_inner(text, i == 0, fflonk_proof_scalar[i].name);
    g16_put_number(text, from + fflonk_proof_scalar[i].offset, 32);
  }
  support_put_close(text, "}", 1);
  support_put_member_string(text, 0, "protocol", "fflonk");
  support_put_member_string(text, 0, "curve", bn254()->name);
  support_put_close(text, "}", 0);
  return support_put_end(text, err);
}
