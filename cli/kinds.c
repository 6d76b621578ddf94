/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kind of the file that an argument names, by its first bytes, and whether it is the expected kind.
 */
#include "cli.h"

#include "text/error.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char *const kind_text[] = {
    [RP_FILE_UNKNOWN] = "file of another kind",
    [RP_FILE_ZKEY] = ".zkey",
    [RP_FILE_PRERECORDED] = "recorded key",
    [RP_FILE_WTNS] = ".wtns",
    [RP_FILE_R1CS] = ".r1cs",
    [RP_FILE_VKEY] = "verification key",
    [RP_FILE_PROOF] = "proof",
    [RP_FILE_PUBLIC] = "list of public signals",
    [RP_FILE_GNARK_KEY] = "proving key of gnark",
    [RP_FILE_GNARK_SOLUTION] = "solution of gnark",
    [RP_FILE_GRAPH] = "saved graph",
    [RP_FILE_VIEW] = "document of reprise view",
};

rp_file_kind cli_kind_of(const char *path) {
  rp_file_info info = {.struct_size = sizeof info};
  return rp_file_identify(path, &info, NULL) == RP_OK ? info.kind : RP_FILE_UNKNOWN;
}

const char cli_a_key[] = "a key (.zkey or recorded)", cli_a_witness[] = "a witness (.wtns)";

static bool is_wanted(const cli_expected *e, rp_file_kind kind) { return (e->kinds >> kind & 1) != 0; }
static bool is_output(const cli_expected *e) { return e->kinds == CLI_WANT_OUTPUT || e->kinds == CLI_WANT_OUTPUT_KEY; }

/* Whether another argument is of the kind that is expected here. */
static bool is_swapped(const cli_expected *expected, unsigned n, unsigned at) {
  for (unsigned i = 0; i < n; i++)
    if (i != at && expected[i].path && is_wanted(&expected[at], cli_kind_of(expected[i].path))) return 1;
  return 0;
}

static bool is_missing(const cli_expected *e) {
  return e->path && !is_output(e) && e->kinds != CLI_WANT_ANY && access(e->path, F_OK) != 0 && errno == ENOENT;
}

/* Refuses a missing file, and suggests what may have been meant: an output that exists and is of the missing kind. */
static rp_status refuse_missing(const cli_expected *expected, unsigned n, const cli_expected *missing, rp_error *err) {
  const size_t room = sizeof err->reason;
  const char *there = NULL;
  rp_file_kind kind = RP_FILE_UNKNOWN;
  for (unsigned i = 0; i < n && !there; i++) {
    kind = expected[i].path && is_output(&expected[i]) ? cli_kind_of(expected[i].path) : RP_FILE_UNKNOWN;
    if (kind != RP_FILE_UNKNOWN && is_wanted(missing, kind)) there = expected[i].path;
  }
  if (there)
    snprintf(err->reason, room,
             "%s: there is no such file, and %s, a %s, would be written over: are the arguments swapped?",
             support_label(missing->path), support_label(there), kind_text[kind]);
  else
    snprintf(err->reason, room, "%s: there is no such file", support_label(missing->path));
  return err->status = RP_ERR_FILE;
}

/* Refuses to overwrite a file of a kind that may be impossible to make again, such as a key or a witness. If another
 * argument expects that kind but names another, the message asks whether the arguments are swapped. */
static rp_status check_replaced(const cli_expected *expected, unsigned n, unsigned at, rp_error *err) {
  const unsigned precious =
      CLI_WANT_KEY | CLI_WANT_WTNS | CLI_WANT_R1CS | CLI_WANT_GNARK_KEY | CLI_WANT_GNARK_SOLUTION | 1u << RP_FILE_GRAPH;
  const cli_expected *e = &expected[at];
  const rp_file_kind kind = e->path && is_output(e) ? cli_kind_of(e->path) : RP_FILE_UNKNOWN;
  bool is_other = 0;
  if (kind == RP_FILE_UNKNOWN) return RP_OK;
  for (unsigned k = 0; k < n && !is_other; k++)
    is_other =
        expected[k].path && is_wanted(&expected[k], kind) && !is_wanted(&expected[k], cli_kind_of(expected[k].path));
  if (is_other)
    snprintf(err->reason, sizeof err->reason, "%s: that is a %s, and would be written over: are the arguments swapped?",
             support_label(e->path), kind_text[kind]);
  else if ((precious >> kind & 1) && !(kind == RP_FILE_PRERECORDED && e->kinds == CLI_WANT_OUTPUT_KEY))
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
    const rp_file_kind kind = e->path && !is_output(e) ? cli_kind_of(e->path) : RP_FILE_UNKNOWN;
    if (kind == RP_FILE_UNKNOWN || is_wanted(e, kind)) continue; /* its reader says what is wrong with it */
    snprintf(err->reason, room, "%s: that is a %s, and %s is expected%s", support_label(e->path), kind_text[kind],
             e->what, is_swapped(expected, n, i) ? ": are the arguments swapped?" : "");
    return err->status = RP_ERR_FORMAT;
  }
  rp_status status = RP_OK;
  for (unsigned i = 0; i < n && status == RP_OK; i++) status = check_replaced(expected, n, i, err);
  return status;
}
