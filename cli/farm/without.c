/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "farm.h"

static cli_exit refuse(const cli_call *call) {
  return cli_refuse(call, CLI_DEVICE,
                    "this reprise was built without libpq: install libpq-dev (Debian) and build it again");
}

cli_exit farm_run_init(const cli_call *call) { return refuse(call); }
cli_exit farm_run_submit(const cli_call *call) { return refuse(call); }
cli_exit farm_run_work(const cli_call *call) { return refuse(call); }
cli_exit farm_run_status(const cli_call *call) { return refuse(call); }
cli_exit farm_run_drain(const cli_call *call) { return refuse(call); }
