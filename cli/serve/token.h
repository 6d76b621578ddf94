/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The bearer token, which is kept as its digest. Read from a file or the environment, since the arguments of a command
 * can be read by every user of the machine.
 */
#ifndef REPRISE_SERVE_TOKEN_H
#define REPRISE_SERVE_TOKEN_H

#include "cli.h"

typedef struct serve_token {
  bool is_set;
  uint8_t sha256[32];
} serve_token;

enum { SERVE_TOKEN_LEAST = 16, SERVE_TOKEN_MOST = 4096 /* characters */ };

/* From the file, or if `path` is NULL from REPRISE_SERVE_TOKEN, which is then taken out of the environment; if there is
 * neither, there is no token. White space at its ends does not count. */
rp_status serve_token_read(const char *path, serve_token *token, rp_error *err);
/* Whether this value of the header Authorization (NULL: there is none) has the token. The time does not depend on how
 * much of it is right. */
bool serve_token_fits(const serve_token *token, const char *authorization);

#endif
