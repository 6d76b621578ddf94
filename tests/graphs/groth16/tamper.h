/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Recorded files that an attacker has changed: each case is one change, after which all checksums are computed again.
 * The tests of the library, of the command (make_tampered) and the fuzz harness share them.
 */
#ifndef REPRISE_TESTS_TAMPER_H
#define REPRISE_TESTS_TAMPER_H

#include <stddef.h>
#include <stdint.h>

typedef struct tampered tampered;

typedef enum tamper_seen {
  TAMPER_ALWAYS,   /* refused however the file is opened */
  TAMPER_CHECKSUM, /* refused unless the content is trusted (skip_checksum) */
  TAMPER_CHECKED   /* refused where points are checked */
} tamper_seen;

typedef struct tamper_case {
  const char *name;
  const char *says; /* text that the reason must contain */
  tamper_seen seen;
  int only_cofactor; /* 1: only for curves whose G1 has points outside the subgroup */
  void (*apply)(tampered *file);
} tamper_case;

extern const tamper_case tamper_cases[];
extern const size_t tamper_count;

/* Changes a recorded file in place and recomputes its checksums. Returns 0 if the case is not for this file's curve. */
int tamper_apply(const tamper_case *c, uint8_t *data, size_t bytes);
/* Recomputes the checksums only. Takes any bytes, and leaves them unchanged if they do not look like a recorded
 * file. */
void tamper_seal(uint8_t *data, size_t bytes);

#endif
