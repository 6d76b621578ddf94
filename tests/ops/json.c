/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "json.h"
#include "device.h"

#include <stdio.h>

static void skip_space(char **p) {
  while (**p == ' ' || **p == '\n' || **p == '\t' || **p == '\r' || **p == ',' || **p == ':') (*p)++;
}

/* The text between the quotes, terminated in place. Of an escape only the backslash is removed. */
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

enum { MAX_FILES = 4 };
static struct {
  char name[64];
  char *text; /* strings point into it */
  json *root;
} files[MAX_FILES];

json *json_load(const char *file) {
  char path[512];
  int at = 0;
  while (at < MAX_FILES && files[at].root && strcmp(files[at].name, file) != 0) at++;
  assert_true(at < MAX_FILES);
  if (files[at].root) return files[at].root;
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
  snprintf(files[at].name, sizeof files[at].name, "%s", file);
  files[at].text = text;
  return files[at].root = value(&p);
}

static void free_items(json *v) {
  for (json *i = v->item, *next; i; i = next) {
    next = i->next;
    free_items(i);
    free(i);
  }
  if (v->kind == JSON_NULL || v->kind == JSON_BOOL || v->kind == JSON_NUMBER) free((char *)v->text);
}

void json_unload(void) {
  for (int i = 0; i < MAX_FILES && files[i].root; i++) {
    free_items(files[i].root);
    free(files[i].root);
    free(files[i].text);
  }
  memset(files, 0, sizeof files);
}

static const json *see(const json *v) {
  ((json *)v)->seen = 1;
  return v;
}

static size_t unseen(const json *v, const char *const *except, char *path, size_t length, size_t room) {
  size_t n = 0, index = 0;
  for (const char *const *name = except; v->key && *name; name++)
    if (!strcmp(v->key, *name)) return 0;
  if (v->kind != JSON_ARRAY && v->kind != JSON_OBJECT) {
    if (!v->seen) print_error("nothing looked at %s\n", path);
    return !v->seen;
  }
  for (const json *i = v->item; i; i = i->next, index++) {
    if (i->key) {
      snprintf(path + length, room - length, "/%s", i->key);
    } else {
      snprintf(path + length, room - length, "/%zu", index);
    }
    n += unseen(i, except, path, length + strlen(path + length), room);
  }
  return n;
}

void json_assert_consumed(const char *file, const char *const *except) {
  char path[512] = "";
  assert_int_equal(unseen(json_load(file), except, path, 0, sizeof path), 0);
}

const json *json_find(const json *object, const char *key) {
  for (const json *i = object->item; i; i = i->next)
    if (i->key && !strcmp(i->key, key)) return see(i);
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
  return see(v);
}

const char *json_text(const json *v) { return see(v)->text; }

uint64_t json_u64(const json *v) { return strtoull(json_text(v), NULL, 10); }

static int digit(char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; }

void json_integer(const json *v, int hex, uint8_t *le, size_t bytes) {
  const char *s = json_text(v);
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
  const size_t n = strlen(json_text(v)) / 2;
  if (n > capacity) fail_msg("%zu bytes of hexadecimal digits, room for %zu", n, capacity);
  for (size_t i = 0; i < n; i++) out[i] = (uint8_t)(digit(v->text[2 * i]) << 4 | digit(v->text[2 * i + 1]));
  return n;
}
