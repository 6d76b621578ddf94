/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "answer.h"

#include "text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The JSON of an error (answer.h), to be freed; NULL when out of memory. `id` may be NULL. */
static char *error_text(const char *id, rp_status status, const char *reason) {
  support_text text = {0};
  support_put(&text, "{");
  if (id) serve_put(&text, "\"id\": \"%s\", \"state\": \"failed\", ", id);
  serve_put(&text, "\"error\": {\"status\": \"%s\", \"reason\": ", rp_status_name(status));
  serve_put_string(&text, reason);
  support_put(&text, "}}\n");
  return serve_text_end(&text);
}

serve_answer serve_refuse(unsigned code, rp_status status, const char *format, ...) {
  char reason[512];
  va_list args;
  va_start(args, format);
  vsnprintf(reason, sizeof reason, format, args);
  va_end(args);
  return (serve_answer){.code = code, .text = error_text(NULL, status, reason)};
}

/* The HTTP status code: it says whether the request or the service is at fault. */
static int code_of(rp_status status) {
  switch (status) {
  case RP_OK: return 200;
  case RP_ERR_ARGUMENT: return 400;
  case RP_ERR_FILE: return 404;
  case RP_ERR_INPUT:
  case RP_ERR_FORMAT:
  case RP_ERR_MISMATCH:
  case RP_ERR_VERIFY:
  case RP_ERR_UNSUPPORTED: return 422;
  case RP_ERR_INTERNAL: return 500;
  default: return 503;
  }
}

static void end(serve_job *job, rp_status status, int code, char *text) {
  job->status = text ? status : RP_ERR_MEMORY;
  job->code = text ? code : 503;
  job->text = text;
}

void serve_job_failed(serve_job *job, const rp_error *err) {
  const rp_status status = err->status == RP_OK ? RP_ERR_INTERNAL : err->status;
  const char *reason = err->reason[0] ? err->reason : rp_status_text(status);
  end(job, status, code_of(status), error_text(job->id, status, reason));
}

void serve_job_cancelled(serve_job *job) {
  end(job, RP_ERR_CANCELLED, job->ended_by, error_text(job->id, RP_ERR_CANCELLED, job->ended_why));
}

void serve_job_answered(serve_job *job, int code, char *text) { end(job, RP_OK, code, text); }

void serve_job_proved(serve_job *job, char *proof, char *signals) {
  const uint64_t now = cli_now_ns();
  support_text text = {0};
  serve_put(&text, "{\"id\": \"%s\", \"state\": \"done\", \"key\": \"%s\", \"waited_ms\": %.3f, \"proved_ms\": %.3f,\n",
            job->id, job->key->name, (double)(job->begun_ns - job->created_ns) / 1e6,
            (double)(now - job->begun_ns) / 1e6);
  support_put(&text, "\"proof\": ");
  support_put(&text, proof);
  support_put(&text, ",\n\"public\": ");
  support_put(&text, signals);
  support_put(&text, "}\n");
  end(job, RP_OK, 200, serve_text_end(&text));
  if (job->keeps_texts) {
    job->proof = proof;
    job->signals = signals;
  } else {
    free(proof);
    free(signals);
  }
}

serve_answer serve_job_answer(const serve_job *job) {
  if (job->state == SERVE_ENDED)
    return (serve_answer){.code = (unsigned)job->code, .text = job->text ? strdup(job->text) : NULL};
  support_text text = {0};
  serve_answer answer = {.code = 202};
  serve_put(&text, "{\"id\": \"%s\", \"state\": \"%s\"", job->id, job->state == SERVE_WAITING ? "waiting" : "running");
  if (job->key) serve_put(&text, ", \"key\": \"%s\"", job->key->name);
  serve_put(&text, ", \"priority\": %d, \"elapsed_ms\": %.3f%s}\n", job->priority,
            (double)(cli_now_ns() - job->created_ns) / 1e6, job->ended_by ? ", \"cancelled\": true" : "");
  answer.text = serve_text_end(&text);
  (void)snprintf(answer.location, sizeof answer.location, "/jobs/%s", job->id); /* an id has 32 digits */
  return answer;
}
