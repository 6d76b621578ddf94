/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "keys.h"

#include "files/digest.h"
#include "files/output.h"
#include "schema.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static rp_status refuse(rp_error *err, rp_status status, const char *format, const char *what) {
  err->status = status;
  snprintf(err->reason, sizeof err->reason, format, what);
  return status;
}

/* XDG_CACHE_HOME or ~/.cache. */
static char *folder_of_user(void) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char *path = NULL;
  const int made = cache && cache[0] == '/' ? asprintf(&path, "%s/reprise-farm", cache)
                   : home && home[0] == '/' ? asprintf(&path, "%s/.cache/reprise-farm", home)
                                            : asprintf(&path, "/tmp/reprise-farm-%d", (int)getpid());
  return made < 0 ? NULL : path;
}

rp_status farm_key_cache_open(farm_key_cache *c, const char *folder, uint64_t limit_bytes, const char *url,
                              rp_error *err) {
  cli_folder made = {0};
  *c = (farm_key_cache){.folder = folder ? strdup(folder) : folder_of_user(), .limit_bytes = limit_bytes, .url = url};
  if (!c->folder) return err->status = RP_ERR_MEMORY;
  const rp_status status = cli_make_folder(c->folder, &made, err);
  if (status == RP_OK) cli_end_folder(&made, 1);
  return status;
}

void farm_key_cache_close(farm_key_cache *c) {
  free(c->folder);
  *c = (farm_key_cache){0};
}

/* Deletes the least recently used keys until `bytes` more fit. */
static rp_status make_room(const farm_key_cache *c, uint64_t bytes, rp_error *err) {
  char *pattern = NULL;
  rp_status status = RP_OK;
  if (bytes > c->limit_bytes)
    return refuse(err, RP_ERR_BUDGET, "%s: the key is larger than this worker's cache may become (--cache-bytes)",
                  c->folder);
  if (asprintf(&pattern, "%s/*.zkey", c->folder) < 0) return err->status = RP_ERR_MEMORY;
  for (;;) {
    glob_t found;
    struct stat is;
    uint64_t total = 0;
    const char *oldest = NULL;
    struct timespec when = {0};
    if (glob(pattern, 0, NULL, &found) != 0) break; /* nothing there */
    for (size_t i = 0; i < found.gl_pathc; i++) {
      if (stat(found.gl_pathv[i], &is) != 0) continue; /* another worker deleted it */
      total += (uint64_t)is.st_size;
      const bool is_older =
          is.st_mtim.tv_sec < when.tv_sec || (is.st_mtim.tv_sec == when.tv_sec && is.st_mtim.tv_nsec < when.tv_nsec);
      if (!oldest || is_older) oldest = found.gl_pathv[i], when = is.st_mtim;
    }
    const bool fits = total + bytes <= c->limit_bytes;
    if (!fits && oldest && unlink(oldest) != 0 && errno != ENOENT) /* another worker may have been faster */
      status = refuse(err, RP_ERR_FILE, "%s: cannot be removed, which would make room for another key", oldest);
    globfree(&found);
    if (fits || !oldest || status != RP_OK) break;
  }
  free(pattern);
  return status;
}

static rp_status fetch_chunks(farm_database *db, const farm_batch *b, support_output *output, rp_error *err) {
  int64_t written = 0;
  for (int64_t n = 0; written < b->key_bytes; n++) {
    PGresult *rows = NULL;
    const farm_value values[] = {farm_int4(b->key_id), farm_int4(n)};
    rp_status status = farm_call(db, "SELECT reprise.key_chunk($1, $2)", values, 2, &rows, err);
    const int bytes = status == RP_OK ? PQgetlength(rows, 0, 0) : 0;
    if (status == RP_OK && (bytes == 0 || written + bytes > b->key_bytes))
      status = refuse(err, RP_ERR_UNAVAILABLE, "%s", "a part of the key is missing in the database");
    if (status == RP_OK) status = support_output_write(output, PQgetvalue(rows, 0, 0), (uint64_t)bytes, err);
    PQclear(rows);
    if (status != RP_OK) return status;
    written += bytes;
  }
  return RP_OK;
}

static rp_status fetch(const farm_key_cache *c, const farm_batch *b, const char *path, rp_error *err) {
  farm_database db = {.url = c->url, .program = "reprise farm work: keys"};
  support_output *output = NULL;
  rp_status status = make_room(c, (uint64_t)b->key_bytes, err);
  if (status == RP_OK) status = farm_open(&db, err);
  if (status == RP_OK) status = support_output_begin(path, &output, err);
  if (status == RP_OK) status = fetch_chunks(&db, b, output, err);
  if (status == RP_OK)
    status = support_output_publish(&output, 1, err);
  else
    support_output_abort(output);
  farm_disconnect(&db);
  return status;
}

rp_status farm_key_cache_get(const farm_key_cache *c, const farm_batch *b, char **path, bool *fetched, rp_error *err) {
  char digest[SUPPORT_SHA256_TEXT];
  struct stat is;
  support_sha256_text(b->sha256, digest);
  *fetched = 0;
  if (asprintf(path, "%s/%s.zkey", c->folder, digest) < 0) {
    *path = NULL;
    return err->status = RP_ERR_MEMORY;
  }
  if (stat(*path, &is) == 0 && is.st_size == b->key_bytes) {
    /* Marks the file as used now. Where that is not permitted, it is removed sooner. */
    (void)utimensat(AT_FDCWD, *path, NULL, 0);
    return RP_OK;
  }
  *fetched = 1;
  return fetch(c, b, *path, err);
}

void farm_key_cache_refuse(const farm_key_cache *c, const farm_batch *b, const char *path, bool fetched) {
  farm_database db = {.url = c->url, .program = "reprise farm work: keys"};
  const farm_value values[] = {
      farm_int4(b->key_id),
      farm_text("what was sent as the key has another digest: send the key again, with farm submit")};
  rp_error ignored;
  (void)unlink(path); /* if this fails, the digest is checked again anyway */
  if (!fetched) return;
  if (farm_open(&db, &ignored) == RP_OK)
    (void)farm_call(&db, "SELECT reprise.key_damaged($1, $2)", values, 2, NULL,
                    &ignored); /* the next worker tells the farm */
  farm_disconnect(&db);
}
