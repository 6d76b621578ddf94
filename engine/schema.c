/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The schemas of operations: checking nodes against them, encoding and decoding parameters.
 */
#include "schema.h"

#include <stdio.h>

enum { NAME_BYTES_MAX = 255, NAME_SHOWN_MAX = 64 };

/* NULL if the operation has none. */
static const rp_schema *schema_of(const rp_op *op) { return op && RP_HAS(op, schema) ? op->schema : NULL; }

static uint32_t version_of(const rp_schema *s) { return s->version ? s->version : 1; }
static uint32_t oldest_of(const rp_schema *s) { return s->oldest ? s->oldest : 1; }
static uint32_t since_of(const rp_param *p) { return p->since ? p->since : 1; }

uint32_t rp_op_version(const rp_op *op) {
  const rp_schema *s = schema_of(op);
  return s ? version_of(s) : 0;
}

/* ---- Single fields ----------------------------------------------------------------------------------------------- */

/* The number in a member, extended to 64 bits, with its sign if it has one. */
static uint64_t get(const rp_param *p, const void *params) {
  const unsigned char *at = (const unsigned char *)params + p->offset;
  const bool sign = p->kind == RP_PARAM_INT;
  union {
    uint8_t b;
    uint16_t h;
    uint32_t w;
    uint64_t d;
  } x = {.d = 0};
  memcpy(&x, at, p->bytes);
  switch (p->bytes) {
  case 1: return sign ? (uint64_t)(int64_t)(int8_t)x.b : x.b;
  case 2: return sign ? (uint64_t)(int64_t)(int16_t)x.h : x.h;
  case 4: return sign ? (uint64_t)(int64_t)(int32_t)x.w : x.w;
  default: return x.d;
  }
}

static void set(const rp_param *p, void *params, uint64_t number) {
  const union {
    uint8_t b;
    uint16_t h;
    uint32_t w;
    uint64_t d;
  } x1 = {.b = (uint8_t)number}, x2 = {.h = (uint16_t)number}, x4 = {.w = (uint32_t)number}, x8 = {.d = number};
  memcpy((unsigned char *)params + p->offset,
         p->bytes == 1   ? &x1
         : p->bytes == 2 ? &x2
         : p->bytes == 4 ? &x4
                         : &x8,
         p->bytes);
}

static bool width_is_good(const rp_param *p) {
  const bool integer = p->bytes == 1 || p->bytes == 2 || p->bytes == 4 || p->bytes == 8;
  switch (p->kind) {
  case RP_PARAM_UINT:
  case RP_PARAM_INT: return integer;
  case RP_PARAM_FLOAT: return p->bytes == 4 || p->bytes == 8;
  case RP_PARAM_BYTES: return p->bytes != 0;
  case RP_PARAM_ID: return p->bytes == 4 && p->id_name;
  }
  return 0;
}

static rp_status check_schema(const rp_op *op, const rp_schema *s, rp_error *err) {
  if (!RP_HAS(s, check) || (s->n_params && !s->params) || oldest_of(s) > version_of(s))
    return rp_fail(err, RP_ERR_ARGUMENT, "its schema needs struct_size, a list of parameters, and oldest <= version");
  for (uint32_t i = 0; i < s->n_params; i++) {
    const rp_param *p = &s->params[i];
    if (!p->name || !width_is_good(p) || p->offset > op->params_bytes || p->bytes > op->params_bytes - p->offset ||
        since_of(p) > version_of(s))
      return rp_fail(err, RP_ERR_ARGUMENT, "its schema: parameter %u '%s' is not a member of the struct of %u bytes", i,
                     p->name ? p->name : "", op->params_bytes);
  }
  return RP_OK;
}

static rp_status check_param(const rp_param *p, const void *params, rp_error *err) {
  if (p->kind == RP_PARAM_BYTES || p->kind == RP_PARAM_FLOAT) return RP_OK;
  const uint64_t x = get(p, params);
  if (p->kind == RP_PARAM_INT) {
    if ((int64_t)x >= (int64_t)p->least && (int64_t)x <= (int64_t)p->most) return RP_OK;
    return rp_fail(err, RP_ERR_ARGUMENT, "its parameter %s is %lld, not %lld to %lld", p->name, (long long)x,
                   (long long)p->least, (long long)p->most);
  }
  if (x >= p->least && x <= p->most) return RP_OK;
  return rp_fail(err, RP_ERR_ARGUMENT, "its parameter %s is %llu, not %llu to %llu", p->name, (unsigned long long)x,
                 (unsigned long long)p->least, (unsigned long long)p->most);
}

static rp_status check_count(uint32_t n, uint32_t least, uint32_t most, const char *what, rp_error *err) {
  if (most < least) most = least;
  if (n >= least && n <= most) return RP_OK;
  return rp_fail(err, RP_ERR_ARGUMENT, "it has %u %s, not %u to %u", n, what, least, most);
}

/* A value for which the operation has no operand: says which numbers are fixed and cannot be values. */
static rp_status check_operands(const rp_schema *s, const rp_draft *draft) {
  const uint32_t most = s->most_in < s->least_in ? s->least_in : s->most_in;
  char names[256] = "";
  size_t at = 0;
  if (draft->n_in <= most || !s->n_params) return check_count(draft->n_in, s->least_in, most, "operands", draft->err);
  for (uint32_t i = 0; i < s->n_params && at + strlen(s->params[i].name) + 3 < sizeof names; i++)
    at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i ? ", " : "", s->params[i].name);
  return rp_fail(draft->err, RP_ERR_ARGUMENT,
                 "it has %u operands, not %u to %u; what is fixed when the graph is made cannot be a value: %s",
                 draft->n_in, s->least_in, most, names);
}

rp_status rp_draft_check(const rp_op *op, const rp_draft *draft) {
  const rp_schema *s = schema_of(op);
  if (!s) return RP_OK;
  rp_status status = check_schema(op, s, draft->err);
  if (!status) status = check_operands(s, draft);
  if (!status) status = check_count(draft->n_out, s->least_out ? s->least_out : 1, s->most_out, "results", draft->err);
  for (uint32_t i = 0; !status && i < s->n_params; i++) status = check_param(&s->params[i], draft->params, draft->err);
  return status || !s->check ? status : s->check(draft);
}

/* ---- Encoding ---------------------------------------------------------------------------------------------------- */

typedef struct writer {
  uint8_t *bytes;
  size_t capacity, size; /* size: of all that was written, also beyond the capacity */
} writer;

static void put(writer *w, const void *data, size_t n) {
  if (n && n <= w->capacity && w->size <= w->capacity - n) memcpy(w->bytes + w->size, data, n);
  w->size += n;
}

static void put_number(writer *w, uint64_t x, uint32_t bytes) {
  uint8_t little[8];
  for (uint32_t i = 0; i < bytes; i++) little[i] = (uint8_t)(x >> 8 * i);
  put(w, little, bytes);
}

static rp_status put_param(writer *w, const rp_op *op, const rp_param *p, const void *params, rp_error *err) {
  if (p->kind == RP_PARAM_BYTES) {
    put(w, (const uint8_t *)params + p->offset, p->bytes);
    return RP_OK;
  }
  const uint64_t x = get(p, params); /* of a float, its bits */
  put_number(w, x, p->bytes);
  if (p->kind != RP_PARAM_ID) return RP_OK;
  const char *name = p->id_name((uint32_t)x);
  const size_t length = name ? strlen(name) : 0;
  if (!length || length > NAME_BYTES_MAX)
    return rp_fail(err, RP_ERR_UNSUPPORTED, "operation '%s': parameter %s: number %llu has no name", op->name, p->name,
                   (unsigned long long)x);
  put_number(w, length, 1);
  put(w, name, length);
  return RP_OK;
}

/* The first byte of the parameters that is not zero and in no field; params_bytes if there is none. */
static uint32_t first_unlisted(const rp_op *op, const rp_schema *s, const uint8_t *params) {
  for (uint32_t at = 0; at < op->params_bytes; at++) {
    bool listed = !params[at];
    for (uint32_t i = 0; !listed && i < s->n_params; i++)
      listed = at >= s->params[i].offset && at - s->params[i].offset < s->params[i].bytes;
    if (!listed) return at;
  }
  return op->params_bytes;
}

rp_status rp_params_encode(const rp_op *op, const void *params, uint8_t *bytes, size_t capacity, size_t *size_bytes,
                           rp_error *err) {
  if (size_bytes) *size_bytes = 0;
  if (!op || !size_bytes || (!params && op->params_bytes) || (!bytes && capacity))
    return rp_fail_null(err, "rp_params_encode");
  const rp_schema *s = schema_of(op);
  writer w = {bytes, capacity, 0};
  if (!s)
    return rp_fail(err, RP_ERR_UNSUPPORTED,
                   "operation '%s' declares no parameters (rp_op.schema), so that its nodes "
                   "cannot be saved",
                   op->name);
  rp_status status = check_schema(op, s, err);
  if (status) return status;
  const uint32_t unlisted = op->params_bytes ? first_unlisted(op, s, params) : 0;
  if (unlisted < op->params_bytes)
    return rp_fail(err, RP_ERR_UNSUPPORTED,
                   "operation '%s': byte %u of its parameters is not zero, and no part of what its schema lists",
                   op->name, unlisted);
  const uint32_t n_params = params ? s->n_params : 0; /* check_schema: without parameters, none are listed */
  for (uint32_t i = 0; !status && i < n_params; i++) status = put_param(&w, op, &s->params[i], params, err);
  if (status) return status;
  *size_bytes = w.size;
  if (w.size > capacity)
    return rp_fail(err, RP_ERR_BUFFER_TOO_SMALL, "the parameters of '%s' take %zu bytes, there is room for %zu",
                   op->name, w.size, capacity);
  return RP_OK;
}

/* ---- Decoding ---------------------------------------------------------------------------------------------------- */

typedef struct reader {
  const uint8_t *bytes;
  size_t left;
} reader;

static const uint8_t *take(reader *r, size_t n) {
  if (n > r->left) return NULL;
  const uint8_t *at = r->bytes;
  r->bytes += n;
  r->left -= n;
  return at;
}

/* Whether bytes of a file may be part of a message as they are. */
static bool is_plain(const uint8_t *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (text[i] < ' ' || text[i] > '~') return 0;
  return length && length <= NAME_SHOWN_MAX;
}

static rp_status take_name(reader *r, const rp_op *op, const rp_param *p, uint32_t id, rp_error *err) {
  const uint8_t *length = take(r, 1);
  const uint8_t *name = length ? take(r, *length) : NULL;
  if (!name) return rp_fail(err, RP_ERR_FORMAT, "operation '%s': its parameters are cut short", op->name);
  const char *own = id >= p->least && id <= p->most ? p->id_name(id) : NULL;
  if (own && strlen(own) == *length && memcmp(own, name, *length) == 0) return RP_OK;
  char shown[NAME_SHOWN_MAX + 1] = "(not shown)";
  if (is_plain(name, *length)) snprintf(shown, sizeof shown, "%.*s", (int)*length, (const char *)name);
  return rp_fail(err, RP_ERR_FORMAT, "operation '%s': parameter %s is %u with the name '%s', which is '%s' here",
                 op->name, p->name, id, shown, own ? own : "(none)");
}

static rp_status take_param(reader *r, const rp_op *op, const rp_param *p, void *params, rp_error *err) {
  const uint8_t *at = take(r, p->bytes);
  uint64_t x = 0;
  if (!at) return rp_fail(err, RP_ERR_FORMAT, "operation '%s': its parameters are cut short", op->name);
  if (p->kind == RP_PARAM_BYTES) {
    memcpy((uint8_t *)params + p->offset, at, p->bytes);
    return RP_OK;
  }
  for (uint32_t i = p->bytes; i-- > 0;) x = x << 8 | at[i];
  set(p, params, x);
  return p->kind == RP_PARAM_ID ? take_name(r, op, p, (uint32_t)x, err) : RP_OK;
}

rp_status rp_params_decode(const rp_op *op, uint32_t version, const uint8_t *bytes, size_t size_bytes, void *params,
                           rp_error *err) {
  if (!op || (!params && op->params_bytes) || (!bytes && size_bytes)) return rp_fail_null(err, "rp_params_decode");
  const rp_schema *s = schema_of(op);
  reader r = {bytes, size_bytes};
  if (!s) return rp_fail(err, RP_ERR_UNSUPPORTED, "operation '%s' declares no parameters (rp_op.schema)", op->name);
  rp_status status = check_schema(op, s, err);
  if (status) return status;
  if (version > version_of(s) || version < oldest_of(s))
    return rp_fail(err, RP_ERR_UNSUPPORTED, "operation '%s' has version %u, and versions %u to %u are known here: %s",
                   op->name, version, oldest_of(s), version_of(s),
                   version > version_of(s) ? "a newer library is needed" : "build and save the graph again");
  if (op->params_bytes) memset(params, 0, op->params_bytes);
  for (uint32_t i = 0; !status && i < s->n_params; i++) {
    const rp_param *p = &s->params[i];
    if (since_of(p) <= version)
      status = take_param(&r, op, p, params, err);
    else if (p->kind != RP_PARAM_BYTES && p->kind != RP_PARAM_FLOAT)
      set(p, params, p->absent);
  }
  if (!status && r.left)
    status = rp_fail(err, RP_ERR_FORMAT, "operation '%s': %zu bytes follow its parameters", op->name, r.left);
  return status;
}
