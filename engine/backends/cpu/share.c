/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Memory that other programs map too: a memfd of the library's, or a descriptor of theirs.
 */
#include "cpu.h"

#include "secret.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maps the pages in which bytes [offset, offset + bytes) lie. */
static rp_status map(int fd, uint64_t offset, uint64_t bytes, rp_memory *memory, rp_error *err) {
  const uint64_t inside = offset % rp_page_bytes();
  void *base = bytes > SIZE_MAX - inside ? MAP_FAILED
                                         : mmap(NULL, (size_t)(inside + bytes), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                                                (off_t)(offset - inside));
  if (base == MAP_FAILED)
    return rp_fail(err, RP_ERR_ARGUMENT,
                   "descriptor %d cannot be mapped for reading and writing, %llu bytes from %llu on: %s", fd,
                   (unsigned long long)bytes, (unsigned long long)offset, strerror(errno));
  char *host = (char *)base + inside;
  *memory = (rp_memory){.address = (uint64_t)(uintptr_t)host, .host = host, .bytes = bytes, .native = base};
  return RP_OK;
}

void cpu_memory_unmap(rp_memory *memory) {
  (void)munmap(memory->native, (size_t)((char *)memory->host - (char *)memory->native) + (size_t)memory->bytes);
  *memory = (rp_memory){0};
}

/* The pages are taken now, because a lack of them would kill the program that touches them first. Nobody can
 * change the size. */
static int make_file(uint64_t bytes) {
  const int fd = memfd_create("reprise", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (fd < 0) return -1;
  const int error = posix_fallocate(fd, 0, (off_t)bytes);
  if (!error && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0) return fd;
  if (error) errno = error;
  const int why = errno;
  (void)close(fd); /* nothing is in it */
  errno = why;
  return -1;
}

rp_status cpu_memory_share(void *state, uint64_t bytes, rp_memory *memory, rp_shared_memory *shared, rp_error *err) {
  const cpu_device *device = state;
  const uint64_t page = rp_page_bytes(), most = device->info.limits.max_allocation_bytes;
  if (bytes > most)
    return rp_fail(err, RP_ERR_DEVICE_MEMORY, "a block of %llu bytes does not fit in this machine's %llu bytes",
                   (unsigned long long)bytes, (unsigned long long)most);
  const uint64_t whole = (bytes + page - 1) / page * page;
  const int fd = make_file(whole);
  if (fd < 0)
    return rp_fail(err, RP_ERR_DEVICE_MEMORY, "no memory of %llu bytes that other programs can map: %s",
                   (unsigned long long)whole, strerror(errno));
  const rp_status status = map(fd, 0, bytes, memory, err);
  if (status != RP_OK) {
    (void)close(fd); /* nothing is in it */
    return status;
  }
  *shared = (rp_shared_memory){.kind = RP_SHARE_MAPPED, .fd = fd, .memory_bytes = whole, .size_bytes = bytes};
  return RP_OK;
}

rp_status cpu_memory_import(void *state, const rp_shared_memory *shared, rp_memory *memory, rp_error *err) {
  struct stat info;
  (void)state;
  if (shared->kind != RP_SHARE_MAPPED)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "CPU devices import memory that can be mapped (RP_SHARE_MAPPED) only");
  if (fstat(shared->fd, &info) != 0)
    return rp_fail(err, RP_ERR_ARGUMENT, "descriptor %d: %s", (int)shared->fd, strerror(errno));
  if (!S_ISREG(info.st_mode) || (uint64_t)info.st_size < shared->offset_bytes + shared->size_bytes)
    return rp_fail(err, RP_ERR_ARGUMENT, "descriptor %d is no memory or file of at least %llu bytes", (int)shared->fd,
                   (unsigned long long)(shared->offset_bytes + shared->size_bytes));
  return map(shared->fd, shared->offset_bytes, shared->size_bytes, memory, err);
}
