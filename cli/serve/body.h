/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The body of a request: it may be a witness, and is therefore in memory for secrets, which is wiped.
 */
#ifndef REPRISE_SERVE_BODY_H
#define REPRISE_SERVE_BODY_H

#include <stdbool.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* How much all bodies may take together. */
typedef struct serve_budget {
  uint64_t most;
  _Atomic uint64_t held;
} serve_budget;

typedef struct serve_body {
  uint8_t *data;
  size_t bytes, room;
  serve_budget *budget;
} serve_body;

/* Takes room for that many bytes; false if that is beyond the budget, or there is no memory. */
bool serve_body_reserve(serve_body *body, serve_budget *budget, uint64_t bytes);
/* Appends; 0 as above. */
bool serve_body_add(serve_body *body, serve_budget *budget, const void *data, size_t bytes);
/* Wipes and frees it, and gives back what it took. A zeroed body is free. */
void serve_body_free(serve_body *body);

#endif
