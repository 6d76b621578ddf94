/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The backends of this library, in the order in which RP_DEVICE_AUTO prefers them.
 */
#include "backend.h"

const rp_backend *const rp_backends[] = {&rp_backend_cuda, &rp_backend_vulkan, &rp_backend_cpu, &rp_backend_null, NULL};
