/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "keys.h"

#include "gnark.h"

#include "text/error.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

bool serve_is_name(const char *text) {
  static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  const size_t n = strlen(text);
  return n > 0 && n < SERVE_NAME && text[0] != '.' && strspn(text, allowed) == n;
}

static rp_status refuse(rp_error *err, rp_status status, const char *file, const char *why) {
  snprintf(err->reason, sizeof err->reason, "%s: %s", support_label(file), why);
  return err->status = status;
}

static void free_key(serve_key *key) {
  if (!key) return;
  cli_verifier_close(&key->verifier);
  free(key->path);
  free(key);
}

static rp_status read_digest(serve_key *key, rp_error *err) {
  support_file *file = NULL;
  rp_status status = support_file_open(key->path, 0, &file, err);
  if (status == RP_OK) status = support_file_sha256(file, key->sha256, err);
  support_file_close(file);
  support_sha256_text(key->sha256, key->digest);
  return status;
}

rp_status serve_key_read(const serve_keys *keys, const char *name, const char *file, const uint8_t *sha256,
                         serve_key **out, rp_error *err) {
  *out = NULL;
  if (!serve_is_name(name) || !serve_is_name(file))
    return refuse(err, RP_ERR_ARGUMENT, serve_is_name(name) ? file : name,
                  "a name consists of letters, digits, '.', '_' and '-', and does not begin with '.'");
  serve_key *key = calloc(1, sizeof *key);
  if (!key) return err->status = RP_ERR_MEMORY;
  memcpy(key->name, name, strlen(name) + 1);
  key->refs = 1;
  rp_status status = asprintf(&key->path, "%s/%s", keys->folder, file) < 0 ? RP_ERR_MEMORY : RP_OK;
  if (status != RP_OK) key->path = NULL;
  const cli_expected expected = {key->path, CLI_WANT_KEY, cli_a_key};
  if (status == RP_OK) status = cli_expect_kinds(&expected, 1, err);
  if (status == RP_OK && stat(key->path, &key->file) != 0) status = refuse(err, RP_ERR_FILE, file, "cannot be read");
  if (status == RP_OK && !(1u << cli_kind_of(key->path) & CLI_WANT_KEY))
    status = refuse(err, RP_ERR_FORMAT, file, "is not a key (.zkey or recorded)");
  if (status == RP_OK) status = read_digest(key, err);
  if (status == RP_OK) status = serve_key_unchanged(key, err);
  if (status == RP_OK && sha256 && memcmp(sha256, key->sha256, sizeof key->sha256) != 0)
    status = refuse(err, RP_ERR_MISMATCH, file, "has another SHA-256 than the one that is asked for");
  if (status == RP_OK) {
    key->protocol = cli_protocol_of(key->path);
    key->is_gnark = cli_gnark_is_key(key->path);
    *out = key;
  } else {
    free_key(key);
  }
  return err->status = status;
}

rp_status serve_key_unchanged(const serve_key *key, rp_error *err) {
  struct stat now;
  const struct stat *then = &key->file;
  if (stat(key->path, &now) == 0 && now.st_dev == then->st_dev && now.st_ino == then->st_ino &&
      now.st_size == then->st_size && now.st_mtim.tv_sec == then->st_mtim.tv_sec &&
      now.st_mtim.tv_nsec == then->st_mtim.tv_nsec)
    return RP_OK;
  return refuse(err, RP_ERR_MISMATCH, key->name, "the file of this key was changed: PUT the key again");
}

rp_status serve_key_open(void *user, cli_session *session, rp_error *err) {
  const serve_key *key = user;
  rp_status status = serve_key_unchanged(key, err);
  if (status == RP_OK) status = cli_open_any_key(NULL, session, key->path, err);
  return status == RP_OK ? serve_key_unchanged(key, err) : status;
}

/* Takes NAME from NAME.zkey or NAME.rpk; returns false for other files. */
static bool name_of(const char *file, char name[SERVE_NAME]) {
  const char *end = strrchr(file, '.');
  if (!end || (strcmp(end, ".zkey") != 0 && strcmp(end, ".rpk") != 0) || !serve_is_name(file)) return 0;
  memcpy(name, file, (size_t)(end - file));
  name[end - file] = '\0';
  return 1;
}

static rp_status add_file(serve_keys *keys, const char *file, void (*skipped)(void *user, const char *reason),
                          void *user, rp_error *err) {
  char name[SERVE_NAME];
  serve_key *key = NULL;
  if (!name_of(file, name)) return RP_OK;
  const rp_status status = serve_key_read(keys, name, file, NULL, &key, err);
  if (status == RP_ERR_FORMAT) { /* another kind of file */
    skipped(user, err->reason);
    return RP_OK;
  }
  if (status != RP_OK) return status;
  if (!serve_keys_put(keys, key)) return RP_OK;
  return refuse(err, RP_ERR_ARGUMENT, name, "two files in the folder have this name");
}

rp_status serve_keys_scan(serve_keys *keys, void (*skipped)(void *user, const char *reason), void *user,
                          rp_error *err) {
  struct dirent **files = NULL;
  const int n = scandir(keys->folder, &files, NULL, alphasort);
  if (n < 0) return refuse(err, RP_ERR_FILE, keys->folder, "is not a folder that can be read");
  rp_status status = RP_OK;
  for (int i = 0; i < n; i++) {
    if (status == RP_OK) status = add_file(keys, files[i]->d_name, skipped, user, err);
    free(files[i]);
  }
  free(files);
  return status;
}

void serve_keys_close(serve_keys *keys) {
  while (keys->all) {
    serve_key *key = keys->all;
    keys->all = key->next;
    serve_key_release(key);
  }
}

bool serve_keys_put(serve_keys *keys, serve_key *key) {
  serve_key **at = &keys->all;
  while (*at && strcmp((*at)->name, key->name) < 0) at = &(*at)->next;
  serve_key *before = *at && strcmp((*at)->name, key->name) == 0 ? *at : NULL;
  key->id = ++keys->next_id;
  key->next = before ? before->next : *at;
  *at = key;
  if (before) serve_key_release(before);
  return before != NULL;
}

serve_key *serve_keys_find(const serve_keys *keys, const char *name) {
  serve_key *found = NULL, *named = NULL;
  if (!name && keys->all && !keys->all->next) found = keys->all;
  for (serve_key *key = keys->all; name && key && !found; key = key->next) {
    if (strcmp(key->digest, name) == 0) found = key; /* takes precedence over a key with that name */
    if (strcmp(key->name, name) == 0) named = key;
  }
  if (!found) found = named;
  if (found) found->refs++;
  return found;
}

void serve_key_release(serve_key *key) {
  if (key && --key->refs == 0) free_key(key);
}
