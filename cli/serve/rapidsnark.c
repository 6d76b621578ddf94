/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The requests of clients of rapidsnark's server: POST /input/:circuit, GET /status, POST /cancel. It has one proof at
 * a time: a new input replaces the last one.
 */
#include "http.h"

#include "status.h"

#include <stdlib.h>

static void cancel_input(serve *service, const char *why) {
  if (service->input) serve_queue_cancel(&service->queue, service->input, 409, why);
}

serve_answer serve_post_input(serve_request *r) {
  serve *service = r->service;
  serve_answer answer = {.code = 200};
  serve_job *job = serve_job_new(SERVE_PROVE);
  if (!job) return serve_refuse(503, RP_ERR_MEMORY, "%s", rp_status_text(RP_ERR_MEMORY));
  job->keeps_texts = 1;
  job->is_listed = 1;
  job->key = serve_key_of(service, r->rest, &answer);
  if (!job->key) {
    serve_job_release(job);
    return answer;
  }
  pthread_mutex_lock(&service->lock);
  cancel_input(service, "another input came");
  pthread_mutex_unlock(&service->lock);
  answer = serve_submit(r, job);
  if (answer.code) return answer;
  pthread_mutex_lock(&service->lock);
  serve_job_release(service->input);
  service->input = r->job;
  r->job = NULL;
  pthread_mutex_unlock(&service->lock);
  return (serve_answer){.code = 200};
}

serve_answer serve_post_cancel(serve_request *r) {
  pthread_mutex_lock(&r->service->lock);
  cancel_input(r->service, "cancelled");
  pthread_mutex_unlock(&r->service->lock);
  return (serve_answer){.code = 200};
}

static const char *state_of(const serve_job *job) {
  return !job                              ? "ready"
         : job->state != SERVE_ENDED       ? "busy"
         : job->status == RP_OK            ? "success"
         : job->status == RP_ERR_CANCELLED ? "aborted"
                                           : "failed";
}

/* The members that rapidsnark has come first; "proof" and "pubData" are strings that contain JSON, as there. */
serve_answer serve_get_status(serve_request *r) {
  serve *service = r->service;
  support_text text = {0};
  pthread_mutex_lock(&service->lock);
  const serve_job *job = service->input;
  serve_put(&text, "{\"status\": \"%s\",\n", state_of(job));
  if (job && job->state == SERVE_ENDED && job->status == RP_OK) {
    support_put(&text, " \"proof\": ");
    serve_put_string(&text, job->proof);
    support_put(&text, ",\n \"pubData\": ");
    serve_put_string(&text, job->signals);
    support_put(&text, ",\n");
  } else if (job && job->state == SERVE_ENDED && job->status != RP_ERR_CANCELLED) {
    support_put(&text, " \"error\": ");
    serve_put_string(&text, rp_status_text(job->status));
    serve_put(&text, ", \"job\": \"%s\",\n", job->id);
  }
  support_put(&text, " ");
  serve_put_service(&text, service);
  pthread_mutex_unlock(&service->lock);
  support_put(&text, "}\n");
  return (serve_answer){.code = 200, .text = serve_text_end(&text)};
}
