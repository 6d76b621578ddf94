/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A proof of snarkjs with what is needed to verify it, for the tests of PLONK and of FFLONK, whose common.h includes
 * this after the names of the proof system.
 */
#ifndef REPRISE_TESTS_PLONK_PROVED_H
#define REPRISE_TESTS_PLONK_PROVED_H

#include "graphs/groth16/common.h"

typedef struct proved {
  RP(_vkey) * vkey;
  RP(_proof) proof;
  uint8_t signals[32 * CONST(_MOST_PUBLIC)];
  size_t n;
} proved;

/* `proof` names the file of the proof. */
static inline void proved_open(rp_context *context, const char *fixture, const char *proof, proved *p) {
  blob vkey = fixture_read(fixture, "verification_key.json"), text = fixture_read(fixture, proof),
       signals = fixture_read(fixture, "public.json");
  rp_error err = {0};
  *p = (proved){0};
  EXPECT(RP_OK, RP(_vkey_from_json)(context, (char *)vkey.data, vkey.bytes, &p->vkey, &err), &err);
  EXPECT(RP_OK, RP(_proof_from_json)((char *)text.data, text.bytes, &p->proof, &err), &err);
  EXPECT(RP_OK, PUBLIC(_from_json)((char *)signals.data, signals.bytes, p->signals, CONST(_MOST_PUBLIC), &p->n, &err),
         &err);
  assert_int_equal(p->n, RP(_vkey_n_public)(p->vkey));
  blob_free(&vkey);
  blob_free(&text);
  blob_free(&signals);
}

static inline void proved_close(proved *p) { RP(_vkey_destroy)(p->vkey); }

static inline rp_status proved_verify(const proved *p, rp_error *err) {
  return RP(_verify)(p->vkey, &p->proof, p->n ? p->signals : NULL, p->n, err);
}

#endif
