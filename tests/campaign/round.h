/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A round: a device with a budget, some keys on it, and threads that go through the round's cases. Everything in it
 * follows from the seed and the round's number, and a case from the seed and the case's number, except for blinding
 * values, which come from the operating system, and the timing of threads.
 */
#ifndef REPRISE_TESTS_CAMPAIGN_ROUND_H
#define REPRISE_TESTS_CAMPAIGN_ROUND_H

#include "tally.h"

typedef struct campaign_options {
  rp_device_kind device;
  uint64_t seed, count;      /* proofs */
  double seconds;            /* 0: no limit */
  uint64_t per_round;        /* cases */
  uint64_t limited;          /* cases of a round whose keys do not all fit its memory; 0: per_round */
  uint32_t clients, threads; /* threads that prove; threads of the CPU device; 0: chosen by the round */
  int one_case;
  uint64_t case_number; /* the only one, if one_case */
  const char *json;     /* folder for proofs in JSON; NULL: none */
  uint64_t every;       /* one in `every` released proofs is written */
} campaign_options;

typedef struct campaign {
  campaign_options options;
  tally tally;
  char folder[128]; /* for temporary files */
  uint64_t deadline_ns;
  _Atomic uint64_t released; /* counts released proofs, to choose those for `json` */
} campaign;

enum { MOST_KEYS = 5 };

typedef struct member {
  made_key made;
  source_id source;
  char path[192]; /* of a recorded file or a zkey that is in use; "" if there is none */
  blob recorded;
  rp_groth16_key *key;
  rp_groth16_prover *prover; /* NULL: the key was refused */
  int checked;               /* 1: all points were to be checked when it was opened */
  rp_groth16_prover_options options;
  uint64_t bytes; /* according to its plan */
} member;

typedef struct round {
  campaign *all;
  uint64_t number;
  uint64_t random;
  uint32_t threads; /* of the CPU devices; a plan's memory depends on it */
  rp_context *context;
  rp_device *helper;  /* a CPU device: makes keys */
  rp_device *planner; /* of the kind that proves, without a budget; may be the helper */
  rp_device *device;
  member members[MOST_KEYS];
  uint32_t n_members, n_clients;
  int limited;           /* the budget is for fewer keys than there are */
  _Atomic uint64_t next; /* the next case of the round */
  _Atomic int64_t live_bytes;
} round_t;

/* Returns RP_OK, or why the round could not be prepared. What its cases find is in the tally. */
rp_status round_run(campaign *all, uint64_t number, rp_error *err);
/* case.c: runs case `number` of the whole campaign in the thread with the number `client`. */
void case_run(round_t *r, uint64_t number, uint32_t client);
/* Reports and counts an event that must not occur. `about` may be NULL. */
void wrong(campaign *all, wrong_id id, uint64_t case_number, const attempt *about, const char *reason);
/* Returns 1 once there are enough proofs, time is over, or the user has interrupted the program. */
int campaign_is_over(const campaign *all);
uint64_t mix(uint64_t seed, uint64_t kind, uint64_t number);
uint64_t clock_ns(void);

#endif
