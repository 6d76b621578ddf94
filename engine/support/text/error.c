/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

rp_status(support_fail)(rp_error *err, rp_status status, const char *format, ...) {
  if (!err) return status;
  va_list args;
  err->status = status;
  va_start(args, format);
  vsnprintf(err->reason, sizeof err->reason, format, args);
  va_end(args);
  return status;
}

static const char *end_of(const char *path, size_t most) {
  size_t length = strlen(path);
  if (length <= most) return path;
  path += length - most;
  while ((*path & 0xc0) == 0x80) path++;
  return path;
}

const char *support_label(const char *path) { return end_of(path, 200); }
const char *support_pair_label(const char *path) { return end_of(path, 140); }
