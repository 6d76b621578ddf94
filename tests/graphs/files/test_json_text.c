/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * JSON from untrusted sources: the reader accepts what jansson accepts, and bad texts take little memory, stack and
 * time.
 */
#include "scratch.h"

#include "groth16/formats/json.h"
#include "text/json_text.h"

#include <jansson.h>
#include <pthread.h>
#include <time.h>

/* ---- Memory that the library gets from the C library ------------------------------------------------------------- */

void *__wrap_aligned_alloc(size_t align, size_t bytes);
void *__real_aligned_alloc(size_t align, size_t bytes);

static size_t live_bytes, peak_bytes;
/* Bytes in front of each block, which hold its size; a multiple of every alignment that is asked for. */
enum { HEAD = 64 };

static void *count(uint8_t *block, size_t bytes) {
  if (!block) return NULL;
  memcpy(block, &bytes, sizeof bytes);
  live_bytes += bytes;
  if (live_bytes > peak_bytes) peak_bytes = live_bytes;
  return block + HEAD;
}
static void *counted_alloc(size_t bytes) {
  return count(__real_aligned_alloc(HEAD, (bytes + 2 * HEAD - 1) / HEAD * HEAD), bytes);
}
static void counted_free(void *memory) {
  size_t bytes;
  if (!memory) return;
  memcpy(&bytes, (uint8_t *)memory - HEAD, sizeof bytes);
  live_bytes -= bytes;
  free((uint8_t *)memory - HEAD);
}

/* The linker replaces the functions that json_read.c calls by these. */
void *__wrap_aligned_alloc(size_t align, size_t bytes) {
  live_bytes += bytes;
  if (live_bytes > peak_bytes) peak_bytes = live_bytes;
  return __real_aligned_alloc(align, bytes);
}

/* ---- Stack: a thread on memory that is filled with a pattern ----------------------------------------------------- */

enum { STACK = 128 << 10, PATTERN = 0xa5 };

typedef struct call {
  const char *text;
  size_t bytes;
  int kind; /* 'p': proof, 's': signals, 'k': key, 0: nothing, which measures the thread itself */
  rp_status status;
  rp_error error;
} call;

static void *read_text(void *user) {
  call *c = user;
  rp_groth16_proof proof;
  g16_vkey vkey;
  uint8_t values[64];
  size_t n;
  if (c->kind == 'p') c->status = g16_proof_read("proof", c->text, c->bytes, &proof, &c->error);
  if (c->kind == 's') c->status = g16_public_read("signals", c->text, c->bytes, values, 2, &n, &c->error);
  if (c->kind == 'k') {
    c->status = g16_vkey_read("key", c->text, c->bytes, &vkey, &c->error);
    if (c->status == RP_OK) g16_vkey_free(&vkey);
  }
  return NULL;
}

/* Makes the call in a thread with 128 KiB of stack, and returns the number of bytes of stack that it used. */
static size_t on_small_stack(call *c) {
  uint8_t *stack = __real_aligned_alloc(4096, STACK);
  pthread_attr_t attributes;
  pthread_t thread;
  size_t untouched = 0;
  memset(stack, PATTERN, STACK);
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK), 0);
  assert_int_equal(pthread_create(&thread, &attributes, read_text, c), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  pthread_attr_destroy(&attributes);
  while (untouched < STACK && stack[untouched] == PATTERN) untouched++;
  free(stack);
  return STACK - untouched;
}

/* The call may use at most 32 KiB of stack more than an empty thread, and memory of at most 16 times the text. */
static void assert_frugal(call *c) {
  call none = {0};
  size_t alone = on_small_stack(&none);
  json_set_alloc_funcs(counted_alloc, counted_free);
  live_bytes = peak_bytes = 0;
  size_t stack = on_small_stack(c);
  json_set_alloc_funcs(malloc, free);
  if (stack > alone + (32 << 10) || peak_bytes > 16 * c->bytes)
    fail_msg("%c of %zu bytes: %zu bytes of stack, %zu of memory", c->kind, c->bytes, stack - alone, peak_bytes);
}

static char *repeated(const char *head, const char *item, size_t times, const char *tail, size_t *bytes) {
  size_t h = strlen(head), n = strlen(item), t = strlen(tail);
  char *text = malloc(h + n * times + t + 1), *at = text;
  memcpy(at, head, h);
  at += h;
  for (size_t i = 0; i < times; i++, at += n) memcpy(at, item, n);
  memcpy(at, tail, t + 1);
  *bytes = h + n * times + t;
  return text;
}

static void assert_refused(const char *head, const char *item, size_t times, const char *tail, const char *kinds) {
  for (; *kinds; kinds++) {
    call c = {.kind = *kinds};
    char *text = repeated(head, item, times, tail, &c.bytes);
    struct timespec begin, end;
    c.text = text;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    assert_frugal(&c);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    assert_int_equal(c.status, RP_ERR_FORMAT);
    assert_int_equal(c.error.status, RP_ERR_FORMAT);
    free(text);
  }
}

/* 48 MB of small objects, for which a parser that builds a tree takes 3.7 GB. */
static void many_objects(void **state) {
  (void)state;
  assert_refused("[", "{},", 16000000, "{}]", "psk");
  assert_refused("{\"IC\":[", "[],", 16000000, "[]]}", "psk");
}

/* 4 kB of brackets, for which a recursive parser would use more than 128 KiB of stack. */
static void deep_nesting(void **state) {
  (void)state;
  assert_refused("", "[", 4096, "", "psk");
  assert_refused("", "{\"a\":", 4096, "", "psk");
  assert_refused("{\"pi_a\":", "[", 2000, "", "psk");
}

/* The densest valid texts: the result takes at most 16 times as much memory as the text. */
static void dense_texts(void **state) {
  (void)state;
  call c = {.kind = 's'};
  char *text = repeated("[", "0,", 1 << 20, "0]", &c.bytes);
  c.text = text;
  assert_frugal(&c);
  assert_int_equal(c.status, RP_OK);
  free(text);
  static const char head[] = "{\"protocol\":\"groth16\",\"curve\":\"bls12381\",\"nPublic\":100000,\"vk_alpha_1\":[0,0],"
                             "\"vk_beta_2\":[[0,0],[0,0]],"
                             "\"vk_gamma_2\":[[0,0],[0,0]],\"vk_delta_2\":[[0,0],[0,0]],\"IC\":[";
  c = (call){.kind = 'k'};
  text = repeated(head, "[0,0], ", 100000, "[0,0]]}", &c.bytes);
  c.text = text;
  assert_frugal(&c);
  assert_int_equal(c.status, RP_OK);
  free(text);
}

/* The text of a key is refused if it is longer than its number of public signals can explain. */
static void sizes_that_make_sense(void **state) {
  (void)state;
  size_t bytes;
  uint8_t value[32];
  size_t n;
  rp_error error;
  char *text = repeated("[", " ", G16_JSON_PROOF_BYTES, "]", &bytes);
  rp_groth16_proof proof;
  assert_int_equal(g16_proof_read("proof", text, bytes, &proof, &error), RP_ERR_FORMAT);
  assert_non_null(strstr(error.reason, "is too large"));
  assert_int_equal(g16_public_read("signals", text, bytes, value, 1, &n, &error), RP_OK);
  free(text);
  g16_vkey vkey;
  text = repeated(
      "{\"protocol\":\"groth16\",\"curve\":\"bn128\",\"nPublic\":0,\"vk_alpha_1\":[0,0],\"vk_beta_2\":[[0,0],[0,0]],"
      "\"vk_gamma_2\":[[0,0],[0,0]],\"vk_delta_2\":[[0,0],[0,0]],\"IC\":[[0,0]]",
      " ", 64 << 10, "}", &bytes);
  assert_int_equal(g16_vkey_read("key", text, bytes, &vkey, &error), RP_ERR_FORMAT);
  assert_non_null(strstr(error.reason, "is too large"));
  free(text);
}

/* ---- The language ------------------------------------------------------------------------------------------------ */

static int accepted(const char *text, size_t bytes) {
  support_json root;
  return support_json_open("text", text, bytes, &root, NULL) == RP_OK;
}

/* Random sequences of pieces of JSON, valid and invalid. They leave out what jansson refuses and the reader accepts
 * (lone surrogates, U+0000, numbers beyond jansson's types) and what only jansson accepts (deep nesting, escapes in
 * names). */
static void texts_are_read_as_by_jansson(void **state) {
  (void)state;
  static const char *const pieces[] = {"[",
                                       "]",
                                       "{",
                                       "}",
                                       ",",
                                       ":",
                                       "\"a\"",
                                       "\"a\":",
                                       "\"b\":",
                                       "1",
                                       "-0",
                                       "01",
                                       "1.5",
                                       "1.",
                                       "-",
                                       "1e5",
                                       "2E-3",
                                       "1e",
                                       "true",
                                       "false",
                                       "null",
                                       "nul",
                                       " ",
                                       "\n",
                                       "\t",
                                       "\r",
                                       "\v",
                                       "\"",
                                       "\"\\n\"",
                                       "\"\\x\"",
                                       "\"\\u00e4\"",
                                       "\"\\u00g4\"",
                                       "\"\x01\"",
                                       "[1",
                                       ",2]",
                                       "{\"c\":",
                                       "\"\xc3\xa4\"",
                                       "\"\xc3\"",
                                       "\"\xe0\x80\x80\"",
                                       "\"\xed\xa0\x80\"",
                                       "\"\xf4\x90\x80\x80\"",
                                       "\"\xf0\x9f\x98\x80\"",
                                       "\"\xff\"",
                                       "\"\xe2\x82\xac\"",
                                       "[]",
                                       "{}",
                                       "\"\\\"\"",
                                       "\xef\xbb\xbf",
                                       ".5",
                                       "+1"};
  enum { PIECES = sizeof pieces / sizeof pieces[0], CASES = 400000, MOST = 14 };
  uint64_t random = 88172645463325252u;
  size_t good = 0;
  for (int i = 0; i < CASES; i++) {
    char text[MOST * 8];
    size_t bytes = 0, n = 0;
    for (; n < 1 + random % MOST && bytes < sizeof text - 8; n++) {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      /* Half of the pieces are structural, so that some texts are valid. */
      const char *piece = pieces[random >> 40 & 1 ? (random >> 20) % 10 : (random >> 20) % PIECES];
      memcpy(text + bytes, piece, strlen(piece));
      bytes += strlen(piece);
    }
    int depth = 0, deepest = 0;
    for (size_t k = 0; k < bytes; k++) {
      depth += (text[k] == '[' || text[k] == '{') - (text[k] == ']' || text[k] == '}');
      if (depth > deepest) deepest = depth;
    }
    json_error_t error;
    json_t *tree = json_loadb(text, bytes, JSON_DECODE_ANY, &error);
    int stricter = tree && (deepest > SUPPORT_JSON_DEPTH || memchr(text, '\\', bytes));
    int too_large = !tree && (strstr(error.text, "too big") || strstr(error.text, "overflow"));
    if (!!tree != accepted(text, bytes) && !stricter && !too_large)
      fail_msg("\"%.*s\": jansson %s it: %s", (int)bytes, text, tree ? "accepts" : "refuses", error.text);
    good += tree != NULL;
    json_decref(tree);
  }
  assert_true(good > CASES / 200);
}

static void at_the_limits(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int good;
  } cases[] = {
      {"[[[[[[[[]]]]]]]]", 1},
      {"[[[[[[[[0]]]]]]]]", 1},
      {"[[[[[[[[[]]]]]]]]]", 0},
      {"{\"\\u0061\":1}", 0},
      {"[\"\\u0061\"]", 1},
      {"[1]]", 0},
      {"[1}", 0},
      {"{\"a\":1]", 0},
      {"{\"a\":1,}", 0},
      {"[1,]", 0},
      {"[,1]", 0},
      {"{\"a\"}", 0},
      {"{\"a\":{\"b\":[]}}", 1},
      {"", 0},
      {" ", 0},
      {"\"", 0},
      {"\"\\", 0},
      {"\"\\u", 0},
      {"\"\\u12", 0},
      {"-", 0},
      {"1e+", 0},
      {"\"\xe2\x82", 0},
      {"tru", 0},
      {"[", 0},
      {"{", 0},
      {"{\"a\":", 0},
      {"{\"a", 0},
      {"[1", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    size_t n = strlen(cases[i].text);
    char *exact = malloc(n + 1); /* a sanitizer finds a read past the end */
    memcpy(exact + 1, cases[i].text, n);
    if (accepted(exact + 1, n) != cases[i].good) fail_msg("%s", cases[i].text);
    free(exact);
  }
  assert_false(accepted("[1\0]", 4));
}

/* All readers agree on plain integers up to 2^53; larger ones must be strings. */
static void plain_integers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    rp_status status;
  } cases[] = {{"[9007199254740992]", RP_OK},
               {"[9007199254740993]", RP_ERR_INPUT},
               {"[90071992547409920]", RP_ERR_INPUT},
               {"[\"9007199254740993\"]", RP_OK},
               {"[-0]", RP_ERR_INPUT},
               {"[1e3]", RP_ERR_FORMAT},
               {"[\"\\u0031\"]", RP_ERR_INPUT}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    uint8_t value[32];
    size_t n;
    assert_int_equal(g16_public_read("public", cases[i].text, strlen(cases[i].text), value, 1, &n, NULL),
                     cases[i].status);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(deep_nesting),
      cmocka_unit_test(many_objects),
      cmocka_unit_test(dense_texts),
      cmocka_unit_test(sizes_that_make_sense),
      cmocka_unit_test(texts_are_read_as_by_jansson),
      cmocka_unit_test(at_the_limits),
      cmocka_unit_test(plain_integers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
