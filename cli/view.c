/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise view: a graph and its runs as one HTML page, or as the document that such a page shows.
 */
#include "cli.h"

#include "text/error.h"
#include "files/output.h"

#include <reprise/page.h>
#include <reprise/save.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_IN_FLIGHT = 16 };
typedef struct options {
  const char *output, *label;
  uint32_t runs, in_flight;
  bool tables, no_ceilings;
} options;

enum { CLI_VIEW_ARGS = 8 };
enum { OPTION_LABEL = 0x100, OPTION_TABLES, OPTION_IN_FLIGHT, OPTION_NO_CEILINGS };
static const struct argp_option own[] = {
    {"output", 'o', "FILE", 0,
     "Where to write: a page, or if FILE ends in .json the document (default: standard output)", 1},
    {"runs", 'n', "N", 0, "Proofs before the one that is shown, at least one (default: 3)", 1},
    {"label", OPTION_LABEL, "TEXT", 0, "What tells this run from others, such as a commit or a budget", 1},
    {"tables", OPTION_TABLES, 0, 0, "With the precomputed tables that replay uses", 1},
    {"in-flight", OPTION_IN_FLIGHT, "N", 0, "Show N proofs that are in flight at once, 1 to 16 (default: 1)", 1},
    {"no-ceilings", OPTION_NO_CEILINGS, 0, 0,
     "Do not measure what the device can do at best, beside which the page shows each dispatch", 1},
    {0},
};

static error_t option(int key, const char *arg, cli_call *call, struct argp_state *state) {
  options *o = call->options;
  switch (key) {
  case 'o': o->output = arg; return 0;
  case 'n': o->runs = (uint32_t)cli_parse_number(arg, 1, 1000, "--runs", state); return 0;
  case OPTION_LABEL: o->label = arg; return 0;
  case OPTION_TABLES: o->tables = 1; return 0;
  case OPTION_IN_FLIGHT:
    o->in_flight = (uint32_t)cli_parse_number(arg, 1, MOST_IN_FLIGHT, "--in-flight", state);
    return 0;
  case OPTION_NO_CEILINGS: o->no_ceilings = 1; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* ---- Where documents go ------------------------------------------------------------------------------------------ */

typedef struct sink {
  rp_page *page;          /* NULL: only the document is written */
  support_output *output; /* where, if there is no page */
  const char *label;
  cli_session session;
  uint32_t left;              /* runs before those that are shown */
  char *kept[MOST_IN_FLIGHT]; /* the shown runs, as rp_view_run wrote them */
  size_t bytes[MOST_IN_FLIGHT];
  uint32_t n_kept;
  rp_status status;
  rp_error *err;
} sink;

static int pass_on(void *user, const char *text, size_t bytes) {
  sink *s = user;
  s->status = support_output_write(s->output, text, bytes, s->err);
  return s->status != RP_OK;
}

static void put(sink *s, rp_view_source source) {
  rp_error said = {0};
  source.struct_size = sizeof source;
  source.label = s->label;
  const rp_status status = s->page ? rp_page_add(s->page, &source, &said) : rp_view_data(&source, pass_on, s, &said);
  if (s->status == RP_OK && status != RP_OK) s->status = status, *s->err = said;
}

static int keep(void *user, const char *text, size_t bytes) {
  sink *s = user;
  char **to = &s->kept[s->n_kept];
  size_t *used = &s->bytes[s->n_kept];
  char *grown = realloc(*to, *used + bytes + 1);
  if (!grown) return 1;
  memcpy(grown + *used, text, bytes);
  *used += bytes;
  grown[*used] = 0;
  *to = grown;
  return 0;
}

static void inspect(void *user, const rp_run *run) {
  sink *s = user;
  rp_error said = {0};
  if (s->left) {
    s->left--;
  } else if (s->n_kept < MOST_IN_FLIGHT && s->status == RP_OK) {
    s->status = rp_view_run(run, keep, s, &said);
    if (s->status == RP_ERR_CANCELLED) s->status = said.status = RP_ERR_MEMORY;
    if (s->status != RP_OK) *s->err = said;
    s->n_kept += s->status == RP_OK;
  }
}

/* ---- What is shown ----------------------------------------------------------------------------------------------- */

/* Proofs of one witness: some to warm up, then those that are shown, all in flight at once. */
static rp_status prove(sink *s, const cli_bytes *witness, uint32_t in_flight, rp_error *err) {
  rp_groth16_job jobs[MOST_IN_FLIGHT];
  cli_proof proofs[MOST_IN_FLIGHT];
  rp_status status = RP_OK;
  for (uint32_t i = s->left; status == RP_OK && i > 0; i--) {
    rp_run_counters counters = {.struct_size = sizeof counters};
    status = cli_prove_bytes(&s->session, witness->data, witness->size, &counters, err);
  }
  if (in_flight < 2 && status == RP_OK) {
    rp_run_counters counters = {.struct_size = sizeof counters};
    status = cli_prove_bytes(&s->session, witness->data, witness->size, &counters, err);
  } else if (status == RP_OK) {
    for (uint32_t i = 0; i < in_flight; i++)
      jobs[i] = (rp_groth16_job){.struct_size = sizeof jobs[0],
                                 .wtns = witness->data,
                                 .wtns_bytes = witness->size,
                                 .proof = (rp_groth16_proof *)&proofs[i]};
    status = cli_prove_batch(&s->session, jobs, in_flight, err);
    for (uint32_t i = 0; status == RP_OK && i < in_flight; i++)
      if (jobs[i].status != RP_OK) status = jobs[i].status, *err = jobs[i].error;
  }
  return status == RP_OK ? s->status : status;
}

/* What a device can do at best is shown beside what it did; it is measured while the device has nothing else to do. */
static rp_status put_recording(const options *o, sink *s, rp_error *err) {
  rp_view_ceilings ceilings = {0};
  const rp_recording *recording = cli_recording_of(&s->session);
  rp_status status = RP_OK;
  if (s->n_kept && !o->no_ceilings) {
    cli_progress *progress = cli_progress_begin("measuring what the device can do");
    status = rp_view_measure(s->session.device, recording, &ceilings, err);
    cli_progress_end(progress);
  }
  if (status != RP_OK) return status;
  put(s, (rp_view_source){.recording = recording,
                          .kept = (const char *const *)s->kept,
                          .n_kept = s->n_kept,
                          .ceilings = ceilings.struct_size ? &ceilings : NULL});
  return s->status;
}

static rp_status show_key(const cli_call *call, sink *s, const char *witness_path, rp_error *err) {
  const options *o = call->options;
  const char *path = call->args[0];
  const uint32_t in_flight = o->in_flight ? o->in_flight : 1;
  cli_bytes witness = {0};
  rp_groth16_prover_options with = {.tables = (uint32_t)o->tables,
                                    .max_in_flight = witness_path ? in_flight : 1,
                                    .flags = witness_path ? RP_RECORD_PROFILE : 0};
  s->left = o->runs ? o->runs : 3;
  with.inspect = inspect;
  with.inspect_user = s;
  rp_status status = cli_open_any_key(call, &s->session, path, err);
  if (status == RP_OK && witness_path) status = cli_check_witness(&s->session, path, witness_path, err);
  if (status == RP_OK && witness_path) status = cli_read(witness_path, SIZE_MAX, &witness, err);
  if (status == RP_OK) status = cli_open_device(call, &s->session, err);
  if (status == RP_OK) status = cli_open_any_prover(call, &s->session, &with, err);
  cli_progress *progress = cli_progress_begin("profiling");
  if (status == RP_OK && witness_path) status = prove(s, &witness, in_flight, err);
  cli_progress_end(progress);
  if (status == RP_OK) status = put_recording(o, s, err);
  for (uint32_t i = 0; i < MOST_IN_FLIGHT; i++) free(s->kept[i]);
  cli_release(&witness);
  return status;
}

static rp_status show_graph(const cli_call *call, sink *s, rp_error *err) {
  const rp_load_options load = {.struct_size = sizeof load, .flags = RP_LOAD_MAP};
  rp_record_options record = {.struct_size = sizeof record, .memory_budget_bytes = call->memory_bytes};
  rp_graph *graph = NULL;
  rp_recording *recording = NULL;
  rp_status status = cli_open_device(call, &s->session, err);
  if (status == RP_OK) status = rp_graph_load(s->session.context, call->args[0], &load, &graph, err);
  if (status == RP_OK) status = rp_record(s->session.device, graph, &record, &recording, err);
  if (status == RP_OK) put(s, (rp_view_source){.recording = recording});
  rp_recording_destroy(recording);
  rp_graph_destroy(graph);
  return status == RP_OK ? s->status : status;
}

/* Copies a document that an earlier call wrote, after checking that it is one. */
static rp_status show_document(sink *s, const char *path, rp_error *err) {
  enum { LIMIT = 1 << 30 };
  cli_bytes text = {0};
  json_error_t why = {.line = -1};
  rp_status status = cli_read(path, LIMIT, &text, err);
  json_t *root = status == RP_OK ? json_loadb((const char *)text.data, text.size, 0, &why) : NULL;
  const char *kind = json_string_value(json_object_get(root, "kind"));
  const json_int_t version = json_integer_value(json_object_get(root, "version"));
  if (status == RP_OK && (!kind || strcmp(kind, "reprise-view") != 0)) {
    err->status = status = RP_ERR_FORMAT;
    snprintf(err->reason, sizeof err->reason, "%s: not a document that reprise view wrote%s%s", support_label(path),
             root ? "" : ": ", root ? "" : why.text);
  } else if (status == RP_OK && version != RP_VIEW_VERSION) {
    err->status = status = RP_ERR_FORMAT;
    snprintf(err->reason, sizeof err->reason, "%s: a document of version %lld, and this program shows version %d",
             support_label(path), (long long)version, RP_VIEW_VERSION);
  }
  json_decref(root);
  if (status == RP_OK && s->page)
    status = rp_page_add_document(s->page, (const char *)text.data, text.size, err);
  else if (status == RP_OK)
    status = support_output_write(s->output, text.data, text.size, err);
  cli_release(&text);
  return status;
}

/* The kinds of the arguments: first a key, a saved graph or a document; then a witness of the key; then documents. */
static cli_exit sort_arguments(const cli_call *call, unsigned *first_document, const char **witness) {
  const rp_file_kind first = cli_kind_of(call->args[0]);
  const bool key = first == RP_FILE_ZKEY || first == RP_FILE_PRERECORDED, graph = first == RP_FILE_GRAPH;
  *first_document = key || graph ? 1 : 0;
  *witness = NULL;
  if (key && call->n_args > 1 && cli_kind_of(call->args[1]) == RP_FILE_WTNS) *witness = call->args[(*first_document)++];
  rp_error err = {0};
  for (unsigned i = 0; i < call->n_args; i++) {
    const bool is_document = i >= *first_document;
    const cli_expected next = {i == 0 && call->n_args > 1 ? call->args[1] : NULL, CLI_WANT_ANY, NULL};
    const cli_expected here = {
        call->args[i], is_document ? 1u << RP_FILE_VIEW | (i ? 0 : CLI_WANT_KEY | 1u << RP_FILE_GRAPH) : CLI_WANT_ANY,
        i == 0          ? "a key (.zkey or recorded), a saved graph or a document of reprise view"
        : i == 1 && key ? "a witness (.wtns), or a document of reprise view to compare with,"
                        : "a document of reprise view to compare with"};
    if (cli_expect_kinds((cli_expected[]){here, next}, 2, &err) != RP_OK) return cli_fail(call, &err);
  }
  return CLI_OK;
}

static bool ends_in(const char *path, const char *ending) {
  const size_t n = path ? strlen(path) : 0, m = strlen(ending);
  return n >= m && strcmp(path + n - m, ending) == 0;
}

/* Names of the formats of reprise graph, in none of which a page can be written. */
static bool is_drawing_name(const char *path) {
  return ends_in(path, ".svg") || ends_in(path, ".png") || ends_in(path, ".dot") || ends_in(path, ".gv");
}

static cli_exit run(const cli_call *call) {
  const options *o = call->options;
  const char *paths[CLI_VIEW_ARGS + 1] = {0}, *witness = NULL;
  rp_error err = {0};
  const bool document = ends_in(o->output, ".json");
  const char *output = o->output ? o->output : "-";
  sink s = {.label = o->label, .err = &err};
  unsigned at = 0;
  for (unsigned i = 0; i < call->n_args; i++) paths[i] = call->args[i];
  paths[call->n_args] = o->output;
  cli_exit code = cli_check_outputs(call, paths, call->n_args, call->n_args + 1);
  if (code == CLI_OK) code = sort_arguments(call, &at, &witness);
  if (code != CLI_OK) return code;
  if (is_drawing_name(o->output))
    return cli_refuse(call, CLI_USAGE,
                      "%s: view writes a page (.html) or a document (.json); `reprise graph` writes drawings",
                      support_label(o->output));
  if (document && call->n_args > (at ? at : 1))
    return cli_refuse(call, CLI_USAGE, "%s: one document is written there, and several are compared only in a page",
                      support_label(o->output));
  rp_status status = document ? support_output_begin(output, &s.output, &err) : rp_page_begin(output, &s.page, &err);
  if (status == RP_OK && at)
    status =
        cli_kind_of(call->args[0]) == RP_FILE_GRAPH ? show_graph(call, &s, &err) : show_key(call, &s, witness, &err);
  for (; status == RP_OK && at < call->n_args; at++) status = show_document(&s, call->args[at], &err);
  if (status == RP_OK) {
    status = document ? support_output_publish(&s.output, 1, &err) : rp_page_end(s.page, &err);
  } else {
    support_output_abort(s.output);
    rp_page_abort(s.page);
  }
  cli_close(&s.session);
  if (status != RP_OK) return cli_fail(call, &err);
  if (o->output) cli_tell(call, "wrote %s", support_label(o->output));
  return cli_finish(call);
}

const cli_command cli_view = {
    .name = "view",
    .arguments = "KEY|GRAPH|DOCUMENT [WITNESS] [DOCUMENT...]",
    .summary = "Show a graph and a run in one HTML page",
    .details =
        "KEY is a zkey, of Groth16 or PLONK, or a recorded file; with WITNESS a proof is run and timed. GRAPH is a "
        "saved graph. DOCUMENT is what an earlier call wrote to a name that ends in .json; it is shown beside the "
        "first, to compare. The page needs no network. --device may list several devices, which make the proof "
        "together.",
    .min_args = 1,
    .max_args = CLI_VIEW_ARGS,
    .takes = CLI_TAKES_KEY | CLI_TAKES_DEVICE | CLI_TAKES_DEVICES,
    .own = own,
    .options_bytes = sizeof(options),
    .option = option,
    .run = run,
};
