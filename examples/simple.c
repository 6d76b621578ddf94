/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Calls on plain arrays, as a program has them that knows neither devices nor recordings: simple [--device NAME]. Three
 * functions with the signatures of other libraries are one line each (docs/coming-from.md). Each is called twice: the
 * first call of a size opens the device and records, the second replays. */

#include <reprise/simple.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WIDTH = 256, N = 1 << 12, LEAVES = 1 << 10, DIGEST = 4 };

static rp_simple simple = RP_SIMPLE_INIT;
static rp_error error;

static int pedersen_commit_tree_w256(const uint8_t *values, const uint8_t *generators, uint8_t *out) {
  return rp_simple_pedersen_commit_tree_w256(&simple, values, generators, out, &error);
}

static int bn254_batch_inv_fr(const uint8_t *in, uint8_t *out, uint32_t n) {
  return rp_simple_bn254_batch_inv_fr(&simple, in, out, n, &error);
}

static int merklize(const uint64_t *leaves, uint64_t *intermediates, size_t leaf_count) {
  return rp_simple_merklize(&simple, RP_HASH_RESCUE_RP64_256, leaves, intermediates, leaf_count, RP_MERKLE_AUTO, 0,
                            &error);
}

/* ---- The program ------------------------------------------------------------------------------------------------- */

static uint8_t values[WIDTH * 32], generators[WIDTH * 32], commitment[32], elements[N * 32], inverses[N * 32];
static uint64_t leaves[LEAVES * DIGEST], nodes[LEAVES * DIGEST];

static int commit(void) { return pedersen_commit_tree_w256(values, generators, commitment); }
static int invert(void) { return bn254_batch_inv_fr(elements, inverses, N); }
static int build(void) { return merklize(leaves, nodes, LEAVES); }

static double now_ms(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Calls it twice; false if a call fails. */
static bool twice(const char *what, int (*call)(void)) {
  double ms[2];
  for (int i = 0; i < 2; i++) {
    const double begin = now_ms();
    if (call() != RP_OK) return false;
    ms[i] = now_ms() - begin;
  }
  printf("%-32s %9.3f %9.3f\n", what, ms[0], ms[1]);
  return true;
}

static void fill(void) {
  const rp_field_host *f = rp_field_get(RP_FIELD_BN254_FR);
  for (uint32_t i = 0; i < N; i++) {
    const uint64_t x = i + 1;
    f->from_bytes_reduce(elements + (size_t)i * 32, (const uint8_t *)&x, sizeof x);
  }
  for (uint64_t i = 0; i < LEAVES * DIGEST; i++) leaves[i] = i;
  for (uint32_t i = 0; i < WIDTH; i++) values[i * 32] = (uint8_t)i;
}

/* What the results must be: the linear sum, products of one, and a path from a leaf to the root. */
static bool check(void) {
  const rp_field_host *f = rp_field_get(RP_FIELD_BN254_FR);
  uint8_t linear[32], one[32], product[32];
  uint64_t path[10 * DIGEST];
  bool good = rp_pedersen_commit(values, generators, WIDTH, linear, &error) == RP_OK && !memcmp(linear, commitment, 32);
  f->one(one);
  for (size_t i = 0; i < N && good; i++) {
    f->mul(product, elements + i * 32, inverses + i * 32);
    good = !memcmp(product, one, sizeof one);
  }
  memcpy(path, leaves + DIGEST, 32); /* the sibling of leaf 0 */
  for (size_t height = 1, node = LEAVES / 2; node > 1; height++, node /= 2)
    memcpy(path + height * DIGEST, nodes + (node ^ 1) * DIGEST, 32);
  return good && rp_merkle_path_check(RP_HASH_RESCUE_RP64_256, leaves, 0, path, 10, nodes + DIGEST, &error) == RP_OK;
}

int main(int argc, char **argv) {
  rp_simple_info info = {.struct_size = sizeof info};
  rp_device_info device = {.struct_size = sizeof device};
  const int named = argc == 3 && !strcmp(argv[1], "--device");
  if (argc > 1 && !named) return fprintf(stderr, "usage: simple [--device NAME]\n"), 2;
  if (named && setenv("REPRISE_DEVICE", argv[2], 1)) return perror("simple"), 1;
  fill();
  printf("%-32s %9s %9s\n", "milliseconds", "1st call", "2nd call");
  bool good = rp_pedersen_verkle_generators(WIDTH, generators, &error) == RP_OK &&
              twice("commitment to 256 values", commit) && twice("inverses of 4096 elements", invert) &&
              twice("tree of 1024 leaves", build);
  if (good) {
    rp_simple_get_info(&simple, &info);
    rp_device_get_info(rp_simple_device(&simple), &device);
    printf("%llu recordings on %s; %s\n", (unsigned long long)info.recorded, device.name,
           (good = check()) ? "all results are right" : "A RESULT IS WRONG");
  }
  if (error.status != RP_OK) fprintf(stderr, "%s: %s\n", rp_status_name(error.status), error.reason);
  rp_simple_close(&simple);
  return !good;
}
