/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proofs of PLONK, or of FFLONK (system.h), of random small circuits, sound and spoilt, by several threads with one
 * prover: see `usage`, and the section "Campaign" of docs/reliability.md. Circuits, keys and witnesses follow from the
 * seed; blinding values and the timing of threads do not.
 */
#include "system.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "usage: " SYSTEM "_campaign [options]\n"
    "Proofs of " SYSTEM
    ", of random small circuits on the CPU. Whatever is released is verified with a key of its own; exit\n"
    "code 1 if anything was released that must not be, or refused that must not be.\n"
    "  --count N      proofs that are asked for; default: 1000\n"
    "  --per-key N    of them with one key; default: 100\n"
    "  --seed N       default: 1\n";

enum { MOST_JOBS = 4, MOST_CLIENTS = 4, MOST_PUBLIC = 5, LEAST_LOG = 3, LOGS = 4, UNTOUCHED = 0x5a };

typedef enum spoilt_id { SOUND, CHANGED, RANGE, FIRST, CUT, SPOILT } spoilt_id;
static const char *const spoilt_name[SPOILT] = {"a witness that satisfies", "a constraint does not hold",
                                                "a value not below the order", "first value not 1", "cut short"};
typedef enum way_id { VALUES, WTNS, WTNS_FILE, BATCH, WAYS } way_id;

typedef struct campaign {
  uint64_t count, per_key, seed, random;
  char folder[128];
  rp_context *context;
  rp_device *device;
  _Atomic uint64_t asked, released, refused, wrong;
  uint64_t keys, keys_refused;
} campaign;

/* A key, and what its clients share. */
typedef struct round {
  campaign *all;
  uint64_t number, cases;
  plonk_circuit circuit;
  uint8_t *zkey, *wtns; /* contents of files; all values of the witness are replaced */
  size_t zkey_bytes, wtns_bytes;
  int altered; /* 1: a polynomial or a power of tau does not belong to the verification part */
  RP(key) * key;
  RP(prover) * prover;
  RP(vkey) * judge;
  _Atomic uint64_t next;
} round_t;

typedef struct job {
  spoilt_id spoilt;
  uint8_t *wtns, *values; /* a file's content, and the values within it */
  size_t bytes;
  char path[192];
  uint8_t expected[MOST_PUBLIC * 32], signals[MOST_PUBLIC * 32];
  RP(proof) proof;
  rp_status status;
  rp_error err;
} job;

static void fail(const char *what, const rp_error *err) {
  fprintf(stderr, SYSTEM "_campaign: %s: %s\n", what, err ? err->reason : "");
  exit(2);
}

static void *memory(size_t bytes) {
  void *p = calloc(1, bytes + 1);
  if (!p) fail("out of memory", NULL);
  return p;
}

static uint32_t below(uint64_t *random, uint32_t n) { return (uint32_t)((plonk_next(random) >> 32) * n >> 32); }

static uint8_t *read_whole(const char *path, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  long size = -1;
  if (file && !fseek(file, 0, SEEK_END)) size = ftell(file);
  if (size < 0) fail("cannot be read", &(rp_error){0});
  uint8_t *data = memory((size_t)size);
  rewind(file);
  *bytes = fread(data, 1, (size_t)size, file);
  if (fclose(file) != 0 || *bytes != (size_t)size) fail("cannot be read", NULL);
  return data;
}

static void write_whole(const char *path, const uint8_t *data, size_t bytes) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0) fail("cannot be written", NULL);
}

/* ---- Witnesses --------------------------------------------------------------------------------------------------- */

static size_t n_inputs(const plonk_circuit *c) { return c->n_witness - (c->n_constraints - c->n_public); }

static void value_of(const plonk_circuit *c, const rp_field_host *fr, const plonk_fr *value, uint32_t variable,
                     plonk_fr *out) {
  plonk_fr x, f;
  if (variable < c->n_witness) {
    *out = value[variable];
    return;
  }
  const plonk_addition *a = &c->addition[variable - c->n_witness];
  fr->zero(out);
  for (int k = 0; k < 2; k++) {
    value_of(c, fr, value, a->signal[k], &x);
    memcpy(&f, a->factor[k], sizeof f);
    fr->mul(&x, &x, &f);
    fr->add(out, out, &x);
  }
}

/* Makes a witness: inputs are random, some of them 0 or 1, and each row gives the value of its last wire. */
static void solve(const plonk_circuit *c, uint64_t *random, uint8_t *values) {
  const rp_field_host *fr = rp_field_get(RP_FIELD_BN254_FR);
  plonk_fr *value = memory(c->n_witness * sizeof *value), a, b, x;
  for (size_t i = 1; i < n_inputs(c); i++) {
    const uint32_t die = below(random, 4);
    if (die == 0)
      fr->zero(&value[i]);
    else if (die == 1)
      fr->one(&value[i]);
    else
      plonk_next_element(fr, random, &value[i]);
  }
  for (uint32_t row = c->n_public; row < c->n_constraints; row++) {
    plonk_fr *out = &value[c->map[2][row]];
    value_of(c, fr, value, c->map[0][row], &a);
    value_of(c, fr, value, c->map[1][row], &b);
    *out = c->selector[PLONK_KEY_QC][row];
    fr->mul(&x, &c->selector[PLONK_KEY_QL][row], &a);
    fr->add(out, out, &x);
    fr->mul(&x, &c->selector[PLONK_KEY_QR][row], &b);
    fr->add(out, out, &x);
    fr->mul(&x, &a, &b);
    fr->mul(&x, &x, &c->selector[PLONK_KEY_QM][row]);
    fr->add(out, out, &x);
  }
  fr->one(&value[0]);
  for (uint32_t i = 0; i < c->n_witness; i++) {
    fr->to_canonical(&x, &value[i]);
    memcpy(values + 32 * (size_t)i, &x, 32);
  }
  free(value);
}

static void job_make(const round_t *r, uint64_t *random, const char *path, job *j) {
  const plonk_circuit *c = &r->circuit;
  const uint8_t *order = rp_field_get(RP_FIELD_BN254_FR)->modulus_le;
  memset(j, 0, sizeof *j);
  snprintf(j->path, sizeof j->path, "%s", path);
  memset(&j->proof, UNTOUCHED, sizeof j->proof);
  memset(j->signals, UNTOUCHED, sizeof j->signals);
  j->bytes = r->wtns_bytes;
  j->wtns = memory(j->bytes);
  memcpy(j->wtns, r->wtns, j->bytes);
  j->values = j->wtns + j->bytes - 32 * (size_t)c->n_witness;
  solve(c, random, j->values);
  memcpy(j->expected, j->values + 32, 32 * (size_t)c->n_public);
  if (below(random, 3) == 0) j->spoilt = below(random, 2) ? CHANGED : (spoilt_id)(1 + below(random, SPOILT - 1));
  const size_t which = n_inputs(c) + below(random, (uint32_t)(c->n_witness - n_inputs(c))); /* a row's result */
  if (j->spoilt == CHANGED) j->values[32 * which] ^= 1;
  if (j->spoilt == RANGE) memcpy(j->values + 32 * which, order, 32);
  if (j->spoilt == FIRST) j->values[0] = 2;
  if (j->spoilt == CUT) j->bytes -= 1 + below(random, 32);
}

/* ---- Verdicts ---------------------------------------------------------------------------------------------------- */

static rp_status status_of(const round_t *r, const job *j, way_id way) {
  switch (j->spoilt) {
  case SOUND: return r->altered ? RP_ERR_VERIFY : RP_OK;
  case CHANGED: return RP_ERR_VERIFY;
  case CUT: return way == VALUES ? RP_ERR_MISMATCH : RP_ERR_FORMAT;
  default: return way == VALUES ? RP_ERR_INPUT : RP_ERR_FORMAT;
  }
}

static void judge(round_t *r, const job *j, way_id way) {
  static const RP(proof) nothing;
  static const uint8_t zeros[sizeof j->signals];
  const size_t n = r->circuit.n_public, bytes = 32 * n;
  const char *why = NULL;
  if (j->status != status_of(r, j, way)) why = "another status than expected";
  if (j->status == RP_OK && RP(verify)(r->judge, &j->proof, n ? j->signals : NULL, n, NULL) != RP_OK)
    why = "released, and it does not verify";
  if (j->status == RP_OK && memcmp(j->signals, j->expected, bytes) != 0) why = "public signals of another witness";
  if (j->status != RP_OK && memcmp(&j->proof, &nothing, sizeof nothing) != 0) why = "a refused proof is left";
  if (j->status != RP_OK && memcmp(j->signals, zeros, bytes) != 0 && j->signals[0] != UNTOUCHED)
    why = "public signals of a refused proof are left";
  atomic_fetch_add(j->status == RP_OK ? &r->all->released : &r->all->refused, 1);
  if (!why) return;
  atomic_fetch_add(&r->all->wrong, 1);
  fprintf(stderr, "WRONG: key %llu of seed %llu%s, %s, way %d: %s: %s (%s)\n", (unsigned long long)r->number,
          (unsigned long long)r->all->seed, r->altered ? ", altered" : "", spoilt_name[j->spoilt], (int)way, why,
          rp_status_name(j->status), j->err.reason);
}

/* ---- Cases ------------------------------------------------------------------------------------------------------- */

static void prove_batch(round_t *r, job *jobs, uint32_t n, uint64_t *random) {
  RP(job) batch[MOST_JOBS];
  for (uint32_t i = 0; i < n; i++) {
    batch[i] = (RP(job)){.struct_size = sizeof batch[i], .proof = &jobs[i].proof, .public_signals = jobs[i].signals};
    if (below(random, 2)) {
      batch[i].wtns = jobs[i].wtns, batch[i].wtns_bytes = jobs[i].bytes;
    } else {
      write_whole(jobs[i].path, jobs[i].wtns, jobs[i].bytes);
      batch[i].wtns_path = jobs[i].path;
    }
  }
  const rp_status status = RP(prove_batch)(r->prover, batch, n, NULL);
  rp_status first = RP_OK;
  for (uint32_t i = n; i-- > 0;) {
    jobs[i].status = batch[i].status, jobs[i].err = batch[i].error;
    if (batch[i].status != RP_OK) first = batch[i].status;
  }
  if (status != first) atomic_fetch_add(&r->all->wrong, 1);
}

static void prove_one(round_t *r, job *j, way_id way) {
  const size_t n = r->circuit.n_witness - (j->spoilt == CUT);
  if (way == VALUES)
    j->status = RP(prove_values)(r->prover, j->values, n, &j->proof, j->signals, NULL, &j->err);
  else if (way == WTNS)
    j->status = RP(prove)(r->prover, j->wtns, j->bytes, &j->proof, j->signals, NULL, &j->err);
  else
    write_whole(j->path, j->wtns, j->bytes),
        j->status = RP(prove_file)(r->prover, j->path, &j->proof, j->signals, NULL, &j->err);
}

static void *client(void *arg) {
  round_t *r = arg;
  job jobs[MOST_JOBS];
  for (uint64_t i; (i = atomic_fetch_add(&r->next, 1)) < r->cases;) {
    uint64_t random = r->all->seed ^ (r->number << 32 | i);
    const way_id way = (way_id)below(&random, WAYS);
    uint32_t n = way == BATCH ? 1 + below(&random, MOST_JOBS) : 1;
    for (uint32_t k = 0; k < n; k++) {
      char path[192];
      snprintf(path, sizeof path, "%s/%llu.%u.wtns", r->all->folder, (unsigned long long)i, k);
      job_make(r, &random, path, &jobs[k]);
    }
    if (way == BATCH)
      prove_batch(r, jobs, n, &random);
    else
      prove_one(r, &jobs[0], way);
    atomic_fetch_add(&r->all->asked, n);
    for (uint32_t k = 0; k < n; k++) {
      judge(r, &jobs[k], way);
      unlink(jobs[k].path);
      free(jobs[k].wtns);
    }
  }
  return NULL;
}

/* ---- Keys -------------------------------------------------------------------------------------------------------- */

/* Alters one coefficient of a polynomial, or one power of tau. */
static void alter(round_t *r, uint64_t *random) {
  support_file *file = NULL;
  system_zkey read;
  rp_error err = {0};
  if (support_file_wrap("key", r->zkey, r->zkey_bytes, &file, &err) != RP_OK ||
      system_zkey_open(file, &read, &err) != RP_OK)
    fail("a key cannot be read", &err);
  const uint32_t n = (uint32_t)r->circuit.n, k = 1 + below(random, n - 1);
  const uint32_t kind = below(random, PLONK_KEY_POINTS + 1);
  uint8_t *tau = r->zkey + read.common.bin.section[SYSTEM_TAU].offset;
  if (kind == PLONK_KEY_POINTS)
    memcpy(tau + (size_t)k * PLONK_POINT_BYTES, tau, PLONK_POINT_BYTES);
  else
    r->zkey[system_polynomial(&read, kind) + k * PLONK_SCALAR_BYTES] ^= 1;
  support_file_close(file);
  r->altered = 1;
}

static void make_files(round_t *r, uint64_t *random) {
  campaign *all = r->all;
  char path[3][256];
  rp_error err = {0};
  size_t bytes;
  static const char *const name[3] = {"key.zkey", "key.wtns", "key.json"};
  for (int i = 0; i < 3; i++) snprintf(path[i], sizeof path[i], "%s/%s", all->folder, name[i]);
  const plonk_setup setup = {.log_domain = LEAST_LOG + below(random, LOGS),
                             .n_public = below(random, MOST_PUBLIC + 1 - BLINDED_ROWS / 2),
                             .seed = plonk_next(random),
                             .zkey_out = path[0],
                             .wtns_out = path[1],
                             .vkey_out = path[2]};
  if (SETUP_RUN(all->context, all->device, &setup, &err) != RP_OK ||
      plonk_circuit_make(setup.log_domain, setup.n_public, BLINDED_ROWS, setup.seed, &r->circuit, &err) != RP_OK)
    fail("no key", &err);
  r->zkey = read_whole(path[0], &r->zkey_bytes);
  r->wtns = read_whole(path[1], &r->wtns_bytes);
  char *json = (char *)read_whole(path[2], &bytes);
  if (RP(vkey_from_json)(all->context, json, bytes, &r->judge, &err) != RP_OK) fail("no verification key", &err);
  free(json);
  for (int i = 0; i < 3; i++) unlink(path[i]);
}

/* Opens a prover with up to three runs in flight; one in three provers gets the least possible memory. */
static void open_prover(round_t *r, uint64_t *random) {
  RP(prover_options) options = {.struct_size = sizeof options, .max_in_flight = 1 + below(random, 3)};
  rp_plan_info plan = {.struct_size = sizeof plan};
  rp_error err = {0};
  if (below(random, 3) == 0) {
    options.memory_budget_bytes = 1;
    if (RP(plan)(r->all->device, r->key, &options, &plan, &err) != RP_ERR_BUDGET) fail("a plan of one byte", &err);
    options.memory_budget_bytes = plan.total_bytes;
  }
  if (RP(prover_create)(r->all->device, r->key, &options, &r->prover, &err) != RP_OK) fail("no prover", &err);
}

static void round_run(campaign *all) {
  round_t r = {.all = all, .number = all->keys++, .cases = all->per_key};
  uint64_t random = plonk_next(&all->random);
  rp_error err = {0};
  pthread_t threads[MOST_CLIENTS];
  uint32_t n = 1 + below(&random, MOST_CLIENTS), started = 0;
  make_files(&r, &random);
  if (below(&random, 3) == 0) alter(&r, &random);
  if (RP(key_open_memory)(all->context, r.zkey, r.zkey_bytes, NULL, &r.key, &err) != RP_OK) fail("no key", &err);
  open_prover(&r, &random);
  RP(key_close)(r.key);
  while (started < n && pthread_create(&threads[started], NULL, client, &r) == 0) started++;
  if (started == 0) fail("no thread", NULL);
  for (uint32_t i = 0; i < started; i++) pthread_join(threads[i], NULL);
  RP(prover_destroy)(r.prover);
  RP(vkey_destroy)(r.judge);
  plonk_circuit_free(&r.circuit);
  free(r.zkey), free(r.wtns);
}

static void read_options(int argc, char **argv, campaign *c) {
  *c = (campaign){.count = 1000, .per_key = 100, .seed = 1};
  for (int i = 1; i < argc; i += 2) {
    uint64_t *const option = !strcmp(argv[i], "--count")     ? &c->count
                             : !strcmp(argv[i], "--per-key") ? &c->per_key
                             : !strcmp(argv[i], "--seed")    ? &c->seed
                                                             : NULL;
    if (!option || i + 1 == argc) {
      fputs(usage, !strcmp(argv[i], "--help") ? stdout : stderr);
      exit(!strcmp(argv[i], "--help") ? 0 : 2);
    }
    *option = strtoull(argv[i + 1], NULL, 10);
  }
  c->random = c->seed;
}

int main(int argc, char **argv) {
  static campaign all;
  struct timespec begin, end;
  rp_error err = {0};
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CPU, .cpu_threads = 2};
  read_options(argc, argv, &all);
  const char *parent = getenv("TMPDIR");
  snprintf(all.folder, sizeof all.folder, "%s/reprise_" SYSTEM "_XXXXXX", parent && *parent ? parent : "/tmp");
  if (!mkdtemp(all.folder)) fail("no scratch folder", NULL);
  if (rp_context_create(NULL, &all.context, &err) != RP_OK ||
      rp_device_open(all.context, &options, &all.device, &err) != RP_OK)
    fail("no device", &err);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  while (atomic_load(&all.asked) < all.count) round_run(&all);
  clock_gettime(CLOCK_MONOTONIC, &end);
  rp_device_close(all.device);
  rp_context_release(all.context);
  rmdir(all.folder);
  printf("%llu proofs asked for, with %llu keys: %llu released and verified, %llu refused, %llu wrong; %.1f s\n",
         (unsigned long long)all.asked, (unsigned long long)all.keys, (unsigned long long)all.released,
         (unsigned long long)all.refused, (unsigned long long)all.wrong,
         (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9);
  return all.wrong != 0;
}
