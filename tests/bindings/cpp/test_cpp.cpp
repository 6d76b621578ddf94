// SPDX-License-Identifier: Apache-2.0 OR MIT
// reprise.hpp with exceptions and with errors as results. With NO_EXCEPTIONS only the latter is compiled. The argument
// is the folder of the test data.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <reprise/reprise.hpp>

namespace rp = reprise;

#define CHECK(condition)                                                                        \
  do {                                                                                          \
    if (!(condition)) std::printf("line %d: not so: %s\n", __LINE__, #condition), std::exit(1); \
  } while (0)

static std::string test_data;

static std::vector<std::uint8_t> bytes_of(const std::string &path) {
  std::ifstream file(test_data + path, std::ios::binary);
  CHECK(file);
  return {std::istreambuf_iterator<char>(file), {}};
}
static std::string text_of(const std::string &path) {
  const auto bytes = bytes_of(path);
  return {bytes.begin(), bytes.end()};
}

static void functions_without_a_class(const rp::Context &context) {
  rp::Error error;
  rp_graph *made = nullptr;
  CHECK(rp::checked(&error, rp_graph_create, context.get(), "plain", &made) && made && !error);
  const rp::Handle<rp_graph, rp_graph_destroy> owner(made);
  rp_graph *none = nullptr;
  CHECK(!rp::checked(&error, rp_graph_create, nullptr, "plain", &none) && error.status() == RP_ERR_ARGUMENT);
  CHECK(error.reason()[0] && !rp::checked(&error, rp_graph_create, context.get(), "plain", &none) && !none);
#ifndef NO_EXCEPTIONS
  bool thrown = false;
  try {
    rp::checked(rp_graph_create, nullptr, "plain", &none);
  } catch (const rp::Exception &failed) { thrown = failed.status() == RP_ERR_ARGUMENT; }
  CHECK(thrown);
#endif
  rp::Error refused;
  CHECK(!rp::Device::open_for(context, rp::DeviceOptions(), nullptr, &refused) && refused.reason()[0]);
}

static void graphs(const rp::Context &context, const rp::Device &device) {
  rp::Error error;
  rp::Graph g(context, "graph", &error);
  const std::vector<std::uint64_t> k = {10, 20, 30, 40};
  {
    const rp::Scope scope(g, "part");
    const rp::Value x = g.input("x", *rp_type_field(RP_FIELD_GOLDILOCKS), 4);
    const rp::Value c = g.constant("k", *rp_type_field(RP_FIELD_GOLDILOCKS), 4, rp::Span<const std::uint64_t>(k));
    rp::concat({x * c, -(-x), x + c - c}).output("y");
    CHECK(x && x.size() == 4 && !x.is_constant() && c.is_constant());
  }
  CHECK(!g.error() && g.text().find("part") != std::string::npos);
  const rp::Recording recording(device, g, rp::RecordOptions().max_in_flight(2), &error);
  CHECK(recording && !error);
  const std::uint64_t x[4] = {1, 2, 3, 4};
  std::vector<std::uint64_t> y(12);
  CHECK(recording.replay({{"x", x}}, {{"y", y}}, &error));
  CHECK((y == std::vector<std::uint64_t>{10, 40, 90, 160, 1, 2, 3, 4, 1, 2, 3, 4}));
  CHECK(recording.plan().total_bytes ==
        rp::Recording::plan(device, g, rp::RecordOptions().max_in_flight(2)).total_bytes);

  rp::Run run(recording, 0, &error);
  CHECK(run.set(recording.input("x").value, std::vector<std::uint64_t>(y.begin(), y.begin() + 4), &error));
  CHECK(run.submit(&error) && run.wait(UINT64_MAX, &error) && run.poll() == RP_OK);
  CHECK(static_cast<const std::uint64_t *>(run.output(recording.output("y").value))[1] == 800);
  CHECK(run.counters().submissions == 1);
  int told = 0;
  {
    rp::Run telling(recording, 0, &error);
    const auto tell = [](void *user, rp_run *) { ++*static_cast<int *>(user); };
    CHECK(telling.set(recording.input("x").value, x) && telling.submit(rp::SubmitOptions().done(tell, &told), &error));
    CHECK(telling.wait(UINT64_MAX, &error));
  } // its end waits for the callback
  CHECK(told == 1);
  rp::Run moved = std::move(run);
  CHECK(!run && moved);
  rp::Run other(recording, 0, &error);
  CHECK(other.set(recording.input("x").value, rp::Span<const std::uint64_t>(y.data(), 4), &error));
  CHECK(!rp::submit({&other, &moved}, nullptr, &error) && error.status() == RP_ERR_STATE);
  error = {};
  moved.reset();
  moved = rp::Run(recording, 0, &error);
  CHECK(moved.set(recording.input("x").value, rp::Span<const std::uint64_t>(x), &error));
  CHECK(rp::submit({&moved, &other}, nullptr, &error) && other.wait(UINT64_MAX, &error) && moved.wait());
  CHECK(static_cast<const std::uint64_t *>(moved.output(recording.output("y").value))[1] == 40);
  CHECK(static_cast<const std::uint64_t *>(other.output(recording.output("y").value))[1] == 800);
  other.reset();

  CHECK(g.save("graph.rpg", {}, &error));
  const rp::Graph loaded = rp::Graph::load(context, "graph.rpg", rp::LoadOptions().flags(RP_LOAD_MAP), &error);
  CHECK(loaded && rp::Recording(device, loaded).replay({{"x", x}}, {{"y", y}}, &error) && y[3] == 160);

  rp::Graph wrong(context, "wrong");
  (wrong.input("a", RP_TYPE_U8, 1) + wrong.input("b", RP_TYPE_U32, 1)).output("c");
  CHECK(wrong.error().status() == RP_ERR_TYPE);
  CHECK(!rp::Recording(device, wrong, {}, &error) && !std::strcmp(error.code(), "RP_ERR_TYPE"));
  CHECK(!recording.replay({}, {}, &error) && error.status() == RP_ERR_TYPE); // it stays
  error = {};
  CHECK(!recording.replay({}, {}, &error) && error.status() == RP_ERR_STATE && std::strstr(error.reason(), "x"));
  const std::uint32_t few[1] = {1};
  CHECK(!wrong.constant("few", RP_TYPE_U32, 2, rp::Span<const std::uint32_t>(few)));
}

/// Graphs that call graphs: once, in a loop, side by side, by a value.
static void bodies(const rp::Context &context, const rp::Device &device) {
  const rp_type &type = *rp_type_field(RP_FIELD_GOLDILOCKS);
  rp::Graph step(context, "step"), other(context, "other");
  (step.input("x", type, 1) * step.input("k", type, 1) + step.input("state", type, 1)).output("y");
  (other.input("x", type, 1) - other.input("k", type, 1)).output("y");

  rp::Graph g(context, "calls");
  const rp::Value x = g.input("x", type, 3), k = g.input("k", type, 1), which = g.input("which", RP_TYPE_U32, 1);
  const auto once = rp::call(g, "once", step, {{"x", k}, {"k", k}, {"state", k}}, {"y"});
  const auto loop =
      rp::repeat(g, "loop", step, 3, rp::Ports().sliced("x", x).shared("k", k).carried("state", "y", k).stacked("y"));
  const auto many =
      rp::batch(g, "many", step, 3, rp::Ports().sliced("x", x).shared("k", k).shared("state", k).stacked("y"));
  const auto chosen = rp::branch(g, "choice", which, step, other, {{"x", k}, {"k", k}, {"state", k}}, {"y"});
  CHECK(once.size() == 1 && loop.size() == 2 && many.size() == 1 && chosen.size() == 1);
  rp::concat({once[0], loop[0], loop[1], many[0], chosen[0]}).output("all");
  const std::uint64_t xs[3] = {1, 2, 3}, ks[1] = {10};
  for (std::uint32_t branch = 0; branch < 2; branch++) {
    const std::uint32_t condition[1] = {branch};
    std::vector<std::uint64_t> all(9);
    CHECK(rp::Recording(device, g).replay({{"x", xs}, {"k", ks}, {"which", condition}}, {{"all", all}}));
    CHECK((all == std::vector<std::uint64_t>{110, 70, 20, 40, 70, 20, 30, 40, branch ? 110u : 0u}));
  }

  rp::Graph wrong(context, "wrong");
  const auto none = rp::call(wrong, "wrong", step, {{"x", wrong.input("x", RP_TYPE_U8, 1)}}, {"y"});
  CHECK(none.size() == 1 && !none[0] && wrong.error().status() != RP_OK);
}

static void operations(const rp::Context &context, const rp::Device &device) {
  rp::Graph g(context);
  const std::uint8_t three[1] = {3};
  const rp::Value x = g.input("x", *rp_type_field(RP_FIELD_F97), 4);
  rp::ntt(rp::ntt(x, rp::NttOptions().root(RP_ROOT_SNARKJS).shift(three)),
          rp::NttOptions().root(RP_ROOT_SNARKJS).inverse().shift(three))
      .output("same");
  rp::batch_inverse(x, rp::BatchInverseOptions().zero(RP_ZERO_STRICT).constant_time()).output("inverse");
  rp::sum(x).output("sum");
  rp::construct(rp_mul_sub, x, x, x).output("square_less");
  rp::construct(rp_slice_at, x, rp::Value(), rp::Value(), 1).output("first");
  const rp_expr_code code[] = {{RP_EXPR_COLUMN, 0, 1}, {RP_EXPR_SQR, 0, 0}};
  const rp::Value columns[] = {x};
  rp::expr(columns, x.slice(0, 1), rp::ExprOptions().code(code)).output("rotated");
  CHECK(!g.error());
  const std::uint8_t canonical[8] = {5};
  rp::field_constant(g, "five", RP_FIELD_F97, canonical);
  const rp::Recording recording(device, g);
  const auto *field = rp_field_get(RP_FIELD_F97);
  std::uint64_t in[4], same[4], inverse[4], sum[1], rotated[4], out[4], square_less[4], first[1];
  for (std::uint64_t i = 0; i < 4; i++) {
    const std::uint64_t value = i + 1;
    field->from_canonical(&in[i], &value);
  }
  recording.replay({{"x", in}}, {{"same", same},
                                 {"inverse", inverse},
                                 {"sum", sum},
                                 {"rotated", rotated},
                                 {"square_less", square_less},
                                 {"first", first}});
  for (int i = 0; i < 4; i++) field->to_canonical(&out[i], &square_less[i]);
  CHECK(out[1] == 2 && out[3] == 12 && first[0] == in[0]);
  CHECK(!std::memcmp(in, same, sizeof in));
  for (int i = 0; i < 4; i++) field->to_canonical(&out[i], &inverse[i]);
  CHECK(out[1] == 49 && out[3] == 73);
  field->to_canonical(out, sum);
  CHECK(out[0] == 10);
  field->to_canonical(out, &rotated[3]);
  CHECK(out[0] == 1);
}

template <class VerifyingKey, class Proof> static void verifies(const rp::Context &context, const std::string &folder) {
  const auto key = VerifyingKey::from_json(context, text_of(folder + "verification_key.json"));
  Proof proof = Proof::from_json(text_of(folder + "proof.json"), text_of(folder + "public.json"));
  CHECK(key.n_public() == proof.public_signals.size() && key.verify(proof));
  CHECK(proof.calldata() + "\n" == text_of(folder + "calldata.txt") ||
        proof.calldata() == text_of(folder + "calldata.txt"));
  const auto from_zkey = VerifyingKey::from_zkey(context, (test_data + folder + "circuit.zkey").c_str());
  CHECK(from_zkey.json() == key.json());
  proof.public_signals[0][0] ^= 1;
  CHECK(!key.verify(proof));
  proof.public_signals.emplace_back();
  rp::Error error;
  CHECK(!key.verify(proof, &error) && error.status() == RP_ERR_MISMATCH);
}

template <class Key, class Prover, class Options, class VerifyingKey>
static void proves(const rp::Context &context, const rp::Device &device, const std::string &folder) {
  const auto zkey = bytes_of(folder + "circuit.zkey"), wtns = bytes_of(folder + "witness.wtns");
  const std::string path = test_data + folder + "witness.wtns";
  Prover prover = [&] { // the key is gone before its prover
    return Prover(device, Key(context, rp::Span<const std::uint8_t>(zkey)), Options().max_in_flight(2));
  }();
  const auto key = VerifyingKey::from_json(context, text_of(folder + "verification_key.json"));
  CHECK(key.verify(prover.prove(path.c_str())) && key.verify(prover.prove(rp::Span<const std::uint8_t>(wtns))));
  const std::vector<std::string> paths = {path, "/nowhere.wtns", path};
  const auto results = prover.prove_batch(paths);
  CHECK(!results[0].error && results[1].error.status() == RP_ERR_FILE && key.verify(results[2].proof));
  rp::Error error;
  CHECK(prover.prove("/nowhere.wtns", &error).public_signals.empty() && error.status() == RP_ERR_FILE);
  CHECK(prover.graph() && prover.recording() && prover.n_public() == key.n_public());
  CHECK(save(prover, "key.rpk"));
}

template <class Key, class Prover, class Task>
static void tasks(const rp::Context &context, const rp::Device &device, const std::string &folder) {
  const auto wtns = bytes_of(folder + "witness.wtns");
  const Prover prover(device, Key(context, (test_data + folder + "circuit.zkey").c_str()));
  int called = 0;
  {
    Task task(prover, wtns, [&] { called++; });
    CHECK(task.wait() == RP_OK && task.result().public_signals.size() == prover.n_public());
  }
  CHECK(called == 1);
  Task bad(prover, {wtns.data(), 3});
  rp::Error error;
  CHECK(bad.wait() == RP_ERR_FORMAT);
  bad.result(&error);
  CHECK(error.status() == RP_ERR_FORMAT);
  Task(prover, wtns).cancel();
}

#ifndef NO_EXCEPTIONS
static void throws(const rp::Context &context, const rp::Device &device) {
  rp::Graph wrong(context, "wrong");
  (wrong.input("a", RP_TYPE_U8, 1) + wrong.input("b", RP_TYPE_U32, 1)).output("c");
  try {
    rp::Recording recording(device, wrong);
    CHECK(!"an exception");
  } catch (const rp::Exception &caught) {
    CHECK(caught.status() == RP_ERR_TYPE && std::strstr(caught.what(), "RP_ERR_TYPE: ") == caught.what());
    CHECK(caught.error().reason()[0]);
  }
  try {
    rp::groth16::Key(context, "/nowhere.zkey");
    CHECK(!"an exception");
  } catch (const std::runtime_error &) {}
}
#endif

int main(int, char **argv) {
  test_data = std::string(argv[1]) + "/";
  const rp::Context context(rp::ContextOptions().log_level(RP_LOG_ERROR));
  CHECK(!context.devices().empty());
  const rp::Device device(context, rp::DeviceOptions().kind(RP_DEVICE_CPU).cpu_threads(2));
  CHECK(device.information().kind == RP_DEVICE_CPU && !device.is_lost() && device.available_bytes() > 0);
  rp::Buffer buffer(device, 8);
  const std::uint64_t in[1] = {7};
  std::uint64_t out[1] = {0};
  CHECK(buffer.write(rp::Span<const std::uint64_t>(in)) && buffer.read(rp::Span<std::uint64_t>(out)) && out[0] == 7);
  functions_without_a_class(context);
  graphs(context, device);
  bodies(context, device);
  operations(context, device);
  verifies<rp::groth16::VerifyingKey, rp::groth16::Proof>(context, "fixtures/multiplier_bn254/");
  verifies<rp::plonk::VerifyingKey, rp::plonk::Proof>(context, "plonk/multiplier/");
  verifies<rp::fflonk::VerifyingKey, rp::fflonk::Proof>(context, "fflonk/multiplier/");
  proves<rp::groth16::Key, rp::groth16::Prover, rp::groth16::ProverOptions, rp::groth16::VerifyingKey>(
      context, device, "fixtures/multiplier_bn254/");
  proves<rp::plonk::Key, rp::plonk::Prover, rp::plonk::ProverOptions, rp::plonk::VerifyingKey>(context, device,
                                                                                               "plonk/multiplier/");
  proves<rp::fflonk::Key, rp::fflonk::Prover, rp::fflonk::ProverOptions, rp::fflonk::VerifyingKey>(
      context, device, "fflonk/multiplier/");
  tasks<rp::groth16::Key, rp::groth16::Prover, rp::groth16::Task>(context, device, "fixtures/multiplier_bn254/");
  tasks<rp::plonk::Key, rp::plonk::Prover, rp::plonk::Task>(context, device, "plonk/multiplier/");
  tasks<rp::fflonk::Key, rp::fflonk::Prover, rp::fflonk::Task>(context, device, "fflonk/multiplier/");
#ifndef NO_EXCEPTIONS
  throws(context, device);
#endif
  std::puts("all checks passed");
  return 0;
}
