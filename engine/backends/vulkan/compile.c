/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The pipelines of a program, compiled by the library's own threads: drivers take seconds for a kernel, and recurse
 * deeper than the stack of the caller's thread may allow. Several threads may call vkCreateComputePipelines with one
 * cache, because it is not externally synchronised (Vulkan 1.2, 10.6 Pipeline Cache).
 */
#include "state.h"

#include "backends/cpu/cpu.h"
#include "thread.h"

#include <string.h>

enum { MOST_THREADS = 64 };
#define LONG_NS UINT64_C(1000000000) /* what took longer is written to disk at once, since the process may be killed */

typedef struct compile_job {
  const rp_kernel *kernel;
  VkPipeline pipeline;
  rp_status status;
  rp_error err;
} compile_job;

typedef struct compile_work {
  rp_vk *vk;
  compile_job *jobs;
  uint32_t n;
  atomic_uint next;
  atomic_int failed; /* 1: compilations that have not begun are skipped */
} compile_work;

static void *compile(void *argument) {
  compile_work *w = argument;
  for (uint32_t i; (i = atomic_fetch_add(&w->next, 1)) < w->n && !atomic_load(&w->failed);) {
    compile_job *job = &w->jobs[i];
    job->status = rp_vk_pipeline_create(w->vk, job->kernel, &job->pipeline, &job->err);
    if (job->status != RP_OK) atomic_store(&w->failed, 1);
  }
  return NULL;
}

/* Starts as many threads with the large stack as possible, at most `n`. */
static uint32_t start(compile_work *w, size_t stack_bytes, pthread_t *threads, uint32_t n, int *error) {
  pthread_attr_t attributes;
  uint32_t started = 0;
  if ((*error = pthread_attr_init(&attributes))) return 0;
  *error = pthread_attr_setstacksize(&attributes, stack_bytes);
  while (started < n && !*error) {
    *error = rp_thread_start(&threads[started], &attributes, compile, w);
    started += !*error;
  }
  pthread_attr_destroy(&attributes);
  return started;
}

static void compile_all(compile_work *w) {
  pthread_t threads[MOST_THREADS];
  uint32_t n = cpu_count(), started = 0;
  int error = 0;
  if (n > w->n) n = w->n;
  if (n > MOST_THREADS) n = MOST_THREADS;
  for (uint32_t i = 0; i < 2 && !started; i++) /* a quarter of the stack if address space is limited */
    started = start(w, w->vk->compile_stack_bytes >> 2 * i, threads, n, &error);
  if (!started) {
    rp_log(
        w->vk->context, RP_LOG_WARNING,
        "Vulkan: no thread with a stack of %zu MiB (%s): pipelines are compiled by the calling thread, whose stack the "
        "driver may find too small",
        w->vk->compile_stack_bytes >> 22, strerror(error));
    (void)compile(w);
  }
  for (uint32_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
}

/* Keeps the pipelines that were made, and returns the first failure. */
static rp_status collect(compile_work *w, rp_error *err) {
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < w->n; i++) {
    compile_job *job = &w->jobs[i];
    if (status == RP_OK && job->status != RP_OK) {
      status = job->status;
      if (err) *err = job->err;
    }
    rp_error none;
    if (!job->pipeline) continue;
    const rp_status kept = rp_vk_pipeline_keep(w->vk, job->kernel, job->pipeline, status == RP_OK ? err : &none);
    if (status == RP_OK) status = kept;
  }
  return status;
}

static bool is_listed(const compile_work *w, const rp_kernel *kernel) {
  for (uint32_t i = 0; i < w->n; i++)
    if (w->jobs[i].kernel == kernel) return 1;
  return 0;
}

rp_status rp_vk_compile(rp_vk *vk, const rp_kernel *const *kernels, uint32_t n, rp_error *err) {
  if (n == 0) return RP_OK;
  compile_work w = {.vk = vk};
  w.jobs = rp_host_alloc(vk->context, n * sizeof *w.jobs, _Alignof(compile_job));
  if (!w.jobs) return rp_fail(err, RP_ERR_MEMORY, "out of host memory for compiling %u Vulkan pipelines", n);
  pthread_mutex_lock(&vk->compile_lock);
  for (uint32_t i = 0; i < n; i++)
    if (!is_listed(&w, kernels[i]) && !rp_vk_pipeline_of(vk, kernels[i]))
      w.jobs[w.n++] = (compile_job){.kernel = kernels[i]};
  const uint64_t begin = rp_now_ns();
  if (w.n) compile_all(&w);
  const rp_status status = collect(&w, err);
  if (w.n && rp_now_ns() - begin > LONG_NS) rp_vk_cache_save(vk);
  pthread_mutex_unlock(&vk->compile_lock);
  rp_host_free(vk->context, w.jobs, n * sizeof *w.jobs);
  return status;
}
