/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Saving a graph: its content as sections.
 */
#include "addition.h"
#include "devices.h"

#include <stdlib.h>

#define BESIDE_SUFFIX ".data"

typedef struct saver {
  const rp_graph *graph;
  const char *path;
  saved_bytes section[SAVED_IDS];
  saved_bytes device[SAVED_DEVICES_MAX];
  saved_bytes key;
  saved_contents contents;
  const void **types; /* rp_type, in the order of SAVED_TYPES */
  const void **ops;   /* rp_op, in the order of SAVED_OPERATIONS */
  uint32_t *number;   /* per value: its number in the file, from 1 on; 0: none yet */
  uint32_t n_strings, n_types, n_ops, n_items, n_values, n_conditions, n_devices;
  rp_error *err;
} saver;

/* ---- Names, types, operations ------------------------------------------------------------------------------------ */

static rp_status unsavable(const saver *s, const char *what, const char *name, const char *why) {
  return support_fail(s->err, RP_ERR_UNSUPPORTED, "%s: %s '%.100s' %s.", support_label(s->path), what, name, why);
}

/* Adds a string and writes its index. */
static rp_status put_name(saver *s, saved_id section, const char *what, const char *name) {
  const size_t length = strlen(name);
  if (!length || length > SAVED_NAME_MAX) return unsavable(s, what, name, "has a name that is empty or too long");
  if (!saved_is_name(name, length)) return unsavable(s, what, "(not shown)", "has a name with control characters");
  saved_u32(&s->section[SAVED_STRINGS], (uint32_t)length);
  saved_put(&s->section[SAVED_STRINGS], name, length);
  saved_u32(&s->section[section], s->n_strings++);
  return RP_OK;
}

static rp_status out_of_memory(const saver *s) {
  return support_fail(s->err, RP_ERR_MEMORY, "%s: out of memory.", support_label(s->path));
}

/* Room for one more pointer, in an array that grows by doubling. */
static bool grow(const void ***items, uint32_t n) {
  if (n & (n - 1)) return 1;
  const void **more = realloc(*items, (n ? 2 * (size_t)n : 1) * sizeof *more);
  if (more) *items = more;
  return more != NULL;
}

static rp_status find_type(saver *s, const rp_type *type, uint32_t *index) {
  saved_bytes *b = &s->section[SAVED_TYPES];
  for (*index = 0; *index < s->n_types; ++*index) {
    const rp_type *known = s->types[*index];
    if (known->id == type->id) return RP_OK;
    if (strcmp(known->name, type->name) == 0)
      return unsavable(s, "type", type->name, "stands for two different types of the graph");
  }
  if (!grow(&s->types, s->n_types)) return out_of_memory(s);
  s->types[s->n_types++] = type;
  const rp_status status = put_name(s, SAVED_TYPES, "type", type->name);
  saved_u32(b, type->id);
  saved_u32(b, type->size_bytes);
  saved_u32(b, type->align_bytes);
  return status;
}

static rp_status find_op(saver *s, const rp_op *op, uint32_t *index) {
  for (*index = 0; *index < s->n_ops; ++*index) {
    const rp_op *known = s->ops[*index];
    if (known == op) return RP_OK;
    if (strcmp(known->name, op->name) == 0)
      return unsavable(s, "operation", op->name, "stands for two different operations of the graph");
  }
  if (!grow(&s->ops, s->n_ops)) return out_of_memory(s);
  s->ops[s->n_ops++] = op;
  const rp_status status = put_name(s, SAVED_OPERATIONS, "operation", op->name);
  saved_u32(&s->section[SAVED_OPERATIONS], rp_op_version(op));
  return status;
}

/* ---- Items ------------------------------------------------------------------------------------------------------- */

static rp_status put_border(saver *s, const rp_value_info *v, uint32_t index) {
  saved_bytes *b = &s->section[SAVED_ITEMS];
  const bool input = v->storage == RP_STORAGE_INPUT;
  uint32_t type;
  rp_status status = find_type(s, v->type, &type);
  if (status != RP_OK) return status;
  saved_u32(b, input ? SAVED_INPUT : SAVED_CONSTANT);
  status = put_name(s, SAVED_ITEMS, input ? "input" : "constant", v->name);
  saved_u32(b, type);
  saved_u32(b, input ? v->flags : s->contents.of_value[index]);
  saved_u64(b, v->len);
  return status;
}

static rp_status put_params(saver *s, const rp_graph_node_info *n) {
  uint8_t small[256], *bytes = small;
  size_t size;
  rp_error why = {0};
  rp_status status = rp_params_encode(n->op, n->params, small, sizeof small, &size, &why);
  if (status == RP_ERR_BUFFER_TOO_SMALL) {
    bytes = malloc(size);
    if (!bytes) return out_of_memory(s);
    status = rp_params_encode(n->op, n->params, bytes, size, &size, &why);
  }
  if (status == RP_OK) {
    saved_u32(&s->section[SAVED_ITEMS], (uint32_t)size);
    saved_put(&s->section[SAVED_ITEMS], bytes, size);
    saved_room(&s->section[SAVED_ITEMS], (4 - size % 4) % 4);
  } else {
    (void)support_fail(s->err, status, "%.120s: node '%.120s' cannot be saved: %.200s.", support_label(s->path),
                       n->name, why.reason);
  }
  if (bytes != small) free(bytes);
  return status;
}

/* Numbers of sections of rp_recompute_begin are given anew, without those that have no node. */
static uint32_t section_of(const rp_graph_node_info *n, uint32_t *last, uint32_t *count) {
  if (!n->section) return 0;
  *count += n->section != *last;
  *last = n->section;
  return *count;
}

static rp_status put_node(saver *s, const rp_graph_node_info *n, uint32_t section) {
  saved_bytes *b = &s->section[SAVED_ITEMS];
  uint32_t op, type;
  rp_status status = find_op(s, n->op, &op);
  if (status != RP_OK) return status;
  saved_u32(b, SAVED_NODE);
  saved_u32(b, op);
  saved_u32(b, n->scope);
  saved_u32(b, section);
  saved_u32(b, n->n_in);
  saved_u32(b, n->n_out);
  for (uint32_t i = 0; i < n->n_in; i++) saved_u32(b, s->number[n->in[i].id - 1]);
  for (uint32_t i = 0; i < n->n_out && status == RP_OK; i++) {
    status = find_type(s, rp_value_type(s->graph, n->out[i]), &type);
    saved_u32(b, type);
    saved_u64(b, rp_value_len(s->graph, n->out[i]));
  }
  return status == RP_OK ? put_params(s, n) : status;
}

/* Inputs and constants up to this value that have not been written. */
static rp_status put_borders(saver *s, uint32_t *next, uint32_t end) {
  rp_status status = RP_OK;
  for (; *next < end && status == RP_OK; ++*next) {
    rp_value_info v = {.struct_size = sizeof v};
    status = rp_graph_get_value(s->graph, *next, &v, s->err);
    if (status != RP_OK || v.node != UINT32_MAX) continue;
    status = put_border(s, &v, *next);
    s->number[*next] = ++s->n_values;
    s->n_items++;
  }
  return status;
}

/* Inputs, constants and nodes in the order in which they were made. Values are numbered in that order, as the graph
 * numbers them itself unless some are inside of calls. */
static rp_status put_items(saver *s) {
  uint32_t last = 0, count = 0, next = 0;
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < rp_graph_n_nodes(s->graph) && status == RP_OK; i++) {
    rp_graph_node_info n = {.struct_size = sizeof n};
    status = rp_graph_get_node(s->graph, i, &n, s->err);
    if (status == RP_OK) status = put_borders(s, &next, n.out[0].id - 1);
    if (status == RP_OK) status = put_node(s, &n, section_of(&n, &last, &count));
    for (uint32_t k = 0; k < n.n_out && status == RP_OK; k++) s->number[n.out[k].id - 1] = ++s->n_values;
    s->n_items++;
  }
  return status == RP_OK ? put_borders(s, &next, rp_graph_n_values(s->graph)) : status;
}

/* ---- Conditions -------------------------------------------------------------------------------------------------- */

/* Numbers of conditions are given anew too, by the first node under each, those around it first; `number` has room for
 * all. */
static rp_status put_condition(saver *s, uint32_t condition, uint32_t *number) {
  rp_condition_info info = {.struct_size = sizeof info};
  rp_status status = RP_OK;
  while (condition && !number[condition] && status == RP_OK) {
    uint32_t outermost = condition; /* of those that have no number */
    status = rp_graph_get_condition(s->graph, outermost, &info, s->err);
    while (status == RP_OK && info.parent && !number[info.parent]) {
      outermost = info.parent;
      status = rp_graph_get_condition(s->graph, outermost, &info, s->err);
    }
    if (status != RP_OK) return status;
    number[outermost] = ++s->n_conditions;
    saved_u32(&s->section[SAVED_CONDITIONS], s->number[info.value.id - 1]);
    saved_u32(&s->section[SAVED_CONDITIONS], info.when);
    saved_u32(&s->section[SAVED_CONDITIONS], info.parent ? number[info.parent] : 0);
  }
  return status;
}

/* The conditions, and then one for each node. */
static rp_status put_conditions(saver *s) {
  const uint32_t n = rp_graph_n_nodes(s->graph);
  saved_bytes of_nodes = {0};
  rp_graph_node_info node = {.struct_size = sizeof node};
  rp_status status = RP_OK;
  if (!rp_graph_n_conditions(s->graph)) return RP_OK;
  uint32_t *number = calloc((size_t)rp_graph_n_conditions(s->graph) + 1, sizeof *number);
  if (!number) return out_of_memory(s);
  saved_u32(&s->section[SAVED_CONDITIONS], 0); /* their number */
  for (uint32_t i = 0; i < n && status == RP_OK; i++) {
    status = rp_graph_get_node(s->graph, i, &node, s->err);
    if (status == RP_OK) status = put_condition(s, node.condition, number);
    if (status == RP_OK) saved_u32(&of_nodes, number[node.condition]);
  }
  saved_put(&s->section[SAVED_CONDITIONS], of_nodes.data, of_nodes.size);
  s->section[SAVED_CONDITIONS].failed |= of_nodes.failed;
  free(of_nodes.data);
  free(number);
  return status;
}

/* ---- Scopes and outputs ------------------------------------------------------------------------------------------ */

static rp_status put_scopes(saver *s) {
  const uint32_t n = rp_graph_n_scopes(s->graph);
  rp_status status = put_name(s, SAVED_SCOPES, "graph", rp_graph_name(s->graph));
  saved_u32(&s->section[SAVED_SCOPES], n - 1);
  for (uint32_t i = 1; i < n && status == RP_OK; i++) {
    rp_scope_info scope = {.struct_size = sizeof scope};
    status = rp_graph_get_scope(s->graph, i, &scope, s->err);
    if (status != RP_OK) return status;
    if (strlen(scope.path) > SAVED_PATH_MAX)
      return unsavable(s, "scope", scope.path, "has a path of more than 511 bytes");
    saved_u32(&s->section[SAVED_SCOPES], scope.parent);
    status = put_name(s, SAVED_SCOPES, "scope", scope.name);
  }
  return status;
}

static rp_status put_outputs(saver *s) {
  saved_bytes *b = &s->section[SAVED_OUTPUTS];
  const uint32_t n = rp_graph_n_outputs(s->graph);
  rp_status status = RP_OK;
  saved_u32(b, n);
  for (uint32_t i = 0; i < n && status == RP_OK; i++) {
    rp_port_info port = {.struct_size = sizeof port};
    status = rp_graph_get_output(s->graph, i, &port, s->err);
    if (status == RP_OK) status = put_name(s, SAVED_OUTPUTS, "output", port.name);
    saved_u32(b, s->number[port.value.id - 1]);
    saved_u32(b, port.flags);
  }
  return status;
}

/* The sections that begin with the number of their entries have room for it, which is filled in last. */
static void put_counts(saver *s) {
  const struct {
    saved_id id;
    uint32_t n;
  } counts[] = {{SAVED_STRINGS, s->n_strings},
                {SAVED_TYPES, s->n_types},
                {SAVED_OPERATIONS, s->n_ops},
                {SAVED_ITEMS, s->n_items},
                {SAVED_CONDITIONS, s->n_conditions}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (int byte = 0; byte < 4 && s->section[counts[i].id].data; byte++)
      s->section[counts[i].id].data[byte] = (uint8_t)(counts[i].n >> 8 * byte);
}

static rp_status describe(saver *s) {
  static const saved_id counted[] = {SAVED_STRINGS, SAVED_TYPES, SAVED_OPERATIONS, SAVED_ITEMS};
  for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) saved_u32(&s->section[counted[i]], 0);
  s->number = calloc((size_t)rp_graph_n_values(s->graph) + 1, sizeof *s->number);
  rp_status status = s->number ? saved_contents_find(s->graph, &s->contents, s->err) : out_of_memory(s);
  if (status == RP_OK) status = put_scopes(s);
  if (status == RP_OK) status = put_items(s);
  if (status == RP_OK) status = put_conditions(s);
  if (status == RP_OK) status = put_outputs(s);
  if (status != RP_OK) return status;
  saved_contents_list(&s->contents, &s->section[SAVED_CONSTANTS]);
  put_counts(s);
  for (int i = 0; i < SAVED_IDS; i++)
    if (s->section[i].failed) return out_of_memory(s);
  return RP_OK;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static saved_section section_entry(const saver *s, saved_id id) {
  saved_section entry = {.id = (uint32_t)id, .size_bytes = s->section[id].size};
  pedersen_sha256(s->section[id].data, s->section[id].size, entry.digest);
  return entry;
}

static saved_section data_entry(const saver *s) {
  saved_section entry = section_entry(s, SAVED_CONSTANTS);
  entry.id = SAVED_DATA;
  entry.size_bytes = s->contents.size_bytes;
  return entry;
}

static saved_section device_entry(const saver *s, uint32_t index) {
  const saved_bytes *b = &s->device[index];
  saved_section entry = {.id = SAVED_DEVICE_FIRST + index, .size_bytes = b->size};
  pedersen_sha256(b->data, b->size, entry.digest);
  return entry;
}

static saved_section key_entry(const saver *s) {
  saved_section entry = {.id = SAVED_KEY, .size_bytes = s->key.size};
  pedersen_sha256(s->key.data, s->key.size, entry.digest);
  return entry;
}

static const saved_bytes *content_of(const saver *s, uint32_t id) {
  if (id == SAVED_KEY) return &s->key;
  return id < SAVED_IDS ? &s->section[id] : &s->device[id - SAVED_DEVICE_FIRST];
}

/* Writes a container with the sections that have been made, and the contents of constants if `data` is not 0. */
static rp_status write_graph(saver *s, bool data, support_output *output) {
  saved_section entries[SAVED_IDS + SAVED_DEVICES_MAX + 1];
  uint32_t n = 0;
  for (saved_id id = SAVED_STRINGS; id < SAVED_IDS; id++)
    if (s->section[id].size) entries[n++] = section_entry(s, id);
  if (s->key.size) entries[n++] = key_entry(s);
  if (data) entries[n++] = data_entry(s);
  for (uint32_t i = 0; i < s->n_devices; i++) entries[n++] = device_entry(s, i);
  rp_status status = saved_write_head(output, SAVED_MAGIC, entries, n, s->err);
  uint64_t at = SAVED_HEADER_BYTES + (uint64_t)n * SAVED_ENTRY_BYTES;
  for (uint32_t i = 0; i < n && status == RP_OK; i++) {
    status = saved_write_gap(output, &at, entries[i].offset, s->err);
    if (status == RP_OK)
      status = entries[i].id == SAVED_DATA
                   ? saved_contents_write(&s->contents, output, s->err)
                   : support_output_write(output, content_of(s, entries[i].id)->data, entries[i].size_bytes, s->err);
    at += entries[i].size_bytes;
  }
  return status;
}

static rp_status write_beside(saver *s, const char *path, support_output *output) {
  const char *slash = strrchr(path, '/');
  saved_section entry = data_entry(s);
  rp_status status = saved_write_head(output, SAVED_DATA_MAGIC, &entry, 1, s->err);
  uint64_t at = SAVED_HEADER_BYTES + SAVED_ENTRY_BYTES;
  if (status == RP_OK) status = saved_write_gap(output, &at, entry.offset, s->err);
  if (status == RP_OK) status = saved_contents_write(&s->contents, output, s->err);
  if (status == RP_OK) status = put_name(s, SAVED_BESIDE, "file", slash ? slash + 1 : path);
  if (status != RP_OK) return status;
  saved_u32(&s->section[SAVED_BESIDE], 0);
  saved_u64(&s->section[SAVED_BESIDE], entry.offset + entry.size_bytes);
  put_counts(s); /* one more string */
  return s->section[SAVED_BESIDE].failed || s->section[SAVED_STRINGS].failed ? out_of_memory(s) : RP_OK;
}

static rp_status write_files(saver *s, bool beside) {
  support_output *outputs[2] = {NULL, NULL};
  rp_status status = support_output_begin(s->path, &outputs[0], s->err);
  if (status != RP_OK) return status;
  if (beside) {
    const size_t length = strlen(s->path);
    char *path = malloc(length + sizeof BESIDE_SUFFIX);
    if (path) {
      memcpy(path, s->path, length);
      memcpy(path + length, BESIDE_SUFFIX, sizeof BESIDE_SUFFIX);
      status = support_output_begin(path, &outputs[1], s->err);
      if (status == RP_OK) status = write_beside(s, path, outputs[1]);
    } else {
      status = out_of_memory(s);
    }
    free(path);
  }
  if (status == RP_OK) status = write_graph(s, !beside && s->contents.n, outputs[0]);
  if (status == RP_OK) return support_output_commit(outputs, beside ? 2 : 1, s->err);
  support_output_abort(outputs[0]);
  support_output_abort(outputs[1]);
  return status;
}

rp_status saved_graph_save(const rp_graph *graph, const char *path, const rp_save_options *options,
                           const saved_addition *addition, rp_error *err) {
  rp_save_options o;
  if (!graph || !path) return support_fail(err, RP_ERR_ARGUMENT, "rp_graph_save: a graph and a path are needed.");
  rp_status status = graphs_options(&o, sizeof o, options, "rp_save_options", err);
  if (status == RP_OK) status = graphs_built(graph, err);
  if (status != RP_OK) return status;
  if (o.flags & ~(RP_SAVE_BESIDE | RP_SAVE_KERNELS))
    return support_fail(err, RP_ERR_ARGUMENT, "rp_graph_save: flags 0x%x are not for saving.", o.flags);
  if ((o.flags & RP_SAVE_BESIDE) && support_output_descriptor(path) >= 0)
    return support_fail(err, RP_ERR_ARGUMENT, "%s: is no file that another one can stand beside.", support_label(path));
  status = saved_refuse_spread(graph, path, err);
  if (status != RP_OK) return status;
  saver s = {.graph = graph, .path = path, .n_devices = o.n_devices, .err = err};
  status = saved_devices_make(graph, &o, s.device, err);
  if (status == RP_OK) status = describe(&s);
  if (status == RP_OK && addition) status = addition->make(addition->user, graph, &s.contents, &s.key, err);
  if (status == RP_OK && s.key.failed) status = out_of_memory(&s);
  if (status == RP_OK) status = write_files(&s, (o.flags & RP_SAVE_BESIDE) && s.contents.n);
  free(s.number);
  for (int i = 0; i < SAVED_IDS; i++) free(s.section[i].data);
  for (int i = 0; i < SAVED_DEVICES_MAX; i++) free(s.device[i].data);
  free(s.key.data);
  saved_contents_free(&s.contents);
  free(s.types);
  free(s.ops);
  return status;
}

rp_status rp_graph_save(const rp_graph *graph, const char *path, const rp_save_options *options, rp_error *err) {
  return saved_graph_save(graph, path, options, NULL, err);
}
