/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reporting errors: a status with a sentence, and paths that are short enough for one.
 */
#ifndef REPRISE_SUPPORT_ERROR_H
#define REPRISE_SUPPORT_ERROR_H

#include <reprise/reprise.h>

/* Writes the status and a reason to `err` (may be NULL) and returns the status. */
__attribute__((format(printf, 3, 4))) rp_status support_fail(rp_error *err, rp_status status, const char *format, ...);
#if defined(__clang_analyzer__) /* the analyzer cannot see this; the definition uses parentheses */
#define support_fail(err, status, ...) (support_fail(err, status, __VA_ARGS__), (status))
#endif

/* The end of a path, which is its most telling part, without cutting a UTF-8 character. Points into `path`. Short
 * enough that a sentence about one path, or about two of them, fits in a reason. */
const char *support_label(const char *path);
const char *support_pair_label(const char *path);

#endif
