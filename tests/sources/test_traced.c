/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Constant time of the machine code that runs, on the processor that runs it: the constant-time functions are executed
 * instruction by instruction, for several secrets, and the sequence of instructions and of addresses that they touch
 * must be the same. Each secret has a process of its own, forked from one parent, so that all addresses can be
 * compared; the processor's trap flag makes it stop after every instruction.
 * usage: test_traced TABLE [all]
 *   TABLE   one line for each instruction of this program that touches memory: its offset, displacement, base, index,
 *           scale (traced.sh)
 *   all     the inversions of every field in every variant, and multiples of points to their end, which takes half an
 *           hour. Without it inversions are mostly those that memcheck does not see (inverse_secret.sh and
 *           multiple_secret.sh have all others), and multiples on three curves are traced through their table and
 *           first window
 * On a virtual machine each instruction traps to the host twice, which takes 10 to 40 us: most of the test's time.
 */
#include "arith/host/host.h"
#include "backends/cpu/cpu.h"
#include "kernel/kernels.h"
#include "vector/batch_inverse_args.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { MOST_BYTES = 48, MOST_N = 19, MOST_BLOCKS = 2, SECRETS = 3, FEWER_SECRETS = 2, MOST_ROWS = 1 << 20 };

/* ---- Instructions that touch memory ------------------------------------------------------------------------------ */

typedef struct row {
  uint64_t offset;
  int64_t displacement;
  int base, index, scale; /* indices into gregset_t, or NONE or NEVER */
} row;
enum { NONE = -1, NEVER = -2 /* a vector register */ };

static row *rows;
static size_t n_rows;
extern const char __executable_start[];

static int place_of(const char *name) {
  static const struct {
    const char *name;
    int place;
  } places[] = {{"rax", REG_RAX}, {"rbx", REG_RBX}, {"rcx", REG_RCX}, {"rdx", REG_RDX}, {"rsi", REG_RSI},
                {"rdi", REG_RDI}, {"rsp", REG_RSP}, {"rbp", REG_RBP}, {"r8", REG_R8},   {"r9", REG_R9},
                {"r10", REG_R10}, {"r11", REG_R11}, {"r12", REG_R12}, {"r13", REG_R13}, {"r14", REG_R14},
                {"r15", REG_R15}, {"rip", NONE},    {"-", NONE}};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (strcmp(name, places[i].name) == 0) return places[i].place;
  return NEVER;
}

/* Loads the table. Returns 0 unless every line describes an instruction, in the order of their offsets. */
static int load_table(const char *path) {
  char base[16], index[16];
  row r;
  int fields = 0;
  FILE *file = fopen(path, "r");
  rows = malloc(MOST_ROWS * sizeof *rows);
  while (file && rows && n_rows < MOST_ROWS &&
         (fields = fscanf(file, "%lx %lx %15s %15s %d", &r.offset, (unsigned long *)&r.displacement, base, index,
                          &r.scale)) == 5 &&
         (!n_rows || rows[n_rows - 1].offset < r.offset)) {
    r.base = place_of(base);
    r.index = place_of(index);
    rows[n_rows++] = r;
  }
  if (file) fclose(file);
  return fields == EOF && n_rows > 1000;
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
  rp_field field; /* the field of the elements */
  const rp_curve_host *curve;
  void (*run)(const task *t);
  rp_cpu_fn products, block_of_one, sweep;
  uint32_t n, block; /* the number of elements, and of those in one block */
  uint64_t least;    /* the least number of instructions that it can take */
  uint64_t head;     /* how many instructions are traced before the rest runs untraced; 0: all */
  int variable;      /* 1: a function for public values, whose traces must differ */
};

typedef struct memory {
  uint8_t x[MOST_N * MOST_BYTES], out[MOST_N * MOST_BYTES], product[MOST_BLOCKS * MOST_BYTES], scalar[32],
      point[2][192];
} memory;
static memory *m; /* every process has a copy of its own, at the same place */

/* The passes over the elements. The inverses of the blocks' products may be any values. */
static void passes(const task *t) {
  const uint32_t blocks = (t->n + t->block - 1) / t->block;
  struct rp_inverse_args k = {
      .out = m->out, .x = m->x, .product = m->product, .n = t->n, .block = t->block, .constant_time = 1};
  t->products(&k, 0, blocks, NULL);
  t->sweep(&k, 0, blocks, NULL);
}
/* The inversion of the last product. */
static void inversion(const task *t) {
  const struct rp_inverse_args k = {
      .out = m->out, .x = m->x, .product = m->product, .n = 1, .block = 1, .constant_time = !t->variable};
  t->block_of_one(&k, 0, 1, NULL);
}
static void one_inverse(const task *t) { rp_field_get(t->field)->inv_ct(m->out, m->x); }
static void multiple(const task *t) { t->curve->mul_ct(m->point[1], m->point[0], m->scalar); }

/* The secrets: random elements and scalar; elements that are mostly zero, and the scalar 0; elements that are all p -
 * 1, and the scalar 1. */
static void fill(const task *t, int secret) {
  uint64_t state = 77 + (uint64_t)secret, one[6];
  uint8_t wide[64];
  const rp_field_host *f = rp_field_get(t->field);
  memset(m, 0, sizeof *m);
  for (int i = 0; i < MOST_N; i++) {
    uint8_t *x = m->x + (size_t)i * f->size_bytes;
    for (int b = 0; b < 64; b++)
      wide[b] = (uint8_t)((state = state * 6364136223846793005u + 1442695040888963407u) >> 56);
    f->from_bytes_reduce(x, wide, sizeof wide);
    f->one(one);
    if (secret == 1 && i % 7 != 3) f->zero(x);
    if (secret == 2) f->neg(x, one);
  }
  for (int b = 0; b < 32; b++)
    m->scalar[b] = secret == 1 ? 0 : secret == 2 ? b == 0 : (uint8_t)(wide[b] | (b == 31 ? 0x50 : 0));
  if (t->curve) t->curve->generator(m->point[0]);
}

/* ---- One execution ----------------------------------------------------------------------------------------------- */

typedef struct trace {
  uint64_t hash, steps, touched, head;
  int vector_addresses, ended; /* ended: by finish, or after the head */
  memory after;
} trace;
static trace *tracing; /* shared with the child that is traced */

enum { TRAP_FLAG = 0x100 };

__attribute__((noinline)) static void finish(void) { __asm__ volatile("" ::: "memory"); }

static void add(trace *t, uint64_t value) { t->hash = (t->hash ^ value) * 0x100000001b3u + (t->hash >> 29); }

/* Called before every instruction. This handler itself is not traced. */
static void at_instruction(int signal_number, siginfo_t *info, void *context) {
  greg_t *reg = ((ucontext_t *)context)->uc_mcontext.gregs;
  const uint64_t rip = (uint64_t)reg[REG_RIP];
  const row *r = row_at(rip);
  (void)signal_number, (void)info;
  tracing->ended = rip == (uint64_t)(uintptr_t)finish || (tracing->head && tracing->steps == tracing->head);
  if (tracing->ended) {
    reg[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    return;
  }
  add(tracing, rip);
  tracing->steps++;
  if (!r) return;
  uint64_t address = (uint64_t)r->displacement;
  if (r->base >= 0) address += (uint64_t)reg[r->base];
  if (r->index >= 0) address += (uint64_t)reg[r->index] * (uint64_t)r->scale;
  tracing->vector_addresses += r->index == NEVER || r->base == NEVER;
  add(tracing, address);
  tracing->touched++;
}

__attribute__((noreturn)) static void child_of(const task *t) {
  static uint8_t stack[1 << 16];
  const stack_t on = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = at_instruction, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  if (sigaltstack(&on, NULL) || sigaction(SIGTRAP, &action, NULL)) _exit(1);
  __asm__ volatile("lea -128(%%rsp), %%rsp\n\t" /* past the red zone */
                   "pushfq\n\torl %0, (%%rsp)\n\tpopfq\n\t"
                   "lea 128(%%rsp), %%rsp" ::"i"(TRAP_FLAG)
                   : "cc", "memory");
  t->run(t);
  finish();
  memcpy(&tracing->after, m, sizeof *m);
  _exit(0);
}

/* Runs a task traced. Returns 0, and prints a line, if the function did not finish or gave another result than
 * untraced. */
static int run_traced(const task *t, int secret, trace *out) {
  int status = 0;
  memset(tracing, 0, sizeof *tracing);
  tracing->hash = 1;
  tracing->head = t->head;
  fill(t, secret);
  (void)fflush(stdout);
  const pid_t child = fork();
  if (child == 0) child_of(t);
  const int waited = child > 0 && waitpid(child, &status, 0) == child;
  *out = *tracing;
  t->run(t);
  if (!waited || !WIFEXITED(status) || WEXITSTATUS(status) != 0 || !out->ended)
    printf("%s %s: the trace ends after %llu instructions, before the function does\n", t->name, t->variant,
           (unsigned long long)out->steps);
  else if (memcmp(m, &out->after, sizeof *m) != 0)
    printf("%s %s: another result than without a trace\n", t->name, t->variant);
  else if (out->head ? out->steps != out->head : out->steps < t->least)
    printf("%s %s: %llu instructions are too few\n", t->name, t->variant, (unsigned long long)out->steps);
  else
    return 1;
  return 0;
}

static int failures;

static void check(const task *t, int secrets) {
  static trace first, other;
  int good = run_traced(t, 0, &first), differs = 0;
  for (int s = 1; s < secrets && good && !differs; s++) {
    good = run_traced(t, s, &other);
    differs = other.hash != first.hash || other.steps != first.steps;
  }
  printf("%s %s: %s, %llu instructions%s, %llu with an address\n", t->name, t->variant,
         differs ? "depends on the secret" : "the same for every secret", (unsigned long long)first.steps,
         t->head ? " of its beginning" : "", (unsigned long long)first.touched);
  if (good && differs == t->variable && first.touched > first.steps / 50 && !first.vector_addresses) return;
  printf("FAILED\n");
  failures++;
}

/* ---- Does the tracer count? -------------------------------------------------------------------------------------- */

enum { FEW = 100, MANY = 1100 };
static void few(const task *t) {
  (void)t;
  __asm__ volatile(".rept %c0\n\tnop\n\t.endr" ::"i"(FEW));
}
static void many(const task *t) {
  (void)t;
  __asm__ volatile(".rept %c0\n\tnop\n\t.endr" ::"i"(MANY));
}

/* The traces of two functions differ by exactly the number of instructions by which the functions differ. */
static void check_tracer(void) {
  const task a = {.name = "few", .variant = "nops", .run = few, .field = RP_FIELD_BN254_FR},
             b = {.name = "many", .variant = "nops", .run = many, .field = RP_FIELD_BN254_FR};
  trace of_few = {0}, of_many = {0};
  if (!run_traced(&a, 0, &of_few) && !of_few.steps) {
    printf("SKIP: this system lets no process run instruction by instruction\n");
    exit(77);
  }
  if (run_traced(&b, 0, &of_many) && of_few.steps >= FEW && of_many.steps - of_few.steps == MANY - FEW) return;
  printf("FAILED: %llu and %llu instructions were counted\n", (unsigned long long)of_few.steps,
         (unsigned long long)of_many.steps);
  exit(1);
}

/* ---- The tasks --------------------------------------------------------------------------------------------------- */

/* The numbers are limbs of 64 bits. A product in C takes at least limbs^2 multiplications; with eight lanes one
 * instruction does eight of them. */
#define FIELDS(X)                  \
  X(SECP256K1_FP, secp256k1_fp, 4) \
  X(SECP256K1_FN, secp256k1_fn, 4) \
  X(BN254_FP, bn254_fp, 4)         \
  X(BN254_FR, bn254_fr, 4)         \
  X(BLS12_381_FP, bls12_381_fp, 6) \
  X(BLS12_381_FR, bls12_381_fr, 4) \
  X(BANDERSNATCH_FR, bandersnatch_fr, 4)
#define DECLARE(ID, id, limbs)                  \
  RP_CPU_DECLARE_IFMA(rp_inverse_products_##id) \
  RP_CPU_DECLARE_IFMA(rp_inverse_block_##id)    \
  RP_CPU_DECLARE_IFMA(rp_inverse_sweep_##id)
FIELDS(DECLARE)
#define TASK(ID, id, limbs, what, function, isa, suffix, elements, of_block, shortest, is_variable) \
  {.name = what ", " #id,                                                                           \
   .variant = isa,                                                                                  \
   .field = RP_FIELD_##ID,                                                                          \
   .run = function,                                                                                 \
   .products = rp_inverse_products_##id##suffix,                                                    \
   .block_of_one = rp_inverse_block_##id##suffix,                                                   \
   .sweep = rp_inverse_sweep_##id##suffix,                                                          \
   .n = elements,                                                                                   \
   .block = of_block,                                                                               \
   .least = shortest,                                                                               \
   .variable = is_variable},
/* A whole block and a short one; with eight lanes, a block of two steps and a rest that is too short for one. */
#define PASSES(ID, id, limbs)                                                                                      \
  {TASK(ID, id, limbs, "products and sweep", passes, "C", , 6, 5, 3 * 6 * limbs * limbs,                           \
        0) TASK(ID, id, limbs, "products and sweep", passes, "MULX and ADX", _adx, 6, 5, 3 * 6 * limbs * limbs, 0) \
       TASK(ID, id, limbs, "products and sweep", passes, "AVX-512 IFMA", _ifma, 19, 16, 3 * 5 * limbs * limbs, 0)},
/* An exponentiation by windows of four bits. */
#define SHORTEST_INVERSION(limbs) (64 * limbs * limbs * (limbs + 1) / 2)
#define INVERSION(ID, id, limbs)                                                                             \
  {TASK(ID, id, limbs, "inversion", inversion, "C", , 1, 1, SHORTEST_INVERSION(limbs), 0)                    \
       TASK(ID, id, limbs, "inversion", inversion, "MULX and ADX", _adx, 1, 1, SHORTEST_INVERSION(limbs), 0) \
           TASK(ID, id, limbs, "inversion", inversion, "AVX-512 IFMA", _ifma, 1, 1, SHORTEST_INVERSION(limbs), 0)},
#define ONE(ID, id, limbs) \
  {.name = "inv_ct, " #id, \
   .variant = "C",         \
   .field = RP_FIELD_##ID, \
   .run = one_inverse,     \
   .least = SHORTEST_INVERSION(limbs)},
enum { VARIANTS = 3, FIELD_COUNT = 7, SECP256K1_FP_AT = 0, BN254_FR_AT = 3, BLS12_381_FP_AT = 4 };
static const task of_elements[FIELD_COUNT][VARIANTS] = {FIELDS(PASSES)},
                  of_products[FIELD_COUNT][VARIANTS] = {FIELDS(INVERSION)}, one[FIELD_COUNT] = {FIELDS(ONE)};
static const task variable[] = {
    TASK(BN254_FR, bn254_fr, 4, "inversion for public values", inversion, "C", , 1, 1, 1000, 1)};

/* Windows of four bits of a scalar of 256: a table of 16 multiples takes 15 additions, a window four doublings, a
 * choice and an addition; an addition takes 11 products. The head covers the table and the first window. */
enum { WHOLE = (15 + 64 * 5) * 11 };
#define CURVES(X)                           \
  X(bn254_g1, BN254_FR, 16, 0)              \
  X(bn254_g2, BN254_FR, 16, 0)              \
  X(bls12_381_g1, BLS12_381_FR, 36, 210000) \
  X(bls12_381_g2, BLS12_381_FR, 36, 0)      \
  X(secp256k1, SECP256K1_FN, 16, 130000)    \
  X(banderwagon, BANDERSNATCH_FR, 16, 100000)
#define MULTIPLE_(id, SCALARS, products, isa, suffix, first) \
  {.name = "mul_ct, " #id,                                   \
   .variant = isa,                                           \
   .field = RP_FIELD_##SCALARS,                              \
   .curve = &rp_curve_host_##id##suffix,                     \
   .run = multiple,                                          \
   .least = WHOLE * products,                                \
   .head = first},
#define MULTIPLES(id, SCALARS, products, head) \
  {MULTIPLE_(id, SCALARS, products, "C", , 0) MULTIPLE_(id, SCALARS, products, "MULX and ADX", _adx, head)},
enum { CURVE_COUNT = 6 };
static const task multiples[CURVE_COUNT][2] = {CURVES(MULTIPLES)};

int main(int argc, char **argv) {
  if (argc < 2 || !load_table(argv[1])) return fprintf(stderr, "usage: test_traced TABLE [all]\n"), 2;
  m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  tracing = mmap(NULL, sizeof *tracing, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (m == MAP_FAILED || tracing == MAP_FAILED) return 2;
  setvbuf(stdout, NULL, _IOLBF, 0);
  const uint32_t isa = cpu_isa_detect();
  const int all = argc > 2, has[VARIANTS] = {1, isa >> RP_ISA_X86_ADX & 1, isa >> RP_ISA_X86_IFMA & 1};
  check_tracer();
  check(&variable[0], SECRETS);
  for (int f = 0; f < FIELD_COUNT; f++)
    for (int v = 0; v < VARIANTS; v++) {
      const int longer =
          v == 2 ? f == SECP256K1_FP_AT || f == BN254_FR_AT || f == BLS12_381_FP_AT : v == 1 && f == BN254_FR_AT;
      if (has[v]) check(&of_elements[f][v], SECRETS);
      if (has[v] && (all || longer)) check(&of_products[f][v], all ? SECRETS : FEWER_SECRETS);
    }
  for (int f = 0; f < FIELD_COUNT && all; f++) check(&one[f], SECRETS);
  for (int c = 0; c < CURVE_COUNT; c++)
    for (int v = 0; v < 2; v++) {
      task t = multiples[c][v];
      if (!has[v] || (!all && !t.head)) continue;
      if (all) t.head = 0;
      check(&t, all ? SECRETS : FEWER_SECRETS);
    }
  if (!has[1]) printf("no MULX and ADX here\n");
  if (!has[2]) printf("no AVX-512 IFMA here\n");
  return failures != 0;
}
