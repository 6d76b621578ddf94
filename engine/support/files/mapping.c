/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mapping.h"

#include "read_ahead.h"
#include "text/error.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct support_file {
  int fd; /* -1: wrapped */
  bool mapped;
  const uint8_t *data;
  uint64_t size_bytes;
  support_read_ahead *ahead; /* NULL: none */
  const char *label;         /* the end of the name, short enough to leave room for a reason */
  char name[];
};

static support_file *file_new(const char *name) {
  size_t length = strlen(name);
  support_file *file = calloc(1, sizeof *file + length + 1);
  if (!file) return NULL;
  file->fd = -1;
  memcpy(file->name, name, length + 1);
  file->label = support_label(file->name);
  return file;
}

static const char *kind_name(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "not a regular file";
}

static rp_status open_regular(support_file *file, rp_error *err) {
  /* O_NONBLOCK: opening a pipe without a writer must not wait. It has no effect on regular files. */
  file->fd = open(file->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file->fd < 0) return support_fail(err, RP_ERR_FILE, "%s: cannot be opened: %s.", file->label, strerror(errno));
  struct stat st;
  if (fstat(file->fd, &st) != 0)
    return support_fail(err, RP_ERR_FILE, "%s: cannot be read: %s.", file->label, strerror(errno));
  if (!S_ISREG(st.st_mode))
    return support_fail(err, RP_ERR_FILE, "%s: is %s; a regular file is needed, because it is read at many places.",
                        file->label, kind_name(st.st_mode));
  if (st.st_size == 0) return support_fail(err, RP_ERR_FORMAT, "%s: is empty.", file->label);
  file->size_bytes = (uint64_t)st.st_size;
  return RP_OK;
}

rp_status support_file_open(const char *path, uint32_t flags, support_file **out, rp_error *err) {
  if (!out) return support_fail(err, RP_ERR_ARGUMENT, "support_file_open: the pointer for the file is NULL.");
  *out = NULL;
  if (!path) return support_fail(err, RP_ERR_ARGUMENT, "support_file_open: the path is NULL.");
  support_file *file = file_new(path);
  if (!file) return support_fail(err, RP_ERR_MEMORY, "%s: out of memory.", support_label(path));
  rp_status status = open_regular(file, err);
  if (status == RP_OK && (flags & SUPPORT_FILE_MAP)) {
    void *data = MAP_FAILED;
    if (file->size_bytes <= SIZE_MAX) data = mmap(NULL, (size_t)file->size_bytes, PROT_READ, MAP_PRIVATE, file->fd, 0);
    if (data == MAP_FAILED) {
      status =
          support_fail(err, errno == ENOMEM ? RP_ERR_MEMORY : RP_ERR_FILE,
                       "%s: cannot be mapped (%" PRIu64 " bytes): %s.", file->label, file->size_bytes, strerror(errno));
    } else {
      file->data = data;
      file->mapped = 1;
    }
  }
  if (status != RP_OK) {
    support_file_close(file);
    return status;
  }
  *out = file;
  return RP_OK;
}

rp_status support_file_wrap(const char *name, const void *data, uint64_t size_bytes, support_file **out,
                            rp_error *err) {
  if (!out) return support_fail(err, RP_ERR_ARGUMENT, "support_file_wrap: the pointer for the file is NULL.");
  *out = NULL;
  if (!name || (!data && size_bytes))
    return support_fail(err, RP_ERR_ARGUMENT, "support_file_wrap: the name or the data is NULL.");
  if (size_bytes == 0) return support_fail(err, RP_ERR_FORMAT, "%s: is empty.", support_label(name));
  support_file *file = file_new(name);
  if (!file) return support_fail(err, RP_ERR_MEMORY, "%s: out of memory.", support_label(name));
  file->data = data;
  file->size_bytes = size_bytes;
  *out = file;
  return RP_OK;
}

void support_file_close(support_file *file) {
  if (!file) return;
  support_file_read_ahead(file, 0);
  if (file->mapped) munmap((void *)(uintptr_t)file->data, (size_t)file->size_bytes);
  if (file->fd >= 0) (void)close(file->fd); /* it was only read */
  free(file);
}

void support_file_read_ahead(support_file *file, bool on) {
  if (on && !file->ahead && file->fd >= 0) file->ahead = support_read_ahead_begin(file->name, file->size_bytes);
  if (on) return;
  support_read_ahead_end(file->ahead);
  file->ahead = NULL;
}

void support_file_reached(const support_file *file, uint64_t offset) {
  support_read_ahead_reached(file->ahead, offset);
}

const char *support_file_name(const support_file *file) { return file->label; }
int support_file_descriptor(const support_file *file) { return file->fd; }
uint64_t support_file_size(const support_file *file) { return file->size_bytes; }
const uint8_t *support_file_data(const support_file *file) { return file->data; }

static rp_status inside(const support_file *file, uint64_t offset, uint64_t size_bytes, rp_error *err) {
  if (offset <= file->size_bytes && size_bytes <= file->size_bytes - offset) return RP_OK;
  return support_fail(err, RP_ERR_FORMAT,
                      "%s: is cut short: %" PRIu64 " bytes are expected at byte %" PRIu64 ", the file has %" PRIu64 ".",
                      file->label, size_bytes, offset, file->size_bytes);
}

rp_status support_file_read(const support_file *file, uint64_t offset, uint64_t size_bytes, void *out, rp_error *err) {
  rp_status status = inside(file, offset, size_bytes, err);
  if (status != RP_OK) return status;
  if (file->data) {
    if (size_bytes) memcpy(out, file->data + offset, (size_t)size_bytes);
    return RP_OK;
  }
  uint8_t *to = out;
  while (size_bytes) {
    size_t part = size_bytes < (1u << 30) ? (size_t)size_bytes : (size_t)1 << 30;
    ssize_t got = pread(file->fd, to, part, (off_t)offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return support_fail(err, RP_ERR_FILE, "%s: cannot be read at byte %" PRIu64 ": %s.", file->label, offset,
                          strerror(errno));
    if (got == 0)
      return support_fail(err, RP_ERR_FORMAT,
                          "%s: was cut short while it was read: nothing at byte %" PRIu64 ", it had %" PRIu64 " bytes.",
                          file->label, offset, file->size_bytes);
    to += got;
    offset += (uint64_t)got;
    size_bytes -= (uint64_t)got;
  }
  support_read_ahead_reached(file->ahead, offset);
  return RP_OK;
}

rp_status support_file_peek(const support_file *file, uint64_t offset, uint64_t size_bytes, void *scratch,
                            const uint8_t **data, rp_error *err) {
  *data = NULL;
  if (file->data) {
    rp_status status = inside(file, offset, size_bytes, err);
    if (status == RP_OK) *data = file->data + offset;
    return status;
  }
  rp_status status = support_file_read(file, offset, size_bytes, scratch, err);
  if (status == RP_OK) *data = scratch;
  return status;
}

rp_status support_file_slurp(const support_file *file, uint64_t limit_bytes, uint8_t **data, rp_error *err) {
  *data = NULL;
  if (file->size_bytes > limit_bytes)
    return support_fail(err, RP_ERR_FORMAT, "%s: is too large: %" PRIu64 " bytes where at most %" PRIu64 " make sense.",
                        file->label, file->size_bytes, limit_bytes);
  uint8_t *memory = file->size_bytes <= SIZE_MAX ? rp_secret_alloc((size_t)file->size_bytes) : NULL;
  if (!memory)
    return support_fail(err, RP_ERR_MEMORY, "%s: out of memory: %" PRIu64 " bytes.", file->label, file->size_bytes);
  rp_status status = support_file_read(file, 0, file->size_bytes, memory, err);
  if (status != RP_OK) {
    rp_secret_free(memory, (size_t)file->size_bytes);
    return status;
  }
  *data = memory;
  return RP_OK;
}
