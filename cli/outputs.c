/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where results may be written: to no file that is read, to no file twice, and into a folder that is made if it is
 * missing.
 */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is there is known by its number; one that is not, by its folder's number and its name. */
typedef struct place {
  dev_t device;
  ino_t number;
  const char *name; /* "": the file itself */
  unsigned path;
} place;

static int find_place(const char *path, place *p) {
  struct stat s;
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  p->name = "";
  int known = stat(path, &s) == 0;
  if (known && !S_ISREG(s.st_mode)) return 0;
  if (!known) {
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

/* The same file: in the order of the arguments, so that inputs come first. */
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
    n += paths[i] && find_place(paths[i], &places[n]);
  }
  qsort(places, n, sizeof *places, compare);
  for (unsigned i = 1; i < n && code == CLI_OK; i++) {
    const unsigned first = places[i - 1].path, second = places[i].path;
    if (second < n_inputs || compare_files(&places[i - 1], &places[i]) != 0) continue;
    code = first < n_inputs
               ? cli_refuse(call, CLI_USAGE, "%.400s is read, and would be replaced by what is written", paths[second])
           : strcmp(paths[first], paths[second]) == 0
               ? cli_refuse(call, CLI_USAGE, "two results would both be written to %.400s", paths[second])
               : cli_refuse(call, CLI_USAGE, "two results would be written to one file, %.300s and %.300s",
                            paths[first], paths[second]);
  }
  free(places);
  return code;
}

static rp_status refuse_folder(const char *path, int why, rp_error *err) {
  err->status = RP_ERR_FILE;
  snprintf(err->reason, sizeof err->reason, "%.400s: this folder for results cannot be made: %s", path, strerror(why));
  return err->status;
}

rp_status cli_make_folder(const char *path, unsigned *made, rp_error *err) {
  struct stat s;
  *made = 0;
  if (stat(path, &s) == 0) return S_ISDIR(s.st_mode) ? RP_OK : refuse_folder(path, ENOTDIR, err);
  char *text = strdup(path);
  if (!text) return err->status = RP_ERR_MEMORY;
  int failed = *path ? 0 : ENOENT;
  for (char *at = text + 1; !failed; at++) { /* each folder of the path, the last one too */
    const char end = *at;
    if (end != '/' && end != 0) continue;
    *at = 0;
    if (mkdir(text, 0777) == 0)
      ++*made;
    else if (errno != EEXIST)
      failed = errno;
    *at = end;
    if (!end) break;
  }
  free(text);
  if (!failed && stat(path, &s) == 0 && S_ISDIR(s.st_mode)) return RP_OK;
  return refuse_folder(path, failed ? failed : ENOTDIR, err);
}

void cli_unmake_folder(const char *path, unsigned made) {
  char *text = strdup(path);
  for (; text && made; made--) {
    size_t n = strlen(text);
    while (n > 1 && text[n - 1] == '/') text[--n] = 0;
    if (rmdir(text) != 0) break;
    char *slash = strrchr(text, '/');
    if (!slash) break;
    *slash = 0;
  }
  free(text);
}
