/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * make_tampered <recorded file> <new folder>: writes every tampered file and an index of them, one line each: name,
 * "always", "checksum" or "checked" (tamper.h), path; separated by tabs.
 */
#include "tamper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int write_file(const char *path, const void *data, size_t bytes) {
  FILE *file = fopen(path, "wb");
  int good = file && fwrite(data, 1, bytes, file) == bytes;
  if (file && fclose(file) != 0) good = 0;
  return good;
}

int main(int argc, char **argv) {
  static const char *const seen[] = {"always", "checksum", "checked"};
  enum { LARGEST = 1 << 20 };
  static _Alignas(64) uint8_t good[LARGEST], file[LARGEST];
  char path[4096];
  if (argc != 3) {
    fprintf(stderr, "usage: make_tampered <recorded file> <new folder>\n");
    return 2;
  }
  FILE *in = fopen(argv[1], "rb");
  const size_t bytes = in ? fread(good, 1, sizeof good, in) : 0;
  if (in) fclose(in);
  snprintf(path, sizeof path, "%s/index.tsv", argv[2]);
  FILE *index = bytes != 0 && bytes < sizeof good && mkdir(argv[2], 0755) == 0 ? fopen(path, "w") : NULL;
  if (!index) {
    perror(argv[2]);
    return 1;
  }
  int failed = 0;
  for (size_t i = 0; i < tamper_count && !failed; i++) {
    const tamper_case *c = &tamper_cases[i];
    memcpy(file, good, bytes);
    if (!tamper_apply(c, file, bytes)) continue;
    snprintf(path, sizeof path, "%s/%s.rpk", argv[2], c->name);
    failed = !write_file(path, file, bytes);
    fprintf(index, "%s\t%s\t%s\n", c->name, seen[c->seen], path);
  }
  if (fclose(index) != 0) failed = 1;
  return failed;
}
