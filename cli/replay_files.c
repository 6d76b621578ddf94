/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "replay.h"

#include "gnark.h"

#include <stdlib.h>
#include <string.h>

static const char *const input_ending[2][3] = {{".wtns"}, {".bin", ".mont"}}; /* of gnark: the second */
static const char *const output_ending[] = {"proof.json", "public.json", "proof.bin", "public.wit"};

/* The part before the ending of the last component of a path. */
static int stem_length(const char *path, bool gnark, const char **stem) {
  const char *slash = strrchr(path, '/');
  *stem = slash ? slash + 1 : path;
  const size_t n = strlen(*stem);
  for (const char *const *ending = input_ending[gnark]; *ending; ending++) {
    const size_t m = strlen(*ending);
    if (n > m && strcmp(*stem + n - m, *ending) == 0) return (int)(n - m);
  }
  return (int)n;
}

char *replay_path(const char *dir, const char *witness, int which) {
  const char *stem;
  const int n = stem_length(witness, which >= REPLAY_GNARK_PROOF, &stem);
  const size_t room = strlen(dir) + (size_t)n + 16;
  char *path = malloc(room);
  if (path) snprintf(path, room, "%s/%.*s.%s", dir, n, stem, output_ending[which]);
  return path;
}

cli_exit replay_check_paths(const cli_call *call, const char *dir, const char *made_from) {
  const unsigned n_inputs = call->n_args + 1, n_outputs = 2 * (call->n_args - 1);
  /* The key of a farm may be named by its digest: then the witnesses tell. */
  const bool gnark = cli_gnark_is_key(call->args[0]) || cli_kind_of(call->args[1]) == RP_FILE_GNARK_SOLUTION;
  const int first = gnark ? REPLAY_GNARK_PROOF : REPLAY_PROOF;
  char **paths = calloc((size_t)n_inputs + n_outputs, sizeof *paths);
  bool good = paths != NULL;
  for (unsigned i = 0; good && i < call->n_args; i++) paths[i] = call->args[i];
  if (good) paths[call->n_args] = (char *)(uintptr_t)made_from; /* only read */
  for (unsigned i = 0; good && i < n_outputs; i++) {
    paths[n_inputs + i] = replay_path(dir, call->args[1 + i / 2], first + (int)(i % 2));
    good = paths[n_inputs + i] != NULL;
  }
  const cli_exit code = good ? cli_check_outputs(call, (const char *const *)paths, n_inputs, n_inputs + n_outputs)
                             : cli_refuse(call, CLI_MEMORY, "%s", rp_status_text(RP_ERR_MEMORY));
  for (unsigned i = 0; paths && i < n_outputs; i++) free(paths[n_inputs + i]);
  free(paths);
  return code;
}
