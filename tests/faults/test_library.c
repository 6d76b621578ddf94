/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A program that uses the library, in which every allocation, thread, random number, open, read, write, rename and sync
 * fails once. Each attempt succeeds or ends with the status of what failed, frees every block that it took, and leaves
 * no file, and the same context can still prove afterwards. With an argument, every fault is tried, otherwise as many
 * as 20 seconds allow.
 */
#include <reprise/graphs.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define FIXTURE TEST_DATA_DIR "/fixtures/multiplier_bn254/"

/* ---- The C library, with calls redirected by the linker ---------------------------------------------------------- */

enum { ALLOC = 1, THREAD, RANDOM, OPEN, READ, WRITE, RENAME, SYNC };

static atomic_long calls, live;
static long fail_at = -1;
static int failed_class;

static int fails(int class, int error) {
  if (atomic_fetch_add(&calls, 1) != fail_at) return 0;
  failed_class = class;
  errno = error;
  return 1;
}

static void *kept(void *memory) {
  if (memory) atomic_fetch_add(&live, 1);
  return memory;
}

/* The linker redirects the library's calls of NAME to __wrap_NAME, and calls of __real_NAME to the C library. */
#define WRAP(type, name, parameters) \
  type __real_##name parameters;     \
  type __wrap_##name parameters;     \
  type __wrap_##name parameters

WRAP(void *, malloc, (size_t n)) { return fails(ALLOC, ENOMEM) ? NULL : kept(__real_malloc(n)); }
WRAP(void *, calloc, (size_t n, size_t m)) { return fails(ALLOC, ENOMEM) ? NULL : kept(__real_calloc(n, m)); }
WRAP(void *, realloc, (void *old, size_t n)) {
  if (fails(ALLOC, ENOMEM)) return NULL;
  return old ? __real_realloc(old, n) : kept(__real_realloc(old, n));
}
WRAP(void *, aligned_alloc, (size_t align, size_t n)) {
  return fails(ALLOC, ENOMEM) ? NULL : kept(__real_aligned_alloc(align, n));
}
WRAP(int, posix_memalign, (void **memory, size_t align, size_t n)) {
  if (fails(ALLOC, ENOMEM)) return ENOMEM;
  int result = __real_posix_memalign(memory, align, n);
  if (result == 0) kept(*memory);
  return result;
}
WRAP(char *, strdup, (const char *text)) { return fails(ALLOC, ENOMEM) ? NULL : kept(__real_strdup(text)); }
WRAP(char *, strndup, (const char *text, size_t n)) {
  return fails(ALLOC, ENOMEM) ? NULL : kept(__real_strndup(text, n));
}
WRAP(char *, realpath, (const char *path, char *out)) {
  return fails(ALLOC, ENOMEM) ? NULL : kept(__real_realpath(path, out));
}
WRAP(void, free, (void *memory)) {
  if (memory) atomic_fetch_sub(&live, 1);
  __real_free(memory);
}
WRAP(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)) {
  return fails(THREAD, EAGAIN) ? EAGAIN : __real_pthread_create(thread, attributes, start, argument);
}
WRAP(ssize_t, getrandom, (void *data, size_t n, unsigned flags)) {
  return fails(RANDOM, ENOSYS) ? -1 : __real_getrandom(data, n, flags);
}
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  unsigned mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, unsigned) : 0;
  va_end(args);
  return fails(OPEN, EMFILE) ? -1 : __real_open(path, flags, mode);
}
WRAP(ssize_t, pread, (int fd, void *data, size_t n, off_t offset)) {
  return fails(READ, EIO) ? -1 : __real_pread(fd, data, n, offset);
}
WRAP(ssize_t, write, (int fd, const void *data, size_t n)) {
  return fails(WRITE, ENOSPC) ? -1 : __real_write(fd, data, n);
}
WRAP(int, linkat, (int a, const char *from, int b, const char *to, int flags)) {
  return fails(RENAME, EXDEV) ? -1 : __real_linkat(a, from, b, to, flags);
}
WRAP(int, rename, (const char *from, const char *to)) { return fails(RENAME, EXDEV) ? -1 : __real_rename(from, to); }
WRAP(int, fsync, (int fd)) { return fails(SYNC, EIO) ? -1 : __real_fsync(fd); }

/* ---- What the program does --------------------------------------------------------------------------------------- */

typedef struct program {
  rp_context *context;
  rp_device *device;
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  char saved[64], fresh[64];
} program;

static rp_status prove(program *p, rp_error *err) {
  rp_groth16_proof proof;
  uint8_t signals[32];
  return rp_groth16_prove_file(p->prover, FIXTURE "witness.wtns", &proof, signals, NULL, err);
}

/* A job whose status is RP_OK has a proof, and no other job has one. */
static rp_status batch(program *p, rp_error *err) {
  enum { JOBS = 3 };
  static const rp_groth16_proof none;
  rp_groth16_proof proof[JOBS];
  rp_groth16_job jobs[JOBS];
  for (int i = 0; i < JOBS; i++)
    jobs[i] = (rp_groth16_job){
        .struct_size = sizeof(rp_groth16_job), .wtns_path = FIXTURE "witness.wtns", .proof = &proof[i]};
  memset(proof, 1, sizeof proof);
  rp_status status = rp_groth16_prove_batch(p->prover, jobs, JOBS, err), worst = RP_OK;
  for (int i = 0; i < JOBS; i++) {
    if (jobs[i].status != RP_OK && worst == RP_OK) worst = jobs[i].status;
    assert_int_equal(jobs[i].error.status, jobs[i].status);
    assert_int_equal(memcmp(&proof[i], &none, sizeof none) == 0, jobs[i].status != RP_OK);
  }
  assert_int_equal(status, worst);
  return status;
}

static rp_status record(program *p, rp_error *err) {
  rp_status status = rp_groth16_save(p->prover, p->fresh, err);
  assert_int_equal(access(p->fresh, F_OK) == 0, status == RP_OK);
  unlink(p->fresh);
  return status;
}

static rp_status replay_of(program *p, const char *path, rp_error *err) {
  program own = {.context = p->context, .device = p->device};
  rp_status status = rp_groth16_key_open(p->context, path, NULL, &own.key, err);
  if (status == RP_OK) status = rp_groth16_prover_create(p->device, own.key, NULL, &own.prover, err);
  if (status == RP_OK) status = prove(&own, err);
  rp_groth16_prover_destroy(own.prover);
  rp_groth16_key_close(own.key);
  return status;
}
static rp_status replay(program *p, rp_error *err) { return replay_of(p, p->saved, err); }
static rp_status load(program *p, rp_error *err) { return replay_of(p, FIXTURE "circuit.zkey", err); }

static rp_status verify(program *p, rp_error *err) {
  rp_groth16_vkey *vkey = NULL;
  rp_groth16_proof proof;
  uint8_t signals[32];
  rp_status status = rp_groth16_vkey_from_key(p->key, &vkey, err);
  if (status == RP_OK) status = rp_groth16_prove_file(p->prover, FIXTURE "witness.wtns", &proof, signals, NULL, err);
  if (status == RP_OK) status = rp_groth16_verify(vkey, &proof, signals, 1, err);
  rp_groth16_vkey_destroy(vkey);
  return status;
}

/* A run that is cancelled before it starts. */
static rp_status cancel(program *p, rp_error *err) {
  rp_run *run = NULL;
  rp_status status = rp_run_begin(rp_groth16_prover_recording(p->prover), UINT64_MAX, &run, err);
  if (status != RP_OK) return status;
  rp_run_cancel(run);
  rp_run_end(run);
  return RP_OK;
}

static rp_status whole(program *unused, rp_error *err) {
  (void)unused;
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CPU, .cpu_threads = 2};
  program p = {0};
  rp_status status = rp_context_create(NULL, &p.context, err);
  if (status == RP_OK) status = rp_device_open(p.context, &options, &p.device, err);
  if (status == RP_OK) status = load(&p, err);
  rp_device_close(p.device);
  rp_context_destroy(p.context);
  return status;
}

/* ---- One fault at a time ----------------------------------------------------------------------------------------- */

static int is_expected(int class, rp_status status) {
  if (status == RP_OK) return 1; /* the library did without what failed */
  switch (class) {
  case ALLOC:
  /* On a CPU, host memory is device memory. */
  case THREAD: return status == RP_ERR_MEMORY || status == RP_ERR_DEVICE_MEMORY;
  case RANDOM: return status == RP_ERR_UNAVAILABLE;
  default: return status == RP_ERR_FILE;
  }
}

static program shared;
static double seconds = 20;

static long count(rp_status (*scenario)(program *, rp_error *)) {
  rp_error err = {0};
  fail_at = -1;
  atomic_store(&calls, 0);
  rp_status status = scenario(&shared, &err);
  if (status != RP_OK) fail_msg("without a fault: %s", err.reason);
  return atomic_load(&calls);
}

static void one_fault(const char *name, rp_status (*scenario)(program *, rp_error *), long at) {
  rp_error err = {0};
  const long before = atomic_load(&live);
  failed_class = 0;
  atomic_store(&calls, 0);
  fail_at = at;
  rp_status status = scenario(&shared, &err);
  fail_at = -1;
  if (!is_expected(failed_class, status))
    fail_msg("%s, call %ld of class %d: %s: %s", name, at, failed_class, rp_status_name(status), err.reason);
  if (status != RP_OK && (err.status != status || !err.reason[0]))
    fail_msg("%s, call %ld of class %d: %s, and the error says %s", name, at, failed_class, rp_status_name(status),
             rp_status_name(err.status));
  /* A lack of memory may have evicted the shared prover, which is loaded again for its next proof. */
  status = prove(&shared, &err);
  if (status != RP_OK) fail_msg("%s, call %ld: no proof afterwards: %s", name, at, err.reason);
  if (atomic_load(&live) != before)
    fail_msg("%s, call %ld of class %d: %ld blocks are left", name, at, failed_class, atomic_load(&live) - before);
}

static const struct {
  const char *name;
  rp_status (*run)(program *, rp_error *);
} scenarios[] = {{"prove", prove},   {"batch", batch}, {"record", record}, {"replay", replay},
                 {"verify", verify}, {"load", load},   {"cancel", cancel}, {"whole", whole}};
enum { SCENARIOS = sizeof scenarios / sizeof scenarios[0] };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The faults that are left out for lack of time are spread evenly: the order goes through each scenario with a stride
 * of the golden ratio. */
static void every_call_fails_once(void **state) {
  (void)state;
  long total = 0, tried = 0;
  for (int s = 0; s < SCENARIOS; s++) {
    count(scenarios[s].run); /* the first use allocates what is kept afterwards */
    const long n = count(scenarios[s].run);
    long stride = n * 618 / 1000 | 1, at = 0;
    for (long a = stride, b = n; b;) { /* until the stride has no common factor with n */
      long rest = a % b;
      a = b;
      b = rest;
      if (b == 0 && a > 1) stride += 2, a = stride, b = n;
    }
    const double begin = now();
    long i = 0;
    for (; i < n && (seconds <= 0 || now() - begin < seconds / SCENARIOS); i++, at = (at + stride) % n)
      one_fault(scenarios[s].name, scenarios[s].run, at);
    total += n;
    tried += i;
    print_message("%s: %ld of %ld faults\n", scenarios[s].name, i, n);
  }
  print_message("%ld of %ld faults\n", tried, total);
  assert_true(tried >= SCENARIOS);
}

static int setup(void **state) {
  (void)state;
  const rp_device_options options = {.struct_size = sizeof options, .kind = RP_DEVICE_CPU, .cpu_threads = 2};
  const rp_groth16_prover_options two = {.struct_size = sizeof two, .max_in_flight = 2};
  snprintf(shared.saved, sizeof shared.saved, "/tmp/reprise-faults-%ld.rpk", (long)getpid());
  snprintf(shared.fresh, sizeof shared.fresh, "/tmp/reprise-faults-%ld-fresh.rpk", (long)getpid());
  if (rp_context_create(NULL, &shared.context, NULL) != RP_OK) return -1;
  if (rp_device_open(shared.context, &options, &shared.device, NULL) != RP_OK) return -1;
  if (rp_groth16_key_open(shared.context, FIXTURE "circuit.zkey", NULL, &shared.key, NULL) != RP_OK) return -1;
  if (rp_groth16_prover_create(shared.device, shared.key, &two, &shared.prover, NULL) != RP_OK) return -1;
  return rp_groth16_save(shared.prover, shared.saved, NULL) == RP_OK ? 0 : -1;
}

static int teardown(void **state) {
  (void)state;
  rp_groth16_prover_destroy(shared.prover);
  rp_groth16_key_close(shared.key);
  rp_device_close(shared.device);
  rp_context_destroy(shared.context);
  return unlink(shared.saved);
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) seconds = 0;
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_call_fails_once)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
