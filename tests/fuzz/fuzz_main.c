/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Drives a harness where the compiler has no libFuzzer: first every file of some folders unchanged, then mutations of
 * them from a fixed seed. The options that it knows are spelled as libFuzzer's: -runs=N -max_total_time=SECONDS -seed=N
 * FOLDER... Without feedback from coverage it finds less than libFuzzer; it is there so that the harnesses run with
 * every compiler.
 */
#include "fuzz.h"

#include <dirent.h>
#include <time.h>

typedef struct seed {
  uint8_t *data;
  size_t size;
} seed;

enum { MOST_SEEDS = 1024, LARGEST_SEED = 1 << 16 };
static seed seeds[MOST_SEEDS];
static size_t n_seeds;
static uint64_t state = 1;

static uint64_t next_random(void) { /* xorshift64* */
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545f4914f6cdd1du;
}

static void load(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = name[0] != '.' && n_seeds < MOST_SEEDS ? fopen(path, "rb") : NULL;
  if (!file) return;
  seed *s = &seeds[n_seeds];
  s->data = malloc(LARGEST_SEED);
  FUZZ_NEED(s->data);
  s->size = fread(s->data, 1, LARGEST_SEED, file);
  fclose(file);
  n_seeds++;
}

static void load_folder(const char *folder) {
  struct dirent **list = NULL;
  const int n = scandir(folder, &list, NULL, alphasort); /* sorted, so that a run is the same everywhere */
  for (int i = 0; i < n; i++) {
    load(folder, list[i]->d_name);
    free(list[i]);
  }
  free(list);
}

#pragma weak LLVMFuzzerCustomMutator

static void mutate(uint8_t *data, size_t *size) {
  static const uint64_t values[] = {0,          1,          2,          0x7f,       0xff,
                                    0x7fffffff, 0x80000000, 0xffffffff, UINT64_MAX, UINT64_MAX / 2 + 1};
  for (uint64_t steps = 1 + next_random() % 4; steps && *size > 8; steps--) {
    size_t at = next_random() % (*size - 8);
    uint64_t value = values[next_random() % (sizeof values / sizeof values[0])];
    switch (next_random() % 6) {
    case 0: data[at] ^= (uint8_t)(1u << next_random() % 8); break;
    case 1: data[at] = (uint8_t)next_random(); break;
    case 2: memcpy(data + at, &value, 4); break;
    case 3: memcpy(data + at, &value, 8); break;
    case 4: *size = at; break;
    default: memmove(data + at, data + next_random() % (*size - 8), 8); break;
    }
  }
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) {
  (void)most; /* this mutation never makes the data longer */
  mutate(data, &size);
  return size;
}

/* Runs the input in an allocation of its exact size, so that a sanitizer detects a read past its end. */
static void run(const uint8_t *data, size_t size) {
  uint8_t *exact = malloc(size ? size : 1);
  FUZZ_NEED(exact);
  memcpy(exact, data, size);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
}

int main(int argc, char **argv) {
  uint64_t runs = 10000, seconds = 60, done = 0;
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "-runs=", 6) == 0)
      runs = strtoull(argv[i] + 6, NULL, 10);
    else if (strncmp(argv[i], "-max_total_time=", 16) == 0)
      seconds = strtoull(argv[i] + 16, NULL, 10);
    else if (strncmp(argv[i], "-seed=", 6) == 0)
      state = strtoull(argv[i] + 6, NULL, 10) | 1;
    else if (argv[i][0] != '-')
      load_folder(argv[i]);
  }
  if (n_seeds == 0) {
    fprintf(stderr, "usage: %s [-runs=N] [-max_total_time=SECONDS] [-seed=N] FOLDER OF SEEDS...\n", argv[0]);
    return 2;
  }
  for (size_t i = 0; i < n_seeds; i++) run(seeds[i].data, seeds[i].size);
  static uint8_t work[LARGEST_SEED];
  time_t end = time(NULL) + (time_t)seconds;
  for (; done < runs && time(NULL) < end; done++) {
    const seed *s = &seeds[next_random() % n_seeds];
    size_t size = s->size;
    memcpy(work, s->data, size);
    if (LLVMFuzzerCustomMutator)
      for (uint64_t steps = 1 + next_random() % 4; steps; steps--)
        size = LLVMFuzzerCustomMutator(work, size, sizeof work, (unsigned)next_random());
    else
      mutate(work, &size);
    run(work, size);
  }
  printf("%zu seeds, %llu mutations\n", n_seeds, (unsigned long long)done);
  for (size_t i = 0; i < n_seeds; i++) free(seeds[i].data);
  return 0;
}
