// SPDX-License-Identifier: Apache-2.0 OR MIT
// Proves one witness: prove circuit.zkey witness.wtns > proof.json.

#include <cstdio>
#include <reprise/reprise.hpp>

int main(int argc, char **argv) try {
  if (argc != 3) return std::fprintf(stderr, "usage: prove circuit.zkey witness.wtns\n"), 2;
  // Once per circuit: open the key, build the graph, record it for the best device there is.
  const reprise::Context context;
  const reprise::Device device(context);
  const reprise::groth16::Prover prover(device, reprise::groth16::Key(context, argv[1]));
  // Once per proof: one submission, one wait. The proof has been verified when it comes back.
  std::puts(prover.prove(argv[2]).json().c_str());
  return 0;
} catch (const reprise::Exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
