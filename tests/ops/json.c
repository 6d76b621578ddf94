/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "json.h"
#include "device.h"

#include <stdio.h>

static void skip_space(char **p) {
  while (**p == ' ' || **p == '\n' || **p == '\t' || **p == '\r' || **p == ',' || **p == ':') (*p)++;
}

/* The text between the quotes, ended in place. Escapes other than of one character keep their letter. */
static char *string(char **p) {
  char *begin = ++*p, *out = begin;
  while (**p != '"') {
    if (!**p) fail_msg("JSON string without an end");
    if (**p == '\\') (*p)++;
    *out++ = *(*p)++;
  }
  (*p)++;
  *out = 0;
  return begin;
}

static json *value(char **p) {
  json *v = calloc(1, sizeof *v);
  assert_non_null(v);
  skip_space(p);
  if (**p == '"') {
    v->kind = JSON_STRING;
    v->text = string(p);
  } else if (**p == '{' || **p == '[') {
    const char end = **p == '{' ? '}' : ']';
    json **last = &v->item;
    v->kind = **p == '{' ? JSON_OBJECT : JSON_ARRAY;
    for (++*p, skip_space(p); **p != end; skip_space(p), v->n++, last = &(*last)->next) {
      const char *key = NULL;
      if (!**p) fail_msg("JSON value without an end");
      if (v->kind == JSON_OBJECT) key = string(p);
      *last = value(p);
      (*last)->key = key;
    }
    ++*p;
  } else {
    const size_t length = strcspn(*p, ",]} \n\r\t");
    char *text = malloc(length + 1);
    assert_non_null(text);
    memcpy(text, *p, length);
    text[length] = 0;
    v->kind = *text == 'n' ? JSON_NULL : *text == 't' || *text == 'f' ? JSON_BOOL : JSON_NUMBER;
    v->text = text;
    *p += length;
  }
  return v;
}

json *json_load(const char *file) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", TEST_DATA_DIR, file);
  FILE *f = fopen(path, "rb");
  if (!f) fail_msg("cannot open %s", path);
  fseek(f, 0, SEEK_END);
  const size_t size = (size_t)ftell(f);
  rewind(f);
  char *text = malloc(size + 1), *p = text;
  assert_non_null(text);
  assert_int_equal(fread(text, 1, size, f), size);
  fclose(f);
  text[size] = 0;
  json *root = value(&p);
  root->key = text; /* kept for json_free: strings point into it */
  return root;
}

static void free_items(json *v) {
  for (json *i = v->item, *next; i; i = next) {
    next = i->next;
    free_items(i);
    free(i);
  }
  if (v->kind == JSON_NULL || v->kind == JSON_BOOL || v->kind == JSON_NUMBER) free((char *)v->text);
}

void json_free(json *root) {
  free_items(root);
  free((char *)root->key);
  free(root);
}

const json *json_find(const json *object, const char *key) {
  for (const json *i = object->item; i; i = i->next)
    if (i->key && !strcmp(i->key, key)) return i;
  return NULL;
}

const json *json_get(const json *object, const char *key) {
  const json *v = json_find(object, key);
  if (!v) fail_msg("no member %s", key);
  return v;
}

const json *json_at(const json *array, size_t i) {
  const json *v = array->item;
  while (v && i--) v = v->next;
  if (!v) fail_msg("array is too short");
  return v;
}

uint64_t json_u64(const json *v) { return strtoull(v->text, NULL, 10); }

static int digit(char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; }

void json_integer(const json *v, int hex, uint8_t *le, size_t bytes) {
  const char *s = v->text;
  memset(le, 0, bytes);
  if (s[0] == '0' && s[1] == 'x') {
    s += 2;
    hex = 1;
  }
  for (; *s; s++) {
    unsigned carry = (unsigned)digit(*s);
    for (size_t i = 0; i < bytes; i++) {
      carry += le[i] * (hex ? 16u : 10u);
      le[i] = (uint8_t)carry;
      carry >>= 8;
    }
    if (carry) fail_msg("%s does not fit %zu bytes", v->text, bytes);
  }
}

size_t json_bytes(const json *v, uint8_t *out, size_t capacity) {
  const size_t n = strlen(v->text) / 2;
  if (n > capacity) fail_msg("%zu bytes of hexadecimal digits, room for %zu", n, capacity);
  for (size_t i = 0; i < n; i++) out[i] = (uint8_t)(digit(v->text[2 * i]) << 4 | digit(v->text[2 * i + 1]));
  return n;
}
