/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * reprise setup --insecure: keys for tests and benchmarks, of real or synthetic circuits.
 */
#include "cli.h"

#include <reprise/setup.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct options {
  const char *r1cs, *wtns, *curve, *preset, *protocol, *format;
  uint32_t log_domain, n_public;
  double zeros, ones, infinity_a, infinity_b; /* like n_public, one more than given; 0: not given, the preset's */
  double row[3];
  bool has_rows;
  uint64_t seed;
  bool insecure, uncontributed;
} options; /* 0 and NULL: not given */

enum {
  O_INSECURE = 0x100,
  O_R1CS,
  O_WTNS,
  O_CURVE,
  O_PRESET,
  O_PUBLIC,
  O_ZEROS,
  O_ONES,
  O_INF_A,
  O_INF_B,
  O_ROWS,
  O_SEED,
  O_UNCONTRIBUTED,
  O_PROTOCOL,
  O_FORMAT
};
static const struct argp_option own[] = {
    {"insecure", O_INSECURE, 0, 0, "Required: confirms that you know that anybody can forge proofs for the key", 1},
    {"r1cs", O_R1CS, "FILE", 0, "A real circuit; else a synthetic one", 1},
    {"wtns", O_WTNS, "FILE", 0, "Its witness, copied beside the key", 1},
    {"protocol", O_PROTOCOL, "NAME", 0,
     "groth16, or plonk or fflonk, of which circuits are synthetic (default: groth16)", 1},
    {"format", O_FORMAT, "NAME", 0, "snarkjs, or gnark: a synthetic key of any size (default: snarkjs)", 1},
    {"log-domain", 'l', "N", 0, "Synthetic: domain of 2^N (default: 12)", 2},
    {"curve", O_CURVE, "CURVE", 0, "Synthetic: bn254 or bls12381 (default: bn254)", 2},
    {"preset", O_PRESET, "NAME", 0,
     "Synthetic: full (values of full width) or sha256 (rows and values like a SHA-256 "
     "circuit's; default: full)",
     2},
    {"public", O_PUBLIC, "N", 0, "Synthetic: public signals (default: 1)", 2},
    {"rows", O_ROWS, "A,B,C", 0, "Synthetic: mean entries of the rows of the three matrices", 2},
    {"zeros", O_ZEROS, "SHARE", 0, "Synthetic: share of zeros in the witness, 0 to 1", 2},
    {"ones", O_ONES, "SHARE", 0, "Synthetic: share of ones in the witness", 2},
    {"infinity-a", O_INF_A, "SHARE", 0, "Synthetic: share of wires that do not stand in A", 2},
    {"infinity-b", O_INF_B, "SHARE", 0, "Synthetic: share of wires that do not stand in B", 2},
    {"seed", O_SEED, "N", 0, "Where all randomness comes from (default: 1)", 3},
    {"uncontributed", O_UNCONTRIBUTED, 0, 0, "A key that nobody has contributed to", 3},
    {0},
};

static double parse_real(const char *text, double max, const char *what, struct argp_state *state) {
  char *end = NULL;
  double value = strtod(text, &end);
  if (end == text || *end != '\0' || !(value >= 0 && value <= max))
    argp_error(state, "%s must be a number from 0 to %g, and \"%s\" is not", what, max, text);
  return value;
}

static void parse_rows(const char *text, double row[3], struct argp_state *state) {
  int used = 0;
  if (sscanf(text, "%lf,%lf,%lf%n", &row[0], &row[1], &row[2], &used) != 3 || text[used] != '\0' || !(row[0] >= 0) ||
      !(row[1] >= 0) || !(row[2] >= 0) || row[0] > 1e6 || row[1] > 1e6 || row[2] > 1e6)
    argp_error(state, "--rows must be three numbers such as 4,2,1, and \"%s\" is not", text);
}

static error_t option(int key, const char *arg, cli_call *call, struct argp_state *state) {
  options *o = call->options;
  switch (key) {
  case O_INSECURE: o->insecure = 1; return 0;
  case O_R1CS: o->r1cs = arg; return 0;
  case O_WTNS: o->wtns = arg; return 0;
  case 'l': o->log_domain = (uint32_t)cli_parse_number(arg, 2, 27, "--log-domain", state); return 0;
  case O_CURVE: o->curve = arg; return 0;
  case O_PRESET: o->preset = arg; return 0;
  case O_PROTOCOL: o->protocol = arg; return 0;
  case O_FORMAT: o->format = arg; return 0;
  case O_PUBLIC: o->n_public = 1 + (uint32_t)cli_parse_number(arg, 0, 1u << 20, "--public", state); return 0;
  case O_ROWS:
    parse_rows(arg, o->row, state);
    o->has_rows = 1;
    return 0;
  case O_ZEROS: o->zeros = 1 + parse_real(arg, 1, "--zeros", state); return 0;
  case O_ONES: o->ones = 1 + parse_real(arg, 1, "--ones", state); return 0;
  case O_INF_A: o->infinity_a = 1 + parse_real(arg, 1, "--infinity-a", state); return 0;
  case O_INF_B: o->infinity_b = 1 + parse_real(arg, 1, "--infinity-b", state); return 0;
  case O_SEED: o->seed = cli_parse_number(arg, 1, UINT64_MAX, "--seed", state); return 0;
  case O_UNCONTRIBUTED: o->uncontributed = 1; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static int show(void *user, const char *what, uint64_t done, uint64_t total) {
  (void)user;
  if (total) fprintf(stderr, "\r\033[K%s %u%%", what, (unsigned)(100.0 * (double)done / (double)total));
  return 0;
}

static bool is_synthetic(const options *o) {
  return o->log_domain || o->curve || o->preset || o->n_public || o->has_rows || o->zeros > 0 || o->ones > 0 ||
         o->infinity_a > 0 || o->infinity_b > 0;
}

static cli_exit make_shape(const cli_call *call, rp_circuit_shape *shape) {
  const options *o = call->options;
  bool sha256 = o->preset && strcmp(o->preset, "sha256") == 0;
  if (o->preset && !sha256 && strcmp(o->preset, "full") != 0)
    return cli_refuse(call, CLI_USAGE, "there is no preset \"%.100s\"; choose full or sha256", o->preset);
  *shape = (rp_circuit_shape){.struct_size = sizeof *shape};
  rp_circuit_shape_of(sha256 ? RP_CIRCUIT_SHA256 : RP_CIRCUIT_FULL, shape);
  if (o->zeros > 0) shape->zeros = o->zeros - 1;
  if (o->ones > 0) shape->ones = o->ones - 1;
  if (o->infinity_a > 0) shape->infinity_a = o->infinity_a - 1;
  if (o->infinity_b > 0) shape->infinity_b = o->infinity_b - 1;
  shape->has_row_means = (uint32_t)o->has_rows;
  memcpy(shape->row_means, o->row, sizeof shape->row_means);
  if (shape->zeros + shape->ones > 1)
    return cli_refuse(call, CLI_USAGE, "zeros and ones are more than the whole witness");
  return CLI_OK;
}

/* The curve that was asked for, whatever its case and punctuation; RP_CURVE_COUNT after a message. */
static rp_curve find_curve(const cli_call *call) {
  static const char *const bn254[] = {"bn254", "bn128", "altbn128"};
  const char *name = ((const options *)call->options)->curve;
  char plain[16] = "";
  size_t length = 0;
  if (!name) return RP_CURVE_BN254_G1;
  for (const char *c = name; *c && length + 1 < sizeof plain; c++)
    if (isalnum((unsigned char)*c)) plain[length++] = (char)tolower((unsigned char)*c);
  for (unsigned i = 0; i < 3; i++)
    if (strcmp(plain, bn254[i]) == 0) return RP_CURVE_BN254_G1;
  if (strcmp(plain, "bls12381") == 0) return RP_CURVE_BLS12_381_G1;
  (void)cli_refuse(call, CLI_USAGE, "there is no curve \"%.100s\"; choose bn254 or bls12381", name);
  return RP_CURVE_COUNT;
}

/* What all kinds of keys have in common. */
static rp_insecure_setup common_setup(const options *o) {
  return (rp_insecure_setup){.struct_size = sizeof(rp_insecure_setup),
                             .seed = o->seed ? o->seed : 1,
                             .log_domain = o->log_domain ? o->log_domain : 12,
                             .n_public = o->n_public ? o->n_public - 1 : 1,
                             .progress = isatty(STDERR_FILENO) ? show : NULL};
}

/* Makes the files in the folder of the call; paths that the outputs must not replace come first. */
static cli_exit make(const cli_call *call, const rp_insecure_setup *setup, const cli_expected *expected, unsigned n) {
  cli_session session = {0};
  cli_folder made = {0};
  rp_error err = {0};
  const char *const paths[] = {setup->r1cs_path, setup->wtns_path,   setup->key_out,
                               setup->vkey_out,  setup->witness_out, setup->r1cs_out};
  const cli_exit code = cli_check_outputs(call, paths, 2, 6);
  if (code != CLI_OK) return code;
  rp_status status = cli_expect_kinds(expected, n, &err);
  if (status == RP_OK) status = cli_make_folder(call->args[0], &made, &err);
  if (status == RP_OK) status = cli_open_device(call, &session, &err);
  if (status == RP_OK) status = rp_setup_insecure(session.device, setup, &err);
  if (setup->progress) fputs("\r\033[K", stderr);
  cli_close(&session);
  cli_end_folder(&made, status == RP_OK);
  return status == RP_OK ? cli_finish(call) : cli_fail(call, &err);
}

/* Places of files in the folder, longer than the system accepts. */
typedef struct places {
  char path[4][4096 + 64];
} places;

static void find_places(const char *dir, places *p) {
  static const char *const names[] = {"circuit.zkey", "verification_key.json", "witness.wtns", "circuit.r1cs"};
  for (unsigned i = 0; i < 4; i++)
    (void)snprintf(p->path[i], sizeof p->path[i], "%s/%s", dir, names[i]); /* a path that is cut is refused */
}

/* Whether an option is given that only circuits of Groth16 in snarkjs's format have. */
static bool has_circuit(const options *o) {
  return o->r1cs || o->wtns || o->preset || o->has_rows || o->zeros > 0 || o->ones > 0 || o->infinity_a > 0 ||
         o->infinity_b > 0 || o->uncontributed;
}

/* A key of gnark. */
static cli_exit run_gnark(const cli_call *call) {
  static const char *const names[3] = {"pk.dump", "vk.raw", "solution.mont"};
  const options *o = call->options;
  if (has_circuit(o) || o->protocol)
    return cli_refuse(call, CLI_USAGE,
                      "with --format gnark, a circuit is synthetic and has the options --log-domain, --curve, --public "
                      "and --seed only");
  places p;
  for (unsigned i = 0; i < 3; i++)
    (void)snprintf(p.path[i], sizeof p.path[i], "%s/%s", call->args[0], names[i]); /* a path that is cut is refused */
  rp_insecure_setup setup = common_setup(o);
  setup.g1 = find_curve(call);
  if (setup.g1 == RP_CURVE_COUNT) return CLI_USAGE;
  setup.gnark = 1;
  setup.key_out = p.path[0];
  setup.vkey_out = p.path[1];
  setup.witness_out = p.path[2];
  return make(call, &setup, NULL, 0);
}

/* Keys of PLONK, or of FFLONK. */
static cli_exit run_plonk(const cli_call *call, rp_protocol protocol) {
  const options *o = call->options;
  if (has_circuit(o) || o->curve)
    return cli_refuse(
        call, CLI_USAGE,
        "with --protocol plonk or fflonk, a circuit is synthetic and has the options --log-domain, --public and "
        "--seed only");
  places p;
  find_places(call->args[0], &p);
  rp_insecure_setup setup = common_setup(o);
  setup.protocol = protocol;
  setup.g1 = RP_CURVE_BN254_G1;
  setup.key_out = p.path[0];
  setup.vkey_out = p.path[1];
  setup.witness_out = p.path[2];
  return make(call, &setup, NULL, 0);
}

static cli_exit run(const cli_call *call) {
  const options *o = call->options;
  if (!o->insecure)
    return cli_refuse(call, CLI_USAGE,
                      "anyone who knows the seed can forge proofs for such a key: give --insecure to confirm that "
                      "you know");
  const bool gnark = o->format && strcmp(o->format, "gnark") == 0;
  if (o->format && !gnark && strcmp(o->format, "snarkjs") != 0)
    return cli_refuse(call, CLI_USAGE, "there is no format \"%.100s\"; choose snarkjs or gnark", o->format);
  if (gnark) return run_gnark(call);
  if (o->protocol && strcmp(o->protocol, "plonk") == 0) return run_plonk(call, RP_PROTOCOL_PLONK);
  if (o->protocol && strcmp(o->protocol, "fflonk") == 0) return run_plonk(call, RP_PROTOCOL_FFLONK);
  if (o->protocol && strcmp(o->protocol, "groth16") != 0)
    return cli_refuse(call, CLI_USAGE, "there is no protocol \"%.100s\"; choose groth16, plonk or fflonk", o->protocol);
  if (o->r1cs && is_synthetic(o))
    return cli_refuse(call, CLI_USAGE, "--r1cs names a real circuit, and one of the options is for synthetic ones");
  if (o->wtns && !o->r1cs) return cli_refuse(call, CLI_USAGE, "--wtns needs the circuit too: --r1cs");
  rp_circuit_shape shape;
  const cli_exit code = make_shape(call, &shape);
  if (code != CLI_OK) return code;
  places p;
  find_places(call->args[0], &p);
  rp_insecure_setup setup = common_setup(o);
  setup.g1 = find_curve(call);
  if (setup.g1 == RP_CURVE_COUNT) return CLI_USAGE;
  setup.r1cs_path = o->r1cs;
  setup.wtns_path = o->wtns;
  setup.shape = o->r1cs ? NULL : &shape;
  setup.uncontributed = (uint32_t)o->uncontributed;
  setup.key_out = p.path[0];
  setup.vkey_out = p.path[1];
  setup.witness_out = !o->r1cs || o->wtns ? p.path[2] : NULL;
  setup.r1cs_out = o->r1cs ? NULL : p.path[3];
  const cli_expected expected[] = {{o->r1cs, CLI_WANT_R1CS, "a circuit (.r1cs)"},
                                   {o->wtns, CLI_WANT_WTNS, cli_a_witness}};
  return make(call, &setup, expected, 2);
}

const cli_command cli_setup = {
    .name = "setup",
    .arguments = "DIR",
    .summary = "Make an INSECURE key for tests and benchmarks",
    .details = "Writes circuit.zkey and verification_key.json into DIR, and, of a synthetic circuit, witness.wtns and, "
               "of Groth16, circuit.r1cs; with --format gnark, pk.dump, vk.raw and solution.mont. The secret of the "
               "key follows from the seed, so that anybody can forge "
               "proofs: for tests only.",
    .min_args = 1,
    .max_args = 1,
    .takes = CLI_TAKES_DEVICE,
    .own = own,
    .options_bytes = sizeof(options),
    .option = option,
    .run = run,
};
