/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What rounds cost. A graph that makes its challenges on the device is run alternately with the same nodes as one
 * recording per round, in which the host waits for the digest at the end of each round and gives it to the next
 * (rounds.h). Vectors stay on the device. Both have the same witness and blinding, and must give the same bytes.
 */
#include "bench.h"
#include "rounds.h"

#include "text/error.h"

#include <jansson.h>
#include <reprise/host.h>
#include <stdlib.h>
#include <string.h>

typedef struct side {
  uint64_t *ns; /* of each run: from the first submission to the end of the last wait */
  uint64_t submissions, waits, bytes_down, dispatches;
} side;

typedef struct bench {
  cli_session session;
  cli_rounds cut;
  rp_recording *recording[CLI_MOST_ROUNDS];
  rp_run *run[CLI_MOST_ROUNDS];
  rp_buffer **buffer; /* per value of the whole graph: where it lies between rounds; NULL: nowhere */
  uint64_t resident_bytes;
  rp_port_info input, output[4];
  uint32_t n_outputs;
  uint8_t *witness; /* of the input, secret */
  uint8_t *result[2];
  uint64_t result_bytes;
  side whole, rounds;
  uint32_t runs;
} bench;

static rp_status fail_memory(rp_error *err) {
  return support_fail(err, RP_ERR_MEMORY, "Out of memory for the measurement of rounds.");
}

static rp_status failed(const rp_run *run, rp_error *err) {
  *err = *rp_run_error(run);
  return err->status;
}

/* ---- The witness ------------------------------------------------------------------------------------------------- */

static uint64_t little_endian(const uint8_t *at, int bytes) {
  uint64_t x = 0;
  for (int i = bytes; i-- > 0;) x = x << 8 | at[i];
  return x;
}

/* The section of values, of `bytes` bytes, of a file that has been found to be a witness; NULL if it has none. */
static const uint8_t *values_of(const cli_bytes *wtns, uint64_t bytes) {
  enum { HEAD = 12, SECTION_HEAD = 12, VALUES = 2 };
  for (size_t at = HEAD; at + SECTION_HEAD <= wtns->size;) {
    const uint64_t id = little_endian(wtns->data + at, 4), size = little_endian(wtns->data + at + 4, 8);
    at += SECTION_HEAD;
    if (size > wtns->size - at) return NULL;
    if (id == VALUES) return size == bytes ? wtns->data + at : NULL;
    at += size;
  }
  return NULL;
}

/* The input of the prover's graph: the values, with 0 instead of the constant 1, and random blinding behind them. */
static rp_status fill_witness(bench *b, const char *path, rp_error *err) {
  enum { VALUE_BYTES = 32 };
  cli_bytes wtns = {0};
  const uint64_t bytes = cli_n_vars(&b->session) * VALUE_BYTES;
  rp_status status = cli_read(path, SIZE_MAX, &wtns, err);
  const uint8_t *values = status == RP_OK ? values_of(&wtns, bytes) : NULL;
  if (status == RP_OK && (!values || bytes > b->input.size_bytes))
    status = support_fail(err, RP_ERR_FORMAT, "%s: has not the values of this circuit.", support_label(path));
  if (status == RP_OK) {
    memcpy(b->witness, values, bytes);
    memset(b->witness, 0, VALUE_BYTES);
  }
  for (uint64_t at = bytes; status == RP_OK && at < b->input.size_bytes; at += VALUE_BYTES)
    if (rp_random_canonical(rp_curve_scalar_field(cli_curve(&b->session)), b->witness + at) != RP_OK)
      status = support_fail(err, RP_ERR_UNAVAILABLE, "The operating system gives no randomness for the blinding.");
  cli_release(&wtns);
  return status;
}

/* ---- One run of either kind -------------------------------------------------------------------------------------- */

static void count(side *s, const rp_run *run) {
  rp_run_counters c = {.struct_size = sizeof c};
  rp_run_get_counters(run, &c);
  s->submissions += c.submissions;
  s->waits += c.waits;
  s->bytes_down += c.bytes_down;
  s->dispatches += c.dispatches;
}

static rp_status submit_and_wait(rp_run *run, rp_error *err) {
  rp_status status = rp_run_submit(run);
  if (status == RP_OK) status = rp_run_wait(run, UINT64_MAX);
  return status == RP_OK ? status : failed(run, err);
}

static rp_status run_whole(bench *b, uint64_t *ns, rp_error *err) {
  rp_run *run = NULL;
  uint8_t *to = b->result[0];
  b->whole = (side){.ns = b->whole.ns};
  rp_status status = rp_run_begin(cli_recording_of(&b->session), UINT64_MAX, &run, err);
  if (status != RP_OK) return status;
  if (rp_run_set_input(run, b->input.value, b->witness, b->input.size_bytes) != RP_OK) status = failed(run, err);
  const uint64_t begin = cli_now_ns();
  if (status == RP_OK) status = submit_and_wait(run, err);
  *ns = cli_now_ns() - begin;
  for (uint32_t i = 0; status == RP_OK && i < b->n_outputs; to += b->output[i++].size_bytes)
    memcpy(to, rp_run_output(run, b->output[i].value), b->output[i].size_bytes);
  if (status == RP_OK) count(&b->whole, run);
  rp_run_end(run);
  return status;
}

/* Binds what is resident, and gives the first round the witness. */
static rp_status prepare_round(bench *b, uint32_t k, rp_error *err) {
  const cli_rounds *c = &b->cut;
  const cli_round *r = &c->rounds[k];
  rp_status status = rp_run_begin(b->recording[k], UINT64_MAX, &b->run[k], err);
  if (status != RP_OK) return status;
  for (uint32_t i = 0; status == RP_OK && i < c->n_values; i++) {
    const rp_value at = r->at[i];
    if (i + 1 == b->input.value.id && at.id)
      status = rp_run_set_input(b->run[k], at, b->witness, b->input.size_bytes);
    else if (b->buffer[i] && r->is_input[i])
      status = rp_run_bind_input(b->run[k], at, b->buffer[i], 0);
    else if (b->buffer[i] && c->round[cli_rounds_value(c, i).node] == k)
      status = rp_run_bind_output(b->run[k], at, b->buffer[i], 0);
  }
  return status == RP_OK ? status : failed(b->run[k], err);
}

/* Gives the digests of a round that has ended to those that read them. */
static rp_status give_digests(bench *b, uint32_t k, rp_error *err) {
  const cli_rounds *c = &b->cut;
  for (uint32_t i = 0; i < c->n_values; i++) {
    if (c->crossing[i] != CLI_DIGEST) continue;
    const rp_value_info v = cli_rounds_value(c, i);
    if (c->round[v.node] != k) continue;
    const void *digest = rp_run_output(b->run[k], c->rounds[k].at[i]);
    for (uint32_t to = k + 1; to < c->n_rounds; to++)
      if (c->rounds[to].is_input[i] &&
          rp_run_set_input(b->run[to], c->rounds[to].at[i], digest, v.len * v.type->size_bytes) != RP_OK)
        return failed(b->run[to], err);
  }
  return RP_OK;
}

static void take_results(bench *b) {
  uint8_t *to = b->result[1];
  for (uint32_t i = 0; i < b->n_outputs; to += b->output[i++].size_bytes) {
    const uint32_t value = b->output[i].value.id - 1, k = b->cut.round[cli_rounds_value(&b->cut, value).node];
    memcpy(to, rp_run_output(b->run[k], b->cut.rounds[k].at[value]), b->output[i].size_bytes);
  }
}

/* What can be done before the first submission is not counted. */
static rp_status run_rounds(bench *b, uint64_t *ns, rp_error *err) {
  const uint32_t n = b->cut.n_rounds;
  rp_status status = RP_OK;
  b->rounds = (side){.ns = b->rounds.ns};
  for (uint32_t k = 0; status == RP_OK && k < n; k++) status = prepare_round(b, k, err);
  const uint64_t begin = cli_now_ns();
  for (uint32_t k = 0; status == RP_OK && k < n; k++) {
    status = submit_and_wait(b->run[k], err);
    if (status == RP_OK) status = give_digests(b, k, err);
  }
  *ns = cli_now_ns() - begin;
  if (status == RP_OK) take_results(b);
  for (uint32_t k = 0; k < n; k++) {
    if (b->run[k] && status == RP_OK) count(&b->rounds, b->run[k]);
    if (b->run[k]) rp_run_end(b->run[k]);
    b->run[k] = NULL;
  }
  return status;
}

/* ---- The measurement --------------------------------------------------------------------------------------------- */

static rp_status record_rounds(bench *b, rp_error *err) {
  cli_rounds *c = &b->cut;
  rp_status status = cli_rounds_cut(cli_graph_of(&b->session), c, err);
  if (status != RP_OK) return status;
  b->buffer = calloc((size_t)c->n_values + 1, sizeof(rp_buffer *));
  if (!b->buffer) return fail_memory(err);
  for (uint32_t k = 0; status == RP_OK && k < c->n_rounds; k++)
    status = rp_record(b->session.device, c->rounds[k].graph, NULL, &b->recording[k], err);
  for (uint32_t i = 0; status == RP_OK && i < c->n_values; i++) {
    if (c->crossing[i] != CLI_RESIDENT) continue;
    const rp_value_info v = cli_rounds_value(c, i);
    status = rp_buffer_create(b->session.device, v.len * v.type->size_bytes, &b->buffer[i], err);
    b->resident_bytes += v.len * v.type->size_bytes;
  }
  return status;
}

static rp_status open_all(const cli_call *call, bench *b, const bench_proofs *how, const char *zkey, const char *wtns,
                          rp_error *err) {
  const rp_groth16_prover_options options = {.struct_size = sizeof options, .tables = !how->no_tables};
  rp_status status = cli_open_any_key(NULL, &b->session, zkey, err);
  if (status == RP_OK && cli_protocol_of_session(&b->session) == CLI_GROTH16)
    status = support_fail(err, RP_ERR_UNSUPPORTED, "%s is a key of Groth16, whose proof has no challenges.",
                          support_label(zkey));
  if (status == RP_OK) status = cli_check_witness(&b->session, zkey, wtns, err);
  if (status == RP_OK) status = cli_open_any_prover(call, &b->session, &options, err);
  if (status != RP_OK) return status;
  const rp_graph *g = cli_graph_of(&b->session);
  b->input.struct_size = sizeof b->input;
  status = rp_graph_get_input(g, 0, &b->input, err);
  for (; status == RP_OK && b->n_outputs < rp_graph_n_outputs(g) && b->n_outputs < 4; b->n_outputs++) {
    rp_port_info *out = &b->output[b->n_outputs];
    out->struct_size = sizeof *out;
    status = rp_graph_get_output(g, b->n_outputs, out, err);
    b->result_bytes += out->size_bytes;
  }
  if (status != RP_OK) return status;
  b->witness = rp_secret_alloc(b->input.size_bytes);
  for (int i = 0; i < 2; i++) b->result[i] = calloc(1, b->result_bytes + 1);
  b->whole.ns = calloc(b->runs, sizeof *b->whole.ns);
  b->rounds.ns = calloc(b->runs, sizeof *b->rounds.ns);
  if (!b->witness || !b->result[0] || !b->result[1] || !b->whole.ns || !b->rounds.ns) return fail_memory(err);
  status = fill_witness(b, wtns, err);
  return status == RP_OK ? record_rounds(b, err) : status;
}

static rp_status one_turn(bench *b, uint32_t i, rp_error *err) {
  memset(b->result[0], 0, b->result_bytes);
  memset(b->result[1], 0xff, b->result_bytes);
  rp_status status = run_whole(b, &b->whole.ns[i], err);
  if (status == RP_OK) status = run_rounds(b, &b->rounds.ns[i], err);
  if (status == RP_OK && memcmp(b->result[0], b->result[1], b->result_bytes) != 0)
    return support_fail(err, RP_ERR_INTERNAL, "The proof made in rounds has other bytes than that of one graph.");
  return status;
}

/* As for proofs, an idle GPU needs a while to reach its clock rate. */
static rp_status measure(bench *b, rp_error *err) {
  enum { WARM_UP_NS = 500000000 };
  const uint64_t begin = cli_now_ns();
  cli_progress *progress = cli_progress_begin("proofs in one graph and in rounds");
  rp_status status = one_turn(b, 0, err);
  while (status == RP_OK && cli_now_ns() - begin < WARM_UP_NS) status = one_turn(b, 0, err);
  for (uint32_t i = 0; status == RP_OK && i < b->runs; i++) status = one_turn(b, i, err);
  cli_progress_end(progress);
  return status;
}

static json_t *side_json(side *s, uint32_t runs) {
  const double median = (double)bench_median(s->ns, runs) / 1e6; /* sorts */
  return json_pack("{s:f, s:f, s:I, s:I, s:I, s:I}", "median_ms", median, "least_ms", (double)s->ns[0] / 1e6,
                   "submissions", (json_int_t)s->submissions, "waits", (json_int_t)s->waits, "bytes_down",
                   (json_int_t)s->bytes_down, "dispatches", (json_int_t)s->dispatches);
}

static void print_side(const char *name, side *s, uint32_t runs) {
  const double median = (double)bench_median(s->ns, runs) / 1e6;
  printf("%-10s %12.4f %12.4f %12llu %8llu %12llu %12llu\n", name, median, (double)s->ns[0] / 1e6,
         (unsigned long long)s->submissions, (unsigned long long)s->waits, (unsigned long long)s->bytes_down,
         (unsigned long long)s->dispatches);
}

static void print(const cli_call *call, bench *b, json_t *list) {
  const char *protocol = cli_protocol_name[cli_protocol_of_session(&b->session)];
  const char *curve = rp_curve_name(cli_curve(&b->session));
  const uint64_t domain = cli_domain(&b->session);
  if (call->json) {
    json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:i, s:I, s:o, s:o}", "op", protocol, "type", curve, "n",
                                          (json_int_t)domain, "runs", (int)b->runs, "resident_bytes",
                                          (json_int_t)b->resident_bytes, "one_graph", side_json(&b->whole, b->runs),
                                          "rounds", side_json(&b->rounds, b->runs)));
    return;
  }
  char resident[32];
  printf("%s over %s, domain %llu: the same bytes in %u rounds, %s between them\n", protocol, curve,
         (unsigned long long)domain, b->cut.n_rounds, cli_bytes_text(b->resident_bytes, resident));
  printf("%-10s %12s %12s %12s %8s %12s %12s\n", "", "median, ms", "least, ms", "submissions", "waits", "bytes down",
         "dispatches");
  print_side("one graph", &b->whole, b->runs);
  print_side("in rounds", &b->rounds, b->runs);
  (void)fflush(stdout); /* so that it is visible at once; cli_finish checks for errors */
}

/* What is resident has been computed from the witness. */
static void wipe(rp_buffer *buffer) {
  enum { CHUNK = 1 << 16 };
  static const uint8_t zeros[CHUNK];
  const uint64_t size = rp_buffer_size(buffer);
  rp_status status = RP_OK;
  for (uint64_t at = 0; status == RP_OK && at < size; at += CHUNK)
    status = rp_buffer_write(buffer, at, zeros, size - at < CHUNK ? size - at : CHUNK, NULL);
}

static void close_all(bench *b) {
  for (uint32_t k = 0; k < CLI_MOST_ROUNDS; k++) rp_recording_destroy(b->recording[k]);
  for (uint32_t i = 0; b->buffer && i < b->cut.n_values; i++) {
    if (!b->buffer[i]) continue;
    wipe(b->buffer[i]);
    rp_buffer_destroy(b->buffer[i]);
  }
  cli_rounds_free(&b->cut);
  if (b->witness) rp_secret_free(b->witness, b->input.size_bytes);
  free(b->buffer);
  for (int i = 0; i < 2; i++) free(b->result[i]);
  free(b->whole.ns);
  free(b->rounds.ns);
  b->session.context = NULL; /* the caller's */
  b->session.device = NULL;
  cli_close(&b->session);
}

rp_status bench_rounds(const cli_call *call, const cli_session *with_device, const bench_proofs *how, const char *dir,
                       json_t *list, rp_error *err) {
  char zkey[4096 + 64], wtns[4096 + 64];
  (void)snprintf(zkey, sizeof zkey, "%s/circuit.zkey", dir); /* a truncated path is refused by the system */
  (void)snprintf(wtns, sizeof wtns, "%s/witness.wtns", dir); /* likewise */
  bench b = {.session = {.context = with_device->context, .device = with_device->device}, .runs = how->runs};
  rp_status status = open_all(call, &b, how, zkey, wtns, err);
  if (status == RP_OK) status = measure(&b, err);
  if (status == RP_OK) print(call, &b, list);
  close_all(&b);
  return status;
}
