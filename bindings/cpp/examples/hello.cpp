// SPDX-License-Identifier: Apache-2.0 OR MIT
// A graph in twelve lines: squares the polynomial 1 + 2 x + 3 x^2 over BN254's scalar field by a transform, a product
// and the transform back, on the best device there is, and prints the coefficients 1 4 10 12 9 0 0 0.

#include <cstdio>
#include <reprise/reprise.hpp>

int main() {
  const std::uint8_t polynomial[8][32] = {{1}, {2}, {3}}; // canonical integers, little-endian
  std::uint8_t square[8][32];
  reprise::Context context;
  reprise::Device device(context);
  reprise::Graph g(context, "square");
  const auto roots = reprise::NttOptions().root(RP_ROOT_SNARKJS);
  const auto values = reprise::ntt(g.input("x", RP_TYPE_U256, 8).from_canonical(RP_FIELD_BN254_FR), roots);
  reprise::ntt(values * values, reprise::NttOptions(roots).inverse()).to_canonical().output("square");
  reprise::Recording(device, g).replay({{"x", polynomial}}, {{"square", square}});
  for (const auto &coefficient : square) std::printf("%d ", coefficient[0]);
}
