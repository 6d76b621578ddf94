/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * A graph in twenty lines: squares the polynomial 1 + 2 x + 3 x^2 over BN254's scalar field by a transform, a
 * product and the transform back, on the best device there is, and prints the coefficients 1 4 10 12 9 0 0 0. With a
 * file name, such as hello.html, it also draws the graph. */

#include <reprise/ops.h>
#include <reprise/page.h>
#include <stdbool.h>
#include <stdio.h>

int main(int argc, char **argv) {
  const uint8_t polynomial[8][32] = {{1}, {2}, {3}}; /* canonical integers, little-endian */
  uint8_t square[8][32];
  const rp_replay_input in = {.name = "x", .data = polynomial, .size_bytes = sizeof polynomial};
  const rp_replay_output out = {.name = "square", .data = square, .size_bytes = sizeof square};
  const rp_ntt_options there = {.struct_size = sizeof there, .root = RP_ROOT_SNARKJS};
  const rp_ntt_options back = {.struct_size = sizeof back, .root = RP_ROOT_SNARKJS, .inverse = 1};
  rp_context *context = NULL;
  rp_device *device = NULL; /* the best one of this machine */
  rp_graph *g = NULL;       /* what is to be computed */
  rp_recording *recording = NULL;
  rp_error err = {0};
  bool ok = rp_context_create(NULL, &context, &err) == RP_OK && rp_device_open(context, NULL, &device, &err) == RP_OK &&
            rp_graph_create(context, "square", &g, &err) == RP_OK;
  rp_scope_title(g, "Square: %d coefficients", 8);
  rp_value x = rp_graph_input(g, "x", &RP_TYPE_U256, 8, 0);
  rp_value values = rp_ntt(g, rp_from_canonical(g, x, RP_FIELD_BN254_FR, NULL), &there);
  rp_graph_output(g, "square", rp_to_canonical(g, rp_ntt(g, rp_mul(g, values, values), &back)), 0);
  ok = ok && rp_record(device, g, NULL, &recording, &err) == RP_OK && /* once; then replay as often as wanted */
       rp_replay(recording, &in, 1, &out, 1, &err) == RP_OK;          /* one submission, one wait */
  for (int i = 0; ok && i < 8; i++) printf("%d%c", square[i][0], i == 7 ? '\n' : ' ');

  const rp_view_source view = {.struct_size = sizeof view, .recording = recording};
  if (!ok || (argc > 1 && rp_view_write(&view, argv[1], &err) != RP_OK))
    fprintf(stderr, "%s: %s\n", rp_status_name(err.status), err.reason);
  rp_recording_destroy(recording);
  rp_graph_destroy(g);
  rp_device_close(device);
  rp_context_destroy(context);
  return err.status != RP_OK;
}
