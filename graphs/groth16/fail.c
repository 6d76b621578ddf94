/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "fail.h"

#include <stdarg.h>
#include <stdio.h>

rp_status(g16_fail)(rp_error *err, rp_status status, const char *format, ...) {
  if (!err) return status;
  err->status = status;
  va_list args;
  va_start(args, format);
  vsnprintf(err->reason, sizeof err->reason, format, args);
  va_end(args);
  return status;
}
