/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "additions.h"

#include "formats/fail.h"

#include <inttypes.h>
#include <stdlib.h>

/* An entry of a row: a variable of the key and its factor. */
typedef struct term {
  plonk_fr factor;
  uint32_t variable;
} term;

/* The row of an addition: terms [first, first + n). */
typedef struct row {
  uint64_t first;
  uint32_t n, stage;
} row;

typedef struct builder {
  const plonk_array *array;
  const rp_field_host *fr;
  uint32_t n_vars, n_witness, n; /* of the key; n additions */
  row *rows;
  term *terms;
  uint64_t n_terms, room;
} builder;

static uint32_t stage_of(const builder *b, uint32_t variable) { /* the witness is before all stages */
  return variable < b->n_witness ? 0 : b->rows[variable - b->n_witness].stage;
}

/* The number of entries that a variable takes in a row of a stage: one, or those of its own row if that row is of the
 * same stage. */
static uint32_t entries_of(const builder *b, uint32_t variable, uint32_t stage) {
  return stage_of(b, variable) < stage ? 1 : b->rows[variable - b->n_witness].n;
}

static bool make_room(builder *b, uint32_t more) {
  if (b->room - b->n_terms >= more) return 1;
  const uint64_t room = 2 * b->room + more;
  term *terms = realloc(b->terms, room * sizeof *terms);
  if (!terms) return 0;
  b->terms = terms;
  b->room = room;
  return 1;
}

static void put_operand(builder *b, uint32_t variable, const uint64_t factor[4], uint32_t stage) {
  term *to = b->terms + b->n_terms;
  plonk_fr f;
  memcpy(&f, factor, sizeof f);
  if (stage_of(b, variable) < stage) {
    *to = (term){f, variable};
    b->n_terms++;
    return;
  }
  const row *r = &b->rows[variable - b->n_witness];
  for (uint32_t i = 0; i < r->n; i++) {
    to[i].variable = b->terms[r->first + i].variable;
    b->fr->mul(&to[i].factor, &b->terms[r->first + i].factor, &f);
  }
  b->n_terms += r->n;
}

/* Stages count from 1; 0 is the witness. */
static rp_status put_row(builder *b, uint32_t index, const plonk_addition *a, rp_error *err) {
  const char *name = support_file_name(b->array->bin->file);
  const uint32_t s0 = stage_of(b, a->signal[0]), s1 = stage_of(b, a->signal[1]);
  uint32_t stage = s0 > s1 ? s0 : s1;
  if (stage == 0) stage = 1;
  uint32_t n = entries_of(b, a->signal[0], stage) + entries_of(b, a->signal[1], stage);
  if (n > PLONK_ROW_MOST) stage++, n = 2;
  if (stage > PLONK_STAGES_MOST)
    return support_fail(err, RP_ERR_UNSUPPORTED,
                        "%s: section %" PRIu32 " (additions): addition %" PRIu32
                        " is the end of a chain of thousands, each of which needs the one before; the additions of a "
                        "linear combination should be a balanced tree, as snarkjs makes it.",
                        name, b->array->section, index);
  if (!make_room(b, n)) return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for its additions.", name);
  b->rows[index] = (row){.first = b->n_terms, .n = n, .stage = stage};
  put_operand(b, a->signal[0], a->factor[0], stage);
  put_operand(b, a->signal[1], a->factor[1], stage);
  return RP_OK;
}

static rp_status put_rows(builder *b, rp_error *err) {
  enum { BLOCK = 256 };
  plonk_addition block[BLOCK];
  const uint32_t n = b->n;
  rp_status status = RP_OK;
  for (uint32_t done = 0; done < n && status == RP_OK; done += BLOCK) {
    const uint32_t some = n - done < BLOCK ? n - done : BLOCK;
    status = plonk_array_additions(b->array, b->n_vars, done, some, block, err);
    for (uint32_t i = 0; i < some && status == RP_OK; i++) status = put_row(b, done + i, &block[i], err);
  }
  return status;
}

/* Counts rows and entries of each stage, and gives each addition its place. */
static bool place(const builder *b, plonk_additions *out) {
  const uint32_t n = b->n;
  uint32_t next[PLONK_STAGES_MOST];
  out->n_witness = b->n_witness;
  out->place = malloc(((size_t)n + 1) * sizeof *out->place);
  if (!out->place) return 0;
  for (uint32_t i = 0; i < n; i++) {
    const row *r = &b->rows[i];
    plonk_stage *s = &out->stage[r->stage - 1];
    if (r->stage > out->n_stages) out->n_stages = r->stage;
    s->rows++;
    s->entries += r->n;
  }
  for (uint32_t s = 0, first = b->n_witness; s < out->n_stages; s++) {
    next[s] = first;
    first += (uint32_t)out->stage[s].rows;
  }
  for (uint32_t i = 0; i < n; i++) out->place[i] = next[b->rows[i].stage - 1]++;
  return 1;
}

/* Copies the rows to their stages, in order. */
static bool distribute(const builder *b, plonk_additions *out) {
  uint64_t filled[PLONK_STAGES_MOST] = {0};
  uint32_t rows[PLONK_STAGES_MOST] = {0};
  if (!b->terms) return b->n == 0;
  for (uint32_t s = 0; s < out->n_stages; s++) {
    plonk_stage *to = &out->stage[s];
    to->row_ptr = malloc((to->rows + 1) * sizeof *to->row_ptr);
    to->col = malloc(to->entries * sizeof *to->col);
    to->val = malloc(to->entries * sizeof *to->val);
    if (!to->row_ptr || !to->col || !to->val) return 0;
    to->row_ptr[0] = 0;
  }
  for (uint32_t i = 0; i < b->n; i++) {
    const row *r = &b->rows[i];
    const uint32_t s = r->stage - 1;
    for (uint32_t k = 0; k < r->n; k++, filled[s]++) {
      out->stage[s].col[filled[s]] = plonk_place(out, b->terms[r->first + k].variable);
      out->stage[s].val[filled[s]] = b->terms[r->first + k].factor;
    }
    out->stage[s].row_ptr[++rows[s]] = (uint32_t)filled[s];
  }
  return 1;
}

rp_status plonk_additions_load(const plonk_array *array, uint32_t n_vars, plonk_additions *out, rp_error *err) {
  const uint32_t n = (uint32_t)array->count;
  const char *name = support_file_name(array->bin->file);
  builder b = {
      .array = array, .fr = rp_field_get(RP_FIELD_BN254_FR), .n_vars = n_vars, .n_witness = n_vars - n, .n = n};
  *out = (plonk_additions){0};
  b.rows = calloc((size_t)n + 1, sizeof *b.rows);
  rp_status status = b.rows ? put_rows(&b, err) : RP_ERR_MEMORY;
  if (status == RP_OK && b.n_terms > UINT32_MAX)
    status = support_fail(err, RP_ERR_UNSUPPORTED, "%s: its %" PRIu32 " additions are too many.", name, n);
  else if (status == RP_OK && !(place(&b, out) && distribute(&b, out)))
    status = RP_ERR_MEMORY;
  free(b.rows);
  free(b.terms);
  if (status == RP_OK) return RP_OK;
  plonk_additions_free(out);
  if (status == RP_ERR_MEMORY)
    return support_fail(err, status, "%s: out of memory for its %" PRIu32 " additions.", name, n);
  return status;
}

void plonk_additions_free(plonk_additions *additions) {
  for (uint32_t s = 0; s < additions->n_stages; s++) {
    free(additions->stage[s].row_ptr);
    free(additions->stage[s].col);
    free(additions->stage[s].val);
  }
  free(additions->place);
  *additions = (plonk_additions){0};
}
