/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ranges.h"

#include <nvtx3/nvToolsExt.h>

void *rp_cuda_ranges_open(void) { return nvtxDomainCreateA("reprise"); }

void rp_cuda_ranges_close(void *domain) {
  if (domain) nvtxDomainDestroy(domain);
}

void rp_cuda_range_push(void *domain, const char *name) {
  if (!domain) return;
  const nvtxEventAttributes_t range = {.version = NVTX_VERSION,
                                       .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
                                       .messageType = NVTX_MESSAGE_TYPE_ASCII,
                                       .message.ascii = name};
  nvtxDomainRangePushEx(domain, &range);
}

void rp_cuda_range_pop(void *domain) {
  if (domain) nvtxDomainRangePop(domain);
}
