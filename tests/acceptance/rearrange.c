/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * usage: rearrange ZKEY OUT ROTATION | rearrange ZKEY OUT far FIRST. Writes another file of the same key
 * (graphs/groth16/rearranged.h). Exit code 77 means that a file of over 4 GiB cannot be written here.
 */
#include "graphs/groth16/rearranged.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint8_t *read_all(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  uint8_t *data = NULL;
  if (!file) return NULL;
  if (fseek(file, 0, SEEK_END) == 0 && (*bytes = (size_t)ftell(file)) > 0) data = malloc(*bytes);
  rewind(file);
  if (data && fread(data, 1, *bytes, file) != *bytes) {
    free(data);
    data = NULL;
  }
  fclose(file);
  return data;
}

static int write_all(const char *path, const uint8_t *data, size_t bytes) {
  FILE *file = fopen(path, "wb");
  if (!file) return 0;
  int good = fwrite(data, 1, bytes, file) == bytes;
  return fclose(file) == 0 && good;
}

int main(int argc, char **argv) {
  size_t bytes = 0, out_bytes = 0;
  uint8_t *zkey = argc >= 4 ? read_all(argv[1], &bytes) : NULL;
  int code = 1;
  if (zkey && argc == 5) {
    code = rearranged_write_far(argv[2], zkey, bytes, (unsigned)atoi(argv[4])) == FAR_WRITTEN ? 0 : 77;
  } else if (zkey) {
    uint8_t *out = rearranged(zkey, bytes, (unsigned)atoi(argv[3]), &out_bytes);
    code = out && write_all(argv[2], out, out_bytes) ? 0 : 1;
    free(out);
  }
  free(zkey);
  if (code == 1) perror("rearrange");
  return code;
}
