/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Untrusted texts, such as names of files, on a terminal: bytes to which a terminal would react are shown as \xNN.
 */
#include "cli.h"

#include <string.h>

/* The length of the UTF-8 character at `text`, and its code point; 0 if it is not valid. */
static size_t decode(const unsigned char *text, size_t n, uint32_t *code) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const size_t length = text[0] < 0x80 ? 1 : text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
  if ((text[0] >= 0x80 && text[0] < 0xc0) || text[0] > 0xf4 || length > n) return 0;
  *code = length == 1 ? text[0] : text[0] & (0x7fu >> length);
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (text[i] & 0x3f);
  }
  return *code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000) ? 0 : length;
}

/* Control characters, and those that change the line or the direction of what follows. */
static bool is_shown(uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool direction = code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
                         (code >= 0x2066 && code <= 0x2069);
  return !control && !direction;
}

size_t cli_printable(const char *text, size_t n, char *out, size_t room) {
  size_t used = 0;
  for (size_t at = 0; at < n;) {
    uint32_t code = 0;
    const size_t length = decode((const unsigned char *)text + at, n - at, &code);
    if (length && is_shown(code)) {
      if (used + length >= room) break;
      memcpy(out + used, text + at, length);
      used += length;
      at += length;
    } else {
      if (used + 4 >= room) break;
      used += (size_t)snprintf(out + used, 5, "\\x%02x", (unsigned char)text[at++]);
    }
  }
  out[used] = 0;
  return used;
}

/* argp and getopt write each message with one call, which ends with a line feed. The "Try ..." that argp adds may have
 * several lines, and is passed on as it is. */
static ssize_t write_printable(void *user, const char *text, size_t n) {
  char line[4096];
  FILE *to = user;
  if (strncmp(text, "Try ", n < 4 ? n : 4) == 0) return (ssize_t)fwrite(text, 1, n, to);
  const size_t ends = n && text[n - 1] == '\n';
  size_t used = cli_printable(text, n - ends, line, sizeof line - 1);
  if (ends) line[used++] = '\n';
  return fwrite(line, 1, used, to) == used ? (ssize_t)n : 0;
}

FILE *cli_printable_stream(FILE *to) {
  FILE *stream = fopencookie(to, "w", (cookie_io_functions_t){.write = write_printable});
  if (stream && setvbuf(stream, NULL, _IONBF, 0) != 0) { /* so that each message arrives separately */
    (void)fclose(stream);                                /* nothing was written to it */
    return NULL;
  }
  return stream;
}
