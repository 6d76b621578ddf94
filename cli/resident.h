/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Keys that are ready to prove on the devices of a command, as many as there is memory for; the one that was used
 * longest ago is closed when there are too many, or when memory is short. For programs that prove with many keys: the
 * farm's workers and the service.
 */
#ifndef REPRISE_CLI_RESIDENT_H
#define REPRISE_CLI_RESIDENT_H

#include "cli.h"

typedef struct cli_residents cli_residents;

typedef struct cli_resident_options {
  unsigned most;          /* keys at once, at most 64; 0: 4 */
  uint32_t max_in_flight; /* proofs of a key at once on each device; 0: 2 */
  uint64_t most_bytes;    /* all keys together in host memory; 0: half of what the machine has */
  bool is_pooled;         /* 1: the devices that the call lists, one or several, make a pool; 0: its one device */
} cli_resident_options;

/* Opens the devices. cli_residents_close must be called whatever happened. The call must stay as it is until then. */
rp_status cli_residents_open(const cli_call *call, const cli_resident_options *options, cli_residents **residents,
                             rp_error *err);
/* No caller may hold a key any more. NULL is accepted. */
void cli_residents_close(cli_residents *residents);
/* The session that has the context, the first device and the pool. */
const cli_session *cli_residents_device(const cli_residents *residents);

/* Opens a key with the session's context: sets one of its keys. */
typedef rp_status (*cli_resident_open)(void *user, cli_session *session, rp_error *err);
/* The session of the key with this number, which stays until cli_residents_give. If the key is not resident, `open` is
 * called, by one thread at a time, and the key is recorded; keys that no caller holds are closed to make room. If all
 * of them are taken, the call waits for one. `bytes`, the size of its file, is about what a key takes in host memory; a
 * key with more than most_bytes is resident alone. Any number of threads may call, each holding at most one key. */
rp_status cli_residents_take(cli_residents *residents, int64_t id, uint64_t bytes, cli_resident_open open, void *user,
                             const cli_session **session, rp_error *err);
void cli_residents_give(cli_residents *residents, const cli_session *session);

typedef enum cli_resident_state {
  CLI_RESIDENT_ABSENT,
  CLI_RESIDENT_WAIT, /* a key is being opened: this one, or another one that must be ready first */
  CLI_RESIDENT_READY
} cli_resident_state;
/* From any thread. */
cli_resident_state cli_residents_state(cli_residents *residents, int64_t id);
/* Writes the numbers of at most `room` resident keys, and returns how many. From any thread. */
unsigned cli_residents_ids(cli_residents *residents, int64_t *ids, unsigned room);
/* How many keys have been opened, and how many have been closed to make room, since the beginning. */
void cli_residents_counts(cli_residents *residents, uint64_t *n_opened, uint64_t *n_evicted);

#endif
