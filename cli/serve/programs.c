/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Programs of circom (circom --c) that compute a witness: PROGRAM INPUTS.json WITNESS.wtns. Both files are memory that
 * has no name in any file system. What the program itself does with the inputs is its own affair.
 */
#include "service.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { INPUTS = 3, WITNESS = 4 /* descriptors of the program */ };

static rp_status refuse(rp_error *err, rp_status status, const char *format, const char *name) {
  snprintf(err->reason, sizeof err->reason, format, name);
  return err->status = status;
}

/* Overwrites what a file in memory holds, and closes it. */
static void close_wiped(int fd) {
  static const uint8_t zeros[64 << 10];
  const off_t size = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);
  for (off_t at = 0; at < size; at += (off_t)sizeof zeros)
    (void)!pwrite(fd, zeros, sizeof zeros, at); /* its memory is allocated already */
  if (fd >= 0) (void)close(fd);                 /* nothing was written to a disk */
}

static bool write_all(int fd, const uint8_t *data, size_t bytes) {
  while (bytes) {
    const ssize_t n = write(fd, data, bytes);
    if (n <= 0) return false;
    data += n;
    bytes -= (size_t)n;
  }
  return true;
}

static bool start(const char *path, int inputs, int witness, pid_t *pid) {
  char *argv[] = {(char *)(uintptr_t)path, (char[]){"/dev/fd/3"}, (char[]){"/dev/fd/4"}, NULL};
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return 0;
  const bool failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) ||
                      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) ||
                      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) ||
                      posix_spawn_file_actions_adddup2(&actions, inputs, INPUTS) ||
                      posix_spawn_file_actions_adddup2(&actions, witness, WITNESS) ||
                      posix_spawnp(pid, path, &actions, NULL, argv, environ) != 0;
  posix_spawn_file_actions_destroy(&actions);
  return !failed;
}

static bool must_end(serve *service, const serve_job *job) {
  pthread_mutex_lock(&service->lock);
  const bool ended = job->ended_by != 0;
  pthread_mutex_unlock(&service->lock);
  return ended;
}

/* Whether the program succeeded; one whose job is cancelled, or late, is killed. */
static bool wait_for(serve *service, const serve_job *job, pid_t pid) {
  const struct timespec pause = {.tv_nsec = 2000000};
  int code = 0;
  for (;;) {
    const pid_t ended = waitpid(pid, &code, WNOHANG);
    if (ended == pid) return WIFEXITED(code) && WEXITSTATUS(code) == 0;
    if (ended < 0 && errno != EINTR) return 0;
    if (must_end(service, job)) (void)kill(pid, SIGKILL); /* it may have ended meanwhile */
    (void)nanosleep(&pause, NULL);                        /* a signal only makes it shorter */
  }
}

static rp_status take_witness(serve *service, serve_job *job, int fd, rp_error *err) {
  serve_body made = {0};
  const off_t size = lseek(fd, 0, SEEK_END);
  rp_status status = RP_OK;
  if (size <= 0 || (uint64_t)size > service->options->body_bytes)
    return refuse(err, RP_ERR_FORMAT, "the program of %s made no witness, or one that is too large", job->key->name);
  if (!serve_body_reserve(&made, &service->budget, (uint64_t)size))
    return refuse(err, RP_ERR_MEMORY, "there is no room for the witness of %s (--witness-bytes)", job->key->name);
  while (made.bytes < made.room) {
    const ssize_t n = pread(fd, made.data + made.bytes, made.room - made.bytes, (off_t)made.bytes);
    if (n <= 0) break;
    made.bytes += (size_t)n;
  }
  if (made.bytes < made.room) status = refuse(err, RP_ERR_FILE, "the witness of %s cannot be read", job->key->name);
  serve_body_free(&job->body);
  job->body = made;
  return status;
}

/* Descriptors of files in memory above those of the program, so that moving them cannot close one of them. */
static int memory_file(const char *name) {
  const int fd = memfd_create(name, MFD_CLOEXEC);
  if (fd < 0) return fd;
  const int high = fcntl(fd, F_DUPFD_CLOEXEC, WITNESS + 1);
  (void)close(fd); /* the other one has the memory */
  return high;
}

rp_status serve_run_program(serve *service, serve_job *job, rp_error *err) {
  char *path = NULL;
  pid_t pid = 0;
  if (asprintf(&path, "%s/%s", service->options->programs, job->key->name) < 0) return err->status = RP_ERR_MEMORY;
  const int inputs = memory_file("inputs"), witness = memory_file("witness");
  rp_status status = RP_OK;
  if (access(path, X_OK) != 0)
    status = refuse(err, RP_ERR_FILE, "there is no program that computes a witness of %s (--programs)", job->key->name);
  else if (inputs < 0 || witness < 0 || !write_all(inputs, job->body.data, job->body.bytes) ||
           lseek(inputs, 0, SEEK_SET) != 0 || !start(path, inputs, witness, &pid))
    status = refuse(err, RP_ERR_UNAVAILABLE, "the program of %s cannot be started", job->key->name);
  else if (!wait_for(service, job, pid))
    status = refuse(err, RP_ERR_INPUT, "the program of %s accepts no such inputs", job->key->name);
  if (status == RP_OK) status = take_witness(service, job, witness, err);
  close_wiped(inputs);
  close_wiped(witness);
  free(path);
  return status;
}
