/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "group.h"

#include <stdio.h>

/* ---- Devices ----------------------------------------------------------------------------------------------------- */

static void open_one(group *g, const char *name) {
  rp_device_options o = {.struct_size = sizeof o};
  rp_error err = {0};
  char kind[16];
  unsigned number = 0;
  char mark = 0;
  const int read = sscanf(name, "%15[a-z]%c%u", kind, &mark, &number);
  assert_true(read == 1 || (read == 3 && (mark == ':' || mark == '/')));
  for (int k = 0; k < RP_DEVICE_KIND_COUNT; k++)
    if (strcmp(rp_device_kind_name((rp_device_kind)k), kind) == 0) o.kind = (rp_device_kind)k;
  if (mark == '/')
    o.cpu_threads = number;
  else
    o.index = number;
  if (rp_device_open(g->context, &o, &g->devices[g->n], &err)) fail_msg("%s: %s", name, err.reason);
  g->n++;
}

static void open_list(group *g, uint32_t most) {
  const char *list = getenv("REPRISE_TEST_GROUP");
  char *copy = strdup(list && *list ? list : "cpu/1,cpu/2,cpu/1,cpu/2"), *rest = copy, *name;
  rp_error err = {0};
  while ((name = strsep(&rest, ",")) && g->n < most) open_one(g, name);
  free(copy);
  for (uint32_t i = 0; i < g->n; i++) rp_device_set_speed(g->devices[i], 1); /* so that each gets its part */
  if (rp_group_open(g->context, g->devices, g->n, &g->all, &err)) fail_msg("%s", err.reason);
}

void group_open(group *g, uint32_t most) {
  *g = (group){0};
  assert_int_equal(rp_context_create(NULL, &g->context, NULL), RP_OK);
  open_list(g, most);
}

rp_device *group_open_in(rp_context *context) {
  group g = {.context = context};
  open_list(&g, RP_GROUP_MOST);
  for (uint32_t i = 0; i < g.n; i++) rp_device_release(g.devices[i]);
  return g.all;
}

void group_close(group *g) {
  rp_error err = {0};
  if (rp_device_try_close(g->all, &err)) fail_msg("%s", err.reason);
  for (uint32_t i = 0; i < g->n; i++)
    if (rp_device_try_close(g->devices[i], &err)) fail_msg("%s", err.reason);
  if (rp_context_try_destroy(g->context, &err)) fail_msg("%s", err.reason);
}

int group_is_cpu(const group *g) {
  for (uint32_t i = 0; i < g->n; i++) {
    rp_device_info info = {.struct_size = sizeof info};
    rp_device_get_info(g->devices[i], &info);
    if (info.kind != RP_DEVICE_CPU) return 0;
  }
  return 1;
}

/* ---- Spreading --------------------------------------------------------------------------------------------------- */

static uint64_t next(uint64_t *seed) { /* splitmix64: Steele, Lea, Flood 2014 */
  uint64_t z = *seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

typedef struct spread {
  const rp_graph *from;
  rp_graph *to;
  uint32_t n;
  uint64_t seed;
  rp_value (*values)[RP_GROUP_MOST]; /* for each value of `from`: the value or its copy on each device */
  uint32_t *home;
} spread;

static rp_value value_on(spread *s, uint32_t value, uint32_t device) {
  rp_value *here = s->values[value], from = here[s->home[value]];
  if (rp_value_is_constant(s->to, from)) return from;
  if (here[device].id) return here[device];
  for (uint32_t d = 0; d < s->n; d++) /* sometimes makes a copy of a copy */
    if (here[d].id && next(&s->seed) % 4 == 0) from = here[d];
  return here[device] = rp_copy_to(s->to, from, device);
}

static void spread_border(spread *s, const rp_value_info *v, uint32_t value) {
  s->home[value] = (uint32_t)(next(&s->seed) % s->n);
  rp_on(s->to, s->home[value]);
  s->values[value][s->home[value]] = v->storage == RP_STORAGE_INPUT
                                         ? rp_graph_input(s->to, v->name, v->type, v->len, v->flags)
                                         : rp_graph_constant(s->to, v->name, v->type, v->len, v->data, 0);
}

/* Operations on a bucket matrix, or on scalars prepared for several products, need the result of the operation that
 * made it, not a copy. So they stay on its device. */
static uint32_t choose(spread *s, const rp_graph_node_info *node) {
  for (uint32_t i = 0; i < node->n_in; i++) {
    rp_value_info value = {.struct_size = sizeof value};
    rp_graph_node_info maker = {.struct_size = sizeof maker};
    assert_int_equal(rp_graph_get_value(s->from, node->in[i].id - 1, &value, NULL), RP_OK);
    if (value.node == UINT32_MAX) continue;
    assert_int_equal(rp_graph_get_node(s->from, value.node, &maker, NULL), RP_OK);
    if (strncmp(maker.op->name, "bucket", 6) == 0 || strcmp(maker.op->name, "eisenstein_matrix") == 0 ||
        strcmp(maker.op->name, "msm_scalars") == 0)
      return s->home[node->in[i].id - 1];
  }
  return (uint32_t)(next(&s->seed) % s->n);
}

static void spread_node(spread *s, const rp_graph_node_info *node) {
  rp_value in[300], out[300];
  const uint32_t device = choose(s, node);
  assert_true(node->n_in <= 300 && node->n_out <= 300);
  for (uint32_t i = 0; i < node->n_in; i++) in[i] = value_on(s, node->in[i].id - 1, device);
  rp_on(s->to, device);
  rp_graph_node(s->to, node->op, node->op->params_bytes ? node->params : NULL, in, node->n_in, out, node->n_out);
  for (uint32_t i = 0; i < node->n_out; i++) {
    s->home[node->out[i].id - 1] = device;
    s->values[node->out[i].id - 1][device] = out[i];
  }
}

rp_graph *group_spread(const rp_graph *graph, uint32_t n, uint64_t seed) {
  spread s = {.from = graph, .n = n, .seed = seed};
  const uint32_t n_values = rp_graph_n_values(graph);
  assert_int_equal(rp_graph_create(rp_graph_context(graph), rp_graph_name(graph), &s.to, NULL), RP_OK);
  s.values = calloc(n_values, sizeof *s.values);
  s.home = calloc(n_values, sizeof *s.home);
  assert_true(s.values && s.home);
  uint32_t node = 0;
  for (uint32_t v = 0; v < n_values; v++) { /* the results of a node have consecutive ids */
    rp_value_info info = {.struct_size = sizeof info};
    rp_graph_node_info made = {.struct_size = sizeof made};
    assert_int_equal(rp_graph_get_value(graph, v, &info, NULL), RP_OK);
    if (info.node == UINT32_MAX) {
      spread_border(&s, &info, v);
    } else if (info.node == node) {
      assert_int_equal(rp_graph_get_node(graph, node++, &made, NULL), RP_OK);
      spread_node(&s, &made);
    }
  }
  for (uint32_t i = 0; i < rp_graph_n_outputs(graph); i++) {
    rp_port_info port = {.struct_size = sizeof port};
    assert_int_equal(rp_graph_get_output(graph, i, &port, NULL), RP_OK);
    rp_graph_output(s.to, port.name, s.values[port.value.id - 1][s.home[port.value.id - 1]], port.flags);
  }
  if (rp_graph_error(s.to)->status) fail_msg("%s", rp_graph_error(s.to)->reason);
  free(s.values);
  free(s.home);
  return s.to;
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

/* The coordinates of accumulators depend on the order of the additions, so sums are compared as affine points. */
static void to_affine(uint8_t *bytes, const rp_port_info *port) {
  rp_curve curve;
  if (!rp_type_is_accumulator(port->type, &curve)) return;
  for (uint64_t i = 0; i < port->len; i++) {
    uint8_t affine[512] = {0}, *at = bytes + i * port->type->size_bytes;
    assert_true(port->type->size_bytes <= sizeof affine);
    rp_curve_get(curve)->acc_to_affine(affine, at);
    memcpy(at, affine, port->type->size_bytes);
  }
}

static uint8_t *read_outputs(rp_run *run, rp_recording *recording, uint64_t *bytes) {
  uint8_t *data = NULL;
  *bytes = 0;
  for (uint32_t i = 0; i < rp_recording_n_outputs(recording); i++) {
    rp_port_info port = {.struct_size = sizeof port};
    assert_int_equal(rp_recording_get_output(recording, i, &port, NULL), RP_OK);
    data = realloc(data, *bytes + port.size_bytes);
    assert_non_null(data);
    memcpy(data + *bytes, rp_run_output(run, port.value), port.size_bytes);
    to_affine(data + *bytes, &port);
    *bytes += port.size_bytes;
  }
  return data;
}

uint8_t *group_run(rp_recording *recording, group_elements make, uint64_t seed, uint64_t *bytes, rp_error *err) {
  rp_run *run;
  uint8_t *outputs = NULL;
  if (rp_run_begin(recording, UINT64_MAX, &run, err)) return NULL;
  for (uint32_t i = 0; i < rp_recording_n_inputs(recording); i++) {
    rp_port_info port = {.struct_size = sizeof port};
    assert_int_equal(rp_recording_get_input(recording, i, &port, NULL), RP_OK);
    void *data = make(port.type, port.len, seed + i);
    assert_int_equal(rp_run_set_input(run, port.value, data, port.size_bytes), RP_OK);
    free(data);
  }
  rp_status status = rp_run_submit(run);
  if (!status) status = rp_run_wait(run, UINT64_MAX);
  *err = *rp_run_error(run);
  if (!status) outputs = read_outputs(run, recording, bytes);
  rp_run_end(run);
  return outputs;
}
