/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "profiler.h"

#include <nvtx3/nvToolsExt.h>

#include <stdio.h>
#include <string.h>

static char names[1 << 14];
static int depth, the_domain;

static void note(const char *what, const char *name) {
  size_t used = strlen(names);
  snprintf(names + used, sizeof names - used, "%s %s\n", what, name);
}

const char *profiler_names(void) { return names; }
int profiler_depth(void) { return depth; }
void profiler_forget(void) { names[0] = 0; }

static nvtxDomainHandle_t create(const char *name) {
  note("domain", name);
  return (nvtxDomainHandle_t)&the_domain;
}

static int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *range) {
  if ((void *)domain != &the_domain) note("error", "a foreign domain");
  note("push", range->message.ascii);
  return depth++;
}

static int pop(nvtxDomainHandle_t domain) {
  if ((void *)domain != &the_domain) note("error", "a foreign domain");
  return --depth;
}

/* NVTX calls this with the table in which a profiler puts the addresses of its functions. */
PROFILER_API int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table);
int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  const NvtxExportTableCallbacks *callbacks = get_table(NVTX_ETID_CALLBACKS);
  NvtxFunctionTable table = NULL;
  unsigned n = 0;
  if (!callbacks || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &n)) return 0;
  nvtxDomainHandle_t (*create_fn)(const char *) = create;
  int (*push_fn)(nvtxDomainHandle_t, const nvtxEventAttributes_t *) = push;
  int (*pop_fn)(nvtxDomainHandle_t) = pop;
  memcpy(table[NVTX_CBID_CORE2_DomainCreateA], &create_fn, sizeof create_fn);
  memcpy(table[NVTX_CBID_CORE2_DomainRangePushEx], &push_fn, sizeof push_fn);
  memcpy(table[NVTX_CBID_CORE2_DomainRangePop], &pop_fn, sizeof pop_fn);
  return 1;
}
