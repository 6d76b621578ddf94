/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Reprise, tier 3: what a file is, told from its bytes, for programs that are given files by others and choose the
 * function that reads them. Calling rules: reprise.h. Names of files have no meaning here.
 *
 * Files may come from untrusted sources: time is at most linear in the size of the file, no value of a witness is read,
 * and what is reported is not a promise that the file is good. Its reader checks it.
 */
#ifndef REPRISE_FILES_H
#define REPRISE_FILES_H

#include <reprise/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rp_file_kind {
  RP_FILE_UNKNOWN,        /* none of these */
  RP_FILE_ZKEY,           /* proving key of snarkjs: rp_groth16_key_open, rp_plonk_key_open, rp_fflonk_key_open */
  RP_FILE_PRERECORDED,    /* proving key that rp_groth16_save, rp_plonk_save or rp_fflonk_save wrote; opened likewise */
  RP_FILE_WTNS,           /* witness: rp_groth16_prove_file and the like */
  RP_FILE_R1CS,           /* constraint system of circom */
  RP_FILE_VKEY,           /* verification key, in JSON: rp_groth16_vkey_from_json; of gnark: rp_gnark_vkey_from_bytes */
  RP_FILE_PROOF,          /* in JSON: rp_groth16_proof_from_json and the like; of gnark: rp_gnark_proof_from_bytes */
  RP_FILE_PUBLIC,         /* public signals, in JSON: rp_groth16_public_from_json; of gnark a witness file */
  RP_FILE_GNARK_KEY,      /* proving key of gnark: rp_groth16_key_open */
  RP_FILE_GNARK_SOLUTION, /* solution of gnark: rp_gnark_prove_file */
  RP_FILE_GRAPH,          /* saved graph: rp_graph_load */
  RP_FILE_VIEW            /* document of rp_view_data */
} rp_file_kind;

typedef enum rp_protocol {
  RP_PROTOCOL_NONE, /* not known, or the file belongs to no proof system */
  RP_PROTOCOL_GROTH16,
  RP_PROTOCOL_PLONK,
  RP_PROTOCOL_FFLONK
} rp_protocol;

/* Members that do not apply to a file of this kind are zero. */
typedef struct rp_file_info {
  uint32_t struct_size;
  rp_file_kind kind;
  rp_protocol protocol; /* of proving keys; rp_file_describe also tells it of JSON texts that name one */
  uint32_t gnark;       /* 1: a file of gnark, or a prerecorded key of one */
  uint64_t size_bytes;  /* of the file */
  /* What follows is set by rp_file_describe only. */
  uint32_t has_curve;     /* 1: g1 is set */
  rp_curve g1;            /* the curve of G1, which stands for the pair of curves */
  const char *form;       /* of files of gnark, "raw", "compressed", "dump", "montgomery" or "canonical"; else NULL */
  uint64_t n_vars;        /* wires, with the constant 1 and n_additions; values of a witness */
  uint64_t n_public;      /* public signals, outputs included */
  uint64_t n_outputs;     /* .r1cs: public outputs */
  uint64_t n_private;     /* .r1cs: private inputs; witness files of gnark: secret values */
  uint64_t n_constraints; /* .r1cs, keys of PLONK and FFLONK, solutions of gnark */
  uint64_t n_additions;   /* keys of PLONK and FFLONK */
  uint64_t domain;        /* power of two: rows of a key; .r1cs: those that its Groth16 key has */
  uint64_t n_commitments; /* keys and proofs of gnark */
  uint64_t n_points[4];   /* proving keys of gnark: points of A, B (in G1), Z and K */
} rp_file_info;

/* Says what a file is. At most its first 4 KiB are read, and, of binary files without a signature, such as those of
 * gnark, the counts from which their structure follows. Damage in what comes after these is not noticed. RP_ERR_FILE:
 * the file cannot be opened or read, or is not a regular file. RP_ERR_FORMAT: it is empty. */
RP_API RP_CHECKED rp_status rp_file_identify(const char *path, rp_file_info *info, rp_error *err);
/* The same of bytes in memory, which are not used after the call. RP_ERR_FORMAT: there are none. */
RP_API RP_CHECKED rp_status rp_file_identify_memory(const void *data, uint64_t size_bytes, rp_file_info *info,
                                                    rp_error *err);
/* Says what a file is, and reads and checks its header, but not its large arrays: of .zkey, .wtns, .r1cs and all files
 * of gnark. Prerecorded keys, saved graphs and files of an unknown kind are only identified; rp_groth16_key_get_info
 * and the like tell more of a key that has been opened. A JSON text of up to 64 MiB is read as a whole for its member
 * "protocol". RP_ERR_FORMAT: the header is damaged, or the file is too short for what it says it holds;
 * RP_ERR_UNSUPPORTED or RP_ERR_INPUT: as its reader says. After a failure, *info has what rp_file_identify tells. */
RP_API RP_CHECKED rp_status rp_file_describe(const char *path, rp_file_info *info, rp_error *err);
/* The same of bytes in memory, as for rp_file_identify_memory. */
RP_API RP_CHECKED rp_status rp_file_describe_memory(const void *data, uint64_t size_bytes, rp_file_info *info,
                                                    rp_error *err);

#ifdef __cplusplus
}
#endif
#endif
