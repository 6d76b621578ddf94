/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Proofs of random circuits under random conditions, each judged by two verifiers: see `usage`, and the section
 * "Campaign" of docs/reliability.md. An interrupt ends the campaign early, with its summary.
 */
#include "round.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char usage[] =
    "usage: campaign [options]\n"
    "Proofs of random circuits in random circumstances. Whatever is released is verified; exit code 1 if anything was\n"
    "released that must not be, or refused that must not be.\n"
    "  --device cpu|cuda|vulkan   where proofs are made; default: cpu\n"
    "  --count N                  proofs that are asked for; default: 1000\n"
    "  --seconds S                stop after so long\n"
    "  --seed N                   everything follows from it; default: 1\n"
    "  --case N                   this case alone, which a report has named\n"
    "  --per-round N              cases of one round, which share a device and up to 5 keys; default: 400. It changes\n"
    "                             what the cases are\n"
    "  --limited N                end a round with memory for fewer keys than it has after so many cases\n"
    "  --clients N                threads that ask for proofs; default: 1 to 4, by the round\n"
    "  --threads N                threads of the CPU device; default: 1 to 4, by the round\n"
    "  --json FOLDER              writes proofs, public signals and keys there, for snarkjs.sh\n"
    "  --every N                  of so many released proofs one is written; default: 1000\n";

static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number) { interrupted = signal_number; }

int campaign_is_over(const campaign *all) {
  return interrupted || atomic_load(&all->tally.proofs) >= all->options.count || clock_ns() >= all->deadline_ns;
}

void wrong(campaign *all, wrong_id id, uint64_t case_number, const attempt *a, const char *reason) {
  enum { MOST_REPORTS = 20 };
  if (atomic_fetch_add(&all->tally.wrong[id], 1) >= MOST_REPORTS) return;
  fprintf(stderr, "WRONG: case %llu: %s. %s\n", (unsigned long long)case_number, wrong_text(id), reason);
  if (a)
    fprintf(stderr, "  %s; %s; key: %s, from %s; circuit: %s\n", path_name(a->path), witness_name(a->witness),
            fault_names[a->fault], source_name(a->source), shape_names[a->shape]);
  fprintf(stderr, "  again: campaign --device %s --seed %llu --per-round %llu --case %llu",
          rp_device_kind_name(all->options.device), (unsigned long long)all->options.seed,
          (unsigned long long)all->options.per_round, (unsigned long long)case_number);
  if (all->options.threads) fprintf(stderr, " --threads %u", all->options.threads); /* else it follows from the round */
  fprintf(stderr, "\n");
}

static void fail(const char *what, const char *why) {
  fprintf(stderr, "campaign: %s%s\n", what, why);
  exit(2);
}

static uint64_t number(const char *text, const char *option) {
  char *end;
  const uint64_t value = strtoull(text, &end, 10);
  if (*text < '0' || *text > '9' || *end) fail("a number is needed after ", option);
  return value;
}

static rp_device_kind device_kind(const char *name) {
  for (int kind = RP_DEVICE_CPU; kind < RP_DEVICE_NULL; kind++)
    if (!strcmp(name, rp_device_kind_name((rp_device_kind)kind))) return (rp_device_kind)kind;
  fail("no such device: ", name);
  return RP_DEVICE_CPU;
}

static void read_options(int argc, char **argv, campaign_options *o) {
  *o = (campaign_options){.device = RP_DEVICE_CPU, .seed = 1, .count = 1000, .per_round = 400, .every = 1000};
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i], *value = i + 1 < argc ? argv[++i] : "";
    if (!strcmp(name, "--help")) {
      fputs(usage, stdout);
      exit(0);
    }
    if (!strcmp(name, "--device"))
      o->device = device_kind(value);
    else if (!strcmp(name, "--count"))
      o->count = number(value, name);
    else if (!strcmp(name, "--seconds"))
      o->seconds = (double)number(value, name);
    else if (!strcmp(name, "--seed"))
      o->seed = number(value, name);
    else if (!strcmp(name, "--case"))
      o->one_case = 1, o->case_number = number(value, name);
    else if (!strcmp(name, "--per-round"))
      o->per_round = number(value, name);
    else if (!strcmp(name, "--limited"))
      o->limited = number(value, name);
    else if (!strcmp(name, "--clients"))
      o->clients = (uint32_t)number(value, name);
    else if (!strcmp(name, "--threads"))
      o->threads = (uint32_t)number(value, name);
    else if (!strcmp(name, "--json"))
      o->json = value;
    else if (!strcmp(name, "--every"))
      o->every = number(value, name);
    else
      fail("no such option: ", name);
  }
  if (!o->per_round || !o->every) fail("--per-round and --every are at least 1", "");
}

/* The highest peak of the rounds [from, to). */
static double highest(const double *peaks, uint64_t from, uint64_t to) {
  double most = 0;
  for (uint64_t i = from; i < to; i++)
    if (peaks[i] > most) most = peaks[i];
  return most;
}

/* Returns 1 if memory grows. Rounds differ in size, so the first quarter is compared with the last, and only where
 * there are enough rounds. */
static int judge_memory(const double *peaks, uint64_t n) {
  enum { ENOUGH = 16 };
  const double early = highest(peaks, 0, (n + 3) / 4), late = highest(peaks, n - (n + 3) / 4, n);
  printf("peak memory of the first quarter of %llu rounds: %.0f MiB, of the last: %.0f MiB\n", (unsigned long long)n,
         early, late);
  return n >= ENOUGH && late > early * 1.25 + 32;
}

static void remove_folder(const char *folder) {
  char path[512];
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (entry->d_name[0] != '.') unlink(path);
  }
  if (dir) closedir(dir);
  rmdir(folder);
}

static int run(campaign *all) {
  const campaign_options *o = &all->options;
  const uint64_t begin = clock_ns();
  uint64_t n = 0, capacity = 0, told = 0;
  double *peaks = NULL;
  rp_error err = {0};
  rp_status status = RP_OK;
  all->deadline_ns = o->seconds > 0 ? begin + (uint64_t)(o->seconds * 1e9) : UINT64_MAX;
  do {
    status = round_run(all, o->one_case ? o->case_number / o->per_round : n, &err);
    if (n == capacity) {
      capacity = capacity ? capacity * 2 : 64;
      double *more = realloc(peaks, capacity * sizeof *peaks);
      if (!more) fail("out of memory", "");
      peaks = more;
    }
    peaks[n++] = peak_mib();
    const uint64_t proofs = atomic_load(&all->tally.proofs);
    if (proofs * 10 / (o->count + 1) > told) {
      told = proofs * 10 / (o->count + 1);
      printf("%llu proofs, %.0f s, %llu wrong\n", (unsigned long long)proofs, (double)(clock_ns() - begin) / 1e9,
             (unsigned long long)tally_wrongs(&all->tally));
      (void)fflush(stdout);
    }
  } while (status == RP_OK && !o->one_case && !campaign_is_over(all));
  tally_print(&all->tally);
  const int grows = judge_memory(peaks, n);
  free(peaks);
  printf("%.1f s, seed %llu, device %s\n", (double)(clock_ns() - begin) / 1e9, (unsigned long long)o->seed,
         rp_device_kind_name(o->device));
  if (status != RP_OK) {
    fprintf(stderr, "campaign: %s in round %llu: %s\n", rp_status_name(status), (unsigned long long)n - 1, err.reason);
    return status == RP_ERR_UNAVAILABLE ? 77 : 2;
  }
  if (grows) fprintf(stderr, "WRONG: memory grows\n");
  return tally_wrongs(&all->tally) || grows;
}

int main(int argc, char **argv) {
  campaign *all = calloc(1, sizeof *all);
  if (!all) return 2;
  read_options(argc, argv, &all->options);
  const char *parent = getenv("TMPDIR");
  snprintf(all->folder, sizeof all->folder, "%s/reprise_campaign_XXXXXX", parent && *parent ? parent : "/tmp");
  if (!mkdtemp(all->folder)) fail("no scratch folder: ", all->folder);
  (void)signal(SIGINT, interrupt);
  (void)signal(SIGTERM, interrupt);
  const int code = run(all);
  remove_folder(all->folder);
  free(all);
  return code;
}
