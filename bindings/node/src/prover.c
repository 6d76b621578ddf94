/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Opening and closing of provers, which happens in threads of libuv. */
#include "prover.h"

#include <stdlib.h>
#include <string.h>

static const napi_type_tag tag = {0x8f1c7d0a52e94b36u, 0xa4d27c6618f305ebu};

/* ---- Memory for witnesses ---------------------------------------------------------------------------------------- */

/* Mapping and locking memory takes longer than everything else that a proof adds to the library's work. Therefore spare
 * blocks are kept. */
node_secret node_secret_take(node_prover *p, size_t bytes) {
  while (p->n_spare) {
    const node_secret spare = p->spare[--p->n_spare];
    if (spare.bytes >= bytes) return spare;
    rp_secret_free(spare.memory, spare.bytes); /* all witnesses of a circuit have one size, so that this is rare */
  }
  return (node_secret){rp_secret_alloc(bytes), bytes};
}

void node_secret_give_back(node_prover *p, node_secret secret) {
  if (!secret.memory) return;
  rp_wipe(secret.memory, secret.bytes);
  if (p->prover && p->n_spare < NODE_MOST_IN_FLIGHT)
    p->spare[p->n_spare++] = secret;
  else
    rp_secret_free(secret.memory, secret.bytes);
}

/* ---- Life of a prover -------------------------------------------------------------------------------------------- */

static void free_prover(node_prover *p) {
  if (p->prover) p->protocol->destroy(p->prover);
  p->prover = NULL;
  rp_device_release(p->device);
  p->device = NULL;
  free(p->data);
  p->data = NULL;
  while (p->n_spare) {
    const node_secret spare = p->spare[--p->n_spare];
    rp_secret_free(spare.memory, spare.bytes);
  }
}

/* The environment ends, by process.exit or as a worker. This runs before the hook of `finished`, so that threads can
 * still report while the prover stops them. */
static void at_end(void *user) { free_prover(user); }

static void stop_listening(node_prover *p) {
  napi_remove_env_cleanup_hook(p->env, at_end, p);
  if (p->finished) napi_release_threadsafe_function(p->finished, napi_tsfn_release);
  p->finished = NULL;
}

/* JavaScript has forgotten it. Tasks keep their prover, so that none is pending. */
static void collected(napi_env env, void *data, void *hint) {
  (void)env, (void)hint;
  node_prover *p = data;
  if (p->prover && !p->pending) {
    free_prover(p);
    stop_listening(p);
  }
  if (!p->pending) free(p);
}

static napi_value external_of(napi_env env, node_prover *p) {
  napi_value external;
  p->env = env;
  if (node_prover_listen(env, p) != napi_ok) return NULL;
  if (napi_add_env_cleanup_hook(env, at_end, p) != napi_ok) return NULL;
  if (napi_create_external(env, p, collected, NULL, &external) != napi_ok) return NULL;
  return napi_type_tag_object(env, external, &tag) == napi_ok ? external : NULL;
}

node_prover *node_prover_of(napi_env env, napi_value external) {
  void *data = NULL;
  bool is_ours = false;
  if (napi_check_object_type_tag(env, external, &tag, &is_ours) == napi_ok && is_ours)
    napi_get_value_external(env, external, &data);
  node_prover *p = data;
  if (p && p->prover) return p;
  node_wrong(env, p ? "the prover is closed" : "no prover");
  return NULL;
}

/* ---- open(protocol, source, {kind, index, inFlight, tables}, callback) ------------------------------------------- */

typedef struct opening {
  napi_async_work work;
  napi_ref callback;
  const node_protocol *protocol;
  char *path; /* or NULL: data */
  void *data;
  size_t bytes;
  rp_device_kind kind;
  uint32_t index, in_flight;
  int tables;
  rp_status status;
  rp_error error;
  node_prover *made;
} opening;

static void opening_free(napi_env env, opening *o) {
  if (!o) return;
  if (o->made) free_prover(o->made);
  free(o->made);
  if (o->work) napi_delete_async_work(env, o->work);
  if (o->callback) napi_delete_reference(env, o->callback);
  free(o->path);
  free(o->data);
  free(o);
}

static void open_execute(napi_env env, void *user) {
  (void)env;
  opening *o = user;
  node_prover *p = o->made;
  rp_context *context;
  p->protocol = o->protocol;
  o->status = node_context(&context, &o->error);
  if (o->status == RP_OK) o->status = node_device(o->kind, o->index, &p->device, &o->error);
  if (o->status != RP_OK) return;
  o->status = o->protocol->open(context, p->device, o->path, o->data, o->bytes, o->in_flight, o->tables, &p->prover,
                                &p->n_public, &o->error);
  /* A zkey is not read again; a prerecorded key is used in place. */
  if (o->status == RP_OK && o->data && (o->bytes < 4 || memcmp(o->data, "zkey", 4) != 0)) {
    p->data = o->data;
    o->data = NULL;
  }
}

static void open_complete(napi_env env, napi_status status, void *user) {
  opening *o = user;
  napi_value external = NULL, error = NULL;
  if (status == napi_ok && o->status == RP_OK) {
    external = external_of(env, o->made);
    if (external)
      o->made = NULL;
    else
      node_fail(&o->error, RP_ERR_MEMORY, "Node-API could not make the prover");
  }
  if (!external) error = node_error(env, &o->error);
  node_call_back(env, o->callback, error, external);
  opening_free(env, o);
}

/* A copy of the source: JavaScript may change or transfer its memory while the key is read. */
static bool take_source(napi_env env, napi_value source, char **path, void **data, size_t *bytes) {
  const void *given;
  *path = node_text(env, source, NULL);
  if (*path) return true;
  if (!node_bytes(env, source, &given, bytes)) return node_wrong(env, "a key is a path or a Uint8Array"), false;
  *data = malloc(*bytes + 1); /* aligned for any type, as prerecorded keys must be */
  if (!*data) return node_ok(env, napi_generic_failure);
  if (*bytes) memcpy(*data, given, *bytes);
  return true;
}

static rp_device_kind kind_named(const char *name) {
  int kind = 0;
  while (name && kind < RP_DEVICE_KIND_COUNT && strcmp(name, rp_device_kind_name((rp_device_kind)kind)) != 0) kind++;
  return (rp_device_kind)kind;
}

static bool open_arguments(napi_env env, napi_value *arguments, opening *o) {
  char *name = node_text(env, arguments[0], NULL), *kind = node_member(env, arguments[2], "kind");
  o->protocol = node_protocol_named(name);
  o->kind = kind_named(kind);
  free(name);
  free(kind);
  if (!o->protocol) return node_wrong(env, "there is no such protocol; choose groth16, plonk or fflonk"), false;
  if (o->kind == RP_DEVICE_KIND_COUNT)
    return node_wrong(env, "there is no such device; choose auto, cpu, cuda or vulkan"), false;
  o->index = node_number(env, arguments[2], "index");
  o->in_flight = node_number(env, arguments[2], "inFlight");
  o->tables = node_number(env, arguments[2], "tables") != 0;
  return take_source(env, arguments[1], &o->path, &o->data, &o->bytes) &&
         node_ok(env, napi_create_reference(env, arguments[3], 1, &o->callback));
}

napi_value node_open(napi_env env, napi_callback_info info) {
  napi_value arguments[4];
  size_t n = 4;
  opening *o = calloc(1, sizeof *o);
  if (o) o->made = calloc(1, sizeof *o->made);
  if (!o || !o->made || !node_ok(env, napi_get_cb_info(env, info, &n, arguments, NULL, NULL)) ||
      !open_arguments(env, arguments, o) ||
      !node_ok(env, napi_create_async_work(env, NULL, node_string(env, "reprise:open"), open_execute, open_complete, o,
                                           &o->work)) ||
      !node_ok(env, napi_queue_async_work(env, o->work)))
    opening_free(env, o);
  return NULL;
}

/* ---- close(prover, callback) ------------------------------------------------------------------------------------- */

typedef struct closing {
  napi_async_work work;
  napi_ref callback;
  node_prover old; /* what is to be freed; the prover itself counts as closed at once */
} closing;

static void close_execute(napi_env env, void *user) {
  (void)env;
  free_prover(&((closing *)user)->old);
}

static void close_complete(napi_env env, napi_status status, void *user) {
  closing *c = user;
  if (status != napi_ok) free_prover(&c->old);
  node_call_back(env, c->callback, NULL, NULL);
  napi_delete_async_work(env, c->work);
  napi_delete_reference(env, c->callback);
  free(c);
}

napi_value node_close(napi_env env, napi_callback_info info) {
  napi_value arguments[2];
  size_t n = 2;
  if (!node_ok(env, napi_get_cb_info(env, info, &n, arguments, NULL, NULL))) return NULL;
  node_prover *p = node_prover_of(env, arguments[0]);
  if (!p) return NULL;
  if (p->pending) return node_wrong(env, "proofs are pending");
  closing *c = calloc(1, sizeof *c);
  if (!c || !node_ok(env, napi_create_reference(env, arguments[1], 1, &c->callback)) ||
      !node_ok(env, napi_create_async_work(env, NULL, node_string(env, "reprise:close"), close_execute, close_complete,
                                           c, &c->work))) {
    if (c && c->callback) napi_delete_reference(env, c->callback);
    free(c);
    return NULL;
  }
  stop_listening(p);
  c->old = *p;
  p->prover = p->data = NULL;
  p->device = NULL;
  p->n_spare = 0;
  node_ok(env, napi_queue_async_work(env, c->work));
  return NULL;
}
