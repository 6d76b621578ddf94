/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arguments and labels of steps, which those of one call have from the body's dispatches.
 */
#include "core.h"

#include <stdio.h>

void rp_step_args(const rp_step *step, void *args) {
  const rp_pattern *p = step->pattern;
  if (p->kernel->args_bytes) memcpy(args, p->args, p->kernel->args_bytes);
  for (uint32_t i = 0; step->call && i < p->n_sites; i++) {
    char *at = (char *)args + p->sites[i];
    uint32_t site;
    memcpy(&site, at, sizeof site);
    site += step->call->site;
    memcpy(at, &site, sizeof site);
  }
}

const char *rp_step_label(const rp_step *step, char text[RP_LABEL_BYTES]) {
  if (!step->call || !*step->call->scope) return step->pattern->label;
  /* A longer label is cut. */
  (void)snprintf(text, RP_LABEL_BYTES, "%s/%s", step->call->scope, step->pattern->label);
  return text;
}
