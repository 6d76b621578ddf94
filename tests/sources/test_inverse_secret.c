/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * No branch and no address of the constant-time inversion depends on the elements. Run under memcheck, which is
 * told that the elements are undefined and then reports every branch and every address computed from them.
 * usage: test_inverse_secret ISA ct|var|host     ct, var: the graph; host: the chain of rp_batch_inv_ct
 *
 * valgrind executes MULX, ADCX and ADOX, but shows a processor without them, so that the device is told to use them.
 * valgrind does not know AVX-512: test_inverse_secret_lanes is this program with the eight-lane kernels compiled from
 * the same source in plain C, in place of those with IFMA, and runs only under valgrind.
 */
#include "backends/cpu/cpu.h"
#include "device.h"

#include <reprise/inverse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <valgrind/memcheck.h>

enum { N = 1100, MOST_BYTES = 48 }; /* more than one block, and an odd end */

static int on_device(rp_device *device, rp_field field, const uint8_t *x, uint8_t *out, int constant_time) {
  const uint64_t bytes = (uint64_t)N * rp_field_get(field)->size_bytes;
  rp_graph *g = NULL;
  rp_recording *recording = NULL;
  rp_run *run = NULL;
  rp_value v = {0}, inverse = {0};
  int ok = rp_graph_create(rp_device_context(device), "secret", &g, NULL) == RP_OK;
  if (ok) {
    v = rp_graph_input(g, "x", rp_type_field(field), N, RP_SECRET);
    inverse = rp_batch_inverse(g, v,
                               &(rp_batch_inverse_options){.struct_size = sizeof(rp_batch_inverse_options),
                                                           .constant_time = (uint32_t)constant_time});
    rp_graph_output(g, "inverse", inverse, 0);
    ok = rp_record(device, g, NULL, &recording, NULL) == RP_OK && rp_run_begin(recording, 0, &run, NULL) == RP_OK &&
         rp_run_set_input(run, v, x, bytes) == RP_OK;
  }
  if (ok) {
    VALGRIND_MAKE_MEM_UNDEFINED(rp_run_input(run, v), bytes);
    ok = rp_run_submit(run) == RP_OK && rp_run_wait(run, UINT64_MAX) == RP_OK;
  }
  if (ok) memcpy(out, rp_run_output(run, inverse), bytes);
  VALGRIND_MAKE_MEM_DEFINED(out, bytes);
  rp_run_end(run);
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  return ok;
}

static int on_host(rp_device *device, rp_field field, uint8_t *x, uint8_t *out) {
  const uint64_t bytes = (uint64_t)N * rp_field_get(field)->size_bytes;
  const rp_batch_inv_options o = {.struct_size = sizeof o, .route = RP_INVERSE_ROUTE_CHAIN};
  VALGRIND_MAKE_MEM_UNDEFINED(x, bytes);
  int ok = rp_batch_inv_ct(device, field, x, out, N, &o, NULL) == RP_OK;
  VALGRIND_MAKE_MEM_DEFINED(out, bytes);
  VALGRIND_MAKE_MEM_DEFINED(x, bytes);
  return ok;
}

/* Checks the inverses, which shows that memcheck has watched the intended computation. Returns 1 if they are right. */
static int one_field(rp_device *device, rp_field field, const char *what) {
  static uint8_t x[N * MOST_BYTES], out[N * MOST_BYTES];
  const rp_field_host *f = rp_field_get(field);
  uint64_t product[6], one[6];
  uint64_t state = 1;
  uint8_t wide[64];
  for (int i = 0; i < N; i++) {
    for (int b = 0; b < 64; b++)
      wide[b] = (uint8_t)((state = state * 6364136223846793005u + 1442695040888963407u) >> 56);
    f->from_bytes_reduce(x + i * (int)f->size_bytes, wide, sizeof wide);
    if (i % 97 == 5) f->zero(x + i * (int)f->size_bytes); /* zeros are secret as well */
  }
  int ok =
      strcmp(what, "host") ? on_device(device, field, x, out, !strcmp(what, "ct")) : on_host(device, field, x, out);
  f->one(one);
  for (int i = 0; i < N && ok; i++) {
    f->mul(product, x + i * (int)f->size_bytes, out + i * (int)f->size_bytes);
    ok = i % 97 == 5 ? f->is_zero(out + i * (int)f->size_bytes) : f->equal(product, one);
  }
  printf("%s %s: %s\n", f->name, what, ok ? "ok" : "WRONG");
  return ok;
}

static const struct {
  const char *name;
  uint32_t isa;
} sets[] = {{"c", 1u << RP_ISA_C},
            {"adx", 1u << RP_ISA_C | 1u << RP_ISA_X86_ADX},
            {"ifma", 1u << RP_ISA_C | 1u << RP_ISA_X86_ADX | 1u << RP_ISA_X86_IFMA}};

/* Under valgrind, opens a device with the C kernels and then tells it to use the instruction set. Otherwise the
 * processor must have the set; NULL if it does not. */
static rp_device *open_device(rp_context *context, const char *isa) {
  const char *opened = RUNNING_ON_VALGRIND ? "c" : isa;
  const rp_device_options o = {.struct_size = sizeof o, .kind = RP_DEVICE_CPU, .cpu_threads = 1, .cpu_isa = opened};
  rp_device *device = NULL;
  if (rp_device_open(context, &o, &device, NULL) != RP_OK) return NULL;
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
    if (RUNNING_ON_VALGRIND && strcmp(isa, sets[i].name) == 0)
      ((cpu_device *)device->state)->info.limits.isa = sets[i].isa;
  return device;
}

int main(int argc, char **argv) {
  static const rp_field fields[] = {RP_FIELD_SECP256K1_FP,   RP_FIELD_SECP256K1_FN, RP_FIELD_BN254_FP,
                                    RP_FIELD_BN254_FR,       RP_FIELD_BLS12_381_FP, RP_FIELD_BLS12_381_FR,
                                    RP_FIELD_BANDERSNATCH_FR};
  rp_context *context = NULL;
  rp_device *device = NULL;
  int ok = argc == 3;
  if (!ok) return 2;
  ok = rp_context_create(NULL, &context, NULL) == RP_OK && (device = open_device(context, argv[1])) != NULL;
  for (size_t i = 0; i < sizeof fields / sizeof *fields && ok; i++) ok = one_field(device, fields[i], argv[2]);
  rp_device_close(device);
  rp_context_destroy(context);
  return !ok;
}
