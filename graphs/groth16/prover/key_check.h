/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Checks of all points of a key, from whatever file its arrays came.
 */
#ifndef REPRISE_GROTH16_KEY_CHECK_H
#define REPRISE_GROTH16_KEY_CHECK_H

#include "key.h"

/* Where the curve equation is tested if there is a device. */
typedef enum g16_curve_test {
  G16_CURVE_CHOSEN, /* G16_CURVE_BESIDE with a GPU; G16_CURVE_FIRST if many processors are faster than a CPU device */
  G16_CURVE_ON_DEVICE,
  G16_CURVE_FIRST, /* on the host's processors, before the device's sums */
  G16_CURVE_BESIDE /* on the host's processors, while the device computes its sums */
} g16_curve_test;

/* Checks the entries that carry the blinding (prerecorded_check.h), that every coordinate is below q, that every point
 * is on its curve and in its subgroup, and that the supports have a bit for exactly the finite points. On success the
 * key is marked as checked.
 *
 * `device` tests subgroups as in subgroup_batch.h, and the curve equation if `curve_test` says so. What it leaves
 * undecided, or everything if it is NULL, is tested point by point on threads of the call. RP_ERR_FORMAT names the
 * first wrong point, in an order that does not depend on what tests it. */
rp_status g16_key_check_points(rp_groth16_key *key, rp_device *device, g16_curve_test curve_test, rp_error *err);

/* RP_ERR_FORMAT unless the supports have a bit for exactly the finite points. If a bit were missing, whether a proof
 * verifies would depend on the value of that wire. `name` names the key in reasons. */
rp_status g16_key_check_supports(const char *name, const rp_groth16_key *key, rp_error *err);

#endif
