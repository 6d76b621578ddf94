/* SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The container of a saved graph: names, growing bytes, header and section table.
 */
#include "format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

bool saved_is_name(const void *text, size_t length) {
  const unsigned char *at = text;
  for (size_t i = 0; i < length; i++) {
    const bool c1 = at[i] == 0xc2 && i + 1 < length && at[i + 1] >= 0x80 && at[i + 1] < 0xa0;
    if (at[i] < ' ' || at[i] == 0x7f || c1) return 0;
  }
  return length != 0 && length <= SAVED_NAME_MAX;
}

/* ---- Growing bytes ----------------------------------------------------------------------------------------------- */

uint8_t *saved_room(saved_bytes *b, size_t bytes) {
  if (b->failed || bytes > SIZE_MAX / 4 - b->size) {
    b->failed = 1;
    return NULL;
  }
  if (b->size + bytes > b->capacity) {
    const size_t more = 2 * b->capacity > b->size + bytes ? 2 * b->capacity : b->size + bytes + 256;
    uint8_t *data = realloc(b->data, more);
    b->failed = !data;
    if (!data) return NULL;
    b->data = data;
    b->capacity = more;
  }
  uint8_t *at = b->data + b->size;
  if (bytes) memset(at, 0, bytes);
  b->size += bytes;
  return at;
}

void saved_put(saved_bytes *b, const void *data, size_t bytes) {
  uint8_t *at = saved_room(b, bytes);
  if (at && bytes) memcpy(at, data, bytes);
}

static void put_u32(uint8_t *at, uint32_t x) {
  for (int i = 0; i < 4; i++) at[i] = (uint8_t)(x >> 8 * i);
}

static void put_u64(uint8_t *at, uint64_t x) {
  put_u32(at, (uint32_t)x);
  put_u32(at + 4, (uint32_t)(x >> 32));
}

void saved_u32(saved_bytes *b, uint32_t x) {
  uint8_t *at = saved_room(b, 4);
  if (at) put_u32(at, x);
}

void saved_u64(saved_bytes *b, uint64_t x) {
  uint8_t *at = saved_room(b, 8);
  if (at) put_u64(at, x);
}

/* ---- Header and table -------------------------------------------------------------------------------------------- */

/* Offsets of the members of the header, and of those of an entry of the section table. */
enum { AT_VERSION = 8, AT_SECTIONS = 12, AT_BYTES = 16, AT_LIBRARY = 24, AT_ZERO = 30, AT_DIGEST = 32 };
enum { ENTRY_FLAGS = 4, ENTRY_OFFSET = 8, ENTRY_BYTES = 16, ENTRY_ZERO = 24, ENTRY_DIGEST = 32 };

static void digest_head(const uint8_t *head, uint32_t n, uint8_t digest[SHA256_BYTES]) {
  pedersen_sha256_state state;
  pedersen_sha256_begin(&state);
  pedersen_sha256_add(&state, head, AT_DIGEST);
  pedersen_sha256_add(&state, head + SAVED_HEADER_BYTES, (size_t)n * SAVED_ENTRY_BYTES);
  pedersen_sha256_end(&state, digest);
}

static uint64_t align_of(uint32_t id) { return id == SAVED_DATA ? SAVED_DATA_ALIGN : SAVED_ALIGN; }
static uint64_t align_up(uint64_t x, uint64_t align) { return (x + align - 1) & ~(align - 1); }

rp_status saved_write_head(support_output *output, const char *magic, saved_section *sections, uint32_t n,
                           rp_error *err) {
  static const uint16_t library[] = {RP_VERSION_MAJOR, RP_VERSION_MINOR, RP_VERSION_PATCH};
  uint8_t head[SAVED_HEADER_BYTES + SAVED_SECTIONS_MAX * SAVED_ENTRY_BYTES] = {0};
  uint64_t at = SAVED_HEADER_BYTES + (uint64_t)n * SAVED_ENTRY_BYTES;
  for (uint32_t i = 0; i < n; i++) {
    uint8_t *entry = head + SAVED_HEADER_BYTES + (size_t)i * SAVED_ENTRY_BYTES;
    sections[i].offset = align_up(at, align_of(sections[i].id));
    at = sections[i].offset + sections[i].size_bytes;
    put_u32(entry, sections[i].id);
    const bool is_optional = sections[i].id == SAVED_CONDITIONS || sections[i].id >= SAVED_DEVICE_FIRST;
    put_u32(entry + ENTRY_FLAGS, is_optional ? 0 : SAVED_REQUIRED);
    put_u64(entry + ENTRY_OFFSET, sections[i].offset);
    put_u64(entry + ENTRY_BYTES, sections[i].size_bytes);
    memcpy(entry + ENTRY_DIGEST, sections[i].digest, SHA256_BYTES);
  }
  memcpy(head, magic, AT_VERSION);
  put_u32(head + AT_VERSION, SAVED_VERSION);
  put_u32(head + AT_SECTIONS, n);
  put_u64(head + AT_BYTES, at);
  for (int i = 0; i < 3; i++) {
    head[AT_LIBRARY + 2 * i] = (uint8_t)library[i];
    head[AT_LIBRARY + 2 * i + 1] = (uint8_t)(library[i] >> 8);
  }
  digest_head(head, n, head + AT_DIGEST);
  return support_output_write(output, head, SAVED_HEADER_BYTES + (uint64_t)n * SAVED_ENTRY_BYTES, err);
}

rp_status saved_write_gap(support_output *output, uint64_t *at, uint64_t offset, rp_error *err) {
  static const uint8_t zeros[SAVED_DATA_ALIGN];
  const uint64_t bytes = offset - *at;
  *at = offset;
  return bytes ? support_output_write(output, zeros, bytes, err) : RP_OK;
}

/* ---- Reading ----------------------------------------------------------------------------------------------------- */

rp_status saved_damaged(const support_file *file, const char *why, rp_error *err) {
  return support_fail(err, RP_ERR_FORMAT, "%s: the saved graph is damaged: %s.", support_file_name(file), why);
}

/* The gap before a section, at most SAVED_DATA_ALIGN bytes, must be zero. */
static rp_status check_gap(const support_file *file, uint64_t at, uint64_t end, rp_error *err) {
  uint8_t gap[SAVED_DATA_ALIGN];
  rp_status status = support_file_read(file, at, end - at, gap, err);
  for (uint64_t i = 0; status == RP_OK && i < end - at; i++)
    if (gap[i]) status = saved_damaged(file, "there is something between its sections", err);
  return status;
}

static bool is_for_device(uint32_t id) {
  return id >= SAVED_DEVICE_FIRST && id < SAVED_DEVICE_FIRST + SAVED_DEVICES_MAX;
}

static saved_section section_of_entry(const uint8_t *entry) {
  saved_section s = {
      .id = g16_u32(entry), .offset = g16_u64(entry + ENTRY_OFFSET), .size_bytes = g16_u64(entry + ENTRY_BYTES)};
  memcpy(s.digest, entry + ENTRY_DIGEST, SHA256_BYTES);
  return s;
}

static rp_status note_device(const uint8_t *entry, saved_container *c, rp_error *err) {
  const saved_section s = section_of_entry(entry);
  for (uint32_t i = 0; i < c->n_devices; i++)
    if (c->devices[i].id == s.id) return saved_damaged(c->file, "a section is there twice", err);
  c->devices[c->n_devices++] = s; /* there are no more of them than numbers */
  return RP_OK;
}

static rp_status note_key(const uint8_t *entry, saved_container *c, rp_error *err) {
  if (c->key.id) return saved_damaged(c->file, "a section is there twice", err);
  c->key = section_of_entry(entry);
  return RP_OK;
}

/* The entry of a section that begins at byte *at or after it; *at becomes its end. */
static rp_status read_entry(const uint8_t *entry, saved_container *c, uint64_t *at, rp_error *err) {
  static const uint8_t zero[8];
  const uint64_t size = support_file_size(c->file), offset = g16_u64(entry + ENTRY_OFFSET);
  const uint64_t bytes = g16_u64(entry + ENTRY_BYTES);
  const uint32_t id = g16_u32(entry), flags = g16_u32(entry + ENTRY_FLAGS);
  if (offset > size || bytes > size - offset || offset != align_up(*at, align_of(id)))
    return saved_damaged(c->file, "a section does not lie where it should", err);
  if (flags & ~SAVED_REQUIRED || memcmp(entry + ENTRY_ZERO, zero, sizeof zero) != 0)
    return saved_damaged(c->file, "there is something in its section table that no version writes", err);
  const rp_status status = check_gap(c->file, *at, offset, err);
  if (status != RP_OK) return status;
  *at = offset + bytes;
  if (is_for_device(id) && !(flags & SAVED_REQUIRED)) return note_device(entry, c, err);
  if (id == SAVED_KEY && !(flags & SAVED_REQUIRED)) return note_key(entry, c, err);
  if (id == 0 || id >= SAVED_IDS) {
    if (!(flags & SAVED_REQUIRED)) return RP_OK;
    return support_fail(err, RP_ERR_UNSUPPORTED,
                        "%s: section %" PRIu32 " of this saved graph is not known to this version of the library (%s), "
                        "and the graph cannot be loaded without it; version %s wrote the file.",
                        support_file_name(c->file), id, rp_version(), c->writer);
  }
  if (c->present[id]) return saved_damaged(c->file, "a section is there twice", err);
  c->present[id] = 1;
  c->offset[id] = offset;
  c->size_bytes[id] = bytes;
  memcpy(c->digest[id], entry + ENTRY_DIGEST, SHA256_BYTES);
  return RP_OK;
}

static rp_status read_header(const uint8_t *head, const char *magic, saved_container *c, uint32_t *n, rp_error *err) {
  const uint32_t version = g16_u32(head + AT_VERSION);
  if (memcmp(head, magic, AT_VERSION) != 0)
    return support_fail(err, RP_ERR_FORMAT, "%s: is no %s.", support_file_name(c->file),
                        strcmp(magic, SAVED_MAGIC) == 0 ? "saved graph" : "file with the constants of a saved graph");
  for (int i = 0, used = 0; i < 3; i++)
    used += snprintf(c->writer + used, sizeof c->writer - (size_t)used, "%s%u", i ? "." : "",
                     head[AT_LIBRARY + 2 * i] | (unsigned)head[AT_LIBRARY + 2 * i + 1] << 8);
  if (version != SAVED_VERSION)
    return support_fail(err, RP_ERR_UNSUPPORTED,
                        "%s: has version %" PRIu32
                        " of the format of saved graphs, this library (%s) reads version %d; "
                        "version %s wrote the file.",
                        support_file_name(c->file), version, rp_version(), SAVED_VERSION, c->writer);
  *n = g16_u32(head + AT_SECTIONS);
  if (*n == 0 || *n > SAVED_SECTIONS_MAX) return saved_damaged(c->file, "its number of sections makes no sense", err);
  if (head[AT_ZERO] || head[AT_ZERO + 1])
    return saved_damaged(c->file, "there is something in its header that no version writes", err);
  if (g16_u64(head + AT_BYTES) != support_file_size(c->file))
    return saved_damaged(c->file, "its length is not the one that it was written with", err);
  return RP_OK;
}

rp_status saved_open(const support_file *file, const char *magic, saved_container *c, rp_error *err) {
  uint8_t head[SAVED_HEADER_BYTES + SAVED_SECTIONS_MAX * SAVED_ENTRY_BYTES], digest[SHA256_BYTES];
  uint32_t n = 0;
  *c = (saved_container){.file = file};
  rp_status status = support_file_read(file, 0, SAVED_HEADER_BYTES, head, err);
  if (status == RP_OK) status = read_header(head, magic, c, &n, err);
  uint64_t at = SAVED_HEADER_BYTES + (uint64_t)n * SAVED_ENTRY_BYTES;
  if (status == RP_OK)
    status = support_file_read(file, SAVED_HEADER_BYTES, at - SAVED_HEADER_BYTES, head + SAVED_HEADER_BYTES, err);
  if (status != RP_OK) return status;
  digest_head(head, n, digest);
  if (memcmp(digest, head + AT_DIGEST, sizeof digest) != 0)
    return saved_damaged(file, "the digest of its header is wrong", err);
  for (uint32_t i = 0; i < n && status == RP_OK; i++)
    status = read_entry(head + SAVED_HEADER_BYTES + (size_t)i * SAVED_ENTRY_BYTES, c, &at, err);
  if (status == RP_OK && at != support_file_size(file))
    return saved_damaged(file, "something follows its sections", err);
  return status;
}

static rp_status check_digest(const saved_container *c, const uint8_t *data, uint64_t bytes, const uint8_t *wanted,
                              rp_error *err) {
  uint8_t digest[SHA256_BYTES];
  pedersen_sha256(data, (size_t)bytes, digest);
  if (memcmp(digest, wanted, sizeof digest) == 0) return RP_OK;
  return saved_damaged(c->file, "the digest of a section is wrong", err);
}

static rp_status read_section(const saved_container *c, uint64_t offset, uint64_t bytes, const uint8_t *wanted,
                              uint8_t **data, rp_error *err) {
  *data = NULL;
  uint8_t *memory = bytes < SIZE_MAX ? malloc((size_t)bytes + 1) : NULL;
  if (!memory)
    return support_fail(err, RP_ERR_MEMORY, "%s: out of memory: %" PRIu64 " bytes.", support_file_name(c->file), bytes);
  rp_status status = support_file_read(c->file, offset, bytes, memory, err);
  if (status == RP_OK) status = check_digest(c, memory, bytes, wanted, err);
  if (status == RP_OK)
    *data = memory;
  else
    free(memory);
  return status;
}

rp_status saved_read(const saved_container *c, saved_id id, uint8_t **data, rp_error *err) {
  *data = NULL;
  if (!c->present[id]) return saved_damaged(c->file, "a section is missing", err);
  return read_section(c, c->offset[id], c->size_bytes[id], c->digest[id], data, err);
}

rp_status saved_read_device(const saved_container *c, uint32_t index, uint8_t **data, rp_error *err) {
  const saved_section *s = &c->devices[index];
  return read_section(c, s->offset, s->size_bytes, s->digest, data, err);
}

rp_status saved_view(const saved_container *c, uint32_t id, const uint8_t **data, rp_error *err) {
  const bool is_key = id == SAVED_KEY;
  if (is_key ? !c->key.id : !c->present[id]) return saved_damaged(c->file, "a section is missing", err);
  *data = support_file_data(c->file) + (is_key ? c->key.offset : c->offset[id]);
  return check_digest(c, *data, is_key ? c->key.size_bytes : c->size_bytes[id], is_key ? c->key.digest : c->digest[id],
                      err);
}

/* ---- Kinds of files ---------------------------------------------------------------------------------------------- */

bool saved_is_graph(const support_file *file) {
  uint8_t magic[AT_VERSION];
  return support_file_size(file) >= sizeof magic && support_file_read(file, 0, sizeof magic, magic, NULL) == RP_OK &&
         memcmp(magic, SAVED_MAGIC, sizeof magic) == 0;
}

rp_status saved_find(const support_file *file, uint32_t id, saved_section *section, rp_error *err) {
  uint8_t head[SAVED_HEADER_BYTES], entry[SAVED_ENTRY_BYTES];
  *section = (saved_section){0};
  const uint64_t size = support_file_size(file);
  if (size < sizeof head) return RP_OK;
  rp_status status = support_file_read(file, 0, sizeof head, head, err);
  if (status != RP_OK || memcmp(head, SAVED_MAGIC, AT_VERSION) != 0) return status;
  const uint64_t n = g16_u32(head + AT_SECTIONS);
  for (uint64_t i = 0, end = sizeof head; i < n && i < SAVED_SECTIONS_MAX; i++) {
    end += sizeof entry;
    if (end > size) break;
    status = support_file_read(file, end - sizeof entry, sizeof entry, entry, err);
    if (status != RP_OK) return status;
    *section = section_of_entry(entry);
    if (section->id == id) return RP_OK;
  }
  *section = (saved_section){0};
  return RP_OK;
}
