/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Batched inversion: batch_inverse [--device NAME] [largest_log_n [graph.html]]. For sizes up to 2^largest_log_n it
 * inverts elements of BN254 Fr one by one, in one chain on the host, and in blocks on the device (recorded once and
 * replayed; in one call that records as well), checks that all give the same bytes, and prints the times: what the
 * routing table of a device is made from. */

#define _POSIX_C_SOURCE 200809L /* clock_gettime, setenv */

#include <reprise/inverse.h>
#include <reprise/page.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUTES = 4, BYTES = 32 };

static double now_us(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Median time of a route in microseconds; negative if it fails. With `once`, recording is timed too. */
static double measure(rp_device *device, rp_inverse_route route, int once, const void *x, void *out, uint64_t n,
                      rp_error *err) {
  enum { MOST = 15 };
  const rp_batch_inv_options options = {.struct_size = sizeof options, .route = route};
  double times[MOST], begin = now_us();
  rp_inverter *inverter = NULL;
  rp_status st = once ? RP_OK : rp_inverter_create(device, RP_FIELD_BN254_FR, n, &options, &inverter, err);
  int runs = 0;
  for (; runs < MOST && st == RP_OK && (runs < 3 || now_us() - begin < 3e5); runs++) {
    const double start = now_us();
    st = once ? rp_batch_inv(device, RP_FIELD_BN254_FR, x, out, n, &options, err)
              : rp_inverter_run(inverter, x, out, NULL, err);
    times[runs] = now_us() - start;
  }
  rp_inverter_destroy(inverter);
  if (st != RP_OK) return -1;
  qsort(times, (size_t)runs, sizeof *times, compare);
  return times[runs / 2];
}

/* The trick with a parallel scan in each direction, from operations: 1 / x[i] = (x[0] ... x[i - 1]) (x[i + 1] ...
 * x[n - 1]) / (x[0] ... x[n - 1]), where only the last product is inverted. `backwards` has n - 1, ..., 1, 0. */
static rp_value trick(rp_graph *g, rp_value x, rp_value backwards) {
  rp_scope_begin(g, "before");
  rp_scope_title(g, "Products of what is before");
  const rp_value before = rp_prefix_product(g, x, 1);
  rp_scope_end(g);
  rp_scope_begin(g, "behind");
  rp_scope_title(g, "Products of what is behind");
  const rp_value behind = rp_gather(g, rp_prefix_product(g, rp_gather(g, x, backwards), 1), backwards);
  rp_scope_end(g);
  rp_scope_begin(g, "inversion");
  rp_scope_title(g, "One inversion");
  const rp_value inverse = rp_batch_inverse(g, rp_product(g, x), NULL);
  rp_scope_end(g);
  rp_scope_begin(g, "inverses");
  rp_scope_title(g, "The inverses");
  const rp_value all = rp_mul(g, rp_mul(g, before, behind), inverse);
  rp_scope_end(g);
  return all;
}

/* Draws the graph of the trick, after a run in which it gives the same bytes as the operation. */
static bool draw(rp_context *context, rp_device *device, const char *path, uint64_t n, rp_error *err) {
  uint32_t *order = malloc(n * sizeof *order);
  uint8_t *elements = malloc(n * BYTES), *out[2] = {malloc(n * BYTES), malloc(n * BYTES)};
  rp_recording *recording = NULL;
  rp_graph *g = NULL;
  bool good = order && elements && out[0] && out[1];
  for (uint64_t i = 0; i < n && good; i++) {
    const uint64_t element[4] = {i + 3};
    order[i] = (uint32_t)(n - 1 - i);
    memcpy(elements + i * BYTES, element, BYTES);
  }
  good = good && rp_graph_create(context, "batch_inverse", &g, err) == RP_OK;
  if (good) {
    const rp_value x = rp_graph_input(g, "x", rp_type_field(RP_FIELD_BN254_FR), n, 0);
    rp_graph_output(g, "inverse", trick(g, x, rp_graph_constant(g, "backwards", &RP_TYPE_U32, n, order, 0)), 0);
    rp_scope_begin(g, "operation");
    rp_scope_title(g, "The operation itself");
    rp_graph_output(g, "by the operation", rp_batch_inverse(g, x, NULL), 0);
    rp_scope_end(g);
    const rp_replay_input in = {.name = "x", .data = elements, .size_bytes = n * BYTES};
    const rp_replay_output outputs[] = {{.name = "inverse", .data = out[0], .size_bytes = n * BYTES},
                                        {.name = "by the operation", .data = out[1], .size_bytes = n * BYTES}};
    good =
        rp_record(device, g, NULL, &recording, err) == RP_OK && rp_replay(recording, &in, 1, outputs, 2, err) == RP_OK;
    const rp_view_source view = {.struct_size = sizeof view, .recording = recording};
    if (good && memcmp(out[0], out[1], n * BYTES)) {
      puts("the graph of the trick gives other bytes");
      good = 0;
    }
    good = good && rp_view_write(&view, path, err) == RP_OK;
  }
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  free(order);
  free(elements);
  free(out[0]);
  free(out[1]);
  return good;
}

static bool one_size(rp_device *device, uint64_t n, rp_error *err) {
  static const struct {
    rp_inverse_route route;
    int once;
  } way[ROUTES] = {{RP_INVERSE_ROUTE_ELEMENTS, 0},
                   {RP_INVERSE_ROUTE_CHAIN, 0},
                   {RP_INVERSE_ROUTE_DEVICE, 0},
                   {RP_INVERSE_ROUTE_DEVICE, 1}};
  uint8_t *x = malloc(n * BYTES), *want = malloc(n * BYTES), *out = malloc(n * BYTES);
  uint64_t state = n;
  bool good = x && want && out;
  for (uint64_t i = 0; i < n && good; i++) {
    uint8_t wide[48];
    for (int b = 0; b < 48; b++)
      wide[b] = (uint8_t)((state = state * 6364136223846793005u + 1442695040888963407u) >> 56);
    rp_field_get(RP_FIELD_BN254_FR)->from_bytes_reduce(x + i * BYTES, wide, sizeof wide);
  }
  if (good) printf("%9llu", (unsigned long long)n);
  for (int i = 0; i < ROUTES && good; i++) {
    const double us = measure(device, way[i].route, way[i].once, x, i ? out : want, n, err);
    good = us >= 0 && (!i || !memcmp(out, want, n * BYTES));
    if (good) printf(" %12.1f", us);
  }
  printf("%s\n", good ? "" : "  DIFFERENT");
  free(x);
  free(want);
  free(out);
  return good;
}

int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "--device")) {
    if (setenv("REPRISE_DEVICE", argv[2], 1) != 0) return 1;
    argc -= 2;
    argv += 2;
  }
  const int largest = argc > 1 ? atoi(argv[1]) : 18;
  rp_context *context = NULL;
  rp_device *device = NULL;
  rp_device_info info = {.struct_size = sizeof info};
  rp_error err = {0};
  bool good = largest >= 0 && largest <= 24;
  if (!good) return fprintf(stderr, "usage: batch_inverse [--device NAME] [largest_log_n, 0 to 24 [graph.html]]\n"), 2;
  if (rp_context_create(NULL, &context, &err) == RP_OK && rp_device_open(context, NULL, &device, &err) == RP_OK) {
    rp_device_get_info(device, &info);
    const rp_inverse_table table = rp_batch_inv_table(info.kind);
    printf("%s: one chain from %llu elements on, the device from %llu, %llu with recording; microseconds:\n", info.name,
           (unsigned long long)table.chain, (unsigned long long)table.device, (unsigned long long)table.device_once);
    printf("        n   one by one    one chain       replay       record and run\n");
    for (int log_n = 0; log_n <= largest && good; log_n++) good = one_size(device, (uint64_t)1 << log_n, &err);
    if (argc > 2 && good) good = draw(context, device, argv[2], (uint64_t)1 << largest, &err);
  }
  if (err.status != RP_OK) fprintf(stderr, "%s: %s\n", rp_status_name(err.status), err.reason);
  if (good && err.status == RP_OK) printf("all routes give the same bytes\n");
  rp_device_close(device);
  rp_context_destroy(context);
  return err.status != RP_OK || !good;
}
