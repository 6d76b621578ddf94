// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// A C++17 program that uses every macro of the public headers as a caller would: an operation of its own between
// built-in ones, and a run. tests/hygiene/headers.sh compiles it pedantically with every compiler on the machine, and
// checks that no macro is missing here.
#include <reprise/graphs.h>
#include <reprise/halo2.h>
#include <reprise/inverse.h>
#include <reprise/msm.h>
#include <reprise/schema.h>
#include <reprise/simple.h>
#include <reprise/view.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

// ---- Lists that a program may expand for itself ---------------------------------------------------------------------

#define ROW(name, value, text) {value, text},
const std::vector<std::pair<int, std::string>> statuses = {RP_STATUS_LIST(ROW)};
const std::vector<std::pair<int, std::string>> devices = {RP_DEVICE_KIND_LIST(ROW)};
const std::vector<std::pair<int, std::string>> instruction_sets = {RP_CPU_ISA_LIST(ROW)};
const std::vector<std::pair<int, std::string>> faults = {RP_FAULT_LIST(ROW)};
const std::vector<std::pair<int, std::string>> routes = {RP_ROUTE_LIST(ROW)};
const std::vector<std::pair<int, std::string>> places = {RP_PLACE_LIST(ROW)};
#undef ROW
#define FIELD(NAME, name, bytes, limbs, degree) #name,
const std::vector<std::string> fields = {RP_FIELD_LIST(FIELD)};
#undef FIELD
#define CURVE(NAME, name, base, scalar, weierstrass) #name,
const std::vector<std::string> curves = {RP_CURVE_LIST(CURVE)};
#undef CURVE

// ---- An operation: twice x ------------------------------------------------------------------------------------------

const rp_type number = {RP_TYPE_USER + 7, 8, 8, "number", nullptr};

struct twice_args {
  RP_ADDR(const uint64_t) x;
  RP_ADDR(uint64_t) out;
};
RP_ARGS_SIZE(twice_args, 16);
RP_STATIC_ASSERT(RP_VIEW_VERSION >= 1, "a version of the document");
RP_STATIC_ASSERT(RP_VERSION_MAJOR >= 0 && RP_VERSION_MINOR >= 0 && RP_VERSION_PATCH >= 0, "a version");

void twice_cpu(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *) {
  const auto *a = static_cast<const twice_args *>(args);
  for (uint64_t i = begin; i < end; i++) a->out[i] = 2 * a->x[i];
}

const rp_kernel &twice_kernel() {
  static const rp_cpu_variant variants[] = {{RP_ISA_C, twice_cpu}};
  static const rp_kernel kernel = [] {
    rp_kernel k = {};
    k.struct_size = sizeof k;
    k.name = "twice";
    k.args_bytes = sizeof(twice_args);
    k.n_binds = 2;
    k.n_cpu = 1;
    k.cpu = variants;
    return k;
  }();
  return kernel;
}

rp_status twice_shape(const rp_shape *s) {
  if (s->n_in != 1 || s->in_type[0]->id != number.id) return RP_ERR_TYPE;
  s->out_type[0] = &number;
  s->out_len[0] = s->in_len[0];
  return RP_OK;
}

rp_status twice_lower(rp_lower *l) {
  const twice_args args = {};
  const rp_value in = rp_lower_in(l, 0);
  const rp_bind binds[] = {RP_BIND(in, RP_READ), RP_BIND(rp_lower_out(l, 0), RP_WRITE)};
  rp_dispatch d = {};
  d.kernel = &twice_kernel();
  d.groups[0] = static_cast<uint32_t>(rp_lower_len(l, in));
  d.binds = binds;
  d.n_binds = 2;
  d.args = &args;
  d.args_bytes = sizeof args;
  rp_lower_dispatch(l, &d);
  return RP_OK;
}

const rp_strategy twice_strategies[] = {{"cpu", RP_ON(RP_DEVICE_CPU), nullptr, twice_lower},
                                        {"none", RP_ON_ANY & ~RP_ON_GPU, nullptr, twice_lower}};
// How it is declared to files: its parameters, which are only checked.
struct twice_params {
  uint32_t times, way;
};
const char *way_name(uint32_t) { return "up"; }
const rp_param twice_list[] = {RP_PARAM(RP_PARAM_UINT, twice_params, times, 2, 2),
                               RP_PARAM_NAMED(twice_params, way, 1, 1, way_name)};
const rp_schema twice_schema = {sizeof(rp_schema), 1, 1, twice_list, 2, 1, 1, 1, 1, nullptr, nullptr, nullptr, 0};
const rp_op twice_op = {sizeof(rp_op), "twice", sizeof(twice_params), twice_shape, twice_strategies, 2, nullptr,
                        RP_OP_PURE,    nullptr, &twice_schema,        nullptr};

RP_CHECKED rp_status run(rp_context *context, rp_device *device, rp_error *err) {
  const std::vector<uint64_t> in = {1, 2, 3};
  std::vector<uint64_t> out(in.size());
  rp_graph *graph = nullptr;
  rp_recording *recording = nullptr;
  rp_status status = rp_graph_create(context, "c++", &graph, err);
  if (status != RP_OK) return status;
  const rp_value x = rp_graph_input(graph, "x", &number, in.size(), 0);
  const rp_value none = RP_NO_VALUE;
  const twice_params params = {2, 1};
  rp_graph_output(graph, "twice", rp_graph_node(graph, &twice_op, &params, &x, 1, nullptr, 1), 0);
  status = rp_record(device, graph, nullptr, &recording, err);
  if (status == RP_OK) {
    const rp_replay_input inputs[] = {{"x", none, in.data(), in.size() * sizeof in[0]}};
    const rp_replay_output outputs[] = {{"twice", RP_NO_VALUE, out.data(), out.size() * sizeof out[0]}};
    status = rp_replay(recording, inputs, 1, outputs, 1, err);
  }
  rp_recording_destroy(recording);
  rp_graph_destroy(graph);
  for (size_t i = 0; status == RP_OK && i < in.size(); i++)
    if (out[i] != 2 * in[i]) status = RP_ERR_INTERNAL;
  return status;
}

int wrong(const char *what) {
  std::printf("wrong: %s\n", what);
  return 1;
}

} // namespace

int main() {
  rp_error err = {};
  rp_simple simple = RP_SIMPLE_INIT;
  rp_context *context = nullptr;
  rp_device *device = nullptr;
  rp_device_options cpu = {};
  cpu.struct_size = sizeof cpu;
  cpu.kind = RP_DEVICE_CPU;
  rp_status status = rp_context_create(nullptr, &context, &err);
  if (status == RP_OK) status = rp_device_open(context, &cpu, &device, &err);
  if (status == RP_OK) status = run(context, device, &err);
  rp_device_close(device);
  rp_context_destroy(context);
  if (status != RP_OK) return wrong(err.reason[0] ? err.reason : rp_status_text(status));
  if (rp_simple_device(&simple)) return wrong("an object that no call has opened");
  rp_simple_close(&simple);
  if (statuses.back().first != RP_ERR_INTERNAL || statuses[0].second != "ok") return wrong("statuses");
  if (devices.size() != RP_DEVICE_KIND_COUNT || instruction_sets.size() != RP_ISA_COUNT) return wrong("devices");
  if (faults.back().first != RP_FAULT_USER) return wrong("faults");
  if (routes.back().first != RP_ROUTE_HOST) return wrong("routes");
  if (places.back().first != RP_PLACE_PARAMETER || places.front().second != "none") return wrong("places");
  if (fields.size() != RP_FIELD_COUNT || fields[0] != rp_field_name(RP_FIELD_BN254_FP)) return wrong("fields");
  if (curves.size() != RP_CURVE_COUNT || curves[0] != rp_curve_name(RP_CURVE_BN254_G1)) return wrong("curves");
  return 0;
}
