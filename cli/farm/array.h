/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Arrays of PostgreSQL in their binary form: number of dimensions, flags, type, length, lower bound, then each element
 * with its length, all big-endian. An array that ran out of memory stays empty and says so.
 */
#ifndef REPRISE_FARM_ARRAY_H
#define REPRISE_FARM_ARRAY_H

#include <stdbool.h>

#include "database.h"

typedef struct farm_array {
  farm_type type; /* of its elements: FARM_INT4, FARM_INT8, FARM_TEXT or FARM_BYTES */
  uint8_t *data;
  size_t bytes, room;
  uint32_t n;
  bool is_secret, has_failed;
  uint8_t empty[12];
} farm_array;

farm_array farm_array_of(farm_type type);
/* Its memory comes from rp_secret_alloc, all at once, and is wiped. */
farm_array farm_array_of_secrets(size_t room_bytes);
void farm_array_int(farm_array *array, int64_t value);
void farm_array_data(farm_array *array, const void *data, size_t bytes);
void farm_array_text(farm_array *array, const char *text);
void farm_array_bool(farm_array *array, bool value); /* for arrays of FARM_BOOL */
enum { FARM_ARRAY_HEAD = 20, FARM_BOOL = FARM_ARRAY + 1 };
/* As a parameter; the array must stay until the call ends. */
farm_value farm_array_value(farm_array *array);
void farm_array_free(farm_array *array);

/* Reads an array of int8 in binary form: true if it contains the value. */
bool farm_array_has(const PGresult *rows, int row, int column, int64_t value);

#endif
