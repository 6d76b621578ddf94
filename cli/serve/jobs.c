/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "queue.h"

#include <reprise/host.h>

#include <stdlib.h>

/* 128 random bits: a client that was not told an id does not find the job. */
static bool name_job(serve_job *job) {
  static const char digits[] = "0123456789abcdef";
  uint8_t bits[(SERVE_ID - 1) / 2];
  if (rp_random_bytes(bits, sizeof bits) != RP_OK) return 0;
  for (size_t i = 0; i < sizeof bits; i++) {
    job->id[2 * i] = digits[bits[i] >> 4];
    job->id[2 * i + 1] = digits[bits[i] & 15];
  }
  return 1;
}

serve_job *serve_job_new(serve_kind kind) {
  serve_job *job = calloc(1, sizeof *job);
  if (!job) return NULL;
  job->kind = kind;
  job->refs = 1;
  if (name_job(job)) return job;
  free(job);
  return NULL;
}

void serve_job_release(serve_job *job) {
  if (!job || --job->refs) return;
  serve_body_free(&job->body);
  serve_key_release(job->key);
  free(job->text);
  free(job->proof);
  free(job->signals);
  free(job);
}
