/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "range.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t round_up(uint64_t bytes, uint64_t page) { return (bytes + page - 1) / page * page; }

/* A page behind the end of the file must not be mapped, since reading it would raise SIGBUS. */
static bool has_its_size(const support_file *file) {
  struct stat st;
  return fstat(support_file_descriptor(file), &st) == 0 && (uint64_t)st.st_size >= support_file_size(file);
}

bool support_range_map(const support_file *file, uint64_t offset, uint64_t size_bytes, uint64_t before, uint64_t after,
                       support_range *range) {
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), file_bytes = support_file_size(file);
  const int fd = support_file_descriptor(file);
  if (fd < 0 || before > offset || offset > file_bytes || size_bytes > file_bytes - offset || !has_its_size(file))
    return 0;
  const uint64_t first = (offset - before) / page * page;
  const uint64_t bytes = round_up(offset - first + size_bytes + after, page);
  const uint64_t left = round_up(file_bytes, page) - first, of_file = bytes < left ? bytes : left;
  if (after > SIZE_MAX / 4 || bytes > SIZE_MAX) return 0;
  uint8_t *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 0;
  if (mmap(memory, (size_t)of_file, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, fd, (off_t)first) != memory) {
    (void)munmap(memory, (size_t)bytes);
    return 0;
  }
  *range = (support_range){memory, bytes, memory + (offset - first)};
  return 1;
}

void support_range_unmap(const support_range *range) {
  if (range->memory) (void)munmap(range->memory, (size_t)range->bytes);
}
