/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Verification keys as JSON with a wrong point, for PLONK and FFLONK.
 */
#ifndef REPRISE_TESTS_JSON_POINTS_H
#define REPRISE_TESTS_JSON_POINTS_H

#include "../groth16/common.h"

/* A copy of the text, of the same length, in which the first coordinate of the point `member` is another one, so that
 * the point is not on its curve. NULL if the point is at infinity. The caller frees it. */
char *json_with_wrong_point(const blob *text, const char *member);

#endif
