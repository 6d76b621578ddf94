/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kind of the file that an argument names, by its first bytes, and whether it is the expected kind.
 */
#include "cli.h"

#include "formats/fail.h"
#include "files/mapping.h"
#include "groth16/formats/gnark.h"
#include "groth16/prover/prerecorded.h"
#include "plonk/common/prerecorded.h"
#include "saved/format.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char *const kind_text[] = {
    [CLI_KIND_UNKNOWN] = "file of another kind",
    [CLI_KIND_ZKEY] = ".zkey",
    [CLI_KIND_RECORDED] = "recorded key",
    [CLI_KIND_WTNS] = ".wtns",
    [CLI_KIND_R1CS] = ".r1cs",
    [CLI_KIND_VKEY] = "verification key",
    [CLI_KIND_PROOF] = "proof",
    [CLI_KIND_PUBLIC] = "list of public signals",
    [CLI_KIND_GNARK_KEY] = "proving key of gnark",
    [CLI_KIND_GNARK_SOLUTION] = "solution of gnark",
    [CLI_KIND_GRAPH] = "saved graph",
    [CLI_KIND_VIEW] = "document of reprise view",
};

/* JSON has no control characters but white space. A proof of gnark is bytes of any kind, of which the first may well be
 * a line feed and a bracket, but hardly all are such. */
static int is_text(const char *bytes, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)bytes[i];
    if (c < ' ' && c != '\t' && c != '\r' && c != '\n') return 0;
  }
  return 1;
}

/* The members that distinguish them are in the first lines of what snarkjs writes; other programs may write them in any
 * order, but hardly after so many bytes. */
static cli_kind kind_of_json(const char *text) {
  const char *first = text + strspn(text, " \t\r\n");
  if (*first == '[') return CLI_KIND_PUBLIC;
  if (*first != '{') return CLI_KIND_UNKNOWN;
  if (strstr(first, "\"reprise-view\"")) return CLI_KIND_VIEW;
  if (strstr(first, "\"vk_alpha_1\"") || strstr(first, "\"X_2\"")) return CLI_KIND_VKEY; /* Groth16; others */
  static const char *const of_proof[] = {"\"pi_a\"", "\"Wxiw\"", "\"polynomials\""};     /* Groth16, PLONK, FFLONK */
  for (int i = 0; i < 3; i++)
    if (strstr(first, of_proof[i])) return CLI_KIND_PROOF;
  return CLI_KIND_UNKNOWN;
}

static cli_kind kind_of_gnark(const g16_file *file) {
  switch (g16_gnark_kind_of(file)) {
  case G16_GNARK_PKEY: return CLI_KIND_GNARK_KEY;
  case G16_GNARK_VKEY: return CLI_KIND_VKEY;
  case G16_GNARK_PROOF: return CLI_KIND_PROOF;
  case G16_GNARK_WITNESS: return CLI_KIND_PUBLIC;
  case G16_GNARK_SOLUTION: return CLI_KIND_GNARK_SOLUTION;
  case G16_GNARK_NONE: break;
  }
  return CLI_KIND_UNKNOWN;
}

cli_kind cli_kind_of(const char *path) {
  g16_file *file = NULL;
  char text[4096 + 1] = "";
  cli_kind kind = CLI_KIND_UNKNOWN;
  if (g16_file_open(path, 0, &file, NULL) != RP_OK) return kind;
  const uint64_t size = g16_file_size(file), n = size < sizeof text - 1 ? size : sizeof text - 1;
  if (g16_file_read(file, 0, n, text, NULL) != RP_OK)
    kind = CLI_KIND_UNKNOWN;
  else if (memcmp(text, "zkey", 4) == 0)
    kind = CLI_KIND_ZKEY;
  else if (memcmp(text, "wtns", 4) == 0)
    kind = CLI_KIND_WTNS;
  else if (memcmp(text, "r1cs", 4) == 0)
    kind = CLI_KIND_R1CS;
  else if (memcmp(text, SAVED_MAGIC, sizeof SAVED_MAGIC - 1) == 0)
    kind = CLI_KIND_GRAPH;
  else if (g16_is_prerecorded(file) || plonk_prerecorded_protocol(file))
    kind = CLI_KIND_RECORDED;
  else if (is_text(text, n))
    kind = kind_of_json(text);
  if (kind == CLI_KIND_UNKNOWN) kind = kind_of_gnark(file);
  g16_file_close(file);
  return kind;
}

const char cli_a_key[] = "a key (.zkey or recorded)", cli_a_witness[] = "a witness (.wtns)";

static int is_wanted(const cli_expected *e, cli_kind kind) { return (e->kinds >> kind & 1) != 0; }
static int is_output(const cli_expected *e) { return e->kinds == CLI_WANT_OUTPUT || e->kinds == CLI_WANT_OUTPUT_KEY; }

/* 1 if another argument is of the kind that is expected here. */
static int is_swapped(const cli_expected *expected, unsigned n, unsigned at) {
  for (unsigned i = 0; i < n; i++)
    if (i != at && expected[i].path && is_wanted(&expected[at], cli_kind_of(expected[i].path))) return 1;
  return 0;
}

static int is_missing(const cli_expected *e) {
  return e->path && !is_output(e) && e->kinds != CLI_WANT_ANY && access(e->path, F_OK) != 0 && errno == ENOENT;
}

/* Refuses a missing file, and suggests what may have been meant: an output that exists and is of the missing kind. */
static rp_status refuse_missing(const cli_expected *expected, unsigned n, const cli_expected *missing, rp_error *err) {
  const size_t room = sizeof err->reason;
  const char *there = NULL;
  cli_kind kind = CLI_KIND_UNKNOWN;
  for (unsigned i = 0; i < n && !there; i++) {
    kind = expected[i].path && is_output(&expected[i]) ? cli_kind_of(expected[i].path) : CLI_KIND_UNKNOWN;
    if (kind != CLI_KIND_UNKNOWN && is_wanted(missing, kind)) there = expected[i].path;
  }
  if (there)
    snprintf(err->reason, room,
             "%s: there is no such file, and %s, a %s, would be written over: are the arguments swapped?",
             support_label(missing->path), support_label(there), kind_text[kind]);
  else
    snprintf(err->reason, room, "%s: there is no such file", support_label(missing->path));
  return err->status = RP_ERR_FILE;
}

/* Refuses to write over a file that is no result of the command: a key, a witness and the like cannot always be made
 * again. It may be what another argument should be. */
static rp_status check_replaced(const cli_expected *expected, unsigned n, unsigned at, rp_error *err) {
  const unsigned precious = CLI_WANT_KEY | CLI_WANT_WTNS | CLI_WANT_R1CS | CLI_WANT_GNARK_KEY |
                            CLI_WANT_GNARK_SOLUTION | 1u << CLI_KIND_GRAPH;
  const cli_expected *e = &expected[at];
  const cli_kind kind = e->path && is_output(e) ? cli_kind_of(e->path) : CLI_KIND_UNKNOWN;
  int is_other = 0;
  if (kind == CLI_KIND_UNKNOWN) return RP_OK;
  for (unsigned k = 0; k < n && !is_other; k++)
    is_other =
        expected[k].path && is_wanted(&expected[k], kind) && !is_wanted(&expected[k], cli_kind_of(expected[k].path));
  if (is_other)
    snprintf(err->reason, sizeof err->reason, "%s: that is a %s, and would be written over: are the arguments swapped?",
             support_label(e->path), kind_text[kind]);
  else if ((precious >> kind & 1) && !(kind == CLI_KIND_RECORDED && e->kinds == CLI_WANT_OUTPUT_KEY))
    snprintf(err->reason, sizeof err->reason,
             "%s: that is a %s, and would be written over: choose another name for what is written, or remove it first",
             support_label(e->path), kind_text[kind]);
  else
    return RP_OK;
  return err->status = RP_ERR_FORMAT;
}

rp_status cli_expect_kinds(const cli_expected *expected, unsigned n, rp_error *err) {
  for (unsigned i = 0; i < n; i++)
    if (is_missing(&expected[i])) return refuse_missing(expected, n, &expected[i], err);
  const size_t room = sizeof err->reason;
  for (unsigned i = 0; i < n; i++) {
    const cli_expected *e = &expected[i];
    const cli_kind kind = e->path && !is_output(e) ? cli_kind_of(e->path) : CLI_KIND_UNKNOWN;
    if (kind == CLI_KIND_UNKNOWN || is_wanted(e, kind)) continue; /* its reader says what is wrong with it */
    snprintf(err->reason, room, "%s: that is a %s, and %s is expected%s", support_label(e->path), kind_text[kind],
             e->what, is_swapped(expected, n, i) ? ": are the arguments swapped?" : "");
    return err->status = RP_ERR_FORMAT;
  }
  rp_status status = RP_OK;
  for (unsigned i = 0; i < n && status == RP_OK; i++) status = check_replaced(expected, n, i, err);
  return status;
}
