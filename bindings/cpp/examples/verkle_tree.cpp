// SPDX-License-Identifier: Apache-2.0 OR MIT
// Leaves of one Verkle tree of width 256 change: verkle_tree [log of leaves] [updates]. A commitment is linear in its
// values, so that only changes are sent and multiplied: the change of a child times its generator is the change of its
// parent's commitment. Leaves with the same parent change it together. One submission per set of updates takes the
// changes up to the root.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <reprise/reprise.hpp>

namespace {

constexpr std::uint32_t width = 256, in_batch = 64;
constexpr rp_curve curve = RP_CURVE_BANDERWAGON;
using Scalar = std::array<std::uint8_t, RP_PEDERSEN_BYTES>;
using Point = std::array<std::uint8_t, 64>; // affine
using Batch = reprise::Handle<rp_pedersen_batch, rp_pedersen_batch_destroy>;

void must(rp_status status) {
  if (status != RP_OK) throw reprise::Exception(reprise::Error(status));
}

// ---- The tree in the memory of the host -----------------------------------------------------------------------------

class Random { // splitmix64: the same numbers in every run
public:
  std::uint64_t number() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  Scalar scalar() {
    std::uint64_t words[4];
    for (std::uint64_t &word : words) word = number();
    words[3] >>= 4; // the order has 253 bits
    Scalar made;
    std::memcpy(made.data(), words, sizeof words);
    return made;
  }

private:
  std::uint64_t state_ = 0;
};

// What stands for a commitment among the children of its parent: x / y, reduced, as the Verkle specification has it.
Scalar scalar_of(const Point &point) {
  const rp_field_host &f = *rp_field_get(RP_FIELD_BLS12_381_FR), &r = *rp_field_get(RP_FIELD_BANDERSNATCH_FR);
  std::uint64_t affine[8], x[4];
  Scalar scalar;
  std::memcpy(affine, point.data(), point.size());
  f.inv(x, affine + 4);
  f.mul(x, x, affine);
  f.to_canonical(scalar.data(), x);
  r.from_bytes_reduce(x, scalar.data(), scalar.size());
  r.to_canonical(scalar.data(), x);
  return scalar;
}

// The children of node i are width scalars from i * width on: leaves, or what stands for the nodes one level below, and
// zeros where there is none.
struct Level {
  explicit Level(std::uint32_t nodes) : children(std::size_t{nodes} * width), points(nodes) {}
  std::vector<Scalar> children;
  std::vector<Point> points; // the commitments to the children
};

struct Tree {
  // Random leaves; the nodes are computed on the device.
  Tree(const reprise::Device &device, std::uint32_t log_leaves) : generators(width), n_leaves(1u << log_leaves) {
    reprise::checked(rp_pedersen_verkle_generators, width, generators.data());
    reprise::Options<rp_pedersen_batch_options> options;
    options.width = width;
    options.commitments = in_batch;
    rp_pedersen_batch *made = nullptr;
    reprise::checked(rp_pedersen_batch_create, device.get(), &options, generators.data(), &made);
    const Batch batch(made);
    for (std::uint32_t children = n_leaves; levels.empty() || children > 1;) {
      Level level((children + width - 1) / width);
      for (std::uint32_t i = 0; i < children; i++)
        level.children[i] = levels.empty() ? random.scalar() : scalar_of(levels.back().points[i]);
      commit(level, batch);
      children = static_cast<std::uint32_t>(level.points.size());
      levels.push_back(std::move(level));
    }
  }
  // The commitment to a node's children, computed on the host.
  Scalar plain_commitment(std::size_t level, std::size_t node) const {
    Scalar made;
    reprise::checked(rp_pedersen_commit, levels[level].children[node * width].data(), generators.data(), width,
                     made.data());
    return made;
  }

  Random random;
  std::vector<Scalar> generators;
  std::uint32_t n_leaves;
  std::vector<Level> levels; // level 0: the parents of the leaves; the last one is the root alone

private:
  static void commit(Level &level, const Batch &batch) {
    std::vector<Scalar> values(in_batch * width), made(in_batch);
    for (std::size_t first = 0; first < level.points.size(); first += in_batch) {
      const std::size_t n = std::min<std::size_t>(level.points.size() - first, in_batch);
      const auto from = level.children.begin() + static_cast<std::ptrdiff_t>(first * width);
      std::copy_n(from, n * width, values.begin());
      reprise::checked(rp_pedersen_batch_commit, batch.get(), values.data(), made.data(), nullptr);
      for (std::size_t i = 0; i < n; i++)
        must(rp_point_decompress(curve, made[i].data(), 1, level.points[first + i].data()));
    }
  }
};

// ---- A set of updates -----------------------------------------------------------------------------------------------

// What it changes on a level. The changed nodes have the slots 0 to node.size() - 1; slots behind them change nothing.
struct Changes {
  explicit Changes(std::size_t updates) : place(updates), group(updates * updates) {}
  std::vector<std::uint32_t> node;
  std::vector<std::uint32_t> place; // [updates]: of each changed child among the children of its parent
  std::vector<std::uint32_t> group; // [updates][updates]: the changed children of each slot; `updates` for none
  reprise::Value in_place, in_group, in_old; // in_old: the commitments before
  reprise::Value in_scalar;                  // what stood for them before; not of the root
  reprise::Value out;                        // the commitments after

  // Gives the changed children their places, and their parents slots.
  void assign(const std::vector<std::uint32_t> &child) {
    const auto updates = place.size();
    std::vector<std::size_t> used;
    node.clear();
    std::fill(place.begin(), place.end(), 0);
    std::fill(group.begin(), group.end(), static_cast<std::uint32_t>(updates));
    for (std::size_t i = 0; i < child.size(); i++) {
      place[i] = child[i] % width;
      const auto slot = static_cast<std::size_t>(std::find(node.begin(), node.end(), child[i] / width) - node.begin());
      if (slot == node.size()) {
        node.push_back(child[i] / width);
        used.push_back(0);
      }
      group[slot * updates + used[slot]++] = static_cast<std::uint32_t>(i);
    }
  }
};

class Update {
public:
  Update(const reprise::Context &context, const Tree &tree, std::uint32_t updates)
      : delta_(updates), levels_(tree.levels.size(), Changes(updates)), g_(context, "verkle_tree") {
    build(tree);
  }
  const reprise::Graph &graph() const { return g_; }

  // Leaves at random get other values.
  void change_leaves(Tree &tree) {
    const rp_field_host &r = *rp_field_get(RP_FIELD_BANDERSNATCH_FR);
    std::vector<std::uint32_t> leaves;
    for (Scalar &delta : delta_) {
      std::uint64_t before[4], after[4];
      leaves.push_back(static_cast<std::uint32_t>(tree.random.number() % tree.n_leaves));
      Scalar &at = tree.levels[0].children[leaves.back()];
      const Scalar value = tree.random.scalar();
      r.from_bytes_reduce(before, at.data(), at.size());
      r.from_bytes_reduce(after, value.data(), value.size());
      r.sub(after, after, before);
      r.to_canonical(delta.data(), after);
      at = value;
    }
    levels_[0].assign(leaves);
    for (std::size_t k = 1; k < levels_.size(); k++) levels_[k].assign(levels_[k - 1].node);
  }

  // The new commitments go into the tree.
  rp_run_counters replay(const reprise::Recording &recording, Tree &tree) const {
    reprise::Run run(recording);
    run.set(in_delta_.get(), delta_);
    for (std::size_t k = 0; k < levels_.size(); k++) {
      const Changes &c = levels_[k];
      run.set(c.in_place.get(), c.place);
      run.set(c.in_group.get(), c.group);
      run.set(c.in_old.get(), in_slots(c, tree.levels[k].points, identity()));
      if (k + 1 < levels_.size()) run.set(c.in_scalar.get(), in_slots(c, tree.levels[k + 1].children, Scalar{}));
    }
    run.submit();
    run.wait();
    for (std::size_t k = 0; k < levels_.size(); k++) {
      const Changes &c = levels_[k];
      const auto *points = static_cast<const Point *>(run.output(c.out.get()));
      for (std::size_t i = 0; i < c.node.size(); i++) {
        tree.levels[k].points[c.node[i]] = points[i];
        if (k + 1 < levels_.size()) tree.levels[k + 1].children[c.node[i]] = scalar_of(points[i]);
      }
    }
    return run.counters();
  }

  // Computes every changed node again from all of its children. Returns how many there are.
  std::size_t check(const Tree &tree) const {
    std::size_t n_changed = 0;
    for (std::size_t k = 0; k < levels_.size(); k++)
      for (const std::uint32_t node : levels_[k].node) {
        Scalar got;
        must(rp_point_compress(curve, tree.levels[k].points[node].data(), got.data()));
        if (got != tree.plain_commitment(k, node)) throw std::runtime_error("a commitment differs");
        n_changed++;
      }
    return n_changed;
  }

private:
  static Point identity() {
    Point made;
    rp_curve_get(curve)->identity(made.data());
    return made;
  }
  // What the changed nodes have in the tree, for each slot, and behind them what changes nothing.
  template <class T> std::vector<T> in_slots(const Changes &c, const std::vector<T> &of_nodes, const T &nothing) const {
    std::vector<T> old(delta_.size(), nothing);
    for (std::size_t i = 0; i < c.node.size(); i++) old[i] = of_nodes[c.node[i]];
    return old;
  }

  reprise::Value input(const std::string &what, std::size_t level, const rp_type &type, std::uint64_t n) {
    return g_.input((what + "_" + std::to_string(level)).c_str(), type, n);
  }

  void build(const Tree &tree) {
    const std::uint64_t n = delta_.size();
    const rp_type &affine = *rp_type_affine(curve);
    const Point nothing[] = {identity()};
    std::vector<Point> points(width);
    for (std::size_t i = 0; i < width; i++)
      must(rp_point_decompress(curve, tree.generators[i].data(), 1, points[i].data()));
    const auto generators = g_.constant("generators", affine, width, reprise::Span(points));
    const auto none = reprise::from_affine(g_.constant("identity", affine, 1, reprise::Span<const Point>(nothing)));
    auto delta = in_delta_ = g_.input("delta", RP_TYPE_U256, n);
    for (std::size_t k = 0; k < levels_.size(); k++) {
      Changes &c = levels_[k];
      const reprise::Scope scope(g_, ("level_" + std::to_string(k)).c_str());
      c.in_place = input("place", k, RP_TYPE_U32, n);
      c.in_group = input("group", k, RP_TYPE_U32, n * n);
      c.in_old = input("old", k, affine, n);
      const auto products = reprise::scalar_mul(delta, reprise::gather(generators, c.in_place));
      const auto all = reprise::concat({products, none});
      const auto sums = reprise::tree_reduce(reprise::gather(all, c.in_group), n);
      c.out = reprise::to_affine(reprise::point_add(sums, c.in_old)).output(("new_" + std::to_string(k)).c_str());
      if (k + 1 == levels_.size()) continue;
      c.in_scalar = input("scalar", k, RP_TYPE_U256, n);
      const auto scalar = reprise::construct(rp_pedersen_map_to_scalar, c.out);
      delta = (scalar.from_canonical(RP_FIELD_BANDERSNATCH_FR) - c.in_scalar.from_canonical(RP_FIELD_BANDERSNATCH_FR))
                  .to_canonical();
    }
  }

  std::vector<Scalar> delta_; // of the leaves
  std::vector<Changes> levels_;
  reprise::Graph g_;
  reprise::Value in_delta_;
};

} // namespace

int main(int argc, char **argv) try {
  const int log_leaves = argc > 1 ? std::atoi(argv[1]) : 20, updates = argc > 2 ? std::atoi(argv[2]) : 64;
  if (log_leaves <= 8 || log_leaves > 24 || updates < 1 || updates > 1024)
    return std::fprintf(stderr, "usage: verkle_tree [log of leaves: 9 to 24] [updates: 1 to 1024]\n"), 2;
  const reprise::Context context;
  const reprise::Device device(context);
  Tree tree(device, static_cast<std::uint32_t>(log_leaves));
  Update update(context, tree, static_cast<std::uint32_t>(updates));
  const reprise::Recording recording(device, update.graph());
  rp_run_counters counters{};
  std::size_t n_changed = 0;
  for (int i = 0; i < 3; i++) { // each replay goes on from the tree that the one before has left
    update.change_leaves(tree);
    counters = update.replay(recording, tree);
    n_changed = update.check(tree);
  }
  std::printf("2^%d leaves: %d of them change %zu commitments: %u submission, %llu dispatches, %.3f ms\n"
              "all changed commitments agree\n",
              log_leaves, updates, n_changed, counters.submissions,
              static_cast<unsigned long long>(counters.dispatches), static_cast<double>(counters.latency_ns) * 1e-6);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "not updated: %s\n", error.what());
  return 1;
}
