/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Messages on standard error, and times and sizes as text.
 */
#include "cli.h"

#include "text/error.h"

#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

cli_exit cli_exit_of(rp_status status) {
  switch (status) {
  case RP_OK: return CLI_OK;
  case RP_ERR_VERIFY: return CLI_REFUSED;
  case RP_ERR_ARGUMENT:
  case RP_ERR_TYPE:
  case RP_ERR_SHAPE:
  case RP_ERR_INPUT:
  case RP_ERR_FORMAT:
  case RP_ERR_MISMATCH: return CLI_INPUT;
  case RP_ERR_FILE: return CLI_FILE;
  case RP_ERR_MEMORY:
  case RP_ERR_DEVICE_MEMORY:
  case RP_ERR_BUDGET: return CLI_MEMORY;
  case RP_ERR_DEVICE_LOST:
  case RP_ERR_UNAVAILABLE:
  case RP_ERR_UNSUPPORTED: return CLI_DEVICE;
  default: return CLI_INTERNAL;
  }
}

/* A reason may contain a file name, which may contain any bytes. */
static void print_message(const cli_call *call, const char *text) {
  char line[4096];
  int n = snprintf(line, 64, "reprise%s%s: ", call->command ? " " : "", call->command ? call->command->name : "");
  size_t length = n < 0 ? 0 : (size_t)n;
  length += cli_printable(text, strlen(text), line + length, sizeof line - 1 - length);
  line[length++] = '\n';
  cli_print_line(line, length);
}

cli_exit cli_fail(const cli_call *call, const rp_error *err) {
  print_message(call, err->reason[0] ? err->reason : rp_status_text(err->status));
  return cli_exit_of(err->status);
}

cli_exit cli_refuse(const cli_call *call, cli_exit code, const char *format, ...) {
  char text[960];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  print_message(call, text);
  return code;
}

void cli_name_files(rp_error *err, const char *one, const char *other) {
  const rp_error why = *err;
  snprintf(err->reason, sizeof err->reason, "%s with %s: %.200s", support_pair_label(one), support_pair_label(other),
           why.reason[0] ? why.reason : rp_status_text(why.status));
}

bool cli_is_named(const char *reason, const char *path) {
  const char *label = support_label(path), *shorter = support_pair_label(path);
  return strncmp(reason, label, strlen(label)) == 0 || strncmp(reason, shorter, strlen(shorter)) == 0;
}

void cli_tell(const cli_call *call, const char *format, ...) {
  char text[960];
  va_list args;
  if (!isatty(STDERR_FILENO)) return;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  print_message(call, text);
}

cli_exit cli_finish(const cli_call *call) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return CLI_OK;
  return cli_refuse(call, CLI_FILE, "standard output cannot be written: %s", strerror(errno));
}

json_t *cli_json_text(const char *text) {
  json_t *string = json_string(text);
  char line[1024];
  if (string) return string;
  size_t n = 0;
  for (; n < sizeof line - 1 && text[n]; n++) {
    line[n] = text[n];
    if ((unsigned char)text[n] > 127) line[n] = '?';
  }
  return json_stringn(line, n);
}

char *cli_bytes_text(uint64_t bytes, char *text) {
  static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  unsigned u = 0;
  double value = (double)bytes;
  while (value >= 1024 && u < 4) value /= 1024, u++;
  snprintf(text, 32, u ? "%.1f %s" : "%.0f %s", value, unit[u]);
  return text;
}

char *cli_time_text(uint64_t ns, char *text) {
  if (ns < 1000000)
    snprintf(text, 32, "%.1f us", (double)ns / 1e3);
  else if (ns < 10000000000u)
    snprintf(text, 32, "%.2f ms", (double)ns / 1e6);
  else
    snprintf(text, 32, "%.1f s", (double)ns / 1e9);
  return text;
}

uint64_t cli_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

rp_status cli_in_file(const char *path, rp_status status, rp_error *err) {
  const rp_error why = *err;
  if (status != RP_OK && !cli_is_named(why.reason, path))
    snprintf(err->reason, sizeof err->reason, "%s: %.300s", support_label(path),
             why.reason[0] ? why.reason : rp_status_text(status));
  return status;
}
