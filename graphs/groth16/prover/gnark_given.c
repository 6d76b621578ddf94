/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Commitments and a proof of knowledge that come with a solution. The solver has made the challenges of W from them, so
 * that they are compared with these before the device starts, and a run leaves out the products that they replace.
 */
#include "prove.h"

#include "formats/fail.h"
#include "groth16/formats/gnark.h"
#include "groth16/verify/gnark.h"

#include <inttypes.h>
#include <stdio.h>

enum { VALUE_BYTES = G16_VALUE_BYTES };

/* Reads n points of G1 as gnark encodes them, all raw or all compressed. `what` begins a sentence: "Commitment" when
 * `numbered`. */
static rp_status take_points(const g16_family *family, const char *what, bool numbered, const void *data, size_t bytes,
                             uint32_t n, uint8_t to[][96], rp_error *err) {
  const rp_curve_host *g1 = rp_curve_get(family->g1);
  const uint8_t *in = data;
  const int form = bytes ? g16_gnark_form_of(family, in[0]) : G16_GNARK_RAW;
  const uint32_t raw = g16_gnark_point_bytes(family, 0, G16_GNARK_RAW),
                 compressed = g16_gnark_point_bytes(family, 0, G16_GNARK_COMPRESSED),
                 each = form == G16_GNARK_COMPRESSED ? compressed : raw;
  if (form >= 0 && bytes != (size_t)n * each)
    return support_fail(err, RP_ERR_INPUT,
                        "%s%s of the solution: %zu bytes were given, and %" PRIu32 " points of gnark take %" PRIu32
                        " bytes raw or %" PRIu32 " compressed.",
                        what, numbered ? "s" : "", bytes, n, n * raw, n * compressed);
  for (uint32_t i = 0; i < n; i++) {
    char index[16] = "";
    g16_g1 point;
    const char *why = "its first byte marks no form of a point";
    if (form >= 0) why = g16_gnark_decode(family, 0, (g16_gnark_form)form, in + (size_t)i * each, &point);
    if (!why && !g1->on_curve(&point)) why = "it is not on the curve";
    if (!why && !g1->in_subgroup(&point)) why = "it is not in the subgroup";
    if (numbered) snprintf(index, sizeof index, " %" PRIu32, i);
    if (why) return support_fail(err, RP_ERR_INPUT, "%s%s of the solution: %s.", what, index, why);
    memcpy(to[i], &point, g1->affine_bytes);
  }
  return RP_OK;
}

/* Whether points may be given at all. */
static rp_status check_use(const rp_groth16_prover *prover, const rp_gnark_solution *s, rp_error *err) {
  if (!s->commitments)
    return support_fail(err, RP_ERR_ARGUMENT,
                        "The solution has a proof of knowledge without the commitments that it is for.");
  if (prover->key->info.n_commitments == 0)
    return support_fail(err, RP_ERR_MISMATCH, "The solution has commitments, and %s has none.",
                        support_label(g16_key_name(prover->key)));
  if (prover->vkey) return RP_OK;
  return support_fail(err, RP_ERR_ARGUMENT,
                      "The solution has commitments, which are taken only where the proof is verified, and this prover "
                      "was made with no_verify: leave them out.");
}

rp_status g16_given_take(g16_flight *f, const rp_gnark_solution *s, rp_error *err) {
  const rp_groth16_prover *prover = f->prover;
  const uint32_t n = prover->key->info.n_commitments;
  rp_status status = RP_OK;
  if (s->commitments || s->knowledge) status = check_use(prover, s, err);
  if (status == RP_OK && s->commitments && !(f->given = rp_context_alloc(prover->context, sizeof *f->given)))
    status = support_fail(err, RP_ERR_MEMORY, "Out of memory for commitments.");
  if (status == RP_OK && s->commitments)
    status = take_points(prover->key->family, "Commitment", 1, s->commitments, s->commitments_bytes, n,
                         f->given->commitment, err);
  if (status == RP_OK && s->knowledge) {
    f->given->has_knowledge = 1;
    status = take_points(prover->key->family, "The proof of knowledge", 0, s->knowledge, s->knowledge_bytes, 1,
                         &f->given->knowledge, err);
  }
  if (status != RP_OK || n == 0) return status;
  uint32_t *computed = rp_run_input(f->run, prover->graph.committed);
  if (!computed) return support_fail(err, RP_ERR_INTERNAL, "The run has no staging for what is computed.");
  computed[0] = !(f->given && f->given->has_knowledge);
  computed[1] = !f->given;
  return RP_OK;
}

rp_status g16_given_check(const g16_flight *f, rp_error *err) {
  const rp_groth16_key *key = f->prover->key;
  uint8_t challenges[sizeof f->challenges];
  rp_gnark_proof proof;
  if (!f->given) return RP_OK;
  memcpy(proof.commitment, f->given->commitment, sizeof proof.commitment);
  const rp_status status =
      g16_gnark_challenges(g16_vkey_points(f->prover->vkey), &proof, f->public_signals, challenges, err);
  for (uint32_t i = 0; i < key->info.n_commitments && status == RP_OK; i++)
    if (memcmp(challenges + (size_t)i * VALUE_BYTES, f->challenges + (size_t)i * VALUE_BYTES, VALUE_BYTES) != 0)
      return support_fail(err, RP_ERR_MISMATCH,
                          "Commitment %" PRIu32
                          " of the solution is not the one from which its challenge, wire %" PRIu32 ", was made.",
                          i, key->commitment[i].challenge);
  return status;
}

rp_status g16_given_release(const g16_flight *f, const rp_gnark_proof *proof, rp_error *err) {
  const rp_groth16_key *key = f->prover->key;
  const rp_status status = g16_gnark_release(f->prover->vkey, proof, f->public_signals, key->info.n_public, err);
  if (status != RP_ERR_VERIFY || !f->given) return status;
  return support_fail(err, status,
                      "The proof does not verify: the commitments%s that came with the solution are not those of its "
                      "wires, or the witness does not satisfy the circuit, or the key is damaged.",
                      f->given->has_knowledge ? " or the proof of knowledge" : "");
}
