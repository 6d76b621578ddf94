/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Memory with secrets: its pages are in no core dump and in no child process, and locked as far as the limit allows;
 * when it is released they are ordinary pages again. The system itself is asked, through /proc/self/smaps and a core
 * dump.
 */
#include "fork_child.h"

#include "recording.h"
#include "secret.h"
#include "toy_ops.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { N = 1 << 16, SMALL = 3 };
/* The elements of secret arrays are this, or a multiple of it that the graph computes. */
static const uint64_t pattern = 0x5ec2e7a11ce0ffeeu;

/* ---- What the system says about an address ----------------------------------------------------------------------- */

/* The VmFlags of the mapping that holds the address, or "" if the system does not show them. */
static const char *flags_of(const void *address) {
  static char line[512], found[512];
  FILE *smaps = fopen("/proc/self/smaps", "r");
  int inside = 0;
  *found = 0;
  while (smaps && fgets(line, sizeof line, smaps)) {
    unsigned long long from, to;
    if (sscanf(line, "%llx-%llx ", &from, &to) == 2)
      inside = (uint64_t)(uintptr_t)address >= from && (uint64_t)(uintptr_t)address < to;
    if (inside && strncmp(line, "VmFlags:", 8) == 0) strcpy(found, line + 8);
  }
  if (smaps) fclose(smaps);
  return found;
}

static int has(const void *address, const char *flag) { return strstr(flags_of(address), flag) != NULL; }

/* Looks at the pages of the first, the middle and the last byte. */
static int all_have(const char *memory, size_t bytes, const char *flag) {
  return has(memory, flag) && has(memory + bytes / 2, flag) && has(memory + bytes - 1, flag);
}

static int none_has(const char *memory, size_t bytes, const char *flag) {
  return !has(memory, flag) && !has(memory + bytes / 2, flag) && !has(memory + bytes - 1, flag);
}

/* Under sanitizers munlock does nothing, and the process may not be allowed to lock any memory. */
static int locks, unlocks;
static void try_to_unlock(void) {
  const size_t page = rp_page_bytes();
  char *memory = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(memory != MAP_FAILED);
  locks = mlock2(memory, page, MLOCK_ONFAULT) == 0 && has(memory, " lo");
  unlocks = locks && munlock(memory, page) == 0 && !has(memory, " lo");
  if (!locks) print_message("this process may lock nothing: what is locked is not looked at\n");
  if (locks && !unlocks) print_message("munlock does nothing here: what has been unlocked is not looked at\n");
  munmap(memory, page);
}

static size_t locked_bytes(void) {
  char line[256];
  unsigned long long kib = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "VmLck: %llu kB", &kib) == 1) break;
  if (status) fclose(status);
  return (size_t)kib << 10;
}

/* ---- A graph with secrets and without ---------------------------------------------------------------------------- */

typedef struct world {
  rp_context *context;
  rp_device *device;
  rp_graph *graph;
  rp_value in, open, out;
  rp_recording *recording;
} world;

/* A graph that takes `len` secret elements (public if `secret` is 0) through two intermediates, and `len` public
 * ones. */
static int open_world(world *w, uint64_t len, int secret) {
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 2};
  *w = (world){0};
  if (rp_context_create(NULL, &w->context, NULL) != RP_OK ||
      rp_device_open(w->context, &cpu, &w->device, NULL) != RP_OK ||
      rp_graph_create(w->context, "secret", &w->graph, NULL) != RP_OK)
    return 0;
  w->in = rp_graph_input(w->graph, "in", &toy_u64, len, secret ? RP_SECRET : 0);
  w->out = toy_sum(w->graph, toy_scale(w->graph, toy_scale(w->graph, w->in, 3), 5));
  rp_graph_output(w->graph, "out", w->out, 0);
  return rp_record(w->device, w->graph, NULL, &w->recording, NULL) == RP_OK;
}

static void close_world(world *w) {
  rp_recording_destroy(w->recording);
  rp_graph_destroy(w->graph);
  rp_device_close(w->device);
  rp_context_destroy(w->context);
}

/* Runs with `value` in all elements. The caller ends the run. */
static rp_run *run(world *w, uint64_t len, uint64_t value) {
  rp_run *r = NULL;
  if (rp_run_begin(w->recording, UINT64_MAX, &r, NULL) != RP_OK) return NULL;
  uint64_t *in = rp_run_input(r, w->in);
  for (uint64_t i = 0; i < len; i++) in[i] = value;
  if (rp_run_submit(r) != RP_OK || rp_run_wait(r, UINT64_MAX) != RP_OK) return NULL;
  return *(const uint64_t *)rp_run_output(r, w->out) == len * value * 15 ? r : NULL;
}

/* ---- Recordings -------------------------------------------------------------------------------------------------- */

static void every_secret_block(uint64_t len) {
  world w;
  assert_true(open_world(&w, len, 1));
  const rp_part *part = &w.recording->plan->parts[RP_PART_RUN];
  const rp_run *slot = &w.recording->slots[0];
  int secret = 0, inputs = 0;
  for (uint32_t b = 0; b < part->n_blocks; b++) {
    if (!part->blocks[b].secret) continue;
    const char *memory = slot->memory[b].host;
    const size_t bytes = slot->memory[b].bytes;
    assert_true(all_have(memory, bytes, " dd") && all_have(memory, bytes, " wf"));
    secret++;
    inputs += part->blocks[b].space == RP_SPACE_INPUT && has(memory, " lo");
  }
  assert_true(secret >= 2); /* at least staging and arena */
  assert_int_equal(inputs, locks);
  rp_run *r = run(&w, len, pattern);
  assert_non_null(r);
  rp_run_end(r);
  char *where = slot->memory[0].host;
  assert_int_equal(rp_recording_evict(w.recording, NULL), RP_OK); /* frees the memory, to the heap or by unmapping */
  assert_true(!has(where, " dd") && !has(where, " wf") && (!unlocks || !has(where, " lo")));
  assert_non_null(r = run(&w, len, pattern));
  assert_true(has(rp_run_staging(r, &w.recording->plan->values[w.in.id - 1]), " dd"));
  rp_run_end(r);
  close_world(&w);
}

static void secret_blocks_are_guarded(void **state) {
  (void)state;
  every_secret_block(N);
  every_secret_block(SMALL); /* less than a page, but on a page of its own */
}

/* Partial sums of secrets, which have the arena to themselves. Inputs and outputs have public values behind secrets. */
static void every_block_with_a_secret_is_secret(void **state) {
  world w = {0};
  (void)state;
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 2};
  assert_int_equal(rp_context_create(NULL, &w.context, NULL), RP_OK);
  assert_int_equal(rp_device_open(w.context, &cpu, &w.device, NULL), RP_OK);
  assert_int_equal(rp_graph_create(w.context, "scratch", &w.graph, NULL), RP_OK);
  w.in = rp_graph_input(w.graph, "in", &toy_u64, SMALL, RP_SECRET);
  w.open = rp_graph_input(w.graph, "open", &toy_u64, SMALL, 0);
  w.out = toy_sum(w.graph, w.in);
  rp_graph_output(w.graph, "out", w.out, 0);
  rp_graph_output(w.graph, "more", toy_scale(w.graph, w.open, 3), 0);
  const rp_record_options two = {.struct_size = sizeof two, .max_in_flight = 2};
  assert_int_equal(rp_record(w.device, w.graph, &two, &w.recording, NULL), RP_OK);
  const rp_part *part = &w.recording->plan->parts[RP_PART_RUN];
  rp_run *r = NULL;
  assert_int_equal(rp_run_begin(w.recording, UINT64_MAX, &r, NULL), RP_OK);
  for (uint64_t i = 0; i < SMALL; i++) ((uint64_t *)rp_run_input(r, w.in))[i] = pattern;
  memset(rp_run_input(r, w.open), 0, SMALL * sizeof pattern);
  assert_int_equal(rp_run_submit(r), RP_OK);
  assert_int_equal(rp_run_wait(r, UINT64_MAX), RP_OK);
  rp_run_end(r);
  uint32_t arenas = 0;
  for (uint32_t b = 0; b < part->n_blocks; b++) {
    assert_true(part->blocks[b].secret || part->blocks[b].space == RP_SPACE_PARAMETER);
    if (part->blocks[b].space != RP_SPACE_ARENA) continue;
    const rp_memory *m = &w.recording->slots[0].memory[b];
    const volatile uint64_t *sums = (const volatile uint64_t *)m->host;
    assert_true(all_have(m->host, m->bytes, " dd") && has(w.recording->slots[1].memory[b].host, " dd"));
    for (int ms = 0; sums[0] == pattern && ms < 5000; ms++) usleep(1000); /* it is wiped in the background */
    for (uint64_t i = 0; i < SMALL; i++) assert_int_equal(sums[i], 0);
    arenas++;
  }
  assert_int_equal(arenas, 1);
  close_world(&w);
}

/* Runs that only begin, that are cancelled, and that end with a fault leave no more than others. */
static void runs_without_a_result_are_wiped(void **state) {
  (void)state;
  const rp_device_options cpu = {.struct_size = sizeof cpu, .kind = RP_DEVICE_CPU, .cpu_threads = 2};
  static const rp_status ends[] = {RP_OK, RP_ERR_CANCELLED, RP_ERR_INPUT};
  for (int i = 0; i < 3; i++) {
    world w = {0};
    rp_run *r = NULL;
    assert_int_equal(rp_context_create(NULL, &w.context, NULL), RP_OK);
    assert_int_equal(rp_device_open(w.context, &cpu, &w.device, NULL), RP_OK);
    assert_int_equal(rp_graph_create(w.context, "no result", &w.graph, NULL), RP_OK);
    w.in = rp_graph_input(w.graph, "in", &toy_u64, SMALL, RP_SECRET);
    w.out = toy_scale(w.graph, toy_check(w.graph, toy_scale(w.graph, w.in, 3), 1), 5);
    rp_graph_output(w.graph, "out", w.out, 0);
    assert_int_equal(rp_record(w.device, w.graph, NULL, &w.recording, NULL), RP_OK);
    assert_int_equal(rp_run_begin(w.recording, UINT64_MAX, &r, NULL), RP_OK);
    volatile uint64_t *in = rp_run_input(r, w.in);
    const volatile uint64_t *out = rp_run_staging(r, &w.recording->plan->values[w.out.id - 1]);
    for (uint64_t k = 0; k < SMALL; k++) in[k] = pattern;
    if (i == 1) rp_run_cancel(r);
    const rp_status submitted = i ? rp_run_submit(r) : RP_OK;
    assert_int_equal(i < 2 ? submitted : rp_run_wait(r, UINT64_MAX), ends[i]);
    rp_run_end(r);
    for (uint64_t k = 0; k < SMALL; k++) assert_true(in[k] == 0 && out[k] == 0);
    close_world(&w);
  }
}

static void public_blocks_are_not(void **state) {
  world w;
  (void)state;
  assert_true(open_world(&w, N, 0));
  for (uint32_t b = 0; b < w.recording->plan->parts[RP_PART_RUN].n_blocks; b++) {
    const rp_memory *m = &w.recording->slots[0].memory[b];
    assert_true(none_has(m->host, m->bytes, " dd") && (!unlocks || none_has(m->host, m->bytes, " lo")));
  }
  close_world(&w);
}

/* Pages that their owner has locked stay locked if guarding did not lock them. */
static void only_what_was_done_is_undone(void **state) {
  const size_t bytes = 4 * rp_page_bytes();
  char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  (void)state;
  assert_true(memory != MAP_FAILED);
  const int locked = locks && mlock2(memory, bytes, MLOCK_ONFAULT) == 0;
  rp_guard guard = rp_secret_guard(memory, bytes, 0);
  assert_true(all_have(memory, bytes, " dd"));
  rp_secret_release(&guard);
  assert_true(none_has(memory, bytes, " dd") && none_has(memory, bytes, " wf"));
  if (locked) assert_true(all_have(memory, bytes, " lo"));
  guard = (rp_guard){0};
  rp_secret_release(&guard);
  munmap(memory, bytes);
}

/* ---- Limits ------------------------------------------------------------------------------------------------------ */

/* Runs in a child process, as the user nobody: the limit does not hold for privileged processes. */
static void with_limit(void *arg) {
  const struct rlimit limit = {*(const rlim_t *)arg, *(const rlim_t *)arg};
  world w;
  /* The limit is above the hard limit of this process. */
  if (setrlimit(RLIMIT_MEMLOCK, &limit) != 0) _exit(CHILD_SKIPS);
  /* This user namespace does not have the user nobody. */
  if (geteuid() == 0 && setuid(65534) != 0) _exit(CHILD_SKIPS);
  CHILD_CHECK(open_world(&w, N, 1));
  rp_run *r = run(&w, N, pattern);
  CHILD_CHECK(r != NULL);
  const char *in = rp_run_staging(r, &w.recording->plan->values[w.in.id - 1]);
  CHILD_CHECK(has(in, " dd"));
  CHILD_CHECK(locked_bytes() <= limit.rlim_cur);
  CHILD_CHECK(has(in, " lo") == (limit.rlim_cur >= rp_page_bytes()));
  /* The part to be locked is halved until the limit allows it. */
  CHILD_CHECK(locked_bytes() >= limit.rlim_cur / 2);
  if (limit.rlim_cur) CHILD_CHECK(has(in + limit.rlim_cur / 2 - 1, " lo")); /* inputs are locked first */
  rp_run_end(r);
  void *own = rp_secret_alloc(1 << 20);
  CHILD_CHECK(own && has(own, " dd"));
  rp_secret_free(own, 1 << 20);
  close_world(&w);
  CHILD_CHECK(!unlocks || locked_bytes() == 0);
}

static void a_limit_is_kept(void **state) {
  static rlim_t limits[] = {0, 64 << 10, 256 << 10};
  (void)state;
  int tried = 0;
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    const int could = in_child_or_skip(with_limit, &limits[i]);
    if (!could) print_message("a limit of %llu bytes cannot be set here\n", (unsigned long long)limits[i]);
    tried += could;
  }
  if (!tried) skip();
}

/* ---- rp_secret_alloc: secret memory for the caller --------------------------------------------------------------- */

static uint64_t *own;

static void own_memory_is_empty(void *unused) {
  (void)unused;
  for (int i = 0; i < N; i++) CHILD_CHECK(own[i] == 0);
  rp_secret_free(own, N * sizeof *own);
}

static void memory_for_a_caller(void **state) {
  (void)state;
  assert_null(rp_secret_alloc(0));
  assert_null(rp_secret_alloc(SIZE_MAX));
  assert_null(rp_secret_alloc(SIZE_MAX / 2));
  rp_secret_free(NULL, 5);
  own = rp_secret_alloc(N * sizeof *own);
  assert_non_null(own);
  for (int i = 0; i < N; i++) assert_int_equal(own[i], 0);
  for (int i = 0; i < N; i++) own[i] = pattern;
  assert_true(all_have((char *)own, N * sizeof *own, " dd"));
  in_child(own_memory_is_empty, NULL);
  assert_int_equal(own[N - 1], pattern);
  rp_secret_free(own, N * sizeof *own);
}

static world forked;
static rp_run *forked_run;

static void staging_is_empty(void *unused) {
  const uint64_t *in = rp_run_staging(forked_run, &forked.recording->plan->values[forked.in.id - 1]);
  (void)unused;
  for (int i = 0; i < N; i++) CHILD_CHECK(in[i] == 0);
}

static void a_child_has_no_secrets(void **state) {
  (void)state;
  assert_true(open_world(&forked, N, 1));
  assert_non_null(forked_run = run(&forked, N, pattern));
  in_child(staging_is_empty, NULL);
  assert_int_equal(*(const uint64_t *)rp_run_output(forked_run, forked.out), (uint64_t)N * pattern * 15);
  rp_run_end(forked_run);
  close_world(&forked);
}

/* ---- A core dump ------------------------------------------------------------------------------------------------- */

static size_t count_in(const char *path, uint64_t value) {
  static uint64_t block[1 << 14];
  size_t n, found = 0;
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  while ((n = fread(block, sizeof *block, sizeof block / sizeof *block, file)) != 0)
    for (size_t i = 0; i < n; i++) found += block[i] == value;
  fclose(file);
  return found;
}

/* Dies with secrets in staging and arena and, as a control, with another pattern in ordinary memory. */
static void die_with_secrets(const char *folder) {
  enum { ROOM = 1 << 30 }; /* more than the size of this program's core dump, since a truncated one proves nothing */
  struct rlimit limit;
  world w;
  if (chdir(folder) != 0 || getrlimit(RLIMIT_CORE, &limit) != 0) _exit(CHILD_SKIPS);
  limit.rlim_cur = limit.rlim_max;
  if (limit.rlim_max < ROOM || setrlimit(RLIMIT_CORE, &limit) != 0) _exit(CHILD_SKIPS);
  CHILD_CHECK(open_world(&w, N, 1));
  rp_run *r = NULL;
  CHILD_CHECK(rp_run_begin(w.recording, UINT64_MAX, &r, NULL) == RP_OK);
  volatile uint64_t *in = rp_run_input(r, w.in), *plain = malloc(N * sizeof *plain);
  for (int i = 0; i < N; i++) in[i] = pattern;
  CHILD_CHECK(plain != NULL);
  for (int i = 0; i < N; i++) plain[i] = ~pattern;
  CHILD_CHECK(rp_run_submit(r) == RP_OK && rp_run_wait(r, UINT64_MAX) == RP_OK);
  volatile uint64_t *mine = rp_secret_alloc(8);
  CHILD_CHECK(mine != NULL);
  *mine = pattern;
  child_ends_by(SIGABRT);
  raise(SIGABRT);
}

static void a_core_dump_has_no_secrets(void **state) {
  char folder[] = "/tmp/reprise-secret-XXXXXX", path[512];
  size_t secrets = 0, controls = 0;
  int status;
  (void)state;
  assert_non_null(mkdtemp(folder));
  const pid_t child = fork();
  if (child == 0) {
    child_ends_by(SIGALRM);
    alarm(CHILD_SECONDS);
    die_with_secrets(folder);
    _exit(1);
  }
  child_wait(child, &status);
  DIR *list = opendir(folder);
  assert_non_null(list);
  for (const struct dirent *e; (e = readdir(list));) {
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    secrets += count_in(path, pattern) + count_in(path, 3 * pattern) + count_in(path, 15 * pattern);
    controls += count_in(path, ~pattern);
    unlink(path);
  }
  closedir(list);
  rmdir(folder);
  if (WIFSIGNALED(status))
    assert_int_equal(WTERMSIG(status), SIGABRT);
  else
    assert_int_equal(WEXITSTATUS(status), CHILD_SKIPS);
  if (controls == 0) {
    print_message("no whole core comes into the folder of the process here: not looked at\n");
    skip();
  }
  assert_true(controls >= N);
  assert_in_range(secrets, 0, N / 1000); /* stacks and registers may still hold a few words */
}

/* ThreadSanitizer would end a child that starts threads. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "die_after_fork=0"; }

int main(void) {
  if (!*flags_of(&own)) {
    print_message("SKIP: /proc/self/smaps tells no VmFlags here\n");
    return 77;
  }
  try_to_unlock();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(secret_blocks_are_guarded),
      cmocka_unit_test(every_block_with_a_secret_is_secret),
      cmocka_unit_test(runs_without_a_result_are_wiped),
      cmocka_unit_test(public_blocks_are_not),
      cmocka_unit_test(a_limit_is_kept),
      cmocka_unit_test(memory_for_a_caller),
      cmocka_unit_test(a_child_has_no_secrets),
      cmocka_unit_test(a_core_dump_has_no_secrets),
      cmocka_unit_test(only_what_was_done_is_undone),
  };
  return cmocka_run_group_tests_name("secret", tests, NULL, NULL);
}
