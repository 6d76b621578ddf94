/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Recording, replaying and waiting. A replay is one cuGraphLaunch; nothing is allocated or built in it.
 */
#include "program.h"

#include <string.h>
#include <time.h>

static uint32_t n_events_of(const rp_program_desc *d) {
  return d->flags & RP_RECORD_PROFILE ? 2 * d->n_steps + 5 : 0; /* + upload, download, start */
}

static uint32_t n_bound_of(const rp_program_desc *d) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->n_steps; i++) n += (uint32_t)rp_cuda_is_bound(d, &d->steps[i]);
  return n;
}

static uint32_t n_words_of(const rp_program_desc *d) {
  for (uint32_t b = 0; b < d->n_blocks; b++)
    if (d->blocks[b].space == RP_SPACE_PARAMETER) return (uint32_t)((d->blocks[b].bytes - sizeof(rp_error_record)) / 8);
  return 0;
}

static uint32_t n_loans_of(const rp_program_desc *d) {
  bool any = 0;
  for (uint32_t b = 0; b < d->n_blocks; b++) any |= d->blocks[b].lendable;
  return any ? d->n_uploads : 0;
}

static uint32_t n_guarded_of(const rp_program_desc *d) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < d->n_steps; i++) n += rp_step_guarded(&d->steps[i]);
  return n;
}

/* What is behind the struct, in this order. `whole` has nodes of its own only if the graph may have conditional
 * ones. */
typedef struct sizes {
  uint32_t blocks, bound, whole_bound, loans, words, handles, events, handles_at, handles_end;
} sizes;

static sizes sizes_of(const rp_program_desc *d) {
  const uint32_t bound = n_bound_of(d), words = n_words_of(d), guarded = n_guarded_of(d);
  return (sizes){.blocks = d->n_blocks,
                 .bound = bound,
                 .whole_bound = guarded || rp_cuda_may_be_cut(d) ? bound : 0,
                 .loans = n_loans_of(d),
                 .words = words,
                 .handles = guarded,
                 .events = n_events_of(d),
                 .handles_at = guarded ? words + 1 : 0,
                 .handles_end = guarded ? words : 0};
}

uint64_t rp_cuda_program_host_bytes(void *state, const rp_program_desc *d) {
  (void)state;
  const sizes n = sizes_of(d);
  return sizeof(rp_program) + n.blocks * sizeof(rp_memory) +
         ((uint64_t)n.bound + n.whole_bound) * sizeof(rp_cuda_bound) + n.loans * sizeof(CUgraphNode) +
         n.words * sizeof(uint64_t) + n.handles * sizeof(unsigned long long) + n.events * sizeof(CUevent) +
         ((uint64_t)n.handles_at + n.handles_end) * sizeof(uint32_t);
}

static void lay_out(rp_program *p) {
  const sizes n = sizes_of(p->desc);
  p->blocks = (rp_memory *)(p + 1);
  p->graph.bound = (rp_cuda_bound *)(p->blocks + n.blocks);
  p->whole.bound = p->graph.bound + n.bound;
  p->loans = (CUgraphNode *)(p->whole.bound + n.whole_bound);
  p->n_loans = n.loans;
  p->words = (uint64_t *)(p->loans + n.loans);
  p->handles = (unsigned long long *)(p->words + n.words);
  CUevent *events = (CUevent *)(p->handles + n.handles);
  if (n.events) p->events = events;
  p->handles_at = (uint32_t *)(events + n.events);
  p->handles_end = p->handles_at + n.handles_at;
  p->n_words = n.words;
  p->graph.skips = n.handles != 0;
  p->graph.cut = rp_cuda_may_be_cut(p->desc) && rp_cuda_skips(p->cuda);
}

/* The other end of the copies: an error record, as it was downloaded last, and before it the word that the pieces of a
 * run read. */
static rp_error_record *record_of(const rp_program *p) {
  return (rp_error_record *)((char *)p->control.host + p->control.bytes) - 1;
}

static rp_status make_control(rp_program *p, rp_error *err) {
  const uint64_t bytes = 2 * sizeof(rp_error_record) + 8 * ((uint64_t)p->n_words + 1);
  const rp_status status = rp_cuda_memory_alloc(p->cuda, RP_MEMORY_STAGING_UP, bytes, &p->control, err);
  if (status != RP_OK) return status;
  memset(p->control.host, 0, p->control.bytes);
  p->cancelled = (atomic_int *)((char *)record_of(p) - 8);
  atomic_init(p->cancelled, 0);
  return RP_OK;
}

/* A block comes down in one copy, with the padding between its values, which must not be uninitialized. */
static rp_status clear_outputs(rp_program *p, rp_error *err) {
  rp_status status = RP_OK;
  for (uint32_t b = 0; status == RP_OK && b < p->desc->n_blocks; b++)
    if (p->desc->blocks[b].space == RP_SPACE_OUTPUT)
      status =
          RP_CUDA(p->cuda, err, cuMemsetD8Async, p->blocks[b].address, 0, (size_t)p->desc->blocks[b].bytes, p->stream);
  return status;
}

/* Whether the recording itself clears the staging of the inputs once they are on the device: every block of it holds a
 * secret, possibly with public inputs in the same block, and the caller has not asked to keep them. Clearing hundreds
 * of MiB takes the host as long as a small proof; the device does it while the other kernels work. */
static bool clears_staging(const rp_program_desc *d) {
  bool all_secret = !(d->flags & RP_RECORD_KEEP_INPUTS);
  for (uint32_t b = 0; b < d->n_blocks; b++)
    if (d->blocks[b].space == RP_SPACE_INPUT) all_secret &= d->blocks[b].secret;
  return all_secret;
}

static bool has_exchange(const rp_program_desc *d) {
  bool any = 0;
  for (uint32_t b = 0; b < d->n_blocks; b++) any |= d->blocks[b].space == RP_SPACE_EXCHANGE;
  return any;
}

static rp_status create_objects(rp_program *p, rp_error *err) {
  rp_cuda *cuda = p->cuda;
  rp_status status = RP_OK;
  p->stream = cuda->caller_stream;
  if (!p->stream) {
    status = RP_CUDA(cuda, err, cuStreamCreate, &p->stream, CU_STREAM_NON_BLOCKING);
    p->owns_stream = status == RP_OK;
  }
  if (status == RP_OK) status = RP_CUDA(cuda, err, cuEventCreate, &p->done, CU_EVENT_DISABLE_TIMING);
  if (status == RP_OK)
    status = RP_CUDA(cuda, err, cuEventCreate, &p->done_long, CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC);
  if (status == RP_OK && has_exchange(p->desc)) {
    status = RP_CUDA(cuda, err, cuStreamCreate, &p->arrivals, CU_STREAM_NON_BLOCKING);
    if (status == RP_OK) status = RP_CUDA(cuda, err, cuEventCreate, &p->arrived, CU_EVENT_DISABLE_TIMING);
    if (status == RP_OK) status = RP_CUDA(cuda, err, cuEventCreate, &p->shared, CU_EVENT_DISABLE_TIMING);
  }
  for (; status == RP_OK && p->n_events < n_events_of(p->desc); p->n_events += status == RP_OK)
    status = RP_CUDA(cuda, err, cuEventCreate, &p->events[p->n_events], CU_EVENT_DEFAULT);
  return status;
}

rp_status rp_cuda_program_create(void *state, const rp_program_desc *desc, const rp_program_memory *memory,
                                 rp_program **program, rp_error *err) {
  rp_cuda *cuda = state;
  *program = NULL;
  size_t bytes = (size_t)rp_cuda_program_host_bytes(cuda, desc);
  rp_program *p = rp_host_alloc(cuda->context, bytes, 64);
  if (!p) return rp_fail(err, RP_ERR_MEMORY, "out of host memory for recording %s", desc->name);
  memset(p, 0, bytes);
  p->cuda = cuda;
  p->desc = desc;
  p->host_bytes = bytes;
  lay_out(p);
  memcpy(p->blocks, memory->blocks, desc->n_blocks * sizeof *p->blocks);
  p->staging_up = memory->staging_up;
  p->staging_down = memory->staging_down;
  p->clears_staging = clears_staging(desc);
  for (uint32_t b = 0; b < desc->n_blocks; b++)
    if (desc->blocks[b].space == RP_SPACE_PARAMETER) p->parameter_block = b;
  rp_status status = make_control(p, err);
  if (status == RP_OK) {
    status = rp_cuda_enter(cuda, err);
    if (status == RP_OK) {
      rp_cuda_range_push(cuda->ranges, desc->name);
      status = create_objects(p, err);
      if (status == RP_OK) status = clear_outputs(p, err);
      if (status == RP_OK) status = rp_cuda_build_graph(p, &p->graph, err);
      /* The first launch uploads the graph. After cuGraphUpload, where several processes used a GPU, some waited for
       * ever for a launch (driver 580, H100 and H200: 10 of 48 processes; without it none of 48). */
      if (status == RP_OK) status = RP_CUDA(cuda, err, cuGraphInstantiate, &p->exec, p->graph.graph, 0);
      rp_cuda_range_pop(cuda->ranges);
      rp_cuda_leave(cuda);
    }
  }
  if (status != RP_OK) {
    rp_cuda_program_destroy(cuda, p);
    return status;
  }
  *program = p;
  return RP_OK;
}

void rp_cuda_program_destroy(void *state, rp_program *p) {
  rp_cuda *cuda = state;
  if (!p) return;
  if (rp_cuda_enter_to_give_back(cuda)) {
    rp_cuda_driver *d = &cuda->driver;
    if (p->arrivals) d->cuStreamSynchronize(p->arrivals);
    if (p->stream) d->cuStreamSynchronize(p->stream);
    if (p->arrived) d->cuEventDestroy(p->arrived);
    if (p->shared) d->cuEventDestroy(p->shared);
    if (p->arrivals) d->cuStreamDestroy(p->arrivals);
    if (p->exec) d->cuGraphExecDestroy(p->exec);
    if (p->graph.graph) d->cuGraphDestroy(p->graph.graph);
    if (p->whole.graph) d->cuGraphDestroy(p->whole.graph);
    for (uint32_t i = 0; i < p->n_events; i++) d->cuEventDestroy(p->events[i]);
    if (p->done) d->cuEventDestroy(p->done);
    if (p->done_long) d->cuEventDestroy(p->done_long);
    if (p->owns_stream) d->cuStreamDestroy(p->stream);
    rp_cuda_leave(cuda);
  }
  rp_cuda_memory_free(cuda, &p->control);
  rp_host_free(cuda->context, p, p->host_bytes);
}

/* Waiting for a run of some milliseconds spins. If the run before took longer than this, waiting sleeps instead, which
 * leaves the core to others and notices the end some tens of microseconds late. */
enum { LONG_NS = 20000000 };

/* Lets `stream` wait for what `other` has been given so far. The event of the program serves, because it is recorded
 * again only afterwards, and a stream waits for the state that an event had at the call. */
static rp_status wait_for_stream(rp_program *p, CUstream stream, CUstream other, rp_error *err) {
  const rp_status status = RP_CUDA(p->cuda, err, cuEventRecord, p->waiting, other);
  return status == RP_OK ? RP_CUDA(p->cuda, err, cuStreamWaitEvent, stream, p->waiting, 0) : status;
}

/* What the run waits for. A stream of the caller's knows nothing of the wiping after the run before. */
static rp_status wait_for_links(rp_program *p, CUstream stream, const rp_links *links, rp_error *err) {
  rp_status status = RP_OK;
  if (stream != p->stream && p->wipe_pending) status = wait_for_stream(p, stream, p->stream, err);
  for (uint32_t i = 0; links && i < links->n_waits && status == RP_OK; i++) {
    const rp_sync *s = &links->waits[i];
    status = s->kind == RP_SYNC_CUDA_EVENT ? RP_CUDA(p->cuda, err, cuStreamWaitEvent, stream, (CUevent)s->handle, 0)
                                           : wait_for_stream(p, stream, (CUstream)s->handle, err);
  }
  for (uint32_t i = 0; links && i < links->n_after && status == RP_OK; i++)
    status = RP_CUDA(p->cuda, err, cuStreamWaitEvent, stream, links->after[i]->waiting, 0);
  return status;
}

/* After the launch, when the program's event has been recorded. */
static rp_status signal_links(rp_program *p, CUstream stream, const rp_links *links, rp_error *err) {
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < links->n_signals && status == RP_OK; i++) {
    const rp_sync *s = &links->signals[i];
    status = s->kind == RP_SYNC_CUDA_EVENT
                 ? RP_CUDA(p->cuda, err, cuEventRecord, (CUevent)s->handle, stream)
                 : RP_CUDA(p->cuda, err, cuStreamWaitEvent, (CUstream)s->handle, p->waiting, 0);
  }
  return status;
}

static rp_status launch(rp_program *p, CUstream stream, const rp_links *links, rp_error *err) {
  rp_cuda *cuda = p->cuda;
  const uint32_t n_arrivals = links ? links->n_arrivals : 0;
  rp_status status = n_arrivals ? rp_cuda_arrive(p, stream, links->arrivals, n_arrivals, err) : RP_OK;
  if (status == RP_OK) status = wait_for_links(p, stream, links, err);
  if (status == RP_OK && p->n_events) status = RP_CUDA(cuda, err, cuEventRecord, p->events[p->n_events - 1], stream);
  if (status == RP_OK) status = RP_CUDA(cuda, err, cuGraphLaunch, p->exec, stream);
  if (status != RP_OK) {
    if (n_arrivals) cuda->driver.cuStreamSynchronize(p->arrivals); /* nothing comes after a refusal */
    return status;
  }
  p->counters.submissions++;
  p->phase = RP_CUDA_RUNNING;
  p->wipe_pending = 0;
  status = RP_CUDA(cuda, err, cuEventRecord, p->waiting, stream);
  if (status == RP_OK && links) status = signal_links(p, stream, links, err);
  if (status != RP_OK) { /* the graph runs, but its end cannot be signalled: waits here, and keeps the slot till then */
    cuda->driver.cuStreamSynchronize(stream);
    p->phase = RP_CUDA_IDLE;
  }
  return status;
}

rp_status rp_cuda_submit(void *state, rp_program *p, const uint64_t *words, uint32_t n_words, const rp_links *links,
                         rp_error *err) {
  rp_cuda *cuda = state;
  if (n_words > p->n_words)
    return rp_fail(err, RP_ERR_INTERNAL, "the run binds %u addresses, and %u are planned", n_words, p->n_words);
  uint64_t *up = (uint64_t *)((rp_error_record *)p->control.host + 1);
  for (uint32_t i = 0; i < p->n_words; i++) up[i] = i < n_words ? words[i] : 0;
  atomic_store(p->cancelled, 0);
  p->phase = RP_CUDA_IDLE;
  p->counters = p->per_run;
  p->waiting = p->latest_ns > LONG_NS || (links && links->sleeps) ? p->done_long : p->done;
  const CUstream stream = links && links->stream ? (CUstream)links->stream : p->stream;
  p->begin_ns = rp_now_ns();
  rp_status status = rp_cuda_enter(cuda, err);
  if (status != RP_OK) return status;
  rp_cuda_range_push(cuda->ranges, p->desc->name);
  status = rp_cuda_bind(p, up, err);
  if (status == RP_OK) status = launch(p, stream, links, err);
  rp_cuda_range_pop(cuda->ranges);
  rp_cuda_leave(cuda);
  return status;
}

/* The launches that came before one that was refused are over when this returns. */
static void take_back(rp_cuda *cuda, const rp_start *runs, uint32_t n, CUstream stream) {
  if (n && rp_cuda_enter(cuda, NULL) == RP_OK) {
    cuda->driver.cuStreamSynchronize(stream);
    rp_cuda_leave(cuda);
  }
  for (uint32_t i = 0; i < n; i++) runs[i].program->phase = RP_CUDA_IDLE;
}

/* In one stream, each run begins after the one before it and all of its memory accesses. */
rp_status rp_cuda_submit_runs(void *state, const rp_start *runs, uint32_t n, const rp_links *links, rp_error *err) {
  rp_links own = *links;
  if (!own.stream) own.stream = runs[0].program->stream;
  for (uint32_t i = 0; i < n; i++) {
    own.n_signals = i + 1 == n ? links->n_signals : 0;
    const rp_status status = rp_cuda_submit(state, runs[i].program, runs[i].words, runs[i].n_words, &own, err);
    if (status != RP_OK) {
      take_back(state, runs, i, own.stream);
      return status;
    }
    own.n_waits = own.n_after = 0;
  }
  return RP_OK;
}

/* Polls until the run is done or the time is over. */
static CUresult query_until(rp_program *p, uint64_t timeout_ns) {
  const uint64_t begin = rp_now_ns();
  for (;;) {
    CUresult result = p->cuda->driver.cuEventQuery(p->waiting);
    if (result != CUDA_ERROR_NOT_READY || rp_now_ns() - begin >= timeout_ns) return result;
    if (p->waiting == p->done_long) nanosleep(&(struct timespec){0, 50000}, NULL);
  }
}

rp_status rp_cuda_wait(void *state, rp_program *p, uint64_t timeout_ns, rp_error_record *fault, rp_error *err) {
  rp_cuda *cuda = state;
  if (p->phase == RP_CUDA_IDLE) return rp_fail(err, RP_ERR_STATE, "nothing was submitted");
  if (p->phase == RP_CUDA_RUNNING) {
    const bool endless = timeout_ns == UINT64_MAX;
    rp_status status = rp_cuda_enter(cuda, err);
    if (status != RP_OK) return status;
    rp_cuda_range_push(cuda->ranges, "wait");
    CUresult result = endless ? cuda->driver.cuEventSynchronize(p->waiting) : query_until(p, timeout_ns);
    if (result != CUDA_ERROR_NOT_READY)
      status = rp_cuda_check(cuda, result, endless ? "cuEventSynchronize" : "cuEventQuery", err);
    rp_cuda_range_pop(cuda->ranges);
    rp_cuda_leave(cuda);
    if (result == CUDA_ERROR_NOT_READY) return RP_ERR_TIMEOUT;
    if (status != RP_OK) return status;
    if (!atomic_load(p->cancelled)) p->latest_ns = rp_now_ns() - p->begin_ns; /* else it says nothing of others */
    p->counters.waits++;
    p->phase = RP_CUDA_DONE;
    p->staging_is_clear = p->clears_staging;
  }
  *fault = *record_of(p);
  if (atomic_load(p->cancelled)) return rp_fail(err, RP_ERR_CANCELLED, "the run was cancelled while the device worked");
  return RP_OK;
}

/* The device finishes the pieces that it has begun, and leaves out the others. A graph that is not cut is finished. */
void rp_cuda_cancel(void *state, rp_program *p) {
  (void)state;
  atomic_store(p->cancelled, 1);
}

static rp_status wipe_blocks(rp_program *p) {
  rp_cuda *cuda = p->cuda;
  p->wipe_pending = 1;
  rp_status status = rp_cuda_enter(cuda, NULL);
  if (status != RP_OK) return status;
  for (uint32_t b = 0; b < p->desc->n_blocks; b++)
    if (p->desc->blocks[b].secret) {
      const rp_status wiped =
          RP_CUDA(cuda, NULL, cuMemsetD8Async, p->blocks[b].address, 0, (size_t)p->desc->blocks[b].bytes, p->stream);
      if (wiped != RP_OK) status = wiped;
    }
  rp_cuda_leave(cuda);
  return status;
}

/* Blocks are wiped in stream order, so before a later launch of this program touches them. Staging that the run has not
 * cleared is wiped before this returns, because the caller may then write the next inputs into it. */
void rp_cuda_wipe(void *state, rp_program *p) {
  rp_cuda *cuda = state;
  bool any = 0;
  for (uint32_t b = 0; b < p->desc->n_blocks; b++) any |= p->desc->blocks[b].secret;
  if (!any) return;
  /* If the driver refuses twice, secrets stay in memory that others may get: the device is lost from here on. */
  if (wipe_blocks(p) != RP_OK && wipe_blocks(p) != RP_OK) atomic_store(&cuda->lost, 1);
  if (p->staging_up.host && !p->staging_is_clear) explicit_bzero(p->staging_up.host, (size_t)p->staging_up.bytes);
  p->staging_is_clear = 0;
  if (p->staging_down.host) explicit_bzero(p->staging_down.host, (size_t)p->staging_down.bytes);
}

void rp_cuda_counters(void *state, const rp_program *p, rp_backend_counters *counters) {
  (void)state;
  *counters = p->counters;
}

uint32_t rp_cuda_timings(void *state, const rp_program *p, rp_timing *timings, uint32_t capacity) {
  rp_cuda *cuda = state;
  if (!p->n_events || p->phase != RP_CUDA_DONE || rp_cuda_enter(cuda, NULL) != RP_OK) return 0;
  uint32_t n = p->desc->n_steps + 2;
  CUevent start = p->events[p->n_events - 1];
  for (uint32_t i = 0; i < n && i < capacity; i++) {
    float begin_ms = 0, end_ms = 0;
    cuda->driver.cuEventElapsedTime(&begin_ms, start, p->events[2 * i]);
    cuda->driver.cuEventElapsedTime(&end_ms, start, p->events[2 * i + 1]);
    uint32_t step = i < p->desc->n_steps ? i : i == p->desc->n_steps ? RP_TIMING_UPLOAD : RP_TIMING_DOWNLOAD;
    timings[i] = (rp_timing){step, 0, (uint64_t)((double)begin_ms * 1e6), (uint64_t)((double)end_ms * 1e6)};
  }
  rp_cuda_leave(cuda);
  return n;
}
