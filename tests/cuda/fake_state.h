/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What the files of the fake driver share.
 */
#ifndef REPRISE_TESTS_FAKE_STATE_H
#define REPRISE_TESTS_FAKE_STATE_H

#include "fake_cuda.h"

#include <pthread.h>

typedef enum fake_kind {
  FAKE_CONTEXT,
  FAKE_MODULE,
  FAKE_STREAM,
  FAKE_EVENT,
  FAKE_GRAPH,
  FAKE_EXEC,
  FAKE_FUNCTION,
  FAKE_HANDLE,   /* of memory that can be shared */
  FAKE_RANGE,    /* of addresses */
  FAKE_EXTERNAL, /* memory of another API */
  FAKE_MEMORY,
  FAKE_PINNED,
  FAKE_KINDS
} fake_kind;

typedef struct fake_node {
  enum { FAKE_KERNEL, FAKE_COPY, FAKE_RECORD, FAKE_CHILD, FAKE_BRANCH } what;
  const struct fake_kernel *kernel;
  unsigned char args[4096];
  uint64_t threads;
  void *dst;
  const void *src;
  uint64_t bytes;
  struct fake_object *event;
  struct fake_node *child; /* a copy of the nodes of a graph, whose lists of edges are still that graph's */
  uint32_t n_child, child_serial;
  uint32_t condition;       /* of a branch: the handle */
  struct fake_object *body; /* of a branch */
  CUgraph out;              /* the same, for the caller */
  uint32_t *deps;
  uint32_t n_deps;
} fake_node;

typedef struct fake_object {
  fake_kind kind;
  struct fake_object *context; /* its context; a context's own is itself */
  struct fake_object *next;
  int device;
  int primary, references; /* contexts */
  unsigned peers;          /* contexts: bit mask of the devices whose memory they reach */
  int recorded, timing;    /* events */
  uint64_t time;
  void *memory;
  uint64_t bytes;
  int fd;     /* handles and external memory */
  int mapped; /* `memory` comes from mmap */
  const struct fake_kernel *kernel;
  fake_node *nodes; /* graphs and execs */
  uint32_t n_nodes;
  uint32_t serial;             /* graphs, and what is made of one: of handles of nodes */
  struct fake_object *around;  /* bodies: the graph that has it */
  struct fake_object *from;    /* of an exec */
  struct fake_object *capture; /* streams: the graph into which they are captured */
  CUgraphNode last;            /* the node that what follows depends on; NULL: none */
} fake_object;

typedef struct fake_kernel {
  const char *entry;
  fake_kernel_fn fn;
  size_t args_bytes;
} fake_kernel;

typedef struct fake_condition_state {
  const struct fake_object *graph; /* that in which all bodies are */
  unsigned value, at_first;
  int assigned, used; /* at_first is the value when a launch begins; a node has the handle */
  uint32_t serial;    /* of the graph with the node */
} fake_condition_state;

enum { FAKE_KERNELS = 16, FAKE_NAMES = 96, FAKE_CONDITIONS = 1 << 16 };

typedef struct fake_state {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int version, devices, capability, held, apart;
  uint64_t memory, used[FAKE_DEVICES], time, seed;
  int lost[FAKE_DEVICES]; /* per device, the error with which it was lost, until fake_restart */
  fake_object *objects;
  fake_kernel kernels[FAKE_KERNELS];
  uint32_t n_kernels;
  fake_condition_state conditions[FAKE_CONDITIONS]; /* a handle is 1 + the index */
  uint32_t n_conditions;
  uint32_t running; /* serial number of the graph, or body, whose nodes are being executed */
  struct {
    const char *name;
    uint64_t calls;
  } counts[FAKE_NAMES];
  uint32_t n_counts;
  char sequence[1024];
  const char *fail_function;
  int fail_in, failed;
  CUresult fail_result;
  CUstream last_stream;
  char violation[200];
} fake_state;

extern fake_state fake;

/* Begins a call: takes the lock, counts the call, and returns the error with which it is to fail. With `needs_context`
 * the calling thread must have a current context. The call ends with fake_leave, which returns its argument. */
CUresult fake_enter(const char *function, int needs_context);
CUresult fake_leave(CUresult result);
/* The same for calls that fail only if they were named to fake_fail: those that report something, and those that
 * release something. The latter release it even then, like a driver that reports the failure of earlier work. */
CUresult fake_enter_named(const char *function);
#define FAKE_ENTER(needs_context)                         \
  CUresult entered = fake_enter(__func__, needs_context); \
  if (entered != CUDA_SUCCESS) return fake_leave(entered)

fake_object *fake_current(void); /* the calling thread's context */
fake_object *fake_new(fake_kind kind, fake_object *context);
/* The object of a handle if it is one of that kind and of the current context; NULL and a violation otherwise. */
fake_object *fake_find(const void *handle, fake_kind kind, const char *function);
fake_object *fake_find_anywhere(const void *handle, fake_kind kind, const char *function); /* of any context */
/* Whatever object begins or contains the address: device or pinned memory. */
fake_object *fake_find_memory(const void *address, uint64_t bytes);
void fake_delete(fake_object *object);
void fake_unmap(fake_object *object); /* gives its memory back */
void fake_violate(const char *function, const char *what);
int fake_is_sticky(CUresult result);

fake_object *fake_new_graph(void);
/* A new node of the graph, whose handle it sets; NULL and a violation if there is no such graph. */
fake_node *fake_add_node(CUgraph graph, CUgraphNode *handle, const CUgraphNode *deps, size_t n_deps,
                         const char *function);

/* How many conditional nodes a graph has, bodies included, of which `judge` says 1; NULL: all. */
uint32_t fake_find_branches(const fake_object *graph, int (*judge)(const fake_node *));
/* The nodes of a graph for what is made of it, with copies of all bodies. */
fake_node *fake_copy_nodes(const fake_object *graph);
void fake_free_copies(fake_node *nodes, uint32_t n); /* of the bodies */
void fake_forget_body(const fake_object *body);      /* its node has none any more */
/* The node of that number in the graph with that serial number, which is `own` or in a body; NULL: there is none. */
fake_node *fake_find_node(fake_node *nodes, uint32_t n, uint32_t own, uint32_t serial, uint32_t number);
void fake_begin_conditions(const fake_object *graph); /* a launch begins */
int fake_condition(const fake_node *node);            /* whether the body runs now */

#endif
