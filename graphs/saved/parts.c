/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The parts of a saved graph that come before its nodes: strings, types, operations.
 */
#include "build.h"

#include <inttypes.h>
#include <stdlib.h>

static rp_status out_of_memory(const saved_parts *p, rp_error *err) {
  return support_fail(err, RP_ERR_MEMORY, "%s: out of memory.", support_file_name(p->container->file));
}

const char *saved_string(const saved_parts *p, uint32_t index) {
  return index < p->n_strings ? p->strings[index].text : NULL;
}

static rp_status read_strings(saved_parts *p, rp_error *err) {
  saved_cursor c = saved_begin(p, SAVED_STRINGS);
  const uint32_t n = saved_take_u32(&c);
  /* A string takes at least four bytes of the file, and one less in memory, with its NUL. */
  if (c.failed || n > c.left / 4) return saved_damaged(p->container->file, "its list of names is cut short", err);
  p->characters = malloc((size_t)c.left + 1);
  p->strings = calloc((size_t)n + 1, sizeof *p->strings);
  if (!p->characters || !p->strings) return out_of_memory(p, err);
  char *to = p->characters;
  for (p->n_strings = 0; p->n_strings < n; p->n_strings++) {
    const uint32_t length = saved_take_u32(&c);
    const uint8_t *text = saved_take(&c, length);
    if (!text || !saved_is_name(text, length))
      return saved_damaged(p->container->file, "one of its names is no text", err);
    memcpy(to, text, length);
    to[length] = 0;
    p->strings[p->n_strings].text = to;
    to += length + 1;
  }
  return c.left ? saved_damaged(p->container->file, "something follows its list of names", err) : RP_OK;
}

/* Takes the number of entries of a section that consists of this number and the entries. */
static rp_status count(const saved_parts *p, saved_id id, uint32_t entry_bytes, saved_cursor *c, uint32_t *n,
                       rp_error *err) {
  *c = saved_begin(p, id);
  *n = saved_take_u32(c);
  if (!c->failed && c->left / entry_bytes == *n && c->left % entry_bytes == 0) return RP_OK;
  *n = 0;
  return saved_damaged(p->container->file, "a list does not have the length that it says", err);
}

/* ---- What the names stand for ------------------------------------------------------------------------------------ */

static const rp_catalog *catalog_of(const rp_load_options *o, uint32_t i) {
  return i ? o->catalogs[i - 1] : rp_ops_catalog();
}

static rp_status ambiguous(const saved_parts *p, const char *what, const char *name, rp_error *err) {
  return support_fail(err, RP_ERR_ARGUMENT, "%s: the catalogs have two different %ss '%.100s'.",
                      support_file_name(p->container->file), what, name);
}

static rp_status find_type(const saved_parts *p, const rp_load_options *o, const char *name, const rp_type **type,
                           rp_error *err) {
  *type = NULL;
  for (uint32_t i = 0; i <= o->n_catalogs; i++)
    for (uint32_t t = 0; t < catalog_of(o, i)->n_types; t++) {
      const rp_type *known = catalog_of(o, i)->types[t];
      if (strcmp(known->name, name) != 0) continue;
      if (*type && *type != known) return ambiguous(p, "type", name, err);
      *type = known;
    }
  if (*type) return RP_OK;
  return support_fail(err, RP_ERR_UNSUPPORTED,
                      "%s: the saved graph needs the type '%.100s', which no catalog given to rp_graph_load has.",
                      support_file_name(p->container->file), name);
}

static rp_status find_op(const saved_parts *p, const rp_load_options *o, const char *name, const rp_op **op,
                         rp_error *err) {
  *op = NULL;
  for (uint32_t i = 0; i <= o->n_catalogs; i++)
    for (uint32_t t = 0; t < catalog_of(o, i)->n_ops; t++) {
      const rp_op *known = catalog_of(o, i)->ops[t];
      if (strcmp(known->name, name) != 0) continue;
      if (*op && *op != known) return ambiguous(p, "operation", name, err);
      *op = known;
    }
  if (*op) return RP_OK;
  return support_fail(err, RP_ERR_UNSUPPORTED,
                      "%s: the saved graph needs the operation '%.100s', which no catalog given to rp_graph_load has "
                      "(version %s of the library wrote it, this is %s).",
                      support_file_name(p->container->file), name, p->container->writer, rp_version());
}

static rp_status read_types(saved_parts *p, const rp_load_options *o, rp_error *err) {
  saved_cursor c;
  rp_status status = count(p, SAVED_TYPES, 16, &c, &p->n_types, err);
  if (status != RP_OK) return status;
  p->types = calloc((size_t)p->n_types + 1, sizeof *p->types);
  if (!p->types) return out_of_memory(p, err);
  for (uint32_t i = 0; i < p->n_types && status == RP_OK; i++) {
    const char *name = saved_string(p, saved_take_u32(&c));
    const uint32_t id = saved_take_u32(&c), bytes = saved_take_u32(&c), align = saved_take_u32(&c);
    if (!name) return saved_damaged(p->container->file, "a type has no name", err);
    status = find_type(p, o, name, &p->types[i], err);
    const rp_type *t = p->types[i];
    if (status == RP_OK && (t->id != id || t->size_bytes != bytes || t->align_bytes != align))
      status = support_fail(err, RP_ERR_UNSUPPORTED,
                            "%s: the type '%.100s' has id %" PRIu32 " and %" PRIu32 " bytes in the saved graph, and id "
                            "%" PRIu32 " and %" PRIu32 " bytes here.",
                            support_file_name(p->container->file), name, id, bytes, t->id, t->size_bytes);
  }
  return status;
}

static rp_status read_ops(saved_parts *p, const rp_load_options *o, rp_error *err) {
  saved_cursor c;
  rp_status status = count(p, SAVED_OPERATIONS, 8, &c, &p->n_ops, err);
  if (status != RP_OK) return status;
  p->ops = calloc((size_t)p->n_ops + 1, sizeof *p->ops);
  if (!p->ops) return out_of_memory(p, err);
  for (uint32_t i = 0; i < p->n_ops && status == RP_OK; i++) {
    const char *name = saved_string(p, saved_take_u32(&c));
    p->ops[i].version = saved_take_u32(&c);
    if (!name) return saved_damaged(p->container->file, "an operation has no name", err);
    status = find_op(p, o, name, &p->ops[i].op, err);
  }
  return status;
}

rp_status saved_parts_read(saved_parts *p, const rp_load_options *options, rp_error *err) {
  static const saved_id needed[] = {SAVED_STRINGS, SAVED_TYPES, SAVED_OPERATIONS,
                                    SAVED_SCOPES,  SAVED_ITEMS, SAVED_OUTPUTS};
  rp_status status = RP_OK;
  for (size_t i = 0; i < sizeof needed / sizeof *needed && status == RP_OK; i++)
    status = saved_read(p->container, needed[i], &p->section[needed[i]], err);
  if (status == RP_OK && p->container->present[SAVED_BESIDE])
    status = saved_read(p->container, SAVED_BESIDE, &p->section[SAVED_BESIDE], err);
  if (status == RP_OK && p->container->present[SAVED_CONDITIONS])
    status = saved_read(p->container, SAVED_CONDITIONS, &p->section[SAVED_CONDITIONS], err);
  if (status == RP_OK) status = read_strings(p, err);
  if (status == RP_OK) status = read_types(p, options, err);
  return status == RP_OK ? read_ops(p, options, err) : status;
}

void saved_parts_free(saved_parts *p) {
  for (int i = 0; i < SAVED_IDS; i++) free(p->section[i]);
  free(p->characters);
  free(p->strings);
  free(p->types);
  free(p->ops);
  free(p->contents);
}
