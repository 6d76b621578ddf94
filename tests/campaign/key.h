/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keys of random circuits, some of them altered on purpose, and what this means for the proofs that are made with them.
 */
#ifndef REPRISE_TESTS_CAMPAIGN_KEY_H
#define REPRISE_TESTS_CAMPAIGN_KEY_H

#include "circuit.h"

#include <reprise/graphs.h>

/* X(enumerator, name): what is wrong with a key. Its verification part is never touched. */
#define FAULT_LIST(X)                           \
  X(FAULT_NONE, "sound")                        \
  X(FAULT_A, "a point of A altered")            \
  X(FAULT_B1, "a point of B1 altered")          \
  X(FAULT_B2, "a point of B2 altered")          \
  X(FAULT_C, "a point of C altered")            \
  X(FAULT_H, "a point of H altered")            \
  X(FAULT_BETA, "beta in G1 altered")           \
  X(FAULT_DELTA, "delta in G1 altered")         \
  X(FAULT_NO_A, "every point of A at infinity") \
  X(FAULT_MATRIX, "a matrix entry altered")
typedef enum fault_id {
#define FAULT_ENUM(id, name) id,
  FAULT_LIST(FAULT_ENUM)
#undef FAULT_ENUM
      FAULTS
} fault_id;
extern const char *const fault_names[FAULTS];

typedef struct blob {
  uint8_t *data;
  size_t bytes;
} blob;
/* Reads a whole file and appends a zero byte, which b->bytes does not count. Returns 0 if it cannot be read. Free with
 * blob_free. */
int blob_read(const char *path, blob *b);
int blob_write(const char *path, const void *data, size_t bytes);
void blob_free(blob *b);

typedef struct fault {
  fault_id id;
  uint32_t wire;   /* the wire whose point was altered */
  const char *how; /* what was done, for reports */
  int outside;     /* 1: a point off its curve or outside its subgroup */
} fault;
/* Alters a .zkey in place and describes that in *f. f->id is FAULT_NONE if the key has no such place. */
void fault_make(fault_id id, const circuit *c, uint64_t *random, blob *zkey, fault *f);

/* What must happen to a proof for a witness that satisfies the circuit, or what a check must say. */
typedef enum verdict { MUST_RELEASE, MUST_REFUSE, MAY_BE_EITHER } verdict;
/* What must happen to a proof for these values. `blinded` is 0 if a blinding value may be zero. */
verdict fault_verdict(const fault *f, const uint8_t *values, int blinded);

/* What a check of all points must say: MUST_REFUSE if a point is invalid, MUST_RELEASE if nothing is wrong that the
 * check could see, otherwise MAY_BE_EITHER. */
verdict fault_check_verdict(const fault *f);

typedef struct made_key {
  circuit circuit;
  blob zkey, vkey; /* vkey: JSON of the sound key */
  fault fault;
  rp_groth16_vkey *judge; /* the sound key; shares nothing with the prover */
} made_key;
/* Makes a circuit and its key on `device`, with files in `folder`. On failure *err has the reason. Free with
 * key_free. */
rp_status key_make(rp_context *context, rp_device *device, const char *folder, uint64_t *random, made_key *k,
                   rp_error *err);
void key_free(made_key *k);

#endif
