/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What has to hold of all points of a key, wherever its arrays came from.
 */
#ifndef REPRISE_GROTH16_KEY_CHECK_H
#define REPRISE_GROTH16_KEY_CHECK_H

#include "key.h"

/* Where the curve's equation is tested, if there is a device. */
typedef enum g16_curve_test {
  G16_CURVE_CHOSEN, /* beside a GPU; first, where many processors test the points sooner than a CPU device does */
  G16_CURVE_ON_DEVICE,
  G16_CURVE_FIRST, /* on the host's processors, before the device's sums */
  G16_CURVE_BESIDE /* on the host's processors, while the device computes its sums */
} g16_curve_test;

/* The places that carry the blinding (prerecorded_check.h); every coordinate below q; every point on its curve and in
 * its subgroup; the supports have a bit for exactly the points that are finite. The key is marked as checked.
 *
 * `device` does what subgroup_batch.h says, and the equation where `curve_test` has it; what it leaves undecided, and
 * NULL all, is tested point by point on threads of the call's own. RP_ERR_FORMAT names the first point that is wrong,
 * in the same order whatever tests it. */
rp_status g16_key_check_points(rp_groth16_key *key, rp_device *device, g16_curve_test curve_test, rp_error *err);

/* RP_ERR_FORMAT unless the supports have a bit for exactly the points that are finite. A point left out would make it
 * depend on its wire's value whether a proof verifies. `name` is what reasons call the key. */
rp_status g16_key_check_supports(const char *name, const rp_groth16_key *key, rp_error *err);

#endif
