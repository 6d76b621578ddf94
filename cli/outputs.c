/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where results may be written: not to a file that is read, not to one file twice; a missing folder is created.
 */
#include "cli.h"

#include "text/error.h"
#include "files/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Identifies a file: an existing or open one by its device and inode numbers, a missing one by those of its folder and
 * its name. */
typedef struct place {
  dev_t device;
  ino_t number;
  const char *name; /* "": the file itself */
  unsigned path;
} place;

static bool find_place(const char *path, bool is_output, place *p) {
  struct stat s;
  const int fd = is_output ? support_output_descriptor(path) : -1;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  p->name = "";
  bool known = (fd >= 0 ? fstat(fd, &s) : stat(path, &s)) == 0;
  if (known && S_ISCHR(s.st_mode) && !isatty(fd)) return 0; /* such as /dev/null, which may be used for several */
  if (!known && fd < 0) {
    char *folder = strndup(path, (size_t)(name - path));
    known = folder && stat(*folder ? folder : ".", &s) == 0;
    free(folder);
    p->name = name;
  }
  p->device = s.st_dev;
  p->number = s.st_ino;
  return known;
}

static int compare_files(const place *a, const place *b) {
  if (a->device != b->device) return a->device < b->device ? -1 : 1;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  return strcmp(a->name, b->name);
}

/* Entries of one file are in the order of the arguments, so that inputs come first. */
static int compare(const void *x, const void *y) {
  const place *a = x, *b = y;
  const int files = compare_files(a, b);
  return files ? files : (a->path > b->path) - (a->path < b->path);
}

cli_exit cli_check_outputs(const cli_call *call, const char *const *paths, unsigned n_inputs, unsigned n_paths) {
  place *places = calloc((size_t)n_paths + 1, sizeof *places);
  unsigned n = 0;
  cli_exit code = CLI_OK;
  if (!places) return cli_refuse(call, CLI_MEMORY, "%s", rp_status_text(RP_ERR_MEMORY));
  for (unsigned i = 0; i < n_paths; i++) {
    places[n].path = i;
    n += paths[i] && find_place(paths[i], i >= n_inputs, &places[n]);
  }
  qsort(places, n, sizeof *places, compare);
  for (unsigned i = 1; i < n && code == CLI_OK; i++) {
    const unsigned first = places[i - 1].path, second = places[i].path;
    if (second < n_inputs || compare_files(&places[i - 1], &places[i]) != 0) continue;
    code = first < n_inputs ? cli_refuse(call, CLI_USAGE, "%s is read, and would be replaced by what is written",
                                         support_label(paths[second]))
           : strcmp(paths[first], paths[second]) == 0
               ? cli_refuse(call, CLI_USAGE, "two results would both be written to %s", support_label(paths[second]))
               : cli_refuse(call, CLI_USAGE, "two results would be written to one file, %s and %s",
                            support_label(paths[first]), support_label(paths[second]));
  }
  free(places);
  return code;
}

static rp_status refuse_folder(const char *path, int why, rp_error *err) {
  err->status = why == ENOMEM ? RP_ERR_MEMORY : RP_ERR_FILE;
  snprintf(err->reason, sizeof err->reason, "%s: this folder for results cannot be made: %s", support_label(path),
           strerror(why));
  return err->status;
}

/* Creates each missing folder of the path, including the last; returns 0 or an errno. */
static int make_missing(cli_folder *folder) {
  for (char *at = folder->path + 1;; at++) {
    const char end = *at;
    if (end != '/' && end != 0) continue;
    *at = 0;
    const int failed = mkdir(folder->path, 0777) == 0 ? 0 : errno;
    *at = end;
    if (failed && failed != EEXIST) return failed;
    if (!failed) folder->made[folder->n_made++] = (size_t)(at - folder->path);
    if (!end) return 0;
  }
}

rp_status cli_make_folder(const char *path, cli_folder *folder, rp_error *err) {
  struct stat s;
  *folder = (cli_folder){0};
  if (stat(path, &s) == 0) return S_ISDIR(s.st_mode) ? RP_OK : refuse_folder(path, ENOTDIR, err);
  if (!*path) return refuse_folder(path, ENOENT, err);
  folder->path = strdup(path);
  folder->made = calloc(strlen(path) + 1, sizeof *folder->made);
  int failed = folder->path && folder->made ? make_missing(folder) : ENOMEM;
  if (!failed && (stat(path, &s) != 0 || !S_ISDIR(s.st_mode))) failed = ENOTDIR;
  if (!failed) return RP_OK;
  cli_end_folder(folder, 0);
  return refuse_folder(path, failed, err);
}

void cli_end_folder(cli_folder *folder, bool keep) {
  while (!keep && folder->path && folder->made && folder->n_made) {
    folder->path[folder->made[--folder->n_made]] = 0;
    if (rmdir(folder->path) != 0) break; /* something has been put into the folder */
  }
  free(folder->made);
  free(folder->path);
  *folder = (cli_folder){0};
}
