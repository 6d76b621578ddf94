/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "reprise/host.h"

#include <string.h>

void rp_wipe(void *memory, size_t bytes) {
  if (memory) explicit_bzero(memory, bytes);
}
