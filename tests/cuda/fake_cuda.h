/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A CUDA driver without a GPU: a shared library of the driver's name, linked by a test, so that the backend, which
 * loads the driver by that name at run time, finds this one. Device memory is host memory, calls are counted and can be
 * told to fail, and handles are checked as a strict driver would: a call without a current context, or with an object
 * of another one, is a violation. Kernels are not executed; in their place run host functions that the test registers,
 * in a random order that the graph's edges allow. So it shows the paths of the engine, and nothing of the kernels.
 */
#ifndef REPRISE_TESTS_FAKE_CUDA_H
#define REPRISE_TESTS_FAKE_CUDA_H

#include <cuda.h>
#include <stdint.h>

#define FAKE_API __attribute__((visibility("default")))
enum { FAKE_DEVICES = 4 };

/* What stands for a kernel: gets the argument struct and the number of threads of the launch. */
typedef void (*fake_kernel_fn)(const void *args, uint64_t threads);

/* Forgets everything: two devices of compute capability 9.0, 1 GiB each, the toolkit's own version, no failures. */
FAKE_API void fake_reset(void);
FAKE_API void fake_restart(void); /* of the process: no device is lost any more */
FAKE_API void fake_set_version(int version);
FAKE_API void fake_set_devices(int n, int capability); /* capability 75 is 7.5 */
FAKE_API void fake_set_memory(uint64_t bytes);         /* of each device */
FAKE_API void fake_add_kernel(const char *entry, fake_kernel_fn fn, size_t args_bytes);

/* The nth call from now (1: the next) of `function`, or if it is NULL of any that takes something or works, gives
 * `result`. Errors that a context does not survive come back from every later call on the device, whatever the context,
 * until fake_restart. 0 takes the order back. */
FAKE_API void fake_fail(const char *function, int nth, CUresult result);
FAKE_API int fake_has_failed(void);                 /* 1 once the order was carried out */
FAKE_API uint64_t fake_calls(const char *function); /* since fake_count_from_here; NULL: of all */
FAKE_API void fake_count_from_here(void);

/* While held, launched work stays unfinished: queries answer so, and waiting blocks. */
FAKE_API void fake_hold(int held);

/* What exists now: "context", "module", "stream", "event", "graph", "exec"; and bytes of "device" and "pinned"
 * memory. */
FAKE_API uint64_t fake_live(const char *kind);
FAKE_API CUstream fake_last_stream(void);     /* of the latest launch */
FAKE_API uint64_t fake_memory_of(int device); /* bytes in use there */
/* What a strict driver would have refused, or NULL. */
FAKE_API const char *fake_violation(void);

/* How often the 8 bytes of `pattern` stand in device and pinned memory. */
FAKE_API uint64_t fake_find_pattern(uint64_t pattern);

#endif
