/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_GROTH16_PROVER_H
#define REPRISE_GROTH16_PROVER_H

#include "formats/crew.h"
#include "graph.h"
#include "prerecorded.h"
#include "streamed.h"
#include "tasks.h"
#include "groth16/verify/verify.h"

struct rp_groth16_prover {
  rp_context *context; /* the device's */
  rp_groth16_key *key;
  g16_graph graph;
  rp_recording *recording;
  g16_streamed *streamed; /* not NULL: the points are streamed, and `graph` is that of the quotient */
  rp_groth16_vkey *vkey;  /* NULL: proofs are released without verification */
  uint32_t max_in_flight;
  g16_copiers copiers;
  void (*inspect)(void *user, const rp_run *run);
  void *inspect_user;
  graphs_queue *queue; /* of rp_groth16_submit */
};

/* submit.c */
extern const graphs_tasks_kind g16_tasks_kind;

#endif
