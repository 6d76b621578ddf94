/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Sparse products whose rows are sorted and grouped as in cuZK, beside the schemes of the library, on the device that
 * REPRISE_DEVICE names: sorted_rows [log2 of the number of non-zeros, 8 to 24, by default 20].
 *
 * cuZK sorts the rows by length and groups them (CSR-Balanced, as its code has it): with blocks of B threads, m
 * non-zeros per row on average and z = B floor(sqrt(ceil(2 m ceil(log2 B) / B))), a row of L non-zeros is for
 * floor(L / z) blocks, and for one thread where that is 0. Here the rows are sorted on the host before anything is
 * timed, and results stay in sorted order. The B threads of a block add equal parts of a row, and a second operation
 * adds the parts. The number of blocks per row is rounded down to a power of two, so that rows of as many blocks are
 * one product. Columns of the output, in microseconds from submission to completion, the best of some replays:
 *   scalar, vector, balanced   the library's schemes, rows in the order of the matrix
 *   sorted                     one thread per row, rows sorted by length
 *   warps, blocks              sorted and grouped, with B = 32 and B = 256
 * All ways must give the same results. */
#include <reprise/ops.h>
#include <reprise/reprise.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINT = 64, SCALAR = 32, MOST_COLS = 1 << 14, MOST_BLOCKS = 64, WARP = 32, BLOCK = 256, CLASSES = 8 };
enum { MEANS = 8, REPLAYS = 30, LONG_NS = 300000000 };

typedef enum way { WAY_SCALAR, WAY_VECTOR, WAY_BALANCED, WAY_SORTED, WAY_WARPS, WAY_BLOCKS, WAY_COUNT } way;

/* `val` and `x` are of BN254 Fr, or x has points of its G1 and val is NULL. */
typedef struct matrix {
  uint32_t *row_ptr, *col;
  uint8_t *val;
  uint32_t rows, cols, nnz;
} matrix;

typedef struct setup {
  rp_context *context;
  rp_device *device;
  matrix given, sorted;
  uint32_t *order, *pieces, *columns; /* sorted row i is given row order[i]; row_ptr of the parts of rows */
  uint8_t *x, *ones, *want;
  bool points;
  rp_error err;
} setup;

static size_t x_bytes(const setup *s) { return s->points ? POINT : SCALAR; }

/* ---- Matrices ---------------------------------------------------------------------------------------------------- */

static void random_element(uint64_t *state, uint8_t out[SCALAR]) {
  for (int w = 0; w < 4; w++) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    const uint64_t word = w == 3 ? *state >> 4 : *state; /* below the modulus */
    memcpy(out + 8 * w, &word, sizeof word);
  }
}

/* One row in `of` is long, the others have half the mean length; with of = 1 all are even. */
static void shape(matrix *m, uint32_t mean, uint32_t of) {
  const uint32_t small = of == 1 ? mean : mean / 2;
  m->rows = 0;
  for (uint32_t at = 0; at < m->nnz; m->rows++) {
    const uint32_t length = m->rows % of == of / 2 && of > 1 ? mean * of - small * (of - 1) : small;
    m->row_ptr[m->rows] = at;
    at += m->nnz - at < length ? m->nnz - at : length;
  }
  m->row_ptr[m->rows] = m->nnz;
}

static uint32_t length_of(const matrix *m, uint32_t row) { return m->row_ptr[row + 1] - m->row_ptr[row]; }

/* Makes s->sorted: the longest row first, rows of one length in their order. */
static void sort_rows(setup *s) {
  const matrix *m = &s->given;
  matrix *to = &s->sorted;
  uint32_t *from = s->columns; /* per length, from the longest: where its rows begin */
  memset(from, 0, (m->nnz + 2u) * sizeof *from);
  for (uint32_t r = 0; r < m->rows; r++) from[m->nnz - length_of(m, r) + 1]++;
  for (uint32_t l = 0; l <= m->nnz; l++) from[l + 1] += from[l];
  for (uint32_t r = 0; r < m->rows; r++) s->order[from[m->nnz - length_of(m, r)]++] = r;
  to->rows = m->rows, to->cols = m->cols, to->nnz = m->nnz;
  for (uint32_t i = 0, at = 0; i <= m->rows; i++) {
    to->row_ptr[i] = at;
    if (i == m->rows) return;
    const uint32_t n = length_of(m, s->order[i]), first = m->row_ptr[s->order[i]];
    memcpy(to->col + at, m->col + first, n * sizeof *to->col);
    if (!s->points) memcpy(to->val + (size_t)at * SCALAR, m->val + (size_t)first * SCALAR, (size_t)n * SCALAR);
    at += n;
  }
}

/* ---- Graphs ------------------------------------------------------------------------------------------------------ */

/* The product of n_rows rows that begin with entry `first`; row_ptr counts from there. */
static rp_value product(rp_graph *g, const setup *s, const matrix *m, const uint32_t *row_ptr, uint32_t n_rows,
                        uint32_t first, rp_value x, rp_spmv_scheme scheme) {
  const rp_type *fr = rp_type_field(RP_FIELD_BN254_FR);
  const uint32_t n = row_ptr[n_rows];
  rp_csr part = {.row_ptr = rp_graph_constant(g, "row_ptr", &RP_TYPE_U32, n_rows + 1u, row_ptr, RP_BORROW),
                 .col = rp_graph_constant(g, "col", &RP_TYPE_U32, n, m->col + first, RP_BORROW),
                 .rows = n_rows,
                 .cols = m->cols};
  if (s->points) return rp_spmv_points(g, &part, x, scheme);
  part.val = rp_graph_constant(g, "val", fr, n, m->val + (size_t)first * SCALAR, RP_BORROW);
  return rp_spmv(g, &part, x, &(rp_spmv_options){.struct_size = sizeof(rp_spmv_options), .scheme = scheme});
}

/* Adds groups of `width` consecutive sums: points by a tree, elements by a product with ones. Writes row_ptr and the
 * columns of that product to `spare`, which has 2 * n * width + 1 elements. */
static rp_value join(rp_graph *g, const setup *s, rp_value parts, uint32_t n, uint32_t width, uint32_t *spare) {
  uint32_t *col = spare + n + 1;
  if (s->points) return rp_tree_reduce(g, parts, width);
  for (uint32_t i = 0; i <= n; i++) spare[i] = i * width;
  for (uint32_t i = 0; i < n * width; i++) col[i] = i;
  const matrix ones = {.col = col, .val = s->ones, .cols = n * width};
  return product(g, s, &ones, spare, n, 0, parts, width < WARP ? RP_SPMV_SCALAR : RP_SPMV_VECTOR);
}

/* How many blocks a row of this length is for: a power of two, or 0. */
static uint32_t blocks_of(uint32_t length, uint32_t mean, uint32_t block) {
  const uint32_t log_block = block == WARP ? 5 : 8, ratio = (2 * mean * log_block + block - 1) / block;
  uint32_t root = 1, n = 1;
  while ((root + 1) * (root + 1) <= ratio) root++;
  const uint32_t blocks = length / (block * root);
  if (!blocks) return 0;
  while (n < MOST_BLOCKS && 2 * n <= blocks) n *= 2;
  return n;
}

/* Rows from `begin` to `end` of the sorted matrix, each cut into `width` equal parts, whose row_ptr goes to `at`. */
static rp_value group(rp_graph *g, const setup *s, rp_value x, uint32_t begin, uint32_t end, uint32_t width,
                      rp_spmv_scheme scheme, uint32_t **at) {
  const matrix *m = &s->sorted;
  const uint32_t first = m->row_ptr[begin], n = end - begin;
  uint32_t *row_ptr = *at;
  for (uint32_t r = begin; r < end; r++)
    for (uint32_t i = 0; i < width; i++)
      *(*at)++ = m->row_ptr[r] - first + (uint32_t)((uint64_t)length_of(m, r) * i / width);
  *(*at)++ = m->row_ptr[end] - first;
  rp_value y = product(g, s, m, row_ptr, n * width, first, x, scheme);
  if (width == 1) return y;
  uint32_t *spare = *at;
  *at += 2 * (size_t)n * width + 1;
  return join(g, s, y, n, width, spare);
}

/* Of elements a warp adds one part, by the vector scheme; of points one thread does. */
static rp_value grouped(rp_graph *g, const setup *s, rp_value x, uint32_t block) {
  const matrix *m = &s->sorted;
  const uint32_t mean = (m->nnz + m->rows - 1) / m->rows;
  rp_value parts[CLASSES];
  uint32_t n = 0, *at = s->pieces;
  for (uint32_t begin = 0, end; begin < m->rows; begin = end) {
    const uint32_t blocks = blocks_of(length_of(m, begin), mean, block);
    for (end = begin; end < m->rows && blocks_of(length_of(m, end), mean, block) == blocks;) end++;
    const uint32_t width = !blocks ? 1 : blocks * (s->points ? block : block / WARP);
    const rp_spmv_scheme scheme = !blocks || s->points ? RP_SPMV_SCALAR : RP_SPMV_VECTOR;
    parts[n++] = group(g, s, x, begin, end, width, scheme, &at);
  }
  return n == 1 ? parts[0] : rp_concat(g, parts, n);
}

static rp_value build(rp_graph *g, const setup *s, rp_value x, way w) {
  if (w == WAY_WARPS || w == WAY_BLOCKS) return grouped(g, s, x, w == WAY_WARPS ? WARP : BLOCK);
  const matrix *m = w == WAY_SORTED ? &s->sorted : &s->given;
  const rp_spmv_scheme scheme = w == WAY_VECTOR     ? RP_SPMV_VECTOR
                                : w == WAY_BALANCED ? RP_SPMV_BALANCED
                                                    : RP_SPMV_SCALAR;
  return product(g, s, m, m->row_ptr, m->rows, 0, x, scheme);
}

/* ---- Runs -------------------------------------------------------------------------------------------------------- */

/* The results, in the order of the given rows, are those of s->want, which WAY_SCALAR sets. */
static bool compare(setup *s, way w, const uint8_t *got) {
  const rp_curve_host *c = rp_curve_get(RP_CURVE_BN254_G1);
  const size_t bytes = x_bytes(s);
  if (w == WAY_SCALAR) memcpy(s->want, got, bytes * s->given.rows);
  for (uint32_t i = 0; i < s->given.rows; i++) {
    const uint8_t *want = s->want + bytes * (w < WAY_SORTED ? i : s->order[i]), *y = got + bytes * i;
    if (s->points ? !c->equal(y, want) : memcmp(y, want, bytes) != 0) return false;
  }
  return true;
}

/* The least time of replays during LONG_NS, at least 3 and at most REPLAYS, with the result left on the device
 * (`result`), or of one, with the result compared (result NULL); 0 after an error. */
static uint64_t replay(setup *s, rp_recording *recording, rp_value x, rp_value y, rp_buffer *result, way w) {
  uint64_t best = UINT64_MAX, sum = 0;
  for (int i = 0; i < (result ? REPLAYS : 1) && (i < 3 || sum < LONG_NS); i++) {
    rp_run_counters c = {.struct_size = sizeof c};
    rp_run *run;
    if (rp_run_begin(recording, UINT64_MAX, &run, &s->err) != RP_OK) return 0;
    bool good = rp_run_set_input(run, x, s->x, s->given.cols * x_bytes(s)) == RP_OK &&
                (!result || rp_run_bind_output(run, y, result, 0) == RP_OK) && rp_run_submit(run) == RP_OK &&
                rp_run_wait(run, UINT64_MAX) == RP_OK;
    if (!good) s->err = *rp_run_error(run);
    if (good && !result && !compare(s, w, rp_run_output(run, y)))
      good = false, snprintf(s->err.reason, sizeof s->err.reason, "way %d gives other results", (int)w);
    rp_run_get_counters(run, &c);
    rp_run_end(run);
    if (!good) return 0;
    best = c.latency_ns < best ? c.latency_ns : best;
    sum += c.latency_ns;
  }
  return best;
}

static uint64_t measure(setup *s, way w, bool timed) {
  const rp_type *type = s->points ? rp_type_affine(RP_CURVE_BN254_G1) : rp_type_field(RP_FIELD_BN254_FR);
  const rp_type *sum = s->points ? rp_type_accumulator(RP_CURVE_BN254_G1) : type;
  rp_recording *recording = NULL;
  rp_buffer *result = NULL;
  rp_graph *g;
  uint64_t ns = 0;
  if (rp_graph_create(s->context, "sorted_rows", &g, &s->err) != RP_OK) return 0;
  const rp_value x = rp_graph_input(g, "x", type, s->given.cols, 0);
  rp_value y = build(g, s, x, w);
  if (!timed && s->points) y = rp_to_affine(g, y);
  rp_graph_output(g, "y", y, timed ? RP_RESIDENT : 0);
  if (rp_record(s->device, g, NULL, &recording, &s->err) == RP_OK &&
      (!timed || rp_buffer_create(s->device, (uint64_t)s->given.rows * sum->size_bytes, &result, &s->err) == RP_OK))
    ns = replay(s, recording, x, y, result, w);
  rp_recording_destroy(recording);
  rp_buffer_destroy(result);
  rp_graph_destroy(g);
  return ns;
}

static bool table(setup *s, bool points) {
  static const uint32_t unevenness[] = {1, 8, 64, 512};
  s->points = points;
  printf("\n%s: mean row length | one long row in | scalar | vector | balanced | sorted | warps | blocks\n",
         points ? "points of BN254 G1" : "elements of BN254 Fr");
  for (int u = 0; u < 4; u++)
    for (int k = 0; k < MEANS && (2u << k) * unevenness[u] <= s->given.nnz; k++) {
      shape(&s->given, 2u << k, unevenness[u]);
      sort_rows(s);
      printf("%8u | %3u", 2u << k, unevenness[u]);
      for (way w = 0; w < WAY_COUNT; w++) {
        const uint64_t ns = measure(s, w, false) ? measure(s, w, true) : 0;
        if (!ns) return false;
        printf(" | %.1f", (double)ns / 1e3);
      }
      puts("");
      fflush(stdout);
    }
  return true;
}

/* Points are consecutive multiples of the generator; x of elements lies in the same array. */
static bool fill(setup *s, int log_nnz) {
  const rp_curve_host *c = rp_curve_get(RP_CURVE_BN254_G1);
  matrix *m = &s->given, *t = &s->sorted;
  const size_t n = (size_t)1 << log_nnz;
  uint64_t state = 1;
  m->nnz = (uint32_t)n, m->cols = n < MOST_COLS ? m->nnz : MOST_COLS;
  m->row_ptr = malloc((n + 1) * sizeof(uint32_t)), t->row_ptr = malloc((n + 1) * sizeof(uint32_t));
  m->col = malloc(n * sizeof(uint32_t)), t->col = malloc(n * sizeof(uint32_t));
  m->val = malloc(n * SCALAR), t->val = malloc(n * SCALAR);
  s->order = malloc(n * sizeof(uint32_t)), s->columns = malloc((n + 2) * sizeof(uint32_t));
  s->pieces = malloc(8 * n * sizeof(uint32_t));
  s->x = malloc((size_t)m->cols * POINT), s->ones = malloc(n * SCALAR), s->want = malloc(n * POINT);
  if (!m->row_ptr || !t->row_ptr || !m->col || !t->col || !m->val || !t->val || !s->order || !s->columns ||
      !s->pieces || !s->x || !s->ones || !s->want)
    return snprintf(s->err.reason, sizeof s->err.reason, "out of memory"), false;
  for (size_t i = 0; i < n; i++) {
    random_element(&state, m->val + i * SCALAR);
    m->col[i] = (uint32_t)(state >> 40) % m->cols;
    rp_field_get(RP_FIELD_BN254_FR)->one(s->ones + i * SCALAR);
  }
  c->generator(s->x);
  for (uint32_t i = 1; i < m->cols; i++) c->add(s->x + (size_t)i * POINT, s->x + (size_t)(i - 1) * POINT, s->x);
  return true;
}

static void drop(matrix *m) { free(m->row_ptr), free(m->col), free(m->val); }

int main(int argc, char **argv) {
  const int log_nnz = argc > 1 ? atoi(argv[1]) : 20;
  setup s = {.context = NULL};
  rp_device_info info = {.struct_size = sizeof info};
  if (log_nnz < 8 || log_nnz > 24)
    return fprintf(stderr, "usage: sorted_rows [log2 of the number of non-zeros, 8 to 24]\n"), 2;
  bool good = fill(&s, log_nnz) && rp_context_create(NULL, &s.context, &s.err) == RP_OK &&
              rp_device_open(s.context, NULL, &s.device, &s.err) == RP_OK;
  if (good) {
    rp_device_get_info(s.device, &info);
    printf("%s, 2^%d non-zeros\n", info.name, log_nnz);
    good = table(&s, true);
    for (uint32_t i = 0; i < s.given.cols && good; i++)
      memcpy(s.x + (size_t)i * SCALAR, s.given.val + (size_t)i * SCALAR, SCALAR);
    good = good && table(&s, false);
  }
  if (good)
    puts("\nall ways agree");
  else
    fprintf(stderr, "%s: %s\n", rp_status_name(s.err.status), s.err.reason);
  rp_device_close(s.device);
  rp_context_destroy(s.context);
  drop(&s.given), drop(&s.sorted);
  free(s.order), free(s.pieces), free(s.columns), free(s.x), free(s.ones), free(s.want);
  return !good;
}
