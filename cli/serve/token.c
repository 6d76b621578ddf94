/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "token.h"

#include "files/sha256.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static rp_status set(serve_token *token, const char *text, size_t n, const char *from, rp_error *err) {
  while (n && strchr(" \t\r\n", text[n - 1])) n--;
  while (n && strchr(" \t\r\n", *text)) text++, n--;
  if (n < SERVE_TOKEN_LEAST || n > SERVE_TOKEN_MOST || memchr(text, '\0', n)) {
    snprintf(err->reason, sizeof err->reason,
             "%s: a token must have %d to %d characters; openssl rand -hex 32 makes one", from, SERVE_TOKEN_LEAST,
             SERVE_TOKEN_MOST);
    return err->status = RP_ERR_ARGUMENT;
  }
  pedersen_sha256((const uint8_t *)text, n, token->sha256);
  token->is_set = 1;
  return RP_OK;
}

rp_status serve_token_read(const char *path, serve_token *token, rp_error *err) {
  static const char variable[] = "REPRISE_SERVE_TOKEN";
  *token = (serve_token){0};
  if (path) {
    cli_bytes bytes;
    rp_status status = cli_read(path, SERVE_TOKEN_MOST + 16, &bytes, err);
    if (status == RP_OK) status = set(token, (const char *)bytes.data, bytes.size, path, err);
    cli_release(&bytes);
    return status;
  }
  char *text = getenv(variable);
  if (!text) return RP_OK;
  const size_t n = strlen(text);
  const rp_status status = set(token, text, n, variable, err);
  explicit_bzero(text, n);  /* programs that are started do not get it, and /proc does not show it */
  (void)unsetenv(variable); /* cannot fail: the name is valid */
  return status;
}

bool serve_token_fits(const serve_token *token, const char *authorization) {
  static const char scheme[] = "Bearer ";
  uint8_t sha256[32];
  unsigned differ = 0;
  if (!token->is_set) return 1;
  if (!authorization || strncasecmp(authorization, scheme, sizeof scheme - 1) != 0) return 0;
  const char *text = authorization + sizeof scheme - 1;
  text += strspn(text, " ");
  pedersen_sha256((const uint8_t *)text, strlen(text), sha256);
  for (size_t i = 0; i < sizeof sha256; i++) differ |= sha256[i] ^ token->sha256[i];
  return differ == 0;
}
