// SPDX-License-Identifier: Apache-2.0 OR MIT
// Merkle trees over Rescue Prime: merkle_tree [log2 of the first size] [of the last], by default 20 and 23. For each
// size it prints the time from submission to completion, with the leaves on the device: the best of three runs, or of
// those that begin within two seconds. The ways are schedules by levels, by blocks and by subtrees, each of them one
// replay; and one recording per level, with a wait after each.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>
#include <reprise/reprise.hpp>

namespace {

constexpr std::uint64_t digest = 4, digest_bytes = 32;
using Root = std::array<std::uint8_t, digest_bytes>;
using Tree = reprise::Handle<rp_merkle, rp_merkle_destroy>;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

// The best of a few times that `run` returns.
template <class Run> double best_of(Run run) {
  double best = std::numeric_limits<double>::infinity();
  const auto first = Clock::now();
  for (int i = 0; i < 3 && (!i || ms_since(first) < 2000); i++) best = std::min(best, run());
  return best;
}

double replay(const reprise::Device &device, const reprise::Buffer &leaves, std::uint64_t n,
              rp_merkle_schedule schedule, Root &root) {
  reprise::Options<rp_merkle_config> config;
  config.leaves = n;
  config.schedule = schedule;
  config.leaves_on_device = 1;
  rp_merkle *made = nullptr;
  reprise::checked(rp_merkle_create, device.get(), &config, &made);
  const Tree tree(made);
  return best_of([&] {
    auto counters = reprise::info<rp_run_counters>();
    reprise::checked(rp_merkle_build_buffer, tree.get(), leaves.get(), 0, root.data(), &counters);
    return static_cast<double>(counters.latency_ns) * 1e-6;
  });
}

// One level as a recording of its own, from buffer to buffer.
class Level {
public:
  Level(const reprise::Context &context, const reprise::Device &device, std::uint64_t n)
      : graph_(context, "level"),
        in_(graph_.input("children", *rp_type_field(RP_FIELD_GOLDILOCKS), n * digest, RP_RESIDENT)),
        out_(reprise::merkle_level(RP_HASH_RESCUE_RP64_256, in_).output("parents", RP_RESIDENT)),
        recording_(device, graph_) {}
  void run(const reprise::Buffer &from, const reprise::Buffer &to) const {
    reprise::Run run(recording_);
    run.bind_input(in_.get(), from);
    run.bind_output(out_.get(), to);
    run.submit();
    run.wait();
  }

private:
  reprise::Graph graph_;
  reprise::Value in_, out_;
  reprise::Recording recording_;
};

double round_by_round(const reprise::Context &context, const reprise::Device &device, const reprise::Buffer &leaves,
                      std::uint64_t n, Root &root) {
  const reprise::Buffer buffers[2] = {reprise::Buffer(device, n / 2 * digest_bytes),
                                      reprise::Buffer(device, n / 2 * digest_bytes)};
  std::vector<Level> levels;
  for (std::uint64_t left = n; left > 1; left /= 2) levels.emplace_back(context, device, left);
  const double best = best_of([&] {
    const auto begin = Clock::now();
    for (std::size_t k = 0; k < levels.size(); k++) levels[k].run(k ? buffers[(k + 1) & 1] : leaves, buffers[k & 1]);
    return ms_since(begin);
  });
  buffers[(levels.size() + 1) & 1].read(reprise::Span<std::uint8_t>(root));
  return best;
}

bool print_row(const reprise::Context &context, const reprise::Device &device, std::uint64_t n) {
  std::vector<std::uint64_t> data(n * digest);
  for (std::size_t i = 0; i < data.size(); i++) data[i] = i + 1;
  reprise::Buffer leaves(device, n * digest_bytes);
  leaves.write(reprise::Span<const std::uint64_t>(data));
  std::printf("| %llu |", static_cast<unsigned long long>(n));
  std::optional<Root> first;
  bool good = true;
  const auto print = [&](double ms, const Root &root) {
    std::printf(" %.3f |", ms);
    std::fflush(stdout); // large trees take their time
    if (!first) first = root;
    if (root != *first) good = false;
  };
  Root root{};
  for (const auto schedule : {RP_MERKLE_LEVELS, RP_MERKLE_BLOCKS, RP_MERKLE_SUBTREES}) {
    const double ms = replay(device, leaves, n, schedule, root);
    print(ms, root);
  }
  const double ms = round_by_round(context, device, leaves, n, root);
  print(ms, root);
  std::puts(good ? "" : " the roots differ");
  return good;
}

} // namespace

int main(int argc, char **argv) try {
  const int first = argc > 1 ? std::atoi(argv[1]) : 20, last = argc > 2 ? std::atoi(argv[2]) : 23;
  if (first < 3 || last < first || last > 26)
    return std::fprintf(stderr, "usage: merkle_tree [first] [last, at least 3 and at most 26]\n"), 2;
  const reprise::Context context;
  const reprise::Device device(context);
  std::printf("%s, ms\n\n| leaves | levels | blocks | subtrees | levels, a wait after each |\n|---|---|---|---|---|\n",
              device.information().name);
  for (int log_n = first; log_n <= last; log_n++)
    if (!print_row(context, device, std::uint64_t{1} << log_n)) return 1;
  std::puts("\nall roots agree");
  return 0;
} catch (const reprise::Exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
