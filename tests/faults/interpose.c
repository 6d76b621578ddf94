/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Stands between a program and the C library, and makes one call fail: set FAULT=CLASS:N, where CLASS is one of the
 * names below and N is the number of the call in its class, counted from 0. With FAULT_COUNTS=PATH, the number of calls
 * of each class is appended to that file when the program ends, as a line "CLASS COUNT": the program must run that many
 * times for each call to fail once. This file is used in two ways. Preloaded (LD_PRELOAD), it gets the calls of all
 * libraries. A program under a sanitizer contains the sanitizer's allocator, which comes before anything that is
 * preloaded: with FAULTS_LINKED this file is linked into the program, and the linker redirects to it the calls of the
 * program's own objects (--wrap=NAME for each NAME that is defined here). Calls that it lets through then go to the
 * sanitizer.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/types.h>
#include <unistd.h>

/* X(class, errno of the call that fails) */
#define CLASSES(X) \
  X(alloc, ENOMEM) \
  X(map, ENOMEM)   \
  X(open, EMFILE) X(read, EIO) X(write, ENOSPC) X(rename, EXDEV) X(sync, EIO) X(thread, EAGAIN) X(random, ENOSYS)

enum {
#define CLASS(name, error) CLASS_##name,
  CLASSES(CLASS)
#undef CLASS
      N_CLASSES
};
static const char *const names[] = {
#define NAME(name, error) #name,
    CLASSES(NAME)
#undef NAME
};
static const int errors[] = {
#define ERROR(name, error) error,
    CLASSES(ERROR)
#undef ERROR
};

static atomic_long counts[N_CLASSES];
static atomic_int active;
static int fail_class = -1;
static long fail_at = -1;

static int fails(int class) {
  if (!atomic_load_explicit(&active, memory_order_relaxed)) return 0;
  if (atomic_fetch_add(&counts[class], 1) != fail_at || class != fail_class) return 0;
  errno = errors[class];
  return 1;
}

__attribute__((constructor)) static void begin(void) {
  const char *fault = getenv("FAULT"), *colon = fault ? strchr(fault, ':') : NULL;
  for (int i = 0; colon && i < N_CLASSES; i++)
    if (strlen(names[i]) == (size_t)(colon - fault) && strncmp(fault, names[i], (size_t)(colon - fault)) == 0) {
      fail_class = i;
      fail_at = strtol(colon + 1, NULL, 10);
    }
  atomic_store(&active, 1);
}

__attribute__((destructor)) static void end(void) {
  char text[64];
  const char *path = getenv("FAULT_COUNTS");
  atomic_store(&active, 0);
  int fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT, 0666) : -1;
  for (int i = 0; fd >= 0 && i < N_CLASSES; i++) {
    int n = snprintf(text, sizeof text, "%s %ld\n", names[i], atomic_load(&counts[i]));
    if (write(fd, text, (size_t)n) != n) abort();
  }
  if (fd >= 0) close(fd);
}

/* MINE(name): the function here that replaces `name`. NEXT(name): sets `next` to the function that is replaced. POSIX
 * allows the result of dlsym to be used as a function. */
#ifdef FAULTS_LINKED
#define STANDS_FOR(name) extern __typeof__(name) __real_##name, __wrap_##name
#define MINE(name) __wrap_##name
#define NEXT(name) __typeof__(name) *const next = __real_##name
STANDS_FOR(malloc);
STANDS_FOR(calloc);
STANDS_FOR(realloc);
STANDS_FOR(aligned_alloc);
STANDS_FOR(posix_memalign);
STANDS_FOR(strdup);
STANDS_FOR(strndup);
STANDS_FOR(realpath);
STANDS_FOR(mmap);
STANDS_FOR(open);
STANDS_FOR(read);
STANDS_FOR(pread);
STANDS_FOR(write);
STANDS_FOR(pwrite);
STANDS_FOR(rename);
STANDS_FOR(linkat);
STANDS_FOR(renameat2);
STANDS_FOR(fsync);
STANDS_FOR(pthread_create);
STANDS_FOR(getrandom);
#else
#define MINE(name) name
#define NEXT(name)               \
  static __typeof__(name) *next; \
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name)
#endif

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

#ifdef FAULTS_LINKED
void *MINE(malloc)(size_t bytes) {
  NEXT(malloc);
  return fails(CLASS_alloc) ? NULL : next(bytes);
}
void *MINE(calloc)(size_t n, size_t bytes) {
  NEXT(calloc);
  return fails(CLASS_alloc) ? NULL : next(n, bytes);
}
void *MINE(realloc)(void *memory, size_t bytes) {
  NEXT(realloc);
  return fails(CLASS_alloc) ? NULL : next(memory, bytes);
}
void *MINE(aligned_alloc)(size_t align, size_t bytes) {
  NEXT(aligned_alloc);
  return fails(CLASS_alloc) ? NULL : next(align, bytes);
}
int MINE(posix_memalign)(void **memory, size_t align, size_t bytes) {
  NEXT(posix_memalign);
  return fails(CLASS_alloc) ? ENOMEM : next(memory, align, bytes);
}
char *MINE(strdup)(const char *text) {
  NEXT(strdup);
  return fails(CLASS_alloc) ? NULL : next(text);
}
char *MINE(strndup)(const char *text, size_t n) {
  NEXT(strndup);
  return fails(CLASS_alloc) ? NULL : next(text, n);
}
char *MINE(realpath)(const char *path, char *out) {
  NEXT(realpath);
  return fails(CLASS_alloc) ? NULL : next(path, out);
}
#else /* glibc's own names, because dlsym allocates; strdup and similar functions call these */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);

void *malloc(size_t bytes) { return fails(CLASS_alloc) ? NULL : __libc_malloc(bytes); }
void *calloc(size_t n, size_t bytes) { return fails(CLASS_alloc) ? NULL : __libc_calloc(n, bytes); }
void *realloc(void *memory, size_t bytes) { return fails(CLASS_alloc) ? NULL : __libc_realloc(memory, bytes); }
void *aligned_alloc(size_t align, size_t bytes) { return fails(CLASS_alloc) ? NULL : __libc_memalign(align, bytes); }
int posix_memalign(void **memory, size_t align, size_t bytes) {
  if (fails(CLASS_alloc)) return ENOMEM;
  *memory = __libc_memalign(align, bytes);
  return *memory ? 0 : ENOMEM;
}
#endif

/* ---- Files, threads and random numbers --------------------------------------------------------------------------- */

void *MINE(mmap)(void *at, size_t bytes, int protection, int flags, int fd, off_t offset) {
  NEXT(mmap);
  return fails(CLASS_map) ? MAP_FAILED : next(at, bytes, protection, flags, fd, offset);
}

int MINE(open)(const char *path, int flags, ...) {
  NEXT(open);
  va_list args;
  va_start(args, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
  va_end(args);
  return fails(CLASS_open) ? -1 : next(path, flags, mode);
}
ssize_t MINE(read)(int fd, void *data, size_t bytes) {
  NEXT(read);
  return fails(CLASS_read) ? -1 : next(fd, data, bytes);
}
ssize_t MINE(pread)(int fd, void *data, size_t bytes, off_t offset) {
  NEXT(pread);
  return fails(CLASS_read) ? -1 : next(fd, data, bytes, offset);
}
ssize_t MINE(write)(int fd, const void *data, size_t bytes) {
  NEXT(write);
  return fails(CLASS_write) ? -1 : next(fd, data, bytes);
}
ssize_t MINE(pwrite)(int fd, const void *data, size_t bytes, off_t offset) {
  NEXT(pwrite);
  return fails(CLASS_write) ? -1 : next(fd, data, bytes, offset);
}
int MINE(rename)(const char *from, const char *to) {
  NEXT(rename);
  return fails(CLASS_rename) ? -1 : next(from, to);
}
int MINE(linkat)(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  NEXT(linkat);
  return fails(CLASS_rename) ? -1 : next(from_folder, from, to_folder, to, flags);
}
int MINE(renameat2)(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  NEXT(renameat2);
  return fails(CLASS_rename) ? -1 : next(from_folder, from, to_folder, to, flags);
}
int MINE(fsync)(int fd) {
  NEXT(fsync);
  return fails(CLASS_sync) ? -1 : next(fd);
}
int MINE(pthread_create)(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  NEXT(pthread_create);
  return fails(CLASS_thread) ? EAGAIN : next(thread, attributes, start, argument);
}
ssize_t MINE(getrandom)(void *data, size_t bytes, unsigned flags) {
  NEXT(getrandom);
  return fails(CLASS_random) ? -1 : next(data, bytes, flags);
}
