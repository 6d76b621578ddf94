/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gate.h"

#include <dirent.h>
#include <time.h>

static void hold(void *user, const rp_run *run) {
  gate *g = user;
  (void)run;
  sem_post(&g->inside);
  sem_wait(&g->open);
}

rp_groth16_prover *gated_prover(bench *b, const blob *zkey, gate *g, uint32_t max_in_flight) {
  rp_error err = {0};
  rp_groth16_key *key;
  rp_groth16_prover *prover;
  const rp_groth16_prover_options options = {
      .struct_size = sizeof options, .max_in_flight = max_in_flight, .inspect = hold, .inspect_user = g};
  sem_init(&g->inside, 0, 0);
  sem_init(&g->open, 0, 0);
  EXPECT(RP_OK, rp_groth16_key_open_memory(b->context, zkey->data, zkey->bytes, NULL, &key, &err), &err);
  EXPECT(RP_OK, rp_groth16_prover_create(b->device, key, &options, &prover, &err), &err);
  rp_groth16_key_close(key);
  return prover;
}

void gate_free(gate *g) { sem_destroy(&g->inside), sem_destroy(&g->open); }

void pause_ns(uint64_t ns) {
  nanosleep(&(struct timespec){.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)}, NULL);
}

uint64_t clock_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

unsigned count_threads(void) {
  unsigned n = 0;
  DIR *dir = opendir("/proc/self/task");
  for (struct dirent *e; dir && (e = readdir(dir));) n += e->d_name[0] != '.';
  if (dir) closedir(dir);
  return n;
}
