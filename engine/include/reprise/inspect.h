/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 1: inspecting graphs, recordings and runs: their inputs and outputs, the dispatches that they were
 * lowered to, and the times of these. Calling rules: reprise.h.
 */
#ifndef REPRISE_INSPECT_H
#define REPRISE_INSPECT_H

#include <reprise/reprise.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Inputs and outputs ------------------------------------------------------------------------------------------ */

/* Inputs and outputs, by index in the order in which they were made, or by name. Here and below, an index that does not
 * exist gives RP_ERR_ARGUMENT. */
typedef struct rp_port_info {
  uint32_t struct_size;
  uint32_t flags;   /* as given by the caller: RP_SECRET, RP_RESIDENT, RP_BINDABLE, RP_LENDABLE */
  const char *name; /* valid as long as the graph or recording that was asked */
  rp_value value;
  const rp_type *type;
  uint64_t len, size_bytes;
  uint32_t secret; /* 1: a secret input, or an output that is computed from one; wiped after a run */
} rp_port_info;
RP_API uint32_t rp_graph_n_inputs(const rp_graph *graph);
RP_API uint32_t rp_graph_n_outputs(const rp_graph *graph);
RP_API RP_CHECKED rp_status rp_graph_get_input(const rp_graph *graph, uint32_t index, rp_port_info *info,
                                               rp_error *err);
RP_API RP_CHECKED rp_status rp_graph_get_output(const rp_graph *graph, uint32_t index, rp_port_info *info,
                                                rp_error *err);
/* RP_ERR_ARGUMENT, with a reason that lists the existing names, if none has this name. */
RP_API RP_CHECKED rp_status rp_graph_find_input(const rp_graph *graph, const char *name, rp_port_info *info,
                                                rp_error *err);
RP_API RP_CHECKED rp_status rp_graph_find_output(const rp_graph *graph, const char *name, rp_port_info *info,
                                                 rp_error *err);

/* The same for the inputs and outputs that the graph had when it was recorded. */
RP_API uint32_t rp_recording_n_inputs(const rp_recording *recording);
RP_API uint32_t rp_recording_n_outputs(const rp_recording *recording);
RP_API RP_CHECKED rp_status rp_recording_get_input(const rp_recording *recording, uint32_t index, rp_port_info *info,
                                                   rp_error *err);
RP_API RP_CHECKED rp_status rp_recording_get_output(const rp_recording *recording, uint32_t index, rp_port_info *info,
                                                    rp_error *err);
RP_API RP_CHECKED rp_status rp_recording_find_input(const rp_recording *recording, const char *name, rp_port_info *info,
                                                    rp_error *err);
RP_API RP_CHECKED rp_status rp_recording_find_output(const rp_recording *recording, const char *name,
                                                     rp_port_info *info, rp_error *err);

/* ---- A graph as it was built ------------------------------------------------------------------------------------- */

/* Values, nodes and scopes have indices in the order in which they were made, so that a node comes after those that
 * compute its inputs. The value with index i has the id i + 1. Pointers are valid as long as the graph; `in` and `out`
 * belong to the node. */
typedef struct rp_op rp_op; /* op.h */
typedef struct rp_value_info {
  uint32_t struct_size;
  uint32_t flags;     /* as given by the caller, of inputs and constants */
  rp_storage storage; /* INPUT; CONSTANT: given by the caller; INTERMEDIATE: computed by a node */
  uint32_t node;      /* index of the node that computes it; UINT32_MAX: none */
  rp_value value;
  const rp_type *type;
  uint64_t len;
  const char *name;      /* of an input or constant, else NULL */
  const void *data;      /* of a constant that the caller gave, len elements; else NULL */
  const char *output;    /* name as an output of the graph, or NULL */
  uint32_t output_flags; /* as given by the caller; 0 if it is not an output */
} rp_value_info;
/* A condition under which nodes run (rp_condition_begin, op.h). */
typedef struct rp_condition_info {
  uint32_t struct_size;
  uint32_t when;   /* 1: they run if the value is not 0; 0: if it is */
  uint32_t parent; /* number of the condition that it was begun in, from 1 on; 0: none */
  rp_value value;
} rp_condition_info;
typedef struct rp_graph_node_info {
  uint32_t struct_size;
  uint32_t scope;   /* index of its scope; 0: the outermost */
  uint32_t section; /* the same number for nodes made in one outermost rp_recompute_begin, counted from 1; 0: in none */
  uint32_t n_in, n_out;
  const char *name; /* scope and operation: "prove/msm_a/digits#2" */
  const rp_op *op;
  const void *params;       /* op->params_bytes bytes */
  const rp_value *in, *out; /* n_in operands, n_out results */
  uint32_t condition;       /* number of the innermost condition under which it runs, from 1 on; 0: none */
} rp_graph_node_info;
typedef struct rp_scope_info {
  uint32_t struct_size;
  uint32_t parent;  /* index; of the outermost, which has index 0, 0 */
  const char *name; /* as given to rp_scope_begin; "" of the outermost */
  const char *path; /* with the names of the scopes around it: "prove/msm_a" */
} rp_scope_info;
RP_API const char *rp_graph_name(const rp_graph *graph); /* NULL for NULL */
RP_API uint32_t rp_graph_n_values(const rp_graph *graph);
RP_API uint32_t rp_graph_n_nodes(const rp_graph *graph);
RP_API uint32_t rp_graph_n_scopes(const rp_graph *graph); /* at least 1 */
RP_API uint32_t rp_graph_n_conditions(const rp_graph *graph);
/* The value, node or scope of that index. RP_ERR_ARGUMENT: there is none. */
RP_API RP_CHECKED rp_status rp_graph_get_value(const rp_graph *graph, uint32_t index, rp_value_info *info,
                                               rp_error *err);
RP_API RP_CHECKED rp_status rp_graph_get_node(const rp_graph *graph, uint32_t index, rp_graph_node_info *info,
                                              rp_error *err);
RP_API RP_CHECKED rp_status rp_graph_get_scope(const rp_graph *graph, uint32_t index, rp_scope_info *info,
                                               rp_error *err);
/* The condition of that number, from 1 on. RP_ERR_ARGUMENT: there is none. */
RP_API RP_CHECKED rp_status rp_graph_get_condition(const rp_graph *graph, uint32_t number, rp_condition_info *info,
                                                   rp_error *err);

/* ---- Graphs, recordings and runs --------------------------------------------------------------------------------- */

/* Receives text in pieces; returns 0 to continue. Anything else stops the export, which then gives RP_ERR_CANCELLED. */
typedef int (*rp_write_fn)(void *user, const char *text, size_t bytes);
typedef enum rp_export_format { RP_EXPORT_DOT = 0, RP_EXPORT_JSON = 1 } rp_export_format;

/* The graph as built: nodes, values with type, length and storage, grouped by scope. */
RP_API RP_CHECKED rp_status rp_graph_export(const rp_graph *graph, rp_export_format format, rp_write_fn write,
                                            void *user, rp_error *err);
/* The recording as planned: for each dispatch its kernel, grid, level and edges, the values that it reads and writes,
 * and where these are placed; after profiled runs also its median time. */
RP_API RP_CHECKED rp_status rp_recording_export(const rp_recording *recording, rp_export_format format,
                                                rp_write_fn write, void *user, rp_error *err);

typedef struct rp_node_info {
  uint32_t struct_size;
  const char *name;          /* scope and label */
  const char *op;            /* operation that was lowered */
  const char *strategy;      /* strategy that lowered it */
  const char *kernel;        /* name of the kernel */
  uint32_t once;             /* 1: runs at record time only */
  uint32_t level;            /* steps of one level are independent */
  uint64_t groups;           /* GPU: workgroups; CPU: items */
  uint64_t begin_ns, end_ns; /* in the latest profiled run, since its submission; 0 if there is none */
  uint32_t guarded;          /* 1: runs only if the condition of its node holds (rp_condition_begin) */
  uint32_t skipped;          /* 1: it did not in the latest profiled run */
} rp_node_info;
/* Dispatches in execution order. A node that computes the same as another, or whose copy is avoided, has none; the JSON
 * of rp_recording_export lists the values of such nodes under "aliases". Writes at most `capacity` entries,
 * nodes[0].struct_size bytes apart; always sets *count to their number. */
RP_API RP_CHECKED rp_status rp_recording_nodes(const rp_recording *recording, rp_node_info *nodes, uint32_t capacity,
                                               uint32_t *count, rp_error *err);

/* Chrome trace format (opens in Perfetto) of a run that has finished without a fault, of a recording made with
 * RP_RECORD_PROFILE: one span per dispatch (CPU: per worker's share of it) and per copy. RP_ERR_STATE for any other
 * run. */
RP_API RP_CHECKED rp_status rp_run_trace(const rp_run *run, rp_write_fn write, void *user, rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
