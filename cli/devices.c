/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise devices: the devices of this machine, and what is missing for others.
 */
#include "cli.h"

#include <jansson.h>

enum { MAX_DEVICES = 64 };

static void print_text(const rp_device_info *d) {
  char memory[32];
  if (d->available)
    printf("%s:%u  %s  %s  %u workers  %s\n", rp_device_kind_name(d->kind), d->index, d->name, d->driver,
           d->limits.workers, cli_bytes_text(d->limits.memory_bytes, memory));
  else
    printf("%s  not available: %s\n", rp_device_kind_name(d->kind), d->reason);
}

static json_t *to_json(const rp_device_info *d) {
  if (!d->available)
    return json_pack("{s:s, s:b, s:s}", "kind", rp_device_kind_name(d->kind), "available", 0, "reason", d->reason);
  return json_pack("{s:s, s:i, s:b, s:s, s:s, s:i, s:I, s:I}", "kind", rp_device_kind_name(d->kind), "index",
                   (int)d->index, "available", 1, "name", d->name, "driver", d->driver, "workers",
                   (int)d->limits.workers, "memory_bytes", (json_int_t)d->limits.memory_bytes, "memory_budget_bytes",
                   (json_int_t)d->memory_budget_bytes);
}

static cli_exit run(const cli_call *call) {
  cli_session session = {0};
  rp_error err = {0};
  rp_device_info devices[MAX_DEVICES] = {{.struct_size = sizeof *devices}};
  uint32_t n = 0;
  rp_status status = cli_open_context(&session, &err);
  if (status == RP_OK) status = rp_devices(session.context, devices, MAX_DEVICES, &n, &err);
  cli_close(&session);
  if (status != RP_OK) return cli_fail(call, &err);
  json_t *list = json_array();
  for (uint32_t i = 0; i < n && i < MAX_DEVICES; i++) {
    if (devices[i].kind == RP_DEVICE_NULL) continue;
    if (call->json)
      json_array_append_new(list, to_json(&devices[i]));
    else
      print_text(&devices[i]);
  }
  if (call->json) {
    json_dumpf(list, stdout, JSON_INDENT(2));
    putchar('\n');
  }
  json_decref(list);
  return cli_finish(call);
}

const cli_command cli_devices = {
    .name = "devices",
    .arguments = "",
    .summary = "List the devices of this machine, and why others are missing",
    .takes = CLI_TAKES_JSON,
    .run = run,
};
