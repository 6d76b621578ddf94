/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "submit.h"

#include "prover.h"

_Static_assert(sizeof(plonk_flight) <= GRAPHS_MOST_FLIGHT_BYTES, "a proof in progress has room");

rp_status plonk_task_start(void *prover, const graphs_request *request, uint64_t timeout_ns, void *proof,
                           uint8_t *public_signals, void *flight, rp_error *err) {
  const plonk_source from = {.witness = request->witness};
  return plonk_flight_start(prover, &from, timeout_ns, proof, public_signals, flight, err);
}

rp_run *plonk_task_watch(void *flight, const atomic_int *cancelled, void (*ending)(void *user), void *user) {
  plonk_flight *f = flight;
  (void)cancelled; /* behind the run there is only verification */
  f->ending = ending;
  f->ending_user = user;
  return f->run;
}

rp_status plonk_task_finish(void *flight, rp_run_counters *counters, rp_error *err) {
  return plonk_flight_finish(flight, counters, err);
}
