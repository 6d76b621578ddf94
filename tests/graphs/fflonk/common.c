/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "common.h"

const char *const fflonk_fixture[FFLONK_FIXTURES] = {"../fflonk/multiplier", "../fflonk/no_public"};
const char *const fflonk_proofs[2] = {"proof.json", "proof_blinding_2_3_4.json"};

void proved_open(rp_context *context, const char *fixture, const char *proof, proved *p) {
  blob vkey = fixture_read(fixture, "verification_key.json"), text = fixture_read(fixture, proof),
       signals = fixture_read(fixture, "public.json");
  rp_error err = {0};
  *p = (proved){0};
  EXPECT(RP_OK, rp_fflonk_vkey_from_json(context, (char *)vkey.data, vkey.bytes, &p->vkey, &err), &err);
  EXPECT(RP_OK, rp_fflonk_proof_from_json((char *)text.data, text.bytes, &p->proof, &err), &err);
  EXPECT(RP_OK,
         rp_groth16_public_from_json((char *)signals.data, signals.bytes, p->signals, FFLONK_MOST_PUBLIC, &p->n, &err),
         &err);
  assert_int_equal(p->n, rp_fflonk_vkey_n_public(p->vkey));
  blob_free(&vkey);
  blob_free(&text);
  blob_free(&signals);
}

void proved_close(proved *p) { rp_fflonk_vkey_destroy(p->vkey); }

rp_status proved_verify(const proved *p, rp_error *err) {
  return rp_fflonk_verify(p->vkey, &p->proof, p->n ? p->signals : NULL, p->n, err);
}
