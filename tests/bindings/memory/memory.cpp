// SPDX-License-Identifier: Apache-2.0 OR MIT
// usage: memory PROTOCOL KEY WITNESS PROOFS    Prints the resident bytes after each tenth of the proofs.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <reprise/reprise.hpp>
#include <unistd.h>

namespace {

long resident_bytes() {
  long size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

template <class Key, class Prover, class Options, class Task>
void prove(const char *path, const std::vector<std::uint8_t> &wtns, int proofs) {
  const reprise::Context context;
  const reprise::Device device(context, reprise::DeviceOptions().kind(RP_DEVICE_CPU));
  const Prover prover(device, Key(context, path), Options().max_in_flight(2));
  for (int tenth = 0; tenth < 10; tenth++) {
    for (int i = 0; i < proofs / 10; i += 2) {
      const Task submitted(prover, wtns);
      if (prover.prove(wtns).json().empty() || submitted.wait() != RP_OK) throw std::runtime_error("no proof");
      submitted.result();
    }
    std::printf("%ld\n", resident_bytes());
  }
}

} // namespace

int main(int argc, char **argv) try {
  if (argc != 5) return 2;
  std::ifstream file(argv[3], std::ios::binary);
  const std::vector<std::uint8_t> wtns(std::istreambuf_iterator<char>(file), {});
  const std::string protocol = argv[1];
  const int proofs = std::atoi(argv[4]);
  namespace g = reprise::groth16;
  namespace p = reprise::plonk;
  namespace f = reprise::fflonk;
  if (protocol == "groth16") prove<g::Key, g::Prover, g::ProverOptions, g::Task>(argv[2], wtns, proofs);
  if (protocol == "plonk") prove<p::Key, p::Prover, p::ProverOptions, p::Task>(argv[2], wtns, proofs);
  if (protocol == "fflonk") prove<f::Key, f::Prover, f::ProverOptions, f::Task>(argv[2], wtns, proofs);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
