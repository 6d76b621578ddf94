// SPDX-License-Identifier: Apache-2.0 OR MIT
// Calls on plain arrays, as a program has them that knows neither devices nor recordings: simple [--device NAME]. They
// are functions of C, and `checked` makes exceptions of their errors. Each is called twice: the first call of a size
// opens the device and records, the second replays.

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <reprise/reprise.hpp>
#include <reprise/simple.h>

namespace {

constexpr std::uint32_t width = 256, n = 1 << 12, leaf_count = 1 << 10, digest = 4;
using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint64_t>;

// A handle whose device and recordings are made as they are needed.
struct Simple {
  rp_simple handle = RP_SIMPLE_INIT;
  Simple() = default;
  ~Simple() { rp_simple_close(&handle); }
  Simple(const Simple &) = delete;
  Simple &operator=(const Simple &) = delete;
};

struct Arrays {
  Bytes values = Bytes(width * 32), generators = Bytes(width * 32), commitment = Bytes(32);
  Bytes elements = Bytes(n * 32), inverses = Bytes(n * 32);
  Words leaves = Words(leaf_count * digest), nodes = Words(leaf_count * digest);

  Arrays() {
    const rp_field_host &f = *rp_field_get(RP_FIELD_BN254_FR);
    for (std::uint64_t i = 0; i < n; i++) {
      const std::uint64_t x = i + 1;
      f.from_bytes_reduce(&elements[i * 32], reinterpret_cast<const std::uint8_t *>(&x), sizeof x);
    }
    for (std::size_t i = 0; i < leaves.size(); i++) leaves[i] = i;
    for (std::size_t i = 0; i < width; i++) values[i * 32] = static_cast<std::uint8_t>(i);
    reprise::checked(rp_pedersen_verkle_generators, width, generators.data());
  }

  // What the results must be: the linear sum, products of one, and a path from a leaf to the root.
  bool right() const {
    const rp_field_host &f = *rp_field_get(RP_FIELD_BN254_FR);
    std::array<std::uint8_t, 32> linear, one, product;
    reprise::checked(rp_pedersen_commit, values.data(), generators.data(), width, linear.data());
    bool good = std::equal(linear.begin(), linear.end(), commitment.begin());
    f.one(one.data());
    for (std::size_t i = 0; i < n && good; i++) {
      f.mul(product.data(), &elements[i * 32], &inverses[i * 32]);
      good = product == one;
    }
    Words path(leaves.begin() + digest, leaves.begin() + 2 * digest); // the sibling of leaf 0
    for (std::size_t node = leaf_count / 2; node > 1; node /= 2)
      path.insert(path.end(), &nodes[(node ^ 1) * digest], &nodes[(node ^ 1) * digest] + digest);
    reprise::Error error;
    return good && reprise::checked(&error, rp_merkle_path_check, RP_HASH_RESCUE_RP64_256, leaves.data(), 0,
                                    path.data(), 10, nodes.data() + digest);
  }
};

template <class Call> void twice(const char *what, Call call) {
  double ms[2];
  for (double &time : ms) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    time = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }
  std::printf("%-32s %9.3f %9.3f\n", what, ms[0], ms[1]);
}

} // namespace

int main(int argc, char **argv) try {
  const bool named = argc == 3 && !std::strcmp(argv[1], "--device");
  if (argc > 1 && !named) return std::fprintf(stderr, "usage: simple [--device NAME]\n"), 2;
  if (named && setenv("REPRISE_DEVICE", argv[2], 1)) return std::perror("simple"), 1;
  Simple simple;
  Arrays a;
  std::printf("%-32s %9s %9s\n", "milliseconds", "1st call", "2nd call");
  twice("commitment to 256 values", [&] {
    reprise::checked(rp_simple_pedersen_commit_tree_w256, &simple.handle, a.values.data(), a.generators.data(),
                     a.commitment.data());
  });
  twice("inverses of 4096 elements", [&] {
    reprise::checked(rp_simple_bn254_batch_inv_fr, &simple.handle, a.elements.data(), a.inverses.data(), n);
  });
  twice("tree of 1024 leaves", [&] {
    reprise::checked(rp_simple_merklize, &simple.handle, RP_HASH_RESCUE_RP64_256, a.leaves.data(), a.nodes.data(),
                     leaf_count, RP_MERKLE_AUTO, 0);
  });
  auto info = reprise::info<rp_simple_info>();
  auto device = reprise::info<rp_device_info>();
  rp_simple_get_info(&simple.handle, &info);
  rp_device_get_info(rp_simple_device(&simple.handle), &device);
  const bool good = a.right();
  std::printf("%llu recordings on %s; %s\n", static_cast<unsigned long long>(info.recorded), device.name,
              good ? "all results are right" : "A RESULT IS WRONG");
  return !good;
} catch (const reprise::Exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
