/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Damaged and hostile files of gnark, made from its fixtures by the damages of hostile.h. One table serves the test of
 * the readers and gives the seeds of the fuzz harness.
 */
#ifndef REPRISE_TESTS_HOSTILE_GNARK_H
#define REPRISE_TESTS_HOSTILE_GNARK_H

#include "hostile.h"

typedef struct hostile_gnark_case {
  const char *name, *file; /* "bn254/range/pk.raw" below the fixtures */
  rp_status status;
  const char *says;
  hostile_damage damage;
  uint64_t x, y, z;
} hostile_gnark_case;

extern const hostile_gnark_case hostile_gnark_cases[];
extern const size_t hostile_gnark_count;

/* The bytes of the case, as hostile_bytes returns them. */
int hostile_gnark_bytes(const hostile_gnark_case *c, const char *data_folder, hostile_buffer *buffer);

#endif
