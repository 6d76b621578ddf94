/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The jobs that are no proofs: verifying one, and reading a key. Their bodies are JSON that is not trusted, read in
 * place.
 */
#include "service.h"

#include "answer.h"
#include "status.h"
#include "text.h"

#include "text/json_text.h"

#include <stdlib.h>
#include <string.h>

/* A member of the JSON in the body; n 0: there is none. */
typedef struct part {
  const char *text;
  size_t n;
} part;

/* The end of an object or a list in a text that is valid JSON. */
static const char *end_of(support_json value) {
  unsigned depth = 0;
  bool in_string = 0;
  for (const char *p = value.at; p < value.end; p++) {
    if (in_string) {
      if (*p == '\\')
        p++; /* and what is escaped */
      else if (*p == '"')
        in_string = 0;
    } else if (*p == '"') {
      in_string = 1;
    } else if (*p == '{' || *p == '[') {
      depth++;
    } else if ((*p == '}' || *p == ']') && --depth == 0) {
      return p + 1;
    }
  }
  return value.end;
}

static rp_status refuse(rp_error *err, const char *format, const char *what) {
  snprintf(err->reason, sizeof err->reason, format, what);
  return err->status = RP_ERR_FORMAT;
}

static rp_status member(support_json root, const char *name, char kind, part *out, rp_error *err) {
  support_json value;
  *out = (part){0};
  const size_t n = support_json_member(root, name, &value);
  if (n == 0) return RP_OK;
  if (n > 1 || support_json_kind(value) != kind)
    return refuse(err, "\"%s\" must be there once, of the right kind", name);
  if (kind == '"')
    out->text = support_json_characters(value, &out->n);
  else
    *out = (part){value.at, (size_t)(end_of(value) - value.at)};
  return RP_OK;
}

static rp_status open_body(const serve_body *body, support_json *root, rp_error *err) {
  const char *text = body->data ? (const char *)body->data : "";
  const rp_status status = support_json_open_text("the body", text, body->bytes, CLI_JSON_LIMIT_BYTES, root, err);
  if (status != RP_OK) return status;
  return support_json_kind(*root) == '{' ? RP_OK : refuse(err, "%s is no JSON object", "the body");
}

/* ---- Verifying --------------------------------------------------------------------------------------------------- */

/* The verifier of the job's key, made when it is first needed. It stays as long as the key. */
static rp_status verifier_of(serve *service, serve_key *key, const cli_verifier **verifier, rp_error *err) {
  rp_context *context = cli_residents_device(service->residents)->context;
  cli_verifier made = {0};
  pthread_mutex_lock(&service->lock);
  const bool is_there = key->has_verifier;
  pthread_mutex_unlock(&service->lock);
  *verifier = &key->verifier;
  if (is_there) return RP_OK;
  rp_status status = serve_key_unchanged(key, err);
  if (status == RP_OK) status = cli_verifier_of_key(context, key->path, &made, err);
  if (status != RP_OK) return status;
  pthread_mutex_lock(&service->lock);
  if (!key->has_verifier) {
    key->verifier = made;
    made = (cli_verifier){0};
    key->has_verifier = 1;
  }
  pthread_mutex_unlock(&service->lock);
  cli_verifier_close(&made); /* another worker was faster */
  return RP_OK;
}

static rp_status verify(serve *service, serve_job *job, rp_error *err) {
  support_json root;
  part proof = {0}, signals = {0}, vkey = {0};
  cli_verifier given = {0};
  const cli_verifier *verifier = &given;
  rp_status status = open_body(&job->body, &root, err);
  if (status == RP_OK) status = member(root, "proof", '{', &proof, err);
  if (status == RP_OK) status = member(root, "public", '[', &signals, err);
  if (status == RP_OK) status = member(root, "vkey", '{', &vkey, err);
  if (status == RP_OK && (!proof.n || !signals.n))
    status = refuse(err, "the body must have \"proof\" and \"public\"%s", "");
  if (status == RP_OK && !vkey.n && !job->key)
    status = refuse(err, "no key is named, and the body has no %s", "\"vkey\"");
  if (status != RP_OK) return status;
  if (vkey.n)
    status = cli_verifier_of_json(cli_residents_device(service->residents)->context, vkey.text, vkey.n, &given, err);
  else
    status = verifier_of(service, job->key, &verifier, err);
  if (status == RP_OK) {
    status = cli_verifier_check(verifier, proof.text, proof.n, signals.text, signals.n, err);
    if (status == RP_ERR_INPUT || status == RP_ERR_MISMATCH) status = RP_ERR_VERIFY; /* of the proof */
  }
  cli_verifier_close(&given);
  return status;
}

void serve_work_verify(serve *service, serve_job *job) {
  rp_error err = {0};
  support_text text = {0};
  const rp_status status = verify(service, job, &err);
  if (status != RP_OK && status != RP_ERR_VERIFY) {
    err.status = status;
    serve_job_failed(job, &err);
    return;
  }
  serve_put(&text, "{\"valid\": %s", status == RP_OK ? "true" : "false");
  if (status != RP_OK) {
    support_put(&text, ", \"reason\": ");
    serve_put_string(&text, err.reason[0] ? err.reason : rp_status_text(status));
  }
  support_put(&text, "}\n");
  serve_job_answered(job, 200, serve_text_end(&text));
}

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

static rp_status copy_name(char to[SERVE_NAME], const part *from, const char *what, rp_error *err) {
  if (from->n >= SERVE_NAME) return refuse(err, "\"%s\" is too long", what);
  memcpy(to, from->text, from->n);
  to[from->n] = '\0';
  return RP_OK;
}

static int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

static rp_status read_pin(const part *text, uint8_t sha256[32], rp_error *err) {
  bool is_good = text->n == 64;
  for (size_t i = 0; i < 32 && is_good; i++) {
    const int high = digit(text->text[2 * i]), low = digit(text->text[2 * i + 1]);
    is_good = high >= 0 && low >= 0;
    if (is_good) sha256[i] = (uint8_t)(high << 4 | low);
  }
  return is_good ? RP_OK : refuse(err, "\"%s\" must be 64 hexadecimal digits in lower case", "sha256");
}

static rp_status read_key(serve *service, serve_job *job, serve_key **key, rp_error *err) {
  support_json root;
  part name = {0}, file = {0}, pin = {0};
  char file_name[SERVE_NAME] = "";
  uint8_t sha256[32];
  rp_status status = RP_OK;
  if (job->body.bytes || !job->is_put) {
    status = open_body(&job->body, &root, err);
    if (status == RP_OK) status = member(root, "name", '"', &name, err);
    if (status == RP_OK) status = member(root, "file", '"', &file, err);
    if (status == RP_OK) status = member(root, "sha256", '"', &pin, err);
  }
  if (status == RP_OK && name.n && !job->is_put) status = copy_name(job->name, &name, "name", err);
  if (status == RP_OK && !job->name[0]) status = refuse(err, "the body must have a \"%s\"", "name");
  if (status == RP_OK && file.n) status = copy_name(file_name, &file, "file", err);
  if (status == RP_OK && !file.n && snprintf(file_name, sizeof file_name, "%s.zkey", job->name) >= SERVE_NAME)
    status = refuse(err, "\"%s\" is too long", "name");
  if (status == RP_OK && pin.n) status = read_pin(&pin, sha256, err);
  return status == RP_OK ? serve_key_read(&service->keys, job->name, file_name, pin.n ? sha256 : NULL, key, err)
                         : status;
}

void serve_work_register(serve *service, serve_job *job) {
  rp_error err = {0};
  serve_key *key = NULL;
  support_text text = {0};
  const rp_status status = read_key(service, job, &key, &err);
  if (status != RP_OK) {
    err.status = status;
    serve_job_failed(job, &err);
    return;
  }
  pthread_mutex_lock(&service->lock);
  const bool was_there = serve_keys_put(&service->keys, key);
  serve_put_key(&text, service, key);
  pthread_mutex_unlock(&service->lock);
  support_put(&text, "\n");
  serve_job_answered(job, was_there ? 200 : 201, serve_text_end(&text));
}
