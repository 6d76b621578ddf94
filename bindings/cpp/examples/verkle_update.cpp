// SPDX-License-Identifier: Apache-2.0 OR MIT
// Leaves of Verkle trees of width 256 change: verkle_update [paths] [depth]. A graph computes the commitments of every
// node on the path to the root, for many paths side by side; a replay takes new values and gives new roots.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <reprise/reprise.hpp>

namespace {

constexpr std::uint32_t width = 256, affine_bytes = 64, most_depth = 16, window_bits = 5;
constexpr rp_curve curve = RP_CURVE_BANDERWAGON;
using Bytes = std::vector<std::uint8_t>;
using Scalar = std::array<std::uint8_t, RP_PEDERSEN_BYTES>;

struct Level {
  std::vector<Scalar> values;
  std::vector<std::uint32_t> index;
  reprise::Value children, place;
};

class Update {
public:
  Update(const reprise::Context &context, std::uint32_t paths, std::uint32_t depth)
      : paths_(paths), generators_(width * RP_PEDERSEN_BYTES), leaves_(random(paths)), levels_(depth),
        g_(context, "verkle_update") {
    reprise::checked(rp_pedersen_verkle_generators, width, generators_.data());
    fill();
    build();
  }
  const reprise::Graph &graph() const { return g_; }

  std::vector<Scalar> replay(const reprise::Recording &recording, rp_run_counters *counters) const {
    reprise::Run run(recording);
    run.set(leaf_.get(), leaves_);
    for (const Level &level : levels_) {
      run.set(level.children.get(), level.values);
      run.set(level.place.get(), level.index);
    }
    run.submit();
    run.wait();
    std::vector<Scalar> roots(paths_);
    const auto *affine = static_cast<const std::uint8_t *>(run.output(roots_.get()));
    for (std::size_t k = 0; k < paths_; k++) must(rp_point_compress(curve, affine + k * affine_bytes, roots[k].data()));
    *counters = run.counters();
    return roots;
  }

  // The root of one path, computed on the host with plain commitments.
  Scalar plain_root(std::size_t path) const {
    const rp_field_host &f = *rp_field_get(RP_FIELD_BLS12_381_FR), &r = *rp_field_get(RP_FIELD_BANDERSNATCH_FR);
    Scalar scalar = leaves_[path], root{};
    std::uint64_t point[affine_bytes / 8], x[4];
    for (const Level &level : levels_) {
      const auto first = level.values.begin() + static_cast<std::ptrdiff_t>(path * width);
      std::vector<Scalar> values(first, first + width);
      for (std::size_t i = 0; i < width; i++)
        if (level.index[path * width + i] != path * width + i) values[i] = scalar;
      reprise::checked(rp_pedersen_commit, values[0].data(), generators_.data(), width, root.data());
      must(rp_point_decompress(curve, root.data(), 1, point));
      f.inv(x, point + 4); // the Verkle specification's map: x / y
      f.mul(x, x, point);
      f.to_canonical(scalar.data(), x);
      r.from_bytes_reduce(x, scalar.data(), scalar.size());
      r.to_canonical(scalar.data(), x);
    }
    return root;
  }

private:
  static void must(rp_status status) {
    if (status != RP_OK) throw reprise::Exception(reprise::Error(status));
  }
  static std::vector<Scalar> random(std::size_t n) {
    std::vector<Scalar> made(n);
    for (Scalar &scalar : made) must(rp_random_canonical(RP_FIELD_BANDERSNATCH_FR, scalar.data()));
    return made;
  }

  // Random values, and for each path and level the child that changes: its index points behind all children, where the
  // new scalars are.
  void fill() {
    const std::uint32_t n = paths_ * width;
    for (std::uint32_t l = 0; l < levels_.size(); l++) {
      levels_[l].values = random(n);
      for (std::uint32_t i = 0; i < n; i++) {
        const std::uint32_t path = i / width, changed = (path * 37 + l * 101 + 5) % width;
        levels_[l].index.push_back(i % width == changed ? n + path : i);
      }
    }
  }

  // On each level one of a node's 256 values is replaced, and the values are committed to; the commitment is mapped to
  // the scalar that replaces a value one level above.
  void build() {
    Bytes points(width * affine_bytes);
    for (std::size_t i = 0; i < width; i++)
      must(rp_point_decompress(curve, &generators_[i * RP_PEDERSEN_BYTES], 1, &points[i * affine_bytes]));
    const std::uint64_t n = std::uint64_t{paths_} * width;
    const auto constant = g_.constant("generators", *rp_type_affine(curve), width, reprise::Span(points));
    const auto tables = reprise::fixed_base_table(constant, window_bits);
    reprise::Value scalar = leaf_ = g_.input("leaf", RP_TYPE_U256, paths_);
    for (std::size_t l = 0; l < levels_.size(); l++) {
      const auto number = std::to_string(l);
      const reprise::Scope scope(g_, ("level_" + number).c_str());
      levels_[l].children = g_.input(("children_" + number).c_str(), RP_TYPE_U256, n);
      levels_[l].place = g_.input(("place_" + number).c_str(), RP_TYPE_U32, n);
      if (l) scalar = reprise::construct(rp_pedersen_map_to_scalar, roots_);
      const auto both = reprise::concat({levels_[l].children, scalar});
      const auto products = reprise::fixed_base_mul(tables, reprise::gather(both, levels_[l].place));
      roots_ = reprise::to_affine(reprise::tree_reduce(products, width));
    }
    roots_.output("roots");
  }

  std::uint32_t paths_;
  Bytes generators_;
  std::vector<Scalar> leaves_;
  std::vector<Level> levels_; // level 0: the parents of the leaves
  reprise::Graph g_;
  reprise::Value leaf_, roots_;
};

} // namespace

int main(int argc, char **argv) try {
  const std::uint32_t paths = argc > 1 ? static_cast<std::uint32_t>(std::atoi(argv[1])) : 64;
  const std::uint32_t depth = argc > 2 ? static_cast<std::uint32_t>(std::atoi(argv[2])) : 3;
  if (!paths || !depth || depth > most_depth) return std::fprintf(stderr, "usage: verkle_update [paths] [depth]\n"), 2;
  const reprise::Context context;
  const reprise::Device device(context);
  const Update update(context, paths, depth);
  const reprise::Recording recording(device, update.graph());
  auto counters = reprise::info<rp_run_counters>();
  std::vector<Scalar> roots;
  for (int i = 0; i < 3; i++) roots = update.replay(recording, &counters);
  for (std::uint32_t k = 0; k < paths; k += 1 + paths / 2)
    if (update.plain_root(k) != roots[k]) throw std::runtime_error("the roots differ");
  std::printf("%u paths of %u commitments to %u values: %u submission, %llu dispatches, %.3f ms\nroots agree\n", paths,
              depth, width, counters.submissions, static_cast<unsigned long long>(counters.dispatches),
              static_cast<double>(counters.latency_ns) * 1e-6);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "not updated: %s\n", error.what());
  return 1;
}
