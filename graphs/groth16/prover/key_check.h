/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What has to hold of all points of a key, wherever its arrays came from.
 */
#ifndef REPRISE_GROTH16_KEY_CHECK_H
#define REPRISE_GROTH16_KEY_CHECK_H

#include "key.h"

/* The places that carry the blinding (prerecorded_check.h); every coordinate below q; every point on its curve and in
 * its subgroup; the supports have a bit for exactly the points that are finite. The key is marked as checked.
 *
 * `device` does what subgroup_batch.h says; NULL: each point is tested by itself, here, on threads of the call's own.
 * RP_ERR_FORMAT names a point that is wrong. */
rp_status g16_key_check_points(rp_groth16_key *key, rp_device *device, rp_error *err);

/* RP_ERR_FORMAT unless the supports have a bit for exactly the points that are finite. A point left out would make it
 * depend on its wire's value whether a proof verifies. `name` is what reasons call the key. */
rp_status g16_key_check_supports(const char *name, const rp_groth16_key *key, rp_error *err);

#endif
