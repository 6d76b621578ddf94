/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shared by the tests of proofs with keys of gnark: a fixture's key with all that belongs to it.
 */
#ifndef REPRISE_TESTS_GNARK_SUBJECT_H
#define REPRISE_TESTS_GNARK_SUBJECT_H

#include "common.h"
#include "gnark_fixtures.h"

#include <reprise/gnark.h>

enum { MOST_SIGNALS = 4, MOST_WIRES = 64, MOST_BYTES = 2048 };

/* What facts.json says: the blinding values, and the facts about commitments that no other file has. */
typedef struct facts {
  uint8_t r[32], s[32];
  uint32_t wires[2][MOST_WIRES];
  rp_gnark_commitment commitment[2];
  uint32_t n;
} facts;

typedef struct subject {
  const gnark_fixture *fixture;
  facts facts;
  rp_groth16_vkey *vkey;
  rp_groth16_key *key;
  blob solution; /* solution.mont */
  rp_gnark_solution vectors;
} subject;

/* `pk` names the file of the key; with `check`, its points are checked. */
void open_subject(bench *b, const gnark_fixture *f, const char *pk, int check, subject *s);
void close_subject(subject *s);
rp_groth16_vkey *read_vkey(bench *b, const gnark_fixture *f);
/* The options with which the subject's key is opened. */
rp_groth16_key_options options_of(const subject *s);
rp_groth16_prover *prover_with_options(bench *b, const subject *s, const rp_groth16_prover_options *options);
/* Fails the test unless the proof is the one in the fixture's files. */
void is_gnarks_proof(const gnark_fixture *f, const rp_gnark_proof *proof);
void check_signals(const gnark_fixture *f, const uint8_t *signals);

#endif
