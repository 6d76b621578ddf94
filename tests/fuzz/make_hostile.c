/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * make_hostile <folder of test data> <new folder>: writes every hostile file, and an index with one line per file:
 * name, kind, expected status, path of the fixture's folder, path of the hostile file, separated by tabs.
 */
#include "hostile.h"

#include <stdio.h>
#include <sys/stat.h>

int main(int argc, char **argv) {
  char path[4096];
  if (argc != 3) {
    fprintf(stderr, "usage: make_hostile <folder of test data> <new folder>\n");
    return 2;
  }
  if (mkdir(argv[2], 0755) != 0) {
    perror(argv[2]);
    return 1;
  }
  snprintf(path, sizeof path, "%s/index.tsv", argv[2]);
  FILE *index = fopen(path, "w");
  if (!index) {
    perror(path);
    return 1;
  }
  for (size_t i = 0; i < hostile_count; i++) {
    const hostile_case *c = &hostile_cases[i];
    if (!hostile_write(c, argv[1], argv[2], path, sizeof path)) {
      fprintf(stderr, "%s: cannot be made\n", c->name);
      fclose(index);
      return 1;
    }
    fprintf(index, "%s\t%s\t%s\t%s/fixtures/%s\t%s\n", c->name, hostile_kind_name(c->kind), rp_status_name(c->status),
            argv[1], hostile_fixture(c), path);
  }
  return fclose(index) == 0 ? 0 : 1;
}
