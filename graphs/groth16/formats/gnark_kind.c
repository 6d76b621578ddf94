/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Finds the kind of a file of gnark, since the files do not name it.
 */
#include "gnark_pkey.h"
#include "gnark_proof.h"
#include "gnark_solution.h"

static bool has_shape(const support_file *file, void (*walk)(g16_gnark_reader *r)) {
  bool fits;
  (void)g16_gnark_family(file, walk, &fits);
  return fits;
}

g16_gnark_kind g16_gnark_kind_of(const support_file *file) {
  g16_gnark_witness witness;
  g16_gnark_solution solution;
  if (g16_gnark_is_pkey(file)) return G16_GNARK_PKEY;
  if (g16_gnark_witness_open(file, &witness, NULL) == RP_OK) return G16_GNARK_WITNESS;
  if (g16_gnark_solution_open(file, &solution, NULL) == RP_OK) return G16_GNARK_SOLUTION;
  if (has_shape(file, g16_gnark_walk_proof)) return G16_GNARK_PROOF;
  return has_shape(file, g16_gnark_walk_vkey) ? G16_GNARK_VKEY : G16_GNARK_NONE;
}
