/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where the results of a replay are written.
 */
#ifndef REPRISE_CLI_REPLAY_H
#define REPRISE_CLI_REPLAY_H

#include "cli.h"

enum { REPLAY_PROOF, REPLAY_PUBLIC, REPLAY_GNARK_PROOF, REPLAY_GNARK_PUBLIC };

/* DIR/NAME.proof.json or DIR/NAME.public.json for a witness NAME.wtns of any folder; of a key of gnark,
 * DIR/NAME.proof.bin or DIR/NAME.public.wit for a solution NAME.bin or NAME.mont. The caller frees it with free(). NULL
 * when out of memory. */
char *replay_path(const char *dir, const char *witness, int which);

/* Checks that no result of the witnesses, call->args[1 ...], would replace another result or a file that is read: a
 * witness, the key, or `made_from` (NULL: none). The folder must exist. */
cli_exit replay_check_paths(const cli_call *call, const char *dir, const char *made_from);

#endif
