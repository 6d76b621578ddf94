/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Texts of answers, which grow; if memory runs out, the text fails once, at its end.
 */
#ifndef REPRISE_SERVE_TEXT_H
#define REPRISE_SERVE_TEXT_H

#include "text/builder.h"

/* At most 1023 bytes at once. */
__attribute__((format(printf, 2, 3))) void serve_put(support_text *text, const char *format, ...);
/* A JSON string with its quotes. */
void serve_put_string(support_text *text, const char *string);
/* The text with a NUL, to be freed; NULL when out of memory. */
char *serve_text_end(support_text *text);

#endif
