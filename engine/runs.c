/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Several runs in one submission.
 */
#include "submit.h"
#include "watcher.h"

static const char *graph_name(const rp_run *run) { return run->recording->plan->graph->name; }

/* ---- What may be submitted together ------------------------------------------------------------------------------ */

static rp_status check_run_of_list(rp_run *const *runs, uint32_t index, rp_error *err) {
  const rp_run *run = runs[index];
  if (!run) return rp_fail(err, RP_ERR_ARGUMENT, "rp_runs_submit: runs[%u] is NULL", index);
  for (uint32_t i = 0; i < index; i++)
    if (runs[i] == run)
      return rp_fail(err, RP_ERR_ARGUMENT, "rp_runs_submit: runs[%u] and runs[%u] are the same run of %s", i, index,
                     graph_name(run));
  if (run->recording->device != runs[0]->recording->device)
    return rp_fail(err, RP_ERR_MISMATCH, "rp_runs_submit: runs[%u] of %s is on another device than runs[0] of %s",
                   index, graph_name(run), graph_name(runs[0]));
  return RP_OK;
}

static rp_status check_list(rp_run *const *runs, uint32_t n, rp_error *err) {
  if (!runs || n == 0 || n > RP_MOST_RUNS)
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_runs_submit: `runs` is NULL, or has not 1 to %d entries", RP_MOST_RUNS);
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < n && !status; i++) status = check_run_of_list(runs, i, err);
  if (status) return status;
  const rp_backend *backend = runs[0]->recording->device->backend;
  if (!backend->submit_runs)
    return rp_fail(err, RP_ERR_UNSUPPORTED,
                   "rp_runs_submit: a run of a %s device is work for several devices, which is not in one submission: "
                   "submit the runs one by one",
                   backend->name);
  return RP_OK;
}

/* Writes what a run of the list has objected to. */
static rp_status pass_on(const rp_run *run, uint32_t index, rp_status status, rp_error *err) {
  return status ? rp_fail(err, status, "runs[%u]: %.400s", index, run->error.reason) : RP_OK;
}

static rp_status check_all(rp_run *const *runs, uint32_t n, const rp_submit_options *o, rp_error *err) {
  rp_status status = RP_OK;
  for (uint32_t i = 0; i < n && !status; i++) status = pass_on(runs[i], i, rp_submit_check_run(runs[i]), err);
  if (!status) status = pass_on(runs[0], 0, rp_submit_check_options(runs[0], o), err);
  for (uint32_t i = 0; i < n && !status; i++) status = pass_on(runs[i], i, rp_submit_check_values(runs[i]), err);
  return status;
}

/* ---- Who follows whom -------------------------------------------------------------------------------------------- */

/* Each follows the one before it, so that this one's slot is kept, and those that it reads from; and if the whole list
 * follows others, it fails with these. */
static void follow_in_list(rp_run *const *runs, uint32_t index, uint32_t n_after) {
  for (uint32_t i = 0; i < n_after; i++) rp_submit_follow(runs[index], runs[0]->after[i], 1);
  for (uint32_t i = 0; i < index; i++) {
    const bool reads = rp_run_reads(runs[index], runs[i]);
    if (reads || i + 1 == index) rp_submit_follow(runs[index], runs[i], reads);
  }
}

static void follow_all(rp_run *const *runs, uint32_t n, const rp_submit_options *o, rp_program **programs) {
  rp_device *d = runs[0]->recording->device;
  rp_submit_follow_all(runs[0], o, programs);
  pthread_mutex_lock(&d->gate);
  for (uint32_t i = 1; i < n; i++) follow_in_list(runs, i, runs[0]->n_after);
  pthread_mutex_unlock(&d->gate);
}

/* ---- Submission -------------------------------------------------------------------------------------------------- */

static rp_status start(rp_run *const *runs, uint32_t n, const rp_links *links, rp_error *err) {
  rp_device *d = runs[0]->recording->device;
  rp_start starts[RP_MOST_RUNS];
  rp_error why = {0};
  for (uint32_t i = 0; i < n; i++)
    starts[i] = (rp_start){runs[i]->program, runs[i]->words, runs[i]->recording->plan->n_words, runs[i]->priority};
  const uint64_t begin_ns = rp_now_ns();
  const rp_status status = d->backend->submit_runs(d->state, starts, n, links, &why);
  for (uint32_t i = n; i-- > 0 && status;) {
    runs[i]->error = why;
    rp_submit_refused(runs[i], status);
  }
  for (uint32_t i = 0; i < n && !status; i++) rp_submit_started(runs[i], begin_ns);
  return status ? rp_fail(err, status, "%s and %u more runs: %.400s", graph_name(runs[0]), n - 1, why.reason) : RP_OK;
}

rp_status rp_runs_submit(rp_run *const *runs, uint32_t n, const rp_submit_options *options, rp_error *err) {
  rp_submit_options o;
  rp_program *programs[RP_MOST_SYNCS];
  if (!rp_options_read(&o, sizeof o, options))
    return rp_fail(err, RP_ERR_ARGUMENT, "rp_runs_submit: options.struct_size is not set");
  rp_status status = check_list(runs, n, err);
  if (!status) status = check_all(runs, n, &o, err);
  for (uint32_t i = 0; i < n && !status; i++) status = pass_on(runs[i], i, rp_submit_check_cancelled(runs[i]), err);
  if (status) return status;
  rp_run *last = runs[n - 1];
  const bool watched = o.done || o.done_fd;
  if (watched && (status = rp_watcher_prepare(last, &o, &last->error))) return pass_on(last, n - 1, status, err);
  follow_all(runs, n, &o, programs);
  const rp_links links = {.waits = o.waits,
                          .signals = o.signals,
                          .n_waits = o.n_waits,
                          .n_signals = o.n_signals,
                          .after = programs,
                          .n_after = runs[0]->n_after,
                          .stream = o.stream,
                          .sleeps = watched};
  last->watched = watched;
  status = start(runs, n, &links, err);
  if (status)
    last->watched = 0;
  else if (watched)
    rp_watcher_begin(last);
  return status;
}
