/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Constant time of the machine code that runs, on the processor that runs it: the constant-time functions are executed
 * instruction by instruction, for several secrets, and the sequence of instructions and of addresses that they touch
 * must be the same. Each secret has a process of its own, forked from one parent, so that all addresses can be
 * compared. usage: test_traced TABLE [all] all: every field, and multiples of points, which takes an hour A line of
 * TABLE is an instruction of this program that touches memory: its offset, displacement, base, index, scale
 * (traced.sh).
 */
#include "kernel/kernels.h"
#include "vector/batch_inverse_args.h"

#include <reprise/host.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 40, BLOCK = 16, BLOCKS = 3, BYTES = 48, SECRETS = 3, MOST_ROWS = 1 << 20 };

/* ---- Instructions that touch memory ------------------------------------------------------------------------------ */

typedef struct row {
  uint64_t offset;
  int64_t displacement;
  int base, index, scale; /* places in user_regs_struct, -1: none; NEVER: a vector */
} row;
enum { NONE = -1, NEVER = -2 };

static row *rows;
static size_t n_rows;
extern const char __executable_start[];

static int place_of(const char *name) {
#define PLACE(r) \
  if (strcmp(name, #r) == 0) return (int)(offsetof(struct user_regs_struct, r) / 8);
  /* clang-format off */
  PLACE(rax) PLACE(rbx) PLACE(rcx) PLACE(rdx) PLACE(rsi) PLACE(rdi) PLACE(rsp) PLACE(rbp)
  PLACE(r8) PLACE(r9) PLACE(r10) PLACE(r11) PLACE(r12) PLACE(r13) PLACE(r14) PLACE(r15)
              /* clang-format on */
              return strcmp(name, "rip") == 0 ||
          strcmp(name, "-") == 0
      ? NONE
      : NEVER;
}

static int load_table(const char *path) {
  char base[16], index[16];
  row r;
  FILE *file = fopen(path, "r");
  rows = malloc(MOST_ROWS * sizeof *rows);
  while (file && rows && n_rows < MOST_ROWS &&
         fscanf(file, "%lx %lx %15s %15s %d", &r.offset, (unsigned long *)&r.displacement, base, index, &r.scale) ==
             5) {
    r.base = place_of(base);
    r.index = place_of(index);
    rows[n_rows++] = r;
  }
  if (file) fclose(file);
  return n_rows > 1000;
}

static const row *row_at(uint64_t rip) {
  const uint64_t offset = rip - (uint64_t)(uintptr_t)__executable_start;
  size_t low = 0, high = n_rows;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (rows[middle].offset < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n_rows && rows[low].offset == offset ? &rows[low] : NULL;
}

/* ---- What is traced ---------------------------------------------------------------------------------------------- */

typedef struct task task;
struct task {
  const char *name, *variant;
  rp_field field;
  rp_curve curve;
  void (*run)(const task *t);
  rp_cpu_fn products, block, sweep;
  uint32_t variable; /* 1: the inversion for public values, which must be seen to differ */
};

typedef struct memory {
  uint8_t x[N * BYTES], out[N * BYTES], product[BLOCKS * BYTES], scalar[32], point[2][192];
} memory;
static memory *m; /* every process has a copy of its own, at the same place */

/* What is done to the elements; the inverses of the blocks' products are any values. */
static void passes(const task *t) {
  struct rp_inverse_args k = {
      .out = m->out, .x = m->x, .product = m->product, .n = N, .block = BLOCK, .constant_time = !t->variable};
  t->products(&k, 0, BLOCKS, NULL);
  t->sweep(&k, 0, BLOCKS, NULL);
}
/* What is done to the last product. */
static void inversion(const task *t) {
  const struct rp_inverse_args k = {
      .out = m->out, .x = m->x, .product = m->product, .n = 1, .block = BLOCK, .constant_time = !t->variable};
  t->block(&k, 0, 1, NULL);
}
static void one_inverse(const task *t) { rp_field_get(t->field)->inv_ct(m->out, m->x); }
static void multiple(const task *t) { rp_curve_get(t->curve)->mul_ct(m->point[1], m->point[0], m->scalar); }

/* Random, and with values at the edges among them. */
static void fill(const task *t, int secret) {
  uint64_t state = 77 + (uint64_t)secret, one[6];
  uint8_t wide[64];
  const rp_field_host *f = rp_field_get(t->field);
  memset(m, 0, sizeof *m);
  for (int i = 0; i < N; i++) {
    uint8_t *x = m->x + (size_t)i * f->size_bytes;
    for (int b = 0; b < 64; b++)
      wide[b] = (uint8_t)((state = state * 6364136223846793005u + 1442695040888963407u) >> 56);
    f->from_bytes_reduce(x, wide, sizeof wide);
    f->one(one);
    if (secret == 1) f->neg(x, one);
    if (secret == 2 && i % 7 != 3) f->zero(x);
  }
  for (int b = 0; b < 32; b++)
    m->scalar[b] = secret == 1 ? b == 0 : secret == 2 ? 0 : (uint8_t)(wide[b] & (b == 31 ? 15 : 255));
  if (t->run == multiple) rp_curve_get(t->curve)->generator(m->point[0]);
}

/* ---- One execution ----------------------------------------------------------------------------------------------- */

__attribute__((noinline, noclone)) static void finish(void) { _exit(0); }

typedef struct trace {
  uint64_t hash, steps, touched;
  int vector_addresses;
} trace;

static void add(trace *t, uint64_t value) { t->hash = (t->hash ^ value) * 0x100000001b3u + (t->hash >> 29); }

/* 0 if it cannot be traced here. */
static int run_traced(const task *t, int secret, trace *out) {
  int status;
  *out = (trace){.hash = 1};
  fill(t, secret);
  const pid_t child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) _exit(1);
    __asm__ volatile("int3");
    t->run(t);
    finish();
  }
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return 0;
  for (;;) {
    struct user_regs_struct regs;
    if (ptrace(PTRACE_GETREGS, child, NULL, &regs) != 0) break;
    if (regs.rip == (uint64_t)(uintptr_t)finish) break;
    const row *r = row_at(regs.rip);
    add(out, regs.rip);
    out->steps++;
    if (r) {
      const unsigned long long *reg = (const unsigned long long *)&regs;
      uint64_t address = (uint64_t)r->displacement;
      if (r->base >= 0) address += reg[r->base];
      if (r->index >= 0) address += reg[r->index] * (uint64_t)r->scale;
      out->vector_addresses += r->index == NEVER || r->base == NEVER;
      add(out, address);
      out->touched++;
    }
    if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) != 0 || waitpid(child, &status, 0) != child ||
        !WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
      break;
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return out->steps > 50;
}

static int failures;

static void check(const task *t) {
  trace first, other;
  int differs = 0;
  if (!run_traced(t, 0, &first)) {
    printf("SKIP: this system lets no process be traced instruction by instruction\n");
    exit(77);
  }
  for (int s = 1; s < SECRETS && !differs; s++) {
    if (!run_traced(t, s, &other)) exit(1);
    differs = other.hash != first.hash || other.steps != first.steps;
  }
  const int good = differs == (int)t->variable && first.touched > 10 && !first.vector_addresses;
  printf("%s %s: %s, %llu instructions, %llu with an address\n", t->name, t->variant,
         differs ? "depends on the secret" : "the same for every secret", (unsigned long long)first.steps,
         (unsigned long long)first.touched);
  if (!good) {
    printf("FAILED\n");
    failures++;
  }
}

#define FIELDS(X)               \
  X(SECP256K1_FP, secp256k1_fp) \
  X(SECP256K1_FN, secp256k1_fn) \
  X(BN254_FP, bn254_fp)         \
  X(BN254_FR, bn254_fr) X(BLS12_381_FP, bls12_381_fp) X(BLS12_381_FR, bls12_381_fr) X(BANDERSNATCH_FR, bandersnatch_fr)
#define DECLARE(ID, id)                         \
  RP_CPU_DECLARE_IFMA(rp_inverse_products_##id) \
  RP_CPU_DECLARE_IFMA(rp_inverse_block_##id)    \
  RP_CPU_DECLARE_IFMA(rp_inverse_sweep_##id)
FIELDS(DECLARE)
#define TASK(ID, id, what, function, isa, suffix, is_variable) \
  {.name = what ", " #id,                                      \
   .variant = isa,                                             \
   .field = RP_FIELD_##ID,                                     \
   .run = function,                                            \
   .products = rp_inverse_products_##id##suffix,               \
   .block = rp_inverse_block_##id##suffix,                     \
   .sweep = rp_inverse_sweep_##id##suffix,                     \
   .variable = is_variable},
#define VARIANTS(ID, id, what, function)                                                        \
  {TASK(ID, id, what, function, "C", , 0) TASK(ID, id, what, function, "MULX and ADX", _adx, 0) \
       TASK(ID, id, what, function, "AVX-512 IFMA", _ifma, 0)},
#define PASSES(ID, id) VARIANTS(ID, id, "products and sweep", passes)
#define INVERSION(ID, id) VARIANTS(ID, id, "inversion", inversion)
#define ONE(ID, id) {.name = "inv_ct, " #id, .variant = "C", .field = RP_FIELD_##ID, .run = one_inverse},
enum { VARIANTS_OF_EACH = 3, FIELD_COUNT = 7, BN254_FR_AT = 3, BLS12_381_FP_AT = 4 };
static const task of_elements[FIELD_COUNT][VARIANTS_OF_EACH] = {FIELDS(PASSES)},
                  of_products[FIELD_COUNT][VARIANTS_OF_EACH] = {FIELDS(INVERSION)}, one[FIELD_COUNT] = {FIELDS(ONE)};
static const task variable[] = {TASK(BN254_FR, bn254_fr, "inversion for public values", inversion, "C", , 1)};
#define MULTIPLE(ID, id) \
  {.name = "mul_ct, " #id, .variant = "C", .field = RP_FIELD_BN254_FR, .curve = RP_CURVE_##ID, .run = multiple},
static const task multiples[] = {MULTIPLE(BN254_G1, bn254_g1) MULTIPLE(BN254_G2, bn254_g2)
                                     MULTIPLE(SECP256K1, secp256k1) MULTIPLE(BANDERWAGON, banderwagon)};

int main(int argc, char **argv) {
  if (argc < 2 || !load_table(argv[1])) return fprintf(stderr, "usage: test_traced TABLE [all]\n"), 2;
  m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (m == MAP_FAILED) return 2;
  setvbuf(stdout, NULL, _IOLBF, 0);
  const int all = argc > 2, has_adx = __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("adx"),
            has_ifma = has_adx && __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vl"),
            has[VARIANTS_OF_EACH] = {1, has_adx, has_ifma};
  check(&variable[0]);
  for (int f = 0; f < FIELD_COUNT; f++)
    for (int v = 0; v < VARIANTS_OF_EACH; v++) {
      if (has[v] && (all || f == BN254_FR_AT || f == BLS12_381_FP_AT)) check(&of_elements[f][v]);
      if (has[v] && (all || (f == BN254_FR_AT && v > 0))) check(&of_products[f][v]);
    }
  for (int f = 0; f < FIELD_COUNT && all; f++) check(&one[f]);
  for (size_t i = 0; i < sizeof multiples / sizeof *multiples && all; i++) check(&multiples[i]);
  if (!has_adx) printf("no MULX and ADX here\n");
  if (!has_ifma) printf("no AVX-512 IFMA here\n");
  return failures != 0;
}
