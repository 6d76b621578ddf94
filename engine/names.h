/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Names that are in use, by kind and owner, each with the object that has it.
 */
#ifndef REPRISE_ENGINE_NAMES_H
#define REPRISE_ENGINE_NAMES_H

#include "core.h"

typedef enum rp_name_kind {
  RP_NAME_INPUT,
  RP_NAME_OUTPUT,
  RP_NAME_SCOPE,
  RP_NAME_OP,
  RP_NAME_CALL,
  RP_NAME_FILLED
} rp_name_kind;

typedef struct rp_name {
  const char *text; /* NULL: the place is free */
  const void *owner;
  rp_name_kind kind;
  uint32_t number; /* the object that has the name, as a number or a pointer */
  void *what;
  uint64_t hash;
} rp_name;

typedef struct rp_names {
  rp_name *slots; /* open addressing, at most half full */
  uint32_t n, capacity;
} rp_names;

/* NULL if the name is not in use. */
const rp_name *rp_names_find(const rp_names *names, rp_name_kind kind, const void *owner, const char *text);
/* Adds a name that is not in use; `text` is referenced, not copied. 0, and no change, when out of memory. */
bool rp_names_add(rp_names *names, rp_context *context, const rp_name *name);
void rp_names_free(rp_names *names, rp_context *context);

#endif
