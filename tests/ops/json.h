/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The vectors of tests/data, read into a tree. For trusted files: anything malformed ends the test.
 */
#ifndef REPRISE_TESTS_OPS_JSON_H
#define REPRISE_TESTS_OPS_JSON_H

#include <stddef.h>
#include <stdint.h>

typedef enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } json_kind;

typedef struct json {
  json_kind kind;
  const char *key;  /* in an object */
  const char *text; /* of a string (unescaped) or a number; "true", "false" */
  size_t n;         /* elements or members */
  struct json *item, *next;
  int seen; /* some call below has been given it, or has returned it */
} json;

/* Loads a file of tests/data. Each call returns the same tree, until json_unload. */
json *json_load(const char *file);
void json_unload(void);
/* Fails the test if there are numbers or texts in the file that nothing has looked at, and prints their paths. What is
 * under a member with a name in `except` (ended by NULL), at any depth, is left out: prose, or data of another test. */
void json_assert_consumed(const char *file, const char *const *except);

/* A member; json_get fails if there is none, json_find gives NULL. */
const json *json_find(const json *object, const char *key);
const json *json_get(const json *object, const char *key);
const json *json_at(const json *array, size_t i);
uint64_t json_u64(const json *number_or_string);
const char *json_text(const json *value);

/* The number in a string as little-endian bytes. It is decimal, or if `hex` hexadecimal with or without 0x. */
void json_integer(const json *value, int hex, uint8_t *le, size_t bytes);
/* The bytes of a string of hexadecimal digits; returns how many there are. */
size_t json_bytes(const json *value, uint8_t *out, size_t capacity);

#endif
