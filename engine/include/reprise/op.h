/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, the contract with operations. The built-in ops are written against exactly this header, and so are a
 * caller's own, out of the tree. Calling rules: reprise.h.
 *
 *   op        what an operation means: name, shape rule, strategies
 *   strategy  one way to do it on some devices; lowers a node to dispatches
 *   dispatch  one launch of a kernel: grid, arguments, and what it reads and writes
 *   kernel    one object with a variant for each device; a missing variant is refused by name
 */
#ifndef REPRISE_OP_H
#define REPRISE_OP_H

#include <reprise/reprise.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Kernels ----------------------------------------------------------------------------------------------------- */

/* CPU instruction sets, weakest first; a device enables some, and takes the last enabled one that a kernel has.
 * X(enumerator, value, name as in rp_device_options.cpu_isa and REPRISE_CPU_ISA) */
#define RP_CPU_ISA_LIST(X)      \
  X(RP_ISA_C, 0, "c")           \
  X(RP_ISA_X86_ADX, 1, "adx")   \
  X(RP_ISA_X86_AVX2, 2, "avx2") \
  X(RP_ISA_X86_IFMA, 3, "ifma") \
  X(RP_ISA_ARM64, 4, "arm64")

typedef enum rp_cpu_isa {
#define RP_CPU_ISA_ENUM(name, value, text) name = value,
  RP_CPU_ISA_LIST(RP_CPU_ISA_ENUM)
#undef RP_CPU_ISA_ENUM
      RP_ISA_COUNT
} rp_cpu_isa;

/* What a CPU kernel knows of the thread it runs on. Two calls with the same worker never overlap within one run. */
typedef struct rp_cpu_worker {
  uint32_t index; /* < limits.workers */
  uint32_t count;
} rp_cpu_worker;

/* Does items [begin, end) of the dispatch. `args` is the dispatch's argument struct with the addresses filled in. Items
 * may run in any order and at the same time. Kernels do not allocate, block or print. */
typedef void (*rp_cpu_fn)(const void *args, uint64_t begin, uint64_t end, const rp_cpu_worker *worker);

typedef struct rp_kernel {
  const char *name;    /* "ntt_pass.bn254_fr" */
  uint32_t args_bytes; /* sizeof the argument struct */
  uint32_t n_binds;    /* addresses at its front */
  rp_cpu_fn cpu[RP_ISA_COUNT];
  struct {
    const void *image; /* fatbin or cubin, embedded; PTX text ends with NUL */
    size_t image_bytes;
    const char *entry;
    uint32_t block; /* threads a block */
    uint32_t dynamic_shared_bytes;
  } cuda;
  struct {
    const uint32_t *spirv;
    size_t spirv_bytes; /* 0: two zero words follow; between them may be the same with 64-bit integers */
    const char *entry;  /* NULL: "main" */
    uint32_t group;     /* workgroup size, halved to what the device takes: constant 0. 1: its workgroup memory */
  } vulkan;
} rp_kernel;

/* ---- Argument structs -------------------------------------------------------------------------------------------- */
/* One header a kernel (<name>_args.h in its family's folder), read unchanged by C, CUDA C and GLSL. A struct begins
 * with its addresses, one a bind and in the binds' order, each 8 bytes; 32-bit integers follow. The engine fills the
 * addresses. */
#if defined(__STDC__) || defined(__cplusplus)
#define RP_ADDR(type) type *
#define RP_ARGS_SIZE(name, bytes) RP_STATIC_ASSERT(sizeof(name) == (bytes), #name " has padding")
#ifdef __cplusplus
#define RP_STATIC_ASSERT static_assert
#else
#define RP_STATIC_ASSERT _Static_assert
#endif
#endif

/* Every run has an error record in device memory. A kernel that finds bad data (a scalar out of range, a strict zero)
 * sets `code` from 0 with a compare-and-swap and, if it was first, the rest. Outputs of such a run are not released. */
typedef struct rp_error_record {
  uint32_t code;               /* rp_fault; 0: none */
  uint32_t node;               /* the site number passed in the kernel's arguments, see rp_lower_site */
  uint32_t index_lo, index_hi; /* element at which it was seen */
} rp_error_record;

/* X(enumerator, value, text); the text is completed with node and index */
#define RP_FAULT_LIST(X)                                                     \
  X(RP_FAULT_NONE, 0, "none")                                                \
  X(RP_FAULT_NOT_CANONICAL, 1, "value is not below the field's modulus")     \
  X(RP_FAULT_SCALAR_RANGE, 2, "scalar is not below the group order")         \
  X(RP_FAULT_ZERO, 3, "zero has no inverse (strict)")                        \
  X(RP_FAULT_NOT_ON_CURVE, 4, "point is not on the curve")                   \
  X(RP_FAULT_NOT_IN_SUBGROUP, 5, "point is not in the prime-order subgroup") \
  X(RP_FAULT_ENCODING, 6, "encoding is not valid")                           \
  X(RP_FAULT_INDEX, 7, "index is out of range")                              \
  X(RP_FAULT_USER, 64, "fault of a user's op")

typedef enum rp_fault {
#define RP_FAULT_ENUM(name, value, text) name = value,
  RP_FAULT_LIST(RP_FAULT_ENUM)
#undef RP_FAULT_ENUM
} rp_fault;

/* ---- Dispatches -------------------------------------------------------------------------------------------------- */

enum {
  RP_READ = 1u,
  RP_WRITE = 2u,
  RP_READ_WRITE = 3u,
  RP_ATOMIC = 4u /* with RP_READ_WRITE: updates commute; dispatches that only do so need no order among themselves */
};

/* Elements [first, first + count) of a value; count 0: to its end. Hazards are judged on exactly these ranges, so that
 * dispatches on disjoint parts of one value run side by side. A bind that spans segments of a value is refused. */
typedef struct rp_bind {
  rp_value value;
  uint32_t access;
  uint64_t first, count;
} rp_bind;

/* Convenience for the common case: the whole value. */
#ifdef __cplusplus
#define RP_BIND(v, acc) (rp_bind{(v), (acc), 0, 0})
#else
#define RP_BIND(v, acc) ((rp_bind){.value = (v), .access = (acc)})
#endif

typedef struct rp_dispatch {
  const rp_kernel *kernel;
  const char *label;  /* short name in traces; NULL: the kernel's */
  uint32_t groups[3]; /* GPU: workgroups. CPU: items = product; zeros count as 1 */
  uint32_t grain;     /* CPU: items a task should have, or a multiple; 0: the engine divides by the number of workers */
  rp_value counter;   /* not 0: a u32 value that holds at run time how many groups[0] to run; groups[0] is its bound.
                           GPU kernels stride a persistent grid by it (CUDA) or are dispatched indirectly (Vulkan), and
                           read it through a bind as well; the CPU cuts the item range. */
  uint64_t counter_index;
  const rp_bind *binds; /* n = kernel->n_binds */
  uint32_t n_binds;
  const void *args; /* kernel->args_bytes; addresses need not be set. Copied. */
  uint32_t args_bytes;
} rp_dispatch;

/* ---- Shape rule -------------------------------------------------------------------------------------------------- */

/* Handed to an op's shape function: inputs are known and valid values, outputs are to be set. */
typedef struct rp_shape {
  const void *params; /* the node's parameter struct */
  uint32_t n_in;
  const rp_type *const *in_type; /* n_in */
  const uint64_t *in_len;
  uint32_t n_out;
  const rp_type **out_type; /* n_out, to set */
  uint64_t *out_len;        /* to set, >= 1 */
  rp_error *err;            /* reason; the engine puts the node's name in front */
} rp_shape;

/* ---- Lowering ---------------------------------------------------------------------------------------------------- */

/* The questions (rp_lower_params to rp_lower_error) always answer, also after a mistake: 0, NULL or RP_NO_VALUE for
 * what is not there, such as an operand that the node does not have, a value of another graph, or anything of a
 * lowering that is NULL. They fail nothing. A mistake in a call that makes something (values, constants, dispatches)
 * fails the lowering, whose first error is kept, whatever the strategy returns; the calls after it make nothing and
 * give RP_NO_VALUE. */
typedef struct rp_lower rp_lower;

RP_API const void *rp_lower_params(const rp_lower *l);
RP_API uint32_t rp_lower_n_in(const rp_lower *l);
RP_API uint32_t rp_lower_n_out(const rp_lower *l);
RP_API rp_value rp_lower_in(const rp_lower *l, uint32_t i);
RP_API rp_value rp_lower_out(const rp_lower *l, uint32_t i);
RP_API const rp_type *rp_lower_type(const rp_lower *l, rp_value v); /* also of scratch */
RP_API uint64_t rp_lower_len(const rp_lower *l, rp_value v);
/* A value larger than limits.max_allocation_bytes lies in segments of so many elements, a power of two; else its
 * length. */
RP_API uint64_t rp_lower_segment_len(const rp_lower *l, rp_value v);
RP_API int rp_lower_is_constant(const rp_lower *l, rp_value v);
/* Host data of a constant given by the caller (not one computed), or NULL. Lowering may read it: row statistics. */
RP_API const void *rp_lower_constant_data(const rp_lower *l, rp_value v);
RP_API rp_device_kind rp_lower_device(const rp_lower *l);
RP_API const rp_device_limits *rp_lower_limits(const rp_lower *l);
RP_API uint32_t rp_lower_memory_level(const rp_lower *l); /* RP_MEMORY_FULL .. RP_MEMORY_STREAMED */
/* Number that a kernel stores in rp_error_record.node so that a fault is reported with this node's name. */
RP_API uint32_t rp_lower_site(const rp_lower *l);
/* The run's error record, to bind with RP_READ_WRITE | RP_ATOMIC as an array of four u32. */
RP_API rp_value rp_lower_error(rp_lower *l);

/* Intermediate memory of this node alone, a value like any other. Contents are undefined until written. */
RP_API rp_value rp_lower_scratch(rp_lower *l, const char *name, const rp_type *type, uint64_t len);
/* Memory that once-dispatches fill at record time and runs read: precomputed tables. */
RP_API rp_value rp_lower_once_value(rp_lower *l, const char *name, const rp_type *type, uint64_t len);
/* A constant that the op provides, filled on the host when the recording is made. Nodes that ask with the same key
 * share one copy: the key names all that the content depends on ("twiddles/bn254_fr/20/inverse"). `fill` writes len
 * elements and returns a status; `user_bytes` of `user` are copied. */
typedef rp_status (*rp_fill_fn)(const void *user, void *dst, uint64_t len);
RP_API rp_value rp_lower_constant(rp_lower *l, const char *key, const rp_type *type, uint64_t len, rp_fill_fn fill,
                                  const void *user, size_t user_bytes);
/* Adds a dispatch. Dispatches of a node keep no order but the one that their reads and writes demand, which is judged
 * in the order of these calls. */
RP_API void rp_lower_dispatch(rp_lower *l, const rp_dispatch *dispatch);
/* The same, run at record time: may read only constants and once values, and write only once values and scratch. In a
 * node whose inputs are all constants every dispatch is such. */
RP_API void rp_lower_dispatch_once(rp_lower *l, const rp_dispatch *dispatch);
/* Reports why lowering fails, and returns `status` for `return rp_lower_fail(...)`; the lowering keeps both, so that
 * nothing is lost where the result is not looked at. printf-like. */
RP_API rp_status rp_lower_fail(rp_lower *l, rp_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

typedef struct rp_strategy {
  const char *name;
  uint32_t devices;                  /* bit mask: 1u << RP_DEVICE_CPU ... ; the null device takes any */
  int (*applies)(const rp_lower *l); /* NULL: always. The first that applies is taken. */
  rp_status (*lower)(rp_lower *l);
} rp_strategy;

#define RP_ON(kind) (1u << (kind))
#define RP_ON_GPU (RP_ON(RP_DEVICE_CUDA) | RP_ON(RP_DEVICE_VULKAN))
#define RP_ON_ANY 0xffffffffu

/* What an op promises (rp_op.flags), so that passes may do better than to lower each of its nodes. */
enum {
  /* What it computes, and whether it reports a fault, depends on its inputs and the bytes of its parameters alone: of
   * several nodes with equal ones, one is lowered (but see rp_recompute_begin). An op that draws random numbers, or
   * follows a pointer in its parameters to what may change, is not pure. Parameters that differ in padding are not
   * equal. */
  RP_OP_PURE = 1u,
  /* Its output is its inputs, all of one type, one after another. The engine may let those be computed where they stand
   * in it, and lower nothing. */
  RP_OP_CONCAT = 2u
};

typedef struct rp_op {
  uint32_t struct_size;
  const char *name;      /* "ntt"; static */
  uint32_t params_bytes; /* the node keeps a copy of so many bytes */
  rp_status (*shape)(const rp_shape *shape);
  const rp_strategy *strategies;
  uint32_t n_strategies;
  /* What to print after the name in exports ("log_n=13 inverse"); may be NULL. snprintf's return rule. */
  int (*describe)(const void *params, char *text, size_t bytes);
  uint32_t flags; /* RP_OP_PURE ... */
  /* NULL, unless its output is the elements from this index on of its one input, of the same type. The engine may let
   * readers look there, and lower nothing. */
  uint64_t (*slice_first)(const void *params);
} rp_op;

/* Adds a node. `op` and what it points to must outlive the graph and its recordings (static objects). `params` is
 * copied. Writes n_out values to `out` (RP_NO_VALUE on error) and returns the first of them. `out` may be NULL when
 * n_out is 1. */
RP_API rp_value rp_graph_node(rp_graph *graph, const rp_op *op, const void *params, const rp_value *in, uint32_t n_in,
                              rp_value *out, uint32_t n_out);
/* Nodes made between these two count as equal to none made outside (RP_OP_PURE): a graph says so where it computes
 * something once more in order not to keep it in memory. They nest, as if the outermost pair stood alone. */
RP_API void rp_recompute_begin(rp_graph *graph);
RP_API void rp_recompute_end(rp_graph *graph);
/* The node that computes a value, for operations whose operands must come from certain others. Params and operands are
 * the node's own and live as long as the graph: two values of one node have the same pointers. */
typedef struct rp_maker {
  const rp_op *op; /* NULL: an input, a constant, or no value of this graph */
  const void *params;
  const rp_value *in;
  uint32_t n_in;
  uint32_t output; /* which of the node's outputs the value is */
} rp_maker;
RP_API rp_maker rp_value_maker(const rp_graph *graph, rp_value value);
/* For a constructor that looks at a value's type or length before the node is made: 1 if it is a value of this graph.
 * Else 0, and the graph's error names the operation and its operand: "msm: points is a value of another graph ...". */
RP_API int rp_value_check(rp_graph *graph, rp_value value, const char *op, const char *operand);
/* Reads a caller's option struct into `ours`, which is of this version: what the caller's is too short for is zero, and
 * what it has behind our_bytes is not read. NULL asks for zeros. 0 if its struct_size is not set. Both begin with a
 * uint32_t struct_size, which is set to our_bytes in `ours`. */
RP_API int rp_options_read(void *ours, size_t our_bytes, const void *theirs);
/* Writes `ours` to a caller's struct that begins with struct_size, as much of it as the caller has room for;
 * struct_size stays the caller's. 0 if it is not set, and nothing is written. */
RP_API int rp_info_write(void *theirs, const void *ours, size_t our_bytes);
/* Lets a constructor report an error that it found itself; keeps the first. Returns RP_NO_VALUE. */
RP_API rp_value rp_graph_fail(rp_graph *graph, rp_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#ifdef __cplusplus
}
#endif
#endif
