/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * How a setup ends: the witness that it made is in none of the memory that it freed, and a file that could not be
 * written is reported, whichever it is. The linker calls this program's functions in place of the library's.
 */
#include "scratch.h"

#include "files/output.h"

#include <reprise/setup.h>

#include <malloc.h>

enum { VALUE_BYTES = 32 };

/* ---- Memory ------------------------------------------------------------------------------------------------------ */

static uint8_t last_value[VALUE_BYTES]; /* of the witness */
static bool looks;
static unsigned values_left;

static bool holds(const uint8_t *memory, size_t bytes) {
  return memmem(memory, bytes, last_value, VALUE_BYTES) != NULL;
}

void __real_free(void *memory);
void __wrap_free(void *memory);
void __wrap_free(void *memory) {
  if (looks && memory) values_left += holds(memory, malloc_usable_size(memory));
  __real_free(memory);
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static unsigned writes, failing; /* the number of the write that fails; 0: none */

rp_status __real_support_output_write(support_output *output, const void *data, uint64_t bytes, rp_error *err);
rp_status __wrap_support_output_write(support_output *output, const void *data, uint64_t bytes, rp_error *err);
rp_status __wrap_support_output_write(support_output *output, const void *data, uint64_t bytes, rp_error *err) {
  if (++writes != failing) return __real_support_output_write(output, data, bytes, err);
  if (err) *err = (rp_error){.status = RP_ERR_FILE, .reason = "the disk is full"};
  return RP_ERR_FILE;
}

/* ---- Setups ------------------------------------------------------------------------------------------------------ */

static rp_status set_up(rp_device *device, const char *folder, rp_protocol protocol, bool gnark, rp_error *err) {
  char key[4200], vkey[4200], witness[4200], r1cs[4200];
  snprintf(key, sizeof key, "%s/key", folder);
  snprintf(vkey, sizeof vkey, "%s/vkey", folder);
  snprintf(witness, sizeof witness, "%s/witness", folder);
  snprintf(r1cs, sizeof r1cs, "%s/r1cs", folder);
  const rp_insecure_setup setup = {.struct_size = sizeof setup,
                                   .protocol = protocol,
                                   .gnark = gnark,
                                   .g1 = RP_CURVE_BN254_G1,
                                   .log_domain = 5,
                                   .n_public = 2,
                                   .seed = 9,
                                   .key_out = key,
                                   .vkey_out = vkey,
                                   .witness_out = witness,
                                   .r1cs_out = protocol == RP_PROTOCOL_GROTH16 && !gnark ? r1cs : NULL};
  return rp_setup_insecure(device, &setup, err);
}

static rp_device *open_device(rp_context **context) {
  rp_device *device = NULL;
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 1};
  assert_ok(rp_context_create(NULL, context, err));
  assert_ok(rp_device_open(*context, &cpu, &device, err));
  return device;
}

static void no_witness_is_left(void **state) {
  rp_context *context;
  rp_device *device = open_device(&context);
  char path[4200];
  assert_ok(set_up(device, *state, RP_PROTOCOL_GROTH16, false, err));
  snprintf(path, sizeof path, "%s/witness", (const char *)*state);
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  assert_int_equal(fseek(f, -VALUE_BYTES, SEEK_END), 0);
  assert_int_equal(fread(last_value, 1, VALUE_BYTES, f), VALUE_BYTES);
  fclose(f);
  looks = true;
  const rp_status status = set_up(device, *state, RP_PROTOCOL_GROTH16, false, NULL);
  rp_device_close(device);
  rp_context_destroy(context);
  looks = false;
  assert_int_equal(status, RP_OK);
  assert_int_equal(values_left, 0);
}

static void every_write_is_heard(void **state) {
  rp_context *context;
  rp_device *device = open_device(&context);
  for (int kind = 0; kind < 4; kind++) {
    const rp_protocol protocol = kind == 3 ? RP_PROTOCOL_GROTH16 : (rp_protocol)(RP_PROTOCOL_GROTH16 + kind);
    writes = failing = 0;
    assert_ok(set_up(device, *state, protocol, kind == 3, err));
    const unsigned all = writes;
    assert_true(all >= 2);
    for (failing = 1; failing <= all; failing++) {
      writes = 0;
      if (set_up(device, *state, protocol, kind == 3, NULL) != RP_ERR_FILE)
        fail_msg("kind %d: write %u of %u fails, and nothing is reported", kind, failing, all);
    }
  }
  failing = 0;
  rp_device_close(device);
  rp_context_destroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(no_witness_is_left, scratch_begin, scratch_end),
      cmocka_unit_test_setup_teardown(every_write_is_heard, scratch_begin, scratch_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
