/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Two programs that share memory: one has a polynomial, the other squares it, and nothing is copied between them. The
 * first one knows nothing of the library: it sends a descriptor of its memory through a socket, and gets one of the
 * result, which it maps. With a GPU device, descriptors are those of the driver (rp_share_kind), and the rest is the
 * same.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <reprise/host_program.h>
#include <reprise/ops.h>

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 8, BYTES = 32 * N };

/* ---- Descriptors through a socket -------------------------------------------------------------------------------- */

typedef union control_data {
  struct cmsghdr head;
  char bytes[CMSG_SPACE(sizeof(int))];
} control_data;

static struct msghdr message_of(struct iovec *data, control_data *control) {
  memset(control, 0, sizeof *control);
  return (struct msghdr){
      .msg_iov = data, .msg_iovlen = 1, .msg_control = control->bytes, .msg_controllen = sizeof control->bytes};
}

static bool send_memory(int socket, const rp_shared_memory *memory) {
  control_data control;
  struct iovec data = {.iov_base = (void *)memory, .iov_len = sizeof *memory};
  struct msghdr m = message_of(&data, &control);
  struct cmsghdr *c = CMSG_FIRSTHDR(&m);
  const int fd = memory->fd;
  *c = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
  memcpy(CMSG_DATA(c), &fd, sizeof fd);
  return sendmsg(socket, &m, MSG_NOSIGNAL) == (ssize_t)sizeof *memory;
}

static bool receive_memory(int socket, rp_shared_memory *memory) {
  control_data control;
  struct iovec data = {.iov_base = memory, .iov_len = sizeof *memory};
  struct msghdr m = message_of(&data, &control);
  if (recvmsg(socket, &m, MSG_CMSG_CLOEXEC) != (ssize_t)sizeof *memory || !CMSG_FIRSTHDR(&m)) return false;
  memcpy(&memory->fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof memory->fd);
  return true;
}

/* ---- The program with the library -------------------------------------------------------------------------------- */

static rp_status record_square(rp_device *device, rp_recording **recording, rp_value *x, rp_value *y, rp_error *err) {
  const rp_ntt_options there = {.struct_size = sizeof there, .root = RP_ROOT_SNARKJS};
  const rp_ntt_options back = {.struct_size = sizeof back, .root = RP_ROOT_SNARKJS, .inverse = 1};
  rp_graph *g = NULL;
  rp_status status = rp_graph_create(rp_device_context(device), "square", &g, err);
  if (status != RP_OK) return status;
  *x = rp_graph_input(g, "x", &RP_TYPE_U256, N, RP_RESIDENT);
  rp_value values = rp_ntt(g, rp_from_canonical(g, *x, RP_FIELD_BN254_FR, NULL), &there);
  *y = rp_to_canonical(g, rp_ntt(g, rp_mul(g, values, values), &back));
  rp_graph_output(g, "y", *y, RP_RESIDENT);
  status = rp_record(device, g, NULL, recording, err);
  rp_graph_destroy(g);
  return status;
}

/* Kernels read and write the shared memory itself. */
static rp_status run_on(rp_recording *recording, rp_value x, rp_value y, rp_buffer *in, rp_buffer *out, rp_error *err) {
  rp_run *run = NULL;
  rp_status status = rp_run_begin(recording, UINT64_MAX, &run, err);
  if (status != RP_OK) return status;
  status = rp_run_bind_input(run, x, in, 0);
  if (status == RP_OK) status = rp_run_bind_output(run, y, out, 0);
  if (status == RP_OK) status = rp_run_submit(run);
  if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
  if (status != RP_OK) *err = *rp_run_error(run);
  rp_run_end(run);
  return status;
}

/* Squares the polynomial that comes through the socket, and sends the result. */
static int serve(int socket) {
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CPU};
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_recording *recording = NULL;
  rp_buffer *in = NULL, *out = NULL;
  rp_value x = {0}, y = {0};
  rp_error err = {0};
  rp_shared_memory theirs, ours = {.struct_size = sizeof ours, .fd = -1};
  bool ok = rp_context_create(NULL, &context, &err) == RP_OK &&
            rp_device_open(context, &options, &device, &err) == RP_OK &&
            record_square(device, &recording, &x, &y, &err) == RP_OK;
  if (ok && receive_memory(socket, &theirs)) {
    ok = rp_buffer_import(device, &theirs, &in, &err) == RP_OK &&
         rp_buffer_create_shared(device, BYTES, &out, &ours, &err) == RP_OK &&
         run_on(recording, x, y, in, out, &err) == RP_OK && send_memory(socket, &ours);
    close(theirs.fd);
    if (ours.fd >= 0) close(ours.fd);
  }
  if (err.status != RP_OK) fprintf(stderr, "%s\n", err.reason);
  rp_buffer_destroy(in);
  rp_buffer_destroy(out);
  rp_recording_destroy(recording);
  rp_device_close(device);
  rp_context_destroy(context);
  return ok ? 0 : 1;
}

/* ---- The program without it -------------------------------------------------------------------------------------- */

static bool ask(int socket) {
  const rp_shared_memory mine = {.struct_size = sizeof mine,
                                 .kind = RP_SHARE_MAPPED,
                                 .fd = memfd_create("polynomial", MFD_CLOEXEC),
                                 .memory_bytes = BYTES,
                                 .size_bytes = BYTES};
  rp_shared_memory result;
  if (mine.fd < 0 || ftruncate(mine.fd, BYTES) != 0) return false;
  unsigned char(*x)[32] = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, mine.fd, 0);
  if (x == MAP_FAILED) return false;
  for (unsigned i = 0; i < 3; i++) x[i][0] = (unsigned char)(i + 1); /* 1 + 2 X + 3 X^2 */
  if (!send_memory(socket, &mine) || !receive_memory(socket, &result)) return false;
  const unsigned char(*y)[32] = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, result.fd, 0);
  if (y == MAP_FAILED) return false;
  for (int i = 0; i < N; i++) printf("%d%c", y[i][0], i == N - 1 ? '\n' : ' ');
  return true;
}

int main(void) {
  int ends[2], status = 1;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) return 1;
  const pid_t other = fork();
  if (other == 0) {
    close(ends[0]);
    _exit(serve(ends[1]));
  }
  close(ends[1]);
  const bool ok = other > 0 && ask(ends[0]);
  close(ends[0]);
  if (other > 0) waitpid(other, &status, 0);
  return ok && status == 0 ? 0 : 1;
}
