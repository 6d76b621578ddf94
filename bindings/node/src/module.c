/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * The module: its functions by name. */
#include "addon.h"

NAPI_MODULE_INIT() {
  static const struct {
    const char *name;
    napi_callback call;
  } functions[] = {{"open", node_open},           {"prove", node_prove},   {"cancel", node_cancel},
                   {"close", node_close},         {"verify", node_verify}, {"calldata", node_calldata},
                   {"verificationKey", node_vkey}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    napi_value function;
    if (!node_ok(env,
                 napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].call, NULL, &function)) ||
        !node_ok(env, napi_set_named_property(env, exports, functions[i].name, function)))
      return NULL;
  }
  napi_set_named_property(env, exports, "version", node_string(env, rp_version()));
  return exports;
}
