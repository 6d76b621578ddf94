/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kind of a file, by its first bytes; files of gnark, which have no signature, by their structure.
 */
#include "identify.h"

#include "formats/fail.h"
#include "formats/zkey_head.h"
#include "groth16/formats/gnark.h"
#include "groth16/prover/prerecorded.h"
#include "plonk/common/prerecorded.h"
#include "saved/format.h"

/* JSON has no control characters but white space. A proof of gnark is bytes of any kind, of which the first may well be
 * a line feed and a bracket, but hardly all are such. */
static bool is_text(const char *bytes, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)bytes[i];
    if (c < ' ' && c != '\t' && c != '\r' && c != '\n') return 0;
  }
  return 1;
}

/* The members that distinguish them are in the first lines of what snarkjs writes; other programs may write them in any
 * order, but hardly after so many bytes. */
static rp_file_kind kind_of_json(const char *text) {
  const char *first = text + strspn(text, " \t\r\n");
  if (*first == '[') return RP_FILE_PUBLIC;
  if (*first != '{') return RP_FILE_UNKNOWN;
  if (strstr(first, "\"reprise-view\"")) return RP_FILE_VIEW;
  if (strstr(first, "\"vk_alpha_1\"") || strstr(first, "\"X_2\"")) return RP_FILE_VKEY; /* Groth16; others */
  static const char *const of_proof[] = {"\"pi_a\"", "\"Wxiw\"", "\"polynomials\""};    /* Groth16, PLONK, FFLONK */
  for (int i = 0; i < 3; i++)
    if (strstr(first, of_proof[i])) return RP_FILE_PROOF;
  return RP_FILE_UNKNOWN;
}

static rp_file_kind kind_of_gnark(const support_file *file) {
  switch (g16_gnark_kind_of(file)) {
  case G16_GNARK_PKEY: return RP_FILE_GNARK_KEY;
  case G16_GNARK_VKEY: return RP_FILE_VKEY;
  case G16_GNARK_PROOF: return RP_FILE_PROOF;
  case G16_GNARK_WITNESS: return RP_FILE_PUBLIC;
  case G16_GNARK_SOLUTION: return RP_FILE_GNARK_SOLUTION;
  case G16_GNARK_NONE: break;
  }
  return RP_FILE_UNKNOWN;
}

static rp_protocol protocol_of(uint32_t in_file) {
  return in_file == G16_PROTOCOL_GROTH16  ? RP_PROTOCOL_GROTH16
         : in_file == G16_PROTOCOL_PLONK  ? RP_PROTOCOL_PLONK
         : in_file == G16_PROTOCOL_FFLONK ? RP_PROTOCOL_FFLONK
                                          : RP_PROTOCOL_NONE;
}

static rp_status identify_key(const support_file *file, rp_file_info *info, rp_error *err) {
  g16_recorded_kind kind;
  const rp_status status = g16_prerecorded_kind(file, &kind, err);
  if (status != RP_OK) {
    info->kind = RP_FILE_UNKNOWN;
    return status;
  }
  if (kind != G16_RECORDED_NONE) {
    info->protocol = RP_PROTOCOL_GROTH16;
    info->gnark = kind == G16_RECORDED_GNARK;
  } else {
    info->protocol = protocol_of(plonk_prerecorded_protocol(file));
  }
  if (info->protocol != RP_PROTOCOL_NONE) info->kind = RP_FILE_PRERECORDED;
  return RP_OK;
}

/* A file that cannot be read is of an unknown kind, and the status says why. */
static rp_status identify_file(const support_file *file, rp_file_info *info, rp_error *err) {
  static const struct {
    const char *magic;
    rp_file_kind kind;
  } signatures[] = {
      {"zkey", RP_FILE_ZKEY}, {"wtns", RP_FILE_WTNS}, {"r1cs", RP_FILE_R1CS}, {SAVED_MAGIC, RP_FILE_GRAPH}};
  char text[4096 + 1] = "";
  *info = (rp_file_info){.struct_size = sizeof *info, .size_bytes = support_file_size(file)};
  const uint64_t n = info->size_bytes < sizeof text - 1 ? info->size_bytes : sizeof text - 1;
  rp_status status = support_file_read(file, 0, n, text, err);
  if (status != RP_OK) return status;
  for (unsigned i = 0; i < sizeof signatures / sizeof *signatures; i++)
    if (memcmp(text, signatures[i].magic, strlen(signatures[i].magic)) == 0) info->kind = signatures[i].kind;
  if (info->kind == RP_FILE_ZKEY) info->protocol = protocol_of(g16_zkey_protocol(file));
  if (info->kind == RP_FILE_UNKNOWN || info->kind == RP_FILE_GRAPH) status = identify_key(file, info, err);
  if (status != RP_OK) return status;
  if (info->kind == RP_FILE_UNKNOWN && is_text(text, n)) info->kind = kind_of_json(text);
  if (info->kind == RP_FILE_UNKNOWN) {
    info->kind = kind_of_gnark(file);
    info->gnark = info->kind != RP_FILE_UNKNOWN;
  }
  if (info->kind == RP_FILE_GNARK_KEY) info->protocol = RP_PROTOCOL_GROTH16;
  return RP_OK;
}

/* ---- The public functions ---------------------------------------------------------------------------------------- */

/* Closes the file. */
static rp_status tell(const char *call, support_file *file, bool describe, rp_file_info *info, rp_error *err) {
  rp_file_info now;
  rp_status status = identify_file(file, &now, err);
  if (status == RP_OK && describe) status = identify_header(file, &now, err);
  support_file_close(file);
  if (rp_info_write(info, &now, sizeof now)) return status;
  return support_fail(err, RP_ERR_ARGUMENT, "%s: info->struct_size is not set.", call);
}

static rp_status of_path(const char *call, const char *path, bool describe, rp_file_info *info, rp_error *err) {
  support_file *file = NULL;
  if (!path || !info) return support_fail(err, RP_ERR_ARGUMENT, "%s: path or info is NULL.", call);
  const rp_status status = support_file_open(path, 0, &file, err);
  return status == RP_OK ? tell(call, file, describe, info, err) : status;
}

static rp_status of_memory(const char *call, const void *data, uint64_t size_bytes, bool describe, rp_file_info *info,
                           rp_error *err) {
  support_file *file = NULL;
  if (!data || !info) return support_fail(err, RP_ERR_ARGUMENT, "%s: data or info is NULL.", call);
  const rp_status status = support_file_wrap("The data", data, size_bytes, &file, err);
  return status == RP_OK ? tell(call, file, describe, info, err) : status;
}

rp_status rp_file_identify(const char *path, rp_file_info *info, rp_error *err) {
  return of_path("rp_file_identify", path, 0, info, err);
}

rp_status rp_file_describe(const char *path, rp_file_info *info, rp_error *err) {
  return of_path("rp_file_describe", path, 1, info, err);
}

rp_status rp_file_identify_memory(const void *data, uint64_t size_bytes, rp_file_info *info, rp_error *err) {
  return of_memory("rp_file_identify_memory", data, size_bytes, 0, info, err);
}

rp_status rp_file_describe_memory(const void *data, uint64_t size_bytes, rp_file_info *info, rp_error *err) {
  return of_memory("rp_file_describe_memory", data, size_bytes, 1, info, err);
}
