/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "json_text.h"

#include "error.h"

#include <inttypes.h>
#include <string.h>

/* What is wrong with a text, and where. */
typedef struct json_fault {
  const char *at, *why;
} json_fault;

static const char *found(json_fault *fault, const char *at, const char *why) {
  fault->at = at;
  fault->why = why;
  return NULL;
}

static bool is(const char *p, const char *end, char c) { return p < end && *p == c; }
static bool is_digit(const char *p, const char *end) { return p < end && *p >= '0' && *p <= '9'; }

static const char *skip_blanks(const char *p, const char *end) {
  while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) p++;
  return p;
}

/* The end of a UTF-8 sequence of several bytes; NULL if it is not valid (RFC 3629: overlong forms, surrogates, above
 * U+10FFFF). */
static const char *utf8_end(const char *p, const char *end) {
  uint8_t first = (uint8_t)*p, low = 0x80, high = 0xbf;
  int more = first >= 0xc2 && first <= 0xdf   ? 1
             : first >= 0xe0 && first <= 0xef ? 2
             : first >= 0xf0 && first <= 0xf4 ? 3
                                              : 0;
  if (more == 0 || end - p <= more) return NULL;
  if (first == 0xe0) low = 0xa0;
  if (first == 0xed) high = 0x9f;
  if (first == 0xf0) low = 0x90;
  if (first == 0xf4) high = 0x8f;
  for (p++; more-- > 0; p++, low = 0x80, high = 0xbf)
    if ((uint8_t)*p < low || (uint8_t)*p > high) return NULL;
  return p;
}

/* The end of an escape; `p` is at its backslash. */
static const char *escape_end(const char *p, const char *end) {
  if (end - p < 2 || !strchr("\"\\/bfnrtu", p[1]) || !p[1]) return NULL;
  if (p[1] != 'u') return p + 2;
  if (end - p < 6) return NULL;
  for (int i = 2; i < 6; i++)
    if (!p[i] || !strchr("0123456789abcdefABCDEF", p[i])) return NULL;
  return p + 6;
}

/* The end of a string, whose opening quote is at `p`. */
static const char *string_end(const char *p, const char *end, bool is_name, json_fault *fault) {
  const char *begin = p++;
  while (p < end && *p != '"') {
    const char *next = p + 1;
    if ((uint8_t)*p < ' ') return found(fault, p, "a control character in a string");
    if (*p == '\\' && is_name) return found(fault, p, "an escape in the name of a member, which is not read here");
    if (*p == '\\' && !(next = escape_end(p, end))) return found(fault, p, "an escape that does not exist");
    if ((uint8_t)*p >= 0x80 && !(next = utf8_end(p, end))) return found(fault, p, "no UTF-8");
    p = next;
  }
  return p < end ? p + 1 : found(fault, begin, "a string that does not end");
}

static const char *digits_end(const char *p, const char *end, json_fault *fault) {
  if (!is_digit(p, end)) return found(fault, p, "a digit is expected");
  while (is_digit(p, end)) p++;
  return p;
}

static const char *number_end(const char *p, const char *end, json_fault *fault) {
  const char *first = p += is(p, end, '-');
  if (!(p = digits_end(p, end, fault))) return NULL;
  if (*first == '0' && p - first > 1) return found(fault, first, "a number that begins with 0");
  if (is(p, end, '.') && !(p = digits_end(p + 1, end, fault))) return NULL;
  if (is(p, end, 'e') || is(p, end, 'E')) {
    p++;
    p += is(p, end, '+') || is(p, end, '-');
    p = digits_end(p, end, fault);
  }
  return p;
}

/* The end of a value that is neither array nor object. */
static const char *scalar_end(const char *p, const char *end, json_fault *fault) {
  static const char *const words[] = {"true", "false", "null"};
  if (is(p, end, '"')) return string_end(p, end, 0, fault);
  if (is(p, end, '-') || is_digit(p, end)) return number_end(p, end, fault);
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    size_t n = strlen(words[i]);
    if ((size_t)(end - p) >= n && memcmp(p, words[i], n) == 0) return p + n;
  }
  return found(fault, p, p < end ? "a value is expected" : "the text ends where a value is expected");
}

/* The end of a member's name and its colon. */
static const char *name_end(const char *p, const char *end, json_fault *fault) {
  p = skip_blanks(p, end);
  if (!is(p, end, '"')) return found(fault, p, "the name of a member is expected");
  if (!(p = string_end(p, end, 1, fault))) return NULL;
  p = skip_blanks(p, end);
  return is(p, end, ':') ? p + 1 : found(fault, p, "a colon is expected");
}

/* The end of a value of any kind. The only state is one bit for each open bracket, which says whether it is an
 * object's. */
static const char *value_end(const char *p, const char *end, json_fault *fault) {
  uint32_t objects = 0;
  for (int depth = 0;;) {
    p = skip_blanks(p, end);
    if (is(p, end, '{') || is(p, end, '[')) {
      if (depth++ == SUPPORT_JSON_DEPTH) return found(fault, p, "more than 8 arrays and objects inside one another");
      objects = objects << 1 | (*p == '{');
      p = skip_blanks(p + 1, end);
      const bool is_empty = is(p, end, objects & 1 ? '}' : ']');
      if (!is_empty && (objects & 1)) p = name_end(p, end, fault);
      if (!p) return NULL;
      if (!is_empty) continue;
    } else if (!(p = scalar_end(p, end, fault))) {
      return NULL;
    }
    /* after a value, or at the end of an empty array or object */
    for (; depth && is(p = skip_blanks(p, end), end, objects & 1 ? '}' : ']'); p++, depth--) objects >>= 1;
    if (depth == 0) return p;
    if (!is(p, end, ',')) return found(fault, p, objects & 1 ? "a comma or } is expected" : "a comma or ] is expected");
    p++;
    if ((objects & 1) && !(p = name_end(p, end, fault))) return NULL;
  }
}

rp_status support_json_open(const char *name, const char *text, size_t bytes, support_json *root, rp_error *err) {
  const char *end = text + bytes;
  json_fault fault = {0};
  *root = (support_json){skip_blanks(text, end), end};
  const char *p = value_end(text, end, &fault);
  if (p && (p = skip_blanks(p, end)) == end) return RP_OK;
  if (p) found(&fault, p, "nothing more is expected");
  uint64_t line = 1, column = 1;
  for (p = text; p < fault.at; p++, column++)
    if (*p == '\n') line++, column = 0;
  return support_fail(err, RP_ERR_FORMAT, "%s: is not valid JSON: line %" PRIu64 ", column %" PRIu64 ": %s.", name,
                      line, column, fault.why);
}

rp_status support_json_open_text(const char *name, const char *json, size_t bytes, size_t limit, support_json *root,
                                 rp_error *err) {
  if (!json) return support_fail(err, RP_ERR_ARGUMENT, "%s: the text is NULL.", name);
  if (bytes > limit)
    return support_fail(err, RP_ERR_FORMAT, "%s: is too large: %zu bytes where at most %zu make sense.", name, bytes,
                        limit);
  return support_json_open(name, json, bytes, root, err);
}

char support_json_kind(support_json value) {
  if (*value.at == '-' || is_digit(value.at, value.end)) return '0';
  return *value.at;
}

const char *support_json_characters(support_json value, size_t *n) {
  json_fault none;
  const char *end = scalar_end(value.at, value.end, &none);
  bool quote = *value.at == '"';
  *n = (size_t)(end - value.at) - 2 * (size_t)quote;
  return value.at + quote;
}

bool support_json_is_string(support_json value, const char *characters) {
  if (support_json_kind(value) != '"') return 0;
  size_t n;
  const char *first = support_json_characters(value, &n);
  return n == strlen(characters) && memcmp(first, characters, n) == 0;
}

/* Moves from the end of a bracket or an item to the next item; false if there is none. */
static bool step(const char *p, const char *end, support_json *item) {
  *item = (support_json){skip_blanks(p, end), end};
  return *item->at != ']' && *item->at != '}';
}

bool support_json_first(support_json array, support_json *item) { return step(array.at + 1, array.end, item); }

bool support_json_next(support_json *item) {
  json_fault none;
  const char *p = skip_blanks(value_end(item->at, item->end, &none), item->end);
  return *p == ',' && step(p + 1, item->end, item);
}

size_t support_json_count(support_json array) {
  support_json item;
  size_t n = 0;
  if (support_json_first(array, &item)) do
      n++;
    while (support_json_next(&item));
  return n;
}

size_t support_json_member(support_json object, const char *name, support_json *value) {
  support_json key;
  size_t n = 0;
  if (!step(object.at + 1, object.end, &key)) return 0;
  do {
    json_fault none;
    support_json here = {skip_blanks(name_end(key.at, key.end, &none), key.end), key.end};
    if (support_json_is_string(key, name) && n++ == 0) *value = here;
    key = here;
  } while (support_json_next(&key));
  return n;
}
