/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A key's file that is changed after it was read is refused (cli/serve/keys.h): before it is opened, and while it is.
 */
#include "gnark.h"
#include "keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static char folder[] = "/tmp/reprise-serve-keys-XXXXXX", path[64];
static bool changes; /* the file, while it is opened */
static unsigned opened;
static rp_status outcome; /* of opening */

static void write_key(const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* ---- In place of the command ------------------------------------------------------------------------------------- */

const char cli_a_key[] = "a key";
rp_status cli_expect_kinds(const cli_expected *expected, unsigned n, rp_error *err) {
  (void)expected, (void)n, (void)err;
  return RP_OK;
}
rp_file_kind cli_kind_of(const char *file) { return (void)file, RP_FILE_ZKEY; }
cli_protocol cli_protocol_of(const char *file) { return (void)file, CLI_GROTH16; }
bool cli_gnark_is_key(const char *file) { return (void)file, 0; }
void cli_verifier_close(cli_verifier *verifier) { (void)verifier; }
rp_status cli_open_any_key(const cli_call *call, cli_session *session, const char *file, rp_error *err) {
  (void)call, (void)session;
  assert_string_equal(file, path);
  opened++;
  if (changes) write_key("another, longer key");
  return err->status = outcome;
}

/* ---- Changes ----------------------------------------------------------------------------------------------------- */

static serve_key *read_key(const serve_keys *keys) {
  serve_key *key = NULL;
  rp_error err = {0};
  write_key("a key");
  changes = 0;
  opened = 0;
  outcome = RP_OK;
  assert_int_equal(serve_key_read(keys, "a", "a.zkey", NULL, &key, &err), RP_OK);
  assert_int_equal(serve_key_open(key, NULL, &err), RP_OK);
  assert_int_equal(opened, 1);
  return key;
}

static void changed_keys_are_refused(void **state) {
  const serve_keys keys = {.folder = folder};
  rp_error err = {0};
  (void)state;
  serve_key *key = read_key(&keys);
  changes = 1;
  assert_int_equal(serve_key_open(key, NULL, &err), RP_ERR_MISMATCH);
  assert_non_null(strstr(err.reason, "was changed"));
  assert_int_equal(opened, 2);
  assert_int_equal(serve_key_open(key, NULL, &err), RP_ERR_MISMATCH);
  assert_int_equal(opened, 2); /* it was changed before */
  serve_key_release(key);
  key = read_key(&keys);
  outcome = RP_ERR_FORMAT; /* the reader's verdict stands */
  changes = 1;
  assert_int_equal(serve_key_open(key, NULL, &err), RP_ERR_FORMAT);
  serve_key_release(key);
  key = read_key(&keys);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(serve_key_open(key, NULL, &err), RP_ERR_MISMATCH);
  serve_key_release(key);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(changed_keys_are_refused)};
  if (!mkdtemp(folder)) return 1;
  snprintf(path, sizeof path, "%s/a.zkey", folder);
  const int failed = cmocka_run_group_tests_name("serve_keys", tests, NULL, NULL);
  unlink(path);
  rmdir(folder);
  return failed;
}
