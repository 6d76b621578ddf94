/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reasons of failures, and messages to the caller's log.
 */
#include "core.h"

#include <stdarg.h>
#include <stdio.h>

void rp_log(rp_context *context, rp_log_level level, const char *format, ...) {
  if (!context->log || level > context->log_level) return;
  if (rp_context_is_forked(context)) return; /* it may need a lock that a thread of the parent holds */
  char message[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  context->log(context->log_user, level, message);
}

rp_status(rp_fail)(rp_error *err, rp_status status, const char *format, ...) {
  if (!err) return status;
  err->status = status;
  va_list args;
  va_start(args, format);
  vsnprintf(err->reason, sizeof err->reason, format, args);
  va_end(args);
  return status;
}

rp_status(rp_fail_memory)(rp_error *err, const char *what) {
  return rp_fail(err, RP_ERR_MEMORY, "out of host memory for %s", what);
}

rp_status(rp_fail_null)(rp_error *err, const char *function) {
  return rp_fail(err, RP_ERR_ARGUMENT, "%s: a required pointer is NULL", function);
}
