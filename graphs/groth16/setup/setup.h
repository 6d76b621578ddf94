/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * INSECURE, for tests and benchmarks: makes a Groth16 key whose toxic waste comes from a seed, so that anybody can
 * forge proofs for it. The circuit is a real one, or a synthetic one of a chosen shape, made together with a witness
 * that satisfies it. The files have the formats of `snarkjs groth16 setup`, and snarkjs accepts proofs that are made
 * with them.
 */
#ifndef REPRISE_GROTH16_SETUP_H
#define REPRISE_GROTH16_SETUP_H

#include <stdbool.h>
#include "formats/family.h"

/* Shares of rows by their number of entries; the shares are scaled so that their sum is one. */
enum { G16_HISTOGRAM = 8 };
typedef struct g16_histogram {
  uint32_t n;
  uint32_t length[G16_HISTOGRAM];
  double share[G16_HISTOGRAM];
} g16_histogram;

/* A synthetic circuit. */
typedef struct g16_shape {
  uint32_t log_domain, n_public;
  double fill;                   /* part of the domain that constraints fill, 0.5 to 1 */
  g16_histogram row[3];          /* of A, B, C */
  double zeros, ones;            /* shares of the witness; the rest is uniform below r */
  double infinity_a, infinity_b; /* shares of the wires that do not occur in A, in B */
} g16_shape;

typedef enum g16_preset {
  G16_PRESET_FULL,  /* values of full width; rows as in circom's Poseidon circuits */
  G16_PRESET_SHA256 /* nearly all values 0 or 1; rows as in circom's SHA-256 circuits */
} g16_preset;
void g16_shape_preset(g16_preset preset, uint32_t log_domain, g16_shape *shape);
/* Rows of `mean` entries on average: a mix of the two nearest integers. */
void g16_histogram_mean(double mean, g16_histogram *histogram);

typedef struct g16_setup {
  const g16_family *family; /* of a synthetic circuit; a file names its own */
  const char *r1cs_path;    /* a real circuit; NULL: `shape` */
  const char *wtns_path;    /* its witness, copied to wtns_out; may be NULL */
  const g16_shape *shape;
  uint64_t seed;
  bool uncontributed; /* 1: delta is 1, and the sections have the order of a key without contributions */
  bool largest_shift; /* for tests: H as for the largest domain (family.h), which is far too large for tests */
  const char *zkey_out, *wtns_out, *vkey_out, *r1cs_out;                        /* any may be NULL */
  int (*progress)(void *user, const char *what, uint64_t done, uint64_t total); /* may be NULL; not 0 cancels */
  void *user;
} g16_setup;

/* Computes on `device`. Either all files appear, or none. */
rp_status g16_setup_run(rp_context *context, rp_device *device, const g16_setup *setup, rp_error *err);

#endif
