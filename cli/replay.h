/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where the results of a replay go.
 */
#ifndef REPRISE_CLI_REPLAY_H
#define REPRISE_CLI_REPLAY_H

#include "cli.h"

enum { REPLAY_PROOF, REPLAY_PUBLIC };

/* DIR/NAME.proof.json or DIR/NAME.public.json for a witness NAME.wtns of any folder. For free(); NULL: no memory. */
char *replay_path(const char *dir, const char *witness, int which);

/* No result of the witnesses, which are call->args[1 ...], may replace another one or what is read: they, the key, and
 * `made_from` (NULL: none). The folder must be there. */
cli_exit replay_check_paths(const cli_call *call, const char *dir, const char *made_from);

#endif
