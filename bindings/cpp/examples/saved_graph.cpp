// SPDX-License-Identifier: Apache-2.0 OR MIT
// A graph in a file: saved_graph FILE builds a graph, runs it and saves it; then it loads the graph, as another program
// on another machine would, runs it on the best device there is, and prints both results. A table of constants lies in
// FILE.data, which the second program maps.

#include <cstdio>
#include <reprise/reprise.hpp>

static const std::uint64_t weights[8] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
static const std::uint64_t numbers[8] = {8, 7, 6, 5, 4, 3, 2, 1};

// The sum of all x[i] * weights[i].
static reprise::Graph build(const reprise::Context &context) {
  reprise::Graph g(context, "weighted sum");
  const rp_type &goldilocks = *rp_type_field(RP_FIELD_GOLDILOCKS); // plain integers below 2^64 - 2^32 + 1
  const auto x = g.input("x", goldilocks, 8);
  reprise::sum(x * g.constant("weights", goldilocks, 8, reprise::Span(weights))).output("sum");
  return g;
}

// Inputs and outputs are found by their names, so that nothing of the program that built the graph is needed.
static unsigned long long run(const reprise::Device &device, const reprise::Graph &g) {
  std::uint64_t sum[1];
  reprise::Recording(device, g).replay({{"x", numbers}}, {{"sum", sum}});
  return sum[0];
}

int main(int argc, char **argv) try {
  if (argc != 2) return std::fprintf(stderr, "usage: saved_graph FILE\n"), 2;
  { // One program.
    const reprise::Context context;
    const reprise::Graph g = build(context);
    std::printf("built:  %llu\n", run(reprise::Device(context, reprise::DeviceOptions().kind(RP_DEVICE_CPU)), g));
    g.save(argv[1], reprise::SaveOptions().flags(RP_SAVE_BESIDE));
  }
  // Another one.
  const reprise::Context context;
  const auto g = reprise::Graph::load(context, argv[1], reprise::LoadOptions().flags(RP_LOAD_MAP));
  std::printf("loaded: %llu\n", run(reprise::Device(context), g));
  return 0;
} catch (const reprise::Exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
