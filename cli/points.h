/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The plans of a key between fast and small, for `reprise info --points`.
 */
#ifndef REPRISE_CLI_POINTS_H
#define REPRISE_CLI_POINTS_H

#include "cli.h"

#include <jansson.h>

/* The points between fast and small of the session's Groth16 key on its device, in the order in which they are chosen
 * as the budget decreases: an array that the caller owns. `tables`: products may keep multiples of their points. Plans
 * that stream the key are not among them. */
rp_status cli_points(const cli_session *session, uint32_t in_flight, bool tables, json_t **points, rp_error *err);
void cli_points_csv(const json_t *points); /* both print to standard output */
void cli_points_text(const json_t *points);

#endif
