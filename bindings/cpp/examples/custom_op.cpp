// SPDX-License-Identifier: Apache-2.0 OR MIT
// An operation of one's own between built-in ones: the number of set bits of every element, then their prefix sum. It
// is a node like any other: planned, placed and scheduled with the rest. The contract is that of C (reprise/op.h).

#include <bitset>
#include <cstdio>
#include <reprise/reprise.hpp>

namespace {

// 1. The arguments of the kernel: addresses first, one per bind; then 32-bit integers.
struct Args {
  RP_ADDR(const std::uint64_t) x;
  RP_ADDR(std::uint32_t) out;
};
RP_ARGS_SIZE(Args, 16);

// 2. The kernel: items [begin, end). A variant for GPUs would stand beside this one, in the same rp_kernel.
void popcount(const void *args, std::uint64_t begin, std::uint64_t end, const rp_cpu_worker *) {
  const auto &a = *static_cast<const Args *>(args);
  for (auto i = begin; i < end; i++) a.out[i] = static_cast<std::uint32_t>(std::bitset<64>(a.x[i]).count());
}
const rp_cpu_variant plain = {RP_ISA_C, popcount};
const rp_kernel kernel = [] {
  auto made = reprise::info<rp_kernel>(); // zero, with struct_size set
  made.name = "popcount";
  made.args_bytes = sizeof(Args);
  made.n_binds = 2;
  made.n_cpu = 1;
  made.cpu = &plain;
  return made;
}();

// 3. The shape rule: the types and lengths of the outputs, from those of the inputs.
rp_status shape(const rp_shape *s) {
  if (s->n_in != 1) return rp_shape_fail(s, RP_ERR_SHAPE, "it takes one input, not %u", s->n_in);
  if (s->in_type[0]->id != RP_TYPE_U64.id)
    return rp_shape_fail(s, RP_ERR_TYPE, "its input is of type %s, not u64", s->in_type[0]->name);
  if (s->in_len[0] > UINT32_MAX) return rp_shape_fail(s, RP_ERR_SHAPE, "its input has more than 2^32 - 1 elements");
  s->out_type[0] = &RP_TYPE_U32;
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

// 4. The strategy: one dispatch, with what it reads and writes.
rp_status lower(rp_lower *l) {
  const Args args{};
  const rp_value in = rp_lower_in(l, 0);
  const rp_bind binds[] = {RP_BIND(in, RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  rp_dispatch dispatch{};
  dispatch.kernel = &kernel;
  dispatch.groups[0] = static_cast<std::uint32_t>(rp_lower_len(l, in));
  dispatch.binds = binds;
  dispatch.n_binds = 2;
  dispatch.args = &args;
  dispatch.args_bytes = sizeof args;
  rp_lower_dispatch(l, &dispatch);
  return RP_OK;
}
const rp_strategy strategies[] = {{"cpu", RP_ON(RP_DEVICE_CPU), nullptr, lower}};
const rp_op op = [] {
  auto made = reprise::info<rp_op>();
  made.name = "popcount";
  made.shape = shape;
  made.strategies = strategies;
  made.n_strategies = 1;
  made.flags = RP_OP_PURE;
  return made;
}();

} // namespace

int main() try {
  const std::uint64_t numbers[5] = {0, 1, 3, 0xff, UINT64_MAX};
  std::uint32_t sums[6];
  const reprise::Context context;
  const reprise::Device cpu(context, reprise::DeviceOptions().kind(RP_DEVICE_CPU));
  reprise::Graph g(context, "count");
  const rp_value x[] = {g.input("x", RP_TYPE_U64, 5).get()};
  reprise::prefix_sum(g.node(op, nullptr, x)).output("sums");
  reprise::Recording(cpu, g).replay({{"x", numbers}}, {{"sums", sums}});
  for (const auto sum : sums) std::printf("%u ", sum);
  return 0;
} catch (const reprise::Exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
