/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A graph as it was built: values in the order of their ids, nodes in the order of the calls, which is topological.
 */
#ifndef REPRISE_ENGINE_GRAPH_H
#define REPRISE_ENGINE_GRAPH_H

#include "names.h"

#include <reprise/source.h>

#define RP_NONE UINT32_MAX
#define RP_VALUE_BYTES_MAX (1ull << 44) /* so that sums of sizes cannot overflow */

#define RP_SCOPE_DEPTH 64u
#define RP_CONDITION_DEPTH 64u

/* Beside the flags of reprise.h: an input or output of a piece of a graph (group/group.h) that stays on devices. It has
 * no staging, and keeps its place in device memory during the whole run. */
#define RP_EXCHANGE (1u << 16)
/* With RP_RESIDENT: an input of such a piece that is copied into the arena when the run begins, because it may be bound
 * to an address that kernels do not take. */
#define RP_COPIED (1u << 17)

/* Limits of one graph; a graph beyond them gives RP_ERR_UNSUPPORTED with the reason. */
enum {
  RP_NODES_MAX = 1 << 17,
  RP_VALUES_MAX = 1 << 19,     /* inputs, constants and results, and those that lowering adds */
  RP_DISPATCHES_MAX = 1 << 18, /* dispatches after lowering */
  RP_ACCESSES_MAX = 1 << 21    /* ranges of values that dispatches read or write */
};

typedef struct rp_scope rp_scope;
struct rp_scope {
  rp_scope *parent;
  const char *name;  /* last part */
  const char *path;  /* "prove/msm_a"; "" for the outermost */
  const char *title; /* of rp_scope_title, or NULL */
  uint32_t id, depth;
};

typedef struct rp_graph_value {
  const rp_type *type;
  uint64_t len;
  rp_storage storage; /* when it was made: INPUT, CONSTANT or INTERMEDIATE */
  uint32_t flags;     /* as made */
  bool secret;        /* it, or something that it is computed from, is a secret input */
  bool constant;      /* depends on constants alone */
  uint32_t node;      /* the node that computes it, or RP_NONE */
  uint32_t index;     /* among that node's outputs */
  uint32_t device;    /* of the group (rp_on) */
  const char *name;   /* of an input or constant */
  const void *data;   /* of a constant: the caller's data (RP_BORROW) or a copy; NULL if it has a source */
  const rp_constant_source *source; /* of a constant that is read when it is needed */
  const char *output;               /* name as an output, or NULL */
  uint32_t output_flags;
  const rp_form *form; /* what it is beyond its type, or NULL */
  const void *form_data;
} rp_graph_value;

/* Of rp_condition_begin. */
typedef struct rp_condition {
  rp_value value;
  bool when;        /* nodes run if the value is not 0; else, if it is */
  uint32_t parent;  /* number, from 1 on, of the condition that it was begun in; 0: none */
  uint32_t depth;   /* how many are around it */
  const char *path; /* of the scope that it was begun in */
} rp_condition;

typedef struct rp_node {
  const rp_op *op;
  const void *params;
  const char *name; /* "prove/msm_a/digits", "prove/msm_a/digits#2" */
  const rp_scope *scope;
  const rp_value *in;
  const rp_value *out;
  uint32_t n_in, n_out;
  uint32_t section;   /* number of the outermost rp_recompute_begin that it was made in; 0: none */
  uint32_t device;    /* of the group (rp_on) */
  uint32_t condition; /* number of the innermost rp_condition_begin that it was made in, from 1 on; 0: none */
  /* Of rp_lower_note, in the graph's arena; copies of the node in expanded graphs, pieces and plans share it. NULL: it
   * has none, since a pass has made the node of others. */
  _Atomic uint64_t *note;
} rp_node;

/* What a graph keeps for its caller (rp_graph_keep). */
typedef struct rp_kept rp_kept;
struct rp_kept {
  rp_kept *next;
  void *object;
  void (*release)(void *object);
};

typedef struct rp_called rp_called;         /* call.c */
typedef struct rp_kept_plans rp_kept_plans; /* kept_plans.c */
typedef struct rp_cost_table rp_cost_table; /* cost_table.h */

struct rp_graph {
  rp_context *context;
  uint32_t mark;                  /* rp_value.graph of its values; never 0 */
  atomic_int references;          /* the builder's, and one for each recording */
  _Atomic(const rp_graph *) flat; /* itself without nodes that are calls (called.h), once something has asked for it */
  uint32_t flat_nodes, flat_values, flat_outputs; /* of such a graph: how many that one had */
  const rp_graph *unexpanded; /* the graph that this one was expanded from (expand.h), which it references; or NULL */
  rp_arena arena;
  const char *name;
  rp_error error;    /* the first */
  rp_scope *scope;   /* the one that is open */
  rp_scope **scopes; /* by id */
  uint32_t n_scopes, cap_scopes;
  rp_kept *kept;                    /* latest first */
  rp_called *called;                /* bodies of its calls */
  rp_kept_plans *plans;             /* of rp_plans_use, latest first */
  rp_cost_table *costs;             /* of rp_costs_use and rp_plans_use, latest first */
  atomic_int complete;              /* 1: it is the body of a call, and nothing more is added to it */
  uint32_t sections, section_depth; /* of rp_recompute_begin: outermost ones so far, and those that are open */
  uint32_t device;                  /* of what is made next (rp_on) */
  rp_condition *conditions;
  uint32_t n_conditions, cap_conditions;
  uint32_t condition;     /* number of the one that is open, from 1 on; 0: none */
  rp_graph_value *values; /* id - 1 */
  rp_node *nodes;
  rp_value *inputs, *outputs; /* in the order of the calls */
  uint32_t n_values, n_nodes, n_inputs, n_outputs;
  uint32_t cap_values, cap_nodes, cap_inputs, cap_outputs;
  uint32_t n_calls;      /* nodes that are calls */
  uint64_t copied_bytes; /* of constants */
  rp_names names;        /* of inputs, outputs, scopes in their parents, ops in their scopes */
};

/* Why the value is not one of the graph with this mark, as the end of a sentence that begins with the value's name. */
const char *rp_value_problem(uint32_t mark, rp_value value);
/* NULL if it is not a value of the graph. */
rp_graph_value *rp_graph_value_of(const rp_graph *graph, rp_value value);
/* The data of its form, if that is `form`, else NULL. Either may be NULL. */
static inline const void *rp_form_data_of(const rp_graph_value *v, const rp_form *form) {
  return v && form && v->form == form ? v->form_data : NULL;
}
/* Appends a value; when out of memory, sets the graph's error and returns RP_NO_VALUE. */
rp_value rp_graph_add_value(rp_graph *graph, const rp_graph_value *value);
/* rp_graph_node with the operation, the parameters and the numbers of operands and results of a node of another graph,
 * which lives at least as long as this one: its parameters are not copied. `name`, in the graph's arena, is the node's;
 * NULL: it gets one. */
rp_value rp_graph_node_like(rp_graph *graph, const rp_node *node, const char *name, const rp_value *in, rp_value *out);
/* A new scope in `parent` (NULL: the outermost), which is not opened; its name is not entered. NULL when out of memory.
 */
rp_scope *rp_scope_new(rp_graph *graph, rp_scope *parent, const char *name);
/* What is wrong with a type, as the end of a sentence that begins with "its type"; NULL if nothing is. */
const char *rp_type_problem(const rp_type *type);
/* Whether the operation promises that its output is a slice of its input (rp_op.slice_first). */
bool rp_op_is_slice(const rp_op *op);
/* Whether two sources are known to give the same bytes, if the constants have one type and length. */
bool rp_same_source(const rp_constant_source *a, const rp_constant_source *b);
void rp_graph_retain(const rp_graph *graph);
void rp_graph_release(const rp_graph *graph);

#endif
