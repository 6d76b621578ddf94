/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Listing devices while they come and go: a backend whose number of devices changes with each call. The list of
 * backends is this program's own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "backend.h"

#include <reprise/reprise.h>

#include <stdio.h>
#include <string.h>

enum { MOST = 64 };

static uint32_t counts[MOST], asked; /* number of devices that each call finds */

static rp_status enumerate(rp_context *context, rp_device_info *infos, uint32_t capacity, uint32_t *count) {
  (void)context;
  const uint32_t n = counts[asked++];
  for (uint32_t i = 0; i < n && i < capacity; i++) {
    infos[i] = (rp_device_info){.kind = RP_DEVICE_CPU, .index = i};
    snprintf(infos[i].name, sizeof infos[i].name, "device %u", i);
    snprintf(infos[i].reason, sizeof infos[i].reason, "it may be gone");
  }
  *count = n;
  return RP_OK;
}

static const rp_backend coming_and_going = {.name = "cpu", .kind = RP_DEVICE_CPU, .enumerate = enumerate};
const rp_backend *const rp_backends[] = {&coming_and_going, NULL};

static void list_devices(uint32_t first, uint32_t then, uint32_t want) {
  rp_context *context;
  rp_error err = {0};
  rp_device_info infos[MOST] = {{.struct_size = sizeof *infos}};
  uint32_t n = 0;
  for (int i = 0; i < MOST; i++) counts[i] = i == 0 ? first : then;
  asked = 0;
  assert_int_equal(rp_context_create(NULL, &context, &err), RP_OK);
  assert_int_equal(rp_devices(context, infos, MOST, &n, &err), RP_OK);
  assert_int_equal(n, want);
  for (uint32_t i = 0; i < n; i++) {
    char name[32];
    snprintf(name, sizeof name, "device %u", i);
    assert_string_equal(infos[i].name, name);
    assert_int_equal(infos[i].kind, RP_DEVICE_CPU);
  }
  /* The same holds when a device is chosen: it is either there or not. */
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CPU, .index = want};
  rp_device *device = NULL;
  asked = 0;
  assert_int_equal(rp_device_open(context, &options, &device, &err), RP_ERR_UNAVAILABLE);
  assert_null(strstr(err.reason, ": :"));
  assert_non_null(strstr(err.reason, "of that kind"));
  rp_context_destroy(context);
}

static void shrinking(void **state) {
  (void)state;
  list_devices(3, 1, 3);
  list_devices(8, 2, 8);
  list_devices(20, 9, 9);
}

static void growing(void **state) {
  (void)state;
  list_devices(1, 3, 1);
  list_devices(9, 30, 30);
}

static void an_unchanged_list_is_read_once(void **state) {
  (void)state;
  list_devices(2, 2, 2);
  assert_int_equal(asked, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shrinking), cmocka_unit_test(growing),
                                     cmocka_unit_test(an_unchanged_list_is_read_once)};
  return cmocka_run_group_tests_name("listing", tests, NULL, NULL);
}
