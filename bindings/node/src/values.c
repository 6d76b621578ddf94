/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Values of JavaScript from and to C. */
#include "addon.h"

#include <stdlib.h>
#include <string.h>

char *node_text(napi_env env, napi_value value, size_t *bytes) {
  size_t n = 0;
  if (napi_get_value_string_utf8(env, value, NULL, 0, &n) != napi_ok) return NULL;
  char *text = malloc(n + 1);
  if (!text) return NULL;
  if (napi_get_value_string_utf8(env, value, text, n + 1, &n) != napi_ok) {
    free(text);
    return NULL;
  }
  if (bytes) *bytes = n;
  return text;
}

bool node_bytes(napi_env env, napi_value value, const void **data, size_t *bytes) {
  bool is_array = false;
  napi_typedarray_type type;
  void *start = NULL;
  if (napi_is_typedarray(env, value, &is_array) != napi_ok || !is_array) return false;
  if (napi_get_typedarray_info(env, value, &type, bytes, &start, NULL, NULL) != napi_ok) return false;
  *data = start;
  return type == napi_uint8_array;
}

static bool member(napi_env env, napi_value object, const char *name, napi_value *value) {
  bool has = false;
  return napi_has_named_property(env, object, name, &has) == napi_ok && has &&
         napi_get_named_property(env, object, name, value) == napi_ok;
}

uint32_t node_number(napi_env env, napi_value object, const char *name) {
  napi_value value;
  uint32_t number = 0;
  if (!member(env, object, name, &value) || napi_get_value_uint32(env, value, &number) != napi_ok) return 0;
  return number;
}

char *node_member(napi_env env, napi_value object, const char *name) {
  napi_value value;
  return member(env, object, name, &value) ? node_text(env, value, NULL) : NULL;
}

napi_value node_string(napi_env env, const char *text) {
  napi_value value = NULL;
  napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &value);
  return value;
}

napi_value node_error(napi_env env, const rp_error *error) {
  napi_value object = NULL, status = NULL;
  napi_create_object(env, &object);
  napi_create_int32(env, (int32_t)error->status, &status);
  napi_set_named_property(env, object, "status", status);
  napi_set_named_property(env, object, "code", node_string(env, rp_status_name(error->status)));
  const char *reason = error->reason[0] ? error->reason : rp_status_text(error->status);
  napi_set_named_property(env, object, "reason", node_string(env, reason));
  return object;
}

bool node_ok(napi_env env, napi_status status) {
  if (status == napi_ok) return true;
  const napi_extended_error_info *info = NULL;
  bool pending = false;
  napi_get_last_error_info(env, &info);
  const char *message = info && info->error_message ? info->error_message : "a call of Node-API failed";
  if (napi_is_exception_pending(env, &pending) == napi_ok && !pending) napi_throw_error(env, NULL, message);
  return false;
}

napi_value node_wrong(napi_env env, const char *reason) {
  napi_throw_type_error(env, "ERR_INVALID_ARG_TYPE", reason);
  return NULL;
}

void node_call_back(napi_env env, napi_ref callback, napi_value error, napi_value result) {
  napi_value function, receiver, null, arguments[2];
  if (napi_get_reference_value(env, callback, &function) != napi_ok) return;
  if (napi_get_undefined(env, &receiver) != napi_ok || napi_get_null(env, &null) != napi_ok) return;
  arguments[0] = error ? error : null;
  arguments[1] = result ? result : null;
  napi_call_function(env, receiver, function, 2, arguments, NULL); /* the callbacks of lib/ do not throw */
}
