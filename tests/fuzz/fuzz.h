/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Shared by the harnesses. Each defines LLVMFuzzerTestOneInput, which libFuzzer calls where the compiler has it, and
 * fuzz_main.c elsewhere.
 */
#ifndef REPRISE_TESTS_FUZZ_H
#define REPRISE_TESTS_FUZZ_H

#include <reprise/reprise.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* A harness may define LLVMFuzzerCustomMutator for its kind of input, which may call LLVMFuzzerMutate, the driver's
 * own. Both change `data` in place, which has room for `most` bytes, and return the new size. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* A condition that must hold for every input; its failure is a finding. */
#define FUZZ_NEED(condition)                                          \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                        \
    }                                                                 \
  } while (0)

/* Returns whether the call succeeded. A failure must have a status and a reason, and a success neither. */
static inline int fuzz_is_ok(rp_status status, const rp_error *error) {
  FUZZ_NEED(status == error->status);
  FUZZ_NEED((status == RP_OK) == (error->reason[0] == 0));
  return status == RP_OK;
}

#endif
