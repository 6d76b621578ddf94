/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "binfile.h"

#include "fail.h"

#include <inttypes.h>

static rp_status read_section(g16_binfile *bin, uint64_t *at, uint32_t number, uint32_t count, rp_error *err) {
  const support_file *file = bin->file;
  const char *name = support_file_name(file);
  uint64_t size = support_file_size(file);
  uint8_t head[12];
  if (size - *at < sizeof head)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: is cut short: section %" PRIu32 " of %" PRIu32 " should begin at byte %" PRIu64
                        ", the file has %" PRIu64 ".",
                        name, number, count, *at, size);
  rp_status status = support_file_read(file, *at, sizeof head, head, err);
  if (status != RP_OK) return status;
  uint32_t id = g16_u32(head);
  uint64_t length = g16_u64(head + 4);
  const char *title = id < G16_BINFILE_IDS && bin->format->section_name[id] ? bin->format->section_name[id] : NULL;
  if (length > size - *at - sizeof head)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: section %" PRIu32 " (%s) at byte %" PRIu64 " claims %" PRIu64
                        " bytes, the file has %" PRIu64 " left: it is cut short or damaged.",
                        name, id, title ? title : "unknown", *at, length, size - *at - sizeof head);
  if (title) {
    g16_section *section = &bin->section[id];
    if (section->present)
      return support_fail(err, RP_ERR_FORMAT,
                          "%s: section %" PRIu32 " (%s) is there twice, at bytes %" PRIu64 " and %" PRIu64 ".", name,
                          id, title, section->offset - sizeof head, *at);
    *section = (g16_section){1, *at + sizeof head, length};
  }
  *at += sizeof head + length;
  return RP_OK;
}

/* A file of another kind, most likely because two paths or buffers were exchanged. */
static rp_status refuse_kind(const char *name, const char *magic, const uint8_t head[4], rp_error *err) {
  static const char *const known[][2] = {{"zkey", "a proving key"}, {"wtns", "a witness"}, {"r1cs", "a circuit"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (memcmp(head, known[i][0], 4) == 0)
      return support_fail(err, RP_ERR_FORMAT,
                          "%s: is not a %s file: it does not begin with \"%s\" but with \"%s\", as %s does: are the "
                          "arguments swapped?",
                          name, magic, magic, known[i][0], known[i][1]);
  return support_fail(err, RP_ERR_FORMAT, "%s: is not a %s file: it does not begin with \"%s\".", name, magic, magic);
}

rp_status g16_binfile_open(const support_file *file, const g16_format *format, g16_binfile *bin, rp_error *err) {
  *bin = (g16_binfile){.file = file, .format = format};
  const char *name = support_file_name(file);
  uint64_t size = support_file_size(file), at = 12;
  uint8_t head[12] = {0};
  rp_status status = support_file_read(file, 0, size < sizeof head ? size : sizeof head, head, err);
  if (status != RP_OK) return status;
  if (memcmp(head, format->magic, 4) != 0) return refuse_kind(name, format->magic, head, err);
  if (size < sizeof head)
    return support_fail(err, RP_ERR_FORMAT, "%s: is cut short: %" PRIu64 " bytes do not hold the file header.", name,
                        size);
  if (g16_u32(head + 4) != format->version)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: has version %" PRIu32 " of the %s format; this reader knows version %" PRIu32 ".", name,
                        g16_u32(head + 4), format->magic, format->version);
  uint32_t count = g16_u32(head + 8);
  if (count > G16_BINFILE_SECTIONS)
    return support_fail(err, RP_ERR_FORMAT, "%s: claims %" PRIu32 " sections, at most %d make sense.", name, count,
                        G16_BINFILE_SECTIONS);
  for (uint32_t i = 0; i < count; i++)
    if ((status = read_section(bin, &at, i + 1, count, err)) != RP_OK) return status;
  if (at != size)
    return support_fail(err, RP_ERR_FORMAT,
                        "%s: has %" PRIu64 " bytes after its last section, from byte %" PRIu64 " on.", name, size - at,
                        at);
  for (uint32_t id = 0; id < G16_BINFILE_IDS; id++)
    if (format->section_name[id] && !bin->section[id].present && !(format->optional >> id & 1))
      return support_fail(err, RP_ERR_FORMAT, "%s: section %" PRIu32 " (%s) is missing.", name, id,
                          format->section_name[id]);
  return RP_OK;
}

rp_status g16_section_expect(const g16_binfile *bin, uint32_t id, uint64_t size_bytes, const char *what,
                             rp_error *err) {
  const g16_section *section = &bin->section[id];
  if (section->size_bytes == size_bytes) return RP_OK;
  return support_fail(err, RP_ERR_FORMAT,
                      "%s: section %" PRIu32 " (%s) at byte %" PRIu64 " has %" PRIu64 " bytes, %s ask for %" PRIu64 ".",
                      support_file_name(bin->file), id, bin->format->section_name[id], section->offset,
                      section->size_bytes, what, size_bytes);
}

rp_status g16_section_read(const g16_binfile *bin, uint32_t id, uint64_t at, uint64_t size_bytes, void *out,
                           rp_error *err) {
  const g16_section *section = &bin->section[id];
  if (at > section->size_bytes || size_bytes > section->size_bytes - at)
    return support_fail(
        err, RP_ERR_FORMAT, "%s: section %" PRIu32 " (%s) at byte %" PRIu64 " is too short: %" PRIu64 " bytes.",
        support_file_name(bin->file), id, bin->format->section_name[id], section->offset, section->size_bytes);
  return support_file_read(bin->file, section->offset + at, size_bytes, out, err);
}
