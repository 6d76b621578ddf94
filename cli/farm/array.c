/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "array.h"

#include <stdlib.h>
#include <string.h>

static void put32(uint8_t *out, uint32_t value) {
  for (int i = 0; i < 4; i++) out[i] = (uint8_t)(value >> (24 - 8 * i));
}

static uint32_t get32(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

farm_array farm_array_of(farm_type type) { return (farm_array){.type = type}; }

farm_array farm_array_of_secrets(size_t room) {
  farm_array a = {.type = FARM_BYTES, .is_secret = 1, .room = room + FARM_ARRAY_HEAD, .bytes = FARM_ARRAY_HEAD};
  a.data = rp_secret_alloc(a.room);
  a.has_failed = !a.data;
  return a;
}

/* Room for n more bytes, or NULL. */
static uint8_t *more(farm_array *a, size_t n) {
  if (a->has_failed) return NULL;
  if (a->bytes == 0) a->bytes = FARM_ARRAY_HEAD;
  if (a->bytes + n > a->room) {
    const size_t room = 2 * (a->bytes + n);
    uint8_t *data = a->is_secret ? NULL : realloc(a->data, room);
    if (!data) {
      a->has_failed = 1;
      return NULL;
    }
    a->data = data;
    a->room = room;
  }
  uint8_t *at = a->data + a->bytes;
  a->bytes += n;
  return at;
}

void farm_array_data(farm_array *a, const void *data, size_t bytes) {
  uint8_t *at = more(a, bytes + 4);
  if (!at) return;
  put32(at, (uint32_t)bytes);
  if (bytes) memcpy(at + 4, data, bytes);
  a->n++;
}

void farm_array_text(farm_array *a, const char *text) { farm_array_data(a, text, strlen(text)); }

void farm_array_int(farm_array *a, int64_t value) {
  uint8_t be[8];
  put32(be, (uint32_t)((uint64_t)value >> 32));
  put32(be + 4, (uint32_t)(uint64_t)value);
  if (a->type == FARM_INT4)
    farm_array_data(a, be + 4, 4);
  else
    farm_array_data(a, be, 8);
}

void farm_array_bool(farm_array *a, bool value) {
  const uint8_t byte = value != 0;
  farm_array_data(a, &byte, 1);
}

static uint32_t element_oid(const farm_array *a) {
  switch ((int)a->type) {
  case FARM_INT4: return 23;
  case FARM_INT8: return 20;
  case FARM_TEXT: return 25;
  case FARM_BOOL: return 16;
  default: return 17;
  }
}

static uint32_t array_oid(uint32_t element) {
  return element == 23 ? 1007 : element == 20 ? 1016 : element == 25 ? 1009 : element == 16 ? 1000 : 1001;
}

farm_value farm_array_value(farm_array *a) {
  const bool is_empty = a->n == 0 || a->has_failed; /* such an array has no dimensions */
  const uint32_t oid = element_oid(a);
  uint8_t *head = is_empty ? a->empty : a->data;
  put32(head, is_empty ? 0 : 1);
  put32(head + 4, 0);
  put32(head + 8, oid);
  if (!is_empty) {
    put32(head + 12, a->n);
    put32(head + 16, 1);
  }
  return (farm_value){
      .type = FARM_ARRAY, .oid = array_oid(oid), .data = head, .bytes = is_empty ? sizeof a->empty : a->bytes};
}

void farm_array_free(farm_array *a) {
  if (a->is_secret)
    rp_secret_free(a->data, a->room);
  else
    free(a->data);
  *a = (farm_array){.type = a->type};
}

bool farm_array_has(const PGresult *rows, int row, int column, int64_t value) {
  const uint8_t *data = (const uint8_t *)PQgetvalue(rows, row, column);
  const size_t bytes = (size_t)PQgetlength(rows, row, column);
  if (bytes < FARM_ARRAY_HEAD || get32(data) != 1) return 0;
  const uint32_t n = get32(data + 12);
  for (size_t i = 0; i < n && FARM_ARRAY_HEAD + 12 * (i + 1) <= bytes; i++) {
    const uint8_t *at = data + FARM_ARRAY_HEAD + 12 * i; /* a length of 8, then the number */
    if ((int64_t)((uint64_t)get32(at + 4) << 32 | get32(at + 8)) == value) return 1;
  }
  return 0;
}
