/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Build-time program: derive <ops folder> <field|curve> <id> <output folder>
 *
 * Reads the few numbers that define a field or a curve (arith/fields/, arith/curves/) and writes everything that
 * follows from them: field_params.h and .glsl (Montgomery constants for several limb sizes, roots of unity, exponents)
 * and, for a curve, curve_params.h and .glsl besides those of its base field.
 */
#include "derive_pairing.h"
#include "derive_glv.h"

typedef struct field {
  const char *id;   /* of the field itself */
  char base_id[64]; /* of the prime field below it */
  int degree;
  bool goldilocks;
  unsigned word_bits; /* of the words that an element consists of: 64, or 32 for an element of one such word */
  modulus m;
  big r; /* what integers are multiplied by in memory: 2^(word_bits n), or 1 */
  params prime;
} field;

static field field_read(const char *dir, const char *id) {
  field f = {.id = id, .degree = 1};
  params p = params_read(dir, "fields", id, "field");
  const char *base = params_find(&p, "base", 0);
  snprintf(f.base_id, sizeof f.base_id, "%s", base ? base : id);
  if (base) {
    if (strcmp(params_get(&p, "nonresidue", 0), "-1")) fail("extensions have u^2 = -1", id);
    f.degree = 2;
    p = params_read(dir, "fields", base, "field");
  }
  f.prime = p;
  f.m = modulus_make(big_parse(params_get(&p, "modulus", 0)));
  const char *kind = params_get(&p, "kind", 0);
  f.goldilocks = !strcmp(kind, "goldilocks");
  f.word_bits = strcmp(kind, "montgomery32") ? 64 : 32;
  if (f.word_bits == 32) {
    if (big_bits(&f.m.p) > 31) fail("2p must fit into 32 bits", id);
    f.m.n32 = 1;
  }
  if (!f.goldilocks && f.word_bits == 64 && strcmp(kind, "montgomery")) fail("kind", kind);
  f.r = f.goldilocks ? big_u64(1) : mod_pow2(&f.m, f.word_bits * (unsigned)f.m.n);
  return f;
}

static void put_scalar(output *o, const field *f, const char *name, big a) { put_element(o, &f->m, f->r, 1, name, &a); }

static unsigned two_adicity(const field *f) {
  big e = big_sub(f->m.p, big_u64(1));
  unsigned s = 0;
  while (!big_bit(&e, s)) s++;
  return s;
}

static uint64_t smallest_nonresidue(const field *f) {
  big half = big_shr(big_sub(f->m.p, big_u64(1)), 1), minus_one = big_sub(f->m.p, big_u64(1));
  for (uint64_t x = 2;; x++) {
    big y = mod_pow(&f->m, big_u64(x), half);
    if (!big_cmp(&y, &minus_one)) return x;
  }
}

/* Writes a convention's multiplicative generator g and its root g^t of order 2^s. */
static void put_root(output *o, const field *f, const char *convention, uint64_t g) {
  char name[64];
  snprintf(name, sizeof name, "FP_HAS_ROOT_%s", convention);
  put_int(o, name, g != 0);
  if (!g) return;
  snprintf(name, sizeof name, "FP_ROOT_%s", convention);
  big t = big_shr(big_sub(f->m.p, big_u64(1)), two_adicity(f));
  put_scalar(o, f, name, mod_pow(&f->m, big_u64(g), t));
  snprintf(name, sizeof name, "FP_GENERATOR_%s", convention);
  put_scalar(o, f, name, big_u64(g));
}

static uint64_t generator(const field *f, const char *convention) {
  for (int i = 0; i < f->prime.n; i++)
    if (!strcmp(f->prime.line[i].key, "generator") && !strcmp(f->prime.line[i].value[0], convention))
      return big_parse(f->prime.line[i].value[1]).w[0];
  return 0;
}

/* Constants of Montgomery arithmetic with `bits`-bit limbs and R' = 2^(bits limbs): the modulus, -1/p, R', R'^2, and
 * the factors whose R'-product converts memory form (R) to that form and back. */
static void put_limb_size(output *o, const field *f, unsigned bits) {
  char name[64];
  unsigned limbs = (big_bits(&f->m.p) + 2 + bits - 1) / bits; /* 4p fits */
  unsigned r_memory = f->word_bits * (unsigned)f->m.n;
  while (2 * bits * limbs < r_memory) limbs++; /* for tiny fields, so that the exponent of FP_TO is not negative */
  snprintf(name, sizeof name, "FP_LIMBS%u", bits);
  put_int(o, name, limbs);
  put_limbs(o, "FP_MODULUS", &f->m.p, limbs, bits);
  uint64_t n0 = f->m.n0 & (((uint64_t)1 << bits) - 1);
  fprintf(o->c, "#define FP_N0_%u 0x%llxull\n", bits, (unsigned long long)n0);
  if (bits <= 32) fprintf(o->glsl, "#define FP_N0_%u 0x%llxu\n", bits, (unsigned long long)n0);
  unsigned r_bits = bits * limbs;
  const struct {
    const char *name;
    unsigned power;
  } factor[] = {{"FP_ONE", r_bits}, {"FP_R2", 2 * r_bits}, {"FP_TO", 2 * r_bits - r_memory}, {"FP_FROM", r_memory}};
  for (unsigned i = 0; i < 4; i++) {
    big x = mod_pow2(&f->m, factor[i].power);
    put_limbs(o, factor[i].name, &x, limbs, bits);
  }
}

/* 62-bit limbs for the inversion by division steps, which leave two bits for signs. */
static void put_inversion(output *o, const field *f) {
  unsigned limbs = (big_bits(&f->m.p) + 2 + 61) / 62;
  put_int(o, "FP_LIMBS62", limbs);
  put_limbs(o, "FP_MODULUS", &f->m.p, limbs, 62);
  fprintf(o->c, "#define FP_INV_62 0x%llxull\n", (unsigned long long)((0 - f->m.n0) & (UINT64_MAX >> 2)));
}

static void write_field(const field *f, const char *out) {
  output o = output_open(out, "field", "REPRISE_GEN_FIELD_PARAMS");
  const modulus *m = &f->m;
  unsigned s = two_adicity(f);
  uint64_t nonresidue = smallest_nonresidue(f);
  big one = big_u64(1), t = big_shr(big_sub(m->p, one), s);
  fprintf(o.c, "#define FE_NAME \"%s\"\n#define FP_NAME \"%s\"\n", f->id, f->base_id);
  put_int(&o, "FE_DEGREE", (unsigned long)f->degree);
  put_int(&o, "FP_BITS", big_bits(&m->p));
  put_int(&o, "FP_LIMBS", (unsigned long)m->n);
  put_int(&o, "FP_LIMBS32", (unsigned long)m->n32);
  put_int(&o, "FP_WORD_BYTES", f->word_bits / 8);
  put_int(&o, "FP_MONTGOMERY", !f->goldilocks);
  fprintf(o.c, "#define FP_N0_64 0x%016llxull\n#define FP_N0_32 0x%08llxu\n", (unsigned long long)m->n0,
          (unsigned long long)(m->n0 & 0xffffffffu));
  fprintf(o.glsl, "#define FP_N0_32 0x%08llxu\n", (unsigned long long)(m->n0 & 0xffffffffu));
  put_integer(&o, m, "FP_MODULUS", m->p);
  put_integer(&o, m, "FP_MODULUS_MINUS_2", big_sub(m->p, big_u64(2)));
  put_integer(&o, m, "FP_HALF", big_shr(big_sub(m->p, one), 1)); /* (p - 1) / 2 */
  put_scalar(&o, f, "FP_ONE", one);
  put_scalar(&o, f, "FP_R2", f->r);
  put_scalar(&o, f, "FP_R3", mod_mul(m, f->r, f->r));
  /* square root: a^((p + 1) / 4) for p = 3 mod 4; else Tonelli and Shanks, from a^((t - 1) / 2) and the root
   * nonresidue^t */
  put_int(&o, "FP_TWO_ADICITY", s);
  put_int(&o, "FP_NONRESIDUE", nonresidue);
  big e = s == 1 ? big_shr(big_add(m->p, one), 2) : big_shr(t, 1);
  put_integer(&o, m, "FP_SQRT_EXPONENT", e);
  put_root(&o, f, "SNARKJS", nonresidue);
  put_root(&o, f, "HALO2", generator(f, "halo2"));
  put_root(&o, f, "ARKWORKS", generator(f, "arkworks"));
  put_root(&o, f, "PLONKY3", generator(f, "plonky3"));
  put_inversion(&o, f);
  if (!f->goldilocks) {
    put_limb_size(&o, f, 52);
    put_limb_size(&o, f, 29);
  }
  output_close(&o);
}

/* ---- Curves ------------------------------------------------------------------------------------------------------ */

static big2 curve_element(const field *f, const params *p, const char *key) {
  big2 v = {{{{0}}, {{0}}}};
  for (int d = 0; d < f->degree; d++) v.c[d] = mod_parse(&f->m, params_get(p, key, d));
  return v;
}

static void put_curve_element(output *o, const field *f, const params *p, const char *key, const char *name) {
  const big2 v = curve_element(f, p, key);
  put_element(o, &f->m, f->r, f->degree, name, v.c);
}

static void write_curve(const char *dir, const char *id, const char *out) {
  params p = params_read(dir, "curves", id, "curve");
  field f = field_read(dir, params_get(&p, "base", 0)), s = field_read(dir, params_get(&p, "scalar", 0));
  write_field(&f, out);
  output o = output_open(out, "curve", "REPRISE_GEN_CURVE_PARAMS");
  bool edwards = !strcmp(params_get(&p, "form", 0), "edwards");
  fprintf(o.c, "#define CURVE_NAME \"%s\"\n#define CURVE_SCALAR \"%s\"\n", id, s.id);
  fprintf(o.c, "#define CURVE_BASE_FIELD_%s\n#define CURVE_%s\n", f.id, id);
  put_int(&o, "CURVE_EDWARDS", (unsigned long)edwards);
  put_int(&o, "CURVE_SCALAR_BITS", big_bits(&s.m.p));
  put_int(&o, "CURVE_SCALAR_LIMBS", (unsigned long)s.m.n);
  put_integer(&o, &s.m, "CURVE_ORDER", s.m.p);
  big cofactor = big_parse(params_get(&p, "cofactor", 0));
  put_int(&o, "CURVE_COFACTOR_IS_ONE", big_bits(&cofactor) == 1);
  put_curve_element(&o, &f, &p, "generator_x", "CURVE_GENERATOR_X");
  put_curve_element(&o, &f, &p, "generator_y", "CURVE_GENERATOR_Y");
  put_curve_element(&o, &f, &p, edwards ? "d" : "b", edwards ? "CURVE_D" : "CURVE_B");
  if (edwards) {
    big a = mod_parse(&f.m, params_get(&p, "a", 0)), minus_a = mod_neg(&f.m, a);
    put_scalar(&o, &f, "CURVE_A", a);
    put_int(&o, "CURVE_MINUS_A", minus_a.w[0]);
    if (big_bits(&minus_a) > 8) fail("edwards curves have a small negative a", id);
    put_int(&o, "CURVE_ENDOMORPHISM", 0);
    put_int(&o, "CURVE_GLV", 0);
  } else {
    big b3[2] = {{{0}}, {{0}}};
    for (int d = 0; d < f.degree; d++) {
      big b = mod_parse(&f.m, params_get(&p, "b", d));
      b3[d] = mod_add(&f.m, b, mod_add(&f.m, b, b));
    }
    put_element(&o, &f.m, f.r, f.degree, "CURVE_3B", b3);
    /* (x, y) -> (beta x, y), beta a cube root of unity, is an endomorphism of y^2 = x^3 + b. On curves of small orders
     * the additions that find the right root might meet infinity. */
    const bool endomorphism = big_bits(&s.m.p) > 200;
    put_int(&o, "CURVE_ENDOMORPHISM", endomorphism);
    put_int(&o, "CURVE_GLV", endomorphism && f.degree == 1 && big_bits(&cofactor) == 1);
    if (endomorphism)
      put_endomorphism(&o, &f.m, f.r, &s.m,
                       (glv_point){curve_element(&f, &p, "generator_x"), curve_element(&f, &p, "generator_y")});
    put_family(&o, &f.m, f.r, f.degree, &p);
  }
  output_close(&o);
}

int main(int argc, char **argv) {
  if (argc != 5) fail("usage", "derive <ops folder> <field|curve> <id> <output folder>");
  if (!strcmp(argv[2], "field")) {
    field f = field_read(argv[1], argv[3]);
    write_field(&f, argv[4]);
  } else if (!strcmp(argv[2], "curve")) {
    write_curve(argv[1], argv[3], argv[4]);
  } else {
    fail("neither field nor curve", argv[2]);
  }
  return 0;
}
