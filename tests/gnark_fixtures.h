/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The fixtures of gnark v0.15.0 below tests/data/gnark. For each circuit there are the proving key raw (pk.raw),
 * compressed (pk.bin) and dumped (pk.dump), the solution in both forms, the verifying key and the proof in both, and
 * facts.json, which has the blinding values and the wires that are committed to. The large circuits have pk.bin,
 * solution.mont and the small files only.
 */
#ifndef REPRISE_TESTS_GNARK_FIXTURES_H
#define REPRISE_TESTS_GNARK_FIXTURES_H

#include "files/mapping.h"

#include <stdio.h>
#include <string.h>

typedef struct gnark_fixture {
  const char *name;
  int large;
  uint32_t n_wires, n_public, n_constraints, domain, n_commitments;
} gnark_fixture;

enum { GNARK_FIXTURES = 8, GNARK_PATH = 1024 };
static const gnark_fixture gnark_fixtures[GNARK_FIXTURES] = {
    {"bn254/cubic", 0, 5, 1, 3, 4, 0},         {"bn254/edge", 0, 12, 2, 8, 8, 0},
    {"bn254/range", 0, 76, 1, 41, 64, 1},      {"bn254/twocommit", 0, 16, 2, 10, 16, 2},
    {"bls12-381/cubic", 0, 5, 1, 3, 4, 0},     {"bls12-381/range", 0, 76, 1, 41, 64, 1},
    {"bn254/mimc", 1, 1988, 1, 1981, 2048, 0}, {"bls12-381/mimc", 1, 2006, 1, 1999, 2048, 0},
};

static inline int gnark_is_bls(const gnark_fixture *f) { return strncmp(f->name, "bls", 3) == 0; }

/* The path of a file of the fixture. It is valid until the next call. */
static inline const char *gnark_path(const gnark_fixture *f, const char *file) {
  static char path[GNARK_PATH];
  snprintf(path, sizeof path, "%s/gnark/%s/%s", TEST_DATA_DIR, f->name, file);
  return path;
}

static inline support_file *gnark_open(const gnark_fixture *f, const char *name) {
  support_file *file;
  rp_error err = {0};
  if (support_file_open(gnark_path(f, name), 0, &file, &err) == RP_OK) return file;
  fprintf(stderr, "%s\n", err.reason);
  return NULL;
}

#endif
