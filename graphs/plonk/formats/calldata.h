/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the calldata of PLONK and of FFLONK have in common.
 */
#ifndef REPRISE_PLONK_CALLDATA_H
#define REPRISE_PLONK_CALLDATA_H

#include "formats/calldata.h"
#include "vkey.h"

/* RP_ERR_INPUT if a point is at infinity: snarkjs would print 0 and 1, which is not a point. */
rp_status plonk_check_finite(const void *proof, const plonk_element *point, int n_points, rp_error *err);
/* Writes the elements of a proof as one array of words between marks. */
void plonk_put_calldata(support_text *text, const char *mark, const void *proof, const plonk_element *point,
                        int n_points, const plonk_element *scalar, int n_scalars);

#endif
