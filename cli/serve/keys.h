/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The keys that can be named: files in one folder, each with its digest. A file that is changed later is refused until
 * its key is registered again.
 */
#ifndef REPRISE_SERVE_KEYS_H
#define REPRISE_SERVE_KEYS_H

#include "cli.h"

#include "files/digest.h"

#include <sys/stat.h>

enum { SERVE_NAME = 128 /* bytes of the name of a key or a file, with the NUL */ };

typedef struct serve_key {
  struct serve_key *next;
  int64_t id; /* never used twice */
  char name[SERVE_NAME], digest[SUPPORT_SHA256_TEXT];
  char *path;
  uint8_t sha256[SUPPORT_SHA256_BYTES];
  cli_protocol protocol;
  bool is_gnark; /* its proofs are made from solutions */
  struct stat file;
  unsigned refs; /* of the list, and of jobs */
  cli_verifier verifier;
  bool has_verifier;
  uint64_t n_proofs, n_failed, prove_ns;
} serve_key;

typedef struct serve_keys {
  const char *folder;
  serve_key *all; /* by name */
  int64_t next_id;
} serve_keys;

/* 1 for 1 to 127 letters, digits, '.', '_' and '-', the first of which is no '.': a name that stays in its folder. */
bool serve_is_name(const char *text);
/* Adds every key in the folder; `skipped` is called for each other file, with the reason. */
rp_status serve_keys_scan(serve_keys *keys, void (*skipped)(void *user, const char *reason), void *user, rp_error *err);
void serve_keys_close(serve_keys *keys);
/* Reads the file with this name, which takes about three seconds for each GiB, and makes a key that is not in the list
 * yet. RP_ERR_MISMATCH: it has another digest than sha256 (NULL: any). */
rp_status serve_key_read(const serve_keys *keys, const char *name, const char *file, const uint8_t *sha256,
                         serve_key **key, rp_error *err);

/* ---- With the lock of the service held --------------------------------------------------------------------------- */

/* Puts a key into the list, in place of one with that name, which jobs may still have. Returns true if there was
 * one. */
bool serve_keys_put(serve_keys *keys, serve_key *key);
/* Finds a key by name or digest; NULL: the only key there is. The caller must release it. */
serve_key *serve_keys_find(const serve_keys *keys, const char *name);
void serve_key_release(serve_key *key);

/* ---- Without the lock -------------------------------------------------------------------------------------------- */

/* Opens the key of a session, for cli_residents_take; `key` is a serve_key. */
rp_status serve_key_open(void *key, cli_session *session, rp_error *err);
/* RP_ERR_MISMATCH if the file is not the one that was read. */
rp_status serve_key_unchanged(const serve_key *key, rp_error *err);

#endif
