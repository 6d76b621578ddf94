/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, the contract with operations. The built-in operations use exactly this header, and so do operations that
 * callers write outside this library. Calling rules: reprise.h.
 *
 *   op        what an operation means: name, shape rule, strategies
 *   strategy  one way to do it on some devices; lowers a node to dispatches
 *   dispatch  one launch of a kernel: grid, arguments, and what it reads and writes
 *   kernel    one object with a variant for each device; a missing variant is refused by name
 */
#ifndef REPRISE_OP_H
#define REPRISE_OP_H

#include <reprise/inspect.h>
#include <reprise/kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Kernels ----------------------------------------------------------------------------------------------------- */

/* CPU instruction sets, weakest first. A device enables some of them, and uses the last enabled one for which a kernel
 * has a variant. X(enumerator, value, name as in rp_device_options.cpu_isa and REPRISE_CPU_ISA) */
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

/* The variant of a kernel for one instruction set. */
typedef struct rp_cpu_variant {
  rp_cpu_isa isa; /* used by devices that enable it */
  rp_cpu_fn run;  /* NULL: there is no such variant */
} rp_cpu_variant;

/* What one dispatch of a kernel works on: the argument of rp_kernel.products. */
typedef struct rp_kernel_range {
  const rp_type *type;
  uint32_t access; /* RP_READ ... */
  uint64_t count;  /* elements of the value that the dispatch binds */
} rp_kernel_range;
typedef struct rp_kernel_work {
  uint32_t struct_size;
  uint32_t n_binds;
  const struct rp_kernel *kernel;
  const void *args;             /* kernel->args_bytes; the addresses are not set */
  const rp_kernel_range *binds; /* n_binds, in the order of the dispatch */
} rp_kernel_work;

/* A static object, which outlives every graph and recording that uses it. Neither a new instruction set nor a new kind
 * of device changes it: variants for the CPU are a list, and later versions only append members. */
typedef struct rp_kernel {
  uint32_t struct_size;
  uint32_t args_bytes;       /* sizeof the argument struct */
  uint32_t n_binds;          /* addresses at the front of the struct */
  uint32_t n_cpu;            /* number of variants in `cpu` */
  const char *name;          /* "ntt_pass.bn254_fr" */
  const rp_cpu_variant *cpu; /* in any order */
  struct {
    const void *image; /* NULL: there is no variant. Fatbin or cubin, embedded; PTX text ends with NUL */
    size_t image_bytes;
    const char *entry; /* its name in the image */
    uint32_t block;    /* threads per block */
    uint32_t dynamic_shared_bytes;
  } cuda;
  struct {
    const uint32_t *spirv; /* the module; NULL: there is no variant */
    size_t spirv_bytes;    /* 0: the module ends with a zero word; a second module, with 64-bit integers, may follow it,
                           and one more zero word ends the list */
    const char *entry;     /* NULL: "main" */
    uint32_t group;        /* workgroup size: specialization constant 0 gets it, halved until the device accepts it, and
                           constant 1 gets the bytes of workgroup memory */
  } vulkan;
  /* How many products of field elements a dispatch computes, for tools that compare it with what the device can do
   * (view.h); where that depends on data, the number for random data. Sets *field to the name of the prime field
   * ("bn254_fr"), which is static, or to NULL if it computes none. A negative result, or no function: not counted.
   * Called from any thread, also while the recording runs. */
  double (*products)(const rp_kernel_work *work, const char **field);
} rp_kernel;

/* ---- Dispatches -------------------------------------------------------------------------------------------------- */

enum {
  RP_READ = 1u,
  RP_WRITE = 2u,
  RP_READ_WRITE = 3u,
  RP_ATOMIC = 4u, /* with RP_READ_WRITE: updates that commute, so that dispatches which only make such updates may be
                     executed in any order */
  RP_ABSENT = 16u /* alone, with RP_NO_VALUE: the dispatch has no value for this address. It is NULL, and the kernel
                     must not access memory through it */
};

/* Elements [first, first + count) of a value; count 0: up to its end. Hazards are derived from exactly these ranges, so
 * that dispatches on disjoint parts of one value may run at the same time. A bind that spans several segments of a
 * value is refused. */
typedef struct rp_bind {
  rp_value value;
  uint32_t access; /* RP_READ ... */
  uint64_t first, count;
} rp_bind;

/* The common case: the whole value. */
#ifdef __cplusplus
#define RP_BIND(v, acc) (rp_bind{(v), (acc), 0, 0})
#else
#define RP_BIND(v, acc) ((rp_bind){.value = (v), .access = (acc)})
#endif

typedef struct rp_dispatch {
  const rp_kernel *kernel;
  const char *label;    /* short name in traces; NULL: the kernel's */
  uint32_t groups[3];   /* GPU: workgroups. CPU: their product is the number of items; 0 counts as 1 */
  uint32_t grain;       /* CPU: a worker takes a multiple of so many items at once; 0: any number */
  const rp_bind *binds; /* n = kernel->n_binds */
  uint32_t n_binds;
  const void *args; /* copied; the addresses need not be set */
  uint32_t args_bytes;
} rp_dispatch;

/* ---- Shape rule -------------------------------------------------------------------------------------------------- */

typedef struct rp_shape_forms rp_shape_forms; /* the forms of a node's operands and results; the engine's */

/* The argument of an operation's shape function, which reads the inputs (they are valid) and sets the outputs. */
typedef struct rp_shape {
  const void *params; /* the node's parameter struct */
  uint32_t n_in;
  const rp_type *const *in_type; /* n_in */
  const uint64_t *in_len;        /* n_in */
  uint32_t n_out;
  const rp_type **out_type; /* n_out; to be set */
  uint64_t *out_len;        /* n_out; to be set, each >= 1 */
  rp_error *err;            /* for the reason, never NULL; the engine prefixes the name of the node */
  /* The id that output 0 will have. Two nodes of a graph never have the same, nor do those that composite nodes expand
   * to, so that data of a form can tell which node it comes from. */
  uint32_t out_id;
  const rp_shape_forms *forms; /* for the two functions below */
} rp_shape;

/* Writes a reason in printf style and returns `status`, for `return rp_shape_fail(...)`. */
RP_API rp_status rp_shape_fail(const rp_shape *shape, rp_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* A form says what a value is beyond its type and length: a static object, compared by its address, and data of each
 * value. Operations whose kernels rely on what an operand contains, and do not check it, demand that it has their form.
 * Only the shape rule of a node gives its results forms; inputs, constants and all other results have none, and neither
 * has a slice or a copy of a value with a form. */
typedef struct rp_form {
  const char *name; /* for messages; never NULL */
  uint32_t data_bytes;
} rp_form;
/* Sets the form of an output, with a copy of form->data_bytes bytes of data. RP_ERR_MEMORY: no room for the copy. */
RP_API RP_CHECKED rp_status rp_shape_out_form(const rp_shape *shape, uint32_t i, const rp_form *form, const void *data);
/* The data of an input that has the form, aligned to 8 bytes and valid during the call; NULL if it has another form or
 * none. */
RP_API const void *rp_shape_in_form(const rp_shape *shape, uint32_t i, const rp_form *form);

/* ---- Lowering ---------------------------------------------------------------------------------------------------- */

/* The queries (rp_lower_params to rp_lower_error) may always be called, also after a mistake, and never fail the
 * lowering. They return 0, NULL or RP_NO_VALUE for what does not exist: an operand that the node does not have, a value
 * of another graph, or anything of a lowering that is NULL. A mistake in a call that makes something (a value, a
 * constant, a dispatch) fails the lowering whatever the strategy returns; the first error is kept, and later calls make
 * nothing and return RP_NO_VALUE. */
typedef struct rp_lower rp_lower;

/* The node: its parameter struct (NULL if it has none), its operands and results, and of each value the type and the
 * number of elements. Pointers are valid during the lowering. */
RP_API const void *rp_lower_params(const rp_lower *l);
RP_API uint32_t rp_lower_n_in(const rp_lower *l);                   /* number of operands */
RP_API uint32_t rp_lower_n_out(const rp_lower *l);                  /* number of results */
RP_API rp_value rp_lower_in(const rp_lower *l, uint32_t i);         /* operand i */
RP_API rp_value rp_lower_out(const rp_lower *l, uint32_t i);        /* result i */
RP_API const rp_type *rp_lower_type(const rp_lower *l, rp_value v); /* also of scratch; NULL: no such value */
RP_API uint64_t rp_lower_len(const rp_lower *l, rp_value v);        /* also of scratch; 0: no such value */
/* The number of elements per segment: a power of two for a value that is larger than limits.max_allocation_bytes, for
 * any other value its length. */
RP_API uint64_t rp_lower_segment_len(const rp_lower *l, rp_value v);
RP_API bool rp_lower_is_constant(const rp_lower *l, rp_value v);
/* Host data of a constant given by the caller (not one computed, and not one that may be replaced), or NULL. Lowering
 * may read it, for instance for statistics of rows. */
RP_API const void *rp_lower_constant_data(const rp_lower *l, rp_value v);
/* The note of the node: one word in which its operation keeps what it has learnt from the node's parameters and
 * the data of its constants, so that it need not read these again for the next plan. It is 0 in a new node. All
 * plans of a graph share it, for every device, memory level and piece of a group, so that it must be true for each
 * of them. It is not saved, and the engine does not read it. A node that planning has fused from others has none:
 * there it is 0, and setting it does nothing. Both functions may be called while the strategy is chosen and while
 * it lowers, by several threads that plan at once: each reads 0 or a whole word that one of them has set, and must
 * not rely on anything else that the other thread has written. Kernels must be safe without what the note says,
 * since data of RP_BORROW is the caller's. */
RP_API uint64_t rp_lower_note(const rp_lower *l);
RP_API void rp_lower_set_note(const rp_lower *l, uint64_t note);
/* What the graph is planned for: the kind of the device, its limits, and the memory level. */
RP_API rp_device_kind rp_lower_device(const rp_lower *l);
RP_API const rp_device_limits *rp_lower_limits(const rp_lower *l);
RP_API uint32_t rp_lower_memory_level(const rp_lower *l); /* RP_MEMORY_FULL .. RP_MEMORY_STREAMED */
/* The number that a kernel stores in rp_error_record.node, so that a fault is reported with this node's name. */
RP_API uint32_t rp_lower_site(const rp_lower *l);
/* The run's error record, to bind with RP_READ_WRITE | RP_ATOMIC as an array of four u32. */
RP_API rp_value rp_lower_error(rp_lower *l);

/* Intermediate memory of this node alone: a value like any other, undefined until it is written. */
RP_API rp_value rp_lower_scratch(rp_lower *l, const char *name, const rp_type *type, uint64_t len);
/* A constant that the operation provides, filled on the host when the recording is made. Nodes that use the same key
 * share one copy, so the key must name everything that the content depends on ("twiddles/bn254_fr/20/inverse"). `fill`
 * writes len elements and returns a status; `user_bytes` bytes of `user` are copied for it. */
typedef rp_status (*rp_fill_fn)(const void *user, void *dst, uint64_t len);
RP_API rp_value rp_lower_constant(rp_lower *l, const char *key, const rp_type *type, uint64_t len, rp_fill_fn fill,
                                  const void *user, size_t user_bytes);
/* The same for long constants, which need not be in host memory as a whole: `fill` writes the len elements from element
 * `first` on. The library's threads call it, several at once, each for other parts of the constant. */
typedef rp_status (*rp_fill_part_fn)(const void *user, void *dst, uint64_t first, uint64_t len);
RP_API rp_value rp_lower_constant_parts(rp_lower *l, const char *key, const rp_type *type, uint64_t len,
                                        rp_fill_part_fn fill, const void *user, size_t user_bytes);
/* Adds a dispatch. Dispatches that conflict in what they read and write are executed in the order of these calls; all
 * others may be executed in any order. In a node whose inputs are all constants, every dispatch runs at record time: a
 * table that is computed once is such a node. */
RP_API void rp_lower_dispatch(rp_lower *l, const rp_dispatch *dispatch);
/* Fails the lowering with a reason in printf style, and returns `status`, for `return rp_lower_fail(...)`. The lowering
 * keeps both, even if the caller ignores the result. */
RP_API rp_status rp_lower_fail(rp_lower *l, rp_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

typedef struct rp_strategy {
  const char *name;
  uint32_t devices;                   /* bit mask of 1u << rp_device_kind; the null device accepts any */
  bool (*applies)(const rp_lower *l); /* NULL: always. The first strategy that applies is used. */
  /* Makes scratch, constants and dispatches for one node. Anything but RP_OK refuses the node. Called each time a graph
   * is planned, perhaps from several threads at once. */
  rp_status (*lower)(rp_lower *l);
} rp_strategy;

/* ---- Expansion --------------------------------------------------------------------------------------------------- */

/* The argument of a composite operation's expand function. When a graph is planned, each of its composite nodes is
 * replaced by nodes of other operations, which are chosen for the device and the memory level. The function adds these
 * to `graph` with the usual constructors, and sets the results. An operation that it adds must not be composite. */
typedef struct rp_expand {
  rp_graph *graph;    /* a copy of the caller's graph; a scope with the name of the node is open */
  const void *params; /* the node's parameter struct */
  uint32_t n_in, n_out;
  const rp_value *in;   /* n_in */
  void *const *in_data; /* n_in: what the expansion that made the operand put into its out_data, or NULL */
  /* For each result, to be set: a value that a new node computes as its only result, of the type and length that the
   * shape rule gave. Or, in out_data, memory of rp_expand_alloc: the result then has no elements, and only composite
   * operations can read it, as in_data. Such a result cannot be an output of the graph. */
  rp_value *out;   /* n_out */
  void **out_data; /* n_out */
  rp_device_kind device;
  const rp_device_limits *limits;
  uint32_t memory_level; /* RP_MEMORY_FULL .. RP_MEMORY_STREAMED */
} rp_expand;

/* Zeroed memory that lives as long as the expanded graph, aligned to 64 bytes. NULL when out of memory. */
RP_API void *rp_expand_alloc(const rp_expand *expand, size_t bytes);
/* Adds what was chosen, in printf style and up to 100 characters, to the title of the scope that the node is in
 * (rp_scope_title), unless the title ends with it. Does nothing if that scope has no title. */
RP_API void rp_expand_note(const rp_expand *expand, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#define RP_ON(kind) (1u << (kind))
#define RP_ON_GPU (RP_ON(RP_DEVICE_CUDA) | RP_ON(RP_DEVICE_VULKAN))
#define RP_ON_ANY 0xffffffffu

/* What an operation promises (rp_op.flags), so that the planner need not lower each of its nodes. */
enum {
  /* Its results, and whether it reports a fault, depend only on its inputs and the bytes of its parameters: of several
   * nodes for which these are equal, only one is lowered (but see rp_recompute_begin). An operation that draws random
   * numbers, or follows a pointer in its parameters to data that may change, is not pure. Parameters that differ in
   * their padding count as different. */
  RP_OP_PURE = 1u,
  /* Its output is the concatenation of its inputs, which are all of one type. The engine may have the inputs computed
   * at their places in the output, and then does not lower the node. */
  RP_OP_CONCAT = 2u
};

struct rp_op { /* rp_op, declared in inspect.h */
  uint32_t struct_size;
  const char *name;                          /* "ntt"; static */
  uint32_t params_bytes;                     /* size of the parameter struct, which the node copies; 0: it has none */
  rp_status (*shape)(const rp_shape *shape); /* sets types and lengths of the results, or refuses the operands */
  const rp_strategy *strategies;             /* in order of preference */
  uint32_t n_strategies;
  /* Writes what exports show after the name ("log_n=13 inverse"); returns as snprintf does. May be NULL. */
  int (*describe)(const void *params, char *text, size_t bytes);
  uint32_t flags; /* RP_OP_PURE ... */
  /* Not NULL if the output is a slice of the only input, of the same type: the index at which it begins. The engine may
   * have the slice read where it lies in the input, and then does not lower the node. */
  uint64_t (*slice_first)(const void *params);
  /* Describes the parameters (schema.h). With a schema, every new node is checked against it, and nodes can be saved.
   * May be NULL. */
  const struct rp_schema *schema;
  /* Not NULL for a composite operation, which needs no strategies: replaces a node by nodes of other operations. Called
   * each time the graph is planned for a memory level, perhaps from several threads at once; equal arguments must give
   * equal nodes. A failure is a status, with the reason given by rp_graph_fail. */
  rp_status (*expand)(rp_expand *expand);
};

/* Adds a node. `op` and what it points to must outlive the graph and its recordings (static objects). `params` is
 * copied. Writes n_out values to `out` (RP_NO_VALUE on error) and returns the first of them. `out` may be NULL if n_out
 * is 1. */
RP_API rp_value rp_graph_node(rp_graph *graph, const rp_op *op, const void *params, const rp_value *in, uint32_t n_in,
                              rp_value *out, uint32_t n_out);
/* Keeps something as long as the graph and its recordings, such as data of a constant made with RP_BORROW: when the
 * last of them is gone, release(object) is called once, in the thread that released it. It must not call the library
 * with that graph. RP_ERR_MEMORY: it is not kept, and stays the caller's. */
RP_API RP_CHECKED rp_status rp_graph_keep(rp_graph *graph, void *object, void (*release)(void *object), rp_error *err);
/* Nodes made between these two calls are not merged with equal nodes made outside (see RP_OP_PURE): for graphs that
 * compute something a second time in order not to keep it in memory. Pairs may be nested; only the outermost one
 * counts. */
RP_API void rp_recompute_begin(rp_graph *graph);
RP_API void rp_recompute_end(rp_graph *graph);
/* Nodes made between these two calls run only in runs in which the condition, one u32, is not 0 (not `when`: in which
 * it is 0), and in which the conditions hold that are open already. In other runs the device does nothing for them:
 * their results are undefined, and no fault is reported. So a result may be read by nodes under the same condition, by
 * nodes under conditions that are begun inside it, and by a node that does not use the operand in runs in which the
 * condition does not hold (rp_select); it cannot be an output of the graph (RP_ERR_ARGUMENT). Nodes that depend on
 * constants alone run once, whatever the condition. How long a run takes tells whether the condition holds. Therefore
 * a condition that depends on a secret input (RP_SECRET) is ignored, and the nodes always run. They also do on CUDA
 * devices whose driver is older than 12.4, in runs that rp_run_record_into adds to a CUDA graph, in groups of devices,
 * and in recordings made with RP_RECORD_ALL_BRANCHES. Pairs may be nested, and end in the graph that they begin in.
 * Errors of the graph: `condition` is not one u32 (RP_ERR_TYPE) or not a value of the graph (RP_ERR_ARGUMENT),
 * rp_condition_end without a beginning (RP_ERR_STATE), or conditions nest more than 64 deep (RP_ERR_ARGUMENT). */
RP_API void rp_condition_begin(rp_graph *graph, rp_value condition, bool when);
RP_API void rp_condition_end(rp_graph *graph);
/* For constructors: the data of a value that has the form, valid as long as the graph; NULL if it has another form or
 * none. */
RP_API const void *rp_value_form(const rp_graph *graph, rp_value value, const rp_form *form);
/* For constructors that read the type or length of a value before they add a node. Returns true if it is a value of
 * this graph; else the graph's error names the operation and the operand: "msm: points is a value of another graph
 * ...". */
RP_API bool rp_value_check(rp_graph *graph, rp_value value, const char *op, const char *operand);
/* Host memory from the context's allocator, for constructors and for what is built on graphs: zeroed, aligned to 64
 * bytes, and freed with rp_context_free from any thread. It keeps the context alive. NULL when out of memory. */
RP_API void *rp_context_alloc(rp_context *context, size_t bytes);
RP_API void rp_context_free(void *memory);                  /* NULL does nothing */
RP_API rp_context *rp_graph_context(const rp_graph *graph); /* NULL for NULL */
/* Copies a caller's option struct to `ours`, the struct of this version. Both begin with a uint32_t struct_size, which
 * is set to our_bytes in `ours`. Fields that the caller's struct is too short for become zero, and bytes of it after
 * our_bytes are not read. If `theirs` is NULL, all fields become zero. Returns false if the caller has not set
 * struct_size, or `ours` is NULL. */
RP_API bool rp_options_read(void *ours, size_t our_bytes, const void *theirs);
/* Copies `ours` to a caller's struct that begins with struct_size, as much of it as fits; struct_size itself keeps the
 * caller's value. Returns false, and writes nothing, if the caller has not set struct_size or a pointer is NULL. */
RP_API bool rp_info_write(void *theirs, const void *ours, size_t our_bytes);
/* Reports an error that a constructor found itself; the graph keeps the first. Returns RP_NO_VALUE. */
RP_API rp_value rp_graph_fail(rp_graph *graph, rp_status status, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

#ifdef __cplusplus
}
#endif
#endif
