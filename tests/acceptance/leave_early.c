/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Preloaded before an event loop. The call of poll with the number LEAVE_AT, counted from 0, fails as if a signal had
 * arrived. When the program ends, "TASKS submitted, TASKS ended" is printed.
 */
#include <reprise/graphs.h>

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int polls, submitted, ended;

/* Sets `next` to the next definition of the function. POSIX allows the result of dlsym to be used as a function. */
#define NEXT(name)               \
  static __typeof__(name) *next; \
  if (!next) *(void **)&next = dlsym(RTLD_NEXT, #name)

int poll(struct pollfd *fds, nfds_t n, int timeout) {
  NEXT(poll);
  const char *at = getenv("LEAVE_AT");
  if (atomic_fetch_add(&polls, 1) != atoi(at ? at : "-1")) return next(fds, n, timeout);
  errno = EINTR;
  return -1;
}

rp_status rp_groth16_submit(rp_groth16_prover *prover, const rp_groth16_request *request, uint64_t timeout_ns,
                            rp_groth16_task **task, rp_error *err) {
  NEXT(rp_groth16_submit);
  const rp_status status = next(prover, request, timeout_ns, task, err);
  if (status == RP_OK) submitted++;
  return status;
}

void rp_groth16_end(rp_groth16_task *task) {
  NEXT(rp_groth16_end);
  ended++;
  next(task);
}

__attribute__((destructor)) static void tell(void) { printf("%d submitted, %d ended\n", submitted, ended); }
