/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * What proving keys of PLONK and of FFLONK have in common, in memory and in the form that the graph needs; the graph
 * borrows the arrays. n is the domain.
 */
#ifndef REPRISE_PLONK_COMMON_KEY_H
#define REPRISE_PLONK_COMMON_KEY_H

#include "additions.h"
#include "plonk/formats/zkey_common.h"

#include <stdatomic.h>

enum { PLONK_KEY_PARTS = PLONK_KEY_POINTS + 5 };

/* The first member of the key of a protocol. */
typedef struct plonk_key {
  atomic_uint refs;       /* the caller's, and one per prover */
  rp_plonk_key_info info; /* without points_checked */
  atomic_int points_checked;
  const g16_family *family; /* BN254 */
  uint32_t log_domain;
  plonk_fr k1, k2; /* shifts of the cosets of the second and the third wire */
  plonk_additions additions;
  const uint32_t *map;                    /* 3n places: the wires of all rows */
  const plonk_fr *coef[PLONK_KEY_POINTS]; /* of selectors and permutations; memory form */
  const plonk_g1 *tau;                    /* n_tau points */
  uint64_t n_tau;
  uint32_t tau_section; /* in the file */
  support_file *source; /* whose name stands in reasons. Prerecorded: the file that the arrays point into. */
  struct {
    void *memory;
    uint64_t bytes;
  } part[PLONK_KEY_PARTS];
  uint32_t n_parts;
} plonk_key;

static inline const char *plonk_key_name(const plonk_key *key) { return support_file_name(key->source); }

/* ---- Memory (key_memory.c) --------------------------------------------------------------------------------------- */

plonk_key *plonk_key_ref(plonk_key *key);
void plonk_key_close(plonk_key *key);
/* Memory that lives as long as the key, aligned to 64 bytes. NULL when out of memory. */
void *plonk_key_alloc(plonk_key *key, uint64_t bytes);

/* ---- Opening ----------------------------------------------------------------------------------------------------- */

/* How the keys of a protocol are opened, and what their prerecorded files hold (prerecorded.h). */
typedef struct plonk_key_kind {
  const char *call, *call_memory; /* the names of the calls, for reasons */
  size_t bytes;                   /* of the key's struct */
  /* Opens key->source as a .zkey, and sets the verification part, k1 and k2. */
  rp_status (*open_zkey)(plonk_key *key, plonk_zkey_common *zkey, rp_error *err);
  /* Where a .zkey has the polynomials of plonk_key.coef: the section, and how many of its polynomials come before. */
  struct {
    uint32_t section, before;
  } polynomial[PLONK_KEY_POINTS];
  const char *name;   /* of the protocol */
  uint32_t protocol;  /* its number in a .zkey */
  uint32_t coef_more; /* number of coefficients, all zero, after the n of each polynomial */
  uint32_t tau_times; /* there are tau_times n + tau_more powers of tau */
  uint32_t tau_more;
  uint32_t blinded_rows; /* the last rows of each wire, which have places behind the variables */
  uint32_t vk_bytes;
  void (*pack_vk)(const plonk_key *key, uint8_t *out);
  /* Checks the part and sets it, with k1 and k2; what `info` says is known. RP_ERR_FORMAT. */
  rp_status (*unpack_vk)(plonk_key *key, const uint8_t *in, rp_error *err);
  /* Checks the powers of tau that a key's hiding depends on, and makes what follows from the arrays. */
  rp_status (*complete)(plonk_key *key, rp_error *err);
} plonk_key_kind;

/* As rp_plonk_key_open says. *key is set on success only. */
rp_status plonk_key_open(const plonk_key_kind *kind, rp_context *context, const char *path,
                         const rp_plonk_key_options *options, plonk_key **key, rp_error *err);
rp_status plonk_key_open_memory(const plonk_key_kind *kind, rp_context *context, const void *data, size_t bytes,
                                const rp_plonk_key_options *options, plonk_key **key, rp_error *err);
/* The same with a file that is open, and is taken over, also on failure. A prerecorded one must be mapped or
 * wrapped. */
rp_status plonk_key_open_file(const plonk_key_kind *kind, support_file *file, const rp_plonk_key_options *options,
                              plonk_key **out, rp_error *err);
void plonk_key_get_info(const plonk_key *key, rp_plonk_key_info *info);
rp_status plonk_key_check_points(plonk_key *key, rp_error *err);
/* As rp_plonk_key_matches says (compare.c); `call` is the name of the call, for reasons. */
rp_status plonk_key_matches(const plonk_key_kind *kind, const char *call, const plonk_key *key, const char *zkey_path,
                            rp_error *err);

/* ---- Loading (load.c), in parallel ------------------------------------------------------------------------------- */

/* Reads everything from key->source, a .zkey. */
rp_status plonk_key_load(const plonk_key_kind *kind, plonk_key *key, bool check_points, rp_error *err);
/* RP_ERR_FORMAT if tau^power is 1: the blinding of the key's proofs, which are accepted, would vanish. power < n_tau.
 * `what` names the power in the reason. Also if a coordinate of the two points is not below q, since they could then
 * be equal and differ in their bytes. */
rp_status plonk_check_tau(const plonk_key *key, uint64_t power, const char *what, rp_error *err);

#endif
