// SPDX-License-Identifier: Apache-2.0 OR MIT
// Many witnesses through one recording, two in flight: batch circuit.zkey a.wtns b.wtns ... prints a line for each.
// Errors are results here, not exceptions: calls are given the address of one, which keeps the first.

#include <cstdio>
#include <reprise/reprise.hpp>

int main(int argc, char **argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: batch circuit.zkey witness.wtns ...\n"), 2;
  reprise::Error error;
  const reprise::Context context({}, &error);
  const reprise::Device device(context, {}, &error);
  const reprise::groth16::Key key(context, argv[1], {}, &error);
  const auto options = reprise::groth16::ProverOptions().max_in_flight(2).tables();
  const reprise::groth16::Prover prover(device, key, options, &error);
  if (!prover) return std::fprintf(stderr, "%s: %s\n", error.code(), error.reason()), 1;

  const std::vector<std::string> paths(argv + 2, argv + argc);
  const auto results = prover.prove_batch(paths);
  bool failed = false;
  for (std::size_t i = 0; i < paths.size(); i++) {
    std::printf("%s: %s\n", paths[i].c_str(), results[i].error ? results[i].error.reason() : "proved and verified");
    failed = failed || results[i].error;
  }
  return failed;
}
