/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A second process, which opens a device of its own and shares memory with the test (rp_buffer_import). It is forked
 * before the test opens anything, and gets descriptors through a socket. Each piece of memory that it is sent it
 * imports, and replaces every word w in it by 2 w + 1; then it answers with a status.
 */
#ifndef REPRISE_TESTS_SHARE_CHILD_H
#define REPRISE_TESTS_SHARE_CHILD_H

#include <reprise/host_program.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct share_child {
  pid_t process;
  int socket;
} share_child;

static inline int share_send(int socket, const rp_shared_memory *memory) {
  union {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {.bytes = {0}};
  struct iovec data = {.iov_base = (void *)memory, .iov_len = sizeof *memory};
  struct msghdr m = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes};
  const int fd = memory->fd;
  struct cmsghdr *c = CMSG_FIRSTHDR(&m);
  c->cmsg_level = SOL_SOCKET;
  c->cmsg_type = SCM_RIGHTS;
  c->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(c), &fd, sizeof fd);
  return sendmsg(socket, &m, 0) == (ssize_t)sizeof *memory;
}

static inline int share_receive(int socket, rp_shared_memory *memory) {
  union {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {.bytes = {0}};
  struct iovec data = {.iov_base = memory, .iov_len = sizeof *memory};
  struct msghdr m = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes};
  if (recvmsg(socket, &m, 0) != (ssize_t)sizeof *memory || !CMSG_FIRSTHDR(&m)) return 0;
  memcpy(&memory->fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof memory->fd);
  return 1;
}

static inline rp_status share_work(rp_device *device, const rp_shared_memory *memory) {
  rp_buffer *buffer = NULL;
  uint64_t *words = malloc((size_t)memory->size_bytes);
  rp_status status = rp_buffer_import(device, memory, &buffer, NULL);
  close(memory->fd); /* the buffer keeps the memory */
  if (!status) status = rp_buffer_read(buffer, 0, words, memory->size_bytes, NULL);
  for (uint64_t i = 0; !status && i < memory->size_bytes / 8; i++) words[i] = 2 * words[i] + 1;
  if (!status) status = rp_buffer_write(buffer, 0, words, memory->size_bytes, NULL);
  rp_buffer_destroy(buffer);
  free(words);
  return status;
}

static inline void share_serve(int socket, rp_device_kind kind) {
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_shared_memory memory;
  const rp_device_options options = {.struct_size = sizeof options, .kind = kind};
  while (share_receive(socket, &memory)) {
    rp_status status = context ? RP_OK : rp_context_create(NULL, &context, NULL);
    if (!status && !device) status = rp_device_open(context, &options, &device, NULL);
    if (!status) status = share_work(device, &memory);
    const int32_t answer = (int32_t)status;
    if (write(socket, &answer, sizeof answer) != (ssize_t)sizeof answer) break;
  }
  rp_device_close(device);
  rp_context_destroy(context);
}

/* Before anything of the library or of a driver is opened. */
static inline share_child share_start(rp_device_kind kind) {
  int ends[2];
  share_child child = {.process = -1, .socket = -1};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends)) return child;
  child.process = fork();
  if (child.process == 0) {
    close(ends[0]);
    share_serve(ends[1], kind);
    _exit(0);
  }
  close(ends[1]);
  child.socket = ends[0];
  return child;
}

/* What the child answers. */
static inline rp_status share_ask(const share_child *child, const rp_shared_memory *memory) {
  int32_t answer = RP_ERR_INTERNAL;
  if (!share_send(child->socket, memory) || read(child->socket, &answer, sizeof answer) != (ssize_t)sizeof answer)
    return RP_ERR_INTERNAL;
  return (rp_status)answer;
}

/* 1 if the child has ended well. */
static inline int share_end(const share_child *child) {
  int status = 1;
  close(child->socket);
  return waitpid(child->process, &status, 0) == child->process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* A run of y = factor x: the child changes its input before it, and its output after it. Ends the child, and gives the
 * buffers and descriptors back. */
typedef struct share_side {
  rp_value value;
  rp_buffer *buffer;
  rp_shared_memory memory;
} share_side;

static inline void share_check_run(const share_child *child, rp_recording *recording, share_side *x, share_side *y,
                                   uint64_t factor) {
  const uint64_t bytes = x->memory.size_bytes, n = bytes / 8;
  uint64_t *words = malloc((size_t)bytes);
  rp_run *run = NULL;
  assert_non_null(words);
  for (uint64_t i = 0; i < n; i++) words[i] = i;
  assert_int_equal(rp_buffer_write(x->buffer, 0, words, bytes, NULL), RP_OK);
  assert_int_equal(share_ask(child, &x->memory), RP_OK);
  assert_int_equal(rp_run_begin(recording, 0, &run, NULL), RP_OK);
  assert_int_equal(rp_run_bind_input(run, x->value, x->buffer, 0), RP_OK);
  assert_int_equal(rp_run_bind_output(run, y->value, y->buffer, 0), RP_OK);
  assert_int_equal(rp_run_submit(run), RP_OK);
  assert_int_equal(rp_run_wait(run, UINT64_MAX), RP_OK);
  rp_run_end(run);
  assert_int_equal(share_ask(child, &y->memory), RP_OK);
  assert_int_equal(rp_buffer_read(y->buffer, 0, words, bytes, NULL), RP_OK);
  for (uint64_t i = 0; i < n; i++) assert_int_equal(words[i], 2 * (factor * (2 * i + 1)) + 1);
  free(words);
  assert_true(share_end(child));
  close(x->memory.fd);
  close(y->memory.fd);
  rp_buffer_destroy(x->buffer);
  rp_buffer_destroy(y->buffer);
}

#endif
