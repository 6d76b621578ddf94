/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise bench: single operations, over fields, curves and sizes; proofs are in bench_proof.c.
 */
#include "bench.h"

#include "text/error.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct options {
  const char *op, *type;
  uint32_t log_min, log_max, runs, nodes, in_flight, batch, in_a_row, floors, window_bits, first_percent;
  bench_spread spread;
  bool no_tables, open, cut_rounds;
} options;

enum {
  OPTION_SCALARS = 0x100,
  OPTION_IN_FLIGHT,
  OPTION_BATCH,
  OPTION_NO_TABLES,
  OPTION_OPEN,
  OPTION_IN_A_ROW,
  OPTION_FLOORS,
  OPTION_WINDOW,
  OPTION_FIRST,
  OPTION_CUT_ROUNDS
};

static const struct argp_option own[] = {
    {"op", 'o', "NAME", 0, "Only this operation", 1},
    {"type", 'f', "NAME", 0, "Only this field or curve", 1},
    {"log-size", 'l', "A[-B]", 0, "Sizes 2^A to 2^B in steps of 4 (default: 2^10 and a large one)", 1},
    {"runs", 'n', "N", 0, "Runs to take the median of (default: 5)", 1},
    {"nodes", 'k', NULL, 0,
     "Also the device time of every dispatch and the sums by operation, from a profiled run of its own", 1},
    {"scalars", OPTION_SCALARS, "SPREAD", 0,
     "Scalars of msm: uniform, equal, bits (0 and 1) or clustered (default: uniform)", 1},
    {"window", OPTION_WINDOW, "BITS", 0, "Bits of a window of msm (default: what suits device and size)", 1},
    {"in-a-row", OPTION_IN_A_ROW, "N", 0,
     "Also the time of ntt, ntt_reversed, ntt_split_radix, ntt_radix_passes, intt or batch_inverse when N of them "
     "follow one another, each: that of 2 N less that of N, so that copies, launch and wait do not count",
     1},
    {"floors", OPTION_FLOORS, 0, 0,
     "Also the time of the products alone or of the bytes alone, whichever is more, at the rates that the device has "
     "for them, measured first",
     1},
    {"in-flight", OPTION_IN_FLIGHT, "N", 0, "Proofs at once, for proofs per second (default: 2)", 2},
    {"batch", OPTION_BATCH, "B", 0, "Proofs made by each run of Groth16, for proofs per second (default: 1)", 2},
    {"no-tables", OPTION_NO_TABLES, 0, 0, "Proofs without precomputed tables", 2},
    {"first-percent", OPTION_FIRST, "N", 0,
     "Proofs by several devices: percentage of the points that the first one has (default: what suits)", 2},
    {"cut-rounds", OPTION_CUT_ROUNDS, 0, 0,
     "Not proofs but what the rounds of PLONK or FFLONK cost: in turns one graph, and the same in one submission and "
     "wait per round",
     2},
    {"open", OPTION_OPEN, 0, 0, "Not proofs but opening and checking the key, beside reading its file", 2},
    {0},
};

static bench_spread parse_spread(const char *text, struct argp_state *state) {
  for (int i = 0; i < BENCH_SPREADS; i++)
    if (strcmp(text, bench_spread_names[i]) == 0) return (bench_spread)i;
  argp_error(state, "--scalars must be uniform, equal, bits or clustered, and \"%s\" is not", text);
  return BENCH_UNIFORM;
}

static error_t option(int key, const char *arg, cli_call *call, struct argp_state *state) {
  options *o = call->options;
  unsigned low, high;
  int used = 0;
  switch (key) {
  case 'o': o->op = arg; return 0;
  case 'f': o->type = arg; return 0;
  case 'k': o->nodes = 1; return 0;
  case OPTION_SCALARS: o->spread = parse_spread(arg, state); return 0;
  case OPTION_IN_FLIGHT: o->in_flight = (uint32_t)cli_parse_number(arg, 1, 64, "--in-flight", state); return 0;
  case OPTION_BATCH: o->batch = (uint32_t)cli_parse_number(arg, 1, 32, "--batch", state); return 0;
  case OPTION_IN_A_ROW: o->in_a_row = (uint32_t)cli_parse_number(arg, 1, 64, "--in-a-row", state); return 0;
  case OPTION_WINDOW: o->window_bits = (uint32_t)cli_parse_number(arg, 1, 24, "--window", state); return 0;
  case OPTION_FIRST: o->first_percent = (uint32_t)cli_parse_number(arg, 1, 100, "--first-percent", state); return 0;
  case OPTION_FLOORS: o->floors = 1; return 0;
  case OPTION_NO_TABLES: o->no_tables = 1; return 0;
  case OPTION_OPEN: o->open = 1; return 0;
  case OPTION_CUT_ROUNDS: o->cut_rounds = 1; return 0;
  case 'n': o->runs = (uint32_t)cli_parse_number(arg, 1, 10000, "--runs", state); return 0;
  case 'l':
    if (sscanf(arg, "%2u-%2u%n", &low, &high, &used) == 2 && arg[used] == '\0' && low <= high && high <= 28) {
      o->log_min = low;
      o->log_max = high;
    } else {
      o->log_min = o->log_max = (uint32_t)cli_parse_number(arg, 0, 28, "--log-size", state);
    }
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

/* device_ns: NULL unless the recording is profiled. */
static rp_status one_run(rp_recording *recording, const bench_build *b, uint64_t *ns, uint64_t *device_ns,
                         rp_error *err) {
  rp_run *run = NULL;
  rp_run_counters counters = {.struct_size = sizeof counters};
  rp_status status = rp_run_begin(recording, UINT64_MAX, &run, err);
  if (status != RP_OK) return status;
  for (unsigned i = 0; status == RP_OK && i < b->n_inputs; i++)
    status = rp_run_set_input(run, b->input[i].value, b->input[i].data, b->input[i].bytes);
  if (status == RP_OK) status = rp_run_submit(run);
  if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
  if (status != RP_OK) *err = *rp_run_error(run);
  rp_run_get_counters(run, &counters);
  *ns = counters.latency_ns;
  if (status == RP_OK && device_ns) status = bench_device_time(run, device_ns, err);
  rp_run_end(run);
  return status;
}

/* Room for the dispatches of a recording; NULL without memory. */
static rp_node_info *make_nodes(const rp_recording *recording, uint32_t *n, rp_error *err) {
  rp_node_info one = {.struct_size = sizeof one};
  if (rp_recording_nodes(recording, &one, 1, n, err) != RP_OK) return NULL;
  rp_node_info *nodes = calloc((size_t)*n + 1, sizeof *nodes);
  if (nodes) nodes->struct_size = sizeof *nodes;
  if (!nodes) err->status = RP_ERR_MEMORY;
  return nodes;
}

/* Replays a profiled copy of the recording: measures the time on the device, without the copies of inputs and outputs,
 * and with `print` prints the time of each dispatch. */
static rp_status measure_nodes(bench_build *b, bench_result *r, bool print, rp_error *err) {
  rp_recording *recording = NULL;
  rp_node_info *nodes = NULL;
  uint64_t *ns = calloc(r->runs, sizeof *ns), unused;
  uint32_t count = 0;
  const rp_record_options profile = {.struct_size = sizeof profile, .flags = RP_RECORD_PROFILE};
  rp_status status = ns ? rp_record(b->device, b->graph, &profile, &recording, err) : (err->status = RP_ERR_MEMORY);
  if (status == RP_OK && !(nodes = make_nodes(recording, &count, err))) status = err->status;
  for (uint32_t i = 0; status == RP_OK && i < r->runs; i++) status = one_run(recording, b, &unused, &ns[i], err);
  if (status == RP_OK) status = rp_recording_nodes(recording, nodes, count, &count, err);
  if (status == RP_OK) r->device_ns = bench_median(ns, r->runs);
  if (status == RP_OK && print) bench_print_nodes(recording, nodes, count);
  rp_recording_destroy(recording);
  free(nodes);
  free(ns);
  return status;
}

static rp_status measure_runs(bench_build *b, const bench_op *op, bench_result *r, rp_error *err) {
  rp_recording *recording = NULL;
  uint64_t *ns = calloc(r->runs, sizeof *ns), warm_up;
  rp_status status = ns ? rp_graph_create(b->context, op->name, &b->graph, err) : (err->status = RP_ERR_MEMORY);
  if (status == RP_OK) {
    rp_graph_output(b->graph, "result", op->build(b), 0);
    status = rp_record(b->device, b->graph, NULL, &recording, err);
  }
  if (status == RP_OK) status = one_run(recording, b, &warm_up, NULL, err);
  for (uint32_t i = 0; status == RP_OK && i < r->runs; i++) status = one_run(recording, b, &ns[i], NULL, err);
  if (status == RP_OK) {
    r->median_ns = bench_median(ns, r->runs);
    r->least_ns = ns[0];
  }
  rp_recording_destroy(recording);
  free(ns);
  return status;
}

static rp_status measure(bench_build *b, const bench_op *op, bool print_nodes, bench_result *r, rp_error *err) {
  rp_status status = measure_runs(b, op, r, err);
  if (status == RP_OK && rp_group_size(b->device) == 1) status = measure_nodes(b, r, print_nodes, err);
  bench_free(b);
  return status;
}

/* The time of one of `in_a_row` successive operations, from the difference to twice as many, in which what precedes and
 * follows them cancels out. */
static rp_status measure_in_a_row(bench_build *b, const bench_op *op, uint32_t in_a_row, bool print_nodes,
                                  bench_result *r, rp_error *err) {
  bench_result all[2] = {{.runs = r->runs}, {.runs = r->runs}};
  rp_status status = RP_OK;
  for (uint32_t i = 0; status == RP_OK && i < 2; i++) {
    b->in_a_row = in_a_row << i;
    status = measure_runs(b, op, &all[i], err);
    if (status == RP_OK && print_nodes && i == 0) status = measure_nodes(b, &all[i], 1, err);
    bench_free(b);
  }
  if (status == RP_OK && all[1].median_ns > all[0].median_ns)
    r->in_a_row_ns = (all[1].median_ns - all[0].median_ns) / in_a_row;
  return status;
}

/* The rates of a field are measured when they are first needed. */
static rp_status floor_of(const cli_session *session, const bench_op *op, const bench_build *b,
                          bench_ceilings *ceilings, bench_result *r, rp_error *err) {
  double products;
  const bool curves = op->over == BENCH_OVER_CURVES;
  const rp_field field = bench_prime_field(curves ? rp_curve_base_field(b->curve) : b->field, &products);
  rp_status status = RP_OK;
  if (ceilings[field].byte_ns == 0) {
    for (int f = 0; f < RP_FIELD_COUNT; f++)
      if (ceilings[f].byte_ns > 0) ceilings[field].byte_ns = ceilings[f].byte_ns;
    status = bench_measure_ceilings(session, field, &ceilings[field], err);
  }
  if (status == RP_OK) r->floor_ms = bench_floor_ms(op, b, &ceilings[field]);
  return status;
}

/* Measures all sizes of one operation over one field or curve. *ran counts the cases. */
static rp_status over_sizes(const cli_call *call, const cli_session *session, const bench_op *op, int id,
                            bench_ceilings *ceilings, json_t *list, unsigned *ran, rp_error *err) {
  const options *o = call->options;
  const bool curves = op->over == BENCH_OVER_CURVES;
  const char *type = curves ? rp_curve_name((rp_curve)id) : rp_field_name((rp_field)id);
  if (o->type && strcmp(o->type, type) != 0) return RP_OK;
  uint32_t low = o->log_max ? o->log_min : 10, high = o->log_max ? o->log_max : op->max_log_n;
  uint32_t step = o->log_max ? 2 : high > low ? high - low : 1;
  for (uint32_t log_n = low; log_n <= high; log_n += step) {
    if (!bench_applies(op, curves ? 0 : (rp_field)id, curves ? (rp_curve)id : 0, log_n)) continue;
    bench_build b = {.device = session->device,
                     .op = op->op,
                     .context = session->context,
                     .n = 1ull << log_n,
                     .seed = 1,
                     .spread = o->spread,
                     .window_bits = o->window_bits,
                     .in_a_row = 1,
                     .err = err};
    b.field = curves ? 0 : (rp_field)id;
    b.curve = curves ? (rp_curve)id : 0;
    bench_result r = {.op = op->name, .type = type, .spread = o->spread, .n = b.n, .runs = o->runs ? o->runs : 5};
    const bench_columns with = {.in_a_row = o->in_a_row != 0, .floors = o->floors != 0};
    if (!call->json && *ran == 0) bench_head(&with);
    cli_progress *progress = cli_progress_begin(op->name);
    rp_status status = o->floors ? floor_of(session, op, &b, ceilings, &r, err) : RP_OK;
    if (status == RP_OK) status = measure(&b, op, o->nodes && !call->json, &r, err);
    if (status == RP_OK && o->in_a_row && op->chains)
      status = measure_in_a_row(&b, op, o->in_a_row, o->nodes && !call->json, &r, err);
    cli_progress_end(progress);
    if (status != RP_OK) return status;
    if (call->json)
      json_array_append_new(list, bench_row_json(&r));
    else
      bench_row(&with, &r);
    ++*ran;
  }
  return RP_OK;
}

/* Refuses options that would otherwise be ignored. */
static cli_exit check_options(const cli_call *call) {
  const options *o = call->options;
  const bool of_proofs = o->in_flight || o->batch || o->no_tables || o->open || o->cut_rounds || o->first_percent;
  const bool of_operations =
      o->op || o->type || o->log_max || o->nodes || o->spread || o->window_bits || o->in_a_row || o->floors;
  if (call->n_args == 0 && of_proofs)
    return cli_refuse(
        call, CLI_USAGE,
        "--in-flight, --batch, --no-tables, --first-percent, --cut-rounds and --open are for proofs: name the "
        "folder of a key");
  if (o->cut_rounds && (o->in_flight || o->batch || o->open))
    return cli_refuse(call, CLI_USAGE,
                      "--cut-rounds measures one proof at a time: not with --in-flight, --batch, --open");
  if (call->n_devices && (o->open || o->cut_rounds || o->nodes || o->floors || o->in_a_row))
    return cli_refuse(call, CLI_USAGE,
                      "--open, --cut-rounds, --nodes, --floors and --in-a-row measure one device, not several");
  if (o->first_percent && !call->n_devices)
    return cli_refuse(call, CLI_USAGE, "--first-percent needs a --device that lists several, as in cuda:0,cuda:1");
  if (call->n_args != 0 && of_operations)
    return cli_refuse(call, CLI_USAGE,
                      "\"%s\" asks for proofs, and one of the options is for single operations: reprise bench --help",
                      support_label(call->args[0]));
  for (unsigned i = 0; i < call->n_args; i++)
    if (access(call->args[i], F_OK) != 0 && !strchr(call->args[i], '/'))
      return cli_refuse(call, CLI_FILE,
                        "there is no folder \"%s\" with a key; reprise bench --op NAME measures an operation",
                        support_label(call->args[i]));
  return bench_check_names(call, o->op, o->type);
}

static cli_exit run(const cli_call *call) {
  const options *o = call->options;
  cli_session session = {0};
  rp_error err = {0};
  unsigned ran = 0;
  bench_ceilings ceilings[RP_FIELD_COUNT] = {{0}};
  const cli_exit code = check_options(call);
  if (code != CLI_OK) return code;
  json_t *list = json_array();
  rp_status status = cli_open_device(call, &session, &err);
  const bench_proofs how = {.runs = o->runs ? o->runs : 15,
                            .in_flight = o->in_flight ? o->in_flight : 2,
                            .batch = o->batch ? o->batch : 1,
                            .first_percent = o->first_percent,
                            .no_tables = o->no_tables};
  for (; status == RP_OK && ran < call->n_args; ran++)
    status = o->open         ? bench_open(call, &session, o->runs ? o->runs : 5, call->args[ran], ran == 0, list, &err)
             : o->cut_rounds ? bench_rounds(call, &session, &how, call->args[ran], list, &err)
                             : bench_prove(call, &session, &how, call->args[ran], ran == 0, list, &err);
  bench_op row;
  for (unsigned i = 0; status == RP_OK && call->n_args == 0 && bench_get(i, &row); i++) {
    const bench_op *op = &row;
    if (o->op && strcmp(o->op, op->name) != 0) continue;
    if (call->n_devices && !op->over_devices) continue;
    const int count = op->over == BENCH_OVER_CURVES ? (int)RP_CURVE_COUNT : (int)RP_FIELD_COUNT;
    for (int id = 0; status == RP_OK && id < count; id++)
      status = over_sizes(call, &session, op, id, ceilings, list, &ran, &err);
  }
  cli_close(&session);
  if (status == RP_OK && call->json) {
    json_dumpf(list, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    putchar('\n');
  }
  json_decref(list);
  if (status != RP_OK) return cli_fail(call, &err);
  if (ran == 0)
    return cli_refuse(call, CLI_USAGE,
                      call->n_devices ? "%s over %s is not measured on several devices; msm and proofs are"
                                      : "%s is not defined over %s for these sizes",
                      o->op ? o->op : "any operation", o->type ? o->type : "any field or curve");
  return cli_finish(call);
}

const cli_command cli_bench = {
    .name = "bench",
    .arguments = "[DIR...]",
    .summary = "Measure single operations, or proofs",
    .details =
        "With DIR: proofs of DIR/circuit.zkey and DIR/witness.wtns, as setup writes them, the key resident; or, with "
        "--open, opening that key, from the disk and from the page cache. Else single operations, over the fields or "
        "curves that each is defined over; --op \"?\" and --type \"?\" list what there is. expr is six products on "
        "four "
        "columns, expr_sum a sum of four, the hashes work on rows of four elements, the points of msm are constant and "
        "those of msm_once are the run's. halo2_quotient and halo2_commitments are those of a circuit with 154 "
        "columns, whose rows are the elements. challenge_... are rounds of a transcript: with --in-a-row, the time of "
        "one. The time of a run is from its submission to its completion, the median of "
        "several; that on the device is from the first dispatch to the end of the last, without the time in which "
        "inputs are copied and no dispatch works. Of proofs the time from a witness in the program's memory to a "
        "verified proof comes first, then that "
        "of the recording's run alone. --device may list several devices, which then compute msm, or each proof of "
        "Groth16, together.",
    .max_args = 64,
    .takes = CLI_TAKES_DEVICE | CLI_TAKES_DEVICES | CLI_TAKES_JSON,
    .own = own,
    .options_bytes = sizeof(options),
    .option = option,
    .run = run,
};
