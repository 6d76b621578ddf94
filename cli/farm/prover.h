/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef REPRISE_FARM_PROVER_H
#define REPRISE_FARM_PROVER_H

#include "keys.h"
#include "worker.h"

/* Proves batches on the device of the residents. */
typedef struct farm_device_prover {
  farm_residents *residents;
  rp_status lost; /* RP_ERR_DEVICE_LOST once the device is lost; read it after the worker has ended */
  int stop_fd;    /* is written to when the device is lost, so that the worker ends */
} farm_device_prover;
farm_prover farm_prover_of(farm_device_prover *prover);

#endif
