/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_PLONK_PROVER_H
#define REPRISE_PLONK_PROVER_H

#include "formats/crew.h"
#include "graph.h"

struct rp_plonk_prover {
  rp_context *context; /* the device's */
  rp_plonk_key *key;
  plonk_graph graph;
  rp_recording *recording;
  rp_plonk_vkey *vkey; /* what every proof is verified with before it is released */
  uint32_t max_in_flight;
  g16_copiers copiers;
  void (*inspect)(void *user, const rp_run *run);
  void *inspect_user;
};

#endif
