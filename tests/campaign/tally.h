/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Results of the cases: counts of statuses by each `question`, events that must not occur, and memory over time.
 * Several threads may count at once.
 */
#ifndef REPRISE_TESTS_CAMPAIGN_TALLY_H
#define REPRISE_TESTS_CAMPAIGN_TALLY_H

#include "key.h"

#include <stdatomic.h>

/* X(enumerator, name): the witness that is given */
#define WITNESS_LIST(X)                            \
  X(WITNESS_SOUND, "a witness that satisfies")     \
  X(WITNESS_CHANGED, "a constraint does not hold") \
  X(WITNESS_RANGE, "a value not below the order")  \
  X(WITNESS_FIRST, "first value not 1")            \
  X(WITNESS_LENGTH, "one value too few")           \
  X(WITNESS_CURVE, "of the other curve")           \
  X(WITNESS_CUT, "cut short")
typedef enum witness_id {
#define WITNESS_ENUM(id, name) id,
  WITNESS_LIST(WITNESS_ENUM)
#undef WITNESS_ENUM
      WITNESSES
} witness_id;

/* X(enumerator, name): the way a proof is asked for */
#define PATH_LIST(X)                            \
  X(PATH_VALUES, "prove_values")                \
  X(PATH_WTNS, "prove")                         \
  X(PATH_FILE, "prove_file")                    \
  X(PATH_BLINDING, "prove_unsafe_blinding")     \
  X(PATH_BATCH, "prove_batch")                  \
  X(PATH_BATCH_FILES, "prove_batch from files") \
  X(PATH_CANCEL, "run, cancelled at some time")
typedef enum path_id {
#define PATH_ENUM(id, name) id,
  PATH_LIST(PATH_ENUM)
#undef PATH_ENUM
      PATHS
} path_id;

/* X(enumerator, name): where a key comes from, and how it is used */
#define SOURCE_LIST(X)                                 \
  X(SOURCE_MEMORY, "zkey in memory")                   \
  X(SOURCE_FILE, "zkey file")                          \
  X(SOURCE_RECORDED, "recorded file")                  \
  X(SOURCE_RECORDED_MEMORY, "recorded file in memory") \
  X(SOURCE_STREAMED, "points streamed")
typedef enum source_id {
#define SOURCE_ENUM(id, name) id,
  SOURCE_LIST(SOURCE_ENUM)
#undef SOURCE_ENUM
      SOURCES
} source_id;

/* X(enumerator, text): events that must not occur */
#define WRONG_LIST(X)                                                  \
  X(WRONG_INVALID, "released, and the verifier refuses it")            \
  X(WRONG_RELEASED, "released, and had to be refused")                 \
  X(WRONG_REFUSED, "refused, and had to be released")                  \
  X(WRONG_STATUS, "refused with another status than its reason")       \
  X(WRONG_LEFT, "bytes left in the caller's memory after a refusal")   \
  X(WRONG_SIGNALS, "public signals that are not those of the witness") \
  X(WRONG_POINTS, "a check of a key's points that is wrong")           \
  X(WRONG_BUDGET, "no memory, and nothing else was running")           \
  X(WRONG_LEAK, "host memory not given back")
typedef enum wrong_id {
#define WRONG_ENUM(id, text) id,
  WRONG_LIST(WRONG_ENUM)
#undef WRONG_ENUM
      WRONGS
} wrong_id;

enum { STATUSES = RP_ERR_INTERNAL + 1, MOST_ROWS = 16 };
typedef enum question { BY_WITNESS, BY_FAULT, BY_PATH, BY_SOURCE, BY_SHAPE, QUESTIONS } question;

typedef struct tally {
  _Atomic uint64_t counts[QUESTIONS][MOST_ROWS][STATUSES];
  _Atomic uint64_t wrong[WRONGS], cases, proofs, evictions, waits_for_memory, keys, keys_refused;
} tally;

typedef struct attempt {
  witness_id witness;
  fault_id fault;
  path_id path;
  source_id source;
  shape_id shape;
} attempt;

void tally_count(tally *t, const attempt *a, rp_status status);
void tally_print(const tally *t);
uint64_t tally_wrongs(const tally *t);
const char *wrong_text(wrong_id id);
const char *witness_name(witness_id id);
const char *path_name(path_id id);
const char *source_name(source_id id);

/* The process's peak memory since the last call, in MiB; 0 if the system does not report it. */
double peak_mib(void);

#endif
