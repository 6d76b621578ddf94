/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "output.h"

#include "text/error.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

struct support_output {
  int fd;
  bool direct;
  bool unnamed;    /* the file has no name yet; `temporary` is the one that it will get */
  char *name;      /* as the caller gave it, for reasons */
  char *target;    /* with symbolic links followed; NULL: direct */
  char *temporary; /* NULL: direct, or already renamed */
  bool swapped;    /* `temporary` is the name of the file that was replaced */
  bool created;    /* `target` did not exist before */
};

static rp_status out_of_memory(const char *path, rp_error *err) {
  return support_fail(err, RP_ERR_MEMORY, "%s: out of memory.", support_label(path));
}

static rp_status write_failed(const support_output *output, rp_error *err) {
  return support_fail(err, RP_ERR_FILE, "%s: cannot be written: %s.", support_label(output->name), strerror(errno));
}

static bool starts_with(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

int support_output_descriptor(const char *path) {
  static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
  if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) return STDOUT_FILENO;
  if (strcmp(path, "/dev/stderr") == 0) return STDERR_FILENO;
  for (int i = 0; i < 2; i++) {
    char *end = NULL;
    if (!starts_with(path, folders[i])) continue;
    long number = strtol(path + strlen(folders[i]), &end, 10);
    if (*end == 0 && end != path + strlen(folders[i]) && number >= 0 && number <= INT_MAX) return (int)number;
  }
  return -1;
}

/* Opens a file without a name if the file system supports them: nothing stays behind, whatever ends the process. It
 * gets its name through /proc. */
static int open_unnamed(const char *target, int folder) {
  char *path = folder ? strndup(target, (size_t)folder) : strdup(".");
  int fd = path && access("/proc/self/fd", X_OK) == 0 ? open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666) : -1;
  free(path);
  return fd;
}

static rp_status open_temporary(support_output *output, mode_t mode, rp_error *err) {
  const char *slash = strrchr(output->target, '/');
  int folder = slash ? (int)(slash - output->target) + 1 : 0;
  size_t room = strlen(output->target) + 32;
  char *name = malloc(room);
  if (!name) return out_of_memory(output->name, err);
  output->fd = open_unnamed(output->target, folder);
  output->unnamed = output->fd >= 0;
  for (int attempt = 0; attempt < 16; attempt++) {
    uint64_t random = 0;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != (ssize_t)sizeof random) random = (uint64_t)getpid() * 16;
    snprintf(name, room, "%.*s.reprise-%016" PRIx64, folder, output->target, random + (uint64_t)attempt);
    if (output->unnamed) break;
    output->fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (output->fd >= 0 || errno != EEXIST) break;
  }
  if (output->fd >= 0) {
    output->temporary = name;
    if (mode && fchmod(output->fd, mode) != 0) return write_failed(output, err);
    return RP_OK;
  }
  rp_status status = write_failed(output, err);
  free(name);
  return status;
}

static rp_status give_name(support_output *output, rp_error *err) {
  char open_file[32];
  snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", output->fd);
  if (linkat(AT_FDCWD, open_file, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW) != 0)
    return write_failed(output, err);
  output->unnamed = 0;
  return RP_OK;
}

static rp_status open_direct(support_output *output, int fd, rp_error *err) {
  output->direct = 1;
  output->fd = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : open(output->name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  return output->fd >= 0 ? RP_OK : write_failed(output, err);
}

static rp_status open_output(support_output *output, rp_error *err) {
  struct stat st;
  mode_t mode = 0; /* 0: as the process's umask says */
  const int fd = support_output_descriptor(output->name);
  /* A descriptor that is open already is duplicated: it may be a regular file that is being appended to. */
  if (fd >= 0) return open_direct(output, fd, err);
  size_t length = strlen(output->name);
  if (length == 0) return support_fail(err, RP_ERR_FILE, "The name of the file to write is empty.");
  if (stat(output->name, &st) == 0) {
    if (S_ISDIR(st.st_mode))
      return support_fail(err, RP_ERR_FILE, "%s: is a folder; a file name is needed.", support_label(output->name));
    if (!S_ISREG(st.st_mode)) return open_direct(output, -1, err);
    /* Renaming would replace even a file that is not writable. */
    if (access(output->name, W_OK) != 0) return write_failed(output, err);
    output->target = realpath(output->name, NULL);
    mode = st.st_mode & 0777;
  } else {
    if (output->name[length - 1] == '/')
      return support_fail(err, RP_ERR_FILE, "%s: is not a file name.", support_label(output->name));
    output->target = strdup(output->name);
  }
  return output->target ? open_temporary(output, mode, err) : out_of_memory(output->name, err);
}

rp_status support_output_begin(const char *path, support_output **out, rp_error *err) {
  *out = NULL;
  if (!path) return support_fail(err, RP_ERR_ARGUMENT, "support_output_begin: the path is NULL.");
  support_output *output = calloc(1, sizeof *output);
  if (!output) return out_of_memory(path, err);
  output->fd = -1;
  output->name = strdup(path);
  rp_status status = output->name ? open_output(output, err) : out_of_memory(path, err);
  if (status != RP_OK) {
    support_output_abort(output);
    return status;
  }
  *out = output;
  return RP_OK;
}

void support_output_abort(support_output *output) {
  if (!output) return;
  /* Failures are ignored: a file that cannot be removed has no name that anybody asked for. */
  if (output->fd >= 0) (void)close(output->fd);
  if (output->temporary && !output->unnamed) (void)unlink(output->temporary); /* likewise */
  free(output->temporary);
  free(output->target);
  free(output->name);
  free(output);
}

rp_status support_output_write(support_output *output, const void *data, uint64_t size_bytes, rp_error *err) {
  const uint8_t *from = data;
  while (size_bytes) {
    ssize_t done = write(output->fd, from, size_bytes < (1u << 30) ? (size_t)size_bytes : (size_t)1 << 30);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return write_failed(output, err);
    from += done;
    size_bytes -= (uint64_t)done;
  }
  return RP_OK;
}

/* Flushes the file to the disk if `sync`, gives it a name in the folder, and closes it: afterwards only the rename can
 * fail. */
static rp_status settle(support_output *output, bool sync, rp_error *err) {
  rp_status status = RP_OK;
  if (sync && output->temporary && fsync(output->fd) != 0) status = write_failed(output, err);
  if (status == RP_OK && output->unnamed && output->temporary) status = give_name(output, err);
  int fd = output->fd;
  output->fd = -1;
  if (close(fd) != 0 && status == RP_OK) status = write_failed(output, err);
  return status;
}

/* Makes the rename itself durable, too, if the file system can do that for a folder. */
static void settle_folder(const char *target) {
  const char *slash = strrchr(target, '/');
  char *folder = slash ? strndup(target, (size_t)(slash - target) + 1) : strdup(".");
  int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (fd >= 0) {
    (void)fsync(fd); /* see above */
    (void)close(fd); /* nothing was written to it */
  }
  free(folder);
}

/* `undoable`: a file that is replaced exchanges its name with the new one, if the file system can do that, and is
 * removed only when all outputs have their names. */
static rp_status take_name(support_output *output, bool undoable, rp_error *err) {
  if (!output->temporary) return RP_OK;
  if (undoable) {
    if (renameat2(AT_FDCWD, output->temporary, AT_FDCWD, output->target, RENAME_EXCHANGE) == 0) {
      output->swapped = 1;
      return RP_OK;
    }
    output->created = errno == ENOENT;
  }
  if (rename(output->temporary, output->target) != 0) {
    output->created = 0;
    return write_failed(output, err);
  }
  free(output->temporary);
  output->temporary = NULL;
  return RP_OK;
}

static void give_name_back(const support_output *output) {
  if (output->created) (void)unlink(output->target); /* a file that cannot be removed is complete */
  /* A failure leaves the new file, which is complete, and removes the old one. */
  if (output->swapped && renameat2(AT_FDCWD, output->temporary, AT_FDCWD, output->target, RENAME_EXCHANGE) != 0) return;
}

static rp_status finish(support_output **outputs, uint32_t n, bool sync, rp_error *err) {
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < n && status == RP_OK; i++) status = settle(outputs[i], sync, err);
  for (uint32_t i = 0; i < n && status == RP_OK; i++) status = take_name(outputs[i], n > 1, err);
  for (uint32_t i = 0; i < n; i++) {
    if (status != RP_OK) give_name_back(outputs[i]);
    if (status == RP_OK && sync && outputs[i]->target) settle_folder(outputs[i]->target);
  }
  for (uint32_t i = 0; i < n; i++) {
    support_output_abort(outputs[i]);
    outputs[i] = NULL;
  }
  return status;
}

rp_status support_output_commit(support_output **outputs, uint32_t n, rp_error *err) {
  return finish(outputs, n, 1, err);
}
rp_status support_output_publish(support_output **outputs, uint32_t n, rp_error *err) {
  return finish(outputs, n, 0, err);
}

rp_status support_output_file(const char *path, const void *data, uint64_t size_bytes, rp_error *err) {
  support_output *output;
  rp_status status = support_output_begin(path, &output, err);
  if (status != RP_OK) return status;
  status = support_output_write(output, data, size_bytes, err);
  if (status == RP_OK) return support_output_commit(&output, 1, err);
  support_output_abort(output);
  return status;
}
