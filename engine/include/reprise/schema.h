/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, the contract with operations, continued: what an operation declares about its parameters and operands. With
 * a schema (rp_op.schema), every new node of the operation is checked against it, however the node was made, and nodes
 * can be saved to files and loaded (save.h). Calling rules: reprise.h.
 *
 * Parameters are encoded field by field, in the order of the list: little-endian, with the widths given here, without
 * padding. So a file depends neither on the compiler's layout of the struct nor on the byte order of the machine.
 */
#ifndef REPRISE_SCHEMA_H
#define REPRISE_SCHEMA_H

#include <reprise/op.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Fields ------------------------------------------------------------------------------------------------------ */

typedef enum rp_param_kind {
  RP_PARAM_UINT = 1,  /* unsigned, of 1, 2, 4 or 8 bytes */
  RP_PARAM_INT = 2,   /* signed, two's complement, of 1, 2, 4 or 8 bytes */
  RP_PARAM_FLOAT = 3, /* float or double, encoded as IEEE 754 binary32 or binary64 */
  RP_PARAM_BYTES = 4, /* any number of bytes, encoded as they are */
  RP_PARAM_ID = 5     /* an enumerator of 4 bytes that has a name as well: encoded as the number, a byte with the length
                         of the name, and the name. Decoding demands that number and name belong together here too. */
} rp_param_kind;

/* One member of the parameter struct. */
typedef struct rp_param {
  const char *name; /* of the member */
  rp_param_kind kind;
  uint32_t offset, bytes; /* in the struct */
  uint32_t since;         /* version of the operation that added it; 0 means 1 */
  uint64_t least, most;   /* UINT, ID, and INT as an int64_t: the range that is allowed, both ends included */
  uint64_t absent;        /* UINT, ID, INT: the value in nodes of versions before `since`; other kinds are zero there */
  const char *(*id_name)(uint32_t id); /* ID: the name, of 1 to 255 bytes; not NULL for a number within the range */
} rp_param;

/* An entry of the list, for a member of struct `type`. */
#define RP_PARAM(kind, type, member, least, most) \
  { #member, kind, (uint32_t)offsetof(type, member), (uint32_t)sizeof(((type *)0)->member), 0, least, most, 0, NULL }
/* The same for RP_PARAM_ID. */
#define RP_PARAM_NAMED(type, member, least, most, id_name)                                                            \
  {                                                                                                                   \
#member, RP_PARAM_ID, (uint32_t)offsetof(type, member), (uint32_t)sizeof(((type *)0)->member), 0, least, most, 0, \
        id_name                                                                                                       \
  }

/* ---- Schemas ----------------------------------------------------------------------------------------------------- */

/* A node that is being added, for rp_schema.check: operands are values of the graph, their number is allowed, and each
 * parameter is within its range. The shape rule has not been asked yet. */
typedef struct rp_draft {
  const rp_graph *graph;
  const void *params; /* the node's parameter struct, op->params_bytes bytes */
  const rp_value *in; /* n_in */
  uint32_t n_in, n_out;
  rp_error *err; /* for the reason; the engine prefixes the name of the node */
} rp_draft;

/* Bytes of the parameter struct that no field of the list covers must be zero: a node in which they are not cannot be
 * saved, since the file would lack some of its parameters. */
typedef struct rp_schema {
  uint32_t struct_size;
  /* `version` is raised when fields are added, or when the same parameters come to mean something else; 0 means 1.
   * `oldest` is the first version whose nodes are still understood; 0 means 1. A field that was added has `since`. When
   * a field is removed or changes its width, `oldest` becomes the new version. */
  uint32_t version, oldest;
  const rp_param *params;
  uint32_t n_params;
  uint32_t least_in, most_in;   /* number of operands; most_in 0: as many as least_in */
  uint32_t least_out, most_out; /* number of results; both 0: one */
  /* Checks what ranges cannot express, such as relations between parameters and operands. Whatever the shape rule and
   * the lowering rely on must be checked here or by the shape rule, since nodes may come from a file. NULL: there is
   * nothing more to check. */
  rp_status (*check)(const rp_draft *draft);
  const struct rp_rewrites *rewrites; /* what the planner may change about nodes (rewrite.h); NULL: nothing */
  /* Nodes of the operation as text, from which tests, fuzzing and measurements make some (rp_example_node of ops.h has
   * the grammar); NULL: there are none. Together they should reach every kernel. */
  const char *examples;
  /* For the first example: how many products of elements every method needs, per element of the size n. Measurements
   * compute the least time from this number and from the bytes of operands and results. */
  double products;
} rp_schema;

/* The version of the operation; 0 if it has no schema. */
RP_API uint32_t rp_op_version(const rp_op *op);
/* Writes the parameters of a node, at most `capacity` bytes, and sets *size_bytes to their number;
 * RP_ERR_BUFFER_TOO_SMALL if that is more. RP_ERR_UNSUPPORTED: the operation has no schema, or parameters that it does
 * not list. */
RP_API RP_CHECKED rp_status rp_params_encode(const rp_op *op, const void *params, uint8_t *bytes, size_t capacity,
                                             size_t *size_bytes, rp_error *err);
/* Fills op->params_bytes bytes of `params` from `size_bytes` bytes, all of which must be used; what they lack is zero.
 * Does not check ranges, which rp_graph_node does. RP_ERR_UNSUPPORTED: the version is not understood. RP_ERR_FORMAT:
 * too few or too many bytes, or a name that does not belong to its number. */
RP_API RP_CHECKED rp_status rp_params_decode(const rp_op *op, uint32_t version, const uint8_t *bytes, size_t size_bytes,
                                             void *params, rp_error *err);

/* ---- Catalogs ---------------------------------------------------------------------------------------------------- */

/* Operations and element types that a file may name. Names are unique among the operations, and among the types, of all
 * catalogs that are used together. rp_ops_catalog (ops.h) has the built-in ones. */
typedef struct rp_catalog {
  const rp_op *const *ops;
  const rp_type *const *types;
  uint32_t n_ops, n_types;
} rp_catalog;

#ifdef __cplusplus
}
#endif
#endif
