/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A CUDA driver without a GPU: a shared library with the driver's name, linked by a test, so that the backend, which
 * loads the driver by that name at run time, finds this one. Device memory is host memory, calls are counted and can be
 * told to fail, and handles are checked as a strict driver would check them: a call without a current context, or with
 * an object of another one, is a violation. Kernels are not executed: host functions that the test registers run in
 * their place, in a random order that the graph's edges allow. So it tests the engine, but no kernels.
 */
#ifndef REPRISE_TESTS_FAKE_CUDA_H
#define REPRISE_TESTS_FAKE_CUDA_H

#include <cuda.h>
#include <stdint.h>

#define FAKE_API __attribute__((visibility("default")))
enum { FAKE_DEVICES = 4 };

/* What runs in place of a kernel. It gets the argument struct and the number of threads of the launch. */
typedef void (*fake_kernel_fn)(const void *args, uint64_t threads);

/* Resets everything: two devices with compute capability 9.0 and 1 GiB each, the version of the toolkit, no
 * failures. */
FAKE_API void fake_reset(void);
FAKE_API void fake_restart(void); /* as if the process had been restarted: no device is lost any more */
FAKE_API void fake_set_version(int version);
FAKE_API void fake_set_devices(int n, int capability); /* capability 75 is 7.5 */
FAKE_API void fake_set_memory(uint64_t bytes);         /* of each device */
FAKE_API void fake_set_apart(int apart);               /* no device can reach another's memory, or share its own */
FAKE_API void fake_add_kernel(const char *entry, fake_kernel_fn fn, size_t args_bytes);

/* What a kernel does to a handle of a conditional node. */
FAKE_API void fake_set_condition(unsigned long long handle, unsigned value);

/* Makes the nth call of `function` from now on (1: the next) return `result`; if `function` is NULL, the nth call of
 * any function but those that only report or release something. An error that a context does not survive is then
 * returned by every later call on the device, whatever the context, until fake_restart. nth = 0 cancels this. */
FAKE_API void fake_fail(const char *function, int nth, CUresult result);
FAKE_API int fake_has_failed(void);                 /* 1 once that call has failed */
FAKE_API uint64_t fake_calls(const char *function); /* since fake_count_from_here; NULL: calls of any function */
FAKE_API void fake_count_from_here(void);
/* The names of these calls in their order, separated by spaces, without those of the calls about contexts. Only the
 * first thousand characters are kept. */
FAKE_API const char *fake_sequence(void);

/* While held, launched work stays unfinished: queries say so, and waiting blocks. */
FAKE_API void fake_hold(int held);

/* How many there are now of a "context", "module", "stream", "event", "graph", "exec", "handle", "range" or "external";
 * for "device" and "pinned", the bytes of such memory. */
FAKE_API uint64_t fake_live(const char *kind);
FAKE_API CUstream fake_last_stream(void);     /* of the latest launch */
FAKE_API uint64_t fake_memory_of(int device); /* bytes in use there */
FAKE_API uint32_t fake_branches(void);        /* conditional nodes of all graphs */
FAKE_API uint32_t fake_longest_path(void);    /* nodes on the longest path of any graph, without bodies */
FAKE_API uint32_t fake_bodies_run(void);      /* of the latest launch: bodies that ran */
/* The first call that a strict driver would have refused, and why; NULL if there is none. */
FAKE_API const char *fake_violation(void);

/* Whether the address is in pinned memory. For kernels, which run with the driver's lock held. */
FAKE_API int fake_is_pinned(const void *address);

/* How often the 8 bytes of `pattern` occur in device and pinned memory. */
FAKE_API uint64_t fake_find_pattern(uint64_t pattern);

#endif
