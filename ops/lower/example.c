/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Examples of operations (rp_schema.examples): what one depends on, and the node of one. The text is read in place.
 */
#include "lower/lower.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 24, OPERANDS_MOST = 16, RESULTS_MOST = 8 };

/* The text of example `which`, and its length without what follows; NULL if there is none. */
static const char *text_of(const rp_op *op, uint32_t which, size_t *length) {
  const bool has = op && op->struct_size >= offsetof(rp_op, schema) + sizeof op->schema;
  const rp_schema *s = has ? op->schema : NULL;
  const char *at = s && s->struct_size >= offsetof(rp_schema, products) ? s->examples : NULL;
  for (; at && which; which--) {
    at = strchr(at, '|');
    if (at) at++;
  }
  if (at) *length = strcspn(at, "|");
  return at;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

typedef struct reader {
  const char *at, *end;
} reader;

static void skip_spaces(reader *r) {
  while (r->at < r->end && *r->at == ' ') r->at++;
}

/* 1, and the text is skipped, if it comes next. */
static bool accept(reader *r, const char *text) {
  const size_t n = strlen(text);
  skip_spaces(r);
  if ((size_t)(r->end - r->at) < n || strncmp(r->at, text, n) != 0) return 0;
  r->at += n;
  return 1;
}

/* A name, with dots for members of members; false if none comes next. */
static bool word(reader *r, char out[WORD_BYTES]) {
  size_t n = 0;
  skip_spaces(r);
  while (r->at < r->end && n + 1 < WORD_BYTES && strchr("abcdefghijklmnopqrstuvwxyz0123456789_.", *r->at))
    out[n++] = *r->at++;
  out[n] = 0;
  return n != 0;
}

static bool digit(const reader *r) { return r->at < r->end && *r->at >= '0' && *r->at <= '9'; }

static uint64_t digits(reader *r) {
  uint64_t x = 0;
  while (digit(r)) x = 10 * x + (uint64_t)(*r->at++ - '0');
  return x;
}

/* A length or number that may contain n. */
static bool number(reader *r, uint64_t n, uint64_t *out) {
  skip_spaces(r);
  const bool factor = digit(r);
  uint64_t x = factor ? digits(r) : 1;
  if (accept(r, "n"))
    x *= n;
  else if (!factor)
    return 0;
  if (accept(r, "+"))
    x += digits(r);
  else if (accept(r, "-"))
    x -= digits(r);
  *out = x;
  return 1;
}

/* ---- What it depends on ------------------------------------------------------------------------------------------ */

static rp_example_over over_of(const char *name) {
  static const struct {
    const char *word;
    rp_example_over over;
  } words[] = {{"field", RP_EXAMPLE_FIELDS},       {"prime", RP_EXAMPLE_PRIMES},  {"canonical", RP_EXAMPLE_PRIMES},
               {"affine", RP_EXAMPLE_CURVES},      {"scalar", RP_EXAMPLE_CURVES}, {"curve", RP_EXAMPLE_CURVES},
               {"accumulator", RP_EXAMPLE_CURVES}, {"index", RP_EXAMPLE_FIXED},   {"u8", RP_EXAMPLE_FIXED},
               {"u32", RP_EXAMPLE_FIXED},          {"u64", RP_EXAMPLE_FIXED},     {"u256", RP_EXAMPLE_FIXED}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i].word, name)) return words[i].over;
  return RP_EXAMPLE_NONE;
}

rp_example_over rp_example_kind(const rp_op *op, uint32_t which) {
  size_t length = 0;
  char name[WORD_BYTES];
  rp_example_over over = RP_EXAMPLE_FIXED;
  const char *text = text_of(op, which, &length);
  if (!text) return RP_EXAMPLE_NONE;
  for (reader r = {text, text + length}; r.at < r.end;) {
    if (!word(&r, name)) {
      r.at++;
    } else if (!accept(&r, "=")) { /* not the name of a parameter */
      const rp_example_over of = over_of(name);
      if (of > over) over = of;
    }
  }
  return over;
}

/* ---- The node ---------------------------------------------------------------------------------------------------- */

static const rp_type *type_of(const char *name, const rp_example_options *o) {
  switch (over_of(name)) {
  case RP_EXAMPLE_FIELDS: return rp_type_field(o->field);
  case RP_EXAMPLE_PRIMES: return *name == 'c' ? rp_type_canonical(o->field) : rp_type_field(o->field);
  case RP_EXAMPLE_CURVES:
    return *name == 's'   ? &RP_TYPE_U256
           : *name == 'a' ? (name[1] == 'f' ? rp_type_affine(o->curve) : rp_type_accumulator(o->curve))
                          : NULL;
  default: return rp_type_by_name(*name == 'i' ? "u32" : name);
  }
}

/* The operands, up to the parameters; false if the text is wrong. */
static bool operands(reader *r, rp_graph *g, const rp_example_options *o, rp_value in[], uint32_t *n) {
  char name[WORD_BYTES];
  do {
    uint64_t len = o->n;
    if (*n == OPERANDS_MOST || !word(r, name)) return 0;
    const rp_type *type = type_of(name, o);
    if (!type || (accept(r, "[") && (!number(r, o->n, &len) || !accept(r, "]")))) return 0;
    in[(*n)++] = o->operand(o->user, g, name, type, len);
  } while (accept(r, ","));
  return 1;
}

static bool set(const rp_op *op, void *params, const char *name, uint64_t value) {
  for (uint32_t i = 0; i < op->schema->n_params; i++) {
    const rp_param *p = &op->schema->params[i];
    if (strcmp(p->name, name) != 0) continue;
    const uint32_t low = (uint32_t)value;
    if (p->bytes == sizeof low) memcpy((char *)params + p->offset, &low, sizeof low);
    if (p->bytes == sizeof value) memcpy((char *)params + p->offset, &value, sizeof value);
    return p->bytes == sizeof low || p->bytes == sizeof value;
  }
  return 0;
}

static bool parameters(reader *r, const rp_op *op, const rp_example_options *o, void *params) {
  char name[WORD_BYTES];
  do {
    uint64_t value = 0;
    if (!word(r, name) || !accept(r, "=")) return 0;
    if (accept(r, "field") || accept(r, "prime"))
      value = (uint64_t)o->field;
    else if (accept(r, "curve"))
      value = (uint64_t)o->curve;
    else if (!number(r, o->n, &value))
      return 0;
    if (!set(op, params, name, value)) return 0;
  } while (accept(r, ","));
  return 1;
}

/* Whether the field or curve exists and is one that the example has. */
static bool fits(const rp_example_options *o, rp_example_over over) {
  if (over == RP_EXAMPLE_CURVES) return rp_type_affine(o->curve) != NULL;
  if (over == RP_EXAMPLE_FIXED) return 1;
  const rp_field_host *f = rp_field_get(o->field);
  return f && (over == RP_EXAMPLE_FIELDS || f->degree == 1);
}

rp_value rp_example_node(rp_graph *g, const rp_op *op, const rp_example_options *options) {
  rp_example_options o;
  rp_value in[OPERANDS_MOST], out[RESULTS_MOST];
  size_t length = 0;
  uint32_t n_in = 0;
  if (!g || !op || !rp_options_read(&o, sizeof o, options) || !o.operand)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "an example needs an operation and options with struct_size and operand");
  const char *text = text_of(op, o.which, &length);
  const rp_example_over over = rp_example_kind(op, o.which);
  if (!text) return rp_graph_fail(g, RP_ERR_ARGUMENT, "%s has no example %u", op->name, o.which);
  if (!fits(&o, over) || o.n < 2)
    return rp_graph_fail(g, RP_ERR_ARGUMENT, "%s: example %u has no such field, curve or size", op->name, o.which);
  void *params = rp_context_alloc(rp_graph_context(g), op->params_bytes + 1u);
  if (!params) return rp_graph_fail(g, RP_ERR_MEMORY, "out of memory for the parameters of %s", op->name);
  reader r = {text, text + length};
  uint64_t n_out = op->schema->least_out ? op->schema->least_out : 1;
  bool good = operands(&r, g, &o, in, &n_in);
  if (good && accept(&r, ";")) good = parameters(&r, op, &o, params);
  if (good && accept(&r, "->")) good = number(&r, o.n, &n_out) && n_out <= RESULTS_MOST;
  skip_spaces(&r);
  const rp_value first =
      good && r.at == r.end
          ? rp_graph_node(g, op, op->params_bytes ? params : NULL, in, n_in, out, (uint32_t)n_out)
          : rp_graph_fail(g, RP_ERR_ARGUMENT, "%s: example %u cannot be read from '%.40s'", op->name, o.which, r.at);
  rp_context_free(params);
  return first;
}
