/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise info: what a file contains, and what proving with it would take.
 */
#include "gnark.h"
#include "points.h"

#include "files/digest.h"
#include "files/mapping.h"
#include "text/error.h"

#include <jansson.h>
#include <string.h>

typedef struct options {
  bool plan, tables, digest, points, csv;
  uint32_t in_flight;
  cli_gnark_options gnark;
} options;

enum { OPTION_PLAN = 0x100, OPTION_TABLES, OPTION_DIGEST, OPTION_POINTS, OPTION_CSV };
static const struct argp_option own[] = {
    {"digest", OPTION_DIGEST, 0, 0, "The SHA-256 of the file, for --sha256", 1},
    {"plan", OPTION_PLAN, 0, 0, "Keys: the bytes that a prover would take, before anything is allocated", 1},
    {"points", OPTION_POINTS, 0, 0, "Keys of Groth16: memory against predicted time, for all good plans", 1},
    {"csv", OPTION_CSV, 0, 0, "The points alone, as comma-separated values", 1},
    {"tables", OPTION_TABLES, 0, 0, "Plan with the precomputed tables that replay uses", 1},
    {"in-flight", 'n', "N", 0, "Plan for so many proofs at once (default: 1)", 1},
    CLI_GNARK_COMMITMENTS_OPTION,
    {0},
};

static error_t option(int key, const char *arg, cli_call *call, struct argp_state *state) {
  options *o = call->options;
  switch (key) {
  case OPTION_PLAN: o->plan = 1; return 0;
  case OPTION_DIGEST: o->digest = 1; return 0;
  case OPTION_TABLES: o->tables = 1; return 0;
  case OPTION_POINTS: o->plan = o->points = 1; return 0;
  case OPTION_CSV: o->plan = o->points = o->csv = 1; return 0;
  case 'n': o->in_flight = (uint32_t)cli_parse_number(arg, 1, 64, "--in-flight", state); return 0;
  default: return cli_gnark_option(key, arg, &o->gnark);
  }
}

static void put_wtns(const rp_file_info *f, json_t *out) {
  json_object_update_new(out, json_pack("{s:s, s:s, s:I}", "kind", "wtns", "curve", cli_curve_name(f->g1), "values",
                                        (json_int_t)f->n_vars));
}

static void put_r1cs(const rp_file_info *f, json_t *out) {
  json_object_update_new(
      out, json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I}", "kind", "r1cs", "curve", cli_curve_name(f->g1),
                     "wires", (json_int_t)f->n_vars, "public_outputs", (json_int_t)f->n_outputs, "public_inputs",
                     (json_int_t)(f->n_public - f->n_outputs), "private_inputs", (json_int_t)f->n_private,
                     "constraints", (json_int_t)f->n_constraints, "domain", (json_int_t)f->domain));
}

static json_t *plan_as_json(const rp_plan_info *p) {
  json_t *plan = json_object();
  const struct {
    const char *name;
    uint64_t value;
  } rows[] = {{"total_bytes", p->total_bytes},
              {"constant_bytes", p->constant_bytes},
              {"borrowed_bytes", p->borrowed_bytes},
              {"once_bytes", p->once_bytes},
              {"arena_bytes", p->arena_bytes},
              {"staging_bytes", p->staging_bytes},
              {"io_bytes", p->io_bytes},
              {"parameter_bytes", p->parameter_bytes},
              {"host_bytes", p->host_bytes},
              {"slots", p->slots},
              {"memory_level", p->memory_level},
              {"nodes", p->nodes},
              {"dispatches", p->dispatches},
              {"once_dispatches", p->once_dispatches},
              {"edges", p->edges},
              {"levels", p->levels}};
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    json_object_set_new(plan, rows[i].name, json_integer((json_int_t)rows[i].value));
  return plan;
}

static rp_status describe_plan(const cli_call *call, cli_session *session, json_t *out, rp_error *err) {
  const options *o = call->options;
  const rp_groth16_prover_options prover = {.struct_size = sizeof prover,
                                            .max_in_flight = o->in_flight,
                                            .memory_budget_bytes = call->memory_bytes,
                                            .tables = (uint32_t)o->tables};
  rp_plan_info p = {.struct_size = sizeof p};
  rp_status status = cli_open_device(call, session, err);
  if (status == RP_OK) status = cli_plan(session, &prover, &p, err);
  if (status != RP_OK) return status;
  json_object_set_new(out, "plan", plan_as_json(&p));
  if (!o->points) return RP_OK;
  if (cli_protocol_of_session(session) != CLI_GROTH16)
    return support_fail(err, RP_ERR_UNSUPPORTED,
                        "%s: --points is for keys of Groth16; --plan --memory tries one budget.", call->args[0]);
  json_t *points = NULL;
  status = cli_points(session, o->in_flight, o->tables, &points, err);
  if (status == RP_OK) json_object_set_new(out, "points", points);
  return status;
}

static void put_trust(json_t *out, uint32_t points_checked) {
  json_object_set_new(out, "points_checked", json_boolean(points_checked));
  json_object_set_new(out, "trust",
                      json_string("as much as the person who recorded it; compare with the zkey by replay "
                                  "--made-from, or pin its SHA-256"));
}

static rp_status describe_key(const cli_call *call, cli_session *session, json_t *out, rp_error *err) {
  rp_groth16_key_info info = {.struct_size = sizeof info};
  rp_status status = cli_open_key(call, session, call->args[0], err);
  if (status != RP_OK) return status;
  rp_groth16_key_get_info(session->key, &info);
  json_object_update_new(out, json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:{s:I, s:I, s:I, s:I}}", "kind",
                                        info.prerecorded ? "recorded" : "zkey", "curve", cli_curve_name(info.g1),
                                        "variables", (json_int_t)info.n_vars, "public_signals",
                                        (json_int_t)info.n_public, "domain", (json_int_t)info.domain, "coefficients",
                                        (json_int_t)info.n_coefficients, "infinities", "a",
                                        (json_int_t)info.infinities[0], "b1", (json_int_t)info.infinities[1], "b2",
                                        (json_int_t)info.infinities[2], "c", (json_int_t)info.infinities[3]));
  if (info.forgeable) json_object_set_new(out, "warning", json_string(cli_forgeable));
  if (info.gnark) json_object_set_new(out, "gnark_commitments", json_integer(info.n_commitments));
  if (info.prerecorded && info.gnark)
    json_object_set_new(out, "points_checked", json_boolean(info.points_checked));
  else if (info.prerecorded)
    put_trust(out, info.points_checked);
  return ((const options *)call->options)->plan ? describe_plan(call, session, out, err) : RP_OK;
}

static void put_plonk(json_t *out, const char *kind, const char *protocol, uint64_t n_vars, uint64_t n_public,
                      uint64_t domain, uint64_t n_constraints, uint64_t n_additions) {
  json_object_update_new(out, json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I}", "kind", kind, "protocol", protocol,
                                        "curve", "bn128", "variables", (json_int_t)n_vars, "public_signals",
                                        (json_int_t)n_public, "domain", (json_int_t)domain, "constraints",
                                        (json_int_t)n_constraints, "additions", (json_int_t)n_additions));
}

/* A zkey of PLONK or FFLONK. */
static rp_status describe_zkey(const cli_call *call, cli_session *session, const rp_file_info *f, json_t *out,
                               rp_error *err) {
  put_plonk(out, "zkey", f->protocol == RP_PROTOCOL_PLONK ? "plonk" : "fflonk", f->n_vars, f->n_public, f->domain,
            f->n_constraints, f->n_additions);
  if (!((const options *)call->options)->plan) return RP_OK;
  const rp_status status = cli_open_any_key(call, session, call->args[0], err);
  return status == RP_OK ? describe_plan(call, session, out, err) : status;
}

/* A recorded key of PLONK or FFLONK. */
static rp_status describe_recorded(const cli_call *call, cli_session *session, json_t *out, rp_error *err) {
  rp_plonk_key_info info = {.struct_size = sizeof info};
  const rp_status status = cli_open_any_key(call, session, call->args[0], err);
  if (status != RP_OK) return status;
  if (session->plonk_key)
    rp_plonk_key_get_info(session->plonk_key, &info);
  else
    rp_fflonk_key_get_info(session->fflonk_key, &info);
  put_plonk(out, "recorded", cli_protocol_name[cli_protocol_of_session(session)], info.n_vars + info.n_additions,
            info.n_public, info.domain, info.n_constraints, info.n_additions);
  put_trust(out, info.points_checked);
  return ((const options *)call->options)->plan ? describe_plan(call, session, out, err) : RP_OK;
}

static rp_status describe_gnark(const cli_call *call, cli_session *session, const rp_file_info *f, json_t *out,
                                rp_error *err) {
  const options *o = call->options;
  cli_gnark_describe(f, out);
  if (f->kind != RP_FILE_GNARK_KEY || !o->plan) return RP_OK;
  const rp_status status = cli_gnark_open_key(call, session, call->args[0], &o->gnark, err);
  return status == RP_OK ? describe_plan(call, session, out, err) : status;
}

static void print_text(json_t *object, const char *prefix) {
  const char *name;
  json_t *value;
  json_object_foreach(object, name, value) {
    char label[64], text[32] = "";
    snprintf(label, sizeof label, "%s%s", prefix, name);
    if (json_is_array(value)) {
      cli_points_text(value);
    } else if (json_is_object(value)) {
      snprintf(label, sizeof label, "%s.", name);
      print_text(value, label);
    } else if (json_is_boolean(value)) {
      printf("%-24s %s\n", label, json_is_true(value) ? "yes" : "no");
    } else if (json_is_string(value)) {
      printf("%-24s %s\n", label, json_string_value(value));
    } else {
      size_t n = strlen(name);
      if (n > 6 && strcmp(name + n - 6, "_bytes") == 0) cli_bytes_text((uint64_t)json_integer_value(value), text);
      printf("%-24s %lld%s%s%s\n", label, (long long)json_integer_value(value), *text ? "  (" : "", text,
             *text ? ")" : "");
    }
  }
}

static rp_status describe_digest(const support_file *file, json_t *out, rp_error *err) {
  uint8_t digest[SUPPORT_SHA256_BYTES];
  char text[SUPPORT_SHA256_TEXT];
  rp_status status = support_file_sha256(file, digest, err);
  if (status != RP_OK) return status;
  support_sha256_text(digest, text);
  json_object_set_new(out, "sha256", json_string(text));
  return RP_OK;
}

/* What is printed about any file, before its kind is known. */
static rp_status describe_bytes(const cli_call *call, json_t *out, rp_error *err) {
  support_file *file = NULL;
  rp_status status = support_file_open(call->args[0], 0, &file, err);
  if (status == RP_OK) {
    json_object_set_new(out, "bytes", json_integer((json_int_t)support_file_size(file)));
    if (call->pinned) status = support_file_pinned(file, call->sha256, err);
    if (status == RP_OK && ((const options *)call->options)->digest) status = describe_digest(file, out, err);
  }
  support_file_close(file);
  return status;
}

static rp_status refuse_json(const cli_call *call, rp_error *err) {
  return support_fail(err, RP_ERR_FORMAT,
                      "%s: that is JSON, and info describes keys, witnesses and circuits: `reprise verify` takes "
                      "verification keys, public signals and proofs.",
                      call->args[0]);
}

/* A key that is opened shows more than its header. */
static rp_status describe_any(const cli_call *call, cli_session *session, json_t *out, rp_error *err) {
  rp_file_info f = {.struct_size = sizeof f};
  rp_status status = rp_file_identify(call->args[0], &f, err);
  const bool plonkish = f.protocol == RP_PROTOCOL_PLONK || f.protocol == RP_PROTOCOL_FFLONK;
  if (status != RP_OK) return status;
  if (f.kind == RP_FILE_PRERECORDED && plonkish) return describe_recorded(call, session, out, err);
  const bool json = f.kind == RP_FILE_VKEY || f.kind == RP_FILE_PROOF || f.kind == RP_FILE_PUBLIC;
  if (json && !f.gnark) return refuse_json(call, err);
  const bool gnark = f.gnark && f.kind != RP_FILE_PRERECORDED;
  if (f.kind != RP_FILE_WTNS && f.kind != RP_FILE_R1CS && !plonkish && !gnark)
    return describe_key(call, session, out, err);
  status = rp_file_describe(call->args[0], &f, err);
  if (status != RP_OK) return status;
  if (gnark) return describe_gnark(call, session, &f, out, err);
  if (plonkish) return describe_zkey(call, session, &f, out, err);
  (f.kind == RP_FILE_WTNS ? put_wtns : put_r1cs)(&f, out);
  return RP_OK;
}

static cli_exit run(const cli_call *call) {
  const options *o = call->options;
  cli_session session = {0};
  rp_error err = {0};
  const cli_exit refused = cli_gnark_check_options(call, call->args[0], &o->gnark, 0);
  if (refused != CLI_OK) return refused;
  json_t *out = json_object();
  rp_status status = describe_bytes(call, out, &err);
  if (status == RP_OK) status = describe_any(call, &session, out, &err);
  cli_close(&session);
  const json_t *points = json_object_get(out, "points");
  if (status == RP_OK && points && o->csv) {
    cli_points_csv(points);
  } else if (status == RP_OK && call->json) {
    json_dumpf(out, stdout, JSON_INDENT(2));
    putchar('\n');
  } else if (status == RP_OK) {
    print_text(out, "");
  }
  json_decref(out);
  return status == RP_OK ? cli_finish(call) : cli_fail(call, &err);
}

const cli_command cli_info = {
    .name = "info",
    .arguments = "FILE",
    .summary = "Say what a zkey, wtns, r1cs, recorded or gnark file holds",
    .min_args = 1,
    .max_args = 1,
    .takes = CLI_TAKES_KEY | CLI_TAKES_DEVICE | CLI_TAKES_JSON,
    .own = own,
    .options_bytes = sizeof(options),
    .option = option,
    .run = run,
};
