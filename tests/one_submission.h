/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A run is one submission; on a Vulkan GPU, one for each queue that it is spread over, and one for inputs that have a
 * queue of their own.
 */
#ifndef REPRISE_TESTS_ONE_SUBMISSION_H
#define REPRISE_TESTS_ONE_SUBMISSION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <reprise/reprise.h>

static inline void assert_one_submission(const rp_device *device, uint32_t submissions) {
  enum { MOST_QUEUES = 8 + 1 };
  rp_device_info info = {.struct_size = sizeof info};
  rp_device_get_info(device, &info);
  const uint32_t most = info.kind == RP_DEVICE_VULKAN && !info.software ? MOST_QUEUES : 1;
  assert_in_range(submissions, 1, most);
}

#endif
