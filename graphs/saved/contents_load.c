/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Brings the contents of constants into memory, from the graph's file or from the one beside it.
 */
#include "contents.h"

#include "threads/parallel.h"

#include <inttypes.h>
#include <stdlib.h>

void saved_memory_release(void *memory) {
  saved_memory *m = memory;
  if (!m) return;
  support_file_close(m->file);
  rp_context_free(m->memory);
  free(m);
}

typedef struct loader {
  const saved_source *source;
  saved_content *items;
  uint32_t n;
  saved_memory *memory;
  const uint8_t *data; /* SAVED_DATA */
  uint64_t data_bytes;
  const support_file *file; /* that it is from */
} loader;

/* Constants lie one after another in the data, so that where each lies follows from their lengths. */
rp_status saved_contents_read_list(const saved_container *c, const uint8_t *section, saved_content **items, uint32_t *n,
                                   uint64_t *data_bytes, rp_error *err) {
  const uint64_t bytes = c->size_bytes[SAVED_CONSTANTS];
  uint64_t end = 0;
  if (bytes < 8 || (bytes - 8) / SAVED_CONSTANT_BYTES != g16_u32(section) || (bytes - 8) % SAVED_CONSTANT_BYTES ||
      g16_u32(section + 4))
    return saved_damaged(c->file, "its list of constants does not have the length that it says", err);
  *n = g16_u32(section);
  *items = *n ? calloc(*n, sizeof **items) : NULL;
  if (*n && !*items) return support_fail(err, RP_ERR_MEMORY, "%s: out of memory.", support_file_name(c->file));
  for (uint32_t i = 0; i < *n; i++) {
    const uint8_t *entry = section + 8 + (size_t)i * SAVED_CONSTANT_BYTES;
    saved_content *item = &(*items)[i];
    *item = (saved_content){.offset = g16_u64(entry), .size_bytes = g16_u64(entry + 8)};
    memcpy(item->digest, entry + 16, SHA256_BYTES);
    if (item->size_bytes == 0 || item->size_bytes > UINT64_MAX / 4 || end > UINT64_MAX / 4 ||
        item->offset != ((end + SAVED_ALIGN - 1) & ~(uint64_t)(SAVED_ALIGN - 1)))
      return saved_damaged(c->file, "a constant does not lie where it should", err);
    end = item->offset + item->size_bytes;
  }
  *data_bytes = end;
  return RP_OK;
}

rp_status saved_contents_check_gaps(const support_file *file, const uint8_t *data, const saved_content *items,
                                    uint64_t first, uint64_t n, rp_error *err) {
  for (uint64_t i = first; i < first + n; i++)
    for (uint64_t at = i ? items[i - 1].offset + items[i - 1].size_bytes : 0; at < items[i].offset; at++)
      if (data[at]) return saved_damaged(file, "there is something between its constants", err);
  return RP_OK;
}

static rp_status check_range(void *arg, uint32_t part, uint64_t first, uint64_t n, rp_error *err) {
  const loader *l = arg;
  (void)part;
  const rp_status status = saved_contents_check_gaps(l->file, l->data, l->items, first, n, err);
  if (status != RP_OK) return status;
  for (uint64_t i = first; i < first + n; i++) {
    const saved_content *item = &l->items[i];
    uint8_t digest[SHA256_BYTES];
    pedersen_sha256(item->data, (size_t)item->size_bytes, digest);
    if (memcmp(digest, item->digest, sizeof digest) != 0)
      return saved_damaged(l->file, "the digest of a constant is wrong", err);
  }
  return RP_OK;
}

/* Maps or reads the section SAVED_DATA of an open file, whose container is `c`. */
static rp_status take_data(loader *l, const support_file *file, const saved_container *c, bool map, rp_error *err) {
  if (!c->present[SAVED_DATA] || c->size_bytes[SAVED_DATA] != l->data_bytes)
    return saved_damaged(file, "the contents of its constants do not have the length that it says", err);
  if (memcmp(c->digest[SAVED_DATA], l->source->container->digest[SAVED_CONSTANTS], SHA256_BYTES) != 0)
    return support_fail(err, RP_ERR_MISMATCH, "%s: has the constants of another graph.", support_file_name(file));
  l->file = file;
  if (map) {
    l->data = support_file_data(file) + c->offset[SAVED_DATA];
    return RP_OK;
  }
  if (l->data_bytes <= SIZE_MAX) /* not more than the file has, which saved_open has checked */
    l->memory->memory = rp_context_alloc(l->source->context, (size_t)l->data_bytes);
  l->data = l->memory->memory;
  if (!l->memory->memory)
    return support_fail(err, RP_ERR_MEMORY, "%s: out of memory for constants: %" PRIu64 " bytes.",
                        support_file_name(file), l->data_bytes);
  return support_file_read(file, c->offset[SAVED_DATA], l->data_bytes, l->memory->memory, err);
}

/* Sections of later versions are skipped there, too. */
static bool is_data_alone(const saved_container *c) {
  for (int id = 0; id < SAVED_IDS; id++)
    if (c->present[id] && id != SAVED_DATA) return 0;
  return 1;
}

/* The name of the second file: in the folder of the first, unless the caller says where it is. Free it. */
static char *path_beside(const saved_source *s) {
  const char *given = s->options->data_path;
  if (given) return strdup(given);
  const char *slash = strrchr(s->path, '/');
  const size_t folder = slash ? (size_t)(slash - s->path) + 1 : 0, name = strlen(s->beside);
  char *path = malloc(folder + name + 1);
  if (!path) return NULL;
  memcpy(path, s->path, folder);
  memcpy(path + folder, s->beside, name + 1);
  return path;
}

static rp_status check_items(loader *l, rp_error *err) {
  for (uint32_t i = 0; i < l->n; i++) l->items[i].data = l->data + l->items[i].offset;
  if (l->source->options->flags & RP_LOAD_UNCHECKED) return RP_OK;
  return support_parallel(NULL, support_parts(NULL, l->n, 1, support_processors()), l->n, check_range, l, err);
}

static rp_status load_beside(loader *l, rp_error *err) {
  const saved_source *s = l->source;
  const bool map = (s->options->flags & RP_LOAD_MAP) != 0;
  support_file *file = NULL;
  saved_container c;
  if (!s->path && !s->options->data_path)
    return support_fail(err, RP_ERR_ARGUMENT,
                        "%s: its constants are in a file of their own, '%s': data_path says where.",
                        support_file_name(s->container->file), s->beside);
  char *path = path_beside(s);
  if (!path) return support_fail(err, RP_ERR_MEMORY, "%s: out of memory.", support_file_name(s->container->file));
  rp_status status = support_file_open(path, map ? SUPPORT_FILE_MAP : 0, &file, err);
  free(path);
  if (status == RP_OK) status = saved_open(file, SAVED_DATA_MAGIC, &c, err);
  if (status == RP_OK && !is_data_alone(&c))
    status = saved_damaged(file, "it has more than the contents of constants", err);
  if (status == RP_OK && support_file_size(file) != s->beside_bytes)
    status =
        support_fail(err, RP_ERR_MISMATCH, "%s: has %" PRIu64 " bytes, the constants of this graph have %" PRIu64 ".",
                     support_file_name(file), support_file_size(file), s->beside_bytes);
  if (status == RP_OK) status = take_data(l, file, &c, map, err);
  if (status == RP_OK) status = check_items(l, err);
  if (status == RP_OK && map)
    l->memory->file = file;
  else
    support_file_close(file);
  return status;
}

/* From the graph's own file, which is opened a second time to be mapped: the mapping outlives the loading. */
static rp_status load_inside(loader *l, rp_error *err) {
  const saved_source *s = l->source;
  const saved_container *c = s->container;
  support_file *file = NULL;
  saved_container again;
  rp_status status;
  if (!s->path || !(s->options->flags & RP_LOAD_MAP)) {
    status = take_data(l, c->file, c, 0, err);
    return status == RP_OK ? check_items(l, err) : status;
  }
  status = support_file_open(s->path, SUPPORT_FILE_MAP, &file, err);
  if (status == RP_OK) status = saved_open(file, SAVED_MAGIC, &again, err);
  if (status == RP_OK) status = take_data(l, file, &again, 1, err);
  if (status == RP_OK) status = check_items(l, err);
  if (status == RP_OK)
    l->memory->file = file;
  else
    support_file_close(file);
  return status;
}

rp_status saved_contents_load(const saved_source *source, saved_content **items, uint32_t *n, saved_memory **memory,
                              rp_error *err) {
  const saved_container *c = source->container;
  loader l = {.source = source};
  uint8_t *section;
  rp_status status = saved_read(c, SAVED_CONSTANTS, &section, err);
  if (status == RP_OK) status = saved_contents_read_list(c, section, &l.items, &l.n, &l.data_bytes, err);
  free(section);
  if (status == RP_OK && (l.n != 0) != (c->present[SAVED_DATA] || source->beside))
    status = saved_damaged(c->file, "it has constants without contents, or contents without constants", err);
  if (status == RP_OK && c->present[SAVED_DATA] && source->beside)
    status = saved_damaged(c->file, "the contents of its constants are in two places", err);
  if (status == RP_OK && l.n) {
    l.memory = calloc(1, sizeof *l.memory);
    status = !l.memory        ? support_fail(err, RP_ERR_MEMORY, "%s: out of memory.", support_file_name(c->file))
             : source->beside ? load_beside(&l, err)
                              : load_inside(&l, err);
  }
  if (status != RP_OK) {
    free(l.items);
    saved_memory_release(l.memory);
    l = (loader){0};
  }
  *items = l.items;
  *n = l.n;
  *memory = l.memory;
  return status;
}
