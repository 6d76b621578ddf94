/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Takes the place of a profiler: a library that NVTX loads if NVTX_INJECTION64_PATH names it, and that keeps the names
 * of the ranges that are pushed.
 */
#ifndef REPRISE_TESTS_CUDA_PROFILER_H
#define REPRISE_TESTS_CUDA_PROFILER_H

#define PROFILER_API __attribute__((visibility("default")))

PROFILER_API const char *profiler_names(void); /* "domain reprise\npush toy\n ..." */
PROFILER_API int profiler_depth(void);         /* ranges that are open */
PROFILER_API void profiler_forget(void);

#endif
