/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "rearranged.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_HEAD = 12, SECTION_HEAD = 12, UNKNOWN = 77 };

typedef struct section {
  const uint8_t *at; /* its head */
  uint64_t bytes;    /* its size, with the head */
} section;

static void sections_of(const uint8_t *zkey, section s[REARRANGED_SECTIONS]) {
  const uint8_t *at = zkey + FILE_HEAD;
  for (int i = 0; i < REARRANGED_SECTIONS; i++) {
    uint64_t length;
    memcpy(&length, at + 4, 8);
    s[i] = (section){at, SECTION_HEAD + length};
    at += s[i].bytes;
  }
}

static uint8_t *put(uint8_t *to, const void *from, size_t bytes) {
  memcpy(to, from, bytes);
  return to + bytes;
}

static uint8_t *put_head(uint8_t *to, uint32_t id, uint64_t length) {
  return put(put(to, &id, sizeof id), &length, sizeof length);
}

static uint8_t *put_file_head(uint8_t *to, const uint8_t *zkey, uint32_t n_sections) {
  return put(put(to, zkey, 8), &n_sections, sizeof n_sections);
}

uint8_t *rearranged(const uint8_t *zkey, size_t bytes, unsigned rotation, size_t *out_bytes) {
  section s[REARRANGED_SECTIONS];
  uint8_t *out = malloc(bytes + 64 * REARRANGED_SECTIONS), *to = out;
  if (!out) return NULL;
  sections_of(zkey, s);
  to = put_file_head(to, zkey, 2 * REARRANGED_SECTIONS);
  for (uint32_t i = 0; i < REARRANGED_SECTIONS; i++) {
    /* 3 and 10 have no common divisor, so this reaches all sections */
    const section *from = &s[(3 * i + rotation) % REARRANGED_SECTIONS];
    const uint64_t filler = 1 + 2 * (i % 7);
    to = put_head(to, UNKNOWN + i, filler);
    memset(to, 0xaa, filler);
    to = put(to + filler, from->at, from->bytes);
  }
  *out_bytes = (size_t)(to - out);
  return out;
}

static int write_all(int fd, const uint8_t *data, uint64_t bytes) {
  while (bytes) {
    ssize_t n = write(fd, data, bytes);
    if (n < 0) return 0;
    data += n;
    bytes -= (uint64_t)n;
  }
  return 1;
}

static int write_far(int fd, const uint8_t *zkey, unsigned first) {
  const uint64_t hole = ((uint64_t)4 << 30) + 4099;
  section s[REARRANGED_SECTIONS];
  uint8_t head[FILE_HEAD];
  sections_of(zkey, s);
  put_file_head(head, zkey, REARRANGED_SECTIONS + 1);
  int good = write_all(fd, head, sizeof head);
  for (unsigned i = 0; i < REARRANGED_SECTIONS && good; i++) {
    if (i == first) {
      put_head(head, UNKNOWN, hole);
      good = write_all(fd, head, SECTION_HEAD) && lseek(fd, (off_t)hole, SEEK_CUR) >= 0;
    }
    good = good && write_all(fd, s[i].at, s[i].bytes);
  }
  return good;
}

rearranged_far rearranged_write_far(const char *path, const uint8_t *zkey, size_t bytes, unsigned first) {
  struct stat st = {0};
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return FAR_REFUSED;
  int good = write_far(fd, zkey, first) && fstat(fd, &st) == 0, reason = errno;
  good = close(fd) == 0 && good;
  const int sparse = (uint64_t)st.st_blocks * 512 <= bytes + ((uint64_t)64 << 20);
  if (!good || !sparse) unlink(path);
  errno = reason;
  return !good ? FAR_REFUSED : sparse ? FAR_WRITTEN : FAR_NOT_SPARSE;
}
