/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "tally.h"

#include <stdio.h>
#include <stdlib.h>

#define SECOND(id, name) name,
static const char *const witness_names[] = {WITNESS_LIST(SECOND)};
static const char *const path_names[] = {PATH_LIST(SECOND)};
static const char *const source_names[] = {SOURCE_LIST(SECOND)};
static const char *const wrong_texts[] = {WRONG_LIST(SECOND)};
#undef SECOND

static const struct {
  const char *title;
  const char *const *names;
  uint32_t n;
} questions[QUESTIONS] = {[BY_WITNESS] = {"witness, key sound", witness_names, WITNESSES},
                          [BY_FAULT] = {"key, witness satisfies", fault_names, FAULTS},
                          [BY_PATH] = {"way", path_names, PATHS},
                          [BY_SOURCE] = {"key from", source_names, SOURCES},
                          [BY_SHAPE] = {"circuit", shape_names, SHAPES}};

const char *wrong_text(wrong_id id) { return wrong_texts[id]; }
const char *witness_name(witness_id id) { return witness_names[id]; }
const char *path_name(path_id id) { return path_names[id]; }
const char *source_name(source_id id) { return source_names[id]; }

void tally_count(tally *t, const attempt *a, rp_status status) {
  const uint32_t row[QUESTIONS] = {a->witness, a->fault, a->path, a->source, a->shape};
  const int counts[QUESTIONS] = {a->fault == FAULT_NONE, a->witness == WITNESS_SOUND, 1, 1, 1};
  const unsigned column = (unsigned)status < STATUSES ? (unsigned)status : (unsigned)RP_ERR_INTERNAL;
  for (int q = 0; q < QUESTIONS; q++)
    if (counts[q]) atomic_fetch_add(&t->counts[q][row[q]][column], 1);
  atomic_fetch_add(&t->proofs, 1);
}

uint64_t tally_wrongs(const tally *t) {
  uint64_t all = 0;
  for (int i = 0; i < WRONGS; i++) all += atomic_load(&t->wrong[i]);
  return all;
}

static void print_question(const tally *t, question q, const int *shown) {
  printf("\n%-30s %10s", questions[q].title, "released");
  for (int s = 1; s < STATUSES; s++)
    if (shown[s]) printf(" %10s", rp_status_name((rp_status)s) + strlen("RP_ERR_"));
  printf("\n");
  for (uint32_t row = 0; row < questions[q].n; row++) {
    uint64_t sum = 0;
    for (int s = 0; s < STATUSES; s++) sum += atomic_load(&t->counts[q][row][s]);
    if (sum == 0) continue;
    printf("%-30s", questions[q].names[row]);
    for (int s = 0; s < STATUSES; s++)
      if (s == 0 || shown[s]) printf(" %10llu", (unsigned long long)atomic_load(&t->counts[q][row][s]));
    printf("\n");
  }
}

void tally_print(const tally *t) {
  int shown[STATUSES] = {0};
  for (int s = 0; s < STATUSES; s++)
    for (uint32_t row = 0; row < PATHS; row++) shown[s] |= atomic_load(&t->counts[BY_PATH][row][s]) != 0;
  for (int q = 0; q < QUESTIONS; q++) print_question(t, (question)q, shown);
  printf(
      "\n%llu cases, %llu proofs asked for; %llu keys, %llu of them refused; %llu evictions, %llu waits for memory\n",
      (unsigned long long)atomic_load(&t->cases), (unsigned long long)atomic_load(&t->proofs),
      (unsigned long long)atomic_load(&t->keys), (unsigned long long)atomic_load(&t->keys_refused),
      (unsigned long long)atomic_load(&t->evictions), (unsigned long long)atomic_load(&t->waits_for_memory));
  for (int i = 0; i < WRONGS; i++)
    if (i == WRONG_INVALID || atomic_load(&t->wrong[i]))
      printf("%s: %llu\n", wrong_texts[i], (unsigned long long)atomic_load(&t->wrong[i]));
}

/* Linux keeps the high-water mark until 5 is written to clear_refs. */
double peak_mib(void) {
  char line[128];
  double kib = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (!strncmp(line, "VmHWM:", 6)) kib = strtod(line + 6, NULL);
  if (status) (void)fclose(status);
  FILE *clear = fopen("/proc/self/clear_refs", "w");
  if (clear) {
    (void)fputs("5", clear);
    (void)fclose(clear);
  }
  return kib / 1024;
}
