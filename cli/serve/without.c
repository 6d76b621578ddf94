/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "options.h"

cli_exit serve_run(const cli_call *call) {
  return cli_refuse(
      call, CLI_DEVICE,
      "this reprise was built without libmicrohttpd: install libmicrohttpd-dev (Debian) and build it again");
}
