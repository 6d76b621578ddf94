/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Benchmark of opening a key (reading all of it, checking every number, converting the arrays), compared with one
 * thread that only reads the file. Cold: the file's pages have been dropped from the page cache, so that both wait for
 * the disk; warm: they are in the page cache.
 */
#include "bench.h"

#include "text/error.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READ_COLD, OPEN_COLD, READ_WARM, OPEN_WARM, CASES };
static const char *const names[CASES] = {"read_cold_ms", "open_cold_ms", "read_warm_ms", "open_warm_ms"};

static rp_status refuse(const char *path, const char *what, rp_error *err) {
  err->status = RP_ERR_FILE;
  snprintf(err->reason, sizeof err->reason, "%s: cannot be %s: %s", support_label(path), what, strerror(errno));
  return RP_ERR_FILE;
}

/* Asks for the file's pages to leave the page cache. */
static rp_status drop(const char *path, rp_error *err) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool failed = fd < 0 || fdatasync(fd) != 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0;
  rp_status status = failed ? refuse(path, "dropped from the page cache", err) : RP_OK;
  if (fd >= 0) (void)close(fd); /* nothing was written */
  return status;
}

static rp_status read_file(const char *path, uint64_t *bytes, rp_error *err) {
  enum { BLOCK = 1 << 20 };
  uint8_t *block = malloc(BLOCK);
  if (!block) return err->status = RP_ERR_MEMORY;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? -1 : 1;
  for (*bytes = 0; got > 0; *bytes += got > 0 ? (uint64_t)got : 0) got = read(fd, block, BLOCK);
  rp_status status = got < 0 ? refuse(path, "read", err) : RP_OK;
  if (fd >= 0) (void)close(fd); /* nothing was written */
  free(block);
  return status;
}

static rp_status one_case(int which, rp_context *context, const char *path, uint64_t *bytes, uint64_t *ns,
                          rp_error *err) {
  rp_groth16_key *key = NULL;
  rp_plonk_key *plonk_key = NULL;
  rp_fflonk_key *fflonk_key = NULL;
  const cli_protocol protocol = cli_protocol_of(path);
  rp_status status = which == READ_COLD || which == OPEN_COLD ? drop(path, err) : RP_OK;
  uint64_t begin = cli_now_ns();
  if (status == RP_OK)
    status = which == READ_COLD || which == READ_WARM ? read_file(path, bytes, err)
             : protocol == CLI_PLONK                  ? rp_plonk_key_open(context, path, NULL, &plonk_key, err)
             : protocol == CLI_FFLONK                 ? rp_fflonk_key_open(context, path, NULL, &fflonk_key, err)
                                                      : rp_groth16_key_open(context, path, NULL, &key, err);
  *ns = cli_now_ns() - begin;
  rp_plonk_key_close(plonk_key);
  rp_fflonk_key_close(fflonk_key);
  rp_groth16_key_close(key);
  return status;
}

rp_status bench_open(const cli_call *call, const cli_session *session, uint32_t runs, const char *dir, bool head,
                     struct json_t *list, rp_error *err) {
  char path[4096 + 64]; /* longer than the system accepts: a truncated path is refused */
  uint64_t bytes = 0, median[CASES] = {0}, *ns = calloc(CASES * (size_t)runs, sizeof *ns);
  (void)snprintf(path, sizeof path, "%s/circuit.zkey", dir); /* see the size of `path` */
  rp_status status = ns ? RP_OK : (err->status = RP_ERR_MEMORY);
  cli_progress *progress = cli_progress_begin("reading and opening the key");
  for (uint32_t i = 0; status == RP_OK && i < runs; i++)
    for (int k = 0; status == RP_OK && k < CASES; k++)
      status = one_case(k, session->context, path, &bytes, &ns[(size_t)k * runs + i], err);
  for (int k = 0; status == RP_OK && k < CASES; k++) median[k] = bench_median(ns + (size_t)k * runs, runs);
  cli_progress_end(progress);
  free(ns);
  if (status != RP_OK) return status;
  if (call->json) {
    json_t *row =
        json_pack("{s:s, s:s, s:I, s:i}", "op", "open", "file", path, "bytes", (json_int_t)bytes, "runs", (int)runs);
    for (int k = 0; k < CASES; k++) json_object_set_new(row, names[k], json_real((double)median[k] / 1e6));
    json_array_append_new(list, row);
    return RP_OK;
  }
  char text[CASES][32];
  for (int k = 0; k < CASES; k++) cli_time_text(median[k], text[k]);
  char size[32];
  if (head)
    printf("%14s %14s %14s %14s %14s  %s\n", "size", "from disk", "reading alone", "from cache", "reading alone",
           "key");
  printf("%14s %14s %14s %14s %14s  %s\n", cli_bytes_text(bytes, size), text[OPEN_COLD], text[READ_COLD],
         text[OPEN_WARM], text[READ_WARM], path);
  (void)fflush(stdout); /* so that it is visible at once; cli_finish checks for errors */
  return RP_OK;
}
